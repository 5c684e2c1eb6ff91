"""Makes random programs: a few loop nests of known families over shared arrays, as Python source.

Accesses are inside by construction: one-dimensional arrays have ``2 n + 8`` elements and matrices ``n + 4`` rows and
columns, loops run within 0 to n, and indices are of forms that fit. So every exception is a finding.
"""

from __future__ import annotations

import itertools
import linecache
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import FunctionType
from typing import Any

import numpy as np
from hypothesis import strategies as st

from weft.frontend.markers import prange

from .inputs import Array, Number, Parameter, arguments
from .terms import Expressions, Term, term

FLOATS = ("float64", "float64", "float64", "float32")
INTEGERS = ("int64", "int64", "int32", "uint8", "int16")


@dataclass(frozen=True)
class RandomProgram:
    """A function's source, its parameters, the families of its nests, and whether floats are summed in it."""

    source: str
    parameters: tuple[Parameter, ...]
    families: tuple[str, ...]
    reduces: bool

    def function(self) -> FunctionType:
        """The function; its source can be found as that of any function."""
        file = f"<random program {next(_numbers)}>"
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(keepends=True), file)
        namespace: dict[str, Any] = {"np": np, "math": math, "prange": prange}
        exec(compile(self.source, file, "exec"), namespace)
        return namespace["program"]

    def arguments(self, seed: int) -> tuple[Any, ...]:
        """Arguments for one call."""
        return arguments(self.parameters, seed)

    def __str__(self) -> str:
        return f"{self.source}\n# {self.parameters}\n# {self.families}"


_numbers = itertools.count(1)


@dataclass
class Counter:
    """A loop variable: at least `low`, and below n."""

    name: str
    low: int = 0


@dataclass
class Generator:
    """Makes one program. Every choice is taken from `random`."""

    random: Random
    parameters: list[Parameter] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    families: list[str] = field(default_factory=list)
    reduces: bool = False
    depth: int = 1
    used: int = 0

    def program(self, *families: str) -> RandomProgram:
        """A program of nests of these families; of some that are chosen where none is given."""
        self.parameters.append(Number("n"))
        count = self.random.choice((1, 1, 2, 2, 3))
        for name in families or self.random.choices(list(FAMILIES), list(FAMILIES.values()), k=count):
            self.families.append(name)
            getattr(self, name)()
        if self.random.random() < 0.15:
            self.alias()
        names = ", ".join(p.name for p in self.parameters)
        result = f"    return {', '.join(self.returned)}\n" if self.returned else ""
        source = f"def program({names}):\n" + "".join(f"{line}\n" for line in self.lines) + result
        return RandomProgram(source, tuple(self.parameters), tuple(self.families), self.reduces)

    # ------------------------------------------------------------------------------------------- helpers

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def inside(self, head: str, *body: Callable[[], object] | str) -> None:
        """A compound statement: its head and the lines of its body."""
        self.line(head)
        self.depth += 1
        for part in body:
            if isinstance(part, str):
                self.line(part)
            else:
                part()
        self.depth -= 1

    def fresh(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def array(
        self, ndim: int = 1, dtypes: tuple[str, ...] = FLOATS, values: str = "quarters", new: bool = False
    ) -> Array:
        """An array parameter, an earlier one or a new one."""
        known = [
            p for p in self.parameters
            if isinstance(p, Array) and p.ndim == ndim and p.dtype in dtypes and p.values == values
        ]  # fmt: skip
        if known and not new and (self.chance(0.5) or len(known) > 3):
            return self.random.choice(known)
        layouts = ("plain",) * 8 + (("strided", "reversed", "within") if ndim == 1 else ("transposed", "reversed"))
        made = Array(self.fresh("a"), self.random.choice(dtypes), ndim, values, self.random.choice(layouts))
        self.parameters.append(made)
        return made

    def number(self, type: str) -> Term:
        made = Number(self.fresh("c"), type)
        self.parameters.append(made)
        return term(made.name, {"int": "pyint", "float": "pyfloat"}.get(type, type))

    def alias(self) -> None:
        """Let one array be another, or a part of the same memory."""
        arrays = [p for p in self.parameters if isinstance(p, Array) and p.values == "quarters"]
        for position, array in enumerate(arrays):
            for other in arrays[position + 1 :]:
                if (array.dtype, array.ndim) == (other.dtype, other.ndim) and not array.same_as:
                    shift = self.random.choice((0, 1, 2)) if array.layout == "within" else 0
                    changed = Array(other.name, other.dtype, other.ndim, other.values, "plain", array.name, shift)
                    self.parameters[self.parameters.index(other)] = changed
                    return

    def counter(self, low: int = 0) -> Counter:
        return Counter(self.random.choice("ijk") + str(self.used), low)

    def head(self, counter: Counter, stop: str = "n", claim: str = "range") -> str:
        """The head of a loop whose counter stays within its low bound and n."""
        name, low = counter.name, counter.low
        forms = [f"{claim}({low}, {stop})"] * 5 + [f"{claim}({low}, {stop}, 2)"]
        if low == 0:
            forms += [f"{claim}({stop})"] * 4
        if stop == "n":
            forms += [f"{claim}(n - 1, {low - 1}, -1)", f"{claim}(n - 1, {low - 1}, -2)", f"{claim}({low}, n - 1)"]
        return f"for {name} in {self.random.choice(forms)}:"

    def index(self, counter: Counter) -> str:
        """An index into a one-dimensional array."""
        i, low = counter.name, counter.low
        forms = [i] * 6 + [
            f"{i} + {self.random.randint(1, 4)}",
            f"2 * {i}",
            f"2 * {i} + 1",
            f"n - 1 - {i}",
            f"{i} // 2",
        ]
        forms += [f"{i} - {self.random.randint(1, low)}"] * 2 if low else []
        forms += [str(self.random.randint(0, 3)), f"{i} % 3", "-1"] if self.chance(0.3) else []
        return self.random.choice(forms)

    def place(self, outer: Counter, inner: Counter, offsets: bool = True) -> str:
        """Indices into a matrix."""
        return f"{self._near(outer, offsets)}, {self._near(inner, offsets)}"

    def _near(self, counter: Counter, offsets: bool) -> str:
        if not offsets or self.chance(0.6):
            return counter.name
        if counter.low and self.chance(0.5):
            return f"{counter.name} - {self.random.randint(1, counter.low)}"
        return f"{counter.name} + {self.random.randint(1, 3)}"

    def expressions(self, *counters: Counter, ndim: int = 1, more: tuple[Term, ...] = ()) -> Expressions:
        """Expressions over elements of arrays, loop counters and scalars."""
        terms = list(more)
        for _ in range(self.random.randint(1, 3)):
            array = self.array(ndim)
            place = self.index(counters[-1]) if ndim == 1 else self.place(*counters)
            terms.append(term(f"{array.name}[{place}]", array.dtype))
        if self.chance(0.3):
            terms.append(term(self.random.choice(counters).name, "pyint"))
        if self.chance(0.2):
            terms.append(self.number("float"))
        return Expressions(self.random, terms)

    def element(self, counter: Counter, **options: Any) -> Term:
        array = self.array(**options)
        return term(f"{array.name}[{counter.name}]", array.dtype)

    # ------------------------------------------------------------------------------- families: parallel ones

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

    # ----------------------------------------------------------------------------- families: reductions etc.

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

    # ----------------------------------------------------------------------------- families: sequential ones

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
        target, c = self.array(1, ("float64",), new=True), self.random.choice(FLOAT_STEPS)
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


FLOAT_STEPS = ("2.5", "3.75", "0.5")

FAMILIES: dict[str, float] = {
    "elementwise": 4, "integers": 2, "guarded": 3, "temporaries": 2, "nest": 4, "triangle": 2, "gather": 1.5,
    "private": 1.5, "matvec": 2, "steps": 1, "induction": 1.5, "claimed": 1, "reduction": 2, "count": 1, "extreme": 1,
    "quantifier": 0.7, "scan": 1, "histogram": 1, "scatter": 1, "packing": 1, "search": 1, "recurrence": 1.5,
    "wavefront": 1, "wrap_around": 1, "state": 0.7, "repetition": 1,
}  # fmt: skip
"""The families, with how often each is chosen. The first dozen have loops that can be proven parallel."""


def generate(random: Random) -> RandomProgram:
    """A program, by the choices of a random generator."""
    return Generator(random).program()


def random_programs() -> st.SearchStrategy[RandomProgram]:
    """Programs for Hypothesis, which makes them smaller when one fails."""
    return st.randoms(use_true_random=False).map(generate)
