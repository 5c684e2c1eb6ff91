"""Families of loops that fold values: reductions, scans, searches, packing."""

from __future__ import annotations

from .terms import Expressions, term
from .writer import Writer


class Folding(Writer):
    """Nests that are parallel but for what they fold."""

    def reduction(self) -> None:
        """A sum or product of floats."""
        i, total = self.counter(), self.fresh("s")
        value = self.expressions(i).value(1)
        self.reduces = True
        start, op = self.random.choice((("0.0", "+="), ("0.0", "-="), ("1.0", "*="), ("0", "+=")))
        self.line(f"{total} = {start}")
        update = f"{total} {op} {value.text}"
        if self.chance(0.3):
            condition = self.expressions(i).condition()
            self.inside(self.head(i), lambda: self.inside(f"if {condition}:", update))
        else:
            self.inside(self.head(i), update)
        self.returned.append(total)

    def count(self) -> None:
        """How many elements fulfil a condition."""
        i, total = self.counter(), self.fresh("s")
        condition = self.expressions(i).condition()
        self.line(f"{total} = 0")
        self.inside(self.head(i), lambda: self.inside(f"if {condition}:", f"{total} += 1"))
        self.returned.append(total)

    def extreme(self) -> None:
        """The largest or smallest element, and maybe where it is."""
        i, best, where = self.counter(), self.fresh("m"), self.fresh("w")
        element = self.element(i)
        op = self.random.choice("<>")
        self.line(f"{best} = {element.text.partition('[')[0]}[0]")
        self.line(f"{where} = 0")
        keep = [f"{best} = {element.text}"] + ([f"{where} = {i.name}"] if self.chance(0.5) else [])
        self.inside(f"for {i.name} in range(n):", lambda: self.inside(f"if {element.text} {op} {best}:", *keep))
        self.returned += [best, where]

    def quantifier(self) -> None:
        """Whether a condition holds anywhere."""
        i, found = self.counter(), self.fresh("q")
        condition = self.expressions(i).condition()
        self.line(f"{found} = False")
        self.inside(self.head(i), lambda: self.inside(f"if {condition}:", f"{found} = True"))
        self.returned.append(found)

    def scan(self) -> None:
        """Running sums."""
        i, total = self.counter(), self.fresh("s")
        value, target = self.expressions(i).value(1), self.array(new=True)
        self.reduces = True
        self.line(f"{total} = 0.0")
        parts = [f"{total} += {value.text}", f"{target.name}[{i.name}] = {total}"]
        self.inside(f"for {i.name} in range(n):", *(parts if self.chance(0.6) else parts[::-1]))
        self.returned.append(total)

    def histogram(self) -> None:
        """A reduction by key."""
        i, keys = self.counter(), self.array(1, ("int64", "int32"), "index")
        if self.chance(0.5):
            target, amount = self.array(1, ("int64", "int32"), new=True), "1"
        else:
            target, amount = self.array(new=True), self.expressions(i).value(1).text
            self.reduces = True
        self.inside(self.head(i), f"{target.name}[{keys.name}[{i.name}]] += {amount}")

    def scatter(self) -> None:
        """Indirect writes, sometimes to different elements."""
        i, values = self.counter(), self.random.choice(("permutation", "permutation", "index"))
        keys, target = self.array(1, ("int64",), values, new=True), self.array(new=True)
        self.inside(self.head(i), f"{target.name}[{keys.name}[{i.name}]] = {self.expressions(i).value(1).text}")

    def packing(self) -> None:
        """Elements that fulfil a condition, one after the other."""
        i, k = self.counter(), self.fresh("k")
        source, target = self.array(), self.array(new=True)
        here = term(f"{source.name}[{i.name}]", source.dtype)
        condition = Expressions(self.random, [here]).condition(0)
        self.line(f"{k} = 0")
        keep = (f"{target.name}[{k}] = {here.text}", f"{k} += 1")
        self.inside(f"for {i.name} in range(n):", lambda: self.inside(f"if {condition}:", *keep))
        self.returned.append(k)

    def search(self) -> None:
        """The first element that fulfils a condition, by ``break`` or ``for ... else``."""
        i, where = self.counter(), self.fresh("w")
        condition = self.expressions(i).condition()
        self.line(f"{where} = -1")
        self.inside(
            f"for {i.name} in range(n):", lambda: self.inside(f"if {condition}:", f"{where} = {i.name}", "break")
        )
        if self.chance(0.3):
            self.inside("else:", f"{where} = -2")
        self.returned.append(where)

    def raising(self) -> None:
        """An exception in some iteration, of several kinds."""
        i, source = self.counter(), self.array()
        statement = self.random.choice((
            "raise ValueError('value')", f"{source.name}[{i.name} + 2 * n + 8] = 1.0", "raise KeyError",
            f"{source.name}[0] = {i.name} // (n - n)", f"assert {source.name}[{i.name}] < 0.0, 'negative'",
        ))  # fmt: skip
        condition = self.expressions(i).condition()
        self.inside(f"for {i.name} in range(n):", lambda: self.inside(f"if {condition}:", statement))

    def returning(self) -> None:
        """A loop that returns early."""
        i = self.counter()
        condition = self.expressions(i).condition()
        self.inside(f"for {i.name} in range(n):", lambda: self.inside(f"if {condition}:", f"return {i.name}"))
        self.line("return -1")
        self.returned.clear()
