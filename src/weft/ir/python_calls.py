"""Calls of Python functions that are steps of a program: what an `External` that the user wrote refers to."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.ir.interface import FUNCTION_MARK, Source
from weft.ir.types import Scalar, View

_PLAIN: dict[str, Callable[[Any], object]] = {"i": operator.index, "u": operator.index, "f": float, "c": complex}

KERNEL = "@kernel"
"""What stands behind the name in the references of kernels that users wrote."""


def callee_of(reference: str) -> str:
    """What an `External` calls, in words."""
    name = reference.rpartition(".")[0] or reference
    if reference.endswith(FUNCTION_MARK):
        return f"{reference.removesuffix(FUNCTION_MARK)!r}, which calls itself"
    is_kernel = name.endswith(KERNEL)
    return f"the kernel {name.removesuffix(KERNEL)}" if is_kernel else f"{name!r}, which is Python"


Layout = tuple[Any, ...]
"""The arguments of a step: the position of an operand, ``("constant", value)``, ``("tuple", layouts)``,
``("list", layouts)``, ``("slice", layouts)``, or ``("dtype", name)``."""


@dataclass(frozen=True)
class Step:
    """A call of Python in compiled code.

    Attributes
    ----------
    name
        What the function is called.
    source
        Where it is found at every call.
    arguments
        How its arguments are made of operands.
    operands
        Their types: those of arguments, then arrays that are only declared.
    written
        Whether each of them may be changed.
    returns
        The type of the result, if there is one.
    is_of_library
        The function keeps no array that it is given, and reaches no other: arrays need not be copied for it.
    """

    name: str
    source: Source
    arguments: tuple[int | Layout, ...]
    operands: tuple[Scalar | View, ...]
    written: tuple[bool, ...]
    returns: Scalar | None
    is_of_library: bool = False

    @property
    def given(self) -> int:
        """How many operands the arguments are made of."""
        return _operands_in(("tuple", self.arguments))

    def call(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Call the function with operands in their order."""
        lent = [
            read_only(value) if isinstance(value, np.ndarray) and not written else value
            for value, written in zip(operands, self.written, strict=False)
        ]
        return converted(function(*(made(part, lent) for part in self.arguments)), self.returns, self.name)


def made(part: int | Layout, operands: Sequence[Any]) -> Any:
    """An argument, made of operands."""
    if isinstance(part, int):
        return operands[part]
    kind, content = part
    if kind == "constant":
        return content
    if kind == "dtype":
        return np.dtype(content)
    if kind == "slice":
        return slice(*(made(item, operands) for item in content))
    items = (made(item, operands) for item in content)
    return list(items) if kind == "list" else tuple(items)


def _operands_in(part: int | Layout) -> int:
    if isinstance(part, int):
        return part + 1
    return max(map(_operands_in, part[1]), default=0) if part[0] in ("tuple", "list", "slice") else 0


@dataclass(frozen=True)
class BoundStep:
    """A step and the function that it calls: the reference of an `External`."""

    step: Step
    function: Callable[..., Any]

    def __call__(self, *operands: Any) -> Any:
        """Call it."""
        return self.step.call(self.function, operands)


def steps_of(externals: Mapping[str, object]) -> dict[str, BoundStep]:
    """The steps among the external functions of a program, in their order."""
    return {label: value for label, value in externals.items() if isinstance(value, BoundStep)}


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array, through which it cannot be written."""
    view: np.ndarray[Any, Any] = array.view()
    view.flags.writeable = False
    return view


def converted(value: Any, type: Scalar | None, name: str) -> Any:
    """The result of a function as the type that was declared."""
    if type is None:
        if value is not None:
            raise TypeError(f"{name} returned {value!r}, and returns was not given: say returns=float, or what it is")
        return None
    if type.kind == "b":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(_wrong(name, value, type))
        return bool(value) if type.weak else np.bool_(value)
    if isinstance(value, (str, bytes, bool, np.bool_)) or not _is_number(value):
        raise TypeError(_wrong(name, value, type))
    try:
        plain = _PLAIN[type.kind](value)
    except TypeError:
        raise TypeError(_wrong(name, value, type)) from None
    return _fitting(plain, type)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, complex, np.number)) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _wrong(name: str, value: object, type: Scalar) -> str:
    return f"{name} returned {value!r}, and returns says {type}"


def _fitting(plain: Any, type: Scalar) -> Any:
    """A Python number as one of a type; OverflowError where it does not fit."""
    if type.weak and type.kind == "i" and not -(2**63) <= plain < 2**63:
        raise OverflowError(f"{plain} does not fit into 64 bits")
    return plain if type.weak else type.dtype.type(plain)
