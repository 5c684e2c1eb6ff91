"""The hand-written C: built with every compiler that is there, called through ctypes."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from benchmarks.program import Arguments, Program

SOURCES = Path(__file__).parent / "c"

FLAGS = (
    "-std=gnu11 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -fPIC -shared -pthread".split()
)
"""IEEE arithmetic in source order, as Weft does it: nothing here changes a value."""

COMPILERS = {
    "gcc": ("gcc", "-mprefer-vector-width=512"),
    "clang": ("clang", "-mprefer-vector-width=512", "-fveclib=libmvec"),
}
"""Name, and what each needs to use the vector functions of the C library and the widest vectors."""


def available() -> list[str]:
    """Give the compilers that are installed."""
    return [name for name, command in COMPILERS.items() if shutil.which(command[0])]


def version(compiler: str) -> str:
    """Give the first line that a compiler says about itself."""
    command = [COMPILERS[compiler][0], "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def _command(compiler: str) -> list[str]:
    executable, *extra = COMPILERS[compiler]
    machine = os.uname().machine
    if machine != "x86_64":
        extra = [flag for flag in extra if "vector-width" not in flag and "veclib" not in flag]
    return [executable, *FLAGS, *extra]


@cache
def library(compiler: str) -> ctypes.CDLL:
    """Build the C programs once for each content, compiler and set of flags, and load them."""
    sources = sorted(SOURCES.glob("*.c"))
    key = hashlib.sha256(" ".join([*_command(compiler), version(compiler)]).encode())
    for file in sorted(SOURCES.iterdir()):
        key.update(file.read_bytes())
    folder = user_cache_path("weft-benchmarks", ensure_exists=True)
    target = folder / f"{compiler}-{key.hexdigest()[:16]}.so"
    if not target.exists():
        scratch = target.with_suffix(f".{os.getpid()}")
        subprocess.run([*_command(compiler), *map(str, sources), "-o", str(scratch), "-lm"], check=True)
        scratch.rename(target)
    loaded = ctypes.CDLL(str(target))
    loaded.kernel_seconds.restype = ctypes.c_double
    return loaded


def _as_c(value: object) -> object:
    """Turn an argument into what C takes: arrays become pointers."""
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    if isinstance(value, np.float32):
        return ctypes.c_float(value)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)


def bind(program: Program, compiler: str, arguments: Arguments, symbol: str | None = None) -> Callable[[], object]:
    """Give the call of a C program on these arguments; it keeps them alive, which their addresses alone would not."""
    function = getattr(library(compiler), symbol or program.name)
    function.restype = None
    converted = [_as_c(value) for value in (*arguments, *map(int, program.extents(*arguments)))]

    def call(kept: Arguments = arguments) -> object:
        return function(*converted)

    return call


def kernel_seconds(compiler: str) -> float:
    """Seconds that the last call spent inside the C function."""
    return float(library(compiler).kernel_seconds())
