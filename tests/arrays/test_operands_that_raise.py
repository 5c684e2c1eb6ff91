"""An operand that raises does so before the function that takes it complains of shapes, and in the order of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft

EXPRESSIONS = (
    lambda t, o, x: t[o] @ x,
    lambda t, o, x: x @ t[o],
    lambda t, o, x: t[o[:, None], o] @ x,
    lambda t, o, x: t[o] @ t[:2, o + 7],
    lambda t, o, x: t[:2, o] @ t[o],
    lambda t, o, x: t[o] @ (x + x[:2]),
    lambda t, o, x: (x + x[:2]) @ t[o],
    lambda t, o, x: t[None, o] @ t[None, :3],
    lambda t, o, x: (t[o] + 1.0) @ x,
    lambda t, o, x: np.matmul(t[o], x, out=np.zeros(7)),
    lambda t, o, x: np.dot(t[o], x),
    lambda t, o, x: t[o].dot(x),
    lambda t, o, x: np.dot(t[o], t[:, o + 2]),
    lambda t, o, x: np.inner(t[o], t[:, :3]),
    lambda t, o, x: np.inner(t[o], t[:, o + 2]),
    lambda t, o, x: np.vdot(t[o], x),
    lambda t, o, x: np.outer(t[o], x)[:, 99],
    lambda t, o, x: np.tensordot(t[o], x, 1),
    lambda t, o, x: np.einsum("ij,j->i", t[o], x),
    lambda t, o, x: np.linalg.solve(t[o], x),
    lambda t, o, x: np.concatenate((t[o], t[:2, :3])),
    lambda t, o, x: np.concatenate((t, t[:, :3], t[o])),
    lambda t, o, x: np.concatenate((t[o], t[:, :3] + x[:2])),
    lambda t, o, x: np.append(t[o], t[:, :3], axis=0),
    lambda t, o, x: np.stack((t[o], t)),
    lambda t, o, x: np.stack((t, t, t[o]), axis=1),
    lambda t, o, x: np.vstack((t[o], t[:, :3])),
    lambda t, o, x: np.hstack((t[o], t)),
    lambda t, o, x: np.column_stack((t[o], t)),
    lambda t, o, x: t[o].reshape(5, 7),
    lambda t, o, x: t[o].reshape(-1, 3),
    lambda t, o, x: t[o].reshape(x.shape),
    lambda t, o, x: (t[o] + 1.0).reshape(5),
    lambda t, o, x: np.reshape(t[o], (5, 7)),
    lambda t, o, x: t[o].squeeze(0),
    lambda t, o, x: t[o][x > 0],
    lambda t, o, x: t[o][:0].max(),
    lambda t, o, x: np.broadcast_to(t[o], (7, 9)),
    lambda t, o, x: np.where(t[o] > 0, x, x[:2]),
    lambda t, o, x: np.clip(t[o], x, x[:2]),
    lambda t, o, x: t[o] + (x + x[:2]),
    lambda t, o, x: (x + x[:2]) + t[o],
    lambda t, o, x: np.add(t[o], x + x[:2]),
)
POSITIONS = {"outside": [0, 9], "inside": [0, 1], "none": []}


def outcome(function, positions):
    table, x = np.arange(16.0).reshape(4, 4) + 2 * np.eye(4), np.arange(3.0)
    try:
        result = function(table, np.array(positions, dtype=np.int64), x)
    except Exception as error:
        return type(error).__name__
    return np.asarray(result).tolist()


@pytest.mark.parametrize("device", ("interpreter", "cpu"))
@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
def test_the_exception_is_numpys(number, device):
    function = EXPRESSIONS[number]
    compiled = weft.jit(function, device=device)
    for positions in POSITIONS.values():
        assert outcome(compiled, positions) == outcome(function, positions)


@pytest.mark.parametrize("number", (0, 3, 20, 29))
def test_on_opencl(number):
    function = EXPRESSIONS[number]
    assert outcome(weft.jit(function, device="opencl"), POSITIONS["outside"]) == "IndexError"
