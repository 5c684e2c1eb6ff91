"""Forms that compilers look for, written as people write them and a little otherwise."""

from __future__ import annotations

import re

from .arguments import Shape
from .expressions import boolean, integer, kind_of, load
from .scope import Counter, Scope
from .statements import Maker, target, value_for
from .subscripts import element, fits, plus, subscript


def _along(scope: Scope, array: Shape, axis: int) -> tuple[Counter, int, int] | None:
    """A counter that fits an axis with at least two offsets, and its room."""
    counters = [c for c in scope.counters[-2:] if (room := fits(c, array.extents[axis])) and room[1] > room[0]]
    if not counters:
        return None
    counter = scope.pick(counters)
    least, most = fits(counter, array.extents[axis]) or (0, 0)
    return counter, max(least, -2), min(most, 2)


def _at(scope: Scope, array: Shape, axis: int, text: str) -> str:
    """An element with this subscript at the axis; others are drawn."""
    return f"{array.name}[{', '.join(text if a == axis else subscript(scope, array, a) for a in range(array.rank))}]"


def _recurrence(scope: Scope) -> bool:
    """An element from another one of the same array, some steps away."""
    array = target(scope)
    if array is None or kind_of(array.dtype) == "b" or not array.rank:
        return False
    axis = scope.rng.randrange(array.rank)
    along = _along(scope, array, axis)
    if along is None:
        return False
    counter, least, most = along
    there, here = scope.rng.randint(least, most), scope.rng.randint(least, most)
    left, right = _at(scope, array, axis, plus(counter.name, there)), _at(scope, array, axis, plus(counter.name, here))
    if scope.chance(0.4) and array.rank > 1:  # the same other subscripts
        right = re.sub(rf"\b{re.escape(plus(counter.name, there))}\b", plus(counter.name, here), left, count=1)
    text = value_for(scope, array.dtype, 1)
    forms = [
        f"{left} += {right}",
        f"{left} = {right} + {text}",
        f"{left} = {right}",
        f"{left} = {right} + {left}",
        f"{left} = {right} * 2 + {text}",
    ]
    if kind_of(array.dtype) != "c":
        forms += [f"{left} = max({right}, {left})", f"{left} = {right} if {boolean(scope, 0)} else {left}"]
    if kind_of(array.dtype) in "iu":
        forms += [f"{left} |= {right}", f"{left} ^= {right}"]
    scope.write(scope.pick(forms))
    return True


def _relay(scope: Scope) -> bool:
    """Columns or rows that pass values on."""
    arrays = [a for a in scope.written() if a.rank == 2 and kind_of(a.dtype) != "b"]
    if not arrays:
        return False
    array = scope.pick(arrays)
    axis = scope.rng.randrange(2)
    along = _along(scope, array, axis)
    if along is None:
        return False
    counter, least, most = along
    there, here = scope.rng.randint(least, most), scope.rng.randint(least, most)
    others = ("0", "1", "-1", "k", "m", "-2", f"{array.name}.shape[{1 - axis}] - 1", "n - 1", counter.name, "k - 1")

    def at(offset: int) -> str:
        parts = [scope.pick(others), scope.pick(others)]
        parts[axis] = plus(counter.name, offset)
        return f"{array.name}[{', '.join(parts)}]"

    left, right, third = at(there), at(here), at(there)
    forms = [
        f"{left} += {right}",
        f"{left} = {right}",
        f"{left} = {right} + {third}",
        f"{left} = {right} * 2 + {third}",
    ]
    if kind_of(array.dtype) != "c":
        forms += [f"{left} = max({right}, {third})"]
    scope.write(scope.pick(forms))
    return True


def _scan(scope: Scope) -> bool:
    """A running value, stored."""
    variables = [s for s in scope.scalars if s.kind not in "b" and not s.loose]
    array = target(scope)
    if not variables or array is None or kind_of(array.dtype) == "b":
        return False
    variable = scope.pick(variables)
    if kind_of(variable.kind) == "f" and kind_of(array.dtype) not in "fc":
        return False
    from .statements import scalar_value

    text = scalar_value(scope, variable.kind)
    small = f"({text}) % 50" if variable.kind == "i" else text
    first = scope.pick(
        (
            f"{variable.name} += {small}",
            f"{variable.name} = max({variable.name}, {small})",
            f"{variable.name} = {variable.name} + {small}",
        )
    )
    value = f"{variable.name} & 31" if variable.kind == "i" and kind_of(array.dtype) in "iu" else variable.name
    lines = [first, f"{element(scope, array)} {scope.pick(('=', '=', '+='))} {value}"]
    for line in lines if scope.chance(0.7) else lines[::-1]:
        scope.write(line)
    return True


def _pack(scope: Scope) -> bool:
    """Elements that a test picks, one behind the other."""
    if not scope.noted.get("c"):
        return False
    array = target(scope)
    if array is None or array.rank != 1 or array.extents[0].factor < 1:
        return False
    text = value_for(scope, array.dtype, 1)
    if text is None:
        return False
    with scope.block(f"if {boolean(scope)}:"):
        scope.write(f"{array.name}[c] = {text}")
        scope.write("c += 1")
    return True


def _keyed(scope: Scope) -> bool:
    """A histogram."""
    tables = [a for a in scope.arrays if a.index and a.rank == 1]
    array = target(scope)
    if not tables or array is None or not array.rank or array.extents[0].factor < 1 or kind_of(array.dtype) == "b":
        return False
    table = scope.pick(tables)
    key = f"{table.name}[{subscript(scope, table, 0)}]"
    left = _at(scope, array, 0, key)
    text = value_for(scope, array.dtype, 1)
    found = load(scope, "iu")
    forms = [f"{left} += 1", f"{left} += {text}", f"{left} = {text}"]
    if kind_of(array.dtype) != "c":
        forms += [
            f"{left} = max({left}, {text})"
            if kind_of(array.dtype) == "f"
            else f"{left} -= 1"
            if kind_of(array.dtype) == "i"
            else f"{left} += 2"
        ]
    if found and kind_of(array.dtype) in "iu":
        forms += [f"{left} |= {found[0]}", f"{left} ^= {found[0]}"]
    scope.write(scope.pick(forms))
    return True


def _best(scope: Scope) -> bool:
    """The greatest value and its place."""
    found = load(scope, "iuf")
    places = [s for s in scope.scalars if s.kind == "i" and not s.loose]
    if found is None or not places or not scope.counters:
        return False
    place = scope.pick(places)
    array = scope.pick(scope.arrays)
    if array.rank != 1 or kind_of(array.dtype) not in "iuf":
        return False
    with scope.block(f"if {found[0]} {scope.pick(('>', '>=', '<'))} {array.name}[{place.name} % len({array.name})]:"):
        scope.write(f"{place.name} = {scope.pick(scope.counters).name}")
    return True


def _stencil(scope: Scope) -> bool:
    array = target(scope)
    if array is None or not array.rank or kind_of(array.dtype) == "b":
        return False
    axis = scope.rng.randrange(array.rank)
    along = _along(scope, array, axis)
    if along is None:
        return False
    counter, least, most = along
    same = [
        a
        for a in scope.arrays
        if kind_of(a.dtype) == kind_of(array.dtype) and a.rank == array.rank and fits(counter, a.extents[axis])
    ]
    source = scope.pick(same) if same else array
    parts = [
        _at(
            scope,
            source,
            axis,
            plus(counter.name, scope.rng.randint(max(least, -1), min(most, fits(counter, source.extents[axis])[1]))),
        )
        if True
        else ""
        for _ in range(scope.rng.randint(2, 3))
    ]  # type: ignore[index]
    scope.write(f"{_at(scope, array, axis, counter.name)} = {' + '.join(parts)}")
    return True


def _fold(scope: Scope) -> bool:
    """A reduction to a variable, or to an element that stays the same."""
    variables = [s for s in scope.scalars if s.kind != "b" and not s.loose]
    if not variables:
        return False
    from .statements import scalar_value

    variable = scope.pick(variables)
    text = scalar_value(scope, variable.kind)
    if variable.kind == "i":
        forms = [
            f"{{v}} += ({text}) % 100",
            f"{{v}} ^= ({text}) & 255",
            f"{{v}} = max({{v}}, {text})",
            f"{{v}} = min({{v}}, {text})",
            "{v} += 1",
        ]
    else:
        forms = [
            f"{{v}} += {text}",
            f"{{v}} -= {text}",
            f"{{v}} = max({{v}}, {text})",
            f"{{v}} = min({text}, {{v}})",
            f"{{v}} = {{v}} + {text}",
        ]
    line = scope.pick(forms).format(v=variable.name)
    if scope.on("guarded", 0.5):
        with scope.block(f"if {boolean(scope)}:"):
            scope.write(line)
    else:
        scope.write(line)
    return True


def _guarded(scope: Scope) -> bool:
    array = target(scope)
    if array is None:
        return False
    text = value_for(scope, array.dtype, 1)
    if text is None:
        return False
    with scope.block(f"if {boolean(scope)}:"):
        sign = scope.pick(("=", "|=") if kind_of(array.dtype) == "b" else ("=", "+="))
        scope.write(f"{element(scope, array)} {sign} {text}")
    return True


def _divmod(scope: Scope) -> bool:
    places = [s for s in scope.scalars if s.kind == "i" and not s.loose]
    if len(places) < 2:
        return False
    one, two = scope.rng.sample(places, 2)
    scope.write(f"{one.name}, {two.name} = divmod({integer(scope)}, {scope.pick(('3', '7', '-2', 'n + 1'))})")
    return True


def _matmul(scope: Scope) -> bool:
    """A product of matrices, or of a matrix and a vector, as far as the loops around give the indices."""
    arrays = [a for a in scope.arrays if a.rank in (1, 2) and kind_of(a.dtype) in "iuf" and not a.index]
    outs = [a for a in arrays if a.writable]
    if not outs or len(scope.counters) < 2:
        return False
    names = [c.name for c in scope.counters[-3:]]

    def at(array: Shape, order: list[str]) -> str:
        return f"{array.name}[{', '.join(order[: array.rank])}]"

    out, one, two = scope.pick(outs), scope.pick(arrays), scope.pick(arrays)
    if kind_of(out.dtype) in "iu" and "f" in (kind_of(one.dtype), kind_of(two.dtype)):
        return False
    scope.write(f"{at(out, names)} += {at(one, [names[0], names[-1]])} * {at(two, [names[-1], names[-2]])}")
    return True


IDIOMS: dict[str, Maker] = {
    "recurrence": _recurrence, "relay": _relay, "scan": _scan, "pack": _pack, "keyed": _keyed, "best": _best,
    "stencil": _stencil, "fold": _fold, "guarded": _guarded, "divmod": _divmod, "matmul": _matmul,
}  # fmt: skip
