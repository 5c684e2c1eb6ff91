"""A plan says what it does: each copy with its region, bytes, lines, and what the naive placement would do."""

import json

import numpy as np

import weft
from tests.plan import thesis
from tests.plan.counting import plan
from weft.plan.actions import Plan, actions_of


def steps():
    arguments = (np.zeros((8, 9)), np.zeros((8, 9)), 5)
    return actions_of(plan(thesis.jacobi, arguments), plan(thesis.jacobi, arguments, naive=True))


def test_the_plan_of_time_steps():
    does = [(a.kind, a.array, a.region, a.often) for a in steps() if a.kind != "free"]
    assert does == [
        ("allocate", "u", "", "once"),
        ("copy_in", "u", "", "once"),
        ("allocate", "v", "", "once"),
        ("copy_in", "v", "[:1, :u.shape[1]]", "once"),
        ("copy_in", "v", "[u.shape[0] - 1:u.shape[0], :u.shape[1]]", "once"),
        ("copy_in", "v", "[1:u.shape[0] - 1, :1]", "once"),
        ("copy_in", "v", "[1:u.shape[0] - 1, u.shape[1] - 1:u.shape[1]]", "once"),
        ("launch", "jacobi_1", "", "in every iteration of t"),
        ("copy_out", "v", "[1:u.shape[0] - 1, 1:u.shape[1] - 1]", "once"),
        ("copy_out", "u", "[1:u.shape[0] - 1, 1:u.shape[1] - 1]", "once"),
        ("wait", "", "", "once"),
    ]


def test_an_action_has_its_line_its_bytes_and_what_the_naive_placement_does():
    copy = next(a for a in steps() if a.kind == "copy_in" and a.array == "u")
    assert copy.bytes == "8*u.shape[0]*u.shape[1]"
    assert copy.naive == "in every iteration of t"
    assert copy.line > 0
    out = next(a for a in steps() if a.kind == "copy_out")
    assert out.awaited is not None


def test_a_plan_is_text_json_and_annotated_source():
    made = steps()
    assert "copy in u, 8*u.shape[0]*u.shape[1] bytes, once" in str(made)
    assert json.loads(made.to_json())[0]["kind"] == "allocate"
    line = made.actions[0].line
    text = made.annotated("first\nsecond", line)
    assert text.splitlines()[0].endswith("first")
    assert "# allocate u" in text.splitlines()[1]


def test_on_the_processor_nothing_moves():
    explained = weft.explain(weft.jit(thesis.jacobi, device="cpu"), np.zeros((8, 9)), np.zeros((8, 9)), 5)
    assert explained.plan == Plan()
    assert "What moves" not in str(explained)
