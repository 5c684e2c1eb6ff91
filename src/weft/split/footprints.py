"""Which rows of an array a piece reads, if elements of other arrays say it: only these are copied to its device.

``for k in range(p[i], p[i + 1])`` with ``v[k]`` inside reads the part of `v` between two elements of `p`. So does
any read whose index is bounded by forms of the counter, of numbers, and of elements that the loop does not write. The
footprints of plans are bounded by numbers alone, since they hold for all pieces: such an array would be copied whole.

What it does: `footprints_of` finds such arrays of a loop; `Bounds` says at a call which rows of them a piece reads;
`narrowed` is the program of a piece with these numbers as arguments, which `weft.plan.transfers.stretches` reads. Row
ends may be in any order, since the least and the largest of a piece are looked for. Where they are not all inside of
the array, all of it is copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from weft.analysis.access.access import Access
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.values.forms import is_integer
from weft.analysis.values.hull import Hull, hull
from weft.analysis.values.linear import (
    Derived,
    Element,
    Extent,
    Form,
    Positive,
    Quotient,
    constant,
    positive,
    product,
    quotient,
)
from weft.ir import nodes as n
from weft.ir.interface import END_OF_ROWS, FIRST_ROW, Source
from weft.ir.types import PYINT, Scalar, limits
from weft.ir.visit import Names, atoms_of, walk

Interval: TypeAlias = "tuple[int, int]"
LEAST, MOST = 1, -1
"""Signs for `Bounds.bound`: a lower bound of a form, or one of the negated form, which bounds it from above."""
FULL = 8
"""Forms with more terms ``max(e, 0)`` than this are not looked at: each can double the work."""


@dataclass(frozen=True)
class Choice:
    """A value that depends on whether a form is below zero, as Python's negative indices do."""

    form: Form
    below: Form
    other: Form


@dataclass(frozen=True)
class Fit:
    """Two forms that a NumPy integer lies between if it does not wrap: both must be within the limits of its type."""

    low: Form
    high: Form
    limits: Interval


@dataclass(frozen=True)
class Footprint:
    """The rows of an argument that a loop reads.

    Attributes
    ----------
    argument
        Its name.
    ends
        The first row and the last one that an iteration may read, for each access.
    """

    argument: str
    ends: tuple[tuple[Form, Form], ...]


@dataclass(frozen=True)
class Footprints:
    """The arrays of a loop of which a piece needs some rows only.

    Attributes
    ----------
    arrays
        One for each.
    counter
        The name of the loop's counter.
    names
        The names of the arguments, by those of the parameters.
    choices
        Values that depend on a sign, by their names.
    fits
        What must not wrap.
    """

    arrays: tuple[Footprint, ...] = ()
    counter: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    fits: tuple[Fit, ...] = ()

    def added(self) -> tuple[str, ...]:
        """The names of the arguments of a piece that say which rows it has."""
        return tuple(name for array in self.arrays for name in added_names(array.argument))

    def of_piece(self, arguments: Mapping[str, Any], low: int, high: int) -> tuple[int, ...]:
        """The rows of arrays that the iterations from `low` to `high` read: what the arguments `added` are."""
        if not self.arrays:
            return ()
        bounds = Bounds(self, arguments, low, high)
        is_known = low < high and bounds.are_inside(self.fits)
        added: list[int] = []
        known: dict[object, Interval | None] = {}
        for array in self.arrays:
            if array.ends not in known:
                known[array.ends] = bounds.rows(array.ends) if is_known else None
            found, extent = known[array.ends], len(arguments[array.argument])
            added += found if found and 0 <= found[0] <= found[1] <= extent else (0, extent)
        return tuple(added)


def added_names(argument: str) -> tuple[str, str]:
    """The names of the arguments with the first row that a piece reads of an array, and the one behind its last."""
    return f"{FIRST_ROW} {argument}", f"{END_OF_ROWS} {argument}"


# ---------------------------------------------------------------------------------------------------------- analysis


def footprints_of(piece: n.Program, loop: n.For, verdicts: Verdicts, arguments: Mapping[str, str]) -> Footprints:
    """The arrays of which a piece of a loop needs some rows only, by what elements of other arrays say.

    Parameters
    ----------
    piece
        The program of a piece.
    loop
        The loop.
    verdicts
        What is known of the program with all loops.
    arguments
        The names of the arguments, by those of the parameters.
    """
    return _Finder(piece, loop, verdicts, arguments).found()


class _Finder:
    def __init__(self, piece: n.Program, loop: n.For, verdicts: Verdicts, arguments: Mapping[str, str]) -> None:
        self.piece, self.loop, self.table, self.arguments = piece, loop, verdicts.table, arguments
        self.around: Loop = self.table.structure.loops[loop.label]
        self.inside = self.table.within(self.around.body)
        self.choices: dict[str, Choice] = {}
        self.fits: list[Fit] = []

    def found(self) -> Footprints:
        variables = [param.var for param in self.piece.params if param.var.name in self.arguments]
        arrays = tuple(array for array in map(self._array, variables) if array is not None)
        if not arrays:
            return Footprints()
        return Footprints(arrays, self.loop.index.name, self.arguments, self.choices, tuple(dict.fromkeys(self.fits)))

    def _array(self, array: n.Var) -> Footprint | None:
        own = [access for access in self.inside if array.name in self.table.roots(access)]
        if not own or self._is_read_elsewhere(array):
            return None
        before = dict(self.choices), list(self.fits)
        ends = [self._ends(access, array) for access in own]
        known = tuple(dict.fromkeys(end for end in ends if end is not None))
        if None not in ends and any(self._is_by_data(form) for end in known for form in end):
            return Footprint(self.arguments[array.name], known)
        self.choices, self.fits = before
        return None

    def _is_read_elsewhere(self, array: n.Var) -> bool:
        """Whether something outside of the loop uses more of an array than its extents."""
        inside = {id(statement) for statement in walk(self.loop.body)}
        outside = (statement for statement in walk(self.piece.body) if id(statement) not in inside)
        uses = (s for s in outside if not (isinstance(s, n.Let) and isinstance(s.value, n.Dim)))
        return array in self.piece.body.yields or any(array in atoms_of(statement) for statement in uses)

    def _ends(self, access: Access, array: n.Var) -> tuple[Form, Form] | None:
        """The first and the last row that an access touches in one iteration of the loop, if a call can tell."""
        if access.writes or access.array != array or not access.indices:
            return None
        wraps: list[tuple[Form, Interval]] = []
        form = self._exact(access.indices[0].form, wraps)
        found = [self._bounds(one, access) for one in (form, *(one for one, _ in wraps))]
        ends = [end for end in found if end is not None]
        if len(ends) < len(found):
            return None
        self.fits += [Fit(*end, limits) for end, (_, limits) in zip(ends[1:], wraps, strict=True)]
        return ends[0]

    def _bounds(self, form: Form, access: Access) -> tuple[Form, Form] | None:
        """Bounds of a form over the loops inside, which a call can tell for an iteration."""
        within = access.loops[access.loops.index(self.around) + 1 :]
        found = hull(self.table.ranges, form, access.region, within[0]) if within else Hull((form,), (form,), True)
        if found is None:
            return None
        low, high = (next(filter(None, map(self._known, forms)), None) for forms in (found.low, found.high))
        return None if low is None or high is None else (low, high)

    def _known(self, form: Form) -> Form | None:
        """A form of what a call knows, where one can tell; what must not wrap is noted."""
        wraps: list[tuple[Form, Interval]] = []
        exact = self._exact(form, wraps)
        if not all(map(self._is_known, (exact, *(one for one, _ in wraps)))):
            return None
        self.fits += [Fit(one, one, limits) for one, limits in wraps]
        return exact

    def _exact(self, form: Form, wraps: list[tuple[Form, Interval]]) -> Form:
        """A form with the arithmetic of NumPy's integers taken for exact; what must not wrap for that is noted."""
        values: dict[str, Form] = {}
        for name in form.names:
            found = self._computed(name)
            if found is not None:
                values[name] = self._exact(found[0], wraps)
                wraps.append((values[name], found[1]))
        return form.substitute(values) if values else form

    def _computed(self, name: str) -> tuple[Form, Interval] | None:
        """What a number is computed as in NumPy's arithmetic, and the limits of its type."""
        definition = self.table.structure.definitions.get(name)
        value = None if definition is None else definition.value
        if definition is None or not is_integer(definition.var.type):
            return None
        form: Form | None = None
        if isinstance(value, n.Cast) and is_integer(value.operand.type):
            form = self.table.forms.of(value.operand)
        elif isinstance(value, n.Binary) and value.op in ("add", "sub", "mul", "floordiv"):
            left, right = self.table.forms.of(value.left), self.table.forms.of(value.right)
            if value.op == "floordiv":
                form = quotient(left, right) if (right.value or 0) > 0 else None
            else:
                form = {"add": left + right, "sub": left - right, "mul": product(left, right)}[value.op]
        assert isinstance(definition.var.type, Scalar)
        return None if form is None else (form, limits(definition.var.type))

    def _is_known(self, form: Form) -> bool:
        """Whether a call can tell bounds of a form over the iterations of a piece."""
        open_signs = sum(isinstance(name, Positive) for name in form.symbols)
        return open_signs <= FULL and all(map(self._is_known_symbol, form.symbols))

    def _is_known_symbol(self, name: str) -> bool:
        if isinstance(name, Extent):
            return name.array in self.arguments
        if isinstance(name, Element):
            return name.array in self.arguments and not name.version and all(map(self._is_known, name.parts))
        if isinstance(name, Positive):
            return self._is_known(name.parts[0])
        if isinstance(name, Quotient):
            return self._is_known(name.parts[0]) and (name.parts[1].value or 0) > 0
        if isinstance(name, Derived):
            return False
        return name == self.loop.index.name or name in self.arguments or self._is_choice(name)

    def _is_choice(self, name: str) -> bool:
        """Whether a value is one of two that are known, by the sign of a form."""
        definition = self.table.structure.definitions.get(name)
        value = None if definition is None else definition.value
        if name in self.choices or not isinstance(value, n.Select) or not isinstance(value.condition, n.Var):
            return name in self.choices
        test = self.table.structure.definition(value.condition).value
        if not isinstance(test, n.Compare) or test.op != "lt" or test.right != n.Const(0):
            return False
        forms = [self._known(self.table.forms.of(atom)) for atom in (test.left, value.then, value.orelse)]
        known = [form for form in forms if form is not None and name not in form.names]
        if len(known) == len(forms):
            self.choices[name] = Choice(*known)
        return name in self.choices

    def _is_by_data(self, form: Form) -> bool:
        """Whether elements of arrays say what a form is."""
        found = [part for symbol in form.symbols if isinstance(symbol, Derived) for part in symbol.parts]
        found += [self.choices[name].other for name in form.symbols if name in self.choices]
        return any(isinstance(name, Element) for name in form.symbols) or any(map(self._is_by_data, found))


# ----------------------------------------------------------------------------------------------------------- programs


def narrowed(program: n.Program, footprints: Footprints) -> n.Program:
    """The program of a piece with arguments that say which rows of arrays it reads."""
    names = Names.of(program)
    added = [n.Param(names.fresh("row", PYINT), Source("argument", name)) for name in footprints.added()]
    own = [param for param in program.params if param.source.kind == "argument"]
    others = [param for param in program.params if param.source.kind != "argument"]
    return replace(program, params=(*own, *added, *others))


# -------------------------------------------------------------------------------------------------------------- calls


class _UnknownError(Exception):
    """A call cannot tell what a form is."""


class Bounds:
    """Bounds of forms over the iterations of a piece.

    Parameters
    ----------
    footprints
        What the forms are of.
    arguments
        The arguments of the call, by name.
    low, high
        The first iteration of the piece and the one behind its last.
    """

    def __init__(self, footprints: Footprints, arguments: Mapping[str, Any], low: int, high: int) -> None:
        self._footprints, self._arguments = footprints, arguments
        self._known = {(footprints.counter, LEAST): low, (footprints.counter, MOST): 1 - high}

    def rows(self, ends: Sequence[tuple[Form, Form]]) -> Interval | None:
        """The first row and the one behind the last between some ends; None where a call cannot tell."""
        try:
            first = min(self.bound(low, LEAST) for low, _ in ends)
            return first, max(first, *(1 - self.bound(high, MOST) for _, high in ends))
        except _UnknownError:
            return None

    def are_inside(self, fits: Sequence[Fit]) -> bool:
        """Whether numbers are within the limits of their types."""
        try:
            return all(
                self.bound(fit.low, LEAST) >= fit.limits[0] and -self.bound(fit.high, MOST) <= fit.limits[1]
                for fit in fits
            )
        except _UnknownError:
            return False

    def bound(self, form: Form, sign: int) -> int:
        """A number that the form, times a sign, is never below."""
        choices = self._footprints.choices
        if any(isinstance(name, Positive) or name in choices for name in form.symbols):
            form = self._settled(form)
            for monomial, factor in form.terms.items():
                if len(monomial) == 1 and isinstance(name := monomial[0], Positive):
                    rest = form - Form({(name,): factor})
                    inside = rest + name.parts[0] * factor
                    better = max if factor * sign > 0 else min
                    return better(self.bound(inside, sign), self.bound(rest, sign))
        return sum(self._term(monomial, factor * sign) for monomial, factor in form.terms.items())

    def _settled(self, form: Form) -> Form:
        """A form without choices, and without signs that are known."""
        values: dict[str, Form] = {}
        for name in form.symbols:
            choice = self._footprints.choices.get(name)
            if choice is not None:
                values[name] = self._chosen(choice)
            elif isinstance(name, Positive):
                inner = self._settled(name.parts[0])
                if self.bound(inner, LEAST) >= 0:
                    values[name] = inner
                elif self.bound(inner, MOST) >= 0:
                    values[name] = constant(0)
                elif inner != name.parts[0]:
                    values[name] = positive(inner)
        return self._settled(form.substitute(values)) if values else form

    def _chosen(self, choice: Choice) -> Form:
        form = self._settled(choice.form)
        if self.bound(form, LEAST) >= 0:
            return choice.other
        if self.bound(form, MOST) > 0:
            return choice.below
        raise _UnknownError

    def _term(self, monomial: tuple[str, ...], factor: int) -> int:
        """The least of a product."""
        if not monomial:
            return factor
        name, *others = monomial
        if not others:
            return abs(factor) * self._symbol(name, LEAST if factor > 0 else MOST)
        low = high = factor
        for name in monomial:
            ends = [a * b for a in (low, high) for b in (self._symbol(name, LEAST), -self._symbol(name, MOST))]
            low, high = min(ends), max(ends)
        return low

    def _symbol(self, name: str, sign: int) -> int:
        """A number that a symbol, times a sign, is never below."""
        found = self._known.get((name, sign))
        if found is None:
            found = self._known[name, sign] = self._looked_up(name, sign)
        return found

    def _looked_up(self, name: str, sign: int) -> int:
        if isinstance(name, Element):
            part = self._elements(name)
            return int(part.min()) if sign == LEAST else -int(part.max())
        if isinstance(name, Quotient):
            inner = self.bound(name.parts[0], sign) * sign
            return inner // name.parts[1].constant * sign
        if isinstance(name, Positive):
            return (
                max(self.bound(name.parts[0], LEAST), 0) if sign == LEAST else min(self.bound(name.parts[0], MOST), 0)
            )
        if isinstance(name, Extent):
            return int(np.shape(self._argument(name.array))[name.axis]) * sign
        value = self._argument(name)
        if not isinstance(value, (int, np.integer)):
            raise _UnknownError
        return int(value) * sign

    def _argument(self, name: str) -> Any:
        return self._arguments[self._footprints.names[name]]

    def _elements(self, element: Element) -> np.ndarray[Any, Any]:
        """The elements of an array that a piece may look at."""
        array = self._argument(element.array)
        sides = [slice(self.bound(part, LEAST), 1 - self.bound(part, MOST)) for part in element.parts]
        if not isinstance(array, np.ndarray):
            raise _UnknownError
        for side, extent in zip(sides, array.shape, strict=True):
            if not 0 <= side.start < side.stop <= extent:
                raise _UnknownError
        return array[tuple(sides)]
