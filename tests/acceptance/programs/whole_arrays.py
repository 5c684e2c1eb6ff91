"""Whole programs over arrays: simulation, images, learning, finance, graphs, linear algebra."""

import numpy as np

from ..inputs import signed
from ..registry import program

SUMS = 1 << 22
"""Units in the last place by which chains of sums, and functions of them, may differ in float64."""


def sizes(make, *given, dtypes=(np.float64,)):
    return lambda rng: [make(rng, size, dtype) for dtype in dtypes for size in given]


def floats(rng, dtype, *shape):
    return rng.random(shape).astype(dtype)


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (rng.integers(0, 2, (n, n)).astype(dtype), 3), 13, 0, 1, 2, dtypes=(np.int64,)),
)
def cells_that_live(cells, steps):
    for _ in range(steps):
        around = np.zeros(cells.shape, dtype=cells.dtype)
        around[1:-1, 1:-1] = (
            cells[:-2, :-2] + cells[:-2, 1:-1] + cells[:-2, 2:] + cells[1:-1, :-2]
            + cells[1:-1, 2:] + cells[2:, :-2] + cells[2:, 1:-1] + cells[2:, 2:]
        )  # fmt: skip
        born = (around == 3) & (cells == 0)
        stays = ((around == 2) | (around == 3)) & (cells == 1)
        cells[...] = 0
        cells[born | stays] = 1


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, n), floats(rng, dtype, n, n), 4), 13, 2, 3,
               dtypes=(np.float64, np.float32)),
    tolerance=64,
)  # fmt: skip
def two_substances(u, v, steps):
    inner_u, inner_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
    for _ in range(steps):
        spread_u = u[:-2, 1:-1] + u[1:-1, :-2] - 4 * inner_u + u[1:-1, 2:] + u[2:, 1:-1]
        spread_v = v[:-2, 1:-1] + v[1:-1, :-2] - 4 * inner_v + v[1:-1, 2:] + v[2:, 1:-1]
        reaction = inner_u * inner_v * inner_v
        inner_u += 0.16 * spread_u - reaction + 0.035 * (1 - inner_u)
        inner_v += 0.08 * spread_v + reaction - 0.1 * inner_v


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, n),), 9, 1, 2, dtypes=(np.float64, np.float32)),
    tolerance=64,
)
def corners(image):
    across = image[1:, 1:] - image[:-1, 1:]
    down = image[1:, 1:] - image[1:, :-1]
    a, b, c = across * across, down * down, across * down
    trace = a + b
    return a * b - c * c - 0.05 * trace * trace


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, 3), floats(rng, dtype, n, 3), 3), 11, 1, 2),
    tolerance=SUMS,
)
def bodies(position, velocity, steps):
    for _ in range(steps):
        apart = position[None, :, :] - position[:, None, :]
        cube = ((apart**2).sum(axis=2) + 0.01) ** -1.5
        velocity += 0.01 * (apart * cube[:, :, None]).sum(axis=1)
        position += 0.01 * velocity
    return 0.5 * np.sum(velocity**2)


@program(
    verdicts={"_": "sequential", "k": ("sequential", "parallel", "checked")},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, 2), 3), 17, 3, 5),
    tolerance=SUMS,
)
def clusters(points, count):
    centres = points[:count].copy()
    nearest = np.zeros(len(points), dtype=np.int64)
    for _ in range(4):
        nearest = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        for k in range(count):
            members = points[nearest == k]
            if len(members) > 0:
                centres[k] = members.mean(axis=0)
    return centres, nearest


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (signed(rng, n, 4), floats(rng, dtype, n), np.zeros(4)), 15, 1, 2),
    tolerance=SUMS,
)
def fitted_by_steps(x, y, weights):
    offset = 0.0
    for _ in range(6):
        chance = 1 / (1 + np.exp(-(x @ weights + offset)))
        error = chance - y
        weights -= 0.1 * (x.T @ error) / len(y)
        offset -= 0.1 * error.mean()
    return offset


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (signed(rng, n, 6), rng.integers(0, 4, n), signed(rng, 6, 4)), 15, 1, 2),
    tolerance=SUMS,
)
def loss_of_classes(x, labels, weights):
    scores = x @ weights
    scores -= scores.max(axis=1, keepdims=True)
    chance = np.exp(scores)
    chance /= chance.sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.log(chance[rows, labels]).mean()
    chance[rows, labels] -= 1
    return loss, x.T @ chance / len(labels)


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (signed(rng, n, 5), 1e-5), 15, 1, 2),
    tolerance=SUMS,
)
def normalised_columns(x, small):
    centred = x - x.mean(axis=0)
    scaled = centred / np.sqrt(x.var(axis=0) + small)
    return 2 * scaled + 1, scaled.max(axis=1), np.abs(scaled).sum()


@program(
    verdicts={"i": "sequential"},
    args=sizes(lambda rng, n, dtype: (100.0, 95.0, 0.03, 0.2, n), 12, 1, 2, 33),
    tolerance=SUMS,
)
def right_to_sell(spot, strike, rate, spread, steps):
    dt = 1.0 / steps
    up = np.exp(spread * np.sqrt(dt))
    chance = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    values = np.maximum(strike - spot * up ** (2.0 * np.arange(steps + 1) - steps), 0)
    for i in range(steps - 1, -1, -1):
        values = np.exp(-rate * dt) * (chance * values[1:] + (1 - chance) * values[:-1])
        values = np.maximum(values, strike - spot * up ** (2.0 * np.arange(i + 1) - i))
    return values[0]


@program(
    verdicts={"k": "sequential"},
    args=sizes(lambda rng, n, dtype: (rng.random((n, n)) < 0.2,), 11, 0, 1, 3),
)
def reachable_places(edges):
    reach = edges.copy()
    for k in range(len(edges)):
        reach |= np.outer(reach[:, k], reach[k])
    return reach, reach.sum(axis=1)


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (np.where(rng.random((n, n)) < 0.4, rng.random((n, n)), np.inf),), 11, 1, 3),
)
def shortest_ways(weights):
    count = weights.shape[0]
    distance = np.full(count, np.inf)
    distance[0] = 0
    visited = np.zeros(count, dtype=bool)
    for _ in range(count):
        u = np.argmin(np.where(visited, np.inf, distance))
        if np.isinf(distance[u]):
            break
        visited[u] = True
        through = distance[u] + weights[u]
        better = (through < distance) & ~visited
        distance[better] = through[better]
    return distance


@program(
    verdicts={"k": "sequential"},
    args=sizes(lambda rng, n, dtype: (rng.random((n, n)) + n * np.eye(n), rng.random(n)), 11, 1, 2),
    tolerance=SUMS,
)
def eliminated(a, b):
    n = len(b)
    for k in range(n):
        best = k + np.argmax(np.abs(a[k:, k]))
        if best != k:
            a[[k, best]] = a[[best, k]]
            b[[k, best]] = b[[best, k]]
        factors = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k:] -= factors[:, None] * a[k, k:]
        b[k + 1 :] -= factors * b[k]
    x = np.zeros(n)
    for k in range(n - 1, -1, -1):
        x[k] = (b[k] - a[k, k + 1 :] @ x[k + 1 :]) / a[k, k]
    return x


@program(
    verdicts={"_": ("sequential", "search")},
    args=sizes(lambda rng, n, dtype: (np.eye(n) * n + 0.5, rng.random(n)), 11, 1, 2),
    tolerance=SUMS,
)
def conjugate_directions(a, b):
    x = np.zeros(len(b))
    r = b - a @ x
    p = r.copy()
    old = r @ r
    for _ in range(2):
        step = a @ p
        alpha = old / (p @ step)
        x += alpha * p
        r -= alpha * step
        new = r @ r
        if np.sqrt(new) < 1e-6:
            break
        p = r + (new / old) * p
        old = new
    return x


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (rng.random((n, n)) + 0.1,), 11, 1, 3),
    tolerance=SUMS,
)
def ranks_of_pages(links):
    links = links / links.sum(axis=0)
    count = links.shape[1]
    rank = np.ones(count) / count
    for _ in range(20):
        rank = 0.85 * (links @ rank) + 0.15 / count
    return rank


@program(
    verdicts={"n": "sequential"},
    args=sizes(lambda rng, n, dtype: (n, 9), 13, 1, 2),
    tolerance=64,
)
def set_of_mandelbrot(width, most):
    c = np.linspace(-1.75, 0.25, width) + np.linspace(-1.0, 1.0, width)[:, None] * 1j
    count = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    for n in range(most):
        inside = np.abs(z) < 2.0
        count[inside] = n
        z[inside] = z[inside] ** 2 + c[inside]
    return count


@program(
    verdicts={"j": ("sequential", "parallel", "checked")},
    args=sizes(lambda rng, n, dtype: (n,), 100, 2, 3, 30),
)
def primes_below(limit):
    prime = np.ones(limit, dtype=bool)
    prime[:2] = False
    for j in range(2, int(limit**0.5) + 1):
        if prime[j]:
            prime[j * j :: j] = False
    return np.nonzero(prime)[0]


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, n, 3),), 9, 1, 2),
    tolerance=SUMS,
)
def colours(image):
    grey = np.dot(image[..., :3], [0.299, 0.587, 0.114])
    brown = np.clip(image @ np.array([[0.39, 0.35, 0.27], [0.77, 0.69, 0.53], [0.19, 0.17, 0.13]]), 0, 1)
    return grey, brown, image[::-1, ::-1, ::-1], (grey > grey.mean()).sum()


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, n), floats(rng, dtype, n, n)), 9, 2, 3),
    tolerance=SUMS,
)
def waves(height, before):
    for _ in range(4):
        after = np.zeros_like(height)
        bend = height[:-2, 1:-1] + height[2:, 1:-1] + height[1:-1, :-2] + height[1:-1, 2:] - 4 * height[1:-1, 1:-1]
        after[1:-1, 1:-1] = 2 * height[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.04 * bend
        before, height = height, after
    return height


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (signed(rng, n),), 40, 8, 9),
    tolerance=SUMS,
)
def signs_of_prices(steps):
    walk = 100 + steps.cumsum()
    change = np.diff(walk) / walk[:-1]
    sums = np.cumsum(walk)
    average = (sums[3:] - sums[:-3]) / 3
    gain = np.where(change > 0, change, 0).mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        strength = 100 - 100 / (1 + gain / -np.where(change < 0, change, 0).mean())
    return change.std(), average, strength, walk.max() - walk.min()


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (rng.choice(np.array([-1, 1], np.int8), (n, n)), rng.random((3, n, n))), 8, 2, 6),
    tolerance=SUMS,
)
def spins_on_a_board(spins, draws):
    rows, columns = np.arange(spins.shape[0])[:, None], np.arange(spins.shape[1])
    for _ in range(3):
        around = np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
        flips = ((rows + columns) % 2 == 0) & (draws[0] < np.exp(-0.8 * spins * around))
        spins[flips] *= -1
    return spins.mean(), np.abs(spins.sum())


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n),), 40, 1, 7),
    tolerance=SUMS,
)
def shock(u):
    for _ in range(5):
        flux = 0.5 * u**2
        after = u.copy()
        after[1:] -= 0.3 * (flux[1:] - flux[:-1])
        u = after
    return u, u.sum(), np.abs(np.diff(u)).sum()


@program(
    verdicts={"_": "sequential"},
    args=sizes(lambda rng, n, dtype: (signed(rng, 2 * n).reshape(2, n),), 30, 1, 5),
    tolerance=SUMS,
)
def oscillators(y):
    def slope(y):
        x, v = y
        return np.array([v, -x])

    h = 0.1
    for _ in range(4):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@program(
    verdicts={"_": "sequential", "j": "parallel"},
    args=sizes(lambda rng, n, dtype: (signed(rng, 2 * n).reshape(n, 2),), 40, 3, 7),
    tolerance=SUMS,
)
def means_of_clusters(x):
    centres = x[:3].copy()
    for _ in range(3):
        distances = ((x[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        labels = distances.argmin(axis=1)
        for j in range(len(centres)):
            members = x[labels == j]
            if len(members) > 0:
                centres[j] = members.mean(axis=0)
    return centres


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (floats(rng, dtype, n, n),), 12, 3, 7),
    tolerance=SUMS,
)
def edges_of_an_image(image):
    across, down = np.zeros_like(image), np.zeros_like(image)
    across[:, 1:-1] = image[:, 2:] - image[:, :-2]
    down[1:-1, :] = image[2:, :] - image[:-2, :]
    size = np.hypot(across, down)
    angle = np.rad2deg(np.arctan2(down, across)) % 180
    return size, ((angle > 45) & (angle < 135)).sum()


@program(
    verdicts={},
    args=sizes(lambda rng, n, dtype: (signed(rng, 5 * n).reshape(n, 5),), 12, 1, 7),
    tolerance=SUMS,
)
def spread_of_rows(samples):
    def spread(row):
        return row.max() - row.min()

    turned = samples[:, :2] @ [[0, -1], [1, 0]]
    return np.apply_along_axis(spread, 1, samples), np.apply_along_axis(lambda c: c / 2, 0, samples), turned
