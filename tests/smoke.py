"""What an installed wheel must be able to do with its required dependencies alone; run outside the tree."""

import numpy as np

import weft


@weft.jit
def scale_and_sum(a, b, factor):
    total = 0.0
    for i in range(a.shape[0]):
        b[i] = factor * a[i]
        total += b[i]
    return total


def main() -> None:
    a = np.arange(100_000, dtype=np.float64)
    b = np.zeros_like(a)
    total = scale_and_sum(a, b, 0.5)
    np.testing.assert_array_equal(b, 0.5 * a)
    np.testing.assert_allclose(total, b.sum(), rtol=1e-12)
    print(weft.explain(scale_and_sum, a, b, 0.5))
    print(f"weft {weft.__version__}: the installed wheel works")


if __name__ == "__main__":
    main()
