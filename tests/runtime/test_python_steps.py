"""`weft.python`: ordinary Python as a step of a compiled function, on every kind of device and in plain Python."""

import functools
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError, TypeInferenceError, UnsupportedError

PLAIN = "plain Python"
DEVICES = [PLAIN, "cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)]
COMPILED = DEVICES[1:]
everywhere = pytest.mark.parametrize("device", DEVICES)
compiled_everywhere = pytest.mark.parametrize("device", COMPILED)
N = 64


def on(device, function):
    return function if device == PLAIN else weft.jit(function, device=device)


seen = []


def note(*values):
    seen.append(tuple(v.copy() if isinstance(v, np.ndarray) else v for v in values))


@pytest.fixture(autouse=True)
def _nothing_seen():
    seen.clear()


def watched(a, steps):
    for t in range(steps):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        weft.python(note, t, a, reads=(a,))


@everywhere
def test_a_step_sees_what_was_computed_before_it(device):
    a = np.arange(float(N))
    on(device, watched)(a, 3)
    assert [t for t, _ in seen] == [0, 1, 2]
    for t, array in seen:
        np.testing.assert_array_equal(array, np.arange(N) + t + 1.0)


def add_random(a, rng):
    a += rng


def changed(a, b, steps):
    for t in range(steps):
        for i in range(len(a)):
            a[i] = 2.0 * a[i]
        weft.python(add_random, a, float(t), writes=(a,))
        for i in range(len(a)):
            b[i] = b[i] + a[i]
    return b


@everywhere
def test_what_a_step_writes_is_seen_by_what_follows(device):
    a, b = np.arange(float(N)), np.zeros(N)
    expected_a, expected_b = a.copy(), b.copy()
    for t in range(3):
        expected_a[:] = 2.0 * expected_a + t
        expected_b += expected_a
    assert on(device, changed)(a, b, 3) is b
    np.testing.assert_array_equal(a, expected_a)
    np.testing.assert_array_equal(b, expected_b)


def mean_of(a):
    return a.mean()


def centred(a):
    m = weft.python(mean_of, a, reads=a, returns=float)
    for i in range(len(a)):
        a[i] = a[i] - m
    return m


@everywhere
def test_a_step_gives_a_number(device):
    a = np.arange(float(N))
    assert on(device, centred)(a) == np.arange(float(N)).mean()
    assert a.sum() == 0.0


def kinds(i, f, c, b, narrow, wide, text, nothing, pair):
    note(i, f, c, b, narrow, wide, text, nothing, pair)


def numbers(n, x, z, narrow, wide):
    weft.python(kinds, n, x, z, n > 1, narrow, wide, "text", None, (n, ("t", x)))


@everywhere
def test_numbers_texts_and_tuples_arrive_as_they_are(device):
    given = 7, 2.5, 1 + 2j, np.float32(0.1), np.uint64(2**63 + 1)
    on(device, numbers)(*given)
    (got,) = seen
    assert got == (7, 2.5, 1 + 2j, True, *given[3:], "text", None, (7, ("t", 2.5)))
    assert [type(v) for v in got[:6]] == [int, float, complex, bool, np.float32, np.uint64]


RETURNS = [
    (int, 7), (float, 2.5), (bool, True), (complex, 1 - 2j), (np.float32, np.float32(0.1)), (np.int8, np.int8(-3)),
    (np.uint64, np.uint64(2**64 - 1)), (np.complex64, np.complex64(1 + 1j)), (np.float16, np.float16(0.5)),
]  # fmt: skip


@everywhere
@pytest.mark.parametrize("type_, value", RETURNS)
def test_results_have_the_type_that_was_declared(device, type_, value):
    def give():
        return value

    def function():
        return weft.python(give, returns=type_)

    got = on(device, function)()
    assert type(got) is type(value)
    assert got == value


# ---------------------------------------------------------------------------------------------------- which arrays


def writes_it(a):
    a[0] = 9.0


def only_reads(a):
    weft.python(writes_it, a, reads=(a,))


@everywhere
def test_an_array_that_is_only_read_cannot_be_written(device):
    a = np.zeros(N)
    with pytest.raises(ValueError, match="read-only"):
        on(device, only_reads)(a)
    assert a[0] == 0.0


def identity(a):
    seen.append(a)


def gives_itself(a):
    weft.python(identity, a, writes=(a,))


@everywhere
def test_an_argument_that_is_written_is_the_callers_own_array(device):
    a = np.zeros(N)
    on(device, gives_itself)(a)
    assert seen[0] is a


def part(a):
    a[:] = 7.0


def parts(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = m[i, j] + 1.0
    weft.python(part, m[1:3, ::2], writes=(m,))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = m[i, j] * 2.0


@everywhere
def test_a_part_of_an_array_is_the_memory_of_the_whole(device):
    m = np.zeros((4, 5))
    expected = np.full((4, 5), 2.0)
    expected[1:3, ::2] = 14.0
    on(device, parts)(m)
    np.testing.assert_array_equal(m, expected)


def swapped(u, v, steps):
    for t in range(steps):
        for i in range(len(u)):
            v[i] = u[i] + 1.0
        u, v = v, u
        weft.python(note, t, u, v, reads=(u, v))
        weft.python(add_random, u, 10.0, writes=(u,))
    return u


@everywhere
def test_arrays_that_change_places_are_the_right_ones(device):
    u, v = np.zeros(N), np.zeros(N)
    result = on(device, swapped)(u, v, 3)
    assert result is v
    assert [(t, x[0], y[0]) for t, x, y in seen] == [(0, 1.0, 0.0), (1, 12.0, 11.0), (2, 23.0, 22.0)]
    np.testing.assert_array_equal(v, 33.0)


def own_array(n):
    t = np.zeros(n)
    for i in range(n):
        t[i] = 1.0 * i
    weft.python(part, t[1:3], writes=(t,))
    weft.python(identity, t, reads=(t,))
    s = 0.0
    for i in range(n):
        s += t[i]
    return s


@compiled_everywhere
def test_an_array_of_the_function_itself_is_lent_and_may_be_kept_as_a_copy(device):
    assert on(device, own_array)(N) == N * (N - 1) / 2 - 3 + 14
    assert seen[0][2] == 7.0  # the memory behind it is still there


def two_views(n):
    t = np.zeros(n)
    weft.python(lend_two, t[1:], t[:-1], writes=(t,))


def lend_two(a, b):
    a += b


@pytest.mark.parametrize("device", ["cpu"])
def test_two_views_of_a_lent_array_cannot_be_written(device):
    with pytest.raises(UnsupportedError, match="two views of one array"):
        on(device, two_views)(N)


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def test_coherent_arrays_are_lent_too(device):
    a, b = weft.array(np.arange(float(N))), weft.zeros(N)
    compiled = on(device, changed)
    compiled(a, b, 1)
    compiled(a, b, 1)
    np.testing.assert_array_equal(np.asarray(a), 4.0 * np.arange(N))
    np.testing.assert_array_equal(np.asarray(b), 6.0 * np.arange(N))


outside = np.zeros(3)


def counts_calls():
    outside[0] += 1.0


def uses_outside(a):
    for i in range(3):
        outside[i] = outside[i] + 1.0
    weft.python(counts_calls, reads=(), writes=(outside,))
    for i in range(3):
        a[i] = outside[i]


@everywhere
def test_an_array_that_the_function_reaches_by_itself_is_declared(device):
    outside[:] = 0.0
    a = np.zeros(3)
    on(device, uses_outside)(a)
    np.testing.assert_array_equal(a, [2.0, 1.0, 1.0])


# ------------------------------------------------------------------------------------------------------ functions


def helper(number):
    def call(a):
        return a[0] * number

    return call


chosen = helper(2.0)


def calls_chosen(a):
    return weft.python(chosen, a, reads=(a,), returns=float)


@everywhere
def test_the_function_is_found_anew_at_every_call(device):
    global chosen
    compiled = on(device, calls_chosen)
    a = np.ones(1)
    for number in (2.0, 3.0, 4.0):
        chosen = helper(number)
        assert compiled(a) == number
    if device != PLAIN:
        assert len(compiled.specialisations) == 1


@everywhere
def test_closures_over_other_functions_share_compiled_code(device):
    def make(called):
        def function(a):
            return weft.python(called, a, reads=(a,), returns=float)

        return on(device, function)

    assert [make(helper(k))(np.ones(1)) for k in (1.0, 2.0, 3.0)] == [1.0, 2.0, 3.0]


@everywhere
def test_a_function_may_be_an_argument(device):
    def apply(called, a):
        return weft.python(called, a, reads=(a,), returns=float)

    compiled = on(device, apply)
    assert [compiled(helper(k), np.ones(1)) for k in (1.0, 2.0, 1.0)] == [1.0, 2.0, 1.0]


def through_helper(a, callback):
    weft.python(callback, a, reads=(a,))


@everywhere
def test_a_helper_may_call_what_it_was_given(device):
    def function(a):
        through_helper(a, note)

    on(device, function)(np.ones(2))
    assert len(seen) == 1


@everywhere
def test_functions_of_libraries(device):
    def function(a):
        weft.python(np.random.shuffle, a, writes=(a,))
        return weft.python(np.median, a, reads=(a,), returns=float)

    a = np.arange(9.0)
    assert on(device, function)(a) == 4.0
    assert sorted(a) == list(range(9))


@compiled_everywhere
def test_a_step_may_call_compiled_functions(device):
    inner = on(device, watched)

    def run(a):
        inner(a, 2)

    def function(a, b):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        weft.python(run, a, writes=(a,))
        for i in range(len(a)):
            b[i] = a[i]

    a, b = np.zeros(N), np.zeros(N)
    on(device, function)(a, b)
    np.testing.assert_array_equal(b, 3.0)


# ------------------------------------------------------------------------------------------------------ exceptions


class Odd(Exception):
    def __init__(self, code, *, more):
        super().__init__(code)
        self.more = more


raised = []


def fails(t):
    if t == 2:
        raised.append(Odd(t, more="detail"))
        raise raised[-1]


def fails_between(a, b, steps):
    for t in range(steps):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        weft.python(fails, t)
        for i in range(len(b)):
            b[i] = a[i]


@everywhere
def test_an_exception_passes_as_it_is_and_finds_the_arrays_current(device):
    a, b = np.zeros(N), np.zeros(N)
    with pytest.raises(Odd) as caught:
        on(device, fails_between)(a, b, 5)
    assert caught.value is raised[-1]
    assert (caught.value.args, caught.value.more) == ((2,), "detail")
    assert not getattr(caught.value, "__notes__", ())
    assert caught.traceback[-1].name == "fails"
    np.testing.assert_array_equal(a, 3.0)
    np.testing.assert_array_equal(b, 2.0)


def half_done(a):
    a[0] = 5.0
    raise KeyError("half")


def stops_half_way(n):
    t = np.zeros(n)
    weft.python(half_done, t, writes=(t,))


@everywhere
def test_a_function_that_raises_leaves_what_it_wrote(device):
    a = np.zeros(N)

    def function(a):
        for i in range(len(a)):
            a[i] = 1.0
        weft.python(half_done, a, writes=(a,))

    with pytest.raises(KeyError, match="half"):
        on(device, function)(a)
    assert (a[0], a[1]) == (5.0, 1.0)
    with pytest.raises(KeyError, match="half"):
        on(device, stops_half_way)(N)


@everywhere
@pytest.mark.parametrize(
    "value, returns, message",
    [
        (None, float, "returned None, and returns says"),
        ("7", float, "returned '7', and returns says"),
        (True, int, "returned True, and returns says"),
        (2.5, int, "returned 2.5, and returns says"),
        (1, bool, "returned 1, and returns says"),
        (3.0, None, "returned 3.0, and returns was not given"),
    ],
)
def test_results_of_another_kind_are_type_errors(device, value, returns, message):
    def give():
        return value

    def function():
        weft.python(give, returns=returns)

    with pytest.raises(TypeError, match=message):
        on(device, function)()


@everywhere
def test_integers_that_do_not_fit_are_overflow_errors(device):
    def give():
        return 2**63

    def function():
        return weft.python(give, returns=int)

    with pytest.raises(OverflowError):
        on(device, function)()


# ---------------------------------------------------------------------------------------------------- refused


def undeclared(a, b):
    weft.python(note, a, b, reads=(a,))


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
def test_an_array_that_is_not_declared_is_refused(device):
    with pytest.raises(TypeInferenceError, match="'b' is given to weft.python, and is neither in reads nor in writes"):
        on(device, undeclared)(np.zeros(2), np.zeros(2))


def test_an_array_that_is_not_declared_is_refused_in_plain_python():
    with pytest.raises(ArgumentError, match="neither in reads nor in writes"):
        undeclared(np.zeros(2), np.zeros(2))


def test_a_read_only_array_cannot_be_in_writes():
    a = np.zeros(3)
    a.flags.writeable = False
    with pytest.raises(TypeInferenceError, match="'a' is read-only, and cannot be in writes"):
        weft.jit(gives_itself)(a)


def test_functions_defined_inside_cannot_be_called():
    def function(a):
        def inner():
            return 1.0

        weft.python(inner)

    with pytest.raises(TypeInferenceError, match="define the function outside"):
        weft.jit(function)(np.zeros(2))


def test_returns_must_be_a_type_of_numbers():
    def function():
        weft.python(note, returns=str)

    with pytest.raises(TypeInferenceError, match="is no type of numbers"):
        weft.jit(function)()


# ------------------------------------------------------------------------------------- loops, threads, interrupts


def called_everywhere(a):
    for i in weft.prange(len(a)):
        a[i] = a[i] + 1.0
        weft.python(note, i)


@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
@compiled_everywhere
def test_a_loop_around_a_step_runs_in_order(device):
    a = np.zeros(5)
    on(device, called_everywhere)(a)
    assert seen == [(k,) for k in range(5)]
    loop = weft.explain(called_everywhere, a).loops[0]
    assert (loop.verdict, loop.reason.partition(" (")[0]) == ("sequential", "it calls 'note', which is Python")


def test_an_exception_ends_a_loop_before_anything_more_is_written():
    def function(a, b):
        for i in range(len(a)):
            a[i] = 1.0
            weft.python(fails, i)
            b[i] = 1.0

    a, b = np.zeros(N), np.zeros(N)
    with pytest.raises(Odd):
        weft.jit(function)(a, b)
    np.testing.assert_array_equal(np.flatnonzero(a), [0, 1, 2])
    np.testing.assert_array_equal(np.flatnonzero(b), [0, 1])


@compiled_everywhere
def test_many_threads_at_once(device):
    compiled = on(device, changed)
    results = [(np.arange(float(N)) + k, np.zeros(N)) for k in range(8)]
    threads = [threading.Thread(target=functools.partial(compiled, a, b, 3)) for a, b in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, (a, b) in enumerate(results):
        expected_a, expected_b = np.arange(float(N)) + k, np.zeros(N)
        changed(expected_a, expected_b, 3)
        np.testing.assert_array_equal(a, expected_a)
        np.testing.assert_array_equal(b, expected_b)


def interrupts():
    os.kill(os.getpid(), signal.SIGINT)


def takes_interrupt():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    except KeyboardInterrupt:
        seen.append("taken")


def interrupted(a, n):
    weft.python(interrupts)
    for i in range(n):
        a[0] = a[0] * 0.5 + i


def goes_on(a, n):
    weft.python(takes_interrupt)
    k = 0
    while k < n:
        k += 1
    a[0] = k


def test_an_interrupt_in_a_step_is_raised():
    with pytest.raises(KeyboardInterrupt):
        weft.jit(interrupted)(np.zeros(1), 10)


def test_an_interrupt_that_a_step_takes_care_of_stops_nothing():
    a = np.zeros(1)
    weft.jit(goes_on)(a, 100_000)
    assert (a[0], seen) == (100_000.0, ["taken"])


SCRIPT = """
import numpy as np, weft

def callback(a):
    return a.sum() + {more}

@weft.jit
def function(a):
    return weft.python(callback, a, reads=(a,), returns=float)

print(function(np.arange(4.0)))
"""


@pytest.mark.sample(0)
def test_compiled_code_is_found_again_and_keyed_by_the_content_of_the_function(tmp_path):
    def run(more):
        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(SCRIPT).format(more=more))
        environment = os.environ | {"WEFT_CACHE_DIR": str(tmp_path / "store")}
        done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
        return float(done.stdout), len(list((tmp_path / "store").rglob("*.so")))

    first, libraries = run(0)
    assert run(0) == (first, libraries) == (6.0, libraries)
    assert run(5)[0] == 11.0


kept = []


def keep(a):
    kept.append(a)


def kept_by_a_step(a, key, steps):
    for t in range(steps):
        for i in range(a.shape[0]):
            a[i] = a[i] + 1.0
        a[key[t]] += 0.5
        weft.python(keep, a, reads=(a,), writes=(a,))


@pytest.mark.opencl
def test_what_a_step_keeps_is_its_own():
    a = weft.array(np.zeros(N))
    weft.jit(kept_by_a_step, device="opencl")(a, weft.array(np.array([0, 2])), 1)
    own = kept.pop()
    if own.flags.writeable:
        own[1] = 99.0
    expected = np.ones(N)
    expected[0] = 1.5
    np.testing.assert_array_equal(a, expected)
