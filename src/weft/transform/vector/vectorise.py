"""Turns the body of a loop into code that works on several iterations at once, under masks.

Every value that differs between iterations becomes a vector, with the same name. A branch on such a value runs both
sides, each under its mask. A loop that the iterations leave at different times runs as long as one of them is in it;
those that have left keep their values. Lanes that are off load zero, store nothing, and compute on what they have.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.location import UNKNOWN
from weft.ir.types import PYBOOL, PYINT, Scalar, Type, Vector, View
from weft.ir.visit import Names, atoms_of, renamed, substitute, walk
from weft.transform.vector.divergence import Divergence

SKIPPED_FROM = 6
"""A side of a branch with at least so many statements is skipped when no lane takes it."""


class Unsuited(Exception):
    """The loop holds something that has no vector form."""


class Vectoriser:
    """Rewrites the body of one loop for `lanes` iterations at once.

    Parameters
    ----------
    divergence
        Which values differ between the iterations.
    lanes
        How many iterations run at once.
    names
        Fresh names.
    undefined
        Names of values that may never have been given; zero stands for them.
    """

    def __init__(self, divergence: Divergence, lanes: int, names: Names, undefined: set[str]) -> None:
        self.divergence = divergence
        self.lanes = lanes
        self.names = names
        self.undefined = undefined
        self.replaced: dict[str, n.Atom] = {}
        self.first: dict[str, n.Atom] = {}
        self.private: dict[str, tuple[n.Var, n.Var]] = {}
        self.real: n.Atom | None = None
        """The mask of the lanes that are iterations of the loop; no other lane is ever looked at."""
        self.out: list[n.Statement] = []
        self.location = UNKNOWN

    # ------------------------------------------------------------------------------------------------- atoms

    def vector_type(self, type: Type) -> Vector:
        """The vector type of a scalar one."""
        if not isinstance(type, Scalar) or type.kind == "c" or type.bits == 16 and type.kind == "f":
            raise Unsuited
        return Vector(type, self.lanes)

    def scalar(self, atom: n.Atom) -> n.Atom:
        """A value that is the same in all lanes."""
        if isinstance(atom, n.Var):
            return self.replaced.get(atom.name, atom)
        return atom

    def vector(self, atom: n.Atom) -> n.Atom:
        """A value with one element for each lane."""
        if isinstance(atom, n.Const):
            return n.Const(atom.value, self.vector_type(atom.type))
        if atom.name in self.replaced:
            atom = self.replaced[atom.name]
            if isinstance(atom.type, Vector):
                return atom
            return self.vector(atom)
        if self.divergence.differs(atom):
            return n.Var(atom.name, self.vector_type(atom.type))
        if atom.name in self.undefined:
            return self.zero(atom.type)
        return self.let(n.Broadcast(atom), self.vector_type(atom.type))

    def zero(self, type: Type) -> n.Const:
        """Zero in all lanes."""
        vector = self.vector_type(type)
        return n.Const(vector.element.dtype.type(0).item(), vector)

    def atom(self, atom: n.Atom) -> n.Atom:
        """A vector where the lanes differ, else a scalar."""
        return self.vector(atom) if self.divergence.differs(atom) else self.scalar(atom)

    def let(self, value: n.Expression, type: Type, name: str = "v") -> n.Var:
        """A new variable."""
        var = self.names.fresh(name, type)
        self.out.append(n.Let(var, value, self.location))
        return var

    def both(self, left: n.Atom | None, right: n.Atom) -> n.Atom:
        """The lanes that are on in two masks."""
        if left is None:
            return right
        return self.let(n.Binary("and", left, self.mask(right), False), Vector(PYBOOL, self.lanes), "mask")

    def mask(self, atom: n.Atom) -> n.Atom:
        """A Boolean vector as a mask: of Python's Booleans."""
        if isinstance(atom.type, Vector) and atom.type.element == PYBOOL:
            return atom
        return self.let(n.Cast(atom, False), Vector(PYBOOL, self.lanes), "mask")

    def inverse(self, mask: n.Atom) -> n.Atom:
        """The lanes that are off in a mask."""
        return self.let(n.Unary("not", mask), Vector(PYBOOL, self.lanes), "mask")

    def any(self, mask: n.Atom) -> n.Atom:
        """Whether a lane is on."""
        return self.let(n.ReduceLanes("or", mask), PYBOOL, "any")

    def select(self, mask: n.Atom, then: n.Atom, orelse: n.Atom) -> n.Atom:
        """One value in the lanes that are on, another in the others."""
        if then == orelse:
            return then
        return self.let(n.Select(mask, then, orelse), then.type)

    # ------------------------------------------------------------------------------------------------ blocks

    def open(self) -> list[n.Statement]:
        """Begin a block; give what `close` needs to end it."""
        outer, self.out = self.out, []
        return outer

    def close(self, outer: list[n.Statement]) -> tuple[n.Statement, ...]:
        """End a block; give its statements."""
        mine, self.out = self.out, outer
        return tuple(mine)

    def statements(self, block: n.Block, mask: n.Atom | None) -> tuple[n.Statement, ...]:
        """The statements of a block for all lanes at once."""
        outer = self.open()
        for statement in block.statements:
            self.location = statement.location
            self._statement(statement, mask)
        return self.close(outer)

    def _statement(self, statement: n.Statement, mask: n.Atom | None) -> None:
        if isinstance(statement, n.Let):
            self._let(statement, mask)
        elif isinstance(statement, n.Store):
            self._store(statement, mask)
        elif isinstance(statement, n.If):
            self._if(statement, mask)
        elif isinstance(statement, n.For):
            self._for(statement, mask)
        elif isinstance(statement, n.While):
            self._while(statement, mask)
        else:
            raise Unsuited

    def _let(self, statement: n.Let, mask: n.Atom | None) -> None:
        var, value = statement.var, statement.value
        if not self.divergence.differs(var):
            self._uniform(statement, mask)
            return
        if isinstance(value, n.Undefined):
            self.replaced[var.name] = self.zero(var.type)
            return
        new = n.Var(var.name, self.vector_type(var.type))
        if isinstance(value, n.Load):
            self._load(new, value, mask)
        elif not self._moved_lanes(new, value):
            self.out.append(n.Let(new, self._expression(value, mask), self.location))

    def _uniform(self, statement: n.Let, mask: n.Atom | None) -> None:
        value = statement.value
        if isinstance(value, n.Alloc) and statement.var.name in self.divergence.private:
            self._private(statement.var, value)
            return
        fixed = isinstance(value, n.Subview) and any(isinstance(a, (n.Var, n.Const)) for a in value.axes)
        is_view_of_lane = any(map(self.divergence.differs, atoms_of(value)))
        if isinstance(value, n.Alloc) or (fixed and mask is not None) or is_view_of_lane:
            raise Unsuited
        self.out.append(substitute(statement, self.replaced))

    def _private(self, var: n.Var, value: n.Alloc) -> None:
        """A small array that each iteration has becomes one array with an element of each lane side by side."""
        assert isinstance(var.type, View)
        new = n.Var(var.name, replace(var.type, ndim=var.type.ndim + 1))
        lane = self.let(n.Lanes(n.Const(0)), Vector(PYINT, self.lanes), "lane")
        self.private[var.name] = new, lane
        shape = (*value.shape, n.Const(self.lanes))
        self.out.append(n.Let(new, replace(value, shape=shape), self.location))

    def _moved_lanes(self, var: n.Var, value: n.Expression) -> bool:
        """Consecutive lanes plus a number are consecutive lanes."""
        if not isinstance(value, n.Binary) or value.op not in ("add", "sub") or value.left.type != PYINT:
            return False
        left, right = value.left, value.right
        if value.op == "add" and isinstance(right, n.Var) and right.name in self.first:
            left, right = right, left
        if not isinstance(left, n.Var) or left.name not in self.first or self.divergence.differs(right):
            return False
        start = self.let(n.Binary(value.op, self.first[left.name], self.scalar(right), False), PYINT)
        self.first[var.name] = start
        self.out.append(n.Let(var, n.Lanes(start), self.location))
        return True

    def _expression(self, value: n.Expression, mask: n.Atom | None) -> n.Expression:
        if isinstance(value, n.Binary):
            value = without_division(value)
            right = self.vector(value.right)
            if value.op in ("floordiv", "mod") and mask is not None and is_integer(value.right):
                one = n.Const(1, right.type)
                right = self.select(mask, right, one)
            return replace(value, left=self.vector(value.left), right=right)
        if isinstance(value, n.Compare):
            return replace(value, left=self.vector(value.left), right=self.vector(value.right))
        if isinstance(value, (n.Unary, n.Cast)):
            return replace(value, operand=self.vector(value.operand))
        if isinstance(value, n.Select):
            return n.Select(self.atom(value.condition), self.vector(value.then), self.vector(value.orelse))
        if isinstance(value, n.Math):
            return replace(value, operands=tuple(self.vector(a) for a in value.operands))
        if isinstance(value, n.Fma):
            return n.Fma(self.vector(value.a), self.vector(value.b), self.vector(value.c))
        raise Unsuited

    def _load(self, var: n.Var, value: n.Load, mask: n.Atom | None) -> None:
        if value.view.name in self.private:
            view, lane = self.private[value.view.name]
            indices = (*map(self.atom, value.indices), lane)
            apart = any(map(self.divergence.differs, value.indices))
            self.out.append(n.Let(var, n.Load(view, indices, "safe", mask if apart else None), self.location))
            return
        view = self._view(value.view)
        indices = tuple(self.atom(a) for a in value.indices)
        if not any(isinstance(a.type, Vector) for a in indices):
            if not indices:
                raise Unsuited
            indices = (*indices[:-1], self.vector(value.indices[-1]))
        self.out.append(n.Let(var, n.Load(view, indices, value.bounds, mask), self.location))

    def _store(self, statement: n.Store, mask: n.Atom | None) -> None:
        if statement.view.name in self.private:
            view, lane = self.private[statement.view.name]
            indices = (*map(self.atom, statement.indices), lane)
            value = self.vector(statement.value)
            apart = any(map(self.divergence.differs, statement.indices))
            if not apart and mask is not None and mask != self.real:  # to choose is faster than to store under a mask
                value = self.select(mask, value, self.let(n.Load(view, indices, "safe"), value.type))
            self.out.append(replace(statement, view=view, indices=indices, value=value, mask=mask if apart else None))
            return
        if not any(map(self.divergence.differs, statement.indices)):
            raise Unsuited
        indices = tuple(self.atom(a) for a in statement.indices)
        value = self.vector(statement.value)
        self.out.append(replace(statement, view=self._view(statement.view), indices=indices, value=value, mask=mask))

    def _view(self, view: n.Var) -> n.Var:
        found = self.scalar(view)
        if self.divergence.differs(view) or not isinstance(found, n.Var):
            raise Unsuited
        return found

    # ---------------------------------------------------------------------------------------------- branches

    def _if(self, statement: n.If, mask: n.Atom | None) -> None:
        if not self.divergence.differs(statement.condition):
            self._uniform_if(statement, mask)
            return
        condition = self.mask(self.vector(statement.condition))
        then = self._side(statement.then, self.both(mask, condition))
        self.location = statement.location
        if statement.orelse.statements:
            orelse = self._side(statement.orelse, self.both(mask, self.inverse(condition)))
        else:
            orelse = tuple(self.vector(y) for y in statement.orelse.yields)
        for result, a, b in zip(statement.results, then, orelse, strict=True):
            new = n.Var(result.name, self.vector_type(result.type))
            self.out.append(n.Let(new, n.Select(condition, a, b), statement.location))

    def _uniform_if(self, statement: n.If, mask: n.Atom | None) -> None:
        sides = []
        for block in (statement.then, statement.orelse):
            outer = self.open()
            self.out.extend(self.statements(block, mask))
            yields = tuple(self.given(y, r) for y, r in zip(block.yields, statement.results, strict=True))
            sides.append(n.Block(self.close(outer), yields))
        results = tuple(self.result(r) for r in statement.results)
        condition = self.scalar(statement.condition)
        self.out.append(replace(statement, condition=condition, then=sides[0], orelse=sides[1], results=results))

    def given(self, atom: n.Atom, target: n.Var) -> n.Atom:
        """A value in the form of the variable that takes it."""
        return self.vector(atom) if self.divergence.differs(target) else self.scalar(atom)

    def result(self, var: n.Var) -> n.Var:
        """A variable in its new form."""
        return n.Var(var.name, self.vector_type(var.type)) if self.divergence.differs(var) else var

    def _side(self, block: n.Block, mask: n.Atom) -> tuple[n.Atom, ...]:
        """One side of a branch under its mask; a long one only where a lane takes it."""
        if sum(1 for _ in walk(block)) < SKIPPED_FROM:
            self.out.extend(self.statements(block, mask))
            return tuple(self.vector(y) for y in block.yields)
        taken, location = self.any(mask), self.location
        outer = self.open()
        self.out.extend(self.statements(block, mask))
        yields = tuple(self.vector(y) for y in block.yields)
        body = self.close(outer)
        zeros = tuple(n.Const(_zero(y.type), y.type) for y in yields)
        results = tuple(self.names.fresh("v", y.type) for y in yields)
        self.out.append(n.If(taken, n.Block(body, yields), n.Block((), zeros), results, location))
        return results

    # ------------------------------------------------------------------------------------------------- loops

    def _for(self, loop: n.For, mask: n.Atom | None) -> None:
        if self.divergence.loop_diverges(loop):
            self._divergent_for(loop, mask)
            return
        args = tuple(n.LoopArg(self.result(a.var), self.given(a.init, a.var)) for a in loop.args)
        outer = self.open()
        self.out.extend(self.statements(loop.body, mask))
        yields = tuple(self.given(y, a.var) for y, a in zip(loop.body.yields, loop.args, strict=True))
        body = self.close(outer)
        self.out.append(
            replace(
                loop,
                start=self.scalar(loop.start),
                stop=self.scalar(loop.stop),
                args=args,
                body=n.Block(body, yields),
                results=tuple(self.result(r) for r in loop.results),
                mapping="sequential",
            )
        )

    def _divergent_for(self, loop: n.For, mask: n.Atom | None) -> None:
        """A loop that lanes leave at different times: it runs while one is in it."""
        if loop.index.type != PYINT:
            raise Unsuited
        varies = self.divergence.differs(loop.index)
        start, stop = self.scalar(loop.start), self.scalar(loop.stop)
        trips: n.Atom | None = None
        if varies:
            trips = self._trips(loop, mask)
            start, stop = n.Const(0), self.let(n.ReduceLanes("max", trips), PYINT)
        index = self.names.fresh(loop.index.stem, PYINT) if varies else loop.index
        carried = _Carried(self, loop, mask)
        flag, active, on = self._mask_arg(mask) if loop.exit is not None else (None, None, mask)
        outer = self.open()
        if trips is not None:
            self._index_lanes(loop, index)
            inside = self.let(n.Compare("lt", self.let(n.Broadcast(index), trips.type), trips), self._mask_type())
            on = self.both(on, inside)
        self.out.extend(self.statements(loop.body, on))
        yields = carried.yields(on)
        args, results = carried.args, carried.results
        if flag is not None and active is not None and loop.exit is not None:
            assert on is not None
            still = self.both(active.var, self.mask(self.vector(loop.body.yields[loop.exit])))
            args += (active, flag)
            yields += (still, self.any(still))
            results += tuple(self.names.fresh("unused", a.var.type) for a in (active, flag))
        body = n.Block(self.close(outer), yields)
        self.out.append(
            n.For(
                loop.label, index, start, stop, body, args, results, None if flag is None else len(args) - 1,
                loop.claim, "sequential", loop.location,
            )
        )  # fmt: skip

    def _trips(self, loop: n.For, mask: n.Atom | None) -> n.Atom:
        """How often each lane runs the loop; not at all where it is off."""
        type = Vector(PYINT, self.lanes)
        trips: n.Atom = self.let(n.Binary("sub", self.vector(loop.stop), self.vector(loop.start), False), type)
        return trips if mask is None else self.select(mask, trips, n.Const(0, type))

    def _index_lanes(self, loop: n.For, index: n.Var) -> None:
        type = Vector(PYINT, self.lanes)
        count = self.let(n.Broadcast(index), type)
        lanes = n.Var(loop.index.name, type)
        self.out.append(n.Let(lanes, n.Binary("add", self.vector(loop.start), count, False), loop.location))

    def _mask_type(self) -> Vector:
        return Vector(PYBOOL, self.lanes)

    def _mask_arg(self, mask: n.Atom | None) -> tuple[n.LoopArg, n.LoopArg, n.Atom]:
        """Loop arguments for the lanes that are still in a loop, and for whether there is one."""
        init = mask if mask is not None else n.Const(True, self._mask_type())
        active = n.LoopArg(self.names.fresh("active", self._mask_type()), init)
        flag = n.LoopArg(self.names.fresh("any", PYBOOL), n.Const(True, PYBOOL))
        return flag, active, active.var

    def _while(self, loop: n.While, mask: n.Atom | None) -> None:
        """A loop that tests its lanes first and then runs for those that are on, at first perhaps none.

        What the condition asks of values that are the same in all lanes decides for the loop as a whole.
        """
        if not self.divergence.loop_diverges(loop):
            self._uniform_while(loop, mask)
            return
        alike, apart = self._conjuncts(loop.condition)
        carried = _Carried(self, loop, mask)
        flag, active, _ = self._mask_arg(mask)
        outer = self.open()
        on = self._tested(loop.condition, apart, active.var)
        self.out.extend(self.statements(loop.body, on))
        yields = (*carried.yields(on), on, self.any(on))
        body = n.Block(self.close(outer), yields)
        results = tuple(self.names.fresh("unused", a.var.type) for a in (active, flag))
        self.out.append(
            n.While(
                loop.label, self._going(loop.condition, alike, flag.var), body, (*carried.args, active, flag),
                (*carried.results, *results), loop.location,
            )
        )  # fmt: skip

    def _conjuncts(self, condition: n.Block) -> tuple[list[n.Atom], list[n.Atom]]:
        """The parts of a condition that must all hold: those that are the same in all lanes, and the others."""
        lets = {s.var.name: s.value for s in condition.statements if isinstance(s, n.Let)}
        alike: list[n.Atom] = []
        apart: list[n.Atom] = []
        waiting = list(condition.yields)
        while waiting:
            part = waiting.pop()
            value = lets.get(part.name) if isinstance(part, n.Var) else None
            if isinstance(value, n.Binary) and value.op == "and" and _is_bool(part):
                waiting += [value.right, value.left]
            elif isinstance(value, n.Cast) and _is_bool(value.operand):
                waiting.append(value.operand)
            elif self.divergence.differs(part) or (isinstance(part, n.Var) and value is None):
                apart.append(part)
            else:
                alike.append(part)
        return alike, apart

    def _tested(self, condition: n.Block, parts: list[n.Atom], mask: n.Atom) -> n.Atom:
        """The lanes of a mask for which some parts of a condition hold."""
        self.out.extend(self.statements(condition, mask))
        holds: n.Atom | None = None
        for part in parts:
            holds = self.both(holds, self.mask(self.vector(part)))
        return mask if holds is None else self.both(mask, holds)

    def _going(self, condition: n.Block, parts: list[n.Atom], flag: n.Var) -> n.Block:
        """The condition of the loop as a whole: a lane was on, and what is the same in all lanes holds."""
        lets = (s for s in condition.statements if isinstance(s, n.Let) and not self.divergence.differs(s.var))
        alike = renamed(n.Block(tuple(lets), tuple(parts)), self.names) if parts else n.Block()
        alike = substitute(alike, self.replaced)
        outer = self.open()
        self.out.extend(alike.statements)
        going: n.Var = flag
        for part in alike.yields:
            part = part if part.type == PYBOOL else self.let(n.Cast(part, False), PYBOOL)
            going = self.let(n.Binary("and", part, going, False), PYBOOL, "going")
        return n.Block(self.close(outer), (going,))

    def _uniform_while(self, loop: n.While, mask: n.Atom | None) -> None:
        args = tuple(n.LoopArg(self.result(a.var), self.given(a.init, a.var)) for a in loop.args)
        condition = self.statements(loop.condition, mask)
        outer = self.open()
        self.out.extend(self.statements(loop.body, mask))
        yields = tuple(self.given(y, a.var) for y, a in zip(loop.body.yields, loop.args, strict=True))
        statements = self.close(outer)
        self.out.append(
            replace(
                loop,
                args=args,
                condition=n.Block(condition, (self.scalar(loop.condition.yields[0]),)),
                body=n.Block(statements, yields),
                results=tuple(self.result(r) for r in loop.results),
            )
        )


class _Carried:
    """What a loop that lanes leave at different times carries, in its new form.

    A value that is the same in all lanes that are on is carried as one; what it was in the last iteration of each lane
    is carried beside it.
    """

    def __init__(self, vectoriser: Vectoriser, loop: n.For | n.While, mask: n.Atom | None) -> None:
        self._vectoriser = vectoriser
        self._loop = loop
        names, divergence = vectoriser.names, vectoriser.divergence
        self._alike = [k for k, a in enumerate(loop.args) if not divergence.differs(a.var)]
        own = [n.LoopArg(vectoriser.result(a.var), vectoriser.given(a.init, a.var)) for a in loop.args]
        results = [vectoriser.result(r) for r in loop.results]
        self._last: list[n.LoopArg] = []
        for k in self._alike:
            arg, type = loop.args[k], results[k].type
            self._last.append(n.LoopArg(names.fresh(arg.var.stem, type), vectoriser.vector(arg.init)))
            results.append(results[k])
            results[k] = names.fresh("unused", arg.var.type)
        self.args: tuple[n.LoopArg, ...] = (*own, *self._last)
        self.results: tuple[n.Var, ...] = tuple(results)

    def yields(self, mask: n.Atom | None) -> tuple[n.Atom, ...]:
        """The next values after the body; the old ones where a lane is off."""
        vectoriser, values = self._vectoriser, self._loop.body.yields
        own: list[n.Atom] = []
        for arg, value in zip(self._loop.args, values, strict=True):
            own.append(vectoriser.given(value, arg.var))
            if mask is not None and vectoriser.divergence.differs(arg.var):
                own[-1] = vectoriser.select(mask, own[-1], vectoriser.result(arg.var))
        for k, last in zip(self._alike, self._last, strict=True):
            own.append(vectoriser.vector(values[k]) if mask is None else self._kept(k, mask, last.var))
        return tuple(own)

    def _kept(self, k: int, mask: n.Atom, last: n.Var) -> n.Atom:
        """What a value that is the same in all lanes that are on becomes in each; counting is one addition."""
        vectoriser, value = self._vectoriser, self._loop.body.yields[k]
        if self._counts(self._loop.args[k].var, value):
            one = vectoriser.let(n.Cast(mask, False), last.type)
            return vectoriser.let(n.Binary("add", last, one, False), last.type, last.stem)
        return vectoriser.select(mask, vectoriser.vector(value), last)

    def _counts(self, arg: n.Var, value: n.Atom) -> bool:
        """Whether a value is one more than that of the iteration before."""
        lets = (s.value for s in self._loop.body.statements if isinstance(s, n.Let) and s.var == value)
        one = n.Const(1, arg.type)
        return arg.type == PYINT and any(
            isinstance(e, n.Binary) and e.op == "add" and (e.left, e.right) in ((arg, one), (one, arg)) for e in lets
        )


def without_division(value: n.Binary) -> n.Binary:
    """A quotient or rest of integers by a power of two as a shift or a mask, which vectors have."""
    divisor = value.right.value if isinstance(value.right, n.Const) else 0
    if value.op not in ("floordiv", "mod") or not is_integer(value.right) or not isinstance(divisor, int):
        return value
    if divisor <= 0 or divisor & (divisor - 1):
        return value
    op: n.BinaryOp = "shr" if value.op == "floordiv" else "and"
    number = divisor.bit_length() - 1 if value.op == "floordiv" else divisor - 1
    return n.Binary(op, value.left, n.Const(number, value.right.type), checked=False)


def _is_bool(atom: n.Atom) -> bool:
    return isinstance(atom.type, Scalar) and atom.type.kind == "b"


def is_integer(atom: n.Atom) -> bool:
    """Whether an atom is an integer."""
    return isinstance(atom.type, Scalar) and atom.type.kind in "iu"


def _zero(type: Type) -> bool | int | float | complex:
    assert isinstance(type, Vector)
    zero: bool | int | float | complex = type.element.dtype.type(0).item()
    return zero
