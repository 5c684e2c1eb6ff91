"""Loops that may fail, on threads, so that later iterations than the one that fails leave no trace.

A piece whose stores can be undone runs at once, and saves what it overwrites until all earlier pieces are known not to
fail. Any other runs its tests, waits for its turn, which comes when no earlier piece can fail, and runs as far as its
tests let it. Pieces are begun in order, so nothing waits but pieces for the ones just before them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from weft.backends.c.undoing import Undoing, place_of
from weft.backends.text.code import Code
from weft.ir import nodes as n

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter

LONGEST = 8192
"""The most iterations of a piece that tests first: what it reads is still in the cache when it runs."""


@dataclass
class InTurn:
    """A loop whose pieces run their tests before their turn.

    Attributes
    ----------
    ahead
        The function of the tests.
    """

    ahead: ParallelPrinter
    _call: str = ""

    def functions(self, name: str) -> tuple[list[str], list[str]]:
        """The text of the function, and the names that it captures."""
        text, captures = self.ahead.complete(f"{name}_ahead", ["int64_t begin", "int64_t end"])
        given = ["&fault" if capture == "fault" else f"c->{capture}" for capture in captures]
        self._call = ", ".join([*given, "begin", "end"])
        return [text], captures

    def piece(self, name: str) -> str:
        """What the runtime calls for a piece; after `functions`."""
        lines = [
            f"static int32_t {name}_in_turn(void *context, int64_t begin, int64_t end, int64_t part) {{",
            f"    struct {name} *c = context;",
            "    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);",
            "    if (status) return status;",
            "    weft_fault fault = {0};",
            f"    status = {name}_ahead({self._call});",
            "    if (!c->runtime->await_turn(&c->turn, begin, &c->status)) return WEFT_INTERRUPTED;",
            "    if (LIKELY(!status)) {",
            "        __atomic_store_n(&c->turn, end, __ATOMIC_RELEASE);",
            "    } else {",
            "        __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);",
            "        if (status < 0) return status;",
            "        end = fault.iteration + 1;",
            "    }",
            f"    return {name}_piece(context, begin, end, part);",
            "}",
        ]
        return "\n".join(lines)

    def launch(self, name: str, context: str, iterations: tuple[str, str], pieces: str, work: str) -> str:
        """The statement that runs all pieces."""
        numbers = f"{', '.join(iterations)}, {pieces}, {LONGEST}, {work}"
        return f"runtime->in_order({name}_in_turn, &{context}, {numbers});"


@dataclass
class Undone:
    """A loop whose pieces save what they overwrite.

    Attributes
    ----------
    ahead, undo
        The functions of a piece that does so, and of one that puts it back.
    saved
        The arrays for that, by name in C, with the type of an element.
    longest
        The most iterations of a piece.
    """

    ahead: ParallelPrinter
    undo: ParallelPrinter
    saved: tuple[tuple[str, str], ...]
    longest: int
    _calls: dict[str, str] = field(default_factory=dict)

    def functions(self, name: str) -> tuple[list[str], list[str]]:
        """The texts of these functions, and the names that they capture."""
        fixed = ["int64_t begin", "int64_t end", *(f"{c_type} *restrict {array}" for array, c_type in self.saved)]
        texts, names = [], []
        for printer, suffix in ((self.ahead, "ahead"), (self.undo, "undo")):
            text, captures = printer.complete(f"{name}_{suffix}", fixed)
            texts.append(text)
            given = ["fault" if capture == "fault" else f"c->{capture}" for capture in captures]
            arrays = (f"saved->{array}" for array, _ in self.saved)
            self._calls[suffix] = f"{name}_{suffix}({', '.join([*given, 'begin', 'end', *arrays])})"
            names += [capture for capture in captures if capture not in names]
        return texts, names

    def piece(self, name: str) -> str:
        """What the runtime calls for a piece, and to undo it; after `functions`."""
        lines = [
            f"struct {name}_saved {{",
            *(f"    {c_type} {array}[{self.longest}];" for array, c_type in self.saved),
            "};",
            "",
            f"static int32_t {name}_tentative(void *context, int64_t begin, int64_t end, int64_t part, void *memory,",
            f"{' ' * (len(name) + 26)}weft_fault *fault) {{",
            f"    struct {name} *c = context;",
            "    (void)part;",
            f"    struct {name}_saved *saved = memory;",
            f"    return {self._calls['ahead']};",
            "}",
            "",
            f"static void {name}_undone(void *context, int64_t begin, int64_t end, void *memory) {{",
            f"    struct {name} *c = context;",
            f"    struct {name}_saved *saved = memory;",
            f"    {self._calls['undo']};",
            "}",
        ]
        return "\n".join(lines)

    def launch(self, name: str, context: str, iterations: tuple[str, str], pieces: str, work: str) -> str:
        """The statement that runs all pieces, as many as suit."""
        functions = f"{name}_tentative, {name}_undone, NULL, &{context}"
        numbers = f"{', '.join(iterations)}, 0, {self.longest}, {work}"
        return f"{context}.status = runtime->undoing({functions}, {numbers}, fault);"


def with_undo(loop: n.For, ahead: ParallelPrinter, undo: ParallelPrinter, undoing: Undoing) -> Undone:
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
    return Undone(ahead, undo, tuple(arrays), undoing.longest)
