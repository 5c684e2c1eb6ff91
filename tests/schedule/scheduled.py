"""Kernels under schedules, run by the interpreter beside the same program as it was written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run, trace
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, free_variables, renamed, substitute
from weft.schedule.lower import lower
from weft.transform import pipeline
from weft.tune.choice import schedule_for


def program_of(function, arguments):
    """The optimised program for some arguments."""
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    return pipeline.optimise(build(function, types))


def kernel_of(program, overlaps=()):
    """The first parallel nest of a program as a kernel, and what is given for its parameters."""
    names = Names.of(program)
    nest = next(s for s in program.body.statements if isinstance(s, n.For) and s.mapping == "parallel")
    inner = renamed(n.Block((nest,)), names)
    free = free_variables(inner)
    operands = [v for v in free if isinstance(v.type, View)] + [v for v in free if not isinstance(v.type, View)]
    params = {v.name: names.fresh(v.stem, v.type) for v in operands}
    shared = tuple(params[v.name].name for v in operands if v.stem in overlaps)
    kernel = n.Kernel("kernel", tuple(params.values()), substitute(inner, params), overlaps=shared)
    return kernel, operands, names, nest


def scheduled(program, schedule, overlaps=()):
    """The program with its first parallel nest as a kernel under a schedule."""
    kernel, operands, names, nest = kernel_of(program, overlaps)
    lowered = lower(kernel, schedule_for(kernel, schedule), names)
    given = {param.name: operand for operand, param in zip(operands, kernel.params, strict=True)}
    before, extra = [], []
    for dimension in lowered.dimensions:
        start, stop = (substitute(atom, given) for atom in (dimension.start, dimension.stop))
        difference, extent = names.fresh("difference", PYINT), names.fresh("extent", PYINT)
        before.append(n.Let(difference, n.Binary("sub", stop, start, checked=False)))
        before.append(n.Let(extent, n.Binary("max", difference, n.Const(0), checked=False)))
        extra += [n.Const(0), extent]
    launch = n.Launch(lowered.kernel, "cpu", (*operands, *extra), tuple(n.Const(1) for _ in lowered.dimensions))
    statements = [(*before, launch) if s is nest else (s,) for s in program.body.statements]
    made = replace(program, body=replace(program.body, statements=tuple(s for part in statements for s in part)))
    verify(made)
    return made


def check_same(function, make, schedule, exact=True, overlaps=()):
    """A function under a schedule does what it did, and its threads do not disturb one another."""
    expected, got = make(), make()
    program = program_of(function, expected)
    found = trace(scheduled(program, schedule, overlaps), got)
    if found.error is not None:
        raise found.error
    for a, b in zip((*run(program, expected), *expected), (*found.results, *got), strict=True):
        (np.testing.assert_array_equal if exact else np.testing.assert_allclose)(b, a)
    threads = [label for label in found.conflicts if ".thread" in label or ".block" in label]
    assert not [label for label in threads if found.conflicts[label]]


def arrays(*shapes, dtype=np.float32, offset=0):
    """What makes arrays of small whole numbers, the first element so many bytes after a multiple of 64."""

    def make():
        generator = np.random.default_rng(1)
        return tuple(_array(generator, shape, np.dtype(dtype), offset) for shape in shapes)

    return make


def _array(generator, shape, dtype, offset):
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.zeros(size + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    array = memory[start : start + size].view(dtype).reshape(shape)
    array[...] = generator.integers(-9, 9, shape)
    return array
