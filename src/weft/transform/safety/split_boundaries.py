"""Borders: what is decided in all but the first and last iterations of a parallel loop is not asked in the others.

``column = min(max(x + dx, 0), width - 1)`` matters at the edges of a picture; between them, `column` is ``x + dx``. The
loop over `x` becomes two: one over the iterations for which minima, maxima and comparisons of its counter come out the
usual way, whatever the loops inside do, and one over the iterations before and after. The same holds for remainders:
``(x - 1) % width``, the column before on a ring, is ``x - 1`` in all iterations but the first. What is asked is linear
in the counter, which stands there once. Only for loops that carry nothing and cannot raise, so that the order does not
matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis.access.structure import Loop
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import ZERO, Form, Positive, positive
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import has_fewer_trips, rewrite, substitute, walk
from weft.transform.emit import Emitter
from weft.transform.peel import Copies
from weft.transform.safety.hull import fits
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import ranges_of, with_loops

MOST_STATEMENTS = 60
"""Larger loops do not stand twice."""

FEW = 8
"""What holds in at most so many iterations is not the usual."""

MOST_SYMBOLS = 8
"""How many maxima and counters of a question are looked at."""


def split_boundaries(program: n.Program) -> n.Program:
    """Take the first and last iterations out of loops which are simpler without."""
    if not any(isinstance(s, n.For) and s.mapping == "parallel" and _asks(s) for s in walk(program.body)):
        return program
    work = _Borders(ranges_of(program), Copies(program))
    body = work.block(program.body)
    return program if body is program.body else dce(fold(replace(program, body=body)))


def _asks(loop: n.For) -> bool:
    return any(isinstance(s, n.Let) and _is_question(s) for s in walk(loop.body))


_ARITHMETIC = (n.Binary, n.Unary, n.Compare, n.Select, n.Cast, n.Dim)
"""What is the same when it is computed again, whatever was stored meanwhile."""


def _is_question(let: n.Let) -> bool:
    value = let.value
    if isinstance(value, n.Compare):
        return value.op in _TRUE and is_integer(value.left.type) and is_integer(value.right.type)
    return isinstance(value, n.Binary) and value.op in ("min", "max", "mod") and let.var.type == PYINT


def _is_rare(let: n.Let, loop: n.For) -> bool:
    """Whether a remainder is computed once for all iterations of the loops inside, or is mostly another number than
    what is divided: by a constant of which the loop may have many times as many iterations.
    """
    value = let.value
    if not isinstance(value, n.Binary) or value.op != "mod":
        return False
    if isinstance(value.right, n.Const) and not has_fewer_trips(loop, 2 * int(value.right.value.real)):
        return True
    return let in loop.body.statements and any(isinstance(s, n.For) for s in walk(loop.body))


_TRUE = {"lt": (-1, -1), "le": (-1, 0), "gt": (1, -1), "ge": (1, 0)}
"""A comparison holds where so many times left minus right, plus a number, is not negative."""


class _Borders:
    def __init__(self, ranges: Ranges, copies: Copies) -> None:
        self.ranges = ranges
        self.copies = copies

    def block(self, block: n.Block) -> n.Block:
        return with_loops(block, self._loop)

    def _loop(self, loop: n.For) -> tuple[n.Statement, ...] | None:
        """What stands for a loop; None where only loops inside may change."""
        where = self.ranges.structure.loops.get(loop.label)
        if where is None or not _suits(loop):
            return None
        emitter = Emitter(self.ranges.structure, where.region, where.position, self.copies.names, loop.location)
        usual = _Usual(self.ranges, where, loop, emitter)
        for statement in walk(loop.body):
            if isinstance(statement, n.Let) and _is_question(statement) and not _is_rare(statement, loop):
                usual.ask(statement)
        if usual.answers:
            return self._apart(loop, usual, emitter)
        body = self.block(loop.body)
        return (loop,) if body is loop.body else self._spread(replace(loop, body=body))

    def _apart(self, loop: n.For, usual: _Usual, emitter: Emitter) -> tuple[n.Statement, ...]:
        low, high = loop.start, loop.stop
        for atom in usual.lows:
            low = emitter.let(n.Binary("max", low, atom, checked=False))
        for atom in usual.stops:
            high = emitter.let(n.Binary("min", high, atom, checked=False))
        low = emitter.let(n.Binary("min", low, loop.stop, checked=False))
        high = emitter.let(n.Binary("max", high, low, checked=False))
        outside = self._outside(loop, low, high, emitter)
        body = rewrite(loop.body, lambda s: () if isinstance(s, n.Let) and s.var.name in usual.answers else s)
        inside = replace(loop, start=low, stop=high, body=self.block(substitute(body, usual.answers)))
        return (*emitter.statements, *self._spread(inside), outside)

    def _spread(self, loop: n.For) -> tuple[n.For, ...]:
        """A loop for each of the loops in a loop that does nothing else, so that all remain nests without gaps."""
        loops = [s for s in loop.body.statements if isinstance(s, n.For)]
        lets = tuple(s for s in loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, _ARITHMETIC))
        if len(loops) < 2 or len(loops) + len(lets) < len(loop.body.statements) or any(s.args for s in loops):
            return (loop,)
        first, *others = (replace(loop, body=n.Block((*lets, inner))) for inner in loops)
        copies = (s for other in others for s in self.copies.block(n.Block((other,))).statements)
        return (first, *(s for s in copies if isinstance(s, n.For)))

    def _outside(self, loop: n.For, low: n.Atom, high: n.Atom, emitter: Emitter) -> n.For:
        """The loop over what is below `low`, and not below `high`."""
        gap = emitter.op("sub", high, low)
        trips = emitter.op("sub", emitter.op("sub", loop.stop, loop.start), gap)
        (copy,) = self.copies.block(n.Block((loop,))).statements
        assert isinstance(copy, n.For)
        counter = self.copies.names.fresh(loop.index.stem, PYINT)
        below = self.copies.let(n.Binary("add", counter, loop.start, checked=False), PYINT, loop.location)
        above = self.copies.let(n.Binary("add", below.var, gap, checked=False), PYINT, loop.location)
        first = self.copies.let(n.Compare("lt", below.var, low), PYBOOL, loop.location)
        index = n.Let(copy.index, n.Select(first.var, below.var, above.var), loop.location)
        body = replace(copy.body, statements=(below, above, first, index, *copy.body.statements))
        return replace(copy, index=counter, start=n.Const(0), stop=trips, body=body)


def _suits(loop: n.For) -> bool:
    plain = loop.mapping == "parallel" and loop.exit is None and not loop.args and loop.index.type == PYINT
    return plain and not block_may_raise(loop.body) and sum(1 for _ in walk(loop.body)) <= MOST_STATEMENTS


class _Usual:
    """The iterations of a loop in which all questions have the usual answer, and the answers.

    `lows` are numbers of which the largest is the first such iteration, `stops` those of which the smallest is the end.
    """

    def __init__(self, ranges: Ranges, where: Loop, loop: n.For, emitter: Emitter) -> None:
        self.ranges = ranges
        self.where = where
        self.loop = loop
        self.emitter = emitter
        self.lows: list[n.Atom] = []
        self.stops: list[n.Atom] = []
        self.answers: dict[str, n.Atom] = {}
        self.settled: dict[str, Form] = {}
        """What maxima in forms are, by the answers."""

    def ask(self, let: n.Let) -> None:
        """Note the first answer that some iterations may give."""
        for forms, answer in _answers(let, self.ranges):
            if all(self._holds_in_some(form) for form in forms):
                known = answer.name if isinstance(answer, n.Var) else ""
                self.answers[let.var.name] = self.answers.get(known, answer)
                for form in forms:
                    self._settle(positive(form), form.substitute(self.settled))
                    self._settle(positive(-form), ZERO)
                return

    def _settle(self, maximum: Form, value: Form) -> None:
        (symbol,) = maximum.symbols or ("",)
        if isinstance(symbol, Positive) and maximum.is_atom:
            self.settled[symbol] = value

    def _holds_in_some(self, form: Form) -> bool:
        """Note where a form is not negative, whatever the loops inside do; False where nobody knows, or nowhere."""
        least = self._least(form.substitute(self.settled))
        factor = None if least is None else least.coefficient(self.loop.index.name).value
        if least is None or factor not in (1, -1) or least.degree(self.loop.index.name) != 1:
            return False
        rest = least.without(self.loop.index.name)
        limit = -rest if factor == 1 else rest + 1
        if not fits(limit, self.ranges) or self._has_few(limit, factor):
            return False
        atom = self.emitter.form(limit)
        if atom is not None:
            (self.lows if factor == 1 else self.stops).append(atom)
        return atom is not None

    def _has_few(self, limit: Form, factor: int) -> bool:
        """Whether at most some iterations are on the right side of a limit."""
        of = self.ranges.forms.of
        trips = of(self.loop.stop) - limit if factor == 1 else limit - of(self.loop.start)
        return self.ranges.nonnegative(FEW - trips, self.where.region)

    def _least(self, form: Form) -> Form | None:
        """The smallest value of a form over the loops inside; None where that is not known."""
        for _ in range(MOST_SYMBOLS):
            counters = [s for s in form.symbols if self._is_inner(s)]
            if not counters:
                return form
            last = max(counters, key=lambda s: self.ranges.structure.definitions[s].order)
            factor = form.coefficient(last).value if form.degree(last) == 1 else None
            loop = self.ranges.structure.definitions[last].statement
            if factor is None or not isinstance(loop, n.For):
                return None
            of = self.ranges.forms.of
            form = form.substitute({last: of(loop.start) if factor > 0 else of(loop.stop) - 1})
        return None

    def _is_inner(self, symbol: str) -> bool:
        definition = self.ranges.structure.definitions.get(symbol)
        inside = definition is not None and definition.kind == "index" and self.where.body.contains(definition.region)
        return inside and symbol != self.loop.index.name


def _answers(let: n.Let, ranges: Ranges) -> Iterator[tuple[tuple[Form, ...], n.Atom]]:
    """The answers to a question, each with forms that are not negative where it is right."""
    value = let.value
    assert isinstance(value, (n.Binary, n.Compare))
    left, right = ranges.forms.of(value.left), ranges.forms.of(value.right)
    difference = left - right
    if isinstance(value, n.Compare):
        factor, more = _TRUE[value.op]
        form = factor * difference + more
        yield (form,), n.Const(True, PYBOOL)
        yield (-form - 1,), n.Const(False, PYBOOL)
    elif value.op == "mod":
        yield (left, right - 1 - left), value.left
    else:
        difference = difference if value.op == "max" else -difference
        yield (difference,), value.left
        yield (-difference,), value.right
