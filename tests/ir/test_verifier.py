"""Every check of the verifier passes a right program and finds a wrong one."""

import numpy as np
import pytest

from tests.ir import programs
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import PROGRAM_CHECKS, verify
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import run
from weft.ir.types import (
    BOOL,
    COMPLEX128,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    PYBOOL,
    PYFLOAT,
    PYINT,
    Vector,
    View,
    element_of,
)

RECORD = element_of(np.dtype([("mass", "f8"), ("place", "f4", (3,))]))
READ_ONLY = View(FLOAT64, 1, writable=False)
PARAMETERS = {
    "i": PYINT, "j": INT64, "p": PYFLOAT, "f": FLOAT64, "g": FLOAT32, "yes": PYBOOL, "x": View(FLOAT64, 1),
    "m": View(FLOAT64, 2, contiguous=True), "c": View(COMPLEX128, 1), "r": View(RECORD, 1), "fixed": READ_ONLY,
    "four": Vector(FLOAT64, 4), "mask": Vector(PYBOOL, 4), "mask8": Vector(PYBOOL, 8), "ints": Vector(PYINT, 4),
}  # fmt: skip
V = {name: n.Var(name, type_) for name, type_ in PARAMETERS.items()}
ONE = n.Const(1)


def program_of(*statements, yields=(), functions=(), assumption=None, returns=None):
    """A program of some statements that see the parameters above."""
    params = tuple(n.Param(var, n.Source("argument", name)) for name, var in V.items())
    returns = returns or n.Returns("tuple", tuple(n.Returns("leaf") for _ in yields))
    return n.Program("p", params, n.Block(statements, yields), returns, functions, assumption)


def let(value, type_):
    """An assignment to a variable of a type."""
    return n.Let(n.Var("t", type_), value, programs.line(1))


def complaint(program):
    """What the verifier says of a program; empty where nothing is wrong."""
    try:
        verify(program)
    except InternalError as error:
        return error.message
    return ""


@pytest.mark.parametrize("name", programs.ALL)
def test_right_programs_pass(name):
    make, arguments = programs.ALL[name]
    program = make()
    verify(program)
    run(program, arguments())


whole = n.Slice(n.Const(0), n.Const(1), n.Const(1))
backwards = n.Slice(n.Const(0), n.Const(1), n.Const(-1))

RIGHT = {
    "unary": let(n.Unary("abs", V["f"]), FLOAT64),
    "not": let(n.Unary("not", V["f"]), PYBOOL),
    "binary": let(n.Binary("add", V["f"], V["f"]), FLOAT64),
    "division of integers": let(n.Binary("truediv", V["i"], V["i"]), PYFLOAT),
    "power": let(n.Binary("pow", V["i"], V["i"]), PYINT),
    "vector": let(n.Binary("mul", V["four"], V["four"]), Vector(FLOAT64, 4)),
    "compare": let(n.Compare("lt", V["f"], V["f"]), BOOL),
    "compare weak": let(n.Compare("lt", V["p"], V["p"]), PYBOOL),
    "select": let(n.Select(V["yes"], V["f"], V["f"]), FLOAT64),
    "select lanes": let(n.Select(V["mask"], V["four"], V["four"]), Vector(FLOAT64, 4)),
    "cast": let(n.Cast(V["f"]), INT32),
    "math": let(n.Math("sqrt", (V["f"],)), FLOAT64),
    "strict": let(n.Math("sqrt", (V["p"],), strict=True), PYFLOAT),
    "proven": let(n.Math("sqrt", (V["p"],)), PYFLOAT),
    "fma": let(n.Fma(V["f"], V["f"], V["f"]), FLOAT64),
    "load": let(n.Load(V["x"], (V["j"],)), FLOAT64),
    "load lanes": let(n.Load(V["x"], (V["ints"],), "check", V["mask"]), Vector(FLOAT64, 4)),
    "dim": let(n.Dim(V["m"], 1), PYINT),
    "alloc": let(n.Alloc((V["i"],), FLOAT64, V["f"]), View(FLOAT64, 1, contiguous=True)),
    "subview": let(n.Subview(V["m"], (V["i"], None, whole)), View(FLOAT64, 2, contiguous=True)),
    "transpose": let(n.Transpose(V["m"], (1, 0)), View(FLOAT64, 2)),
    "split": let(n.Split(V["m"], 1, (V["i"], n.Const(2))), View(FLOAT64, 3, contiguous=True)),
    "mergeable": let(n.Mergeable(V["m"], 0), PYBOOL),
    "merge": let(n.Merge(V["m"], 0), View(FLOAT64, 1, contiguous=True)),
    "part": let(n.FieldView(V["c"], "real"), View(FLOAT64, 1)),
    "field": let(n.FieldView(V["r"], "place"), View(FLOAT32, 2)),
    "lanes": let(n.Lanes(V["i"]), Vector(PYINT, 4)),
    "broadcast": let(n.Broadcast(V["f"]), Vector(FLOAT64, 4)),
    "reduce": let(n.ReduceLanes("add", V["four"]), FLOAT64),
    "running": let(n.RunningLanes("add", V["four"]), Vector(FLOAT64, 4)),
    "undefined": let(n.Undefined(), FLOAT64),
    "store": n.Store(V["x"], (V["i"],), V["f"]),
    "update": n.Update("add", V["x"], (V["i"],), V["f"]),
    "raise": n.Raise("ValueError", "{} and {:.2f}", (V["i"], V["f"])),
    "copy": n.Copy(V["x"], "host", "gpu"),
    "copy onto another array": n.Copy(V["x"], "host", "gpu", onto=V["x"]),
    "free": n.Free(V["x"], "gpu"),
    "external": n.External((), "f", (V["x"],), (V["fixed"],), (V["x"],)),
}

WRONG = {
    "result of unary": (let(n.Unary("abs", V["f"]), FLOAT32), "abs of float64 gives float64"),
    "unary of view": (let(n.Unary("neg", V["x"]), FLOAT64), "no number"),
    "unary unconverted": (let(n.Unary("neg", V["yes"]), PYINT), "must be converted to pyint"),
    "mixed operands": (let(n.Binary("add", V["f"], V["g"]), FLOAT64), "add of float32 and float64"),
    "no such operation": (let(n.Binary("and", V["f"], V["f"]), FLOAT64), "unsupported operand type"),
    "result of binary": (let(n.Binary("truediv", V["i"], V["i"]), PYINT), "gives pyfloat, not pyint"),
    "lanes of binary": (let(n.Binary("add", V["four"], V["four"]), Vector(FLOAT64, 8)), "different lengths"),
    "result of compare": (let(n.Compare("lt", V["f"], V["f"]), PYBOOL), "gives bool, not pybool"),
    "mixed compare": (let(n.Compare("lt", V["f"], V["i"]), BOOL), "lt of float64 and pyint"),
    "condition of select": (let(n.Select(V["f"], V["f"], V["f"]), FLOAT64), "condition of a select"),
    "sides of select": (let(n.Select(V["yes"], V["f"], V["g"]), FLOAT64), "select between float32"),
    "lanes of select": (let(n.Select(V["mask8"], V["four"], V["four"]), Vector(FLOAT64, 4)), "different lengths"),
    "cast of view": (let(n.Cast(V["x"]), FLOAT64), "is no number"),
    "unknown math": (let(n.Math("sinus", (V["f"],)), FLOAT64), "no function sinus"),
    "math unconverted": (let(n.Math("sqrt", (V["i"],)), FLOAT64), "must be converted to float64"),
    "result of math": (let(n.Math("sqrt", (V["f"],)), FLOAT32), "sqrt gives float64"),
    "math of view": (let(n.Math("sqrt", (V["x"],)), FLOAT64), "no number"),
    "strict unknown": (let(n.Math("sign", (V["p"],), strict=True), PYFLOAT), "math has no function sign"),
    "fma of integers": (let(n.Fma(V["i"], V["i"], V["i"]), PYINT), "fused multiply-add"),
    "too few indices": (let(n.Load(V["m"], (V["i"],)), FLOAT64), "accessed with 1 indices"),
    "index of float": (let(n.Load(V["x"], (V["f"],)), FLOAT64), "an index of x is a float64"),
    "load of number": (let(n.Load(V["f"], ()), FLOAT64), "is indexed"),
    "loaded type": (let(n.Load(V["x"], (V["i"],)), FLOAT32), "a float32 is loaded"),
    "mask of numbers": (let(n.Load(V["x"], (V["ints"],), "check", V["four"]), Vector(FLOAT64, 4)), "the mask"),
    "short mask": (let(n.Load(V["x"], (V["ints"],), "check", V["mask8"]), Vector(FLOAT64, 4)), "different lengths"),
    "lanes of load": (let(n.Load(V["x"], (V["ints"],)), FLOAT64), "different lengths"),
    "axis": (let(n.Dim(V["x"], 1), PYINT), "no axis 1"),
    "type of extent": (let(n.Dim(V["x"], 0), INT64), "an extent is a pyint"),
    "extent of float": (let(n.Alloc((V["f"],), FLOAT64), View(FLOAT64, 1)), "an extent is a float64"),
    "fill": (let(n.Alloc((V["i"],), FLOAT64, V["g"]), View(FLOAT64, 1)), "filled with a float32"),
    "rank of alloc": (let(n.Alloc((V["i"],), FLOAT64), View(FLOAT64, 2)), "with 1 axes"),
    "axes of subview": (let(n.Subview(V["m"], (V["i"],)), View(FLOAT64, 0)), "1 are indexed"),
    "rank of subview": (let(n.Subview(V["m"], (V["i"], whole)), View(FLOAT64, 2)), "with 1 axes"),
    "index of subview": (let(n.Subview(V["x"], (V["f"],)), View(FLOAT64, 0)), "an index of x"),
    "subview of number": (let(n.Subview(V["f"], ()), View(FLOAT64, 0)), "is indexed"),
    "contiguous subview": (let(n.Subview(V["m"], (ONE, backwards)), View(FLOAT64, 1, True)), "called contiguous"),
    "writable subview": (let(n.Subview(V["fixed"], (whole,)), View(FLOAT64, 1)), "read-only"),
    "permutation": (let(n.Transpose(V["m"], (1, 1)), View(FLOAT64, 2)), "cannot be transposed"),
    "contiguous transpose": (let(n.Transpose(V["m"], (1, 0)), View(FLOAT64, 2, True)), "called contiguous"),
    "axis of split": (let(n.Split(V["m"], 2, (V["i"],)), View(FLOAT64, 2)), "no axis 2 to split"),
    "rank of split": (let(n.Split(V["m"], 0, (V["i"], V["i"])), View(FLOAT64, 2)), "with 3 axes"),
    "extents of split": (let(n.Split(V["x"], 0, (V["f"],)), View(FLOAT64, 1)), "is a float64"),
    "order of split": (let(n.Split(V["x"], 0, (V["i"],)), View(FLOAT64, 1, contiguous=True)), "is called contiguous"),
    "type of mergeable": (let(n.Mergeable(V["m"], 0), PYINT), "is a pybool"),
    "axes of merge": (let(n.Merge(V["m"], 1), View(FLOAT64, 1)), "no axes 1 and 2"),
    "rank of merge": (let(n.Merge(V["m"], 0), View(FLOAT64, 2)), "with 1 axes"),
    "field": (let(n.FieldView(V["r"], "size"), View(FLOAT64, 1)), "no field size"),
    "part of real": (let(n.FieldView(V["x"], "imag"), View(FLOAT64, 1)), "no field imag"),
    "field of number": (let(n.FieldView(V["f"], "real"), View(FLOAT64, 0)), "has no fields"),
    "lanes": (let(n.Lanes(V["f"]), Vector(FLOAT64, 4)), "lanes from a float64"),
    "broadcast": (let(n.Broadcast(V["g"]), Vector(FLOAT64, 4)), "in all lanes"),
    "reduced type": (let(n.ReduceLanes("add", V["four"]), FLOAT32), "cannot be folded"),
    "running type": (let(n.RunningLanes("add", V["four"]), FLOAT64), "running folds of a float64x4"),
    "running operator": (let(n.RunningLanes("and", V["four"]), Vector(FLOAT64, 4)), "unsupported operand type"),
    "reducing operator": (let(n.ReduceLanes("and", V["four"]), FLOAT64), "unsupported operand type"),
    "stored type": (n.Store(V["x"], (V["i"],), V["g"]), "a float32 is stored in x"),
    "read-only": (n.Store(V["fixed"], (V["i"],), V["f"]), "is read-only"),
    "updated type": (n.Update("truediv", V["x"], (V["i"],), V["g"]), "a float32 is stored"),
    "updating operator": (n.Update("and", V["x"], (V["i"],), V["f"]), "unsupported operand type"),
    "template": (n.Raise("ValueError", "{} {}", (V["i"],)), "does not fit its operands"),
    "copy to itself": (n.Copy(V["x"], "gpu", "gpu"), "from gpu to itself"),
    "copy onto a number": (n.Copy(V["x"], "host", "gpu", onto=V["i"]), "onto what is no view"),
    "free of number": (n.Free(V["f"], "gpu"), "has no storage"),
    "unknown function": (n.Call((), "nobody", ()), "there is no function nobody"),
    "external writes": (n.External((), "f", (), writes=(V["fixed"],)), "is read-only"),
    "external reads": (n.External((), "f", (), reads=(V["f"],)), "which is no view"),
    "unknown variable": (let(n.Unary("neg", n.Var("nobody", FLOAT64)), FLOAT64), "not known"),
    "other type": (let(n.Unary("neg", n.Var("f", FLOAT32)), FLOAT32), "is used as a float32"),
    "condition of if": (n.If(V["f"], n.Block()), "condition of an If"),
    "yields of if": (n.If(V["yes"], n.Block((), (V["f"],)), n.Block(), (n.Var("t", FLOAT64),)), "yields of an else"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_right_statements_pass(name):
    assert complaint(program_of(RIGHT[name])) == ""


@pytest.mark.parametrize("name", WRONG)
def test_wrong_statements_are_found(name):
    statement, expected = WRONG[name]
    assert expected in complaint(program_of(statement))


def loop(**changes):
    """A loop that carries a Boolean and a number."""
    alive, total = n.Var("alive", PYBOOL), n.Var("total", FLOAT64)
    parts = {
        "label": "k", "index": n.Var("k", PYINT), "start": n.Const(0), "stop": V["i"],
        "body": n.Block((), (alive, V["f"])), "args": (n.LoopArg(alive, V["yes"]), n.LoopArg(total, V["f"])),
        "results": (n.Var("alive.1", PYBOOL), n.Var("total.1", FLOAT64)), "exit": 0,
    }  # fmt: skip
    return n.For(**{**parts, **changes})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ""),
        ({"exit": None}, ""),
        ({"exit": 1}, "exit of k names no Boolean"),
        ({"exit": 2}, "exit of k names no Boolean"),
        ({"stop": V["j"]}, "runs over int64, pyint"),
        ({"stop": V["f"]}, "runs over float64, pyint"),
        ({"results": ()}, "results of k"),
        ({"body": n.Block()}, "yields of k"),
        ({"args": (n.LoopArg(n.Var("alive", PYBOOL), V["f"]),)}, "initial values of k"),
        ({"args": (n.LoopArg(n.Var("alive", PYBOOL), V["yes"], "plus"),)}, "combined by plus"),
    ],
)
def test_loops(changes, expected):
    found = complaint(program_of(loop(**changes)))
    assert expected in found
    assert bool(found) == bool(expected)


def test_while_needs_a_boolean_condition():
    right = n.While("w", n.Block((), (V["yes"],)), n.Block())
    wrong = n.While("w", n.Block((), (V["f"],)), n.Block())
    assert complaint(program_of(right)) == ""
    assert "condition of w" in complaint(program_of(wrong))


def test_variables_are_assigned_once():
    assert "t is assigned twice" in complaint(program_of(RIGHT["unary"], RIGHT["unary"]))
    assert "f is assigned twice" in complaint(program_of(n.Let(V["f"], n.Undefined())))


def test_variables_of_a_block_are_unknown_after_it():
    inner = n.If(V["yes"], n.Block((RIGHT["unary"],)))
    assert "t is used where it is not known" in complaint(program_of(inner, yields=(n.Var("t", FLOAT64),)))


def test_labels_are_unique():
    first = loop(args=(), results=(), body=n.Block(), exit=None)
    second = loop(args=(), results=(), body=n.Block(), exit=None, index=n.Var("l", PYINT))
    assert "two loops have the label k" in complaint(program_of(first, second))


def test_results_have_as_many_leaves_as_yields():
    assert "2 leaves" in complaint(
        program_of(yields=(V["f"],), returns=n.Returns("tuple", (n.Returns("leaf"), n.Returns("leaf"))))
    )


def test_assumptions_are_boolean_and_write_nothing():
    assert complaint(program_of(assumption=n.Block((), (V["yes"],)))) == ""
    assert "one Boolean" in complaint(program_of(assumption=n.Block((), (V["f"],))))
    assert "contains a Store" in complaint(program_of(assumption=n.Block((RIGHT["store"],), (V["yes"],))))


def function(name, *statements, result=FLOAT64, **options):
    """A function of two numbers that yields the first."""
    params = n.Var(f"{name}.a", FLOAT64), n.Var(f"{name}.b", FLOAT64)
    yields = (params[0] if result == FLOAT64 else n.Const(0, result),)
    return n.Function(name, params, n.Block(statements, yields), **options)


def test_calls_fit_their_functions():
    result = n.Var("t", FLOAT64)
    right = n.Call((result,), "h", (V["f"], V["f"]))
    assert complaint(program_of(right, functions=(function("h"),))) == ""
    for wrong in (n.Call((result,), "h", (V["f"],)), n.Call((), "h", (V["f"], V["f"]))):
        assert "of h" in complaint(program_of(wrong, functions=(function("h"),)))


def test_functions_do_not_call_themselves():
    call = n.Call((n.Var("t", FLOAT64),), "h", (V["f"], V["f"]))
    assert "calls itself" in complaint(program_of(functions=(function("h", call),)))
    assert "same name" in complaint(program_of(functions=(function("h"), function("h"))))


def test_associative_functions_combine_two_values_to_one():
    assert complaint(program_of(functions=(function("h", associative=True),))) == ""
    assert "associative" in complaint(program_of(functions=(function("h", result=FLOAT32, associative=True),)))


def test_functions_see_only_their_parameters():
    outside = n.Let(n.Var("t", FLOAT64), n.Unary("neg", V["f"]))
    assert "f is used where it is not known" in complaint(program_of(functions=(function("h", outside),)))


def test_kernels_fit_their_launches():
    inner = n.Var("inner", View(FLOAT64, 1))
    kernel = n.Kernel("k", (inner,), n.Block())
    other = n.Kernel("k", (inner,), n.Block((n.Store(inner, (ONE,), n.Const(0.0, FLOAT64)),)))
    launch = n.Launch(kernel, "gpu", (V["x"],))
    assert complaint(program_of(launch, launch)) == ""
    assert "operands of k" in complaint(program_of(n.Launch(kernel, "gpu", ())))
    wrong = n.Launch(kernel, "gpu", (V["x"],), (V["f"],), (n.Var("t", FLOAT64),))
    assert "not one Boolean" in complaint(program_of(wrong))
    assert "grid of k is not integer" in complaint(program_of(wrong))
    yielding = n.Kernel("k", (inner,), n.Block((), (n.Const(0),)))
    assert "yields values" in complaint(program_of(n.Launch(yielding, "gpu", (V["x"],))))
    assert "two kernels have the name k" in complaint(program_of(launch, n.Launch(other, "gpu", (V["x"],))))


def alloc(name, memory, extent=ONE, ndim=1):
    return n.Let(n.Var(name, View(FLOAT64, ndim, contiguous=True)), n.Alloc((extent,) * ndim, FLOAT64, None, memory))


def threads(index, *statements):
    body = n.Block(statements)
    return n.For(f"{index}.thread", n.Var(index, PYINT), n.Const(0), n.Const(1), body, mapping="threads")


def test_threads_share_what_their_block_makes_and_reach_registers_of_their_own():
    def complaint_of(*statements):
        kernel = n.Kernel("k", (), n.Block(statements))
        return complaint(program_of(n.Launch(kernel, "gpu", ())))

    own, zero = alloc("own", "registers", ndim=2), n.Const(0.0, FLOAT64)
    right = threads("a", n.Store(own.var, (n.Var("a", PYINT), n.Const(0)), zero, "safe"))
    wrong = threads("b", n.Store(own.var, (n.Const(0), n.Var("b", PYINT)), zero, "safe"))
    assert complaint_of(own, right) == complaint_of(alloc("tile", "shared")) == ""
    assert "reached by other threads" in complaint_of(own, wrong)
    assert "made by each thread" in complaint_of(threads("a", alloc("tile", "shared")))
    length = n.Let(n.Var("length", PYINT), n.Binary("add", ONE, ONE))
    assert "size is not constant" in complaint_of(length, alloc("tile", "shared", length.var))
    assert "outside of kernels" in complaint(program_of(alloc("tile", "shared")))


def test_lanes_are_taken_from_vectors_and_packed_into_them():
    vector = n.Var("v", Vector(FLOAT64, 2))
    pack = n.Let(vector, n.Pack((V["f"], V["f"])))
    right = n.Let(n.Var("t", FLOAT64), n.Lane(vector, 1))
    assert complaint(program_of(pack, right)) == ""
    assert "lane 2" in complaint(program_of(pack, n.Let(n.Var("t", FLOAT64), n.Lane(vector, 2))))
    assert "are no float64x2" in complaint(program_of(n.Let(vector, n.Pack((V["f"],)))))
    assert "aligned to 0 bytes" in complaint(program_of(n.Let(n.Var("t", PYBOOL), n.Aligned(V["x"], 0))))


def test_views_that_know_more_go_where_less_is_wanted():
    precise, vague = View(FLOAT64, 1, contiguous=True), View(FLOAT64, 1)
    arg = n.LoopArg(n.Var("u", vague), n.Var("u0", precise))
    alloc = n.Let(n.Var("u0", precise), n.Alloc((ONE,), FLOAT64))
    carried = loop(args=(arg,), results=(n.Var("u1", vague),), body=n.Block((), (V["x"],)), exit=None)
    assert complaint(program_of(alloc, carried)) == ""
    arg = n.LoopArg(n.Var("u", precise), V["x"])
    wrong = loop(args=(arg,), results=(n.Var("u1", vague),), body=n.Block((), (arg.var,)), exit=None)
    assert "initial values of k" in complaint(program_of(wrong))


def test_all_problems_are_listed_with_their_lines():
    found = complaint(program_of(WRONG["axis"][0], WRONG["read-only"][0]))
    assert "loops.py:1:1: t: x has no axis 1" in found
    assert "fixed is read-only" in found


def test_checks_are_listed_by_name():
    assert all(check.__name__.startswith("check_") for check in PROGRAM_CHECKS)


def test_a_builder_makes_right_programs():
    build = Builder("b")
    a = build.param("a", INT32)
    verify(build.program(build.add(a, 1.5), build.compare("lt", a, 2.5)))
