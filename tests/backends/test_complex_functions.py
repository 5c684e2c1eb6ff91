"""Functions of complex numbers on devices: the special values of processors, and parts that are as exact as theirs."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.errors import DeviceError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import place
from weft.transform.pipeline import optimise

EXACT = 8
"""Units in the last place of each part."""
FUNCTIONS = {
    "exp": np.exp, "sqrt": np.sqrt, "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "absolute": np.absolute, "log2": np.log2, "log10": np.log10,
    "arcsin": np.arcsin, "arccos": np.arccos, "arctan": np.arctan, "arcsinh": np.arcsinh, "arccosh": np.arccosh,
    "arctanh": np.arctanh,
}  # fmt: skip
LESS_EXACT = {"exp2": np.exp2, "expm1": np.expm1, "log1p": np.log1p}
"""Functions that are a formula of others, as NumPy's are: parts may cancel."""
KINDS = (np.complex64, np.complex128)


def special(kind):
    """All pairs of special numbers of both signs."""
    facts = np.finfo(kind)
    found = [0.0, 1.0, 0.5, 2.0, np.inf, np.nan, facts.max, facts.tiny, facts.smallest_subnormal, 1e-5, 3.0, 700.0]
    found += [88.8, 21.9, 22.1, np.pi / 2, np.sqrt(0.5), 30.0, facts.eps, 1 + facts.eps, 1 - facts.eps / 2]
    parts = np.array([*found, *(-x for x in found)], facts.dtype)
    pairs = np.empty((len(parts), len(parts)), kind)
    pairs.real, pairs.imag = parts[:, None], parts
    return pairs.ravel()


def drawn(kind, count=3000):
    """Numbers of many sizes; a third of them near the circle, where logarithms are small."""
    random = np.random.default_rng(7)
    real, imag = (random.standard_normal(count) * 10.0 ** random.integers(-8, 3, count) for _ in range(2))
    found = real + 1j * imag
    angles = random.uniform(0, 7, len(found[::3]))
    found[::3] = np.exp(1j * angles) * (1 + 10.0 ** random.uniform(-16, 0, len(angles)))
    return found.astype(kind)


def parts_of(values):
    return np.stack([values.real, values.imag]) if np.iscomplexobj(values) else values[None]


def same_special_values(got, wanted):
    """NaN, infinities and signs of zeros are where they are wanted."""
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    got, wanted = parts_of(got), parts_of(wanted)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
    infinite = np.isinf(got) | np.isinf(wanted)
    np.testing.assert_array_equal(got[infinite], wanted[infinite])
    zeros = (got == 0) & (wanted == 0)
    np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(wanted[zeros]))


def units_from(got, exact):
    """How far parts are from the exact ones, in units in the last place."""
    got, exact = parts_of(got), parts_of(exact)
    rounded = np.abs(exact.astype(got.dtype))
    finite = np.isfinite(got) & np.isfinite(rounded)
    unit = np.spacing(np.where(finite, rounded, 1)).astype(exact.dtype)
    return float(np.max(np.where(finite, np.abs(got - exact) / unit, 0)))


def on_device(function, *arrays):
    @weft.jit(device="opencl")
    def mapped(*arrays):
        return function(*arrays)

    result = mapped(*arrays)
    assert "__kernel" in mapped.inspect(*arrays).source
    return result


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_through_opencl(name, kind):
    function = FUNCTIONS[name]
    for values in (special(kind), drawn(kind)):
        got = on_device(function, values)
        same_special_values(got, function(values))
        assert units_from(got, function(values.astype(np.clongdouble))) < EXACT


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LESS_EXACT)
def test_formulas_through_opencl(name, kind):
    function = LESS_EXACT[name]
    got = on_device(function, special(kind))
    same_special_values(got, function(special(kind)))
    values = drawn(kind)
    got, wanted = on_device(function, values), function(values)
    exact = 3000 * np.finfo(kind).eps
    np.testing.assert_allclose(got, wanted, rtol=exact, atol=exact)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_powers_and_quotients_through_opencl(kind):
    numbers = [0.0, 1.0, 0.5, 2.0, np.inf, np.nan, 3.0]
    parts = np.array([*numbers, *(-x for x in numbers)], np.finfo(kind).dtype)
    pairs = np.empty((len(parts), len(parts)), kind)
    pairs.real, pairs.imag = parts[:, None], parts
    a, b = (x.ravel() for x in np.meshgrid(pairs, pairs))
    got, quotients = on_device(lambda a, b: (a**b, a / b), a, b)
    same_special_values(got, a**b)
    assert units_from(quotients, a / b) == 0
    ordinary = np.isfinite(got) & (np.abs(np.log(np.abs(got))) < 20)
    exact = 500 * np.finfo(kind).eps
    np.testing.assert_allclose(got[ordinary], (a**b)[ordinary], rtol=exact)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_on_processors(name, kind):
    function = FUNCTIONS[name]
    for values in (special(kind), drawn(kind)):
        got = weft.jit(lambda a: function(a))(values)
        same_special_values(got, function(values))
        assert units_from(got, function(values.astype(np.clongdouble))) < EXACT


def test_they_compile_for_cuda():
    try:
        compiler.identity()
    except (DeviceError, ImportError, RuntimeError):
        pytest.skip("NVRTC is not installed")

    def all_of_them(a, b):
        c = a**b
        for i in range(len(a)):
            z = a[i]
            c[i] += np.exp(z) + np.sqrt(z) + np.log(z) + np.sin(z) + np.cos(z) + np.tan(z) + np.sinh(z)
            c[i] += np.cosh(z) + np.tanh(z) + np.log2(z) + np.log10(z) + np.exp2(z) + np.expm1(z) + np.log1p(z)
            c[i] += np.arcsin(z) + np.arccos(z) + np.arctan(z) + np.arcsinh(z) + np.arccosh(z) + np.arctanh(z)
        return c

    for kind in KINDS:
        types = (describe(np.ones(4, kind)),) * 2
        program = optimise(build(all_of_them, types), turns=False, blocks=True, rows=True)
        text = generate_kernels(place(program, "cuda").program)
        assert "tanh_complex128(" in text and "pow_" in text
        assert compiler.compile_source(text, "sm_90").code.startswith(b"\x7fELF")
