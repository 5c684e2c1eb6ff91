"""Loops of all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .arguments import Extent, Shape
from .expressions import boolean, kind_of
from .scope import Counter, Scalar, Scope
from .statements import Maker, body, store, value_for

NAMES = ("i", "j", "l")


@contextmanager
def _nested(scope: Scope) -> Iterator[None]:
    scope.loops += 1
    scope.depth += 1
    yield
    scope.loops -= 1
    scope.depth -= 1


def span(scope: Scope) -> tuple[str, int, int, int]:
    """The arguments of a range, and the least and greatest value: low, factor, high."""
    forms = [("n", 0, 1, -1)] * 4 + [("1, n", 1, 1, -1), ("n - 1", 0, 1, -2), ("m", 0, 1, -1)]
    if scope.on("step"):
        forms += [("0, n, 2", 0, 1, -1), ("1, n, 3", 1, 1, -1), ("k, n", 0, 1, -1), ("1, n - 1", 1, 1, -2), ("m, n", 0, 1, -1)]
    if scope.on("down"):
        forms += [("n - 1, -1, -1", 0, 1, -1), ("n - 1, 0, -1", 1, 1, -1), ("n - 2, -1, -2", 0, 1, -2), ("m - 1, -1, -1", 0, 1, -1)]
    outer = [c for c in scope.counters if c.low >= 0 and c.factor == 1 and c.high <= -1]
    if outer and scope.on("triangle"):
        name = scope.pick(outer).name
        forms += [(name, 0, 1, -2), (f"{name} + 1", 0, 1, -1), (f"{name}, n", 0, 1, -1), (f"{name} + 1, n", 1, 1, -1), (f"n - {name}", 0, 1, -1), (f"{name}, -1, -1", 0, 1, -1)] * 2
    lengths = [a for a in scope.arrays if a.rank == 1 and a.extents[0].factor == 1]
    if lengths:
        array = scope.pick(lengths)
        forms += [(f"len({array.name})", 0, 1, array.extents[0].pad - 1), (f"{array.name}.shape[0]", 0, 1, array.extents[0].pad - 1)]
    tables = [a for a in scope.arrays if a.index]
    if tables and scope.on("dataloop", 0.5) and scope.counters:
        forms += [(f"abs({scope.pick(tables).name}[{scope.pick(scope.counters).name}])", 0, 1, -1)] * 2
    return scope.pick(forms)


def _for(scope: Scope) -> bool:
    text, low, factor, high = span(scope)
    free = [name for name in NAMES if not any(c.name == name for c in scope.counters)]
    name = free[0] if free else scope.name("i")
    if name in scope.noted and scope.chance(0.3):
        name = scope.name("i")
    claim = scope.on("prange", 0.6) and not scope.in_prange
    call = "weft.prange" if claim else "range"
    if call == "range" and scope.on("independent", 0.1) and not scope.in_prange:
        call = "range"
    with scope.block(f"for {name} in {call}({text}):"), scope.counting(Counter(name, low, factor, high)), _nested(scope):
        scope.in_prange += claim
        if claim and not scope.on("race"):
            _disjoint(scope, name)
        else:
            scope.planted |= claim
            body(scope)
        scope.in_prange -= claim
    _orelse(scope, claim)
    return True


def _disjoint(scope: Scope, name: str) -> None:
    """A body whose iterations write elements of their own only, and read no others that are written."""
    groups = {a.group for a in scope.arrays}
    counter = scope.counters[-1]
    from .subscripts import fits

    owned = [a for a in scope.written() if a.group == a.name and a.rank and fits(counter, a.extents[0]) and a.layout != "broadcast"]
    if not owned:
        scope.planted = True
        body(scope)
        return
    array = scope.pick(owned)
    others = [a for a in scope.arrays if a.group != array.group]
    kept, scope.arrays[:] = list(scope.arrays), others
    writable = [a.writable for a in others]
    for other in others:
        other.writable = False
    scalars, scope.scalars[:] = list(scope.scalars), []
    for _ in range(scope.rng.randint(1, 2)):
        rest = "".join(f", {scope.pick(('0', '-1', 'k'))}" for _ in array.extents[1:])
        text = value_for(scope, array.dtype, 2)
        if text:
            scope.write(f"{array.name}[{name}{rest}] {scope.pick(('=', '=', '+=')) if kind_of(array.dtype) != 'b' else '='} {text}")
    if scope.chance(0.3):
        scope.write(f"if {boolean(scope)}:")
        scope.write(f"    {array.name}[{name}{''.join(', 0' for _ in array.extents[1:])}] = 1")
    for other, flag in zip(others, writable):
        other.writable = flag
    scope.arrays[:], scope.scalars[:] = kept, scalars
    del groups


def _orelse(scope: Scope, claim: bool = False) -> None:
    if scope.on("orelse", 0.3) and not claim:
        with scope.block("else:"):
            store(scope)


def _while(scope: Scope) -> bool:
    name = scope.name("w")
    forms = (("0", "{w} < n", "+= 1"), ("0", "{w} < m", "+= 1"), ("n - 1", "{w} >= 0", "-= 1"), ("1", "{w} < n", "*= 2"), ("0", "{w} < n", "+= 1 + k"))
    start, test, step = scope.pick(forms)
    early = start == "0" and scope.chance(0.3)
    kept = scope.features
    scope.write(f"{name} = {start}")
    condition = test.format(w=name)
    with scope.counting(Counter(name, 0, 1, -1)):
        more = boolean(scope, 1)
    condition = scope.pick((condition, f"{condition} and {more}", f"{condition} and not ({more})", f"{more} and {condition}" if "outside" in kept else condition))
    with scope.block(f"while {condition}:"), _nested(scope):
        with scope.counting(Counter(name, int(early), 1, int(early) * 2 - 1)):
            if early:
                scope.write(f"{name} {step}")
            else:  # `continue` would skip the step
                scope.features = kept - {"continue"}
            body(scope, 2)
        scope.features = kept
        if not early:
            scope.write(f"{name} {step}")
    _orelse(scope)
    return True


def _foreach(scope: Scope) -> bool:
    arrays = [a for a in scope.arrays if a.rank == 1 and kind_of(a.dtype) in "iuf"]
    if not arrays:
        return False
    array, name, at = scope.pick(arrays), scope.name("e"), scope.name("i")
    counter = Counter(at, 0, array.extents[0].factor, array.extents[0].pad - 1)
    heads = [f"for {name} in {array.name}:", f"for {name} in reversed({array.name}):", f"for {at}, {name} in enumerate({array.name}):"]
    head = scope.pick(heads)
    with scope.block(head), _nested(scope):
        scope.scalars.append(Scalar(name, array.dtype))
        if at in head:
            with scope.counting(counter):
                body(scope, 2)
        else:
            body(scope, 2)
    _orelse(scope)
    return True


def _zip(scope: Scope) -> bool:
    arrays = [a for a in scope.arrays if a.rank == 1 and kind_of(a.dtype) in "iuf"]
    if len(arrays) < 2:
        return False
    one, two = scope.pick(arrays), scope.pick(arrays)
    x, y = scope.name("e"), scope.name("e")
    with scope.block(f"for {x}, {y} in zip({one.name}, {two.name}):"), _nested(scope):
        scope.scalars += [Scalar(x, one.dtype), Scalar(y, two.dtype)]
        body(scope, 2)
    return True


def _rows(scope: Scope) -> bool:
    arrays = [a for a in scope.arrays if a.rank == 2]
    if not arrays:
        return False
    array, name = scope.pick(arrays), scope.name("r")
    with scope.block(f"for {name} in {array.name}:"), _nested(scope):
        scope.arrays.append(Shape(name, array.dtype, array.extents[1:], writable=array.writable, group=array.group))
        body(scope, 2)
    return True


def _tuple(scope: Scope) -> bool:
    name = scope.name("d")
    with scope.block(f"for {name} in {scope.pick(('(0, 1)', '(1, 0, 2)', '(-1, 1)', '(0, -1, 2)'))}:"), _nested(scope):
        with scope.counting(Counter(name, 0, 0, 0)):
            body(scope, 2)
    return True


LOOPS: dict[str, Maker] = {"for": _for, "while": _while, "foreach": _foreach, "zip": _zip, "rows": _rows, "tuple": _tuple}
