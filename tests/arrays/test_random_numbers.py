"""Generators in compiled functions: the stream, its distributions, and that nothing else has a say in it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import weft
from weft.errors import ArgumentError, MultipleErrors, TypeInferenceError, UnsupportedError
from weft.frontend.arrays.library import elementary, philox
from weft.frontend.arrays.library.generators import Generator, default_rng

VECTORS = [
    ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0xA4093822, 0x299F31D0),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""Known answers of Philox4x32-10, from `kat_vectors` of Random123."""


@pytest.mark.parametrize(("key", "counter", "answer"), VECTORS)
def test_known_answers_of_philox(key, counter, answer):
    words = [np.uint64(word) for word in (*key, *counter)]
    assert tuple(int(word) for word in philox.block(*words)) == answer
    assert tuple(int(word) for word in weft.jit(philox_block)(*words)) == answer


def philox_block(low, high, first, second, third, fourth):
    return philox.block(low, high, first, second, third, fourth)


# ------------------------------------------------------------------ beside the same stream, computed in Python


def numbers(n):
    rng = np.random.default_rng(n)
    return rng.random(), rng.random(n), rng.random((n, 2)), rng.random(3, dtype=np.float32), rng.random(())


def normal_numbers(n):
    rng = np.random.default_rng(n)
    return rng.normal(), rng.normal(1, 2, n), rng.standard_normal((2, n)), rng.normal(np.arange(3.0), 0.5, (n, 3))


def integers(n):
    rng = np.random.default_rng(n)
    return (
        rng.integers(5), rng.integers(-3, 4, size=(n, 2)), rng.integers(1, 6, n, endpoint=True),
        rng.integers(0, 256, 5, dtype=np.uint8), rng.integers(-(2**63), 2**63 - 1, n), rng.integers(2, dtype=bool),
    )  # fmt: skip


def other_distributions(n):
    rng = np.random.default_rng(n)
    return (
        rng.uniform(), rng.uniform(-1, 1, n), rng.exponential(2.0, n), rng.exponential(),
        rng.poisson(3.5, n), rng.poisson(100.0), rng.poisson(np.array([0.0, 5.0, 50.0])),
    )  # fmt: skip


def choices(n):
    rng = np.random.default_rng(n)
    items = np.arange(n + 3) * 2
    p = np.array([0.2, 0.3, 0.0, 0.5])
    return (
        rng.choice(5), rng.choice(items, n), rng.choice(items, (2, n)), rng.choice(items, n, replace=False),
        rng.choice(4, n, p=p), rng.choice(4, 3, replace=False, p=p), rng.choice([1.5, 2.5]), rng.choice(4, p=p),
    )  # fmt: skip


def orders(n):
    rng = np.random.default_rng(n)
    x = np.arange(n)
    m = np.arange(2 * n).reshape(n, 2)
    rng.shuffle(x)
    rng.shuffle(m)
    return x, m, rng.permutation(n), rng.permutation(m), rng.random()


def draws_in_loops(n):
    rng = np.random.default_rng(n)
    out = np.zeros((n, 3))
    steps = 0
    for i in range(n):
        out[i] = rng.normal(size=3)
        if out[i, 0] > 0.0:
            out[i, 1] += rng.exponential()
    while rng.random() < 0.9:
        steps += 1
    return out, steps, rng.random()


class Walk:
    def __init__(self, rng):
        self.rng = rng
        self.x = 0.0

    def step(self):
        self.x += self.rng.uniform(-1, 1)


def of_helpers_and_objects(n):
    rng = np.random.default_rng(n)
    other = np.random.default_rng(rng)
    walk = Walk(np.random.default_rng(n + 1))
    for _ in range(n):
        walk.step()
    return rng.random(), other.random(), walk.x, isinstance(rng, np.random.Generator)


def of_a_branch(n):
    rng = np.random.default_rng(n)
    x = 0.0
    for i in range(n):
        if i % 3 == 0:
            rng = np.random.default_rng(i)
        x += rng.random()
    return x


FUNCTIONS = [
    numbers, normal_numbers, integers, other_distributions, choices, orders, draws_in_loops, of_helpers_and_objects,
    of_a_branch,
]  # fmt: skip


def in_python(function, monkeypatch, *args):
    """The result with Weft's stream, in Python."""
    with monkeypatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(np.random, "default_rng", lambda seed: seed if isinstance(seed, Generator) else default_rng(seed))
        patch.setattr(np.random, "Generator", Generator)
        return function(*args)


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
        assert type(one) is type(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_bits_are_those_of_the_stream(function, n, monkeypatch):
    n = max(n, 1) if function is choices else n
    n = min(n, 7)
    assert_same(weft.jit(function)(n), in_python(function, monkeypatch, n))


@pytest.mark.opencl
@pytest.mark.parametrize("function", [numbers, normal_numbers, draws_in_loops], ids=lambda f: f.__name__)
def test_bits_are_the_same_on_a_device(function):
    assert_same(weft.jit(function, device="opencl")(7), weft.jit(function)(7))


def many(n):
    rng = np.random.default_rng(3)
    out = np.zeros(n)
    for i in range(n):
        out[i] = rng.normal() + rng.poisson(4.0)
    return out, rng.permutation(n)


def test_bits_are_the_same_on_any_number_of_threads():
    before = weft.get_num_threads()
    try:
        found = []
        for threads in (1, 2):
            weft.set_num_threads(threads)
            found.append(weft.jit(many)(20_011))
    finally:
        weft.set_num_threads(before)
    assert_same(found[0], found[1])


def test_draws_whose_number_is_known_are_independent():
    assert weft.explain(weft.jit(many), 10).loops[0].verdict == "parallel"


# -------------------------------------------------------------------------------------------- distributions

SAMPLE = 40_000


@weft.jit
def sample(n):
    rng = np.random.default_rng(20)
    return (
        rng.random(n), rng.normal(2.0, 3.0, n), rng.exponential(0.5, n), rng.uniform(-2.0, 6.0, n),
        rng.random(n, dtype=np.float32), rng.standard_exponential(n), rng.lognormal(0.0, 0.5, n),
    )  # fmt: skip


def test_continuous_distributions():
    wanted = (
        stats.uniform(), stats.norm(2, 3), stats.expon(scale=0.5), stats.uniform(-2, 8), stats.uniform(), stats.expon(),
        stats.lognorm(0.5),
    )  # fmt: skip
    for found, distribution in zip(sample(SAMPLE), wanted, strict=True):
        assert stats.kstest(found, distribution.cdf).pvalue > 0.001
        assert abs(found.mean() - distribution.mean()) < 5 * distribution.std() / SAMPLE**0.5


@weft.jit
def counts(n):
    rng = np.random.default_rng(21)
    p = np.array([0.1, 0.0, 0.4, 0.5])
    return (
        np.bincount(rng.integers(0, 10, n), minlength=10), np.bincount(rng.choice(4, n, p=p), minlength=4),
        rng.poisson(0.7, n), rng.poisson(9.9, n), rng.poisson(10.0, n), rng.poisson(250.0, n),
    )  # fmt: skip


def test_discrete_distributions():
    even, weighted, *events = counts(SAMPLE)
    assert stats.chisquare(even).pvalue > 0.001
    assert weighted[1] == 0
    assert stats.chisquare(weighted[[0, 2, 3]], SAMPLE * np.array([0.1, 0.4, 0.5])).pvalue > 0.001
    for found, mean in zip(events, (0.7, 9.9, 10.0, 250.0), strict=True):
        low, high = int(stats.poisson(mean).ppf(0.01)), int(stats.poisson(mean).ppf(0.99))
        edges = np.arange(low, high + 1)
        observed = [np.count_nonzero(found < low), *(np.count_nonzero(found == k) for k in edges)]
        chances = [stats.poisson(mean).cdf(low - 1), *stats.poisson(mean).pmf(edges)]
        observed.append(SAMPLE - sum(observed))
        chances.append(1.0 - sum(chances))
        kept = np.array(chances) > 0.0
        assert stats.chisquare(np.array(observed)[kept], SAMPLE * np.array(chances)[kept]).pvalue > 0.001


@weft.jit
def first_places(n):
    rng = np.random.default_rng(22)
    found = np.zeros((3, 5), np.int64)
    for _ in range(n):
        found[0, rng.permutation(5)[2]] += 1
        found[1, rng.choice(5, 3, replace=False)[1]] += 1
        found[2, rng.choice(5, 3, replace=False, p=np.full(5, 0.2))[0]] += 1
    return found


def test_every_item_may_come_to_every_place():
    for found in first_places(5000):
        assert stats.chisquare(found).pvalue > 0.001


def test_permutations_hold_every_item_once():
    _, order = weft.jit(many)(1009)
    np.testing.assert_array_equal(np.sort(order), np.arange(1009))


def test_elementary_functions():
    x = np.exp(np.random.default_rng(0).uniform(-40, 80, 500))
    np.testing.assert_allclose([elementary.logarithm(v) for v in x], np.log(x), rtol=4e-16)
    t = np.random.default_rng(1).random(500)
    np.testing.assert_allclose([elementary.cosine_of_turns(v) for v in t], np.cos(2 * np.pi * t), atol=1e-15)
    np.testing.assert_allclose([elementary.falling_exponential(v) for v in 30 * t], np.exp(-30 * t), rtol=4e-16)


# ---------------------------------------------------------------------------------------------------- errors


def negative_scale(n):
    return np.random.default_rng(n).normal(0.0, -1.0)


def no_integers(n):
    return np.random.default_rng(n).integers(n, n)


def reversed_range(n):
    return np.random.default_rng(n).uniform(2.0, 1.0)


def endless_range(n):
    return np.random.default_rng(n).uniform(0.0, np.inf)


def negative_mean(n):
    return np.random.default_rng(n).poisson(-1.0)


def too_many_items(n):
    return np.random.default_rng(n).choice(n, n + 1, replace=False)


def other_chances(n):
    return np.random.default_rng(n).choice(2, p=np.array([0.5, 0.6]))


def negative_seed(n):
    return np.random.default_rng(-n).random()


def no_item(n):
    return np.random.default_rng(n).choice(n - 3)


@pytest.mark.parametrize(
    "function",
    [negative_scale, no_integers, reversed_range, endless_range, negative_mean, too_many_items, other_chances,
     negative_seed, no_item],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_errors_are_those_of_numpy(function):
    with pytest.raises((ValueError, OverflowError)) as wanted:
        function(3)
    with pytest.raises(wanted.type) as found:
        weft.jit(function)(3)
    assert str(found.value).splitlines()[0] == str(wanted.value)


def without_a_seed(n):
    return np.random.default_rng().random(n)


def with_a_float(n):
    return np.random.default_rng(1.5).random(n)


def unknown_method(n):
    return np.random.default_rng(n).gamma(2.0)


def returned_generator(n):
    return np.random.default_rng(n)


def shared_state(n):
    np.random.seed(n)
    return np.random.rand(n)


@pytest.mark.parametrize(
    ("function", "remedy"),
    [
        (without_a_seed, r"default_rng\(seed\)"), (with_a_float, r"default_rng\(seed\)"),
        (unknown_method, "draw an array of such numbers"), (returned_generator, "return arrays"),
        (shared_state, r"rng\.random\(\(2, 3\)\) for np\.random\.rand"),
    ],
)  # fmt: skip
def test_what_is_refused(function, remedy):
    with pytest.raises((UnsupportedError, TypeInferenceError, MultipleErrors), match=remedy):
        weft.jit(function)(3)


def test_generators_are_no_arguments():
    with pytest.raises(ArgumentError, match=r"default_rng\(seed\) in the compiled function"):
        weft.jit(lambda rng: rng.random())(np.random.default_rng(0))
