"""The public face of the package: its names, its types, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

import weft

HEAVY = ("islpy", "matplotlib", "pyopencl", "cuda", "scipy", "rich", "weft.analysis", "weft.backends.c")


@pytest.mark.parametrize("name", weft.__all__)
def test_public_name_is_there(name):
    assert not isinstance(getattr(weft, name), types.ModuleType)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'weft' has no attribute 'jti'"):
        weft.jti


def test_jit_is_the_decorator_whatever_was_imported_first():
    program = "import weft.jit, weft; from weft.jit import Function; assert callable(weft.jit)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_package_is_typed():
    assert (Path(weft.__file__).parent / "py.typed").exists()


def test_import_loads_nothing_heavy():
    program = f"import sys, weft, weft.jit; print([name for name in {HEAVY} if name in sys.modules])"
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert output.strip() == "[]"
