"""Scalars that loops of the host read from a GPU in every iteration: kernels write them to memory of the host."""

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.gpu


def until_converged(u, v, eps, most):
    err, k = eps + 1.0, 0
    while err > eps and k < most:
        for i in range(1, u.shape[0] - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        err = 0.0
        for i in range(u.shape[0]):
            err = max(err, abs(u[i] - v[i]))
        u, v = v, u
        k += 1
    return k, err


def several(x, n):
    total, most, count = 0, -1, 0
    for t in range(n):
        for i in range(x.shape[0]):
            x[i] = (x[i] * 5 + t) % 1009
        s, m = 0, -1
        for i in range(x.shape[0]):
            s += x[i]
            m = max(m, x[i])
        total += s
        most = max(most, m)
        if s % 2 == 0:
            count += 1
    return total, most, count


@pytest.mark.parametrize("size", [3, 100, 1 << 14, (1 << 21) + 5])
@pytest.mark.parametrize("make", [np.copy, weft.array])
def test_a_loop_until_convergence(size, make):
    x = np.random.default_rng(size).random(size)
    expected = [x.copy(), x.copy()]
    given = make(x), make(x)
    answer = weft.jit(until_converged, device="cpu")(*expected, 1e-4, 40)
    assert weft.jit(until_converged, device="cuda")(*given, 1e-4, 40) == answer
    assert all((np.asarray(a) == b).all() for a, b in zip(given, expected, strict=True))


@pytest.mark.parametrize("size", [1, 1000, (1 << 20) + 1, 5 << 20])
def test_integers_are_exact(size):
    x = np.random.default_rng(size).integers(0, 1000, size)
    expected = x.copy()
    given = weft.array(x)
    answer = weft.jit(several, device="cpu")(expected, 9)
    run = weft.jit(several, device="cuda")
    assert run(given, 9) == answer
    assert (np.asarray(given) == expected).all()
    answer = weft.jit(several, device="cpu")(expected, 9)
    assert run(given, 9) == answer


def test_an_exception_between_iterations_leaves_nothing_behind():
    def stops(x, n):
        s = 0.0
        for t in range(n):
            for i in range(x.shape[0]):
                x[i] = x[i] + 1.0
            s = 0.0
            for i in range(x.shape[0]):
                s += x[i]
            if s > 4.5 * x.shape[0]:
                raise ValueError("enough")
        return s

    run = weft.jit(stops, device="cuda")
    for _ in range(50):
        x = weft.array(np.zeros(1000))
        with pytest.raises(ValueError, match="enough"):
            run(x, 9)
        assert (np.asarray(x) == 5.0).all()
    assert run(weft.array(np.zeros(1000)), 3) == 3000.0
