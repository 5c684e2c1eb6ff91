"""The matrix: all operators and functions by all pairs of types by layouts, against CPython and NumPy, bit for bit.

    python -m tests.hunt.operators --device cpu --sample 0/20

Every operation runs on all pairs of special values of its types: as scalars in the interpreter (which also shows the
types of results and the exceptions), and in loops over arrays in compiled code. One compiled function holds a loop for
each of a dozen operations; values for which CPython raises are left out of the loops and tried one by one.
"""

from __future__ import annotations

import argparse
import itertools
import linecache
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import weft
from tests.hunt.operations import (
    BINARY_SYMBOLS,
    PYTHON_TYPES,
    STORED,
    TYPES,
    Operation,
    binary_operations,
    unary_operations,
    values,
)  # fmt: skip

LAYOUTS = ("contiguous", "strided", "reversed", "transposed", "Fortran")
FORMS = ("plain", "guarded", "augmented")
PER_FUNCTION = 12
WIDTH = 8
"""Columns of two-dimensional arrays."""
RAISING = 3
"""How many of the pairs that raise are tried for each operation."""


@dataclass
class Outcome:
    """What a run of the matrix has compared and found."""

    comparisons: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    differences: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)

    def add(self, other: Outcome) -> None:
        """Take what another run has found."""
        self.comparisons += other.comparisons
        self.refused.update(other.refused)
        self.differences.update(other.differences)

    def differs(self, operation: Operation, types: Sequence[str], where: str, what: str) -> None:
        """Note a difference under its operation, types, and form or layout."""
        self.differences.setdefault((operation.text, " ".join(types), where), []).append(what)


@dataclass(frozen=True)
class Case:
    """An operation on some values: those that give a number, and those that raise."""

    operation: Operation
    operands: tuple[tuple[Any, ...], ...]
    results: tuple[Any, ...]
    raising: tuple[tuple[tuple[Any, ...], type[BaseException]], ...]

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The dtype that holds all results; None where they have several types, or do not fit."""
        kinds = {type(result) for result in self.results}
        if len(kinds) != 1:
            return None
        kind = kinds.pop()
        if kind is int:
            return np.dtype("int64")
        return np.dtype(kind) if kind in (bool, float, complex) or issubclass(kind, np.generic) else None


def compiled(source: str) -> Callable[..., Any]:
    """The function ``f`` of a source text."""
    name = f"<matrix {len(linecache.cache)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope: dict[str, Any] = {"np": np, "math": __import__("math")}
    exec(compile(source, name, "exec"), scope)
    function: Callable[..., Any] = scope["f"]
    return function


# ------------------------------------------------------------------------------------------------- comparing


def equal(got: Any, expected: Any, ulp: int) -> bool:
    """Whether two numbers of one type are the same, or floats within some units in the last place."""
    if type(got) is not type(expected):
        return _same_value(got, expected)
    if got is expected or (got == expected and not isinstance(got, (float, complex, np.inexact))):
        return True
    if isinstance(got, (complex, np.complexfloating)):
        return _equal_complex(got, expected, ulp)
    return isinstance(got, (float, np.floating)) and _equal_floats(got, expected, ulp)


def _same_value(got: Any, expected: Any) -> bool:
    """Whether numbers of two types are the same: part by part, as NaNs are not equal."""
    parts = ((complex(got).real, complex(expected).real), (complex(got).imag, complex(expected).imag))
    return all(a == b or (a != a and b != b) for a, b in parts)


def _equal_floats(got: Any, expected: Any, ulp: int, size: Any = None) -> bool:
    if got != got or expected != expected:
        return bool(got != got and expected != expected)
    if got == expected:
        return bool(np.signbit(got) == np.signbit(expected))
    if not ulp or not (np.isfinite(got) and np.isfinite(expected)):
        return False
    unit = np.spacing(np.abs(expected if size is None else size))
    return bool(abs(float(got) - float(expected)) <= ulp * float(unit))


def _equal_complex(got: Any, expected: Any, ulp: int) -> bool:
    size = max(abs(expected.real), abs(expected.imag))
    size = size if np.isfinite(size) else None
    return all(_equal_floats(a, b, ulp, size) for a, b in ((got.real, expected.real), (got.imag, expected.imag)))


# --------------------------------------------------------------------------------------------------- scalars


def cases_of(operations: Sequence[Operation], types: Sequence[str], outcome: Outcome) -> list[Case]:
    """What CPython says to each operation; interpreted ones must say the same. Only what Weft takes is given."""
    found = []
    for operation in operations:
        parameters = "x, y" if len(types) == 2 else "x"
        function = compiled(f"def f({parameters}):\n    return {operation.text}\n")
        case = _case(function, operation, types)
        if not case.results and all(kind is TypeError for _, kind in case.raising):
            _check_refused(function, case, types, outcome)
        elif _agrees_as_scalars(function, case, types, outcome):
            found.append(case)
    return found


def _case(function: Callable[..., Any], operation: Operation, types: Sequence[str]) -> Case:
    operands, results, raising = [], [], []
    for given in itertools.product(*map(values, types)):
        if _is_endless(operation, given):
            continue
        try:
            result = function(*given)
            result = result[()] if isinstance(result, np.ndarray) else result
        except Exception as error:
            raising.append((given, type(error)))
            continue
        if type(result) is int and not -(2**63) <= result < 2**63:
            raising.append((given, OverflowError))
        else:
            operands.append(given)
            results.append(result)
    return Case(operation, tuple(operands), tuple(results), tuple(raising))


def _is_endless(operation: Operation, given: tuple[Any, ...]) -> bool:
    """Whether CPython would compute a number with more digits than anybody has time for."""
    if any(name in operation.text for name in ("comb", "perm", "factorial")):
        return any(value > 200 for value in given if not isinstance(value, (complex, np.complexfloating)))
    if any(symbol in operation.text for symbol in ("**", "<<", "pow")):
        return all(isinstance(value, int) for value in given) and max(given) > 200
    return False


def _check_refused(function: Callable[..., Any], case: Case, types: Sequence[str], outcome: Outcome) -> None:
    outcome.comparisons += 1
    given, _ = case.raising[0]
    try:
        got = weft.jit(function, device="interpreter")(*given)
    except (weft.Error, TypeError):
        return
    except Exception as error:
        outcome.differs(case.operation, types, "scalars", f"{given}: TypeError expected, {type(error).__name__}")
        return
    outcome.differs(case.operation, types, "scalars", f"{given}: TypeError expected, {got!r}")


def _agrees_as_scalars(function: Callable[..., Any], case: Case, types: Sequence[str], outcome: Outcome) -> bool:
    jitted = weft.jit(function, device="interpreter")
    ulp = case.operation.ulp
    for given, expected in zip(case.operands, case.results, strict=True):
        outcome.comparisons += 1
        try:
            got = jitted(*given)
        except weft.Error as error:
            if type(error).__name__ == "InternalError":
                outcome.differs(case.operation, types, "scalars", f"{given}: {error}")
            outcome.refused[case.operation.text] += 1
            return False
        except Exception as error:
            if not _may_overflow(error, given):
                outcome.differs(case.operation, types, "scalars", f"{given}: {expected!r} expected, {error!r}")
            continue
        same_type = type(got) is type(expected) or (case.operation.selects and _same_value(got, expected))
        if not same_type or not equal(got, expected, 0 if type(expected) in (float, complex) else ulp):
            outcome.differs(case.operation, types, "scalars", f"{given}: {expected!r} expected, {got!r}")
    for given, kind in case.raising[:RAISING] + case.raising[-RAISING:]:
        _check_raises(lambda given=given: jitted(*given), kind, case, given, types, "scalars", outcome)
    return True


def _may_overflow(error: Exception, given: tuple[Any, ...]) -> bool:
    """Python's integers have 64 bits in compiled code: what leaves them is an OverflowError, as the manual says."""
    return isinstance(error, OverflowError) and any(type(v) in (int, bool) or isinstance(v, np.uint64) for v in given)


def _check_raises(
    call: Callable[[], Any],
    kind: type[BaseException],
    case: Case,
    given: tuple[Any, ...],
    types: Sequence[str],
    where: str,
    outcome: Outcome,
) -> None:
    outcome.comparisons += 1
    try:
        got = call()
    except weft.Error as error:
        if type(error).__name__ == "InternalError":
            outcome.differs(case.operation, types, where, f"{given}: {error}")
    except Exception as error:
        if type(error) is not kind and not isinstance(error, OverflowError):
            outcome.differs(case.operation, types, where, f"{given}: {kind.__name__} expected, {error!r}")
    else:
        outcome.differs(case.operation, types, where, f"{given}: {kind.__name__} expected, {got!r}")


# ----------------------------------------------------------------------------------------------------- loops


@dataclass
class Bundle:
    """Several operations in one function, a loop each; each has its own range of one set of arrays."""

    cases: list[Case]
    types: Sequence[str]
    form: str
    layout: str

    def __post_init__(self) -> None:
        self.two_dimensional = self.layout in ("transposed", "Fortran")
        self.bounds = [0]
        given: list[tuple[Any, ...]] = []
        for case in self.cases:
            padding = -len(case.operands) % WIDTH
            given += [*case.operands, *(case.operands[-1:] * padding)]
            self.bounds.append(len(given) // (WIDTH if self.two_dimensional else 1))
        self.starts = [bound * (WIDTH if self.two_dimensional else 1) for bound in self.bounds]
        self.first_raising = self.bounds[-1]
        for case in self.cases:
            for operands, _ in case.raising[:RAISING]:
                given += [operands] * WIDTH
        self.columns = [
            np.array(column, STORED.get(name, name))
            for column, name in zip(zip(*given, strict=True), self.types, strict=True)
        ]
        self.dtypes = sorted({str(case.dtype) for case in self.cases})
        self.guard = np.arange(len(given)) % 5 != 3

    def source(self) -> str:
        """The text of the function."""
        names = "xy"[: len(self.types)]
        outs = [f"o_{dtype}" for dtype in self.dtypes]
        lines = [f"def f({', '.join([*names, 'g', 'b', *outs])}):"]
        at = "i, j" if self.two_dimensional else "i"
        for k, case in enumerate(self.cases):
            lines.append(f"    for i in range(b[{2 * k}], b[{2 * k + 1}]):")
            indent = "        "
            if self.two_dimensional:
                lines.append(f"{indent}for j in range({WIDTH}):")
                indent += "    "
            if self.form == "guarded":
                lines.append(f"{indent}if g[{at}]:")
                indent += "    "
            for name, kind in zip(names, self.types, strict=True):
                taken = "bool" if kind == "pybool" else kind
                lines.append(
                    f"{indent}{name}_ = {taken}({name}[{at}])"
                    if kind in PYTHON_TYPES
                    else f"{indent}{name}_ = {name}[{at}]"
                )
            lines.append(f"{indent}o_{case.dtype}[{at}] = {_with_locals(case.operation.text)}")
        return "\n".join(lines) + "\n"

    def arguments(self) -> list[np.ndarray[Any, Any]]:
        """The operands and the guard in the layout."""
        return [laid_out(column, self.layout) for column in (*self.columns, self.guard)]

    def outputs(self) -> list[np.ndarray[Any, Any]]:
        """Outputs, full of ones."""
        return [laid_out(np.ones(len(self.guard), dtype), self.layout) for dtype in self.dtypes]

    def ranges(self) -> np.ndarray[Any, Any]:
        """The bounds of the loops."""
        return np.array([bound for pair in zip(self.bounds[:-1], self.bounds[1:], strict=True) for bound in pair])


def _with_locals(text: str) -> str:
    """The expression on the loop's own variables ``x_`` and ``y_``."""
    import ast

    class Renamed(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(f"{node.id}_", node.ctx) if node.id in "xy" else node

    return ast.unparse(Renamed().visit(ast.parse(text, mode="eval")))


def laid_out(flat: np.ndarray[Any, Any], layout: str) -> np.ndarray[Any, Any]:
    """An array with the elements of a flat one in some layout."""
    if layout == "strided":
        wide = np.zeros(2 * len(flat), flat.dtype)
        wide[::2] = flat
        return wide[::2]
    if layout == "reversed":
        return flat[::-1].copy()[::-1]
    if layout == "transposed":
        return flat.reshape(-1, WIDTH).T.copy().T
    return np.asfortranarray(flat.reshape(-1, WIDTH)) if layout == "Fortran" else flat.copy()


def run_bundle(bundle: Bundle, device: str, outcome: Outcome) -> None:
    """Compile and run a bundle, and compare; where it is refused as a whole, its operations one by one."""
    where = f"{bundle.form} {bundle.layout}"
    jitted = weft.jit(compiled(bundle.source()), device=device)
    arguments, outputs = bundle.arguments(), bundle.outputs()
    bounds = bundle.ranges()
    run = [*arguments, bounds, *outputs]
    try:
        jitted(*run)
    except Exception as error:
        if len(bundle.cases) > 1:
            for case in bundle.cases:
                run_bundle(Bundle([case], bundle.types, bundle.form, bundle.layout), device, outcome)
            return
        operation = bundle.cases[0].operation
        if isinstance(error, weft.Error) and type(error).__name__ not in ("InternalError", "CompilerError"):
            outcome.refused[f"{operation.text} (loop)"] += 1
        else:
            outcome.differs(operation, bundle.types, where, f"{type(error).__name__}: {str(error)[:300]}")
        return
    for k, case in enumerate(bundle.cases):
        _compare(bundle, k, case, dict(zip(bundle.dtypes, outputs, strict=True))[str(case.dtype)], where, outcome)
    _run_raising(bundle, jitted, run, where, outcome)


def _compare(bundle: Bundle, k: int, case: Case, out: np.ndarray[Any, Any], where: str, outcome: Outcome) -> None:
    got = out.reshape(-1)[bundle.starts[k] :][: len(case.results)]
    expected = np.array(case.results, case.dtype)
    ulp = case.operation.python_ulp if type(case.results[0]) in (float, complex) else case.operation.ulp
    if bundle.form == "guarded":
        expected = np.where(bundle.guard[bundle.starts[k] :][: len(expected)], expected, np.ones((), case.dtype))
    outcome.comparisons += len(expected)
    if got.tobytes() == expected.tobytes():
        return
    for given, a, b in zip(case.operands, got, expected, strict=True):
        if a.tobytes() != b.tobytes() and not equal(a, b, ulp):
            outcome.differs(case.operation, bundle.types, where, f"{given}: {b!r} expected, {a!r}")


def _run_raising(bundle: Bundle, jitted: Any, run: list[Any], where: str, outcome: Outcome) -> None:
    """Each pair of values that raises, alone: all other loops are empty."""
    if bundle.form == "guarded":
        return
    step = 1 if bundle.two_dimensional else WIDTH
    at = bundle.first_raising
    bounds = run[len(bundle.types) + 1]
    for k, case in enumerate(bundle.cases):
        for given, kind in case.raising[:RAISING]:
            bounds[:] = 0
            bounds[2 * k], bounds[2 * k + 1] = at, at + step
            at += step
            _check_raises(lambda: jitted(*run), kind, case, given, bundle.types, where, outcome)


# ------------------------------------------------------------------------------------------------ augmented


def augmented_cases(types: Sequence[str]) -> list[Case]:
    """``o[i] op= y[i]``, where the array decides what becomes of the result."""
    if len(types) != 2 or types[0] in PYTHON_TYPES:
        return []
    found = []
    for symbol in BINARY_SYMBOLS:
        function = compiled(f"def f(x, y):\n    o = np.array([x])\n    o[0] {symbol}= y\n    return o[0]\n")
        case = _case(function, Operation(symbol, 4 if symbol == "**" else 0), types)
        if case.results:
            found.append(case)
    return found


def run_augmented(
    cases: list[Case], types: Sequence[str], layout: str, guarded: bool, device: str, outcome: Outcome
) -> None:
    """Each operator in a function of its own, in place."""
    for case in cases:
        columns = [np.array(c, STORED.get(t, t)) for c, t in zip(zip(*case.operands, strict=True), types, strict=True)]
        y = f"{types[1].removeprefix('py')}(y[i])" if types[1] in PYTHON_TYPES else "y[i]"
        guard, indent = ("        if g[i]:\n", "    ") if guarded else ("", "")
        update = f"        {indent}x[i] {case.operation.text}= {y}\n"
        text = f"def f(x, y, g):\n    for i in range(x.shape[0]):\n{guard}{update}"
        out, other = (laid_out(column, layout) for column in columns)
        guards = np.arange(len(out)) % 5 != 3
        named = Operation(f"x {case.operation.text}= y", case.operation.ulp)
        where = f"augmented {'guarded ' if guarded else ''}{layout}"
        try:
            weft.jit(compiled(text), device=device)(out, other, laid_out(guards, layout))
        except weft.Error as error:
            if type(error).__name__ in ("InternalError", "CompilerError"):
                outcome.differs(named, types, where, str(error)[:300])
            outcome.refused[named.text] += 1
            continue
        except Exception as error:
            outcome.differs(named, types, where, f"{type(error).__name__}: {str(error)[:300]}")
            continue
        expected = np.array(case.results, types[0])
        expected = np.where(guards, expected, columns[0]) if guarded else expected
        outcome.comparisons += len(expected)
        for given, a, b in zip(case.operands, out, expected, strict=True):
            if a.tobytes() != b.tobytes() and not equal(a, b, named.ulp):
                outcome.differs(named, types, where, f"{given}: {b!r} expected, {a!r}")


# ------------------------------------------------------------------------------------------------- the matrix


def all_types() -> list[tuple[str, ...]]:
    """Single types and pairs of them."""
    return [*((t,) for t in TYPES), *itertools.product(TYPES, repeat=2)]


def run_types(
    types: Sequence[str], device: str, forms: Sequence[str], layouts: Sequence[str], outcome: Outcome, only: str = ""
) -> None:
    """All operations on operands of some types."""
    operations = [o for o in (unary_operations() if len(types) == 1 else binary_operations()) if only in o.text]
    cases = cases_of(operations, types, outcome)
    loops = [case for case in cases if case.results and case.dtype is not None]
    combined = (
        itertools.product([f for f in forms if f and f != "augmented"], layouts) if device != "interpreter" else ()
    )
    for form, layout in combined:
        for k in range(0, len(loops), PER_FUNCTION):
            run_bundle(Bundle(loops[k : k + PER_FUNCTION], types, form, layout), device, outcome)
    if "augmented" in forms:
        in_place = augmented_cases(types)
        for layout, guarded in itertools.product(layouts, (False, True)):
            if layout not in ("transposed", "Fortran"):
                run_augmented(in_place, types, layout, guarded, device, outcome)


def chosen(sample: str) -> Iterator[tuple[str, ...]]:
    """Every n-th of all types and pairs, from the k-th on, for ``k/n``."""
    first, _, step = sample.partition("/")
    yield from all_types()[int(first) :: int(step)]


def report(outcome: Outcome, most: int = 3) -> str:
    """The differences, with some values of each."""
    lines = []
    by_text: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}
    for (text, types, where), found in sorted(outcome.differences.items()):
        by_text.setdefault((text, where), []).append((types, found))
    for (text, where), places in by_text.items():
        lines.append(f"{text}   {where}: {', '.join(f'{types} ({len(found)})' for types, found in places)}")
        lines += [f"    {types}: {what}" for types, found in places[:most] for what in found[:most]]
    lines.append(f"{outcome.comparisons} comparisons, {sum(map(len, outcome.differences.values()))} differences in"
                 f" {len(outcome.differences)} places, {sum(outcome.refused.values())} operations refused")  # fmt: skip
    return "\n".join(lines)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--sample", default="0/1", help="k/n: every n-th pair of types, from the k-th on")
    parser.add_argument("--forms", default=",".join(FORMS))
    parser.add_argument("--layouts", default=",".join(LAYOUTS))
    parser.add_argument("--types", default="", help="such as 'int8 float'")
    parser.add_argument("--only", default="", help="operations whose text holds this")
    parser.add_argument("--refused", action="store_true", help="list what is refused")
    given = parser.parse_args()
    outcome = Outcome()
    started = time.time()
    chosen_types = [tuple(given.types.split())] if given.types else chosen(given.sample)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for types in chosen_types:
            part = Outcome()
            run_types(types, given.device, given.forms.split(","), given.layouts.split(","), part, given.only)
            print(f"{' '.join(types)}, {time.time() - started:.0f} s: {report(part)}", flush=True)
            outcome.add(part)
    if given.refused:
        print(*(f"refused {count} times: {text}" for text, count in outcome.refused.most_common()), sep="\n")
    print(report(outcome))
    return bool(outcome.differences)


if __name__ == "__main__":
    sys.exit(main())
