"""A plan says what it does: each copy with its region, bytes, lines, and what the naive placement would do."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.plan import thesis
from tests.plan.counting import plan
from weft.plan.transfers.actions import Plan, actions_of

GOLDEN = Path(__file__).parents[1] / "golden" / "plans"


def steps():
    arguments = (np.zeros((8, 9)), np.zeros((8, 9)), 5)
    return actions_of(plan(thesis.jacobi, arguments), plan(thesis.jacobi, arguments, naive=True))


PROGRAMS = {
    "series": (thesis.series, (4, 3)),
    "bodies": (thesis.bodies, (np.zeros((5, 2)), np.zeros((5, 2)), np.zeros(5), 3)),
    "emboss": (thesis.emboss, (6, 3)),
    "jacobi": (thesis.jacobi, (np.zeros((8, 9)), np.zeros((8, 9)), 5)),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PROGRAMS)
def test_plans_of_whole_programs_are_those_that_were_reviewed(name, golden):
    function, arguments = PROGRAMS[name]
    text = str(actions_of(plan(function, arguments), plan(function, arguments, naive=True)))
    golden(GOLDEN / f"{name}.txt", text + "\n")


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
        ("launch", "jacobi_1", "", "in every iteration of t, for several of them at once"),
        ("launch", "jacobi_2", "", "in every iteration of t"),
        ("copy_out", "v", "[1:u.shape[0] - 1, 1:u.shape[1] - 1]", "once"),
        ("copy_out", "u", "[1:u.shape[0] - 1, 1:u.shape[1] - 1]", "once"),
        ("wait", "", "", "once"),
    ]


def test_an_action_has_its_line_its_bytes_and_what_the_naive_placement_does():
    copy = next(a for a in steps() if a.kind == "copy_in" and a.array == "u")
    assert copy.bytes == "8*u.shape[0]*u.shape[1]"
    assert copy.naive == "in every iteration of t, for several of them at once and in every iteration of t"
    assert copy.line > 0
    border = next(a for a in steps() if a.kind == "copy_in" and a.array == "v")
    assert (border.bytes, border.naive[:7]) == ("8*u.shape[1]", "4 times")
    out = next(a for a in steps() if a.kind == "copy_out")
    assert out.bytes == "8*(u.shape[0] - 2)*(u.shape[1] - 2)"


def test_an_action_says_where_it_starts_who_waits_and_which_lines_cause_it():
    first = thesis.jacobi.__code__.co_firstlineno
    found = [(a.kind, a.starts, a.awaited, a.causes) for a in steps() if a.array in ("u", "")]
    t, i, body = (first + k for k in (2, 3, 5))
    assert found == [
        ("allocate", f"{t}", "", (body,)),
        ("copy_in", f"{t}", f"kernel {i}", (body,)),
        ("copy_out", f"after {t}", f"after {t}", (body,)),
        ("wait", f"after {t}", "", ()),
        ("free", "end", "", ()),
    ]


def mixed(a, b, steps):
    for t in range(steps):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
            b[i] = a[i] * b[i]
        if a[0] > 3.0:
            b[0] = 0.0


def test_what_comes_home_in_a_loop_is_awaited_where_the_host_reads_it():
    arguments = (np.zeros(9), np.zeros(9), 3)
    made = actions_of(plan(mixed, arguments), plan(mixed, arguments, naive=True))
    first = mixed.__code__.co_firstlineno
    found = [(a.array, a.starts, a.awaited, a.causes) for a in made if a.kind == "copy_out"]
    assert found[0] == ("a", f"after {first + 2}", f"{first + 5}", (first + 3,))


def test_actions_stand_in_the_source_where_they_start():
    made = steps()
    source, first = inspect.getsourcelines(thesis.jacobi)
    lines = made.annotated("".join(source), first).splitlines()
    at = {
        text: next(k for k, line in enumerate(lines) if text in line)
        for text in (
            "# copy in u",
            "for t in",
            "# launch",
            "for i in",
            "u, v = v, u",
            "# copy out v",
            "return u",
            "# free u",
        )
    }
    assert list(at.values()) == sorted(at.values())
    assert max(map(len, lines)) <= 100


def test_a_plan_is_text_json_and_annotated_source():
    made = steps()
    assert "copy in u, 8*u.shape[0]*u.shape[1] bytes, once" in str(made)
    assert json.loads(made.to_json())[0]["kind"] == "allocate"
    line = made.actions[0].line
    text = made.annotated("first\nsecond", line)
    assert "# allocate u" in text.splitlines()[0]
    assert text.splitlines()[-3].endswith("second")


def test_on_the_processor_nothing_moves():
    explained = weft.explain(weft.jit(thesis.jacobi, device="cpu"), np.zeros((8, 9)), np.zeros((8, 9)), 5)
    assert explained.plan == Plan()
    assert "What moves" not in str(explained)
