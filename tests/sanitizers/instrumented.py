"""Python in which all that Weft compiles is instrumented by a sanitizer: how such processes start, and their stub."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "src" / "weft" / "runtime" / "native"
STUB = "WEFT_INSTRUMENTED_STUB"


@dataclass(frozen=True)
class Sanitizer:
    """A sanitizer: flags of the compiler, libraries that must be loaded first, and the options of these."""

    flags: tuple[str, ...]
    libraries: tuple[str, ...]
    options: dict[str, str]


SANITIZERS = {
    # Memory of Python itself is never given back, so leaks are not looked for: `tests/backends` counts allocations.
    "address": Sanitizer(
        ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
        ("libasan.so", "libubsan.so"),
        {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1", "UBSAN_OPTIONS": "print_stacktrace=1"},
    ),
    # Python is not instrumented: what it writes is not seen, and what it orders by its own locks is.
    "thread": Sanitizer(
        ("-fsanitize=thread",),
        ("libtsan.so",),
        {"TSAN_OPTIONS": "halt_on_error=1:exitcode=66:die_after_fork=0"},
    ),
}


def missing(kind: str) -> str:
    """Why a sanitizer cannot be used here; empty where it can."""
    if shutil.which("gcc") is None:
        return "there is no gcc"
    absent = [name for name in SANITIZERS[kind].libraries if not Path(_library(name)).is_absolute()]
    return f"gcc has no {absent[0]}" if absent else ""


def _library(name: str) -> str:
    return subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def build_stub(kind: str, folder: Path) -> Path:
    """Compile the runtime under a sanitizer; where it is."""
    from weft.runtime.sources import fingerprint

    path = folder / f"_stub_{kind}.so"
    sources = sorted(map(str, (*RUNTIME.glob("*.c"), *RUNTIME.glob("support/*.c"))))
    include = [f"-I{folder}" for folder in (sysconfig.get_path("include"), RUNTIME, np.get_include())]
    flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-std=gnu11", "-fPIC", "-shared", "-pthread"]
    flags.append(f'-DWEFT_SOURCES="{fingerprint(RUNTIME)}"')
    command = ["gcc", *flags, *SANITIZERS[kind].flags, *include, *sources, "-o", str(path), "-ldl"]
    subprocess.run(command, check=True)
    return path


def command(*arguments: str) -> list[str]:
    """The words that start Python in a process that may be instrumented: threads need addresses that do not vary."""
    fixed = ["setarch", platform.machine(), "-R"] if shutil.which("setarch") else []
    return [*fixed, sys.executable, *arguments]


def environment(kind: str, stub: Path, store: Path) -> dict[str, str]:
    """The environment in which Python loads the sanitizer, and Weft compiles by it."""
    sanitizer = SANITIZERS[kind]
    return {
        **os.environ,
        **sanitizer.options,
        "LD_PRELOAD": " ".join(map(_library, sanitizer.libraries)),
        "CC": " ".join(("gcc", *sanitizer.flags, "-g", "-fno-omit-frame-pointer")),
        "WEFT_CACHE_DIR": str(store),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), str(ROOT / "src"), *sys.path))),
        "OPENBLAS_NUM_THREADS": "1",
        STUB: str(stub),
    }


def use_instrumented_stub() -> None:
    """Load the instrumented runtime as Weft's own; before Weft is imported."""
    name = "weft.runtime._stub"
    assert "weft" not in sys.modules
    loader = ExtensionFileLoader(name, os.environ[STUB])
    spec = importlib.util.spec_from_loader(name, loader, origin=os.environ[STUB])
    assert spec is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    loader.exec_module(sys.modules[name])


def run(kind: str, stub: Path, store: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run `tests.sanitizers.child` in an instrumented process."""
    words = command("-m", "tests.sanitizers.child", *arguments)
    return subprocess.run(words, capture_output=True, text=True, env=environment(kind, stub, store), cwd=ROOT)
