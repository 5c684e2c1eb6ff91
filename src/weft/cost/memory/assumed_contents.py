"""What is taken for elements of integer arrays that decide which memory a kernel accesses.

What arrays hold may be known (`contents` of `weft.cost.memory.addresses.BlockAccesses`). Of others this is assumed: one
that says where loops begin or end, as the starts of the rows of a sparse matrix, cuts the arrays that it leads into in
equal parts. Other elements that say where to read are anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from weft.analysis.access.access import AccessTable
from weft.analysis.values.linear import Derived, Element, Form
from weft.ir import nodes as n

SPREAD = 1 << 22
"""Elements that are anywhere lie in so many places."""
FACTOR = 2654435761
"""Knuth's multiplier: neighbours are hashed far apart."""


def cuts(table: AccessTable, sizes: Mapping[str, int]) -> dict[str, float]:
    """Elements from one place to the next, by the name of the array that tells the places.

    Where it leads into several arrays, that is the one which it leads into in the fewest steps.
    """
    found: dict[str, tuple[int, float]] = {}
    bounds = {element.array for form in _bounds(table) for element, _ in _elements(table, form)}
    for access in table.accesses:
        for axis, index in enumerate(access.indices or ()):
            for element, steps in _elements(table, index.form):
                reach, places = (
                    sizes.get(f"{a}.shape[{k}]") for a, k in ((access.array.name, axis), (element.array, 0))
                )
                if element.array in bounds and reach and places:
                    leads = -steps, reach / max(places - 1, 1)
                    found[element.array] = max(found.get(element.array, leads), leads)
    return {array: step for array, (_, step) in found.items()}


def leading(table: AccessTable) -> frozenset[str]:
    """The arrays whose elements say where a kernel reads, or where its loops begin or end."""
    forms = [index.form for access in table.accesses for index in access.indices or ()]
    return frozenset(element.array for form in (*forms, *_bounds(table)) for element, _ in _elements(table, form))


def anywhere(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Numbers for elements at places of an array: the same for the same place."""
    return (places * FACTOR >> 8) % SPREAD


def _bounds(table: AccessTable) -> Iterator[Form]:
    for loop in table.structure.loops.values():
        if isinstance(loop.node, n.For):
            yield from (table.forms.of(loop.node.start), table.forms.of(loop.node.stop))


MOST_STEPS = 6


def _elements(table: AccessTable, form: Form, steps: int = 0) -> Iterator[tuple[Element, int]]:
    """The elements of arrays in a form, also those some steps behind, in what it is computed from."""
    for name in form.symbols:
        if isinstance(name, Element):
            yield name, steps
        elif steps < MOST_STEPS:
            for part in _parts(table, name):
                yield from _elements(table, part, steps + 1)


def _parts(table: AccessTable, name: str) -> Iterator[Form]:
    if isinstance(name, Derived):
        yield from name.parts
        return
    definition = table.structure.definitions.get(name)
    if definition is None:
        return
    if definition.kind == "index":
        loop = definition.loops[-1].node
        assert isinstance(loop, n.For)
        yield table.forms.of(loop.start)
    elif isinstance(definition.value, n.Cast):
        yield table.forms.of(definition.value.operand)
    elif isinstance(definition.value, n.Select):
        yield from (table.forms.of(definition.value.then), table.forms.of(definition.value.orelse))
    elif isinstance(definition.value, n.Binary) and definition.value.op in ("min", "max"):
        yield from (table.forms.of(definition.value.left), table.forms.of(definition.value.right))
