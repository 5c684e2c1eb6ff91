"""Every other: a loop whose iterations do something where a remainder of their counter says so makes these alone.

``for j in ...: if (i + j) % 2 == colour: u[i, j] = ...`` steps from one such `j` to the next. Vectors then hold what is
computed, and do not load again what the vector before has stored under a mask, which processors wait for. For loops
that carry nothing, where the branch is all that they do.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import Form, constant, symbol
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, written_views
from weft.ir.types import PYINT
from weft.ir.visit import Names, walk
from weft.transform.emit import Emitter
from weft.transform.loops.rows_and_columns import division_of
from weft.transform.safety.hull import fits
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import ranges_of, with_loops

FEWEST = 4
"""From so many on, stepping pays even where loads are all that is saved."""
MOST = 64
_ARITHMETIC = (n.Binary, n.Unary, n.Compare, n.Select, n.Cast, n.Dim)
_COSTLY = frozenset({"truediv", "floordiv", "mod", "pow"})


def every_other(program: n.Program) -> n.Program:
    """Step over iterations that do nothing."""
    if not any(isinstance(s, n.For) and s.mapping == "parallel" and _branch(s) is not None for s in walk(program.body)):
        return program
    ranges, names = ranges_of(program), Names.of(program)

    def change(block: n.Block) -> n.Block:
        return with_loops(block, one)

    def one(loop: n.For) -> tuple[n.Statement, ...] | None:
        where, branch = ranges.structure.loops.get(loop.label), _branch(loop)
        if where is not None and branch is not None and (found := _stepping(loop, branch, where, ranges, names)):
            return found
        body = change(loop.body)
        return None if body is loop.body else (replace(loop, body=body),)

    body = change(program.body)
    return program if body is program.body else dce(fold(replace(program, body=body)))


def _branch(loop: n.For) -> n.If | None:
    """The branch that is all that a loop does, besides sums from which its condition follows."""
    *lets, last = loop.body.statements or (None,)
    if loop.mapping != "parallel" or loop.args or loop.exit is not None or loop.index.type != PYINT:
        return None
    if not isinstance(last, n.If) or last.results or block_may_raise(loop.body):
        return None
    if last.then.statements and last.orelse.statements:
        return None
    if not all(isinstance(s, n.Let) and isinstance(s.value, _ARITHMETIC) for s in lets):
        return None
    return last if isinstance(last.condition, n.Var) else None


def _stepping(loop: n.For, branch: n.If, where: Loop, ranges: Ranges, names: Names) -> tuple[n.Statement, ...] | None:
    """The loop over the iterations in which a remainder has the value that the branch asks for."""
    asked = _asked(branch, where, ranges)
    if asked is None:
        return None
    rest, wanted, sign, step = asked
    if step < FEWEST and not _waits_or_costs(branch, ranges):
        return None
    ahead = (wanted - rest) * sign - ranges.forms.of(loop.start)
    if step & (step - 1) and not fits(ahead, ranges, limited=False):
        return None  # of what wraps, remainders by powers of two are right
    emitter = Emitter(ranges.structure, where.region, where.position, names, loop.location)
    moved, value = emitter.form(ahead), emitter.form(wanted)
    if moved is None or value is None:
        return None
    offset = emitter.op("mod", moved, step)
    first = emitter.op("add", loop.start, offset)
    span = emitter.op("sub", emitter.trips(loop.start, loop.stop), offset)
    trips = emitter.op("floordiv", emitter.op("add", span, step - 1), step)
    if wanted.value is None:
        is_one = emitter.both((emitter.compare("ge", value, 0), emitter.compare("lt", value, step)))
        trips = emitter.select(is_one, trips, n.Const(0))
    elif not 0 <= wanted.value < step:
        return None
    count = names.fresh(loop.index.stem, PYINT)
    scaled = n.Let(names.fresh("t", PYINT), n.Binary("mul", count, n.Const(step), checked=False), loop.location)
    index = n.Let(loop.index, n.Binary("add", first, scaled.var, checked=False), loop.location)
    lets = tuple(s for s in loop.body.statements if s is not branch)
    body = n.Block((scaled, index, *lets, *_side(branch).statements))
    return (*emitter.statements, replace(loop, index=count, start=n.Const(0), stop=trips, body=body))


def _side(branch: n.If) -> n.Block:
    """The side of a branch that does something."""
    return branch.then if branch.then.statements else branch.orelse


def _asked(branch: n.If, where: Loop, ranges: Ranges) -> tuple[Form, Form, int, int] | None:
    """When a branch does something: of ``(sign * counter + rest) % step == wanted`` the rest, wanted, sign and step."""
    structure = ranges.structure
    assert isinstance(branch.condition, n.Var) and isinstance(where.node, n.For)
    test = structure.definition(branch.condition).value
    if not isinstance(test, n.Compare) or test.op not in ("eq", "ne"):
        return None
    is_equal = (test.op == "eq") == (_side(branch) is branch.then)
    for left, right in ((test.left, test.right), (test.right, test.left)):
        found = structure.definition(left).statement if isinstance(left, n.Var) else None
        value = None if found is None else division_of(found)
        if value is None or value.op != "mod" or right.type != PYINT:
            continue
        dividend, step = ranges.forms.of(value.left), ranges.forms.of(value.right).value
        wanted, counter = ranges.forms.of(right), where.node.index.name
        sign = dividend.coefficient(counter).value
        if step is None or not 2 <= step <= MOST or sign not in (1, -1) or dividend.degree(counter) != 1:
            continue
        rest = dividend - symbol(counter) * constant(sign)
        if any(structure.is_inside(name, where) for name in rest.names | wanted.names):
            continue
        if not is_equal:
            if step != 2 or wanted.value not in (0, 1):
                continue
            wanted = 1 - wanted
        return rest, wanted, sign, step
    return None


def _waits_or_costs(branch: n.If, ranges: Ranges) -> bool:
    """Whether a branch loads from what it stores to, or does what takes long."""
    statements = list(walk(_side(branch)))
    written = [view for s in statements for view in written_views(s)]
    for statement in statements:
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, n.Math) or (isinstance(value, n.Binary) and value.op in _COSTLY):
            return True
        if isinstance(value, n.Load) and any(ranges.aliases.may_alias(value.view, view) for view in written):
            return True
    return False
