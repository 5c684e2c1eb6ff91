"""Compiles generated C and runs it without the rest of the runtime."""

from __future__ import annotations

import ctypes
import functools
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from weft.backends.c import generate, toolchain
from weft.backends.text.artifact import Artifact
from weft.ir import nodes as n
from weft.ir.types import Record, Scalar, View

SUPPORT = Path(__file__).parents[2] / "src" / "weft" / "runtime" / "native" / "support"
MAX_DIMS = 8
OTHER_VARIANT, NO_MEMORY, INTERRUPTED = -1, -2, -3
TOO_LARGE = -5


class CView(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("base", ctypes.c_void_p),
        ("shape", ctypes.c_int64 * MAX_DIMS),
        ("strides", ctypes.c_int64 * MAX_DIMS),
    ]


class CValue(ctypes.Union):
    _fields_ = [
        ("i", ctypes.c_int64),
        ("f", ctypes.c_double),
        ("c", ctypes.c_double * 2),
        ("view", ctypes.POINTER(CView)),
    ]


class CFault(ctypes.Structure):
    _fields_ = [
        ("site", ctypes.c_int32),
        ("lock", ctypes.c_int32),
        ("iteration", ctypes.c_int64),
        ("operands", CValue * 6),
    ]


class OtherVariant(Exception):
    """The assumption of the program does not hold."""


class Interrupted(Exception):
    """The program was told to stop."""


@functools.cache
def runtime() -> ctypes.CDLL:
    folder = tempfile.mkdtemp(prefix="weft-test-runtime-")
    path = f"{folder}/runtime.so"
    sources = [str(Path(__file__).with_name("runtime.c")), str(SUPPORT / "threads.c"), str(SUPPORT / "undoing.c")]
    command = ["gcc", "-O2", "-std=gnu11", "-fPIC", "-shared", "-pthread", f"-I{SUPPORT}", *sources, "-o", path]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(path)
    library.test_runtime.restype = ctypes.c_void_p
    library.test_live.restype = ctypes.c_long
    library.test_release.argtypes = [ctypes.c_void_p]
    library.test_scale.argtypes = [ctypes.c_double]
    return library


class Compiled:
    """A compiled program; call it with arrays and numbers."""

    def __init__(self, program: n.Program, flags: Sequence[str] = (), register_lanes: int | None = None) -> None:
        self.program = program
        self.artifact: Artifact = generate(program, register_lanes or toolchain.register_lanes())
        self._folder = tempfile.TemporaryDirectory(prefix="weft-test-")
        path = Path(self._folder.name) / "program.so"
        path.write_bytes(toolchain.compile_source(self.artifact.source, flags))
        self.library = ctypes.CDLL(str(path))
        self.entry = getattr(self.library, self.artifact.entry)
        self.entry.restype = ctypes.c_int32
        self.entry.argtypes = [ctypes.c_void_p] * 4

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        values, views = pack(self.program, arguments)
        yields = self.program.body.yields
        results = (CValue * max(len(yields), 1))()
        result_views = [CView() for _ in yields]
        for k, atom in enumerate(yields):
            if isinstance(atom.type, View):
                results[k].view = ctypes.pointer(result_views[k])
        fault = CFault()
        before = runtime().test_live()
        status = self.entry(
            runtime().test_runtime(), ctypes.addressof(values), ctypes.addressof(results), ctypes.addressof(fault)
        )
        if status != 0:
            assert runtime().test_live() == before, "memory was not released"
            raise self.error(status, fault)
        found = tuple(unpack(atom.type, results[k], arguments) for k, atom in enumerate(yields))
        bases = {results[k].view.contents.base for k, a in enumerate(yields) if isinstance(a.type, View)} - {None}
        assert runtime().test_live() == before + len(bases), "memory was not released"
        for base in bases:
            runtime().test_release(base)
        return found

    def error(self, status: int, fault: CFault) -> BaseException:
        if status == OTHER_VARIANT:
            return OtherVariant()
        if status == INTERRUPTED:
            return Interrupted()
        if status == NO_MEMORY:
            return MemoryError()
        if status == TOO_LARGE:
            return ValueError("the array is too large")
        assert status == fault.site
        site = self.artifact.sites[status - 1]
        return site.error([number(t, fault.operands[k]) for k, t in enumerate(site.operands)])


def pack(program: n.Program, arguments: Sequence[Any]) -> tuple[Any, list[CView]]:
    values = (CValue * max(len(arguments), 1))()
    views = []
    for k, (param, argument) in enumerate(zip(program.params, arguments, strict=True)):
        type_ = param.var.type
        if isinstance(type_, View):
            assert isinstance(argument, np.ndarray) and argument.ndim == type_.ndim
            if type_.contiguous and type_.ndim and argument.size:
                assert argument.strides[-1] == argument.itemsize or argument.shape[-1] <= 1
            view = CView(argument.ctypes.data, None)
            view.shape[: argument.ndim] = argument.shape
            view.strides[: argument.ndim] = argument.strides
            views.append(view)
            values[k].view = ctypes.pointer(view)
        elif type_.kind == "c":
            values[k].c[:] = [complex(argument).real, complex(argument).imag]
        elif type_.kind == "f":
            values[k].f = float(argument)
        else:
            values[k].i = int(argument) if int(argument) < 2**63 else int(argument) - 2**64
    return values, views


def number(type_: Scalar, value: CValue) -> Any:
    if type_.kind == "c":
        return complex(*value.c)
    if type_.kind == "f":
        return value.f
    if type_.kind == "b":
        return bool(value.i)
    return value.i % 2**64 if type_.kind == "u" and type_.bits == 64 else value.i


def unpack(type_: Any, value: CValue, arguments: Sequence[Any]) -> Any:
    if isinstance(type_, Scalar):
        found = number(type_, value)
        with np.errstate(all="ignore"):
            return found if type_.weak else type_.dtype.type(found)
    view = value.view.contents
    shape, strides = tuple(view.shape[: type_.ndim]), tuple(view.strides[: type_.ndim])
    for argument in arguments:
        if isinstance(argument, np.ndarray) and argument.ctypes.data == view.data:
            if argument.shape == shape and argument.strides == strides:
                return argument
    size = (
        type_.element.size + sum((e - 1) * abs(s) for e, s in zip(shape, strides, strict=True)) if 0 not in shape else 0
    )
    low = sum((e - 1) * s for e, s in zip(shape, strides, strict=True) if s < 0)
    memory = (ctypes.c_char * size).from_address((view.data or 0) + low) if size else b""
    return np.ndarray(shape, dtype_of(type_.element), memory, -low if size else 0, strides).copy()


def dtype_of(element: Any) -> np.dtype[Any]:
    if isinstance(element, Scalar):
        return element.dtype
    assert isinstance(element, Record)
    return np.dtype(
        {
            "names": [f.name for f in element.fields],
            "formats": [(dtype_of(f.type), f.shape) for f in element.fields],
            "offsets": [f.offset for f in element.fields],
            "itemsize": element.size,
        }
    )
