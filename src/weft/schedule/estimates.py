"""What is taken for elements of integer arrays that decide which memory a kernel accesses.

An array that says where loops begin or end, as the starts of the rows of a sparse matrix, is taken to cut the arrays
that it leads into in equal parts. Other elements that say where to read are taken to be anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from weft.analysis.access import AccessTable
from weft.analysis.linear import Derived, Element, Form
from weft.ir import nodes as n

SPREAD = 1 << 22
"""Elements that are anywhere lie in so many places."""
FACTOR = 2654435761
"""Knuth's multiplier: neighbours are hashed far apart."""


def cuts(table: AccessTable, sizes: Mapping[str, int]) -> dict[str, float]:
    """Elements from one place to the next, by the name of the array that tells the places."""
    found: dict[str, float] = {}
    bounds = {element.array for form in _bounds(table) for element in _elements(table, form)}
    for access in table.accesses:
        for axis, index in enumerate(access.indices or ()):
            for element in _elements(table, index.form):
                reach, places = (
                    sizes.get(f"{a}.shape[{k}]") for a, k in ((access.array.name, axis), (element.array, 0))
                )
                if element.array in bounds and reach and places:
                    found[element.array] = max(found.get(element.array, 0.0), reach / max(places - 1, 1))
    return found


def anywhere(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Numbers for elements at places of an array: the same for the same place."""
    return (places * FACTOR >> 8) % SPREAD


def _bounds(table: AccessTable) -> Iterator[Form]:
    for loop in table.structure.loops.values():
        if isinstance(loop.node, n.For):
            yield from (table.forms.of(loop.node.start), table.forms.of(loop.node.stop))


def _elements(table: AccessTable, form: Form, depth: int = 6) -> Iterator[Element]:
    """The elements of arrays in a form, also those behind the choices that it depends on."""
    for name in form.symbols:
        if isinstance(name, Element):
            yield name
        elif depth:
            for part in _parts(table, name):
                yield from _elements(table, part, depth - 1)


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
    elif isinstance(definition.value, n.Select):
        yield from (table.forms.of(definition.value.then), table.forms.of(definition.value.orelse))
