"""CPython's answer, Weft's answer, and what the manual says of their difference."""

from __future__ import annotations

import ast
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import numpy as np

from .program import Arguments, Program, View, forget, function_of
from .states import compared_after

LIMIT = 0.7
"""Seconds that CPython may take for a call."""


class TooSlow(BaseException):
    """CPython takes too long: the program is not used."""


@dataclass
class Outcome:
    """How a call ended."""

    result: Any
    error: BaseException | None
    buffers: list[np.ndarray]


class Planned:
    """Calls of a function as on a device with a memory of its own, which the interpreter keeps apart.

    Arrays that overlap themselves are known to. Where others would run, for arrays that overlap one another for one,
    CPython does.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.ready: dict[Any, Callable[[tuple[Any, ...]], Any]] = {}

    def __call__(self, *values: Any) -> Any:
        from tests.random_programs.check import signature_of
        from tests.random_programs.stages import NotForTheseArguments, overlaps, planned_and_interpreted

        key = (signature_of(values), overlaps(values))
        if any(a != b for a, b in key[1]):
            return self.function(*values)
        if key not in self.ready:
            self.ready[key] = planned_and_interpreted(self.function, values)  # type: ignore[arg-type]
        try:
            return self.ready[key](values)
        except NotForTheseArguments:
            return self.function(*values)


@dataclass
class Verdict:
    """What became of a program: `kind` is one of same, refused, race, difference, type, internal, slow, unclear."""

    kind: str
    text: str = ""
    call: int = -1
    calls: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def is_finding(self) -> bool:
        return self.kind in FINDINGS


FINDINGS = ("difference", "internal", "false race", "missed race", "type", "crash", "hang", "overflow")
"""Kinds of verdicts that are mistakes of Weft."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` after so many seconds of Python code."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def run(call: Callable[..., Any], arguments: Arguments, seconds: float = 0.0) -> Outcome:
    """Call on copies."""
    values, buffers = arguments.build()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            if seconds:
                with limited(seconds):
                    return Outcome(call(*values), None, buffers)
            return Outcome(call(*values), None, buffers)
        except Exception as error:
            return Outcome(None, error, buffers)


def judge(program: Program, device: str, referee: bool = False) -> Verdict:
    """Run all calls of a program by CPython and by Weft; device "plan": kernels of a GPU, in the interpreter."""
    import weft

    function = function_of(program.source)
    oracle = function_of(program.origin) if program.origin else function
    if referee:  # the interpreter runs iterations in order and checks no claims
        program = replace(program, must_race=False, independent=False)
    try:
        if device == "plan" and not referee:
            compiled: Callable[..., Any] = Planned(function)
        else:
            compiled = weft.jit(function, device="interpreter" if referee else device, disable=program.way.disable)
        return _all_calls(program, oracle, compiled, referee)
    except TooSlow:
        return Verdict("slow")
    finally:
        forget(function)
        forget(oracle)


def _all_calls(program: Program, oracle: Callable[..., Any], compiled: Callable[..., Any], referee: bool) -> Verdict:
    total = Verdict("same")
    for number, arguments in enumerate(program.calls):
        expected = run(oracle, arguments, LIMIT)
        got = run(compiled, arguments)
        verdict = compare(program, arguments, expected, got, oracle)
        total.calls += 1
        if verdict.kind == "difference" and _trusts_too_much(program, arguments):
            verdict = Verdict("unclear", verdict.text)
        if verdict.kind == "same":
            continue
        verdict.calls, verdict.call = total.calls, number
        if verdict.is_finding:
            return verdict
        total.notes.append(f"{verdict.kind}: {verdict.text}")
        if verdict.kind == "refused" and number == 0:  # most often when compiling: no call is different
            verdict.notes = total.notes
            return verdict
    return total


def _trusts_too_much(program: Program, arguments: Arguments) -> bool:
    """Whether a claim that nobody checks may be wrong: of loops over arrays that overlap."""
    return "assume_independent" in program.source and arguments.overlaps


def compare(
    program: Program, arguments: Arguments, expected: Outcome, got: Outcome, oracle: Callable[..., Any]
) -> Verdict:
    """What the difference of two outcomes is."""
    from weft.errors import Error

    if isinstance(got.error, Error) and type(got.error) is not type(expected.error):
        return _of_weft(program, arguments, got.error, expected, got)
    if program.must_race and len(arguments.values) and _many(arguments) and expected.error is None:
        return Verdict("missed race", "no RaceError")
    if got.error is not None or expected.error is not None:
        return _of_errors(program, arguments, expected, got, oracle)
    text = _values(expected.result, got.result, "result")
    for number, (left, right) in enumerate(zip(expected.buffers, got.buffers)):
        text = text or different(left, right, f"buffer {number}")
    if text:
        if _may_round(program, arguments, expected, got):
            return Verdict("unclear", text)
        return Verdict("difference", text)
    text = _types(expected.result, got.result, program.told)
    return Verdict("type", text) if text else Verdict("same")


def _of_weft(program: Program, arguments: Arguments, error: Exception, expected: Outcome, got: Outcome) -> Verdict:
    """An error of Weft's own: a refusal, if nothing went wrong inside."""
    from weft.errors import CompilerError, DeviceError, InternalError, RaceError

    text = str(error).strip()
    if isinstance(error, (InternalError, CompilerError, DeviceError)):
        return Verdict("internal", f"{type(error).__name__}: {text}")
    if isinstance(error, RaceError):
        if program.must_race and (changed := _changed(arguments, got)):
            return Verdict("difference", f"after a RaceError: {changed}")
        clear = program.independent and not program.must_race and not arguments.aliased and expected.error is None
        return Verdict("false race" if clear else "race", text.splitlines()[0])
    return Verdict("refused", f"{type(error).__name__}: {text.splitlines()[0] if text else ''}")


def _many(arguments: Arguments) -> bool:
    """Whether there are iterations enough for a race; the first number is n."""
    return next(value for value in arguments.values if not isinstance(value, View)) >= 10


def _changed(arguments: Arguments, got: Outcome) -> str:
    return next(filter(None, (different(x, y, "buffer") for x, y in zip(arguments.buffers, got.buffers))), "")


def _of_errors(
    program: Program, arguments: Arguments, expected: Outcome, got: Outcome, oracle: Callable[..., Any]
) -> Verdict:
    """One of the two raised; the same type is asked for, and the state that the manual promises."""
    if type(got.error) is not type(expected.error):
        if isinstance(got.error, OverflowError) and _exceeds(program, arguments):
            return Verdict("beyond 64 bits", str(got.error))
        if isinstance(got.error, MemoryError):
            return Verdict("refused", "MemoryError")
        told = "" if got.error is None else str(got.error).splitlines()[:1]
        kind = "difference" if _ordinary(got.error, program.source) else "internal"
        if kind == "difference" and _may_round(program, arguments, expected, got):
            kind = "unclear"
        return Verdict(
            kind,
            f"{type(got.error).__name__} {told} instead of {type(expected.error).__name__}: {str(expected.error)[:80]}",
        )
    which = compared_after(program.origin or program.source, arguments, expected.error)
    for number, (left, right) in enumerate(zip(expected.buffers, got.buffers)):
        text = different(left, right, f"buffer {number}") if number in which else ""
        if text:
            kind = "unclear" if _may_round(program, arguments, expected, got) else "difference"
            return Verdict(kind, f"after {type(got.error).__name__}: {text}")
    return Verdict("same")


RAISED = (IndexError, ValueError, ZeroDivisionError, OverflowError, AssertionError, TypeError, UnboundLocalError)
"""What operations raise."""

STAGES = ("analysis", "transform", "plan", "schedule", "frontend", "backends")


def _ordinary(error: BaseException | None, source: str) -> bool:
    """Whether an exception is one that compiled code raises, and not the compiler."""
    if error is None:
        return True
    if type(error) not in RAISED and f"raise {type(error).__name__}" not in source:
        return False
    trace = error.__traceback__
    while trace is not None:
        if any(f"/weft/{stage}/" in trace.tb_frame.f_code.co_filename for stage in STAGES):
            return False
        trace = trace.tb_next
    return True


def _may_round(program: Program, arguments: Arguments, expected: Outcome, got: Outcome) -> bool:
    """Whether the sums of this call depend on the order of their parts."""
    if not _accumulates(program.source):
        return program.functions
    if program.rounded or program.functions or arguments.wild == "rounded" or arguments.extreme:
        return True
    return any(_large(buffer) for outcome in (expected, got) for buffer in [*outcome.buffers, *_leaves(outcome.result)])


def _large(array: Any) -> bool:
    array = np.asarray(array)
    if array.dtype.kind in "iu":
        return bool(array.size and (np.abs(array.astype(np.float64)) > 2.0**50).any())
    if array.dtype.kind not in "fc":
        return False
    with np.errstate(all="ignore"):
        sizes = np.abs(array[np.isfinite(array)])
    return bool(sizes.size and sizes.max() >= 0.25 / np.finfo(array.dtype).eps)


FOLDS = ("sum", "prod", "mean", "var", "std", "cumsum", "dot")
"""Functions that add up the elements of arrays."""


def _accumulates(source: str) -> bool:
    """Whether a float may be a sum of more than its statement shows."""
    tree = ast.parse(source)
    written = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    written |= {
        _base(node) for node in ast.walk(tree) if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) or isinstance(node, ast.Call) and _base(node.func) == "sum":
            return True
        if isinstance(node, ast.Attribute) and node.attr in FOLDS or isinstance(node, ast.MatMult):
            return True
        if isinstance(node, ast.Assign) and any(isinstance(part, ast.BinOp) for part in ast.walk(node.value)):
            if any(isinstance(part, ast.Name) and part.id in written for part in ast.walk(node.value)):
                return True
    return False


def _base(node: ast.AST) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _leaves(result: Any) -> list[Any]:
    if isinstance(result, tuple):
        return [leaf for item in result for leaf in _leaves(item)]
    return [] if result is None else [result]


def _values(expected: Any, got: Any, where: str) -> str:
    if isinstance(expected, tuple) != isinstance(got, tuple) or (expected is None) != (got is None):
        return f"{where}: {got!r} instead of {expected!r}"
    if isinstance(expected, tuple):
        if len(expected) != len(got):
            return f"{where}: {len(got)} values"
        return next(filter(None, (_values(x, y, where) for x, y in zip(expected, got))), "")
    if expected is None:
        return ""
    if isinstance(expected, np.ndarray) != isinstance(got, np.ndarray):
        return f"{where}: {type(got)} instead of {type(expected)}"
    return different(np.asarray(expected), np.asarray(got), where)


def _types(expected: Any, got: Any, told: bool) -> str:
    """The types of what is returned, where they are others than the manual allows: those that hold CPython's value
    where not all types are told."""
    left, right = [type(leaf) for leaf in _leaves(expected)], [type(leaf) for leaf in _leaves(got)]
    if all(one is two or not told and _holds(two, one) for one, two in zip(left, right)):
        return ""
    return f"{[t.__name__ for t in right]} instead of {[t.__name__ for t in left]}"


def _holds(wide: type, narrow: type) -> bool:
    """Whether a variable of one type may stand for a Python number of another one."""
    order = (bool, int, float, complex)
    if narrow not in order:
        return False
    return issubclass(wide, np.generic) or wide in order and order.index(wide) >= order.index(narrow)


def different(left: np.ndarray, right: np.ndarray, where: str) -> str:
    """Where two arrays differ: bit for bit, but for NaNs."""
    if left.shape != right.shape or isinstance(left, np.ndarray) and left.ndim and left.dtype != right.dtype:
        return f"{where}: {right.dtype}{right.shape} instead of {left.dtype}{left.shape}"
    same = _same(left, right)
    if same.all():
        return ""
    place = tuple(int(index) for index in np.argwhere(~same)[0])
    at = f"{where}{list(place) if place else ''}"
    return f"{at}: {right[place]!r} instead of {left[place]!r} ({int((~same).sum())} of {same.size})"


def _same(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if "c" in (left.dtype.kind, right.dtype.kind):
        return _same(left.real, right.real) & _same(left.imag, right.imag)
    if "f" in (left.dtype.kind, right.dtype.kind):
        with np.errstate(all="ignore"):
            return np.asarray(
                ((left == right) & (np.signbit(left) == np.signbit(right))) | (np.isnan(left) & np.isnan(right))
            )
    return np.asarray(left == right)


def _exceeds(program: Program, arguments: Arguments) -> bool:
    """Whether a Python int of the program needs more than 64 bits."""
    tree = ast.parse(program.source)
    scope: dict[str, Any] = {}
    seen = [False]

    def watched(value: Any) -> Any:
        if type(value) is int and not -(2**63) <= value < 2**63:
            seen[0] = True
        return value

    tree = ast.fix_missing_locations(_Watch().visit(tree))
    import math

    import weft

    scope.update({"np": np, "math": math, "weft": weft, "_watched": watched})
    exec(compile(tree, "<watched>", "exec"), scope)
    run(scope["f"], arguments, 5 * LIMIT)
    return seen[0]


class _Watch(ast.NodeTransformer):
    """Looks at the result of each operation and call."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("_watched", ast.Load()), [node], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("_watched", ast.Load()), [node], [])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("_watched", ast.Load()), [node], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        look = ast.Expr(ast.Call(ast.Name("_watched", ast.Load()), [ast.Name(node.target.id, ast.Load())], []))
        return [node, look]  # type: ignore[return-value]


__all__ = ["FINDINGS", "Outcome", "TooSlow", "Verdict", "View", "compare", "judge", "run"]
