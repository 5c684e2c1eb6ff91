"""Races: the errors that say which iterations of a loop meet where. No pass itself: part of
`weft.transform.parallel.runtime_dependence`."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.access.access import Access
from weft.analysis.dependence import wording
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.transform.parallel.conflict_marks import Marks
from weft.transform.parallel.inspector import State, Subscript, Touch
from weft.transform.peel import Copies

RACE = "weft.errors:RaceError"


def raised(pairs: Sequence[tuple[Marks, Touch, Touch]], state: State, node: n.For, copies: Copies) -> list[n.Statement]:
    """The RaceError of a loop, where a replay has found a race; `pairs` are what its codes mean, from 1."""
    raced = copies.let(n.Compare("ne", state.code, n.Const(0)), PYBOOL, node.location, "raced")
    body: list[n.Statement] = []
    for code, (marks, writer, touch) in enumerate(pairs, 1):
        met = copies.let(n.Compare("eq", state.code, n.Const(code)), PYBOOL, node.location)
        body += [met, n.If(met.var, _of_pair(marks, writer, touch, state, node, copies), location=node.location)]
    return [raced, n.If(raced.var, n.Block(tuple(body)), location=node.location)]


def _of_pair(marks: Marks, writer: Touch, touch: Touch, state: State, node: n.For, copies: Copies) -> n.Block:
    """Raises the error about one access and one of those that write."""
    lets, indices, rest = list[n.Statement](), list[n.Atom](), state.place

    def let(op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Atom:
        made = copies.let(n.Binary(op, left, right, False), PYINT, node.location)
        lets.append(made)
        return made.var

    for extent in reversed(marks.extents):
        indices.insert(0, let("mod", rest, extent))
        rest = let("floordiv", rest, extent)
    message = _message(marks, writer.access, touch.access, node)
    operands = (state.first, state.second, *indices)
    raised = n.Raise(RACE, message, operands, writer.access.location, touch.access.location)
    return n.Block((*lets, raised))


def _message(marks: Marks, first: Access, second: Access, node: n.For) -> str:
    """The message over the two iterations and the indices of the element."""
    variable = node.label.partition("@")[0]
    counted = f"iteration number {{}} of the loop over {variable}"  # the user's variable is a function of the counter
    iteration = f"iteration {variable} = {{}}" if node.index.stem == variable else counted
    what = [f"{iteration} {'writes' if access.writes else 'reads'} {_escaped(access)}" for access in (first, second)]
    axes = sorted((*marks.kept, *marks.fixed))
    subscripts = (_subscript_text(marks.fixed[axis]) if axis in marks.fixed else "{}" for axis in axes)
    element = f"{marks.view.stem}[{', '.join(subscripts)}]"
    return f"the iterations of this prange loop are not independent: {' and '.join(what)}: the same element {element}"


def _subscript_text(subscript: Subscript) -> str:
    atom = subscript.atom
    return atom.stem if isinstance(atom, n.Var) else str(atom.value)


def _escaped(access: Access) -> str:
    text = wording.access_text(access) + wording.line_of(access.location)
    return text.replace("{", "{{").replace("}", "}}")
