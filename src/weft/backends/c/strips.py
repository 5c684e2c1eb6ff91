"""Loops cut into strips of a fixed number of lanes, of which compilers make vector code that they otherwise would not.

Two kinds of loops need it. **Reductions of floats**: iteration `k` goes to the accumulator ``k % lanes``; the
accumulators are folded pairwise, so that the grouping depends on the trip count alone. **Loops that may fail**: the
lanes of a strip only note that something failed; a strip that noted it is run again one by one and raises there. Its
results are kept apart until then, so that memory is as if iterations had run in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.backends.c.gathers import LANES, Gathered, vector_of
from weft.backends.c.reductions import OPERATORS, combination, identity
from weft.backends.text.arithmetic import is_rest_of_power, power_function
from weft.backends.text.code import SUM, Code
from weft.backends.text.mathematics import VECTOR_FUNCTIONS
from weft.ir import nodes as n
from weft.ir.effects import binary_may_raise, block_may_raise
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import atoms_of, walk

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter
    from weft.backends.text.printer_facts import Facts

LANE_BYTES = 256
"""Bytes of the accumulators of one reduction: four of the widest vectors, which hides the latency of an addition."""

SHORTER = 8
"""How many times shorter the strips for the rest of a reduction are."""

SHORT = 4
"""Strips with so many lanes are folded without a loop: compilers make something worse of it."""

GUARDED_LANES = 32
TESTED_LANES = 1024
"""The most lanes of a strip that only tests: compilers make better vector code of longer loops."""

MOST_STORES = 8
"""A strip with more stores is not kept apart."""


class Strips:
    """One loop printed in strips, then what is left of it one by one."""

    def __init__(self, printer: LoopPrinter, loop: n.For, index: str) -> None:
        self._printer = printer
        self._loop = loop
        self._index = index
        self._stores = _stores(loop)
        self._collects = _collects(loop)
        self._noted = block_may_raise(loop.body) and not self._collects
        self._buffered = self._noted and can_buffer(loop, printer.facts)
        self._only_tests = self._noted and not self._stores and not loop.args
        self._lanes = TESTED_LANES if self._only_tests else _lane_count(loop)
        names = [printer.atoms[a.var.name].text for a in loop.args]
        self._flags = {f"{name}_any" for name, a in zip(names, loop.args, strict=True) if _is_boolean(a.var.type)}
        self._accumulators = [f"{x}_any" if f"{x}_any" in self._flags else f"{x}_lanes" for x in names]

    @staticmethod
    def suits(loop: n.For, facts: Facts) -> bool:
        """Whether strips help a loop, and are right for it."""
        if loop.mapping != "parallel" or loop.exit is not None or loop.index.type != PYINT:
            return False
        if any(not isinstance(a.var.type, Scalar) or a.combine not in OPERATORS for a in loop.args):
            return False
        if not all(_is_straight(s) for s in walk(loop.body)):
            return False
        if not block_may_raise(loop.body):
            return any(_is_float(a.var.type) for a in loop.args)
        return _can_note_failures(loop) and (can_buffer(loop, facts) or not _stores(loop))

    @staticmethod
    def look_themselves(loop: n.For, facts: Facts) -> bool:
        """Whether each strip looks itself whether the program is to stop."""
        return Strips.suits(loop, facts) and block_may_raise(loop.body) and not _collects(loop)

    # ------------------------------------------------------------------------------------------ the loop

    def print(self, start: Code, stop: Code) -> tuple[Code, Code]:
        """Open what is left to be printed one by one: gives its bounds. Call `close` after it."""
        printer, loop = self._printer, self._loop
        self._next = printer.declare(f"{loop.index.stem}_next", "int64_t", start.text)
        # Otherwise the end may lie so far below that the difference wraps.
        self._is_ordered = start.text in ("0", "begin")
        if not self._noted:
            self._print_reduction(stop)
            return Code(self._next), stop
        printer.lines.add(f"while ({self._next} < {stop.inside(9)}) {{")
        printer.lines.depth += 1
        if printer.may_take_long(loop):
            printer.look(loop, self._next)
        rounds, extents = self._guarded_round(stop)
        enough = [] if self._only_tests else [f"{stop.inside(9)} - {self._next} >= {self._lanes}"]
        conditions = [*enough, *(f"{e} > 0" for e in extents)]
        with printer.lines.braces(f"if ({' && '.join(conditions) or 'true'})"):
            printer.lines.extend(rounds)
        self._end = end = printer.module.identifiers.fresh(f"{loop.index.stem}_end")
        printer.declared[end] = "int64_t"
        printer.lines.add(f"const int64_t {end} = {self._next} + {self._left(stop)};")
        return Code(self._next), Code(end)

    def close(self) -> None:
        """After the part that runs one by one."""
        if self._noted:
            self._printer.lines.add(f"{self._next} = {self._end};")
            self._printer.lines.depth -= 1
            self._printer.lines.add("}")

    def _left(self, stop: Code) -> str:
        """How many iterations the next strip has, where there are any."""
        return f"weft_left({self._next}, {stop.text}, {self._lanes})"

    # ---------------------------------------------------------------------------------------- reductions

    def _print_reduction(self, stop: Code) -> None:
        """Full strips, then short ones: many loops have fewer iterations than a full strip has lanes."""
        if not self._collects:
            self._print_strips(stop)
        self._lanes //= SHORTER
        whole = self._printer.dialect.helpers.register_lanes >= LANES
        gathered = Gathered.of(self._printer, self._loop) if self._collects and whole else None
        if gathered is None:
            self._print_strips(stop)
            return
        self._printer.lines.add("#if HAS_GATHERS")
        self._print_gathered(gathered, stop)
        self._printer.lines.add("#else")
        self._print_strips(stop)
        self._printer.lines.add("#endif")

    def _print_gathered(self, gathered: Gathered, stop: Code) -> None:
        """Strips of gathers, the last of which may have fewer lanes: nothing is left after them."""
        printer, next_, [arg] = self._printer, self._next, self._loop.args
        vector, target = vector_of(arg.var.type), printer.atoms[arg.var.name]
        with printer.lines.braces(f"if ({next_} < {stop.inside(9)})"):
            sums = printer.declare(f"{arg.var.stem}_sums", vector, f"splat_{vector}({identity(printer, arg).text})")
            with printer.lines.braces(f"for (; {next_} < {stop.inside(9)}; {next_} += {LANES})"):
                on = printer.declare("on", "uint8_t", f"lanes_on({stop.inside(SUM)} - {next_})")
                failing, value = gathered.print_strip(printer, next_, on, Code(sums))
                self._print_one_by_one(" || ".join(failing) or "0", sums, stop)
                printer.lines.add(f"{sums} = blend_{vector}({on}, {value}, {sums});")
            printer.lines.add(
                f"{target.text} = {combination(printer, arg, target, Code(f'sum_{vector}({sums})')).text};"
            )

    def _print_one_by_one(self, condition: str, sums: str, stop: Code) -> None:
        """A strip of gathers in which an index is not plainly inside."""
        printer, [array] = self._printer, self._accumulators
        with printer.lines.braces(f"if (UNLIKELY({condition}))"):
            printer.lines.add(f"{self._type(self._loop.args[0])} {array}[{LANES}];")
            printer.lines.add(f"for (int lane = 0; lane < {LANES}; lane++) {array}[lane] = {sums}[lane];")
            count = printer.declare("count", "int", f"(int)weft_left({self._next}, {stop.text}, {LANES})")
            self._lane_loop([f"{array}[lane]"], count=count)
            printer.lines.add(f"for (int lane = 0; lane < {LANES}; lane++) {sums}[lane] = {array}[lane];")
            printer.lines.add("continue;")

    def _print_strips(self, stop: Code) -> None:
        printer, lanes, next_ = self._printer, self._lanes, self._next
        some = "" if self._is_ordered else f"{next_} < {stop.inside(9)} && "
        with printer.lines.braces(f"if ({some}{stop.inside(9)} - {next_} >= {lanes})"):
            last = printer.declare(f"{self._loop.index.stem}_last", "int64_t", f"{stop.inside(9)} - {lanes}")
            self._open_accumulators()
            with printer.lines.braces(f"for (; {next_} <= {last}; {next_} += {lanes})"):
                self._lane_loop([*map(self._in_lane, self._accumulators)])
            self._fold()

    def _open_accumulators(self) -> None:
        for arg, array in zip(self._loop.args, self._accumulators, strict=True):
            value = identity(self._printer, arg)
            if array in self._flags:
                self._printer.lines.add(f"{_flag_type(self._loop)} {array} = {value.text};")
                continue
            self._printer.lines.add(f"{self._type(arg)} {array}[{self._lanes}];")
            self._printer.lines.add(f"for (int lane = 0; lane < {self._lanes}; lane++) {array}[lane] = {value.text};")

    def _in_lane(self, array: str, lane: str = "lane") -> str:
        """An accumulator of one lane: of Booleans there is one for all lanes, as wide as the numbers beside them."""
        return array if array in self._flags else f"{array}[{lane}]"

    def _type(self, arg: n.LoopArg) -> str:
        return self._printer.type_name(arg.var.type)

    def _lane_loop(self, targets: Sequence[str], pragma: str = "", count: str = "") -> None:
        """The body once for each lane; what it carries is read and written in `targets`."""
        printer, loop = self._printer, self._loop
        saved, declared = dict(printer.atoms), dict(printer.declared)
        for arg, target in zip(loop.args, targets, strict=True):
            printer.atoms[arg.var.name] = Code(target)
        if pragma:
            printer.lines.add(pragma)
        with printer.lines.braces(f"for (int lane = 0; lane < {count or self._lanes}; lane++)"):
            printer.lines.add(f"const int64_t {self._index} = {self._next} + lane;")
            printer.iteration(loop, list(targets))
        printer.atoms, printer.declared = saved, declared

    def _fold(self) -> None:
        printer, lanes = self._printer, self._lanes
        if lanes <= SHORT:
            for half in (1 << k for k in reversed(range(lanes.bit_length() - 1))):
                for lane in range(half):
                    self._fold_lane(str(lane), str(lane + half))
        else:
            halves = printer.lines.braces(f"for (int half = {lanes // 2}; half > 0; half /= 2)")
            with halves, printer.lines.braces("for (int lane = 0; lane < half; lane++)"):
                self._fold_lane("lane", "lane + half")
        for arg, array in zip(self._loop.args, self._accumulators, strict=True):
            target = printer.atoms[arg.var.name]
            printer.lines.add(
                f"{target.text} = {combination(printer, arg, target, Code(self._in_lane(array, '0'))).text};"
            )

    def _fold_lane(self, lane: str, other: str) -> None:
        for arg, array in zip(self._loop.args, self._accumulators, strict=True):
            if array in self._flags:
                continue
            value = combination(self._printer, arg, Code(f"{array}[{lane}]"), Code(f"{array}[{other}]"))
            self._printer.lines.add(f"{array}[{lane}] = {value.text};")

    # ------------------------------------------------------------------------------------- loops that may fail

    def _guarded_round(self, stop: Code) -> tuple[list[str], list[str]]:
        """The lines of one strip, and the extents that must not be 0 in it."""
        printer = self._printer
        with printer.apart() as lines, printer.noting("bad") as notes:
            printer.lines.add(f"{_flag_type(self._loop)} bad = 0;")
            count = str(self._lanes)
            if self._only_tests:
                count = printer.declare("count", "int", f"(int){self._left(stop)}")
            self._open_accumulators()
            buffers = open_buffers(printer, self._stores if self._buffered else (), self._lanes)
            notes.buffers, notes.in_vectors = buffers, not _loads_in_branches(self._loop)
            self._lane_loop([*map(self._in_lane, self._accumulators)], "ONE_BY_ONE", count)
            with printer.lines.braces("if (LIKELY(!bad))"):
                commit(printer, self._loop, buffers, self._index, self._next, self._lanes)
                if self._accumulators:
                    self._fold()
                printer.lines.add(f"{self._next} += {count};")
                printer.lines.add("continue;")
        return lines.items, sorted(notes.extents)


def open_buffers(printer: LoopPrinter, stores: Sequence[n.Store], lanes: int) -> dict[int, str]:
    """An array of results of a strip for each store."""
    buffers: dict[int, str] = {}
    for k, store in enumerate(stores):
        buffers[id(store)] = f"{printer.module.identifiers.fresh(f'{store.view.stem}_{k}')}_lanes"
        c_type = printer.view(store.view).memory_type(printer.dialect)
        printer.lines.add(f"{c_type} {buffers[id(store)]}[{lanes}];")
    return buffers


def commit(printer: LoopPrinter, loop: n.For, buffers: dict[int, str], index: str, first: str, lanes: int) -> None:
    """Put the results of a strip, of which the first iteration is given, where they belong."""
    if not buffers:
        return
    stores = [s for s in _stores(loop) if id(s) in buffers]
    saved, declared = dict(printer.atoms), dict(printer.declared)
    with printer.lines.braces(f"for (int lane = 0; lane < {lanes}; lane++)"), printer.trusting():
        printer.lines.add(f"const int64_t {index} = {first} + lane;")
        slice_ = n.Block(tuple(index_slice(loop.body, stores)))
        printer.block(slice_)
        for store in stores:
            value = n.Var(f"\0{id(store)}", store.value.type)
            printer.atoms[value.name] = Code(f"{buffers[id(store)]}[lane]")
            printer.statement(replace(store, value=value))
        printer.close()
    printer.atoms, printer.declared = saved, declared


def _collects(loop: n.For) -> bool:
    """Whether a loop only adds up elements from places that it reads: processors load these one by one, and so they are
    tested one by one, in several sums at once."""
    if not loop.args or not all(isinstance(s, n.Let) for s in loop.body.statements):
        return False
    values = [s.value for s in loop.body.statements if isinstance(s, n.Let)]
    loads = [v for v in values if isinstance(v, n.Load)]
    cheap = all(
        isinstance(v, (n.Load, n.Cast, n.Fma)) or (isinstance(v, n.Binary) and v.op in ("add", "sub", "mul"))
        for v in values
    )
    others = n.Block(tuple(s for s in loop.body.statements if isinstance(s, n.Let) and s.value not in loads))
    return cheap and any(v.bounds != "safe" for v in loads) and not block_may_raise(others)


def _lane_count(loop: n.For) -> int:
    sizes = [a.var.type.size for a in loop.args if isinstance(a.var.type, Scalar)]
    return LANE_BYTES // max(sizes) if sizes else GUARDED_LANES


def _is_boolean(type: object) -> bool:
    return isinstance(type, Scalar) and type.kind == "b"


def _flag_type(loop: n.For) -> str:
    """As wide as what is tested, so that a vector has as many flags as elements."""
    types = [s.var.type for s in walk(loop.body) if isinstance(s, n.Let)]
    return "int64_t" if any(isinstance(t, Scalar) and t.size == 8 for t in types) else "int"


def _is_float(type: object) -> bool:
    return isinstance(type, Scalar) and type.kind in "fc" and type.bits > 16


def _loads_in_branches(loop: n.For) -> bool:
    """Whether branches load: compilers make no vector code of them."""
    blocks = (b for s in walk(loop.body) if isinstance(s, n.If) for b in (s.then, s.orelse))
    return any(isinstance(s, n.Let) and isinstance(s.value, n.Load) for b in blocks for s in b.statements)


def _is_straight(statement: n.Statement) -> bool:
    if isinstance(statement, n.Let):
        return not isinstance(statement.value, (n.Alloc, n.Subview, n.Transpose, n.Split, n.FieldView))
    return isinstance(statement, (n.Store, n.If, n.Raise))


def _can_note_failures(loop: n.For) -> bool:
    """Whether all that may fail can be tested in vector code, and go on: integers do not overflow or divide by zero."""
    return all(_is_notable(s.value) for s in walk(loop.body) if isinstance(s, n.Let))


def _is_notable(value: n.Expression) -> bool:
    if isinstance(value, n.Binary):
        type = value.left.type
        if not isinstance(type, Scalar) or (type.kind == "c" and value.op in ("truediv", "pow") and type.weak):
            return False
        if type.kind == "f":
            return (value.op not in ("floordiv", "mod") or is_rest_of_power(value)) and type.bits > 16
        divides = value.op in ("floordiv", "mod", "truediv", "pow", "shl", "shr")
        return not divides and not (value.checked and binary_may_raise(value.op, type))
    if isinstance(value, n.Unary):
        return not (value.checked and value.op in ("neg", "abs") and value.operand.type == PYINT)
    if isinstance(value, n.Math) and value.name == "pow":
        return bool(power_function(value.operands[1]))
    return not isinstance(value, n.Math) or value.name in VECTOR_FUNCTIONS


def _stores(loop: n.For) -> list[n.Store]:
    """The stores of a loop; where there are none, iterations may run twice."""
    return [s for s in walk(loop.body) if isinstance(s, n.Store)]


def can_buffer(loop: n.For, facts: Facts) -> bool:
    """Whether stores can be put off: all run in every iteration, to places that follow from the index alone, and
    nothing that an iteration stored is read again in it."""
    stores = [s for s in loop.body.statements if isinstance(s, n.Store)]
    if len(stores) > MOST_STORES or len(stores) < sum(isinstance(s, n.Store) for s in walk(loop.body)):
        return False
    slice_ = list(index_slice(loop.body, stores))
    if any(isinstance(s.value, n.Load) for s in slice_):
        return False
    written: frozenset[str] = frozenset()
    for statement in walk(loop.body):
        if isinstance(statement, n.Store):
            written |= facts.roots(statement.view)
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, n.Load) and written & facts.roots(value.view):
            return False
    return True


def index_slice(body: n.Block, stores: Sequence[n.Store]) -> Iterator[n.Let]:
    """The definitions at the top of a body on which the indices of stores depend, in order."""
    wanted = {a.name for s in stores for a in s.indices if isinstance(a, n.Var)}
    found: list[n.Let] = []
    for statement in reversed(body.statements):
        if isinstance(statement, n.Let) and statement.var.name in wanted:
            found.append(statement)
            wanted |= {a.name for a in atoms_of(statement.value) if isinstance(a, n.Var)}
        elif isinstance(statement, n.If) and any(r.name in wanted for r in statement.results):
            found.append(n.Let(statement.results[0], n.Load(statement.results[0], ())))  # not from the index alone
    return reversed(found)
