"""How far from zero the integers of a kernel are: bounds by polynomials in what is known when it is launched.

A bound is a sum of products of extents and of absolute values of parameters, with factors that are not negative. So
whether all integers that indices are made of fit into 32 bits is one sum, which the launch can compute. Every value is
bounded by itself, also those that only other values are made of: nothing is known of a value that was not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple, TypeAlias

from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.types import PYINT, Scalar, Type, View
from weft.ir.visit import atoms_of, blocks_of, bound_inside, walk

Sum: TypeAlias = Mapping[tuple[str, ...], Fraction | int]
"""Factors by products of symbols: parameters by name, which stand for their absolute values, extents as `extent`."""

LARGEST = 2**31 - 2**16
"""What narrow integers stay below: so that what printers add to an index, such as a distance to ask ahead, fits too."""

EXACT = 2**53
"""Whole numbers up to here are exact in ``double``, in which a launch computes bounds."""

WIDE = "_wide"
"""How the names of kernels end that are for launches in which narrow indices do not fit."""

LIMITS = 2**31, 2**31 - 1
"""How far below and above zero the integers of 32 bits are."""

ZERO: Sum = {}


class Bound(NamedTuple):
    """A value is at least ``-low`` and at most `high`; None: nobody knows."""

    low: Sum | None = None
    high: Sum | None = None


UNKNOWN = Bound()

MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Comparisons with their sides exchanged."""


@dataclass(frozen=True)
class Widths:
    """What is known of the integers of a kernel.

    Attributes
    ----------
    narrow
        Names of the variables that indices and counters are made of, and that fit into 32 bits where each of `most` is
        at most `LARGEST`.
    most
        For each of these, and the opposite of it, one that is not less.
    nonnegative
        Names of variables that are not negative, at any launch.
    """

    narrow: frozenset[str]
    most: tuple[Sum, ...]
    nonnegative: frozenset[str]


def is_narrow(kernel: n.Kernel) -> bool:
    """Whether a kernel is the version of itself whose indices have 32 bits."""
    return any(hint.kind == "indices" and hint.amount == 32 for hint in kernel.hints)


def narrow_version(kernel: n.Kernel) -> n.Kernel:
    """The version of a kernel whose indices have 32 bits, unless its schedule says otherwise."""
    said = any(hint.kind == "indices" for hint in kernel.hints)
    return kernel if said else replace(kernel, hints=(*kernel.hints, n.Hint("indices", amount=32)))


def versions(kernel: n.Kernel) -> tuple[n.Kernel, ...]:
    """A kernel, and the one for launches whose indices do not fit."""
    if not is_narrow(kernel):
        return (kernel,)
    hints = tuple(hint for hint in kernel.hints if hint.kind != "indices")
    return kernel, replace(kernel, name=f"{kernel.name}{WIDE}", hints=hints)


def is_wide_version(name: str) -> bool:
    """Whether a kernel is the one for launches in which narrow indices would not fit."""
    return name.endswith(WIDE)


def why_wide(kernel: n.Kernel) -> str:
    """Why there is no version of a kernel with narrow indices; empty where there is one."""
    params = {param.name for param in kernel.params}
    for statement in walk(kernel.body):
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, VIEWS) and value.view.name in params:
            return f"it makes a view of {value.view.stem!r}"
        if isinstance(statement, n.Call):
            return f"it calls the function {statement.function!r}"
        if any(isinstance(v.type, View) for v in (*bound_inside(statement), *getattr(statement, "results", ()))):
            return "it chooses between arrays"
    return ""


def extent(view: n.Var, axis: int) -> str:
    """The symbol of an extent."""
    return f"{view.name}[{axis}]"


def bounds_of(kernel: n.Kernel) -> Mapping[str, Bound]:
    """The bounds of the integers of a kernel, by name."""
    return _Walker(kernel).bounds


def widths(kernel: n.Kernel) -> Widths:
    """Bound the integers of a kernel that is laid out."""
    walker = _Walker(kernel)
    bounds, narrow = walker.bounds, set[str]()
    sums: list[Sum] = []
    for name in sorted(_of_indices(kernel.body)):
        bound = bounds.get(name, UNKNOWN)
        if name in walker.from_end:
            narrow.add(name)
            sums.append(walker.from_end[name])
            continue
        if bound.low is None or bound.high is None:
            continue
        largest = joined(bound.low, bound.high)
        if _is_of_type(bound):
            narrow.add(name)
        elif largest.get((), 0) <= LARGEST:
            narrow.add(name)
            sums.append(largest)
    nonnegative = frozenset(name for name, bound in bounds.items() if bound.low == ZERO)
    return Widths(frozenset(narrow), _greatest_sums(sums), nonnegative)


def _greatest_sums(sums: Iterable[Sum]) -> tuple[Sum, ...]:
    """Few sums, one of which is not less than each of some others. Extents have to fit in any case."""
    alike: dict[frozenset[tuple[str, ...]], Sum] = {}
    for one in sums:
        key = frozenset(one) - {()}
        alike[key] = joined(alike.get(key, ZERO), one)
    found = sorted(alike.items(), key=lambda item: -len(item[0]))
    kept: list[Sum] = []
    for _, one in found:
        if not any(all(factor <= other.get(symbols, 0) for symbols, factor in one.items()) for other in kept):
            kept.append(one)
    return tuple(kept)


def _extents(kernel: n.Kernel) -> Iterator[str]:
    for param in kernel.params:
        if isinstance(param.type, View):
            yield from (extent(param, axis) for axis in range(param.type.ndim))


def _is_of_type(bound: Bound) -> bool:
    """Whether the values of a bound fit into 32 bits at any launch."""
    sides = zip(bound, LIMITS, strict=True)
    return all(side is not None and side.keys() <= {()} and side.get((), 0) <= limit for side, limit in sides)


# --------------------------------------------------------------------------------------------- what is an index


def _of_indices(body: n.Block) -> set[str]:
    """Names of the Python integers that indices and ends of loops are computed from, and of those that are compared
    with them. What is only computed with is not among them."""
    sources: dict[str, list[n.Atom]] = {}
    found: set[str] = set()
    compared: list[tuple[n.Atom, ...]] = []
    for statement in walk(body):
        found.update(_names(_places(statement)))
        for var, atoms in _flows(statement):
            sources.setdefault(var.name, []).extend(atoms)
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Compare):
            compared.append((statement.value.left, statement.value.right))
    waiting = list(found)
    while waiting:
        while waiting:
            new = set(_names(sources.get(waiting.pop(), ()))) - found
            found |= new
            waiting += new
        for pair in compared:
            names = set(_names(pair))
            if names & found:
                waiting += names - found
                found |= names
    return found


def _names(atoms: Iterable[n.Atom]) -> Iterator[str]:
    return (a.name for a in atoms if isinstance(a, n.Var) and a.type == PYINT)


def _places(statement: n.Statement) -> Iterator[n.Atom]:
    """What a statement uses as an index or as the end of a loop."""
    value = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(value, (n.Load, n.Store, n.Update)):
        yield from value.indices
    elif isinstance(value, n.Lanes):
        yield value.start
    elif isinstance(value, (n.Subview, n.Split)):
        yield from atoms_of(value)
    elif isinstance(value, n.For):
        yield from (value.index, value.start, value.stop)


def _flows(statement: n.Statement) -> Iterator[tuple[n.Var, Sequence[n.Atom]]]:
    """The integers that a statement defines, with those that they are made of."""
    if isinstance(statement, n.Let) and statement.var.type == PYINT:
        if isinstance(statement.value, (n.Binary, n.Unary, n.Select, n.Cast)):
            yield statement.var, atoms_of(statement.value)
    elif isinstance(statement, n.If):
        for result, *sides in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
            yield result, sides
    elif isinstance(statement, (n.For, n.While)):
        for arg, result, last in zip(statement.args, statement.results, statement.body.yields, strict=True):
            yield arg.var, (arg.init, last, result)
            yield result, (arg.var,)


# ------------------------------------------------------------------------------------------------------- bounds


class _Walker:
    """Bounds of all integers, found along the code."""

    def __init__(self, kernel: n.Kernel) -> None:
        self.bounds: dict[str, Bound] = {}
        self.made: dict[str, n.Expression] = {}
        self.from_end: dict[str, Sum] = {}
        """Integers that fit into 32 bits where these sums do."""
        self.extents = {symbol: _symbol(symbol) for symbol in _extents(kernel)}
        for param in kernel.params:
            if param.type == PYINT:
                self.bounds[param.name] = Bound(_symbol(param.name), _symbol(param.name))
        loops = sum(isinstance(s, n.For) and s.mapping == "blocks" for s in walk(kernel.body))
        own = kernel.params[len(kernel.params) - 2 * loops :] if loops else ()
        for offset, trip in zip(own[::2], own[1::2], strict=True):  # a launch in pieces moves the offset
            self.bounds[trip.name] = Bound(ZERO, _symbol(trip.name))
            self.bounds[offset.name] = Bound(ZERO, _symbol(trip.name))
        self.block(kernel.body)

    def of(self, atom: n.Atom) -> Bound:
        if isinstance(atom, n.Var):
            return self.bounds.get(atom.name) or _of_type(atom.type)
        if isinstance(atom.value, (bool, int)):
            value = int(atom.value)
            return Bound(_constant(-value), _constant(value))
        return UNKNOWN

    def block(self, block: n.Block) -> None:
        for statement in block.statements:
            if isinstance(statement, n.Let):
                self.made[statement.var.name] = statement.value
                self.bounds[statement.var.name] = self.value(statement.var.type, statement.value)
                added = self.counts_from_end(statement.value)
                if added is not None:
                    self.from_end[statement.var.name] = added
                else:  # what was found when nothing was known of what a loop carries
                    self.from_end.pop(statement.var.name, None)
            elif isinstance(statement, n.If):
                self.branch(statement)
            elif isinstance(statement, n.For):
                self.loop(statement)
            elif isinstance(statement, n.While):
                self.rounds(statement)
            else:
                for inner in blocks_of(statement):
                    self.block(inner)

    def value(self, type: Type, value: n.Expression) -> Bound:
        if type != PYINT:
            return _of_type(type)
        if isinstance(value, n.Undefined):
            return Bound(ZERO, ZERO)
        if isinstance(value, n.Dim):
            return Bound(ZERO, self.extents.get(extent(value.view, value.axis)))
        if isinstance(value, n.Cast):
            return self.of(value.operand)
        if isinstance(value, n.Select):
            return either(self.where(value.then, value.condition), self.of(value.orelse))
        if isinstance(value, n.Unary):
            inverse = _UNARY.get(value.op)
            return inverse(self.of(value.operand)) if inverse else UNKNOWN
        if isinstance(value, n.Binary):
            rule = _BINARY.get(value.op)
            return rule(self, value.left, value.right) if rule else UNKNOWN
        return UNKNOWN

    def where(self, atom: n.Atom, condition: n.Atom, depth: int = 2) -> Bound:
        """The bounds of an integer where a condition holds, by comparisons with it."""
        low, high = self.of(atom)
        for op, other in self.comparisons(atom, condition) if depth else ():
            bound = self.where(other, condition, depth - 1)
            if op in ("ge", "gt", "eq"):
                low = _less(bound.low, low)
            if op in ("le", "lt", "eq"):
                high = _less(bound.high, high)
        return Bound(low, high)

    def comparisons(self, atom: n.Atom, condition: n.Atom) -> Iterator[tuple[str, n.Atom]]:
        """What an integer is compared with where a condition holds, and how."""
        value = self.made.get(condition.name) if isinstance(condition, n.Var) else None
        if isinstance(value, n.Binary) and value.op == "and":
            yield from self.comparisons(atom, value.left)
            yield from self.comparisons(atom, value.right)
        elif isinstance(value, n.Compare) and value.left.type == PYINT:
            if value.left == atom:
                yield value.op, value.right
            elif value.right == atom:
                yield MIRRORED[value.op], value.left

    def counts_from_end(self, value: n.Expression) -> Sum | None:
        """Of ``i + (n if i < 0 else 0)`` with any i of 32 bits, the bound of n: then the sum has 32 bits, too."""
        if not (isinstance(value, n.Binary) and value.op == "add" and isinstance(value.right, n.Var)):
            return None
        added = self.made.get(value.right.name)
        if not (isinstance(added, n.Select) and added.orelse == n.Const(0) and _is_of_type(self.of(value.left))):
            return None
        is_negative = ("lt", n.Const(0)) in self.comparisons(value.left, added.condition)
        low, high = self.of(added.then)
        return high if is_negative and low == ZERO else None

    def branch(self, branch: n.If) -> None:
        self.block(branch.then)
        self.block(branch.orelse)
        for result, *sides in zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True):
            self.bounds[result.name] = either(*map(self.of, sides))

    def loop(self, loop: n.For) -> None:
        start, stop = self.of(loop.start), self.of(loop.stop)
        self.bounds[loop.index.name] = Bound(start.low, _join(start.high, stop.high))
        trips = None if stop.high is None or start.low is None else plus(stop.high, start.low)
        if loop.together is not None and loop.together.most and stop.high is not None:  # counts
            most = Bound(ZERO, times(stop.high, _constant(loop.together.most)))
            self.bounds.update({var.name: most for var in (*(arg.var for arg in loop.args), *loop.results)})
        if loop.mapping in ("blocks", "threads") or loop.together:  # what these carry they hand on, or fold
            self.block(loop.body)
            return
        self.carried(loop, lambda: self.block(loop.body), loop.body.yields, trips)

    def rounds(self, loop: n.While) -> None:
        def body() -> None:
            self.block(loop.condition)
            self.block(loop.body)

        self.carried(loop, body, loop.body.yields, None)

    def carried(
        self, loop: n.For | n.While, body: Callable[[], None], yields: Sequence[n.Atom], trips: Sum | None
    ) -> None:
        """Bounds of what a loop carries: what is there before, and as often as it runs what an iteration adds."""
        args = [arg for arg in loop.args if arg.var.type == PYINT]
        if args:
            lasts = [last for arg, last in zip(loop.args, yields, strict=True) if arg.var.type == PYINT]
            for arg in args:
                self.bounds[arg.var.name] = Bound(_symbol(f"-{arg.var.name}"), _symbol(f"+{arg.var.name}"))
            body()
            found = [
                Bound(
                    _grown(self.of(arg.init).low, f"-{arg.var.name}", self.of(last).low, trips),
                    _grown(self.of(arg.init).high, f"+{arg.var.name}", self.of(last).high, trips),
                )
                for arg, last in zip(args, lasts, strict=True)
            ]
            self.bounds.update({arg.var.name: bound for arg, bound in zip(args, found, strict=True)})
        body()
        for arg, result in zip(loop.args, loop.results, strict=True):
            self.bounds[result.name] = self.of(arg.var)


def _grown(init: Sum | None, own: str, last: Sum | None, trips: Sum | None) -> Sum | None:
    """The bound of what is carried, from the bounds at first and after an iteration, which may hold `own`: itself."""
    if init is None or last is None:
        return None
    rest = {symbols: factor for symbols, factor in last.items() if symbols != (own,)}
    if last.get((own,), 1) != 1 or any(s[0] in "+-" for symbols in rest for s in symbols):
        return None
    if (own,) not in last:
        return joined(init, rest)
    if not rest:
        return init
    return None if trips is None else plus(init, times(trips, rest))


def _of_type(type: Type) -> Bound:
    """The bounds of all values of a type."""
    if not isinstance(type, Scalar) or type.kind not in "biu" or type.bits > 32:
        return UNKNOWN
    if type.kind == "b":
        return Bound(ZERO, _constant(1))
    if type.kind == "u":
        return Bound(ZERO, _constant(2**type.bits - 1))
    return Bound(_constant(2 ** (type.bits - 1)), _constant(2 ** (type.bits - 1) - 1))


# --------------------------------------------------------------------------------------------------------- sums


def _symbol(name: str) -> Sum:
    return {(name,): 1}


def _constant(value: int) -> Sum:
    return {(): value} if value > 0 else ZERO


def plus(a: Sum, b: Sum) -> Sum:
    """The sum of two bounds."""
    if not a or not b:
        return a or b
    made = dict(a)
    for symbols, factor in b.items():
        made[symbols] = made.get(symbols, 0) + factor
    return made


def times(a: Sum, b: Sum) -> Sum:
    """The product of two bounds."""
    made: dict[tuple[str, ...], Fraction | int] = {}
    for left, p in a.items():
        for right, q in b.items():
            symbols = tuple(sorted(left + right)) if left and right else left or right
            made[symbols] = made.get(symbols, 0) + p * q
    return made


def joined(a: Sum, b: Sum) -> Sum:
    """A bound that neither of two exceeds."""
    if not a or not b or a == b:
        return a or b
    made = dict(a)
    for symbols, factor in b.items():
        made[symbols] = max(made.get(symbols, 0), factor)
    return made


def value_of(most: Sum, values: Mapping[str, int]) -> Fraction:
    """A bound for given values of its symbols."""
    total = Fraction(0)
    for symbols, factor in most.items():
        for symbol in symbols:
            factor *= abs(values[symbol])
        total += factor
    return total


def in_whole_numbers(most: Sum) -> tuple[dict[tuple[str, ...], int], int]:
    """A bound times what makes its factors whole, and what it may be at most then.

    Numbers up to the limit are exact in ``double``: factors that would need more digits are rounded up.
    """
    unit = lcm(*(Fraction(factor).denominator for factor in most.values()))
    unit = unit if LARGEST * unit < EXACT else 1
    return {symbols: ceil(factor * unit) for symbols, factor in most.items()}, LARGEST * unit


def either(a: Bound, b: Bound) -> Bound:
    """The bounds of one of two values."""
    return Bound(_join(a.low, b.low), _join(a.high, b.high))


def _join(a: Sum | None, b: Sum | None) -> Sum | None:
    return None if a is None or b is None else joined(a, b)


def _plus(a: Sum | None, b: Sum | None) -> Sum | None:
    return None if a is None or b is None else plus(a, b)


def _less(a: Sum | None, b: Sum | None) -> Sum | None:
    """One of two bounds which both hold: the one that is less for large values of the symbols."""
    if a is None or b is None:
        return b if a is None else a
    return min(a, b, key=lambda bound: (_degree(bound), len(bound), max(bound.values(), default=0)))


def _degree(bound: Sum) -> float:
    """How fast a bound grows; the limits of a type are more than an extent is."""
    degree = max(map(len, bound), default=-1)
    return degree if bound.get((), 0) < 2**24 else max(degree, 1.5)


def _scaled(a: Sum | None, factor: Fraction | int) -> Sum | None:
    return None if a is None else {symbols: one * factor for symbols, one in a.items()}


def _sum(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, b = walker.of(left), walker.of(right)
    return Bound(_plus(a.low, b.low), _plus(a.high, b.high))


def _difference(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, b = walker.of(left), walker.of(right)
    return Bound(_plus(a.low, b.high), _plus(a.high, b.low))


def _product(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    return _multiplied(walker.of(left), walker.of(right))


def _multiplied(a: Bound, b: Bound) -> Bound:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Bound(ZERO, None) if a.low == ZERO == b.low else UNKNOWN
    high = joined(times(a.low, b.low), times(a.high, b.high))
    return Bound(joined(times(a.low, b.high), times(a.high, b.low)), high)


def _quotient(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, divisor = walker.of(left), _positive(right)
    if divisor is not None:
        share = Fraction(1, divisor)
        return Bound(a.low if not a.low else _plus(_scaled(a.low, share), _constant(1)), _scaled(a.high, share))
    if a.low == ZERO == walker.of(right).low:
        return a
    both = _join(a.low, a.high)  # rounded down, a quotient is no further from zero than what is divided
    return Bound(both, both)


def _shifted(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    by = _positive(right)
    return UNKNOWN if by is None or by > 62 else _quotient(walker, left, n.Const(1 << by))


def _remainder(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, b, divisor = walker.of(left), walker.of(right), _positive(right)
    if divisor is not None:
        return Bound(ZERO, _constant(divisor - 1))
    if b.low == ZERO:
        return Bound(ZERO, _less(a.high, b.high) if a.low == ZERO else b.high)
    return Bound(b.low, b.high)


def _least(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, b = walker.of(left), walker.of(right)
    return Bound(_join(a.low, b.low), _less(a.high, b.high))


def _greatest(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, b = walker.of(left), walker.of(right)
    return Bound(_less(a.low, b.low), _join(a.high, b.high))


def _common_bits(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    signless = [bound.high for bound in (walker.of(left), walker.of(right)) if bound.low == ZERO]
    return Bound(ZERO, _less(signless[0], signless[-1])) if signless else UNKNOWN


def _any_bits(walker: _Walker, left: n.Atom, right: n.Atom) -> Bound:
    a, b = walker.of(left), walker.of(right)
    return Bound(ZERO, _plus(a.high, b.high)) if a.low == ZERO == b.low else UNKNOWN


def _positive(atom: n.Atom) -> int | None:
    """The value of a constant that is positive."""
    return int(atom.value.real) if isinstance(atom, n.Const) and atom.value.real > 0 else None


_BINARY: dict[str, Callable[[_Walker, n.Atom, n.Atom], Bound]] = {
    "add": _sum,
    "sub": _difference,
    "mul": _product,
    "floordiv": _quotient,
    "mod": _remainder,
    "shr": _shifted,
    "min": _least,
    "max": _greatest,
    "and": _common_bits,
    "or": _any_bits,
    "xor": _any_bits,
}

_UNARY: dict[str, Callable[[Bound], Bound]] = {
    "pos": lambda a: a,
    "neg": lambda a: Bound(a.high, a.low),
    "abs": lambda a: Bound(ZERO, _join(a.low, a.high)),
    "invert": lambda a: Bound(_plus(a.high, _constant(1)), a.low),
}
