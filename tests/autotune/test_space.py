"""`weft.Space`: exact points, constraints of every form, neighbours, reasons; bad input with its messages."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import pytest

import weft
from weft.autotune.spaces.expressions import parse
from weft.errors import ArgumentError


def brute(parameters, holds):
    names = list(parameters)
    points = (dict(zip(names, values)) for values in itertools.product(*parameters.values()))
    return [point for point in points if holds(**point)]


def as_set(points):
    return {json.dumps(point, sort_keys=True) for point in points}


def test_points_are_those_of_the_product_that_keep_all_constraints():
    parameters = {"x": list(range(1, 13)), "y": [1, 2, 3, 4], "z": ["a", "b"], "w": [0, 1]}
    space = weft.Space(parameters, ["x % y == 0", "z == 'a' or x * y < 20", lambda w, x: w == 0 or x > 6])
    wanted = brute(parameters, lambda x, y, z, w: x % y == 0 and (z == "a" or x * y < 20) and (w == 0 or x > 6))
    assert len(space) == len(wanted)
    assert as_set(space) == as_set(wanted)


def test_parameters_that_nothing_connects_are_counted_and_not_written_out():
    space = weft.Space({f"p{k}": range(1000) for k in range(6)}, ["p0 == p1"])
    assert len(space) == 1000**5
    assert space.position(space[123_456_789]) == 123_456_789


def test_every_point_is_found_at_its_position():
    space = weft.Space({"x": [1, 2, 4, 8], "y": [3, 1, 2], "m": [True, False]}, ["x * y <= 8", "m or y > 1"])
    assert [space.position(point) for point in space] == list(range(len(space)))
    assert {"x": 8, "y": 3, "m": True} not in space
    assert {"x": 5, "y": 1, "m": True} not in space
    assert {"x": 1} not in space


def test_neighbours_differ_in_one_parameter_and_are_in_the_space():
    space = weft.Space({"x": [1, 2, 4, 8], "y": [1, 2, 4]}, ["x * y <= 8"])
    point = {"x": 4, "y": 2}
    wanted = [p for p in space if sum(p[k] != point[k] for k in p) == 1]
    assert as_set(space.neighbours(point)) == as_set(wanted)
    assert as_set(space.neighbours(point, near=True)) == as_set([{"x": 2, "y": 2}, {"x": 4, "y": 1}])


def test_a_parameter_counts_only_where_its_condition_holds():
    space = weft.Space(
        {"algorithm": ["plain", "tiled"], "tile": [4, 8, 16]}, ["tile < 16"], when={"tile": "algorithm == 'tiled'"}
    )
    assert list(space) == [
        {"algorithm": "plain"}, {"algorithm": "tiled", "tile": 4}, {"algorithm": "tiled", "tile": 8},
    ]  # fmt: skip
    assert {"algorithm": "plain", "tile": 4} not in space
    assert as_set(space.neighbours({"algorithm": "tiled", "tile": 8})) == as_set(
        [{"algorithm": "tiled", "tile": 4}, {"algorithm": "plain"}]
    )


def test_samples_are_different_points_and_the_same_for_a_seed():
    space = weft.Space({"x": range(50), "y": range(50)}, ["x < y"])
    some = space.sample(20, seed=3)
    assert some == space.sample(20, seed=3) != space.sample(20, seed=4)
    assert len(as_set(some)) == 20 and all(point in space for point in some)
    assert len(space.sample(10**6, seed=0)) == len(space)


def test_constants_are_names_in_constraints():
    space = weft.Space({"wg": range(1, 20)}, ["n % wg == 0", lambda n, wg: wg < n], constants={"n": 12})
    assert [point["wg"] for point in space] == [1, 2, 3, 4, 6]


def test_explain_says_how_many_points_each_constraint_removes_and_which_rejects_a_point():
    space = weft.Space({"x": range(1, 5), "y": range(1, 5), "z": [0, 1]}, ["x <= y", "x + y != 8"])
    assert space.explain() == "18 of 32 points\n  12 removed by x <= y\n  2 removed by x + y != 8"
    assert space.explain({"x": 4, "y": 4, "z": 0}) == "rejected by x + y != 8"
    assert space.explain({"x": 3, "y": 1, "z": 0}) == "rejected by x <= y"
    assert space.explain({"x": 9, "y": 1, "z": 0}) == "rejected: 9 is no value of 'x'"
    assert space.explain({"x": 1, "y": 1}) == "rejected: it has no value for 'z'"
    assert space.explain({"x": 1, "y": 1, "z": 0}) == "in the space"


MODELS = {  # threads in each dimension, of a group, local bytes, units
    "PLT1 GPU": (512, 512, 16384, 2),
    "PLT2 GPU": (1024, 1024, 49152, 2),
    "PLT1 CPU": (8192, 8192, 32768, 4),
    "PLT2 CPU": (8192, 8192, 32768, 8),
}
CONVOLUTION = {
    "PLT1 GPU": [1, 2, 4, 5, 8, 10, 16, 20, 32, 40, 64, 80, 128, 160, 256, 320, 512],
    "PLT2 GPU": [1, 2, 4, 5, 8, 10, 16, 20, 32, 40, 64, 80, 128, 160, 256, 320, 512, 640, 1024],
}
CONVOLUTION["PLT1 CPU"] = CONVOLUTION["PLT2 CPU"] = [*CONVOLUTION["PLT2 GPU"], 1280, 2048, 2560, 4096, 5120]
PRODUCT = {"PLT1 GPU": 5, "PLT2 GPU": 6, "PLT1 CPU": 7, "PLT2 CPU": 7}


@pytest.mark.parametrize("device", MODELS)
def test_sets_of_the_thesis_for_convolution(device):
    size, total, local, units = MODELS[device]
    space = weft.Space(
        {"w1": range(1, size + 1)},
        ["n % w1 == 0", "w1 <= total", "(mask + w1 - 1) * 4 <= local", "n // w1 >= units"],
        constants={"n": 655360, "mask": 625, "total": total, "local": local, "units": units},
    )
    assert sorted(point["w1"] for point in space) == CONVOLUTION[device]


@pytest.mark.parametrize("device", MODELS)
def test_sets_of_the_thesis_for_products(device):
    size, total, local, units = MODELS[device]
    space = weft.Space(
        {"w1": range(1, size + 1), "w2": range(1, size + 1), "tile": range(1, 257)},
        [
            "w1 == w2", "tile == w1", "n % w1 == 0", "n % w2 == 0", "w1 * w2 <= total", "tile * tile * 8 <= local",
            "(n // w1) * (n // w2) >= units",
        ],
        constants={"n": 1024, "total": total, "local": local, "units": units},
    )  # fmt: skip
    assert sorted(point["tile"] for point in space) == [2**k for k in range(PRODUCT[device])]


def test_logic_stops_early_as_in_python():
    columns = {"x": __import__("numpy").array([0, 1, 2, 4])}
    assert parse("x == 0 or 4 % x == 0").holds(columns).tolist() == [True] * 4
    assert parse("x != 0 and 4 // x > 1").holds(columns).tolist() == [False, True, True, False]
    assert parse("(8 // x if x > 0 else 9) in (9, 2)").holds(columns).tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    ("parameters", "constraints", "message"),
    [
        ({"x": [1, 2]}, ["x > 3"], "the constraint 'x > 3' removes the last of them; the nearest miss is {'x': 1}"),
        ({"x": [1, 2]}, ["y > 3"], "the constraint 'y > 3' names 'y', which is no parameter"),
        ({"tile": [1, 2]}, ["tiel > 3"], "Instead: write tile"),
        ({"x": [1, 2]}, ["1 < 2"], "the constraint '1 < 2' names no parameter"),
        ({"x": [0, 1]}, ["4 % x == 0"], "raises ZeroDivisionError: division by zero\n  Argument"),
        ({"x": [1, "a"]}, ["x < 2"], "raises TypeError"),
        ({"x": [1]}, ["x <"], "is no Python expression"),
        ({"x": [1]}, ["__import__('os')"], "which constraints do not know"),
        ({"x": [1]}, ["x.real > 0"], "which constraints do not know"),
        ({"x": [1]}, [3], "3 is no constraint"),
        ({"x": []}, [], "the parameter 'x' has no values"),
        ({"x": [1, 1]}, [], "the parameter 'x' has a value twice"),
        ({"x": 3}, [], "which is no list of values"),
        ({"x": [None]}, [], "which is no number, string or Boolean"),
        ({"two words": [1]}, [], "is no name of a parameter"),
        ({}, [], "a space without parameters"),
    ],
)
def test_bad_input_is_refused(parameters, constraints, message):
    with pytest.raises(ArgumentError) as caught:
        weft.Space(parameters, constraints)
    assert message.partition("\n")[0] in str(caught.value)


def test_a_constraint_that_raises_is_shown_with_its_point():
    def even(x):
        raise RuntimeError("no idea")

    with pytest.raises(
        ArgumentError, match=r"'even\(x\)' raises RuntimeError: no idea\n.*\n?.*at the point \{'x': 1\}"
    ):
        weft.Space({"x": [1, 2]}, [even])


def test_an_empty_space_names_the_constraint_that_all_near_points_break():
    with pytest.raises(ArgumentError) as caught:
        weft.Space({"x": range(1, 5), "y": range(1, 5)}, ["x > 2", "x + y < 4"])
    assert "which breaks 'x > 2'" in str(caught.value) or "which breaks 'x + y < 4'" in str(caught.value)


def test_a_space_is_read_from_a_file_of_the_community(tmp_path: Path):
    described = {
        "ConfigurationSpace": {
            "TuningParameters": [
                {"Name": "block", "Values": "[32 * i for i in range(1, 5)]"},
                {"Name": "tile", "Values": "[1] + [2 * i for i in range(1, 3)]"},
                {"Name": "kind", "Values": ["a", "b"]},
            ],
            "Conditions": [{"Expression": "block * tile <= 128", "Parameters": ["block", "tile"]}],
        }
    }
    file = tmp_path / "t1.json"
    file.write_text(json.dumps(described))
    space = weft.Space.from_json(file)
    assert space.parameters == {"block": (32, 64, 96, 128), "tile": (1, 2, 4), "kind": ("a", "b")}
    assert len(space) == 2 * sum(b * t <= 128 for b in (32, 64, 96, 128) for t in (1, 2, 4))


@pytest.mark.parametrize("values", ["__import__('os').getcwd()", "[open('x') for i in range(3)]", "range(10**9)"])
def test_values_in_files_run_no_code(tmp_path: Path, values):
    file = tmp_path / "t1.json"
    file.write_text(json.dumps({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": values}]}}))
    with pytest.raises(ArgumentError, match="are no list"):
        weft.Space.from_json(file)


def test_a_large_space_is_built_by_joining():
    space = weft.Space(
        {
            "bx": [1, 2, 4, 8, 16, *(32 * k for k in range(1, 33))],
            "by": [2**k for k in range(6)],
            "tx": range(1, 11),
            "ty": range(1, 11),
            "t": range(1, 11),
            "u": range(1, 11),
            "power": [0, 1],
            "blocks": range(5),
        },
        [
            "32 <= bx * by <= 1024", "t % u == 0", "bx * tx > t * 2", "by * ty > t * 2",
            "(bx * tx + t * 2) * (by * ty + t * 2) * (2 + power) * 4 <= 101376",
        ],
    )  # fmt: skip
    assert math.prod(map(len, space.parameters.values())) == 22_200_000
    assert len(space) == 352_005
