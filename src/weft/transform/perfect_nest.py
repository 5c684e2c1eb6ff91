"""Perfect nests: loops that compute one element in each iteration, without a fault, and store it. No pass itself."""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import Scalar


@dataclass(frozen=True)
class Nest:
    """A perfect nest: its loops, and the statements inside, of which the last one stores."""

    loops: tuple[n.For, ...]
    statements: tuple[n.Statement, ...]
    store: n.Store

    @property
    def indices(self) -> tuple[n.Atom, ...]:
        """The counters, outermost first."""
        return tuple(loop.index for loop in self.loops)


def perfect_nest(statement: n.Statement) -> Nest | None:
    """A perfect nest that computes one element in each iteration, without a fault, and stores it."""
    loops: list[n.For] = []
    while isinstance(statement, n.For):
        if statement.args or statement.claim != "range" or statement.exit is not None:
            return None
        loops.append(statement)
        if len(statement.body.statements) != 1 or not isinstance(statement.body.statements[0], n.For):
            break
        statement = statement.body.statements[0]
    if not loops:
        return None
    *before, last = loops[-1].body.statements or (None,)
    if not isinstance(last, n.Store) or last.mask is not None or last.bounds != "safe":
        return None
    if not all(isinstance(s, n.Let) and _is_harmless(s) for s in before):
        return None
    return Nest(tuple(loops), tuple(s for s in before if s is not None), last)


def _is_harmless(statement: n.Let) -> bool:
    """Whether a definition inside a nest may run at another time: it cannot raise, and reads elements alone."""
    value = statement.value
    if isinstance(value, n.Load):
        return value.bounds == "safe" and value.mask is None
    return isinstance(statement.var.type, Scalar) and not may_raise(value, statement.var.type)
