"""Values that loops carry and raise by a constant: positions in an array that is filled, tiles that are done."""

from __future__ import annotations

from weft.ir import nodes as n


def step_of(body: n.Block, var: n.Var, position: int) -> float | None:
    """How much a carried value grows in an iteration at most; None where it is no counter."""
    return _Search(var).grown(body, body.yields[position])


class _Search:
    """Follows a value back to the one that an iteration began with."""

    def __init__(self, var: n.Var) -> None:
        self.var = var

    def grown(self, block: n.Block, atom: n.Atom) -> float | None:
        """How much larger an atom of a block is than the carried value."""
        if atom == self.var:
            return 0.0
        if not isinstance(atom, n.Var):
            return None
        for statement in block.statements:
            if isinstance(statement, n.Let) and statement.var.name == atom.name:
                return self._let(block, statement.value)
            results = getattr(statement, "results", ())
            for place, result in enumerate(results):
                if result.name == atom.name:
                    return self._result(block, statement, place)
        return None

    def _let(self, block: n.Block, value: n.Expression) -> float | None:
        if isinstance(value, n.Binary) and value.op == "add":
            for one, other in ((value.left, value.right), (value.right, value.left)):
                if isinstance(other, n.Const) and isinstance(other.value, int):
                    before = self.grown(block, one)
                    return None if before is None else before + other.value
        if isinstance(value, n.Select):
            return _larger(self.grown(block, value.then), self.grown(block, value.orelse))
        return None

    def _result(self, block: n.Block, statement: n.Statement, place: int) -> float | None:
        if isinstance(statement, n.If):
            sides = (self.grown(side, side.yields[place]) for side in (statement.then, statement.orelse))
            return _larger(*sides)
        if isinstance(statement, n.For):
            before = self.grown(block, statement.args[place].init)
            inner = step_of(statement.body, statement.args[place].var, place)
            return None if before is None or inner is None else before + inner
        return None


def _larger(one: float | None, other: float | None) -> float | None:
    found = [step for step in (one, other) if step is not None]
    return max(found, default=None)
