"""Computes what is known of the integers and views that a program defines, for given sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from weft.cost.quantities import NOTHING, UNKNOWN, Quantity, Region, combined, constant, element_of
from weft.ir import nodes as n
from weft.ir.types import Scalar, Vector, View
from weft.ir.visit import atoms_of

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip

_ELEMENTWISE: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum, "max": np.maximum,
    "floordiv": np.floor_divide, "mod": np.mod,
}  # fmt: skip

_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

_COMPUTE: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "min": min, "max": max, "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b,
    "shl": lambda a, b: a * 2.0**b, "shr": lambda a, b: a // 2.0**b,
    "and": lambda a, b: float(int(a) & int(b)), "or": lambda a, b: float(int(a) | int(b)),
    "xor": lambda a, b: float(int(a) ^ int(b)),
}  # fmt: skip

_FLOATS: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide, "floordiv": np.floor_divide,
    "mod": np.remainder, "pow": np.power, "min": np.minimum, "max": np.maximum,
}  # fmt: skip

_FOLLOWED = frozenset(
    {"sqrt", "cbrt", "floor", "ceil", "trunc", "rint", "fabs", "log", "log2", "log10", "exp", "power"}
)
"""Functions of floats from which sizes are computed."""

HISTORY = 62
"""Outcomes of a condition by which processors foresee the next one."""

SEEN = 0.25
"""Which part of the histories must have been there before, lest it is chance."""

MOST_SAMPLES = 4096
"""Elements of an array that are looked at."""


class Values:
    """What is known of the variables of a program.

    Parameters
    ----------
    samples
        Some elements of arrays whose contents are at hand, by the name of the parameter.
    """

    def __init__(self, samples: Mapping[str, np.ndarray[Any, Any]]) -> None:
        self.quantities: dict[str, Quantity] = {}
        self.regions: dict[str, Region] = {}
        self.samples = samples
        self.shares: dict[str, float] = {}
        """How often conditions hold that were found by looking at elements."""
        self.trips: dict[str, float] = {}
        """Iterations of the loops that are open."""
        self.drawn: dict[str, np.ndarray[Any, Any]] = {}
        """Sampled values of numbers that follow from one element."""
        self.flips: dict[str, float] = {}
        """How often processors do not foresee a condition."""
        self.loaded: dict[str, tuple[str, Quantity]] = {}
        """The array and the index of integers that were read from arrays of one dimension."""

    def of(self, atom: n.Atom) -> Quantity:
        """What is known of an integer."""
        if isinstance(atom, n.Const):
            return constant(float(atom.value)) if isinstance(atom.value, (bool, int)) else NOTHING
        return self.quantities.get(atom.name, NOTHING)

    def number(self, atom: n.Atom) -> float:
        """The value of an integer, NaN where it is not known."""
        return self.of(atom).value

    def region(self, view: n.Var) -> Region:
        """What is known of a view."""
        found = self.regions.get(view.name)
        if found is not None:
            return found
        type_ = view.type
        assert isinstance(type_, View)
        return Region.whole(view.stem, (UNKNOWN,) * type_.ndim, type_.element.size)

    def let(self, let: n.Let) -> None:
        """Note what a variable is."""
        if isinstance(let.var.type, View):
            self.regions[let.var.name] = self._view(let.value, let.var)
            return
        self.quantities[let.var.name] = self._quantity(let.value, let.var)
        self._draw(let)

    def _quantity(self, value: n.Expression, var: n.Var) -> Quantity:
        type_ = var.type.element if isinstance(var.type, Vector) else var.type
        if isinstance(value, n.Load):
            return self._loaded(value, var)
        plain = self._from_floats(value, var)
        if plain == plain:
            is_float = isinstance(type_, Scalar) and type_.kind == "f"
            return constant(plain if is_float else float(math.trunc(plain)))
        if not isinstance(type_, Scalar) or type_.kind not in "biu":
            depends = frozenset().union(*(self.of(atom).depends for atom in atoms_of(value)))
            return Quantity(UNKNOWN, None, depends, math.inf, True, False)
        if isinstance(value, n.Dim):
            return constant(self.region(value.view).extents[value.axis])
        if isinstance(value, n.Binary):
            left, right = self.of(value.left), self.of(value.right)
            if value.op in ("min", "max") and (always := self._extreme(value.op, left, right)) is not None:
                return always
            return combined(value.op, left, right, _computed(value.op, left.value, right.value))
        if isinstance(value, (n.Cast, n.Broadcast)):
            if isinstance(value.operand, n.Var) and value.operand.name in self.loaded:
                self.loaded[var.name] = self.loaded[value.operand.name]
            return self.of(value.operand)
        if isinstance(value, n.Lanes):
            return self.of(value.start)
        if isinstance(value, n.ReduceLanes) and value.op in ("min", "max"):
            return self.of(value.operand)
        return self._condition(value)

    def _from_floats(self, value: n.Expression, var: n.Var) -> float:
        """The number that a float, or an integer made of one (``int(math.sqrt(n))``), always is; NaN if unknown."""
        atoms = list(atoms_of(value))
        types = [each.type for each in (var, *atoms)]
        if not any(isinstance(each, Scalar) and each.kind == "f" for each in types):
            return UNKNOWN
        operands = [self._plain(atom) for atom in atoms]
        if any(each != each for each in operands):
            return UNKNOWN
        found = UNKNOWN
        with np.errstate(all="ignore"):
            if isinstance(value, n.Cast):
                found = operands[0]
            elif isinstance(value, n.Math) and value.name in _FOLLOWED:
                found = float(getattr(np, value.name)(*operands))
            elif isinstance(value, n.Binary) and value.op in _FLOATS:
                found = float(_FLOATS[value.op](*map(np.float64, operands)))
        return found if math.isfinite(found) else UNKNOWN

    def _plain(self, atom: n.Atom) -> float:
        if isinstance(atom, n.Const):
            return UNKNOWN if isinstance(atom.value, complex) else float(atom.value)
        found = self.of(atom)
        return UNKNOWN if found.depends else found.value

    def _extreme(self, op: str, left: Quantity, right: Quantity) -> Quantity | None:
        """The smaller or larger of two integers, where it is the same one in all iterations."""
        difference = combined("sub", left, right, left.value - right.value)
        if not difference.is_affine or not abs(difference.value) >= self._reach(difference) / 2:
            return None
        return left if (difference.value <= 0) == (op == "min") else right

    def _reach(self, quantity: Quantity) -> float:
        """How far apart the largest and the smallest value are, of one that grows evenly."""
        form = quantity.form or {}
        return sum(abs(step) * (self.trips.get(label, 1.0) - 1) for label, step in form.items())

    def _condition(self, value: n.Expression) -> Quantity:
        depends = frozenset().union(*(self.of(atom).depends for atom in atoms_of(value)))
        number = UNKNOWN
        if isinstance(value, n.Compare):
            left, right = self.number(value.left), self.number(value.right)
            number = float(_COMPARE[value.op](left, right)) if left == left and right == right else UNKNOWN
        elif isinstance(value, n.Select):
            test = self.of(value.condition)
            if test.value == test.value and not test.depends:
                return self.of(value.then if test.value else value.orelse)
            share = self.shares.get(value.condition.name, UNKNOWN) if isinstance(value.condition, n.Var) else UNKNOWN
            if share in (0.0, 1.0):
                return self.of(value.then if share else value.orelse)
            if isinstance(value.then, n.Var) or isinstance(value.orelse, n.Const):
                return self.of(value.then)
        elif isinstance(value, n.Unary):
            operand = self.number(value.operand)
            number = -operand if value.op == "neg" else float(not operand) if value.op == "not" else UNKNOWN
            number = number if operand == operand else UNKNOWN
        elif isinstance(value, n.Mergeable):
            region, axis = self.region(value.view), value.axis
            number = float(region.strides[axis] == region.extents[axis + 1] * region.strides[axis + 1])
        elif isinstance(value, n.Aligned):
            number = 1.0
        return Quantity(number, None if depends else {}, depends, 2.0, True)

    def _loaded(self, value: n.Load, var: n.Var) -> Quantity:
        indices = [self.of(index) for index in value.indices]
        if len(indices) == 1:
            self.loaded[var.name] = (self.region(value.view).root, indices[0])
        return element_of(indices)

    # ------------------------------------------------------------------------------------------------- contents

    def _draw(self, let: n.Let) -> None:
        """Follow sampled elements to the conditions that they decide."""
        value, name = let.value, let.var.name
        if isinstance(value, n.Load):
            sample = self.samples.get(self.region(value.view).root)
            if sample is not None:
                self.drawn[name] = sample
        elif isinstance(value, n.Cast) and isinstance(value.operand, n.Var) and value.operand.name in self.drawn:
            self.drawn[name] = self.drawn[value.operand.name]
        elif isinstance(value, n.Binary) and value.op in _ELEMENTWISE:
            sides = self._beside(value.left, value.right)
            if sides is not None and value.op not in ("floordiv", "mod") or sides is not None and np.all(sides[1]):
                self.drawn[name] = _ELEMENTWISE[value.op](*sides)
        elif isinstance(value, n.Compare):
            sides = self._beside(value.left, value.right)
            if sides is not None:
                self._hold(name, _COMPARE[value.op](*sides))
            else:
                self._range(name, value)
        self._follow(let)

    def _hold(self, name: str, holds: np.ndarray[Any, Any]) -> None:
        """Note how often a condition holds, and how often processors do not foresee it."""
        self.drawn[name] = holds
        self.shares[name] = float(np.mean(holds))
        self.flips[name] = unforeseen(holds)

    def _follow(self, let: n.Let) -> None:
        """Conditions that follow from others: converted, both, and any of a vector's lanes."""
        value, name = let.value, let.var.name
        if isinstance(value, (n.Cast, n.Broadcast)) and isinstance(value.operand, n.Var):
            if value.operand.name in self.shares:
                self.shares[name] = self.shares[value.operand.name]
                self.flips[name] = self.flips.get(value.operand.name, 0.0)
                self.drawn[name] = self.drawn.get(value.operand.name, np.zeros(0))
        elif isinstance(value, n.Binary) and value.op == "and":
            both = [a.name for a in atoms_of(value) if isinstance(a, n.Var)]
            found = [each for each in both if each in self.shares]
            share = math.prod(self.shares[each] for each in found)
            if found and (len(found) == len(both) or share <= 0.5):  # what is not known makes it rarer at most
                self.shares[name] = share
            sampled = [each for each in found if each in self.drawn and self.drawn[each].size]
            if len(sampled) == 1:
                self.drawn[name], self.flips[name] = self.drawn[sampled[0]], self.flips.get(sampled[0], 0.0)
        elif isinstance(value, n.ReduceLanes) and isinstance(value.operand, n.Var):
            self._any_lane(name, value.operand)

    def _any_lane(self, name: str, mask: n.Var) -> None:
        holds = self.drawn.get(mask.name)
        if holds is not None and holds.size and isinstance(mask.type, Vector):
            whole = holds[: holds.size // mask.type.lanes * mask.type.lanes].reshape(-1, mask.type.lanes)
            self._hold(name, np.asarray(whole.any(axis=1)))

    def _range(self, name: str, value: n.Compare) -> None:
        """How often a comparison of counters holds, from their range."""
        left, right = self.of(value.left), self.of(value.right)
        if right.is_fixed_beside(left):
            right = constant(right.value)
        elif left.is_fixed_beside(right):
            left = constant(left.value)
        if left.wraps or right.wraps:
            self._remainder(name, value.op, left, right)
            return
        difference = combined("sub", left, right, left.value - right.value)
        if not difference.is_affine or difference.form is None or difference.value != difference.value:
            return
        moving = {label: self.trips.get(label, 1.0) for label, step in difference.form.items() if step}
        reach = self._reach(difference)
        if reach <= 0:
            self.shares[name] = float(_COMPARE[value.op](difference.value, 0.0))
        elif value.op in ("eq", "ne"):
            equal = 1 / max(moving.values()) if abs(difference.value) <= reach / 2 else 0.0
            self.shares[name] = equal if value.op == "eq" else 1 - equal
        else:
            below = min(max(0.5 - difference.value / reach, 0.0), 1.0)
            self.shares[name] = below if value.op in ("lt", "le") else 1 - below

    def _remainder(self, name: str, op: str, left: Quantity, right: Quantity) -> None:
        """The same for what is left of a counter modulo something: each value comes as often."""
        if right.wraps:
            left, right, op = right, left, _MIRRORED[op]
        if right.depends or right.value != right.value or left.read or left.form is None or not left.values < math.inf:
            return
        below = min(max(math.ceil((right.value + (op in ("le", "gt"))) / left.grain), 0), left.values) / left.values
        if op in ("eq", "ne"):
            below = 1 / left.values if 0 <= right.value < left.span and right.value % left.grain == 0 else 0.0
        self.shares[name] = below if op in ("eq", "lt", "le") else 1 - below
        if left.values <= HISTORY:
            self.flips[name] = 0.0

    def _beside(self, left: n.Atom, right: n.Atom) -> tuple[Any, Any] | None:
        """Sampled elements on both sides, or on one beside a number, of the same iterations."""
        sides = self._drawn(left), self._drawn(right)
        arrays = [side for side in sides if isinstance(side, np.ndarray)]
        if sides[0] is None or sides[1] is None or not arrays or any(side.dtype.kind not in "biuf" for side in arrays):
            return None
        if len(arrays) == 1:
            return sides
        apart = self._apart(left, right)
        if arrays[0].size != arrays[1].size or apart is None or abs(apart) >= arrays[0].size:
            return None
        if apart >= 0:
            return sides[0][apart:], sides[1][: arrays[1].size - apart]
        return sides[0][: arrays[0].size + apart], sides[1][-apart:]

    def _apart(self, left: n.Atom, right: n.Atom) -> int | None:
        """How many elements lie between the places where two sampled numbers were read; None where that differs."""
        known = [self.loaded.get(atom.name) for atom in (left, right) if isinstance(atom, n.Var)]
        if len(known) < 2 or known[0] is None or known[1] is None:
            return None
        one, other = known[0][1], known[1][1]
        apart = one.value - other.value
        return int(apart) if apart == apart and one.form is not None and one.form == other.form else None

    def mean(self, atom: n.Atom) -> float:
        """The mean of a sampled integer, or a number that is known; NaN for others."""
        found = self._drawn(atom)
        return float(np.mean(found)) if isinstance(found, np.ndarray) and found.size else self.number(atom)

    def _drawn(self, atom: n.Atom) -> Any:
        if isinstance(atom, n.Const):
            return None if isinstance(atom.value, complex) else atom.value
        if atom.name in self.drawn:
            return self.drawn[atom.name]
        number = self.of(atom)
        return number.value if number.value == number.value and not number.depends else None

    # ---------------------------------------------------------------------------------------------------- views

    def _view(self, value: n.Expression, var: n.Var) -> Region:
        assert isinstance(var.type, View)
        if isinstance(value, n.Alloc):
            return Region.whole(var.name, [self.number(extent) for extent in value.shape], value.element.size)
        if isinstance(value, n.Subview):
            return self._part(value)
        if isinstance(value, n.Transpose):
            whole = self.region(value.view)
            extents = tuple(whole.extents[axis] for axis in value.permutation)
            strides = tuple(whole.strides[axis] for axis in value.permutation)
            return Region(whole.root, extents, strides, whole.itemsize, whole.size)
        if isinstance(value, n.Split):
            whole, k = self.region(value.view), value.axis
            extents = tuple(self.number(extent) for extent in value.extents)
            steps = tuple(whole.strides[k] * math.prod(extents[place + 1 :]) for place in range(len(extents)))
            return Region(
                whole.root,
                (*whole.extents[:k], *extents, *whole.extents[k + 1 :]),
                (*whole.strides[:k], *steps, *whole.strides[k + 1 :]),
                whole.itemsize,
                whole.size,
            )
        if isinstance(value, n.Merge):
            whole, k = self.region(value.view), value.axis
            extents = (*whole.extents[:k], whole.extents[k] * whole.extents[k + 1], *whole.extents[k + 2 :])
            return Region(
                whole.root, extents, (*whole.strides[:k], *whole.strides[k + 1 :]), whole.itemsize, whole.size
            )
        if isinstance(value, n.FieldView):
            whole = self.region(value.view)
            if len(whole.extents) == var.type.ndim:
                return Region(whole.root, whole.extents, whole.strides, var.type.element.size, whole.size)
        return Region.whole(var.name, (UNKNOWN,) * var.type.ndim, var.type.element.size)

    def _part(self, value: n.Subview) -> Region:
        whole = self.region(value.view)
        extents: list[float] = []
        strides: list[float] = []
        given = [axis for axis in value.axes if axis is not None]
        rest = iter(zip(whole.extents, whole.strides, strict=True))
        for axis in value.axes:
            if axis is None:
                extents.append(1.0)
                strides.append(0.0)
                continue
            _, stride = next(rest)
            if isinstance(axis, n.Slice):
                step = self.number(axis.step)
                extents.append(self.number(axis.length))
                strides.append(stride * step if step == step else stride)
        for extent, stride in zip(whole.extents[len(given) :], whole.strides[len(given) :], strict=True):
            extents.append(extent)
            strides.append(stride)
        return Region(whole.root, tuple(extents), tuple(strides), whole.itemsize, whole.size)


def unforeseen(holds: np.ndarray[Any, Any]) -> float:
    """How often a condition is not what it was after the same outcomes before, or what it usually is.

    Examples
    --------
    >>> unforeseen(np.arange(1000) % 5 == 0)
    0.0
    """
    usual = min(float(np.mean(holds)), 1 - float(np.mean(holds)))
    if holds.size <= 2 * HISTORY:
        return usual
    bits = holds.astype(np.int64)
    before = sum(bits[HISTORY - 1 - k : bits.size - 1 - k] << k for k in range(HISTORY))
    order = np.argsort(before, kind="stable")
    known = np.diff(np.asarray(before)[order]) == 0
    changes = np.diff(bits[HISTORY:][order]) != 0
    return min(usual, float(changes[known].mean())) if known.mean() >= SEEN else usual


def _computed(op: str, left: float, right: float) -> float:
    if left != left or right != right or op not in _COMPUTE or (op in ("floordiv", "mod") and right == 0):
        return UNKNOWN
    return _COMPUTE[op](left, right)
