"""Families of loops whose iterations are independent."""

from __future__ import annotations

from .terms import Expressions, Term, term
from .writer import INTEGERS, Array, Counter, Writer


class Parallel(Writer):
    """Nests that can be proven parallel."""

    def elementwise(self) -> None:
        """An element of a new array from elements of others."""
        i = self.counter(self.random.choice((0, 0, 1)))
        expressions = self.expressions(i)
        target = self.array(new=True)
        place = self.random.choice((i.name,) * 4 + (f"{i.name} + 2", f"2 * {i.name}", f"n - 1 - {i.name}"))
        self.inside(self.head(i), f"{target.name}[{place}] = {expressions.value().text}")

    def integers(self) -> None:
        """Integer arithmetic that wraps."""
        i, dtype = self.counter(), self.random.choice(INTEGERS)
        source, target = self.array(1, (dtype,)), self.array(1, (dtype,), new=True)
        terms = [term(f"{source.name}[{self.index(i)}]", dtype), term(f"{source.name}[{i.name}]", dtype)]
        value = Expressions(self.random, terms).integer(terms[0].type)
        self.inside(self.head(i), f"{target.name}[{i.name}] = {value.text}")

    def guarded(self) -> None:
        """Assignments under conditions, with ``else`` or ``continue``."""
        i = self.counter()
        expressions, target = self.expressions(i), self.array(new=True)
        assign = f"{target.name}[{i.name}] = {expressions.value().text}"
        if self.chance(0.3):
            self.inside(self.head(i), lambda: self.inside(f"if {expressions.condition()}:", "continue"), assign)
            return
        other = f"{target.name}[{i.name}] = {expressions.value().text}"
        body = [lambda: self.inside(f"if {expressions.condition()}:", assign)]
        if self.chance(0.6):
            body.append(lambda: self.inside("else:", other))
        self.inside(self.head(i), *body)

    def temporaries(self) -> None:
        """Local scalars, assigned before they are used in every iteration."""
        i, t = self.counter(), self.fresh("t")
        expressions = self.expressions(i)
        first = expressions.value()
        expressions.terms.append(Term(t, first.type))
        target = self.array(new=True)
        self.inside(self.head(i), f"{t} = {first.text}", f"{target.name}[{i.name}] = {expressions.value().text}")

    def nest(self) -> None:
        """A matrix from matrices."""
        i, j = self.counter(self.random.choice((0, 1))), Counter(self.fresh("j"), self.random.choice((0, 1)))
        expressions, target = self.expressions(i, j, ndim=2), self.array(2, new=True)
        place = f"{i.name}, {j.name}" if self.chance(0.8) else f"{j.name}, {i.name}"
        body = f"{target.name}[{place}] = {expressions.value().text}"
        self.inside(self.head(i), lambda: self.inside(self.head(j), body))

    def triangle(self) -> None:
        """A triangular domain."""
        i, j = self.counter(), Counter(self.fresh("j"))
        expressions, target = self.expressions(i, j, ndim=2), self.array(2, new=True)
        bounds = self.random.choice((f"{i.name}, n", f"{i.name} + 1", f"{i.name} + 1, n", f"0, {i.name}"))
        body = f"{target.name}[{i.name}, {j.name}] = {expressions.value().text}"
        self.inside(f"for {i.name} in range(n):", lambda: self.inside(f"for {j.name} in range({bounds}):", body))

    def gather(self) -> None:
        """Indirect reads."""
        i, position = self.counter(), self.array(1, ("int64", "int32"), "index")
        source, target = self.array(), self.array(new=True)
        value = Expressions(self.random, [term(f"{source.name}[{position.name}[{i.name}]]", source.dtype)]).value(1)
        self.inside(self.head(i), f"{target.name}[{i.name}] = {value.text}")

    def private(self) -> None:
        """A local array in every iteration."""
        i, local = self.counter(), self.fresh("w")
        expressions, target = self.expressions(i), self.array(new=True)
        self.inside(
            self.head(i),
            f"{local} = np.zeros(3)",
            f"{local}[0] = {expressions.value(1).text}",
            f"{local}[1] = {local}[0] + {expressions.value(1).text}",
            f"{target.name}[{i.name}] = {local}[0] * {local}[1]",
        )

    def matvec(self) -> None:
        """Sums over rows or columns of a matrix."""
        i, j, total = self.counter(), Counter(self.fresh("j")), self.fresh("s")
        matrix, target = self.array(2), self.array(new=True)
        place = self.random.choice((f"{i.name}, {j.name}", f"{j.name}, {i.name}"))
        value = Expressions(self.random, [term(f"{matrix.name}[{place}]", matrix.dtype)]).value(1)
        self.reduces = True
        self.inside(
            self.head(i),
            f"{total} = 0.0",
            lambda: self.inside(f"for {j.name} in range(n):", f"{total} += {value.text}"),
            f"{target.name}[{i.name}] = {total}",
        )

    def steps(self) -> None:
        """Parallel sweeps inside a sequential loop, whose arrays are swapped."""
        step, i = Counter(self.fresh("t")), self.counter(1)
        u = self.array(1, ("float64",), new=True)
        v = Array(self.fresh("a"), u.dtype)
        self.parameters.append(v)
        body = f"{v.name}[{i.name}] = 0.5 * ({u.name}[{i.name} - 1] + {u.name}[{i.name} + 1])"
        self.inside(
            f"for {step.name} in range(3):",
            lambda: self.inside(f"for {i.name} in range(1, n):", body),
            f"{u.name}, {v.name} = {v.name}, {u.name}",
        )

    def induction(self) -> None:
        """A variable that is counted up beside the loop's own."""
        i, k = self.counter(), self.fresh("k")
        expressions, target = self.expressions(i), self.array(new=True)
        step = self.random.choice((1, 2))
        self.line(f"{k} = {self.random.choice((0, 1, 3))}")
        self.inside(f"for {i.name} in range(n):", f"{target.name}[{k}] = {expressions.value().text}", f"{k} += {step}")
        self.returned.append(k)

    def claimed(self) -> None:
        """A loop that the user calls parallel, and is."""
        i = self.counter()
        expressions, target = self.expressions(i), self.array(new=True)
        body = f"{target.name}[{i.name}] = {expressions.value().text}"
        self.inside(f"for {i.name} in prange(n):", body)

    def statements(self) -> None:
        """Two statements, of which one may read what the other writes in another iteration."""
        i = self.counter(1)
        source, first, second = self.array(), self.array(new=True), self.array(new=True)
        near = self.random.choice((f"{i.name} - 1", f"{i.name} + 1", i.name))
        a = f"{first.name}[{i.name}] = {source.name}[{i.name}] + 1.0"
        b = f"{second.name}[{i.name}] = {first.name}[{near}] * 2.0"
        self.inside(f"for {i.name} in range(1, n):", *self.random.choice(((a, b), (b, a))))

    def product(self) -> None:
        """A matrix product."""
        i, j, k = (Counter(self.fresh(name)) for name in "ijk")
        a, b, c = self.array(2), self.array(2), self.array(2, new=True)
        self.reduces = True
        update = f"{c.name}[{i.name}, {j.name}] += {a.name}[{i.name}, {k.name}] * {b.name}[{k.name}, {j.name}]"
        first, second, third = self.random.sample((i, j, k), 3)
        self.inside(
            f"for {first.name} in range(n):",
            lambda: self.inside(
                f"for {second.name} in range(n):", lambda: self.inside(f"for {third.name} in range(n):", update)
            ),
        )

    def local(self) -> None:
        """A local array of the function, filled and used."""
        i, j, name = self.counter(), Counter(self.fresh("j")), self.fresh("w")
        value, target = self.expressions(i).value(1), self.array(new=True)
        dtype = self.random.choice(("", ", np.float32"))
        self.line(f"{name} = np.{self.random.choice(('zeros', 'ones', 'empty'))}(n + 1{dtype})")
        self.inside(f"for {i.name} in range(n):", f"{name}[{i.name}] = {value.text}")
        self.inside(f"for {j.name} in range(n):", f"{target.name}[{j.name}] = {name}[{j.name}] + 0.5")

    def divergent(self) -> None:
        """An inner ``while`` whose length differs from iteration to iteration."""
        i, x, count = self.counter(), self.fresh("x"), self.fresh("k")
        source, target = self.array(), self.array(1, ("int64", "int32"), new=True)
        self.inside(
            self.head(i),
            f"{x} = {source.name}[{i.name}]",
            f"{count} = 0",
            lambda: self.inside(f"while {x} < 4.0 and {count} < 9:", f"{x} = {x} * {x} + 0.5", f"{count} += 1"),
            f"{target.name}[{i.name}] = {count}",
        )

    def stepping(self) -> None:
        """An inner loop in order, through which all iterations go equally often."""
        i, k, x, y = self.counter(), Counter(self.fresh("k")), self.fresh("x"), self.fresh("y")
        dtype = self.random.choice(("float64", "float32"))
        source, target = self.array(1, (dtype,)), self.array(1, (dtype,), new=True)
        terms = [term(name, dtype) for name in (x, y, f"{source.name}[{self.index(i)}]")]
        steps, last = self.random.choice(("18", "n", "n + 17")), f"{y} = 0.25 * {y} + 0.5"
        if steps == "n":
            matrix = self.array(2, (dtype,), new=self.chance(0.5))
            near = f"{matrix.name}[{k.name}, {i.name}]" if self.chance(0.8) else f"{matrix.name}[{i.name}, {k.name}]"
            terms.append(term(near, dtype))
            last = f"{near} = {y}" if self.chance(0.4) else last
        expressions = Expressions(self.random, terms)
        body = [f"{y} = 0.25 * {y} + {expressions.value().text}", last]
        if self.chance(0.3):
            body.append(f"{x} = {y} if {expressions.condition()} else {x}")
        self.inside(
            self.head(i),
            f"{x} = {source.name}[{i.name}]",
            f"{y} = {x}",
            lambda: self.inside(f"for {k.name} in range({steps}):", *body),
            f"{target.name}[{i.name}] = {y} + {x}",
        )

    def mixed(self) -> None:
        """Comparisons and conversions between integer types."""
        i, (left, right) = self.counter(), self.random.sample(("int64", "uint64", "uint8", "int16", "int32"), 2)
        a, b, target = self.array(1, (left,)), self.array(1, (right,)), self.array(1, ("int64", "float64"), new=True)
        op = self.random.choice(("<", ">=", "==", "!="))
        x, y = f"{a.name}[{i.name}]", f"{b.name}[{i.name}]"
        body = (f"if {x} {op} {y}:", f"{target.name}[{i.name}] = {self.random.choice((f'int({x})', '7', i.name))}")
        self.inside(self.head(i), lambda: self.inside(*body))
