"""Loops that may fail, on threads: what a piece does before its turn, and what it does then.

Pieces are begun in order, and the turn of one comes when all earlier ones are known not to fail. A piece whose stores
can be undone runs at once, and waits before it forgets what it has overwritten. Any other runs its tests, waits, and
runs as far as they let it. So nothing waits but pieces for the ones just before them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from weft.backends.c.undoing import Undoing, place_of
from weft.backends.code import Code
from weft.ir import nodes as n

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter

LONGEST = 8192
"""The most iterations of a piece that tests first: what it reads is still in the cache when it runs."""


@dataclass
class InTurn:
    """What the pieces of a loop do before and after waiting for their turn.

    Attributes
    ----------
    ahead
        The function of a piece that runs first: its tests, or all of it, which saves what it overwrites.
    undo
        The function that puts back what was saved; None where the piece runs after its tests.
    saved
        The arrays for that, by name in C, with the type of an element.
    longest
        The most iterations of a piece.
    """

    ahead: ParallelPrinter
    undo: ParallelPrinter | None = None
    saved: tuple[tuple[str, str], ...] = ()
    longest: int = LONGEST
    _calls: dict[str, str] = field(default_factory=dict)

    def functions(self, name: str) -> tuple[list[str], list[str]]:
        """The texts of these functions, and the names that they capture."""
        fixed = ["int64_t begin", "int64_t end", *(f"{c_type} *restrict {array}" for array, c_type in self.saved)]
        texts, names = [], []
        for printer, suffix in ((self.ahead, "ahead"), (self.undo, "undo")):
            if printer is not None:
                text, captures = printer.complete(f"{name}_{suffix}", fixed)
                texts.append(text)
                given = ["&fault" if capture == "fault" else f"c->{capture}" for capture in captures]
                self._calls[suffix] = ", ".join([*given, "begin", "end", *dict(self.saved)])
                names += [capture for capture in captures if capture not in names]
        return texts, names

    def piece(self, name: str) -> str:
        """What the runtime calls for a piece; after `functions`."""
        lines = [
            f"static void {name}_in_turn(void *context, int64_t begin, int64_t end, int64_t part) {{",
            f"    struct {name} *c = context;",
            "    if (__atomic_load_n(&c->status, __ATOMIC_RELAXED)) return;",
            "    weft_fault fault = {0};",
            *(f"    {c_type} {array}[{self.longest}];" for array, c_type in self.saved),
            f"    int32_t status = {name}_ahead({self._calls['ahead']});",
            *(self._undoing(name) if self.undo else self._testing(name)),
            "}",
        ]
        return "\n".join(lines)

    def _undoing(self, name: str) -> list[str]:
        raised = "weft_raise(c->fault, fault.site, fault.iteration, WEFT_FAULT_OPERANDS, fault.operands)"
        return [
            "    if (UNLIKELY(!c->runtime->await_turn(&c->turn, begin, &c->status))) {",
            "        if (status > 0) end = fault.iteration;",
            f"        if (status >= 0) {name}_undo({self._calls['undo']});",
            "        return;",
            "    }",
            "    if (LIKELY(!status)) {",
            "        __atomic_store_n(&c->turn, end, __ATOMIC_RELEASE);",
            "        return;",
            "    }",
            f"    if (status > 0) {raised};",
            "    __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);",
        ]

    def _testing(self, name: str) -> list[str]:
        return [
            "    if (!c->runtime->await_turn(&c->turn, begin, &c->status)) return;",
            "    if (LIKELY(!status)) {",
            "        __atomic_store_n(&c->turn, end, __ATOMIC_RELEASE);",
            "    } else {",
            "        __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);",
            "        if (status < 0) return;",
            "        end = fault.iteration + 1;",
            "    }",
            f"    {name}_piece(context, begin, end, part);",
        ]


def with_undo(loop: n.For, ahead: ParallelPrinter, undo: ParallelPrinter, undoing: Undoing) -> InTurn:
    """The two functions of a loop whose stores can be undone, which are printed here."""
    index = ahead.open_index(loop)
    back = undo.open_index(loop)
    arrays = []
    for store, old in zip(undoing.stores, undoing.olds, strict=True):
        name = ahead.module.identifiers.fresh(old.name)
        arrays.append((name, ahead.view(store.view).memory_type(ahead.dialect)))
        ahead.saves[place_of(store)] = f"{name}[{index} - begin]"
        undo.atoms[old.name] = Code(f"{name}[{back} - begin]")
    ahead.iteration_code = index
    ahead.before_piece("begin", False)
    ahead.piece_loop(loop, index, Code("begin"), Code("end"))
    with undo.trusting():
        undo.piece_loop(undoing.loop, back, Code("begin"), Code("end"))
    return InTurn(ahead, undo, tuple(arrays), undoing.longest)
