"""Runs a block for a strip of iterations of a parallel loop at once: each straight piece becomes a loop over the lanes.

What the iterations differ in and what lives from one piece to the next is kept in small arrays, one element for each
lane. Several iterations of a second parallel loop around it, the rows, may go along: what does not depend on the row is
computed once for all of them. Every iteration does what it did, in its own order; only iterations are interleaved.
No pass itself: see `interchange`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import BOOL, COMPLEX128, FLOAT64, INT64, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar, View
from weft.ir.visit import atoms_of, blocks_of, defined_by, substitute, walk
from weft.transform.peel import Copies

STORED_AS = {PYINT: INT64, PYFLOAT: FLOAT64, PYBOOL: BOOL, PYCOMPLEX: COMPLEX128}


@dataclass(frozen=True)
class Strip:
    """What runs at once.

    Parameters
    ----------
    index
        The index of the parallel loop; lane `k` is its iteration ``first + k``.
    first, count
        The first iteration, and the number of lanes.
    most
        At least `count`: the size of the arrays.
    rows
        The index of the loop around it in each of the rows that go along; empty: there is no such loop.
    row
        The index variable of that loop.
    """

    index: n.Var
    first: n.Atom
    count: n.Atom
    most: int
    rows: tuple[n.Atom, ...] = ()
    row: n.Var | None = None


class Expansion:
    """Rewrites one block for a strip.

    Parameters
    ----------
    body
        The body of the parallel loop.
    strip
        What runs at once.
    varying
        Names of what differs between the lanes.
    by_row
        Names of what differs between the rows.
    copies
        Fresh names and labels.
    location
        Of the statements that are added.

    `packed` names loads that were done beforehand: the array, in which an axis of iterations comes before that of the
    lanes, and the loop and its first iteration. `arrays` are the allocations that must stand before `out`.
    """

    def __init__(
        self,
        body: n.Block,
        strip: Strip,
        varying: set[str],
        by_row: set[str],
        copies: Copies,
        location: Location,
        packed: Mapping[str, tuple[n.Var, n.For]] | None = None,
    ) -> None:
        self.strip = strip
        self.varying = varying
        self.by_row = by_row
        self.copies = copies
        self.location = location
        self.packed = packed or {}
        self.uses = Counter(_names_used(body))
        self.again = _recomputed(body, strip.index, varying)
        self.out: list[n.Statement] = []
        self.arrays: list[n.Statement] = []
        count = max(len(strip.rows), 1)
        self.known: list[dict[str, n.Atom]] = [{} for _ in range(count)]
        self.places: list[dict[str, n.Var]] = [{} for _ in range(count)]
        self.types: dict[str, Scalar] = {}
        if strip.row is not None:
            for known, row in zip(self.known, strip.rows, strict=True):
                known[strip.row.name] = row

    # ------------------------------------------------------------------------------------------- statements

    def block(self, block: n.Block, outputs: Sequence[tuple[n.Var, n.Atom]] = ()) -> None:
        """Add a block. `outputs` are carried variables that it gives their next values."""
        run: list[n.Statement] = []
        for statement in block.statements:
            if isinstance(statement, n.For):
                self._loop(statement, run)
                run = []
            elif self.is_uniform(statement):
                if any(isinstance(s, n.Store) for s in run):
                    self._lanes(run)
                    run = []
                self.uniform(statement)
            else:
                run.append(statement)
        self._lanes(run, outputs)

    def is_uniform(self, statement: n.Statement) -> bool:
        """Whether a statement does the same in all lanes, once."""
        inner = list(walk(n.Block((statement,))))
        if any(isinstance(s, n.Store) for s in inner):
            return False
        return not any(v.name in self.varying for s in inner for v in defined_by(s))

    def uniform(self, statement: n.Statement) -> None:
        """Add a statement once for each row that it differs in."""
        self.copied(statement, self.known, self.out)

    def copied(self, statement: n.Statement, known: list[dict[str, n.Atom]], out: list[n.Statement]) -> None:
        """Add a statement to `out` once for each row that it differs in."""
        inner = list(walk(n.Block((statement,))))
        names = [v for s in inner for v in defined_by(s)]
        differs = any(isinstance(s, n.Store) for s in inner) or any(v.name in self.by_row for v in names)
        for row, values in enumerate(known):
            if row and not differs:
                values.update({v.name: known[0][v.name] for v in names})
                continue
            values.update({v.name: self.copies.names.fresh(v.stem, v.type) for v in names})
            out.append(substitute(statement, values))

    # ------------------------------------------------------------------------------------------------ loops

    def _loop(self, loop: n.For, run: list[n.Statement]) -> None:
        """Add a loop that all lanes go through together; what ran before it comes first."""
        kept = [k for k, arg in enumerate(loop.args) if arg.var.name in self.varying]
        for k in kept:
            self._place(loop.args[k].var, (loop.results[k],))
        self._lanes(run, [(loop.args[k].var, loop.args[k].init) for k in kept])
        index = self.copies.names.fresh(loop.index.stem, loop.index.type)
        start, stop = (substitute((a,), self.known[0])[0] for a in (loop.start, loop.stop))
        args, results = self._uniform_args(loop, kept)
        for known in self.known:
            known[loop.index.name] = index
        outer, self.out = self.out, []
        self._relative(loop, index, start)
        self.block(loop.body, [(loop.args[k].var, loop.body.yields[k]) for k in kept])
        yields = tuple(
            substitute((loop.body.yields[k],), self.known[row])[0] for row, k in self._uniform_places(loop, kept)
        )
        body, self.out = n.Block(tuple(self.out), yields), outer
        self.out.append(
            n.For(self.copies.labels.fresh(loop.label), index, start, stop, body, args, results, location=loop.location)
        )

    def _uniform_places(self, loop: n.For, kept: Sequence[int]) -> list[tuple[int, int]]:
        """The rows and places of the carried values that are the same in all lanes."""
        places = [k for k in range(len(loop.args)) if k not in kept]
        return [
            (row, k)
            for k in places
            for row in range(len(self.known))
            if not row or loop.args[k].var.name in self.by_row
        ]

    def _uniform_args(self, loop: n.For, kept: Sequence[int]) -> tuple[tuple[n.LoopArg, ...], tuple[n.Var, ...]]:
        args: list[n.LoopArg] = []
        results: list[n.Var] = []
        for row, k in self._uniform_places(loop, kept):
            arg, result = loop.args[k], loop.results[k]
            var, last = (self.copies.names.fresh(v.stem, v.type) for v in (arg.var, result))
            args.append(n.LoopArg(var, substitute((arg.init,), self.known[row])[0]))
            results.append(last)
            rows = [row] if arg.var.name in self.by_row else range(len(self.known))
            for each in rows:
                self.known[each].update({arg.var.name: var, result.name: last})
        return tuple(args), tuple(results)

    def _relative(self, loop: n.For, index: n.Var, start: n.Atom) -> None:
        """The number of the iteration, by which arrays that were filled beforehand are read."""
        if any(source.label == loop.label for _, source in self.packed.values()):
            number = self.copies.let(n.Binary("sub", index, start, False), PYINT, loop.location)
            self.out.append(number)
            self.known[0][f"\0{loop.label}"] = number.var

    # ------------------------------------------------------------------------------------------------ lanes

    def _lanes(self, run: Sequence[n.Statement], outputs: Sequence[tuple[n.Var, n.Atom]] = ()) -> None:
        """Add a loop over the lanes that runs some statements and gives carried variables values."""
        if not run and not outputs:
            return
        lane = self.copies.names.fresh("lane", PYINT)
        here: list[n.Statement] = []
        known = [dict(k) for k in self.known]
        self._open(run, outputs, lane, known, here)
        for statement in run:
            if isinstance(statement, n.Let) and statement.var.name in self.packed:
                self._packed_load(statement, lane, known, here)
            else:
                self.copied(statement, known, here)
        self._close(run, outputs, lane, known, here)
        label = self.copies.labels.fresh(self.strip.index.stem)
        body = n.Block(tuple(here))
        loop = n.For(label, lane, n.Const(0), self.strip.count, body, mapping="parallel", location=self.location)
        self.out.append(loop)

    def _open(
        self,
        run: Sequence[n.Statement],
        outputs: Sequence[tuple[n.Var, n.Atom]],
        lane: n.Var,
        known: list[dict[str, n.Atom]],
        here: list[n.Statement],
    ) -> None:
        """What the statements need: the index, what is computed again, and what arrays hold."""
        defined = {v.name for s in walk(n.Block(tuple(run))) for v in defined_by(s)}
        wanted = [*_names_used(n.Block(tuple(run))), *(a.name for _, a in outputs if isinstance(a, n.Var))]
        again = self._needed_again(wanted, defined)
        wanted += [a.name for let in again for a in atoms_of(let.value) if isinstance(a, n.Var)]
        if self.strip.index.name in wanted:
            index = self.copies.let(n.Binary("add", self.strip.first, lane, False), PYINT, self.location)
            here.append(index)
            for values in known:
                values[self.strip.index.name] = index.var
        for let in again:
            self.copied(let, known, here)
        for name in dict.fromkeys(wanted):
            if name not in defined and name in self.places[0]:
                self._loaded(name, lane, known, here)

    def _needed_again(self, wanted: Iterable[str], defined: set[str]) -> list[n.Let]:
        waiting, found = [w for w in wanted if w not in defined], set()
        while waiting:
            name = waiting.pop()
            if name in self.again and name not in found and name not in defined:
                found.add(name)
                waiting += [a.name for a in atoms_of(self.again[name].value) if isinstance(a, n.Var)]
        return [let for name, let in self.again.items() if name in found]

    def _loaded(self, name: str, lane: n.Var, known: list[dict[str, n.Atom]], here: list[n.Statement]) -> None:
        for row, values in enumerate(known):
            if row and self.places[row][name] == self.places[0][name]:
                values[name] = known[0][name]
            else:
                values[name] = self.element(self.places[row][name], (lane,), self.types[name], here)

    def _packed_load(self, let: n.Let, lane: n.Var, known: list[dict[str, n.Atom]], here: list[n.Statement]) -> None:
        array, loop = self.packed[let.var.name]
        assert isinstance(let.var.type, Scalar)
        value = self.element(array, (self.known[0][f"\0{loop.label}"], lane), let.var.type, here)
        for values in known:
            values[let.var.name] = value

    def _close(
        self,
        run: Sequence[n.Statement],
        outputs: Sequence[tuple[n.Var, n.Atom]],
        lane: n.Var,
        known: list[dict[str, n.Atom]],
        here: list[n.Statement],
    ) -> None:
        """Keep what is needed later, and what is carried on."""
        inside = Counter(_names_used(n.Block(tuple(run))))
        inside.update(a.name for _, a in outputs if isinstance(a, n.Var))
        for statement in run:
            for var in defined_by(statement):
                if var.name not in self.again and self.uses[var.name] > inside[var.name]:
                    self._place(var)
                    self._kept(var, var, lane, known, here)
        for target, value in outputs:
            self._kept(target, value, lane, known, here)

    def _kept(
        self, target: n.Var, value: n.Atom, lane: n.Var, known: list[dict[str, n.Atom]], here: list[n.Statement]
    ) -> None:
        for row, values in enumerate(known):
            array = self.places[row][target.name]
            if not row or array != self.places[0][target.name]:
                self.put(array, (lane,), substitute((value,), values)[0], here)

    # ----------------------------------------------------------------------------------------------- arrays

    def _place(self, var: n.Var, others: Sequence[n.Var] = ()) -> None:
        """Arrays for a variable, one for each row that it differs in; `others` share them."""
        assert isinstance(var.type, Scalar)
        for row, places in enumerate(self.places):
            if row and var.name not in self.by_row:
                array = self.places[0][var.name]
            else:
                array = self.copies.names.fresh(var.stem, View(stored(var.type), 1, contiguous=True))
                self.arrays.append(n.Let(array, n.Alloc((n.Const(self.strip.most),), stored(var.type)), self.location))
            places.update({v.name: array for v in (var, *others)})
        self.types.update({v.name: var.type for v in (var, *others)})

    def element(self, array: n.Var, indices: tuple[n.Atom, ...], type: Scalar, here: list[n.Statement]) -> n.Var:
        """The value in an array, in its own type."""
        loaded = self.copies.let(n.Load(array, indices, "safe"), stored(type), self.location)
        here.append(loaded)
        if stored(type) == type:
            return loaded.var
        converted = self.copies.let(n.Cast(loaded.var, False), type, self.location)
        here.append(converted)
        return converted.var

    def put(self, array: n.Var, indices: tuple[n.Atom, ...], value: n.Atom, here: list[n.Statement]) -> None:
        """Keep a value in an array."""
        assert isinstance(array.type, View) and isinstance(array.type.element, Scalar)
        if value.type != array.type.element:
            converted = self.copies.let(n.Cast(value, False), array.type.element, self.location)
            here.append(converted)
            value = converted.var
        here.append(n.Store(array, indices, value, "safe", location=self.location))


def stored(type: Scalar) -> Scalar:
    """The type in which an array holds a value."""
    return STORED_AS.get(type, type)


def _names_used(block: n.Block) -> list[str]:
    found: list[str] = [a.name for a in block.yields if isinstance(a, n.Var)]
    for statement in walk(block):
        found += [a.name for a in atoms_of(statement) if isinstance(a, n.Var)]
        for inner in blocks_of(statement):
            found += [a.name for a in inner.yields if isinstance(a, n.Var)]
    return found


def _recomputed(body: n.Block, index: n.Var, varying: set[str]) -> dict[str, n.Let]:
    """Index arithmetic that is done again where it is needed, by name, in order."""
    found: dict[str, n.Let] = {}
    for statement in walk(body):
        if not isinstance(statement, n.Let) or statement.var.name not in varying or statement.var.type != PYINT:
            continue
        value = statement.value
        names = [a.name for a in atoms_of(value) if isinstance(a, n.Var)]
        plain = isinstance(value, n.Binary) and value.op in ("add", "sub", "mul") and not value.checked
        if plain and all(name == index.name or name not in varying or name in found for name in names):
            found[statement.var.name] = statement
    return found


__all__ = ["Expansion", "Strip", "stored"]
