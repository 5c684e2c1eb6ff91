"""What arrays of integers hold that say where the kernels of a program read: those that a call gives, and those that
kernels make of them for the ones after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Site
from weft.cost.memory.addresses import UNKNOWN, Contents
from weft.cost.memory.assumed_contents import leading
from weft.cost.memory.stored_contents import MOST, Held, stored
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.plan.place import Offloaded, Placed
from weft.runtime.counting.sizes import Sizes


def contents_of(
    program: n.Program, nests: Sequence[Placed], sizes: Sizes, leaves: Sequence[object]
) -> dict[str, Contents]:
    """What the arrays of integers of each kernel hold that runs on a device, by the names of kernels.

    Kernels of which such arrays do not say where they read have none. Known are arrays of NumPy that nothing writes,
    and those of which kernels before a kernel make every element of what is known.

    Parameters
    ----------
    program
        The program with its kernels placed.
    nests
        Where its loops run, in their order.
    sizes, leaves
        The sizes of a call, and its flat arguments.
    """
    kernels = {nest.kernel: nest.offloaded for nest in nests if nest.kernel and nest.offloaded is not None}
    tables = {name: _table(offloaded.kernel) for name, offloaded in kernels.items()}
    led = [name for name, table in tables.items() if leading(table)]
    if not led:
        return {}
    writing = {name: _roots(sizes, kernels[name], _written(table)) for name, table in tables.items()}
    by_host = _written(sizes.table)
    held = dict(_arguments(program, leaves, by_host.union(*writing.values(), program.overlaps)))
    held |= dict(_made(sizes, by_host))
    found: dict[str, Contents] = {}
    for place, (name, offloaded) in enumerate(kernels.items()):
        given = {param.name: operand.name for param, operand in _pairs(offloaded) if operand.name in held}
        if name in led:
            found[name] = {param: held[array].elements for param, array in given.items() if held[array].is_whole}
        later = {o.name for other in list(kernels)[place + 1 :] if other in led for o in kernels[other].operands}
        changed, runs = writing[name] & held.keys(), _runs(sizes, name)
        if not changed or runs is False:
            continue
        after: Mapping[str, Held | None] = {}
        values, is_known = sizes.of_kernel(offloaded.kernel, offloaded.operands)
        if runs and is_known and changed & later:
            after = stored(offloaded.kernel, values, {param: held[array] for param, array in given.items()})
        for array in changed:
            made = next((after.get(param) for param, other in given.items() if other == array), None)
            if made is None:
                del held[array]
            else:
                held[array] = made
    return {name: found.get(name, UNKNOWN) for name in kernels}


def _runs(sizes: Sizes, name: str) -> bool | None:
    """Whether a kernel runs, once; None where that is not known."""
    sites = [site for site in sizes.table.structure.root.sites() if _launches(site, name)]
    truths = [_is_reached(sizes, site) for site in sites]
    if len(sites) == 1:
        return truths[0]
    return None if any(truth is not False for truth in truths) else False


def _launches(site: Site, name: str) -> bool:
    """Whether a statement launches a kernel, or a version of it."""
    launch = site.statement
    return isinstance(launch, n.Launch) and f"{launch.kernel.name}_".startswith(f"{name}_")


def _is_reached(sizes: Sizes, site: Site) -> bool | None:
    """Whether the host comes to a statement, once; None where that is not known."""
    found: bool | None = True
    for region in site.region.chain():
        if isinstance(region.owner, n.If):
            truth = sizes.truth(region.owner.condition)
            if truth is not None and truth != (region.number == 0):
                return False
            found = None if truth is None else found
        elif region.owner is not None:
            found = None
    return found


def _table(kernel: n.Kernel) -> AccessTable:
    return AccessTable(kernel.params, kernel.body, kernel.overlaps)


def _written(table: AccessTable) -> frozenset[str]:
    """The arrays that something writes."""
    return frozenset(root for access in table.accesses if access.writes for root in table.roots(access))


def _pairs(offloaded: Offloaded) -> list[tuple[n.Var, n.Var]]:
    """The parameters of a kernel, and what the program gives for them."""
    return list(zip(offloaded.kernel.params, offloaded.operands, strict=True))


def _roots(sizes: Sizes, offloaded: Offloaded, names: frozenset[str]) -> frozenset[str]:
    """The arrays of a program that it gives for parameters of a kernel, or of which it gives views."""
    operands = [operand for param, operand in _pairs(offloaded) if param.name in names]
    return frozenset(root for operand in operands for root in sizes.table.aliases.roots(operand))


def _arguments(program: n.Program, leaves: Sequence[object], written: frozenset[str]) -> Iterator[tuple[str, Held]]:
    """Arrays of integers that a call gives and nothing writes."""
    for param, leaf in zip(program.params, leaves, strict=True):
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "iu" and param.var.name not in written:
            yield param.var.name, Held(leaf)


def _made(sizes: Sizes, by_host: frozenset[str]) -> Iterator[tuple[str, Held]]:
    """Arrays of integers that a program makes for its kernels, of which nothing is known yet."""
    for name, definition in sizes.table.structure.definitions.items():
        value, type = definition.value, definition.var.type
        if not isinstance(value, n.Alloc) or name in by_host or definition.loops or not isinstance(type, View):
            continue
        shape = [max(extent, 0) for atom in value.shape if (extent := sizes.value(atom)) is not None]
        is_known = len(shape) == len(value.shape) and prod(shape) <= MOST
        if is_known and isinstance(type.element, Scalar) and type.element.kind in "iu" and value.fill is None:
            yield name, Held(np.zeros(shape, type.element.dtype), np.zeros(shape, np.bool_))
