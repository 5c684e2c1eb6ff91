"""Files of the auto-tuning community: T1 (a space), Kernel Tuner's caches (measured points), T4 (results)."""

from __future__ import annotations

import ast
import gzip
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft.errors import ArgumentError

MOST_VALUES = 1 << 20
"""Values that a comprehension in a file may have."""


def space_of_t1(content: object, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    """The parameters and constraints of a T1 file.

    Raises
    ------
    ArgumentError
        It is no T1 file.
    """
    try:
        described = content["ConfigurationSpace"]  # type: ignore[index]
        parameters = {str(p["Name"]): values_of(p["Values"]) for p in described["TuningParameters"]}
        rules = [str(c["Expression"]) for c in described.get("Conditions", ())]
    except (KeyError, TypeError, AttributeError) as error:
        raise ArgumentError(
            f"{name} is no T1 file: {type(error).__name__}: {error}",
            hint='it needs {"ConfigurationSpace": {"TuningParameters": [{"Name": ..., "Values": [...]}]}}',
        ) from None
    return parameters, rules


def values_of(written: object) -> list[Any]:
    """Values as a list, or as the text of one: constants, ``range`` and comprehensions over ``range``, joined by +."""
    if isinstance(written, list):
        return written
    try:
        return list(_items(ast.parse(str(written), mode="eval").body, {}))
    except (SyntaxError, ValueError, TypeError, KeyError) as error:
        raise ArgumentError(
            f"the values {written!r} are no list: {error}", hint="write them as a list of numbers or strings"
        ) from None


def _items(node: ast.expr, names: Mapping[str, int]) -> Iterable[Any]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_scalar(item, names) for item in node.elts]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_items(node.left, names), *_items(node.right, names)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        found = range(*(int(_scalar(argument, names)) for argument in node.args))
        if len(found) > MOST_VALUES:
            raise ValueError(f"a range of {len(found)} values")
        return found
    if isinstance(node, ast.ListComp) and len(node.generators) == 1:
        (part,) = node.generators
        if isinstance(part.target, ast.Name) and not part.ifs:
            return [_scalar(node.elt, {**names, part.target.id: k}) for k in _items(part.iter, names)]
    raise ValueError(ast.unparse(node))


def _scalar(node: ast.expr, names: Mapping[str, int]) -> Any:
    """A constant, or arithmetic on the counter of a comprehension."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_scalar(node.operand, names)
    if isinstance(node, ast.BinOp):
        left, right = _scalar(node.left, names), _scalar(node.right, names)
        if isinstance(node.op, ast.Pow) and abs(right) <= 64:
            return left**right
        known = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}
        if type(node.op) in known:
            return known[type(node.op)]
    raise ValueError(ast.unparse(node))


@dataclass(frozen=True)
class Measured:
    """A space of which every point was measured.

    Attributes
    ----------
    name
        The kernel and the device.
    parameters
        The values of every parameter.
    seconds
        For each point, as a tuple of values in the order of the parameters, its time; infinite where it failed.
    """

    name: str
    parameters: dict[str, list[Any]]
    seconds: dict[tuple[Any, ...], float]

    @property
    def best(self) -> float:
        """The shortest time."""
        return min(self.seconds.values())

    def points(self) -> Iterator[dict[str, Any]]:
        """The points that were measured, failures too."""
        return (dict(zip(self.parameters, values, strict=True)) for values in self.seconds)


def read_cache(path: str | Path) -> Measured:
    """Read a cache of Kernel Tuner: JSON, or JSON compressed by gzip.

    Raises
    ------
    ArgumentError
        The file is no such cache, or has no point that worked.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
        content = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
        names = list(content["tune_params_keys"])
        parameters = {name: list(content["tune_params"][name]) for name in names}
        seconds = {tuple(e[n] for n in names): _seconds(e.get("time")) for e in content["cache"].values()}
        name = f"{content['kernel_name']} on {content['device_name']}"
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise ArgumentError(
            f"{path} is no cache of measured points: {type(error).__name__}: {error}",
            hint="give a file that Kernel Tuner wrote (tune_kernel(..., cache=...))",
        ) from None
    if not any(math.isfinite(s) for s in seconds.values()):
        raise ArgumentError(f"{path} has no point that worked", hint="give a cache of another kernel")
    return Measured(name, parameters, seconds)


def _seconds(time: object) -> float:
    """Milliseconds of a file as seconds; what failed has a word instead of a time."""
    if isinstance(time, (int, float)) and not isinstance(time, bool) and time > 0:
        return float(time) * 1e-3
    return math.inf
