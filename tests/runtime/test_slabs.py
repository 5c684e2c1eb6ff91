"""Calls whose arrays are larger than the limit of the device's memory: on OpenCL's CPU device."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.plan.test_nested_sums import residual

pytest.importorskip("pyopencl")


def saxpy(a, x, y):
    for i in range(len(x)):
        y[i] = a * x[i] + y[i]


def stencil(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def jacobi(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j])
        u, v = v, u
    return u


def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


def transpose(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]


def doubled(x, y):
    for i in range(len(x)):
        if x[i] < 0.0:
            raise ValueError("negative")
        y[i] = x[i] * 2.0


def array(*shape):
    return np.random.default_rng(sum(shape)).random(shape)


def copies(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


def run(function, arguments, limit, disable=()):
    """Call a function within a limit and as Python; the bytes that were copied in and out, and the launches."""
    expected, got = copies(arguments), copies(arguments)
    function(*expected)
    compiled = weft.jit(function, disable=disable)
    with weft.device("opencl", memory_limit=limit), weft.profile() as profile:
        compiled(*got)
    assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))
    events = profile.events
    moved = tuple(sum(e.bytes for e in events if e.kind == kind) for kind in ("copy_in", "copy_out"))
    return (*moved, sum(e.kind == "launch" for e in events))


@pytest.fixture(scope="module", autouse=True)
def device():
    if not any(d.name == "opencl" for d in weft.devices()):
        pytest.skip("no OpenCL device")


@pytest.mark.parametrize("limit", [70_000, 131_071, 200_000])
def test_one_pass_moves_each_element_once(limit):
    x, y = array(20_000), array(20_001)[:20_000].copy()
    into, out, launches = run(saxpy, (2.0, x, y), limit)
    assert (into, out) == (320_000, 160_000)
    assert launches >= 320_000 / limit


def test_calls_that_fit_are_not_cut():
    x, y = array(20_000), array(20_001)[:20_000].copy()
    assert run(saxpy, (2.0, x, y), 10_000_000) == (320_000, 160_000, 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("limit", [70_000, 120_000])
def test_stencils_and_arrays_that_change_places(limit):
    u, v = array(150, 200), array(200, 150).reshape(150, 200).copy()
    into, out, launches = run(stencil, (u, v), limit)
    assert into == (150 + 2 * (launches - 1)) * 200 * 8
    assert out == 148 * 198 * 8
    run(jacobi, (u, v, 3), limit)


def test_a_sum_has_the_same_bits_in_any_number_of_slabs():
    x, y, compiled = array(40_000), array(40_001)[:40_000].copy(), weft.jit(dot)
    found = set()
    for limit in (60_000, 200_000, 400_000):
        with weft.device("opencl", memory_limit=limit):
            found.add(compiled(x, y))
    assert len(found) == 1


def test_strided_and_overlapping_arguments():
    x = array(40_000)
    run(saxpy, (2.0, x[::2], x[1::2].copy()), 200_000)
    expected = x.copy()
    saxpy(0.5, expected[:20_000], expected[20_000:])
    with weft.device("opencl", memory_limit=150_000):
        weft.jit(saxpy)(0.5, x[:20_000], x[20_000:])
    assert np.array_equal(x, expected)


def test_an_exception_in_a_later_slab_leaves_the_state_of_python():
    x, y = array(20_000), np.zeros(20_000)
    x[15_000] = -1.0
    with weft.device("opencl", memory_limit=60_000), pytest.raises(ValueError, match="negative"):
        weft.jit(doubled)(x, y)
    assert np.array_equal(y[:15_000], x[:15_000] * 2.0)
    assert not y[15_000:].any()


def spread(a, b):
    for i in range(len(b)):
        b[i] = a[7 * i % len(a)]


def test_what_cannot_be_cut_is_an_error_that_says_what_is_needed():
    a, b = array(30_000), np.zeros(30_000)
    with weft.device("opencl", memory_limit=100_000), pytest.raises(weft.OutOfMemoryError) as error:
        weft.jit(spread)(a, b)
    text = str(error.value)
    assert "Needed: 468.8 KiB" in text
    assert "'a' has 234.4 KiB" in text
    assert "in slabs of i, with all of a" in text
    assert "C order" in text
    assert not b.any()


def test_a_transposition_is_cut_between_rows_and_columns():
    a, b = array(150, 200), np.zeros((200, 150))
    with weft.device("opencl", memory_limit=100_000), weft.profile() as profile:
        weft.jit(transpose)(a, b)
    assert np.array_equal(b, a.T)
    assert len(profile.of("launch")) > 1
    assert sum(event.bytes for event in profile.events if "copy" in event.kind) == a.nbytes + b.nbytes


def launched(compiled, *arguments):
    with weft.profile() as profile:
        compiled(*arguments)
    return len(profile.of("launch"))


def test_a_decorator_sets_a_limit_and_a_block_around_the_call_another():
    compiled = weft.jit(saxpy, device="opencl", memory_limit=60_000)
    x, y = array(20_000), np.ones(20_000)
    assert launched(compiled, 2.0, x, y) > 1
    assert np.array_equal(y, 2.0 * x + 1.0)
    with weft.device("opencl", memory_limit=1_000_000):
        assert launched(compiled, 2.0, x, y) == 1
    with weft.device("opencl"):
        assert launched(compiled, 2.0, x, y) > 1
    assert launched(weft.jit(saxpy, device="opencl"), 2.0, x, y) == 1


@pytest.mark.parametrize("options", [{"memory_limit": 0}, {"memory_limit": 2.5}, {"device": "cpu", "memory_limit": 9}])
def test_a_limit_is_a_number_of_bytes_of_a_device(options):
    with pytest.raises(weft.ArgumentError, match="memory_limit|bytes|host's memory"):
        weft.jit(saxpy, **options)


def test_explain_says_how_loops_are_cut():
    with weft.device("opencl", memory_limit=100_000):
        text = str(weft.explain(weft.jit(stencil), array(150, 200), array(150, 200)))
    assert "runs in slabs of i" in text


def test_the_limit_ends_with_its_block():
    x, y = array(20_000), array(20_001)[:20_000].copy()
    with weft.device("opencl", memory_limit=1 << 30):
        run(saxpy, (2.0, x, y), 70_000)
        assert run(saxpy, (2.0, x, y), None)[2] == 1


@pytest.mark.parametrize("limit", [0, -5, 1.5])
def test_a_limit_is_a_positive_number_of_bytes(limit):
    with pytest.raises(weft.ArgumentError, match="memory_limit"), weft.device("opencl", memory_limit=limit):
        pass


def test_the_processor_has_no_limit():
    with pytest.raises(weft.ArgumentError, match="host's memory"), weft.device("cpu", memory_limit=100):
        pass


def smoothed(x, y):
    n = len(x)
    t, s = np.empty(n), np.empty(n)
    for i in range(n):
        t[i] = 2.0 * x[i]
    for i in range(1, n - 1):
        s[i] = t[i - 1] + t[i + 1]
    for i in range(2, n - 2):
        y[i] = s[i - 1] - s[i + 1]


def energy(x, y):
    e = 0.0
    n = len(x)
    for i in range(n):
        y[i] = 2.0 * x[i]
    for i in range(n):
        e += y[i] * x[i]
    return e


def test_loops_that_follow_one_another_run_together():
    x, y = array(20_000), np.zeros(20_000)
    into, out, launches = run(smoothed, (x, y), 100_000)
    slabs = launches // 3
    assert slabs > 2
    assert 160_000 <= into <= 160_000 + slabs * 6 * 8
    assert out == 19_996 * 8


def neighbours(x, y):
    s = 0.0
    for i in range(len(x) - 3):
        s += x[i + 3] * y[i] + x[i + 1]
    return s


def test_a_sum_of_what_a_loop_before_it_computes_has_the_same_bits():
    x, found, compiled = array(40_000), set(), weft.jit(energy)
    for limit in (100_000, 300_000, 100_000_000):
        y = np.zeros(40_000)
        with weft.device("opencl", memory_limit=limit), weft.profile() as p:
            found.add(compiled(x, y))
        assert np.array_equal(y, 2.0 * x)
        assert sum(e.bytes for e in p.of("copy_in")) == 320_000
    assert len(found) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", [dot, neighbours])
@pytest.mark.parametrize("count", [39_999, 40_001])
def test_a_sum_has_the_bits_in_slabs_that_it_has_in_memory(function, count):
    values, compiled = array(2 * count + 1).astype(np.float32), weft.jit(function)
    x, y = values[1 : count + 1], values[count + 1 :]
    found = set()
    for limit in (60_000, 120_001, 100_000_000):
        with weft.device("opencl", memory_limit=limit):
            found.add(compiled(x, y))
    assert len(found) == 1


def add(a, b, c):
    for i in range(len(c)):
        c[i] = a[i] + b[i]


@pytest.mark.parametrize("steps", [1, 16, 33])
def test_a_time_loop_on_coherent_arrays_beyond_memory(steps):
    one, two = array(150, 80), array(80, 150).reshape(150, 80).copy()
    u, v = weft.array(one), weft.array(two)
    jacobi(one, two, steps)
    compiled = weft.jit(jacobi)
    with weft.device("opencl", memory_limit=60_000), weft.profile() as p:
        compiled(u, v, steps)
    assert np.array_equal(np.asarray(u), one)
    assert np.array_equal(np.asarray(v), two)
    assert u.where == v.where == ("host",)
    moved = sum(e.bytes for e in p.events if e.kind in ("copy_in", "copy_out"))
    assert steps == 1 or moved < steps * (one.nbytes + two.nbytes)


def heat(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                for k in range(1, u.shape[2] - 1):
                    v[i, j, k] = 0.25 * (u[i - 1, j, k] + u[i + 1, j, k]) + 0.125 * (u[i, j - 1, k] + u[i, j, k + 1])
        u, v = v, u


def test_rows_that_slabs_of_a_time_loop_share_stay_on_the_device():
    u, v = array(80, 20, 30), array(80, 30, 20).reshape(80, 20, 30).copy()
    into, out, launches = run(heat, (u, v, 12), (u.nbytes + v.nbytes) * 2 // 3)
    assert into == u.nbytes + v.nbytes
    assert out == 2 * 78 * 18 * 28 * 8
    assert launches > 5 * 12


LARGE = 1 << 22


def launches(call):
    with weft.profile() as p:
        call()
    return sum(e.kind == "launch" for e in p.events)


def test_copies_of_arrays_that_came_from_the_host_run_beside_the_kernel_once():
    """Data that comes back to the device without having been looked at stays there from then on."""
    compiled = weft.jit(add, device="opencl")
    a, b, c = (weft.empty(LARGE) for _ in range(3))
    for round_ in range(2):
        a[...], b[...] = float(round_), 1.0
        assert launches(lambda: compiled(a, b, c)) > 1
        assert c.where == ("host",)
        assert (np.asarray(c) == round_ + 1.0).all()
    assert launches(lambda: compiled(a, b, c)) == 1
    assert c.where == ("opencl",)
    assert launches(lambda: compiled(c, b, a)) == 1
    assert (np.asarray(a) == 3.0).all()


def test_plain_arrays_that_the_driver_knows_are_copied_beside_the_kernel(monkeypatch):
    compiled = weft.jit(add, device="opencl")
    a, b, c = np.ones(LARGE), np.ones(LARGE), np.zeros(LARGE)
    assert launches(lambda: compiled(a, b, c)) == 1
    monkeypatch.setattr("weft.runtime.arrays.pinning.is_pinned", lambda array: True)
    assert launches(lambda: compiled(a, b, c)) > 1
    assert (c == 2.0).all()


def doubled_and_halved(x, y, z):
    for i in range(len(x)):
        y[i] = 2.0 * x[i]
    for i in range(1, len(x)):
        z[i] = 0.5 * (x[i] + x[i - 1])


def doubled_and_reversed(x, y, z):
    for i in range(len(x)):
        y[i] = 2.0 * x[i]
    for i in range(len(x)):
        z[i] = y[len(x) - 1 - i]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("function", "is_cut"), [(doubled_and_halved, True), (doubled_and_reversed, False)])
def test_copies_run_beside_several_kernels_where_each_array_crosses_once(monkeypatch, function, is_cut):
    compiled = weft.jit(function, device="opencl")
    x, y, z = array(LARGE), np.zeros(LARGE), np.zeros(LARGE)
    assert launches(lambda: compiled(x, y, z)) == 2
    right = y.copy(), z.copy()
    monkeypatch.setattr("weft.runtime.arrays.pinning.is_pinned", lambda array: True)
    y[...] = z[...] = 0.0
    with weft.profile() as p:
        compiled(x, y, z)
    assert (sum(e.kind == "launch" for e in p.events) > 2) == is_cut
    assert sum(e.bytes for e in p.of("copy_in")) <= x.nbytes * 1.05 + 8
    assert sum(e.bytes for e in p.of("copy_out")) == 2 * x.nbytes - (8 if is_cut else 0)
    assert np.array_equal(y, right[0]) and np.array_equal(z, right[1])


def test_host_arrays_can_be_made_under_a_limit_that_they_do_not_fit_into():
    with weft.device("opencl", memory_limit=1000):
        assert weft.zeros(1 << 20).sum() == 0.0


# ----------------------------------------------------------------------------------------- arrays of the program


AS_WRITTEN = ("fusion", "inline_producers")
"""Passes that would leave fewer kernels than there are loops."""


def of_its_own(x, y):
    n = len(x)
    a, b = np.empty(n), np.empty(n)
    for i in range(n):
        a[i] = x[i] * 2.0
    for i in range(n):
        b[i] = x[i] + a[n - 1 - i]
    for i in range(n):
        y[i] = a[i] + b[i] * x[n - 1 - i]


def from_nothing(x, n):
    m = len(x)
    a, b, c = np.empty((n, m)), np.empty((n, m)), np.empty((n, m))
    for i in range(n):
        for j in range(m):
            a[i, j] = x[j] * i
            b[i, j] = x[m - 1 - j] * j
            c[i, j] = a[i, j] + b[i, j]
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += a[i, j] + b[i, j] * c[i, j]
    return s


def test_arrays_that_a_program_makes_count_where_slabs_are_chosen():
    x = np.round(100.0 * array(10_000))
    for limit in (200_000, 300_000):  # two arguments of 80 KB fit; a kernel needs four arrays, or three
        y = np.zeros(10_000)
        _, _, launches = run(of_its_own, (x, y), limit, AS_WRITTEN)
        assert launches > 3
    assert run(of_its_own, (x, np.zeros(10_000)), 400_000, AS_WRITTEN)[2] == 3


@pytest.mark.sample(0)
def test_a_program_whose_own_arrays_alone_are_too_large_runs_in_slabs():
    compiled, x = weft.jit(from_nothing, device="opencl"), np.arange(20.0)
    for limit, is_cut in ((400_000, True), (120_000, True), (1_000_000, False)):
        with weft.device("opencl", memory_limit=limit), weft.profile() as p:
            assert compiled(x, 1000) == from_nothing(x, 1000)
        assert (len(p.of("launch")) > 3) == is_cut


def test_explain_counts_arrays_that_a_program_makes():
    with weft.device("opencl", memory_limit=200_000):
        text = str(weft.explain(of_its_own, array(10_000), np.zeros(10_000)))
    assert "more than the memory" in text


@pytest.mark.sample(0)
def test_what_does_not_fit_names_the_lines_of_arrays_that_a_program_makes():
    def reversed_rows(x, n):
        a = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                a[j, i] = x[i] + j
        b = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                b[i, j] = a[n - 1 - j, i] + a[j, n - 1 - i]
        return b

    line = reversed_rows.__code__.co_firstlineno
    with weft.device("opencl", memory_limit=100_000), pytest.raises(weft.OutOfMemoryError) as error:
        weft.jit(reversed_rows)(array(150), 150)
    text = " ".join(str(error.value).split())
    assert f"those of line {line + 1} have 175.8 KiB, those of line {line + 5} have 175.8 KiB" in text
    assert "'x' has 1.2 KiB" in text
    assert "Needed: 352.7 KiB" in text


def test_what_does_not_fit_is_said_of_arguments_that_are_one_array():
    def overlap_of_steps(u, v, steps):
        r = 0.0
        for _ in range(steps):
            for i in range(1, u.shape[0] - 1):
                for j in range(u.shape[1]):
                    v[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j])
            r = 0.0
            for i in range(u.shape[0]):
                for j in range(u.shape[1]):
                    r += u[i, j] * v[i, j]
            u, v = v, u
        return r

    same = array(24_000).reshape(400, 60)
    with weft.device("opencl", memory_limit=60_000), pytest.raises(weft.OutOfMemoryError, match="'u' has 187.5 KiB"):
        weft.jit(overlap_of_steps, device="opencl")(same, same, 3)


@pytest.mark.parametrize("size", [11_875, 11_990, 12_000, 12_001])
def test_what_places_waste_of_the_memory_counts(size):
    x, y = array(size), np.zeros(size)
    run(saxpy, (2.0, x, y), 192_000)


def test_coherent_arguments_give_way_to_arrays_that_a_program_makes():
    x, y = weft.array(np.round(100.0 * array(10_000))), weft.zeros(10_000)
    compiled = weft.jit(of_its_own, device="opencl")
    compiled(x, y)
    expected = np.asarray(y).copy()
    y = weft.zeros(10_000)
    compiled(x, y)
    with weft.device("opencl", memory_limit=200_000):
        compiled(x, y)
        assert np.array_equal(np.asarray(y), expected)


def test_a_sum_over_rows_and_columns_is_cut_and_has_the_same_bits():
    compiled = weft.jit(residual, device="opencl")
    u = array(400, 50)
    first, second = u.copy(), u.copy()
    expected, _ = compiled(first, second, 3)
    for limit in (60_000, 111_111):
        a, b = u.copy(), u.copy()
        with weft.device("opencl", memory_limit=limit):
            assert compiled(a, b, 3)[0] == expected
        assert np.array_equal(a, first) and np.array_equal(b, second)
    assert expected == pytest.approx(residual(u.copy(), u.copy(), 3)[0], rel=1e-12)
