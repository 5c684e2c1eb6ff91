"""Families about where elements are: many dimensions or none, fields, views of views, negative indices and helpers."""

from __future__ import annotations

from .terms import Expressions, term
from .writer import FLOATS, Counter, Writer


class Shapes(Writer):
    """Nests over arrays of unusual shape, and functions that are called."""

    def higher(self) -> None:
        """Three or four dimensions, in any order."""
        count = self.random.choice((3, 3, 4))
        counters = [Counter(self.fresh(name)) for name in "ijkl"[:count]]
        a, target = self.array(count), self.array(count, new=self.chance(0.8))
        places = [self.random.choice((c.name, c.name, f"{c.name} + 1", f"-1 - {c.name}", "2")) for c in counters]
        if self.chance(0.4):
            self.random.shuffle(places)
        here = ", ".join(c.name for c in counters)
        value = Expressions(self.random, [term(f"{a.name}[{', '.join(places)}]", a.dtype)]).value(1)
        heads = [f"for {c.name} in range(min(n, {self.random.choice((3, 4))})):" for c in counters]
        self.nested(self.random.sample(heads, count), f"{target.name}[{here}] = {value.text}")

    def nested(self, heads: list[str], *body: str) -> None:
        """Loops around a body."""
        if not heads:
            for line in body:
                self.line(line)
            return
        self.inside(heads[0], lambda: self.nested(heads[1:], *body))

    def without_dimensions(self) -> None:
        """An array of one element and no axis."""
        i, z, a = self.counter(), self.array(0, ("float64", "int64"), new=True), self.array()
        self.reduces = True
        step = self.random.choice((f"{z.name}[()] += {a.name}[{i.name}]",
            f"{z.name}[()] = {a.name}[{i.name}] + {z.name}[()]",
                                   f"{a.name}[{i.name}] = {z.name}[()] * 2",
                                   f"{a.name}[{i.name}] += {z.name}[()]"))  # fmt: skip
        self.inside(self.head(i), step)

    def records(self) -> None:
        """Fields of structured arrays."""
        i, p = self.counter(), self.array(1, ("point",), new=self.chance(0.5))
        source, target = self.array(), self.array(new=True)
        x = source.name
        body = self.random.choice((
            f"{p.name}['x'][{i.name}] = {x}[{i.name}] + {p.name}['k'][{i.name}]",
            f"{p.name}[{i.name}]['k'] = {i.name}",
            f"{target.name}[{i.name}] = {p.name}['x'][{i.name}] * 2.0 + {p.name}['v'][{i.name}, 1]",
            f"{p.name}['v'][{i.name}, 2] = {p.name}['v'][{i.name}, 0] + 1.0",
            f"{p.name}['x'][{i.name} + 1] = {p.name}['x'][{i.name}] + 1.0",
            f"{p.name}['x'][{i.name}] = {p.name}['x'][{i.name} + 1]",
            f"{p.name}[{i.name}]['x'] += {p.name}[{i.name}]['k']",
        ))  # fmt: skip
        self.inside(self.head(i), body)

    def views(self) -> None:
        """A view of an array that is written through another view, or directly."""
        i, v, a = self.counter(), self.fresh("v"), self.array()
        self.line(
            f"{v} = {a.name}[{self.random.choice(('::-1', '1:', ':-1', '2::2', '3:n + 8', 'n + 3:1:-1', '-n - 4:'))}]"
        )
        if self.chance(0.3):
            self.line(f"{v} = {v}[{self.random.choice(('::-1', '1:', ':n + 1'))}]")
        target = self.random.choice((a.name, v, self.array(new=True).name))
        bound = f"min(n, len({v}))"
        other = self.random.choice((i.name, f"-1 - {i.name}", f"{i.name} // 2"))
        read = self.random.choice((v, a.name))
        value = Expressions(self.random, [term(f"{read}[{other}]", a.dtype)]).value(1)
        self.inside(f"for {i.name} in range({bound}):", f"{target}[{i.name}] = {value.text}")

    def matrix_views(self) -> None:
        """Parts of a matrix, turned and cut."""
        i, j, v = self.counter(), Counter(self.fresh("j")), self.fresh("v")
        m = self.array(2)
        target = m if self.chance(0.3) else self.array(2, new=True)
        part = self.random.choice((".T", "[::-1]", "[:, ::-1]", "[1:, 2:]", "[1:n + 2].T", "[::-1, 1:]", ".T[::-1]"))
        self.line(f"{v} = {m.name}{part}")
        value = Expressions(self.random, [term(f"{v}[{i.name}, {j.name}]", m.dtype)]).value(1)
        self.nested(
            [f"for {i.name} in range(n):", f"for {j.name} in range(n):"],
            f"{target.name}[{i.name}, {j.name}] = {value.text}",
        )

    def from_the_end(self) -> None:
        """Negative indices, constant and counted, some that change sign on the way."""
        i, a = self.counter(), self.array()
        target = a if self.chance(0.3) else self.array(new=True)
        place = self.random.choice(
            (f"-{i.name} - 1", f"{i.name} - n", f"{i.name} - 2", "-3", f"-1 - 2 * {i.name}", f"3 - {i.name}")
        )
        value = Expressions(self.random, [term(f"{a.name}[{place}]", a.dtype)]).value(1)
        where = self.random.choice((i.name, i.name, f"{i.name} - 1", f"-1 - {i.name}"))
        self.inside(f"for {i.name} in range(n):", f"{target.name}[{where}] = {value.text}")

    def helper(self) -> None:
        """A function that is called for every element."""
        name, i = self.fresh("helper"), self.counter()
        a, b, target = self.array(1, FLOATS), self.array(1, FLOATS), self.array(new=True)
        x, y = f"{a.name}[{i.name}]", f"{b.name}[{i.name}]"
        parameters, body, call = self.random.choice((
            ("x, y=2.0", ("return x * y + 1.0",), f"{name}({x})"),
            ("x, y", ("if x > y:", "    return x - y", "return y"), f"{name}({x}, y={y})"),
            ("x, k", ("s = 0.0", "for t in range(k):", "    s += x", "    if s > 3.0:", "        break", "return s"),
            f"{name}({x}, 3)"),
            ("x, y", ("return x + y, x - y",), f"{name}({x}, {y})[1]"),
            ("v, k", ("return v[k] + v[k + 1]",), f"{name}({a.name}, {i.name})"),
            ("x, *, scale=0.5", ("while x > 1.0:", "    x = x * scale", "return x"), f"{name}({x}, scale=0.25)"),
            ("x", ("assert x == x, 'nan'", "return -x"), f"{name}({x})"),
        ))  # fmt: skip
        self.helpers += [f"def {name}({parameters}):", *(f"    {line}" for line in body), ""]
        self.inside(self.head(i), f"{target.name}[{i.name}] = {call}")

    def writing_helper(self) -> None:
        """A function that writes to the array that it is given, and one that is a lambda."""
        name, i = self.fresh("helper"), self.counter()
        a, target = self.array(), self.array(new=True)
        if self.chance(0.4):
            self.line(f"{name} = lambda x, k: x * 2.0 - k")
            self.inside(self.head(i), f"{target.name}[{i.name}] = {name}({a.name}[{i.name}], {i.name})")
            return
        place = self.random.choice(("k", "k", "k + 1", "0"))
        self.helpers += [f"def {name}(out, k, x):", f"    out[{place}] = x + out[k]", "    return k + 1", ""]
        self.inside(self.head(i), f"{name}({target.name}, {i.name}, {a.name}[{i.name}])")

    def exchanges(self) -> None:
        """Elements that change places."""
        i, a, b = self.counter(), self.array(), self.array()
        left, right, head = self.random.choice((
            (f"{a.name}[{i.name}]", f"{a.name}[n - 1 - {i.name}]", f"for {i.name} in range(n // 2):"),
            (f"{a.name}[{i.name}]", f"{b.name}[{i.name}]", self.head(i)),
            (f"{a.name}[{i.name}]", f"{a.name}[{i.name} + 1]",
            f"for {i.name} in range({self.random.choice((0, 1))}, n, 2):"),
            (f"{a.name}[{i.name}]", f"{a.name}[{i.name} + 1]", f"for {i.name} in range(n):"),
        ))  # fmt: skip
        if a.dtype != b.dtype and b.name in right:
            right = f"{a.name}[{i.name} + n]"
        if self.chance(0.4):
            self.inside(head, lambda: self.inside(f"if {left} > {right}:", f"{left}, {right} = {right}, {left}"))
        else:
            self.inside(head, f"{left}, {right} = {right}, {left}")
