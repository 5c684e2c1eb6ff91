"""Operations on values that may have several types: ``s = 0; s += x[i]``, then ``~s``; ``max(a[0], n) * 4``.

Such a value has one type in the program. CPython computes with the one that it has there (see `forms`). Where `agreement`
proves that all types give one value, nothing is done. Where that depends on the values, the operation is done as Python
does it, too, when the program runs, and another result is an error. Where the types hardly ever agree, the program is
refused. A divisor of zero, for which Python raises and NumPy does not, is tested when the program runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import cast as typed

from weft.errors import Error, TypeInferenceError
from weft.frontend.agreement import DIVISIONS, Operation, Outcome, Verdict, keeps
from weft.frontend.convert import cast_constant
from weft.frontend.forms import Form, Forms, Others, either, forms_of, merge, set_forms
from weft.frontend.scope import Context
from weft.frontend.values import FALSE, type_name
from weft.ir import comparison
from weft.ir import nodes as n
from weft.ir.comparison import EXACT_IN_FLOAT
from weft.ir.location import Location
from weft.ir.semantics import BINARY_UFUNCS, COMPARE_UFUNCS, UNARY_UFUNCS
from weft.ir.types import BOOL, FLOAT32, FLOAT64, INT64, PYBOOL, PYFLOAT, PYINT, Scalar

WEFT_ERROR = "weft.errors:TypeInferenceError"
_ZERO_DIVISOR = {
    "truediv": ("division by zero", "float division by zero"),
    "floordiv": ("integer division or modulo by zero", "float floor division by zero"),
    "mod": ("integer modulo by zero", "float modulo"),
}
"""What Python says of integers and of floats."""
_CHECKED_IN_PYTHON = frozenset({"add", "sub", "mul", "neg", "abs"})
_EXACT_BELOW_LIMIT = frozenset({"add", "sub", "mul", "neg", "abs"})


@dataclass
class Plan:
    """What is to be emitted around an operation whose operands may have several types.

    `others` are the types that the result may have, `checks` the forms of operands that are to be tested. Where
    `in_python` is set, the operation is done as one of Python's integers, whose overflow is an error.
    """

    operation: Operation
    given: tuple[n.Atom, ...]
    node: ast.AST
    others: Others = field(default_factory=dict)
    checks: list[tuple[Form, ...]] = field(default_factory=list)
    in_python: bool = False
    signs: bool = False
    mixed: bool = False


def plan(ctx: Context, op: str, given: tuple[n.Atom, ...], node: ast.AST, exponent: int | None = None) -> Plan | None:
    """What an operation needs; None where its operands have one type each.

    Errors are reported and not raised: while the types of a loop are not settled, they may be none.
    """
    if op in ("min", "max", "not") or all(forms_of(ctx, atom) is None for atom in given):
        return None
    own = tuple(typed(Scalar, atom.type) for atom in given)
    found = Plan(Operation(op, own, exponent), given, node)
    for forms in _combinations(ctx, given):
        _add(ctx, found, forms, found.operation.compare(forms))
    return found


def _combinations(ctx: Context, given: tuple[n.Atom, ...]) -> Iterable[tuple[Form, ...]]:
    """The forms that operands have together, but for that in which all have their own types."""
    several = [_forms(ctx, atom) for atom in given]
    if len(set(given)) < len(given):  # ``s * s``: one form at a time
        return [(form,) * len(given) for form in several[0][1:]]
    own = tuple(forms[0] for forms in several)
    return [forms for forms in product(*several) if forms != own]


def _forms(ctx: Context, atom: n.Atom) -> list[Form]:
    """All forms of an atom, its own first."""
    known = forms_of(ctx, atom)
    own = Form(typed(Scalar, atom.type), atom if isinstance(atom, n.Const) else None)
    return [own, *(() if known is None else known.others)]


def _add(ctx: Context, plan: Plan, forms: tuple[Form, ...], outcome: Outcome) -> None:
    """Take an outcome into a plan."""
    verdict = outcome.verdict
    if verdict is Verdict.SIGN and not _is_mendable(ctx, plan, forms, outcome):
        verdict = Verdict.CHECKED
    if verdict is Verdict.CHECKED and not _is_testable(ctx, plan, forms):
        verdict = Verdict.REFUSED
    if verdict is Verdict.REFUSED:
        ctx.report(refusal(ctx, plan.given, plan.node))
        return
    if verdict is Verdict.CHECKED:
        _add_check(ctx, plan, forms)
    plan.signs |= verdict is Verdict.SIGN
    if outcome.form is not None:
        merge(plan.others, {outcome.form.type: outcome.form.values})
        plan.mixed |= any(form.type == atom.type and forms_of(ctx, atom) is not None for form, atom in _pairs(plan, forms))


def _add_check(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> None:
    own, other = plan.operation.signature(plan.operation.own), plan.operation.signature(tuple(f.type for f in forms))
    integers = all(t == INT64 for t in own) and all(t == PYINT for t in other)
    if integers and plan.operation.op in _CHECKED_IN_PYTHON and not _tests(ctx, plan, forms, precise=True):
        plan.in_python = True
    else:
        plan.checks.append(forms)


def _pairs(plan: Plan, forms: tuple[Form, ...]) -> list[tuple[Form, n.Atom]]:
    return list(zip(forms, plan.given, strict=True))


def _changed(plan: Plan, forms: tuple[Form, ...]) -> list[tuple[Form, n.Var]]:
    """The operands that do not have their own types."""
    return [(form, atom) for form, atom in _pairs(plan, forms) if form.type != atom.type and isinstance(atom, n.Var)]


def _tests(ctx: Context, plan: Plan, forms: tuple[Form, ...], precise: bool = False) -> bool:
    """Whether a test when running tells, at least roughly, that the operands have these forms."""
    changed = [(form, forms_of(ctx, atom)) for form, atom in _changed(plan, forms)]
    return any((known is not None and known.gone is not None) or (not precise and form.value) for form, known in changed)


def _is_testable(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> bool:
    """Whether a difference can be tested without refusing most values."""
    if any(form.type.kind in "fc" and typed(Scalar, atom.type).kind in "biu" for form, atom in _changed(plan, forms)):
        return False
    own, other = plan.operation.signature(plan.operation.own), plan.operation.signature(tuple(f.type for f in forms))
    if any((known := forms_of(ctx, atom)) is not None and known.gone for _, atom in _changed(plan, forms)):
        return True
    if any(form.value is not None for form, _ in _changed(plan, forms)):
        return True
    if all(type.kind in "biu" for type in (*own, *other)):
        return True
    if plan.operation.op in COMPARE_UFUNCS:
        return own[0].kind != "c"
    return _below_limit(plan, own, other)


def _below_limit(plan: Plan, own: tuple[Scalar, ...], other: tuple[Scalar, ...]) -> bool:
    """Whether the operation is one of integers in floats, exact as long as these are not large."""
    integers = all(type.kind == "i" and type.bits == 64 for type in other)
    return integers and own[-1].kind == "f" and own[-1].bits == 64 and plan.operation.op in _EXACT_BELOW_LIMIT


# ------------------------------------------------------------------------------------------------------ emission


def before(ctx: Context, plan: Plan | None) -> None:
    """Before a division that may be Python's, which raises ZeroDivisionError: emit the test of the divisor."""
    if plan is None or plan.operation.op not in DIVISIONS:
        return
    own = plan.operation.signature(plan.operation.own)
    for forms in _combinations(ctx, plan.given):
        if all(form.type.weak for form in forms) and not own[0].weak:
            divisor = forms[1].value
            if divisor is None or not divisor.value:
                _raise_for_zero(ctx, plan, forms)


def _raise_for_zero(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> None:
    right, location = plan.given[1], ctx.location(plan.node)
    type = typed(Scalar, right.type)
    nought = typed(n.Const, cast_constant(n.Const(0, PYINT), type))
    zero: n.Atom = FALSE
    if isinstance(right, n.Var):
        zero = _as_bool(ctx, comparison.compare("eq", right, nought, _emit(ctx, location)), location)
        zero = _all(ctx, [zero, *_conditions(ctx, plan, forms)], location)
    elif not right.value:
        zero = _all(ctx, _conditions(ctx, plan, forms), location)
    floats = any(form.type.kind == "f" for form in forms)
    fault = n.Raise("ZeroDivisionError", _ZERO_DIVISOR[plan.operation.op][floats], (), location)
    _append_if(ctx, zero, n.Block((fault,)), location)


def _append_if(ctx: Context, condition: n.Atom, block: n.Block, location: Location) -> None:
    if isinstance(condition, n.Const):
        for statement in block.statements if condition.value else ():
            ctx.append(statement)
    else:
        ctx.append(n.If(condition, block, location=location))


def after(ctx: Context, plan: Plan | None, result: n.Var) -> n.Var:
    """After an operation: emit its tests, and note what its result may be; gives the result."""
    if plan is None:
        return result
    gone = None
    known = [forms for atom in dict.fromkeys(plan.given) if (forms := forms_of(ctx, atom)) is not None]
    if len(known) == 1:
        gone = known[0].gone
    elif not plan.mixed:
        gone = either(ctx, known[0].gone, known[1].gone)
    if plan.signs:
        result = _mended(ctx, plan, known[0], result)
    chosen = result
    for forms in plan.checks:
        if _is_known_when(ctx, plan, forms):
            chosen = _chosen(ctx, plan, forms, chosen)
        else:
            _emit_check(ctx, plan, forms, result)
    set_forms(ctx, chosen, plan.others, gone)
    return chosen


def _is_mendable(ctx: Context, plan: Plan, forms: tuple[Form, ...], outcome: Outcome) -> bool:
    """Whether another sign of zero can be put right: it is known what the result is then, and when."""
    changed = _changed(plan, forms)
    known = forms_of(ctx, changed[0][1])
    alone = len(changed) == 1 and sum(forms_of(ctx, atom) is not None for atom in plan.given) == 1
    if not alone or known is None or known.gone is None or len(known.others) != 1:
        return False
    return outcome.form is not None and outcome.form.value is not None


def _mended(ctx: Context, plan: Plan, known: Forms, result: n.Var) -> n.Var:
    """A zero with Python's sign where the value has Python's type."""
    (values,) = plan.others.values()
    zero = None if values is None else cast_constant(values[0], typed(Scalar, result.type))
    assert zero is not None and known.gone is not None
    return ctx.emit(n.Select(known.gone(), result, zero), result.type, plan.node, result.stem)


def in_python(ctx: Context, plan: Plan) -> n.Var:
    """The operation as one of Python's integers, as an int64."""
    result = _operation(ctx, plan.operation, (PYINT,) * len(plan.given), plan.given, plan.node)
    return ctx.emit(n.Cast(result), INT64, plan.node)


def _is_known_when(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> bool:
    """Whether it is known when the operands have these forms, and the result's type holds what they give then."""
    own, other = plan.operation.signature(plan.operation.own), plan.operation.signature(tuple(f.type for f in forms))
    several = [atom for atom in dict.fromkeys(plan.given) if forms_of(ctx, atom) is not None]
    known = forms_of(ctx, several[0])
    alone = len(several) == 1 and known is not None and known.gone is not None and len(known.others) == 1
    return alone and keeps(own[-1], Form(other[-1]))


def _chosen(ctx: Context, plan: Plan, forms: tuple[Form, ...], result: n.Var) -> n.Var:
    """What the operation gives for these forms where the operands have them, and the result elsewhere."""
    location = ctx.location(plan.node)
    condition = _all(ctx, _conditions(ctx, plan, forms), location)
    with ctx.block() as builder:
        value = _raw_cast(ctx, _other_result(ctx, plan, forms, location), typed(Scalar, result.type), location)
    chosen = ctx.names.fresh(result.stem, result.type)
    blocks = n.Block(tuple(builder.statements), (value,)), n.Block((), (result,))
    ctx.append(n.If(condition, *blocks, (chosen,), location))
    return chosen


def _other_result(ctx: Context, plan: Plan, forms: tuple[Form, ...], location: Location) -> n.Atom:
    operands = tuple(form.value or _raw_cast(ctx, atom, form.type, location) for form, atom in _pairs(plan, forms))
    return _operation(ctx, plan.operation, tuple(form.type for form in forms), operands, plan.node)


def _emit_check(ctx: Context, plan: Plan, forms: tuple[Form, ...], result: n.Var) -> None:
    """Where operands have these forms: compute what Python does, and raise where that is another value."""
    location = ctx.location(plan.node)
    condition = _all(ctx, _conditions(ctx, plan, forms), location)
    with ctx.block() as builder:
        fault = n.Block((_fault(ctx, plan, location),))
        _append_if(ctx, _differs(ctx, plan, forms, result, location), fault, location)
    _append_if(ctx, condition, n.Block(tuple(builder.statements)), location)


def _differs(ctx: Context, plan: Plan, forms: tuple[Form, ...], result: n.Var, location: Location) -> n.Atom:
    changed = _changed(plan, forms)
    in_floats = any(form.type == PYINT and typed(Scalar, atom.type).kind == "f" for form, atom in changed)
    if in_floats and not _tests(ctx, plan, forms):
        return _above_limit(ctx, plan, result, location)
    other = _other_result(ctx, plan, forms, location)
    return _unequal(ctx, _wide(ctx, other, location), _wide(ctx, result, location), location)


def _above_limit(ctx: Context, plan: Plan, result: n.Var, location: Location) -> n.Atom:
    """Whether an integer that a float64 holds, or a result, is beyond what is exact there."""
    tested: list[n.Atom] = []
    compared = typed(Scalar, result.type).kind == "b"
    for atom in plan.given if compared else (result, *plan.given):
        type = typed(Scalar, atom.type)
        if isinstance(atom, n.Const) or type.bits < 64 or (compared and type.kind == "f"):
            continue
        limit = n.Const(EXACT_IN_FLOAT, PYINT) if type.kind in "iu" else n.Const(float(EXACT_IN_FLOAT), type)
        negative = n.Const(-limit.value, limit.type)
        for op, bound in (("gt", limit), ("lt", negative)):
            test = comparison.compare(typed("n.CompareOp", op), atom, bound, _emit(ctx, location))
            tested.append(_as_bool(ctx, test, location))
    found: n.Atom = tested[0] if tested else FALSE
    for test in tested[1:]:
        found = _either(ctx, found, test, location)
    return found


def _conditions(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> list[n.Atom]:
    """Tests that hold where the operands have these forms."""
    location, tests = ctx.location(plan.node), []
    for form, atom in dict.fromkeys(_changed(plan, forms)):
        known = forms_of(ctx, atom)
        if known is not None and known.gone is not None:
            tests.append(ctx.emit(n.Compare("eq", known.gone(), FALSE), PYBOOL, location))
        elif form.value is not None:
            held = typed(n.Const, cast_constant(form.value, typed(Scalar, atom.type)))
            tests.append(_as_bool(ctx, comparison.compare("eq", atom, held, _emit(ctx, location)), location))
    return tests


def _all(ctx: Context, tests: list[n.Atom], location: Location) -> n.Atom:
    if not tests:
        return n.Const(True, PYBOOL)
    found = tests[0]
    for test in tests[1:]:
        found = ctx.emit(n.Binary("and", found, test, checked=False), PYBOOL, location)
    return found


def _operation(
    ctx: Context, operation: Operation, types: tuple[Scalar, ...], operands: tuple[n.Atom, ...], node: ast.AST
) -> n.Atom:
    """The operation on operands that have these types."""
    op, location = operation.op, ctx.location(node)
    if op in COMPARE_UFUNCS:
        return comparison.compare(typed("n.CompareOp", op), *operands, _emit(ctx, location))
    *taken, result = operation.signature(types)
    given = tuple(_raw_cast(ctx, atom, type, location) for atom, type in zip(operands, taken, strict=True))
    if op == "pos":
        return given[0]
    value: n.Expression = n.Math(op, given)
    if op in BINARY_UFUNCS:
        value = n.Binary(typed("n.BinaryOp", op), *given)
    elif op in UNARY_UFUNCS:
        value = n.Unary(typed("n.UnaryOp", op), given[0])
    return ctx.emit(value, result, location)


def _raw_cast(ctx: Context, atom: n.Atom, target: Scalar, location: Location) -> n.Atom:
    if atom.type == target:
        return atom
    folded = cast_constant(atom, target) if isinstance(atom, n.Const) else None
    return folded if folded is not None else ctx.emit(n.Cast(atom), target, location)


def _wide(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    """A number as the Python type, or the widest of NumPy's, that holds it."""
    type = typed(Scalar, atom.type)
    if type.kind in "bi" or (type.kind == "u" and type.bits < 64):
        return _raw_cast(ctx, atom, PYINT, location)
    return _raw_cast(ctx, atom, PYFLOAT, location) if type.kind == "f" else atom


def _unequal(ctx: Context, a: n.Atom, b: n.Atom, location: Location) -> n.Atom:
    """Whether two numbers, `b` the result, differ; NaN is NaN, and an integer zero is no ``-0.0``."""
    emit = _emit(ctx, location)
    first, second = typed(Scalar, a.type), typed(Scalar, b.type)
    if second.kind == "c" and first.kind != "c":
        half = FLOAT32 if second.bits == 64 else FLOAT64
        real, imaginary = (ctx.emit(n.Math(part, (b,)), half, location) for part in ("real", "imag"))
        apart = _unequal(ctx, a, _wide(ctx, real, location), location)
        away = comparison.compare("ne", imaginary, n.Const(0.0, half), emit)
        return _either(ctx, apart, _as_bool(ctx, away, location), location)
    unequal = _as_bool(ctx, comparison.compare("ne", a, b, emit), location)
    if first.kind in "iu" and second.kind == "f":
        negative = ctx.emit(n.Math("signbit", (_raw_cast(ctx, b, FLOAT64, location),)), BOOL, location)
        zero = comparison.compare("eq", b, n.Const(0.0, PYFLOAT), emit)
        below = _all(ctx, [_as_bool(ctx, zero, location), _as_bool(ctx, negative, location)], location)
        unequal = _either(ctx, unequal, below, location)
    if first.kind == "u" and second.kind == "f":  # rounded where they were compared
        large = comparison.compare("gt", a, n.Const(EXACT_IN_FLOAT, first), emit)
        unequal = _either(ctx, unequal, _as_bool(ctx, large, location), location)
    if first.kind not in "fc" or second.kind not in "fc":
        return unequal
    numbers = [_as_bool(ctx, comparison.compare("eq", atom, atom, emit), location) for atom in (a, b)]
    return _all(ctx, [unequal, _either(ctx, *numbers, location)], location)


def _either(ctx: Context, a: n.Atom, b: n.Atom, location: Location) -> n.Atom:
    return ctx.emit(n.Binary("or", a, b, checked=False), PYBOOL, location)


def _as_bool(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    return _raw_cast(ctx, atom, PYBOOL, location)


def _emit(ctx: Context, location: Location) -> comparison.Emit:
    return lambda value, type: ctx.emit(value, type, location)


# ------------------------------------------------------------------------------------------------ errors and others


def require_one_type(ctx: Context, op: str, given: tuple[n.Atom, ...], node: ast.AST) -> None:
    """Refuse values with several types where an operation, which is not emitted as such, tells them apart."""
    found = plan(ctx, op, given, node)
    if found is not None and (found.checks or found.in_python or found.others):
        ctx.report(refusal(ctx, given, node))


def require_alike(ctx: Context, atom: n.Atom, told_apart: Callable[[Scalar], object], node: ast.AST) -> None:
    """Refuse a value with several types where something other than its value is asked for, and differs."""
    known = forms_of(ctx, atom)
    own = told_apart(typed(Scalar, atom.type))
    if known is not None and any(told_apart(form.type) != own for form in known.others):
        ctx.report(refusal(ctx, (atom,), node))


def refusal(ctx: Context, given: Iterable[n.Atom], node: ast.AST | Location) -> Error:
    """The refusal of an operation that gives other results for the types that a value may have."""
    location = node if isinstance(node, Location) else ctx.location(node)
    atom = next(atom for atom in given if forms_of(ctx, atom) is not None)
    type, form = typed(Scalar, atom.type), _named_form(ctx, atom)
    name, stem = type_name(type), _stem(atom)
    if form.weak and not type.weak and stem:
        differ = "which round differently here" if type.kind in "fc" else "which give different results here"
        return TypeInferenceError(
            f"'{stem}' starts as a Python number and is {name} later, {differ}",
            location,
            cause="CPython computes with Python's numbers until the variable becomes NumPy's",
            hint=f"start it as {name}(...), or write {name}({stem}) here",
        )
    return TypeInferenceError(
        f"{_subject(atom)} is {type_name(form)} or {name}, depending on values, and these give different results here",
        location,
        cause="CPython computes with the type that the value has when the program runs; compiled code has one type",
        hint=f"convert it first: {name}({stem or '...'})",
    )


def _fault(ctx: Context, plan: Plan, location: Location) -> n.Raise:
    """The error that is raised where another type that a value may have gives another result."""
    atom = next(atom for atom in plan.given if forms_of(ctx, atom) is not None)
    name = type_name(atom.type)
    message = (
        f"{_subject(atom)} may be {type_name(_named_form(ctx, atom))} or {name} here, depending on values, "
        f"and these give different results: convert it first, {name}({_stem(atom) or '...'})"
    )
    return n.Raise(WEFT_ERROR, message, (), location)


def _named_form(ctx: Context, atom: n.Atom) -> Scalar:
    known = forms_of(ctx, atom)
    assert known is not None
    return known.others[0].type


def _subject(atom: n.Atom) -> str:
    stem = _stem(atom)
    return f"'{stem}'" if stem else "this value"


def _stem(atom: n.Atom) -> str:
    """The user's name of a variable; empty for values that have none."""
    stem = typed(n.Var, atom).stem
    return "" if stem in ("t", "chosen", "decided", "value") else stem
