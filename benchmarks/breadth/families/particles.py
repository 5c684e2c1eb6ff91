"""Particles: all pairs, cell lists, neighbour lists, fields on grids."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.breadth.program import Answer, Program


def gravity(x, mass, a):
    n = x.shape[0]
    for i in range(n):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(n):
            dx = x[j, 0] - x[i, 0]
            dy = x[j, 1] - x[i, 1]
            dz = x[j, 2] - x[i, 2]
            inverse = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz + 0.01)
            force = mass[j] * inverse * inverse * inverse
            ax += force * dx
            ay += force * dy
            az += force * dz
        a[i, 0] = ax
        a[i, 1] = ay
        a[i, 2] = az


def gravity_axes_as_loop(x, mass, a):
    n = x.shape[0]
    for i in range(n):
        for c in range(3):
            a[i, c] = 0.0
        for j in range(n):
            square = 0.01
            for c in range(3):
                square += (x[j, c] - x[i, c]) ** 2
            force = mass[j] / (square * math.sqrt(square))
            for c in range(3):
                a[i, c] += force * (x[j, c] - x[i, c])


def potential(x, y):
    n = len(x)
    total = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            total += 1.0 / math.sqrt(dx * dx + dy * dy + 0.0001)
    return total


def potential_by_test(x, y):
    n = len(x)
    total = 0.0
    for i in range(n):
        row = 0.0
        for j in range(n):
            if j > i:
                row += 1.0 / np.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 + 0.0001)
        total += row
    return total


def cells(x, y, start, force, side):
    k = int(math.sqrt(len(start) - 1))
    for c in range(k * k):
        a = c // k
        b = c % k
        for i in range(start[c], start[c + 1]):
            total = 0.0
            for da in range(max(a - 1, 0), min(a + 2, k)):
                for db in range(max(b - 1, 0), min(b + 2, k)):
                    d = da * k + db
                    for j in range(start[d], start[d + 1]):
                        dx = x[i] - x[j]
                        dy = y[i] - y[j]
                        square = dx * dx + dy * dy
                        if square < side * side and j != i:
                            total += side * side - square
            force[i] = total


def cells_two_loops(x, y, start, force, side):
    k = int(math.sqrt(len(start) - 1))
    limit = side * side
    for a in range(k):
        for b in range(k):
            for i in range(start[a * k + b], start[a * k + b + 1]):
                force[i] = 0.0
                for p in range(9):
                    da = a + p // 3 - 1
                    db = b + p % 3 - 1
                    if da < 0 or da >= k or db < 0 or db >= k:
                        continue
                    for j in range(start[da * k + db], start[da * k + db + 1]):
                        square = (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j])
                        if j != i and square < limit:
                            force[i] += limit - square


def neighbours(x, table, counts, force):
    for i in range(x.shape[0]):
        fx = 0.0
        fy = 0.0
        fz = 0.0
        for k in range(counts[i]):
            j = table[i, k]
            dx = x[i, 0] - x[j, 0]
            dy = x[i, 1] - x[j, 1]
            dz = x[i, 2] - x[j, 2]
            r2 = 1.0 / (dx * dx + dy * dy + dz * dz + 0.5)
            r6 = r2 * r2 * r2
            scale = r6 * (r6 - 0.5) * r2
            fx += scale * dx
            fy += scale * dy
            fz += scale * dz
        force[i, 0] = fx
        force[i, 1] = fy
        force[i, 2] = fz


def neighbours_in_place(x, table, counts, force):
    for i in range(x.shape[0]):
        force[i] = 0.0
        for k in range(counts[i]):
            d = x[i] - x[table[i, k]]
            r2 = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.5)
            r6 = r2 * r2 * r2
            scale = r6 * (r6 - 0.5) * r2
            for c in range(3):
                force[i, c] += scale * d[c]


def push(x, v, field, dt):
    n = field.shape[0]
    for i in range(len(x)):
        cell = int(x[i])
        w = x[i] - cell
        f = (1.0 - w) * field[cell] + w * field[(cell + 1) % n]
        v[i] += dt * f
        x[i] += dt * v[i]
        if x[i] < 0.0:
            x[i] += n
        if x[i] >= n:
            x[i] -= n


def push_by_choice(x, v, field, dt):
    n = len(field)
    for i in range(len(x)):
        cell = int(x[i])
        right = cell + 1 if cell + 1 < n else 0
        w = x[i] - cell
        speed = v[i] + dt * ((1.0 - w) * field[cell] + w * field[right])
        place = x[i] + dt * speed
        if place < 0.0:
            place += n
        if place >= n:
            place -= n
        v[i] = speed
        x[i] = place


def verlet(x, v, steps, dt):
    for i in range(x.shape[0]):
        for t in range(steps):
            r = np.sqrt(x[i, 0] * x[i, 0] + x[i, 1] * x[i, 1])
            pull = -1.0 / (r * r * r + 0.5)
            v[i, 0] += dt * pull * x[i, 0]
            v[i, 1] += dt * pull * x[i, 1]
            x[i, 0] += dt * v[i, 0]
            x[i, 1] += dt * v[i, 1]


def verlet_time_outside(x, v, steps, dt):
    for t in range(steps):
        for i in range(x.shape[0]):
            a = x[i, 0]
            b = x[i, 1]
            r = math.sqrt(a * a + b * b)
            pull = -1.0 / (r * r * r + 0.5)
            v[i, 0] += dt * pull * a
            v[i, 1] += dt * pull * b
            x[i, 0] = a + dt * v[i, 0]
            x[i, 1] = b + dt * v[i, 1]


def cell_numbers(x, y, cell, counts, k):
    for i in range(len(x)):
        a = min(int(x[i] * k), k - 1)
        b = min(int(y[i] * k), k - 1)
        cell[i] = a * k + b
        counts[cell[i]] += 1


def cell_numbers_two_loops(x, y, cell, counts, k):
    for i in range(len(x)):
        a = int(x[i] * k)
        b = int(y[i] * k)
        if a >= k:
            a = k - 1
        if b >= k:
            b = k - 1
        cell[i] = k * a + b
    for i in range(len(x)):
        counts[cell[i]] += 1


def grid_to_particles(grid, x, y, out):
    for i in range(len(x)):
        a = int(x[i])
        b = int(y[i])
        u = x[i] - a
        v = y[i] - b
        top = (1.0 - v) * grid[a, b] + v * grid[a, b + 1]
        bottom = (1.0 - v) * grid[a + 1, b] + v * grid[a + 1, b + 1]
        out[i] = (1.0 - u) * top + u * bottom


def grid_to_particles_loops(grid, x, y, out):
    for i in range(len(x)):
        a = int(x[i])
        b = int(y[i])
        total = 0.0
        for s in range(2):
            for t in range(2):
                wx = x[i] - a if s == 1 else 1.0 - (x[i] - a)
                wy = y[i] - b if t == 1 else 1.0 - (y[i] - b)
                total += wx * wy * grid[a + s, b + t]
        out[i] = total


def sorted_points(m, n, k):
    x, y = m.random(n), m.random(n)
    cell = np.minimum((x * k).astype(int), k - 1) * k + np.minimum((y * k).astype(int), k - 1)
    order = np.argsort(cell, kind="stable")
    start = np.searchsorted(cell[order], np.arange(k * k + 1))
    return x[order], y[order], start, m.zeros(n), 1.0 / k


def neighbour_lists(m, n, k):
    return m.random(n, 3), m.below(n, n, k), m.below(k + 1, n), m.zeros(n, 3)


MATH = Answer.MATH
PAIRS = (12, 500, 4000, 65536)

PROGRAMS = (
    Program("gravity", (gravity, gravity_axes_as_loop), lambda m, n: (m.random(n, 3), m.random(n), m.zeros(n, 3)),
            PAIRS, lambda n, b: 7 * n * b, lambda n: 20 * n * n, answer=MATH),
    Program("potential", (potential, potential_by_test), lambda m, n: (m.random(n), m.random(n)), PAIRS,
            lambda n, b: 2 * n * b, lambda n: 4 * n * n, answer=MATH),
    Program("cell_forces", (cells, cells_two_loops), sorted_points, ((40, 3), (2000, 10), (10**5, 100), (10**7, 1000)),
            lambda n, k, b: 3 * n * b + 8 * k * k, lambda n, k: 72 * n * n / (k * k), parallel=("c",), answer=MATH,
            outputs=(3,)),
    Program("neighbour_forces", (neighbours, neighbours_in_place), neighbour_lists,
            ((9, 4), (1000, 16), (100_000, 24), (4 * 10**6, 64)), lambda n, k, b: 4 * n * k + 6 * n * b,
            lambda n, k: 11 * n * k, answer=MATH),
    Program("push", (push, push_by_choice), lambda m, n, k: (m.random(n) * k, m.signed(n), m.signed(k), 0.125),
            ((40, 6), (10**4, 100), (4 * 10**6, 1000), (10**8, 10**4)), lambda n, k, b: 4 * n * b, lambda n, k: 10 * n,
            outputs=(0, 1)),
    Program("orbits", (verlet, verlet_time_outside), lambda m, n, t: (m.above(0.5, n, 2), m.signed(n, 2), t, 0.01),
            ((12, 5), (1000, 20), (100_000, 40), (10**7, 100)), lambda n, t, b: 8 * n * b, lambda n, t: 17 * n * t,
            answer=MATH, outputs=(0, 1)),
    Program("cell_numbers", (cell_numbers, cell_numbers_two_loops),
            lambda m, n, k: (m.random(n), m.random(n), m.below(1, n), m.below(1, k * k), k),
            ((40, 3), (10**4, 16), (4 * 10**6, 64), (10**8, 256)), lambda n, k, b: n * (2 * b + 8),
            lambda n, k: 6 * n, parallel=(), outputs=(2, 3)),
    Program("grid_to_particles", (grid_to_particles, grid_to_particles_loops),
            lambda m, n, k: (m.random(k, k), m.random(n) * (k - 2), m.random(n) * (k - 2), m.zeros(n)),
            ((30, 6), (10**4, 64), (2 * 10**6, 512), (10**8, 4096)), lambda n, k, b: (3 * n + k * k) * b,
            lambda n, k: 14 * n, answer=MATH),
)  # fmt: skip
