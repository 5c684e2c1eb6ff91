"""Families that reach arrays in unusual ways: slices, flattened and circular indices, parts, and several shapes."""

from __future__ import annotations

from .terms import Expressions, term
from .writer import Array, Counter, Writer


class Layouts(Writer):
    """Nests whose accesses are more than loop counters with offsets."""

    def slices(self) -> None:
        """Views of parts of arrays, maybe of the array that is written."""
        i, view = self.counter(), self.fresh("v")
        source = self.array()
        target = source if self.chance(0.3) else self.array(new=True)
        start, step = self.random.choice((0, 1, 2, 3)), self.random.choice((1, 1, 2))
        self.line(f"{view} = {source.name}[{start}:{f'2 * n + {start}:2' if step == 2 else f'n + {start}'}]")
        value = Expressions(self.random, [term(f"{view}[{i.name}]", source.dtype)]).value(1)
        self.inside(self.head(i), f"{target.name}[{i.name}] = {value.text}")

    def rows(self) -> None:
        """Rows or columns of a matrix as arrays of their own."""
        i, j, row = self.counter(), Counter(self.fresh("j")), self.fresh("r")
        source, target = self.array(2), self.array(2, new=True)
        part = self.random.choice((f"{source.name}[{i.name}]", f"{source.name}[:, {i.name}]"))
        value = Expressions(self.random, [term(f"{row}[{j.name}]", source.dtype)]).value(1)
        body = f"{target.name}[{i.name}, {j.name}] = {value.text}"
        self.inside(
            self.head(i),
            f"{row} = {part}",
            lambda: self.inside(f"for {j.name} in range(n):", body),
        )

    def flattened(self) -> None:
        """A matrix in a one-dimensional array."""
        i, j = self.counter(), Counter(self.fresh("j"))
        source = self.array(1, values="square")
        target = source if self.chance(0.2) else self.array(1, values="square", new=True)
        place = self.random.choice((f"{i.name} * n + {j.name}",) * 3 + (f"{j.name} * n + {i.name}",))
        value = Expressions(self.random, [term(f"{source.name}[{place}]", source.dtype)]).value(1)
        body = f"{target.name}[{i.name} * n + {j.name}] = {value.text}"
        self.inside(self.head(i), lambda: self.inside(f"for {j.name} in range(n):", body))

    def unflattened(self) -> None:
        """One loop over a matrix, by division and remainder."""
        k, target, source = self.counter(), self.array(2, new=True), self.array(2)
        value = Expressions(self.random, [term(f"{source.name}[{k.name} // n, {k.name} % n]", source.dtype)]).value(1)
        self.inside(f"for {k.name} in range(n * n):", f"{target.name}[{k.name} // n, {k.name} % n] = {value.text}")

    def circular(self) -> None:
        """Neighbours around a circle."""
        i, source = self.counter(), self.array()
        target = source if self.chance(0.25) else self.array(new=True)
        shift = self.random.choice((1, 2))
        terms = [term(f"{source.name}[({i.name} + {shift}) % n]", source.dtype)]
        terms.append(term(f"{source.name}[({i.name} - 1) % n]", source.dtype))
        self.inside(self.head(i), f"{target.name}[{i.name}] = {Expressions(self.random, terms).value(1).text}")

    def distance(self) -> None:
        """An offset that is known when the function is called."""
        i, target, shift = self.counter(), self.array(), self.number("int")
        source = target if self.chance(0.6) else self.array()
        left, right = (f"{i.name} + {shift.text}", i.name)[:: self.random.choice((1, -1))]
        value = Expressions(self.random, [term(f"{source.name}[{right}]", source.dtype)]).value(1)
        self.inside(self.head(i), f"{target.name}[{left}] = {value.text}")

    def crossing(self) -> None:
        """Reads from the other end of the array that is written."""
        i, target = self.counter(), self.array()
        other = self.random.choice((f"n - 1 - {i.name}", f"n - {i.name}", f"2 * {i.name}", f"{i.name} // 2"))
        value = Expressions(self.random, [term(f"{target.name}[{other}]", target.dtype)]).value(1)
        self.inside(f"for {i.name} in range(n):", f"{target.name}[{i.name}] = {value.text}")

    def elements(self) -> None:
        """Loops over arrays themselves, ``enumerate`` and ``zip``."""
        i, x, y = self.counter(), self.fresh("x"), self.fresh("y")
        a, b, target = self.array(), self.array(), self.array(new=True)
        value = Expressions(self.random, [term(x, a.dtype)]).value(1)
        pair = Expressions(self.random, [term(x, a.dtype), term(y, b.dtype)]).value(1)
        head, body = self.random.choice((
            (f"for {i.name}, {x} in enumerate({a.name}):", f"{target.name}[{i.name}] = {value.text}"),
            (f"for {i.name}, ({x}, {y}) in enumerate(zip({a.name}, {b.name})):",
             f"{target.name}[{i.name}] = {pair.text}"),
            (f"for {i.name} in range(len({a.name})):",
             f"{target.name}[{i.name}] = {a.name}[{i.name}] * {b.name}[{i.name}]"),
            (f"for {i.name} in range({a.name}.shape[0]):", f"{target.name}[{i.name}] = {a.name}[{i.name}] + 1.0"),
            (f"for {i.name} in reversed(range(n)):", f"{target.name}[{i.name}] = {a.name}[{i.name}] - 1.0"),
        ))  # fmt: skip
        self.inside(head, body)

    def flags(self) -> None:
        """Boolean arrays, written and then tested."""
        i, j, flag = self.counter(), Counter(self.fresh("j")), self.array(1, ("bool",), new=True)
        condition = self.expressions(i).condition()
        self.inside(f"for {i.name} in range(n):", f"{flag.name}[{i.name}] = {condition}")
        target, value = self.array(new=True), self.expressions(j).value(1)
        assign = f"{target.name}[{j.name}] = {value.text}"
        self.inside(self.head(j), lambda: self.inside(f"if {flag.name}[{j.name}]:", assign))

    def complexes(self) -> None:
        """Complex numbers and their parts."""
        i = self.counter()
        source, target = self.array(1, ("complex128", "complex64")), self.array(1, ("complex128",), new=True)
        here = f"{source.name}[{i.name}]"
        value = self.random.choice((f"{here} * 2.0 + 1j", f"{here} * {here}", f"{here}.real + {here}.imag * 1j",
                                    f"-{here} + {target.name}[{i.name}]", f"{here} - {here}.conjugate()"))  # fmt: skip
        self.inside(self.head(i), f"{target.name}[{i.name}] = {value}")

    def borders(self) -> None:
        """Guards on the counter that keep neighbours inside."""
        i, source = self.counter(), self.array()
        target: Array = source if self.chance(0.15) else self.array(new=True)
        x = source.name
        guard, inner = self.random.choice((
            (f"{i.name} > 0", f"{x}[{i.name} - 1]"),
            (f"0 < {i.name} < n - 1", f"{x}[{i.name} - 1] + {x}[{i.name} + 1]"),
            (f"{i.name} < n - 2", f"{x}[{i.name} + 2]"), (f"{i.name} % 2 == 0", f"{x}[{i.name} // 2]"),
            (f"{i.name} >= 1 and {x}[{i.name} - 1] > 0.0", f"{x}[{i.name}]"),
        ))  # fmt: skip
        if self.chance(0.4):
            zero = f"{x}[0]"
            self.inside(f"for {i.name} in range(n):", f"{target.name}[{i.name}] = ({inner} if {guard} else {zero})")
            return
        self.inside(f"for {i.name} in range(n):", lambda: self.inside(
            f"if {guard}:", f"{target.name}[{i.name}] = {inner}"))  # fmt: skip
