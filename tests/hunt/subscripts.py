"""Subscripts of all forms, in range as far as the bounds of the variables tell."""

from __future__ import annotations

from .arguments import Extent, Shape
from .scope import Counter, Scope


def element(scope: Scope, array: Shape) -> str:
    """An element of an array, often a neighbour of one that was used before: in one subscript it is another."""
    known = [parts for name, parts in scope.recent[-4:] if name == array.name and len(parts) == array.rank]
    if known and scope.chance(0.4):
        parts = list(scope.pick(known))
        axis = scope.rng.randrange(array.rank) if array.rank else 0
        if array.rank and scope.chance(0.8):
            parts[axis] = _near(scope, array, axis, parts[axis])
    else:
        parts = [subscript(scope, array, axis) for axis in range(array.rank)]
    if scope.counters:
        scope.recent.append((array.name, parts))
    return f"{array.name}[{', '.join(parts)}]"


def _near(scope: Scope, array: Shape, axis: int, text: str) -> str:
    """Another offset of the same counter, or another subscript."""
    counters = [c for c in scope.counters if c.name == text.split(" ")[0]]
    room = fits(counters[0], array.extents[axis]) if counters else None
    if room is None or room[0] == room[1] or scope.chance(0.3):
        return subscript(scope, array, axis)
    return plus(counters[0].name, scope.rng.randint(max(room[0], -2), min(room[1], 2)))


def subscript(scope: Scope, array: Shape, axis: int) -> str:
    """One subscript: most often a loop variable with an offset, else one of the odd forms."""
    extent = array.extents[axis]
    if scope.on("outside", 0.08) and scope.counters:
        return f"{scope.pick(scope.counters).name} + {scope.pick((1, 2, 3, -4))}"
    forms = [_affine, _affine] if scope.counters else []
    if scope.counters:
        forms += [form for feature, form in OF_COUNTERS.items() if feature in scope.features]
    table = {"last": _last, "symbolic": _symbolic, "constant": _constant}
    forms += [form for feature, form in table.items() if feature in scope.features]
    for _ in range(4):
        if forms:
            text = scope.pick(forms)(scope, array, axis, extent)
            if text:
                return text
    return _constant(scope, array, axis, extent) or "0"


def fits(counter: Counter, extent: Extent) -> tuple[int, int] | None:
    """The least and the greatest offset under which a counter is in range for every n."""
    if counter.factor > extent.factor:
        return None
    least, most = -counter.low, extent.pad - 1 - counter.high
    return (least, most) if least <= most else None


def _affine(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    counter = scope.pick(scope.counters[-3:] if scope.chance(0.8) else scope.counters)
    room = fits(counter, extent)
    if room is None or "affine" not in scope.features and not room[0] <= 0 <= room[1]:
        return None
    offset = (
        scope.rng.randint(max(room[0], -3), min(room[1], 3))
        if scope.on("affine", 0.8)
        else min(max(room[0], 0), room[1])
    )
    return plus(counter.name, offset)


def plus(name: str, offset: int) -> str:
    """A sum with a constant as people write it."""
    return name if offset == 0 else f"{name} {'+' if offset > 0 else '-'} {abs(offset)}"


def _length(scope: Scope, array: Shape, axis: int) -> str:
    return f"len({array.name})" if axis == 0 and scope.chance(0.3) else f"{array.name}.shape[{axis}]"


def _reverse(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    counter = scope.pick(scope.counters)
    if fits(counter, extent) is None:
        return None
    top = scope.pick(
        (f"{_length(scope, array, axis)} - 1", "n - 1" if counter.high <= -1 and counter.factor <= 1 else "")
    )
    return f"{top} - {counter.name}" if top else None


def _floor(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    counter = scope.pick(scope.counters)
    if fits(counter, extent) is None or counter.low < 0:
        return None
    divisor = scope.pick((2, 2, 3, 4))
    return scope.pick(
        (f"{counter.name} // {divisor}", f"({counter.name} + 1) // 2", f"{counter.name} - {counter.name} // {divisor}")
    )


def _modulo(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    one, two = scope.pick(scope.counters).name, scope.pick(scope.counters).name
    length = "n" if extent.factor >= 1 and scope.chance(0.4) else _length(scope, array, axis)
    form = scope.pick(
        (
            f"{one}",
            f"({one} + 1)",
            f"({one} + {two})",
            f"({one} * 2 + {two})",
            f"({one} + k)",
            f"({one} - {two})",
            f"({one} * {two})",
            f"({one} * 3 + 1)",
        )
    )
    if scope.chance(0.2) and extent.factor:
        return f"{one} % {scope.pick((2, 3))}"
    return f"{form} % {length}"


def _minmax(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    one, two = scope.pick(scope.counters), scope.pick(scope.counters)
    length = _length(scope, array, axis)
    if scope.chance(0.5):
        return scope.pick(
            (
                f"min({one.name} + {scope.rng.randint(0, 3)}, {length} - 1)",
                f"max({one.name} - {scope.rng.randint(1, 3)}, 0)",
                f"min(max({one.name} - k, 0), {length} - 1)",
            )
        )
    if fits(one, extent) and fits(two, extent):
        return scope.pick(
            (f"min({one.name}, {two.name})", f"max({one.name}, {two.name})", f"abs({one.name} - {two.name})")
        )
    return None


def _wrap(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    counter = scope.pick(scope.counters)
    room = fits(counter, extent)
    return plus(counter.name, room[0] - scope.rng.randint(1, 3)) if room else None


def _two(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    one, two = scope.pick(scope.counters), scope.pick(scope.counters)
    if fits(one, extent) is None or one is two:
        return None
    if extent.factor == 2 and one.factor <= 1 and two.factor <= 1 and one.high + two.high <= extent.pad - 1:
        return scope.pick((f"{one.name} + {two.name}", f"{two.name} + {one.name}"))
    return f"{one.name} - {two.name}" if scope.chance(0.5) else None


def _scaled(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    counter = scope.pick(scope.counters)
    if extent.factor == 2 and counter.factor <= 1 and 2 * counter.high <= extent.pad - 2 and counter.low >= 0:
        return scope.pick(
            (f"2 * {counter.name}", f"{counter.name} * 2 + 1", f"2 * {counter.name} + 1", f"{counter.name} << 1")
        )
    return f"({counter.name} * {scope.pick((2, 3))}) % {_length(scope, array, axis)}"


def _negative(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    counter = scope.pick(scope.counters)
    return (
        scope.pick((f"-{counter.name} - 1", f"-1 - {counter.name}", f"-({counter.name} + 1)", f"~{counter.name}"))
        if fits(counter, extent)
        else None
    )


def _indirect(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    tables = [table for table in scope.arrays if table.index and table.rank == 1 and table.name != array.name]
    if not tables or extent.factor < 1:
        return None
    table = scope.pick(tables)
    text = f"{table.name}[{subscript(scope, table, 0)}]"
    return f"{text} + {extent.pad}" if extent.pad and scope.chance(0.15) else text


def _shared(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    """A variable that was computed before."""
    return f"t % {_length(scope, array, axis)}" if any(s.name == "t" for s in scope.scalars) else None


def _last(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    return scope.pick(("-1", "-1", "-2", f"{_length(scope, array, axis)} - 1", "n - 1" if extent.factor else "-1"))


def _symbolic(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    if not extent.factor:
        return None
    counters = [counter for counter in scope.counters if fits(counter, extent)]
    if counters and scope.chance(0.4):
        one = scope.pick(counters).name
        return scope.pick(
            (f"{one} - k", f"({one} + m) % n", f"{one} - m", f"{one} + k" if extent.pad >= 2 else f"k - {one}")
        )
    return scope.pick(
        (
            "k",
            "m" if extent.pad else "m - 1",
            "n - 1",
            "k + 1" if extent.pad > 1 else "k",
            "m - n",
            "-k",
            "-k - 1",
            "n // 2",
        )
    )


def _constant(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    least = extent.pad if extent.factor else extent.pad
    return str(scope.rng.randrange(max(least, 1)))


def _quotient(scope: Scope, array: Shape, axis: int, extent: Extent) -> str | None:
    """Divided by variables, which may be zero or negative where the program draws what is outside."""
    one, two = scope.pick(scope.counters).name, scope.pick(scope.counters).name
    length = _length(scope, array, axis)
    divisors = [f"({two} + 1)", "(n + 1)", length, f"max({two}, 1)", "(m + 1)"]
    if scope.on("outside"):
        divisors += ["k", two, "m", f"({two} - k)", f"({one} - 2)"]
    first, second = scope.pick(divisors), scope.pick(divisors)
    form = scope.pick(
        (
            f"{one} // {first}",
            f"({one} // {first}) // {second}",
            f"({one} // {first}) % {second}",
            f"({one} % {first}) // {second}",
            f"({one} + k) // {first}",
            f"divmod({one}, {first})[{scope.pick((0, 1))}]",
            f"({two} - {one}) // {first}",
            f"abs({one} - {two}) // {first}",
            f"min({one}, {two}) // {first}",
            f"max({one} - {two}, 0) % {first}",
        )
    )
    return form if scope.on("outside", 0.2) else f"({form}) % {length}"


OF_COUNTERS = {
    "reverse": _reverse, "floor": _floor, "modulo": _modulo, "minmax": _minmax, "wrap": _wrap, "two": _two,
    "scaled": _scaled, "negative": _negative, "indirect": _indirect, "inlocal": _shared, "quotient": _quotient,
}  # fmt: skip
