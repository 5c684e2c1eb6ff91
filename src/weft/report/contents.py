"""What arrays of integers hold that say where the kernels of a program read: those that a call gives, and those that
kernels make of them for the ones after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from weft.analysis.access import AccessTable
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.plan.place import Offloaded, Placed
from weft.report.sizes import Sizes
from weft.schedule.addresses import UNKNOWN, Contents
from weft.schedule.contents import Integers, stored
from weft.schedule.estimates import leading


def contents_of(
    program: n.Program, nests: Sequence[Placed], sizes: Sizes, leaves: Sequence[object]
) -> dict[str, Contents]:
    """What the arrays of integers of each kernel hold that runs on a device, by the names of kernels.

    Kernels of which such arrays do not say where they read have none. Known are arrays of NumPy that nothing writes,
    and those that kernels before a kernel make of known ones.

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
    around = {nest.kernel for nest in nests if nest.around}
    tables = {name: _table(offloaded.kernel) for name, offloaded in kernels.items()}
    led = [name for name, table in tables.items() if leading(table)]
    if not led:
        return {}
    writing = {name: _given(kernels[name], _written(table)) for name, table in tables.items()}
    by_host = _written(sizes.table)
    held = dict(_arguments(program, leaves, by_host.union(*writing.values()))) | dict(_made(sizes, by_host))
    found: dict[str, Contents] = {}
    for place, (name, offloaded) in enumerate(kernels.items()):
        pairs = list(zip(offloaded.kernel.params, offloaded.operands, strict=True))
        contents = {param.name: held[operand.name] for param, operand in pairs if operand.name in held}
        found[name] = contents if name in led else UNKNOWN
        later = {
            operand.name for other in list(kernels)[place + 1 :] if other in led for operand in kernels[other].operands
        }
        changed = writing[name] & held.keys()
        after: Mapping[str, Integers | None] = {}
        if changed & later and name not in around:
            after = stored(offloaded.kernel, sizes.of_kernel(offloaded.kernel, offloaded.operands)[0], contents)
        for param, operand in pairs:
            if operand.name in changed:
                made = after.get(param.name)
                if made is None:
                    del held[operand.name]
                else:
                    held[operand.name] = made
    return found


def _table(kernel: n.Kernel) -> AccessTable:
    return AccessTable(kernel.params, kernel.body, kernel.overlaps)


def _written(table: AccessTable) -> frozenset[str]:
    """The arrays that something writes."""
    return frozenset(root for access in table.accesses if access.writes for root in table.roots(access))


def _given(offloaded: Offloaded, names: frozenset[str]) -> frozenset[str]:
    """What a program gives for parameters of a kernel."""
    pairs = zip(offloaded.kernel.params, offloaded.operands, strict=True)
    return frozenset(operand.name for param, operand in pairs if param.name in names)


def _arguments(program: n.Program, leaves: Sequence[object], written: frozenset[str]) -> Iterator[tuple[str, Integers]]:
    """Arrays of integers that a call gives and nothing writes."""
    for param, leaf in zip(program.params, leaves, strict=True):
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "iu" and param.var.name not in written:
            yield param.var.name, leaf


def _made(sizes: Sizes, by_host: frozenset[str]) -> Iterator[tuple[str, Integers]]:
    """Arrays of integers that a program makes for its kernels, before these have written them."""
    for name, definition in sizes.table.structure.definitions.items():
        value, type = definition.value, definition.var.type
        if not isinstance(value, n.Alloc) or name in by_host or definition.loops or not isinstance(type, View):
            continue
        shape = [sizes.value(extent) for extent in value.shape]
        if isinstance(type.element, Scalar) and type.element.kind in "iu" and value.fill is None and None not in shape:
            yield name, np.zeros([max(extent or 0, 0) for extent in shape], type.element.dtype)
