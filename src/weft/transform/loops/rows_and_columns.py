"""The nest that stands for a loop over one flattened counter: see `delinearise`.

If the number of iterations is no multiple of the divisor, the last row is a loop of its own after the nest. If the loop
starts inside of a row, the first row is a loop of its own before it. For devices there is also a version without these
loops, because a kernel is a single nest. It runs in calls in which the number is a multiple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace

from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import ZERO, Extent, Form, Monomial, quotient_of_products, symbol
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, View
from weft.ir.visit import rewrite, substitute, walk
from weft.transform.emit import Emitter, assuming
from weft.transform.peel import Copies
from weft.transform.support import replace_at

DIVISIONS = ("floordiv", "mod")
MOST_SHIFTED = 62


@dataclass(frozen=True)
class Split:
    """How a loop is taken apart.

    Its counter is `before` less than what is divided. `first` and `last` are the start and the stop in multiples of the
    divisor, None where they are none. `sure` says that the divisor is positive wherever the loop has iterations;
    otherwise that is assumed at the call, or where nobody knows it there, asked before the loop.
    """

    loop: Loop
    node: n.For
    divisor: Form
    before: Form
    first: Form | None
    last: Form | None
    sure: bool

    @property
    def is_whole(self) -> bool:
        """Whether the trips are a multiple of the divisor, and the start is one."""
        return self.first is not None and self.last is not None


def division_of(statement: n.Statement) -> n.Binary | None:
    """The quotient or remainder of Python integers that a statement computes, by a shift or a mask as well."""
    value = statement.value if isinstance(statement, n.Let) else None
    if not isinstance(value, n.Binary) or value.left.type != PYINT or value.right.type != PYINT:
        return None
    if value.op in DIVISIONS:
        return value
    number = value.right.value if isinstance(value.right, n.Const) else None
    if not isinstance(number, int):
        return None
    if value.op == "shr" and 0 <= number < MOST_SHIFTED:
        return replace(value, op="floordiv", right=n.Const(1 << number))
    if value.op == "and" and 0 < number < 1 << MOST_SHIFTED and number & (number + 1) == 0:
        return replace(value, op="mod", right=n.Const(number + 1))
    return None


def _dividends(ranges: Ranges, node: n.For, before: Form) -> Iterator[n.Atom]:
    """What is divided in a loop and is so much more than its counter."""
    divisions = (division for s in walk(node.body) if (division := division_of(s)) is not None)
    counter = symbol(node.index.name) + before
    return (division.left for division in divisions if ranges.forms.of(division.left) == counter)


def are_known(program: n.Program, form: Form) -> bool:
    """Whether a form can be computed at the call from the integers and the extents of arrays that it gives."""
    known = {p.var.name for p in program.params if p.var.type == PYINT or isinstance(p.var.type, View)}
    return form.names <= known and all(type(s) in (str, Extent) for s in form.symbols)


def divided(dividend: Form, divisor: Form) -> Form | None:
    """The polynomial that times `divisor` is `dividend`; None where there is none with integer coefficients."""
    if not divisor:
        return None
    lead, scale = max(divisor.terms.items(), key=_degree)
    quotient, rest = ZERO, dividend
    while rest:
        monomial, factor = max(rest.terms.items(), key=_degree)
        over = quotient_of_products(monomial, lead)
        if over is None or factor % scale:
            return None
        term = Form({over: factor // scale})
        quotient, rest = quotient + term, rest - term * divisor
    return quotient


def _degree(term: tuple[Monomial, int]) -> tuple[int, Monomial]:
    """The place of a term in an order in which products keep their places: by degree, then by name."""
    return len(term[0]), term[0]


class Nest:
    """Writes the nest that stands for a loop, and the loops over what is left before and after it."""

    def __init__(
        self, program: n.Program, ranges: Ranges, split: Split, assuming: bool, seen: set[str], parting: bool = True
    ) -> None:
        self.before, self.parting = program, parting
        self.ranges, self.split, self.node, self.assuming, self.seen = ranges, split, split.node, assuming, seen
        self.copies = Copies(program)
        self.names = self.copies.names
        loop = split.loop
        self.emitter = Emitter(ranges.structure, loop.region, loop.position, self.names, split.node.location)
        self.assumed: dict[Form, None] = {}

    def program(self) -> n.Program | None:
        """The program with the nest in place of the loop; None where its bounds cannot be computed there."""
        of, split, before = self.ranges.forms.of, self.split, self.emitter
        forms = (split.divisor, of(self.node.start) + split.before, of(self.node.stop) + split.before)
        bounds = [before.form(form) for form in forms]
        if before.form(split.before) is None or any(b is None for b in bounds):
            return None
        divisor, start, stop = (b for b in bounds if b is not None)
        is_asked = not split.sure and not (self.assuming and self._assume(split.divisor))
        if is_asked:
            runs = before.compare("gt", divisor, 0, "runs")
            self.emitter = self._inner()
        written = self._loops(divisor, start, stop)
        if written is None:
            return None
        if is_asked:
            written = [self._if(runs, [*self.emitter.statements, *written], self.copies.block(self._original()))]
        elif self._may_be_long_and_empty():
            runs = before.compare("gt", divisor, 0, "runs")
            written = [self._if(runs, written, n.Block((), self._inits()))]
        body = replace_at(self.before.body, {split.loop.path: (*before.statements, *written)})
        return assuming(replace(self.before, body=body), self.assumed, self.ranges, self.names)

    def _if(self, condition: n.Atom, then: list[n.Statement], orelse: n.Block) -> n.If:
        """A condition around statements of which the last gives the results."""
        *first, last = then
        assert isinstance(last, (n.For, n.If))
        inner = self._fresh_results()
        block = n.Block((*first, replace(last, results=inner)), inner)
        return n.If(condition, block, orelse, last.results, self.node.location)

    def _inits(self) -> tuple[n.Atom, ...]:
        return tuple(a.init for a in self.node.args)

    def _fresh_results(self) -> tuple[n.Var, ...]:
        return tuple(self.names.fresh(r.stem, r.type) for r in self.node.results)

    def _original(self) -> n.Block:
        """The loop as it was, which stays so."""
        label = self.copies.labels.fresh(self.node.label)
        self.seen.add(label)
        return n.Block((replace(self.node, label=label),), self.node.results)

    def _positive(self, form: Form) -> bool:
        """Whether a form is not negative before the loop, or is assumed to be positive."""
        return self.ranges.nonnegative(form, self.split.loop.region) or (self.assuming and self._assume(form))

    def _assume(self, form: Form) -> bool:
        if not are_known(self.before, form):
            return False
        self.assumed[form - 1] = None
        return True

    def _may_be_long_and_empty(self) -> bool:
        """Whether the outer loop may have very many iterations in which the inner one has none."""
        divisor, last = self.split.divisor, self.split.last
        if last is None or self.assumed or self.ranges.nonnegative(divisor - 1, self.split.loop.region):
            return False
        return not last.is_linear

    # ------------------------------------------------------------------------------------------------------- loops

    def _loops(self, divisor: n.Atom, start: n.Atom, stop: n.Atom) -> list[n.Statement] | None:
        """The loops that stand for the loop, in their order; each begins with the values that the one before left."""
        split = self.split
        first = None if split.first is None else self.emitter.form(split.first)
        last = None if split.last is None else self.emitter.form(split.last)
        if (first is None, last is None) != (split.first is None, split.last is None):
            return None
        if first is not None and last is not None:
            return list(self._linked([self._outer(divisor, first, last)]))
        if first is None and not self._starts_at_zero_or_more():
            return None

        def pieces() -> list[n.Statement]:
            return self._pieces(divisor, start, stop, first, last)

        if first is not None:
            if not self.parting:
                return [self._if_whole(divisor, first, stop, lambda: self._if_any(start, stop, pieces))]
            return [self._if_any(start, stop, pieces)]
        return [self._if_any(start, stop, lambda: [self._if_any(n.Const(0), stop, pieces)])]  # for proofs

    def _if_whole(self, divisor: n.Atom, first: n.Atom, stop: n.Atom, otherwise: Callable[[], n.If]) -> n.If:
        """The nest alone, for calls in which all rows are whole."""
        rest = self.emitter.op("mod", stop, divisor)
        whole = self.emitter.compare("eq", rest, 0, "whole")
        outside, self.emitter = self.emitter, self._inner()
        nest = self._outer(divisor, first, self.emitter.op("floordiv", stop, divisor))
        inside, self.emitter = self.emitter, self._inner()
        parts, apart, self.emitter = otherwise(), self.emitter, outside
        (own,) = self.copies.block(n.Block((parts,), parts.results)).statements
        results = tuple(v for v in own.results) if isinstance(own, n.If) else ()
        return self._if(whole, [*inside.statements, nest], n.Block((*apart.statements, own), results))

    def _pieces(
        self, divisor: n.Atom, start: n.Atom, stop: n.Atom, first: n.Atom | None, last: n.Atom | None
    ) -> list[n.Statement]:
        """The loops where there are iterations.

        The last row stands alone, though it may be a whole one: so its quotient is always that of an iteration.
        """
        emitter, loops = self.emitter, list[n.For]()
        if first is None:
            row = emitter.op("floordiv", start, divisor)
            base = emitter.op("mul", row, divisor)
            end = emitter.op("min", divisor, emitter.op("sub", stop, base))
            loops.append(self._row(divisor, row, emitter.op("sub", start, base), end))
            first = emitter.op("add", row, 1)
        if last is not None:
            return list(self._linked([*loops, self._outer(divisor, first, last)]))
        last = emitter.op("floordiv", emitter.op("sub", stop, 1), divisor)
        end = emitter.op("sub", stop, emitter.op("mul", last, divisor))
        loops += [self._outer(divisor, first, last), self._row(divisor, last, n.Const(0), end)]
        *before, nest, after = self._linked(loops)
        if not before:
            return [nest, after]
        more = emitter.compare("le", first, last, "runs")
        return [*before, self._if(more, [nest, after], n.Block((), before[-1].results))]

    def _if_any(self, start: n.Atom, stop: n.Atom, loops: Callable[[], list[n.Statement]]) -> n.If:
        """Loops where there are iterations, with what they need."""
        runs = self.emitter.compare("lt", start, stop, "runs")
        outside, self.emitter = self.emitter, self._inner()
        written = loops()
        inside, self.emitter = self.emitter, outside
        return self._if(runs, [*inside.statements, *written], n.Block((), self._inits()))

    def _inner(self) -> Emitter:
        """One that writes what stands under a condition."""
        inner = copy(self.emitter)
        inner.statements, inner._emitted = [], dict(self.emitter._emitted)
        return inner

    def _linked(self, loops: list[n.For]) -> Iterator[n.For]:
        """Loops each of which begins with the values that the one before left."""
        inits = self._inits()
        for loop in loops:
            results = self.node.results if loop is loops[-1] else self._fresh_results()
            args = tuple(replace(a, init=init) for a, init in zip(loop.args, inits, strict=True))
            yield replace(loop, args=args, results=results)
            inits = results

    def _starts_at_zero_or_more(self) -> bool:
        start = self.ranges.forms.of(self.node.start)
        proven = self.ranges.nonnegative(start, self.split.loop.region)
        return proven or (self.assuming and self._assume(start + 1))

    def _row(self, divisor: n.Atom, row: n.Atom, low: n.Atom, high: n.Atom) -> n.For:
        """A loop over some remainders with one quotient."""
        column = self.names.fresh(self.node.index.stem, PYINT)
        body = self._body(divisor, row, column)
        loop = replace(self.node, index=column, start=low, stop=high, body=body)
        return self.copies.loop(loop, low, high, tuple(a.init for a in loop.args))

    def _outer(self, divisor: n.Atom, start: n.Atom, stop: n.Atom) -> n.For:
        """The loop over quotients, around one over remainders."""
        node, fresh = self.node, self.names.fresh
        row, column = fresh(node.index.stem, PYINT), fresh(node.index.stem, PYINT)
        args = tuple(n.LoopArg(fresh(a.var.stem, a.var.type), a.init, a.combine) for a in node.args)
        inner_args = tuple(replace(a, init=outer.var) for a, outer in zip(node.args, args, strict=True))
        results = tuple(fresh(r.stem, r.type) for r in node.results)
        body = self._body(divisor, row, column)
        inner = replace(
            node,
            label=self.copies.labels.fresh(node.label),
            index=column,
            start=n.Const(0),
            stop=divisor,
            body=body,
            args=inner_args,
            results=results,
        )
        return replace(node, index=row, start=start, stop=stop, body=n.Block((inner,), results), args=args)

    def _body(self, divisor: n.Atom, row: n.Atom, column: n.Var) -> n.Block:
        """The body of the loop with its counter, quotients and remainders in terms of the two counters."""
        values: dict[str, n.Atom] = {}
        node = self.node
        inside = Scribe(self.names, node.location)
        divided = inside.op("add", inside.op("mul", row, divisor), column)
        before = self.emitter.form(self.split.before)
        assert before is not None
        counter = inside.op("sub", divided, before)
        dividends = set(_dividends(self.ranges, node, self.split.before))

        def changed(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            division = division_of(statement)
            if division is None or division.left not in dividends:
                return statement
            assert isinstance(statement, n.Let)
            scribe = Scribe(self.names, statement.location)
            value = self._value(scribe, division, divisor, row, column)
            if value is None:
                return statement
            values[statement.var.name] = value
            return tuple(scribe.statements)

        body = substitute(rewrite(node.body, changed), values)
        body = substitute(body, {node.index.name: counter})
        return n.Block((*inside.statements, *body.statements), body.yields)

    def _value(self, scribe: Scribe, division: n.Binary, divisor: n.Atom, row: n.Atom, column: n.Var) -> n.Atom | None:
        """A quotient or remainder of the flattened counter, by what its divisor is a multiple of, or divides.

        With ``k = row * d + column`` and a positive `m`: ``k // (d * m)`` is ``row // m``, and ``k % (d * m)`` is
        ``row % m * d + column``. For ``d = e * m``, ``k // e`` is ``row * m + column // e``, and ``k % e`` is
        ``column % e``.
        """
        other, own = self.ranges.forms.of(division.right), self.split.divisor
        if other == own:
            return row if division.op == "floordiv" else column
        inner = scribe.let(n.Binary(division.op, column, division.right, division.checked))
        if (times := divided(own, other)) is not None and (factor := self.emitter.form(times)) is not None:
            return inner if division.op == "mod" else scribe.op("add", scribe.op("mul", row, factor), inner)
        scribe.statements.clear()
        times = divided(other, own)
        factor = None if times is None else self.emitter.form(times)
        if times is None or factor is None or not self._positive(times):
            return None
        outer = scribe.let(n.Binary(division.op, row, factor, division.checked))
        return outer if division.op == "floordiv" else scribe.op("add", scribe.op("mul", outer, divisor), column)
