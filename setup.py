"""Builds the entry stub. Everything else about the package is said in `pyproject.toml`."""

from __future__ import annotations

import os
import runpy
import shutil
import sys
import sysconfig
from glob import glob
from pathlib import Path

import numpy as np
from setuptools import Extension, setup

RUNTIME = "src/weft/runtime/native"
SOURCES = runpy.run_path("src/weft/runtime/sources.py")["fingerprint"](Path(RUNTIME))


def choose_compiler() -> list[str]:
    """Set `CC` where the one that Python was built with is missing; returns what must be installed for the build."""
    if os.environ.get("CC"):
        return []
    built_with = (sysconfig.get_config_var("CC") or "cc").split()[0]
    found = next((name for name in (built_with, "cc", "gcc", "clang") if shutil.which(name)), None)
    command = found or f"{sys.executable} -m ziglang cc"
    if found != built_with:
        os.environ["CC"] = command
        os.environ["LDSHARED"] = f"{command} -shared"
    return [] if found else ["ziglang>=0.13"]


def check_headers() -> None:
    """Say what is missing in words, before a compiler says it in its own."""
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"Weft needs the headers of Python {version} to build. On Debian and Ubuntu: "
            f"apt-get install python{version}-dev; on Fedora: dnf install python3-devel."
        )


def stub() -> Extension:
    """The extension module through which compiled code is called, with the thread pool in it."""
    return Extension(
        "weft.runtime._stub",
        sorted(glob(f"{RUNTIME}/*.c") + glob(f"{RUNTIME}/support/*.c")),
        depends=glob(f"{RUNTIME}/*.h") + glob(f"{RUNTIME}/support/*.h"),
        include_dirs=[RUNTIME, np.get_include()],
        define_macros=[("WEFT_SOURCES", f'"{SOURCES}"')],
        extra_compile_args=["-O2", "-std=gnu11", "-pthread"],
        extra_link_args=["-pthread"],
        libraries=["dl"] if sys.platform == "linux" else [],
    )


if __name__ == "__main__":
    needed = choose_compiler()
    if {"bdist_wheel", "build_ext", "editable_wheel"} & set(sys.argv):
        check_headers()
    setup(ext_modules=[stub()], setup_requires=needed)
