"""Linear algebra and solvers: conjugate gradient, power iteration, elimination, factorisations, least squares."""

import numpy as np

from tests.arrays.programs.registry import program, square, vectors


def _system(r, n, t):
    a = r.random((n, n))
    return ((a @ a.T + n * np.eye(n)).astype(t), r.random(n).astype(t))


@program(_system, tolerance=1e5)
def conjugate_gradient(A, b):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rsold = r @ r
    for i in range(min(5, len(b))):
        Ap = A @ p
        alpha = rsold / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rsnew = np.dot(r, r)
        if np.sqrt(rsnew) < 1e-3:
            break
        p = r + (rsnew / rsold) * p
        rsold = rsnew
    return x


@program(_system, tolerance=1e4, sizes=(1, 2, 7, 13))
def jacobi_solver(A, b):
    D = np.diagonal(A).copy()
    x = np.zeros_like(b)
    for _ in range(10):
        x = (b - (A @ x - D * x)) / D
    return x


@program(_system, tolerance=1e4)
def gauss_seidel_rows(A, b):
    x = np.zeros_like(b)
    for _ in range(3):
        for i in range(len(b)):
            s = np.dot(A[i, :i], x[:i]) + np.dot(A[i, i + 1 :], x[i + 1 :])
            x[i] = (b[i] - s) / A[i, i]
    return x


@program(_system, tolerance=1e4)
def cholesky(A, b):
    n = A.shape[0]
    L = np.zeros_like(A)
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - np.sum(L[i, :j] * L[j, :j])) / L[j, j]
    return L


@program(_system, tolerance=1e4)
def lu_in_place(A, b):
    n = A.shape[0]
    for k in range(n - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return A


@program(_system, tolerance=1e4)
def elimination(A, b):
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            A[i, k:] -= factor * A[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n, dtype=b.dtype)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


@program(_system, tolerance=1e4, sizes=(1, 2, 7, 13))
def power_iteration(A, b):
    v = b / np.linalg.norm(b)
    lam = v @ A @ v
    for _ in range(20):
        w = A @ v
        v = w / np.linalg.norm(w)
        lam = v @ (A @ v)
    return lam, v


@program(lambda r, n, t: (r.random((n + 4, n)).astype(t),), tolerance=1e4, sizes=(1, 2, 7))
def gram_schmidt(A):
    Q = A.copy()
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype)
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(np.sum(Q[:, k] ** 2))
        Q[:, k] = Q[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = Q[:, k] @ Q[:, j]
            Q[:, j] -= R[k, j] * Q[:, k]
    return Q, R


@program(_system, tolerance=1e4, sizes=(1, 2, 7, 13))
def gradient_descent(A, b):
    x = np.zeros_like(b)
    step = 0.5 / np.trace(A)
    for _ in range(15):
        grad = A.dot(x) - b
        x = x - step * grad
    return x, 0.5 * x @ A @ x - b @ x


@program(square, tolerance=1e4)
def matrix_products(A):
    return A @ A, A.T @ A, np.dot(A, A[0] if A.shape[0] > 0 else np.zeros(A.shape[1], A.dtype)), A @ A @ A


@program(lambda r, n, t: tuple(r.random(s).astype(t) for s in ((n, 4), (4, 5), (5, n + 1))), tolerance=1e4)
def three_matrices(A, B, C):
    D = A @ B @ C
    D *= 0.5
    D += 1.5
    return D


@program(lambda r, n, t: (r.random((3, n, 4)).astype(t), r.random((3, 4, n)).astype(t)), tolerance=1e4)
def batched_product(A, B):
    return np.matmul(A, B), (A @ B).sum(axis=0)


@program(
    lambda r, n, t: (*(r.random((n, n)).astype(t) for _ in range(2)), *(r.random(n).astype(t) for _ in range(6))),
    tolerance=1e4,
)
def gemver(A, B, u1, v1, u2, v2, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x = 1.2 * y @ A + z
    w = 1.5 * A @ x
    return x, w


@program(lambda r, n, t: (r.random((n, n)).astype(t), r.random(n).astype(t)), tolerance=1e4)
def atax(A, x):
    return (A @ x) @ A


@program(lambda r, n, t: (r.random((n + 2, n)).astype(t),), tolerance=1e5, sizes=(1, 2, 7))
def covariance(data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = data.T @ data / (data.shape[0] - 1.0)
    return cov


@program(lambda r, n, t: (r.random((n + 4, n)).astype(t),), tolerance=1e5, sizes=(1, 2, 7))
def correlation(data):
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(data.shape[0]) * stddev
    corr = np.eye(data.shape[1], dtype=data.dtype)
    for i in range(data.shape[1] - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


@program(
    lambda r, n, t: (r.random(n).astype(t), r.random(n).astype(t), r.random(n).astype(t) + 3, r.random(n).astype(t)),
    exact=True,
)
def tridiagonal(a, c, b, d):
    n = len(d)
    cp = np.zeros_like(c)
    dp = np.zeros_like(d)
    for i in range(n):
        m = b[i] - a[i] * (cp[i - 1] if i > 0 else 0 * c[i])
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * (dp[i - 1] if i > 0 else 0 * d[i])) / m
    x = dp.copy()
    for i in range(n - 2, -1, -1):
        x[i] -= cp[i] * x[i + 1]
    return x


@program(vectors, tolerance=1e4)
def least_squares_line(x, y):
    n = x.shape[0]
    sx, sy = x.sum(), y.sum()
    sxx, sxy = (x * x).sum(), (x * y).sum()
    slope = (n * sxy - sx * sy) / (n * sxx - sx**2)
    return slope, (sy - slope * sx) / n


@program(lambda r, n, t: (r.random((n, 3)).astype(t), r.random(n).astype(t)), tolerance=1e5, sizes=(4, 7, 13))
def normal_equations(X, y):
    A = X.T @ X
    rhs = X.T @ y
    for k in range(3):
        A[k] /= A[k, k] * 1
        rhs[k] = rhs[k]
    return A, rhs


@program(lambda r, n, t: (r.random((n, n)).astype(t) - 0.5,), tolerance=1e4)
def matrix_norms(A):
    fro = np.sqrt((A**2).sum())
    rows = np.abs(A).sum(axis=1)
    cols = np.abs(A).sum(axis=0)
    return fro, rows, cols, np.trace(A)


@program(lambda r, n, t: (r.random((n, n)).astype(t) * 0.1,), tolerance=1e4, sizes=(1, 3, 6))
def matrix_exponential_series(A):
    result = np.eye(A.shape[0], dtype=A.dtype)
    term = np.eye(A.shape[0], dtype=A.dtype)
    for k in range(1, 6):
        term = term @ A / k
        result = result + term
    return result


@program(lambda r, n, t: (r.random((n, n)).astype(t) + np.eye(n, dtype=t) * n,), tolerance=1e5, sizes=(1, 3, 6))
def inverse_by_newton(A):
    X = A.T / (np.abs(A).sum(axis=0).max() * np.abs(A).sum(axis=1).max())
    eye = np.eye(A.shape[0], dtype=A.dtype)
    for _ in range(10):
        X = X @ (2 * eye - A @ X)
    return X
