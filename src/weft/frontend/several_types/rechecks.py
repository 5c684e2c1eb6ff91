"""What is emitted around an operation on a value that may have several types: see `weakness`.

The operation itself is done with the types that the program has. Beside it stands what CPython does where the value has
another type: a test that both give the same, or a choice between the two results. A divisor of zero, for which Python
raises and NumPy does not, is tested before.
"""

from __future__ import annotations

import ast
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.several_types import unrounded, witnesses
from weft.frontend.several_types.agreement import DIVISIONS, Operation, folded, keeps
from weft.frontend.several_types.forms import Form, Forms, Gone, either, fault_of, forms_of, set_forms
from weft.frontend.several_types.weakness import (
    Plan,
    changed_operands,
    combinations,
    is_computed,
    is_exactly_told,
    is_rounded_once,
    is_told,
    pairs,
)
from weft.frontend.values.convert import ask_for_witnesses, cast_constant, does_not_fit
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE
from weft.ir import nodes as n
from weft.ir.check import comparison
from weft.ir.check.comparison import EXACT_IN_FLOAT
from weft.ir.location import Location
from weft.ir.semantics import BINARY_UFUNCS, COMPARE_UFUNCS, UNARY_UFUNCS
from weft.ir.types import BOOL, FLOAT32, FLOAT64, INT64, PYBOOL, PYFLOAT, PYINT, Scalar

_ZERO_DIVISOR = {
    "truediv": ("division by zero", "float division by zero"),
    "floordiv": ("integer division or modulo by zero", "float floor division by zero"),
    "mod": ("integer modulo by zero", "float modulo"),
}
"""What Python says of integers and of floats."""

_SHIFTS = frozenset({"shl", "shr"})


def before(ctx: Context, plan: Plan | None) -> None:
    """Before an operation that may be Python's, which raises for some operands: emit the test of the right one."""
    if plan is None or plan.operation.op not in DIVISIONS | _SHIFTS:
        return
    own = plan.operation.signature(plan.operation.own)
    for forms in combinations(ctx, plan.given):
        if all(form.type.weak for form in forms) and not own[0].weak:
            known = forms[1].value
            if plan.operation.op in _SHIFTS:
                _raise_for_negative(ctx, plan, forms)
            elif known is None or not known.value:
                _raise_for_zero(ctx, plan, forms)


def _raise_for_negative(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> None:
    """Before a shift: where it is known exactly that it is Python's, what Python does raises."""
    right, location = plan.given[1], ctx.location(plan.node)
    if is_exactly_told(ctx, plan, forms) or (isinstance(right, n.Const) and right.value.real >= 0):
        return
    fault = _fault(ctx, plan, location)
    ask_for_witnesses(ctx, fault)
    if typed(Scalar, right.type).kind == "i":
        negative = ctx.emit(
            n.Compare("lt", _raw_cast(ctx, right, PYINT, location), n.Const(0, PYINT)), PYBOOL, location
        )
        _raise_where(ctx, negative, _all(ctx, _conditions(ctx, plan, forms), location), fault)


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
    _append_if(ctx, zero, n.Block((_fault_of_zero(ctx, plan, forms, location),)), location)


def _fault_of_zero(ctx: Context, plan: Plan, forms: tuple[Form, ...], location: Location) -> n.Raise:
    """Python's exception where it is known exactly that the operands have these forms; else that the types differ."""
    if not is_exactly_told(ctx, plan, forms):
        fault = _fault(ctx, plan, location)
        ask_for_witnesses(ctx, fault)
        return fault
    floats = any(form.type.kind == "f" for form in forms)
    return n.Raise("ZeroDivisionError", _ZERO_DIVISOR[plan.operation.op][floats], (), location)


def _append_if(ctx: Context, condition: n.Atom, block: n.Block, location: Location) -> None:
    if isinstance(condition, n.Const):
        for statement in block.statements if condition.value else ():
            ctx.append(statement)
    else:
        ctx.append(n.If(condition, block, location=location))


def after(ctx: Context, plan: Plan | None, result: n.Var) -> n.Var:
    """After an operation: emit its tests, and note what its result may be; gives the result."""
    ctx.permitted = frozenset()
    if plan is None:
        return result
    known = [forms for atom in dict.fromkeys(plan.given) if (forms := forms_of(ctx, atom)) is not None]
    gone = _witness(ctx, plan)
    if plan.signs:
        result = _mended(ctx, plan, known[0], result)
    chosen, others, found = result, plan.others, []
    for check in plan.checks:
        if _is_known_when(ctx, plan, check):
            chosen = _chosen(ctx, plan, check, chosen)
        elif is_computed(ctx, plan, check):
            chosen, exact = _chosen_float(ctx, plan, check, chosen)
            others = {PYFLOAT: (exact,)} if plan.checks == [check] and others == {PYFLOAT: None} else others
        elif is_rounded_once(plan, check):
            found.append(_emit_rounding(ctx, plan, check))
            others = {PYFLOAT: (found[0].exact,)} if plan.checks == [check] and others == {PYFLOAT: None} else others
        else:
            _emit_check(ctx, plan, check, result)
    location = ctx.location(plan.node)
    unrounded.note(ctx, chosen, [rounding.value for rounding in found], location)
    if plan.operation.op in unrounded.ROUNDED_BEFORE:
        unrounded.inherit(ctx, chosen, plan.given, location)
    set_forms(ctx, chosen, others, gone, gone is not None and all(one.by_trips for one in known))
    if chosen.name not in ctx.unrounded:
        witnesses.mark(ctx, chosen, location)
    return chosen


def _witness(ctx: Context, plan: Plan) -> Gone | None:
    """The test whether the result of an operation has its own type, by those of the operands; None where none tells."""
    several = [atom for atom in dict.fromkeys(plan.given) if forms_of(ctx, atom) is not None]
    told = all(witnesses.is_told(ctx, atom, typed(Scalar, atom.type)) for atom in several)
    changing = {frozenset(atoms) for atoms, changes in plan.given_forms if changes}
    if not told or any(not changes and frozenset(atoms) in changing for atoms, changes in plan.given_forms):
        return None
    location = ctx.location(plan.node)
    tests = {atom: typed(Forms, forms_of(ctx, atom)).gone for atom in several}
    for atom in several:
        if changing == {frozenset(atoms) for atoms, _ in plan.given_forms if atom in atoms}:
            return tests[atom]
    if changing == {frozenset(several)}:
        return either(ctx, *tests.values())

    def test() -> n.Atom:
        having = {atom: typed(Gone, known)() for atom, known in tests.items()}
        cases = []
        for changed in changing:
            states = [witnesses.negated(ctx, h, location) if a in changed else h for a, h in having.items()]
            cases.append(witnesses.combined(ctx, "and", states, location))
        return witnesses.negated(ctx, witnesses.combined(ctx, "or", cases, location), location)

    return test


def _mended(ctx: Context, plan: Plan, known: Forms, result: n.Var) -> n.Var:
    """A zero with Python's sign where the value has Python's type."""
    (values,) = plan.others.values()
    zero = None if values is None else cast_constant(typed(n.Const, values[0]), typed(Scalar, result.type))
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


def _chosen_float(ctx: Context, plan: Plan, forms: tuple[Form, ...], result: n.Var) -> tuple[n.Var, n.Atom]:
    """Python's float rounded where the operands have these forms, and the result elsewhere; and the float itself."""
    location, type = ctx.location(plan.node), typed(Scalar, result.type)
    changed = [atom for _, atom in changed_operands(plan, forms)]
    tests = []
    for atom in dict.fromkeys(plan.given):
        own = witnesses.own(ctx, atom, typed(Scalar, atom.type))
        tests.append(witnesses.negated(ctx, own, location) if atom in changed else own)
    known = [form.value for form in forms if form.value is not None]
    signature = plan.operation.signature(tuple(form.type for form in forms))
    constant = folded(plan.operation.op, known, signature) if len(known) == len(forms) else None
    exact = constant or _other_result(ctx, plan, forms, location)
    rounded = _raw_cast(ctx, exact, type, location)
    here = witnesses.combined(ctx, "and", tests, location)
    return ctx.emit(n.Select(here, rounded, result), type, location, result.stem), exact


def _other_result(ctx: Context, plan: Plan, forms: tuple[Form, ...], location: Location) -> n.Atom:
    operands = tuple(form.known or _raw_cast(ctx, atom, form.type, location) for form, atom in pairs(plan, forms))
    return _operation(ctx, plan.operation, tuple(form.type for form in forms), operands, plan.node)


def _emit_check(ctx: Context, plan: Plan, forms: tuple[Form, ...], result: n.Var) -> None:
    """Where operands have these forms: compute what Python does, and raise where that is another value."""
    location = ctx.location(plan.node)
    conditions = _conditions(ctx, plan, forms)
    condition = _all(ctx, conditions, location)
    with ctx.block() as builder:
        fault = n.Block((_fault(ctx, plan, location),))
        if not conditions:
            _require_fitting(ctx, plan, forms, fault)
        _append_if(ctx, _differs(ctx, plan, forms, result, location), fault, location)
    _append_if(ctx, condition, n.Block(tuple(builder.statements)), location)


def _require_fitting(ctx: Context, plan: Plan, forms: tuple[Form, ...], fault: n.Block) -> None:
    """Raise where a Python integer would not fit in the type that it has beside NumPy's number."""
    location = ctx.location(plan.node)
    taken = plan.operation.signature(tuple(form.type for form in forms))
    for (form, atom), target in zip(pairs(plan, forms), taken, strict=False):
        if (
            form.type == PYINT
            and atom.type != PYINT
            and isinstance(atom, n.Var)
            and target.kind in "iu"
            and not target.weak
        ):
            integer = _raw_cast(ctx, atom, PYINT, location)
            ask_for_witnesses(ctx, _fault(ctx, plan, location))
            _append_if(ctx, does_not_fit(ctx, integer, target, location), fault, location)


@dataclass(frozen=True)
class _Rounding:
    """The value that CPython has for other forms of the operands, and whether the result is that value rounded."""

    exact: n.Atom
    value: unrounded.Unrounded


def _emit_rounding(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> _Rounding:
    """Raise where operands have these forms, and the result is not what CPython computes then, rounded once.

    Both are computed of what is known of the operands, so that the test hangs on nothing that varies with them.
    """
    location, fault = ctx.location(plan.node), _fault(ctx, plan, ctx.location(plan.node))
    told = _all(ctx, _conditions(ctx, plan, forms), location)
    exact, got = _both_results(ctx, plan, forms, location)
    wrong = _differs_rounded(ctx, exact, got, location)
    if plan.operation.op != "mul" and _has_zero(forms):  # of either sign: a product with zero counts as zero
        wrong = _either(
            ctx, wrong, _differs_rounded(ctx, *_both_results(ctx, plan, _negative(forms), location), location), location
        )
    _raise_where(ctx, wrong, told, fault)
    wide = _wide(ctx, got, location)

    def inexact() -> n.Atom:
        return _unequal(ctx, exact, wide, location)

    def vanished() -> n.Atom:
        return _all(
            ctx, [_is_zero(ctx, got, location), _negated(ctx, _is_zero(ctx, exact, location), location)], location
        )

    return _Rounding(
        exact,
        unrounded.Unrounded(
            lambda: _all(ctx, [inexact(), told], location),
            lambda: _raise_where(ctx, inexact(), told, fault),
            lambda atom: _raise_where(ctx, vanished(), told, fault),
            fault,
        ),
    )


def _both_results(ctx: Context, plan: Plan, forms: tuple[Form, ...], location: Location) -> tuple[n.Atom, n.Atom]:
    """What CPython computes of known operands, and what the operation on their own types gives."""
    own = plan.operation.own
    held = tuple(_raw_cast(ctx, f.known or atom, typed(Scalar, atom.type), location) for f, atom in pairs(plan, forms))
    return _other_result(ctx, plan, forms, location), _operation(ctx, plan.operation, own, held, plan.node)


def _differs_rounded(ctx: Context, exact: n.Atom, got: n.Atom, location: Location) -> n.Atom:
    """Whether a float rounded to another's type is not that one, in its value or in the sign of zero."""
    narrow = _raw_cast(ctx, exact, typed(Scalar, got.type), location)
    first, second = (_wide(ctx, atom, location) for atom in (narrow, got))
    signs = (_raw_cast(ctx, atom, FLOAT64, location) for atom in (first, second))
    negative = [_as_bool(ctx, ctx.emit(n.Math("signbit", (s,)), BOOL, location), location) for s in signs]
    apart = ctx.emit(n.Compare("ne", *negative), PYBOOL, location)
    unequal = _unequal(ctx, first, second, location)
    return _either(ctx, unequal, _all(ctx, [_is_zero(ctx, got, location), apart], location), location)


def _has_zero(forms: tuple[Form, ...]) -> bool:
    return any(form.value is not None and form.value.value == 0 and form.type == PYFLOAT for form in forms)


def _negative(forms: tuple[Form, ...]) -> tuple[Form, ...]:
    """The forms with known zeros of the other sign."""
    return tuple(
        Form(form.type, n.Const(-float(form.value.value.real), PYFLOAT)) if form.value and _has_zero((form,)) else form
        for form in forms
    )


def _raise_where(ctx: Context, test: n.Atom, told: n.Atom, fault: n.Raise) -> None:
    """Raise where a test holds and the operands have their other types; the test may stand alone, outside of loops."""
    with ctx.block() as builder:
        _append_if(ctx, told, n.Block((fault,)), fault.location)
    _append_if(ctx, test, n.Block(tuple(builder.statements)), fault.location)


def _is_zero(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    zero = n.Const(0.0, typed(Scalar, atom.type))
    return _as_bool(ctx, comparison.compare("eq", atom, zero, _emit(ctx, location)), location)


def _negated(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    return ctx.emit(n.Compare("eq", atom, FALSE), PYBOOL, location)


def _differs(ctx: Context, plan: Plan, forms: tuple[Form, ...], result: n.Var, location: Location) -> n.Atom:
    changed = changed_operands(plan, forms)
    in_floats = any(form.type == PYINT and typed(Scalar, atom.type).kind == "f" for form, atom in changed)
    if in_floats and not is_told(ctx, plan, forms):
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
    if plan.operation.op in ("neg", "mul") and typed(Scalar, result.type).kind == "f":  # an integer zero has no sign
        signs = ctx.emit(n.Math("signbit", (_raw_cast(ctx, result, FLOAT64, location),)), BOOL, location)
        tested.append(_all(ctx, [_is_zero(ctx, result, location), _as_bool(ctx, signs, location)], location))
    found: n.Atom = tested[0] if tested else FALSE
    for test in tested[1:]:
        found = _either(ctx, found, test, location)
    return found


def _conditions(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> list[n.Atom]:
    """Tests that hold where the operands have these forms."""
    location = ctx.location(plan.node)
    tests: list[n.Atom] = []
    for form, atom in dict.fromkeys(changed_operands(plan, forms)):
        known = forms_of(ctx, atom)
        if known is not None and known.gone is not None:
            tests.append(ctx.emit(n.Compare("eq", known.gone(), FALSE), PYBOOL, location))
        alone = known is not None and known.gone is not None and len(known.others) == 1
        if form.variable is not None and not alone:
            held = _raw_cast(ctx, form.variable, typed(Scalar, atom.type), location)
            apart = _unequal(ctx, _wide(ctx, atom, location), _wide(ctx, held, location), location)
            tests.append(_negated(ctx, apart, location))
        elif form.value is not None and not alone:
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
        left, right = operands
        return comparison.compare(typed("n.CompareOp", op), left, right, _emit(ctx, location))
    *taken, result = operation.signature(types)
    given = tuple(_raw_cast(ctx, atom, type, location) for atom, type in zip(operands, taken, strict=True))
    if op == "pos":
        return given[0]
    value: n.Expression = n.Math(op, given)
    if op in BINARY_UFUNCS:
        value = n.Binary(typed("n.BinaryOp", op), given[0], given[1])
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
    is_number, other = (_as_bool(ctx, comparison.compare("eq", atom, atom, emit), location) for atom in (a, b))
    return _all(ctx, [unequal, _either(ctx, is_number, other, location)], location)


def _either(ctx: Context, a: n.Atom, b: n.Atom, location: Location) -> n.Atom:
    return ctx.emit(n.Binary("or", a, b, checked=False), PYBOOL, location)


def _as_bool(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    return _raw_cast(ctx, atom, PYBOOL, location)


def _emit(ctx: Context, location: Location) -> comparison.Emit:
    return lambda value, type: ctx.emit(value, type, location)


def _fault(ctx: Context, plan: Plan, location: Location) -> n.Raise:
    """The error that is raised where another type that a value may have gives another result."""
    return fault_of(ctx, next(atom for atom in plan.given if forms_of(ctx, atom) is not None), location)
