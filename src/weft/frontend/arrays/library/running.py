"""Running folds and neighbours along the last axis of one or two dimensions.

As in NumPy a running fold begins with the first element itself: 0.0 + -0.0 is 0.0, and 1 times a complex infinity is
not that infinity.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np


def running_sums(x, kind):
    out = np.empty(x.shape[0], kind)
    if x.shape[0] > 0:
        total = kind(x[0])
        out[0] = total
        for i in range(1, x.shape[0]):
            total += kind(x[i])
            out[i] = total
    return out


def running_products(x, kind):
    out = np.empty(x.shape[0], kind)
    if x.shape[0] > 0:
        total = kind(x[0])
        out[0] = total
        for i in range(1, x.shape[0]):
            total *= kind(x[i])
            out[i] = total
    return out


def running_sums_of_rows(x, kind):
    out = np.empty(x.shape, kind)
    if x.shape[1] > 0:
        for i in range(x.shape[0]):
            total = kind(x[i, 0])
            out[i, 0] = total
            for j in range(1, x.shape[1]):
                total += kind(x[i, j])
                out[i, j] = total
    return out


def running_products_of_rows(x, kind):
    out = np.empty(x.shape, kind)
    if x.shape[1] > 0:
        for i in range(x.shape[0]):
            total = kind(x[i, 0])
            out[i, 0] = total
            for j in range(1, x.shape[1]):
                total *= kind(x[i, j])
                out[i, j] = total
    return out
