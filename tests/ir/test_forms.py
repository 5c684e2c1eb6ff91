"""The text form and the JSON form of a program come back equal."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.ir import programs
from tests.ir.test_verifier import RECORD, RIGHT, V, function, let, program_of
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.location import Location
from weft.ir.types import BOOL, COMPLEX64, FLOAT64, INT8, PYCOMPLEX, PYFLOAT, PYINT, Vector, View, element_of

CALL = Location("a file.py", 10, 4, 10, 20, "caller")
HERE = Location("lib.py", 3, 0, 4, 9, "f", CALL)

SPECIAL = {
    "nan": let(n.Binary("add", n.Const(math.nan, PYFLOAT), n.Const(-math.inf, FLOAT64)), FLOAT64),
    "negative zero": let(n.Binary("add", n.Const(-0.0, PYFLOAT), n.Const(1e-300, PYFLOAT)), PYFLOAT),
    "complex": let(n.Unary("neg", n.Const(complex(math.nan, -0.0), PYCOMPLEX)), PYCOMPLEX),
    "typed constants": let(n.Select(n.Const(True, BOOL), n.Const(-3, INT8), n.Const(3, INT8)), INT8),
    "constant of another class": let(n.Unary("neg", n.Const(1, FLOAT64)), FLOAT64),
    "vector constant": let(n.Unary("neg", n.Const(1.5, Vector(FLOAT64, 4))), Vector(FLOAT64, 4)),
    "complex element": let(
        n.Alloc((n.Const(2),), COMPLEX64, n.Const(1j, COMPLEX64)), View(COMPLEX64, 1, True, True, 64)
    ),
    "unchecked": let(n.Binary("floordiv", V["i"], V["i"], checked=False), PYINT),
    "odd names": n.Let(n.Var("new", PYINT), n.Binary("min", V["i"], n.Const(-1))),
    "quoted names": n.Let(n.Var("i@2 [x]", PYINT), n.Unary("abs", V["i"], checked=False)),
    "message": n.Raise("ValueError", 'a "quoted" {}  # [1]\n', (V["i"],)),
    "mask": n.Store(V["x"], (V["ints"],), V["four"], "clamp", V["mask"]),
    "empty else": n.If(V["yes"], n.Block((RIGHT["store"],))),
    "ahead": n.For("k", n.Var("k.9", PYINT), n.Const(0), n.Const(3), n.Block(), ahead=16),
    "fetch": n.For("k", n.Var("k.9", PYINT), n.Const(0), n.Const(3), n.Block(), fetch=n.Load(V["x"], (V["i"],))),
    "turns": n.For("k", n.Var("k.9", PYINT), n.Const(0), n.Const(3), n.Block(), mapping="turns"),
    "no indices": let(n.Load(V["x"], (), "safe"), FLOAT64),
}


def check_comes_back(program):
    """Both forms give the same program, with and without locations."""
    assert from_json(to_json(program)) == program
    text = to_text(program, locations=True)
    assert parse(text) == program, text
    assert to_text(parse(to_text(program))) == to_text(program)


@pytest.mark.parametrize("name", programs.ALL)
def test_programs_come_back(name):
    check_comes_back(programs.ALL[name][0]())


@pytest.mark.parametrize("name", [*RIGHT, *SPECIAL])
def test_statements_come_back(name):
    statement = {**RIGHT, **SPECIAL}[name]
    check_comes_back(program_of(replace(statement, location=HERE)))


def test_loops_come_back():
    arg = n.LoopArg(n.Var("s", FLOAT64), V["f"], "add")
    body = n.Block((RIGHT["store"],), (arg.var,))
    loop = n.For("k@2", n.Var("k", PYINT), n.Const(0), V["i"], body, (arg,), (n.Var("s.1", FLOAT64),), None,
                 "prange", "parallel", HERE)  # fmt: skip
    check_comes_back(program_of(loop))
    check_comes_back(program_of(n.While("w", n.Block((), (V["yes"],)), n.Block(), location=HERE)))


def test_the_parts_of_a_program_come_back():
    returns = n.Returns("record", (n.Returns("leaf"), n.Returns("constant", constant="a b"), n.Returns("none")), "m:C")
    program = program_of(
        yields=(V["f"], V["i"]),
        returns=returns,
        functions=(function("h", associative=True, location=HERE), function("g")),
        assumption=n.Block((), (V["yes"],)),
    )
    source = n.Source("closure", "state", ("grid", 0))
    params = (*program.params, n.Param(n.Var("extra", View(RECORD, 0, writable=False)), source))
    check_comes_back(replace(program, params=params, writes=(source,), location=HERE))


def test_kernels_come_back():
    inner = n.Var("inner", View(FLOAT64, 1))
    kernel = n.Kernel("double it", (inner,), n.Block(), (16, 4), HERE)
    launch = n.Launch(kernel, "cuda:0", (V["x"],), (V["i"], n.Const(1)), (n.Var("failed", BOOL),))
    check_comes_back(program_of(launch, n.Wait("cuda:0"), replace(launch, results=())))
    check_comes_back(program_of(n.Wait("cuda:0", (V["x"],)), n.Wait("cuda:0", (V["x"], V["f"]))))


def test_calls_come_back():
    result = n.Var("t", FLOAT64)
    check_comes_back(program_of(n.Call((result,), "h", (V["f"], V["f"])), functions=(function("h"),)))


def test_the_text_reads_well():
    assert to_text(programs.total()) == (
        'program total(x: view<float64, 1> = argument ["x"]) returns leaf {\n'
        "  t: pyint = dim(x, 0)\n"
        '  for i "i": pyint in 0 .. t carry (s: float64 = 0.0:float64) {\n'
        "    t.1: float64 = x[i]\n"
        "    t.2: float64 = s + t.1\n"
        "    yield t.2\n"
        "  } -> (s.1: float64)\n"
        "  yield s.1\n"
        "}\n"
    )


def test_externals_are_left_out():
    build = Builder("b")
    build.externals["print"] = print
    assert from_json(to_json(build.program())).externals == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("t: pyint = a ? b", "cannot be read"),
        ("t: pyint = nobody + 1", "nobody is not known"),
        ("t: pyint = i min", "is not known"),
        ("t: pyint = i 1", "is no operator"),
        ("dance", "no statement starts with"),
        ("x[i] = 1.0:float64 2", "unexpected '2'"),
        ("t: pyint = sinus(i)", "no expression starts with"),
        ("for i in 0", "Expecting value"),
    ],
)
def test_wrong_text_is_refused(line, message):
    text = to_text(program_of(RIGHT["store"])).splitlines()
    text[1] = line
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        parse("\n".join(text))


def test_json_that_is_no_program_is_refused():
    with pytest.raises(ValueError, match="no program"):
        from_json("[1, 2]")
    with pytest.raises(ValueError, match="there is no node Nothing"):
        from_json('{"is": "Nothing"}')


def test_structured_types_come_back():
    dtype = np.dtype([("a", "i1"), ("b", [("c", "f4", (2, 3))])], align=True)
    element = element_of(dtype)
    assert element.dtype == dtype
    build = Builder("b")
    build.array("r", element, 2)
    check_comes_back(build.program())
