"""Which arrays a kernel may write in memory of the host: those that nothing else touches before the host reads them."""

import numpy as np

from tests.schedule.scheduled import program_of
from weft.backends.host.zero_copy import lent_arrays
from weft.plan.place import place


def lent(function, *arguments):
    """The arrays of a placed program that are lent, by the names of the source."""
    placed = place(program_of(function, arguments), "cuda").program
    return {name.rstrip(".0123456789") for name in lent_arrays(placed)}


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def returned(x):
    y = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = 2.0 * x[i]
    return y


def read_again(x):
    y = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = 2.0 * x[i]
    s = 0.0
    for i in range(x.shape[0]):
        s += y[x.shape[0] - 1 - i]
    return s + y[0]


def written_twice(x, n):
    y = np.empty(x.shape[0])
    s = 0.0
    for _ in range(n):
        for i in range(x.shape[0]):
            y[i] = 2.0 * x[i]
        s += y[0]
    return s


def test_partial_results_are():
    assert lent(total, np.ones(9)) == {"partials", "total"}


def test_what_the_program_returns_is_not():
    assert "y" not in lent(returned, np.ones(9))


def test_what_another_kernel_reads_is_not():
    assert "y" not in lent(read_again, np.ones(9))


def test_what_a_loop_writes_again_is_not():
    assert "y" not in lent(written_twice, np.ones(9), 3)
