"""Random walks and Monte Carlo, with a generator in the loop."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.breadth.program import Answer, Program


def step(state):
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    return state


def pi(seeds, tries):
    hits = 0
    for i in range(len(seeds)):
        state = seeds[i]
        for t in range(tries):
            state = step(state)
            x = (state >> np.uint64(11)) * (1.0 / 9007199254740992.0)
            state = step(state)
            y = (state >> np.uint64(11)) * (1.0 / 9007199254740992.0)
            if x * x + y * y < 1.0:
                hits += 1
    return hits


def pi_written_out(seeds, tries):
    hits = 0
    for i in range(len(seeds)):
        s = seeds[i]
        inside = 0
        for t in range(tries):
            s ^= s << np.uint64(13)
            s ^= s >> np.uint64(7)
            s ^= s << np.uint64(17)
            x = (s >> np.uint64(11)) / 9007199254740992.0
            s ^= s << np.uint64(13)
            s ^= s >> np.uint64(7)
            s ^= s << np.uint64(17)
            y = (s >> np.uint64(11)) / 9007199254740992.0
            inside += 1 if x * x + y * y < 1.0 else 0
        hits += inside
    return hits


def walks(seeds, places, steps):
    for i in range(len(seeds)):
        state = seeds[i]
        x = 0
        for t in range(steps):
            state = step(state)
            if state & np.uint64(1) == 1:
                x += 1
            else:
                x -= 1
        places[i] = x


def walks_by_bits(seeds, places, steps):
    for i in range(len(seeds)):
        state = seeds[i]
        x = 0
        for t in range(steps):
            state = step(state)
            x += 2 * int(state & np.uint64(1)) - 1
        places[i] = x


def graph_walks(starts, targets, seeds, visits, steps):
    for i in range(len(seeds)):
        node = i % (len(starts) - 1)
        state = seeds[i]
        for t in range(steps):
            degree = starts[node + 1] - starts[node]
            if degree == 0:
                break
            state = (state * 1103515245 + 12345) % 2147483648
            node = targets[starts[node] + state % degree]
            visits[node] += 1


def graph_walks_guarded(starts, targets, seeds, visits, steps):
    nodes = len(starts) - 1
    for i in range(len(seeds)):
        node = i % nodes
        state = seeds[i]
        t = 0
        while t < steps and starts[node + 1] > starts[node]:
            state = (state * 1103515245 + 12345) & 2147483647
            node = targets[starts[node] + state % (starts[node + 1] - starts[node])]
            visits[node] += 1
            t += 1


def option(normal, spot, strike, rate, sigma):
    total = 0.0
    for i in range(normal.shape[0]):
        price = spot
        mean = 0.0
        for t in range(normal.shape[1]):
            price *= math.exp(rate + sigma * normal[i, t])
            mean += price
        total += max(mean / normal.shape[1] - strike, 0.0)
    return total / normal.shape[0]


def option_logarithm(normal, spot, strike, rate, sigma):
    total = 0.0
    days = normal.shape[1]
    for i in range(normal.shape[0]):
        log = 0.0
        mean = 0.0
        for t in range(days):
            log += rate + sigma * normal[i, t]
            mean += spot * np.exp(log)
        payoff = mean / days - strike
        if payoff > 0.0:
            total += payoff
    return total / normal.shape[0]


def ising(spins, chance, table, colour):
    n, m = spins.shape
    for i in range(n):
        for j in range(m):
            if (i + j) % 2 == colour:
                around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
                if chance[i, j] < table[spins[i, j] * around + 4]:
                    spins[i, j] = -spins[i, j]


def ising_by_steps(spins, chance, table, colour):
    n, m = spins.shape
    for i in range(n):
        up = i + 1 if i + 1 < n else 0
        down = i - 1 if i > 0 else n - 1
        for j in range((i + colour) % 2, m, 2):
            right = j + 1 if j + 1 < m else 0
            left = j - 1 if j > 0 else m - 1
            around = spins[up, j] + spins[down, j] + spins[i, right] + spins[i, left]
            if chance[i, j] < table[4 + spins[i, j] * around]:
                spins[i, j] *= -1


def photons(depth, cosines, counts, width):
    for i in range(depth.shape[0]):
        z = 0.0
        alive = True
        for k in range(depth.shape[1]):
            if alive:
                z += depth[i, k] * cosines[i, k]
                if z < 0.0:
                    counts[0] += 1
                    alive = False
                elif z > width:
                    counts[1] += 1
                    alive = False
        if alive:
            counts[2] += 1


def photons_with_break(depth, cosines, counts, width):
    for i in range(depth.shape[0]):
        z = 0.0
        end = 2
        for k in range(depth.shape[1]):
            z += depth[i, k] * cosines[i, k]
            if z < 0.0:
                end = 0
                break
            if z > width:
                end = 1
                break
        counts[end] += 1


def bootstrap(x, picks, means):
    for i in range(picks.shape[0]):
        total = 0.0
        for j in range(picks.shape[1]):
            total += x[picks[i, j]]
        means[i] = total / picks.shape[1]


def bootstrap_flat(x, picks, means):
    m = picks.shape[1]
    means[:] = 0.0
    for p in range(picks.shape[0] * m):
        means[p // m] += x[picks[p // m, p % m]]
    for i in range(picks.shape[0]):
        means[i] /= m


def box_muller(u, out):
    half = len(out) // 2
    for i in range(half):
        r = math.sqrt(-2.0 * math.log(u[2 * i]))
        angle = 6.283185307179586 * u[2 * i + 1]
        out[2 * i] = r * math.cos(angle)
        out[2 * i + 1] = r * math.sin(angle)


def box_muller_views(u, out):
    first = u[::2]
    second = u[1::2]
    for i in range(len(first)):
        r = np.sqrt(-2.0 * np.log(first[i]))
        out[2 * i] = r * np.cos(6.283185307179586 * second[i])
        out[2 * i + 1] = r * np.sin(6.283185307179586 * second[i])


def seeds(m, n):
    return 1 + m.below(1 << 62, n, dtype="uint64")


def magnet(m, n):
    return 2 * m.below(2, n, n) - 1, m.random(n, n), m.random(9), 1


def edges(m, n, k, walkers, steps):
    starts = np.zeros(n + 1, np.int64)
    starts[1:] = np.cumsum(m.below(2 * k, n))
    return starts, m.below(n, starts[-1]), m.below(1 << 30, walkers), m.below(1, n), steps


WHOLE = ("float64",)
WALKS = ((9, 20), (1000, 100), (50000, 200), (4 * 10**6, 1000))

PROGRAMS = (
    Program("pi", (pi, pi_written_out), lambda m, n, t: (seeds(m, n), t), WALKS, lambda n, t, b: 8 * n,
            lambda n, t: 20 * n * t, dtypes=WHOLE),
    Program("walks", (walks, walks_by_bits), lambda m, n, t: (seeds(m, n), m.below(1, n), t), WALKS,
            lambda n, t, b: 16 * n, lambda n, t: 8 * n * t, dtypes=WHOLE, outputs=(1,)),
    Program("graph_walks", (graph_walks, graph_walks_guarded), edges,
            ((9, 3, 12, 5), (1000, 4, 1000, 10), (10**5, 8, 10**5, 20), (10**7, 8, 10**7, 20)),
            lambda n, k, w, t, b: 8 * w + 16 * n, lambda n, k, w, t: 6 * w * t, parallel=(), dtypes=WHOLE,
            outputs=(3,)),
    Program("option", (option, option_logarithm), lambda m, n, t: (m.signed(n, t), 1.0, 1.0, 0.001, 0.02),
            ((9, 6), (1000, 50), (40000, 100), (10**6, 256)), lambda n, t, b: n * t * b, lambda n, t: 16 * n * t,
            answer=Answer.MATH),
    Program("ising", (ising, ising_by_steps), magnet, (8, 200, 2000, 12000), lambda n, b: n * n * (b / 2 + 12),
            lambda n: 4 * n * n, outputs=(0,), restore=True),
    Program("photons", (photons, photons_with_break),
            lambda m, n, k: (m.random(n, k), m.signed(n, k), m.below(1, 3), 1.0),
            ((12, 8), (1000, 20), (200_000, 20), (10**7, 32)), lambda n, k, b: n * k * b, lambda n, k: 3 * n * k,
            parallel=(), answer=Answer.SUMS, outputs=(2,)),
    Program("bootstrap", (bootstrap, bootstrap_flat),
            lambda m, n, k: (m.random(k), m.below(k, n, k), m.zeros(n)),
            ((6, 9), (100, 500), (1000, 4000), (10**4, 30000)), lambda n, k, b: 8 * n * k, lambda n, k: n * k,
            answer=Answer.MATH),
    Program("box_muller", (box_muller, box_muller_views), lambda m, n: (m.above(0.125, 2 * n) * 0.5, m.zeros(2 * n)),
            (20, 10**4, 10**6, 10**8), lambda n, b: 4 * n * b, lambda n: 60 * n, answer=Answer.MATH),
)  # fmt: skip
