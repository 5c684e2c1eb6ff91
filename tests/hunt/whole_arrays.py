"""A third grammar: whole arrays. Each program mixes array expressions, assignments that overlap, and loops.

Shapes are tuples of symbols, so that most operands fit: ``n``, what slices make of it (``n-1``, ``n-2``, ``half``),
``k``, ``1`` and ``0``. Some operands do not fit on purpose, some calls have extents of 0 and 1, and arguments overlap.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

import numpy as np

from .arguments import steps_of
from .program import GUARD, Arguments, Program, View, Way

Dims = tuple[str, ...]

PARAMETERS: dict[str, Dims] = {
    "a": ("n",), "b": ("n",), "c": ("n",), "m": ("n", "n"), "q": ("n", "n"), "r": ("n", "k"), "t": ("2", "n", "n"),
    "z": (),
}  # fmt: skip
INDICES = {"p": "int", "o": "int", "g": "bool"}
NUMBERS = ("n", "j", "x", "y")

COMMON = ("f8", "f8", "i8", "f8", "i8", "f4", "i4")
RARE = ("i1", "i2", "u1", "u2", "u4", "u8", "f2", "c16", "c8", "b1")

PASSES = (
    "shapes", "forward", "fold", "cse", "dce", "decide", "licm", "distribute", "bounds", "updates", "scalar_promotion",
    "if_conversion", "parallelise", "interchange", "collapse", "lanes", "versions", "peel", "privatise", "last_values",
)  # fmt: skip
"""Passes that are switched off in some programs, one at a time."""

CUTS = {
    ("n", "n-1"): ("1:", ":-1", ":0:-1", "-2::-1", "1:", ":-1"),
    ("n-1", "n-2"): ("1:", ":-1"),
    ("n", "n-2"): ("2:", ":-2", "1:-1", "-2:0:-1", "-3::-1"),
    ("n", "half"): ("::2", "::-2"),
    ("k", "k-1"): ("1:", ":-1", ":0:-1"),
}
"""Slices that make one extent of another."""

HELPERS = {
    "mixed": "def mixed(v, w):\n    return v * 2 + w\n",
    "prefix": "def prefix(v):\n    v[1:] += v[:-1]\n    return v\n",
    "fill_back": "def fill_back(v, w):\n    v[...] = w\n    return v[::-1]\n",
    "either": "def either(v):\n    if v.sum() > 2:\n        return v * 2\n    return v + 1\n",
    "same_or_new": "def same_or_new(v, w):\n    if v.sum() > 2:\n        w = v\n    return w\n",
    "rebound": "def rebound(v):\n    v = v + 1\n    v[:1] = 0\n    return v\n",
    "centred": "def centred(v):\n    return v - v.max() if v.size else v - 1\n",
    "bump": "def bump(v):\n    v[...] = v + 1\n    return v\n",
}
ORDER = "biufc"


@dataclass
class Name:
    """A variable that holds an array."""

    name: str
    dims: Dims
    kind: str
    """The kind of its elements, as far as it is known: the letter of NumPy."""

    given: bool = False
    dtype: str = ""


@dataclass
class Writer:
    """A program that is being written."""

    rng: Random
    names: list[Name]
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    counters: list[str] = field(default_factory=list)
    made: int = 0
    scalars: list[str] = field(default_factory=list)
    pieces: set[str] = field(default_factory=set)
    rounds: bool = False
    """Whether elements may be rounded: sums then depend on their order."""

    faulty: bool = False
    """Whether some operands do not fit."""

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, *items: str) -> str:
        return self.rng.choice(items)

    def write(self, text: str) -> None:
        self.lines += ["    " * self.depth + line for line in text.splitlines()]

    def fresh(self, stem: str) -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def position(self, dim: str) -> str:
        """An index: mostly one that is inside, of arrays that are not empty."""
        if dim != "n" and self.chance(0.9):
            return self.pick("0", "-1", "1", "-2") if dim == "2" else self.pick("0", "-1")
        if self.counters and self.chance(0.7):
            counter = self.rng.choice(self.counters)
            return self.pick(counter, counter, f"{counter} - 1", f"-1 - {counter}")
        return self.pick("0", "-1", "j", "0", "-1", "n // 2")

    def dims(self) -> Dims:
        """A shape that expressions are to have."""
        return self.rng.choice(
            (("n",), ("n",), ("n-1",), ("n-2",), ("half",), ("n", "n"), ("n", "n"), ("n-1", "n"), ("n", "1"),
             ("n", "k"), ("n-1", "n-1"), ("1", "n"), ("1",), ("2", "n", "n"), ("k",), ("n", "k-1"),
             ("n", "0") if self.chance(0.3) else ("n",), ("0",) if self.chance(0.3) else ("n",))
        )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ views


def views(w: Writer, dims: Dims, wanted: Dims) -> list[list[str]]:
    """Subscripts that make an array of one shape an array of another one."""
    if not dims and not wanted:
        return [[]]
    found: list[list[str]] = []
    if wanted and wanted[0] == "1":
        found += [["None", *rest] for rest in views(w, dims, wanted[1:])]
    if dims and wanted:
        found += [[cut, *rest] for cut in cuts(w, dims[0], wanted[0]) for rest in views(w, dims[1:], wanted[1:])]
    if len(dims) > len([d for d in wanted if d != "1"]):
        found += [[w.position(dims[0]), *rest] for rest in views(w, dims[1:], wanted)]
    return w.rng.sample(found, min(len(found), 6))


def cuts(w: Writer, extent: str, wanted: str) -> list[str]:
    """Slices of an axis, at most two."""
    if extent == wanted:
        return [w.pick(":", ":", ":", "::-1", "0:", "-n - 1:")]
    if wanted == "0":
        return [w.pick(":0", "3:3", "n + 5:")]
    if wanted == "1":
        return [w.pick(":1", "-1:", "j:j + 1")]
    found = CUTS.get((extent, wanted), ())
    return [w.rng.choice(found)] if found else []


def view_of(w: Writer, name: Name, wanted: Dims) -> str | None:
    """A part of an array with a shape."""
    if name.dims == wanted and w.chance(0.45):
        return name.name
    base, dims = name.name, name.dims
    if len(dims) > 1 and w.chance(0.25):
        base, dims = f"{base}.T", dims[::-1]
    elif len(dims) == 3 and w.chance(0.3):
        base, dims = f"{base}.swapaxes(0, 1)", (dims[1], dims[0], dims[2])
    found = views(w, dims, wanted)
    if not found or not dims:
        return base if dims == wanted else None
    items = w.rng.choice(found)
    while len(items) > 1 and items[-1] == ":" and w.chance(0.5):
        items = items[:-1]
    if items.count(":") and w.chance(0.15):
        items = _with_dots(items)
    return f"{base}[{', '.join(items)}]"


def _with_dots(items: list[str]) -> list[str]:
    """The same with an Ellipsis for one run of whole axes."""
    start = items.index(":")
    end = start
    while end < len(items) and items[end] == ":":
        end += 1
    return [*items[:start], "...", *items[end:]]


def leaf(w: Writer, wanted: Dims, kinds: str = ORDER) -> tuple[str, str]:
    """An array that has a name, or a part of one; a new one where none fits."""
    for name in w.rng.sample(w.names, len(w.names)):
        if name.kind in kinds:
            text = view_of(w, name, wanted)
            if text is not None:
                return text, name.kind
    kind = w.rng.choice([k for k in "if" if k in kinds] or kinds[:1])
    return made(w, wanted, kind), kind


def made(w: Writer, dims: Dims, kind: str) -> str:
    """A new array."""
    dtype = {"b": "bool", "i": "np.int64", "u": "np.uint8", "f": "np.float64", "c": "complex"}[kind]
    shape = f"({', '.join(extent(d) for d in dims)},)" if dims else "()"
    if len(dims) == 1 and kind == "i" and w.chance(0.4):
        return f"np.arange({extent(dims[0])})"
    return w.pick(f"np.zeros({shape}, {dtype})", f"np.ones({shape}, {dtype})", f"np.full({shape}, 3, {dtype})")


def extent(dim: str) -> str:
    """An extent as an expression."""
    return {"n-1": "max(n - 1, 0)", "n-2": "max(n - 2, 0)", "half": "(n + 1) // 2", "k": "r.shape[1]",
            "k-1": "max(r.shape[1] - 1, 0)"}.get(dim, dim)  # fmt: skip


# ------------------------------------------------------------------------------------------------------ expressions


def scalar(w: Writer, kind: str = "f", depth: int = 0) -> str:
    """A number."""
    fitting = "0 1 2 3" if kind in "u" else "0 1 2 3 -1 -2"
    found = [w.rng.choice(fitting.split())] * 3
    if kind in "fc":
        found += ["x", "0.5", "-0.25", "y"]
    if kind == "c":
        found += ["1j", "(2 - 1j)"]
    if kind == "b":
        found = ["True", "False"]
    if kind in "if" and w.chance(0.3):
        found += [
            "n",
            "j",
            "len(a)",
            *w.scalars[-1:],
            "np.int8(2)",
            "np.float32(0.5)" if kind == "f" else "np.int32(3)",
        ]
    if w.chance(0.25) and depth > 0:
        return reduction(w, depth - 1)
    return w.rng.choice(found)


def reduction(w: Writer, depth: int) -> str:
    """An array folded to a number."""
    text, kind = expression(w, w.dims(), depth)
    name = w.pick(
        "sum", "sum", "max", "min", "any", "all", "argmax", "argmin", "sum", "prod" if kind in "bi" else "sum"
    )
    if kind == "c" and name in ("max", "min", "argmax", "argmin"):
        name = "sum"
    return w.pick(f"{_primary(text)}.{name}()", f"np.{name}({text})", f"np.count_nonzero({text})")


def _primary(text: str) -> str:
    return text if text.isidentifier() or text.endswith(("]", ")")) and not text.startswith(("-", "~")) else f"({text})"


def narrower(w: Writer, dims: Dims) -> Dims:
    """A shape that can be broadcast to another one."""
    start = w.rng.choice((0, 0, 0, 1)) if len(dims) > 1 else 0
    return tuple("1" if w.chance(0.2) else d for d in dims[start:])


def expression(w: Writer, dims: Dims, depth: int, kinds: str = ORDER) -> tuple[str, str]:
    """An array expression of a shape, and the kind of its elements."""
    if w.faulty and w.chance(0.04):
        dims = w.dims()
    if depth <= 0 or w.chance(0.12) or not dims:
        return leaf(w, dims, kinds)
    write = w.rng.choices(*zip(*FORMS, strict=True))[0]
    return write(w, dims, depth, kinds) or leaf(w, dims, kinds)


def both(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two operands, of which one may be narrower, or a number."""
    wide = expression(w, dims, depth - 1, kinds)
    if w.chance(0.3):
        other = scalar(w, wide[1], depth - 1), wide[1]
    else:
        other = expression(w, narrower(w, dims) if w.chance(0.4) else dims, depth - 1, kinds)
    return (wide, other) if w.chance(0.6) else (other, wide)


def join(*kinds: str) -> str:
    """The kind of an operation's result."""
    return max(kinds, key=ORDER.index)


def arithmetic(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    (left, one), (right, two) = both(w, dims, depth, kinds)
    kind = join(one, two)
    ops = {"b": "+ * & | ^", "i": "+ - * + - // % & |", "u": "+ * + // %", "f": "+ - * + -", "c": "+ - * +"}[kind]
    op = w.rng.choice(ops.split())
    if kind == "f" and w.chance(0.1):
        op = w.pick("/", "//", "%") if w.rounds else w.pick("//", "%")
    return f"({left} {op} {right})", kind


def comparison(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str] | None:
    if "b" not in kinds:
        return None
    (left, _), (right, _) = both(w, dims, depth, "iuf")
    return f"({left} {w.pick('<', '>', '<=', '==', '!=')} {right})", "b"


def unary(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    text, kind = expression(w, dims, depth - 1, kinds)
    if kind == "b":
        return f"(~{text})", "b"
    if kind == "f" and w.rounds and w.chance(0.3):
        return f"np.sqrt(abs({text}))", "f"
    if kind == "c":
        return w.pick(f"(-{text})", f"np.conj({text})"), "c"
    return w.pick(f"(-{text})", f"abs({text})", f"({text}) ** 2", f"np.sign({text})"), kind


def extremes(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    (left, one), (right, two) = both(w, dims, depth, kinds)
    return f"np.{w.pick('maximum', 'minimum')}({left}, {right})", join(one, two)


def where(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    (left, one), (right, two) = both(w, dims, depth, kinds)
    mask, _ = expression(w, narrower(w, dims) if w.chance(0.3) else dims, depth - 1, "b")
    return f"np.where({mask}, {left}, {right})", join(one, two)


def clipped(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    text, kind = expression(w, dims, depth - 1, "if")
    low = w.pick("-1", "0", "None", "1")
    return f"np.clip({text}, {low}, {w.pick('2', '3', '1')})", kind


def folded(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str] | None:
    """A reduction over one axis, or over all with keepdims."""
    if len(dims) > 2:
        return None
    axis = w.rng.randrange(len(dims) + 1)
    name = w.pick("sum", "sum", "max", "min", "any", "all", "argmax", "argmin", "mean" if w.rounds else "sum")
    if "1" in dims and w.chance(0.6):
        axis, keep = dims.index("1"), ", keepdims=True"
        inner = tuple(w.pick("n", "n", "k", "1") if k == axis else d for k, d in enumerate(dims))
    else:
        keep, inner = "", (*dims[:axis], w.pick("n", "n", "n", "k", "n-1"), *dims[axis:])
    text, kind = expression(w, inner, depth - 1, "iuf" if name in ("max", "min", "argmax", "argmin") else kinds)
    where_axis = axis - len(inner) if w.chance(0.3) else axis
    dtype = f", dtype={w.pick('np.float64', 'np.int64', 'np.float32')}" if name == "sum" and w.chance(0.15) else ""
    if dtype and kind in "fc":
        dtype = ""
    result = {"any": "b", "all": "b", "argmax": "i", "argmin": "i", "mean": "f"}.get(name, kind)
    if name == "sum" and kind in "bi":
        result = "f" if "float" in dtype else "i"
    call = w.pick(f"{_primary(text)}.{name}(axis={where_axis}{keep}{dtype})",
                  f"np.{name}({text}, axis={where_axis}{keep}{dtype})")  # fmt: skip
    return call, result


def gathered(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str] | None:
    """Elements at positions."""
    positions = w.pick("p", "p", "o", "p[::-1]", "(o % 2 - 1)", "np.arange(n)", "(p * 0)")
    if dims == ("n",):
        source, kind = leaf(w, w.rng.choice((("n",), ("n",), ("n-1",))), kinds)
        if w.chance(0.25):
            matrix, kind = leaf(w, ("n", "n"), kinds)
            items = w.pick("p, o", "p, p", f"{positions}, j", f"{w.position('n')}, {positions}")
            return f"{_primary(matrix)}[{items}]", kind
        return f"{_primary(source)}[{positions}]", kind
    if dims == ("n", "n"):
        source, kind = leaf(w, ("n", "n"), kinds)
        return f"{_primary(source)}[{w.pick(positions, f':, {positions}', f'{positions}[:, None], o')}]", kind
    if dims == ("n-1", "n"):
        source, kind = leaf(w, ("n", "n"), kinds)
        return f"{_primary(source)}[{w.pick(f'1:, {positions}', f'{positions}[1:]', f':-1, {positions}')}]", kind
    return None


def product(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str] | None:
    kinds = "".join(k for k in kinds if k in "ifc")
    if not kinds or len(dims) > 2 or w.chance(0.4):
        return None
    inner = w.pick("n", "n", "k")
    if len(dims) == 2:
        left, right = (dims[0], inner), (inner, dims[1])
    else:
        left, right = w.rng.choice((((dims[0], inner), (inner,)), ((inner,), (inner, dims[0]))))
    (one, first), (two, second) = expression(w, left, depth - 1, kinds), expression(w, right, depth - 1, kinds)
    return f"({one} @ {two})", join(first, second)


def converted(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    text, kind = expression(w, dims, depth - 1, kinds)
    to, result = w.rng.choice((("np.float64", "f"), ("np.float32", "f"), ("np.int64", "i"), ("np.int16", "i"),
                               ("bool", "b"), ("np.int32", "i")))  # fmt: skip
    if kind == "c" or result not in kinds:
        return text, kind
    return f"{_primary(text)}.astype({to})", result


def reordered(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    """Functions that move elements."""
    text, kind = expression(w, dims, depth - 1, kinds)
    found = [f"np.roll({text}, {w.pick('1', '-1', 'j')})", f"np.flip({text})", f"{_primary(text)}.copy()"]
    if len(dims) == 1:
        found += [f"np.cumsum({text})"] if kind in "if" else []
        if dims[0] == "n-1":
            source, kind = leaf(w, ("n",), "if")
            found.append(f"np.diff({source})")
    elif dims[0] == dims[1]:
        found += [f"{_primary(text)}.T", f"np.transpose({text})"]
    result = w.rng.choice(found)
    return result, "f" if "diff" in result or "cumsum" in result else kind


def called(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    """A helper that takes and returns arrays."""
    text, kind = expression(w, dims, depth - 1, "if")
    if w.chance(0.5):
        other, second = expression(w, dims, depth - 1, "if")
        return f"mixed({text}, {other})", join(kind, second)
    return f"{w.pick('rebound', 'either', 'centred')}({text})", kind


def written(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str] | None:
    """An operand that changes an array which others may have read before, or read after."""
    kinds = "".join(k for k in kinds if k in "if")
    names = [name for name in w.names if name.kind in kinds and name.dims]
    for name in w.rng.sample(names, len(names)):
        text = view_of(w, name, dims)
        if text is not None:
            return f"bump({text})", name.kind
    return None


def chosen(w: Writer, dims: Dims, depth: int, kinds: str) -> tuple[str, str]:
    """One of two arrays, by a condition."""
    text, kind = leaf(w, dims, kinds)
    other, second = leaf(w, dims, kind)
    return f"({text} if {condition(w)} else {other})", join(kind, second)


FORMS = (
    (arithmetic, 10), (comparison, 2), (unary, 2), (extremes, 1.5), (where, 2), (clipped, 0.5), (folded, 3),
    (gathered, 2), (product, 1.5), (converted, 0.8), (reordered, 1), (called, 0.7), (chosen, 0.3), (written, 0.6),
)  # fmt: skip


def condition(w: Writer) -> str:
    """A condition of a branch."""
    return w.pick("j > 0", "x > 0", "n > 3", f"{reduction(w, 1)} > {w.pick('0', '2', 'x')}", f"{reduction(w, 0)} != 0")


# ------------------------------------------------------------------------------------------------------- statements


def target(w: Writer) -> tuple[str, Dims, Name] | None:
    """A part of an array to write to."""
    name = w.rng.choice(w.names)
    for _ in range(4):
        dims = name.dims if w.chance(0.4) else w.dims()
        text = view_of(w, name, dims)
        if text is not None and dims:
            return (f"{text}[{w.pick(':', '...')}]" if text.isidentifier() else text), dims, name
    return None


def value_for(w: Writer, dims: Dims, kind: str, in_place: bool = False) -> str:
    """A value that may be stored in an array."""
    kinds = ORDER if kind == "c" else "biuf" if kind == "f" else "bi" if kind == "i" else kind
    if not in_place and kind in "if":
        kinds = "biuf" if w.chance(0.2) else kinds
    if w.chance(0.15):
        return scalar(w, kind if kind != "u" or w.chance(0.9) else "i", 1)
    return expression(w, narrower(w, dims) if w.chance(0.2) else dims, w.rng.choice((0, 1, 1, 2, 2, 3)), kinds)[0]


def store(w: Writer) -> None:
    found = target(w)
    if found:
        text, dims, name = found
        w.write(f"{text} = {value_for(w, dims, name.kind)}")


def in_place(w: Writer) -> None:
    found = target(w)
    if found:
        text, dims, name = found
        op = {"b": "&= |= ^=", "u": "+= *=", "i": "+= -= *= //= %=", "f": "+= -= *= +=", "c": "+= -= *="}[name.kind]
        if w.chance(0.3) and dims == name.dims:
            text = name.name
        w.write(f"{text} {w.rng.choice(op.split())} {value_for(w, dims, name.kind, True)}")


def assign(w: Writer) -> None:
    """A new array, or another one under a name that there is."""
    locals_ = [name for name in w.names if not name.given]
    if locals_ and w.chance(0.3) or w.depth > 1:
        name = w.rng.choice(locals_ or w.names)
        kinds = name.kind if w.depth > 1 and name.kind != "u" else ORDER
        text, kind = expression(w, name.dims, w.rng.choice((1, 2)), kinds)
        w.write(f"{name.name} = {text}")
        name.kind = join(name.kind, kind)
        return
    dims = w.dims()
    text, kind = expression(w, dims, w.rng.choice((0, 1, 2, 2)))
    name = w.fresh("v")
    w.write(f"{name} = {text}")
    w.names.append(Name(name, dims, kind))


def fold_to_name(w: Writer) -> None:
    if w.depth > 1:
        return store(w)
    name = w.fresh("s")
    w.write(f"{name} = {reduction(w, 1)}")
    w.scalars.append(name)
    return None


def masked(w: Writer) -> None:
    """A store where a mask holds."""
    name = w.rng.choice([one for one in w.names if one.dims])
    dims = name.dims if len(name.dims) == 1 or w.chance(0.5) else name.dims[:1]
    mask, _ = expression(w, dims, w.rng.choice((0, 1, 1)), "b")
    where_to = f"{name.name}[{mask}]"
    if w.chance(0.3):
        op = {"b": "&=", "u": "+=", "i": "+= -= *=", "f": "+= -= *=", "c": "+= *="}[name.kind]
        w.write(f"{where_to} {w.rng.choice(op.split())} {scalar(w, name.kind)}")
    elif w.chance(0.5):
        w.write(f"{where_to} = {scalar(w, name.kind, 1)}")
    else:
        other, _ = leaf(w, name.dims, name.kind)
        w.write(f"{where_to} = {_primary(other)}[{mask}]")


def compressed(w: Writer) -> None:
    """What a mask chooses, under a name or folded."""
    dims = w.rng.choice((("n",), ("n", "n"), ("n-1",)))
    source, kind = leaf(w, dims, "iuf")
    mask, _ = expression(w, dims[: w.rng.randint(1, len(dims))], 1, "b")
    text = f"{_primary(source)}[{mask}]"
    name = w.fresh("s")
    if w.depth > 1:
        return store(w)
    w.write(f"{name} = {w.pick(f'{text}.sum()', f'{text} * 2', f'{text}.any()', text)}")
    w.scalars.append(name) if "sum" in w.lines[-1] else w.pieces.add(f"result {name}")
    return None


def scattered(w: Writer) -> None:
    """Stores at positions, of which some are the same."""
    name = w.rng.choice([one for one in w.names if one.dims and one.dims[0] == "n"] or [w.names[0]])
    if not name.dims:
        return store(w)
    positions = w.pick("p", "o", "p", "(o % 2)", "p[::-1]", "np.arange(n)[::-1]")
    rest = name.dims[1:]
    if rest == ("n",) and w.chance(0.4):
        items, dims = w.rng.choice(
            ((f"{positions}, o", ("n",)), (f":, {positions}", ("n", "n")), (f"{positions}, j", ("n",)),
             (f"{positions}[:, None], o", ("n", "n")), (f"j, {positions}", ("n",)))
        )  # fmt: skip
    else:
        items, dims = positions, ("n", *rest)
    text = f"{name.name}[{items}]"
    if w.chance(0.3):
        op = {"b": "^=", "u": "+=", "i": "+= -= *=", "f": "+= -= *=", "c": "+= *="}[name.kind]
        w.write(f"{text} {w.rng.choice(op.split())} {value_for(w, dims, name.kind, True)}")
    else:
        w.write(f"{text} = {value_for(w, dims, name.kind)}")
    return None


def element(w: Writer) -> None:
    """One element by itself."""
    name = w.rng.choice(w.names)
    if not name.dims:
        w.write(f"{name.name}[...] = {scalar(w, name.kind, 1)}")
        return
    items = ", ".join(map(w.position, name.dims))
    w.write(f"{name.name}[{items}] {w.pick('=', '+=' if name.kind != 'b' else '=')} {scalar(w, name.kind, 1)}")


def into(w: Writer) -> None:
    """A function with ``out=``."""
    found = target(w)
    if not found or found[2].kind in "bu":
        return store(w)
    text, dims, name = found
    kinds = {"i": "i", "f": "if", "c": "ifc"}[name.kind]
    first, _ = expression(w, dims, 1, kinds)
    second, _ = expression(w, narrower(w, dims), 1, kinds)
    w.write(f"np.{w.pick('add', 'multiply', 'maximum', 'subtract')}({first}, {second}, out={text})")
    return None


def swap(w: Writer) -> None:
    """Two names of one shape and kind change their arrays."""
    pairs = [(p, q) for p in w.names for q in w.names if p is not q and p.dims == q.dims and p.kind == q.kind]
    pairs = [(p, q) for p, q in pairs if p.dtype == q.dtype]
    if not pairs:
        return store(w)
    one, two = w.rng.choice(pairs)
    w.write(f"{one.name}, {two.name} = {two.name}, {one.name}")
    return None


def changed_by_helper(w: Writer) -> None:
    """Helpers that write to what they are given."""
    names = [name for name in w.names if len(name.dims) == 1 and name.kind in "if"]
    if not names:
        return store(w)
    name = w.rng.choice(names)
    part = view_of(w, name, name.dims) or name.name
    call = w.rng.choice((f"prefix({part})", f"fill_back({part}, {value_for(w, name.dims, name.kind)})",
                         f"same_or_new({part}, {leaf(w, name.dims, name.kind)[0]})"))  # fmt: skip
    found = target(w)
    if w.depth == 1 and w.chance(0.4):
        made_name = w.fresh("v")
        w.write(f"{made_name} = {call}")
        w.names.append(Name(made_name, name.dims, name.kind))
    elif found and found[2].kind == name.kind and w.chance(0.6):
        w.write(f"{found[0]} = {call}.sum()")
    else:
        other, _ = leaf(w, name.dims, name.kind)
        w.write(f"{name.name}[...] = {other} + {call}")
    return None


def loop(w: Writer) -> None:
    """A loop round some of these."""
    if w.depth > 2:
        return store(w)
    counter = "ihl"[len(w.counters)]
    w.write(f"for {counter} in range({w.pick('n', '1, n', '3', 'n - 1', 'n - 1, -1, -1', '2')}):")
    w.depth += 1
    w.counters.append(counter)
    before = len(w.lines)
    for _ in range(w.rng.choice((1, 1, 2, 3))):
        inner(w)
    if len(w.lines) == before:
        w.write("pass")
    w.counters.pop()
    w.depth -= 1
    return None


def branch(w: Writer) -> None:
    """A branch; names may stand for other arrays after it."""
    w.write(f"if {condition(w)}:")
    w.depth += 1
    before = len(w.lines)
    inner(w)
    if len(w.lines) == before:
        w.write("pass")
    w.depth -= 1
    if w.chance(0.5):
        w.write("else:")
        w.depth += 1
        before = len(w.lines)
        inner(w)
        if len(w.lines) == before:
            w.write("pass")
        w.depth -= 1


STATEMENTS = (
    (store, 10), (in_place, 5), (assign, 5), (fold_to_name, 1.5), (masked, 2.5), (compressed, 1), (scattered, 2.5),
    (element, 1), (into, 1), (swap, 1), (changed_by_helper, 1), (loop, 3), (branch, 2),
)  # fmt: skip


def inner(w: Writer) -> None:
    """A statement."""
    write = w.rng.choices(*zip(*STATEMENTS, strict=True))[0]
    w.pieces.add(write.__name__)
    write(w)


# ---------------------------------------------------------------------------------------------------------- program


def generate(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"arrays {seed}")
    writer = Writer(rng, _parameters(rng), rounds=rng.random() < 0.15, faulty=rng.random() < 0.3)
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6))):
        inner(writer)
    _returned(writer)
    body = "\n".join(writer.lines)
    given = [name for name in writer.names if name.given and _used(name.name, body)]
    indices = [name for name in INDICES if _used(name, body)]
    numbers = [name for name in NUMBERS if _used(name, body)]
    head = f"def f({', '.join([*(name.name for name in given), *indices, *numbers])}):\n"
    helpers = "".join(text + "\n\n" for name, text in HELPERS.items() if _used(name, body))
    layouts = {name.name: _layout(rng, name.dims) for name in given}
    sizes = (rng.randint(4, 9), rng.randint(2, 5), rng.choice((1, 2)), rng.choice((0, 1)))
    calls = [_arguments(rng, given, indices, numbers, layouts, size) for size in sizes]
    way = Way(
        rng.choice((0, 0, 4)), rng.random() < 0.25, rng.choices(("-O0", "-O1", "-O3"), (30, 20, 50))[0],
        (rng.choice(PASSES),) if rng.random() < 0.15 else (), rng.random() < 0.04,
    )  # fmt: skip
    pieces = frozenset(piece for piece in writer.pieces if not piece.startswith("result"))
    small = any(name.dtype in ("f2", "f4", "c8") for name in given)
    rounded = writer.rounds or small
    return Program(seed, f"{helpers}{head}{body}\n", calls, way, pieces, rounded=rounded, functions="sqrt" in body)


def _used(name: str, body: str) -> bool:
    return re.search(rf"\b{name}\b", body) is not None


def _parameters(rng: Random) -> list[Name]:
    pool = rng.choice((COMMON, COMMON, ("f8",), ("i8",), (*COMMON, *RARE), RARE))
    dtypes = rng.sample(pool, min(len(pool), rng.choice((1, 2, 3))))
    return [Name(name, dims, _kind(dtype), True, dtype) for name, dims in PARAMETERS.items()
            for dtype in [rng.choice(dtypes)]]  # fmt: skip


def _kind(dtype: str) -> str:
    return np.dtype(dtype).kind


def _returned(w: Writer) -> None:
    results = [piece.split()[1] for piece in sorted(w.pieces) if piece.startswith("result")]
    results += [name.name for name in w.names if not name.given and w.chance(0.8)] + w.scalars
    if w.chance(0.3):
        results.append(expression(w, w.dims(), 1)[0])
    if w.chance(0.3):
        results.append(reduction(w, 1))
    if results:
        w.write(f"return {', '.join(results[:5])}")
    elif not w.lines:
        w.write("pass")


def _layout(rng: Random, dims: Dims) -> str:
    found = ["C"] * 5 + ["strided", "backwards", "broadcast" if rng.random() < 0.3 else "C"] if dims else ["C"]
    return rng.choice(found + (["fortran"] * 2 if len(dims) > 1 else []))


def _arguments(
    rng: Random, given: list[Name], indices: list[str], numbers: list[str], layouts: dict[str, str], size: int
) -> Arguments:
    made = Arguments([], [])
    draw = np.random.default_rng(rng.getrandbits(32))
    extents = {"n": size, "k": rng.choice((1, size, size, 3, size + 1, *([0] if size < 3 else []))), "2": 2}
    if rng.random() < 0.06:
        extents = {**extents, "odd": 1}
    for name in given:
        shape = tuple(extents[d] for d in name.dims)
        if "odd" in extents and shape and rng.random() < 0.4:
            shape = (rng.choice((1, size + 1, 0)), *shape[1:])
        writable = rng.random() > 0.02 and layouts[name.name] != "broadcast"
        view = _shared(rng, made, name.dtype, shape) if rng.random() < 0.25 else None
        made.values.append(view or _fresh(rng, draw, made, name.dtype, shape, layouts[name.name], writable))
    for name in indices:
        made.values.append(_positions(rng, draw, made, INDICES[name], size))
    made.values += [_number(rng, name, size) for name in numbers]
    return made


def _positions(rng: Random, draw: np.random.Generator, made: Arguments, kind: str, size: int) -> View:
    if kind == "bool":
        values = draw.integers(0, 2, size).astype(bool)
    else:
        low = -size if rng.random() < 0.3 else 0
        values = draw.integers(low, max(size, 1) + (rng.random() < 0.06), size)
        values = draw.permutation(size) if rng.random() < 0.2 else values
    made.buffers.append(values)
    return View(len(made.buffers) - 1, 0, (size,), (1,))


def _number(rng: Random, name: str, size: int) -> int | float:
    if name == "n":
        return size
    if name == "j":
        return rng.choice(
            (0, 1, -1, size - 1, size // 2, -size if size else 0, *([size] if rng.random() < 0.1 else []))
        )
    return rng.choice((0.0, 1.0, 2.0, -1.0, 0.125, 3.5))


def _fresh(
    rng: Random,
    draw: np.random.Generator,
    made: Arguments,
    dtype: str,
    shape: tuple[int, ...],
    layout: str,
    writable: bool,
) -> View:
    steps = steps_of(shape, layout)
    low = sum(min(0, (size - 1) * step) for size, step in zip(shape, steps, strict=True) if size)
    high = sum(max(0, (size - 1) * step) for size, step in zip(shape, steps, strict=True) if size)
    made.buffers.append(_values(rng, draw, np.dtype(dtype), high - low + 1 + 2 * GUARD))
    return View(len(made.buffers) - 1, GUARD - low, shape, steps, writable)


def _values(rng: Random, draw: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    """Small numbers, those of floats multiples of 1/8: sums and products of few are exact."""
    if dtype.kind == "b":
        return draw.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        return draw.integers(0 if dtype.kind == "u" else -4, 6, count).astype(dtype)
    values = draw.integers(-24, 25, count) / 8
    if dtype.kind == "c":
        values = values + 1j * draw.integers(-8, 9, count) / 8
    return values.astype(dtype)


def _shared(rng: Random, made: Arguments, dtype: str, shape: tuple[int, ...]) -> View | None:
    """A window of an earlier argument's memory: the same, shifted, backwards or transposed."""
    earlier = [v for v in made.values if isinstance(v, View) and made.buffers[v.buffer].dtype == np.dtype(dtype)]
    if not earlier or not shape:
        return None
    other = rng.choice(earlier)
    candidates = [other.strides, other.strides[::-1], tuple(-s for s in other.strides[:1]) + other.strides[1:]]
    candidates += [other.strides[-1:] * len(shape), other.strides[: len(shape)], other.strides[-len(shape) :]]
    fitting = [steps for steps in candidates if len(steps) == len(shape)]
    for _ in range(4):
        if not fitting:
            break
        steps = rng.choice(fitting)
        offset = other.offset + rng.choice((0, 0, 0, 1, -1, rng.randint(-4, 8)))
        low = offset + sum(min(0, (size - 1) * step) for size, step in zip(shape, steps, strict=True) if size)
        high = offset + sum(max(0, (size - 1) * step) for size, step in zip(shape, steps, strict=True) if size)
        if low >= 0 and high < len(made.buffers[other.buffer]):
            view = View(other.buffer, offset, shape, steps)
            if not view.overlaps_itself:  # NumPy does not say in which order it writes to one element
                made.aliased = True
                return view
    return None
