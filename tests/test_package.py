"""The public face of the package: its names, its types, and what importing it costs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
from importlib.metadata import metadata, requires
from pathlib import Path

import pytest

import weft

ROOT = Path(__file__).parents[1]
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


def needed(extra: str = "") -> set[str]:
    """The distributions that an installation needs, or those of an extra."""
    marker = f'extra == "{extra}"' if extra else ""
    lines = [line for line in requires("weft") or () if (marker in line if extra else "extra ==" not in line)]
    return {re.split(r"[^\w.-]", line)[0].lower() for line in lines}


def test_required_dependencies_are_few():
    assert needed() == {"numpy", "islpy", "platformdirs", "rich"}


@pytest.mark.parametrize(
    ("extra", "some"),
    [
        ("cuda", "cuda-core"), ("opencl", "pyopencl"), ("cc", "ziglang"), ("demo", "matplotlib"), ("dev", "pytest"),
    ],
)  # fmt: skip
def test_extras(extra, some):
    assert some in needed(extra)


def test_python_and_licence():
    assert metadata("weft")["Requires-Python"] == ">=3.10"
    assert metadata("weft")["License-Expression"] == "Apache-2.0"
    assert "Version 2.0, January 2004" in (ROOT / "LICENSE").read_text()


@pytest.mark.skipif(not (ROOT / ".ci" / "run").exists(), reason="an installation without the repository")
def test_the_checks_before_a_change_goes_in():
    steps, makefile = (ROOT / ".ci" / "run").read_text(), (ROOT / "Makefile").read_text()
    assert steps.index("WEFT_TEST_STORE") < steps.index("\nmake test\n") < steps.index("\nmake test PYTEST_ARGS=")
    for step in ("pocl-opencl-icd", "make lint", "make types", "make docs", "demo", "weft-*.whl", "smoke.py"):
        assert step in steps
    for command in ("ruff check .", "ruff format --check .", "bin/mypy", "-b html", "-b doctest"):
        assert command in makefile.replace("$(BIN)", "bin")
    assert "strict = true" in (ROOT / "pyproject.toml").read_text().partition("[tool.mypy]")[2].partition("[tool.")[0]


def test_what_happens_is_logged_and_not_printed(tmp_path):
    (tmp_path / "scaled.py").write_text(
        "import logging, sys, numpy as np, weft\n"
        "logging.basicConfig(level=sys.argv[1])\n"
        "@weft.jit(device='cpu')\n"
        "def scaled(x):\n"
        "    for i in range(x.shape[0]):\n"
        "        x[i] *= 2.0\n"
        "scaled(np.ones(3))\n"
    )
    for level, said in (("WARNING", ""), ("INFO", "INFO:weft.runtime.dispatch.specialisation:compiling scaled(")):
        environment = {**os.environ, "WEFT_CACHE_DIR": str(tmp_path / level)}
        command = [sys.executable, str(tmp_path / "scaled.py"), level]
        run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        assert run.stdout == ""
        assert said in run.stderr and bool(said) == bool(run.stderr)
