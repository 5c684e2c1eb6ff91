"""Expressions of numbers: a text and its kind, 'i', 'f', 'b' for Python's own, else the name of a NumPy dtype."""

from __future__ import annotations

import numpy as np

from .scope import Scope
from .subscripts import element

Typed = tuple[str, str]
PYTHONS = {"i": 0, "f": 0.0, "b": False, "c": 0j}


def kind_of(kind: str) -> str:
    """The kind letter of NumPy: b, i, u, f or c."""
    return kind if kind in PYTHONS else np.dtype(kind).kind


def joined(left: str, right: str) -> str:
    """The kind of a sum (NEP 50)."""
    if left in PYTHONS and right in PYTHONS:
        order = "bifc"
        return max(left, right, key=order.index) if {left, right} != {"b"} else "i"
    one = PYTHONS[left] if left in PYTHONS else np.dtype(left)
    two = PYTHONS[right] if right in PYTHONS else np.dtype(right)
    return np.result_type(one, two).str[1:]


def load(scope: Scope, kinds: str = "iufb") -> Typed | None:
    """An element of an array of one of these kinds."""
    arrays = [a for a in scope.arrays if kind_of(a.dtype) in kinds and (not a.index or scope.chance(0.3))]
    if not arrays:
        return None
    array = scope.pick(arrays)
    return element(scope, array), array.dtype


def scalar(scope: Scope, kinds: str = "iufb") -> Typed | None:
    """A variable of one of these kinds."""
    fitting = [s for s in scope.scalars if kind_of(s.kind) in kinds and (not s.loose or scope.on("loose"))]
    if not fitting:
        return None
    found = scope.pick(fitting)
    return found.name, found.kind


def constant(scope: Scope) -> Typed:
    if scope.chance(0.75):
        if scope.on("bigint", 0.1):
            return scope.pick(("255", "127", "32767", "2147483647", "4294967296", "-128")), "i"
        return str(scope.pick((0, 1, 1, 2, 2, 3, 4, 5, 7))), "i"
    if scope.rounded and scope.chance(0.4):
        return scope.pick(("0.1", "1.5", "0.3", "1e-3")), "f"
    return scope.pick(("0.0", "1.0", "2.0", "-1.0", "-0.0", "3.0", "0.5")), "f"


def integer(scope: Scope, depth: int = 2) -> str:
    """A small Python int."""
    if depth <= 0 or scope.chance(0.3):
        names = (
            [c.name for c in scope.counters]
            + ["n", "m", "k"]
            + [s.name for s in scope.scalars if s.kind == "i" and not s.loose]
        )
        return scope.pick(names) if scope.chance(0.75) else str(scope.rng.randint(0, 6))
    forms = ["{a} + {b}", "{a} - {b}", "{a} * 2", "{a} % 5", "{a} + 1"]
    if scope.on("divide"):
        forms += ["divmod({a}, 3)[0]", "({a} // (n + 1)) // (m + 1)", "{a} // max({b}, 1)"]
        forms += ["{a} // 2", "{a} % (n + 1)", "{a} // (m + 1)", "({a} - {b}) // 3", "({a} - {b}) % -3"]
        if scope.on("outside", 0.3):
            forms += ["{a} // {b}", "{a} % {b}"]
    if scope.on("bits"):
        forms += ["({a} & 7)", "({a} | 1)", "({a} ^ {b})", "~{a}"]
    if scope.on("shift"):
        forms += ["({a} >> 1)", "(1 << ({a} & 3))"]
    if scope.on("extremum"):
        forms += ["min({a}, {b})", "max({a}, {b})", "min({a}, {b}, 4)"]
    if scope.on("abs"):
        forms += ["abs({a} - {b})", "-{a}"]
    if scope.on("cast"):
        found = load(scope, "iub")
        forms += [f"int({found[0]})"] * 2 if found else []
        forms += [f"len({scope.pick(scope.arrays).name})"] if scope.arrays else []
    if scope.on("conditional"):
        forms += [f"({{a}} if {boolean(scope, depth - 1)} else {{b}})"]
    return "(" + scope.pick(forms).format(a=integer(scope, depth - 1), b=integer(scope, depth - 1)) + ")"


def number(scope: Scope, depth: int = 2, kinds: str = "iuf") -> Typed:
    """Any number of these kinds; with a complex one, all of them mixed."""
    if depth <= 0 or scope.chance(0.25):
        return _leaf(scope, kinds)
    makers = [_arithmetic, _arithmetic, _arithmetic]
    table = {"extremum": _extremum, "conditional": _conditional, "abs": _absolute, "helper": _helper, "math": _math,
             "power": _power, "true_divide": _true_divide, "divide": _divide, "bits": _bits, "cast": _cast,
             "numpy": _numpy, "shift": _shift, "loose": _loose, "round": _round}  # fmt: skip
    makers += [make for feature, make in table.items() if feature in scope.features]
    for _ in range(4):
        made = scope.pick(makers)(scope, depth, kinds)
        if made and kind_of(made[1]) in kinds:
            return made
    return _leaf(scope, kinds)


def _leaf(scope: Scope, kinds: str) -> Typed:
    for _ in range(4):
        choice = scope.rng.random()
        if choice < 0.6:
            made = load(scope, kinds)
        elif choice < 0.75:
            made = scalar(scope, kinds)
        elif choice < 0.87 and "i" in kinds:
            made = integer(scope, 0), "i"
        else:
            made = constant(scope)
        if made and kind_of(made[1]) in kinds:
            return made
    return (str(scope.rng.randint(0, 3)), "i") if "i" in kinds else ("1.0", "f")


def _pair(scope: Scope, depth: int, kinds: str) -> tuple[Typed, Typed]:
    return number(scope, depth - 1, kinds), number(scope, depth - 1, kinds)


def _arithmetic(scope: Scope, depth: int, kinds: str) -> Typed | None:
    (left, one), (right, two) = _pair(scope, depth, kinds)
    sign = scope.pick(("+", "+", "-", "*"))
    kind = joined(one, two)
    if kind_of(kind) == "u" and sign == "-" and scope.chance(0.7):
        sign = "+"
    if right.startswith("-") and kind_of(kind) == "u":
        return None
    return f"({left} {sign} {right})", kind


def _extremum(scope: Scope, depth: int, kinds: str) -> Typed | None:
    left, kind = number(scope, depth - 1, kinds.replace("c", ""))
    right, other = number(scope, depth - 1, kinds.replace("c", ""))
    if kind != other and not scope.on("loose"):
        return None
    return f"{scope.pick(('min', 'max'))}({left}, {right})", joined(kind, other)


def _conditional(scope: Scope, depth: int, kinds: str) -> Typed | None:
    (left, one), (right, two) = _pair(scope, depth, kinds)
    if one != two and not scope.on("loose"):
        return None
    return f"({left} if {boolean(scope, depth - 1)} else {right})", joined(one, two)


def _absolute(scope: Scope, depth: int, kinds: str) -> Typed | None:
    inner, kind = number(scope, depth - 1, kinds)
    if kind_of(kind) == "c":
        return None
    return (f"abs({inner})" if scope.chance(0.5) else f"(-{inner})"), ("i" if kind == "b" else kind)


def _helper(scope: Scope, depth: int, kinds: str) -> Typed | None:
    if "f" not in kinds or not scope.helpers:
        return None
    (left, one), (right, two) = _pair(scope, depth, kinds)
    name = scope.pick(scope.helpers)
    if one != two and name in ("pick", "clamp"):
        return None
    return f"{name}({left}, {right})", joined(one, two)


def _math(scope: Scope, depth: int, kinds: str) -> Typed | None:
    if "f" not in kinds:
        return None
    inner, kind = number(scope, depth - 1, "f")
    scope.rounded = scope.functions = True
    name = scope.pick(("np.sin", "np.exp", "np.tanh", "np.cos", "np.arctan", "np.expm1"))
    return f"{name}({inner})", ("f8" if kind == "f" else kind)


def _numpy(scope: Scope, depth: int, kinds: str) -> Typed | None:
    if "f" not in kinds:
        return None
    inner, kind = number(scope, depth - 1, "f")
    other, second = number(scope, depth - 1, "f")
    if kind in PYTHONS or kind != second:
        name = scope.pick(("floor", "ceil", "trunc", "abs", "sign"))
        return f"np.{name}({inner})", ("f8" if kind in PYTHONS else kind)
    exact, rounding = ("minimum", "maximum", "copysign"), ("hypot", "fmod")
    return f"np.{scope.pick(exact + rounding if scope.functions else exact)}({inner}, {other})", kind


def _power(scope: Scope, depth: int, kinds: str) -> Typed | None:
    inner, kind = number(scope, depth - 1, kinds)
    if kind_of(kind) in "fc":
        scope.rounded = scope.functions = True
    return f"({inner} ** {scope.pick((2, 2, 3))})", ("i" if kind == "b" else kind)


def _true_divide(scope: Scope, depth: int, kinds: str) -> Typed | None:
    if "f" not in kinds:
        return None
    inner, kind = number(scope, depth - 1, "iuf")
    if kind_of(kind) in "iub" and kind != "i":
        kind = np.true_divide(np.ones(1, kind), np.ones(1, kind)).dtype.str[1:]
    scope.rounded = True
    return f"({inner} / {scope.pick(('2.0', '4.0', '2', '3.0'))})", ("f" if kind == "i" else kind)


def _divide(scope: Scope, depth: int, kinds: str) -> Typed | None:
    inner, kind = number(scope, depth - 1, kinds.replace("c", ""))
    by, other = (str(scope.pick((2, 3, 5, 7))), "i")
    if scope.chance(0.2):
        by, other = number(scope, 0, kinds.replace("c", ""))
        if other in PYTHONS and not scope.on("outside"):
            return None
    return f"({inner} {scope.pick(('//', '%'))} {by})", joined(kind, other)


def _bits(scope: Scope, depth: int, kinds: str) -> Typed | None:
    if "i" not in kinds:
        return None
    (left, one), (right, two) = _pair(scope, depth, "iu")
    kind = joined(one, two)
    if kind_of(kind) == "f":
        return None
    return f"({left} {scope.pick(('&', '|', '^'))} {right})", kind


def _shift(scope: Scope, depth: int, kinds: str) -> Typed | None:
    inner, kind = number(scope, depth - 1, "iu")
    if "i" not in kinds or kind_of(kind) not in "iu":
        return None
    return f"({inner} {scope.pick(('<<', '>>'))} {scope.rng.randint(0, 3)})", kind


def _cast(scope: Scope, depth: int, kinds: str) -> Typed | None:
    inner, kind = number(scope, depth - 1, "iuf" if "f" in kinds else "iu")
    if kind_of(kind) == "c":
        return None
    if "f" in kinds and scope.chance(0.6):
        name, made = scope.pick((("float", "f"), ("np.float64", "f8"), ("np.float32", "f4")))
        return f"{name}({inner})", made
    if kind_of(kind) == "f" or kind == "i":
        return None
    name, made = scope.pick((("int", "i"), ("np.int64", "i8"), ("int", "i")))
    return f"{name}({inner})", made


def _round(scope: Scope, depth: int, kinds: str) -> Typed | None:
    if "f" not in kinds:
        return None
    inner, kind = number(scope, depth - 1, "f")
    return f"np.round({inner})", ("f8" if kind == "f" else kind)


def _loose(scope: Scope, depth: int, kinds: str) -> Typed | None:
    """A value of one type or another."""
    (left, one), (right, two) = _pair(scope, depth, kinds)
    return f"({left} {scope.pick(('or', 'and'))} {right})", joined(one, two)


def boolean(scope: Scope, depth: int = 2) -> str:
    """A condition."""
    forms = [_compare, _compare]
    if depth > 0:
        forms += [_connect, _connect] if scope.on("boolean") else []
        forms += [_chain] if scope.on("chain") else []
        forms += [_contains] if scope.on("contains") else []
    forms += [_truth] if scope.on("truth") else []
    forms += [_flag] if scope.on("boolarray") else []
    return scope.pick(forms)(scope, depth)


def _compare(scope: Scope, depth: int) -> str:
    if scope.chance(0.4):
        return f"{integer(scope, 1)} {scope.pick(('<', '<=', '>', '>=', '==', '!='))} {integer(scope, 0)}"
    left, one = number(scope, min(depth, 1))
    right, _ = number(scope, 0) if scope.chance(0.5) else constant(scope)
    if scope.on("wideint", 0.3) and kind_of(one) != "c":
        right = scope.pick(("2**63", "-2**63 - 1", "2**64", "10**20", "2**53 + 1", "9007199254740992.0", "2.0**63"))
    sign = scope.pick(("<", "<=", ">", ">=", "==", "!=")) if kind_of(one) != "c" else "=="
    return f"{left} {sign} {right}"


def _connect(scope: Scope, depth: int) -> str:
    left, right = boolean(scope, depth - 1), boolean(scope, depth - 1)
    return scope.pick(
        (
            f"({left} and {right})",
            f"({left} or {right})",
            f"not ({left})",
            f"({left} and False)" if scope.chance(0.2) else f"({left} or {right})",
        )
    )


def _chain(scope: Scope, depth: int) -> str:
    first, second = scope.pick(("<", "<=")), scope.pick(("<", "<=", "!="))
    return f"{integer(scope, 0)} {first} {integer(scope, 1)} {second} {integer(scope, 0)}"


def _contains(scope: Scope, depth: int) -> str:
    several = scope.pick(("(1, 2, 3)", "range(0, 9, 2)", "range(1, n)", "(0, 4)"))
    return f"{integer(scope, 1)} {scope.pick(('in', 'not in'))} {several}"


def _truth(scope: Scope, depth: int) -> str:
    found = load(scope, "iuf")
    return found[0] if found else integer(scope, 1)


def _flag(scope: Scope, depth: int) -> str:
    found = load(scope, "b")
    return found[0] if found else integer(scope, 0) + " > 1"
