"""``np.random.Generator`` as a class that Weft compiles: a seed, and how many numbers were drawn.

Each draw takes one place of the stream, so a loop that draws in every iteration knows the places of all of them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weft.frontend.arrays.library import distributions, philox

NO_ITEMS = "a must be a positive integer unless no samples are taken"
EMPTY = "a cannot be empty unless no samples are taken"
NOT_ONE = "Probabilities do not sum to 1. See Notes section of docstring for more information."
TOO_MANY = "Cannot take a larger sample than population when replace is False"
MOST_EVENTS = 9.223372006484771e18
ROUNDING = 1.4901161193847656e-08
"""The square root of the distance from 1.0 to the next float."""


@dataclass
class Generator:
    """A stream of random numbers."""

    _seed: np.uint64
    _place: int

    def random(self, size=None, dtype=np.float64, out=None):
        """Uniform numbers of [0, 1)."""
        draw = philox.unit if np.dtype(dtype) == np.dtype(np.float64) else philox.small_unit
        return result(self, size, dtype, out, draw)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """Normal numbers of the mean 0 and the deviation 1."""
        return result(self, size, dtype, out, distributions.normal)

    def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
        """Exponential numbers of the mean 1."""
        return result(self, size, dtype, out, distributions.exponential)

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Normal numbers."""
        require_not_negative(scale, "scale < 0")
        return fitted(size, wide(loc) + wide(scale) * self.standard_normal(size_for(size, loc, scale)))

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Exponentials of normal numbers."""
        require_not_negative(sigma, "sigma < 0")
        return fitted(size, number(np.exp(self.normal(mean, sigma, size_for(size, mean, sigma)))))

    def exponential(self, scale=1.0, size=None):
        """Exponential numbers."""
        require_not_negative(scale, "scale < 0")
        return fitted(size, wide(scale) * self.standard_exponential(size_for(size, scale)))

    def uniform(self, low=0.0, high=1.0, size=None):
        """Uniform numbers from `low` on and below `high`."""
        require_range(wide(high) - wide(low))
        return fitted(size, wide(low) + (wide(high) - wide(low)) * self.random(size_for(size, low, high)))

    def poisson(self, lam=1.0, size=None):
        """How often something happens that happens `lam` times on average."""
        require_mean(lam)
        seed = self._seed
        if is_array(lam):
            if size is None:
                return events(self, lam, np.empty(lam.shape, np.int64))
            means = np.empty(size)
            means[...] = lam
            return events(self, means, np.empty(size, np.int64))
        if size is None:
            return distributions.poisson(seed, taken(self, 1), float(lam))
        mean = float(lam)
        return filled(self, size, np.int64, lambda seed, place: distributions.poisson(seed, place, mean))

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Integers from `low` on, and below `high` or up to it."""
        first, end = (0, low) if high is None else (low, high)
        last = last_of(first, end, endpoint, dtype, high is None, size)
        start = bits_of(first)
        span = bits_of(last) - start
        if size is None:
            return integer(philox.below(self._seed, taken(self, 1), span) + start, dtype)
        return filled(self, size, dtype, lambda seed, place: integer(philox.below(seed, place, span) + start, dtype))

    def shuffle(self, x, axis=0):
        """Put the items of an array, or of a list, in another order."""
        if is_array(x) and x.ndim > 1:
            x[...] = np.take(x, self.permutation(x.shape[axis]), axis=axis)
        else:
            count = len(x)
            steps = max(count - 1, 0)
            others = partners(self, steps, count)
            for k in range(steps):
                last = count - 1 - k
                other = others[k]
                x[last], x[other] = x[other], x[last]

    def permutation(self, x, axis=0):
        """A new array with the items of an array, or the numbers below `x`, in another order."""
        if isinstance(x, (list, tuple)):
            return self.permutation(np.array(x))
        if is_array(x):
            if x.ndim == 1:
                items = x.copy()
                self.shuffle(items)
                return items
            return np.take(x, self.permutation(x.shape[axis]), axis=axis)
        numbers = np.arange(x)
        self.shuffle(numbers)
        return numbers

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Items of an array along `axis`, or numbers below `a`."""
        if isinstance(a, (list, tuple)):
            return self.choice(np.array(a), size, replace, p)
        many = a.shape[axis] if is_array(a) else a
        if many <= 0 and (size is None or elements(size) > 0):
            raise ValueError(EMPTY if is_array(a) else NO_ITEMS)
        places = self._places(many, size, replace) if p is None else self._places_by(many, size, replace, p)
        if is_array(a):
            return a[places] if axis == 0 else np.take(a, places, axis=axis)
        return places

    def _places(self, many, size, replace):
        if replace or size is None:
            return number(self.integers(0, many, size))
        count = elements(size)
        if count > many:
            raise ValueError(TOO_MANY)
        numbers = np.arange(many)
        others = partners(self, count, many)
        for k in range(count):
            other = k + others[k]
            numbers[k], numbers[other] = numbers[other], numbers[k]
        return shaped(numbers[:count].copy(), size)

    def _places_by(self, many, size, replace, p):
        weights = np.asarray(p, dtype=np.float64)
        if weights.shape[0] != many:
            raise ValueError("a and p must have same size")
        total = weights.sum()
        if np.isnan(total):
            raise ValueError("Probabilities contain NaN")
        if np.any(weights < 0.0):
            raise ValueError("Probabilities are not non-negative")
        if np.abs(total - 1.0) > ROUNDING:
            raise ValueError(NOT_ONE)
        if replace or size is None:
            sums = np.cumsum(weights)
            last = sums[many - 1]
            if size is None:
                return first_above(sums, self.random() * last)
            count = elements(size)
            found = np.empty(count, np.int64)
            seed = self._seed
            place = taken(self, count)
            for k in range(count):
                found[k] = first_above(sums, philox.unit(seed, place + k) * last)
            return shaped(found, size)
        count = elements(size)
        if count > many:
            raise ValueError(TOO_MANY)
        if np.count_nonzero(weights > 0.0) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        return shaped(np.argsort(self.standard_exponential(many) / weights, kind="stable")[:count].copy(), size)


def default_rng(seed):
    """``np.random.default_rng`` of an integer."""
    if seed < 0:
        raise ValueError("expected non-negative integer")
    return Generator(np.uint64(seed), 0)


def is_array(x):
    return isinstance(x, np.ndarray)


def taken(generator, count):
    """The first of so many places of the stream."""
    place = generator._place
    generator._place = place + count
    return place


def elements(size):
    """How many elements an array of a size has."""
    if isinstance(size, tuple):
        count = 1
        for extent in size:
            count *= extent
        return count
    return int(size)


def shaped(array, size):
    return array.reshape(size) if isinstance(size, tuple) else array


def result(generator, size, dtype, out, draw):
    """One number, an array of them, or `out` filled with them."""
    if out is not None:
        place = taken(generator, out.size)
        for k, index in enumerate(np.ndindex(out.shape)):
            out[index] = draw(generator._seed, place + k)
        return out
    if size is None:
        return number(draw(generator._seed, taken(generator, 1)))
    return filled(generator, size, dtype, draw)


def filled(generator, size, dtype, draw):
    """An array of numbers."""
    if isinstance(size, tuple) and len(size) == 0:
        one = np.empty(size, dtype)
        one[()] = draw(generator._seed, taken(generator, 1))
        return one
    count = elements(size)
    if count < 0:
        raise ValueError("negative dimensions are not allowed")
    array = np.empty(count, dtype)
    seed = generator._seed
    place = taken(generator, count)
    for k in range(count):
        array[k] = draw(seed, place + k)
    if isinstance(size, tuple):
        array.shape = size
    return array


def partners(generator, steps, count):
    """For each step of an exchange, one of the items that are left: `count` at first, and one less after each step."""
    found = np.empty(steps, np.int64)
    seed = generator._seed
    place = taken(generator, steps)
    for k in range(steps):
        found[k] = philox.below(seed, place + k, np.int64(count - 1 - k).astype(np.uint64)).astype(np.int64)
    return found


def events(generator, means, out):
    place = taken(generator, out.size)
    for k, index in enumerate(np.ndindex(out.shape)):
        out[index] = distributions.poisson(generator._seed, place + k, means[index])
    return out


def number(x):
    """NumPy's scalar as Python's number; an array itself."""
    return x if is_array(x) else x.item()


def wide(x):
    """An array itself, and a number as Python's float."""
    return x if is_array(x) else float(x)


def size_for(size, *parameters):
    """The size that is asked for, or that of the parameters together."""
    if size is not None:
        return size
    total = 0.0
    for parameter in parameters:
        total = total + parameter
    return total.shape if is_array(total) else None


def fitted(size, values):
    """The values, which have the size that was asked for."""
    if size is None or not is_array(values):
        return values
    out = np.empty(size)
    out[...] = values
    return out


def require_not_negative(value, message):
    if np.any(np.signbit(value) & ~np.isnan(value)):
        raise ValueError(message)


def require_range(span):
    if not np.all(np.isfinite(span)):
        raise OverflowError("high - low range exceeds valid bounds")
    if np.any(np.signbit(span)):
        raise ValueError("high - low < 0")


def require_mean(lam):
    if not np.all(lam >= 0.0) or np.any(np.signbit(lam)):
        raise ValueError("lam < 0 or lam is NaN")
    if np.any(lam > MOST_EVENTS):
        raise ValueError("lam value too large")


def first_above(sums, level):
    """The first place whose sum is above a level."""
    low, high = 0, sums.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > level:
            high = middle
        else:
            low = middle + 1
    return low


def bits_of(x):
    """An integer as 64 bits."""
    return np.uint64(x) if isinstance(x, np.uint64) else np.int64(x).astype(np.uint64)


def integer(bits, dtype):
    """64 bits as a number of a type."""
    if dtype is int:
        return int(bits.astype(np.int64))
    if dtype is bool:
        return bool(bits)
    return bits.astype(dtype)


def last_of(first, end, endpoint, dtype, is_short, size):
    """The largest integer that may be drawn."""
    if size is None or elements(size) > 0:
        if endpoint:
            if first > end:
                raise ValueError("high < 0" if is_short else "low > high")
        elif first >= end:
            raise ValueError("high <= 0" if is_short else "low >= high")
    return end if endpoint else end - 1
