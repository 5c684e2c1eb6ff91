"""The values of a kernel's parameters in a call, as far as the arguments of the call tell them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from weft.analysis.access.access import AccessTable, table
from weft.analysis.values.linear import Form
from weft.ir import nodes as n
from weft.ir.types import Scalar, View

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge
}  # fmt: skip
OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv, "mod": operator.mod,
    "min": min, "max": max,
}  # fmt: skip
USUAL = 1024
"""What stands for a number that is known only while the program runs."""


def of_call(program: n.Program, leaves: Sequence[object]) -> dict[str, int]:
    """The extents, strides and integers among a program's parameters, by the names that forms give them.

    `leaves` are the flat arguments and captured values of the call, in the order of the parameters.
    """
    found: dict[str, int] = {}
    for param, leaf in zip(program.params, leaves, strict=True):
        if isinstance(param.var.type, View):
            found |= _of_array(param.var.name, leaf, param.var.type.element.size)
        elif isinstance(leaf, (int, np.integer)):
            found[param.var.name] = int(leaf)
    return found


def _of_array(name: str, array: Any, size: int) -> dict[str, int]:
    shape = tuple(array.shape)
    strides = getattr(array, "strides", None) or _packed(shape, size)
    return {
        **{f"{name}.shape[{k}]": int(number) for k, number in enumerate(shape)},
        **{f"{name}.strides[{k}]": int(number) for k, number in enumerate(strides)},
    }


def _packed(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """The strides of an array without gaps, rows first."""
    strides = [size] * len(shape)
    for k in range(len(shape) - 2, -1, -1):
        strides[k] = strides[k + 1] * shape[k + 1]
    return tuple(strides)


class Sizes:
    """The sizes of a program's kernels.

    Parameters
    ----------
    program
        The program with its kernels placed.
    known
        What `of_call` found.
    """

    def __init__(self, program: n.Program, known: Mapping[str, int]) -> None:
        self.program = program
        self.known = dict(known)

    @cached_property
    def table(self) -> AccessTable:
        """The accesses of the host part."""
        return table(self.program)

    def of_kernel(self, kernel: n.Kernel, operands: Sequence[n.Var]) -> tuple[dict[str, int], bool]:
        """The values of a kernel's parameters, for which the program gives `operands`; whether all are known."""
        found: dict[str, int] = {}
        is_known = True
        for param, operand in zip(kernel.params, operands, strict=True):
            if isinstance(param.type, View):
                is_known &= self._view(param, operand, found)
            elif isinstance(param.type, Scalar) and param.type.kind in "iu":
                value = self.value(operand)
                found[param.name] = USUAL if value is None else value
                is_known &= value is not None
            elif (truth := self.truth(operand)) is not None:
                found[param.name] = int(truth)
        return found, is_known

    def value(self, atom: n.Atom) -> int | None:
        """A whole number of the program; None where it is not known."""
        return self._evaluate(self.table.forms.of(atom))

    def truth(self, operand: n.Atom) -> bool | None:
        """Whether comparisons of whole numbers hold, and others with them; None where that is not known."""
        if isinstance(operand, n.Const):
            return bool(operand.value)
        definition = self.table.structure.definitions.get(operand.name)
        value = None if definition is None else definition.value
        if isinstance(value, n.Binary) and value.op in ("and", "or"):
            sides = self.truth(value.left), self.truth(value.right)
            return None if None in sides else (all(sides) if value.op == "and" else any(sides))
        if not isinstance(value, n.Compare):
            return None
        left, right = self.value(value.left), self.value(value.right)
        return None if left is None or right is None else COMPARISONS[value.op](left, right)

    def _view(self, param: n.Var, operand: n.Var, found: dict[str, int]) -> bool:
        assert isinstance(param.type, View)
        shown = self.table.forms.view(operand)
        extents = [self._evaluate(form) for form in shown.extents]
        shape = [USUAL if e is None else e for e in extents]
        strides = list(_packed(shape, param.type.element.size))
        for place, axis in enumerate(shown.axes):
            base = self.known.get(f"{shown.array.name}.strides[{place}]")
            for position, form in axis.terms:
                step = self._evaluate(form)
                if base is not None and step is not None:
                    strides[position] = base * step
        for k, (number, stride) in enumerate(zip(shape, strides, strict=True)):
            found[f"{param.name}.shape[{k}]"], found[f"{param.name}.strides[{k}]"] = number, stride
        return None not in extents

    def _evaluate(self, form: Form) -> int | None:
        for name in form.names - self.known.keys():
            if (value := self._computed(name)) is not None:
                self.known[name] = value
        try:
            return form.evaluate(self.known)
        except KeyError:
            return None

    def _computed(self, name: str) -> int | None:
        """What the host computes for a variable by a choice, or an operation that makes no linear form."""
        definition = self.table.structure.definitions.get(name)
        value = None if definition is None else definition.value
        if isinstance(value, n.Select):
            truth = self.truth(value.condition)
            chosen = value.then if truth else value.orelse
            return None if truth is None else self.value(chosen)
        if not isinstance(value, n.Binary) or value.op not in OPERATIONS:
            return None
        left, right = self.value(value.left), self.value(value.right)
        if left is None or right is None or (value.op in ("floordiv", "mod") and right == 0):
            return None
        return OPERATIONS[value.op](left, right)
