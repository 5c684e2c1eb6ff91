"""What stands in the text of a parallel loop, as a comment or as Weft's own counter, is no name of the program's."""

import numpy as np

import weft


def line_and_counter(a, h, key):
    for i in range(2):
        for line in range(3):
            for k in range(3):
                a[k] = a[k] * 0.5 + line
        for j in range(key.shape[0]):
            h[key[j]] += 1.5
    return a[0]


def test_names_of_loops_before_are_not_captured():
    key = np.random.default_rng(0).integers(0, 50, 100000)
    expected, given = ([np.arange(4.0), np.zeros(50), key] for _ in range(2))
    line_and_counter(*expected)
    weft.jit(line_and_counter, device="cpu")(*given)
    np.testing.assert_allclose(given[0], expected[0])
    np.testing.assert_allclose(given[1], expected[1])
