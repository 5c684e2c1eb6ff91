"""What a block does by itself, as counts by operation and type: the interpreter multiplies them by its runs."""

from __future__ import annotations

from collections import Counter

from weft.ir import nodes as n
from weft.ir.types import Scalar, Type, Vector, View


def operations_of(block: n.Block) -> Counter[tuple[str, str]]:
    """The operations and accesses that a block does by itself, by name and type; a vector counts its lanes."""
    counts: Counter[tuple[str, str]] = Counter()
    for statement in block.statements:
        if isinstance(statement, n.Let):
            _count_expression(counts, statement)
        elif isinstance(statement, (n.Store, n.Update)) and isinstance(statement.view.type, View):
            lanes = lanes_of(statement.value, *statement.indices) or 1
            counts[kind_of(statement), str(statement.view.type.element)] += lanes
            if isinstance(statement, n.Update):
                counts[statement.op, str(statement.view.type.element)] += lanes
    return counts


def _count_expression(counts: Counter[tuple[str, str]], statement: n.Let) -> None:
    value, type = statement.value, statement.var.type
    lanes = type.lanes if isinstance(type, Vector) else 1
    if isinstance(value, (n.Unary, n.Binary, n.Compare)):
        operand = value.operand if isinstance(value, n.Unary) else value.left
        counts[value.op, str(scalar_of(operand.type))] += lanes
    elif isinstance(value, n.Math):
        counts[value.name, str(scalar_of(type))] += lanes
    elif isinstance(value, (n.Cast, n.Fma, n.Native, n.Select)):
        counts[kind_of(value), str(type.element if isinstance(type, Vector) else type)] += lanes
    elif isinstance(value, n.Load) and isinstance(value.view.type, View):
        counts["load", str(value.view.type.element)] += lanes
    elif isinstance(value, n.ReduceLanes) and isinstance(value.operand.type, Vector):
        counts[value.op, str(type)] += value.operand.type.lanes - 1
    elif isinstance(value, n.RunningLanes):
        counts[value.op, str(scalar_of(type))] += sum(lanes - (1 << k) for k in range((lanes - 1).bit_length()))


def lanes_of(*atoms: n.Atom) -> int:
    """The number of lanes of the vectors among atoms; 0 where there is none."""
    return max((a.type.lanes for a in atoms if isinstance(a.type, Vector)), default=0)


def kind_of(node: object) -> str:
    """The name of the class of a node, in lower case."""
    return type(node).__name__.lower()


def scalar_of(type: Type) -> Scalar:
    """The scalar type of a number or of the elements of a vector."""
    inner = type.element if isinstance(type, Vector) else type
    if not isinstance(inner, Scalar):
        raise TypeError(f"{type} is no scalar")
    return inner
