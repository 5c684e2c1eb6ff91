"""Delinearise: a loop over one flattened counter becomes the nest whose counters it was flattened from.

``for k in range(n * m): i, j = k // m, k % m`` visits the same places in the same order as two loops over `i` and `j`.
As a nest the counters are affine, so accesses have constant strides, bounds follow from the trips, and all that tiles,
vectorises and stages nests applies. The trips must be a multiple of the divisor for all sizes: that is exact division
of polynomials. Nests of more loops (``k // (m * p)``, ``k // p % m``, ``k % p``) come apart one loop at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from weft.analysis.access.structure import Loop, Structure
from weft.analysis.values.linear import ZERO, Extent, Form, Monomial
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, bound_inside, known_trips, rewrite, substitute, walk
from weft.transform.emit import Emitter
from weft.transform.parallel.parallelise import can_combine
from weft.transform.peel import Labels
from weft.transform.support import assume, judged, ranges_of, replace_at

MOST_LOOPS = 8
"""How many loops of a program are taken apart."""
DIVISIONS = ("floordiv", "mod")


def delinearise(program: n.Program, assuming: bool = True) -> n.Program:
    """Take flattened loops apart; with `assuming`, parameters that divide are assumed to be positive.

    Counters keep their order, so any body may run in the nest. Loops that may be left early stay, and claimed loops
    whose iterations are not proven to be independent: their errors name the counter that the user wrote.
    """
    for _ in range(MOST_LOOPS):
        changed = _first_changed(program, assuming)
        if changed is None:
            break
        program = changed
    return program


@dataclass(frozen=True)
class _Split:
    """How a loop is taken apart: its start and its stop are these multiples of the divisor."""

    loop: Loop
    node: n.For
    divisor: Form
    start: Form
    stop: Form

    def is_positive(self, ranges: Ranges, form: Form) -> bool:
        """Whether a form is not negative before the loop: where it is zero the loop has no iterations, or raises."""
        return ranges.nonnegative(form, self.loop.region)


def _first_changed(program: n.Program, assuming: bool) -> n.Program | None:
    if not any(_divides_counter(s) for s in walk(program.body)):
        return None
    ranges = ranges_of(program)
    for loop in ranges.structure.loops.values():
        if isinstance(loop.node, n.For) and _may_change(program, loop, loop.node):
            split = next(_splits(program, ranges, loop, loop.node, assuming), None)
            changed = None if split is None else _Nest(program, ranges, split, assuming).program()
            if changed is not None:
                return changed
    return None


def _divides_counter(statement: n.Statement) -> bool:
    return isinstance(statement, n.For) and any(_division(s, statement.index) for s in walk(statement.body))


def _division(statement: n.Statement, counter: n.Var) -> n.Binary | None:
    """The quotient or remainder of a counter that a statement computes."""
    value = statement.value if isinstance(statement, n.Let) else None
    if isinstance(value, n.Binary) and value.op in DIVISIONS and value.left == counter and value.right.type == PYINT:
        return value
    return None


def _may_change(program: n.Program, loop: Loop, node: n.For) -> bool:
    if node.exit is not None or node.mapping != "sequential" or node.index.type != PYINT:
        return False
    if any(_division(s, node.index) for s in walk(node.body)) and node.claim != "range":
        fact = judged(program).loops[loop.label]
        return fact.verdict in ("parallel", "reduction") and all(can_combine(c, frozenset()) for c in fact.carried)
    return node.claim == "range"


def _splits(program: n.Program, ranges: Ranges, loop: Loop, node: n.For, assuming: bool) -> Iterator[_Split]:
    """The ways to take a loop apart."""
    if known_trips(node) is not None:
        return
    inside = {var.name for var in bound_inside(node)}
    start, stop = ranges.forms.of(node.start), ranges.forms.of(node.stop)
    for divisor in _divisors(ranges, node):
        if divisor.names & inside or (divisor.value is not None and divisor.value < 2):
            continue
        first, last = divided(start, divisor), divided(stop, divisor)
        if first is not None and last is not None:
            split = _Split(loop, node, divisor, first, last)
            if split.is_positive(ranges, divisor) or (assuming and _are_known(program, (divisor,))):
                yield split


def _divisors(ranges: Ranges, node: n.For) -> list[Form]:
    """The divisors of a counter: first those of remainders that are divided again, then the smaller before products."""
    divisions = [(s, d) for s in walk(node.body) if (d := _division(s, node.index)) is not None]
    divided_again = {
        s.value.left
        for s in walk(node.body)
        if isinstance(s, n.Let) and isinstance(s.value, n.Binary) and s.value.op in DIVISIONS
    }
    found: dict[Form, tuple[bool, int]] = {}
    for statement, division in divisions:
        assert isinstance(statement, n.Let)
        divisor = ranges.forms.of(division.right)
        is_last = not (division.op == "mod" and statement.var in divided_again)
        degree = max((len(monomial) for monomial in divisor.terms), default=0)
        found[divisor] = min(found.get(divisor, (True, degree)), (is_last, degree))
    return sorted(found, key=lambda divisor: found[divisor])


def _are_known(program: n.Program, forms: Iterable[Form]) -> bool:
    """Whether forms can be computed at the call from the integers and the extents of arrays that it gives."""
    known = {p.var.name for p in program.params if p.var.type == PYINT or isinstance(p.var.type, View)}
    return all(form.names <= known and all(type(s) in (str, Extent) for s in form.symbols) for form in forms)


def divided(dividend: Form, divisor: Form) -> Form | None:
    """The polynomial that times `divisor` is `dividend`; None where there is none with integer coefficients."""
    if not divisor:
        return None
    lead, scale = max(divisor.terms.items(), key=_degree)
    quotient, rest = ZERO, dividend
    while rest:
        monomial, factor = max(rest.terms.items(), key=_degree)
        over = _without(monomial, lead)
        if over is None or factor % scale:
            return None
        term = Form({over: factor // scale})
        quotient, rest = quotient + term, rest - term * divisor
    return quotient


def _degree(term: tuple[Monomial, int]) -> tuple[int, Monomial]:
    """The place of a term in an order in which products keep their places: by degree, then by name."""
    return len(term[0]), term[0]


def _without(monomial: Monomial, factors: Monomial) -> Monomial | None:
    rest = list(monomial)
    for factor in factors:
        if factor not in rest:
            return None
        rest.remove(factor)
    return tuple(rest)


class _Nest:
    """Writes the nest that stands for a loop."""

    def __init__(self, program: n.Program, ranges: Ranges, split: _Split, assuming: bool) -> None:
        self.before = program
        self.ranges, self.split, self.node, self.assuming = ranges, split, split.node, assuming
        self.names, self.labels = Names.of(program), Labels(program)
        loop = split.loop
        self.emitter = Emitter(ranges.structure, loop.region, loop.position, self.names, split.node.location)
        self.assumed: dict[Form, None] = {}

    def program(self) -> n.Program | None:
        """The program with the nest in place of the loop; None where its bounds cannot be computed there."""
        bounds = [self.emitter.form(f) for f in (self.split.divisor, self.split.start, self.split.stop)]
        if any(b is None for b in bounds) or not self._positive(self.split.divisor):
            return None
        divisor, start, stop = (b for b in bounds if b is not None)
        nest: n.Statement = self._outer(divisor, start, stop)
        if self._may_be_long_and_empty():
            nest = self._if_any(nest, divisor)
        body = replace_at(self.before.body, {self.split.loop.path: (*self.emitter.statements, nest)})
        return self._assuming(replace(self.before, body=body))

    def _positive(self, form: Form) -> bool:
        """Whether a form is positive wherever the loop has iterations that use it, or is assumed to be."""
        if self.split.is_positive(self.ranges, form):
            return True
        if self.assuming and _are_known(self.before, (form,)):
            self.assumed[form - 1] = None
            return True
        return False

    def _may_be_long_and_empty(self) -> bool:
        """Whether the outer loop may have very many iterations in which the inner one has none."""
        if self.assumed or self.ranges.nonnegative(self.split.divisor - 1, self.split.loop.region):
            return False
        return not self.split.stop.is_linear

    def _if_any(self, nest: n.Statement, divisor: n.Atom) -> n.If:
        assert isinstance(nest, n.For)
        runs = self.emitter.compare("gt", divisor, 0, "runs")
        inner = tuple(self.names.fresh(r.stem, r.type) for r in nest.results)
        otherwise = n.Block((), tuple(a.init for a in nest.args))
        return n.If(runs, n.Block((replace(nest, results=inner),), inner), otherwise, nest.results, nest.location)

    def _assuming(self, program: n.Program) -> n.Program:
        if not self.assumed:
            return program
        structure = Structure((p.var for p in program.params), n.Block())
        emitter = Emitter(structure, structure.root, 0, self.names, program.location)
        condition = emitter.case(self.assumed, self.ranges)
        return assume(program, tuple(emitter.statements), condition, self.names)

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
            label=self.labels.fresh(node.label),
            index=column,
            start=n.Const(0),
            stop=divisor,
            body=body,
            args=inner_args,
            results=results,
        )
        return replace(node, index=row, start=start, stop=stop, body=n.Block((inner,), results), args=args)

    def _body(self, divisor: n.Atom, row: n.Var, column: n.Var) -> n.Block:
        """The body of the loop with its counter, quotients and remainders in terms of the two counters."""
        values: dict[str, n.Atom] = {}

        def changed(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            division = _division(statement, self.node.index)
            if division is None:
                return statement
            assert isinstance(statement, n.Let)
            scribe = Scribe(self.names, statement.location)
            value = self._value(scribe, division, divisor, row, column)
            if value is None:
                return statement
            values[statement.var.name] = value
            return tuple(scribe.statements)

        body = substitute(rewrite(self.node.body, changed), values)
        scribe = Scribe(self.names, self.node.location)
        counter = scribe.op("add", scribe.op("mul", row, divisor), column)
        body = substitute(body, {self.node.index.name: counter})
        return n.Block((*scribe.statements, *body.statements), body.yields)

    def _value(self, scribe: Scribe, division: n.Binary, divisor: n.Atom, row: n.Var, column: n.Var) -> n.Atom | None:
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
