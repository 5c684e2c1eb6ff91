"""C functions: in loops, array expressions and patterns, on all devices, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.patterns.c_functions import FUNCTIONS, arguments
from weft.backends.cuda import compiler
from weft.errors import DeviceError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.types import FLOAT32, FLOAT64

pytestmark = pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid", "ignore:divide")
MADE = {name: weft.cfunction(text) for name, (text, _) in FUNCTIONS.items()}


def same(got, wanted):
    """Bit for bit, with types; NaNs are alike."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(got, wanted)
    if got.dtype.kind == "f":
        known = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(wanted)[known])


def looped(f, a, b):
    out = np.empty(len(a), f(a[:1], b[:1]).dtype)
    for i in range(len(a)):
        out[i] = f(a[i], b[i])
    return out


@pytest.mark.parametrize("size", [1, 7, 64, 1001])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_outside_in_loops_and_in_expressions(name, size):
    f, plain = MADE[name], FUNCTIONS[name][1]
    a, b = arguments(name, size)
    wanted = plain(a, b)
    kind = wanted.dtype

    @weft.jit
    def loop(a, b, out):
        for i in range(len(a)):
            out[i] = f(a[i], b[i])

    @weft.jit
    def expression(a, b):
        return f(a, b), f(a[::-1], b)[::2]

    out = np.empty(size, kind)
    loop(a, b, out)
    same(out, wanted)
    same(f(a, b), wanted)
    same([f(x, y) for x, y in zip(a[:20], b[:20])], wanted[:20])
    whole, half = expression(a, b)
    same(whole, wanted)
    same(half, plain(a[::-1], b)[::2])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_in_the_interpreter_and_without_passes(name):
    f, plain = MADE[name], FUNCTIONS[name][1]
    a, b = arguments(name, 13)

    def loop(a, b):
        return weft.map(f, a, b), f(a, b)

    for options in ({"device": "interpreter"}, {"disable": ("fusion", "lanes", "dce", "inline_producers")}):
        for found in weft.jit(**options)(loop)(a, b):
            same(found, plain(a, b))


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_through_opencl(name):
    f, plain = MADE[name], FUNCTIONS[name][1]
    a, b = arguments(name, 101)

    @weft.jit(device="opencl")
    def both(a, b):
        return weft.map(f, a, b), f(a[::-1], b)

    got, other = both(a, b)
    assert "weft_c_" in both.inspect(a, b).source.split("__kernel")[0]
    same(got, plain(a, b))
    same(other, plain(a[::-1], b))


def test_kernels_in_cuda_compile():
    try:
        compiler.identity()
    except (DeviceError, ImportError, RuntimeError):
        pytest.skip("NVRTC is not installed")
    from weft.backends.cuda.dialect import generate_kernels
    from weft.frontend import build
    from weft.frontend.source.signature import describe
    from weft.plan.place import place
    from weft.transform.pipeline import optimise

    for name, f in MADE.items():
        a, b = arguments(name, 8)

        def loop(a, b):
            return weft.map(f, a, b)

        program = optimise(build(loop, (describe(a), describe(b))), turns=False, blocks=True, rows=True)
        text = generate_kernels(place(program, "cuda").program)
        assert "weft_c_" in text
        assert compiler.compile_source(text, "sm_90").code.startswith(b"\x7fELF")


# ------------------------------------------------------------------------------------------------------------ patterns

add = weft.cfunction("double plus(double a, double b) { return a + b; }")
larger = weft.cfunction("float larger(float a, float b) { return a < b ? b : a; }")
positive = weft.cfunction("bool positive(double a) { return a > 0; }")
placed = weft.cfunction("double placed(double a, long i) { return a + 10 * i; }")
placed_2d = weft.cfunction("long placed(int a, int64_t i, int64_t j) { return a + 100 * i + j; }")
V = np.random.default_rng(3).integers(-50, 50, 1000).astype(np.float64)
M = np.arange(12, dtype=np.int32).reshape(3, 4)
KEYS = np.random.default_rng(4).integers(0, 20, 1000)
OFFSETS = np.array([0, 3, 3, 10, 1000])

PATTERNS = {
    "map with an index": (lambda: weft.map(placed, V, index=True), lambda: V + 10 * np.arange(1000)),
    "map with two indices": (
        lambda: weft.map(placed_2d, M, index=True), lambda: M + 100 * np.arange(3)[:, None] + np.arange(4),
    ),
    "reduce": (lambda: weft.reduce(add, V), lambda: V.sum()),
    "reduce along an axis": (lambda: weft.reduce(add, V.reshape(10, 100), axis=0), lambda: V.reshape(10, 100).sum(0)),
    "reduce from a start": (lambda: weft.reduce(add, V, initial=2.5), lambda: V.sum() + 2.5),
    "reduce of nothing from a start": (lambda: weft.reduce(add, V[:0], initial=2.5), lambda: np.float64(2.5)),
    "reduce of floats": (lambda: weft.reduce(larger, V.astype("f4")), lambda: V.astype("f4").max()),
    "scan": (lambda: weft.scan(add, V), lambda: V.cumsum()),
    "exclusive scan": (lambda: weft.scan(add, V, initial=1.0, exclusive=True), lambda: 1 + V.cumsum() - V),
    "segments": (
        lambda: weft.segment_reduce(add, V, OFFSETS, initial=0.0),
        lambda: np.array([V[a:b].sum() for a, b in zip(OFFSETS, OFFSETS[1:])]),
    ),
    "filter": (lambda: weft.filter(positive, V), lambda: V[V > 0]),
    "stencil": (lambda: weft.stencil(lambda at: add(at(-1), at(1)), V, boundary="wrap"),
                lambda: np.roll(V, 1) + np.roll(V, -1)),
    "scatter": (lambda: weft.scatter(V, KEYS, np.zeros(20), add), lambda: np.bincount(KEYS, V, 20)),
    "map of a gather": (lambda: weft.map(add, weft.gather(V, (0,))[:, 0], V), lambda: V + V),
    "in a lambda": (lambda: weft.map(lambda x: add(x, 1) * 2, V), lambda: (V + 1) * 2),
    "in a map of a map": (lambda: weft.map(add, weft.map(add, V, V), V), lambda: 3 * V),
    "ufunc of the result": (lambda: np.abs(add(V, -1.0)) + 1, lambda: np.abs(V - 1) + 1),
}  # fmt: skip


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns(name):
    pattern, plain = PATTERNS[name]
    same(pattern(), plain())
    same(weft.jit(pattern)(), plain())


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["map with two indices", "reduce", "scan", "segments", "filter", "stencil", "scatter"])
def test_patterns_through_opencl(name):
    pattern, plain = PATTERNS[name]
    with weft.device("opencl"):
        same(weft.jit(pattern)(), plain())


def test_on_threads(on_four_threads):
    a = np.arange(5000.0)
    same(weft.jit(lambda a: add(a, a[::-1]))(a), np.full(5000, 4999.0))
    assert weft.jit(lambda a: weft.reduce(add, a))(a) == a.sum()


def test_broadcasting():
    a, b = np.arange(3.0)[:, None], np.arange(4.0)
    same(add(a, b), a + b)
    same(weft.jit(lambda a, b: add(a, b))(a, b), a + b)
    same(add(a, 1), a + 1)
    same(add(a[:0], b), a[:0] + b)


def test_two_texts_with_one_name():
    one, two = (weft.cfunction(f"int f(int a) {{ return a + {k}; }}") for k in (1, 2))

    @weft.jit
    def both(a):
        return one(a) * 10 + two(a)

    same(both(M), (M + 1) * 10 + M + 2)


def test_another_text_under_the_same_name_is_seen():
    f = weft.cfunction("int f(int a) { return a + 1; }")

    @weft.jit
    def called(a):
        return f(a)

    same(called(M), M + 1)
    f = weft.cfunction("int f(int a) { return a + 2; }")
    same(called(M), M + 2)


def test_variables_of_the_same_names():
    f = weft.cfunction("double f(double a) { double weft_c_a_ = a; return weft_c_a_ + 1; }")

    @weft.jit
    def called(a, weft_c_f_, f_):
        return f(a) + weft_c_f_ + f_

    assert called(1.0, 2.0, 3.0) == 7.0


def test_without_arguments():
    f = weft.cfunction("double f(void) { return M_PI; }")
    assert f() == np.pi
    same(weft.jit(lambda a: a + f())(V), V + np.pi)


def test_it_has_the_names_of_the_text():
    f = weft.cfunction("float mix(float lambda, float b) { return lambda + b; }")
    assert f.__name__ == "mix"
    assert f(lambda_=1, b=2) == 3
    assert weft.jit(lambda x: f(b=x, lambda_=x))(np.float32(2)) == 4


def test_it_is_not_called_where_the_program_does_not():
    f = weft.cfunction("int f(int a, int b) { return a / b; }")

    @weft.jit
    def safe(a, b):
        out = np.zeros_like(a)
        for i in range(len(a)):
            if b[i] != 0:
                out[i] = f(a[i], b[i])
            else:
                out[i] = -1
        return out

    a, b = np.arange(100, dtype=np.int32), np.arange(100, dtype=np.int32) % 3
    wanted = np.where(b != 0, a // np.maximum(b, 1), -1)
    same(safe(a, b), wanted.astype(np.int32))


def test_programs_with_c_functions_are_text_and_json():
    text = weft.jit(lambda a: add(a, 1.0)).inspect(V).ir
    program = parse(text)
    assert to_text(program) == text
    assert from_json(to_json(program)) == program


def test_the_verifier_knows_the_types():
    a, b = n.Var("a", FLOAT32), n.Var("b", FLOAT32)
    source = "float f(float a) { return a; }"
    params = (n.Param(a, n.Source("argument", "a")),)

    def program(operands, type):
        return n.Program("p", params, n.Block((n.Let(n.Var("b", type), n.Native(source, operands)),)))

    verify(program((a,), FLOAT32))
    for wrong in (program((), FLOAT32), program((a, a), FLOAT32), program((a,), FLOAT64)):
        with pytest.raises(weft.InternalError, match="f is called with"):
            verify(wrong)
    assert b != a


# ------------------------------------------------------------------------------------------ what is refused

REFUSED = {
    "": "line 1 of the C text: there is no function",
    "float f(float a) { return a + ; }": "line 1 of the C text: expected expression before ';'",
    "float f(float a) {\n\n  return b;\n}": "line 3 of the C text: 'b' undeclared",
    "float f(float a) {\n  return g(a);\n}": "line 2 of the C text: there is no function g in `return g(a);`",
    "float f(float a) { return f(a); }": "f calls itself",
    "float sin(float a) { return a; }": "sin is a name of C's library",
    "float f(float a) { if (a > 0) return a; }": "control reaches end of non-void function",
    "float f(float a) { int k; return k + a; }": "'k' is used uninitialized",
    "int f(int a) {\n return a / 0; }": "line 2 of the C text: division by zero",
    "float f(float *a) { return *a; }": "a parameter of f is a pointer",
    "float f(float a[3]) { return a[0]; }": "a parameter of f is followed by [",
    "float f(float a, ...) { return a; }": "is no type of numbers",
    "void f(float a) { }": "nothing is no type of numbers",
    "vec3 f(float a) { return 1; }": "vec3 is no type of numbers",
    "float f(complex float a) { return a; }": "complex is refused",
    "long double f(float a) { return a; }": "long double is no type that all devices have",
    "float f(float a) { static int k; return k; }": "static is refused",
    "float f(float a) { return sizeof a; }": "sizeof is refused",
    "float f(float a) { goto end; end: return a; }": "goto is refused",
    "#include <math.h>\nfloat f(float a) { return a; }": "there is a line for the preprocessor",
    'float f(float a) { printf("a"); return a; }': '"a" has no place',
    "float f(float a) { return __builtin_sqrtf(a); }": "__builtin_sqrtf is a name of the compiler",
    "int x = 3; int f(int a) { return x; }": "only functions are defined",
    "float f(float a);": "; stands where the body begins: only functions are defined",
    "float f(float a) { return a;": "the brace { is never closed",
    "float f(float a) { return a; } float f(float a) { return a; }": "f is defined twice",
    "float f(float a) { float NAN = a; return a; }": "line 1 of the C text: NAN is a name of C's own",
    "float f(float a) { struct p { int x; } q; q.x = 1; return q.y; }": "'struct p' has no member named 'y'",
    "float f(float é) { return é; }": "é has no place",
    "float f(float a": "is followed by nothing",
    "float": "the text ends where the name of the function is expected",
}


@pytest.mark.parametrize("source", REFUSED)
def test_texts_that_are_refused(source):
    with pytest.raises(weft.ArgumentError) as caught:
        weft.cfunction(source)
    assert REFUSED[source] in str(caught.value)
    assert "weft_c_" not in str(caught.value)


def test_the_text_is_a_text():
    with pytest.raises(weft.ArgumentError, match="the text of a C function is a str, not int"):
        weft.cfunction(3)


mixed = weft.cfunction("float mixed(float a, int b) { return a + b; }")

ARGUMENTS = [
    ((np.float64(1), 2), "mixed takes a as float32, and this is", "float64"),
    ((np.zeros(3), 2), "mixed takes a as float32, and this is", "float64"),
    ((1.0, 2.5), "mixed takes b as int32, and this is", "float"),
    ((1j, 2), "mixed takes a as float32, and this is", "complex"),
    ((np.zeros(3, np.float32), np.zeros(3, np.int64)), "mixed takes b as int32, and this is", "int64"),
    (("a", 2), "mixed takes a as float32, and this is", "str"),
    ((None, 2), "mixed takes a as float32, and this is", "None"),
]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("given", "words", "type"), ARGUMENTS)
def test_arguments_of_other_types(given, words, type, compiled):
    f = weft.jit(lambda a, b: mixed(a, b)) if compiled else mixed
    with pytest.raises(weft.TypeInferenceError) as caught:
        f(*given)
    assert words in str(caught.value) and type in str(caught.value)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("given", [(), (1,), (1, 2, 3)])
def test_another_number_of_arguments(given, compiled):
    f = {0: lambda: mixed(), 1: lambda a: mixed(a), 3: lambda a, b, c: mixed(a, b, c)}[len(given)]
    with pytest.raises(TypeError, match="argument"):
        (weft.jit(f) if compiled else f)(*given)


@pytest.mark.parametrize("compiled", [False, True])
def test_python_integers_that_do_not_fit(compiled):
    f = weft.jit(lambda a, b: mixed(a, b)) if compiled else mixed
    with pytest.raises(OverflowError, match="out of bounds for int32"):
        f(1.0, 2**40)
    assert f(True, np.int8(3)) == np.float32(4)
    assert f(np.float16(0.5), False) == np.float32(0.5)


def test_a_number_of_python_that_becomes_the_type():
    @weft.jit
    def counted(count):
        total = np.float32(0)
        for i in range(count):
            total = mixed(total, i)
        return total

    assert counted(10) == np.float32(45)


def test_an_operation_that_is_not_associative():
    minus = weft.cfunction("double minus(double a, double b) { return a - b; }")
    with pytest.raises(weft.ArgumentError, match="minus is not associative"):
        weft.reduce(minus, V, debug=True)
