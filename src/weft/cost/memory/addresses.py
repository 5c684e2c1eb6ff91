"""Which bytes the threads of one block ask of memory: the access table of a kernel that is laid out, enumerated.

The block is the one in the middle of the grid, or another one that is asked for. Every thread of it, and of its loops
the first iterations, as many as a budget allows, become arrays of numbers, which the forms of the access table are
evaluated with. Arrays begin at multiples of 256 bytes, as those of a device do; tests on alignment hold where strides
allow it. Conditions on values of elements are taken to hold, but for those that two be equal; what depends on them is
not `exact`. Elements of integer arrays are those of their `contents`, where these are given, and else what
`weft.cost.memory.assumed_contents` says. Where threads count what they keep, they are taken to keep all that there is,
which is `at_most` so much, and to store it at a place that is not aligned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Flag, auto
from functools import reduce
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.strides import axis_stride
from weft.analysis.access.structure import Definition, Loop
from weft.analysis.access.views import Index
from weft.analysis.values.linear import ZERO, Element, Form, Positive, Quotient, symbol
from weft.cost.memory.assumed_contents import SPREAD, anywhere, cuts
from weft.ir import nodes as n
from weft.ir.types import Record, Scalar, Vector, View

WARP = 32
"""Threads that run in step, and make one request."""

UNALIGNED = 1
"""The number of elements that blocks before one have kept."""

BUDGET = 1 << 16
"""Addresses of one access that are enumerated at most."""

OPERATIONS: Mapping[str, np.ufunc] = {
    "min": np.minimum, "max": np.maximum, "mod": np.mod, "floordiv": np.floor_divide, "shr": np.right_shift
}  # fmt: skip
"""Operations on whole numbers that make no linear forms."""

Numbers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]
Values: TypeAlias = "dict[str, int | Numbers]"
Contents: TypeAlias = Mapping[str, npt.NDArray[np.integer[Any]]]
"""Integer arrays by the names of the parameters that they are given for."""
UNKNOWN: Contents = MappingProxyType({})


class Assumed(Flag):
    """What a number rests on: a guess, elements that may be anywhere, as much as can be."""

    GUESSED = auto()
    ANYWHERE = auto()
    AT_MOST = auto()


NOTHING = Assumed(0)


@dataclass(frozen=True, eq=False)
class Asked:
    """What the threads of a block ask for through one access.

    Attributes
    ----------
    access
        The access.
    addresses
        In bytes from the first element of the array, by iteration and thread; None where they are not known.
    active
        Which of them are asked for.
    order
        For each iteration a number that is the same for those between which nothing but unrolled loops stands.
    width
        Bytes of one access.
    times
        How often all these iterations run, where the loops are longer than what was enumerated.
    early
        Which iterations belong to the first half of what was enumerated of such a loop.
    exact
        Whether every active address is certainly asked for.
    scattered
        Whether addresses follow from values of elements; they are None or guessed then.
    at_most
        Whether it is as much as can be, in proportion to what is counted.
    """

    access: Access
    addresses: Numbers | None
    active: Truths
    order: Numbers
    width: int
    times: float
    early: Truths
    exact: bool
    scattered: bool = False
    at_most: bool = False


class BlockAccesses:
    """The accesses of a block of a kernel that is laid out.

    Parameters
    ----------
    kernel
        After `weft.schedule.lower.lower`.
    sizes
        The values of its parameters: numbers by name, ``a.shape[k]`` and ``a.strides[k]`` (in bytes) of arrays.
    contents
        What arrays of integers hold, as far as that is known; of arrays that the kernel writes it is not.
    """

    def __init__(self, kernel: n.Kernel, sizes: Mapping[str, int], contents: Contents = UNKNOWN) -> None:
        self.kernel = kernel
        self.table = AccessTable(kernel.params, kernel.body, kernel.overlaps)
        self.sizes = dict(sizes)
        self.threads = math.prod(kernel.group)
        self._cuts = cuts(self.table, sizes)
        written = {root for access in self.table.accesses if access.writes for root in self.table.roots(access)}
        self.contents = {name: held for name, held in contents.items() if name not in written}
        self._may_guess = self._in_shared = False
        self._assumed = NOTHING
        self._memories = {name: _memory(self.table, name) for name in self.table.structure.definitions}
        self._domains: dict[tuple[str, ...], Domain] = {}
        self._reach = SPREAD  # of the axis that an element tells the place along
        self._places: Mapping[str, int] = {}

    def at(self, places: Mapping[str, int]) -> BlockAccesses:
        """The accesses of another block: its number along axes of the grid, by the labels of their loops."""
        other = copy(self)
        other._places, other._domains = places, {}
        return other

    def grid(self) -> dict[str, int | None]:
        """The blocks along each axis of the grid, by the label of its loop; None where that is not known."""
        domain = Domain(self.sizes, 1, 1)
        loops = (loop for loop in self.table.structure.loops.values() if _mapping(loop) == "blocks")
        counts = {loop.label: self._known(self.table.forms.of(_stop(loop)), domain) for loop in loops}
        return {label: None if count is None else int(count) for label, count in counts.items()}

    def memory(self, access: Access) -> str:
        """Where an access goes: ``global``, ``shared``, ``registers`` or ``local``."""
        return next(iter({self._memories[root] for root in self.table.roots(access)}), "global")

    def asked(self, access: Access) -> Asked:
        """What the threads ask for through an access."""
        self._assumed = NOTHING
        if self._is_never_reached(access):
            nobody, nowhere = np.zeros((1, self.threads), np.bool_), np.zeros((1, self.threads), np.int64)
            exact = Assumed.GUESSED not in self._assumed
            return Asked(access, nowhere, nobody, nowhere[:, 0], _width(access), 1.0, np.ones(1, np.bool_), exact)
        domain = self._domain(access.loops)
        self._assumed = NOTHING
        truth, exact = self._guards(access, domain)
        active = np.broadcast_to(domain.active & truth, domain.shape)
        self._may_guess, self._in_shared = True, self.memory(access) == "shared"
        addresses = self._addresses(access, domain)
        self._may_guess = self._in_shared = False
        known = exact and domain.exact and addresses is not None and Assumed.GUESSED not in self._assumed
        width, scattered = _width(access), Assumed.ANYWHERE in self._assumed or addresses is None
        at_most = Assumed.AT_MOST in self._assumed | domain.assumed
        return Asked(
            access, addresses, active, domain.order, width, domain.times, domain.early, known, scattered, at_most
        )

    # ---------------------------------------------------------------------------------------- enumeration

    def _domain(self, loops: tuple[Loop, ...]) -> Domain:
        key = tuple(loop.label for loop in loops)
        if key not in self._domains:
            self._domains[key] = self._enumerated(loops)
        return self._domains[key]

    def _enumerated(self, loops: tuple[Loop, ...]) -> Domain:
        domain = Domain(self.sizes, self.threads, BUDGET // max(self.threads, 1))
        threads = [loop for loop in loops if _mapping(loop) == "threads"]
        linear = np.arange(self.threads, dtype=np.int64)
        for loop in reversed(threads):
            assert isinstance(loop.node, n.For) and isinstance(loop.node.stop, n.Const)
            extent = int(loop.node.stop.value.real)
            domain.values[loop.node.index.name] = linear % extent
            linear = linear // extent
        for loop in loops:
            if isinstance(loop.node, n.While):
                domain.exact = False
            elif loop.node.mapping != "threads":
                self._enter(loop.node, domain)
        return domain

    def _enter(self, loop: n.For, domain: Domain) -> None:
        self._assumed = NOTHING
        start, stop = (self._known(self.table.forms.of(atom), domain) for atom in (loop.start, loop.stop))
        domain.assumed |= self._assumed & ~Assumed.ANYWHERE
        domain.exact &= Assumed.GUESSED not in self._assumed
        if start is None or stop is None:
            domain.exact = False
            domain.values[loop.index.name] = start if start is not None else 0
        elif loop.mapping == "blocks":
            middle = np.maximum(stop - start, 1) // 2
            domain.values[loop.index.name] = start + self._places.get(loop.label, middle)
        else:
            domain.extend(loop, np.asarray(start), np.asarray(stop))

    def _known(self, form: Form, domain: Domain) -> Numbers | None:
        try:
            return self._evaluate(form, domain)
        except KeyError:
            return None

    def _evaluate(self, form: Form, domain: Domain) -> Numbers:
        total = np.zeros((), np.int64)
        for monomial, factor in form.terms.items():
            total = total + reduce(np.multiply, (self._symbol(s, domain) for s in monomial), np.int64(factor))
        return total

    def _symbol(self, name: str, domain: Domain) -> Numbers:
        """The value of a symbol; KeyError where it is not known."""
        if name in domain.values:
            return np.asarray(domain.values[name])
        key = name, self._may_guess, self._in_shared, self._reach
        if key not in domain.known:
            before, self._assumed = self._assumed, NOTHING
            try:
                value: Numbers | None = self._computed(name, domain)
            except KeyError:
                value = None
            domain.known[key] = value, self._assumed
            self._assumed = before
        value, assumed = domain.known[key]
        self._assumed |= assumed
        if value is None:
            raise KeyError(name)
        return value

    def _computed(self, name: str, domain: Domain) -> Numbers:
        if isinstance(name, Quotient):
            with np.errstate(all="ignore"):
                return self._evaluate(name.parts[0], domain) // self._evaluate(name.parts[1], domain)
        if isinstance(name, Positive):
            return np.maximum(self._evaluate(name.parts[0], domain), 0)
        if isinstance(name, Element):
            return self._element(name, domain)
        definition = self.table.structure.definitions.get(name)
        value = None if definition is None else definition.value
        if isinstance(value, n.Lanes):
            return self._evaluate(self.table.forms.of(value.start), domain)
        if isinstance(value, n.Select):
            return self._selected(value, domain)
        if isinstance(value, n.Binary) and value.op in OPERATIONS:
            left, right = (self._evaluate(self.table.forms.of(a), domain) for a in (value.left, value.right))
            with np.errstate(all="ignore"):  # threads that do not ask may divide by zero
                return np.asarray(OPERATIONS[value.op](left, right), np.int64)
        if isinstance(value, n.Cast):
            return self._evaluate(self.table.forms.of(value.operand), domain)
        if isinstance(value, n.Lane):
            return self._lane(value, domain)
        if definition is not None and definition.kind in ("argument", "result"):
            return self._handed_on(definition, domain)
        raise KeyError(name)

    def _handed_on(self, definition: Definition, domain: Domain) -> Numbers:
        """What loops hand on: from block to block, or what all threads of a block counted together."""
        node = definition.statement if definition.kind == "result" else definition.loops[-1].node
        if definition.kind == "result" and isinstance(node, n.For) and node.together is not None and node.together.most:
            self._assumed |= Assumed.GUESSED | Assumed.AT_MOST
            return self._evaluate(self.table.forms.of(node.stop), domain) * node.together.most
        if definition.kind == "argument" and isinstance(node, n.For) and node.mapping == "blocks":
            self._assumed |= Assumed.GUESSED
            return np.asarray(UNALIGNED)
        if definition.kind == "argument" and self._in_shared:
            return self._first(definition, domain)
        raise KeyError(definition.var.name)

    def _first(self, definition: Definition, domain: Domain) -> Numbers:
        """What a loop begins with, for what it hands on: in shared memory, which of several buffers is meant."""
        node = definition.loops[-1].node
        self._assumed |= Assumed.GUESSED
        return self._evaluate(self.table.forms.of(node.args[definition.place].init), domain)

    def _lane(self, value: n.Lane, domain: Domain) -> Numbers:
        """What is taken for an element of a vector of integers that comes from an array."""
        definition = self.table.structure.definition(value.operand)
        access = self.table.load_of(definition) if isinstance(definition.value, n.Load) else None
        array = "" if access is None else access.array.name
        if access is None or not (self._may_guess or array in self.contents):
            raise KeyError(value.operand.name)
        if array in self.contents:
            *others, last = (self.place(index, domain) for index in access.indices or ())
            places = [place for place in (*others, None if last is None else last + value.axis) if place is not None]
            if len(places) <= len(others):
                raise KeyError(value.operand.name)
            return self._held(array, places)
        first = self._addresses(access, domain)
        if first is None:
            raise KeyError(value.operand.name)
        self._assumed |= Assumed.GUESSED | Assumed.ANYWHERE
        return anywhere(first // _fields(access)[1] + value.axis) % self._reach

    def _held(self, array: str, places: Sequence[Numbers]) -> Numbers:
        """Elements of an array whose contents are known."""
        self._assumed |= Assumed.GUESSED
        if self._may_guess and array not in self._cuts:
            self._assumed |= Assumed.ANYWHERE
        return elements_of(self.contents[array], places)

    def _element(self, name: Element, domain: Domain) -> Numbers:
        """An element of an array of integers, or what is taken for one."""
        if name.array in self.contents:
            return self._held(name.array, [self._evaluate(part, domain) for part in name.parts])
        if len(name.parts) != 1 or not (self._may_guess or name.array in self._cuts):
            raise KeyError(name)
        place = self._evaluate(name.parts[0], domain)
        self._assumed |= Assumed.GUESSED
        step = self._cuts.get(name.array)
        if step is not None:
            return np.asarray(np.floor(place * step), np.int64)
        self._assumed |= Assumed.ANYWHERE
        return anywhere(place) % self._reach

    def _selected(self, value: n.Select, domain: Domain) -> Numbers:
        """One of two values; the first where nobody knows which."""
        truth = self._truth(value.condition, domain)
        then = self._evaluate(self.table.forms.of(value.then), domain)
        if truth is None or truth.all():
            return then
        return np.asarray(np.where(truth, then, self._evaluate(self.table.forms.of(value.orelse), domain)))

    # --------------------------------------------------------------------------------------------- guards

    def _is_never_reached(self, access: Access) -> bool:
        """Whether no iteration takes a branch around an access, so that the loops in it need not be entered."""
        for region in access.region.chain():
            if isinstance(region.owner, n.If) and len(region.loops) < len(access.loops):
                truth = self._truth(region.owner.condition, self._domain(region.loops))
                if truth is not None and (truth if region.number else ~truth).all():
                    return True
        return False

    def _guards(self, access: Access, domain: Domain) -> tuple[Truths, bool]:
        """Which iterations reach an access, and whether that is certain."""
        active, exact = np.ones((), np.bool_), True
        for region in access.region.chain():
            if isinstance(region.owner, n.If):
                truth = self._truth(region.owner.condition, domain)
                if truth is None:
                    exact = False
                else:
                    active = active & (truth if region.number == 0 else ~truth)
        return active, exact

    def _truth(self, atom: n.Atom, domain: Domain) -> Truths | None:
        """Where a condition holds; None where that depends on values of elements."""
        may_guess, self._may_guess = self._may_guess, False
        try:
            return self._decided(atom, domain)
        finally:
            self._may_guess = may_guess

    def _decided(self, atom: n.Atom, domain: Domain) -> Truths | None:
        if isinstance(atom, n.Const):
            return np.asarray(bool(atom.value))
        if atom.name in self.sizes:
            return np.asarray(bool(self.sizes[atom.name]))
        definition = self.table.structure.definitions.get(atom.name)
        value = None if definition is None else definition.value
        if isinstance(value, n.Aligned):
            return self._aligned(value, domain)
        if isinstance(value, n.Compare):
            return self._compared(value, domain)
        if isinstance(value, n.Cast):
            return self._truth(value.operand, domain)
        if isinstance(value, n.Unary) and value.op == "not":
            operand = self._truth(value.operand, domain)
            return None if operand is None else ~operand
        if isinstance(value, n.Binary) and value.op in ("and", "or"):
            return self._both(value, domain)
        if isinstance(value, n.Select):
            truths = [self._truth(a, domain) for a in (value.condition, value.then, value.orelse)]
            known = [truth for truth in truths if truth is not None]
            if len(known) == len(truths):
                return np.asarray(np.where(known[0], known[1], known[2]))
        return None

    def _compared(self, value: n.Compare, domain: Domain) -> Truths | None:
        if not all(isinstance(a.type, Scalar) and a.type.kind in "iu" for a in (value.left, value.right)):
            return self._alike(value)
        left, right = (self._known(self.table.forms.of(a), domain) for a in (value.left, value.right))
        if left is None or right is None:
            return None
        compare = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater}
        return np.asarray(compare.get(value.op, np.greater_equal)(left, right))

    def _alike(self, value: n.Compare) -> Truths | None:
        """Two values of which nothing is known are taken to differ."""
        if value.op not in ("eq", "ne"):
            return None
        self._assumed |= Assumed.GUESSED
        return np.asarray(value.op == "ne")

    def _aligned(self, value: n.Aligned, domain: Domain) -> Truths:
        """Whether all strides but the innermost are multiples; the first element is taken to lie well."""
        assert isinstance(value.view.type, View)
        forms = [axis_stride(self.table, value.view, axis) for axis in range(value.view.type.ndim - 1)]
        strides = [self._known(form, domain) for form in forms]
        return np.asarray(all(stride is None or not (stride % value.axis).any() for stride in strides))

    def _both(self, value: n.Binary, domain: Domain) -> Truths | None:
        """Where both conditions hold, or one of them; one of which nothing is known is taken to hold with the other."""
        sides = [truth for truth in (self._truth(a, domain) for a in (value.left, value.right)) if truth is not None]
        if len(sides) == 2:
            return sides[0] & sides[1] if value.op == "and" else sides[0] | sides[1]
        if not sides or (value.op == "or" and not sides[0].all()):
            return None
        if bool(sides[0].any()) == (value.op == "and"):
            self._assumed |= Assumed.GUESSED
        return sides[0]

    # ------------------------------------------------------------------------------------------ addresses

    def _addresses(self, access: Access, domain: Domain) -> Numbers | None:
        if access.indices is None:
            return None
        total = np.full((), _offset(access), np.int64)
        for axis, index in enumerate(access.indices):
            before, self._reach = self._reach, self.sizes.get(f"{access.array.name}.shape[{axis}]") or SPREAD
            place, stride = self.place(index, domain), self._known(self._stride(access, axis), domain)
            self._reach = before
            if place is None or (stride is None and place.any()):
                return None
            total = total + place * (0 if stride is None else stride)
        return np.broadcast_to(total, domain.shape)

    def offset(self, access: Access) -> tuple[int, Form | None]:
        """The bytes from the first element of an array to what is accessed: a number, and a form without one; None
        where there is no such form."""
        total = ZERO
        for axis, index in enumerate(access.indices or ()):
            if index.sign is not None:
                return 0, None
            total = total + index.form * self._stride(access, axis)
        return total.constant + _offset(access), total - total.constant

    def place(self, index: Index, domain: Domain) -> Numbers | None:
        """The places along an axis; None where they are not known."""
        place = self._known(index.form, domain)
        if place is None or index.sign is None:
            return place
        sign, wrap = (self._known(form, domain) for form in (index.sign, index.wrap))
        if sign is None or wrap is None:
            return place if Assumed.GUESSED in self._assumed | domain.assumed else None
        return np.asarray(np.where(sign < 0, place + wrap, place))

    def _stride(self, access: Access, axis: int) -> Form:
        """The stride of an axis: axes of a record's own array lie within the element."""
        assert isinstance(access.array.type, View)
        if axis < access.array.type.ndim:
            return axis_stride(self.table, access.array, axis)
        return symbol(f"{access.array.name}.{'.'.join(access.fields)}.strides[{axis}]")


class Domain:
    """Iterations of nested loops for every thread, as arrays of one row for each iteration."""

    def __init__(self, sizes: Mapping[str, int], threads: int, budget: int) -> None:
        self.values: Values = dict(sizes)
        self.shape = (1, threads)
        self.active: Truths = np.ones(self.shape, np.bool_)
        self.order: Numbers = np.zeros(1, np.int64)
        self.early: Truths = np.ones(1, np.bool_)
        self.budget = max(budget, 2)
        self.times = 1.0
        self.exact = True
        self.assumed = NOTHING
        self.known: dict[tuple[str, bool, bool, int], tuple[Numbers | None, Assumed]] = {}

    def extend(self, loop: n.For, start: Numbers, stop: Numbers) -> None:
        """Enter a loop: each row becomes as many as the loop has iterations, or the budget has room for."""
        self.known = {}
        trips = np.maximum(stop - start, 0)
        longest = int(trips.max(initial=0))
        count = max(min(longest, self.budget // self.shape[0]), 1)
        step = np.tile(np.arange(count, dtype=np.int64), self.shape[0])[:, None]
        for name, value in self.values.items():
            if np.ndim(value) == 2:
                self.values[name] = np.repeat(np.asarray(value), count, axis=0)
        start, trips = (np.repeat(np.broadcast_to(v, self.shape), count, axis=0) for v in (start, trips))
        self.active = np.repeat(self.active, count, axis=0) & (step < trips)
        self.order = np.repeat(self.order, count)
        if loop.mapping != "unroll":
            self.order = self.order * count + step[:, 0]
        self.shape = (self.shape[0] * count, self.shape[1])
        self.values[loop.index.name] = start + step
        self.early = np.repeat(self.early, count)
        if count < longest:
            self.times *= longest / count
            self.early &= step[:, 0] < max(count // 2, 1)


def elements_of(held: npt.NDArray[np.integer[Any]], places: Sequence[Numbers]) -> Numbers:
    """Elements of an array, negative places from the end; what threads have that do not ask may be outside of it."""
    if not held.size:
        return np.zeros((), np.int64)
    pairs = list(zip(places, held.shape, strict=True))
    inside = (np.clip(np.where(place < 0, place + extent, place), 0, extent - 1) for place, extent in pairs)
    return np.asarray(held[tuple(inside)], np.int64)


def _mapping(loop: Loop) -> str:
    return loop.node.mapping if isinstance(loop.node, n.For) else "sequential"


def _stop(loop: Loop) -> n.Atom:
    assert isinstance(loop.node, n.For)
    return loop.node.stop


def _memory(table: AccessTable, name: str) -> str:
    value = table.structure.definitions[name].value
    return (value.memory or "local") if isinstance(value, n.Alloc) else "global"


def _fields(access: Access) -> tuple[int, int]:
    """Where in an element an access begins, and its bytes."""
    assert isinstance(access.array.type, View)
    element, offset = access.array.type.element, 0
    for name in access.fields:
        if isinstance(element, Record):
            field = element.field(name)
            element, offset = field.type, offset + field.offset
        else:
            return offset + (element.size // 2 if name == "imag" else 0), element.size // 2
    return offset, element.size


def _offset(access: Access) -> int:
    return _fields(access)[0]


def _width(access: Access) -> int:
    value = access.value
    lanes = value.type.lanes if value is not None and isinstance(value.type, Vector) else 1
    return _fields(access)[1] * lanes


# -------------------------------------------------------------------------------------------------- sectors


def in_warps(asked: Asked) -> tuple[Numbers, Truths]:
    """Addresses and activity by request: a row for each iteration and warp. The last warp may be incomplete."""
    assert asked.addresses is not None
    missing = -asked.addresses.shape[1] % WARP
    addresses = np.pad(asked.addresses, ((0, 0), (0, missing)))
    active = np.pad(asked.active, ((0, 0), (0, missing)))
    return addresses.reshape(-1, WARP), active.reshape(-1, WARP)


def distinct(rows: Numbers, active: Truths) -> Numbers:
    """How many different numbers are active in each row."""
    nobody = np.iinfo(np.int64).min
    found = np.sort(np.where(active, rows, nobody), axis=1)
    changes = (found[:, 1:] != found[:, :-1]).sum(axis=1)
    return np.asarray(np.where(active.any(axis=1), changes + active.all(axis=1), 0))


def units_of(rows: Numbers, active: Truths, width: int, size: int) -> tuple[Numbers, Truths]:
    """The aligned pieces of memory of `size` bytes that accesses touch, beside one another in each row."""
    first, last = rows // size, (rows + width - 1) // size
    reach = int((last - first).max(initial=0))
    parts: Sequence[Numbers] = [np.minimum(first + k, last) for k in range(reach + 1)]
    return np.concatenate(parts, axis=1), np.concatenate([active] * (reach + 1), axis=1)
