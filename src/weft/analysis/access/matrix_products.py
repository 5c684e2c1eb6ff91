"""Kernels that are products of matrices and nothing else, which a library may compute as well.

``for i: for j: s = 0; for k: s += a[i, k] * b[k, j]; c[i, j] = s`` in any order of the indices of the arrays. What
else the nest does, before the sum or with it, a library does not do: such a kernel is none, and `matrix_product` says
why.
"""

from __future__ import annotations

import math

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.analysis.access.tensor_contraction import Contraction, contraction
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, Scalar, View

NO_PRODUCT = "it is no sum of products of which each factor depends on one of two parallel loops"
OTHER_TYPE = "libraries multiply float32 and float64 here"
MORE = "the nest does more than one product, and all of it is one kernel"
STARTS = "the sums do not start from zero"
PLACES = "not all elements are at the indices of the loops themselves"
SHARED = "the result may share memory with a factor"
BOUNDS = "the loops are not known before the nest"


def matrix_product(kernel: n.Kernel) -> n.MatrixProduct | str:
    """What a kernel says of libraries before it is laid out; or why it is nothing for them."""
    aliases = Aliases(Structure(kernel.params, kernel.body), kernel.overlaps)
    outer = [s for s in kernel.body.statements if isinstance(s, n.For)]
    found = contraction(outer[0], aliases) if len(outer) == 1 else None
    if found is None or found.subtracts:
        return NO_PRODUCT
    if found.type.kind != "f" or found.type.size not in (4, 8):
        return OTHER_TYPE
    return _product(kernel, found)


def _product(kernel: n.Kernel, found: Contraction) -> n.MatrixProduct | str:
    store, condition = _stored(found)
    if store is None:
        return MORE
    init = found.fold.args[0].init
    if not isinstance(init, n.Const) or init.value != 0 or math.copysign(1.0, init.value.real) < 0:
        return STARTS
    result = _matrix(store.view, store.indices, found.outer.index, found.inner.index, found.type)
    left, right = _factors(found)
    if result is None or left is None or right is None:
        return PLACES
    if result.view in (left.view, right.view) or {m.view.name for m in (result, left, right)} & set(kernel.overlaps):
        return SHARED
    bounds = tuple(bound for loop in found.loops for bound in (loop.start, loop.stop))
    if not all(isinstance(atom, n.Const) or atom in kernel.params for atom in (*bounds, condition)):
        return BOUNDS
    return n.MatrixProduct(result, left, right, bounds, condition)


def _stored(found: Contraction) -> tuple[n.Store | None, n.Atom]:
    """The statement that stores the sum, and under which condition; none where the nest does anything else besides.

    Zeros that are stored before the sum are overwritten by it.
    """
    statements = found.inner.body.statements
    position = statements.index(found.fold)
    after = statements[position + 1 :]
    condition: n.Atom = n.Const(True, PYBOOL)
    if len(after) == 1 and isinstance(after[0], n.If) and not after[0].results and not after[0].orelse.statements:
        condition, after = after[0].condition, after[0].then.statements
    if len(after) != 1 or not isinstance(after[0], n.Store) or after[0].value != found.fold.results[0]:
        return None, condition
    store = after[0]
    before = [s for s in (*found.outer.body.statements, *statements[:position]) if s is not found.inner]
    plain = store.mask is None and store.bounds == "safe"
    return (store if plain and all(_is_overwritten(s, store) for s in before) else None), condition


def _is_overwritten(statement: n.Statement, store: n.Store) -> bool:
    """Whether a statement does nothing that is seen once the sum is stored: it computes a number, or stores there."""
    if isinstance(statement, n.Store):
        return (statement.view, statement.indices, statement.mask) == (store.view, store.indices, None)
    return isinstance(statement, n.Let) and isinstance(statement.var.type, Scalar)


def _factors(found: Contraction) -> tuple[n.Matrix | None, n.Matrix | None]:
    assert found.operands is not None
    made = []
    for operand, loop, is_first in zip(found.operands, (found.outer, found.inner), (True, False), strict=True):
        load = next((let.value for let in operand.lets if let.var == operand.value), None)
        if not isinstance(load, n.Load) or load.mask is not None or load.bounds != "safe":
            return None, None
        pair = (loop.index, found.fold.index) if is_first else (found.fold.index, loop.index)
        made.append(_matrix(load.view, load.indices, *pair, found.type))
    return made[0], made[1]


def _matrix(view: n.Var, indices: tuple[n.Atom, ...], first: n.Var, second: n.Var, type: Scalar) -> n.Matrix | None:
    """An array of two dimensions whose indices are two counters."""
    is_plain = isinstance(view.type, View) and view.type.element == type
    if is_plain and indices in ((first, second), (second, first)):
        return n.Matrix(view, indices.index(first))
    return None
