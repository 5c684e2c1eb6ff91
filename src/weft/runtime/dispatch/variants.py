"""One specialisation and its variants: which code runs for this call's aliasing and bounds.

The fast variant is built first. The entry refuses a call that breaks what it assumes, before anything is written; the
variant that fits is then built, kept, and run on the same arguments.
"""

from __future__ import annotations

import ast
import builtins
import collections
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from weft.backends.text.artifact import Site
from weft.compile import lock
from weft.dataclass import dataclass
from weft.errors import ArgumentError, Error, InternalError, TimeoutError, UnsupportedError
from weft.frontend.calls.text_steps import decoded
from weft.frontend.source.signature import field_names
from weft.ir.interface import Returns, Source
from weft.ir.kernel_calls import KernelStep
from weft.ir.location import Location
from weft.ir.python_calls import Step
from weft.ir.types import Scalar, View
from weft.runtime import _stub
from weft.runtime.arrays.arrays import Array
from weft.runtime.arrays.memory import array_at, dtype_of, holds, scalar_of
from weft.runtime.devices import accelerators
from weft.runtime.dispatch import foreign
from weft.runtime.dispatch.kernel_calls import run_kernel
from weft.runtime.dispatch.python_calls import run_step

if TYPE_CHECKING:
    from weft.machine.occupancy import Resources

OVERLAP_BUDGET = 10_000
"""How much work NumPy's exact overlap test may do for a pair of arrays; undecided counts as overlapping."""

OPERAND_BYTES = 16

DEVICE_FAILED, TOO_LARGE = -4, -5
"""WEFT_DEVICE_FAILED and WEFT_TOO_LARGE of ``weft.h``."""
NO_SUCH_SIZE = "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."


@dataclass(frozen=True)
class Leaf:
    """A flat argument or result: its type, and whether compiled code may write to it.

    Of a result `written` says that it is a new view, even where it is all of an argument. A Python function that a step
    calls has no type.
    """

    type: Scalar | View | None
    written: bool = False
    home: str = "host"
    """The memory of an array that memory of the host stands for; ``host`` for all others."""
    launched: bool = False
    """Whether a kernel touches it there."""


@dataclass(frozen=True)
class VariantKey:
    """What a variant allows for: parameters that are one view, parameters that overlap, accesses that may be outside.

    `same` holds groups of positions of leaves; `overlaps` pairs of positions, equal ones where a view overlaps itself.
    """

    same: tuple[tuple[int, ...], ...] = ()
    overlaps: tuple[tuple[int, int], ...] = ()
    checked: bool = False
    from_host: bool = False
    """All arrays are taken from the host, also those that could be on the device."""
    slabs: bool = False
    """Kernels run slab by slab, since the arrays are more than the device's memory takes."""
    ones: tuple[str, ...] = ()
    """Names of extents that are 1 and broadcast: see `weft.transform.safety.shapes`."""


FAST = VariantKey()
IN_SLABS = VariantKey(from_host=True, slabs=True)

MOST_BROADCASTS = 4
"""How many variants of a specialisation are made for extents of 1; calls with others run the checked one."""

CUTTABLE, RUNS_IN_SLABS = 1, 2
"""How a handle has to do with slabs, as the entry stub knows it."""


@dataclass(frozen=True)
class Compiled:
    """What the store keeps of a variant: enough to load and call it without its source."""

    name: str
    entry: str
    library: str
    leaves: tuple[Leaf, ...]
    sources: tuple[Source, ...]
    results: tuple[Leaf, ...]
    returns: Returns
    sites: tuple[Site, ...]
    steps: tuple[Step, ...] = ()
    """Calls of Python functions, which are the last leaves, one for each."""
    writes: tuple[Source, ...] = ()
    """Captured variables that the caller gives new values; the last results are these."""
    device: str = "cpu"
    made_for: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    kernel_lines: tuple[int, ...] = ()
    modules: tuple[str, ...] = ()
    """The device and what it is, the names of the program's kernels, the lines of their loops, and the keys of their
    modules in the store."""
    kept: frozenset[str] = frozenset()
    """Keys of modules whose kernels spill, and are to stay."""
    file: str = ""
    """The file of the function."""
    from_host: bool = False
    """Whether arrays that could be on the device are taken from the host, since the host works on them too."""
    spoils: bool = False
    """Whether a kernel may find a fault in the middle of changing arrays that are on the device."""
    slabs: tuple[tuple[int, str], ...] = ()
    """The lines of loops that run in slabs, and how they are cut."""
    slab_use: int = 0
    """`CUTTABLE` where copies could run beside the kernel if it were cut, `RUNS_IN_SLABS` where kernels are."""
    takes_turns: bool = False
    """Whether they do."""
    shared_parts: tuple[int | None, ...] = ()
    """By kernel, which part of the fast memory, in percent, is for shared arrays; None: the driver decides."""
    products: bool = False
    """Whether kernels compute products of matrices that the vendor's library may compute."""
    claimed: bool = False
    """Whether iterations are claimed to be independent, which overlapping arguments may refute."""
    warnings: tuple[tuple[str, str, Location], ...] = ()
    """What to warn of in every process that uses the program: identity, message, line."""


@dataclass(frozen=True)
class Written:
    """The result of a call, and the values that captured variables have after it."""

    result: object
    values: tuple[object, ...]


class Handle(Protocol):
    """A loaded variant: the C type of the entry stub, or a stand-in that interprets."""

    def run(self, leaves: tuple[object, ...]) -> object:
        """Run after the aliasing test."""

    def run_disjoint(self, leaves: tuple[object, ...]) -> object:
        """Run without the aliasing test, which was made elsewhere."""


class Variant:
    """The Python half of a handle: faults, results that are arrays, and calls that need another variant."""

    def __init__(self, key: VariantKey, compiled: Compiled, family: Family) -> None:
        self.key = key
        self.compiled = compiled
        self.family = family
        self.handle: Handle = family.load(self)

    def run(self, leaves: tuple[object, ...]) -> object:
        """Run a call; NotImplemented where the arguments do not fit."""
        return self._or_visiting(self.handle.run, leaves)

    def _or_visiting(self, call: Callable[[tuple[object, ...]], object], leaves: tuple[object, ...]) -> object:
        """The result of a call; where the host works on arrays that are on a device, memory stands for these."""
        if not self.compiled.from_host:
            return call(leaves)
        from weft.runtime.arrays import borrowed

        types = self.compiled.leaves
        has_guests = any(leaf.home != "host" for leaf in types)
        # Another variant of a call may want arrays at home on the device that the first one took from the host.
        is_inside = borrowed.adapt(leaves, types) and not borrowed.wanted(leaves, types)
        result = NotImplemented if has_guests and not is_inside else call(leaves)
        return (
            borrowed.run(call, leaves, types, [str(source) for source in self.compiled.sources])
            if result is NotImplemented and not is_inside
            else result
        )

    def again(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run a call once more, since the program was laid out anew before it had done anything."""
        return self._or_visiting(self.handle.run_disjoint, leaves)

    def become(self, compiled: Compiled) -> None:
        """Run other code of the same program from the next call on."""
        self.compiled = compiled
        handle: Any = self.handle
        handle.become(self.family.load(self))

    def fault(self, leaves: tuple[object, ...], detail: tuple[int, int, bytes]) -> object:
        """Raise the exception of a fault site."""
        number, iteration, operands = detail
        if number == DEVICE_FAILED:
            raise accelerators.failure(self.compiled, leaves, self.family.made)
        if number == TOO_LARGE:
            raise ValueError(NO_SUCH_SIZE)
        if number < 0:
            raise InternalError(f"{self.compiled.name}: the compiled program failed with status {number}")
        raise site_exception(self.compiled.sites[number - 1], operands)

    def timed_out(self, leaves: tuple[object, ...], seconds: float) -> object:
        """Raise what a call ends with that took longer than it may."""
        raise late(self.compiled.name, seconds)

    def other_variant(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run another variant, since this one's assumption does not hold for these arguments.

        It is one for the extents of 1 that the call has, or the one that tests every access.
        """
        if self.key.checked:
            raise InternalError(f"{self.compiled.name}: the checked variant refused its arguments")
        if replace(self.key, ones=()) == FAST:
            key = self.family.broadcasting(leaves)
            if key is not None and key != self.key:
                return self._by(key, leaves)
        return self._by(replace(self.key, ones=(), checked=True), leaves)

    def aliased(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run the variant for arguments whose memory meets."""
        addressed = self._addressed(leaves)
        key = aliasing_of(addressed, self.compiled.leaves)
        if not key.same and not key.overlaps:
            return self._or_visiting(self.handle.run_disjoint, leaves)
        if key.overlaps and self.compiled.claimed:
            self.family.check_claims(addressed)
        dropped = {position for group in key.same for position in group[1:]}
        kept = tuple(leaf for position, leaf in enumerate(leaves) if position not in dropped)
        return self._by(replace(self.key, same=key.same, overlaps=key.overlaps), kept)

    def oversized(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run the variant whose kernels run slab by slab: the arrays are more than the device's memory takes."""
        if not self.compiled.kernels:
            return self.aliased(leaves, detail)
        return self._in_slabs(leaves)

    def beside(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run the variant whose copies run beside its kernel, where that is predicted to be faster."""
        if self.family.runs_beside(leaves):
            slabs = self.family.variant(IN_SLABS)
            if slabs.compiled.takes_turns:
                return self._in_slabs(leaves)
        return self.aliased(leaves, detail)

    def shown(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run the variant that takes all arrays from the host: one of them shows another that is on the device."""
        from weft.runtime.arrays import borrowed

        variant = self.family.variant(replace(self.key, from_host=True))
        return variant.run(leaves) if borrowed.visitors_among(leaves) else variant.aliased(leaves, None)

    def _in_slabs(self, leaves: tuple[object, ...]) -> object:
        """The result of the variant that runs in slabs, which takes all arrays from the host."""
        for leaf in leaves:
            if isinstance(leaf, _stub.Coherent):
                leaf._storage.acquire(0, False)
        return self.family.variant(replace(self.key, from_host=True, slabs=True)).aliased(leaves, None)

    def replay(self, leaves: tuple[object, ...], detail: object) -> object:
        """Run a call again from the state before it, since a kernel found a fault: the host raises as CPython does."""
        return self._by(replace(self.key, from_host=True), leaves)

    def step(self, number: int, leaves: tuple[object, ...], operands: tuple[bytes, ...]) -> bytes | None:
        """Call the Python function of a step."""
        steps = self.compiled.steps
        function: Any = leaves[len(leaves) - len(steps) + number]
        owners: Sequence[object] = leaves
        if self.compiled.from_host:
            from weft.runtime.arrays import borrowed

            owners = borrowed.without_stand_ins(leaves)
        step = steps[number]
        if isinstance(step, KernelStep):
            return run_kernel(step, function, owners, operands, self.compiled.device)
        return run_step(step, function, owners, operands)

    def _by(self, key: VariantKey, leaves: tuple[object, ...]) -> object:
        """The result of another variant."""
        variant = self.family.variant(key)
        result = variant._or_visiting(variant.handle.run_disjoint, leaves)
        if result is NotImplemented and not key.from_host:
            # The variant before this one took arrays of any kind from the host.
            other = self.family.variant(replace(key, from_host=True))
            result = other._or_visiting(other.handle.run_disjoint, leaves)
        if result is NotImplemented:
            raise variant.refusal()
        return result

    def refusal(self) -> Error:
        """Why arrays do not fit that are of the right types."""
        device = self.compiled.device
        if not self.compiled.from_host:
            if any(isinstance(leaf.type, View) and leaf.type.memory == device for leaf in self.compiled.leaves):
                return ArgumentError(
                    f"{self.compiled.name}: an array of another library is not in the memory of {device!r}",
                    hint="copy it to that device first, or name the device that it is on",
                )
            return InternalError(f"{self.compiled.name}: the arguments do not fit their own specialisation")
        return UnsupportedError(
            f"{self.compiled.name}: the host works on an array that another library keeps in the memory of {device!r}",
            cause="only loops that become kernels can use arrays of other libraries on a device",
            hint="pass weft.array(...) or a NumPy array, or write loops whose iterations are independent",
        )

    def _addressed(self, leaves: Sequence[object]) -> list[object]:
        """The leaves as arrays whose addresses can be compared."""
        return foreign.as_arrays(leaves, [leaf.type for leaf in self.compiled.leaves], self.place)

    @property
    def place(self) -> int:
        """The table of the device that the program runs on; 0 for the host."""
        device = self.compiled.device
        return accelerators.table(device) if accelerators.is_accelerator(device) else 0

    def wrap_view(
        self,
        index: int,
        address: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        owner: object,
        leaves: tuple[object, ...],
    ) -> np.ndarray[Any, Any] | Array:
        """The array of a result that is new memory (`owner` frees it) or part of an argument."""
        type_ = self.compiled.results[index].type
        assert isinstance(type_, View)
        dtype = dtype_of(type_)
        if owner is None:
            whole = self._coherent_at(address, leaves)
            if whole is not None:
                return whole[0].part(address - whole[1], shape, strides, dtype)
        if owner is None:
            owner = next((leaf for leaf in leaves if isinstance(leaf, np.ndarray) and holds(leaf, address)), None)
        if owner is None and any(isinstance(k.type, View) and k.type.memory != "host" for k in self.compiled.leaves):
            raise UnsupportedError(f"{self.compiled.name} returns a part of an array that is on the device")
        return array_at(address, shape, strides, dtype, owner, type_.writable)

    def _coherent_at(self, address: int, leaves: Sequence[object]) -> tuple[Array, int] | None:
        """The coherent array whose storage holds an address, and where that storage is."""
        for value, leaf in zip(leaves, self.compiled.leaves, strict=True):
            if isinstance(value, Array) and isinstance(leaf.type, View):
                start = value._storage.address(0 if leaf.type.memory == "host" else self.place)
                if start <= address < start + value._storage.size:
                    return value, start
        return None

    def rebuild(self, flat: tuple[object, ...]) -> object:
        """The Python result from flat leaves."""
        count = len(flat) - len(self.compiled.writes)
        result = rebuild(self.compiled.returns, list(flat[:count]), self.family.classes)
        return Written(result, flat[count:]) if self.compiled.writes else result


class Family:
    """The variants of one specialisation.

    Parameters
    ----------
    build
        Makes the compiled form of a variant, from the store or by compiling.
    load
        Makes the handle of a variant.
    classes
        Classes that results may be made of, by ``module:qualname``; others are imported.
    runs_beside
        Whether it is worth for the arguments of a call that copies run beside the kernel.
    spilled
        Asked about a module of a variant in which kernels spill: see `weft.runtime.devices.modules.Kernels`.
    made
        The bytes of the arrays that a call makes, by their lines; its leaves by their sources.
    check_claims
        Refuses arguments that overlap so that iterations which are claimed to be independent meet.
    ones
        Names of the extents of 1 that the leaves of a call have, where the usual variant assumes others.
    """

    def __init__(
        self,
        build: Callable[[VariantKey], Compiled],
        load: Callable[[Variant], Handle],
        classes: Mapping[str, type],
        runs_beside: Callable[[tuple[object, ...]], bool] = lambda leaves: False,
        spilled: Callable[[Variant, str, Mapping[str, Resources], bool], bool] = lambda *of_module: False,
        made: Callable[[Mapping[str, object]], Mapping[int, int]] = lambda leaves: {},
        check_claims: Callable[[Sequence[object]], None] = lambda leaves: None,
        ones: Callable[[Sequence[object]], tuple[str, ...]] = lambda leaves: (),
    ) -> None:
        self._build = build
        self.spilled = spilled
        self.runs_beside = runs_beside
        self.made = made
        self.check_claims = check_claims
        self.load = load
        self.classes = classes
        self.variants: dict[VariantKey, Variant] = {}
        self._ones = ones
        self.usual = FAST

    def variant(self, key: VariantKey | None = None) -> Variant:
        """The variant of a key, by default that which calls try first, built when first asked for."""
        key = self.usual if key is None else key
        found = self.variants.get(key)
        if found is None:
            with lock.lock:
                if key not in self.variants:
                    self.variants[key] = Variant(key, self._build(key), self)
                found = self.variants[key]
        return found

    def broadcasting(self, leaves: Sequence[object]) -> VariantKey | None:
        """The key of the variant for the extents of 1 that a call has; None where there are too many."""
        key = replace(FAST, ones=self._ones(leaves))
        made = sum(bool(other.ones) for other in self.variants)
        return key if not key.ones or key in self.variants or made < MOST_BROADCASTS else None

    def expect(self, leaves: Sequence[object]) -> None:
        """Let calls try the variant for the extents of 1 that a call has, before any variant is made."""
        with lock.lock:
            if not self.variants:
                self.usual = replace(FAST, ones=self._ones(leaves))


# ------------------------------------------------------------------------------------------------------ aliasing


def aliasing_of(leaves: Sequence[object], types: Sequence[Leaf]) -> VariantKey:
    """Which array arguments are one view, and which pairs may overlap otherwise, where one of them is written."""
    arrays = {k: leaf for k, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray)}
    groups: dict[tuple[object, ...], list[int]] = {}
    for k, array in arrays.items():
        groups.setdefault(_identity(array, types[k].type), []).append(k)
    written = {group[0]: any(types[k].written for k in group) for group in groups.values()}
    first = sorted(written)
    overlaps = [
        (a, b)
        for n, a in enumerate(first)
        for b in first[n:]
        if (written[a] or written[b]) and (_overlaps_itself(arrays[a]) if a == b else _overlap(arrays[a], arrays[b]))
    ]
    same = tuple(tuple(group) for group in groups.values() if len(group) > 1)
    return VariantKey(same, tuple(overlaps))


def _identity(array: np.ndarray[Any, Any], type_: Scalar | View | None) -> tuple[object, ...]:
    return (array.ctypes.data, array.shape, array.strides, array.dtype, type_)


def _overlap(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    try:
        return bool(np.shares_memory(a, b, max_work=cast(Any, OVERLAP_BUDGET)))
    except (np.exceptions.TooHardError, OverflowError):
        return True


def _overlaps_itself(array: np.ndarray[Any, Any]) -> bool:
    """Whether two elements may share memory: strides, sorted, must each step over all inside them."""
    if array.size == 0:
        return False
    reach = array.itemsize
    for stride, extent in sorted((abs(s), n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1):
        if stride < reach:
            return True
        reach += (extent - 1) * stride
    return False


# ------------------------------------------------------------------------------------------------------- results


def rebuild(returns: Returns, flat: list[object], classes: Mapping[str, type]) -> object:
    """The Python value that `returns` describes; takes its leaves from the front of `flat`."""
    if returns.kind == "leaf":
        return flat.pop(0)
    if returns.kind == "none":
        return None
    if returns.kind == "constant":
        return returns.constant
    if returns.kind == "list":
        size = cast(int, flat.pop(0))
        return _elements(returns.items[1], flat, classes)(0, size)
    if returns.kind == "texts":
        pool = np.asarray(flat.pop(0)), np.asarray(flat.pop(0))
        return rebuild(returns.items[2], _with_pool(returns.items[2], flat, pool), classes)
    if returns.kind == "text":
        number, codes, table = (flat.pop(0) for _ in range(3))
        return decoded(cast(int, number), np.asarray(codes), np.asarray(table))
    items = [rebuild(item, flat, classes) for item in returns.items]
    if returns.kind == "tuple":
        return tuple(items)
    if returns.kind == "optional":
        return items[1] if items[0] else None
    if returns.kind == "several":
        return items[0] if items[1] else _of_other_type(returns.names[0], items[0])
    if returns.kind == "dict":
        return dict(zip(map(ast.literal_eval, returns.names), items, strict=True))
    if returns.kind == "table":
        if returns.names == ("deque",):
            return collections.deque(*cast("tuple[list[Any], int | None]", items))
        return _table(returns.names, *cast("list[list[Any]]", items))
    return _made(returns, items, classes)


def _of_other_type(type_name: str, value: Any) -> object:
    """A number as one of another type that holds it."""
    if type_name != "pycomplex" and isinstance(value, (complex, np.complexfloating)):
        value = value.real
    made = _OF_PYTHON[type_name] if type_name in _OF_PYTHON else np.dtype(type_name).type
    return made(value)


_OF_PYTHON: dict[str, Callable[[Any], object]] = {"pybool": bool, "pyint": int, "pyfloat": float, "pycomplex": complex}


def _with_pool(returns: Returns, flat: list[object], pool: tuple[object, object]) -> list[object]:
    """Leaves of a result with the pool of strings behind each string, or array of strings."""
    if returns.kind == "leaf":
        return [flat.pop(0)]
    if returns.kind == "text":
        return [flat.pop(0), *pool]
    return [leaf for item in returns.items for leaf in _with_pool(item, flat, pool)]


def _table(names: Sequence[str], keys: list[Any], values: Sequence[object] = ()) -> object:
    """A dict, or the like, or a set."""
    if names[0] == "set":
        return set(keys)
    made = dict(zip(keys, values, strict=True))
    if names[0] == "defaultdict":
        return collections.defaultdict(getattr(builtins, names[1]), made)
    return collections.Counter(made) if names[0] == "Counter" else made


def _elements(returns: Returns, flat: list[object], classes: Mapping[str, type]) -> Callable[[int, int], list[Any]]:
    """The elements of a list between two places, whose numbers are in arrays."""
    if returns.kind == "leaf":
        array = np.asarray(flat.pop(0))
        is_python = returns.names[0].startswith("py")
        return lambda start, stop: array[start:stop].tolist() if is_python else list(array[start:stop])
    if returns.kind == "arrays":
        _, _, pool, starts, counts, *extents = (np.asarray(flat.pop(0)) for _ in returns.items)
        return lambda start, stop: [
            pool[starts[k] :][: counts[k]].reshape([e[k] for e in extents]).copy() for k in range(start, stop)
        ]
    if returns.kind == "text":
        found, codes, table = (np.asarray(flat.pop(0)) for _ in range(3))
        return lambda start, stop: [decoded(number, codes, table) for number in found[start:stop].tolist()]
    if returns.kind == "lists":
        numbers, table = (np.asarray(flat.pop(0)) for _ in range(2))
        return _lists(numbers, table, _elements(returns.items[2], flat, classes))
    if returns.kind == "tuple" and not returns.items:
        return lambda start, stop: [()] * (stop - start)
    columns = [_elements(item, flat, classes) for item in returns.items]

    def read(start: int, stop: int) -> list[Any]:
        rows = list(zip(*(column(start, stop) for column in columns), strict=True))
        if returns.kind == "optional":
            return [item if is_there else None for is_there, item in rows]
        if returns.kind == "several":
            return [item if is_own else _of_other_type(returns.names[0], item) for item, is_own in rows]
        if returns.kind == "dict":
            keys = list(map(ast.literal_eval, returns.names))
            return [dict(zip(keys, row, strict=True)) for row in rows]
        return rows if returns.kind == "tuple" else [_made(returns, list(row), classes) for row in rows]

    return read


def _lists(
    numbers: np.ndarray[Any, Any], table: np.ndarray[Any, Any], inner: Callable[[int, int], list[Any]]
) -> Callable[[int, int], list[Any]]:
    """The lists with these numbers: one number is one list."""
    made: dict[int, list[Any]] = {}

    def one(number: int) -> list[Any]:
        if number not in made:
            start, size = table[3 * number : 3 * number + 2].tolist()
            made[number] = inner(start, start + size)
        return made[number]

    return lambda start, stop: [one(number) for number in numbers[start:stop].tolist()]


def _made(returns: Returns, items: list[object], classes: Mapping[str, type]) -> object:
    cls: Any = classes.get(returns.constructor) or _imported(returns.constructor)
    return _instance(cls, returns.names or field_names(cls), items)


def _instance(cls: type, names: Sequence[str], items: list[object]) -> object:
    """An object with these fields: what a constructor does besides was done when the program made it, or before."""
    if issubclass(cls, tuple):
        return tuple.__new__(cls, items)
    if issubclass(cls, Enum):
        return list(cls)[int(str(items[0]))]
    made = object.__new__(cls)
    for name, item in zip(names, items, strict=True):
        object.__setattr__(made, name, item)
    return made


def _imported(name: str) -> object:
    module, _, path = name.partition(":")
    found: object = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


# -------------------------------------------------------------------------------------------------------- faults


def late(name: str, seconds: float) -> TimeoutError:
    """What is raised when a program did not end in time."""
    return TimeoutError(
        f"{name} did not end within {seconds:g} s",
        cause="a loop was running when the time was over; arrays hold what was written until then",
        hint="give it more time: timeout=...",
    )


def site_exception(site: Site, operands: bytes) -> BaseException:
    """The exception of a fault site, from the operands that compiled code left."""
    values = [
        scalar_of(type_, operands[k * OPERAND_BYTES : (k + 1) * OPERAND_BYTES]) for k, type_ in enumerate(site.operands)
    ]
    return site.error(values)
