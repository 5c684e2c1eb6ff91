"""Products of matrices and vectors; `kind` is the type of the result, `wide` that of the sums."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np


def matrix_times_matrix(a, b, kind, wide):
    out = np.empty((a.shape[0], b.shape[1]), kind)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = wide(0)
            for k in range(a.shape[1]):
                total += wide(a[i, k]) * wide(b[k, j])
            out[i, j] = kind(total)
    return out


def matrix_times_vector(a, b, kind, wide):
    out = np.empty(a.shape[0], kind)
    for i in range(a.shape[0]):
        total = wide(0)
        for k in range(a.shape[1]):
            total += wide(a[i, k]) * wide(b[k])
        out[i] = kind(total)
    return out


def vector_times_matrix(a, b, kind, wide):
    out = np.empty(b.shape[1], kind)
    for j in range(b.shape[1]):
        total = wide(0)
        for k in range(b.shape[0]):
            total += wide(a[k]) * wide(b[k, j])
        out[j] = kind(total)
    return out


def matrices_times_matrices(a, b, kind, wide):
    out = np.empty((a.shape[0], a.shape[1], b.shape[2]), kind)
    for batch in range(a.shape[0]):
        for i in range(a.shape[1]):
            for j in range(b.shape[2]):
                total = wide(0)
                for k in range(a.shape[2]):
                    total += wide(a[batch, i, k]) * wide(b[batch, k, j])
                out[batch, i, j] = kind(total)
    return out
