"""Families about what numbers do: small and mixed types, special values, conversions, Python's integers."""

from __future__ import annotations

from .terms import Expressions, term
from .writer import Writer


class Numbers(Writer):
    """Elementwise loops whose difficulty is in the arithmetic."""

    def one_of(self, *texts: str) -> str:
        return self.random.choice(texts)

    def assigned(self, target: str, value: str) -> None:
        """One loop that assigns to an element."""
        i = self.counter()
        self.inside(self.head(i), f"{target}[{i.name}] = {value.replace('@', i.name)}")

    def halves(self) -> None:
        """float16, which is computed as float32 and rounded."""
        a, b = (self.array(1, ("float16",), self.one_of("quarters", "special")) for _ in range(2))
        target = self.array(1, (self.one_of("float16", "float16", "float32", "float64"),), new=True)
        x, y = f"{a.name}[@]", f"{b.name}[@]"
        self.assigned(target.name, self.one_of(
            f"{x} * {y} + {x}", f"{x} / {y}", f"({x} + 1.5) * {y}", f"-{x} if {x} < {y} else {y}",
            f"np.float32({x}) * {y}", f"max({x}, {y})", f"abs({x}) - 3 * {y}", f"{x} // {y}", f"{x} % {y}",
        ))  # fmt: skip

    def special(self) -> None:
        """NaN, infinities, negative zero, the smallest and the largest."""
        dtype = self.one_of("float64", "float64", "float32")
        a, b = (self.array(1, (dtype,), "special") for _ in range(2))
        target = self.array(1, (dtype,), new=True)
        x, y = f"{a.name}[@]", f"{b.name}[@]"
        self.assigned(target.name, self.one_of(
            f"{x} / {y}", f"{x} // {y}", f"{x} % {y}", f"min({x}, {y})", f"max({x}, {y})", f"np.minimum({x}, {y})",
            f"np.maximum({x}, {y})", f"np.floor({x}) + np.ceil({y})", f"np.sqrt({x})", f"np.copysign({x}, {y})",
            f"np.trunc({x}) - np.rint({y})", f"({x} if {x} == {x} else {y})", f"({x} if {x} < {y} else -{y})",
            f"({x} if not {x} > {y} else {y})", f"0.0 * {x} + {y}", f"{x} - {x}", f"({x} + {y}) - {y}", f"-{x} + 0.0",
            f"np.sign({x})", f"{x} ** 2", f"1.0 / {x}", f"({x} if 0.0 <= {x} < {y} else 0.5)", f"abs({x})",
        ))  # fmt: skip

    def folded_special(self) -> None:
        """Extremes and counts over values with NaN and infinities."""
        i, a, s = self.counter(), self.array(1, (self.one_of("float64", "float32"),), "special"), self.fresh("s")
        x = f"{a.name}[{i.name}]"
        start, step = self.random.choice((
            (f"{a.name}[0]", f"{s} = min({s}, {x})"), (f"{a.name}[0]", f"{s} = max({s}, {x})"),
            (f"{a.name}[0]", f"{s} = max({x}, {s})"), (f"{a.name}[0]", f"{s} = np.minimum({s}, {x})"),
            (f"{a.name}[0]", f"{s} = {x} if {x} > {s} else {s}"), (f"{a.name}[0]", f"{s} = np.maximum({x}, {s})"),
            ("0", f"{s} += 1 if {x} < 0.5 else 0"), ("0", f"{s} += {x} != {x}"), ("0.0", f"{s} = max({s}, abs({x}))"),
        ))  # fmt: skip
        self.line(f"{s} = {start}")
        self.inside(f"for {i.name} in range(n):", step)
        self.returned.append(s)

    def conversions(self) -> None:
        """Between types, by constructors and by assignment."""
        left = self.one_of("int64", "int32", "int16", "uint8", "uint64", "float64", "float32", "bool", "int8", "uint16")
        right = self.one_of("int64", "int32", "int8", "uint8", "uint32", "float64", "float32", "float16", "bool")
        a, target = self.array(1, (left,)), self.array(1, (right,), new=True)
        x = f"{a.name}[@]"
        forms = [x, f"np.int32({x})", f"np.uint8({x} + 300)", f"np.float32({x}) / 3", f"bool({x})", f"int({x}) * 3",
                 f"float({x}) / 4", f"np.int64({x}) * np.int64(@)",
                 f"{x} + np.{left if left != 'bool' else 'int8'}(1)"]  # fmt: skip
        self.assigned(target.name, self.random.choice(forms))

    def divided(self) -> None:
        """Floor division, remainder and shifts over all signs, zero included."""
        left, right = self.one_of("int64", "int32", "int8", "uint8", "int16"), self.one_of("int64", "int32", "int8")
        a, b = self.array(1, (left,)), self.array(1, (right,))
        target = self.array(1, ("int64",), new=True)
        x, y = f"{a.name}[@]", f"{b.name}[@]"
        self.assigned(target.name, self.one_of(
            f"{x} // {y}", f"{x} % {y}", f"{x} // 3 + {x} % 3", f"{x} // -3 - {x} % -3", "(@ - 4) // 3",
            "(3 - @) % 4",
            "divmod(@ - 5, 3)[1]", f"{x} << ({y} & 7)", f"{x} >> ({y} & 63)", f"({x} ^ {y}) & ~{x}", "(@ - 3) >> 1",
            f"-{x} // 2", f"abs({x}) % 5", "(5 - @) // (@ + 1)", f"int({x}) // (int({y}) + 9)",
        ))  # fmt: skip

    def booleans(self) -> None:
        """Arithmetic and logic of Booleans."""
        a, b = self.array(1, ("bool",), new=True), self.array(1, ("bool",), new=True)
        c = self.array()
        target = self.array(1, (self.one_of("bool", "bool", "int64", "float64"),), new=True)
        x, y, z = f"{a.name}[@]", f"{b.name}[@]", f"{c.name}[@]"
        self.assigned(target.name, self.one_of(
            f"{x} and {y}", f"{x} or {z} > 0.0", f"not {x}", f"{x} ^ {y}", f"{x} & ({z} < 1.0)", f"{x} | {y}",
            f"{x} + {y}",
            f"{x} * {y}", f"{x} == {y}", f"{x} < {y}", f"{x} + True", f"(1 if {x} else 0) + (@ % 2 == 0)",
            f"-1.0 < {z} <= 1.0",
            f"{x} != ({z} == 0.0)", "(@ > 2) + (@ > 4)",
        ))  # fmt: skip

    def complex_forms(self) -> None:
        """Arithmetic of complex numbers."""
        a, b = (self.array(1, (self.one_of("complex128", "complex64"),)) for _ in range(2))
        target = self.array(1, (self.one_of("complex128", "complex128", "complex64"),), new=True)
        real = self.array()
        x, y, r = f"{a.name}[@]", f"{b.name}[@]", f"{real.name}[@]"
        self.assigned(target.name, self.one_of(
            f"{x} * {y}", f"{x} + {r}", f"{r} * {x} - {y}", f"{x} * 1j", f"complex({x}.imag, {y}.real)", f"-{x} * {x}",
            f"({x} if {x} == {y} else {y})", f"{x} * {y}.conjugate()", f"{x} - 0.5", f"{x}.real * {y}.imag",
            f"{x} / 2.0",
        ))  # fmt: skip

    def overflowing(self) -> None:
        """Python's integers, which may leave 64 bits: an error then, and never a wrapped value."""
        i, p, target = self.counter(), self.fresh("p"), self.array(1, ("int64",), new=True)
        self.overflows = True
        start, step = self.random.choice((
            ("1", f"{p} = {p} * 97"), ("3", f"{p} = {p} * {p}"), (str(2**62), f"{p} += {2**61}"), ("-1",
            f"{p} = {p} << 7"),
            ("1", f"{p} = {p} * ({i.name} + 1) * 1000003"), ("7", f"{p} = {p} * 31 % 1000003"), (str(-(2**63)),
            f"{p} -= {i.name}"),
            ("2", f"{p} = abs({p}) * -3"), (str(2**40), f"{p} = {p} * {p} // 3"),
        ))  # fmt: skip
        self.line(f"{p} = {start}")
        self.inside(f"for {i.name} in range(n):", step, f"{target.name}[{i.name}] = {p} % 1000")
        self.returned.append(p)

    def products_of_counters(self) -> None:
        """Integer expressions of loop counters, some of them beyond 64 bits."""
        i, target, c = self.counter(), self.array(1, ("int64",), new=True), self.number("int")
        self.overflows = True
        big = self.one_of("3", "1000003", str(2**31), str(2**60), str(2**62))
        value = self.one_of(f"{i.name} * {big} - {c.text}", f"({i.name} - {c.text}) * {big} // 7",
            f"-{i.name} * {big} % 11",
                            f"({big} + {i.name}) * {c.text} % 13", f"{big} - ({i.name} << 2)")  # fmt: skip
        self.inside(self.head(i), f"{target.name}[{i.name}] = {value}")

    def wrapping(self) -> None:
        """NumPy's integers of any width, near their ends."""
        dtype = self.one_of("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
        a, target = self.array(1, (dtype,), "ends"), self.array(1, (dtype,), new=True)
        here = term(f"{a.name}[@]", dtype)
        value = Expressions(self.random, [here, term(f"{a.name}[@ + 1]", dtype)]).integer(here.type)
        self.assigned(
            target.name, self.one_of(value.text, value.text, f"-{here.text}", f"abs({here.text})", f"~{here.text}")
        )

    def folded_integers(self) -> None:
        """Sums, products and extremes of integers of any width."""
        dtype = self.one_of("int8", "uint8", "int16", "uint32", "int64", "uint64")
        i, a, s = self.counter(), self.array(1, (dtype,), self.one_of("quarters", "ends")), self.fresh("s")
        x = f"{a.name}[{i.name}]"
        self.line(f"{s} = {self.one_of(f'{a.name}[0]', f'np.{dtype}(1)')}")
        step = self.one_of(f"{s} += {x}", f"{s} *= {x}", f"{s} ^= {x}", f"{s} = min({s}, {x})", f"{s} |= {x}",
            f"{s} = {s} - {x}",
                           f"{s} = {x} + {s}", f"{s} &= {x}", f"{s} = max({x}, {s})")  # fmt: skip
        self.inside(self.head(i), step)
        self.returned.append(s)
