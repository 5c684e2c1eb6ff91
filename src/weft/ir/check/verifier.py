"""Checks that a program is what `weft.ir.nodes` says a program is.

`verify` runs between passes in tests, `verify_names` before a program is printed. It looks at one program and at
nothing else: it does not prove that accesses are inside their arrays, that unchecked operations cannot overflow, or
that parallel loops are independent; the interpreter finds those. All mistakes are collected and raised as one
`weft.errors.InternalError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from weft.dataclass import dataclass
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.check_expressions import EXPRESSION_CHECKS, is_boolean
from weft.ir.check.check_kernels import check_memory
from weft.ir.check.check_statements import STATEMENT_CHECKS, check_types
from weft.ir.location import UNKNOWN, Location
from weft.ir.types import PYINT
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, walk


@dataclass(frozen=True)
class Problem:
    """One mistake in a program."""

    text: str
    location: Location = UNKNOWN

    def __str__(self) -> str:
        return self.text if self.location == UNKNOWN else f"{self.location}: {self.text}"


def verify(program: n.Program) -> None:
    """Check a program.

    Raises
    ------
    InternalError
        Its message lists all that is wrong.
    """
    _refuse(program, [problem for check in PROGRAM_CHECKS for problem in check(program)])


def verify_names(program: n.Program) -> None:
    """Check that every variable is assigned once, before it is used: cheap enough for every program that is printed.

    Raises
    ------
    InternalError
        As for `verify`.
    """
    _refuse(program, [*check_single_assignment(program), *check_scopes(program), *check_labels(program)])


def _refuse(program: n.Program, problems: Sequence[Problem]) -> None:
    if problems:
        lines = "\n".join(f"  {p}" for p in problems)
        location = next((p.location for p in problems if p.location.line), None)
        raise InternalError(f"the program {program.name} is not well formed:\n{lines}", location)


def regions(program: n.Program) -> Iterator[tuple[str, Sequence[n.Var], n.Block]]:
    """The parts of a program that see nothing of each other: name, parameters, body."""
    params = [p.var for p in program.params]
    yield program.name, params, program.body
    if program.assumption is not None:
        yield "the assumption", params, program.assumption
    if program.needs is not None:
        yield "the needs", params, program.needs
    for function in program.functions:
        yield function.name, function.params, function.body
    for kernel in kernels(program):
        yield kernel.name, kernel.params, kernel.body


def kernels(program: n.Program) -> tuple[n.Kernel, ...]:
    """The kernels that a program launches, each once."""
    launches = (s for s in walk(program.body) if isinstance(s, n.Launch))
    return tuple(dict.fromkeys(launch.kernel for launch in launches))


def _walk_region(block: n.Block) -> Iterator[n.Statement]:
    """Every statement of a region; kernels are regions of their own."""
    for statement in block.statements:
        yield statement
        if not isinstance(statement, n.Launch):
            for inner in blocks_of(statement):
                yield from _walk_region(inner)


# --------------------------------------------------------------------------------------------- the checks


def check_single_assignment(program: n.Program) -> Iterator[Problem]:
    """Every variable is assigned once, and no two have the same name; assumption and needs have names of their own."""
    seen = {p.var.name for p in program.params}
    if len(seen) < len(program.params):
        yield Problem("two parameters have the same name")
    apart = (program.assumption, program.needs)
    for _, params, body in regions(program):
        names = set(seen) if any(body is block for block in apart) else seen
        own = [] if any(body is block for block in (program.body, *apart)) else list(params)
        yield from _twice(own, UNKNOWN, names)
        for statement in _walk_region(body):
            bound = () if isinstance(statement, n.Launch) else bound_inside(statement)
            yield from _twice((*bound, *defined_by(statement)), getattr(statement, "location", UNKNOWN), names)


def _twice(variables: Iterable[n.Var], location: Location, seen: set[str]) -> Iterator[Problem]:
    for var in variables:
        if var.name in seen:
            yield Problem(f"{var.name} is assigned twice", location)
        seen.add(var.name)


def check_scopes(program: n.Program) -> Iterator[Problem]:
    """Every variable that is used is assigned before, in a block around its use, with the same type."""
    for _, params, body in regions(program):
        yield from _check_block(body, {p.name: p for p in params}, UNKNOWN)


def _check_block(block: n.Block, known: dict[str, n.Var], location: Location) -> Iterator[Problem]:
    known = dict(known)
    for statement in block.statements:
        location = statement.location
        yield from _unknown(atoms_of(statement), known, location)
        inner = {**known, **{v.name: v for v in bound_inside(statement)}}
        if not isinstance(statement, n.Launch):
            for part in blocks_of(statement):
                yield from _check_block(part, inner, location)
        known.update((v.name, v) for v in defined_by(statement))
    yield from _unknown(block.yields, known, location)


def _unknown(atoms: Iterable[n.Atom], known: dict[str, n.Var], location: Location) -> Iterator[Problem]:
    for atom in atoms:
        if not isinstance(atom, n.Var):
            continue
        if atom.name not in known:
            yield Problem(f"{atom.name} is used where it is not known", location)
        elif known[atom.name] != atom:
            yield Problem(f"{atom.name} is a {known[atom.name].type} and is used as a {atom.type}", location)


def check_labels(program: n.Program) -> Iterator[Problem]:
    """Loops have labels of their own."""
    for _, _, body in regions(program):
        seen: set[str] = set()
        for statement in _walk_region(body):
            if isinstance(statement, (n.For, n.While)):
                if statement.label in seen:
                    yield Problem(f"two loops have the label {statement.label}", statement.location)
                seen.add(statement.label)


def check_nodes(program: n.Program) -> Iterator[Problem]:
    """Every statement and expression obeys the rules of its class."""
    for _, _, body in regions(program):
        for statement in _walk_region(body):
            for text in _node_problems(statement, program):
                yield Problem(text, statement.location)


def _node_problems(statement: n.Statement, program: n.Program) -> Iterator[str]:
    checks: tuple[Callable[..., Iterator[str]], ...] = STATEMENT_CHECKS.get(type(statement), ())
    for check in checks:
        yield from check(statement, program)
    if isinstance(statement, n.Let):
        for check in EXPRESSION_CHECKS[type(statement.value)]:
            for text in check(statement.value, statement.var.type):
                yield f"{statement.var.name}: {text}"


def check_returns(program: n.Program) -> Iterator[Problem]:
    """The body yields one value for every leaf of the result and every captured variable that is assigned."""
    leaves = n.count_leaves(program.returns) + len(program.writes)
    if leaves != len(program.body.yields):
        yield Problem(f"the result has {leaves} leaves, and the body yields {len(program.body.yields)} values")


def check_assumption(program: n.Program) -> Iterator[Problem]:
    """The assumption yields one Boolean and writes nothing."""
    if program.assumption is None:
        return
    if [is_boolean(y.type) for y in program.assumption.yields] != [True]:
        yield Problem("the assumption does not yield one Boolean")
    for statement in walk(program.assumption):
        if not isinstance(statement, (n.Let, n.For, n.While, n.If)):
            yield Problem(f"the assumption contains a {type(statement).__name__}")


def check_needs(program: n.Program) -> Iterator[Problem]:
    """What a program needs is computed from its parameters as one ``pyint``."""
    if program.needs is None:
        return
    if [y.type for y in program.needs.yields] != [PYINT]:
        yield Problem("the needs are not one pyint")
    for statement in walk(program.needs):
        if not isinstance(statement, n.Let):
            yield Problem(f"the needs contain a {type(statement).__name__}")


def check_functions(program: n.Program) -> Iterator[Problem]:
    """Functions have different names and do not call themselves, not even through others."""
    names = [f.name for f in program.functions]
    if len(set(names)) < len(names):
        yield Problem("two functions have the same name")
    calls = {f.name: {s.function for s in walk(f.body) if isinstance(s, n.Call)} for f in program.functions}
    for name in calls:
        if name in _reached(name, calls):
            yield Problem(f"the function {name} calls itself")


def _reached(name: str, calls: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        callee = waiting.pop()
        if callee not in found:
            found.add(callee)
            waiting.extend(calls.get(callee, ()))
    return found


def check_kernels(program: n.Program) -> Iterator[Problem]:
    """Kernels with the same name are the same."""
    names = [k.name for k in kernels(program)]
    for name in sorted({k for k in names if names.count(k) > 1}):
        yield Problem(f"two kernels have the name {name}")


def check_kernel_memory(program: n.Program) -> Iterator[Problem]:
    """Memory that blocks and threads have for themselves is in kernels, and used as it may be."""
    for kernel in kernels(program):
        for text in check_memory(kernel.body):
            yield Problem(f"{kernel.name}: {text}", kernel.location)
    for block in (program.body, *(f.body for f in program.functions)):
        for statement in _walk_region(block):
            if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc) and statement.value.memory:
                yield Problem(f"{statement.var.name} is in memory {statement.value.memory!r} outside of kernels")


def check_associative(program: n.Program) -> Iterator[Problem]:
    """An associative function takes two values and gives one, all of the same type."""
    for function in program.functions:
        types = [p.type for p in function.params] + [y.type for y in function.body.yields]
        if function.associative and (len(types) != 3 or any(check_types(types[:1], [t], "") for t in types)):
            yield Problem(f"the function {function.name} cannot be associative", function.location)


PROGRAM_CHECKS: tuple[Callable[[n.Program], Iterator[Problem]], ...] = (
    check_single_assignment, check_scopes, check_labels, check_nodes, check_returns, check_assumption, check_needs,
    check_functions,
    check_kernels, check_kernel_memory, check_associative,
)  # fmt: skip
