"""The referee: runs a program node by node, exactly, and can record what it did.

It defines what every node means. `run` gives results; `trace` also counts operations and accesses and finds, for every
`For`, the conflicts between its iterations that really happened.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType
from typing import Any, Literal

import numpy as np

from weft.errors import DeviceError, InternalError
from weft.ir import nodes as n
from weft.ir.location import UNKNOWN, Location
from weft.ir.reference.machine import Machine
from weft.ir.reference.memories import Memories
from weft.ir.reference.python_code import Line, Options, PythonCode, python_code
from weft.ir.reference.shadow import Conflict, Shadow
from weft.ir.reference.simulated import SimulatedDevice, Simulation, Step, check_launch
from weft.ir.types import Element, Record, Scalar, Type, View
from weft.ir.values import check_fits
from weft.ir.visit import variables, walk

Iteration = dict[str, int]
"""The counters of the loops around a place, by the user's names, outermost first."""


@dataclass(frozen=True)
class Finding:
    """The first operation of a run that made a NaN, overflowed to infinity or divided by zero."""

    kind: Literal["nan", "overflow", "division by zero"]
    operation: str
    operands: tuple[Any, ...]
    location: Location
    iteration: Iteration

    def __str__(self) -> str:
        what = {"nan": "the first NaN", "overflow": "the first overflow", "division by zero": "a division by zero"}
        operands = ", ".join(str(o) for o in self.operands)
        counters = ", ".join(f"{name} = {value}" for name, value in self.iteration.items())
        where = f" in the iteration {counters}" if counters else ""
        return f"{what[self.kind]} comes from {self.operation}({operands}) at {self.location}{where}"


@dataclass
class Counts:
    """How often each operation ran, by its name and the type that it works on; a vector counts its lanes.

    Accesses have the names ``load``, ``store`` and ``update``, and the type of the elements.
    """

    operations: Counter[tuple[str, str]] = field(default_factory=Counter)

    def total(self, *names: str) -> int:
        """How often the operations with these names ran, on any type."""
        return sum(count for (name, _), count in self.operations.items() if name in names)


@dataclass
class Trace:
    """What happened in a run: `conflicts` are those between iterations, by the label of the `For`.

    A program that raised has its exception in `error`, and no results. `steps`, `seconds` and `held` are about devices
    with memory of their own: what they did, when the host was done, and the bytes that they hold at the end.
    """

    results: tuple[Any, ...]
    counts: Counts
    conflicts: dict[str, list[Conflict]]
    finding: Finding | None = None
    copied_bytes: dict[tuple[str, str], int] = field(default_factory=dict)
    error: Exception | None = None
    steps: list[Step] = field(default_factory=list)
    seconds: float = 0.0
    held: dict[str, int] = field(default_factory=dict)


def run(
    program: n.Program, values: Sequence[object], *, report: Callable[[Finding], None] | None = None
) -> tuple[Any, ...]:
    """Run a program.

    Parameters
    ----------
    program
        A verified program.
    values
        One for each parameter: NumPy arrays for views, numbers of exactly the right type for scalars.
    report
        Called with the first NaN, overflow or division by zero, where there is one.

    Returns
    -------
    tuple
        What the body yields; views are arrays, a parameter that is yielded is the same object.

    Raises
    ------
    Exception
        What the program raises. Its `weft_location` and `weft_iteration` say where.
    """
    return Interpreter(program, Options(watch=report is not None)).run(values, report)


def trace(program: n.Program, values: Sequence[object], devices: Mapping[str, SimulatedDevice] | None = None) -> Trace:
    """Run a program and record operations, accesses, conflicts between iterations, and the first NaN.

    Programs with copies and launches run on simulated devices, which have no limits where `devices` names none.
    """
    return Interpreter(program, Options(count=True, accesses=True, watch=True), devices).trace(values)


def holds(program: n.Program, values: Sequence[object]) -> bool:
    """Whether the assumption of a program holds for the values of its parameters."""
    return Interpreter(program, Options()).holds(values)


def needs(program: n.Program, values: Sequence[object]) -> int:
    """How many bytes the largest launch of a program needs for the values of its parameters, where it says so."""
    return Interpreter(program, Options()).needs(values)


_OF_DEVICES = (n.Launch, n.Reserve, n.Copy, n.Free, n.Wait)


class Interpreter:
    """A program made ready to run many times, on simulated devices where it names some."""

    def __init__(
        self,
        program: n.Program,
        options: Options | None = None,
        devices: Mapping[str, SimulatedDevice] | None = None,
    ) -> None:
        self._program = program
        self._devices = dict(devices or {})
        for statement in walk(program.body) if devices else ():
            if isinstance(statement, n.Launch):
                check_launch(statement, self._devices.get(statement.device, SimulatedDevice()))
        self._has_memories = any(
            isinstance(s, (n.Launch, n.Reserve, n.Copy, n.Free, n.Wait)) for s in walk(program.body)
        )
        chosen = options or Options()
        self._options = Options(chosen.count, chosen.accesses or self._has_memories, chosen.watch)
        self._code = python_code(program, self._options)
        self._file = f"<weft {program.name} {next(_numbers)}>"
        self._compiled = compile(self._code.source, self._file, "exec")

    @property
    def source(self) -> str:
        """The Python code that runs."""
        return self._code.source

    def run(
        self,
        values: Sequence[object],
        report: Callable[[Finding], None] | None = None,
        externals: Mapping[str, object] | None = None,
        poll: Callable[[], None] | None = None,
    ) -> tuple[Any, ...]:
        """Run the program; see `run`. Some of its external functions may be others than those that it names.

        Loops call `poll` in each iteration; it ends the program by an exception.
        """
        machine = self._machine(None)
        machine.poll = poll
        machine.externals = {**machine.externals, **(externals or {})}
        watcher = Watcher(self._place)
        machine.inspect = watcher
        try:
            return self._execute(machine, "main", values)
        finally:
            if report is not None and watcher.finding is not None:
                report(watcher.finding)

    def holds(self, values: Sequence[object]) -> bool:
        """Whether the assumption of the program holds."""
        if self._program.assumption is None:
            return True
        return bool(self._execute(self._machine(None), "assumption", values)[0])

    def needs(self, values: Sequence[object]) -> int:
        """How many bytes the largest launch of the program needs, where it says so; of arrays only extents matter."""
        if self._program.needs is None:
            return 0
        function = _loaded(self._compiled, self._code, self._machine(None))["needs"]
        return int(function(*values[: len(self._program.params)])[0])

    def trace(self, values: Sequence[object]) -> Trace:
        """Run the program and record what happened; see `trace`."""
        shadow = Shadow(granule(self._program)) if self._options.accesses else None
        machine = self._machine(shadow)
        watcher = Watcher(self._place)
        machine.inspect = watcher
        results: tuple[Any, ...] = ()
        error = None
        try:
            results = self._execute(machine, "main", values)
        except InternalError:
            raise
        except Exception as raised:
            error = raised
        conflicts = shadow.conflicts if shadow is not None else {}
        counts, memories = self._counts(machine), machine.memories
        if memories is None:
            return Trace(results, counts, conflicts, watcher.finding, {}, error)
        simulation = memories.simulation
        what = simulation.steps, simulation.seconds, simulation.held
        return Trace(results, counts, conflicts, watcher.finding, memories.copied_bytes, error, *what)

    def _counts(self, machine: Machine) -> Counts:
        counts = Counts()
        for times, contents in zip(machine.counts, self._code.contents, strict=True):
            for key, number in contents.items():
                counts.operations[key] += times * number
        return Counts(+counts.operations)

    def _machine(self, shadow: Shadow | None) -> Machine:
        memories = Memories(Simulation(self._devices)) if self._has_memories else None
        return Machine(self._program.externals, shadow, memories, counts=[0] * len(self._code.contents))

    def _execute(self, machine: Machine, function: str, values: Sequence[object]) -> tuple[Any, ...]:
        check_values(self._program, values)
        if machine.memories is not None:
            arrays = [(p, v) for p, v in zip(self._program.params, values, strict=True) if isinstance(v, np.ndarray)]
            machine.memories.begin_with(array for _, array in arrays)
            for param, array in arrays:
                machine.memories.visit(array, param.home)
        entry = _loaded(self._compiled, self._code, machine)[function]
        try:
            with np.errstate(all="ignore"):
                results = entry(*values)
            if machine.fault is not None:
                raise machine.fault
        except Exception as error:
            if error is not machine.foreign:
                self._locate(error)
            if machine.memories is not None and not isinstance(error, (InternalError, DeviceError)):
                machine.memories.settle()
            raise
        if machine.memories is not None:
            machine.memories.check_settled(v for v in (*values, *results) if isinstance(v, np.ndarray))
        return results  # type: ignore[no-any-return]

    def _locate(self, error: Exception) -> None:
        """Tell an exception the innermost place of the program that it passed."""
        traceback, frames = error.__traceback__, []
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self._file:
                frames.append((traceback.tb_frame, traceback.tb_lineno))
            traceback = traceback.tb_next
        location, iteration = self._describe(frames)
        error.weft_location, error.weft_iteration = location, iteration  # type: ignore[attr-defined]

    def _place(self, frame: FrameType | None) -> tuple[Location, Iteration]:
        """The place of a running frame."""
        frames = []
        while frame is not None:
            if frame.f_code.co_filename == self._file:
                frames.append((frame, frame.f_lineno))
            frame = frame.f_back
        return self._describe(frames[::-1])

    def _describe(self, frames: Sequence[tuple[FrameType, int]]) -> tuple[Location, Iteration]:
        location, iteration = UNKNOWN, {}
        for frame, number in frames:
            line: Line = self._code.lines[number - 1]
            location = line.location
            for name, variable in line.loops:
                if variable in frame.f_locals:
                    iteration[name] = int(frame.f_locals[variable])
        return location, iteration


@dataclass
class Watcher:
    """Keeps the first value that is not finite although the operands are, or the first division by zero."""

    place: Callable[[FrameType | None], tuple[Location, Iteration]]
    finding: Finding | None = None

    def __call__(self, result: Any, operands: Sequence[Any], op: str, frame: FrameType) -> None:
        if self.finding is not None:
            return
        kind = _finding_kind(result, operands, op)
        if kind is not None:
            self.finding = Finding(kind, op, tuple(operands), *self.place(frame))


def _finding_kind(
    result: Any, operands: Sequence[Any], op: str
) -> Literal["nan", "overflow", "division by zero"] | None:
    if op in ("truediv", "floordiv", "mod") and operands[1] == 0:
        return "division by zero"
    if np.isnan(result):
        return None if any(np.isnan(o) for o in operands) else "nan"
    return None if any(np.isinf(o) for o in operands) else "overflow"


def check_values(program: n.Program, values: Sequence[object]) -> None:
    """InternalError unless there is one value of the right type for every parameter."""
    if len(values) != len(program.params):
        raise InternalError(f"{program.name} has {len(program.params)} parameters, and {len(values)} values were given")
    for param, value in zip(program.params, values, strict=True):
        if not has_type(value, param.var.type):
            raise InternalError(f"the parameter {param.source} is a {param.var.type}, and {value!r:.60} was given")


def has_type(value: object, type: Type) -> bool:
    """Whether a value has exactly a type of the IR."""
    if isinstance(type, View):
        return isinstance(value, np.ndarray) and value.ndim == type.ndim and _same_element(value.dtype, type.element)
    if isinstance(type, Scalar):
        expected = _PYTHON_CLASSES.get(type.name, type.dtype.type)
        return value.__class__ is expected
    return True


_PYTHON_CLASSES = {"pybool": bool, "pyint": int, "pyfloat": float, "pycomplex": complex}


def _same_element(dtype: np.dtype[Any], element: Element) -> bool:
    return dtype.itemsize == element.size if isinstance(element, Record) else dtype == element.dtype


def granule(program: n.Program) -> int:
    """The size of the smallest scalar that a program's views hold: pieces of memory that are accessed as one."""
    sizes = [8]
    for var in variables(program):
        if isinstance(var.type, View):
            sizes.extend(_sizes(var.type.element))
    return min(sizes)


def _sizes(element: Element) -> Iterator[int]:
    if isinstance(element, Scalar):
        yield element.size // 2 if element.kind == "c" else element.size
        return
    for item in element.fields:
        yield item.offset & -item.offset or 8
        yield from _sizes(item.type)


def _loaded(compiled: CodeType, code: PythonCode, machine: Machine) -> dict[str, FunctionType]:
    """The functions of a program's code, connected to a machine."""
    namespace: dict[str, Any] = {
        **code.namespace, **{name: getattr(machine, name) for name in _SERVICES}, "counts": machine.counts,
        "check_fits": check_fits, "poll": machine.poll or _ignore,
    }  # fmt: skip
    if machine.shadow is not None:
        namespace |= {name: getattr(machine.shadow, name) for name in ("enter", "step", "leave", "carried")}
    else:
        namespace |= dict.fromkeys(("enter", "step", "leave", "carried"), _ignore)
    exec(compiled, namespace)
    return namespace


def _ignore(*_: object) -> None:
    """Nothing is recorded, and nobody ends the program."""


_SERVICES = (
    "check", "safe", "clamp", "cut", "subview", "alloc", "read", "write", "update", "gather", "scatter", "fold",
    "running", "exception", "external", "launch", "fails", "room", "reserve", "owe", "copy", "free", "wait", "watch",
)  # fmt: skip
_numbers = itertools.count(1)
