"""Long loops that become vector code, printed in stages: each runs over a strip of iterations before the next one.

A processor has about five hundred instructions under way. Where an iteration has half as many that wait for one
another (a logarithm, of whose result an exponential is taken), hardly two iterations overlap, and its units wait. In
stages, as many iterations overlap as ever. What one stage computes and a later one uses is kept in an array for the
strip, in the first cache. Iterations do not depend on each other, and each runs its statements in their order, so
nothing else changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from weft.backends.text.code import Code
from weft.backends.text.mathematics import VECTOR_FUNCTIONS
from weft.backends.text.printer_facts import ANY
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter
    from weft.backends.text.printer_facts import Facts

STRIP = 256
"""Iterations of a strip: enough that the beginning and the end of a stage hardly count."""

FUNCTION_LENGTH = 32
"""Instructions of a mathematical function, about."""

SHORTEST, LONGEST = 48, 96
"""Instructions of a stage: where there is a choice, it ends where least has to be kept."""

FEWEST_FUNCTIONS = 2
"""Arithmetic alone has not been measured."""

MOST_KEPT = 12
"""Variables that may be kept: they share the first cache with the arrays of the loop."""

_SHORT_FUNCTIONS = frozenset({
    "sqrt", "square", "reciprocal", "floor", "ceil", "trunc", "rint", "fabs", "absolute", "sign", "isnan", "isinf",
    "isfinite", "copysign", "maximum", "minimum", "fmax", "fmin", "degrees", "radians", "real", "imag", "conjugate",
    "heaviside", "signbit",
})  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """Some statements of a body: what they use of earlier stages, and what later ones use of them."""

    statements: tuple[n.Statement, ...]
    takes: tuple[n.Var, ...]
    gives: tuple[n.Var, ...]


def stages_of(loop: n.For, facts: Facts) -> tuple[Stage, ...]:
    """The stages of a loop whose iterations do not depend on each other; none where it is better printed as a whole."""
    if loop.args or not all(map(_is_vector_code, loop.body.statements)):
        return ()
    repeated = _repeated(loop, facts)
    statements = [s for s in loop.body.statements if not isinstance(s, n.Let) or s.var.name not in repeated]
    if sum(_length(s) == FUNCTION_LENGTH for s in statements) < FEWEST_FUNCTIONS:
        return ()
    cuts = _cuts(statements)
    if len(cuts) < 3:
        return ()
    stages = tuple(_stage(statements, first, last, repeated) for first, last in pairwise(cuts))
    return stages if len({v for stage in stages for v in stage.gives}) <= MOST_KEPT else ()


def _is_vector_code(statement: n.Statement) -> bool:
    """Whether compilers make vector code of a statement, which defines nothing but a number."""
    if isinstance(statement, n.Store):
        return True
    if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
        return False
    value = statement.value
    return not isinstance(value, n.Math) or value.name in VECTOR_FUNCTIONS


def _repeated(loop: n.For, facts: Facts) -> dict[str, n.Let]:
    """Definitions that every stage has for itself: arithmetic of indices, and numbers read where nothing is stored."""
    inside = {s.var.name for s in loop.body.statements if isinstance(s, n.Let)}
    stored = frozenset[str]().union(*(facts.roots(s.view) for s in loop.body.statements if isinstance(s, n.Store)))
    found: dict[str, n.Let] = {}
    for statement in loop.body.statements:
        if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
            continue
        value, is_integer = statement.value, statement.var.type.kind in "iu"
        known = all(a.name not in inside or a.name in found for a in atoms_of(value) if isinstance(a, n.Var))
        if isinstance(value, n.Load):
            known = known and not is_integer and ANY not in stored and not stored & facts.roots(value.view)
        elif not isinstance(value, (n.Binary, n.Unary, n.Cast)) or not is_integer:
            continue
        if known:
            found[statement.var.name] = statement
    return found


def _length(statement: n.Statement) -> int:
    """Instructions of a statement, about."""
    value = statement.value if isinstance(statement, n.Let) else None
    return FUNCTION_LENGTH if isinstance(value, n.Math) and value.name not in _SHORT_FUNCTIONS else 1


def _cuts(statements: Sequence[n.Statement]) -> list[int]:
    """Where stages begin, and the end of the last one."""
    kept, lengths = _kept(statements), list(map(_length, statements))
    cuts, best, length, rest = [0], 0, 0, sum(lengths)
    for place, more in enumerate(lengths):
        if length >= SHORTEST and (not best or kept[place] <= kept[best]):
            best = place
        if best and length + more > LONGEST and rest >= SHORTEST:
            cuts.append(best)
            length, best = sum(lengths[best:place]), 0
        length += more
        rest -= more
    return [*cuts, len(statements)]


def _kept(statements: Sequence[n.Statement]) -> list[int]:
    """For each statement, how many variables are defined before it and used from there on."""
    last = {name: place for place, s in enumerate(statements) for name in _used((s,))}
    defined = {s.var.name for s in statements if isinstance(s, n.Let)}
    counts, live = [], 0
    for place, statement in enumerate(statements):
        counts.append(live)
        if isinstance(statement, n.Let) and statement.var.name in last:
            live += 1
        live -= sum(last[name] == place for name in _used((statement,)) & defined)
    return counts


def _stage(statements: Sequence[n.Statement], first: int, last: int, repeated: dict[str, n.Let]) -> Stage:
    own, before, later = statements[first:last], statements[:first], statements[last:]
    again = _needed(own, repeated)
    return Stage((*again, *own), tuple(_shared(before, own)), tuple(_shared(own, later)))


def _needed(statements: Sequence[n.Statement], repeated: dict[str, n.Let]) -> tuple[n.Let, ...]:
    """The repeated definitions that some statements need, in order."""
    wanted = _used(statements)
    for let in reversed(repeated.values()):
        if let.var.name in wanted:
            wanted |= _used((let,))
    return tuple(let for let in repeated.values() if let.var.name in wanted)


def _shared(makers: Sequence[n.Statement], users: Sequence[n.Statement]) -> Iterator[n.Var]:
    used = _used(users)
    return (s.var for s in makers if isinstance(s, n.Let) and s.var.name in used)


def _used(statements: Sequence[n.Statement]) -> set[str]:
    return {a.name for s in statements for a in atoms_of(s) if isinstance(a, n.Var)}


def print_stages(
    printer: LoopPrinter,
    loop: n.For,
    index: str,
    start: Code,
    stop: Code,
    stages: Sequence[Stage],
    pragmas: Sequence[str],
) -> None:
    """Print a loop in stages, strip by strip."""
    kept = {
        v.name: printer.declare_array(f"{v.stem}_kept", printer.type_name(v.type), STRIP)
        for s in stages
        for v in s.gives
    }
    strip, end = (printer.module.identifiers.fresh(f"{loop.index.stem}_{what}") for what in ("strip", "end"))
    printer.declared.update({strip: "int64_t", end: "int64_t"})
    with printer.lines.braces(f"for (int64_t {strip} = {start.text}; {strip} < {stop.text}; {strip} += {STRIP})"):
        printer.lines.add(f"const int64_t {end} = min_int64({strip} + {STRIP}, {stop.text});")
        for stage in stages:
            for pragma in pragmas:
                printer.lines.add(pragma)
            with printer.lines.braces(printer.for_head(loop, index, Code(strip), Code(end))), printer.counting(loop):
                _print_stage(printer, loop, stage, f"[{index} - {strip}]", kept)


def _print_stage(printer: LoopPrinter, loop: n.For, stage: Stage, place: str, kept: dict[str, str]) -> None:
    printer.open_block(loop.body)
    for var in stage.takes:
        printer.name(var, kept[var.name] + place)
    for statement in stage.statements:
        printer.statement(statement)
    for var in stage.gives:
        printer.lines.add(f"{kept[var.name]}{place} = {printer.value(var).text};")
    printer.close()
