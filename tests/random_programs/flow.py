"""Families about the way through a program: exits from nests, ``while``, exceptions, claims, carried values, scans."""

from __future__ import annotations

from .terms import Expressions, term
from .writer import Counter, Writer


class Flow(Writer):
    """Loops that end early, carry values, or make the place of a write depend on what was found."""

    def pick(self, *choices: tuple[str, ...]) -> tuple[str, ...]:
        return self.random.choice(choices)

    def body(self, head: str, *lines: str) -> None:
        """A loop over lines that are indented already."""
        self.inside(head, *lines)

    def leaving(self) -> None:
        """Writes before and after a ``break``, with values that live on."""
        i, s, a, target = self.counter(), self.fresh("s"), self.array(), self.array(new=True)
        condition = self.expressions(i).condition()
        x, y = f"{a.name}[{i.name}]", f"{target.name}[{i.name}]"
        self.line(f"{s} = 0")
        lines = self.pick(
            (f"if {condition}:", "    break", f"{y} = {x} + 1.0", f"{s} += 1"),
            (f"{y} = {x}", f"{s} += 1", f"if {condition}:", "    break"),
            (f"if {condition}:", f"    {y} = 9.0", "    break", f"{s} = {i.name}"),
            (f"if {condition}:", "    continue", f"{y} = {x}", f"if {x} > 1.0:", "    break", f"{s} += 2"),
        )
        self.body(f"for {i.name} in range(n):", *lines)
        if self.chance(0.3):
            self.inside("else:", f"{s} = -7")
        self.returned.append(s)

    def nested_exits(self) -> None:
        """A search in a matrix, by ``break`` twice or by ``return``."""
        i, j, found, m = self.counter(), Counter(self.fresh("j")), self.fresh("f"), self.array(2)
        condition = Expressions(self.random, [term(f"{m.name}[{i.name}, {j.name}]", m.dtype)]).condition()
        self.line(f"{found} = -1")
        inner = self.pick(
            (f"for {j.name} in range(n):", f"    if {condition}:", f"        {found} = {i.name} * 100 + {j.name}",
            "        break",
             f"if {found} >= 0:", "    break"),
            (f"for {j.name} in range(n):", f"    if {condition}:", "        break", "else:", f"    {found} = {i.name}"),
            (f"for {j.name} in range({i.name}):", f"    if {condition}:", "        continue",
            f"    {found} = {j.name}"),
        )  # fmt: skip
        self.body(f"for {i.name} in range(n):", *inner)
        self.returned.append(found)

    def whiles(self) -> None:
        """Loops whose end is found on the way."""
        k, m, a = self.fresh("k"), self.fresh("m"), self.array()
        x = a.name
        start, lines = self.random.choice((
            ((f"{k} = 0", f"{m} = n"), (f"while {k} < {m}:", f"    if {x}[{k}] > 0.5:", f"        {m} -= 1",
             f"        {x}[{k}], {x}[{m}] = {x}[{m}], {x}[{k}]", "    else:", f"        {k} += 1")),
            ((f"{k} = 1", f"{m} = 0"), (f"while {k} < n:", f"    {x}[{k}] = {x}[{k} // 2] + 1.0", f"    {k} *= 2",
            f"    {m} += 1")),
            ((f"{k} = n", f"{m} = 3"), (f"while {k} > 0:", f"    {k} -= {m}", f"    if {x}[{k}] < 0.0:",
            "        continue",
             f"    {x}[{k}] = 0.5")),
            ((f"{k} = 27", f"{m} = 0"), (f"while {k} != 1 and {m} < 50:",
            f"    {k} = {k} // 2 if {k} % 2 == 0 else 3 * {k} + 1",
             f"    {m} += 1")),
            ((f"{k} = 0", f"{m} = n"), (f"while {k} < {m}:", f"    if {x}[({k} + {m}) // 2] < 0.0:",
            f"        {k} = ({k} + {m}) // 2 + 1",
             "    else:", f"        {m} = ({k} + {m}) // 2")),
        ))  # fmt: skip
        for line in (*start, *lines):
            self.line(line)
        self.returned += [k, m]

    def raising_exactly(self) -> None:
        """An exception that hangs on nothing that the loop writes: the state is that of CPython."""
        i, a, target = (
            self.counter(),
            self.array(1, values=self.random.choice(("quarters", "special"))),
            self.array(new=True),
        )
        keys = self.array(1, ("int64",), "index")
        x, y, k = f"{a.name}[{i.name}]", f"{target.name}[{i.name}]", f"{keys.name}[{i.name}]"
        self.exact = True
        lines = self.pick(
            (f"if {x} > 1.0:", "    raise ValueError('large')", f"{y} = {x} * 2.0"),
            (f"{y} = {x} + 1.0", f"if {x} > 1.0:", "    raise KeyError('large')"),
            (f"assert {x} < 1.5, 'large'", f"{y} = {x}"),
            (f"{y} = 12 // ({k} - 2)",), (f"{y} = int({x})",), (f"{y} = {x} + {i.name} % (3 - {k})",),
            (f"{y} = math.sqrt({x})",), (f"{target.name}[{k} * 4] = {x}",), (f"{y} = {a.name}[{k} + 2 * n + 6]",),
            (f"if {k} == 1:", f"    {y} = {a.name}[{i.name} + 2 * n + 8]", f"{target.name}[{i.name} + 1] = 1.0"),
            (f"{y} = 1.0 / {k}",), (f"{y} = 1 / ({k} - 1)",), (f"{y} = {k} << ({k} - 1)",),
        )  # fmt: skip
        self.body(f"for {i.name} in range(n):", *lines)

    def raising_in_a_nest(self) -> None:
        """The same in two loops."""
        i, j, m = self.counter(), Counter(self.fresh("j")), self.array(2)
        target = self.array(2, new=True)
        self.exact = True
        x, y = f"{m.name}[{i.name}, {j.name}]", f"{target.name}[{i.name}, {j.name}]"
        lines = self.pick(
            (f"    if {x} > 1.5:", "        raise ValueError('large')", f"    {y} = {x}"),
            (f"    {y} = 7 // ({i.name} + {j.name} - 5)",),
            (f"    {y} = {m.name}[{i.name} + {j.name}, {j.name}]",),
            (f"    assert {x} > -1.9", f"    {y} = {x} + 1.0"),
        )
        self.body(f"for {i.name} in range(n):", f"for {j.name} in range(n):", *lines)

    def claimed_wrongly(self) -> None:
        """A loop that is called parallel, and may not be: RaceError before anything is written, or CPython's answer."""
        i, a, keys = self.counter(), self.array(new=True), self.array(1, ("int64",), "index")
        self.races = True
        x, k = a.name, f"{keys.name}[{i.name}]"
        (line,) = self.pick((f"{x}[{k}] = {i.name} + 1.0",), (f"{x}[{i.name} // 2] = {i.name} + 0.5",),
        (f"{x}[{i.name}] = {x}[{k}] + 1.0",),
                            (f"{x}[{i.name} + 1] = {x}[{i.name}] * 0.5",),
                            (f"{x}[{i.name}] = {x}[{i.name} + n] * 0.5",),
                            (f"{x}[{k}] += 1.0",), (f"{x}[{i.name} % 3] = {i.name} * 1.0",))  # fmt: skip
        self.body(f"for {i.name} in prange(n):", line)

    def claimed_reduction(self) -> None:
        """Reductions and private values under ``prange``."""
        i, s, t, a = self.counter(), self.fresh("s"), self.fresh("t"), self.array()
        x = f"{a.name}[{i.name}]"
        self.reduces = True
        self.line(f"{s} = 0.0")
        self.body(f"for {i.name} in prange(n):", f"{t} = {x} * 2.0", *self.pick((f"{s} += {t}",),
            (f"{s} = max({s}, {t})",),
                  (f"if {t} > 0.0:", f"    {s} += 1.0")))  # fmt: skip
        self.returned.append(s)

    def carried(self) -> None:
        """Pairs of scalars, last values and values kept under a condition."""
        i, p, q, a, target = self.counter(), self.fresh("p"), self.fresh("q"), self.array(), self.array(new=True)
        x, y = f"{a.name}[{i.name}]", f"{target.name}[{i.name}]"
        condition = Expressions(self.random, [term(x, a.dtype)]).condition()
        start, lines = self.random.choice((
            (("0", "1"), (f"{p}, {q} = {q}, ({p} + {q}) % 1009", f"{y} = {p}")),
            ((f"{a.name}[0]", "0"), (f"if {condition}:", f"    {p} = {x}", f"    {q} = {i.name}", f"{y} = {p}")),
            ((f"{a.name}[0]", f"{a.name}[0]"), (f"{p} = min({p}, {x})", f"{q} = max({q}, {x})")),
            (("0", "n"), (f"if {condition}:", f"    {p} += 1", "else:", f"    {q} -= 1")),
            (("1", "0"), (f"{p} = -{p}", f"{y} = {x} * {p}", f"{q} += {p}")),
            (("0", "0"), (f"{q} = {p}", f"{p} = {i.name} * 3", f"{y} = {q} + {x}")),
            (("1.0", "0.0"), (f"{p} *= 0.5", f"{q} += {p}", f"{y} = {q}")),
            (("0", "5"), (f"{p} = {i.name} + {q}", f"{y} = {p}")),
        ))  # fmt: skip
        self.line(f"{p}, {q} = {start[0]}, {start[1]}")
        self.body(f"for {i.name} in range(n):", *lines)
        self.returned += [p, q]

    def scans(self) -> None:
        """Running values of several kinds, some of them started anew on the way."""
        i, s, target = self.counter(), self.fresh("s"), self.array(new=self.chance(0.8))
        a = self.array(values=self.random.choice(("quarters", "quarters", "special")))
        x, y = f"{a.name}[{i.name}]", f"{target.name}[{i.name}]"
        condition = Expressions(self.random, [term(x, a.dtype)]).condition()
        self.reduces = True
        start, lines = self.random.choice((
            ("0.0", (f"{s} += {x}", f"{y} = {s}")), ("0.0", (f"{y} = {s}", f"{s} += {x}")),
            ("0.0", (f"if {condition}:", f"    {s} = 0.0", f"{s} += {x}", f"{y} = {s}")),
            ("0.0", (f"if {condition}:", f"    {s} += {x}", f"{y} = {s}")),
            (f"{a.name}[0]", (f"{s} = max({s}, {x})", f"{y} = {s}")), (f"{a.name}[0]", (f"{y} = {s}",
            f"{s} = min({x}, {s})")),
            ("0.0", (f"{s} = 0.5 * {s} + {x}", f"{y} = {s}")), ("1.0", (f"{s} *= 2.0 if {condition} else 0.5",
            f"{y} = {s}")),
            ("0", (f"{s} += 1 if {condition} else 0", f"{y} = {s}")), ("0", (f"{s} = {s} + 1 if {condition} else 0",
            f"{y} = {s}")),
            ("0.0", (f"{s} = {s} + {x}", f"{y} = {s}", f"{target.name}[{i.name} + n] = {s} * 0.5")),
        ))  # fmt: skip
        self.line(f"{s} = {start}")
        head = self.random.choice(
            (f"for {i.name} in range(n):",) * 3
            + (f"for {i.name} in range(n - 1, -1, -1):", f"for {i.name} in range(1, n, 2):")
        )
        self.body(head, *lines)
        self.returned.append(s)

    def scan_of_rows(self) -> None:
        """Running values along or across a matrix."""
        i, j, s, m = self.counter(), Counter(self.fresh("j")), self.fresh("s"), self.array(2)
        target = self.array(2, new=True)
        self.reduces = True
        place = self.random.choice((f"{i.name}, {j.name}", f"{j.name}, {i.name}"))
        self.body(f"for {i.name} in range(n):", f"{s} = 0.0", f"for {j.name} in range(n):",
            f"    {s} += {m.name}[{place}]",
                  f"    {target.name}[{place}] = {s}")  # fmt: skip

    def in_place_scan(self) -> None:
        """A scan of an array in its own memory."""
        i, a = self.counter(1), self.array(1, ("float64", "int64", "int32"))
        x = a.name
        self.reduces = True
        (line,) = self.pick((f"{x}[{i.name}] += {x}[{i.name} - 1]",),
        (f"{x}[{i.name}] = max({x}[{i.name}], {x}[{i.name} - 1])",),
                            (f"{x}[{i.name}] = {x}[{i.name} - 1] + 1",),
                            (f"{x}[{i.name}] -= {x}[{i.name} - 1]",))  # fmt: skip
        self.body(f"for {i.name} in range(1, n):", line)

    def packings(self) -> None:
        """Places that depend on how many were found before."""
        i, k, m = self.counter(), self.fresh("k"), self.fresh("m")
        a, target, other = self.array(), self.array(new=True), self.array(1, ("int64", "int32"), new=True)
        x, y, z = f"{a.name}[{i.name}]", target.name, other.name
        condition = Expressions(self.random, [term(x, a.dtype)]).condition()
        lines = self.pick(
            (f"if {condition}:", f"    {y}[{k}] = {x}", f"    {z}[{k}] = {i.name}", f"    {k} += 1"),
            (
                f"if {condition}:",
                f"    {y}[{k}] = {x}",
                f"    {k} += 1",
                "else:",
                f"    {z}[{m}] = {i.name}",
                f"    {m} += 1",
            ),
            (f"if not ({condition}):", "    continue", f"{k} += 1", f"{y}[{k}] = {x} + 1.0"),
            (f"{y}[{k}] = {x}", f"{k} += 1 if {condition} else 0"),
            (f"{y}[{k}] = {x}", f"if {condition}:", f"    {k} += 1"),
            (f"if {condition}:", f"    {y}[{k}] = {x}", f"    {y}[{k} + 1] = -{x}", f"    {k} += 2"),
            (f"if {condition}:", f"    {y}[n - 1 - {k}] = {x}", f"    {k} += 1"),
            (f"if {condition}:", f"    {a.name}[{k}] = {x}", f"    {k} += 1"),
        )
        self.line(f"{k}, {m} = 0, 0")
        head = self.random.choice((f"for {i.name} in range(n):",) * 3 + (f"for {i.name} in range(n - 1, -1, -1):",))
        self.body(head, *lines)
        self.returned += [k, m]

    def searches(self) -> None:
        """Where something is first, last, nearest or least."""
        i, w, v, a = (
            self.counter(),
            self.fresh("w"),
            self.fresh("v"),
            self.array(1, values=self.random.choice(("quarters", "special"))),
        )
        x = f"{a.name}[{i.name}]"
        condition = Expressions(self.random, [term(x, a.dtype)]).condition()
        start, lines = self.random.choice((
            (f"{a.name}[0]", (f"if {condition}:", f"    {w} = {i.name}", f"    {v} = {x}", "    break")),
            (f"{a.name}[0]", (f"if {condition}:", f"    {w} = {i.name}", f"    {v} = {x}")),
            (f"{a.name}[0]", (f"if {x} < {v}:", f"    {w} = {i.name}", f"    {v} = {x}")),
            (f"{a.name}[0]", (f"if {x} >= {v}:", f"    {w} = {i.name}", f"    {v} = {x}")),
            (f"{a.name}[0]", (f"if {x} > {v} and {condition}:", f"    {w} = {i.name}", f"    {v} = {x}")),
            ("abs(" + f"{a.name}[0])", (f"if abs({x}) > {v}:", f"    {w} = {i.name}", f"    {v} = abs({x})")),
            ("0.0", (f"if {condition}:", f"    {w} = {i.name}", "    break", f"{v} += 1.0")),
        ))  # fmt: skip
        self.line(f"{w} = -1")
        self.line(f"{v} = {start}")
        head = self.random.choice(
            (f"for {i.name} in range(n):",) * 3
            + (f"for {i.name} in range(n - 1, -1, -1):", f"for {i.name} in range(1, n, 2):")
        )
        self.body(head, *lines)
        self.returned += [w, v]

    def keys(self) -> None:
        """Reductions by key of several kinds."""
        i, keys, target = (
            self.counter(),
            self.array(1, ("int64", "int32"), "index"),
            self.array(1, ("int64", "float64", "int32"), new=True),
        )
        amount = self.array(1, ("int64", "int32", "float64"))
        if amount.dtype == "float64" and self.chance(0.4):
            amount = self.array(1, ("float64",), "special")
        h, v = f"{target.name}[{keys.name}[{i.name}]]", f"{amount.name}[{i.name}]"
        if "float" in target.dtype or "float" not in amount.dtype:
            forms = [f"{h} += {v}", f"{h} = {h} + {v}", f"{h} -= {v}", f"{h} = max({h}, {v})", f"{h} = {v}"]
        else:
            forms = [f"{h} += 1", f"{h} ^= {i.name}", f"{h} = {i.name}"]
        self.reduces = True
        line = self.random.choice(forms)
        if self.chance(0.3):
            self.body(self.head(i), f"if {v} > 1:", f"    {line}")
        else:
            self.body(self.head(i), line)
