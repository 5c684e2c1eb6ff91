"""Random walks over coherent arrays, beside NumPy arrays that must hold the same bytes after every step.

A walk has a few storages; each is a coherent array and its twin of NumPy. Steps call compiled functions on any device
with views, loans and plain arrays, change elements from the host, lend arrays, drop them, and limit a device's memory.
The expected elements are those that the plain functions leave in the twins.

Run ``python -m tests.hunt.arrays --seconds 600 --seed 0`` for long; a failure names its seed and the last steps.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import weft
from weft.runtime import _stub

DTYPES = ("f8", "f4", "i4", "i8", "u1", "?", "c16", "i2")


REFUSALS = (weft.UnsupportedError, weft.errors.TypeInferenceError, weft.ArgumentError)


class Difference(AssertionError):
    """What a walk found; the text has the seed and the steps."""


# ------------------------------------------------------------------------------------------------ compiled functions


def scale(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i] + y[i]


def shift(x, y, k):
    for i in range(1, x.shape[0]):
        y[i] = x[i - 1]


def in_order(x, y, k):
    for i in range(1, x.shape[0]):
        y[i] = y[i - 1] + x[i]


def one_element(x, y, k):
    x[k] = y[k]
    for i in range(x.shape[0]):
        y[i] = x[k]


def host_after(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i] + x[i]
    y[k] = x[0]
    return y[k]


def host_between(x, y, k):
    for i in range(x.shape[0]):
        y[i] = y[i] + x[i]
    t = y[k]
    for i in range(x.shape[0]):
        x[i] = y[i] + t
    return t


def part(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i]
    return y[k:]


def whole(x, y, k):
    for i in range(x.shape[0]):
        x[i] = y[i]
    return x


def fails(x, y, k):
    for i in range(x.shape[0]):
        if i == k:
            raise ValueError("here")
        y[i] = x[i]


def fails_late(x, y, k):
    for i in range(x.shape[0]):
        y[i] = x[i] + x[i]
    for i in range(x.shape[0]):
        if i == k:
            raise ValueError("there")
        x[i] = y[i]


def outside(x, y, k):
    for i in range(x.shape[0]):
        y[i + k] = x[i]


def swaps(x, y, k):
    for t in range(3):
        for i in range(1, x.shape[0] - 1):
            y[i] = x[i - 1] + x[i + 1]
        x, y = y, x
    return x


def local(x, y, k):
    t = np.empty(x.shape[0], x.dtype)
    for i in range(x.shape[0]):
        t[i] = x[i] + y[i]
    for i in range(x.shape[0]):
        y[i] = t[x.shape[0] - 1 - i]
    return t


def counts(x, y, k):
    n = 0
    for i in range(x.shape[0]):
        if x[i] == y[i]:
            n += 1
    return n


def reversed_host(x, y, k):
    i = x.shape[0] - 1
    while i >= k:
        y[i] = x[i]
        i -= 1
    for i in range(x.shape[0]):
        x[i] = y[i]


def plane(x, y, k):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + y[i, j]


def rows_host(x, y, k):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j]
    for j in range(x.shape[1]):
        y[0, j] = y[0, j] + x[0, 0]


def row_view(x, y, k):
    r = x[0]
    for j in range(x.shape[1]):
        r[j] = y[0, j]
    return r


def columns(x, y, k):
    for j in range(x.shape[1]):
        for i in range(1, x.shape[0]):
            y[i, j] = y[i - 1, j] + x[i, j]


def transposed(x, y, k):
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i - 1, j]
    return y.T


VECTORS = (
    scale, shift, in_order, one_element, host_after, host_between, part, whole, fails, fails_late, outside, swaps,
    local, counts, reversed_host,
)  # fmt: skip
PLANES = (plane, rows_host, row_view, columns, transposed)
OPTIONS = ({"device": "cpu"}, {"device": "opencl"}, {})


def compiled(devices: tuple[str, ...]) -> dict[tuple[Any, str], Any]:
    """The functions for each device."""
    return {(f, d): weft.jit(f, device=d) for f in (*VECTORS, *PLANES) for d in devices}


# --------------------------------------------------------------------------------------------------------------- walk


class Pair:
    """A coherent array, or a part of one, and the part of its twin."""

    def __init__(self, ours: Any, twin: np.ndarray, name: str) -> None:
        self.ours, self.twin, self.name = ours, twin, name


class Walk:
    """One random walk.

    Parameters
    ----------
    seed
        Of all that is drawn.
    functions
        What `compiled` gave.
    dtypes
        Of how many types of elements up to two are drawn; fewer compile less.
    """

    def __init__(self, seed: int, functions: dict[tuple[Any, str], Any], dtypes: int = 2) -> None:
        self.seed, self.random = seed, random.Random(seed)
        self.functions = functions
        self.devices = tuple(sorted({device for _, device in functions}))
        self.dtypes = self.random.sample(DTYPES[:dtypes], min(dtypes, 2))
        self.roots: list[Pair] = []
        self.views: list[Pair] = []
        self.plain: list[Pair] = []
        self.loans: list[Pair] = []
        self.steps: list[str] = []
        self.depth = 0
        actions: list[tuple[Callable[[], None], int]] = [
            (self.make, 2), (self.drop, 1), (self.view, 6), (self.forget, 2), (self.call, 16), (self.set, 3),
            (self.get, 3), (self.in_place, 2), (self.ufunc, 2), (self.lend, 2), (self.end_loan, 2), (self.host, 2),
            (self.limited, 1), (self.copy, 1), (self.made_plain, 1), (self.collect, 1), (self.other_device, 2),
        ]  # fmt: skip
        chosen = [(a, w) for a, w in actions if w > 5 or a == self.make or self.random.random() < 0.75]
        self.actions = [a for a, w in chosen for _ in range(w)]

    def run(self, count: int) -> None:
        """Take so many steps; raise `Difference` at the first that leaves something else than NumPy."""
        self.make()
        for _ in range(count):
            self.random.choice(self.actions)()
            if self.random.random() < 0.3:
                self.check()
        self.check()

    # ---------------------------------------------------------------------------------------------------- drawing

    def _shape(self) -> tuple[int, ...]:
        r = self.random
        return r.choice([(7,), (16,), (33,), (5, 6), (6, 5), (4, 9), (3, 4, 5), (1,), (0,), (2, 1)])

    def _values(self, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        count = int(np.prod(shape))
        return np.array([self.random.randint(0, 3) for _ in range(count)]).astype(dtype).reshape(shape)

    def _pairs(self) -> list[Pair]:
        return [*self.roots, *self.views]

    def _pick(self, pairs: list[Pair] | None = None) -> Pair:
        return self.random.choice(pairs or self._pairs())

    def _key(self, shape: tuple[int, ...]) -> Any:
        r, key = self.random, []
        for extent in shape[: r.randint(0, len(shape))]:
            kind = r.random()
            if kind < 0.25 and extent:
                key.append(r.randrange(-extent, extent))
            else:
                key.append(r.choice([slice(None), slice(1, None), slice(None, None, 2), slice(None, None, -1),
                                     slice(None, -1), slice(1, 4), slice(2, 2)]))  # fmt: skip
        return tuple(key) if r.random() < 0.9 or not key else key[0]

    # ---------------------------------------------------------------------------------------------------- actions

    def note(self, text: str) -> None:
        """Add a line to what is shown where the walk fails."""
        self.steps.append("  " * self.depth + text)

    def make(self) -> None:
        shape, dtype = self._shape(), self.random.choice(self.dtypes)
        name = f"a{len(self.steps)}"
        if self.random.random() < 0.3:
            pair = Pair(weft.zeros(shape, dtype), np.zeros(shape, dtype), name)
            self.note(f"{name} = weft.zeros({shape}, {dtype!r})")
        else:
            values = self._values(shape, dtype)
            pair = Pair(weft.array(values), values.copy(), name)
            self.note(f"{name} = weft.array({shape}, {dtype!r})")
        self.roots.append(pair)

    def made_plain(self) -> None:
        shape, dtype = self._shape(), self.random.choice(self.dtypes)
        values = self._values(shape, dtype)
        self.plain.append(Pair(values, values.copy(), f"p{len(self.steps)}"))
        self.note(f"{self.plain[-1].name} = np.array({shape}, {dtype!r})")

    def copy(self) -> None:
        source = self._pick()
        how = self.random.choice(("copy", "pickle", "array"))
        ours = {"copy": lambda: source.ours.copy(), "pickle": lambda: pickle.loads(pickle.dumps(source.ours)),
                "array": lambda: weft.array(source.ours)}[how]()  # fmt: skip
        self.roots.append(Pair(ours, source.twin.copy(), f"a{len(self.steps)}"))
        self.note(f"{self.roots[-1].name} = {how}({source.name})")

    def drop(self) -> None:
        """Forget a root; its views and loans go on."""
        if len(self.roots) > 2:
            self.note(f"del {self.roots.pop(self.random.randrange(len(self.roots))).name}")

    def forget(self) -> None:
        if self.views:
            self.note(f"del {self.views.pop(self.random.randrange(len(self.views))).name}")

    def collect(self) -> None:
        self.note("gc.collect()")
        gc.collect()

    def view(self) -> None:
        source = self._pick()
        how = self.random.random()
        if how < 0.2:
            ours, twin, text = source.ours.T, source.twin.T, ".T"
        elif how < 0.3 and source.twin.flags.c_contiguous:
            ours, twin, text = source.ours.reshape(-1), source.twin.reshape(-1), ".reshape(-1)"
        else:
            key = self._key(source.twin.shape)
            ours, twin, text = source.ours[key], source.twin[key], f"[{key}]"
            if not isinstance(ours, weft.Array):
                self._same(ours, twin, f"{source.name}{text}")
                return
        self.views.append(Pair(ours, twin, f"v{len(self.steps)}"))
        self.note(f"{self.views[-1].name} = {source.name}{text}")

    def _arguments(self, function: Any) -> list[Pair] | None:
        """Two arguments of one shape and type: coherent, lent, plain; perhaps the same memory."""
        ndim = 2 if function in PLANES else 1
        pool = [*self._pairs(), *self._pairs(), *self.plain, *self.loans]
        fitting = [p for p in pool if p.twin.ndim == ndim]
        if not fitting:
            return None
        first = self.random.choice(fitting)
        others = [p for p in fitting if p.twin.dtype == first.twin.dtype and p.twin.shape == first.twin.shape]
        return [first, self.random.choice(others)]

    def call(self) -> None:
        function = self.random.choice(PLANES if self.random.random() < 0.3 else VECTORS)
        device = self.random.choice(self.devices)
        self._call(function, device)

    def _call(self, function: Any, device: str) -> None:
        arguments = self._arguments(function)
        if arguments is None:
            return
        extent = arguments[0].twin.shape[0]
        k = self.random.randrange(max(extent, 1))
        text = f"{function.__name__}({arguments[0].name}, {arguments[1].name}, {k}) on {device}"
        self.note(text)
        try:
            got = self._outcome(self.functions[function, device], [a.ours for a in arguments], k)
        except REFUSALS as refusal:
            self.note(f"refused: {refusal.message}")  # nothing was done: the next comparison sees to that
            return
        expected = self._outcome(function, [a.twin for a in arguments], k)
        if expected[0] != got[0]:
            raise self.difference(f"{text}: {got} for {expected}")
        if isinstance(expected[1], np.ndarray):
            self._result(got[1], expected[1], arguments, text)
        else:
            self._same(got[1], expected[1], text)

    def _outcome(self, function: Any, arrays: list[Any], k: int) -> tuple[str, Any]:
        try:
            with np.errstate(all="ignore"):
                return "result", function(*arrays, k)
        except (ValueError, IndexError) as error:
            if isinstance(error, weft.Error):
                raise
            return type(error).__name__, None

    def _result(self, ours: Any, twin: np.ndarray, arguments: list[Pair], text: str) -> None:
        self._same(ours, twin, text)
        for pair in arguments:
            if twin is pair.twin and ours is not pair.ours and not any(p.ours is ours for p in arguments):
                raise self.difference(f"{text}: the result is not the argument")
        root = any(np.shares_memory(twin, pair.twin) for pair in arguments)
        if isinstance(ours, weft.Array):
            self.views.append(Pair(ours, twin, f"v{len(self.steps)}"))
            self.note(f"{self.views[-1].name} = the result")
        elif not root:
            self.plain.append(Pair(ours, twin, f"p{len(self.steps)}"))
            self.note(f"{self.plain[-1].name} = the result")

    def other_device(self) -> None:
        """A call in a block that names another device."""
        device = self.random.choice(self.devices)
        self.note(f"with weft.device({device!r}):")
        self.depth += 1
        with weft.device(device):
            for _ in range(self.random.randint(1, 3)):
                self.call()
        self.depth -= 1

    def limited(self) -> None:
        """Calls under a limit of the device's memory, which push arrays out."""
        if "opencl" not in self.devices:
            return
        limit = self.random.choice((300, 700, 2000, 5000))
        self.note(f"with weft.device('opencl', memory_limit={limit}):")
        self.depth += 1
        with weft.device("opencl", memory_limit=limit):
            for _ in range(self.random.randint(1, 4)):
                try:
                    self.call()
                except weft.OutOfMemoryError:
                    # What the twins did was not done: that is an answer, too, if nothing else was done.
                    self._restore()
        self.depth -= 1

    def _restore(self) -> None:
        """Make the twins what the arrays are, after a call that was refused."""
        self.note("out of memory")
        for pair in (*self._pairs(), *self.plain):
            pair.twin[...] = np.array(pair.ours)

    def set(self) -> None:
        pair = self._pick()
        key = self._key(pair.twin.shape)
        part = pair.twin[key]
        is_whole = self.random.random() < 0.5
        value = self._values(part.shape, str(pair.twin.dtype)) if is_whole else self.random.randint(0, 3)
        self.note(f"{pair.name}[{key}] = ...")
        pair.twin[key] = value
        pair.ours[key] = value

    def get(self) -> None:
        pair = self._pick()
        key = self._key(pair.twin.shape)
        self.note(f"np.array({pair.name}[{key}])")
        self._same(np.array(pair.ours[key]), np.array(pair.twin[key]), f"{pair.name}[{key}]")

    def in_place(self) -> None:
        pair = self._pick()
        self.note(f"{pair.name} += {pair.name}")
        ours = pair.ours
        ours += pair.ours
        twin = pair.twin
        twin += pair.twin

    def ufunc(self) -> None:
        pair = self._pick()
        fitting = [p for p in (*self._pairs(), *self.plain, *self.loans)
                   if p.twin.shape == pair.twin.shape and p.twin.dtype == pair.twin.dtype]  # fmt: skip
        other = self.random.choice(fitting)
        function = self.random.choice((np.add, np.maximum, np.multiply))
        self.note(f"np.{function.__name__}({pair.name}, {other.name}, out={pair.name})")
        function(pair.ours, other.ours, out=pair.ours)
        function(pair.twin, other.twin, out=pair.twin)

    def lend(self) -> None:
        pair = self._pick()
        twin = pair.twin.view()
        twin.flags.writeable = False
        self.loans.append(Pair(np.asarray(pair.ours), twin, f"l{len(self.steps)}"))
        self.note(f"{self.loans[-1].name} = np.asarray({pair.name})")

    def end_loan(self) -> None:
        if self.loans:
            self.note(f"del {self.loans.pop(self.random.randrange(len(self.loans))).name}")

    def host(self) -> None:
        """A block in which the host writes, and calls go on."""
        if self.depth > 2:
            return
        pair = self._pick()
        name = f"h{len(self.steps)}"
        self.note(f"with {pair.name}.host() as {name}:")
        self.depth += 1
        with pair.ours.host() as lent:
            self.plain.append(Pair(lent, pair.twin, name))
            mine = self.plain[-1]
            for _ in range(self.random.randint(1, 4)):
                if self.random.random() < 0.5 and pair.twin.size:
                    key = self._key(pair.twin.shape)
                    value = self.random.randint(0, 3)
                    self.note(f"{name}[{key}] = {value}")
                    lent[key] = value
                    pair.twin[key] = value
                else:
                    self.random.choice((self.call, self.set, self.get, self.other_device))()
                self._same(lent, pair.twin, name)
            self.plain.remove(mine)
            del mine
        if self.random.random() < 0.5:
            del lent
        else:
            twin = pair.twin.view()
            twin.flags.writeable = False
            self.loans.append(Pair(lent, twin, name))
        self.depth -= 1

    # --------------------------------------------------------------------------------------------------- comparing

    def check(self) -> None:
        """All arrays hold what their twins do; they are looked at in different ways."""
        for pair in self.loans:
            self._same(pair.ours, pair.twin, pair.name)
        for pair in (*self.plain, *self.random.sample(self._pairs(), len(self._pairs()))):
            self._same(np.array(pair.ours), pair.twin, pair.name)

    def _same(self, ours: Any, twin: Any, what: str) -> None:
        a, b = np.asarray(ours), np.asarray(twin)
        if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
            raise self.difference(f"{what} is\n{a!r}\nand not\n{b!r}")

    def difference(self, text: str) -> Difference:
        """What was found, with all that led to it."""
        return Difference("\n".join([f"seed {self.seed}: {text}", *self.steps]))


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Every loop on so many threads, however short it is."""
    _stub.set_grain(0.0)
    _stub.set_threads(count)
    try:
        yield
    finally:
        _stub.set_threads(0)
        _stub.set_grain(1e4)


def walk(seed: int, functions: dict[tuple[Any, str], Any], steps: int = 60, dtypes: int = 2) -> None:
    """One walk; what it raises, whatever it is, names the seed and the steps."""
    one = Walk(seed, functions, dtypes)
    try:
        one.run(steps)
    except Difference:
        raise
    except Exception as error:
        raise one.difference(f"{type(error).__name__}: {error}") from error


def main() -> None:
    """Walk until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--dtypes", type=int, default=len(DTYPES), help="how many types of elements")
    parser.add_argument("--devices", default="cpu,opencl")
    parser.add_argument("--stop", action="store_true", help="stop at the first difference")
    chosen = parser.parse_args()
    end, seed, found = time.monotonic() + chosen.seconds, chosen.seed, 0
    functions = compiled(tuple(chosen.devices.split(",")))
    with on_threads(4):
        while time.monotonic() < end:
            try:
                walk(seed, functions, chosen.steps, chosen.dtypes)
            except Difference as difference:
                found += 1
                print(difference, flush=True)
                if chosen.stop:
                    break
            seed += 1
    print(f"{seed - chosen.seed} walks, {found} differences")


if __name__ == "__main__":
    main()
