"""What is known for certain, and what is only possible: two types, so that neither is taken for the other.

Most answers of the analysis are over-approximations. They may claim too much, which is safe where they forbid
something. Whoever changes a program, or refuses one, because of a fact needs it to hold in every execution, and
exactly. `mypy` refuses a `May` where a `Must` is asked for.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from weft.dataclass import dataclass

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class May(Generic[T_co]):
    """A fact that holds if what it is about happens at all: it may happen in some executions only, or never."""

    value: T_co


@dataclass(frozen=True)
class Must(Generic[T_co]):
    """A fact that is proven: it holds in every execution, exactly as it is stated."""

    value: T_co
