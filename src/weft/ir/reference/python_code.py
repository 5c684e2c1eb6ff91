"""Turns a program into Python source, which the interpreter runs.

Every node becomes a line or two. Python's operators on Python numbers and NumPy scalars are the meaning of the IR's
operators, so most lines look like the user's own. Each line knows its location and the loops around it.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from weft.ir import nodes as n
from weft.ir import values
from weft.ir.c_text import CALLERS
from weft.ir.location import UNKNOWN, Location
from weft.ir.recursion import function_name
from weft.ir.reference.operations import kind_of, lanes_of, operations_of, scalar_of
from weft.ir.reference.shadow import Site
from weft.ir.types import PYBOOL, PYINT, Scalar, Type, Vector, View
from weft.ir.visit import atoms_of, walk

_INLINE = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "and": "&", "or": "|", "xor": "^",
    "shl": "<<", "shr": ">>", "pow": "**", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip

_OVERFLOWING = frozenset({"add", "sub", "mul"})
_STAYS_INSIDE = frozenset({"truediv", "mod", "shr"})


@dataclass(frozen=True)
class Options:
    """What the code records: executions of blocks, accesses to memory and loops, floating-point values."""

    count: bool = False
    accesses: bool = False
    watch: bool = False


@dataclass
class Line:
    """Where a line comes from, and the loops around it: names of their counters, in the source and in the code."""

    location: Location
    loops: tuple[tuple[str, str], ...]


@dataclass
class PythonCode:
    """Source of a module that defines ``main``, the objects that it refers to, and what its lines and blocks are."""

    source: str
    namespace: dict[str, object]
    lines: list[Line]
    contents: list[Counter[tuple[str, str]]]


def python_code(program: n.Program, options: Options) -> PythonCode:
    """The Python code of a program."""
    return _Writer(options).program(program)


@dataclass
class _Writer:
    options: Options
    lines: list[str] = field(default_factory=list)
    origins: list[Line] = field(default_factory=list)
    namespace: dict[str, object] = field(default_factory=dict)
    contents: list[Counter[tuple[str, str]]] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)
    _bound: dict[object, str] = field(default_factory=dict)
    _kernels: dict[str, str] = field(default_factory=dict)
    _carried: dict[str, str] = field(default_factory=dict)
    _loops: list[tuple[str, str]] = field(default_factory=list)
    _depth: int = 0
    _location: Location = UNKNOWN

    # ------------------------------------------------------------------------------------------ frame

    def program(self, program: n.Program) -> PythonCode:
        for function in program.functions:
            self._function(f"function_{_identifier(function.name)}", function.params, function.body)
        for statement in walk(program.body):
            if isinstance(statement, n.Launch) and statement.kernel.name not in self._kernels:
                self._kernel(statement.kernel)
        if program.assumption is not None:
            self._function("assumption", [p.var for p in program.params], program.assumption)
        if program.needs is not None:
            self._function("needs", [p.var for p in program.params], program.needs)
        self._function("main", [p.var for p in program.params], program.body)
        return PythonCode("\n".join(self.lines) + "\n", self.namespace, self.origins, self.contents)

    def _kernel(self, kernel: n.Kernel) -> None:
        name = f"kernel_{_identifier(kernel.name)}_{len(self._kernels)}"
        self._kernels[kernel.name] = name
        self._function(name, kernel.params, kernel.body)

    def _function(self, name: str, params: Sequence[n.Var], body: n.Block) -> None:
        self._line(f"def {name}({', '.join(self._var(p) for p in params)}):")
        with self._indented():
            self._block(body)
            self._line(f"return {_tuple(self._atom(y) for y in body.yields)}")

    def _line(self, text: str) -> None:
        self.lines.append("\t" * self._depth + text)
        self.origins.append(Line(self._location, tuple(self._loops)))

    @contextmanager
    def _indented(self) -> Iterator[None]:
        self._depth += 1
        yield
        self._depth -= 1

    def _var(self, var: n.Var) -> str:
        """The Python name of a variable."""
        if var.name not in self._names:
            self._names[var.name] = f"{_identifier(var.stem)}_{len(self._names)}"
        return self._names[var.name]

    def _atom(self, atom: n.Atom) -> str:
        if isinstance(atom, n.Var):
            return self._var(atom)
        if isinstance(atom.type, Vector):
            lane = values.constant(atom.value, atom.type.element)
            return self._object((lane,) * atom.type.lanes, ("vector", atom))
        assert isinstance(atom.type, Scalar)
        if atom.type in (PYINT, PYBOOL):
            return f"({values.constant(atom.value, atom.type)!r})"
        return self._object(values.constant(atom.value, atom.type), atom)

    def _object(self, value: object, key: object) -> str:
        """A name for an object that is made before the code runs."""
        if key not in self._bound:
            name = self._bound[key] = f"k{len(self._bound)}"
            self.namespace[name] = value
        return self._bound[key]

    # ------------------------------------------------------------------------------------------ blocks

    def _block(self, block: n.Block) -> None:
        """The statements of a block; what it yields is used by whoever asked for it."""
        if self.options.count:
            self._line(f"counts[{len(self.contents)}] += 1")
            self.contents.append(operations_of(block))
        for statement in block.statements:
            self._location = statement.location
            if self.options.accesses:
                self._note_uses(atoms_of(statement))
            getattr(self, f"_write_{type(statement).__name__}")(statement)
        if not block.statements:
            self._line("pass")

    def _note_uses(self, atoms: Any) -> None:
        """Record the use of variables that loops carry and earlier iterations have changed."""
        for name in dict.fromkeys(a.name for a in atoms if isinstance(a, n.Var)):
            if name in self._carried:
                self._line(self._carried[name])

    def _assign(self, targets: Sequence[n.Var], atoms: Sequence[n.Atom]) -> None:
        if targets:
            left = ", ".join(self._var(t) for t in targets)
            self._line(f"{left} = {', '.join(self._atom(a) for a in atoms)}")

    def _write_For(self, loop: n.For) -> None:
        location, uses = self._location, dict(self._carried)
        self._assign([a.var for a in loop.args], [a.init for a in loop.args])
        self._carry(loop.label, loop.args)
        index = self._var(loop.index)
        bounds = f"{self._atom(loop.start)}, {self._atom(loop.stop)}"
        if self.options.accesses:
            self._line(f"enter({loop.label!r})")
        self._line(f"for {index} in range({bounds}):")
        self._loops.append((loop.index.stem, index))
        with self._indented():
            self._for_body(loop, index)
        self._loops.pop()
        self._location, self._carried = location, uses
        if self.options.accesses:
            self._line("leave()")
        self._assign(loop.results, [a.var for a in loop.args])

    def _for_body(self, loop: n.For, index: str) -> None:
        self._line("poll()")
        if self.options.accesses:
            self._line(f"step({index})")
            for arg in loop.args:
                self._line(f"changed_{self._var(arg.var)} = {self._var(arg.var)} is not first_{self._var(arg.var)}")
        if loop.index.type != PYINT:
            self._line(f"{index} = {self._convert(PYINT, loop.index.type)}({index})")
        self._block(loop.body)
        self._yield(loop.args, loop.body)
        if loop.exit is not None:
            self._line(f"if not {self._var(loop.args[loop.exit].var)}: break")

    def _yield(self, args: tuple[n.LoopArg, ...], body: n.Block) -> None:
        if self.options.accesses:
            pairs = zip(args, body.yields, strict=True)
            self._note_uses(y for a, y in pairs if y != a.var)
        self._assign([a.var for a in args], body.yields)

    def _carry(self, label: str, args: tuple[n.LoopArg, ...]) -> None:
        """Remember the first values of carried variables, and how their use is recorded."""
        if not self.options.accesses:
            return
        for arg in args:
            name = self._var(arg.var)
            site = self._site(arg.var.stem)
            self._line(f"first_{name} = {name}")
            if arg.combine is None:
                self._carried[arg.var.name] = f"if changed_{name}: carried({label!r}, {site})"
            else:
                self._carried.pop(arg.var.name, None)

    def _write_While(self, loop: n.While) -> None:
        location = self._location
        self._assign([a.var for a in loop.args], [a.init for a in loop.args])
        self._line("while True:")
        with self._indented():
            self._line("poll()")
            self._block(loop.condition)
            self._location = location
            self._line(f"if not {self._atom(loop.condition.yields[0])}: break")
            self._block(loop.body)
            if self.options.accesses:
                self._note_uses((*loop.condition.yields, *loop.body.yields))
            self._assign([a.var for a in loop.args], loop.body.yields)
        self._location = location
        self._assign(loop.results, [a.var for a in loop.args])

    def _write_If(self, branch: n.If) -> None:
        location = self._location
        for head, block in ((f"if {self._atom(branch.condition)}:", branch.then), ("else:", branch.orelse)):
            self._location = location
            self._line(head)
            with self._indented():
                self._block(block)
                if self.options.accesses:
                    self._note_uses(block.yields)
                self._assign(branch.results, block.yields)
        self._location = location

    # ----------------------------------------------------------------------------------- other statements

    def _write_Let(self, statement: n.Let) -> None:
        getattr(self, f"_let_{type(statement.value).__name__}")(statement.var, statement.value)
        if self.options.watch:
            self._watch(statement)

    def _watch(self, statement: n.Let) -> None:
        value, type = statement.value, statement.var.type
        if not isinstance(value, (n.Unary, n.Binary, n.Math, n.Fma, n.Cast)) or not isinstance(type, Scalar):
            return
        name = self._var(statement.var)
        operands = _tuple(self._atom(a) for a in atoms_of(value))
        op = getattr(value, "op", getattr(value, "name", kind_of(value)))
        if type.kind in "fc":
            self._line(f"if not {name} - {name} == 0: watch({name}, {operands}, {op!r})")
        elif op in ("floordiv", "mod") and isinstance(value, n.Binary):
            self._line(f"if {self._atom(value.right)} == 0: watch({name}, {operands}, {op!r})")

    def _write_Store(self, store: n.Store) -> None:
        view, site = self._var(store.view), self._site(store.view.stem)
        lanes = lanes_of(store.value, *store.indices)
        value, index = self._atom(store.value), _tuple(self._atom(i) for i in store.indices)
        if lanes:
            mask = "None" if store.mask is None else self._atom(store.mask)
            site = site if self.options.accesses else "None"
            self._line(f"scatter({view}, {index}, {value}, {lanes}, {mask}, {store.bounds!r}, {site})")
            return
        index = self._checked(view, tuple(self._atom(i) for i in store.indices), store.bounds)
        self._line(f"{view}[{index}] = {value}")
        if self.options.accesses:
            self._line(f"write({view}, {index}, {site})")

    def _write_Update(self, update: n.Update) -> None:
        view = self._var(update.view)
        for lane in range(lanes_of(update.value, *update.indices) or 1):
            index = self._checked(view, tuple(self._lane(i, lane) for i in update.indices), update.bounds)
            element, value = f"{view}[{index}]", self._lane(update.value, lane)
            if update.op != "assign":
                function = self._object(
                    values.binary_function(update.op, scalar_of(update.value.type)), (update.op, update.value.type)
                )
                value = f"{function}({element}, {value})"
            self._line(f"{element} = {value}")
            if self.options.accesses:
                self._line(f"update({view}, {index}, {update.op!r}, {self._site(update.view.stem)})")

    def _lane(self, atom: n.Atom, lane: int) -> str:
        return f"{self._atom(atom)}[{lane}]" if isinstance(atom.type, Vector) else self._atom(atom)

    def _write_Raise(self, statement: n.Raise) -> None:
        operands = _tuple(self._atom(o) for o in statement.operands)
        self._line(f"raise exception({self._object(statement, statement)}, {operands})")

    def _write_Call(self, call: n.Call) -> None:
        self._call(call.results, f"function_{_identifier(call.function)}", call.operands)

    def _call(self, results: Sequence[n.Var], function: str, operands: Sequence[n.Atom]) -> None:
        text = f"{function}({', '.join(self._atom(o) for o in operands)})"
        self._line(f"{_tuple(self._var(r) for r in results)} = {text}" if results else text)

    def _write_External(self, external: n.External) -> None:
        function = function_name(external)
        if function is not None:
            self._call(external.results, f"function_{_identifier(function)}", external.operands)
            return
        operands, reads, writes = (
            _tuple(self._atom(a) for a in atoms) for atoms in (external.operands, external.reads, external.writes)
        )
        site = self._site(external.reference) if self.options.accesses else "None"
        text = f"external({external.reference!r}, {operands}, {reads}, {writes}, {site})"
        names = [self._var(r) for r in external.results]
        self._line(f"{', '.join(names)} = {text}" if names else text)
        for result in external.results:
            if isinstance(result.type, Scalar):
                self._line(f"{self._var(result)} = {self._exactly(result.type)}({self._var(result)})")

    def _exactly(self, type: Scalar) -> str:
        """A function that gives what Python code returned the type that was expected."""
        return self._object(lambda value: values.constant(values.plain(value), type), ("exactly", type))

    def _write_Launch(self, launch: n.Launch) -> None:
        operands = _tuple(self._atom(o) for o in launch.operands)
        reads, writes, windows = (
            _tuple(self._atom(v) for v in views) for views in (launch.reads, launch.writes, launch.windows)
        )
        is_said = launch.writes or launch.reads
        touches = f"({reads}, {writes})" if is_said else "None"
        name = launch.kernel.name
        text = f"launch({self._kernels[name]}, {name!r}, {launch.device!r}, {operands}, {touches}, {windows})"
        if not launch.results:
            self._line(text)
            return
        result = launch.results[0]
        self._set(result, f"{self._exactly(scalar_of(result.type))}(fails(lambda: {text}, {launch.device!r}))")

    def _write_Reserve(self, reserve: n.Reserve) -> None:
        does = "owe" if reserve.owed else "reserve"
        self._line(f"{does}({self._var(reserve.view)}, {reserve.memory!r})")

    def _write_Copy(self, copy: n.Copy) -> None:
        onto = f", {self._var(copy.onto)}" if copy.onto else ""
        self._line(f"copy({self._var(copy.view)}, {copy.source!r}, {copy.target!r}{onto})")

    def _write_Free(self, free: n.Free) -> None:
        self._line(f"free({self._var(free.view)}, {free.memory!r})")

    def _write_Wait(self, wait: n.Wait) -> None:
        self._line(f"wait({', '.join((repr(wait.device), *map(self._var, wait.of)))})")

    # ----------------------------------------------------------------------------------------- expressions

    def _set(self, var: n.Var, text: str) -> None:
        self._line(f"{self._var(var)} = {text}")

    def _apply(self, var: n.Var, function: Callable[..., Any], key: object, operands: Sequence[n.Atom]) -> None:
        """A function of scalars, done lane by lane where the result is a vector."""
        name = self._object(function, key)
        if isinstance(var.type, Vector):
            lanes = range(var.type.lanes)
            calls = (f"{name}({', '.join(self._lane(o, k) for o in operands)})" for k in lanes)
            self._set(var, _tuple(calls))
        else:
            self._set(var, f"{name}({', '.join(self._atom(o) for o in operands)})")

    def _let_Unary(self, var: n.Var, value: n.Unary) -> None:
        type = scalar_of(value.operand.type)
        function = values.unary_function(value.op, type, value.checked)
        self._apply(var, function, (value.op, type, value.checked, 1), (value.operand,))

    def _let_Binary(self, var: n.Var, value: n.Binary) -> None:
        operands, type = (value.left, value.right), scalar_of(value.left.type)
        checked = type == PYINT and value.op in _OVERFLOWING and value.checked
        if isinstance(var.type, Vector) or not (checked or _is_inline(value.op, type, value.checked)):
            function = values.binary_function(value.op, type, value.checked)
            self._apply(var, function, (value.op, type, value.checked), operands)
            return
        self._set(var, f"{self._atom(value.left)} {_INLINE[value.op]} {self._atom(value.right)}")
        if checked:
            self._line(f"if not {values.MIN_INT} <= {self._var(var)} <= {values.MAX_INT}: check_fits({self._var(var)})")

    def _let_Compare(self, var: n.Var, value: n.Compare) -> None:
        type = scalar_of(value.left.type)
        if isinstance(var.type, Vector):
            self._apply(var, values.compare_function(value.op, type), (value.op, type), (value.left, value.right))
        else:
            self._set(var, f"{self._atom(value.left)} {_INLINE[value.op]} {self._atom(value.right)}")

    def _let_Select(self, var: n.Var, value: n.Select) -> None:
        if isinstance(value.condition.type, Vector):
            operands = (value.condition, value.then, value.orelse)
            self._apply(var, lambda c, a, b: a if c else b, "select", operands)
            return
        then, orelse = self._atom(value.then), self._atom(value.orelse)
        self._set(var, f"{then} if {self._atom(value.condition)} else {orelse}")

    def _let_Cast(self, var: n.Var, value: n.Cast) -> None:
        source, target = scalar_of(value.operand.type), scalar_of(var.type)
        function = values.cast_function(source, target, value.checked)
        self._apply(var, function, ("cast", source, target, value.checked), (value.operand,))

    def _convert(self, source: Scalar, target: Type) -> str:
        function = values.cast_function(source, scalar_of(target))
        return self._object(function, ("cast", source, target, True))

    def _let_Math(self, var: n.Var, value: n.Math) -> None:
        result = scalar_of(var.type)
        function = values.math_function(value.name, result, value.strict)
        self._apply(var, function, ("math", value.name, result, value.strict), value.operands)

    def _let_Native(self, var: n.Var, value: n.Native) -> None:
        self._apply(var, CALLERS[value.source], ("native", value.source), value.operands)

    def _let_Fma(self, var: n.Var, value: n.Fma) -> None:
        type = scalar_of(var.type)
        self._apply(var, values.fma_function(type), ("fma", type), (value.a, value.b, value.c))

    def _let_Load(self, var: n.Var, value: n.Load) -> None:
        view, site = self._var(value.view), self._site(value.view.stem)
        index = _tuple(self._atom(i) for i in value.indices)
        if isinstance(var.type, Vector):
            mask = "None" if value.mask is None else self._atom(value.mask)
            site = site if self.options.accesses else "None"
            self._set(var, f"gather({view}, {index}, {var.type.lanes}, {mask}, {value.bounds!r}, {site})")
            return
        index = self._checked(view, tuple(self._atom(i) for i in value.indices), value.bounds)
        self._set(var, f"{view}[{index}]")
        if self.options.accesses:
            self._line(f"read({view}, {index}, {site})")

    def _checked(self, view: str, index: tuple[str, ...], bounds: n.Bounds) -> str:
        """The position of an element; where it has to be computed, a line before does that."""
        if bounds == "python" or not index:
            return _tuple(index)
        self._line(f"at = {bounds}({view}, {_tuple(index)})")
        return "at"

    def _let_Dim(self, var: n.Var, value: n.Dim) -> None:
        self._set(var, f"{self._var(value.view)}.shape[{value.axis}]")

    def _let_Undefined(self, var: n.Var, value: n.Undefined) -> None:
        self._set(var, "None")

    def _let_Alloc(self, var: n.Var, value: n.Alloc) -> None:
        dtype = self._object(value.element.dtype, ("dtype", value.element))
        fill = "None" if value.fill is None else self._atom(value.fill)
        self._set(var, f"alloc({_tuple(self._atom(s) for s in value.shape)}, {dtype}, {fill})")

    def _let_Subview(self, var: n.Var, value: n.Subview) -> None:
        parts = _tuple((*(self._axis(axis) for axis in value.axes), "..."))
        self._set(var, f"subview({self._var(value.view)}, {parts}, {value.bounds!r})")

    def _axis(self, axis: n.Atom | n.Slice | None) -> str:
        if axis is None:
            return "None"
        if isinstance(axis, n.Slice):
            return f"cut({self._atom(axis.start)}, {self._atom(axis.length)}, {self._atom(axis.step)})"
        return self._atom(axis)

    def _let_Transpose(self, var: n.Var, value: n.Transpose) -> None:
        self._set(var, f"{self._var(value.view)}.transpose({value.permutation!r})")

    def _let_Split(self, var: n.Var, value: n.Split) -> None:
        view, k = self._var(value.view), value.axis
        extents = ", ".join(self._atom(extent) for extent in value.extents)
        self._set(var, f"{view}.reshape(*{view}.shape[:{k}], {extents}, *{view}.shape[{k + 1}:])")

    def _let_Mergeable(self, var: n.Var, value: n.Mergeable) -> None:
        view, k = self._var(value.view), value.axis
        self._set(var, f"{view}.strides[{k}] == {view}.shape[{k + 1}] * {view}.strides[{k + 1}]")

    def _let_Merge(self, var: n.Var, value: n.Merge) -> None:
        view, k = self._var(value.view), value.axis
        extents = f"*{view}.shape[:{k}], {view}.shape[{k}] * {view}.shape[{k + 1}], *{view}.shape[{k + 2}:]"
        self._set(var, f"{view}.reshape({extents})")

    def _let_FieldView(self, var: n.Var, value: n.FieldView) -> None:
        view = self._var(value.view)
        is_part = isinstance(value.view.type, View) and isinstance(value.view.type.element, Scalar)
        self._set(var, f"{view}.{value.name}" if is_part else f"{view}[{value.name!r}]")

    def _let_Lanes(self, var: n.Var, value: n.Lanes) -> None:
        assert isinstance(var.type, Vector)
        convert = self._convert(PYINT, var.type.element)
        start = self._atom(value.start)
        self._set(var, _tuple(f"{convert}(int({start}) + {k})" for k in range(var.type.lanes)))

    def _let_Broadcast(self, var: n.Var, value: n.Broadcast) -> None:
        assert isinstance(var.type, Vector)
        self._set(var, f"({self._atom(value.operand)},) * {var.type.lanes}")

    def _let_ReduceLanes(self, var: n.Var, value: n.ReduceLanes) -> None:
        type = scalar_of(var.type)
        function = self._object(values.binary_function(value.op, type), (value.op, type, True))
        self._set(var, f"fold({function}, {self._atom(value.operand)})")

    def _let_RunningLanes(self, var: n.Var, value: n.RunningLanes) -> None:
        type = scalar_of(var.type)
        function = self._object(values.binary_function(value.op, type), (value.op, type, True))
        self._set(var, f"running({function}, {self._atom(value.operand)})")

    def _let_Lane(self, var: n.Var, value: n.Lane) -> None:
        self._set(var, f"{self._atom(value.operand)}[{value.axis}]")

    def _let_Pack(self, var: n.Var, value: n.Pack) -> None:
        self._set(var, _tuple(self._atom(a) for a in value.items))

    def _let_Aligned(self, var: n.Var, value: n.Aligned) -> None:
        view = self._var(value.view)
        self._set(var, f"not any(at % {value.axis} for at in ({view}.ctypes.data, *{view}.strides[:-1]))")

    def _let_Room(self, var: n.Var, value: n.Room) -> None:
        self._set(var, f"room({value.memory!r})")

    def _site(self, name: str) -> str:
        site = Site(name, self._location)
        return self._object(site, site)


def _is_inline(op: str, type: Scalar, checked: bool) -> bool:
    """Whether Python's operator is the whole meaning."""
    if op in ("min", "max") or (op == "pow" and (type.weak or type.kind in "iu")):
        return False
    return not type.weak or op in ("and", "or", "xor") or (checked and (type != PYINT or op in _STAYS_INSIDE))


def _tuple(items: Any) -> str:
    texts = list(items)
    return f"({', '.join(texts)},)" if texts else "()"


def _identifier(text: str) -> str:
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    return f"{name}_" if keyword.iskeyword(name) or not name else name
