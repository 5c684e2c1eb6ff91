"""Numba's decorator ``stencil``: a kernel with indices relative to the element that it computes."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError
from weft.frontend.source.source import source_of
from weft.jit import jit
from weft.numba_doors.written import function_of, index

Neighbourhood = tuple[tuple[int, int], ...]


class Stencil:
    """A function of arrays that `stencil` made; the kernel is its ``py_func``."""

    def __init__(self, kernel: Callable[..., Any], cval: Any, options: dict[str, Any]) -> None:
        self.py_func = kernel
        self.__name__, self.__doc__ = kernel.__name__, kernel.__doc__
        self.neighborhood: Neighbourhood | None = options.pop("neighborhood", None)
        self._standard = frozenset(options.pop("standard_indexing", ()))
        self._cval = cval
        self._options = options
        self._loops: dict[tuple[int, tuple[bool, ...]], tuple[Any, Any, Neighbourhood]] = {}

    def __repr__(self) -> str:
        return f"<weft stencil {self.__name__}>"

    def __call__(self, *given: Any, out: np.ndarray[Any, Any] | None = None) -> np.ndarray[Any, Any]:
        """The kernel at all elements whose neighbours are inside; the others are `cval`."""
        if not given or not isinstance(given[0], np.ndarray):
            raise TypeError(f"the first argument of {self.__name__}() is the array that it runs over")
        arrays = tuple(isinstance(value, np.ndarray) for value in given)
        loop, one, reach = self._compiled(given[0].ndim, arrays)
        inside = [range(-low, size - high) for size, (low, high) in zip(given[0].shape, reach, strict=True)]
        if out is None:
            out = np.full(given[0].shape, self._cval, self._result(one, inside, given))
        if all(inside):
            loop(out, *given)
        return out

    def _result(self, one: Any, inside: Sequence[range], given: Sequence[Any]) -> np.dtype[Any]:
        """The type of the results: that of the first one, which holds `cval`, too."""
        if not all(inside):
            own: np.dtype[Any] = given[0].dtype
            return own
        found: np.dtype[Any] = np.asarray(one(*(r.start for r in inside), *given)).dtype
        if not np.can_cast(np.min_scalar_type(self._cval), found, "same_kind"):
            raise ValueError(f"cval={self._cval!r} does not fit in the results, which are {found}")
        return found

    def _compiled(self, rank: int, arrays: tuple[bool, ...]) -> tuple[Any, Any, Neighbourhood]:
        known = self._loops.get((rank, arrays))
        if known is None:
            kernel, found = self._absolute(rank, arrays)
            reach = self.neighborhood or found
            names = list(inspect.signature(self.py_func).parameters)
            indices, spaces = index(rank), "    "
            heads = [
                f"{spaces * (k + 1)}for i{k} in range({max(-low, 0)}, {names[0]}.shape[{k}] - {max(high, 0)}):"
                for k, (low, high) in enumerate(reach)
            ]
            body = f"{spaces * (rank + 1)}OUT[{indices}] = KERNEL({indices}, {', '.join(names)})"
            text = "\n".join([f"def loop(OUT, {', '.join(names)}):", *heads, body, ""])
            made = function_of(text, "loop", {"KERNEL": kernel})
            known = jit(made, **self._options), jit(kernel, **self._options), reach
            self._loops[rank, arrays] = known
        return known

    def _absolute(self, rank: int, arrays: tuple[bool, ...]) -> tuple[Any, Neighbourhood]:
        """The kernel with the place of the element as its first parameters, and how far it reaches."""
        plain = inspect.unwrap(self.py_func)
        node = copy.deepcopy(source_of(plain).node)
        if not isinstance(node, ast.FunctionDef):
            raise ArgumentError("a stencil is a function that is defined with def", hint="write it with def")
        names = [argument.arg for argument in node.args.args]
        relative = {n for n, is_array in zip(names, arrays, strict=False) if is_array and n not in self._standard}
        shifts = _Shifts(relative, rank, self.neighborhood is not None)
        node = shifts.visit(node)
        node.decorator_list = []
        node.args.args = [*(ast.arg(f"i{k}") for k in range(rank)), *node.args.args]
        text = textwrap.dedent(ast.unparse(ast.fix_missing_locations(node))) + "\n"
        cells = inspect.getclosurevars(plain).nonlocals
        return function_of(text, node.name, {**plain.__globals__, **cells}), shifts.reach()


class _Shifts(ast.NodeTransformer):
    """Adds the place of the element to relative indices, and notes the largest of these."""

    def __init__(self, names: set[str], rank: int, is_told: bool) -> None:
        self.names = names
        self.rank = rank
        self.is_told = is_told
        self.lows, self.highs = [0] * rank, [0] * rank

    def reach(self) -> Neighbourhood:
        """The smallest and the largest offset of each dimension."""
        return tuple(zip(self.lows, self.highs, strict=True))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``a[-1, 0]`` as ``a[i0 + -1, i1 + 0]``."""
        self.generic_visit(node)
        if not (isinstance(node.value, ast.Name) and node.value.id in self.names):
            return node
        offsets = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(offsets) != self.rank:
            raise ArgumentError(
                f"the stencil gives {node.value.id} {len(offsets)} offsets, and the array has {self.rank} dimensions",
                hint="write an offset for each dimension",
            )
        places: list[ast.expr] = []
        for k, offset in enumerate(offsets):
            self._note(k, offset)
            places.append(ast.BinOp(ast.Name(f"i{k}", ast.Load()), ast.Add(), offset))
        node.slice = places[0] if self.rank == 1 else ast.Tuple(places, ast.Load())
        return node

    def _note(self, axis: int, offset: ast.expr) -> None:
        try:
            value = ast.literal_eval(offset)
        except ValueError:
            value = None
        if isinstance(value, int):
            self.lows[axis], self.highs[axis] = min(self.lows[axis], value), max(self.highs[axis], value)
        elif not self.is_told:
            raise ArgumentError(
                f"the offset {ast.unparse(offset)} of the stencil is no constant",
                argument="neighborhood",
                hint="say how far it reaches: neighborhood=((-1, 1), (-1, 1)), a pair for each dimension",
            )


def stencil(kernel: Any = "constant", /, *, cval: Any = 0, **options: Any) -> Any:
    """Make a kernel with relative indices a function of arrays, as Numba's decorator does.

    Parameters
    ----------
    kernel
        The kernel; or ``"constant"``, the only way of treating the border.
    cval
        What elements of the border get.
    **options
        ``neighborhood``: pairs of offsets for each dimension, where offsets are no constants. ``standard_indexing``:
        names of arrays that are indexed as usual. The others are those of `weft.jit`.

    Returns
    -------
    Stencil
        The function of arrays; also a decorator where no kernel was given.
    """
    if callable(kernel):
        return Stencil(kernel, cval, dict(options))
    if kernel != "constant":
        raise ArgumentError(
            f"{kernel!r} is no way of treating the border", argument="kernel", hint='say "constant", with cval=...'
        )
    return lambda function: Stencil(function, cval, dict(options))
