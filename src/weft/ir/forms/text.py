"""Programs as text that people read. `weft.ir.forms.parser.parse` reads it back, equal.

    program total(x: view<float64, 1> = argument x) returns leaf {
      t: pyint = dim(x, 0)
      for i "i": pyint in 0 .. t carry (s: float64 = 0.0:float64) {
        t.1: float64 = x[i]!safe
        t.2: float64 = s + t.1
        yield t.2
      } -> (s.1: float64)
      yield s.1
    }

``!safe`` and its like are the treatment of bounds (none: Python's), ``unchecked`` marks operations that cannot fail,
constants of types that are not Python's own say their type. With locations, every statement ends with one after ``#``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from weft.ir import nodes as n
from weft.ir.location import UNKNOWN, Location
from weft.ir.pins import Pin
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT
from weft.ir.visit import launches_in

BINARY_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&",
    "or": "|", "xor": "^", "shl": "<<", "shr": ">>", "min": "min", "max": "max",
}  # fmt: skip
COMPARE_SYMBOLS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNARY_NAMES = ("neg", "pos", "invert", "not", "abs")
PLAIN_NAME = re.compile(r"[^\W\d]\w*(\.\w+)*")
"""Names that need no quotes."""

PYTHON_TYPES = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}


def to_text(program: n.Program, locations: bool = False) -> str:
    """A program as text, one statement a line."""
    return "\n".join(_Printer(locations).program(program)) + "\n"


def name_text(name: str) -> str:
    """A name, between backquotes where it has characters that others use."""
    return name if PLAIN_NAME.fullmatch(name) and name not in _RESERVED else f"`{name}`"


_RESERVED = frozenset({"True", "False", "nan", "inf", "new"})
"""Names that would be taken for constants."""


def atom_text(atom: n.Atom) -> str:
    """A variable's name, or a constant."""
    if isinstance(atom, n.Var):
        return name_text(atom.name)
    text = _number(atom.value)
    return text if PYTHON_TYPES.get(type(atom.value)) == atom.type else f"{text}:{atom.type}"


def _product(value: n.TileProduct | n.WindowProduct) -> str:
    if isinstance(value, n.WindowProduct):
        places = value.sums, value.tile, value.weights, value.row, value.column, value.above, value.beside
        return f"windows ({_atoms(places)}) {value.width} {value.down} {value.across}"
    parts = value.sums, value.left, value.right, value.buffer, value.row, value.column, value.inner
    return f"({_atoms(parts)}) {value.down} {value.across}"


def _matrices(value: n.MatrixProduct) -> str:
    matrices = value.result, value.left, value.right
    axes = " ".join(str(matrix.axis) for matrix in matrices)
    return f"({_atoms((*(matrix.view for matrix in matrices), *value.bounds, value.condition))}) {axes} {value.freedom}"


def _number(value: bool | int | float | complex) -> str:
    if isinstance(value, complex):
        return f"complex({value.real!r}, {value.imag!r})"
    return repr(value)


def _atoms(atoms: Iterable[n.Atom]) -> str:
    return ", ".join(map(atom_text, atoms))


def _typed(variables: Iterable[n.Var]) -> str:
    return ", ".join(f"{name_text(v.name)}: {v.type}" for v in variables)


class _Printer:
    """Writes each node in its form; methods are named after the nodes."""

    def __init__(self, locations: bool) -> None:
        self._locations = locations

    # ------------------------------------------------------------------------------------------- program

    def program(self, program: n.Program) -> Iterator[str]:
        yield from self._kernels(program)
        params = ", ".join(map(_param, program.params))
        writes = f" writes ({', '.join(map(_source, program.writes))})" if program.writes else ""
        marks = f" overlaps ({', '.join(map(name_text, program.overlaps))})" if program.overlaps else ""
        marks += f" pins ({', '.join(map(_pin, program.pins))})" if program.pins else ""
        head = f"program {name_text(program.name)}({params}) returns {_returns(program.returns)}{writes}{marks} {{"
        yield head + self._place(program.location)
        yield from self._block(program.body)
        for function in program.functions:
            mark = " associative" if function.associative else ""
            head = f"}} function {name_text(function.name)}({_typed(function.params)}){mark} {{"
            yield head + self._place(function.location)
            yield from self._block(function.body)
        if program.assumption is not None:
            yield "} assume {"
            yield from self._block(program.assumption)
        if program.needs is not None:
            yield "} needs {"
            yield from self._block(program.needs)
        yield "}"

    def _kernels(self, program: n.Program) -> Iterator[str]:
        launches = list(launches_in(program.body))
        for kernel in dict.fromkeys(launch.kernel for launch in launches):
            marks = f" group ({', '.join(map(str, kernel.group))})" if kernel.group else ""
            marks += f" step ({', '.join(map(str, kernel.step))})" if kernel.step else ""
            marks += f" overlaps ({', '.join(map(name_text, kernel.overlaps))})" if kernel.overlaps else ""
            marks += f" resident {kernel.resident}" if kernel.resident != 1 else ""
            marks += f" product {_matrices(kernel.product)}" if kernel.product else ""
            marks += f" precision {kernel.precision}" if kernel.precision else ""
            marks += "".join(f" hint {json.dumps([h.kind, h.param, h.amount])}" for h in kernel.hints)
            marks += _uniform(kernel.uniform) if kernel.uniform else ""
            head = f"kernel {name_text(kernel.name)}({_typed(kernel.params)}){marks} {{"
            yield head + self._place(kernel.location)
            yield from self._block(kernel.body)
            yield "}"

    def _place(self, location: Location) -> str:
        return f"  # {json.dumps(_location(location))}" if self._locations and location != UNKNOWN else ""

    def _block(self, block: n.Block) -> Iterator[str]:
        for statement in block.statements:
            first, *rest = getattr(self, f"_{type(statement).__name__}")(statement)
            yield "  " + first + self._place(statement.location)
            for line in rest:
                yield "  " + line
        if block.yields:
            yield f"  yield {_atoms(block.yields)}"

    # ---------------------------------------------------------------------------------------- statements

    def _Let(self, let: n.Let) -> Iterator[str]:
        yield f"{name_text(let.var.name)}: {let.var.type} = {self.expression(let.value)}"

    def _Store(self, store: n.Store) -> Iterator[str]:
        place = _access(store.view, store.indices, store.bounds, store.mask)
        yield f"{place} = {atom_text(store.value)}{' late' if store.late else ''}"

    def _Update(self, update: n.Update) -> Iterator[str]:
        place = _access(update.view, update.indices, update.bounds, None)
        yield f"update {place} {update.op} {atom_text(update.value)}"

    def _For(self, loop: n.For) -> Iterator[str]:
        bounds = f"{atom_text(loop.start)} .. {atom_text(loop.stop)}"
        marks = "" if loop.exit is None else f" exit {loop.exit}"
        marks += "" if loop.claim == "range" else f" claim {loop.claim}"
        marks += "" if loop.mapping == "sequential" else f" mapping {loop.mapping}"
        marks += "" if loop.under_way is None else f" under_way {loop.under_way}"
        marks += "" if loop.product is None else f" product {_product(loop.product)}"
        marks += "" if loop.together is None else f" together {loop.together.runs} {loop.together.most}"
        marks += f" ahead {loop.ahead}" if loop.ahead else ""
        marks += "" if loop.through is None else f" through {name_text(loop.through.name)}"
        marks += "" if loop.fetch is None else f" fetch {_access(loop.fetch.view, loop.fetch.indices, 'python', None)}"
        index = f"{name_text(loop.index.name)} {json.dumps(loop.label)}: {loop.index.type}"
        yield f"for {index} in {bounds}{_carry(loop.args)}{marks} {{"
        yield from self._block(loop.body)
        yield f"}}{_results(loop.results)}"

    def _While(self, loop: n.While) -> Iterator[str]:
        yield f"while {json.dumps(loop.label)}{_carry(loop.args)} {{"
        yield from self._block(loop.condition)
        yield "} do {"
        yield from self._block(loop.body)
        yield f"}}{_results(loop.results)}"

    def _If(self, branch: n.If) -> Iterator[str]:
        yield f"if {atom_text(branch.condition)}{' rare' if branch.rare else ''} {{"
        yield from self._block(branch.then)
        if branch.orelse != n.Block():
            yield "} else {"
            yield from self._block(branch.orelse)
        yield f"}}{_results(branch.results)}"

    def _Raise(self, statement: n.Raise) -> Iterator[str]:
        yield f"raise {name_text(statement.exception)} {json.dumps(statement.message)} ({_atoms(statement.operands)})"

    def _Call(self, call: n.Call) -> Iterator[str]:
        yield f"({_typed(call.results)}) = call {name_text(call.function)}({_atoms(call.operands)})"

    def _External(self, external: n.External) -> Iterator[str]:
        marks = f" reads ({_atoms(external.reads)})" if external.reads else ""
        marks += f" writes ({_atoms(external.writes)})" if external.writes else ""
        call = f"{json.dumps(external.reference)}({_atoms(external.operands)})"
        yield f"({_typed(external.results)}) = external {call}{marks}"

    def _Launch(self, launch: n.Launch) -> Iterator[str]:
        grid = f" grid ({_atoms(launch.grid)})" if launch.grid else ""
        call = f"{name_text(launch.kernel.name)}({_atoms(launch.operands)})"
        marks = f" reads ({_atoms(launch.reads)})" if launch.reads else ""
        marks += f" writes ({_atoms(launch.writes)})" if launch.writes else ""
        marks += f" windows ({_atoms(launch.windows)})" if launch.windows else ""
        yield f"({_typed(launch.results)}) = launch {call} on {json.dumps(launch.device)}{grid}{marks}"

    def _Reserve(self, reserve: n.Reserve) -> Iterator[str]:
        owed = " owed" if reserve.owed else ""
        yield f"reserve {name_text(reserve.view.name)} {json.dumps(reserve.memory)}{owed}"

    def _Copy(self, copy: n.Copy) -> Iterator[str]:
        onto = f" onto {name_text(copy.onto.name)}" if copy.onto else ""
        yield f"copy {name_text(copy.view.name)} {json.dumps(copy.source)} -> {json.dumps(copy.target)}{onto}"

    def _Free(self, free: n.Free) -> Iterator[str]:
        yield f"free {name_text(free.view.name)} {json.dumps(free.memory)}"

    def _Wait(self, wait: n.Wait) -> Iterator[str]:
        of = f" of {', '.join(name_text(view.name) for view in wait.of)}" if wait.of else ""
        yield f"wait {json.dumps(wait.device)}{of}"

    # --------------------------------------------------------------------------------------- expressions

    def expression(self, value: n.Expression) -> str:
        text: str = getattr(self, f"_{type(value).__name__}")(value)
        return text

    def _Unary(self, value: n.Unary) -> str:
        return f"{value.op}({atom_text(value.operand)}){_unchecked(value.checked)}"

    def _Binary(self, value: n.Binary) -> str:
        sides = f"{atom_text(value.left)} {BINARY_SYMBOLS[value.op]} {atom_text(value.right)}"
        return sides + _unchecked(value.checked)

    def _Compare(self, value: n.Compare) -> str:
        return f"{atom_text(value.left)} {COMPARE_SYMBOLS[value.op]} {atom_text(value.right)}"

    def _Select(self, value: n.Select) -> str:
        return f"{atom_text(value.then)} if {atom_text(value.condition)} else {atom_text(value.orelse)}"

    def _Cast(self, value: n.Cast) -> str:
        return f"cast({atom_text(value.operand)}){_unchecked(value.checked)}"

    def _Math(self, value: n.Math) -> str:
        return f"{'math' if value.strict else 'numpy'} {value.name}({_atoms(value.operands)})"

    def _Native(self, value: n.Native) -> str:
        return f"native {json.dumps(value.source)}({_atoms(value.operands)})"

    def _Fma(self, value: n.Fma) -> str:
        return f"fma({_atoms((value.a, value.b, value.c))})"

    def _Load(self, value: n.Load) -> str:
        return _access(value.view, value.indices, value.bounds, value.mask)

    def _Dim(self, value: n.Dim) -> str:
        return f"dim({name_text(value.view.name)}, {value.axis})"

    def _Undefined(self, value: n.Undefined) -> str:
        return "undefined()"

    def _Alloc(self, value: n.Alloc) -> str:
        fill = "" if value.fill is None else f" fill {atom_text(value.fill)}"
        memory = f" in {value.memory}" if value.memory else ""
        return f"alloc({_atoms(value.shape)}) {value.element}{fill}{memory}"

    def _Subview(self, value: n.Subview) -> str:
        axes = ", ".join(map(_axis, value.axes))
        return f"view {name_text(value.view.name)}[{axes}]{_bounds(value.bounds)}"

    def _Transpose(self, value: n.Transpose) -> str:
        return f"transpose({name_text(value.view.name)}) [{', '.join(map(str, value.permutation))}]"

    def _Split(self, value: n.Split) -> str:
        extents = ", ".join(map(atom_text, value.extents))
        return f"split({name_text(value.view.name)}, {value.axis}) ({extents})"

    def _Mergeable(self, value: n.Mergeable) -> str:
        return f"mergeable({name_text(value.view.name)}, {value.axis})"

    def _Merge(self, value: n.Merge) -> str:
        return f"merge({name_text(value.view.name)}, {value.axis})"

    def _FieldView(self, value: n.FieldView) -> str:
        return f"field({name_text(value.view.name)}) {json.dumps(value.name)}"

    def _Lanes(self, value: n.Lanes) -> str:
        return f"lanes({atom_text(value.start)})"

    def _Broadcast(self, value: n.Broadcast) -> str:
        return f"broadcast({atom_text(value.operand)})"

    def _ReduceLanes(self, value: n.ReduceLanes) -> str:
        return f"reduce({atom_text(value.operand)}) {value.op}"

    def _RunningLanes(self, value: n.RunningLanes) -> str:
        return f"running({atom_text(value.operand)}) {value.op}"

    def _Lane(self, value: n.Lane) -> str:
        return f"lane({name_text(value.operand.name)}, {value.axis})"

    def _Pack(self, value: n.Pack) -> str:
        return f"{'pack_apart' if value.apart else 'pack'}({_atoms(value.items)})"

    def _Aligned(self, value: n.Aligned) -> str:
        return f"aligned({name_text(value.view.name)}, {value.axis})"

    def _Room(self, value: n.Room) -> str:
        return f"room({json.dumps(value.memory)})"


def _unchecked(checked: bool) -> str:
    return "" if checked else " unchecked"


def _bounds(bounds: n.Bounds) -> str:
    return "" if bounds == "python" else f"!{bounds}"


def _access(view: n.Var, indices: Iterable[n.Atom], bounds: n.Bounds, mask: n.Atom | None) -> str:
    where = "" if mask is None else f" mask {atom_text(mask)}"
    return f"{name_text(view.name)}[{_atoms(indices)}]{_bounds(bounds)}{where}"


def _axis(axis: n.Atom | n.Slice | None) -> str:
    if axis is None:
        return "new"
    if isinstance(axis, n.Slice):
        return f"({_atoms((axis.start, axis.length, axis.step))})"
    return atom_text(axis)


def _carry(args: tuple[n.LoopArg, ...]) -> str:
    parts = []
    for arg in args:
        combine = "" if arg.combine is None else f" combine {name_text(arg.combine)}"
        parts.append(f"{name_text(arg.var.name)}: {arg.var.type} = {atom_text(arg.init)}{combine}")
    return f" carry ({', '.join(parts)})" if parts else ""


def _results(results: tuple[n.Var, ...]) -> str:
    return f" -> ({_typed(results)})" if results else ""


def _param(param: n.Param) -> str:
    home = f" home {json.dumps(param.home)}" if param.home != "host" else ""
    return f"{name_text(param.var.name)}: {param.var.type} = {_source(param.source)}{home}"


def _source(source: n.Source) -> str:
    return f"{source.kind} {json.dumps([source.name, *source.path])}"


def _returns(returns: n.Returns) -> str:
    if returns.kind == "constant":
        return f"constant {json.dumps(returns.constant)}"
    words = [json.dumps(word) for word in (returns.constructor, *returns.names) if word]
    head = " ".join([returns.kind, *words])
    return f"{head} ({', '.join(map(_returns, returns.items))})" if returns.items else head


def _pin(pin: Pin) -> str:
    return json.dumps(json.dumps([pin.device, _location(pin.location)]))


def _location(location: Location) -> list[object]:
    call = None if location.call is None else _location(location.call)
    span = [location.line, location.column, location.end_line, location.end_column]
    return [location.file, *span, location.function, call]


def _uniform(uniform: n.Uniform) -> str:
    groups = [(word, getattr(uniform, word)) for word in ("multiples", "aligned", "whole", "few")]
    text = f" uniform {name_text(uniform.test.name)}"
    for word, pairs in groups:
        text += f" {word} ({', '.join(f'{atom_text(atom)} of {number}' for atom, number in pairs)})"
    return text + (f" otherwise{_uniform(uniform.orelse)}" if uniform.orelse else "")
