"""Steps that only fold into elements, as a fold of each element.

``for t: for i in parallel: for j: s[i] += x[t, j] * y[i, j]`` launches a kernel for each step, of as many threads as
there are elements. No element reads another one, so the steps may go inside; and since each step only folds into the
element, they are a fold over two loops then, which many threads share (see `weft.plan.prepare.folds.few_folds`).

Not done where the steps do anything else: then one thread would run them all, and in each the loop that threads could
have shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.analysis.access.access import table
from weft.ir import nodes as n
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, atoms_of, bound_inside, defined_by, substitute, walk
from weft.plan.scratch import Why
from weft.plan.steps.steps_inside import chain_of, is_legal, turned
from weft.schedule.writing import Writing
from weft.transform.parallel.parallelise import parallelise
from weft.transform.parallel.scalar_promotion import scalar_promotion
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import spliced, with_loops


def with_steps_folded(program: n.Program, why_host: Why) -> n.Program:
    """Let parallel loops stand outside of steps that do nothing but fold into their elements.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    wanted = [s.label for s in walk(program.body) if isinstance(s, n.For) and _suits(s)]
    for label in wanted:
        program = _folded(program, label, why_host) or program
    return program


def _suits(steps: n.For) -> bool:
    """Whether steps are parallel loops around a fold."""
    chain = chain_of(steps)
    inside = [s for s in walk(chain[-1].body) if isinstance(s, (n.For, n.While))] if chain else []
    return bool(inside) and all(isinstance(s, n.For) and s.mapping == "parallel" and s.args for s in inside)


def _folded(program: n.Program, label: str, why_host: Why) -> n.Program | None:
    """The program with some steps as a fold of each element, if they are one."""
    accesses, chain = table(program), list[n.For]()

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.label != label:
            return None
        chain[:] = chain_of(loop)
        return (turned(loop, chain),) if is_legal(accesses, loop, chain) else None

    body = with_loops(program.body, change)
    if body is program.body:
        return None
    return as_fold(replace(program, body=body), chain[0].label, label, why_host)


def as_fold(program: n.Program, nest: str, steps: str, why_host: Why) -> n.Program | None:
    """The program with a loop inside of a parallel nest as a fold that threads may share; None where it is none.

    Parameters
    ----------
    program
        With the loop in its place.
    nest, steps
        The labels of the nest and of the loop.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    made = _with_tests_outside(program, nest)
    made = made and _with_tests_outside(dce(fold(scalar_promotion(made))), nest)
    if made is None:
        return None
    made = parallelise(made)
    loops = {s.label: s for s in walk(made.body) if isinstance(s, n.For)}
    fold_loop = loops[steps]
    return made if fold_loop.mapping == "parallel" and fold_loop.args and why_host(loops[nest]) is None else None


def _with_tests_outside(program: n.Program, label: str) -> n.Program | None:
    """The program with the conditions that a nest does not change tested before it; None where it does anything without
    one of them."""
    nest = next(s for s in walk(program.body) if isinstance(s, n.For) and s.label == label)
    write = Writing(Names.of(program), nest.location)
    tests = _tests(nest, write)
    if not tests:
        return program
    known: dict[str, n.Atom] = {}
    for name in tests:  # the first one that does not hold
        if _stores(program, nest, {**known, name: n.Const(False, PYBOOL)}):
            return None
        known[name] = n.Const(True, PYBOOL)
    inside = n.Block((_given(nest, known),))
    write.add(n.If(write.both(tests.values()), inside, location=nest.location))
    return dce(fold(_with(program, nest, write.statements)))


def _with(program: n.Program, nest: n.For, statements: Sequence[n.Statement]) -> n.Program:
    """The program with statements in place of a nest."""
    body = with_loops(program.body, lambda loop: tuple(statements) if loop is nest else None)
    return replace(program, body=body)


def _tests(nest: n.For, write: Writing) -> dict[str, n.Atom]:
    """The conditions of choices of a nest that it does not change, by name; those that it defines are written."""
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*bound_inside(s), *defined_by(s))}
    lets = {s.var.name: s for s in walk(nest.body) if isinstance(s, n.Let)}
    found: dict[str, n.Atom] = {}
    for statement in walk(nest.body):
        choice = statement.value if isinstance(statement, n.Let) else statement
        condition = choice.condition if isinstance(choice, (n.If, n.Select)) else None
        if not isinstance(condition, n.Var) or condition.name in found:
            continue
        value = lets[condition.name].value if condition.name in lets else None
        if condition.name not in inside:
            found[condition.name] = condition
        elif isinstance(value, n.Compare) and not inside & {a.name for a in atoms_of(value) if isinstance(a, n.Var)}:
            found[condition.name] = write.let(value, PYBOOL, "runs")
    return found


def _given(nest: n.For, values: Mapping[str, n.Atom]) -> n.For:
    """A nest with values for some variables, whether it defines them or not."""

    def is_given(statement: n.Statement) -> bool:
        return isinstance(statement, n.Let) and statement.var.name in values

    body = spliced(nest.body, lambda statement, _: () if is_given(statement) else None)
    return substitute(replace(nest, body=body), values)


def _stores(program: n.Program, nest: n.For, values: Mapping[str, n.Atom]) -> bool:
    """Whether a nest stores anything but what it loaded there, under some conditions."""
    idle = _with(program, nest, (_given(nest, values),))
    left = [
        s
        for loop in walk(fold(fold(idle)).body)
        if isinstance(loop, n.For) and loop.label == nest.label
        for s in walk(loop.body)
    ]
    loads = {
        (s.var, s.value.view, s.value.indices) for s in left if isinstance(s, n.Let) and isinstance(s.value, n.Load)
    }
    stores = (s for s in left if isinstance(s, (n.Store, n.Update)))
    return any(isinstance(s, n.Update) or (s.value, s.view, s.indices) not in loads for s in stores)
