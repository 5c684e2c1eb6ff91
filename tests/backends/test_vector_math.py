"""Our mathematical functions: within 4 ulp, right in special cases, vector code, and the same bits however called."""

from __future__ import annotations

import ctypes
import itertools
import platform
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from weft.backends.c import toolchain
from weft.backends.c.program import dialect

Array = NDArray[np.floating]

C_NAMES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2"}
UNARY = """exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh erf erfc cbrt sqrt fabs
floor ceil trunc rint""".split()
BINARY = ["pow", "arctan2", "hypot", "copysign"]
EXACT = {"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "copysign"}
TYPES = ["float64", "float32"]

USUAL_RANGES = {
    "exp": (-745.2, 709.8), "exp2": (-1075, 1024), "expm1": (-40, 709.8), "sin": (-1e6, 1e6), "cos": (-1e6, 1e6),
    "tan": (-1e6, 1e6), "tanh": (-22, 22), "sinh": (-710.5, 710.5), "cosh": (-710.5, 710.5), "erf": (-6, 6),
    "erfc": (-6, 27.3), "arcsin": (-1, 1), "arccos": (-1, 1),
}  # fmt: skip
SINGLE_RANGES = {"exp": 0.125, "exp2": 0.13, "expm1": 0.125, "sinh": 0.125, "cosh": 0.125, "erf": 0.7, "erfc": 0.37}
"""What the ranges are multiplied by for float32."""

SPECIAL = [
    0.0, 1.0, np.inf, 0.5, 2.0, 3.0, 1.5, 5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308,
    1e-40, 1e-45, 1.1754943508222875e-38, 3.4028234663852886e38, 709.782712893384, 709.7827128933841,
    745.1332191019411, 745.1332191019412, 88.72283, 88.72284, 103.97207, 103.97209, 710.4758600739439,
    6381956970095103 * 2.0**797, 5.319372648326541e255, 1e22, 1e300, 2.0**20, 2.0**20 + 0.5, 2.0**53, 2.0**53 + 2,
    np.pi / 4, np.pi / 2, np.pi, 1e5 * np.pi, 355.0, 103993.0, 16367173.0 * 2.0**72, np.sqrt(0.5), np.sqrt(2.0),
]  # fmt: skip
"""The last rows: huge arguments and neighbours of multiples of pi, where sine, cosine and tangent are hard."""


told_by_gcc = pytest.mark.skipif(
    toolchain.find().family != "gcc" or "avx2" not in toolchain.processor_flags(),
    reason="told by gcc, for processors with AVX2",
)


def source(type: str) -> str:
    """For each function a loop, single calls, and the reference: the C library's in a wider type."""
    real, wide, end = ("double", "long double", "l") if type == "float64" else ("float", "double", "")
    parts = []
    for name in UNARY + BINARY:
        two = name in BINARY
        given, passed = ("const {0} *a, const {0} *b", "a[i], b[i]") if two else ("const {0} *a", "a[i]")
        given, one = given.format(real), f"{real} a, {real} b" if two else f"{real} a"
        widened = passed.replace("a[", f"({wide})a[").replace("b[", f"({wide})b[")
        loop = "for (long i = 0; i < n; i++) out[i] ="
        parts.append(f"""
void loop_{name}(long n, {given}, {real} *restrict out) {{ {loop} {name}_{type}({passed}); }}
__attribute__((noinline)) {real} one_{name}({one}) {{ return {name}_{type}({"a, b" if two else "a"}); }}
void single_{name}(long n, {given}, {real} *restrict out) {{ {loop} one_{name}({passed}); }}
void reference_{name}(long n, {given}, {wide} *restrict out)
    {{ {loop} __builtin_{C_NAMES.get(name, name)}{end}({widened}); }}""")
    functions = "\n".join(parts)
    return "\n".join(["#include <stdint.h>\n#include <stddef.h>", *dialect().helpers.needed(functions), functions])


@dataclass(frozen=True)
class Compiled:
    """The functions of a type, and which of their loops are vector code."""

    type: str
    library: ctypes.CDLL
    vector_loops: frozenset[str]

    def call(self, how: str, name: str, *arguments: Array) -> Array:
        """Apply a function to arrays."""
        wide = np.longdouble if self.type == "float64" else np.float64
        out = np.empty(len(arguments[0]), wide if how == "reference" else self.type)
        arrays = [*(np.ascontiguousarray(a, self.type) for a in arguments), out]
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
        getattr(self.library, f"{how}_{name}")(ctypes.c_long(len(out)), *pointers)
        return out


def compile_source(source: str, target: Path, *flags: str) -> frozenset[str]:
    """Compile as Weft does; the functions whose loops, on the lines of their heads, gcc made vector code of."""
    compiler = toolchain.find()
    text = target.with_suffix(".c")
    text.write_text(source, encoding="utf-8")
    about = ["-fopt-info-vec"] if compiler.family == "gcc" else []
    command = [*compiler.command, *compiler.flags(), *about, *flags, str(text), "-o", str(target), "-lm"]
    log = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    lines = source.split("\n")
    vectorised = {lines[int(found) - 1] for found in re.findall(r":(\d+):\d+: optimized: loop vectorized", log)}
    return frozenset(found[1] for line in vectorised if (found := re.match(r"void loop_(\w+)\(", line)))


def compile_functions(type: str, folder: Path, *flags: str) -> Compiled:
    target = folder / f"{type}.so"
    vector_loops = compile_source(source(type), target, *flags)
    return Compiled(type, ctypes.CDLL(str(target)), vector_loops)


@pytest.fixture(scope="module", params=TYPES)
def functions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compiled]:
    """The functions as Weft compiles them for this processor."""
    yield compile_functions(request.param, tmp_path_factory.mktemp("math"))


@pytest.fixture(scope="module", params=TYPES)
def plain_functions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compiled]:
    """The same for any processor of its kind: one without fused products and sums, on x86-64."""
    if platform.machine() != "x86_64":
        pytest.skip("fused products and sums belong to the processor")
    yield compile_functions(request.param, tmp_path_factory.mktemp("math"), "-march=x86-64", "-mtune=generic", "-O1")


def special_values(type: str) -> Array:
    with np.errstate(all="ignore"):
        return np.array([sign * value for value in [*SPECIAL, np.nan] for sign in (1, -1)]).astype(type)


def random_values(name: str, type: str, count: int, rng: np.random.Generator) -> Array:
    """Random bit patterns; numbers of the function's usual range; of all magnitudes; close to 1."""
    bits = np.uint64 if type == "float64" else np.uint32
    low, high = USUAL_RANGES.get(name, (-1e3, 1e3))
    scale = SINGLE_RANGES.get(name, 1.0) if type == "float32" else 1.0
    signs = rng.choice([-1.0, 1.0], count)
    return np.concatenate([
        rng.integers(0, np.iinfo(bits).max, count, dtype=bits, endpoint=True).view(type),
        rng.uniform(low * scale, high * scale, count).astype(type),
        (signs * np.exp(rng.uniform(-20, 5, count))).astype(type),
        (1 + signs * np.exp(rng.uniform(-30, 0, count))).astype(type),
    ])  # fmt: skip


def random_powers(type: str, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Bases and exponents whose powers are finite numbers of all magnitudes."""
    scale = 1.0 if type == "float64" else 0.12
    logarithms = rng.uniform(-700, 700, count) * scale
    exponents = rng.uniform(-745, 710, count) * scale / logarithms
    near_one = 1 + rng.uniform(-1e-3, 1e-3, count)
    bases = np.concatenate([np.exp(logarithms), rng.uniform(-5, 5, count), near_one])
    whole = np.concatenate([exponents, rng.integers(-50, 50, count), rng.uniform(-6e5, 6e5, count)])
    return bases.astype(type), whole.astype(type)


def arguments_of(name: str, type: str, count: int) -> tuple[Array, ...]:
    rng = np.random.default_rng(11)
    if name not in BINARY:
        return (np.concatenate([random_values(name, type, count, rng), special_values(type)]),)
    first, second = np.array(list(itertools.product(special_values(type), repeat=2)), type).T
    a = random_values(name, type, count, rng)
    b = rng.permutation(random_values(name, type, count, rng))
    bases, exponents = random_powers(type, count, rng) if name == "pow" else (a[:0], b[:0])
    return np.concatenate([first, a, bases]), np.concatenate([second, b, exponents])


def check(functions: Compiled, name: str, count: int) -> None:
    """Compare with the wider reference: within 4 ulp; signs of zeros, infinities and NaN exactly."""
    arguments = arguments_of(name, functions.type, count)
    got, wide = functions.call("loop", name, *arguments), functions.call("reference", name, *arguments)
    with np.errstate(all="ignore"):
        rounded = wide.astype(functions.type)
        finite = np.isfinite(rounded) & np.isfinite(got)
        spacing = np.spacing(np.abs(np.where(finite, rounded, 1))).astype(wide.dtype)
        error = np.where(finite, np.abs(got.astype(wide.dtype) - wide) / spacing, 0)
    same = (got == rounded) & (np.signbit(got) == np.signbit(rounded)) | np.isnan(got) & np.isnan(rounded)
    special = ~finite | (got == 0) & (rounded == 0)
    wrong = special & ~same | (error > (0.5 if name in EXACT else 4))
    where = np.flatnonzero(wrong)[:3]
    assert not wrong.any(), [(*(a[i] for a in arguments), got[i], rounded[i], float(error[i])) for i in where]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", UNARY + BINARY)
def test_accuracy_and_special_cases(functions: Compiled, name: str) -> None:
    check(functions, name, 25_000)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", UNARY + BINARY)
def test_accuracy_and_special_cases_without_fused_operations(plain_functions: Compiled, name: str) -> None:
    check(plain_functions, name, 5000)


@pytest.mark.parametrize("name", UNARY + BINARY)
def test_vector_body_remainder_and_single_calls_give_the_same_bits(functions: Compiled, name: str) -> None:
    arguments = [a[-1013:] for a in arguments_of(name, functions.type, 2000)]
    bits = np.uint64 if functions.type == "float64" else np.uint32
    expected = functions.call("single", name, *arguments)
    for start in range(5):
        part = functions.call("loop", name, *(a[start:] for a in arguments))
        same = (part.view(bits) == expected[start:].view(bits)) | np.isnan(part) & np.isnan(expected[start:])
        assert same.all()


@pytest.mark.parametrize("name", UNARY + BINARY)
@told_by_gcc
def test_loops_become_vector_code(functions: Compiled, name: str) -> None:
    assert name in functions.vector_loops


@pytest.mark.sample(1)
@told_by_gcc
@pytest.mark.parametrize("type", TYPES)
def test_loops_in_which_an_argument_stays_the_same_become_vector_code(type: str, tmp_path: Path) -> None:
    real = "double" if type == "float64" else "float"
    cases = {
        f"{name}_{k}": f"{name}_{type}({arguments})"
        for name in BINARY
        for k, arguments in enumerate(["a[i], b", "b, a[i]", "a[i], 2.5", "a[i], -3", "1.5, a[i]"])
    }
    head = f"(long n, {real} b, const {real} *a, {real} *restrict out) {{ for (long i = 0; i < n; i++) out[i] ="
    loops = "\n".join(f"void loop_{case}{head} {call}; }}" for case, call in cases.items())
    text = "\n".join(["#include <stdint.h>\n#include <stddef.h>", *dialect().helpers.needed(loops), loops])
    assert compile_source(text, tmp_path / "cases.so") == cases.keys()


@pytest.fixture(scope="module")
def doubles(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return compile_functions("float64", tmp_path_factory.mktemp("math"), "-O1")


def test_powers_that_are_whole_numbers_are_exact(doubles: Compiled) -> None:
    cases = [(a, b) for a in range(-300, 301) for b in range(12) if abs(a**b) < 2**53]
    bases, exponents = np.array(cases, float).T
    assert doubles.call("loop", "pow", bases, exponents).tolist() == [a**b for a, b in cases]


def test_logarithms_and_roots_of_powers_are_exact(doubles: Compiled) -> None:
    whole = np.arange(-1074.0, 1024.0)
    assert (doubles.call("loop", "log2", 2.0**whole) == whole).all()
    assert (doubles.call("loop", "exp2", whole) == 2.0**whole).all()
    assert (doubles.call("loop", "log10", 10.0 ** np.arange(23.0)) == np.arange(23.0)).all()
    assert (doubles.call("loop", "cbrt", np.arange(1000.0) ** 3) == np.arange(1000.0)).all()
