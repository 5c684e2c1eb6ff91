"""Work on several threads: all is done before anything is raised, and the first exception in order is raised."""

from __future__ import annotations

import gc
import threading

import pytest

from weft.split.together import Workers


def test_results_are_in_order_and_run_at_the_same_time():
    meeting = threading.Barrier(3, timeout=30)

    def meet(number):
        meeting.wait()
        return number * number

    assert Workers().run(meet, [(2,), (3,), (4,)]) == [4, 9, 16]


def test_the_first_exception_in_order_is_raised_when_all_are_done():
    done = []

    def fail(number):
        done.append(number)
        if number:
            raise ValueError(number)

    workers = Workers()
    for _ in range(3):
        with pytest.raises(ValueError, match="1"):
            workers.run(fail, [(0,), (1,), (2,)])
    assert sorted(done) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_calls_of_several_threads_do_not_mix():
    workers, found = Workers(), {}

    def many(number):
        found[number] = [workers.run(lambda a, b: a + b, [(number, 1), (number, 2)]) for _ in range(200)]

    threads = [threading.Thread(target=many, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: [[k + 1, k + 2]] * 200 for k in range(4)}


def test_threads_end_with_their_object():
    workers = Workers()
    names = set()
    workers.run(lambda: names.add(threading.current_thread()), [(), ()])
    (other,) = names - {threading.current_thread()}
    del workers
    gc.collect()
    other.join(30)
    assert not other.is_alive()
