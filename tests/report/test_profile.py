"""`weft.profile`: what devices and compilers did, and what it costs when nobody asks."""

import json

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.opencl


@weft.jit(device="opencl")
def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


LOOP = doubled.__wrapped__.__code__.co_firstlineno + 2
SIZE = 1000


@pytest.fixture
def pair():
    pair = weft.array(np.arange(float(SIZE))), weft.zeros(SIZE)
    doubled(*pair)
    return pair


def kinds(profile):
    return [event.kind for event in profile.events if event.kind not in ("wait", "allocate")]


def test_every_copy_is_there_with_its_array_and_its_line(pair):
    x, y = pair
    x[0] = 5
    with weft.profile() as p:
        doubled(x, y)
        np.asarray(y)
    assert kinds(p) == ["copy_in", "launch", "copy_out"]
    sent, launched, fetched = p.of("copy_in", "launch", "copy_out")
    assert sent.array == "x" and sent.bytes == 8 * SIZE and sent.device == "opencl"
    assert launched.line == LOOP and launched.kernel and launched.program == "doubled"
    assert sent.file == __file__ and fetched.line == sent.line + 1
    assert all(event.seconds > 0 for event in p.events) and sent.start <= launched.start <= fetched.start


def test_plain_arrays_are_named_too():
    x, y = np.zeros(SIZE), np.zeros(SIZE)
    doubled(x, y)
    with weft.profile() as p:
        doubled(x, y)
    assert [event.array for event in p.of("copy_in")] == ["x"]
    assert [event.array for event in p.of("copy_out")] == ["y"]
    first = doubled.__wrapped__.__code__.co_firstlineno
    assert all(first <= event.line <= LOOP + 1 and event.file == __file__ for event in p.of("copy_in", "copy_out"))


def test_nothing_is_allocated_from_the_second_equal_call_on(pair):
    x, y = np.zeros(SIZE), np.zeros(SIZE)
    doubled(x, y)
    with weft.profile() as p:
        for _ in range(3):
            doubled(*pair)
            doubled(x, y)
    assert not p.of("allocate", "free", "compile")


def test_compiling_is_an_event(own_store):
    @weft.jit
    def tripled(x):
        for i in range(x.shape[0]):
            x[i] *= 3

    with weft.profile() as p:
        tripled(np.zeros(3))
        tripled(np.zeros(3))
    assert [event.kind for event in p.events] == ["compile"]
    assert p.events[0].device == "cpu" and p.events[0].seconds > 0 and "tripled" in p.events[0].program


def test_the_reason_says_who_looks(pair):
    x, y = pair
    shown = np.asarray(y)
    with weft.profile() as p:
        doubled(x, y)
    assert [event.reason for event in p.of("copy_out")] == ["a NumPy array that shows it is alive"]
    del shown


def test_the_summary_sets_what_moved_beside_what_had_to(pair):
    x, y = pair
    with weft.profile() as p:
        for k in range(3):
            x[0] = k
            doubled(x, y)
    assert p.moved("copy_in") == 3 * 8 * SIZE and p.needed("copy_in") == 8 * SIZE
    assert "23.4 KiB, at least 7.81 KiB" in p.summary() or "at least" in p.summary()
    assert str(p) == p.summary()


def test_the_table_has_a_line_for_each_event(pair):
    with weft.profile() as p:
        doubled(*pair)
    assert len(p.table().splitlines()) == 1 + len(p.events)
    assert "launch" in p.table()


def test_the_trace_is_one_that_browsers_show(pair, tmp_path):
    with weft.profile() as p:
        doubled(*pair)
    p.save(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert len(events) == len(p.events)
    assert all(event["ph"] == "X" and {"ts", "dur", "name", "pid", "tid"} <= set(event) for event in events)


def test_profiles_inside_of_others_each_see_their_own(pair):
    with weft.profile() as outer:
        doubled(*pair)
        with weft.profile() as inner:
            doubled(*pair)
        doubled(*pair)
    assert len(inner.of("launch")) == 1 and len(outer.of("launch")) == 3


def test_nothing_is_recorded_outside_of_profiles(pair):
    doubled(*pair)
    with weft.profile() as p:
        pass
    assert p.events == [] and p.summary() == "nothing happened on devices, and nothing was compiled"


def test_memory_that_the_pool_gives_back_is_an_event(pair):
    from weft.runtime import _stub
    from weft.runtime.devices import accelerators

    with weft.profile() as p:
        _stub.device_trim(accelerators.table("opencl"))
    assert all(event.kind == "free" and event.bytes > 0 for event in p.events)
