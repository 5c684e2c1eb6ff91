"""What Weft is compared with: the same loops through Numba, and array expressions of NumPy, CuPy and PyTorch."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from benchmarks.breadth.program import Arguments, Program


class _AsForNumba(ast.NodeTransformer):
    """Mark parallel loops with `prange`; give constants the type that NumPy gives them beside an array of floats.

    To Numba `0.25 * x` of a float32 is a float64, to NumPy and to Weft it is not.
    """

    def __init__(self, parallel: tuple[str, ...], dtype: str) -> None:
        self.parallel = parallel
        self.dtype = dtype

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        named = isinstance(node.target, ast.Name) and node.target.id in self.parallel
        if named and isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range":
            if len(node.iter.args) < 3:  # Numba's prange takes steps of one
                node.iter.func = ast.Name("prange", ast.Load())
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, float) and self.dtype == "float32":
            return ast.Call(ast.Name("float32", ast.Load()), [node], [])
        return node


def numba_version(program: Program, dtype: str) -> Callable[..., Any]:
    """Compile the plain spelling with Numba; the types of the arguments are found at the first call."""
    import numba

    warnings.simplefilter("ignore", numba.NumbaPerformanceWarning)
    return _through_numba(program.spellings[0], program.parallel, dtype, numba)


def _through_numba(function: Callable[..., Any], parallel: tuple[str, ...], dtype: str, numba: Any) -> Any:
    assert isinstance(function, FunctionType)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    tree = ast.fix_missing_locations(_AsForNumba(parallel, dtype).visit(tree))
    scope = dict(function.__globals__) | {"prange": numba.prange, "float32": np.float32}
    for name in function.__code__.co_names:
        helper = scope.get(name)
        if isinstance(helper, FunctionType) and helper.__module__ == function.__module__:
            scope[name] = _through_numba(helper, (), dtype, numba)
    exec(compile(tree, f"<{function.__name__} for Numba>", "exec"), scope)
    return numba.njit(parallel=bool(parallel))(scope[function.__name__])


def numba_arguments(arguments: Arguments, dtype: str) -> Arguments:
    """Give Python's floats the type of the arrays, which they take on in NumPy's arithmetic."""
    return tuple(np.dtype(dtype).type(value) if isinstance(value, float) else value for value in arguments)


def array_library(name: str) -> Any:
    """Import a library of arrays on GPUs."""
    return importlib.import_module(name)


def on_gpu(library: str, arguments: Arguments) -> Arguments:
    """Move the arrays to the GPU, as arrays of a library."""
    module = array_library(library)
    if library == "torch":
        return tuple(module.from_numpy(value).cuda() if isinstance(value, np.ndarray) else value for value in arguments)
    return tuple(module.asarray(value) if isinstance(value, np.ndarray) else value for value in arguments)


def at_home(value: Any) -> Any:
    """Give what a library of arrays computed as NumPy has it."""
    if hasattr(value, "cpu"):
        value = value.cpu().numpy()
    return value.get() if hasattr(value, "get") else value
