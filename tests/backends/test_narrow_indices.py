"""Narrow indices on the processor, where every value is tested: right, and within the bounds that a launch computes."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import weft

from . import emulated_cuda

pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC is not installed")
if shutil.which("g++") is None:
    pytest.skip("there is no C++ compiler", allow_module_level=True)

HERE = Path(__file__)
MOST = (400, 40000)
"""What indices may be in a run: small arrays are then as near to the limit as large ones are to that of 32 bits."""


@pytest.mark.sample(0)
@pytest.mark.parametrize("most", MOST)
def test_indices_stay_within_their_bounds(most):
    command = [sys.executable, "-m", f"tests.backends.{HERE.stem}", str(most)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=HERE.parents[2])
    assert done.returncode == 0, done.stdout + done.stderr


def stepped(a, b, c):
    for i in range(1, a.shape[0] - 1):
        for j in range(a.shape[1]):
            c[i, j] = a[i - 1, j] + a[i + 1, -1 - j] - b[j]


def flat(a, b, width):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = a[i * width + j]


def squares(a, counts):
    for i in range(len(a)):
        a[i] = i * 1000003 * i - 7
        counts[i] = i


def gathered(a, keys, out):
    for i in range(len(keys)):
        out[i] = a[keys[i]]


def packed(a, out):
    k = 0
    for i in range(len(a)):
        if a[i] > 0:
            out[k] = a[i]
            k += 1
    return k


def positions(a, out):
    for i in range(a.shape[0]):
        best, at = a[i, 0], 0
        for j in range(a.shape[1]):
            if a[i, j] > best:
                best, at = a[i, j], j
        out[i] = at


def strided(a, out, step):
    for i in range(len(out)):
        out[i] = a[i * step]


def arguments(rows, columns, seed=1):
    """Functions with arguments of a size, some in reverse, with steps or offsets."""
    random = np.random.default_rng(seed)
    a = random.normal(size=(rows, columns + 3))
    big = np.zeros((2 * rows, 3 * columns + 8))
    big[::2, 2 : 2 + 3 * columns + 6 : 3] = random.normal(size=(rows, columns + 2))
    views = a[:, :columns], a[::-1, 3:], np.asfortranarray(a)[:, ::-1][:, :columns], big[::2, 2::3][:, :columns]
    for view in views:
        yield stepped, (view, random.normal(size=columns), np.zeros((rows, columns)))
    keys = random.integers(-rows, max(rows, 1), size=columns) if rows else np.zeros(0, int)
    for dtype in (np.int64, np.int32, np.int16):
        yield gathered, (random.normal(size=rows)[::-1], keys.astype(dtype), np.zeros(len(keys)))
    yield flat, (random.normal(size=rows * columns + 5), np.zeros((rows, columns)), columns)
    yield squares, (np.zeros(rows * columns, np.int64), np.zeros(rows * columns, np.int64)[::-1])
    yield packed, (random.normal(size=rows * columns), np.zeros(rows * columns))
    if columns:
        yield positions, (a[:, :columns], np.zeros(rows, np.int64))
    yield strided, (random.normal(size=3 * columns + 1)[::-1], np.zeros(columns), 3)


def check(function, given):
    """Compare a function on the processor that stands for a GPU with Python."""
    plain = [x.copy() if isinstance(x, np.ndarray) else x for x in given]
    assert weft.jit(function, device="cuda")(*given) == function(*plain)
    for x, y in zip(given, plain, strict=True):
        np.testing.assert_array_equal(x, y)


def check_faults():
    """An index that leaves its array raises, also where it would be inside with its upper half cut off."""
    for keys in (np.array([0, 2**32 + 1]), np.array([2**31]), np.array([-(2**33)]), np.array([9], np.int32)):
        with pytest.raises(IndexError):
            weft.jit(gathered, device="cuda")(np.zeros(9), keys, np.zeros(len(keys)))


def check_versions():
    """Arrays that reach too far take the wide version, others the narrow one."""
    from weft.runtime.devices.modules import Kernels

    chosen, load = [], Kernels.__call__

    def noted(self, number, is_first):
        chosen.append(self._compiled.kernels[number].endswith("_wide"))
        return load(self, number, is_first)

    Kernels.__call__ = noted
    a = np.arange(12.0)
    near, far = (np.lib.stride_tricks.as_strided(a, (1, 6), (stride, 16)) for stride in (96, 2**40))
    for given, is_wide in ((near, False), (far, True)):
        out = np.zeros((1, 6))
        chosen.clear()
        weft.jit(flat_rows, device="cuda")(given, out)
        np.testing.assert_array_equal(out, given + 1)
        assert chosen and set(chosen) == {is_wide}
    Kernels.__call__ = load


def flat_rows(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = a[i, j] + 1


def main(most):
    """Check everything with indices of at most `most`."""
    emulated_cuda.install()
    emulated_cuda.test_indices(most)
    works = [check_faults, *([check_versions] if most > 1000 else [])]
    for rows, columns in ((13, 17), (0, 5)):
        works += [lambda given=given: check(*given) for given in arguments(rows, columns)]
    return [k for k, work in enumerate(works) if not emulated_cuda.ended(work)]


if __name__ == "__main__":
    sys.exit(str(failed) if (failed := main(int(sys.argv[1]))) else 0)
