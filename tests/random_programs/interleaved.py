"""A family of programs in which the host and a device take turns with the same arrays."""

from __future__ import annotations

from .writer import Counter, Writer

STEPS = {
    "bump": ("def bump(a):\n    a[1:3] += 1.0", "weft.python(bump, {x}, writes=({x},))"),
    "mixed": ("def mixed(a, b):\n    b[:2] = a[:2]", "weft.python(mixed, {x}, {y}, reads=({x},), writes=({y},))"),
    "look": (
        "def look(a):\n    return float(a[0]) + float(a[-1])",
        "{s} = weft.python(look, {x}, reads={x}, returns=float)",
    ),
    "fail": (
        "def fail(a):\n    if a[1] > 1.5:\n        raise ValueError('large')",
        "weft.python(fail, {x}, reads=({x},))",
    ),
}  # fmt: skip
"""Python functions, and how they are called on two arrays and a number."""


class Interleaved(Writer):
    """Kernels, pinned blocks, Python steps and code of the host, in loops and branches, with views and early exits."""

    def interleaved(self) -> None:
        """A sequence of turns, some of them in a loop of the host."""
        self.may_return = not self.returned
        self.exact = True
        self.arrays = [self.array(1, ("float64",), new=True).name for _ in range(self.random.choice((2, 2, 3)))]
        self.sizes = dict.fromkeys(self.arrays, "2 * n + 8")
        self.sum = self.fresh("s")
        self.line(f"{self.sum} = 0.0")
        if self.chance(0.4):
            self.make_local()
        self.turns(self.random.randint(1, 3), 0)
        if self.chance(0.8):
            trips = self.random.choice(("0", "1", "3", "n", "n - 2"))
            self.inside(
                f"for {self.fresh('t')} in range({trips}):",
                self.kernel,
                lambda: self.turns(self.random.randint(1, 4), 1),
            )
        self.turns(self.random.randint(0, 2), 0)
        self.returned.append(self.sum)

    def turns(self, count: int, depth: int) -> None:
        """Some turns one after the other."""
        known = list(self.arrays)
        for _ in range(count):
            kinds = [self.kernel] * 4 + [
                self.pinned,
                self.pinned,
                self.step,
                self.step,
                self.host,
                self.host,
                self.view,
            ]
            kinds += [self.fork, self.leave] if depth < 3 else []
            kinds += [self.swap] if depth == 1 else []
            kind = self.random.choice(kinds)
            kind(depth) if kind in (self.fork,) else kind()
        self.arrays = known if len(self.arrays) > len(known) else self.arrays

    def pair(self) -> tuple[str, str]:
        """Two arrays, of which one may be the other."""
        return self.random.choice(self.arrays), self.random.choice(self.arrays)

    def make_local(self) -> None:
        name, maker = self.fresh("w"), self.random.choice(("zeros", "ones", "full"))
        self.line(f"{name} = np.{maker}({'2 * n + 8' if maker != 'full' else '2 * n + 8, 0.5'})")
        self.arrays.append(name)
        self.sizes[name] = "2 * n + 8"

    def kernel(self) -> None:
        """A loop over a part of an array."""
        x, y = self.pair()
        i = self.counter().name
        short = any(self.sizes[name] != "2 * n + 8" for name in (x, y))
        bounds = ["n - 1", "1, n - 1", "3", "0, n - 1, 2"] if short else ["n", "1, n - 1", "n, 2 * n", "2 * n + 7", "4"]
        body = self.random.choice((
            f"{y}[{i}] = 0.5 * {x}[{i}] + 0.25", f"{y}[{i}] = {y}[{i}] + {x}[{i}]", f"{y}[{i}] = {x}[{i} + 1] * 0.5",
            f"{y}[{i}] = {self.sum} + {i}", f"{y}[{i}] *= 0.5",
        ))  # fmt: skip
        lines = [body]
        if self.chance(0.2):
            lines = [f"if {x}[{i}] > 0.5:", f"    {body}"]
        self.inside(f"for {i} in range({self.random.choice(bounds)}):", *lines)

    def pinned(self) -> None:
        """A block on the processor."""
        self.inside('with weft.device("cpu"):', *[self.kernel] * self.random.choice((1, 1, 2)))

    def step(self) -> None:
        """A call of Python."""
        name = self.random.choice((*STEPS, "bump", "look"))
        definition, call = STEPS[name]
        if definition not in self.helpers:
            self.helpers.append(definition)
        x, y = self.pair()
        if name == "mixed" and x == y:
            return self.host()
        return self.line(call.format(x=x, y=y, s=self.sum))

    def host(self) -> None:
        """A few elements, read or written by the host."""
        x, y = self.pair()
        self.line(
            self.random.choice(
                (
                    f"{self.sum} = {self.sum} + {x}[1]",
                    f"{y}[2] = {x}[1] * 0.5",
                    f"{y}[0] = {self.sum}",
                    f"{y}[n - 3] += 1.0",
                )
            )  # fmt: skip
        )

    def view(self) -> None:
        """A part of an array under a name of its own."""
        whole = [name for name in self.arrays if self.sizes[name] == "2 * n + 8"]
        name, part = self.fresh("v"), self.random.choice(("[1:n + 1]", "[n:]", "[:n]", "[1::2]"))
        self.line(f"{name} = {self.random.choice(whole)}{part}")
        self.arrays.append(name)
        self.sizes[name] = "part"

    def fork(self, depth: int) -> None:
        """Turns on two ways."""
        x, _ = self.pair()

        def way() -> None:
            self.turns(self.random.randint(1, 2), depth + 2)

        self.inside(f"if {x}[{self.random.choice('012')}] > 0.0:", self.kernel, way)
        if self.chance(0.6):
            self.inside("else:", self.host, way)

    def leave(self) -> None:
        """The end of the program, by a result or an exception."""
        x, _ = self.pair()
        if self.may_return and self.chance(0.6):
            self.inside(f"if {x}[1] > 1.5:", f"return {self.sum}")
        elif self.chance(0.5):
            self.inside(f"if {x}[2] > 1.5:", "raise ValueError('large')")

    def swap(self) -> None:
        """Two arrays change places."""
        x, y = self.random.sample(self.arrays[:2], 2)
        if self.sizes[x] == self.sizes[y]:
            self.line(f"{x}, {y} = {y}, {x}")

    def counter(self, low: int = 0) -> Counter:
        return Counter(self.fresh("i"), low)
