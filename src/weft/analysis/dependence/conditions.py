"""Conditions that only the values at a call can decide, under which a loop is parallel or an access is as described."""

from __future__ import annotations

from typing import TypeAlias

from weft.analysis.values.linear import Form
from weft.dataclass import dataclass
from weft.ir import nodes as n


@dataclass(frozen=True)
class NonNegative:
    """``form >= 0``; its symbols are known before the loop."""

    form: Form

    def __str__(self) -> str:
        low = Form({m: -c for m, c in self.form.terms.items() if c < 0})
        return f"{self.form + low} >= {low}"


@dataclass(frozen=True)
class NonZero:
    """``form != 0``; its symbols are known before the loop."""

    form: Form

    def __str__(self) -> str:
        return f"{self.form} != 0"


@dataclass(frozen=True)
class Distinct:
    """No two iterations of a loop (nor of the loops inside of it) compute the same indices.

    Attributes
    ----------
    loop
        The label of the loop.
    view
        The view that is indexed.
    indices
        What is computed: forms of values inside of the loop.
    extents
        What is added to a negative value before it is compared; None where there are no negative ones.
    """

    loop: str
    view: n.Var
    indices: tuple[Form, ...]
    extents: tuple[Form | None, ...]

    def __str__(self) -> str:
        return f"the places written in {self.view.stem} are all different"


@dataclass(frozen=True)
class Sorted:
    """The elements of an array never decrease, along one axis and between two indices.

    Attributes
    ----------
    array
        The index array.
    axis
        The axis along which it is read; the other indices are `indices`, with None at `axis`.
    low, high
        The first and the last index that the loop reads; None means from the beginning, or to the end.
    """

    array: n.Var
    axis: int
    indices: tuple[Form | None, ...]
    low: Form | None = None
    high: Form | None = None

    def __str__(self) -> str:
        return f"the values of {self.array.stem} never decrease"


@dataclass(frozen=True)
class AnyOf:
    """At least one of several conditions holds."""

    options: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(str(option) for option in self.options)


Condition: TypeAlias = NonNegative | NonZero | Distinct | Sorted | AnyOf
