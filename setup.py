"""Builds the entry stub. Everything else about the package is said in `pyproject.toml`."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup

STUB = Path("src/weft/runtime/_stub.c")


def has_compiler() -> bool:
    """Whether the compiler that setuptools would call is there."""
    names = [os.environ["CC"].split()[0]] if os.environ.get("CC") else ["cc", "gcc", "clang"]
    return sys.platform == "win32" or any(shutil.which(name) for name in names)


def use_ziglang() -> None:
    """Let the ziglang wheel stand in for the missing compiler."""
    os.environ["CC"] = f"{sys.executable} -m ziglang cc"
    os.environ["LDSHARED"] = f"{sys.executable} -m ziglang cc -shared"


def main() -> None:
    """Build with the machine's compiler, or fetch one for the time of the build."""
    compiler = has_compiler()
    if not compiler:
        use_ziglang()
    flags = [] if sys.platform == "win32" else ["-O2", "-std=c11", "-fvisibility=hidden"]
    stub = Extension("weft.runtime._stub", [STUB.as_posix()], extra_compile_args=flags)
    setup(
        ext_modules=[stub] if STUB.exists() else [],
        setup_requires=[] if compiler else ["ziglang>=0.13"],
    )


main()
