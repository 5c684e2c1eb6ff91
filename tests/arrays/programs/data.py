"""Statistics, data, signals and learning."""

import numpy as np

from tests.arrays.programs.registry import matrix, positive, program, square, vector, vectors


@program(matrix)
def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@program(lambda r, n, t: (r.random((n, 6)).astype(t), r.random(6).astype(t), r.random(6).astype(t)), tolerance=1e4)
def layer_norm(x, gamma, beta):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


@program(lambda r, n, t: (r.random((n + 1, 6)).astype(t),), tolerance=1e4)
def batch_norm(x):
    mu = np.mean(x, axis=0)
    sigma2 = np.var(x, axis=0)
    xhat = (x - mu) / np.sqrt(sigma2 + 1e-5)
    return xhat, mu, sigma2


@program(
    lambda r, n, t: tuple(r.standard_normal(s).astype(t) for s in ((n, 5), (5, 8), (8,), (8, 3), (3,))), tolerance=1e4
)
def two_layer_network(x, w1, b1, w2, b2):
    def relu(z):
        return np.maximum(z, 0)

    h = relu(x @ w1 + b1)
    logits = h @ w2 + b2
    z = logits - logits.max(axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


@program(
    lambda r, n, t: (
        r.random((n + 1, 4)).astype(t),
        r.random((n + 1, 1)).astype(t),
        r.random((4, 3)).astype(t),
        r.random((3, 1)).astype(t),
    ),
    tolerance=1e5,
)
def train_network(X, y, W1, W2):
    for _ in range(5):
        a1 = 1 / (1 + np.exp(-(X @ W1)))
        out = a1 @ W2
        err = out - y
        gW2 = a1.T @ err
        gW1 = X.T @ ((err @ W2.T) * a1 * (1 - a1))
        W1 -= 0.05 * gW1
        W2 -= 0.05 * gW2
    return W1, W2, (err**2).mean()


@program(lambda r, n, t: (r.random((n, 2)).astype(t), r.random((3, 2)).astype(t)), tolerance=1e4, sizes=(1, 7, 13, 40))
def k_means(points, centers):
    for _ in range(4):
        d = ((points[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
        label = d.argmin(axis=1)
        for k in range(centers.shape[0]):
            member = label == k
            count = member.sum()
            if count > 0:
                centers[k] = points[member].sum(axis=0) / count
    return centers, label


@program(
    lambda r, n, t: (r.random((n, 3)).astype(t), r.random((n, 3)).astype(t), (r.random(n) + 0.5).astype(t)),
    tolerance=1e4,
)
def n_body(pos, vel, mass):
    dt, soft = 0.01, 0.1
    for _ in range(3):
        dx = pos[:, 0][None, :] - pos[:, 0][:, None]
        dy = pos[:, 1][None, :] - pos[:, 1][:, None]
        dz = pos[:, 2][None, :] - pos[:, 2][:, None]
        inv = (dx**2 + dy**2 + dz**2 + soft**2) ** (-1.5)
        ax = (dx * inv) @ mass
        ay = (dy * inv) @ mass
        az = (dz * inv) @ mass
        acc = np.stack((ax, ay, az), axis=1)
        vel += acc * dt
        pos += vel * dt
    return pos, vel


@program(lambda r, n, t: (r.random((n, 3)).astype(t), r.random((n + 2, 3)).astype(t)), tolerance=1e4)
def pairwise_distances(a, b):
    diff = a[:, np.newaxis, :] - b[np.newaxis, :, :]
    return np.sqrt(np.sum(diff**2, axis=-1))


@program(vector)
def standardise(x):
    return (x - x.mean()) / (x.std() + 1e-8)


@program(matrix)
def normalise_columns(x):
    lo, hi = x.min(axis=0) if x.shape[0] > 0 else x.sum(axis=0), x.max(axis=0) if x.shape[0] > 0 else x.sum(axis=0)
    return (x - lo) / (hi - lo + 1)


@program(vectors, tolerance=1e4, sizes=(2, 7, 13, 40))
def pearson(x, y):
    xm = x - x.mean()
    ym = y - y.mean()
    return (xm * ym).sum() / np.sqrt((xm**2).sum() * (ym**2).sum())


@program(vector)
def summary(x):
    n = x.size
    if n == 0:
        return 0.0, 0.0, 0.0, 0.0
    return float(x.min()), float(x.max()), float(np.mean(x)), float(np.std(x))


@program(vector, tolerance=1e4, sizes=(3, 7, 40))
def skew_and_kurtosis(x):
    d = x - np.mean(x)
    m2 = np.mean(d**2)
    m3 = np.mean(d * d * d)
    m4 = np.mean(d * d * d * d)
    return m3 / m2**1.5, m4 / m2**2 - 3.0


@program(vector)
def moving_average(x):
    w = 3
    c = np.cumsum(x)
    out = c[w - 1 :].copy()
    out[1:] -= c[:-w]
    return out / w


@program(lambda r, n, t: (r.random(n).astype(t), np.arange(n) % 4), tolerance=1e3)
def group_means(values, group):
    sums = np.zeros(4, values.dtype)
    for g in range(4):
        chosen = values[group == g]
        if chosen.size > 0:
            sums[g] = chosen.mean()
    return sums


@program(lambda r, n, t: (r.random(n).astype(t),), exact=True)
def histogram_by_compare(x):
    edges = np.linspace(0.0, 1.0, 6)
    counts = np.zeros(5, dtype=np.int64)
    for k in range(5):
        counts[k] = np.sum((x >= edges[k]) & (x < edges[k + 1]))
    return counts


@program(lambda r, n, t: (r.random((n, 2)).astype(t),), exact=True, sizes=(1, 7, 40))
def monte_carlo_pi(points):
    inside = points[:, 0] ** 2 + points[:, 1] ** 2 <= 1.0
    return 4.0 * np.count_nonzero(inside) / points.shape[0]


@program(lambda r, n, t: (r.standard_normal((n, 6)).astype(t),), tolerance=1e4, sizes=(1, 7, 40))
def asian_option(z):
    dt = 1.0 / z.shape[1]
    steps = np.exp((0.05 - 0.5 * 0.04) * dt + 0.2 * np.sqrt(dt) * z)
    paths = 100.0 * np.cumprod(steps, axis=1)
    payoff = np.maximum(paths.mean(axis=1) - 100.0, 0.0)
    return np.exp(-0.05) * payoff.mean()


@program(positive, tolerance=1e3)
def compound_interest(rates):
    growth = np.cumprod(1 + rates / 100)
    return growth, np.log(growth)


@program(lambda r, n, t: (r.random(n).astype(t),), tolerance=1e5)
def dft_by_broadcasting(x):
    n = x.shape[0]
    k = np.arange(n)
    angle = -2 * np.pi * k[:, None] * k[None, :] / max(n, 1)
    re = np.cos(angle) @ x
    im = np.sin(angle) @ x
    return re, im, np.sqrt(re**2 + im**2)


@program(lambda r, n, t: (r.random(n).astype(t),), tolerance=1e5)
def dft_complex(x):
    n = x.size
    k = np.arange(n)
    w = np.exp(-2j * np.pi * np.outer(k, k) / max(n, 1))
    X = w @ x.astype(np.complex128)
    return np.abs(X) ** 2


@program(vectors, tolerance=1e4)
def cross_correlation(x, y):
    n = len(x)
    out = np.zeros(n, dtype=x.dtype)
    for lag in range(n):
        out[lag] = np.sum(x[lag:] * y[: n - lag])
    return out


@program(vector, exact=True)
def zero_crossings(x):
    s = np.sign(x)
    return np.sum(s[1:] != s[:-1]), (x[1:] * x[:-1] < 0).any(), (x > -100).all()


@program(vector, exact=True)
def clip_and_fill(x):
    y = np.where(x > 1, 1, np.where(x < -1, -1, x))
    x[x < 0] = 0
    x[x > 0.5] *= 2
    return y, x


@program(vector)
def sigmoid_family(x):
    s = 1.0 / (1.0 + np.exp(-x))
    return s, np.tanh(x), np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0), x * s


@program(matrix, tolerance=1e4)
def log_sum_exp(x):
    m = x.max(axis=1)
    return m + np.log(np.sum(np.exp(x - m[:, None]), axis=1))


@program(
    lambda r, n, t: (
        r.standard_normal((n, 4)).astype(t),
        r.standard_normal((n, 4)).astype(t),
        r.standard_normal((n, 4)).astype(t),
    ),
    tolerance=1e4,
)
def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ V


@program(
    lambda r, n, t: (r.standard_normal((n, 3)).astype(t), (r.random(n) > 0.5).astype(t)),
    tolerance=1e5,
    sizes=(1, 7, 40),
)
def logistic_regression(X, y):
    w = np.zeros(X.shape[1], X.dtype)
    b = 0.0
    for _ in range(10):
        p = 1 / (1 + np.exp(-(X @ w + b)))
        g = p - y
        w -= 0.1 * (X.T @ g) / len(y)
        b -= 0.1 * float(g.mean())
    return w, b


@program(lambda r, n, t: (r.random((n, 4)).astype(t), r.integers(0, 4, n)), exact=True)
def one_hot_and_pick(x, label):
    rows = np.arange(x.shape[0])
    hot = (label[:, None] == np.arange(4)).astype(x.dtype)
    return hot, x[rows, label], x[label]


@program(lambda r, n, t: (r.random(n).astype(t), r.permutation(n)), exact=True)
def permute_and_back(x, p):
    y = x[p]
    z = np.empty_like(y)
    z[p] = y
    return y, z, x[p[::-1]]


@program(vector, exact=True)
def running_extremes(x):
    best = np.empty_like(x)
    if len(x) > 0:
        best[0] = x[0]
    for i in range(1, len(x)):
        best[i] = max(best[i - 1], x[i])
    return best, np.diff(best)


@program(lambda r, n, t: (r.integers(0, 10, (n, n + 1)),), exact=True)
def integer_statistics(a):
    total = a.sum()
    even = a % 2 == 0
    return total, a.sum(axis=0), a.prod(axis=1), even.sum(axis=1), a[even], (a // 3) * 3 + a % 3


@program(square, exact=True)
def triangle_masks(a):
    i = np.arange(a.shape[0])
    lower = i[:, None] >= i[None, :]
    return np.where(lower, a, 0), np.where(lower, 0.0, a).sum(axis=1) * 0


@program(lambda r, n, t: (r.random(n).astype(t), r.random(n).astype(t), r.random(n).astype(t)), exact=True)
def helper_functions(a, b, c):
    def mix(x, y, w=0.5):
        return w * x + (1 - w) * y

    def both(x, y):
        return mix(x, y), mix(y, x, w=0.25)

    first, second = both(a, b)
    first += c
    return first, second, a


@program(lambda r, n, t: (r.random(n).astype(t), 3), exact=True)
def branch_names_another_array(a, k):
    if k > 2:
        b = a * 2
    else:
        b = a
    b[: len(b) // 2] = 7
    return a, b


@program(lambda r, n, t: (r.random(n).astype(t), 1), exact=True)
def branch_keeps_the_array(a, k):
    b = a
    if k > 2:
        b = a * 2
    b += 1
    return a, b
