"""Lanes: a parallel loop that a C compiler does not vectorise runs several iterations side by side, under masks.

For loops without parallel loops inside whose iterations take different ways (a ``while`` loop, a loop that is left
early or whose length differs, a branch with work on its sides), or go through a loop in order, all equally often.
Straight bodies are left to the compiler. The loop becomes one over tiles of as many iterations as fit in a vector of
the widest type in use; the last tile is masked. What may raise would raise in another order: tiles of such loops are
speculative, see `weft.transform.speculation.tiles`. Sums and products are folded over the lanes of a tile, then over
the tiles in order.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import TypeGuard

from weft.analysis.access.read_order import reads_what_it_stored
from weft.analysis.values.inside import Inside
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYBOOL, PYINT, Scalar, Vector, View
from weft.ir.visit import Names, atoms_of, blocks_of, bound_inside, defined_by, has_fewer_trips, rewrite, walk
from weft.transform.parallel.scalar_promotion import with_stored_elements, without_exceptions
from weft.transform.peel import Copies
from weft.transform.scan.speculative_copy import Unsuited as CannotTell
from weft.transform.simplify.if_conversion import undefined_names
from weft.transform.speculation.tiles import Leaving, Tile
from weft.transform.support import for_each_body, on_blocks, with_loops
from weft.transform.vector.divergence import Divergence
from weft.transform.vector.idle_tiles import skip_idle_tiles
from weft.transform.vector.vectorise import Unsuited, Vectoriser, is_integer, without_division

VECTOR_BYTES = 64
NEUTRAL: dict[str, float] = {"add": -0.0, "mul": 1.0, "or": 0, "and": -1, "xor": 0}
"""What a lane that is off contributes to a fold; adding -0.0 changes nothing, not even the sign of a zero."""
WORTHWHILE_BRANCH = 4
"""A branch with at least so many statements is worth running under masks."""
MOST_CHOSEN = 8
"""A branch with so many statements, all of which are cheap and store nothing, is a choice to compilers."""
CHOSEN = frozenset({"add", "sub", "mul", "min", "max", "and", "or", "xor"})
ABREAST = 4
MOST_STATEMENTS = 200
"""The largest body of which several vectors run side by side."""
CHEAP = frozenset({"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "copysign"})
"""Functions that are an instruction or two."""
SMALLEST_MASKED = 4
"""Bytes of the smallest elements that processors read under a mask."""
STEPS = 16
"""Loops in order of fewer steps are straight code to compilers."""


def lanes(program: n.Program, vector_bytes: int = VECTOR_BYTES) -> n.Program:
    """Run divergent parallel loops in vectors."""
    copies = Copies(program)

    def change(block: n.Block) -> n.Block:
        undefined = undefined_names(block)
        return rewrite(block, lambda s: _in_lanes(s, vector_bytes, copies.names, undefined) if _is_suited(s) else s)

    if any(_stores_in_turn(s) for b in (program.body, *(f.body for f in program.functions)) for s in walk(b)):
        program = for_each_body(program, lambda body, ranges: _with_stored_elements(program, body, ranges, copies))
    program = on_blocks(program, change)
    if not any(_is_speculative(s) for b in (program.body, *(f.body for f in program.functions)) for s in walk(b)):
        return program

    def speculate(block: n.Block, ranges: Ranges) -> n.Block:
        undefined = undefined_names(block)
        proofs = Inside.of(program, block, ranges)
        return with_loops(block, lambda loop: _speculative(loop, vector_bytes, copies, undefined, proofs))

    return for_each_body(program, speculate)


def _stores_in_turn(statement: n.Statement) -> bool:
    """Whether loops inside of a loop for lanes store to an element of the iteration where a branch says so."""
    if not isinstance(statement, n.For) or not _is_suited(statement):
        return False
    branches = (s for part in walk(statement.body) if isinstance(part, n.For) for s in walk(part.body))
    blocks = (b for s in branches if isinstance(s, n.If) for b in blocks_of(s))
    return any(isinstance(s, n.Store) and statement.index in s.indices for b in blocks for s in b.statements)


def _with_stored_elements(program: n.Program, body: n.Block, ranges: Ranges, copies: Copies) -> n.Block:
    proofs = Inside.of(program, body, ranges)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        changed = with_stored_elements(loop, proofs, copies.names) if _stores_in_turn(loop) else loop
        return None if changed is loop else (changed,)

    return with_loops(body, change)


def runs_in_lanes(program: n.Program, loop: n.For, copies: Copies) -> bool:
    """Whether the pass makes vector code of a loop of a program."""
    if not _raises(loop):
        return _is_suited(loop)
    found: list[bool] = []

    def look(body: n.Block, ranges: Ranges) -> n.Block:
        if any(s is loop for s in walk(body)):
            proofs = Inside.of(program, body, ranges)
            made = _speculative(loop, VECTOR_BYTES, copies, undefined_names(body), proofs)
            found.append(made is not None)
        return body

    for_each_body(program, look)
    return any(found)


def _is_suited(statement: n.Statement) -> bool:
    if not _is_candidate(statement) or _raises(statement) or _strays(statement) > _functions(statement):
        return False
    return _diverges(statement) or _waits(statement) or _keeps(statement)


def _is_candidate(statement: n.Statement) -> TypeGuard[n.For]:
    if not isinstance(statement, n.For) or statement.mapping != "parallel" or statement.exit is not None:
        return False
    if statement.index.type != PYINT or any(a.combine not in NEUTRAL for a in statement.args):
        return False
    inner = list(walk(statement.body))
    moving = {var.name for var in _variables(statement)}
    if any(isinstance(var.type, Vector) for var in _variables(statement)):
        return False  # a loop inside runs in lanes
    private = Divergence(statement).private
    return not any(
        isinstance(s, n.For) and s.mapping == "parallel" and not _is_of_private(s, private)
        and (not s.args or _runs_along(s, moving))
        for s in inner
    )  # fmt: skip


def _is_of_private(loop: n.For, private: frozenset[str]) -> bool:
    """Whether a loop only fills small arrays of which each iteration of the loop around it has its own, or has few
    steps and reads such arrays."""
    parts = [s.value if isinstance(s, n.Let) else s for s in walk(loop.body)]
    stores = [part for part in parts if isinstance(part, n.Store)]
    if loop.args or not stores:
        return False
    reads = any(isinstance(part, n.Load) and part.view.name in private for part in parts)
    return all(s.view.name in private for s in stores) or (reads and has_fewer_trips(loop, STEPS))


def _raises(loop: n.For) -> bool:
    return any(_may_raise(s) for s in walk(loop.body))


def _is_speculative(statement: n.Statement) -> bool:
    if not _is_candidate(statement) or not _raises(statement):
        return False
    return any(isinstance(s, (n.For, n.While)) for s in walk(statement.body))


def _speculative(
    loop: n.For, vector_bytes: int, copies: Copies, undefined: set[str], proofs: Inside
) -> tuple[n.Statement, ...] | None:
    """A loop that may raise, in tiles that run again where one did; None where that cannot be said or gains nothing."""
    if not _is_speculative(loop):
        return None
    carrying = without_exceptions(loop, proofs, copies.names)
    private, roots = Divergence(carrying).private, proofs.ranges.aliases.roots
    if reads_what_it_stored(carrying.body, lambda view: frozenset() if view.name in private else roots(view)):
        return None
    try:
        tile = Tile(loop, carrying, copies)
        straight = tile.straight
        suits = _diverges(straight) or _waits(straight, strays=True) or _keeps(straight)
        if _strays(straight) > _functions(straight) or not suits:
            return None
        count = _abreast(straight) * vector_bytes // _widest(loop)
        vectoriser = Leaving(Divergence(straight), count, copies.names, undefined)
        return _tiled(loop, vectoriser, count, copies.names, tile)
    except (Unsuited, CannotTell):
        return None


def _runs_along(loop: n.For, moving: set[str]) -> bool:
    """Whether a loop with bounds that do not move reads neighbouring elements: vector code is then made of it alone."""
    if any(isinstance(a, n.Var) and a.name in moving for a in (loop.start, loop.stop)):
        return False
    steps = {loop.index.name}
    for statement in loop.body.statements:
        if not isinstance(statement, n.Let):
            continue
        value = statement.value
        if isinstance(value, n.Load) and value.indices and getattr(value.indices[-1], "name", "") in steps:
            return True
        if isinstance(value, n.Binary) and value.op == "add" and steps & {a.name for a in _variables_of(value)}:
            steps.add(statement.var.name)
    return False


def _variables_of(value: n.Expression) -> Iterator[n.Var]:
    return (atom for atom in atoms_of(value) if isinstance(atom, n.Var))


def _may_raise(statement: n.Statement) -> bool:
    """As `effects.block_may_raise`, for one statement; a ``while`` loop may run on."""
    if blocks_of(statement):
        return False
    return block_may_raise(n.Block((statement,)))


def _diverges(loop: n.For) -> bool:
    divergence = Divergence(loop)
    for statement in walk(loop.body):
        if isinstance(statement, n.For) and statement.mapping == "parallel":
            continue  # it is made vector code of by itself, along what it reads
        if isinstance(statement, (n.For, n.While)) and divergence.loop_diverges(statement):
            return True
        if isinstance(statement, n.If) and divergence.differs(statement.condition):
            inside = [s for b in blocks_of(statement) for s in walk(b)]
            if len(inside) >= WORTHWHILE_BRANCH and not _is_chosen(inside):
                return True
    return False


def _is_chosen(statements: list[n.Statement]) -> bool:
    """Whether a compiler computes both sides of a branch and chooses: a few sums and comparisons."""
    if len(statements) > MOST_CHOSEN:
        return False
    values = (s.value if isinstance(s, n.Let) else s for s in statements)
    return all(
        isinstance(v, (n.If, n.Compare, n.Select, n.Cast)) or (isinstance(v, n.Binary) and v.op in CHOSEN)
        for v in values
    )


def _abreast(loop: n.For) -> int:
    """How many vectors a speculative tile has: the steps of one fill the gaps between those of another."""
    return ABREAST if sum(1 for _ in walk(loop.body)) <= MOST_STATEMENTS else 1


def _functions(loop: n.For) -> int:
    """How many functions of mathematics the loops inside call: each costs more than lanes that load one by one."""
    return sum(isinstance(part, n.Math) and part.name not in CHEAP for part in _inner_parts(loop))


def _strays(loop: n.For) -> int:
    """How many accesses of the loops inside go lane by lane: to elements anywhere, or to some small neighbours.

    What an iteration copies into a small array of its own is read once, and does not count.
    """
    divergence = Divergence(loop)
    neighbours = _neighbours(loop, divergence)
    copies = {id(s) for s in loop.body.statements if isinstance(s, n.For) and _is_of_private(s, divergence.private)}
    accesses = (part for part in _inner_parts(loop, copies) if isinstance(part, (n.Load, n.Store)))
    return sum(not _is_alike(access, neighbours, divergence) for access in accesses)


def _inner_parts(loop: n.For, but: Container[int] = ()) -> list[n.Expression | n.Statement]:
    """What the loops inside of a loop compute and do, but for some with these identities."""
    inner = (s for s in walk(loop.body) if isinstance(s, (n.For, n.While)) and id(s) not in but)
    found = {id(s): s for outer in inner for block in blocks_of(outer) for s in walk(block)}
    return [s.value if isinstance(s, n.Let) else s for s in found.values()]


def _waits(loop: n.For, strays: bool = False) -> bool:
    """Whether iterations go through loops in order, in which lanes access neighbours or all the same element.

    With `strays`, they may access elements anywhere.
    """
    divergence = Divergence(loop)
    inner = [s for s in walk(loop.body) if isinstance(s, n.For)]
    long = (s for s in inner if not has_fewer_trips(s, STEPS))
    if not any(divergence.differs(arg.var) for s in long for arg in s.args):
        return False
    return (
        all(s.mapping == "sequential" for s in inner)
        and (strays or not _strays(loop))
        and not any(isinstance(part, n.Binary) and _divides_integers(part) for part in _inner_parts(loop))
    )


def _keeps(loop: n.For) -> bool:
    """Whether loops inside store to small arrays that each iteration has: lanes have theirs side by side."""
    parts = _inner_parts(loop)
    private = Divergence(loop).private
    return any(isinstance(part, n.Store) and part.view.name in private for part in parts) and not any(
        isinstance(part, n.Binary) and _divides_integers(part) for part in parts
    )


def _divides_integers(value: n.Binary) -> bool:
    """Whether lanes divide one by one: processors have no vectors of quotients of integers."""
    return is_integer(value.right) and without_division(value).op in ("floordiv", "mod")


def _neighbours(loop: n.For, divergence: Divergence) -> set[str]:
    """Names of the index, and of what is that plus something that is the same in all lanes."""
    found = {loop.index.name}
    for statement in walk(loop.body):
        value = statement.value if isinstance(statement, n.Let) else None
        if not isinstance(statement, n.Let) or not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
            continue
        sums = ((value.left, value.right), (value.right, value.left))[: 2 if value.op == "add" else 1]
        if any(isinstance(a, n.Var) and a.name in found and not divergence.differs(b) for a, b in sums):
            found.add(statement.var.name)
    return found


def _is_alike(access: n.Load | n.Store, neighbours: set[str], divergence: Divergence) -> bool:
    """Whether lanes access neighbours, or all the same element."""
    if not any(map(divergence.differs, (access.view, *access.indices))):
        return True  # also of an array that each lane has, where they lie side by side
    *others, last = access.indices
    type = access.view.type
    is_row = isinstance(type, View) and type.contiguous and type.element.size >= SMALLEST_MASKED
    return is_row and not any(map(divergence.differs, others)) and getattr(last, "name", "") in neighbours


def _in_lanes(
    statement: n.Statement, vector_bytes: int, names: Names, undefined: set[str]
) -> n.Statement | tuple[n.Statement, ...]:
    assert isinstance(statement, n.For)
    count = vector_bytes // _widest(statement)
    divergence = Divergence(statement)
    vectoriser = Vectoriser(divergence, count, names, undefined)
    try:
        return _tiled(statement, vectoriser, count, names)
    except Unsuited:
        return statement


def _widest(loop: n.For) -> int:
    """The size of the largest number that the loop works with."""
    return max(var.type.size for var in _variables(loop) if isinstance(var.type, Scalar))


def _variables(loop: n.For) -> Iterator[n.Var]:
    yield loop.index
    for statement in walk(loop.body):
        yield from defined_by(statement)
        yield from bound_inside(statement)


def _tiled(
    loop: n.For, vectoriser: Vectoriser, count: int, names: Names, speculation: Tile | None = None
) -> tuple[n.Statement, ...]:
    """The loop over tiles, and the number of tiles before it."""
    location = loop.location
    span = names.fresh("span", PYINT)
    padded = names.fresh("span", PYINT)
    tiles = names.fresh("tiles", PYINT)
    before = (
        n.Let(span, n.Binary("sub", loop.stop, loop.start, False), location),
        n.Let(padded, n.Binary("add", span, n.Const(count - 1), False), location),
        n.Let(tiles, n.Binary("floordiv", padded, n.Const(count), False), location),
    )
    tile = names.fresh(loop.index.stem if speculation is None else "tile", PYINT)
    neutral = tuple(_neutral(arg, count) for arg in loop.args)
    vectoriser.replaced.update({arg.var.name: zero for arg, zero in zip(loop.args, neutral, strict=True)})
    first, mask = _open_tile(loop, tile, vectoriser, count)
    vectoriser.real = mask
    if speculation is not None:
        values = speculation.finish(vectoriser, first, mask, neutral)
    else:
        vectoriser.out.extend(vectoriser.statements(loop.body, mask))
        pairs = zip(loop.body.yields, neutral, strict=True)
        values = [vectoriser.select(mask, vectoriser.vector(value), zero) for value, zero in pairs]
    yields = tuple(_folded(arg, value, vectoriser) for arg, value in zip(loop.args, values, strict=True))
    body = skip_idle_tiles(n.Block(tuple(vectoriser.out), yields), loop.args, neutral, names)
    return (*before, replace(loop, index=tile, start=n.Const(0), stop=tiles, body=body))


def _open_tile(loop: n.For, tile: n.Var, vectoriser: Vectoriser, count: int) -> tuple[n.Atom, n.Atom]:
    """The indices of a tile's lanes; gives the first, and the mask of those that are iterations of the loop."""
    vectoriser.location = loop.location
    offset = vectoriser.let(n.Binary("mul", tile, n.Const(count), False), PYINT)
    first = vectoriser.let(n.Binary("add", loop.start, offset, False), PYINT)
    lanes_type = Vector(PYINT, count)
    index = n.Var(loop.index.name, lanes_type)
    vectoriser.out.append(n.Let(index, n.Lanes(first), loop.location))
    vectoriser.first[loop.index.name] = first
    stop = vectoriser.let(n.Broadcast(loop.stop), lanes_type)
    return first, vectoriser.let(n.Compare("lt", index, stop), Vector(PYBOOL, count), "mask")


def _neutral(arg: n.LoopArg, count: int) -> n.Const:
    type = arg.var.type
    assert isinstance(type, Scalar) and arg.combine is not None
    if type.kind == "c":
        raise Unsuited
    neutral = NEUTRAL[arg.combine]
    value: bool | int | float = bool(neutral) if type.kind == "b" else neutral if type.kind == "f" else int(neutral)
    if type.kind == "u" and neutral == -1:
        value = 2**type.bits - 1
    return n.Const(value, Vector(type, count))


def _folded(arg: n.LoopArg, value: n.Atom, vectoriser: Vectoriser) -> n.Atom:
    """What the loop carries on: the value so far, and the fold of the lanes."""
    assert arg.combine is not None
    op: n.BinaryOp = arg.combine  # type: ignore[assignment]
    total = vectoriser.let(n.ReduceLanes(op, value), arg.var.type)
    return vectoriser.let(n.Binary(op, arg.var, total, False), arg.var.type, arg.var.stem)
