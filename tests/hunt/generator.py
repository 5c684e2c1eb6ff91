"""One program for every seed."""

from __future__ import annotations

from random import Random

from .arguments import Extent, Shape, arguments
from .features import swarm
from .program import Program, Way
from .scope import Scalar, Scope
from .statements import DTYPE_NAMES, body, declare, returned, statement

LAYOUTS = {"strided": 1, "fortran": 2, "broadcast": 1, "backwards": 1, "padded": 1}
PASSES = ("forward_carried_loads",)

HELPERS = {
    "twice": "def twice(x, y):\n    return x + y + y\n",
    "pick": "def pick(x, y):\n    if x > y:\n        return x\n    return y\n",
    "clamp": "def clamp(x, y):\n    return x if x < y else y\n",
    "put": "def put(t, at, y):\n    t[at] = t[at] + y\n",
    "last": "def last(t):\n    return t[len(t) - 1]\n",
    "span": (
        "def span(t, at):\n    low = at - 1 if at > 0 else 0\n    best = t[low]\n    for h in range(low, at + 1):\n"
        "        if t[h] > best:\n            best = t[h]\n    return best\n"
    ),
    "both": "def both(x, y):\n    return y, x\n",
    "inner": "def inner(x, y):\n    z = x\n    for h in range(3):\n        z = z + y\n    return z\n",
}


def generate(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(seed)
    features = swarm(rng)
    scope = Scope(rng, features, budget=rng.choices((1, 2, 3, 4, 6, 9, 14), (20, 35, 25, 13, 5, 1.5, 0.5))[0])
    scope.rounded = bool({"true_divide", "math"} & features) and rng.random() < 0.5
    _parameters(scope)
    given = [_copied(a) for a in scope.arrays]
    numbers = {"n": "n", "m": "m", "k": "k", "x": "x"}
    _function(scope, given, numbers)
    source = _source(scope, given, numbers)
    calls = [arguments(rng, features, given, numbers, n) for n in _sizes(scope)]
    return Program(
        seed, source, calls, _way(rng), features, not scope.planted, scope.must_race, scope.rounded, scope.functions
    )


def _copied(array: Shape) -> Shape:
    return Shape(array.name, array.dtype, array.extents, array.layout, array.index, array.writable, array.group)


def _dtypes(scope: Scope) -> list[str]:
    found = ["f8", "f8", "i8"]
    table = {
        "single": ("f4", "i4"),
        "small": ("i1", "i2", "i4"),
        "unsigned": ("u1", "u2", "u4", "u8"),
        "complex": ("c16", "c8"),
        "half": ("f2",),
        "boolarray": ("b1",),
    }
    for feature, dtypes in table.items():
        if scope.on(feature):
            found += dtypes
    return found if scope.on("manydtypes") else scope.rng.sample(found, min(len(found), 2))


def _parameters(scope: Scope) -> None:
    dtypes = _dtypes(scope)
    ranks = {"a": 1, "b": 1, "u": 2, "v": 2, "z": 1}
    for name in sorted(scope.rng.sample(sorted(ranks), scope.rng.choice((1, 2, 2, 3, 3, 4)))):
        rank = ranks[name]
        if scope.on("cube", 0.3):
            rank = scope.pick((1, 2, 3))
        if not scope.on("vectors", 0.6) and scope.chance(0.3):
            rank = 2
        same = scope.arrays and scope.on("alias", 0.5)
        dtype = scope.pick(scope.arrays).dtype if same else scope.pick(dtypes)
        extents = tuple(Extent(scope.pick((1, 1, 1, 1, 2)), scope.pick((0, 0, 1, 1, 2, 3))) for _ in range(rank))
        scope.arrays.append(Shape(name, "b1" if dtype == "b1" else dtype, extents, _layout(scope, rank), group=name))
    if scope.on("indirect") or scope.on("keyed", 0.7):
        scope.arrays.append(
            Shape(
                "p",
                scope.pick(("i8", "i8", "i4")),
                (Extent(1, scope.pick((0, 1))),),
                index=True,
                writable=False,
                group="p",
            )
        )


def _layout(scope: Scope, rank: int) -> str:
    layout = "C"
    for name in LAYOUTS:
        if scope.on(name, 0.3):
            layout = name
    return "C" if layout == "fortran" and rank < 2 or layout == "padded" and rank < 2 else layout


def _function(scope: Scope, given: list[Shape], numbers: dict[str, str]) -> None:
    if scope.on("helper"):
        scope.helpers = scope.rng.sample(["twice", "pick", "clamp", "inner"], scope.rng.randint(1, 2))
    scope.scalars.append(Scalar("x", "f"))
    if {"prange", "race"} <= scope.features and scope.chance(0.4):
        from .loops import planted

        scope.must_race = planted(scope)
        if scope.must_race:
            return
    shared = ["i", "f"] + [a.dtype for a in given if a.dtype in DTYPE_NAMES and a.dtype not in ("c8", "c16", "b1")]
    for _ in range(scope.rng.choice((0, 0, 1, 1, 2, 3))):
        declare(scope, scope.pick(shared))
    if scope.on("loose"):
        variable = declare(scope, scope.pick(("i", "f")))
        variable.loose = True
    if scope.on("counter") or scope.on("pack"):
        scope.write("c = 0")
        scope.noted["c"] = "c"
    scope.returns = (
        [s.kind for s in scope.scalars if s.name != "x" and s.kind in "if" and not s.loose][:2]
        if scope.chance(0.8)
        else []
    )
    if not scope.on("tupled"):
        scope.returns = scope.returns[:1]
    outer = scope.rng.randint(1, 3) if scope.on("shared", 0.6) and scope.budget > 3 else 1
    from .loops import LOOPS

    for _ in range(outer):
        if scope.chance(0.8):
            LOOPS["for"](scope)
        else:
            statement(scope)
        scope.budget = max(scope.budget, 1)
    if scope.chance(0.1):
        body(scope, 1)
    _results(scope)


def _results(scope: Scope) -> None:
    loose = [s.name for s in scope.scalars if s.loose]
    if scope.returns:
        scope.write(f"return {returned(scope)}")
    elif loose and not any("return" in line for line in scope.lines):
        scope.write(f"return {scope.pick((loose[0], f'{loose[0]} - 5', f'{loose[0]} * 2', f'-{loose[0]}'))}")
    elif not any("return" in line for line in scope.lines) and scope.chance(0.3):
        arrays = [a.name for a in scope.arrays if a.group.startswith("w") or scope.chance(0.2)]
        if arrays:
            scope.write(f"return {scope.pick(arrays)}")


def _source(scope: Scope, given: list[Shape], numbers: dict[str, str]) -> str:
    called = [name for name in HELPERS if any(f"{name}(" in line for line in scope.lines)]
    helpers = "\n\n".join(HELPERS[name] for name in called)
    head = f"def f({', '.join([a.name for a in given] + list(numbers))}):"
    return (helpers + "\n\n" if helpers else "") + "\n".join([head, *scope.lines]) + "\n"


def _sizes(scope: Scope) -> list[int]:
    """Values of n for some calls: none, one, few; more where loops are not deep."""
    deep = max(line.count("    ") for line in scope.lines)
    most = 7 if deep > 4 else 16 if deep > 2 else 40
    if scope.on("long") and deep <= 3:
        most = 70 if deep > 2 else 300
    sizes = [scope.rng.randint(4, most), scope.rng.randint(3, 9), scope.rng.randint(2, 6)]
    if scope.on("empty"):
        sizes += [scope.pick((0, 1)), scope.pick((1, 2))]
    return sizes


def _way(rng: Random) -> Way:
    threads = rng.choice((0, 0, 4))
    optimise = rng.choices(("-O0", "-O1", "-O3"), (30, 20, 50))[0]
    disable = PASSES if rng.random() < 0.01 else ()
    return Way(threads, rng.random() < 0.25, optimise, disable, rng.random() < 0.02, rng.random() < 0.15)
