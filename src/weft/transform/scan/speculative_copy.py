"""Careful: a copy of a piece of a loop's body that neither raises nor writes memory. No pass itself.

Where the body would raise, the copy goes on with a 0 instead and says so by a Boolean; it may also say so where the
body would have managed. Stores are left out. Faults that depend on the partial results of a fold are not looked for:
those are only known later. Branches that only compute become selections, since nothing in the copy raises.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from weft.analysis.access.structure import Path
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.scribe import FALSE, TRUE, Scribe
from weft.ir.types import PYBOOL, PYINT, Scalar, View
from weft.ir.visit import atoms_of, blocks_of, walk

LARGEST_TERM = 2**61
"""Operands up to this are added without overflow, and so is what a fold before has made."""


class Unsuited(Exception):
    """What the code would raise cannot be found out without raising."""


class Careful:
    """Makes careful copies of blocks.

    Parameters
    ----------
    unknown
        The places of statements whose faults depend on values that are not known yet.
    fresh
        Names of views of arrays that are made in the same iteration: stores to these are kept.
    undefined
        Names of what may hold a value that was never given.
    quiet
        Names of functions that neither raise nor write.
    """

    def __init__(
        self, unknown: Collection[Path], fresh: Collection[str], undefined: Collection[str], quiet: Collection[str]
    ) -> None:
        self.unknown = unknown
        self.fresh = fresh
        self.undefined = undefined
        self.quiet = quiet

    def block(self, block: n.Block, path: Path, scribe: Scribe, failed: n.Atom) -> n.Atom:
        """Write a copy of a block's statements; gives whether it failed, or what came before."""
        for position, statement in enumerate(block.statements):
            failed = self._statement(statement, (*path, position), scribe, failed)
        return failed

    def _statement(self, statement: n.Statement, path: Path, scribe: Scribe, failed: n.Atom) -> n.Atom:
        known = path not in self.unknown
        if isinstance(statement, n.Let):
            failure = self._let(statement, scribe)
        elif isinstance(statement, n.Raise):
            failure = TRUE
        elif isinstance(statement, n.Store):
            failure = self._store(statement, scribe) if known else FALSE
        elif isinstance(statement, n.If):
            return self._branch(statement, path, scribe, failed)
        elif isinstance(statement, n.For):
            return self._loop(statement, path, scribe, failed)
        elif isinstance(statement, n.Call) and statement.function in self.quiet:
            scribe.add(statement)
            return failed
        else:
            raise Unsuited
        return scribe.either(failed, failure) if known else failed

    def _branch(self, branch: n.If, path: Path, scribe: Scribe, failed: n.Atom) -> n.Atom:
        sides, ends = [], []
        for number, block in enumerate(blocks_of(branch)):
            inner = scribe.inner()
            ends.append(self.block(block, (*path, number), inner, failed))
            sides.append(inner)
        if ends[0] == ends[1] == failed and all(self._is_plain(s) for side in sides for s in side.statements):
            self._choose(branch, sides, scribe)
            return failed
        more = any(end != failed for end in ends)
        blocks = [
            inner.block((*block.yields, *((end,) if more else ())))
            for inner, block, end in zip(sides, blocks_of(branch), ends, strict=True)
        ]
        result = scribe.fresh("failed", PYBOOL)
        results = (*branch.results, *((result,) if more else ()))
        scribe.add(replace(branch, then=blocks[0], orelse=blocks[1], results=results))
        return result if more else failed

    def _is_plain(self, statement: n.Statement) -> bool:
        """Whether a statement computes a number, from other numbers alone, that it may compute anywhere."""
        if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
            return False
        given = not any(isinstance(a, n.Var) and a.name in self.undefined for a in atoms_of(statement.value))
        return given and isinstance(statement.value, (n.Binary, n.Unary, n.Compare, n.Select, n.Cast))

    @staticmethod
    def _choose(branch: n.If, sides: Sequence[Scribe], scribe: Scribe) -> None:
        """Write a branch without accesses as selections."""
        for side in sides:
            scribe.statements.extend(side.statements)
        yields = zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True)
        scribe.statements.extend(n.Let(r, n.Select(branch.condition, a, b), branch.location) for r, a, b in yields)

    def _loop(self, loop: n.For, path: Path, scribe: Scribe, failed: n.Atom) -> n.Atom:
        inner, carried = scribe.inner(), scribe.fresh("failed", PYBOOL)
        end = self.block(loop.body, (*path, 0), inner, carried)
        if end == carried:
            scribe.add(replace(loop, body=inner.block(loop.body.yields), mapping=_order(loop)))
            return failed
        result = scribe.fresh("failed", PYBOOL)
        scribe.add(
            replace(
                loop,
                args=(*(replace(a, combine=None) for a in loop.args), n.LoopArg(carried, failed)),
                body=inner.block((*loop.body.yields, end)),
                results=(*loop.results, result),
                mapping="sequential",
            )
        )
        return result

    # --------------------------------------------------------------------------------------- single statements

    def _let(self, let: n.Let, scribe: Scribe) -> n.Atom:
        """Write what stands for an assignment; gives whether the original would raise."""
        if not may_raise(let.value, let.var.type):
            scribe.add(let)
            return FALSE
        fine, value = _guarded(let, scribe)
        if not isinstance(let.var.type, Scalar):
            raise Unsuited
        inner = scribe.inner()
        safe = inner.let(value, let.var.type, let.var.stem)
        zero = n.Const(let.var.type.dtype.type(0).item(), let.var.type)
        scribe.add(n.If(fine, inner.block((safe,)), n.Block((), (zero,)), (let.var,), let.location))
        return scribe.negated(fine)

    def _store(self, store: n.Store, scribe: Scribe) -> n.Atom:
        if store.view.name in self.fresh:
            if store.bounds != "safe":
                raise Unsuited
            scribe.add(store)
            return FALSE
        if store.bounds == "safe" or not store.indices:
            return FALSE
        return scribe.negated(inside(store.view, store.indices, store.bounds, scribe)[0])


def quiet_functions(program: n.Program) -> frozenset[str]:
    """Names of the functions of a program that neither raise nor access arrays; they may run long."""
    return frozenset(f.name for f in program.functions if _is_quiet(f.body))


def _is_quiet(block: n.Block) -> bool:
    for statement in walk(block):
        if isinstance(statement, n.Let) and not isinstance(statement.var.type, Scalar):
            return False
        if isinstance(statement, n.Let) and may_raise(statement.value, statement.var.type):
            return False
        if not isinstance(statement, (n.Let, n.If, n.For, n.While)):
            return False
    return True


def _order(loop: n.For) -> n.Mapping:
    return "sequential" if loop.mapping == "parallel" and loop.args else loop.mapping


def _guarded(let: n.Let, scribe: Scribe) -> tuple[n.Atom, n.Expression]:
    """Whether an expression surely does not raise, and the expression for where that is so."""
    value = let.value
    if isinstance(value, n.Load) and value.mask is None:
        fine, indices = inside(value.view, value.indices, value.bounds, scribe)
        return fine, replace(value, indices=indices, bounds="safe")
    if isinstance(value, n.Binary) and isinstance(value.left.type, Scalar):
        return _fits(value, value.left.type, scribe), replace(value, checked=False)
    if isinstance(value, n.Unary) and value.operand.type == PYINT:
        return between(value.operand, -LARGEST_TERM, LARGEST_TERM, scribe), replace(value, checked=False)
    if isinstance(value, n.Cast) and isinstance(value.operand.type, Scalar) and isinstance(let.var.type, Scalar):
        return _converts(value.operand, let.var.type, scribe), replace(value, checked=False)
    raise Unsuited


def _fits(value: n.Binary, type: Scalar, scribe: Scribe) -> n.Atom:
    if value.op == "truediv" or (value.op in ("floordiv", "mod") and type.kind == "f"):
        if type.kind == "c":
            raise Unsuited
        return scribe.compare("ne", value.right, n.Const(0 if type.kind == "i" else 0.0, type))
    if type != PYINT:
        raise Unsuited
    if value.op in ("floordiv", "mod"):
        return scribe.compare("gt", value.right, 0)
    limit = {"add": LARGEST_TERM, "sub": LARGEST_TERM, "mul": 2**31}.get(value.op)
    if limit is None:
        raise Unsuited
    sides = (between(side, -limit, limit, scribe) for side in (value.left, value.right))
    return scribe.both(sides)


def between(value: n.Atom, low: float, high: float, scribe: Scribe) -> n.Atom:
    """Whether a number is between two bounds; a NaN is not."""
    if isinstance(value, n.Const):
        return TRUE if low <= value.value.real <= high else FALSE
    type = value.type
    assert isinstance(type, Scalar)
    as_type = float if type.kind == "f" else int
    least = TRUE if type.kind == "u" else scribe.compare("ge", value, n.Const(as_type(low), type))
    return scribe.both([least, scribe.compare("le", value, n.Const(as_type(high), type))])


def _converts(operand: n.Atom, target: Scalar, scribe: Scribe) -> n.Atom:
    source = operand.type
    assert isinstance(source, Scalar)
    if source.kind not in "fiu" or (source.kind == "f" and source.bits == 16) or target.kind not in "iu":
        raise Unsuited
    if target.kind == "u":
        low, high = 0, 2**target.bits - 1
    else:
        low, high = -(2 ** (target.bits - 1)), 2 ** (target.bits - 1) - 1
    if source.kind == "f":
        low, high = max(low, -(2**30)), min(high, 2**30)  # exact in every float type, and enough
    else:
        low, high = max(low, -(2**63)), min(high, 2**63 - 1)
    return between(operand, low, high, scribe)


def inside(
    view: n.Var, indices: Sequence[n.Atom], bounds: n.Bounds, scribe: Scribe
) -> tuple[n.Atom, tuple[n.Atom, ...]]:
    """Whether indices are inside a view, and the indices that they mean."""
    assert isinstance(view.type, View)
    fine: n.Atom = TRUE
    found = []
    for axis, atom in enumerate(indices):
        index, extent = _integer(atom, scribe), scribe.let(n.Dim(view, axis), PYINT, "extent")
        if bounds == "python":
            wrapped = scribe.op("add", index, extent)
            index = scribe.select(scribe.compare("lt", index, 0), wrapped, index)
        fine = scribe.both([fine, scribe.compare("ge", index, 0)])
        fine = scribe.both([fine, scribe.compare("lt", index, extent)])
        found.append(index)
    return fine, tuple(found)


def _integer(atom: n.Atom, scribe: Scribe) -> n.Atom:
    if atom.type == PYINT:
        return atom
    if not isinstance(atom.type, Scalar) or atom.type.kind not in "iu" or (atom.type.kind, atom.type.bits) == ("u", 64):
        raise Unsuited
    return scribe.let(n.Cast(atom, False), PYINT)
