"""How the thread pool cuts loops into pieces, and in which order it begins them."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.backends import harness

BODY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
Piece = tuple[int, int]


@pytest.fixture
def pool() -> Iterator[ctypes.CDLL]:
    """A thread pool of its own, with four threads."""
    library = harness.runtime()
    library.weft_set_threads(4)
    yield library
    library.weft_set_threads(0)


def run(call: Callable[..., None], *numbers: int, work: float) -> list[Piece]:
    """The pieces of a loop, in the order in which they begin."""
    begun: list[Piece] = []
    lock = threading.Lock()

    def body(context: int | None, begin: int, end: int, part: int) -> int:
        with lock:
            begun.append((begin, end))
        return 0

    call(BODY(body), None, *(ctypes.c_int64(number) for number in numbers), ctypes.c_double(work))
    return begun


def assert_covers(pieces: list[Piece], begin: int, end: int) -> None:
    place = begin
    for first, last in sorted(pieces):
        assert first == place < last
        place = last
    assert place == end


@pytest.mark.parametrize(("begin", "end"), [(0, 100), (5, 1000), (-70, 3001), (3, 100_003)])
def test_pieces_cover_the_loop_once(pool, begin, end):
    assert_covers(run(pool.weft_parallel, begin, end, 0, work=1e6), begin, end)
    assert_covers(run(pool.weft_parallel, begin, end, 7, work=1e6), begin, end)
    assert_covers(run(pool.weft_in_order, begin, end, 0, 128, work=1e6), begin, end)


def test_little_work_is_one_piece(pool):
    assert run(pool.weft_parallel, 0, 1000, 0, work=100.0) == [(0, 1000)]


def test_threads_share_however_little_work_in_at_least_one_piece(pool):
    pool.weft_set_grain(ctypes.c_double(10.0))
    assert run(pool.weft_parallel, 0, 1000, 0, work=100.0) == [(0, 1000)]
    pool.weft_set_grain(ctypes.c_double(10_000.0))


def test_pieces_of_short_iterations_are_whole_vectors(pool):
    pieces = run(pool.weft_parallel, 0, 10_000, 0, work=1e5)
    assert len(pieces) > 16
    assert all(first % 64 == 0 for first, _ in pieces)


def test_long_iterations_are_pieces_of_their_own(pool):
    assert len(run(pool.weft_parallel, 0, 100, 0, work=1e6)) == 100


def test_the_last_piece_of_a_triangle_is_a_small_part_of_it(pool):
    first, last = max(run(pool.weft_parallel, 0, 4096, 0, work=1e7))
    assert (last - first) * 4096 < 4096 * 4096 / 2 / 4 / 10


@pytest.mark.parametrize("trips", [1, 127, 128, 5000, 100_000])
def test_ordered_pieces_are_no_longer_than_they_may_be(pool, trips):
    assert max(last - first for first, last in run(pool.weft_in_order, 0, trips, 0, 128, work=1e6)) <= 128
    assert max(last - first for first, last in run(pool.weft_in_order, 0, trips, 0, 128, work=1.0)) <= 128


def test_work_for_long_is_cut_into_some_ordered_pieces_a_thread(pool):
    pieces = run(pool.weft_in_order, 0, 1 << 20, 0, 1 << 16, work=1e9)
    assert 16 * pool.weft_get_threads() <= len(pieces) <= 64 * pool.weft_get_threads()


def test_ordered_pieces_take_their_turns(pool):
    turn, status, seen = ctypes.c_int64(0), ctypes.c_int32(0), []

    def body(context: int | None, begin: int, end: int, part: int) -> int:
        assert pool.weft_await_turn(ctypes.byref(turn), ctypes.c_int64(begin), ctypes.byref(status))
        seen.append(begin)
        turn.value = end
        return 0

    numbers = (ctypes.c_int64(number) for number in (0, 3000, 0, 128))
    pool.weft_in_order(BODY(body), None, *numbers, ctypes.c_double(1e6))
    assert len(seen) > 20
    assert seen == sorted(seen)


def test_nobody_waits_for_a_turn_that_never_comes(pool):
    turn, status = ctypes.c_int64(0), ctypes.c_int32(1)
    assert not pool.weft_await_turn(ctypes.byref(turn), ctypes.c_int64(5), ctypes.byref(status))


TENTATIVE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p, ctypes.c_void_p)
UNDO = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


class Fault(ctypes.Structure):
    """A `weft_fault`, but for what its operands are."""

    _fields_ = (
        ("site", ctypes.c_int32), ("lock", ctypes.c_int32), ("iteration", ctypes.c_int64),
        ("rest", ctypes.c_byte * 256),
    )  # fmt: skip


FULL = -9


def run_tentatively(
    pool: ctypes.CDLL, end: int, failing: set[int], longest: int = 128, room: int | None = None
) -> tuple[int, Fault, list[int]]:
    """A loop that counts how often each iteration has left something behind; it fails at some iterations.

    With `room`, a piece of the first half has no room for more iterations than so many.
    """
    left = [0] * end
    journals: dict[int, list[int]] = {}
    fault = Fault()

    def run(context: int | None, first: int, last: int, part: int, saved: int, own: int) -> int:
        journals[saved] = []
        for k in range(first, last):
            if room is not None and k - first == room and k < end // 2:
                return FULL
            if k in failing:
                found = Fault.from_address(own)
                found.site, found.iteration = 7, k
                return 7
            left[k] += 1
            journals[saved].append(k)
        return 0

    def plain(context: int | None, first: int, last: int, part: int) -> int:
        assert not any(k in failing for k in range(first)), "an earlier iteration had failed"
        for k in range(first, last):
            if k in failing:
                fault.site, fault.iteration = 7, k
                return 7
            left[k] += 1
        return 0

    def undo(context: int | None, first: int, last: int, saved: int) -> None:
        for k in journals[saved]:
            left[k] -= 1

    numbers = (ctypes.c_int64(n) for n in (0, end, 0, longest))
    status = pool.weft_undoing(
        TENTATIVE(run), UNDO(undo), BODY(plain), None, *numbers, ctypes.c_double(1e6), ctypes.byref(fault)
    )
    return status, fault, left


@pytest.mark.parametrize("end", [0, 1, 100, 20_000])
def test_what_can_be_undone_runs_once(pool, end):
    status, _, left = run_tentatively(pool, end, set())
    assert status == 0
    assert left == [1] * end


FAILING = ({0}, {1, 2}, {4_999}, {77, 5_000, 19_999}, {19_999}, set(range(3_000, 9_000, 50)))


@pytest.mark.parametrize("failing", FAILING, ids=lambda places: str(min(places)))
def test_the_first_iteration_that_fails_is_told_and_later_ones_are_undone(pool, failing):
    for _ in range(5):
        status, fault, left = run_tentatively(pool, 20_000, failing)
        assert (status, fault.site, fault.iteration) == (7, 7, min(failing))
        assert left == [1] * min(failing) + [0] * (20_000 - min(failing))


@pytest.mark.parametrize("room", [0, 5, 100])
@pytest.mark.parametrize("failing", [set(), *FAILING], ids=lambda places: str(min(places, default="none")))
def test_a_piece_without_room_runs_when_no_earlier_one_can_fail(pool, failing, room):
    for _ in range(5):
        status, fault, left = run_tentatively(pool, 20_000, failing, room=room)
        first = min(failing, default=20_000)
        assert (status, fault.site, fault.iteration) == ((7, 7, first) if failing else (0, 0, 0))
        assert left == [1] * first + [0] * (20_000 - first)
