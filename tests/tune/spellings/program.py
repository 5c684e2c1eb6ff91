"""A program in several spellings, and what schedules it gets: on a model of a GPU, and on the processor."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from weft.analysis.access.reach import reach_of
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import Vector
from weft.ir.visit import blocks_of
from weft.plan.place import Layout, place
from weft.schedule.legality import Limits
from weft.transform import pipeline

GRID = np.zeros((16, 16))
LINE = np.zeros(64)
CUBE = np.zeros((8, 8, 8))
WEIGHTS = np.zeros((3, 3))
LARGE = Layout(Limits(1024, 227 * 1024, 132))


@dataclass(frozen=True)
class Program:
    """Spellings of one program, the first the plain one, and examples of its arguments."""

    spellings: tuple[Callable[..., Any], ...]
    arguments: tuple[Any, ...]

    @property
    def name(self):
        return self.spellings[0].__name__

    def types(self):
        return tuple(describe(value, f"argument {k}") for k, value in enumerate(self.arguments))


def gpu(function, program):
    """Where every outermost loop runs and under which schedule, with loops named by the axes that they index."""
    optimised = pipeline.optimise(build(function, program.types()), blocks=True, rows=True)
    placement = place(optimised, "cuda", layout=LARGE)
    found = []
    for nest in placement.nests:
        if nest.kernel and nest.offloaded is not None:
            names = names_of_loops(nest.offloaded.kernel)
            found.append(" ".join(_renamed(directive, names) for directive in nest.schedule))
        elif not nest.stands_by:
            found.append(f"host: {nest.reason.split(':')[0]}")
    return tuple(found)


def names_of_loops(kernel):
    """Names of a kernel's loops: by the axes along which they write, the others in order."""
    reach = reach_of(kernel)
    names = {}
    for loop in reach.table.structure.loops.values():
        written = {
            (axis, reach.stride(access, loop).kind)
            for access in reach.table.accesses
            for axis, index in enumerate(access.indices or ())
            if access.writes and loop.node.index.name in index.form.names
        }
        others = sum(name.startswith("inner") for name in names.values())
        axes = "".join(f"{axis}{kind[0]}" for axis, kind in sorted(written))
        names[loop.label] = f"axis{axes}" if axes else f"inner{others}"
    return names


def _renamed(directive, names):
    changes = {
        f.name: names[value]
        for f in fields(directive)
        if isinstance(value := getattr(directive, f.name), str) and value in names
    }
    return str(replace(directive, **changes))


def cpu(function, program):
    """The loops of a program as the processor runs them: parallel or not, in lanes or not, and what is inside."""
    optimised = pipeline.optimise(build(function, program.types()), caches=True)
    return tuple(shape_of(pipeline.for_cpu(optimised).body))


def shape_of(block):
    for statement in block.statements:
        if isinstance(statement, n.For):
            lanes = "lanes" if _is_in_lanes(statement.body) else ""
            yield statement.mapping, lanes, tuple(shape_of(statement.body))
        else:
            for inner in blocks_of(statement):
                yield from shape_of(inner)


def _is_in_lanes(block):
    return any(isinstance(s.var.type, Vector) for s in block.statements if isinstance(s, n.Let))
