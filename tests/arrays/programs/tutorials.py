"""Programs as tutorials spell them: numbers that start as Python's, tuples and lists as arrays, changing types."""

import math

import numpy as np

from tests.arrays.programs.registry import program, square, vector


def _accelerations(pos, mass, softening):
    x, y = pos[:, 0:1], pos[:, 1:2]
    dx, dy = x.T - x, y.T - y
    inv_r3 = dx**2 + dy**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    return np.hstack(((dx * inv_r3) @ mass, (dy * inv_r3) @ mass))


@program(
    lambda r, n, t: (r.random((n, 2)).astype(t), r.random((n, 2)).astype(t), r.random((n, 1)).astype(t), 3),
    tolerance=1e5,
    sizes=(1, 2, 5),
)
def leapfrog_with_energies(pos, vel, mass, steps, dt=0.01):
    acc = _accelerations(pos, mass, 0.1)
    energy = np.ndarray(steps + 1, dtype=np.float64)
    energy[0] = 0.5 * np.sum(np.sum(mass * vel**2))
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = _accelerations(pos, mass, 0.1)
        vel += acc * dt / 2.0
        energy[i + 1] = 0.5 * np.sum(np.sum(mass * vel**2))
    return energy


@program(lambda r, n, t: (n, n + 2, 9), sizes=(1, 2, 7))
def mandelbrot_of_flat_arrays(xn, yn, itermax, horizon=2.0):
    xi = np.empty((xn, yn), dtype=np.int64)
    yi = np.empty((xn, yn), dtype=np.int64)
    for i in range(xn):
        xi[i, :] = i
    for j in range(yn):
        yi[:, j] = j
    c = np.linspace(-2.0, 0.5, xn)[xi] + np.linspace(-1.25, 1.25, yn)[yi] * 1j
    count = np.zeros(c.shape, dtype=np.int64)
    xi.shape = yi.shape = c.shape = xn * yn
    z = np.zeros(c.shape, np.complex128)
    for i in range(itermax):
        if not len(z):
            break
        np.multiply(z, z, z)
        np.add(z, c, z)
        gone = abs(z) > horizon
        count[xi[gone], yi[gone]] = i + 1
        np.logical_not(gone, gone)
        z, c = z[gone], c[gone]
        xi, yi = xi[gone], yi[gone]
    return count.T


@program(lambda r, n, t: (8, 2, 3, r.random(8) + 1j * r.random(8), np.zeros(8, complex)), sizes=(1,), tolerance=1e4)
def fft_of_stockham(n, radix, k, x, y):
    i, j = np.empty((radix, radix), dtype=np.uint32), np.empty((radix, radix), dtype=np.uint32)
    for a in range(radix):
        i[a, :] = a
        j[:, a] = a
    dft = np.exp(-2.0j * np.pi * i * j / radix)
    y[:] = x[:]
    for s in range(k):
        permuted = np.transpose(np.reshape(y, (radix**s, radix, radix ** (k - s - 1))), axes=(1, 0, 2))
        angles = np.arange(radix)[:, None] * np.arange(radix**s)
        factors = np.exp(-2.0j * np.pi * angles / radix ** (s + 1))
        d = np.repeat(np.reshape(factors, (radix, radix**s, 1)), radix ** (k - s - 1), axis=2)
        twisted = np.reshape(permuted, (n,)) * np.reshape(d, (n,))
        y[:] = np.reshape(dft @ np.reshape(twisted, (radix, radix ** (k - 1))), (n,))
    return np.abs(y)


@program(
    lambda r, n, t: (
        r.integers(0, 3, size=n), r.random((2, 2)).astype(t) + t(0.1), r.random((2, 3)).astype(t) + t(0.1),
        r.random(2).astype(t),
    ),
    sizes=(2, 3, 9),
)  # fmt: skip
def most_likely_states(observed, a, b, start):
    n, m = observed.shape[0], a.shape[0]
    omega = np.zeros((n, m))
    omega[0, :] = start * b[:, observed[0]]
    before = np.zeros((n - 1, m))
    for t in range(1, n):
        for j in range(m):
            probability = omega[t - 1] * a[:, j] * b[j, observed[t]]
            before[t - 1, j] = np.argmax(probability)
            omega[t, j] = np.max(probability)
    path = np.zeros(n)
    last = np.argmax(omega[n - 1, :])
    path[0] = last
    for k, i in enumerate(range(n - 2, -1, -1)):
        path[k + 1] = before[i, int(last)]
        last = before[i, int(last)]
    return np.flip(path, axis=0)


@program(
    lambda r, n, t: (r.random((n + 2, 2)).astype(t), r.random(n + 2).astype(t), 0.05, 10),
    sizes=(0, 1, 5),
    tolerance=1e4,
)
def linear_regression_with_bias(x, y, rate, epochs):
    n_samples, n_features = x.shape
    w = np.zeros(n_features)
    b = 0
    losses = np.empty(epochs)
    for e in range(epochs):
        predicted = np.dot(x, w) + b
        dw = (1 / n_samples) * np.dot(x.T, (predicted - y))
        db = (1 / n_samples) * np.sum(predicted - y)
        w -= rate * dw
        b -= rate * db
        losses[e] = np.mean((y - predicted) ** 2)
    return w, losses


@program(lambda r, n, t: (r.random((n + 1, 4)).astype(t), r.integers(0, 3, n + 1)), sizes=(0, 1, 6), tolerance=1e4)
def softmax_regression(x, labels):
    n, d = x.shape
    onehot = np.zeros((n, 3))
    onehot[np.arange(n), labels] = 1
    w = np.zeros((d, 3))
    loss = 0.0
    for _ in range(5):
        scores = x.dot(w)
        scores -= np.max(scores, axis=1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(axis=1)[:, None]
        loss = -np.log(p[range(n), labels]).mean()
        w -= 0.1 * x.T.dot(p - onehot) / n
    return w, loss


@program(lambda r, n, t: (r.random((n + 3, 2)).astype(t), 3, 4), sizes=(0, 1, 7), tolerance=1e4)
def k_means_with_lists(x, k, iterations):
    centers = x[:k]
    labels = np.zeros(len(x), dtype=int)
    for _ in range(iterations):
        labels = np.argmin(np.linalg.norm(x[:, None] - centers[None], axis=-1), axis=1)
        centers = np.array([x[labels == i].mean(axis=0) if np.any(labels == i) else centers[i] for i in range(k)])
    return centers, labels


@program(lambda r, n, t: (np.array([0.1, 0.0], t), 0.05, n), sizes=(0, 1, 9))
def pendulum(y, dt, n):
    states = np.zeros((n + 1, *y.shape))
    states[0, :] = y
    angle, speed = y
    for k in range(n):
        speed = speed - dt * np.sin(angle)
        angle = angle + dt * speed
        states[k + 1] = angle, speed
    return states


@program(lambda r, n, t: (r.random((n + 2, n + 2)).astype(t), 2), sizes=(0, 1, 5), tolerance=1e4)
def deviation_of_patches(a, k):
    h, w = a.shape
    out = np.zeros((h - k + 1, w - k + 1))
    for (i, j), _ in np.ndenumerate(out):
        patch = a[i : i + k, j : j + k]
        out[i, j] = (patch - patch.mean()).std()
    for i, j in np.ndindex(out.shape):
        out[i, j] += i - j
    return out


@program(vector, sizes=(1, 2, 9))
def alternating_series(x):
    s = np.zeros_like(x)
    for k in range(8):
        s += (-1) ** k * x ** (2 * k + 1) / math.factorial(2 * k + 1)
    return s


@program(square, sizes=(1, 3, 6))
def trace_beside_an_array(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


@program(lambda r, n, t: (r.integers(0, 9, (n + 2, n + 2)), 4), sizes=(0, 1, 5), tolerance=1e4)
def unit_vector_by_powers(a, steps):
    v = np.ones(a.shape[1], dtype=int)
    shift = None
    change = 0.0
    for _ in range(steps):
        new = a @ v + v
        new = new / np.linalg.norm(new)
        if shift is not None:
            change = np.abs(new - v).max()
        shift = new - v
        v = new
    return v, change


@program(vector, sizes=(1, 2, 9))
def gamma_table(x):
    table = np.array([((i / 255.0) ** 0.5) * 255 for i in range(256)]).astype(np.uint8)
    return table[np.clip(x * 100, 0, 255).astype(int)]
