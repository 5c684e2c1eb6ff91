"""Lists that are written out as arguments of Python's functions stay lists."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def is_a_list(n):
    return isinstance([n], list), isinstance([n], tuple), isinstance([], tuple), isinstance([n], (int, list))


def is_a_tuple(n):
    return isinstance((n,), tuple), isinstance((n,), list), isinstance((n, [n]), tuple)


def types(n):
    return type([n]) is list, type([n]) is tuple, type((n,)) is tuple, type([n]) is type([2])


def inside(n):
    return tuple(([n],)), tuple([n, 2]), isinstance((n, [n])[1], list)


def folded(n):
    return sum([n, 2]), max([n, 2]), min([n, 2.5]), len([n, 2]), len([[n, 2], [3, 4]]), any([n > 5, False]), all([])


def sequences(n):
    return list(zip([n], [2])), sorted([(n, 1), (2, 1)]), list(map(int, [n, 2.5])), max(*[n, 2]), list((n, 2))


def for_numpy(n):
    return np.zeros([n, 2]).shape, np.array([[n, 2], [1, 4]]).sum(), np.max([[n, 1], [2, 3]])


@pytest.mark.parametrize("function", [is_a_list, is_a_tuple, types, inside, folded, sequences, for_numpy])
def test_lists_are_lists(function):
    expected, got = function(3), weft.jit(function)(3)
    assert got == expected and repr(got) == repr(expected)


def test_a_sum_of_lists_is_refused():
    def f(n):
        return sum([[n], [2]], [])

    with pytest.raises(weft.TypeInferenceError, match="unsupported operand"):
        weft.jit(f)(3)


@pytest.mark.parametrize("statement", ["v[0:1] = [n]", "v[::2] = v[1::2]", "v[0:1] += [n]"])
def test_slices_of_lists_left_of_an_assignment_are_refused_in_words(statement, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"def f(n):\n    v = [1, 2, 3, 4]\n    {statement}\n    return v\n")
    space: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    with pytest.raises(weft.UnsupportedError, match="several elements of a list"):
        weft.jit(space["f"])(3)


def sums_in_a_list(values, m):
    out = []
    for i in range(3):
        s = 0
        for k in range(i, m):
            s += values[k]
        out.append(s)
    return out


def test_sums_of_nothing_are_ints_in_lists_of_floats():
    values = [0.5, 1.5, 2.5, 4.0]
    for m in (2, 3, 4):
        assert repr(weft.jit(sums_in_a_list)(values, m)) == repr(sums_in_a_list(values, m))
