"""Running folds and neighbours along the last axis of one or two dimensions."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np


def running_sums(x, kind):
    out = np.empty(x.shape[0], kind)
    total = kind(0)
    for i in range(x.shape[0]):
        total += kind(x[i])
        out[i] = total
    return out


def running_products(x, kind):
    out = np.empty(x.shape[0], kind)
    total = kind(1)
    for i in range(x.shape[0]):
        total *= kind(x[i])
        out[i] = total
    return out


def running_sums_of_rows(x, kind):
    out = np.empty(x.shape, kind)
    for i in range(x.shape[0]):
        total = kind(0)
        for j in range(x.shape[1]):
            total += kind(x[i, j])
            out[i, j] = total
    return out


def running_products_of_rows(x, kind):
    out = np.empty(x.shape, kind)
    for i in range(x.shape[0]):
        total = kind(1)
        for j in range(x.shape[1]):
            total *= kind(x[i, j])
            out[i, j] = total
    return out
