"""The decorator `jit`: a Python function becomes one that is compiled for the types it is called with, and runs so."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, MethodType, TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, cast, overload

from weft.dataclass import dataclass
from weft.errors import ArgumentError, Error, InternalError, SourceError, warn
from weft.frontend.calls.markers import STOP, associative, assume_independent, prange
from weft.runtime._stub import Dispatcher
from weft.runtime.devices import speeds
from weft.runtime.devices.accelerators import is_accelerator
from weft.runtime.devices.devices import AUTO, canonical, check_limit, chosen, find
from weft.runtime.dispatch.callee import Callee, Decision, Shortcut, shortened
from weft.runtime.dispatch.specialisation import OnError, Options, Precision, Specialisation, seconds_of
from weft.runtime.frames import users_frames
from weft.runtime.habits import check_fastmath, check_options, check_signature
from weft.runtime.taking import taken

if TYPE_CHECKING:
    from weft.frontend.source.signature import ArgumentType
    from weft.ir.nodes import Program
    from weft.schedule.directives import Directive
    from weft.split.automatic import Automatic, Gain
    from weft.split.calls import Call
    from weft.split.devices import SplitFunction

__all__ = ["STOP", "Function", "Inspection", "associative", "assume_independent", "jit", "njit", "prange"]

MEASURE = "measure"
"""The schedule that asks for the fastest one."""

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
T = TypeVar("T")
Self = TypeVar("Self")

TF32 = "tf32"
"""The only precision that is less than that of the types."""

_POSITIONAL = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}

SHORTCUTS = 32
"""Combinations of types that the entry stub tries in turn before it asks Python."""


@dataclass(frozen=True)
class Inspection:
    """What became of a function for one combination of types.

    Attributes
    ----------
    ir
        The program after all passes, as text.
    schedule
        How its loops are laid out.
    source
        The generated source text.
    assembly
        The machine code, disassembled.
    """

    ir: str
    schedule: str
    source: str
    assembly: str

    def __str__(self) -> str:
        parts = ((name, getattr(self, name).strip("\n")) for name in ("ir", "schedule", "source", "assembly"))
        return "\n\n".join(f"{name}\n{'-' * len(name)}\n{text}" for name, text in parts)

    __repr__ = __str__


class Function(Dispatcher, Generic[P, R]):
    """A compiled function: call it as the Python function that it was made from, which is its ``__wrapped__``."""

    def __init__(self, function: Callable[P, R], options: Options) -> None:
        functools.update_wrapper(self, function)
        plain = cast(FunctionType, function)
        self._callee = Callee(plain, options, functools.partial(_program, plain))
        self._timeout = options.timeout
        self._memory = options.memory
        self._warned = False
        self._read_parameters(plain)

    def _read_parameters(self, plain: FunctionType) -> None:
        """Note the parameters and their defaults, as they are now: both can be assigned in place."""
        self._parameters = _parts(plain)
        self._signature = inspect.signature(plain, follow_wrapped=False)
        kinds = [parameter.kind for parameter in self._signature.parameters.values()]
        self._names = tuple(self._signature.parameters)
        self._arity = len(kinds) if set(kinds) <= _POSITIONAL else -1
        self._take_defaults(plain.__defaults__ or ())

    if TYPE_CHECKING:
        __qualname__: str
        __wrapped__: Callable[P, R]

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Function[P, R]: ...

    @overload
    def __get__(
        self: Function[Concatenate[Self, Q], T], instance: Self, owner: type | None = None
    ) -> Callable[Q, T]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<weft function {self.__qualname__}>"

    def __copy__(self) -> Function[P, R]:
        return self

    def __deepcopy__(self, memory: dict[int, object]) -> Function[P, R]:
        return self

    def __reduce__(self) -> str | tuple[object, ...]:
        """By name, as functions are; where the name stands for the plain function, that one and the options."""
        found: object = sys.modules.get(self.__module__)
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        return self.__qualname__ if found is self else (Function, (self.__wrapped__, self._callee.options))

    @property
    def py_func(self) -> Callable[P, R]:
        """The plain Python function, as Numba calls it."""
        return self.__wrapped__

    @property
    def specialisations(self) -> tuple[str, ...]:
        """The argument types that the function was compiled for, each as text."""
        return tuple(s.request.name for s in self._callee.specialisations)

    def inspect(self, *args: P.args, **kwargs: P.kwargs) -> Inspection:
        """Show the IR, the schedule, the generated source and the assembly for these arguments; nothing is run.

        Without arguments: for the specialisation that was compiled last.
        """
        used = self._callee.specialisations
        chosen = used[-1] if used and not args and not kwargs else self.specialise(*args, **kwargs)
        from weft.runtime.dispatch import listing

        return Inspection(
            listing.ir(chosen), listing.schedule(chosen), listing.source(chosen), listing.assembly(chosen)
        )

    def options_for(self, device: str | None) -> Options:
        """The options of the function, for another device where one is named."""
        return self._callee.options if device is None else replace(self._callee.options, device=device)

    def specialise(self, *args: P.args, **kwargs: P.kwargs) -> Specialisation:
        """The specialisation for these arguments; nothing is run."""
        arguments = self._bind(args, kwargs)
        try:
            return self._callee.find(arguments)
        except Error as error:
            raise shortened(error) from error.__cause__

    def examine(self, *args: P.args, **kwargs: P.kwargs) -> tuple[Specialisation, Decision, tuple[object, ...]]:
        """The specialisation for these arguments, why it runs where it does, and the flat arguments; nothing is run."""
        arguments = self._bind(args, kwargs)
        try:
            return self._callee.examine(arguments)
        except Error as error:
            raise shortened(error) from error.__cause__

    def laid_out(self, *args: P.args, **kwargs: P.kwargs) -> tuple[Specialisation, tuple[object, ...]]:
        """The specialisation for these arguments on the processor, and the flat arguments: for predictions."""
        arguments = self._bind(args, kwargs)
        try:
            return self._callee.laid_out(arguments)
        except Error as error:
            raise shortened(error) from error.__cause__

    def _bind(self, args: tuple[object, ...], kwargs: dict[str, object]) -> dict[str, object]:
        plain = self._callee.function
        if not all(map(operator.is_, self._parameters, _parts(plain))):
            self._read_parameters(plain)
        if not kwargs and len(args) == self._arity:
            return {name: taken(value, name) for name, value in zip(self._names, args, strict=True)}
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.__qualname__}(): {error}") from None
        bound.apply_defaults()
        given = {name: taken(value, name) for name, value in bound.arguments.items()}
        for parameter in self._signature.parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                named = cast("dict[str, object]", given[parameter.name])
                given[parameter.name] = {name: taken(value, name) for name, value in named.items()}
        return given

    def _miss(self, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        """Run a call that no shortcut takes."""
        arguments = self._bind(args, kwargs)
        gain = self.gain_of_split(arguments)
        if gain is not None and gain.pays and (call := self._begun_in_pieces(arguments)) is not None:
            assert self._automatic is not None
            return self._automatic.split.finish(call)
        in_python = self._callee.options.on_error == "python"
        try:
            result, shortcut = self._callee.call(arguments)
        except Error as error:
            if in_python and isinstance(error, InternalError) and error.is_early:
                self._warn_of_python(error)
                return cast(FunctionType, self.__wrapped__)(*args, **kwargs)
            raise shortened(error) from error.__cause__
        if shortcut is not None and not in_python:  # what the entry stub calls does not come here when it fails
            self._remember(shortcut)
        return result

    def gain_of_split(self, arguments: dict[str, object]) -> Gain | None:
        """What a call with ``device="auto"`` is predicted to gain by a split; None where it cannot be split."""
        is_auto = self._callee.options.device == AUTO and chosen(None) == AUTO
        if not is_auto or len(speeds.known()) < 3 or self._automatic is None:  # the processor and two more
            return None
        return self._automatic.gain_of(arguments, lambda: self._callee.decide(arguments).choice)

    def forecast_of_split(self, *args: P.args, **kwargs: P.kwargs) -> tuple[SplitFunction[..., Any], Gain] | None:
        """The function in pieces, and what a call is predicted to gain by them; None as for `gain_of_split`."""
        gain = self.gain_of_split(self._bind(args, kwargs))
        return None if gain is None or self._automatic is None else (self._automatic.split, gain)

    @functools.cached_property
    def _automatic(self) -> Automatic | None:
        from weft.split.automatic import automatic

        return automatic(self._callee.function, self._callee.options)

    def _begun_in_pieces(self, arguments: dict[str, object]) -> Call | None:
        """The call in pieces; None where these arguments cannot be split, so that it runs whole."""
        assert self._automatic is not None
        try:
            return self._automatic.split.begin(arguments)
        except Exception:
            return None  # nothing has run: the whole call raises what there is to raise

    def _users_frames(self, error: BaseException, trace: TracebackType) -> TracebackType | None:
        """A traceback without the frames of Weft, which say nothing to the user; that of a mistake of Weft's stays."""
        return trace if isinstance(error, InternalError) else users_frames(trace)

    def _warn_of_python(self, error: InternalError) -> None:
        """Say once that calls are slow, and why."""
        if not self._warned:
            self._warned = True
            warn("W005", f"{self.__qualname__}, which is slow. {error.message}; please report this", error.location)

    def _remember(self, shortcut: Shortcut) -> None:
        self._add(shortcut.handle, shortcut.captures, shortcut.guards, shortcut.classes)
        del self._choices[SHORTCUTS:]


Q = ParamSpec("Q")


def _program(function: FunctionType, types: tuple[ArgumentType, ...], memory: str) -> Program:
    from weft.frontend import build

    return build(function, types, memory)


def _parts(function: FunctionType) -> tuple[object, ...]:
    """What the parameters of a function and their defaults are made of."""
    named = function.__kwdefaults__ or {}
    return function.__code__, function.__defaults__, len(named), *named, *named.values()


@overload
def jit(
    function: Callable[P, R],
    /,
    *,
    device: tuple[str, ...] | list[str],
    disable: Iterable[str] = (),
    debug: bool = False,
    fastmath: bool = False,
    timeout: float | None = None,
) -> SplitFunction[P, R]: ...


@overload
def jit(
    *,
    device: tuple[str, ...] | list[str],
    disable: Iterable[str] = (),
    debug: bool = False,
    fastmath: bool = False,
    timeout: float | None = None,
) -> Callable[[Callable[P, R]], SplitFunction[P, R]]: ...


@overload
def jit(
    function: Callable[P, R],
    /,
    *,
    device: str | None = None,
    disable: Iterable[str] = (),
    debug: bool = False,
    fastmath: bool = False,
    schedule: Iterable[Directive] | Literal["measure"] = (),
    libraries: bool = True,
    precision: Precision | None = None,
    timeout: float | None = None,
    memory_limit: int | None = None,
    on_error: OnError = "raise",
    tune: None = None,
) -> Function[P, R]: ...


@overload
def jit(
    function: Callable[P, R] | None = None,
    /,
    *,
    tune: float,
    device: str | None = None,
    disable: Iterable[str] = (),
    debug: bool = False,
    fastmath: bool = False,
    timeout: float | None = None,
) -> Any: ...


@overload
def jit(
    *,
    device: str | None = None,
    disable: Iterable[str] = (),
    debug: bool = False,
    fastmath: bool = False,
    schedule: Iterable[Directive] | Literal["measure"] = (),
    libraries: bool = True,
    precision: Precision | None = None,
    timeout: float | None = None,
    memory_limit: int | None = None,
    on_error: OnError = "raise",
    tune: None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


def jit(
    function: Any = None,
    /,
    *,
    device: str | tuple[str, ...] | list[str] | None = None,
    disable: Iterable[str] = (),
    debug: bool = False,
    fastmath: bool = False,
    schedule: Iterable[Directive] | Literal["measure"] = (),
    libraries: bool = True,
    precision: Precision | None = None,
    timeout: float | None = None,
    memory_limit: int | None = None,
    on_error: OnError = "raise",
    tune: float | None = None,
    **habits: Any,
) -> Any:
    """Compile a function of loops; usable as ``@weft.jit``, ``@weft.jit(device=...)`` and ``weft.jit(f, device=...)``.

    The function is compiled when it is first called with arguments of new types. It gives the answers that CPython
    and NumPy give, or an error that says what is not supported.

    Parameters
    ----------
    function
        A Python function, method, ``staticmethod`` or ``classmethod``.
    device
        Where its loops run: ``cpu``, ``cuda``, ``opencl`` or ``interpreter``, see `weft.devices`; or ``auto``, the
        default: the device that is predicted to be the fastest for the sizes of a call and the places of its arrays, or
        several devices of one model where pieces are predicted to gain. `weft.explain` says which and why. A
        `weft.device` block around a call overrides it. Several names, as in ``("cuda:0", "cpu")``, or ``"all"``: each
        outermost loop is cut into pieces that run on these at once.
    disable
        Names of compiler passes to leave out, to find out what they are good for.
    debug
        Raise FloatingPointError where the first NaN, overflow or division by zero is made of finite numbers, with the
        operands, the line and the iteration. Costs some speed: floating-point sums run one step after the other.
    fastmath
        Let floating-point results differ by a few roundings: products and sums are fused, divisions by what a loop
        does not change are products, small powers too, and float32 on devices divides faster. NaN and infinities count.
    schedule
        Directives of `weft.schedule` that say how loops run on a device; loops that none names run under the schedule
        that Weft chooses. Refused when the function is compiled if it is not legal. ``"measure"``: the first call with
        arguments of a size class runs up to 16 legal schedules of each kernel on copies of the arguments, and the
        fastest are kept on disk.
    libraries
        Whether a product of matrices on a CUDA device may be computed by cuBLAS, where that is installed and was
        measured to be faster than the kernel, at the first call with sizes of a class. The bits of the result are the
        same; under `fastmath` and `precision` sums may be added in another order. `weft.explain` says which one
        computes.
    precision
        ``"tf32"``: products of float32 numbers in matrix products may be computed by tensor cores, which round each
        factor to 10 bits behind the point; sums stay float32. Without effect on the processor; refused on devices that
        have no such instructions.
    timeout
        Seconds after which a call is ended with `weft.TimeoutError`, within a second; by default none. Compiling does
        not count. A kernel that runs on a device is awaited, whatever its loops do.
    memory_limit
        Bytes of the device's memory that a call may use; by default all. A call whose NumPy arrays are larger runs slab
        by slab. A limit of a `weft.device` block around a call overrides it.
    on_error
        What becomes of a call that cannot be compiled because of a mistake of Weft's, which is an `InternalError`:
        ``"raise"``, the default; or ``"python"``: Python runs the plain function, with warning W005 at the first such
        call. Refusals are raised in any case: their texts say what to write. Costs each call a few microseconds.
    tune
        Seconds that the first calls of all size classes may spend in all on tuning, as `weft.tune` does; what they find
        is kept on disk, and no later call of such sizes tunes again. Float sums may be added in another order.
    **habits
        Options of Numba's decorators: ``nopython=True``, ``parallel``, ``cache``, ``nogil`` and others that ask for
        what Weft does anyway. An option that means something else is refused, with what to write instead.

    Returns
    -------
    Function
        The compiled function; the plain one is its ``py_func`` and its ``__wrapped__``.

    Raises
    ------
    ArgumentError
        `function` is no Python function, or an option does not exist.
    DeviceError
        There is no such device on this machine.
    """
    check_options(habits)
    check_fastmath(fastmath)
    check_signature(function)
    several = None if device is None or (isinstance(device, str) and device != "all") else device
    single = device if isinstance(device, str) and several is None else None
    check_limit(single or AUTO, memory_limit)
    options = replace(
        _options(single, disable, debug, fastmath, schedule),
        libraries=bool(libraries),
        precision=_precision(precision),
        timeout=seconds_of(timeout),
        memory=memory_limit or 0,
        on_error=_on_error(on_error),
    )
    compiled: Callable[..., Any] = _compiled if several is None else _splitter(several)
    if tune is not None:
        compiled = _tuner(tune, several, options)
    if function is None:
        return functools.partial(compiled, options=options)
    return compiled(function, options=options)


njit = jit
"""`jit` by the name that Numba's users know: it never falls back to Python."""


def _options(
    device: str | None,
    disable: Iterable[str],
    debug: bool,
    fastmath: bool,
    schedule: Iterable[Directive] | Literal["measure"],
) -> Options:
    if device is not None:
        find(device)
        device = canonical(device)
    names = frozenset((disable,) if isinstance(disable, str) else disable)
    if names:
        _check_passes(names)
    if schedule and not is_accelerator(device or "cpu"):
        raise ArgumentError(
            "only loops on a device are scheduled by hand", argument="schedule", hint='say device="cuda"'
        )
    measure = isinstance(schedule, str)
    if measure and schedule != MEASURE:
        raise ArgumentError(f"{schedule!r} is no schedule", argument="schedule", hint='directives, or "measure"')
    given = () if isinstance(schedule, str) else tuple(schedule)
    return Options(device or AUTO, names, bool(debug), bool(fastmath), given, measure)


def _precision(precision: str | None) -> Precision | None:
    if precision in (None, TF32):
        return cast("Precision | None", precision)
    raise ArgumentError(f"{precision!r} is no precision", argument="precision", hint='say precision="tf32", or nothing')


def _on_error(answer: str) -> OnError:
    if answer in ("raise", "python"):
        return cast("OnError", answer)
    raise ArgumentError(f"{answer!r} says nothing about errors", argument="on_error", hint='say "raise" or "python"')


def _check_passes(names: frozenset[str]) -> None:
    from weft.transform.pipeline import NAMES

    unknown = sorted(names - NAMES)
    if unknown:
        raise ArgumentError(
            f"there is no pass {', '.join(unknown)}",
            argument="disable",
            hint=f"use names of {', '.join(sorted(NAMES))}",
        )


def _compiled(function: Any, options: Options) -> Any:
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(_compiled(function.__func__, options))
    if isinstance(function, MethodType):
        return MethodType(_compiled(function.__func__, options), function.__self__)
    if isinstance(function, Function):
        function = function.__wrapped__
    if isinstance(function, BuiltinFunctionType):
        raise SourceError(
            f"the source of {function.__qualname__} cannot be had",
            cause="it is written in C; Weft compiles from source text",
            hint=f"call {function.__qualname__} inside of a function of yours, and compile that",
        )
    if not isinstance(function, FunctionType):
        raise ArgumentError(
            f"weft.jit takes a Python function, not {_described(function)}",
            hint="write @weft.jit above a function that is defined with def or lambda",
        )
    return Function(function, options)


def _splitter(several: object) -> Callable[..., Any]:
    """What makes functions that run on several devices at once."""
    from weft.split.devices import split_function
    from weft.split.names import device_names

    names = device_names(several)

    def split(function: Any, options: Options) -> Any:
        compiled = _compiled(function, options)
        if not isinstance(compiled, Function):
            raise ArgumentError("methods are not split over devices", hint="decorate a function outside of the class")
        if options.memory or options.on_error != "raise":
            raise ArgumentError(
                "memory_limit and on_error are for one device", argument="device", hint="leave them out, or name one"
            )
        return split_function(cast(FunctionType, compiled.__wrapped__), options, names)

    return split


SELF_TUNING = "weft.autotune.self_tuning"
"""Stands above this module, and is loaded only where a function tunes itself."""


def _tuner(seconds: object, several: object, options: Options) -> Callable[..., Any]:
    """What makes functions that tune themselves."""
    if several is not None or options.schedule or options.measure or options.on_error != "raise":
        raise ArgumentError(
            "tune chooses schedules on one device", argument="tune", hint="leave tune out, or schedule and on_error"
        )
    found = import_module(SELF_TUNING)
    budget = found.seconds_to_tune(seconds)

    def tuned(function: Any, options: Options) -> Any:
        compiled = _compiled(function, options)
        if not isinstance(compiled, Function):
            raise ArgumentError("methods do not tune themselves", argument="tune", hint="decorate a plain function")
        return found.TunedFunction(compiled.__wrapped__, options, budget)

    return tuned


def _described(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    return f"an object of the type {type(value).__qualname__}"
