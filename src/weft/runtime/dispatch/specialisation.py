"""From a request to code that runs: the store first, then frontend, passes, backend and compiler.

On a warm store nothing here imports the compiler's parts: a key is computed from what `fingerprint` found, the compiled
form is read back, and the library is loaded.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar, cast

import numpy as np

from weft.compile import lock
from weft.compile.mistakes import compiling, not_early
from weft.compile.store import MissingLibraryError, Store, default_store, key_of
from weft.dataclass import dataclass
from weft.errors import ArgumentError, InternalError, RaceError, UnsupportedError, warn
from weft.ir.interface import Returns, reference_to
from weft.ir.kernel_calls import works_on_host
from weft.ir.location import UNKNOWN, Location
from weft.ir.python_calls import steps_of
from weft.ir.types import SCALARS, Record, Scalar, View
from weft.runtime import _stub
from weft.runtime.arrays.memory import dtype_of
from weft.runtime.devices import accelerators, ledger
from weft.runtime.dispatch import broadcasts
from weft.runtime.dispatch.variants import (
    CUTTABLE,
    FAST,
    RUNS_IN_SLABS,
    Compiled,
    Family,
    Handle,
    Leaf,
    Variant,
    VariantKey,
)
from weft.version import __version__

if TYPE_CHECKING:
    from weft.backends.text.artifact import Artifact
    from weft.cost.work import Outline
    from weft.ir.interface import Source
    from weft.ir.nodes import Freedom, Program
    from weft.machine.facts import Facts
    from weft.machine.occupancy import Resources
    from weft.plan.place import Placement
    from weft.schedule.directives import Schedule
    from weft.transform.safety.shapes import Meetings

LAYOUTS = 64
"""Layouts of overlapping arguments of which it is known whether claims are wrong for them."""
log = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")

Precision: TypeAlias = Literal["tf32"]
"""What numbers may be rounded to before they are multiplied."""


OnError: TypeAlias = Literal["raise", "python"]
"""What becomes of a call that cannot be compiled because of a mistake of Weft's."""


@dataclass(frozen=True)
class Options:
    """What a decorator or a call asks for; part of the key of compiled code.

    `disable` names passes to leave out; `debug` reports the first NaN, overflow or division by zero; `fastmath` lets
    floating-point results differ from source order; `schedule` lays out loops that run on a device; `measure` finds out
    which schedules are the fastest, see `weft.runtime.dispatch.trials`; `libraries` lets the vendor's compute products
    where it is faster; `precision` is what factors of float32 may be rounded to there. `timeout` is how many seconds a
    call may take, and `memory` how many bytes of a device it may use, 0 for any number; `on_error` says who runs a call
    that cannot be compiled because of a mistake of Weft's. For these the code is the same.
    """

    device: str = "cpu"
    disable: frozenset[str] = frozenset()
    debug: bool = False
    fastmath: bool = False
    schedule: Schedule = ()
    measure: bool = False
    libraries: bool = True
    precision: Precision | None = None
    on_error: OnError = "raise"
    timeout: float = field(default=0.0, compare=False)
    memory: int = field(default=0, compare=False)

    def key(self) -> tuple[object, ...]:
        """The options in a form whose ``repr`` is the same in every process."""
        passes = tuple(sorted(self.disable))
        return (self.device, passes, self.debug, self.fastmath, self.schedule, self.libraries, self.precision)

    @property
    def freedom(self) -> Freedom | None:
        """What a library may do where it computes a product, None for nothing; sums keep their order in debug mode."""
        if not self.libraries or self.debug:
            return None
        return self.precision or ("order" if self.fastmath else "none")


def seconds_of(timeout: float | None) -> float:
    """A time limit as the entry stub takes it."""
    if timeout is None:
        return 0.0
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        raise ArgumentError(f"{timeout!r} is no time limit", argument="timeout", hint="say timeout=10.0, in seconds")
    return float(timeout)


@dataclass(frozen=True)
class Request:
    """A function to specialise: its name, a key of all that its meaning depends on, and how to get its IR."""

    name: str
    digest: str
    options: Options
    program: Callable[[], Program] = field(compare=False)
    asked: bool = field(default=True, compare=False)
    """Whether the user asked for the device, and not for the fastest one."""
    place: Callable[[], Location] = field(default=lambda: UNKNOWN, compare=False)
    """Says where the function is defined."""


def _compiles(method: Callable[Concatenate[Specialisation, P], R]) -> Callable[Concatenate[Specialisation, P], R]:
    """A method that compiles: its mistakes are internal errors, and those of calls that go to Python are remembered."""

    @functools.wraps(method)
    def run(self: Specialisation, /, *args: P.args, **kwargs: P.kwargs) -> R:
        what = (method.__name__, *args, *kwargs.values())
        if what in self.mistakes:
            raise self.mistakes[what].with_traceback(None)
        try:
            with compiling(self.request.place):
                return method(self, *args, **kwargs)
        except InternalError as error:
            if self.request.options.on_error == "python":
                self.mistakes[what] = error
            raise

    return run


@dataclass
class Specialisation:
    """A function compiled for one combination of types: its variants, and what there is to inspect."""

    request: Request
    classes: Mapping[str, type] = field(default_factory=dict)
    """Classes that results may be made of, by ``module:qualname``; others are imported."""
    family: Family = field(init=False)
    mistakes: dict[tuple[object, ...], InternalError] = field(default_factory=dict)
    """What cannot be compiled because of mistakes of Weft's, so that it is not tried at every call."""

    def __post_init__(self) -> None:
        if self.request.options.device == "interpreter":
            self.family = Family(self._interpreted, self._interpreter, self.classes)
        else:
            self.family = Family(
                self._compiled,
                self._load,
                self.classes,
                self._runs_beside,
                self._has_spilled,
                self._made,
                self._check_claims,
                self._ones,
            )
        self._programs: dict[VariantKey, Program] = {}
        self._hosted: dict[VariantKey, str] = {}
        self._outlines: dict[str, Outline] = {}
        self._shapes: dict[VariantKey, Program] = {}
        self.demands: dict[str, object] = {}
        """The demands of calls that were counted so far: see `weft.runtime.counting.demands`."""
        self.in_order: frozenset[str] | None = None
        """Labels of the parallel loops that one thread runs; None until they are asked for."""
        self._elsewhere: dict[tuple[str, Facts], Placement] = {}
        self._spilled: dict[VariantKey, dict[str, frozenset[Schedule]]] = {}
        self._claims: dict[tuple[object, ...], RaceError | None] = {}

    @cached_property
    @_compiles
    def source_program(self) -> Program:
        """The IR as the frontend made it."""
        return self.request.program()

    @cached_property
    @_compiles
    def device(self) -> str:
        """The device of the program: that of the call, or the one that a block in it is pinned to, or arrays are on."""
        from weft.plan.pins import device_for

        device = device_for(self.source_program, self.request.options.device)
        device = next(iter(self._memories()), device) if device == "cpu" else device
        accelerators.check_memories(self.source_program, device)
        return device

    @property
    def _is_for_host(self) -> bool:
        """Whether all loops run on the processor, though there are arrays on a device."""
        return self.request.options.device == "cpu" != self.device and not self.source_program.pins

    @cached_property
    def _new_views(self) -> frozenset[int]:
        """Positions of results that are made by slicing: new objects even where they are all of an argument."""
        from weft.ir.nodes import FieldView, Let, Split, Subview, Transpose
        from weft.ir.visit import walk

        body = self.source_program.body
        lets = (s for s in walk(body) if isinstance(s, Let))
        made = {let.var for let in lets if isinstance(let.value, (FieldView, Split, Subview, Transpose))}
        return frozenset(k for k, atom in enumerate(body.yields) if atom in made)

    def check_compiles(self) -> None:
        """Refuse what only the interpreter can run.

        Raises
        ------
        UnsupportedError
            The program calls Python without saying what it reads and writes, as ``breakpoint`` does, or runs a kernel
            that is for another device.
        """
        from weft.ir.nodes import External
        from weft.ir.visit import walk
        from weft.plan.foreign import check_calls

        program = self.source_program
        check_calls(program, self.request.options.device)
        bodies = (program.body, *(function.body for function in program.functions))
        steps = {*steps_of(program.externals), *(reference_to(function.name) for function in program.functions)}
        for statement in (s for body in bodies for s in walk(body)):
            if isinstance(statement, External) and statement.reference not in steps:
                name = statement.reference.partition("@")[0].partition(".")[0]
                raise UnsupportedError(
                    f"{name} works in the interpreter only",
                    statement.location,
                    cause=f"compiled code for {self.request.options.device!r} calls Python by weft.python alone",
                    hint="call it with weft.python, or run the function in the interpreter: weft.device says where",
                )

    @_compiles
    def program(self, key: VariantKey = FAST) -> Program:
        """The optimised IR of a variant."""
        if key not in self._programs:
            self._programs[key] = self._optimised(key, "cpu" if self._is_for_host else self.device)
        return self._programs[key]

    @_compiles
    def artifact(self, key: VariantKey = FAST) -> Artifact:
        """The generated source of a variant; of its host part where it runs on a device."""
        from weft.backends import c
        from weft.backends.c import toolchain

        if accelerators.is_accelerator(self.device):
            return accelerators.generate(self.with_host_loops(self.placement(key)), self.device)[0]
        return c.generate(self.shaped(key), toolchain.register_lanes())

    @_compiles
    def outline(self, device: str) -> Outline:
        """What there is to do for given sizes, on the processor or with the kernels of another device.

        From the store where it was made before.
        """
        from weft.cost.work import Outline

        if device not in self._outlines:
            name = key_of(self.request.digest, self.request.options.key(), device, package_identity())
            stored = default_store().get("outline", name)
            if not isinstance(stored, Outline):
                stored = self._outlined(device)
                default_store().put("outline", name, stored)
            self._outlines[device] = stored
        return self._outlines[device]

    def _outlined(self, device: str) -> Outline:
        from weft.analysis import effort
        from weft.plan.outline import outline

        self.check_compiles()
        with effort.limited():
            return outline(self.program() if device == self.device else self._optimised(FAST, device), device)

    def is_compiled(self) -> bool:
        """Whether the code of the usual variant is in the store."""
        store = default_store()
        stored = store.get("code", self._name(FAST))
        return isinstance(stored, Compiled) and _is_whole(stored, store, self._there)

    @_compiles
    def shaped(self, key: VariantKey = FAST) -> Program:
        """The optimised IR of a variant, as the processor is to run it; nothing is compiled.

        That of the usual variant is in the store once a call was compiled or predicted.
        """
        if key not in self._shapes:
            self._shapes[key] = self._stored_shape() if key == FAST else self._shaped(key)
        return self._shapes[key]

    def _stored_shape(self) -> Program:
        from weft.ir.forms import json_form

        store, name = default_store(), self._name(FAST)
        stored = store.get("laid out", name)
        if isinstance(stored, str):
            return json_form.from_json(stored)
        made = self._shaped(FAST)
        if not made.externals:
            store.put("laid out", name, json_form.to_json(made))
        return made

    def _shaped(self, key: VariantKey) -> Program:
        """The optimised IR of a variant, as the processor is to run it."""
        from weft.plan.steps.values_ahead import with_values_in_rounds

        program = self.program(key)
        if "values_ahead" not in self.request.options.disable:
            program = with_values_in_rounds(program)
        return self._for_cpu(program)

    def _for_cpu(self, program: Program) -> Program:
        """A program as the processor is to run it."""
        from weft.backends.c import toolchain
        from weft.transform import pipeline
        from weft.transform.vector.tensor_contractions import Registers

        disable = self.request.options.disable
        if not toolchain.has_fused_operations():
            disable |= {"fma_reductions"}
        return pipeline.for_cpu(program, disable, registers=Registers(*toolchain.vector_registers()))

    def with_host_loops(self, placement: Placement) -> Placement:
        """A placed program whose parallel loops on the host are as the processor is to run them."""
        from weft.transform.host_loops import shape_host_loops

        return replace(placement, program=shape_host_loops(placement.program, self._for_cpu))

    @_compiles
    def placement(self, key: VariantKey = FAST) -> Placement:
        """Which loops of a variant run on the device that was asked for, and why others do not."""
        try:
            return self._placed(key)
        except UnsupportedError as refusal:
            if self._is_from_host(key) or not self._has_arrays_there():
                raise
            self._hosted[key] = refusal.message
            self._programs.pop(key, None)
            return self._placed_from_host(key, refusal)

    @_compiles
    def placement_for(self, device: str, facts: Facts) -> Placement:
        """The placement on a device that may not be here, of which the facts are known; nothing is compiled."""
        if (device, facts) not in self._elsewhere:
            options = self.request.options
            program = self.program() if device == self.device else self._optimised(FAST, device)
            self._elsewhere[device, facts] = accelerators.place(
                program, device, options.disable, options.schedule, device, None, False, options.freedom,
                options.precision, facts,
            )  # fmt: skip
        return self._elsewhere[device, facts]

    def why_from_host(self) -> str:
        """What keeps a call from using its arrays where they are on the device; empty where it does use them there."""
        if self.request.options.device == "cpu" and self._has_arrays_there():
            return "the call runs on 'cpu'"
        self.placement()
        if self._has_steps_on_host():
            return "Python functions that the program calls work on the host"
        return self._hosted.get(FAST, "")

    def _is_from_host(self, key: VariantKey) -> bool:
        is_there = key in self._hosted or self.request.options.device == "cpu"
        return key.from_host or is_there or self._has_steps_on_host()

    def _has_steps_on_host(self) -> bool:
        """Whether the program calls something that works on the host's arrays."""
        return any(works_on_host(bound.step) for bound in steps_of(self.source_program.externals).values())

    def _placed(self, key: VariantKey) -> Placement:
        options = self.request.options
        avoid = self._avoided(key)
        program = self._shaped(key) if self._is_for_host else self.program(key)
        return accelerators.place(
            program, self.device, options.disable, options.schedule, options.device, avoid, key.slabs,
            options.freedom, options.precision,
        )  # fmt: skip

    def _avoided(self, key: VariantKey) -> dict[str, frozenset[Schedule]]:
        """Schedules that spilled when the kernels of a variant were compiled, by the name of the kernel."""
        if key not in self._spilled:
            found = default_store().get("spilled", self._spilled_name(key))
            self._spilled[key] = found if isinstance(found, dict) else {}
        return self._spilled[key]

    def _spilled_name(self, key: VariantKey) -> str:
        there = accelerators.identity(self.device)
        return key_of(self.request.digest, self.request.options.key(), repr(key), package_identity(), there)

    def _avoid_spills(self, key: VariantKey, placement: Placement, resources: Mapping[str, Resources]) -> bool:
        """Whether kernels spill for which there may be other schedules, which the next placement takes.

        Raises
        ------
        ArgumentError
            One spills whose schedule the user wrote.
        """
        from weft.tune.choice import refuse_spills

        avoided, before = dict(self._avoided(key)), self._avoided(key)
        for nest, needs in accelerators.spilling(placement, resources):
            assert nest.offloaded is not None
            tried = placement.tried(nest)
            if tried == nest.schedule:
                refuse_spills(nest.offloaded.kernel, self.request.options.schedule, needs)
            avoided[nest.kernel] = avoided.get(nest.kernel, frozenset()) | {tried}
        self._spilled[key] = avoided
        default_store().put("spilled", self._spilled_name(key), avoided)
        return avoided != before

    def _has_spilled(self, variant: Variant, module: str, resources: Mapping[str, Resources], is_first: bool) -> bool:
        """Lay a program out anew, since kernels spill that a launch needs; whether the call is to run again.

        A call that has done something already goes on with these kernels. They stay for good where what they compute
        might differ from what others do by the rounding of sums, so that all calls give the same.
        """
        if module in variant.compiled.kept:
            return False
        with not_early(unless=is_first):
            return self._lay_anew(variant, module, resources, is_first)

    def _lay_anew(self, variant: Variant, module: str, resources: Mapping[str, Resources], is_first: bool) -> bool:
        from weft.backends.gpu.modules import carries_sums

        placement = self.placement(variant.key)
        spilling = [nest.offloaded for nest, _ in accelerators.spilling(placement, resources) if nest.offloaded]
        stays = not is_first and any(carries_sums(offloaded.kernel) for offloaded in spilling)
        if stays or not self._avoid_spills(variant.key, placement, resources):
            self._keep(variant, module)
            return False
        variant.become(self._compiled_anew(variant.key))
        return is_first

    def _keep(self, variant: Variant, module: str) -> None:
        """Let kernels spill."""
        variant.compiled = replace(variant.compiled, kept=variant.compiled.kept | {module})
        default_store().put("code", self._name(variant.key), variant.compiled)

    @_compiles
    def resources(self, wanted: Callable[[Placement], frozenset[str]]) -> dict[str, Resources]:
        """What kernels need, by name, at least those that are wanted of a placement.

        They are compiled for that, and none has a schedule under which it spills where there is another one.
        """
        from weft.runtime.devices import modules

        with lock.lock:
            while True:
                compiled, placement = self.compiled(), self.placement()
                modules_of = dict(zip(compiled.kernels, compiled.modules, strict=True))
                keys = dict.fromkeys(modules_of[name] for name in wanted(placement))
                found = modules.resources_of(compiled, keys, default_store())
                free = {name: needs for name, needs in found.items() if modules_of[name] not in compiled.kept}
                spills = any(map(accelerators.spills, free.values()))
                if not spills or not self._avoid_spills(FAST, placement, free):
                    return found
                made, variant = self._compiled_anew(FAST), self.family.variants.get(FAST)
                if variant is not None:
                    variant.become(made)

    def _placed_from_host(self, key: VariantKey, refusal: UnsupportedError) -> Placement:
        """The placement where the host works on arrays too that could be on the device: all are taken from the host."""
        try:
            return self._placed(key)
        except UnsupportedError:
            raise refusal from None

    def _has_arrays_there(self) -> bool:
        """Whether arrays are given in the memory of the device."""
        return any(self._memories())

    def _memories(self) -> Iterator[str]:
        """The memories of devices that arrays are given in."""
        memories = (getattr(param.var.type, "memory", "host") for param in self.source_program.params)
        return (memory for memory in memories if memory != "host")

    def _optimised(self, key: VariantKey, device: str) -> Program:
        """The IR of a variant after the passes, as it is for a device."""
        from weft.transform import pipeline
        from weft.transform.safety import aliasing

        program = self.source_program
        if self._is_from_host(key):
            program = aliasing.on_host(program, as_guests=not key.from_host)
        names = [param.var.name for param in program.params]
        for group in key.same:
            program = aliasing.merge_parameters(program, [names[k] for k in group])
        if key.overlaps:
            program = aliasing.overlapping(program, [(names[a], names[b]) for a, b in key.overlaps])
        options = self.request.options
        return pipeline.optimise(
            program,
            disable=options.disable | _without(device),
            checked=key.checked,
            fastmath=options.fastmath,
            debug=options.debug,
            most_tiles=_most_tiles(device),
            turns=not accelerators.is_accelerator(device),
            blocks=device.partition(":")[0] == "cuda",
            rows=accelerators.is_accelerator(device),
            caches=not accelerators.is_accelerator(device),
            ones=frozenset(key.ones),
        )

    def _ones(self, leaves: Sequence[object]) -> tuple[str, ...]:
        """Names of the extents of 1 that a call has, where the usual variant assumes others."""
        return broadcasts.ones_of(self._meetings[0], leaves)

    def expect(self, leaves_of: Callable[[Sequence[Source]], Sequence[object]]) -> None:
        """Decide by its first call which variant calls try first, unless the usual one is in the store."""
        is_first = not self.family.variants and self.request.options.device != "interpreter"
        if is_first and not self.is_compiled():
            self.family.expect(leaves_of(self._meetings[1]))

    @cached_property
    @_compiles
    def _meetings(self) -> tuple[Meetings, tuple[Source, ...]]:
        """How extents that meet follow from the arguments, and which these are; from the store if it is there."""
        store, name = default_store(), key_of(self.request.digest, self.request.options.key(), package_identity())
        stored = store.get("meetings", name)
        if not isinstance(stored, tuple):
            from weft.transform import pipeline

            program = self.source_program
            sources = tuple(param.source for param in program.params)
            stored = pipeline.extents_that_meet(program, self.request.options.disable), sources
            store.put("meetings", name, stored)
        return cast("tuple[Meetings, tuple[Source, ...]]", stored)

    @_compiles
    def _compiled(self, key: VariantKey) -> Compiled:
        compiled = self.compiled(key)
        for identity, message, location in compiled.warnings if self.request.asked else ():
            warn(identity, message, location)
        return compiled

    @_compiles
    def compiled(self, key: VariantKey = FAST) -> Compiled:
        """The compiled form of a variant: from the store, or compiled and put there."""
        store = default_store()
        stored = store.get("code", self._name(key))
        if isinstance(stored, Compiled) and _is_whole(stored, store, self._there):
            return stored
        return self._compiled_anew(key)

    @property
    def _there(self) -> tuple[str, ...]:
        """What the device is that was asked for; nothing for the processor."""
        device = self.request.options.device
        return accelerators.identity(device) if accelerators.is_accelerator(device) else ()

    def _name(self, key: VariantKey) -> str:
        """The key of the compiled form of a variant in the store."""
        from weft.backends.c import toolchain

        platform = (toolchain.identity(), package_identity(), self._there)
        return key_of(self.request.digest, self.request.options.key(), repr(key), platform)

    def _compiled_anew(self, key: VariantKey) -> Compiled:
        """The same, compiled and put into the store."""
        from weft.analysis import effort
        from weft.transform.parallel.overlaps import has_claims

        self.check_compiles()
        log.info("compiling %s for %s", self.request.name, self.request.options.device)
        with effort.limited(), ledger.compiling(self.request.name, self.request.options.device):
            compiled = self._compile(key, default_store())
        compiled = replace(compiled, claimed=has_claims(self.source_program))
        default_store().put("code", self._name(key), compiled)
        return compiled

    def _compile(self, key: VariantKey, store: Store) -> Compiled:
        from weft.backends.c import toolchain

        if accelerators.is_accelerator(self.device):
            return self._compile_placed(key, store)
        artifact = self.artifact(key)
        library = store.put_library(toolchain.compile_source(artifact.source))
        return describe_compiled(self.program(key), artifact.entry, library, artifact.sites, self._new_views)

    def _compile_placed(self, key: VariantKey, store: Store) -> Compiled:
        from weft.backends.c import toolchain
        from weft.backends.host import driver
        from weft.runtime.devices import modules

        device, placement = self.device, self.placement(key)
        made = modules.write_modules(placement, device, store, self.request.options.fastmath)
        for module in made:
            if module.is_needed:
                binary = modules.compiled_module(module.key, device, store, self.request.name)
                if self._avoid_spills(key, placement, binary.resources):
                    return self._compile_placed(key, store)
        host = driver.generate(self.with_host_loops(placement).program, toolchain.register_lanes())
        library = store.put_library(toolchain.compile_source(host.source))
        compiled = describe_compiled(self.program(key), host.entry, library, host.sites, self._new_views)
        compiled = replace(compiled, leaves=with_homes(compiled.leaves, placement.program))
        keys = {name: module.key for module in made for name in module.kernels}
        warnings = tuple(accelerators.sequential_loops(placement, device))
        return replace(
            compiled,
            device=device,
            made_for=accelerators.identity(device),
            kernels=placement.kernel_names,
            kernel_lines=placement.kernel_lines,
            modules=tuple(keys[name] for name in placement.kernel_names),
            slabs=tuple((nest.line, nest.slabs) for nest in placement.nests if nest.slabs),
            slab_use=RUNS_IN_SLABS if key.slabs else CUTTABLE if key == FAST and placement.is_one_pass() else 0,
            takes_turns=key.slabs and placement.takes_turns(),
            products=any(kernel.product for kernel in placement.kernels),
            shared_parts=placement.shared_parts,
            warnings=warnings,
            from_host=self._is_from_host(key) or device != self.request.options.device,
            spoils=self._has_arrays_there() and not self._is_from_host(key) and accelerators.may_fault(placement),
        )

    def _load(self, variant: Variant) -> Handle:
        """The compiled code of a variant, loaded; compiled anew where it has vanished from the store or is damaged."""
        try:
            return _load(variant)
        except MissingLibraryError:
            variant.compiled = self._compiled_anew(variant.key)
            return _load(variant)

    @cached_property
    @_compiles
    def _as_written(self) -> Program:
        """The program as the claims of its loops are judged."""
        from weft.transform.pipeline import SIMPLIFY

        program = self.source_program
        for run in SIMPLIFY:
            program = run(program)
        return program

    def _check_claims(self, leaves: Sequence[object]) -> None:
        """Refuse arguments that overlap so that claimed iterations meet; the answers for the latest layouts are kept.

        Raises
        ------
        RaceError
            They certainly do.
        """
        params = [param.var.name for param in self.source_program.params]
        arrays = {k: a for k, a in zip(params, leaves, strict=False) if isinstance(a, np.ndarray)}
        layouts = {k: (a.ctypes.data, a.shape, a.strides) for k, a in arrays.items()}
        integers = (int, np.integer)
        numbers = {
            k: int(v)
            for k, v in zip(params, leaves, strict=False)
            if isinstance(v, integers) and not isinstance(v, bool)
        }
        key = (*layouts.items(), *numbers.items())
        if key not in self._claims:
            if len(self._claims) >= LAYOUTS:
                self._claims.clear()
            self._claims[key] = self._race(layouts, numbers)
        found = self._claims[key]
        if found is not None:
            raise found.with_traceback(None)

    def _race(
        self, layouts: Mapping[str, tuple[int, tuple[int, ...], tuple[int, ...]]], numbers: Mapping[str, int]
    ) -> RaceError | None:
        from weft.analysis import effort
        from weft.transform.parallel.overlaps import Layout, race

        with compiling(self.request.place), effort.limited():
            return race(self._as_written, {k: Layout(*layout) for k, layout in layouts.items()}, numbers)

    def _runs_beside(self, leaves: tuple[object, ...]) -> bool:
        """Whether copies are worth to run beside the kernel: by the bytes of a call, and the figures of the device."""
        from weft.machine.copying import SLAB_BYTES, runs_beside
        from weft.runtime.arrays import pinning
        from weft.runtime.devices import copying
        from weft.runtime.dispatch import choosing

        large = [leaf for leaf in leaves if isinstance(leaf, np.ndarray) and leaf.nbytes >= SLAB_BYTES]
        if not all(map(pinning.is_pinned, large)):
            return False
        into, out_of = choosing.crossing(self.outline(self.device), leaves)
        return runs_beside(into, out_of, copying.load(self.device))

    def _made(self, leaves: Mapping[str, object]) -> Mapping[int, int]:
        """The bytes of the arrays that a call makes, by their lines."""
        from weft.runtime.dispatch import choosing

        return choosing.made(self.outline(self.device), leaves)

    @_compiles
    def _interpreted(self, key: VariantKey) -> Compiled:
        accelerators.check_memories(self.source_program, "interpreter")
        return describe_compiled(self.source_program, "", "", (), self._new_views)

    def _interpreter(self, variant: Variant) -> Handle:
        from weft.runtime.dispatch.interpreted import Interpreted
        from weft.transform.watch import watch

        program = self.source_program
        return Interpreted(variant, watch(program) if self.request.options.debug else program)


def _most_tiles(device: str) -> int:
    """The tiles of a round, for the cores that there are."""
    from weft.transform.scan.tiles import ROUND_OF_A_CORE, ROUND_OF_DEVICE

    if accelerators.is_accelerator(device):
        return ROUND_OF_DEVICE
    affinity = getattr(os, "sched_getaffinity", None)
    return ROUND_OF_A_CORE * (len(affinity(0)) if affinity else os.cpu_count() or 1)


def _without(device: str) -> frozenset[str]:
    """Passes that only make code slower on a device."""
    from weft.backends.c import toolchain

    if accelerators.is_accelerator(device):
        return frozenset({"split_by_sign"})  # parts of a nest would be kernels of their own
    return frozenset() if toolchain.has_fused_operations() else frozenset({"fma_contract"})


def _is_whole(compiled: Compiled, store: Store, there: tuple[str, ...]) -> bool:
    """Whether all parts of a compiled program are still in the store; `there` is the device that was asked for."""
    if compiled.made_for != there and compiled.made_for != accelerators.identity(compiled.device):
        return False
    if compiled.modules:
        from weft.runtime.devices import modules

        if not all(modules.has_text(key, store) for key in dict.fromkeys(compiled.modules)):
            return False
    return store.has_library(compiled.library)


@cache
def package_identity() -> str:
    """The versions of Weft, and of NumPy, whose answers it gives; from its repository, also when files were changed."""
    folder = Path(__file__).parents[2]
    in_repository = (folder.parents[1] / "pyproject.toml").exists()
    return key_of(__version__, np.__version__, sorted(_stamps(str(folder))) if in_repository else ())


def _stamps(folder: str) -> Iterator[tuple[str, int]]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _stamps(entry.path)
        elif not entry.name.endswith(".so"):
            yield entry.path, entry.stat().st_mtime_ns


def describe_compiled(
    program: Program, entry: str, library: str, sites: tuple[Any, ...], new_views: frozenset[int]
) -> Compiled:
    """What the store keeps of a compiled program."""
    written = written_parameters(program)
    steps = tuple(bound.step for bound in steps_of(program.externals).values())
    return Compiled(
        name=program.name,
        file=program.location.file,
        entry=entry,
        library=library,
        leaves=(
            *(Leaf(_leaf_type(p.var.type), p.var.name in written) for p in program.params),
            *(Leaf(None) for _ in steps),
        ),
        sources=(*(p.source for p in program.params), *(step.source for step in steps)),
        steps=steps,
        results=tuple(Leaf(_leaf_type(y.type), k in new_views) for k, y in enumerate(program.body.yields)),
        returns=program.returns,
        sites=sites,
        writes=program.writes,
    )


def with_homes(leaves: tuple[Leaf, ...], program: Program) -> tuple[Leaf, ...]:
    """The leaves of a placed program, with the memories of arrays that memory of the host stands for."""
    from weft.plan.transfers.transfers import guests_of, launched

    guests = {param.var.name: param.home for param in guests_of(program)}
    touched = launched(program) if guests else frozenset()
    names = [param.var.name for param in program.params]
    homes = (
        replace(leaf, home=guests.get(k, "host"), launched=k in touched) for k, leaf in zip(names, leaves, strict=False)
    )
    return (*homes, *leaves[len(names) :])


def _leaf_type(type_: object) -> Scalar | View:
    if not isinstance(type_, (Scalar, View)):
        raise TypeError(f"a value of type {type_} cannot cross the border of a program")
    return type_


def written_parameters(program: Program) -> frozenset[str]:
    """Names of the array parameters that the program may write to."""
    from weft.analysis.access.access import written_roots

    return written_roots(program)


def _load(variant: Variant) -> Handle:
    if variant.compiled.products:
        from weft.runtime.devices import libraries

        libraries.start()
    return default_store().load(variant.compiled.library, partial(_handle, variant))


MOST_LEAVES = 64
"""MAX_LEAVES of ``_stub.c``."""


def _check_leaves(compiled: Compiled) -> None:
    """Refuse more arguments or results than a call takes; an object counts as its fields."""
    for what, leaves in (("takes", compiled.leaves), ("gives", compiled.results)):
        if len(leaves) > MOST_LEAVES:
            raise UnsupportedError(
                f"{compiled.name} {what} {len(leaves)} numbers and arrays, and compiled code at most {MOST_LEAVES}",
                cause="fields of objects, items of tuples, and values from outside of the function count one by one",
                hint="put numbers of one type into an array, and give that",
            )


def _handle(variant: Variant, path: str) -> Handle:
    """The compiled code of a variant, loaded from a path."""
    compiled = variant.compiled
    _check_leaves(compiled)
    handle: Handle = _stub.Handle(
        path,
        compiled.entry,
        [(*_layout(leaf), str(source)) for leaf, source in zip(compiled.leaves, compiled.sources, strict=True)],
        [(*_layout(leaf), "result") for leaf in compiled.results],
        variant,
        *_form(compiled),
        accelerators.table(compiled.device) if accelerators.is_accelerator(compiled.device) else 0,
        len(compiled.kernels),
        _kernels_of(variant),
        compiled.name,
        compiled.file,
        compiled.from_host,
        compiled.spoils,
        compiled.slab_use,
    )
    return handle


def _kernels_of(variant: Variant) -> Callable[[int, bool], int | None] | None:
    """What finds the kernels of a program."""
    if not variant.compiled.kernels:
        return None
    from weft.runtime.devices import modules

    return modules.Kernels(variant.compiled, default_store(), partial(variant.family.spilled, variant))


def _form(compiled: Compiled) -> tuple[int, str]:
    """How the entry stub makes the Python result of flat results: `_stub.c` has the codes."""
    returns = compiled.returns
    if compiled.writes:
        return REBUILT, ""
    if returns.kind == "none" and not compiled.results:
        return ONE, ""
    items = returns.items if returns.kind == "tuple" else (returns,)
    if not all(map(_is_number_or_array, items)):
        return REBUILT, ""
    others = "".join(f"{SCALARS[item.names[0]].kind}|" if item.kind == "several" else "." for item in items)
    return TUPLE if returns.kind == "tuple" else ONE, others.strip(".") and others


def _is_number_or_array(returns: Returns) -> bool:
    """Whether a part of a result is one that the entry stub makes itself."""
    return returns.kind == "leaf" or (returns.kind == "several" and returns.names[0] in ("pybool", "pyint", "pyfloat"))


REBUILT, ONE, TUPLE = 0, 1, 2


def _layout(leaf: Leaf) -> tuple[object, ...]:
    """A leaf as the entry stub reads it: code, kind, item size, rank, contiguous, writable, written, type."""
    type_ = leaf.type
    if type_ is None:
        return ("P", "P", 0, 0, *_NO_ARRAY, None)
    if isinstance(type_, View):
        element = type_.element
        kind = "V" if isinstance(element, Record) else element.kind
        shape = (type_.ndim, type_.contiguous or type_.ndim == 0, type_.writable, leaf.written)
        code = {"host": "A", "cuda": "F"}.get(type_.memory.partition(":")[0], "D")
        code = code if leaf.home == "host" else "V"
        return (code, kind, element.size, *shape, dtype_of(type_))
    if type_.weak:
        return ({"b": "b", "i": "i", "f": "f", "c": "c"}[type_.kind], type_.kind, type_.size, 0, *_NO_ARRAY, None)
    return ("S", type_.kind, type_.size, 0, *_NO_ARRAY, type_.dtype.type)


_NO_ARRAY = (False, False, False)
