"""Rows that threads keep in registers between the loops of an iteration."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of, scheduled
from weft.ir import nodes as n
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.schedule.directives import Bind, Deal
from weft.schedule.lowering.cooperative_block import prepared
from weft.schedule.lowering.register_rows import kept_rows
from weft.schedule.nests import flattened, grid_chain
from weft.tune.default import default_schedule


def softmax(x, out):
    for i in range(x.shape[0]):
        m = x[i, 0]
        for j in range(x.shape[1]):
            m = max(m, x[i, j])
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            out[i, j] = np.exp2(x[i, j] - m)
            s += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= s


def centred(x, out):
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(1, x.shape[1]):
            s += x[i, j]
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] - s
        for j in range(x.shape[1]):
            if x[i, j] > 0:
                out[i, j] += 1


def written_in_parts(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] + 1
        for j in range(2, x.shape[1]):
            out[i, j] = out[i, j] * 2
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            s += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] += s


def in_an_array(x, out):
    for i in range(x.shape[0]):
        t = np.zeros(37, x.dtype)
        s = x[i, 0] - x[i, 0]
        for j in range(1, 37):
            t[j] = x[i, j] * 3
        for j in range(37):
            s += t[j]
        for j in range(37):
            out[i, j] = t[j] + s


def shifted(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * 2
        s = x[i, 0] - x[i, 0]
        for j in range(1, x.shape[1]):
            s += out[i, j - 1]
        for j in range(x.shape[1]):
            out[i, j] += s


def extreme_of_what_was_stored(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * abs(x[i, j])
        m = -x[i, 0] * x[i, 0] - 1
        for j in range(x.shape[1]):
            m = max(m, -abs(out[i, j]))
        for j in range(x.shape[1]):
            out[i, j] = out[i, j] + np.copysign(5, m)


FUNCTIONS = [extreme_of_what_was_stored, softmax, centred, written_in_parts, in_an_array, shifted]
DEALT = [(1, 1, 64), (3, 2, 8), (32, 4, 1), (8, 4, 8)]


@pytest.mark.parametrize("columns", [37, 40])
@pytest.mark.parametrize("dealt", DEALT, ids=str)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_kernels_with_kept_rows_do_what_they_did(function, dealt, columns):
    group, run_, rounds = dealt
    schedule = (Bind("i", "y", 1), Deal("j", "x", group, run_, rounds))
    check_same(function, arrays((2, columns), (2, columns), dtype=np.float64), schedule, exact=function is not softmax)


def kernel(function, columns=64):
    return kernel_of(program_of(function, arrays((3, columns), (3, columns))()))[0]


def kept(function):
    found = kept_rows(kernel(function), prepared(flattened(grid_chain(kernel(function)))))
    return {name.partition(".")[0] for name, _ in found.rows} if found else set()


def test_what_several_loops_read_is_kept():
    assert kept(softmax) == {"x", "out"}
    assert kept(in_an_array) == {"t", "x"}


def test_what_other_threads_reach_is_not_kept():
    assert "out" not in kept(shifted)


def from_one(x, out):
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(1, x.shape[1]):
            s += x[i, j]
        for j in range(1, x.shape[1]):
            out[i, j] = x[i, j] - s


def from_far(x, out):
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(2**63 - 3, x.shape[1]):
            s += x[i, j]
        for j in range(2**63 - 3, x.shape[1]):
            out[i, j] = x[i, j] - s


def from_somewhere(x, out, low):
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(low, x.shape[1]):
            s += x[i, j]
        for j in range(low, x.shape[1]):
            out[i, j] = x[i, j] - s


def vectors(function, *more):
    """How many vectors the kernel of a function loads or stores under a schedule with runs of four."""
    program = program_of(function, (*arrays((3, 64), (3, 64))(), *more))
    made = scheduled(program, (Bind("i", "y", 1), Deal("j", "x", 8, 4, 2)))
    launch = next(s for s in made.body.statements if isinstance(s, n.Launch))
    return sum(isinstance(s, n.Let) and isinstance(s.value, n.Lanes) for s in walk(launch.kernel.body))


def test_runs_begin_at_multiples_of_their_length():
    assert vectors(from_one) == 0
    assert vectors(softmax) > 0
    for low in (0, 1, 3, 4, 70):
        x, out = arrays((2, 64), (2, 64))()
        expected = out.copy()
        from_somewhere(x, expected, low)
        schedule = (Bind("i", "y", 1), Deal("j", "x", 8, 4, 2))
        made = scheduled(program_of(from_somewhere, (x, out, low)), schedule)
        assert vectors(from_somewhere, low) > 0
        run(made, (x, out, low))
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("low", [2**62, 2**63 - 5000, 2**63 - 40, 2**63 - 3, 2**63 - 1])
@pytest.mark.parametrize("dealt", [(8, 4, 2), (8, 4, 16), (64, 1, 1), (1, 1, 64), (3, 2, 11)], ids=str)
def test_ranges_that_are_empty_and_begin_far_away(dealt, low):
    group, run_, rounds = dealt
    x, out = arrays((2, 64), (2, 64))()
    made = scheduled(
        program_of(from_somewhere, (x, out, low)), (Bind("i", "y", 1), Deal("j", "x", group, run_, rounds))
    )
    expected = out.copy()
    run(made, (x, out, low))
    np.testing.assert_array_equal(out, expected)


def stores(function, schedule):
    program = program_of(function, arrays((3, 64), (3, 64))())
    made = scheduled(program, schedule)
    launch = next(s for s in made.body.statements if isinstance(s, n.Launch))
    return sum(isinstance(s, n.Store) and s.view.stem == "out" and s.view in launch.kernel.params
               for s in walk(launch.kernel.body))  # fmt: skip


def test_what_is_stored_again_later_is_stored_once():
    # in runs; spread, four in a whole round and four in one that is cut; in rounds, where every loop goes to memory
    assert stores(softmax, (Bind("i", "y", 1), Deal("j", "x", 32, 4, 1))) == 1 + (4 + 4) + 2


def test_results_do_not_depend_on_where_an_array_begins():
    for rounds in (2, 8):
        schedule, results = (Bind("i", "y", 1), Deal("j", "x", 32, 4, rounds)), []
        for offset in (0, 4):
            x, out = arrays((2, 200), (2, 200), offset=offset)()
            x[...] = np.random.default_rng(5).standard_normal(x.shape)
            run(scheduled(program_of(softmax, (x, out)), schedule), (x, out))
            results.append(out.copy())
        assert results[0].tobytes() == results[1].tobytes()


def scaled(x, weights, out):
    for i in range(x.shape[0]):
        s = x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j]
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * s * weights[j]


def test_what_all_blocks_read_once_is_not_kept():
    made = kernel_of(program_of(scaled, arrays((8, 64), (64,), (8, 64))()))[0]
    found = kept_rows(made, prepared(flattened(grid_chain(made))))
    assert [view.stem for view in found.rows.values()] == ["x"]


def nearest(x, out):
    for i in range(x.shape[0]):
        best, place = x[i, 0], 0
        for j in range(x.shape[1]):
            if x[i, j] > best:
                best, place = x[i, j], j
        out[i] = place


def test_rows_that_are_only_read_have_few_threads_each():
    made = kernel_of(program_of(nearest, arrays((8, 64), (8,))()))[0]
    deal = default_schedule(made)[-1]
    assert (deal.group, deal.rounds) == (64, 16)
    assert default_schedule(kernel(softmax))[-1].group == 256


def test_rows_that_are_read_again_are_kept_by_default():
    deal = default_schedule(kernel(softmax))[-1]
    assert isinstance(deal, Deal) and deal.run == 4 and deal.rounds > 1


@pytest.mark.opencl
@pytest.mark.parametrize("columns", [1, 255, 256, 5001])
@pytest.mark.parametrize("function", [softmax, centred, written_in_parts], ids=lambda f: f.__name__)
def test_rows_of_any_length_are_right(function, columns):
    pytest.importorskip("pyopencl")
    x = np.random.default_rng(columns).standard_normal((3, columns))
    expected, got = np.zeros_like(x), np.zeros_like(x)
    function(x, expected)
    for schedule in ((), (Bind("i", "y", 1), Deal("j", "x", 64, 2, 2))):
        got[...] = 0
        weft.jit(function, device="opencl", schedule=schedule)(x, got)
        np.testing.assert_allclose(got, expected, rtol=1e-10)
