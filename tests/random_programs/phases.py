"""A family of programs in which the inner loops of an iteration hand values on to one another."""

from __future__ import annotations

from .writer import Writer


class Phases(Writer):
    """Rows of matrices and arrays of an iteration, swept several times, also in a loop of steps, with sums between."""

    def phases(self) -> None:
        """An outer loop whose iterations are independent as long as each stays in its row."""
        self.reduces = True
        self.outer, self.total = self.fresh("i"), self.fresh("s")
        self.known_rows = [f"{self.array(2, ('float64',), new=True).name}[{self.outer}, {{}}]" for _ in range(2)]
        self.inside(f"for {self.outer} in range({self.random.choice(('n', '1, n', 'n + 3'))}):", self.iteration)

    def iteration(self) -> None:
        """What one iteration does."""
        known = list(self.known_rows)
        self.line(f"{self.total} = {self.random.choice(('0.0', '1.0'))}")
        for _ in range(self.random.choice((0, 0, 1, 2))):
            own, maker = self.fresh("w"), self.random.choice(("zeros(n + 4)", "ones(n + 4)", "full(n + 4, 0.5)"))
            if self.chance(0.2):
                maker = maker.replace("n + 4", "24" if self.chance(0.5) else "9000")
            self.line(f"{own} = np.{maker}")
            self.known_rows.append(f"{own}[{{}}]" if "24" not in maker else f"{own}[({{}}) % 24]")
        self.sweeps()
        if self.chance(0.5):
            trips = self.random.choice(("2", "3", "n // 2"))
            self.inside(f"for {self.fresh('t')} in range({trips}):", self.sweeps)
        if self.chance(0.7):
            self.line(f"{known[0].format('2')} = {self.total} * 0.125")
        self.known_rows = known

    def sweeps(self) -> None:
        """Loops along a row, one after the other."""
        for _ in range(self.random.randint(1, 4)):
            j = self.fresh("j")
            head = f"for {j} in range({self.random.choice(('n', '1, n', 'n + 2', '1, n - 1'))}):"
            low = "1, n" in head
            write, read = self.random.choice(self.known_rows), self.random.choice(self.known_rows)
            other = self.random.choice(self.known_rows)
            near = f"{j} + 1" if not low or self.chance(0.5) else f"{j} - 1"
            far = f"n + 3 - {j}"
            self.inside(head, self.random.choice((
                f"{write.format(j)} = 0.5 * {read.format(near)} + 0.25 * {other.format(j)}",
                f"{write.format(j)} = {read.format(far)} * 0.5",
                f"{write.format(j)} = {read.format(j)} * 0.25 + {self.total} * 0.125",
                f"{write.format(j)} += {read.format(near)} * 0.5",
                f"{self.total} += {read.format(near)} * 0.125",
                f"{self.total} = max({self.total}, {read.format(j)})",
            )))  # fmt: skip
            if self.chance(0.15):
                self.line(f"if {self.total} > 2.0:")
                self.line(f"    {self.total} = {self.total} * 0.5")
