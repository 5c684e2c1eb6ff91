"""Finding and calling the C compiler, and what is said when it refuses."""

import ctypes
import importlib.util
import os
import stat
from pathlib import Path

import pytest

from weft.backends.c import toolchain
from weft.errors import CompilerError, NoCompilerError

ADDS = "int add(int a, int b) { return a + b; }\n"


@pytest.fixture
def fresh(monkeypatch):
    """The toolchain as a new process sees it."""
    for function in (toolchain.find, toolchain.identity):
        function.cache_clear()
    monkeypatch.delenv("CC", raising=False)
    yield monkeypatch
    for function in (toolchain.find, toolchain.identity):
        function.cache_clear()


def run(binary: bytes, folder: Path) -> int:
    path = folder / "made.so"
    path.write_bytes(binary)
    return ctypes.CDLL(str(path)).add(20, 22)


def test_source_becomes_a_shared_object(tmp_path):
    assert run(toolchain.compile_source(ADDS), tmp_path) == 42


def test_cc_names_the_compiler(fresh, tmp_path):
    script = tmp_path / "my-clang"
    script.write_text('#!/bin/sh\nexec gcc "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    before = toolchain.identity()
    toolchain.find.cache_clear()
    toolchain.identity.cache_clear()
    fresh.setenv("CC", f"{script} -pipe")
    assert toolchain.find().command == (str(script), "-pipe")
    assert toolchain.find().family == "clang"
    assert toolchain.identity() != before


def test_without_a_compiler_both_remedies_are_named(fresh):
    fresh.setenv("PATH", "")
    fresh.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NoCompilerError, match=r"(?s)gcc or clang.*weft\[cc\]"):
        toolchain.find()


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the ziglang wheel is not installed")
def test_the_ziglang_wheel_stands_in(fresh, tmp_path):
    fresh.setenv("PATH", "")
    assert toolchain.find().wrapped
    assert run(toolchain.compile_source(ADDS), tmp_path) == 42


def test_a_refusal_names_the_python_line_and_keeps_the_files():
    source = (
        "/* line 7 */\nint f(void) { return 1; }\n/* line 12, called from line 3 */\nint g(void) { return unknown; }\n"
    )
    with pytest.raises(CompilerError, match="refused the code that was generated for line 12") as caught:
        toolchain.compile_source(source)
    assert caught.value.source_path.read_text() == source
    assert "unknown" in caught.value.log_path.read_text() and "unknown" in caught.value.log


def test_python_lines_are_found_above_the_line_of_c():
    source = "int f;\n    /* line 4 */\n    x;\n    y;\n"
    assert [toolchain.python_line(source, line) for line in (1, 2, 4)] == [0, 4, 4]


def test_the_identity_names_compiler_flags_and_processor():
    assert toolchain.identity() == toolchain.identity()
    assert len(toolchain.identity()) == 32
    assert os.uname().machine != "x86_64" or "sse2" in toolchain.processor_flags()


def test_assembly_is_text():
    assert "add" in toolchain.assembly(ADDS)


def test_values_do_not_depend_on_the_flags_for_speed(tmp_path):
    """Contraction is off, and infinities, NaN and signed zeros are what IEEE 754 says."""
    source = """
    double fused(double a, double b, double c) { return a * b + c; }
    double negated(double a) { return 0.0 - a; }
    int same(double a) { return a == a; }
    """
    path = tmp_path / "made.so"
    path.write_bytes(toolchain.compile_source(source))
    library = ctypes.CDLL(str(path))
    for name in ("fused", "negated"):
        getattr(library, name).restype = ctypes.c_double
    double = ctypes.c_double
    a = 1.0 + 2.0**-30
    assert library.fused(double(a), double(a), double(-1.0)) == a * a - 1.0
    assert str(library.negated(double(0.0))) == "0.0"
    assert library.same(double(float("nan"))) == 0


@pytest.mark.parametrize(
    ("flags", "registers"), (({"avx512f", "avx"}, (32, 64)), ({"avx"}, (16, 32)), ({"sse2"}, (16, 16)))
)
def test_vector_registers_follow_from_the_instruction_sets(
    flags: set[str], registers: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "processor_flags", lambda: frozenset(flags))
    monkeypatch.setattr(toolchain.platform, "machine", lambda: "x86_64")
    assert toolchain.vector_registers() == registers
