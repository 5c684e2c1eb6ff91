"""Where a program can be cut: into one program for each of its loops, which runs the iterations of a piece only.

What it does: `phases` gives a program for every outermost loop of a program, with two more parameters, the first
iteration of a piece and the one behind its last. Pieces of one loop may run at the same time, on any devices; the loops
run one after the other. What loops fold (see `folds`) are parameters of the programs of all loops behind them, and
`rest` is the program of what follows the last loop. What it assumes: distinct arrays do not overlap, which
`weft.split.arguments` checks at each call.
What it refuses: everything for which that is not proven, with the line and the reason.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from weft.analysis.access.access import Access
from weft.analysis.dependence.verdicts import Verdicts, judge
from weft.analysis.values.linear import Extent
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE, PARTIAL, RESULT, VALUE, Returns, Source
from weft.ir.location import Location
from weft.ir.neutral import stored_as
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import Names, blocks_of, bound_inside, defined_by, walk
from weft.split.costs import Rows, rows_of
from weft.split.folds import Folds, begun, folds_of, merging
from weft.split.footprints import Footprints, footprints_of
from weft.split.kernel_calls import KernelCall, call_of, is_item
from weft.split.scans import Scan, why_no_scan, without_stores
from weft.transform.simplify.dce import dce

Returned: TypeAlias = Callable[[Mapping[str, object]], object]

LOW, HIGH = FIRST_OF_PIECE, END_OF_PIECE

HINT = "split a function whose outermost loops are parallel, and call the rest before and after it"


@dataclass(frozen=True)
class Groups:
    """A loop that adds floats: partial results of groups of iterations, and what folds them as one device does.

    See `weft.plan.partition.apart`.

    Attributes
    ----------
    piece
        The program that fills arrays, its arguments, with the partial results of its iterations.
    fold
        The program that folds those of all iterations.
    elements
        The types of these arrays.
    """

    piece: n.Program
    fold: n.Program
    elements: tuple[Scalar, ...]


@dataclass(frozen=True)
class Phase:
    """One loop of a program, to be run in pieces.

    Attributes
    ----------
    label, location
        The loop.
    piece
        The program that runs its iterations from `LOW` to `HIGH`.
    bounds
        The program that returns the loop's first counter and the one behind its last.
    writes
        The names of the arguments that it writes.
    returned
        How arguments make the result of the whole program.
    """

    label: str
    location: Location
    piece: n.Program
    bounds: n.Program
    writes: tuple[str, ...]
    is_certain: bool
    """Whether a piece writes all elements that it gives back: then pieces may run at the same time."""
    returned: Returned
    has_sums: bool
    """Whether an iteration adds or multiplies floats in a loop inside."""
    rounded: tuple[Location, str] | None
    """Where devices of different kinds or models may round differently, and what they do there."""
    folds: Folds = field(default_factory=Folds)
    """What it folds."""
    rows: Rows | None = None
    """How long its rows are, where they differ: pieces are cut by that."""
    merge: n.Program | None = None
    """The program that puts what pieces fold together; None where it carries nothing."""
    groups: Groups | None = None
    """The programs of a loop that adds floats, unless bits are given up."""
    scan: Scan | None = None
    """The programs of a loop that uses partial results of what it folds."""
    footprints: Footprints = field(default_factory=Footprints)
    """The arrays of which a piece has only the rows that elements of others say."""

    def result(self, arguments: Mapping[str, object]) -> object:
        """What the function returns for some arguments."""
        return self.returned(arguments)


def phases(program: n.Program, folding: bool = False) -> list[Phase]:
    """The loops of a program, in order, each as a program of its own.

    Parameters
    ----------
    program
        The program.
    folding
        Whether loops that fold are cut, too.

    Raises
    ------
    UnsupportedError
        A loop cannot be cut, or something outside of the loops cannot be done once for each piece.
    """
    verdicts = judge(program)
    loops = [s for s in program.body.statements if isinstance(s, n.For)]
    if not any(is_item(statement, program) for statement in program.body.statements):
        raise refusal(program, program.location, "it has no loop outside of others")
    folds = {loop.label: _check_loop(program, loop, verdicts, folding) for loop in loops}
    _check_around(_front(program) if folding and needs_rest(program) else program, verdicts)
    written = _written(verdicts)
    return [_phase(program, loop, verdicts, written, folds[loop.label]) for loop in loops]


def _phase(program: n.Program, loop: n.For, verdicts: Verdicts, written: frozenset[str], folds: Folds) -> Phase:
    own = _with_results(program, loop)
    bounds = _bounds(own, loop, tuple(arg.init for arg in loop.args))
    merge = merging(_no_body(own), loop, folds, _own_params(own)) if loop.args else None
    piece, is_scan = _piece(own, loop, folds), verdicts[loop.label].verdict == "scan"
    return Phase(
        loop.label,
        loop.location,
        piece,
        bounds,
        _names_of(program, written),
        _writes_certainly(loop, verdicts),
        returned(program),
        _has_sums(loop, verdicts),
        _rounded(loop, verdicts),
        folds,
        rows_of(loop, verdicts, _named(program)),
        merge,
        _groups(own, loop, folds) if folds.carries_rounded else None,
        _scan(own, loop, folds) if is_scan else None,
        Footprints() if is_scan else footprints_of(piece, loop, verdicts, _named(own)),
    )


def needs_rest(program: n.Program) -> bool:
    """Whether something follows the loops that is done once: it needs what they fold, stores, or makes a new value."""
    if any(isinstance(statement, n.For) and statement.results for statement in program.body.statements):
        return True
    behind = program.body.statements[_last_loop(program) + 1 :]
    params = {param.var for param in program.params}
    is_new = program.returns.kind not in ("none", "leaf", "tuple") or any(v not in params for v in program.body.yields)
    return is_new or any(not isinstance(s, (n.Let, n.If, n.Raise)) for s in walk(n.Block(behind)))


def rest(program: n.Program) -> n.Program:
    """The program of what follows the last loop, which has the results of loops as arguments.

    Raises
    ------
    UnsupportedError
        It makes an array, or has a loop inside of something else.
    """
    behind = program.body.statements[_last_loop(program) + 1 :]
    for statement in walk(n.Block(behind)):
        made = isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc)
        if made or not isinstance(statement, (n.Let, n.If, n.Raise, n.Store)):
            location = getattr(statement, "location", program.location)
            raise refusal(program, location, "something behind its loops is more than numbers to store or to return")
    own = _with_results(program, None)
    return replace(own, body=n.Block(without_loops(program, program.body.statements), program.body.yields))


def _last_loop(program: n.Program) -> int:
    return max(k for k, statement in enumerate(program.body.statements) if is_item(statement, program))


def kernel_call(program: n.Program, call: n.External) -> KernelCall:
    """A call of a kernel among the loops of a program."""
    verdicts = judge(program)
    return call_of(program, call, _with_results(program, call), _names_of(program, _written(verdicts)))


def _front(program: n.Program) -> n.Program:
    """A program up to its last loop, which returns nothing."""
    body = n.Block(program.body.statements[: _last_loop(program) + 1])
    return replace(program, body=body, returns=Returns("none"))


def _with_results(program: n.Program, until: n.For | n.External | None) -> n.Program:
    """A program with the results of the loops before one as arguments."""
    before = itertools.takewhile(lambda statement: statement is not until, program.body.statements)
    results = [result for loop in before if isinstance(loop, n.For) for result in loop.results]
    added = tuple(n.Param(result, Source("argument", f"{RESULT} {k}")) for k, result in enumerate(results))
    others = tuple(param for param in program.params if param.source.kind != "argument")
    return replace(program, params=(*_own_params(program), *added, *others))


def _names_of(program: n.Program, arrays: frozenset[str]) -> tuple[str, ...]:
    """The names of the arguments that are some arrays."""
    return tuple(param.source.name for param in program.params if param.var.name in arrays)


def _named(program: n.Program) -> dict[str, str]:
    """The names of the arguments by those of their parameters."""
    return {p.var.name: p.source.name for p in program.params if p.source.kind == "argument" and not p.source.path}


def _own_params(program: n.Program) -> tuple[n.Param, ...]:
    return tuple(param for param in program.params if param.source.kind == "argument")


def _no_body(program: n.Program) -> n.Program:
    return replace(program, body=n.Block(()), params=_own_params(program))


def _writes_certainly(loop: n.For, verdicts: Verdicts) -> bool:
    """Whether all iterations write alike: each makes every access that writes, in loops of the same bounds, at indices
    that are linear in counters.

    A device gives back whole regions. What is written in some iterations only may have a region that reaches into that
    of another piece, and elements of it that the piece did not write would be old ones. Elements that are folded into
    are in arrays that each piece has for itself.
    """
    body = verdicts.table.structure.loops[loop.label].body
    inside = {v.name for s in walk(loop.body) for v in (*defined_by(s), *bound_inside(s))} | {loop.index.name}
    apart = {id(access) for update in verdicts[loop.label].updates for access in update.accesses}
    writes = [access for access in verdicts.table.within(body) if access.writes and id(access) not in apart]
    counters = {statement.index.name for statement in walk(loop.body) if isinstance(statement, n.For)}
    computed = inside - counters - {loop.index.name}
    return all(
        access.is_certain_in(body) and _is_linear(access, computed) and not _varies(access, loop, verdicts, inside)
        for access in writes
    )


def _varies(access: Access, loop: n.For, verdicts: Verdicts, inside: set[str]) -> bool:
    """Whether the loops around an access, inside of another one, are of other lengths in other iterations."""
    labels = [around.label for around in access.loops]
    inner = (around.node for around in access.loops[labels.index(loop.label) + 1 :])
    ends = (atom for node in inner if isinstance(node, n.For) for atom in (node.start, node.stop))
    return any(verdicts.table.forms.of(atom).names & inside for atom in ends)


def _is_linear(access: Access, computed: set[str]) -> bool:
    """Whether the indices of an access are sums of multiples of counters, and of what no iteration changes."""
    if access.indices is None or any(index.sign is not None for index in access.indices):
        return False
    forms = [index.form for index in access.indices]
    return all(form.is_linear and all(type(s) in (str, Extent) for s in form.symbols) for form in forms) and not any(
        form.names & computed for form in forms
    )


EXACT = frozenset({"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "copysign", "fmod", "isnan", "isinf", "isfinite"})
"""Mathematical functions that are the same everywhere."""


def _has_sums(loop: n.For, verdicts: Verdicts) -> bool:
    inner = (statement for statement in walk(loop.body) if isinstance(statement, n.For))
    return any(verdicts[statement.label].reassociates for statement in inner)


def _rounded(loop: n.For, verdicts: Verdicts) -> tuple[Location, str] | None:
    for statement in walk(loop.body):
        if isinstance(statement, n.For) and verdicts[statement.label].reassociates:
            return statement.location, f"the sum over {statement.label}"
        if isinstance(statement, n.Call):
            return statement.location, f"the call of {statement.function}"
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Math) and statement.value.name not in EXACT:
            return statement.location, statement.value.name
    return None


def returned(program: n.Program) -> Returned:
    """How the arguments make the result: nothing, one of them, or a tuple of some; nothing where `rest` makes it."""
    if any(is_item(statement, program) for statement in program.body.statements) and needs_rest(program):
        return lambda arguments: None
    names = {param.var: param.source.name for param in program.params}
    values = [names[value] for value in program.body.yields if isinstance(value, n.Var)]
    if program.returns.kind == "leaf":
        return lambda arguments: arguments[values[0]]
    if program.returns.kind == "tuple":
        return lambda arguments: tuple(arguments[name] for name in values)
    return lambda arguments: None


# -------------------------------------------------------------------------------------------------------- checks


def _check_loop(program: n.Program, loop: n.For, verdicts: Verdicts, folding: bool) -> Folds:
    """Refuse a loop whose pieces cannot run at the same time; what it folds."""
    fact = verdicts[loop.label]
    is_fold = folding and fact.verdict in ("reduction", "scan")
    if not (is_fold or fact.verdict == "parallel") or fact.conditions:
        why = fact.reason if fact.verdict != "parallel" else "only a check at the call can tell that it is parallel"
        raise refusal(program, loop.location, f"the loop over {loop.label} is not proven to be parallel: {why}")
    if loop.exit is not None or (loop.results and not is_fold):
        raise refusal(program, loop.location, f"the loop over {loop.label} has a result that is used after it")
    params = {param.var.name for param in program.params}
    shared = [private.array.name for private in fact.private if private.copied_out or private.array.name in params]
    if shared:
        raise refusal(program, loop.location, f"every iteration of the loop over {loop.label} uses {shared[0]} anew")
    folding_part = _folding_part(program, loop) if is_fold and fact.verdict == "scan" else loop
    if folding_part is not loop and (why := why_no_scan(loop, folding_part, fact, verdicts.table)):
        raise refusal(program, loop.location, f"the loop over {loop.label} cannot be put together: {why}")
    folds = folds_of(folding_part, fact, _named(program)) if is_fold else Folds()
    if isinstance(folds, str):
        raise refusal(program, loop.location, f"the loop over {loop.label} cannot be put together: {folds}")
    return folds


def check_whole(program: n.Program, plain: n.Program) -> None:
    """Refuse what stands outside of all loops of a program and must not be done once for each piece.

    Parameters
    ----------
    program
        The program.
    plain
        The same without its loops over steps, and with the arguments in place of what these hand on.
    """
    _check_around(plain, judge(program))


def _check_around(program: n.Program, verdicts: Verdicts) -> None:
    """Refuse statements outside of the loops that must not be done once for each piece."""
    if program.writes:
        raise refusal(program, program.location, f"it assigns {program.writes[0]} outside of the function")
    for param in program.params:
        if isinstance(param.var.type, View) and (param.source.kind != "argument" or param.source.path):
            raise refusal(
                program, program.location, f"it uses the array {param.source}, which is no argument of its own"
            )
    made = [s for s in program.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    if made:
        raise refusal(program, made[0].location, "it makes an array, of which every piece would have its own")
    for statement in _outside(program):
        if not isinstance(statement, (n.Let, n.If, n.Raise)):
            location = getattr(statement, "location", program.location)
            raise refusal(program, location, "something outside of its loops is more than a number")
    _check_loads(program, verdicts)
    params = {param.var for param in program.params if not param.source.path and param.source.kind == "argument"}
    returns = program.returns
    plain = returns.kind in ("none", "leaf") or all(item.kind == "leaf" for item in returns.items)
    if any(value not in params for value in program.body.yields) or not plain or returns.kind in ("record", "constant"):
        raise refusal(program, program.location, "it returns a new value")


def _check_loads(program: n.Program, verdicts: Verdicts) -> None:
    """Refuse reads outside of the loops of what a loop writes: they would see other values for later loops."""
    table = verdicts.table
    writes = [access for access in table.accesses if access.writes]
    outside = {id(statement) for statement in _outside(program)}
    for access in table.accesses:
        if id(access.site.statement) in outside and any(
            not table.roots(access).isdisjoint(table.roots(w)) for w in writes
        ):
            what = f"it reads {access.array.name}, which a loop writes, outside of it"
            raise refusal(program, access.location, what)


def _outside(program: n.Program) -> Iterator[n.Statement]:
    """The statements that are in no outermost loop, and no calls of kernels among these."""
    for statement in program.body.statements:
        if is_item(statement, program):
            continue
        yield statement
        for inner in blocks_of(statement):
            yield from walk(inner)


def _written(verdicts: Verdicts) -> frozenset[str]:
    """The roots of all arrays that are written."""
    writes: list[Access] = [access for access in verdicts.table.accesses if access.writes]
    return frozenset().union(*(verdicts.table.roots(access) for access in writes))


def refusal(program: n.Program, location: Location, cause: str) -> UnsupportedError:
    """The error of what cannot be cut."""
    return UnsupportedError(f"{program.name} cannot be cut into pieces", location, cause=cause, hint=HINT)


# ------------------------------------------------------------------------------------------------------ programs


def _piece(program: n.Program, loop: n.For, folds: Folds) -> n.Program:
    """The program with one loop only, from the larger of its start and `LOW` to the smaller of its stop and `HIGH`; it
    returns what the loop folds."""
    made, before, own = _cut(program, begun(loop, folds))
    body = _kept(program, loop, (*before, own))
    return _folding(made, body, own, loop.results) if loop.results else replace(made, body=body)


def _folding_part(program: n.Program, loop: n.For) -> n.For:
    """What of a loop computes what it folds."""
    bare = without_stores(loop)
    found = dce(_folding(program, _kept(program, loop, (bare,)), bare, loop.results)).body.statements[-1]
    assert isinstance(found, n.For)
    return found


def _scan(program: n.Program, loop: n.For, folds: Folds) -> Scan:
    """The programs of a loop that uses partial results."""
    made, before, own = _cut(program, begun(_folding_part(program, loop), folds))
    totals = _folding(made, _kept(program, loop, (*before, own)), own, own.results)
    names = Names.of(program)
    values = {f"{VALUE} {k}": names.fresh(arg.var.stem, arg.var.type) for k, arg in enumerate(loop.args)}
    begins = (replace(arg, init=value) for arg, value in zip(loop.args, values.values(), strict=True))
    made, before, own = _cut(_with_params(program, values), replace(loop, args=tuple(begins)))
    return Scan(totals, _folding(made, _kept(program, loop, (*before, own)), own, own.results))


def _cut(program: n.Program, loop: n.For) -> tuple[n.Program, tuple[n.Statement, ...], n.For]:
    """A program with the bounds of a piece as arguments, and one of its loops, for that piece, with what computes the
    bounds of the loop."""
    names = Names.of(program)
    low, high = names.fresh("low", PYINT), names.fresh("high", PYINT)
    scribe = Scribe(names, loop.location)
    start, stop = scribe.op("max", loop.start, low), scribe.op("min", loop.stop, high)
    made = _with_params(program, {LOW: low, HIGH: high})
    return made, tuple(scribe.statements), replace(loop, start=start, stop=stop)


def _folding(program: n.Program, body: n.Block, loop: n.For, values: tuple[n.Atom, ...]) -> n.Program:
    """The program that ends with a loop and returns some values."""
    body = n.Block(body.statements[: body.statements.index(loop) + 1], values)
    return replace(program, body=body, returns=Returns("tuple", (Returns("leaf"),) * len(values)))


def _groups(program: n.Program, loop: n.For, folds: Folds) -> Groups:
    """The programs of a loop that adds floats."""
    names = Names.of(program)
    elements = tuple(stored_as(arg.var.type) for arg in loop.args)
    arrays = {
        f"{PARTIAL} {k}": names.fresh("partials", View(element, 1, contiguous=True))
        for k, element in enumerate(elements)
    }
    fold = _with_params(program, arrays)
    made, before, own = _cut(fold, loop)
    return Groups(
        _folding(made, _kept(program, loop, (*before, own)), own, (*own.results, own.start, own.stop)),
        _folding(fold, _kept(program, loop, (loop,)), loop, (*loop.results, loop.start, loop.stop)),
        elements,
    )


def _with_params(program: n.Program, variables: Mapping[str, n.Var]) -> n.Program:
    """A program with more arguments, by their names, behind those that it has, which returns nothing."""
    own = [param for param in program.params if param.source.kind == "argument"]
    others = [param for param in program.params if param.source.kind != "argument"]
    added = [n.Param(var, Source("argument", name)) for name, var in variables.items()]
    return replace(program, params=(*own, *added, *others), returns=Returns("none"))


def _kept(program: n.Program, loop: n.For, instead: tuple[n.Statement, ...]) -> n.Block:
    """The statements before a loop without other loops, what stands in its place, and what follows the last loop."""
    statements = program.body.statements
    place = next(k for k, statement in enumerate(statements) if statement is loop)
    behind = statements[place + 1 :]
    if any(is_item(statement, program) for statement in behind) or needs_rest(program):
        behind = ()
    return n.Block((*without_loops(program, statements[:place]), *instead, *behind))


def without_loops(program: n.Program, statements: Sequence[n.Statement]) -> tuple[n.Statement, ...]:
    """Statements without loops and calls of kernels."""
    return tuple(statement for statement in statements if not is_item(statement, program))


def bounds_program(program: n.Program, label: str) -> n.Program:
    """The program that returns where an outermost loop begins and ends."""
    loops = (s for s in program.body.statements if isinstance(s, n.For))
    return _bounds(program, next(loop for loop in loops if loop.label == label), ())


def _bounds(program: n.Program, loop: n.For, inits: tuple[n.Atom, ...]) -> n.Program:
    """The program that returns where a loop begins and ends, and what the values that it carries begin with."""
    returns = Returns("tuple", (Returns("leaf"),) * (2 + len(inits)))
    before = itertools.takewhile(lambda statement: statement is not loop, program.body.statements)
    kept = without_loops(program, tuple(before))
    return replace(program, body=n.Block(kept, (loop.start, loop.stop, *inits)), returns=returns)
