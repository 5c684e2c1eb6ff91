"""Proves that launches say which arrays their kernels touch: plans, and the proof that they are right, rest on that.

A kernel is looked at as it was lowered, so that nothing here knows from which loops it was made, or why its launch says
what it says. Arrays are told apart, parts of them are not: the interpreter knows of every byte that a kernel reads and
writes, and finds where a launch says too little, or more than its kernel writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weft.analysis.access.access import table as access_table
from weft.ir import nodes as n
from weft.ir.visit import launches_in, walk
from weft.plan.transfers.owners import Owners


def false_claims(program: n.Program, owners: Owners) -> Iterator[str]:
    """What launches say that is not so, each with its line."""
    for launch in launches_in(program.body):
        if not launch.reads and not launch.writes:  # nobody has said what it touches
            continue
        read, written = (_groups(views, owners) for views in _touched(launch))
        said_read, said_written = (_groups(views, owners) for views in (launch.reads, launch.writes))
        for what, names in (
            ("reads {}, and its launch does not say so", read - said_read - written),
            ("writes {}, and its launch does not say so", written - said_written),
            ("does not write {}, and its launch says so", said_written - written),
        ):
            for name in sorted(names):
                yield f"{launch.location}: {launch.kernel.name} {what.format(name.partition('.')[0])}"


def _groups(views: Iterable[n.Var], owners: Owners) -> frozenset[str]:
    """The groups of arrays that views show."""
    return frozenset(owners.group(owners.handle(view)) for view in views)


def _touched(launch: n.Launch) -> tuple[list[n.Var], list[n.Var]]:
    """The operands that a kernel reads, and those that it writes."""
    kernel = launch.kernel
    params = tuple(n.Param(var, n.Source("argument", var.name)) for var in kernel.params)
    found = access_table(n.Program(kernel.name, params, kernel.body))
    handed_on = [s.through for s in walk(kernel.body) if isinstance(s, n.For) and s.through is not None]
    read = [*(a.array for a in found.accesses if a.reads), *handed_on]
    written = [*(a.array for a in found.accesses if a.writes), *handed_on]
    given = {p.name: o for p, o in zip(kernel.params, launch.operands, strict=False) if isinstance(o, n.Var)}

    def operands(views: list[n.Var]) -> list[n.Var]:
        roots = frozenset[str]().union(*(found.aliases.roots(view) for view in views))
        return [given[name] for name in sorted(roots) if name in given]

    return operands(read), operands(written)
