"""Lists that hold arrays, beside CPython: results, exceptions, and what is refused since a copy could be told."""

from __future__ import annotations

import numpy as np
import pytest

import weft

DEVICES = ["cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)]
RAISED = (ArithmeticError, LookupError, ValueError)
DATA = np.array([1.0, -0.0, 0.5])


def outcome(function, data, k):
    """What a call gives or raises, and the argument afterwards."""
    given = data.copy()
    try:
        result = function(given, k)
    except weft.UnsupportedError as error:
        assert "empty list" in str(error)
        return None
    except RAISED as error:
        result = type(error)
    return described(result), described(given)


def described(value):
    if isinstance(value, (tuple, list)):
        return type(value), [described(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes(), value.flags.c_contiguous
    return repr(value)


def same(function, data=DATA, device="cpu", sizes=(0, 1, 2, 7)):
    compiled = weft.jit(function, device=device)
    for k in sizes:
        got = outcome(compiled, data, k)
        assert got is None or got == outcome(function, data, k), k
    return compiled


def snapshots(u, k):
    seen = [u.copy()]
    for _ in range(k):
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
        u[0] += 1.0
        seen.append(u.copy())
    return np.array(seen), np.stack(seen), len(seen)


def path(u, k):
    points = [u]
    for _ in range(k):
        points.append(points[-1] * 0.5 + 1.0)
    length = 0.0
    for i, (p, q) in enumerate(zip(points[:-1], points[1:], strict=True)):
        length += i * float(np.abs(q - p).sum())
    return length, points[-1] * 1.0, np.mean(points), np.max(points, axis=0)


def filled(u, k):
    rows = []
    for t in range(k):
        row = np.zeros(3)
        for j in range(3):
            row[j] = u[j] * t
        rows.append(row)
    return np.array(rows)


def joined(u, k):
    rows = []
    for i in range(k):
        rows.insert(i // 2, u * i)
    return (
        np.stack(rows), np.concatenate(rows), np.vstack(rows), np.hstack(rows), np.column_stack(rows),
        np.stack(rows, axis=1), np.stack(rows, -1),
    )  # fmt: skip


def matrices(u, k):
    parts = []
    for i in range(k):
        parts.append(np.outer(u, u) * i)
    return (
        np.array(parts), np.concatenate(parts), np.hstack(parts), np.concatenate(parts, axis=1),
        np.stack(parts, axis=2), parts[-1].T @ parts[0], np.sum(parts, axis=0), parts,
    )  # fmt: skip


def of_other_lengths(u, k):
    parts = [u[:i] for i in range(k)]
    parts.append(u[u > 0.5])
    return np.concatenate(parts), [len(part) for part in parts], np.vstack([u, u])


def of_no_one_length(u, k):
    parts = [u[:i] for i in range(k)]
    return np.array(parts)


def without_rows(u, k):
    parts = [np.zeros((0, 3)) for _ in range(k)]
    parts.append(np.ones((2, 3)))
    return np.concatenate(parts)


def changed_places(u, k):
    state = [u, u + 1.0, u * 2.0]
    old = state[0]
    for i in range(50 * k):
        state[i % 3] = state[(i + 1) % 3] * 0.5 + 1.0
    return np.array(state), old + 1.0, state[k] * 1.0


def stacked(u, k):
    work = [u, u + 1.0]
    total = 0.0
    while total < 100.0 * k and len(work) > 0:
        top = work.pop()
        total += float(top.sum())
        work.append(top * 1.5)
        work.append(top + 1.0)
        first = work.pop(0)
        total += float(first[0])
    return total, len(work)


def sliced(u, k):
    rows = [u + i for i in range(k + 3)]
    first, *rest = rows
    return np.array(rows[::-1]), np.array(rows[1:-1] + rows[:2]), len(2 * rows), first + rest[0], len(rest)


def other_dtypes(u, k):
    singles = [u.astype(np.float32) * i for i in range(k + 1)]
    counts = [np.arange(i) for i in range(k + 1)]
    masks = [u > i for i in range(k + 1)]
    return np.array(singles), np.array(singles, dtype=np.float64), np.concatenate(counts), np.array(masks), sum(masks)


def of_inner_loops(u, k):
    total = 0.0
    for i in range(k):
        rows = [u * 1.0]
        for j in range(i):
            rows.append(rows[-1] * j)
        for row in rows:
            total += float(row.sum())
        u[0] += 0.25
    return total


def raising(u, k):
    rows = [u.copy()]
    for i in range(k):
        u[i] = 9.0
        rows.append(rows[i] / 2.0)
    return rows[2].sum()


def by_branches(u, k):
    rows = []
    for i in range(k):
        row = u * i if i % 2 == 0 else np.ones(2)
        rows.append(row)
    return np.concatenate(rows)


def swapped(u, k):
    v, w = u * 2.0, u * 3.0
    rows = []
    for _ in range(k):
        rows.append(v)
        v, w = w, v
    return np.array(rows)


def returned(u, k):
    rows = []
    for _ in range(k):
        u = u * 0.5
        rows.append(u)
    return rows, k


def of_tuples(u, k):
    rows = []
    for i in range(k):
        rows.append((u.sum(), i, u.min()))
    return np.array(rows)


PROGRAMS = [
    snapshots, path, filled, joined, matrices, of_other_lengths, of_no_one_length, without_rows, changed_places,
    stacked, sliced, other_dtypes, of_inner_loops, raising, by_branches, swapped, returned, of_tuples,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    same(program)


@pytest.mark.parametrize("program", [path, joined, changed_places, returned], ids=lambda program: program.__name__)
@pytest.mark.parametrize("device", DEVICES[1:])
def test_devices(program, device):
    same(program, device=device, sizes=(0, 3))


def test_returned_arrays_are_apart():
    rows, _ = weft.jit(returned)(DATA, 3)
    rows[0][0] = 100.0
    assert rows[1][0] == 0.25


def written_through_its_name(u, k):
    rows = []
    for _ in range(k):
        u[0] += 1.0
        rows.append(u)
    return np.array(rows)


def written_afterwards(u, k):
    rows = []
    for _ in range(k):
        row = u * 2.0
        rows.append(row)
        row[0] = 7.0
    return np.array(rows)


def one_for_all(u, k):
    row = np.zeros(3)
    rows = []
    for i in range(k):
        row[i % 3] = u[0]
        rows.append(row)
    return np.array(rows)


def written_in_the_list(u, k):
    rows = [u * i for i in range(k + 1)]
    rows[0][1] = 5.0
    return np.array(rows)


def added_in_place(u, k):
    rows = [u * i for i in range(k + 1)]
    for i in range(k):
        rows[i] += 1
    return np.array(rows)


def written_after_pop(u, k):
    rows = [u * k]
    row = rows.pop()
    row[0] = 5.0
    return row * 2.0, len(rows)


def swapped_and_written(u, k):
    v, w = u * 2.0, u * 3.0
    rows = []
    for i in range(k):
        rows.append(v)
        v, w = w, v
        v[0] = i
    return np.array(rows)


def of_the_caller(u, k):
    rows = [u]
    return rows, k


def beside_its_name(u, k):
    row = u * k
    rows = [row]
    return rows, row


def twice(u, k):
    row = u * k
    rows = [row, row]
    return rows[0], rows[1]


def twice_in_a_returned_list(u, k):
    row = u * 2.0
    rows = []
    for _ in range(k):
        rows.append(row)
    return rows


SHARED = [
    written_through_its_name, written_afterwards, one_for_all, written_in_the_list, added_in_place, written_after_pop,
    swapped_and_written, of_the_caller, beside_its_name, twice, twice_in_a_returned_list,
]  # fmt: skip


@pytest.mark.parametrize("program", SHARED, ids=lambda program: program.__name__)
def test_what_shows_a_copy_is_refused(program):
    with pytest.raises(weft.Error, match=r"an array that a list holds"):
        weft.jit(program)(DATA.copy(), 3)


def test_arrays_of_two_types_are_refused():
    @weft.jit
    def f(u):
        rows = [u]
        rows.append(np.arange(3))
        return np.concatenate(rows)

    with pytest.raises(weft.UnsupportedError, match=r"array of float64 .* gets one of the type array of int64"):
        f(DATA)
