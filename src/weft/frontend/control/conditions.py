"""Truth, and the operators that may leave operands unevaluated: ``and``, ``or``, ``not``, ``x if c else y``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from weft.frontend.arrays import evaluation
from weft.frontend.control import catching
from weft.frontend.control.joins import Side, branch, is_boolean, join, translate_side
from weft.frontend.several_types import forms, unrounded, witnesses
from weft.frontend.values import objects, operators
from weft.frontend.values.convert import cast
from weft.frontend.values.dispatch import evaluate, evaluate_any, expression, unless_unreachable
from weft.frontend.values.scope import Binding, Context, view_type
from weft.frontend.values.text_model import as_text
from weft.frontend.values.values import (
    FALSE,
    TRUE,
    Instance,
    Message,
    Optional,
    Range,
    Static,
    Value,
    describe_value,
    is_view,
    leaves,
)
from weft.ir import nodes as n
from weft.ir.effects import is_speculative
from weft.ir.types import BOOL, PYBOOL, Scalar

Compute = Callable[[], n.Atom]


def condition(ctx: Context, node: ast.expr) -> n.Atom:
    """Translate an expression of which only the truth counts."""
    if isinstance(node, ast.BoolOp):
        computes: list[Compute] = [lambda item=item: condition(ctx, item) for item in node.values]  # type: ignore[misc]
        return short_circuit(ctx, isinstance(node.op, ast.And), computes, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return negation(ctx, condition(ctx, node.operand), node)
    return truth(ctx, evaluate_any(ctx, node), node)


def truth(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """Whether a value counts as true: a Boolean atom."""
    if isinstance(value, (n.Var, n.Const)) and isinstance(value.type, Scalar):
        return _scalar_truth(ctx, value, node)
    if isinstance(value, n.Var) and is_view(value):
        if view_type(value).ndim == 0:
            return truth(ctx, operators.as_scalar(ctx, value, node), node)
        raise ctx.refusal("truth of an array", node, what=ast.unparse(node))
    if isinstance(value, Optional):
        return short_circuit(ctx, True, (lambda: value.there, lambda: truth(ctx, value.item, node)), node)
    if isinstance(value, tuple):
        return TRUE if value else FALSE
    if isinstance(value, Instance):
        return objects.truth(ctx, value, node)
    if isinstance(value, Static):
        return TRUE if value.value else FALSE
    if isinstance(value, Message):
        return truth(ctx, as_text(value), node)
    if isinstance(value, Range):
        raise ctx.type_error(f"the truth of a {describe_value(value)} is not supported", node)
    return TRUE


def _scalar_truth(ctx: Context, atom: n.Atom, node: ast.AST) -> n.Atom:
    if isinstance(atom, n.Const):
        return TRUE if atom.value else FALSE
    if is_boolean(atom):
        return atom
    assert isinstance(atom.type, Scalar)
    zero = n.Const(complex(0) if atom.type.kind == "c" else 0.0 if atom.type.kind == "f" else 0, atom.type)
    unrounded.before_comparison(ctx, (atom,))
    unrounded.permit(ctx, (atom,))
    found = ctx.emit(n.Compare("ne", atom, zero), PYBOOL if atom.type.weak else BOOL, node)
    ctx.permitted = frozenset()
    return found


def negation(ctx: Context, atom: n.Atom, node: ast.AST) -> n.Atom:
    """``not`` of a Boolean: always Python's bool."""
    if isinstance(atom, n.Const):
        return FALSE if atom.value else TRUE
    return ctx.emit(n.Unary("not", atom, checked=False), PYBOOL, node)


def same_booleans(ctx: Context, a: n.Atom, b: n.Atom, node: ast.AST) -> tuple[n.Atom, n.Atom]:
    """Two Booleans as one type."""
    if a.type == b.type:
        return a, b
    return cast(ctx, a, BOOL, node), cast(ctx, b, BOOL, node)


def short_circuit(ctx: Context, conjunction: bool, computes: Sequence[Compute], node: ast.AST) -> n.Atom:
    """The truth of ``a and b`` (or ``a or b``); `b` is computed only where `a` leaves it open."""
    first = computes[0]()
    if len(computes) == 1:
        return first
    if isinstance(first, n.Const):
        decided = bool(first.value) != conjunction
        return first if decided else short_circuit(ctx, conjunction, computes[1:], node)
    side, result = _computed(ctx, first, conjunction, lambda: short_circuit(ctx, conjunction, computes[1:], node), node)
    assert isinstance(result, (n.Var, n.Const))
    if _may_run_early(side.builder.statements) and not _changed(ctx, side.environment.bindings):
        ctx.splice(side.builder)
        a, b = same_booleans(ctx, first, result, node)
        return _combined(ctx, "and" if conjunction else "or", a, b, node)
    value = _decide(ctx, first, conjunction, side, result, n.Const(not conjunction, PYBOOL), node)
    assert isinstance(value, (n.Var, n.Const))
    if isinstance(value, n.Var):
        ctx.implied[value.name] = conjunction, ((first, conjunction), (result, conjunction))
    return value


def _computed(
    ctx: Context, first: n.Atom, holds: bool, compute: Callable[[], Value], node: ast.AST
) -> tuple[Side, Value]:
    """A side that computes a value, where the first operand `holds` or does not, and the value at its end."""
    key = ctx.frame.key(f"$computed{id(node)}")

    def body() -> None:
        ctx.environment.bindings[key] = Binding(unless_unreachable(ctx, compute), TRUE, ctx.location(node))

    side = translate_side(ctx, body, (first, holds))
    value = side.environment.bindings.pop(key).value
    assert value is not None
    return side, value


def _decide(
    ctx: Context, first: n.Atom, conjunction: bool, side: Side, computed: Value, decided: Value, node: ast.AST
) -> Value:
    """`computed`, which one side gives, where `first` leaves the question open, and `decided` elsewhere."""
    key = ctx.frame.key(f"$decided{id(node)}")
    location = ctx.location(node)
    side.environment.bindings[key] = Binding(computed, TRUE, location)
    other = translate_side(ctx, lambda: None)
    other.environment.bindings[key] = Binding(decided, TRUE, location)
    then, orelse = (side, other) if conjunction else (other, side)
    join(ctx, first, then, orelse, location)
    value = take(ctx, key)
    catching.go_on(ctx, node)
    return value


def take(ctx: Context, key: tuple[int, str]) -> Value:
    """The joined value of a branch that stands for an expression."""
    binding = ctx.environment.bindings.pop(key)
    if binding.problem is not None:
        raise binding.problem
    assert binding.value is not None
    return binding.value


def _combined(ctx: Context, op: n.BinaryOp, a: n.Atom, b: n.Atom, node: ast.AST) -> n.Atom:
    if isinstance(b, n.Const):
        keeps = bool(b.value) == (op == "and")
        return a if keeps else b
    type = a.type
    assert isinstance(type, Scalar)
    return ctx.emit(n.Binary(op, a, b, checked=False), type, node)


def _may_run_early(statements: Sequence[n.Statement]) -> bool:
    """Whether statements may run although the program would skip them: pure, and unable to raise."""
    return all(isinstance(s, n.Let) and is_speculative(s.value, s.var.type) for s in statements)


def _changed(ctx: Context, bindings: dict[tuple[int, str], Binding]) -> bool:
    """Whether an operand assigned a variable (``:=``, or a call that does)."""
    known = ctx.environment.bindings
    return any(known.get(key) is not binding for key, binding in bindings.items())


@expression(ast.BoolOp)
def _bool_op(ctx: Context, node: ast.expr) -> Value:
    """``a and b`` as a value: the operand that decides."""
    assert isinstance(node, ast.BoolOp)
    return _bool_operands(ctx, node, node.values)


def _bool_operands(ctx: Context, node: ast.BoolOp, operands: list[ast.expr]) -> Value:
    if len(operands) > 1 and isinstance(node.op, ast.Or) and _is_conjunction(operands[0]):
        return _or_after_and(ctx, node, operands)
    first = evaluate_any(ctx, operands[0])
    if len(operands) == 1:
        return first
    return deciding(ctx, first, isinstance(node.op, ast.And), lambda: _bool_operands(ctx, node, operands[1:]), node)


def _is_conjunction(node: ast.expr) -> bool:
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)


def _or_after_and(ctx: Context, node: ast.BoolOp, operands: list[ast.expr]) -> Value:
    """``c and x or y``: the value is never that of `c`, so that it need not have the type of `x` and `y`."""
    conjunction = operands[0]
    assert isinstance(conjunction, ast.BoolOp)
    *tests, last = conjunction.values

    def rest() -> Value:
        return _bool_operands(ctx, node, operands[1:])

    computes: list[Compute] = [lambda item=item: condition(ctx, item) for item in tests]  # type: ignore[misc]
    test = short_circuit(ctx, True, computes, conjunction)
    return choose(ctx, test, lambda: deciding(ctx, evaluate_any(ctx, last), False, rest, node), rest, node)


def deciding(ctx: Context, first: Value, conjunction: bool, rest: Callable[[], Value], node: ast.AST) -> Value:
    """``first and rest()`` (or ``or``) as a value; `rest` is computed where `first` leaves the question open."""
    decides = truth(ctx, first, node)
    if isinstance(decides, n.Const):
        return rest() if bool(decides.value) == conjunction else first
    side, result = _computed(ctx, decides, conjunction, rest, node)
    never = _never_decides(ctx, decides, conjunction)
    unconditional = decides is first and _same_type(decides, result)
    if unconditional and _may_run_early(side.builder.statements) and not _changed(ctx, side.environment.bindings):
        ctx.splice(side.builder)
        other = leaves(result)[0]
        combined = _combined(ctx, "and" if conjunction else "or", decides, other, node)
        if never:
            forms.note(ctx, combined, other)
            witnesses.one_of(ctx, combined, lambda: TRUE, other, other, ctx.location(node))
            return combined
        forms.note(ctx, combined, decides, other)
        then, orelse = (other, decides) if conjunction else (decides, other)
        witnesses.one_of(ctx, combined, lambda: decides, then, orelse, ctx.location(node))
        return combined
    decided = n.Const(not conjunction, decides.type) if decides is first and never else first
    return _decide(ctx, decides, conjunction, side, result, decided, node)


def _never_decides(ctx: Context, first: n.Atom, conjunction: bool) -> bool:
    """Whether a Boolean decides in its own type alone: ``ok = True`` does not, in ``ok = ok and a[i] > 0``."""
    known = forms.forms_of(ctx, first)
    values = () if known is None else tuple(form.value for form in known.others)
    return known is not None and all(value is not None and bool(value.value) == conjunction for value in values)


@expression(ast.Compare)
def _compare(ctx: Context, node: ast.expr) -> Value:
    """``a < b < c``: every operand is computed once, those after a false comparison not at all."""
    assert isinstance(node, ast.Compare)
    if len(node.ops) == 1 and not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        left, right = evaluation.operands(ctx, (node.left, node.comparators[0]))
        return operators.compare(ctx, node.ops[0], left, right, node)
    return _compare_rest(ctx, evaluate_any(ctx, node.left), node, 0)


def _compare_rest(ctx: Context, left: Value, node: ast.Compare, position: int) -> Value:
    right_node = node.comparators[position]
    if isinstance(node.ops[position], (ast.In, ast.NotIn)) and isinstance(right_node, (ast.List, ast.Set)):
        right: Value = tuple(evaluate(ctx, item) for item in right_node.elts)
    else:
        right = evaluate_any(ctx, right_node)
    result = operators.compare(ctx, node.ops[position], left, right, node)
    if position + 1 == len(node.ops):
        return result
    return deciding(ctx, result, True, lambda: _compare_rest(ctx, right, node, position + 1), node)


@expression(ast.UnaryOp)
def _unary(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.UnaryOp)
    return condition(ctx, node) if isinstance(node.op, ast.Not) else operators.unary(ctx, node)


def _same_type(first: n.Atom, other: Value) -> bool:
    return isinstance(other, (n.Var, n.Const)) and other.type == first.type


@expression(ast.IfExp)
def _if_expression(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.IfExp)
    test = condition(ctx, node.test)
    return choose(ctx, test, lambda: evaluate_any(ctx, node.body), lambda: evaluate_any(ctx, node.orelse), node)


def choose(ctx: Context, test: n.Atom, then: Callable[[], Value], orelse: Callable[[], Value], node: ast.AST) -> Value:
    """``then if test else orelse``: a `Select` where both sides may be computed, an `If` otherwise."""
    if isinstance(test, n.Const):
        return then() if test.value else orelse()
    key = ctx.frame.key(f"$chosen{id(node)}")
    location = ctx.location(node)

    def set_to(compute: Callable[[], Value]) -> Callable[[], None]:
        def body() -> None:
            ctx.environment.bindings[key] = Binding(compute(), TRUE, location)

        return body

    branch(ctx, test, set_to(then), set_to(orelse), location, ctx.frame.liveness.joined.get(id(node)))
    value = take(ctx, key)
    _select_instead(ctx)
    catching.go_on(ctx, node)
    return value


def _select_instead(ctx: Context) -> None:
    """Replace the `If` just made by `Select` where both of its sides are pure and cannot raise."""
    last = ctx.builder.statements[-1] if ctx.builder.statements else None
    if not isinstance(last, n.If) or not all(_may_run_early(b.statements) for b in (last.then, last.orelse)):
        return
    if not all(isinstance(r.type, Scalar) for r in last.results):
        return
    ctx.builder.statements.pop()
    for inner in (*last.then.statements, *last.orelse.statements):
        ctx.put(inner)
    for var, a, b in zip(last.results, last.then.yields, last.orelse.yields, strict=True):
        ctx.put(n.Let(var, n.Select(last.condition, a, b), last.location))
