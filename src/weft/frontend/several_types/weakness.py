"""Operations on values that may have several types: ``s = 0; s += x[i]``, then ``~s``; ``max(a[0], n) * 4``.

Such a value has one type in the program. CPython computes with the one that it has there (see `forms`). Where
`agreement` proves that all types give one value, nothing is done. Where that depends on the values, the operation is
also done as Python does it, when the program runs, and another result is an error: see `rechecks`. Where the types
hardly ever agree, the program is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import cast as typed

from weft.errors import Error, TypeInferenceError
from weft.frontend.several_types import unrounded, witnesses
from weft.frontend.several_types.agreement import Operation, Outcome, Verdict, keeps
from weft.frontend.several_types.forms import Form, Others, forms_of, merge, named_form, stem_of, subject_of
from weft.frontend.values.scope import Context
from weft.frontend.values.values import type_name
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.semantics import COMPARE_UFUNCS, result_type
from weft.ir.types import INT64, PYFLOAT, PYINT, Scalar

_NEVER_RAISING = frozenset({"add", "sub", "mul"})
_CHECKED_IN_PYTHON = frozenset({"add", "sub", "mul", "neg", "abs"})
_EXACT_BELOW_LIMIT = frozenset({"add", "sub", "mul", "neg", "abs"})


@dataclass
class Plan:
    """What is to be emitted around an operation whose operands may have several types.

    `others` are the types that the result may have, `checks` the forms of operands that are to be tested, `demanded`
    operands that must not all have other types than their own. Where
    `in_python` is set, the operation is done as one of Python's integers, whose overflow is an error.
    """

    operation: Operation
    given: tuple[n.Atom, ...]
    node: ast.AST
    others: Others = field(default_factory=dict)
    checks: list[tuple[Form, ...]] = field(default_factory=list)
    demanded: list[tuple[n.Atom, ...]] = field(default_factory=list)
    in_python: bool = False
    signs: bool = False
    settled: frozenset[n.Atom] = frozenset()
    given_forms: list[tuple[tuple[n.Atom, ...], bool]] = field(default_factory=list)
    """The operands that do not have their own types in each combination, and whether the result has not, either."""


def plan(
    ctx: Context,
    op: str,
    given: tuple[n.Atom, ...],
    node: ast.AST,
    exponent: int | None = None,
    settled: frozenset[n.Atom] = frozenset(),
) -> Plan | None:
    """What an operation needs; None where its operands have one type each.

    Errors are reported and not raised: while the types of a loop are not settled, they may be none. Operands that are
    `settled` have their own types.
    """
    unrounded.permit(ctx, given if op in ("min", "max") else ())
    if op in ("min", "max", "not") or all(forms_of(ctx, atom) is None for atom in given):
        return None
    own = tuple(typed(Scalar, atom.type) for atom in given)
    found = Plan(Operation(op, own, exponent), given, node, settled=settled)
    by_trips = _by_trips(ctx, found)
    if by_trips:
        for atom in by_trips:
            witnesses.demand(ctx, (atom,), node)
        return plan(ctx, op, given, node, exponent, settled.union(by_trips))
    _settle(ctx, found)
    for forms in combinations(ctx, given, settled):
        _add(ctx, found, forms, found.operation.compare(forms))
    alone = [atoms[0] for atoms in found.demanded if len(atoms) == 1]
    for atoms in dict.fromkeys(found.demanded):
        if len(atoms) == 1 or not set(alone).intersection(atoms):  # an operand that is demanded alone has its own type
            witnesses.demand(ctx, atoms, node)
    return plan(ctx, op, given, node, exponent, settled.union(alone)) if alone else found


def _by_trips(ctx: Context, plan: Plan) -> list[n.Atom]:
    """Operands that have another type only where a loop ran no iteration, and may give another result then."""
    found: list[n.Atom] = []
    for forms in combinations(ctx, plan.given, plan.settled) if ctx.witnessed else ():
        if plan.operation.compare(forms).verdict in (Verdict.CHECKED, Verdict.REFUSED):
            known = [(atom, forms_of(ctx, atom)) for _, atom in changed_operands(plan, forms)]
            found += [atom for atom, one in known if one is not None and one.gone is not None and one.by_trips]
    return [*dict.fromkeys(found)]


def _settle(ctx: Context, plan: Plan) -> None:
    """Test operands that may be rounded, unless the operation rounds them itself, or takes their signs."""
    several = [*combinations(ctx, plan.given, plan.settled)]
    fine = [atom for atom in plan.given if all(_rounds(ctx, plan, forms, atom) for forms in several)]
    for atom in plan.given:
        if atom not in fine:
            ctx.settle(atom)
    unrounded.permit(ctx, fine)


def _rounds(ctx: Context, plan: Plan, forms: tuple[Form, ...], operand: n.Atom) -> bool:
    if plan.operation.op in unrounded.ROUNDED_BEFORE or all(a is not operand for _, a in changed_operands(plan, forms)):
        return True
    try:
        own, other = (plan.operation.signature(types) for types in (plan.operation.own, tuple(f.type for f in forms)))
    except TypeInferenceError:
        return False
    if is_computed(ctx, plan, forms):
        return True
    alike = all(type == operand.type for type, atom in zip(own, plan.given, strict=False) if atom is operand)
    if alike and plan.operation.op in COMPARE_UFUNCS and plan.operation.compare(forms).verdict is Verdict.SAME:
        return True
    return unrounded.rounds(own, other, typed(Scalar, operand.type))


def combinations(
    ctx: Context, given: tuple[n.Atom, ...], settled: frozenset[n.Atom] = frozenset()
) -> Iterable[tuple[Form, ...]]:
    """The forms that operands have together, but for that in which all have their own types."""
    several = [_forms(ctx, atom)[: 1 if atom in settled else None] for atom in given]
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
    if verdict is Verdict.CHECKED and plan.operation.op == "pow" and not is_exactly_told(ctx, plan, forms):
        verdict = Verdict.REFUSED  # Python's power raises for numbers for which NumPy's does not
    if verdict in (Verdict.CHECKED, Verdict.REFUSED) and is_computed(ctx, plan, forms):
        verdict, outcome = Verdict.CHECKED, Outcome(verdict, Form(PYFLOAT))
    changed = tuple(dict.fromkeys(atom for _, atom in changed_operands(plan, forms)))
    if _is_demanded(ctx, changed, verdict, outcome):
        plan.demanded.append(changed)
        plan.given_forms.append((changed, False))
        return
    plan.given_forms.append((changed, outcome.form is not None))
    if verdict is Verdict.REFUSED:
        ctx.report(refusal(ctx, plan.given, plan.node))
        return
    if verdict is Verdict.CHECKED:
        _add_check(ctx, plan, forms)
    plan.signs |= verdict is Verdict.SIGN
    if outcome.form is not None:
        merge(plan.others, {outcome.form.type: outcome.form.values})


def _is_demanded(ctx: Context, changed: tuple[n.Var, ...], verdict: Verdict, outcome: Outcome) -> bool:
    """Whether it is an error when the program runs that operands have other types than their own.

    So it is where the result would be another of NumPy's numbers.
    """
    refused = verdict is Verdict.REFUSED or (outcome.form is not None and not outcome.form.type.weak)
    return ctx.witnessed and refused and _are_told(ctx, changed)


def _are_told(ctx: Context, atoms: Iterable[n.Atom]) -> bool:
    known = [forms_of(ctx, atom) for atom in atoms]
    return all(one is None or one.gone is not None for one in known)


def is_computed(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> bool:
    """Whether what CPython computes with Python's floats is computed beside the operation, and chosen there."""
    several = [forms_of(ctx, atom) for _, atom in changed_operands(plan, forms)]
    alone = all(one is not None and len(one.others) == 1 for one in several)
    return ctx.witnessed and alone and is_rounded_once(plan, forms) and _are_told(ctx, plan.given)


def is_rounded_once(plan: Plan, forms: tuple[Form, ...]) -> bool:
    """Whether Python's floats are computed with known ones, so that nothing else decides what is rounded."""
    own, other = plan.operation.signature(plan.operation.own), plan.operation.signature(tuple(f.type for f in forms))
    narrow = own[-1].kind == "f" and own[-1].bits < PYFLOAT.bits
    known = all(form.known is not None for form, _ in changed_operands(plan, forms))
    return plan.operation.op in _NEVER_RAISING and narrow and other[-1] == PYFLOAT and known


def _add_check(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> None:
    own, other = plan.operation.signature(plan.operation.own), plan.operation.signature(tuple(f.type for f in forms))
    integers = all(t == INT64 for t in own) and all(t == PYINT for t in other)
    if integers and plan.operation.op in _CHECKED_IN_PYTHON and not is_told(ctx, plan, forms, precise=True):
        plan.in_python = True
    else:
        plan.checks.append(forms)


def pairs(plan: Plan, forms: tuple[Form, ...]) -> list[tuple[Form, n.Atom]]:
    return list(zip(forms, plan.given, strict=True))


def changed_operands(plan: Plan, forms: tuple[Form, ...]) -> list[tuple[Form, n.Var]]:
    """The operands that do not have their own types."""
    return [(form, atom) for form, atom in pairs(plan, forms) if form.type != atom.type and isinstance(atom, n.Var)]


def is_told(ctx: Context, plan: Plan, forms: tuple[Form, ...], precise: bool = False) -> bool:
    """Whether a test when running tells, at least roughly, that the operands have these forms."""
    changed = changed_operands(plan, forms)
    if not precise and any(form.known is not None for form, _ in changed):
        return True
    known = [forms_of(ctx, atom) for _, atom in changed]
    return any(one is not None and one.gone is not None for one in known)


def is_exactly_told(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> bool:
    """Whether tests when running tell each operand that has another form from one that has its own type."""
    return _are_told(ctx, (atom for _, atom in changed_operands(plan, forms)))


def _is_testable(ctx: Context, plan: Plan, forms: tuple[Form, ...]) -> bool:
    """Whether a difference can be tested without refusing most values."""
    kinds = [(form.type.kind, typed(Scalar, atom.type).kind) for form, atom in changed_operands(plan, forms)]
    if any(kind in "fc" and own_kind in "biu" for kind, own_kind in kinds):
        return False
    own, other = plan.operation.signature(plan.operation.own), plan.operation.signature(tuple(f.type for f in forms))
    if is_told(ctx, plan, forms) or all(type.kind in "biu" for type in (*own, *other)):
        return True
    if plan.operation.op in COMPARE_UFUNCS:
        return own[0].kind != "c"
    return _below_limit(plan, own, other)


def _below_limit(plan: Plan, own: tuple[Scalar, ...], other: tuple[Scalar, ...]) -> bool:
    """Whether the operation is one of integers in floats, exact as long as these are not large."""
    integers = all(type.kind == "i" and type.bits == 64 for type in other)
    return integers and own[-1].kind == "f" and own[-1].bits == 64 and plan.operation.op in _EXACT_BELOW_LIMIT


def _is_mendable(ctx: Context, plan: Plan, forms: tuple[Form, ...], outcome: Outcome) -> bool:
    """Whether another sign of zero can be put right: it is known what the result is then, and when."""
    changed = changed_operands(plan, forms)
    known = forms_of(ctx, changed[0][1])
    alone = len(changed) == 1 and sum(forms_of(ctx, atom) is not None for atom in plan.given) == 1
    if not alone or known is None or known.gone is None or len(known.others) != 1:
        return False
    holds_sign = result_type(plan.operation.op, *plan.operation.own).kind in "fc"
    return holds_sign and outcome.form is not None and outcome.form.value is not None


# ------------------------------------------------------------------------------------------------ errors and others


def is_alike(ctx: Context, op: str, types: tuple[Scalar | None, ...], place: int, atom: n.Atom) -> bool:
    """Whether all types of an operand give one result beside operands that have one type each; `types`: their own."""
    known = forms_of(ctx, atom)
    if known is None or op == "pow" or None in types:
        return False
    own = typed("tuple[Scalar, ...]", types)
    operation = Operation(op, own)
    return all(_gives_same(operation, own, place, form) for form in known.others)


def _gives_same(operation: Operation, own: tuple[Scalar, ...], place: int, form: Form) -> bool:
    outcome = operation.compare(tuple(form if k == place else Form(type) for k, type in enumerate(own)))
    if outcome.verdict is not Verdict.SAME or outcome.form is not None:
        return False
    held, taken = own[place], operation.signature(own)[place]
    return keeps(held, form) or (held.kind, held.bits) == (taken.kind, taken.bits)


def require_one_type(ctx: Context, op: str, given: tuple[n.Atom, ...], node: ast.AST) -> None:
    """Refuse values with several types where an operation, which is not emitted as such, tells them apart."""
    found = plan(ctx, op, given, node)
    differs = found is not None and bool(found.checks or found.in_python or found.others)
    if differs and not witnesses.insist(ctx, given, node):
        ctx.report(refusal(ctx, given, node))


def require_alike(ctx: Context, atom: n.Atom, told_apart: Callable[[Scalar], object], node: ast.AST) -> None:
    """Refuse a value with several types where something other than its value is asked for, and differs."""
    known = forms_of(ctx, atom)
    own = told_apart(typed(Scalar, atom.type))
    differs = known is not None and any(told_apart(form.type) != own for form in known.others)
    if differs and not witnesses.insist(ctx, (atom,), node):
        ctx.report(refusal(ctx, (atom,), node))


def refusal(ctx: Context, given: Iterable[n.Atom], node: ast.AST | Location) -> Error:
    """The refusal of an operation that gives other results for the types that a value may have."""
    location = node if isinstance(node, Location) else ctx.location(node)
    atom = next(atom for atom in given if forms_of(ctx, atom) is not None)
    type, form = typed(Scalar, atom.type), named_form(ctx, atom)
    name, stem = type_name(type), stem_of(atom)
    if form.weak and not type.weak and stem:
        differ = "which round differently here" if type.kind in "fc" else "which give different results here"
        return TypeInferenceError(
            f"'{stem}' starts as a Python number and is {name} later, {differ}",
            location,
            cause="CPython computes with Python's numbers until the variable becomes NumPy's",
            hint=f"start it as {name}(...), or write {name}({stem}) here",
        )
    return TypeInferenceError(
        f"{subject_of(atom)} is {type_name(form)} or {name}, by its value, and these give different results here",
        location,
        cause="CPython computes with the type that the value has when the program runs; compiled code has one type",
        hint=f"convert it first: {name}({stem or '...'})",
    )
