"""Slices, transposes, fields and strides: other ways to see the same memory."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def slices_of_arguments(x, out):
    inner = x[1:-1]
    target = out[1:-1]
    for i in range(len(inner)):
        target[i] = inner[i] * 3.0


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def slices_with_steps(x, out):
    backwards = x[::-1]
    every_third = out[::3]
    for i in range(len(every_third)):
        every_third[i] = backwards[i]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros((n + 2, n)))),
)
def transposed_view(a, out):
    b = a.T
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = b[i, j] + i


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros(n))),
    tolerance="reduction",
)
def rows_as_views(a, out):
    for i in range(a.shape[0]):
        row = a[i]
        s = 0.0
        for j in range(len(row)):
            s += row[j]
        out[i] = s


@program(
    verdicts={"j": "parallel", "i": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)),)),
)
def columns_as_views(a):
    for j in range(a.shape[1]):
        column = a[:, j]
        for i in range(len(column)):
            column[i] = column[i] * (j + 1)


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=lambda rng: [(rng.random((n, n)), k) for n, k in ((20, 5), (20, 0), (20, 10), (3, 1))],
)
def corner_of_a_matrix(a, k):
    corner = a[k:, : a.shape[1] - k]
    for i in range(corner.shape[0]):
        for j in range(corner.shape[1]):
            corner[i, j] = -corner[i, j]
    return corner


POINT = np.dtype([("x", np.float64), ("y", np.float64), ("kind", np.int32), ("weight", np.float32)])


def points(rng, n):
    made = np.zeros(n, POINT)
    made["x"] = rng.random(n)
    made["y"] = rng.random(n)
    made["kind"] = rng.integers(0, 3, n)
    made["weight"] = rng.random(n)
    return made


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (points(rng, n), np.zeros(n))))
def fields_of_elements(p, out):
    for i in range(len(p)):
        out[i] = p[i]["x"] * p[i]["y"] + p[i]["kind"]
        p[i]["weight"] = out[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (points(rng, n),)))
def fields_as_views(p):
    x = p["x"]
    y = p["y"]
    kind = p["kind"]
    for i in range(len(p)):
        if kind[i] == 1:
            x[i], y[i] = y[i], x[i]
        else:
            kind[i] += 1


BODY = np.dtype([("position", np.float64, 3), ("mass", np.float64)])


def bodies(rng, n):
    made = np.zeros(n, BODY)
    made["position"] = rng.random((n, 3))
    made["mass"] = rng.random(n)
    return made


@program(
    verdicts={"i": "parallel", "k": "parallel"},
    args=each_size(lambda rng, n: (bodies(rng, n), 0.5), (100, 0, 1, 7)),
)
def fields_that_are_arrays(b, scale):
    position = b["position"]
    for i in range(len(b)):
        for k in range(3):
            position[i, k] = position[i, k] * scale + b["mass"][i]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=lambda rng: [
        (np.asfortranarray(rng.random((9, 7))), np.zeros((9, 7))),
        (rng.random((9, 7)), np.asfortranarray(np.zeros((9, 7)))),
        (rng.random((18, 21))[::2, ::-3], np.zeros((9, 7))),
        (np.broadcast_to(rng.random(7), (9, 7)), np.zeros((9, 7))),
        (np.broadcast_to(rng.random((9, 1)), (9, 7)), np.zeros((7, 9)).T),
    ],
)
def any_strides(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + 0.5


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros((n + 1, n)))),
)
def new_axis_and_views_of_views(a, out):
    lifted = a.T[:, :, np.newaxis]
    half = lifted[::2, 1:, 0]
    for i in range(half.shape[0]):
        for j in range(half.shape[1]):
            out[2 * i, j + 1] = half[i, j]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), 1), (100, 1, 7)))
def view_chosen_by_a_condition(x, ahead):
    low = x[: len(x) // 2]
    high = x[len(x) // 2 :]
    target = low if ahead > 0 else high
    for i in range(len(target)):
        target[i] = -1.0
    return target
