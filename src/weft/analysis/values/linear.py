"""Linear forms: polynomials with integer coefficients over the integer values of a program.

A form is a constant plus a sum of coefficients times monomials. A monomial is a product of symbols, so that ``n * i``
with a run-time `n` is a term like any other. A symbol is a string: the name of a variable, or one of the derived
symbols below, whose text says what it stands for. There is no symbol for a remainder: ``e % d`` is ``e - d * (e //
d)``.

Everything here is exact arithmetic on unbounded integers. Nothing here knows a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import TypeAlias

Monomial: TypeAlias = tuple[str, ...]
"""The symbols of a product, sorted; the empty tuple is 1."""

ONE: Monomial = ()
RUN = "@"
MOST_TERMS = 24
"""Forms with more terms than this are not multiplied out further: their value becomes a symbol of its own."""


def run_of(label: str) -> str:
    """The name that stands for one run of a loop: no variable has such a name."""
    return RUN + label


class Derived(str):
    """A symbol whose value is known from other forms. Two are equal when their texts are."""

    parts: tuple[Form, ...] = ()

    def rebuilt(self, parts: tuple[Form, ...], rename: Callable[[str], str]) -> Form:
        """The same function of other parts; `rename` gives arrays another name."""
        raise NotImplementedError

    @cached_property
    def depth(self) -> int:
        """How deep symbols stand inside of one another."""
        return 1 + max((part.depth for part in self.parts), default=0)

    @cached_property
    def inner(self) -> frozenset[str]:
        """The symbols that occur inside of it, however deep."""
        return frozenset().union(*(part.all_symbols for part in self.parts))

    def names(self) -> frozenset[str]:
        """The variables that the symbol depends on."""
        return frozenset().union(*(part.names for part in self.parts))


class Quotient(Derived):
    """``parts[0] // parts[1]``, rounded down; the divisor is not zero."""

    def rebuilt(self, parts: tuple[Form, ...], rename: Callable[[str], str]) -> Form:
        return quotient(*parts)


class Positive(Derived):
    """``max(parts[0], 0)``: how often a loop runs."""

    def rebuilt(self, parts: tuple[Form, ...], rename: Callable[[str], str]) -> Form:
        return positive(parts[0])


class Extent(Derived):
    """The extent of one axis of an array."""

    array: str
    axis: int

    def rebuilt(self, parts: tuple[Form, ...], rename: Callable[[str], str]) -> Form:
        return extent(rename(self.array), self.axis)

    def names(self) -> frozenset[str]:
        return frozenset((self.array,))


class Element(Derived):
    """An element of an integer array; `parts` are its indices.

    Equal versions mean that nothing was written between. A version is empty, where nobody writes the array, or the name
    of a run of a loop (`run_of`): it is another one whenever the loop starts anew.
    """

    array: str
    version: str

    def rebuilt(self, parts: tuple[Form, ...], rename: Callable[[str], str]) -> Form:
        return element(rename(self.array), parts, rename(self.version))

    def names(self) -> frozenset[str]:
        return super().names() | {self.array} | ({self.version} if self.version else frozenset())


class Form:
    """A polynomial with integer coefficients: immutable, hashable, equal when the terms are."""

    __slots__ = ("_all_symbols", "_hash", "_names", "_symbols", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms: dict[Monomial, int] = {m: c for m, c in terms.items() if c}
        self._hash: int | None = None
        self._names: frozenset[str] | None = None
        self._symbols: frozenset[str] | None = None
        self._all_symbols: frozenset[str] | None = None

    @classmethod
    def _of(cls, terms: dict[Monomial, int]) -> Form:
        """The form of terms of which none is zero."""
        form = cls.__new__(cls)
        form.terms = terms
        form._hash = form._names = form._symbols = form._all_symbols = None
        return form

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Form | int) -> Form:
        return self.plus(other, 1)

    __radd__ = __add__

    def __neg__(self) -> Form:
        return Form._of({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Form | int) -> Form:
        return self.plus(other, -1)

    def __rsub__(self, other: int) -> Form:
        return -self + other

    def __mul__(self, other: Form | int) -> Form:
        if isinstance(other, int):
            return Form._of({m: c * other for m, c in self.terms.items()}) if other else ZERO
        terms: dict[Monomial, int] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = tuple(sorted(left + right)) if left and right else left or right
                terms[monomial] = terms.get(monomial, 0) + a * b
        return Form(terms)

    __rmul__ = __mul__

    def plus(self, other: Form | int, factor: int) -> Form:
        """``self + other * factor``, for a factor that is not zero."""
        terms = dict(self.terms)
        if isinstance(other, int):
            _add(terms, ONE, other * factor)
            return Form._of(terms)
        for monomial, number in other.terms.items():
            total = terms.get(monomial, 0) + number * factor
            if total:
                terms[monomial] = total
            else:
                del terms[monomial]
        return Form._of(terms)

    @property
    def constant(self) -> int:
        """The constant term."""
        return self.terms.get(ONE, 0)

    @property
    def value(self) -> int | None:
        """The value where the form is a constant, else None."""
        if not self.terms:
            return 0
        return self.terms[ONE] if len(self.terms) == 1 and ONE in self.terms else None

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that occur in monomials; those inside of derived symbols are not looked at."""
        if self._symbols is None:
            self._symbols = frozenset(chain.from_iterable(self.terms))
        return self._symbols

    @property
    def all_symbols(self) -> frozenset[str]:
        """The symbols that occur in monomials, and those inside of derived symbols."""
        if self._all_symbols is None:
            inner = [symbol.inner for symbol in self.symbols if isinstance(symbol, Derived)]
            self._all_symbols = self.symbols.union(*inner)
        return self._all_symbols

    @property
    def names(self) -> frozenset[str]:
        """Every variable and array that the form depends on, also inside of derived symbols."""
        if self._names is None:
            found: set[str] = set()
            for symbol in self.symbols:
                found.update(symbol.names() if isinstance(symbol, Derived) else (symbol,))
            self._names = frozenset(found)
        return self._names

    @property
    def depth(self) -> int:
        """How deep derived symbols stand inside of one another."""
        return max((symbol.depth for symbol in self.symbols if isinstance(symbol, Derived)), default=0)

    @property
    def is_linear(self) -> bool:
        """Whether no monomial is a product."""
        return max(map(len, self.terms), default=0) <= 1

    @property
    def is_atom(self) -> bool:
        """Whether the text of the form needs no parentheses in a product."""
        return len(self.terms) <= 1 and all(c >= 0 and (c == 1 or not m) for m, c in self.terms.items())

    def degree(self, symbol: str) -> int:
        """The highest power of a symbol."""
        return max([monomial.count(symbol) for monomial in self.terms], default=0)

    def number_of(self, symbol: str) -> int | None:
        """The factor of a symbol that occurs, where no monomial is a product."""
        return self.terms.get((symbol,)) if self.is_linear else None

    def coefficient(self, symbol: str) -> Form:
        """The factor of a symbol of which no higher power occurs."""
        return Form._of({_divided(m, symbol): c for m, c in self.terms.items() if symbol in m})

    def without(self, symbol: str) -> Form:
        """The terms in which a symbol does not occur."""
        return Form._of({m: c for m, c in self.terms.items() if symbol not in m})

    def substitute(self, values: Mapping[str, Form]) -> Form:
        """The form with symbols replaced, also inside of derived symbols."""
        if self.all_symbols.isdisjoint(values):
            return self
        return self._mapped({s: _substituted(s, values) for s in self.symbols if _has(s, values)})

    def rename(self, inner: Callable[[str], bool], mark: str) -> Form:
        """The form for another instance: `mark` is appended to the names for which `inner` holds."""
        if not any(inner(name) for name in self.names):
            return self
        return self._mapped({symbol: _renamed(symbol, inner, mark) for symbol in self.symbols})

    def _mapped(self, values: Mapping[str, Form]) -> Form:
        """The form with some of the symbols of its monomials replaced."""
        result: dict[Monomial, int] = {}
        for monomial, factor in self.terms.items():
            if values.keys().isdisjoint(monomial):
                _add(result, monomial, factor)
                continue
            product = constant(factor)
            for name in monomial:
                product = product * (values[name] if name in values else symbol(name))
            for made, number in product.terms.items():
                _add(result, made, number)
        return Form._of(result)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The value for given values of the variables and of extents by their text (``a.shape[0]``)."""
        total = 0
        for monomial, factor in self.terms.items():
            for symbol in monomial:
                factor *= evaluate_symbol(symbol, values)
            total += factor
        return total

    def __str__(self) -> str:
        return _text(self.terms)

    def __repr__(self) -> str:
        return f"Form({self})"


def _add(terms: dict[Monomial, int], monomial: Monomial, number: int) -> None:
    """Add a term to terms of which none is zero."""
    total = terms.get(monomial, 0) + number
    if total:
        terms[monomial] = total
    elif monomial in terms:
        del terms[monomial]


ZERO = Form({})


def constant(value: int) -> Form:
    """The form of a constant."""
    return Form({ONE: value})


def symbol(name: str) -> Form:
    """The form of a symbol."""
    return Form({(name,): 1})


def moved_symbol(form: Form) -> tuple[str, int] | None:
    """The symbol that a form is at a constant distance from, and the distance; None where it is another form."""
    rest = form - form.constant
    name = next(iter(rest.symbols), "")
    return (name, form.constant) if name and rest == symbol(name) else None


def product(left: Form, right: Form) -> Form | None:
    """The product, or None where it has too many terms to be worth having."""
    if len(left.terms) * len(right.terms) > MOST_TERMS:
        return None
    return left * right


def quotient(dividend: Form, divisor: Form) -> Form:
    """``dividend // divisor`` rounded down, for a divisor that is not zero; its multiples leave the symbol.

    Where a proof tries zero for a symbol of the divisor, the case does not happen: nothing is known of the quotient.
    """
    if not divisor:
        return _undone(dividend, divisor)
    if all(factor < 0 for factor in divisor.terms.values()):
        return quotient(-dividend, -divisor)
    whole, rest = _split_multiples(dividend, divisor)
    number, size = rest.value, divisor.value
    if number is not None and size is not None:
        return whole + number // size
    if not rest:
        return whole
    return whole + _undone(rest, divisor)


def _undone(dividend: Form, divisor: Form) -> Form:
    name = Quotient(f"({dividend})//{divisor if divisor.is_atom else f'({divisor})'}")
    name.parts = (dividend, divisor)
    return symbol(name)


def remainder(dividend: Form, divisor: Form) -> Form:
    """``dividend % divisor`` as Python has it, for a divisor that is not zero."""
    _, rest = _split_multiples(dividend, divisor)
    return rest - divisor * quotient(rest, divisor)


def positive(form: Form) -> Form:
    """``max(form, 0)``."""
    value = form.value
    if value is not None:
        return constant(max(value, 0))
    if len(form.terms) == 1 and isinstance(next(iter(form.terms))[0], Positive) and form.is_atom and form.is_linear:
        return form
    name = Positive(f"max({form}, 0)")
    name.parts = (form,)
    return symbol(name)


def extent(array: str, axis: int) -> Form:
    """The extent of an axis of an array."""
    name = Extent(f"{array}.shape[{axis}]")
    name.array, name.axis = array, axis
    return symbol(name)


def element(array: str, indices: Iterable[Form], version: str = "") -> Form:
    """An element of an array that is not written."""
    parts = tuple(indices)
    name = Element(f"{array}{version}[{', '.join(map(str, parts))}]")
    name.array, name.parts, name.version = array, parts, version
    return symbol(name)


def _split_multiples(form: Form, divisor: Form) -> tuple[Form, Form]:
    """Forms `q` and `r` with ``form == divisor * q + r``; the coefficients of `r` are reduced by the divisor."""
    size = divisor.value
    if size is not None:
        whole = Form({m: c // size for m, c in form.terms.items()})
        return whole, form - whole * size
    if len(divisor.terms) != 1:
        return (constant(1), ZERO) if form == divisor else (ZERO, form)
    ((factors, scale),) = divisor.terms.items()
    whole_terms = {}
    for monomial, factor in form.terms.items():
        rest = quotient_of_products(monomial, factors)
        if rest is not None and factor % scale == 0:
            whole_terms[rest] = factor // scale
    whole = Form(whole_terms)
    return whole, form - whole * divisor


def quotient_of_products(monomial: Monomial, factors: Monomial) -> Monomial | None:
    """A product without some of its factors; None where it does not have them all."""
    rest = list(monomial)
    for factor in factors:
        if factor not in rest:
            return None
        rest.remove(factor)
    return tuple(rest)


def _divided(monomial: Monomial, factor: str) -> Monomial:
    place = monomial.index(factor)
    return monomial[:place] + monomial[place + 1 :]


def _has(name: str, values: Mapping[str, Form]) -> bool:
    """Whether a symbol is one of those to be replaced, or has one inside."""
    return name in values or (isinstance(name, Derived) and not name.inner.isdisjoint(values))


def _substituted(name: str, values: Mapping[str, Form]) -> Form:
    if name in values:
        return values[name]
    assert isinstance(name, Derived)
    return name.rebuilt(tuple(part.substitute(values) for part in name.parts), _same)


def _same(name: str) -> str:
    return name


def _renamed(name: str, inner: Callable[[str], bool], mark: str) -> Form:
    if isinstance(name, Derived):
        parts = tuple(part.rename(inner, mark) for part in name.parts)
        return name.rebuilt(parts, lambda array: array + mark if inner(array) else array)
    return symbol(name + mark) if inner(name) else symbol(name)


def evaluate_symbol(name: str, values: Mapping[str, int]) -> int:
    """The value of a symbol; KeyError where it is neither given nor known from what is given."""
    if name in values:
        return values[name]
    if isinstance(name, Quotient):
        return name.parts[0].evaluate(values) // name.parts[1].evaluate(values)
    if isinstance(name, Positive):
        return max(name.parts[0].evaluate(values), 0)
    raise KeyError(name)


def _text(terms: Mapping[Monomial, int]) -> str:
    if not terms:
        return "0"
    pieces = "".join(_piece(m, c) for m, c in sorted(terms.items(), key=_order_in_text))
    return pieces[3:] if pieces.startswith(" + ") else "-" + pieces[3:]


def _order_in_text(term: tuple[Monomial, int]) -> tuple[bool, bool, Monomial]:
    """Positive terms first, the constant last."""
    monomial, factor = term
    return (not monomial, factor < 0, monomial)


def _piece(monomial: Monomial, factor: int) -> str:
    sign = " - " if factor < 0 else " + "
    size = abs(factor)
    names = "*".join(monomial)
    if not names:
        return f"{sign}{size}"
    return f"{sign}{names}" if size == 1 else f"{sign}{size}*{names}"


def divisors(form: Form) -> Iterator[Form]:
    """What is divided by in a form, where that is no constant: the form has a value only where none of them is zero."""
    for name in form.symbols:
        if isinstance(name, Derived):
            if isinstance(name, Quotient) and name.parts[1].value is None:
                yield name.parts[1]
            for part in name.parts:
                yield from divisors(part)


def monomials(form: Form) -> Iterator[tuple[Monomial, int]]:
    """The terms other than the constant."""
    return ((m, c) for m, c in form.terms.items() if m)
