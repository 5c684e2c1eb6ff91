"""A family of loops of the host whose iterations may overlap: the host fills arrays, kernels work, the host looks."""

from __future__ import annotations

from .interleaved import Interleaved


class Overlapping(Interleaved):
    """Loops in which the host fills arrays, kernels work on them, and the host looks at results, in most orders."""

    def overlapping(self) -> None:
        """A loop of such rounds, and what comes before and after it."""
        self.exact = True
        self.arrays = [self.array(1, ("float64",), new=True).name for _ in range(self.random.choice((1, 2, 2)))]
        self.sizes = dict.fromkeys(self.arrays, "2 * n + 8")
        self.sum = self.fresh("s")
        self.line(f"{self.sum} = 0.0")
        self.factor = self.fresh("f")
        self.line(f"{self.factor} = 1.0")
        for _ in range(self.random.choice((1, 2, 3))):
            self.make_empty()
        if self.chance(0.3):
            self.work()
        self.round = self.fresh("t")
        trips = self.random.choice(("0", "1", "2", "4", "n", "n - 2", "2, n"))
        parts = [self.fill, self.work, *self.random.choices((self.fill, self.work, self.look), k=3)]
        if self.chance(0.8):
            parts = [*(p for p in parts if p != self.look), self.look]
        if self.chance(0.3):
            parts.insert(self.random.randrange(len(parts)), self.hand_on)
        if self.chance(0.2):
            parts.insert(self.random.randrange(len(parts)), self.disturb)
        self.inside(f"for {self.round} in range({trips}):", *parts)
        for _ in range(self.random.choice((0, 0, 1, 2))):
            self.random.choice((self.work, self.look, self.host))()
        self.returned += [self.sum, self.factor]

    def make_empty(self) -> None:
        """A local array; what an iteration does not fill of it was there before."""
        name, maker = self.fresh("w"), self.random.choice(("zeros", "ones"))
        self.line(f"{name} = np.{maker}(2 * n + 8)")
        self.arrays.append(name)
        self.sizes[name] = "2 * n + 8"

    def usual(self, first: bool) -> str:
        """An array that is usually filled by the host, or one that usually gets results."""
        whole = [name for name in self.arrays if self.sizes[name] == "2 * n + 8"]
        half = len(whole) // 2
        own = whole[:half] if first else whole[half:]
        return self.random.choice(own if own and self.chance(0.9) else whole)

    def bounds(self) -> str:
        """Mostly all of an array."""
        return self.random.choice(("2 * n + 8",) * 6 + ("n", "1, n - 1", "n, 2 * n + 8", "2 * n + 7"))

    def fill(self) -> None:
        """The host writes an array, one element after the other."""
        x, y = self.usual(True), self.usual(True)
        i, carried = self.counter().name, self.fresh("c")
        values = [f"{carried} + {self.round}", f"{carried} * {self.factor}", f"{carried} - {i}", f"{carried} + {i}"]
        rare = [f"{self.sum} + {carried}", f"{y}[{i}] - {carried}"]
        value = self.random.choice(values if self.chance(0.9) else rare)
        self.line(f"{carried} = {self.random.choice(('1.0', '0.5 * ' + self.round, self.factor))}")
        body = [f"{carried} = abs({value}) % 64.0", f"{x}[{i}] = {carried}"]
        self.inside('with weft.device("cpu"):', lambda: self.inside(f"for {i} in range({self.bounds()}):", *body))

    def work(self) -> None:
        """A kernel."""
        x, y = self.usual(True), self.usual(False)
        i = self.counter().name
        values = [f"0.5 * {x}[{i}] + 0.25", f"{x}[{i}] * {self.factor}", f"{x}[2 * n + 7 - {i}] * 0.5"]
        rare = [f"{y}[{i}] + {x}[{i}]", f"{self.sum} + {x}[{i}]", f"{y}[{i}] * {x}[2 * n + 7 - {i}] % 8.0"]
        body = f"{y}[{i}] = {self.random.choice(values if self.chance(0.8) else rare)}"
        self.inside(f"for {i} in range({self.bounds()}):", body)

    def look(self) -> None:
        """The host looks at the elements of an array, one after the other."""
        x, y = self.usual(False), self.usual(False)
        i = self.counter().name
        body = [f"{self.sum} = abs({self.sum} - {x}[{i}]) % 64.0"]
        if self.chance(0.1):
            body.append(f"{y}[{i}] = {self.sum}")
        if self.chance(0.1):
            body += [f"if {self.sum} > 60.0:", "    raise ValueError('large')"]
        self.inside('with weft.device("cpu"):', lambda: self.inside(f"for {i} in range({self.bounds()}):", *body))

    def hand_on(self) -> None:
        """A number that iterations hand on."""
        value = self.random.choice((f"{self.factor} * 0.5 + {self.round}", f"{self.factor} + {self.sum}", self.sum))
        self.line(f"{self.factor} = ({value}) % 8.0")

    def disturb(self) -> None:
        """Something that comes between."""
        self.random.choice((self.step, self.host, self.view, lambda: self.fork(3)))()
