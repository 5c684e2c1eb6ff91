"""A kernel that was written by hand, described so that it can be called, checked and tuned."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from weft.autotune.foreign import confirming
from weft.autotune.foreign.arguments import Argument, In, InOut, Out, Parameter, Scalar, arguments_of, bound, typed
from weft.autotune.foreign.configurations import Configuration, arguments_in, read_configuration
from weft.autotune.foreign.described import check_description
from weft.autotune.foreign.evaluating import asked, called, evaluated, is_there, language_of, plain, text_of
from weft.autotune.foreign.languages import (
    Loaded,
    Run,
    Text,
    broken_limit,
    limits_of,
    loaded,
    sizes_of,
)
from weft.autotune.foreign.starting import handle_of, start_of
from weft.autotune.foreign.touching import Touches
from weft.autotune.measuring import kept
from weft.autotune.spaces.expressions import parse
from weft.autotune.spaces.space import Point, Space
from weft.errors import ArgumentError
from weft.split.calls import Ran
from weft.split.cuts import Piece
from weft.split.shares import Speeds

DEVICES = {"c": "cpu", "opencl": "opencl", "cuda": "cuda"}


class Kernel:
    """A kernel in C, OpenCL C or CUDA C++; `weft.kernel` makes it.

    Attributes
    ----------
    name
        The function in the source.
    is_idempotent
        Whether a point that runs twice, in another group or on another device gives the same.
    combine
        ``"add"`` if pieces of its grid may add to the same elements.
    grid_word
        What its source asks for that is another one in a piece of the grid; empty where it asks for nothing.
    last
        The pieces of its last call on several devices, as `split` shows them.
    starts
        How launches of compiled functions started, by their arguments.
    language
        ``c``, ``opencl`` or ``cuda``.
    arguments
        Its arguments, in order.
    tunables
        The parameters of its space.
    configuration
        The slices of devices, of a kernel that `from_json` read.
    """

    __weft_kernel__ = True

    def __init__(self, source: str | Path, name: str, **described: Any) -> None:
        self.source, ending = text_of(source)
        self.name = name
        self.language = described["language"] or ending or language_of(self.source)
        if self.language not in DEVICES:
            raise ArgumentError(f"{self.language!r} is no language", argument="language", hint="use c, opencl or cuda")
        self.arguments: tuple[Argument, ...] = arguments_of(described["arguments"])
        self._described = described
        self.is_idempotent: bool = described["idempotent"]
        self.combine: str | None = described["combine"]
        self.grid_word = confirming.grid_word(self.source)
        self.types, self._takes_local = typed(self.arguments, self.source, name, described["local_bytes"] is not None)
        self.tunables = {key: list(values) for key, values in described["tunables"].items()}
        given: dict[str, object] = described["defines"]
        named = {name for value in given.values() if isinstance(value, str) for name in parse(value).names}
        self.defines = {**{key: key for key in self.tunables if key not in named}, **given}
        check_description(self, described)
        self.touches = self._touches(described["touches"])
        self.configuration: Configuration | None = None
        self._best: Point | None = None
        self._loaded: dict[tuple[object, ...], Loaded] = {}
        self.starts: dict[tuple[object, ...], bytes] = {}
        self._handles: dict[tuple[object, ...], int] = {}
        self._fastest: dict[tuple[object, ...], list[Point]] = {}
        self._speeds: dict[tuple[object, ...], Speeds] = {}
        self._devices: dict[tuple[object, ...], tuple[str, ...]] = {}
        self.last: list[Ran] = []

    def _touches(self, function: Callable[..., Any] | None) -> Touches | None:
        if function is None:
            return None
        if self.language == "c":
            raise ArgumentError(
                "a function in C has no grid, so touches has no points", argument="touches", hint="leave it out"
            )
        arrays = [argument.name for argument in self.arguments if not isinstance(argument, Scalar)]
        return Touches(function, arrays, [*(argument.name for argument in self.arguments), *self.tunables])

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What compiled functions know of the arguments."""
        return tuple(Parameter.of(argument, kind) for argument, kind in zip(self.arguments, self.types, strict=True))

    @property
    def grid(self) -> Callable[..., Sequence[int]] | None:
        """The function that gives the points in each dimension."""
        grid: Callable[..., Sequence[int]] | None = self._described["grid"]
        return grid

    @property
    def meaning(self) -> tuple[object, ...]:
        """What compiled functions that call it depend on."""
        return self.digest, confirming.key_of_check(self) if self.is_checked else ""

    @property
    def takes_room(self) -> bool:
        """Whether the memory of a group is an argument of the kernel in compiled functions."""
        return self._takes_local and self.language == "opencl"

    @property
    def digest(self) -> str:
        """A digest of what the kernel is."""
        arguments = tuple((type(a).__name__, a.name) for a in self.arguments)
        parts = (
            self.source,
            self.name,
            self.language,
            tuple(self._described["options"]),
            sorted(self.defines.items()),
            arguments,
            self.types,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @property
    def device(self) -> str:
        """Where it runs unless something else is said."""
        return DEVICES[self.language]

    def bind(self, *given: object, **named: object) -> dict[str, Any]:
        """The arguments of a call by name."""
        return bound(self.arguments, self.types, given, named)

    def space(self, values: Mapping[str, Any]) -> Space | None:
        """The points for some arguments; None without tunables.

        Parameters
        ----------
        values
            As `bind` gives them. Constraints may use the numbers by name, functions the arrays as well.
        """
        if not self.tunables:
            return None
        described = self._described
        return Space(self.tunables, described["constraints"], when=described["when"], constants=plain(values))

    def legal(self, values: Mapping[str, Any], limits: Mapping[str, Any], *, enough: bool = True) -> list[Point]:
        """The points that a device takes, which need not be here.

        Parameters
        ----------
        values
            As `bind` gives them.
        limits
            Of the device: ``sizes`` (threads in each dimension), ``threads`` (of a group), ``local`` (bytes) and
            ``units``.
        enough
            Whether points must have a group for each of the units.
        """
        found = []
        for point in self.space(values) or ({},):
            run = self.run_for(values, point)
            groups = int(np.prod(run.groups)) if run.grid else limits["units"]
            if not broken_limit(run, limits) and (not enough or groups >= limits["units"]):
                found.append(point)
        return found

    def text_for(self, point: Point, values: Mapping[str, Any]) -> Text:
        """What is compiled at a point."""
        known = {**plain(values), **point}
        defines = {
            macro: evaluated(value, known)
            for macro, value in self.defines.items()
            if is_there(value, point, self.tunables)
        }
        return Text(self.source, self.name, self.language, defines, tuple(self._described["options"]))

    def run_for(self, values: Mapping[str, Any], point: Point) -> Run:
        """How it is started at a point."""
        known = {**plain(values), **point}
        grid, local = self._described["grid"], self._described["local_bytes"]
        extents = sizes_of("grid", asked("grid", grid, known), least=0) if grid else ()
        if grid and len(extents) != len(self._described["block"]):
            raise ArgumentError(
                f"the grid of {self.name} has {len(extents)} dimensions, and block has {len(self._described['block'])}",
                argument="block",
                hint="say how many threads a group has in each dimension of the grid",
            )
        return Run(
            order=tuple(argument.name for argument in self.arguments),
            reads=tuple(a.name for a in self.arguments if isinstance(a, (In, InOut))),
            writes=tuple(a.name for a in self.arguments if isinstance(a, (Out, InOut))),
            grid=extents,
            block=sizes_of("block", [evaluated(part, known) for part in self._described["block"]]) if grid else (),
            local_bytes=sizes_of("local_bytes", [asked("local_bytes", local, known)], least=0)[0] if local else 0,
            takes_local=self._takes_local,
        )

    def answer_for(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the outputs must be, by the reference; None without one."""
        reference = self._described["reference"]
        if reference is None:
            return None
        copies = {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
        result = called(reference, copies)
        names = [a.name for a in self.arguments if isinstance(a, (Out, InOut))]
        if result is None:  # it changed the arrays
            return {name: copies[name] for name in names}
        results = result if isinstance(result, tuple) else (result,)
        if len(results) != len(names):
            raise ArgumentError(
                f"the reference returns {len(results)} arrays, and the kernel has {len(names)} outputs",
                argument="reference",
                hint="return one for each of " + ", ".join(names),
            )
        return dict(zip(names, results, strict=True))

    @classmethod
    def from_json(cls, path: str | Path) -> Kernel:
        """A kernel from a file of configurations: the group and the macros are those of the first device.

        Its attribute `configuration` has the slices of all devices.

        Parameters
        ----------
        path
            The file; ``kernel_file`` in it is a path beside it.

        Raises
        ------
        ArgumentError
            It is no such file, or its numbers contradict one another.
        """
        found = read_configuration(path)
        text, language = text_of(found.source)
        first = found.slices[0]
        used = {name: value for name, value in first.defines.items() if re.search(rf"\b{re.escape(name)}\b", text)}
        made = cls(
            text,
            found.name,
            arguments=arguments_in(text, found.name),
            grid=lambda: found.grid,
            block=first.group,
            defines=used,
            tunables={},
            constraints=(),
            when={},
            local_bytes=None,
            touches=None,
            reference=None,
            options=(),
            language=language,
            idempotent=False,
            combine=None,
        )
        made.configuration = found
        return made

    def export(self, form: str, *given: object, limits: Mapping[str, Any] | None = None, **named: object) -> str:
        """The space for some arguments as text for another tool.

        Parameters
        ----------
        form
            ``"mzn"``: a model of MiniZinc. Functions among the constraints are tables of what they allow.
        *given, **named
            The arguments of a call.
        limits
            Of a device, as for `legal`: written as the data of the platform.
        """
        if form != "mzn":
            raise ArgumentError(f"{form!r} is no form", argument="form", hint='use "mzn"')
        space = self.space(self.bind(*given, **named))
        if space is None:
            raise ArgumentError(f"{self.name} has no tunables", argument="form", hint="give it tunables")
        from weft.autotune.foreign.minizinc import model_of

        return model_of(space, limits)

    def use(self, point: Point) -> None:
        """Run calls at a point from now on."""
        self._best = dict(point)

    def check(self, *given: object, device: str | None = None, **named: object) -> None:
        """Run the kernel on copies between guards, and refuse it where it does something else than is described.

        It finds elements that the kernel writes and `touches` does not name, or that are named and not written; inputs
        that are written; outputs that depend on what they were; and accesses outside of arrays. Compiled functions use
        `touches` once it was checked, by this or by `weft.tune`.

        Parameters
        ----------
        *given, **named
            The arguments of a call, which stay as they are. Small ones will do, with several groups.
        device
            Where it runs.

        Raises
        ------
        ContradictionError
            The first contradiction, with the element, and with the point of the grid that is to blame.
        """
        values, device = self.bind(*given, **named), device or self.device
        self.check_at(self.point_for(values, device), values, device)

    def check_at(self, point: Point, values: Mapping[str, Any], device: str) -> None:
        """The same at a point of the space, for arguments as `bind` gives them."""
        self._check_limits(self.run_for(values, point), point, device)
        confirming.check(self, point, values, device)

    @property
    def is_checked(self) -> bool:
        """Whether `touches` was found to say what the kernel does."""
        return confirming.confirmed(self) is not None

    @property
    def confirmed(self) -> confirming.Confirmed | None:
        """What checked runs have found; None where `touches` was not found to be right."""
        return confirming.confirmed(self)

    def start_for(self, values: Mapping[str, Any], device: str) -> tuple[int, ...]:
        """How a launch in a compiled function starts: a handle, the groups, their work items, and shared bytes.

        Parameters
        ----------
        values
            The arguments by name: numbers, and of arrays the extents.
        device
            Where it runs.
        """
        point = self.point_for(values, device)
        run, text = self.run_for(values, point), self.text_for(point, values)
        self._check_limits(run, point, device)
        known = (device, tuple(text.flags), run.local_bytes)
        if known not in self._handles:
            self._handles[known] = handle_of(text, device, run)
        return start_of(self._handles[known], run)

    def run_on_host(self, operands: Sequence[Any]) -> None:
        """Run a kernel in C on the memory of a compiled function."""
        self(*operands)

    def imitate(self, operands: Sequence[Any]) -> None:
        """Do what the kernel does by its reference, for the interpreter; kernels in C may run as they are.

        Raises
        ------
        ArgumentError
            There is no reference.
        """
        values = dict(zip((argument.name for argument in self.arguments), operands, strict=True))
        answer = self.answer_for(values)
        if answer is None and self.language == "c":
            self(*operands)
        elif answer is None:
            raise ArgumentError(
                f"the kernel {self.name} runs on {self.device!r}, and the interpreter has no reference for it",
                argument="reference",
                hint="say what it computes: weft.kernel(..., reference=lambda x: 2 * x)",
            )
        else:
            for name, result in answer.items():
                values[name][...] = result

    def __call__(self, *given: object, device: str | Sequence[str] | None = None, **named: object) -> None:
        """Run it: at the point that was found best, here or by an earlier search, or at the first of its space.

        On several devices, such as ``device=("cuda:0", "cuda:1")`` or ``device="all"``, its grid is cut.
        """
        values = self.bind(*given, **named)
        if device is not None and (not isinstance(device, str) or device == "all"):
            from weft.autotune.foreign.cut.pieces import chosen_by, run_on

            self.last = run_on(self, self._chosen(chosen_by, device), values)
            return
        found = self.device if device is None else device
        self.run_at(self.point_for(values, found), values, found)

    def _chosen(self, check: Callable[..., tuple[str, ...]], device: object) -> tuple[str, ...]:
        """The names of several devices, checked once."""
        written = tuple(device) if isinstance(device, (tuple, list)) else (device,)
        if not all(isinstance(name, str) for name in written):
            return check(self, device)
        if written not in self._devices:
            self._devices[written] = check(self, device)
        return self._devices[written]

    def run_in_split(self, operands: Sequence[object], devices: Sequence[str], gives_up_bits: bool) -> list[Ran]:
        """Run it on some devices, for a function that is split over them; its pieces."""
        from weft.autotune.foreign.cut.pieces import run_on

        return run_on(self, devices, self.bind(*operands), gives_up_bits)

    def division_of(self, operands: Sequence[object], devices: Sequence[str], gives_up_bits: bool) -> Any:
        """How such a call is cut, a `Division`; None where it runs whole."""
        from weft.autotune.foreign.cut.pieces import division_on

        return division_on(self, devices, self.bind(*operands), gives_up_bits)

    @property
    def split(self) -> list[Piece]:
        """The pieces of the last call on several devices, in points of the grid."""
        return [Piece(*piece) for piece in self.last]

    def speeds(self, values: Mapping[str, Any], devices: Sequence[str]) -> Speeds:
        """How fast devices are at calls with arguments of such sizes."""
        from weft.autotune.measuring.targets import size_of

        known = (tuple(devices), size_of(values))
        return self._speeds.setdefault(known, Speeds(len(devices)))

    def is_output(self, name: str) -> bool:
        """Whether an array is written and nothing else."""
        return any(isinstance(argument, Out) and argument.name == name for argument in self.arguments)

    @property
    def depends_on_tunables(self) -> bool:
        """Whether the points of the grid, or what they touch, are others at other points of the space."""
        grid = inspect.signature(self.grid).parameters if self.grid is not None else ()
        used = {*grid, *(self.touches.others if self.touches is not None else ())}
        return not used.isdisjoint(self.tunables)

    def point_for(self, values: Mapping[str, Any], device: str) -> Point:
        """The point that was found best, here or by an earlier search, or the first of the space."""
        space = self.space(values)
        if self._best is not None and (space is None or self._best in space):
            return self._best
        if not space:
            return {}
        return next((point for point in self._measured(values, device) if point in space), None) or space[0]

    def _measured(self, values: Mapping[str, Any], device: str) -> list[Point]:
        """The points that searches have measured for arguments of such sizes, the fastest first."""
        from weft.autotune.measuring.targets import hardware, size_of

        known = (device, kept.changes(), size_of(values))
        if known not in self._fastest:
            key = kept.key_for(self.digest, device, hardware(device), size_of(values))
            self._fastest[known] = kept.best_points(self.digest, key)
        return self._fastest[known]

    @property
    def state(self) -> tuple[object, ...]:
        """What decides, besides its arguments, how it starts."""
        return kept.changes(), *(self._best or {}).items()

    def _check_limits(self, run: Run, point: Point, device: str) -> None:
        broken = broken_limit(run, limits_of(self.language, device))
        if broken:
            raise ArgumentError(f"{self.name} cannot run at {point}: {broken}", hint="tune it, or take smaller groups")

    def run_at(self, point: Point, values: Mapping[str, Any], device: str) -> float:
        """Run it at a point in this process; the seconds it took.

        Raises
        ------
        ArgumentError
            The device cannot run it so.
        """
        run, text = self.run_for(values, point), self.text_for(point, values)
        self._check_limits(run, point, device)
        kernel = self._loaded_for(text, device)
        kernel.prepare(values, run)
        seconds = kernel.start(values, run)
        kernel.finish(values, run)
        return seconds

    def loaded_for(self, point: Point, values: Mapping[str, Any], device: str, run: Run) -> Loaded:
        """The kernel for pieces of its grid, on a device.

        Raises
        ------
        ArgumentError
            The device cannot run it so.
        """
        self._check_limits(run, point, device)
        return self._loaded_for(replace(self.text_for(point, values), is_piece=True), device)

    def _loaded_for(self, text: Text, device: str) -> Loaded:
        key = (device, text.is_piece, tuple(text.flags))
        if key not in self._loaded:
            self._loaded[key] = loaded(text, device)
        return self._loaded[key]

    def __repr__(self) -> str:
        names = ", ".join(f"{type(a).__name__}({a.name})" for a in self.arguments)
        return f"<weft kernel {self.name}({names}) in {self.language}>"
