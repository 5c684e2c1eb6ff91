"""Statements of all kinds, nested three deep."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from .arguments import Extent, Shape
from .expressions import PYTHONS, boolean, constant, integer, kind_of, load, number, scalar
from .scope import Counter, Scalar, Scope
from .subscripts import element, fits

Maker = Callable[[Scope], "bool | None"]


def statement(scope: Scope) -> None:
    """One statement, simple or compound."""
    scope.budget -= 1
    makers: list[Maker] = [store, store, store, augment, augment]
    if scope.depth < 3 and scope.budget > 0:
        makers += _compound(scope)
    makers += _simple(scope)
    for _ in range(5):
        if scope.pick(makers)(scope):
            return
    if not store(scope):
        scope.write("pass")


def body(scope: Scope, most: int = 3) -> None:
    statement(scope)
    for _ in range(scope.rng.randint(0, most - 1)):
        if scope.budget > 0:
            statement(scope)


def _compound(scope: Scope) -> list[Maker]:
    from .loops import LOOPS

    makers: list[Maker] = []
    if scope.loops == 0 or scope.on("nest"):
        makers += [LOOPS[name] for name in LOOPS if name in scope.features or name == "for" for _ in range(3 if name == "for" else 1)]
    if scope.loops and scope.on("if"):
        makers += [branch, branch]
    return makers


def _simple(scope: Scope) -> list[Maker]:
    from .idioms import IDIOMS

    makers: list[Maker] = [assign, assign] if scope.scalars else []
    if scope.loops:
        makers += [make for feature, make in LEAVING.items() if feature in scope.features]
        makers += [make for feature, make in IDIOMS.items() if feature in scope.features]
    makers += [make for feature, make in OTHERS.items() if feature in scope.features]
    return makers


def value_for(scope: Scope, dtype: str, depth: int = 2) -> str | None:
    """An expression that an element of this dtype takes."""
    kind = kind_of(dtype)
    if kind == "b":
        return boolean(scope, depth) if scope.chance(0.8) else None
    kinds = {"f": "iuf", "c": "iufc"}.get(kind, "iu")
    text, made = number(scope, depth, kinds)
    if kind in "iu" and made in PYTHONS and dtype not in ("i8", "i4") and not scope.on("outside", 0.2):
        text = f"({text}) & 63" if made == "i" else f"int({text})"
    if kind in "iu" and dtype == "i4" and made == "i" and scope.chance(0.9):
        text = f"({text}) % 1000"
    return text


def target(scope: Scope) -> Shape | None:
    arrays = scope.written()
    return scope.pick(arrays) if arrays else None


def store(scope: Scope) -> bool:
    array = target(scope)
    if array is None:
        return False
    text = value_for(scope, array.dtype)
    if text is None:
        return False
    scope.write(f"{element(scope, array)} = {text}")
    return True


def augment(scope: Scope) -> bool:
    array = target(scope)
    if array is None:
        return False
    kind = kind_of(array.dtype)
    if kind == "b":
        text = load(scope, "b")
        scope.write(f"{element(scope, array)} {scope.pick(('|=', '&=', '^='))} {text[0] if text and scope.chance(0.7) else boolean(scope, 1)}")
        return True
    text = value_for(scope, array.dtype, 1)
    signs = ["+=", "+=", "+="] if kind == "u" else ["+=", "+=", "-=", "*="]
    if kind in "iu" and scope.on("bits"):
        signs += ["|=", "&=", "^="]
    if kind in "iu" and scope.on("divide", 0.5):
        scope.write(f"{element(scope, array)} {scope.pick(('//=', '%='))} {scope.pick((2, 3, 5))}")
        return True
    scope.write(f"{element(scope, array)} {scope.pick(signs)} {text}")
    return True


def assign(scope: Scope) -> bool:
    """Change a variable, in its own type."""
    variable = scope.pick(scope.scalars)
    if variable.loose:
        found = load(scope, "iuf") if scope.chance(0.8) else constant(scope)
        if found is None or scope.in_prange and not scope.chance(0.3):
            return False
        scope.write(f"{variable.name} {scope.pick(('+=', '+=', '+=', '=', '-='))} {found[0]}")
        return True
    text = scalar_value(scope, variable.kind)
    if variable.kind == "b":
        scope.write(f"{variable.name} = {text}")
    elif variable.kind == "i":
        scope.write(scope.pick((f"{variable.name} = ({text}) % 1009", f"{variable.name} += ({text}) % 64", f"{variable.name} ^= ({text}) & 15", f"{variable.name} = min({variable.name}, {text})", f"{variable.name} = {text}" if scope.on("outside", 0.3) else f"{variable.name} += 1")))
    else:
        forms = ["{v} = {e}", "{v} += {e}", "{v} += {e}", "{v} = max({v}, {e})", "{v} -= {e}", "{v} = {v} * 2 + {e}"]
        scope.write(scope.pick(forms).format(v=variable.name, e=text))
    return True


def scalar_value(scope: Scope, kind: str) -> str:
    """An expression of just this type."""
    if kind == "b":
        return f"bool({boolean(scope)})" if scope.chance(0.9) else boolean(scope)
    if kind == "i":
        return integer(scope)
    text, made = number(scope, 2, "iuf" if kind_of(kind) == "f" else "iu")
    if made == kind:
        return text
    return f"float({text})" if kind == "f" else f"np.{DTYPE_NAMES[kind]}({text})"


DTYPE_NAMES = {"i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32",
               "u8": "uint64", "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64",
               "c16": "complex128", "b1": "bool_"}  # fmt: skip


def branch(scope: Scope) -> bool:
    with scope.block(f"if {boolean(scope)}:"):
        scope.depth += 1
        body(scope, 2)
    if scope.on("else", 0.3):
        with scope.block(f"elif {boolean(scope)}:"):
            body(scope, 2)
    if scope.on("else", 0.5):
        with scope.block("else:"):
            body(scope, 2)
    scope.depth -= 1
    return True


def _break(scope: Scope) -> bool:
    if scope.in_prange:
        return False
    with scope.block(f"if {boolean(scope)}:"):
        if scope.chance(0.3):
            store(scope)
        scope.write("break")
    return True


def _continue(scope: Scope) -> bool:
    with scope.block(f"if {boolean(scope)}:"):
        if scope.chance(0.2):
            store(scope)
        scope.write("continue")
    return True


def _return(scope: Scope) -> bool:
    if scope.in_prange or not scope.returns or scope.chance(0.4):
        return False
    with scope.block(f"if {boolean(scope)}:"):
        scope.write(f"return {returned(scope, early=True)}")
    return True


def returned(scope: Scope, early: bool = False) -> str:
    """What is returned: of the same types at every place."""
    parts = []
    for kind in scope.returns:
        if early and kind == "i":
            parts.append(integer(scope, 1))
        elif early and kind == "f":
            parts.append("1.0")
        else:
            same = [s.name for s in scope.scalars if s.kind == kind and not s.loose]
            parts.append(scope.pick(same) if same else {"i": "-1", "f": "-1.0", "b": "False"}[kind])
    return ", ".join(parts)


def _raise(scope: Scope) -> bool:
    error = scope.pick(("ValueError", "RuntimeError", "IndexError", "KeyError", "ZeroDivisionError"))
    simple = f"{scope.pick(scope.counters).name} == {scope.pick(('n - 2', 'k', 'm', '3', 'n // 2'))}" if scope.counters else "n == 2"
    with scope.block(f"if {simple if scope.chance(0.5) else boolean(scope)}:"):
        if scope.chance(0.2):
            store(scope)
        scope.write(f"raise {error}" + scope.pick(("", "('no')", "(f'n is {n}')")))
    return True


def _assert(scope: Scope) -> bool:
    scope.write(f"assert {boolean(scope)}" + scope.pick(("", ", 'no'", ", f'n is {n}'")))
    return True


LEAVING: dict[str, Maker] = {"break": _break, "continue": _continue, "return": _return, "raise": _raise, "assert": _assert}


def declare(scope: Scope, kind: str) -> Scalar:
    """A new variable."""
    variable = Scalar(scope.name("s"), kind)
    first = {"i": scope.pick(("0", "1", "n", "0")), "f": scope.pick(("0.0", "1.0", "0.0", "-0.0")), "b": "False"}.get(kind) or f"np.{DTYPE_NAMES[kind]}(0)"
    scope.write(f"{variable.name} = {first}")
    scope.scalars.append(variable)
    return variable


def _inner(scope: Scope) -> bool:
    """A variable of an iteration."""
    kind = scope.pick(("i", "i", "f"))
    name = "t" if kind == "i" and "inlocal" in scope.features else scope.name("t")
    if name == "t" and any(s.name == "t" for s in scope.scalars):
        return False
    text = f"({integer(scope)}) % 101" if kind == "i" else scalar_value(scope, kind)
    scope.write(f"{name} = {text}")
    scope.scalars.append(Scalar(name, kind))
    return True


def _view(scope: Scope) -> bool:
    """A view of an array, perhaps of a view."""
    arrays = [a for a in scope.arrays if a.rank and not a.index and a.rank <= 3 and ("viewofview" in scope.features or a.group == a.name)]
    if not arrays:
        return False
    array, name = scope.pick(arrays), scope.name("v")
    made = _sliced(scope, array)
    if made is None:
        return False
    text, extents = made
    scope.write(f"{name} = {text}")
    scope.arrays.append(Shape(name, array.dtype, extents, writable=array.writable, group=array.group))
    return True


def _sliced(scope: Scope, array: Shape) -> tuple[str, tuple[Extent, ...]] | None:
    first, rest = array.extents[0], array.extents[1:]
    forms = ["tail", "head", "flip", "all"]
    if array.rank == 2:
        forms += ["row", "column", "column"] + (["T", "T"] if scope.on("transpose") else [])
    if array.rank == 1 and scope.on("newaxis"):
        forms += ["axis"]
    if first.factor == 2:
        forms += ["even", "even"]
    form = scope.pick(forms)
    if form == "tail" and first.pad:
        start = scope.rng.randint(1, min(first.pad, 2))
        return f"{array.name}[{start}:]", (Extent(first.factor, first.pad - start), *rest)
    if form == "head" and first.pad:
        return f"{array.name}[:-1]", (Extent(first.factor, first.pad - 1), *rest)
    if form == "flip":
        return f"{array.name}[::-1]", array.extents
    if form == "all":
        return f"{array.name}[:]", array.extents
    if form == "T":
        return f"{array.name}.T", array.extents[::-1]
    if form == "even":
        return f"{array.name}[{scope.pick(('', '1'))}:{scope.pick(('', '2 * n'))}:2]", (Extent(1, 0), *rest)
    if form == "axis":
        return f"{array.name}[:, None]", (first, Extent(0, 1))
    counters = [c for c in scope.counters if fits(c, array.extents[form == "column"]) and c.low >= 0]
    at = scope.pick(counters).name if counters and scope.chance(0.7) else scope.pick(("0", "-1", "k"))
    if form == "row":
        return f"{array.name}[{at}]", rest
    return (f"{array.name}[:, {at}]", (first,)) if form == "column" else None


def _local(scope: Scope) -> bool:
    """An array that the function makes."""
    name, dtype = scope.name("w"), scope.pick([a.dtype for a in scope.arrays] + ["f8", "i8"])
    extent = Extent(1, scope.rng.randint(0, 2))
    extents = (extent,) if scope.loops or scope.chance(0.7) else (extent, Extent(1, 1))
    sizes = extents[0].text if len(extents) == 1 else f"({', '.join(e.text for e in extents)})"
    text = scope.pick((f"np.zeros({sizes}, dtype=np.{DTYPE_NAMES[dtype]})", f"np.ones({sizes}, dtype=np.{DTYPE_NAMES[dtype]})", f"np.full({sizes}, 2, dtype=np.{DTYPE_NAMES[dtype]})"))
    if len(extents) == 1 and dtype == "i8" and scope.chance(0.4):
        text = f"np.arange({sizes})"
    scope.write(f"{name} = {text}")
    scope.arrays.append(Shape(name, dtype, extents, group=name))
    return True


def _copy(scope: Scope) -> bool:
    arrays = [a for a in scope.arrays if a.rank and not a.index]
    if not arrays or scope.loops > 1:
        return False
    array, name = scope.pick(arrays), scope.name("w")
    wider = array.dtype if kind_of(array.dtype) == "c" else scope.pick((array.dtype, array.dtype, "f8"))
    text = f"{array.name}.copy()" if wider == array.dtype and scope.chance(0.6) else f"{array.name}.astype(np.{DTYPE_NAMES[wider]})"
    scope.write(f"{name} = {text}")
    scope.arrays.append(Shape(name, wider, array.extents, group=name))
    return True


def _fill(scope: Scope) -> bool:
    array = target(scope)
    if array is None or kind_of(array.dtype) == "b":
        return False
    scope.write(f"{array.name}.fill({scope.pick(('1', '0', '2'))})")
    return True


def _swap(scope: Scope) -> bool:
    pairs = [(a, b) for a in scope.arrays for b in scope.arrays if a.name < b.name and (a.dtype, a.extents, a.layout, a.index) == (b.dtype, b.extents, b.layout, b.index)]
    array = target(scope)
    if pairs and scope.chance(0.4) and not scope.in_prange:
        one, two = scope.pick(pairs)
        scope.write(f"{one.name}, {two.name} = {two.name}, {one.name}")
        return True
    if array is None:
        return False
    one, two = element(scope, array), element(scope, array)
    scope.write(f"{one}, {two} = {two}, {one}")
    return True


def _walrus(scope: Scope) -> bool:
    name = scope.name("q")
    with scope.block(f"if ({name} := {integer(scope)}) {scope.pick(('>', '<', '!='))} {scope.rng.randint(0, 4)}:"):
        scope.scalars.append(Scalar(name, "i"))
        store(scope)
    return True


def _nonlocal(scope: Scope) -> bool:
    if scope.loops or "add" in scope.noted:
        return False
    name = declare(scope, "f").name
    with scope.block("def add(value):"):
        scope.write(f"nonlocal {name}")
        scope.write(f"{name} += value")
    scope.noted["add"] = name
    return True


def _add(scope: Scope) -> bool:
    if "add" not in scope.noted or not scope.loops:
        return False
    scope.write(f"add({scalar_value(scope, 'f')})")
    return True


def _lambda(scope: Scope) -> bool:
    name = scope.name("g")
    scope.write(f"{name} = lambda x, y: {scope.pick(('x + y', 'x - y * 2', 'min(x, y)', 'y if x > y else x'))}")
    array = target(scope)
    found = load(scope, "iuf")
    if array and found and kind_of(array.dtype) in "fc":
        scope.write(f"{element(scope, array)} = {name}({found[0]}, {found[0]})")
    return True


def _generator(scope: Scope) -> bool:
    """A sum over a generator."""
    arrays = [a for a in scope.arrays if a.rank == 1 and kind_of(a.dtype) in "iuf"]
    wide = [s for s in scope.scalars if s.kind == "f"]
    if not arrays or not wide:
        return False
    array, variable = scope.pick(arrays), scope.pick(wide)
    scope.write(scope.pick((f"{variable.name} += float(sum(e * 2 for e in {array.name}))", f"{variable.name} += float(sum({array.name}[e] for e in range(n) if e % 2 == 0))", f"{variable.name} += sum(float(e) for e in {array.name})")))
    return True


def _counted(scope: Scope) -> bool:
    """A position that is counted up by hand."""
    if any(c.name == "c" for c in scope.counters) or not scope.noted.get("c"):
        return False
    array = target(scope)
    if array is None or array.rank != 1 or not array.extents[0].factor:
        return False
    text = value_for(scope, array.dtype, 1)
    if text is None:
        return False
    with scope.block(f"if {boolean(scope)}:") if scope.chance(0.6) else nullcontext():
        scope.write(f"{array.name}[c % len({array.name})] = {text}" if scope.chance(0.5) else f"{array.name}[c] = {text}")
        scope.write(f"c += {scope.pick((1, 1, 1, 2))}")
    return True


OTHERS: dict[str, Maker] = {
    "view": _view, "local": _local, "copy": _copy, "fill": _fill, "swap": _swap, "walrus": _walrus, "inlocal": _inner,
    "nonlocal": lambda scope: _nonlocal(scope) or _add(scope), "lambda": _lambda, "generator": _generator,
    "counter": _counted,
}  # fmt: skip

__all__ = ["Counter", "scalar", "statement"]
