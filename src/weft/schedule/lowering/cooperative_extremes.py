"""Extremes that the threads of a block find together: of equal ones the first counts, and zeros have their signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.analysis.recurrences.arg_reductions import First
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.neutral import identity
from weft.ir.scribe import TRUE
from weft.ir.types import BOOL, PYBOOL, PYINT, Type
from weft.ir.visit import atoms_of, walk
from weft.schedule.lowering.cooperate import is_float_extreme
from weft.schedule.lowering.cooperative_folds import Folds
from weft.schedule.lowering.cooperative_loops import piece_of, value_of
from weft.schedule.lowering.register_rows import Uses
from weft.schedule.nests import slice_of
from weft.schedule.writing import scalar


class Extremes(Folds):
    """Extremes of dealt loops."""

    # ------------------------------------------------------------------------------------------- with signs

    def _with_signs(
        self, loop: n.For, inits: Sequence[n.Atom], found: Sequence[n.Var], known: Mapping[str, n.Atom]
    ) -> tuple[n.Atom, ...]:
        """Extremes as found; of zeros the first one, whose sign it has."""
        write = self.write
        floats = [k for k, arg in enumerate(loop.args) if is_float_extreme(arg)]
        if not floats:
            return tuple(found)
        zeros = {k: self._is_zero(found[k]) for k in floats}
        is_any: n.Atom = n.Const(False, PYBOOL)
        for zero in zeros.values():
            is_any = write.let(n.Select(zero, n.Const(True, PYBOOL), is_any), PYBOOL, "zero")
        with write.apart() as statements:
            exact: list[n.Atom] = list(found)
            signed_ones = [k for k in floats if not _is_absolute(loop, k)]
            firsts = self._first_zeros(loop, signed_ones, known) if signed_ones else ()
            places = dict(zip(signed_ones, firsts, strict=True))
            for k in floats:
                type = found[k].type
                signed = self._zero_of(places[k], type) if k in places else n.Const(0.0, type)
                given = write.let(n.Select(self._is_zero(inits[k]), inits[k], signed), found[k].type, "zero")
                exact[k] = write.let(n.Select(zeros[k], given, found[k]), found[k].type, "extreme")
        results = tuple(write.names.fresh("extreme", value.type) for value in found)
        then, orelse = n.Block(tuple(statements), tuple(exact)), n.Block((), tuple(found))
        write.add(n.If(is_any, then, orelse, results, write.location))
        return results

    def _first_zeros(self, loop: n.For, floats: Sequence[int], known: Mapping[str, n.Atom]) -> tuple[n.Var, ...]:
        """For some extremes of a loop twice the first iteration that contributes a zero, one more for minus zero."""
        never = identity("min", PYINT)
        with self.write.apart() as statements:
            doubled = self.write.op("mul", loop.index, 2)
            keys = []
            for k in floats:
                value = loop.body.yields[k]
                key = self.write.op("add", doubled, self._sign_bit(value))
                keys.append(self.write.let(n.Select(self._is_zero(value), key, never), PYINT, "key"))
        args = [n.LoopArg(self.write.names.fresh("first", PYINT), never, "min") for _ in keys]
        with self.write.apart() as lowered:
            least = tuple(self.write.op("min", a.var, key) for a, key in zip(args, keys, strict=True))
        body = n.Block((*loop.body.statements, *statements, *lowered), least)
        begin = {arg.var.name: identity(arg.combine or "", arg.var.type) for arg in loop.args}
        again = replace(loop, body=body, args=tuple(args), results=())
        pieces, piece, exchanged = self.pieces, self.pieces.get(loop.label), self.exchanged
        self.exchanged = frozenset()
        if piece is not None and self._is_read_only(piece.uses):
            self.pieces = {label: other for label, other in pieces.items() if label != loop.label}
        elif piece is not None:
            served = piece_of(self.frame, self.directive, again, Uses(hits=piece.uses.loads))
            self.pieces = {**pieces, loop.label: served}
        folded = self._folded(again, args, [never] * len(args), known, begin)
        self.pieces, self.exchanged = pieces, exchanged
        return folded

    def _is_read_only(self, uses: Uses) -> bool:
        """Whether a loop may read all rows from memory again, in less code."""
        written = {v.name for s in walk(self.frame.flat) for v in written_views(s)}
        params = {v.name for v in self.frame.kernel.params}
        return all(name in params - written for name, _ in uses.loads.values())

    def _is_zero(self, value: n.Atom) -> n.Atom:
        type = PYBOOL if scalar(value.type).weak else BOOL
        is_zero = self.write.let(n.Compare("eq", value, n.Const(0.0, value.type)), type, "zero")
        return is_zero

    def _sign_bit(self, value: n.Atom) -> n.Atom:
        """One for minus zero, nothing for zero."""
        type = PYBOOL if scalar(value.type).weak else BOOL
        one = n.Const(1.0, value.type)
        signed = self.write.let(n.Math("copysign", (one, value)), value.type, "sign")
        is_negative = self.write.let(n.Compare("lt", signed, n.Const(0.0, value.type)), type, "negative")
        return self.write.let(n.Select(is_negative, n.Const(1), n.Const(0)), PYINT, "bit")

    def _zero_of(self, first: n.Atom, type: Type) -> n.Atom:
        """A zero with the sign that a key says."""
        bit = self.write.op("mod", first, 2)
        is_negative = self.write.compare("eq", bit, 1)
        return self.write.let(n.Select(is_negative, n.Const(-0.0, type), n.Const(0.0, type)), type, "zero")

    # ------------------------------------------------------------------------------------------- with places

    def _find(self, loop: n.For, first: First, inits: Sequence[n.Atom], known: dict[str, n.Atom]) -> None:
        """An extreme and what is known of its iteration."""
        write, arg = self.write, loop.args[first.position]
        extreme, place = (
            replace(arg, combine=first.combine),
            n.LoopArg(write.names.fresh("place", PYINT), _never(first)),
        )
        again = replace(loop, args=(extreme, place), results=(), body=self._looking(loop, first, place.var))
        best, at = (self._registers((), a.var.type, "found") for a in (extreme, place))
        combined = self._extreme(again, first, best, at, known)
        never = _never(first)
        with self.frame.fold([never], ["min" if first.is_first else "max"]) as (threads, folding):
            own = self.frame.own(threads)
            mine = write.load(at, *own)
            has_it = self._as_test(self._compared("eq", write.load(best, *own), combined))
            is_it = write.both([has_it, write.compare("ne", mine, never)])
            folding.parts = (write.let(n.Select(is_it, mine, never), PYINT, "place"),)
        (found,) = folding.results
        value = self._exactly(loop, first, best, at, found, combined)
        self._settle(loop, first, inits, value, found, known)

    def _looking(self, loop: n.For, first: First, place: n.Var) -> n.Block:
        """What an iteration does that keeps the extreme so far and the iteration that it is from."""
        carried = loop.args[first.position].var
        with self.write.apart() as statements:
            better = self._compared(first.test, first.value, carried)
            best = self.write.let(n.Select(better, first.value, carried), carried.type, carried.stem)
            at = self.write.let(n.Select(better, loop.index, place), PYINT, "place")
        needed = slice_of(loop.body, frozenset([first.value.name]))
        return n.Block((*needed.statements, *statements), (best, at))

    def _extreme(self, again: n.For, first: First, best: n.Var, at: n.Var, known: Mapping[str, n.Atom]) -> n.Var:
        """What all threads find; `best` and `at` get what a thread finds itself."""
        write = self.write
        neutral = identity(first.combine, again.args[0].var.type)
        owns = [self._registers((self.directive.run,), a.var.type, "own") for a in again.args]
        pieces = self.pieces
        if again.label in pieces:
            self.pieces = {**pieces, again.label: piece_of(self.frame, self.directive, again, pieces[again.label].uses)}
        with self.frame.fold([neutral], [first.combine]) as (threads, folding):
            mine = self.frame.own(threads)
            self._fold_own(threads, again, owns, [neutral, _never(first)], self._inside(threads, known))
            value, place = (write.load(array, *mine, 0) for array in owns)
            for lane in range(1, self.directive.run):
                other, where = (write.load(array, *mine, lane) for array in owns)
                is_better = self._is_better(first, (other, where), (value, place))
                value = write.let(n.Select(is_better, other, value), value.type, "found")
                place = write.let(n.Select(is_better, where, place), PYINT, "place")
            for array, item in ((best, value), (at, place)):
                write.store(array, mine, item)
            folding.parts = (value,)
        self.pieces = pieces
        return folding.results[0]

    def _is_better(self, first: First, one: tuple[n.Var, n.Var], other: tuple[n.Var, n.Var]) -> n.Atom:
        """Whether one extreme with its iteration counts rather than another."""
        write = self.write
        strictly: n.CompareOp = "gt" if first.combine == "max" else "lt"
        is_more = self._as_test(self._compared(strictly, one[0], other[0]))
        is_same = self._as_test(self._compared("eq", one[0], other[0]))
        is_before = write.compare("lt" if first.is_first else "gt", one[1], other[1])
        is_better = write.let(n.Select(is_more, TRUE, write.both([is_same, is_before])), PYBOOL, "better")
        return write.both([write.compare("ne", one[1], _never(first)), is_better])

    def _exactly(self, loop: n.For, first: First, best: n.Var, at: n.Var, found: n.Var, combined: n.Var) -> n.Atom:
        """The extreme of the iteration that counts: of zeros it has the sign."""
        name = loop.results[first.position].name
        is_used = any(isinstance(a, n.Var) and a.name == name for s in walk(self.frame.flat) for a in atoms_of(s))
        if scalar(combined.type).kind != "f" or not is_used:
            return combined
        neutral = identity(first.combine, combined.type)
        with self.frame.fold([neutral], [first.combine]) as (threads, folding):
            own = self.frame.own(threads)
            is_it = self.write.compare("eq", self.write.load(at, *own), found)
            value = self.write.let(n.Select(is_it, self.write.load(best, *own), neutral), combined.type, "found")
            folding.parts = (value,)
        return folding.results[0]

    def _settle(
        self, loop: n.For, first: First, inits: Sequence[n.Atom], value: n.Atom, found: n.Atom, known: dict[str, n.Atom]
    ) -> None:
        """What is known of the iteration that was found, where its extreme is better than the initial one."""
        thens = tuple(a for k, a in enumerate(first.found) if k != first.position)
        needed = slice_of(loop.body, frozenset(a.name for a in thens if isinstance(a, n.Var)))

        def results(inits: Sequence[n.Atom], values: Mapping[str, n.Atom]) -> list[n.Atom]:
            is_better = self._as_test(self._compared(first.test, value, inits[first.position]))
            is_found = self.write.both([self.write.compare("ne", found, _never(first)), is_better])
            index = self.write.let(n.Select(is_found, found, value_of(loop.start, values)), PYINT, "place")
            made = list(self.write.copy(n.Block(needed.statements, thens), {**values, loop.index.name: index}))
            made.insert(first.position, value)
            return [self.write.let(n.Select(is_found, a, b), b.type, "found") for a, b in zip(made, inits, strict=True)]

        if not any(isinstance(init, n.Var) and init.name in self.held for init in inits):
            known.update(zip((r.name for r in loop.results), results(inits, known), strict=True))
            return
        held = {r.name: self._registers((), r.type, r.stem) for r in loop.results}
        with self._phase(known) as (threads, values):
            given = [value_of(init, values) for init in inits]
            for array, item in zip(held.values(), results(given, values), strict=True):
                self.write.store(array, self.frame.own(threads), item)
        self.held.update(held)


def _is_absolute(loop: n.For, position: int) -> bool:
    """Whether what a loop folds is never minus zero: it is an absolute value."""
    lets = {s.var: s.value for s in loop.body.statements if isinstance(s, n.Let)}
    carried, result = loop.args[position].var, loop.body.yields[position]
    folded = lets.get(result) if isinstance(result, n.Var) else None
    if not isinstance(folded, n.Binary) or folded.op != loop.args[position].combine:
        return False
    other = folded.right if folded.left == carried else folded.left
    made = lets.get(other) if isinstance(other, n.Var) else None
    return carried in (folded.left, folded.right) and isinstance(made, n.Unary) and made.op == "abs"


def _never(first: First) -> n.Const:
    """The iteration that what was not found is from: behind all others, or before them."""
    return identity("min" if first.is_first else "max", PYINT)
