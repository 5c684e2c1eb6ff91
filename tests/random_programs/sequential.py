"""Families of loops that must keep their order."""

from __future__ import annotations

from .terms import Expressions, term
from .writer import Counter, Writer


class Sequential(Writer):
    """Nests with real dependences between iterations."""

    FLOAT_STEPS = ("2.5", "3.75", "0.5")

    def recurrence(self) -> None:
        """An array from earlier or later elements of itself."""
        i, target = self.counter(2), self.array()
        distance = self.random.choice((1, 1, 2))
        side = self.random.choice((f"{i.name} - {distance}", f"{i.name} + {distance}", f"{i.name} - {distance}"))
        terms = [term(f"{target.name}[{side}]", target.dtype), term(f"{target.name}[{i.name}]", target.dtype)]
        value = Expressions(self.random, terms).value(1)
        self.inside(self.head(i), f"{target.name}[{i.name}] = {value.text}")

    def wavefront(self) -> None:
        """A matrix from its own neighbours."""
        i, j, target = self.counter(1), Counter(self.fresh("j"), 1), self.array(2)
        neighbours = [f"{i.name} - 1, {j.name}", f"{i.name}, {j.name} - 1", f"{i.name} - 1, {j.name} - 1",
                      f"{i.name} - 1, {j.name} + 1", f"{i.name} + 1, {j.name}"]  # fmt: skip
        chosen = self.random.sample(neighbours, self.random.randint(1, 2))
        value = " + ".join(f"{target.name}[{place}]" for place in chosen)
        body = f"{target.name}[{i.name}, {j.name}] = 0.5 * ({value})"
        self.inside(f"for {i.name} in range(1, n):", lambda: self.inside(f"for {j.name} in range(1, n):", body))

    def wrap_around(self) -> None:
        """The value of the iteration before, kept in a variable."""
        i, before = self.counter(), self.fresh("b")
        source, target = self.array(), self.array(new=True)
        self.line(f"{before} = {source.name}[n]")
        self.inside(
            f"for {i.name} in range(n):",
            f"{target.name}[{i.name}] = {source.name}[{i.name}] + {before}",
            f"{before} = {source.name}[{i.name}]",
        )

    def state(self) -> None:
        """A scalar that every iteration changes in a way that is no reduction."""
        i, x = self.counter(), self.fresh("x")
        target, c = self.array(1, ("float64",), new=True), self.random.choice(self.FLOAT_STEPS)
        self.line(f"{x} = 0.5")
        self.inside(f"for {i.name} in range(n):", f"{x} = {c} * {x} * (1.0 - {x})", f"{target.name}[{i.name}] = {x}")
        self.returned.append(x)

    def repetition(self) -> None:
        """A ``while`` loop."""
        k, target = self.fresh("k"), self.array()
        step = self.random.choice((1, 2, 3))
        self.line(f"{k} = 0")
        body = [f"{target.name}[{k}] = {target.name}[{k}] + {self.random.choice(('1.0', k))}", f"{k} += {step}"]
        if self.chance(0.3):
            body.insert(1, lambda: self.inside(f"if {target.name}[{k}] > 1.5:", "break"))
        self.inside(f"while {k} < n:", *body)
        self.returned.append(k)
