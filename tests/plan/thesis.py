"""The programs that a plan for transfers is judged by: matrix series, n-body, embossing, and time steps."""

import numpy as np


def fill(x, seed):
    state = seed
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            state = (state * 5 + 3) % 1021
            x[i, j] = state * 0.001


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s = (s + x[i, j]) * x[j, i]
    return s


def series(size, rounds):
    """E = AB, F = CD, G = EF, whose elements the host sums up, in every round from new A, B, C and D."""
    a = np.empty((size, size))
    b = np.empty((size, size))
    c = np.empty((size, size))
    d = np.empty((size, size))
    e = np.empty((size, size))
    f = np.empty((size, size))
    g = np.empty((size, size))
    result = 0.0
    for t in range(rounds):
        fill(a, t)
        fill(b, t + 1)
        fill(c, t + 2)
        fill(d, t + 3)
        product(a, b, e)
        product(c, d, f)
        product(e, f, g)
        result = result * 0.5 + total(e) + total(f) + total(g)
    return result


def bodies(position, velocity, mass, steps):
    """Forces and motion of bodies; the forces exist on the device only."""
    force = np.empty((len(mass), 2))
    for t in range(steps):
        for i in range(len(mass)):
            fx = 0.0
            fy = 0.0
            for j in range(len(mass)):
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                pull = mass[j] / (dx * dx + dy * dy + 0.01)
                fx += pull * dx
                fy += pull * dy
            force[i, 0] = fx
            force[i, 1] = fy
        for i in range(len(mass)):
            for k in range(2):
                velocity[i, k] += 0.01 * force[i, k]
                position[i, k] += 0.01 * velocity[i, k]


def emboss(size, images):
    """Every image is read by the host, filtered by the device, and written by the host."""
    image = np.empty((size, size))
    filtered = np.empty((size, size))
    written = 0.0
    for k in range(images):
        fill(image, k)
        for i in range(size):
            for j in range(size):
                if 0 < i and i < size - 1 and 0 < j and j < size - 1:
                    filtered[i, j] = 0.5 + image[i + 1, j + 1] - image[i - 1, j - 1]
                else:
                    filtered[i, j] = 0.5
        written = written * 0.5 + total(filtered)
    return written


def jacobi(u, v, steps):
    """Time steps between two arrays that change places."""
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u
