"""Makes nodes quickly of which programs have many, and which passes, plans and schedules make anew."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(kind: type[T]) -> type[T]:
    """A frozen dataclass with slots whose objects are made in about half the time.

    What `dataclass` writes asks `object.__setattr__` for each field, which looks for its slot by name, since assignment
    is forbidden. Here the slots are known.
    """
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    known: dict[str, Any] = {f"set_{name}": getattr(kind, name).__set__ for name in names}
    lines = [f"    set_{name}(self, {name})" for name in names]
    exec("\n".join([f"def __init__({', '.join(['self', *names])}):", *lines, "    pass"]), known)
    made, usual = known["__init__"], kind.__init__
    made.__defaults__, made.__annotations__ = usual.__defaults__, usual.__annotations__
    made.__module__, made.__qualname__ = kind.__module__, f"{kind.__qualname__}.__init__"
    kind.__init__ = made  # type: ignore[method-assign]
    return kind
