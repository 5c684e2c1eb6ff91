"""The product of two matrices, as the definition says it."""

import numpy as np

import weft


@weft.jit
def matmul(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """Write the product of a and b into c."""
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    a, b = rng.random((500, 400)), rng.random((400, 300))
    c = np.zeros((500, 300))
    matmul(a, b, c)
    print("largest difference to NumPy:", np.abs(c - a @ b).max())
