"""Sums of floats by key on devices: ``out[key[i]] += w[i]`` as sums of integers, which are the same in any order.

Four kernels stand for such a nest. The first notes the largest number that is added to each element, the second adds
what every number is beside it, as digits of `DIGIT` bits, to one integer of 64 bits for each digit, in one step each.
The third puts the digits of each element together and adds this to it; another cleared all that before. Nothing is
rounded but bits far below the largest number of an element, so the sums are nearer to the exact ones than the loop's.

The first kernel also finds what may raise. It has written nothing then, and the host runs the nest as it stands.

Not done: products, minima and maxima; complex numbers; nests that carry values, or read what they write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.scribe import FALSE, TRUE
from weft.ir.types import (
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    PYFLOAT,
    PYINT,
    UINT32,
    UINT64,
    Scalar,
    View,
)
from weft.ir.visit import Names, blocks_of, bound_inside, defined_by, known_trips, rewrite, walk
from weft.plan.by_key import (
    ByKey,
    Why,
    can_run_twice,
    converted,
    ends_of,
    if_possible,
    is_steady,
    over_elements,
    settled,
    settled_axes,
    settled_value,
)
from weft.plan.kernels import is_exact_update
from weft.schedule.writing import Writing

DIGIT = 28
"""Bits of a digit: two hold a number of float32 or the top of one of float64, and more than 2**34 of them add up."""

MOST = 1 << 62 - DIGIT
"""So many digits fit into an integer of 64 bits when they are added."""

COPIES = ((256, 64), (1024, 16), (4096, 4))
"""Up to so many elements have so many copies of their digits: threads that meet in an address wait for one another."""

NOTHING, MINUS_ZERO = -2, -1
"""What stands for the largest number where none was added, and where all were -0.0."""


@dataclass(frozen=True)
class Format:
    """How numbers of a type are taken apart: as which float, its bits, what orders sizes, and how many digits."""

    float: Scalar
    bits: Scalar
    size: Scalar
    fraction: int
    bias: int
    digits: int

    @property
    def infinite(self) -> int:
        """The size of infinity."""
        return (2 * self.bias + 1) << self.fraction

    @property
    def minus_zero(self) -> int:
        """The bits of -0.0."""
        return 1 << self.bits.bits - 1


_SINGLE = Format(FLOAT32, UINT32, INT32, 23, 127, 2)
_DOUBLE = Format(FLOAT64, UINT64, INT64, 52, 1023, 3)
FORMATS = {FLOAT16: _SINGLE, FLOAT32: _SINGLE, FLOAT64: _DOUBLE}


@dataclass(frozen=True)
class _Sums:
    """An array that is added to, the largest size of what is added to each element, and the digits of the sums, of
    which there are several `copies`."""

    view: n.Var
    format: Format
    sizes: n.Var
    digits: n.Var
    copies: n.Atom
    extents: tuple[n.Atom, ...] = ()

    def part(self, names: Names, let: n.Let) -> _Sums:
        """The same of a part of the array."""
        type = let.var.type
        assert isinstance(type, View)
        sizes = View(self.format.size, type.ndim, contiguous=type.contiguous)
        digits = names.fresh("digits", View(INT64, type.ndim + 2, contiguous=True))
        return _Sums(let.var, self.format, names.fresh("sizes", sizes), digits, self.copies)


def sums_by_key(nest: n.For, names: Names, aliases: Aliases, why_host: Why) -> ByKey | None:
    """The kernels for a parallel nest that adds floats by key; None where it does not, or where kernels cannot.

    Parameters
    ----------
    nest
        The outermost parallel loop.
    names
        Fresh names.
    aliases
        Which views may show the same memory, in the whole program.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    if nest.mapping != "parallel" or nest.args or nest.exit is not None:
        return None
    updates = [s for s in walk(nest.body) if isinstance(s, n.Update) and not is_exact_update(s)]
    parts = _parts(nest, updates)
    if not updates or parts is None or not can_run_twice(nest, aliases):
        return None
    if not all(is_steady(end, aliases.structure) for end in ends_of(nest)):
        return None
    limit = _Limit.of(nest)
    if limit is None:
        return None
    return if_possible(_Writer(nest, names, parts, limit).written(), why_host)


def _parts(nest: n.For, updates: Sequence[n.Update]) -> dict[str, n.Let] | None:
    """The parts of arrays through which a nest adds, by their names; None where they cannot be parts of others, too."""
    made = {s.var.name: s for s in walk(nest.body) if isinstance(s, n.Let) and isinstance(s.var.type, View)}
    parts: dict[str, n.Let] = {}
    for update in updates:
        type = update.view.type
        assert isinstance(type, View)
        if update.op != "add" or type.element not in FORMATS or update.value.type != type.element or not type.ndim:
            return None
        view = update.view
        while view.name in made:
            let = made[view.name]
            if not isinstance(let.value, n.Subview):
                return None
            parts[view.name], view = let, let.value.view
    return parts


@dataclass(frozen=True)
class _Limit:
    """How often a nest adds: at most as many times as any of some `paths` of loops with known ends has iterations; in
    loops with other ends, the `known` ones around or in each of these say how many iterations it may have."""

    paths: tuple[tuple[n.For, ...], ...]
    known: Mapping[str, tuple[n.For, ...]]

    @classmethod
    def of(cls, nest: n.For) -> _Limit | None:
        """The limit of a nest; None where a path has several loops whose ends are not known before it."""
        inside = {v.name for s in walk(n.Block((nest,))) for v in (*defined_by(s), *bound_inside(s))}
        paths: list[tuple[n.For, ...]] = []
        known: dict[str, tuple[n.For, ...]] = {}
        for path in _paths(n.Block((nest,)), ()):
            ends = [loop for loop in path if any(isinstance(a, n.Var) and a.name in inside for a in ends_of(loop))]
            if len(ends) > 1:
                return None
            others = tuple(loop for loop in path if loop not in ends)
            paths += [] if ends or others in paths else [others]
            for loop in ends:
                known[loop.label] = max(known.get(loop.label, ()), others, key=len)
        return cls(tuple(paths), known)


def _paths(block: n.Block, around: tuple[n.For, ...]) -> Iterator[tuple[n.For, ...]]:
    """The loops around each update that adds floats."""
    for statement in block.statements:
        if isinstance(statement, n.Update) and not is_exact_update(statement):
            yield around
        inner = (*around, statement) if isinstance(statement, n.For) else around
        for part in blocks_of(statement):
            yield from _paths(part, inner)


class _Writer:
    """Writes the kernels that stand for a nest."""

    def __init__(self, nest: n.For, names: Names, parts: Mapping[str, n.Let], limit: _Limit) -> None:
        self.nest, self.names, self.parts, self.limit = nest, names, parts, limit
        self.sums: dict[str, _Sums] = {}

    def written(self) -> ByKey:
        """All that stands for the nest."""
        write = Writing(self.names, self.nest.location)
        updates = (s for s in walk(self.nest.body) if isinstance(s, n.Update) and not is_exact_update(s))
        arrays = {view.name: _made(view, write) for view in map(self._whole, updates)}
        self.sums.update(arrays)
        for part in self.parts.values():
            assert isinstance(part.value, n.Subview)
            self.sums[part.var.name] = self.sums[part.value.view.name].part(self.names, part)
        fits = write.both([_fits(write, path) for path in self.limit.paths])
        found = arrays.values()
        return ByKey(
            tuple(write.statements), fits, tuple(a for s in found for a in (s.sizes, s.digits)),
            tuple(self._over(s, "clears", _clear) for s in found),
            self._again("largest", self._noting),
            (self._again("sums", self._adding),),
            tuple(self._over(s, "rounds", _round) for s in found),
        )  # fmt: skip

    def _whole(self, update: n.Update) -> n.Var:
        """The array that an update adds to a part of."""
        view = update.view
        while view.name in self.parts:
            value = self.parts[view.name].value
            assert isinstance(value, n.Subview)
            view = value.view
        return view

    def _over(self, sums: _Sums, what: str, action: Callable[[Writing, _Sums, Sequence[n.Atom]], None]) -> n.For:
        """A nest over all elements of an array."""
        label = f"{self.nest.label}.{what}"
        return over_elements(
            self.names, label, sums.extents, lambda write, at: action(write, sums, at), self.nest.location
        )

    def _again(self, what: str, change: Callable[[n.Statement], n.Statement | tuple[n.Statement, ...]]) -> n.For:
        """The nest with other statements, and labels of its own."""

        def labelled(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            if isinstance(statement, n.For):
                made = replace(statement, label=f"{statement.label}.{what}")
                return (*self._tests(statement), made) if what == "largest" else made
            return change(statement)

        (nest,) = rewrite(n.Block((self.nest,)), labelled).statements
        assert isinstance(nest, n.For)
        return nest

    def _tests(self, loop: n.For) -> list[n.Statement]:
        """What fails where a loop whose ends are not known before the nest has too many iterations."""
        if loop.label not in self.limit.known:
            return []
        write = Writing(self.names, loop.location)
        with write.when(write.negated(_fits(write, (*self.limit.known[loop.label], loop)))):
            write.add(n.Raise("OverflowError", "too many numbers are added up", location=loop.location))
        return write.statements

    # ---------------------------------------------------------------------------------------- what is largest

    def _noting(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """A statement of the nest as one that writes nothing but sizes; what may raise still may."""
        write = Writing(self.names, getattr(statement, "location", self.nest.location))
        if isinstance(statement, n.Update) and not is_exact_update(statement):
            sums = self.sums[statement.view.name]
            size = _size(write, sums.format, statement.value)
            write.add(replace(statement, op="max", view=sums.sizes, value=size))
        elif isinstance(statement, (n.Store, n.Update)):
            if statement.bounds != "safe" and statement.indices:
                write.let(n.Load(statement.view, statement.indices, statement.bounds), statement.value.type)
        else:
            write.add(statement)
            self._part(write, statement)
        return tuple(write.statements)

    def _part(self, write: Writing, statement: n.Statement) -> None:
        """Parts of sizes and digits like the part of an array that a statement makes."""
        if not isinstance(statement, n.Let) or statement.var.name not in self.parts:
            return
        value = statement.value
        assert isinstance(value, n.Subview)
        whole, part = self.sums[value.view.name], self.sums[statement.var.name]
        axes = settled_axes(write, value)
        write.add(n.Let(part.sizes, n.Subview(whole.sizes, axes, "safe"), write.location))
        every = [n.Slice(n.Const(0), count, n.Const(1)) for count in (part.copies, n.Const(part.format.digits))]
        write.add(n.Let(part.digits, n.Subview(whole.digits, (*axes, *every), "safe"), write.location))

    # ------------------------------------------------------------------------------------------ what is added

    def _adding(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """A statement of the nest that adds digits, and that was found not to raise."""
        write = Writing(self.names, getattr(statement, "location", self.nest.location))
        if isinstance(statement, n.Raise):
            return ()
        if isinstance(statement, (n.Store, n.Update)):
            indices = settled(write, statement.view, statement.indices, statement.bounds)
            if isinstance(statement, n.Update) and not is_exact_update(statement):
                sums = self.sums[statement.view.name]
                _add_digits(write, sums, indices, self._copy(write, sums), statement.value)
            else:
                write.add(replace(statement, indices=indices, bounds="safe"))
        elif isinstance(statement, n.Let):
            write.add(replace(statement, value=settled_value(write, statement.value)))
            self._part(write, statement)
        else:
            write.add(statement)
        return tuple(write.statements)

    def _copy(self, write: Writing, sums: _Sums) -> n.Atom:
        """The copy of digits to which an iteration adds: another one than its neighbours."""
        place = write.sum(*(loop.index for loop in around_all(self.nest)), stem="place")
        return write.op("and", place, write.op("sub", sums.copies, 1), "copy")


def around_all(nest: n.For) -> list[n.For]:
    """The loops of a nest inside of which all its sums are formed."""
    loops = [nest]
    while True:
        adding = [s for s in loops[-1].body.statements if any(_adds(part) for part in walk(n.Block((s,))))]
        if len(adding) != 1 or not isinstance(adding[0], n.For):
            return loops
        loops.append(adding[0])


def _adds(statement: n.Statement) -> bool:
    return isinstance(statement, n.Update) and not is_exact_update(statement)


def _made(view: n.Var, write: Writing) -> _Sums:
    """The arrays for the sums of another."""
    type = view.type
    assert isinstance(type, View) and isinstance(type.element, Scalar)
    format = FORMATS[type.element]
    extents: tuple[n.Atom, ...] = tuple(write.let(n.Dim(view, k), PYINT, "extent") for k in range(type.ndim))
    sizes = write.let(n.Alloc(extents, format.size), View(format.size, type.ndim, contiguous=True), "sizes")
    copies = _copies(write, extents)
    shape = (*extents, copies, n.Const(format.digits))
    digits = write.let(n.Alloc(shape, INT64), View(INT64, type.ndim + 2, contiguous=True), "digits")
    return _Sums(view, format, sizes, digits, copies, extents)


def _copies(write: Writing, extents: Sequence[n.Atom]) -> n.Atom:
    """How many copies the digits of an array have: a power of two."""
    elements: n.Atom = n.Const(1)
    for extent in extents:  # where there are many, the product need not be known
        elements = write.op("mul", elements, write.op("min", extent, COPIES[-1][0] + 1), "elements")
    copies: n.Atom = n.Const(1)
    for most, number in reversed(COPIES):
        copies = write.select(write.compare("le", elements, most), n.Const(number), copies, "copies")
    return copies


def _fits(write: Writing, path: Sequence[n.For]) -> n.Atom:
    """Whether the integers hold what all iterations of loops inside of one another add."""
    if (known := [known_trips(loop) for loop in path]) and None not in known:
        return TRUE if math.prod(k for k in known if k is not None) <= MOST else FALSE
    total: n.Atom = n.Const(1.0, PYFLOAT)
    for loop in path:
        trips = write.let(n.Cast(write.trips(loop.start, loop.stop), checked=False), PYFLOAT, "trips")
        total = write.let(n.Binary("mul", total, trips, checked=False), PYFLOAT, "updates")
    return write.compare("le", total, n.Const(float(MOST), PYFLOAT), "fits")


def _clear(write: Writing, sums: _Sums, indices: Sequence[n.Atom]) -> None:
    """Nothing was added to an element."""
    write.store(sums.sizes, indices, n.Const(NOTHING, sums.format.size))
    with write.loop("copy", 0, sums.copies) as loop:
        for digit in range(sums.format.digits):
            write.store(sums.digits, (*indices, loop.index, digit), n.Const(0, INT64))


def _size(write: Writing, format: Format, value: n.Atom) -> n.Atom:
    """The size of a number as an integer: NaN is above infinity, 0.0 is zero, and -0.0 below it."""
    bits = write.let(n.Math("bits_of", (converted(write, value, format.float),)), format.bits, "bits")
    without = write.op("and", bits, n.Const(format.minus_zero - 1, format.bits))
    is_minus_zero = write.compare("eq", bits, n.Const(format.minus_zero, format.bits), "is_minus_zero")
    return write.select(is_minus_zero, n.Const(MINUS_ZERO, format.size), converted(write, without, format.size), "size")


def _shift(write: Writing, format: Format, size: n.Atom) -> n.Atom:
    """By how many powers of two numbers of at most a size are to be larger, so that they have `DIGIT` bits."""
    exponent = write.op("shr", size, n.Const(format.fraction, format.size))
    exponent = write.op("max", exponent, n.Const(1, format.size), "exponent")  # numbers below have the same unit
    shift = write.op("sub", n.Const(DIGIT + format.bias - 1, format.size), exponent, "shift")
    return converted(write, shift, INT64)


def _add_digits(write: Writing, sums: _Sums, indices: Sequence[n.Atom], copy: n.Atom, value: n.Atom) -> None:
    """Add the digits of a number to a copy; infinities and NaN are counted where one of them is added to an element."""
    format = sums.format
    number = converted(write, value, FLOAT64)
    size = write.let(n.Load(sums.sizes, tuple(indices), "safe"), format.size, "size")

    def add(digit: int, amount: n.Atom) -> None:
        write.add(n.Update("add", sums.digits, (*indices, copy, n.Const(digit)), amount, "safe", write.location))

    with write.when(write.compare("lt", size, n.Const(format.infinite, format.size), "is_finite")):
        rest: n.Atom = write.let(n.Math("ldexp", (number, _shift(write, format, size))), FLOAT64, "scaled")
        for digit in range(format.digits):
            last = digit == format.digits - 1
            whole = write.let(n.Math("rint" if last else "trunc", (rest,)), FLOAT64, "whole")
            if digit:
                with write.when(write.compare("ne", whole, n.Const(0.0, FLOAT64), "is_there")):
                    add(digit, converted(write, whole, INT64))
            else:
                add(digit, converted(write, whole, INT64))
            if not last:
                rest = write.op("sub", rest, whole)
                rest = write.op("mul", rest, n.Const(float(1 << DIGIT), FLOAT64), "rest")
    with write.otherwise():
        for digit, limit, op in ((0, math.inf, "lt"), (1, -math.inf, "gt")):
            inside = write.compare(cast(n.CompareOp, op), number, n.Const(limit, FLOAT64), "inside")
            with write.when(write.negated(inside)):
                add(digit, n.Const(1, INT64))


def _round(write: Writing, sums: _Sums, indices: Sequence[n.Atom]) -> None:
    """Add to an element what its digits say."""
    format = sums.format
    type = sums.view.type
    assert isinstance(type, View) and isinstance(type.element, Scalar)
    size = write.load(sums.sizes, *indices, stem="size")
    with write.when(write.compare("ge", size, n.Const(MINUS_ZERO, format.size), "is_added_to")):
        digits = _of_all_copies(write, sums, indices)
        total = write.select(
            write.compare("lt", size, n.Const(format.infinite, format.size), "is_finite"),
            _finite(write, format, size, digits), _infinite(write, digits), "total",
        )  # fmt: skip
        zero = write.compare("eq", size, n.Const(MINUS_ZERO, format.size), "is_minus_zero")
        total = write.select(zero, n.Const(-0.0, FLOAT64), total, "total")
        before = converted(write, write.load(sums.view, *indices, stem="before"), FLOAT64)
        after = write.op("add", before, total, "after")
        write.store(sums.view, indices, converted(write, after, type.element))


def _of_all_copies(write: Writing, sums: _Sums, indices: Sequence[n.Atom]) -> tuple[n.Var, ...]:
    """What the copies of the digits of an element hold together."""
    count = sums.format.digits
    with write.loop("copy", 0, sums.copies, carried=[n.Const(0, INT64)] * count) as loop:
        parts = [write.load(sums.digits, *indices, loop.index, digit, stem="part") for digit in range(count)]
        loop.next = tuple(write.op("add", old, part, "digit") for old, part in zip(loop.values, parts, strict=True))
    return loop.results


def _finite(write: Writing, format: Format, size: n.Atom, digits: Sequence[n.Var]) -> n.Atom:
    """The number that digits say."""
    top, *_ = _carried(write, digits)
    is_below = write.compare("lt", top, n.Const(0, INT64), "is_below")
    negated = [write.let(n.Unary("neg", digit, checked=False), INT64) for digit in digits]
    positive = [write.select(is_below, *pair, "digit") for pair in zip(negated, digits, strict=True)]
    total: n.Atom = n.Const(0.0, FLOAT64)
    for digit in _carried(write, positive):
        scaled = write.op("mul", total, n.Const(float(1 << DIGIT), FLOAT64))
        total = write.op("add", scaled, converted(write, digit, FLOAT64))
    negative = write.let(n.Unary("neg", total, checked=False), FLOAT64)
    # of zeros the sum is 0.0, as that of a number and its negative is
    total = write.select(is_below, negative, total, "total")
    shift = _shift(write, format, size)
    back = write.op("sub", n.Const(-DIGIT * (format.digits - 1), INT64), shift, "back")
    return write.let(n.Math("ldexp", (total, back)), FLOAT64, "total")


def _carried(write: Writing, digits: Sequence[n.Atom]) -> list[n.Atom]:
    """Digits with what is more than `DIGIT` bits of each added to the one above: all but the first are positive."""
    carried: list[n.Atom] = []
    above: n.Atom = n.Const(0, INT64)
    for digit in reversed(digits):
        value = write.op("add", digit, above) if carried else digit
        above = write.op("shr", value, n.Const(DIGIT, INT64))
        carried.append(write.op("and", value, n.Const((1 << DIGIT) - 1, INT64)))
    carried[-1] = value
    return carried[::-1]


def _infinite(write: Writing, digits: Sequence[n.Atom]) -> n.Atom:
    """What counts of infinities add up to."""
    above, below = (write.compare("gt", digit, n.Const(0, INT64)) for digit in digits[:2])
    infinity = write.select(above, n.Const(math.inf, FLOAT64), n.Const(-math.inf, FLOAT64))
    return write.select(write.both([above, below]), n.Const(math.nan, FLOAT64), infinity)
