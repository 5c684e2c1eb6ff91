"""Groups of neighbours that lie together or apart, and floats that become integers in strips."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.transform import pipeline

from .harness import Compiled


def tinted(image, out, total):
    """Bytes of pixels, which are tested and converted; a sum over groups."""
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            r, g, b = float(image[y, x, 0]), float(image[y, x, 1]), float(image[y, x, 2])
            out[y, x, 0] = np.uint8(0.5 * r + 0.25 * g + 0.125 * b)
            out[y, x, 1] = np.uint8(min(255.0, r + 0.75 * b))
            out[y, x, 2] = np.uint8(255.0 - g)
    s = 0.0
    for x in range(image.shape[1]):
        s += image[0, x, 0] * 0.5 + image[0, x, 1]
    total[0] = s


def images(height: int, width: int, channels: int) -> list[np.ndarray]:
    rng = np.random.default_rng(width)
    image = rng.integers(0, 256, (height, width, channels)).astype(np.uint8)
    return [image[:, :, :3], np.zeros((height, width, channels), np.uint8)[:, :, :3], np.zeros(1)]


def test_groups_that_lie_together_and_apart_give_the_same():
    program = pipeline.for_cpu(pipeline.optimise(build(tinted, [describe(a) for a in images(2, 5, 3)])))
    compiled = Compiled(program)
    source = compiled.artifact.source
    assert "if (image_s1 == 3 && out_s1 == 3) {" in source
    assert "if (image_s1 == 2) {" in source
    for shape in ((1, 1), (2, 31), (3, 32), (2, 70)):
        for channels in (2, 3, 4):
            if channels == 2 and shape[1] % 2:
                continue
            expected, found = images(*shape, max(channels, 3)), images(*shape, max(channels, 3))
            if channels == 2:  # the second channel of a pixel is the first of the next one but one
                views = [a[0].reshape(-1) for a in (expected, found)]
                narrow = [np.lib.stride_tricks.as_strided(v, (1, shape[1], 3), (v.size, 2, 1)) for v in views]
                expected[0], found[0] = (v for v in narrow)
                expected[1], found[1] = (a[1][:1] for a in (expected, found))
            tinted(*expected)
            compiled(*found)
            for one, other in zip(expected, found, strict=True):
                np.testing.assert_array_equal(one, other)


@weft.jit(device="cpu")
def whole(x, down, up, near, cut, plain):
    for i in range(x.shape[0]):
        down[i] = math.floor(x[i])
        up[i] = math.ceil(x[i])
        near[i] = round(x[i])
        cut[i] = int(x[i])
        plain[i] = min(max(int(x[i]), -100), 100)


def test_floats_become_integers_whether_large_or_not():
    edges = [2.0**k + d for k in (0, 30, 31, 50, 51, 52, 53, 62) for d in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    small = [e for e in edges if abs(e) < 2.0**51] + [0.49999999999999994, 1.5, 2.5, -0.0, 1e-300]
    rng = np.random.default_rng(1)
    fractions = [*small, *(-s for s in small), *rng.normal(0, 1e6, 900), *rng.integers(-40, 40, 200) / 2]
    for dtype in (np.float64, np.float32):
        for values in (fractions, [*edges, *(-e for e in edges), *fractions]):
            x = np.array(values).astype(dtype)
            found = [*(np.zeros(x.size, np.int64) for _ in range(4)), np.zeros(x.size, np.int8)]
            whole(x, *found)
            numbers = [float(v) for v in x]
            expected = [list(map(f, numbers)) for f in (math.floor, math.ceil, round, math.trunc)]
            expected.append([min(max(int(v), -100), 100) for v in numbers])
            assert [list(map(int, a)) for a in found] == expected
    for bad, error in ((math.nan, ValueError), (math.inf, OverflowError)):
        x = np.full(64, 0.5)
        x[40] = bad
        found = [*(np.full(64, 7) for _ in range(4)), np.full(64, 7, np.int8)]
        with pytest.raises(error):
            whole(x, *found)
        assert all((a[41:] == 7).all() for a in found)
        assert found[0][:40].tolist() == [0] * 40
        assert found[0][40] == 7
