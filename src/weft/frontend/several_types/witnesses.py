"""Witnesses: Booleans of the program that say whether a value has its own type.

Most programs need none: see `weakness`. A program that is refused for its types is translated once more, and then loops
and branches hand on, beside each value of several types, whether it has its own. An operation that would give another
result for the other type is an error when the program runs, where the value has that type. Nobody pays for a witness
that nobody asks: it is dead code.

With witnesses a variable that starts as a Python float, and is `np.float32` later, has that type, whether or not it
holds the float: NumPy's numbers of the type round the float where they meet it. Where the float itself is asked for it
is tested that the variable is NumPy's (see `unrounded`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar
from typing import cast as typed

from weft.errors import Error, InternalError, MultipleErrors, TypeInferenceError
from weft.frontend.several_types import unrounded
from weft.frontend.several_types.agreement import keeps
from weft.frontend.several_types.forms import (
    Form,
    Forms,
    Gone,
    fault_of,
    forms_of,
    is_rounded,
    set_gone,
)
from weft.frontend.values.scope import WITNESSED, Context
from weft.frontend.values.values import FALSE, TRUE
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, is_speculative
from weft.ir.location import Location
from weft.ir.types import BOOL, PYBOOL, Scalar
from weft.ir.visit import atoms_of, substitute

P = ParamSpec("P")
R = TypeVar("R")


def with_witnesses(build: Callable[P, R]) -> Callable[P, R]:
    """Build again with witnesses what is refused for its types; the first refusal stands where that does not help."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return build(*args, **kwargs)
        except Error as error:
            if not _is_of_types(error):
                raise
            token = WITNESSED.set(True)
            try:
                return build(*args, **kwargs)
            except InternalError:
                raise
            except Error:
                raise error from None
            finally:
                WITNESSED.reset(token)

    return built


def _is_of_types(error: Error) -> bool:
    several = error.errors if isinstance(error, MultipleErrors) else [error]
    return all(isinstance(one, TypeInferenceError) for one in several)


# ------------------------------------------------------------------------------------------------- who is its own type


def is_told(ctx: Context, atom: n.Atom | None, type: Scalar) -> bool:
    """Whether it can be told when an atom has a type; None stands for a variable without a value."""
    known = forms_of(ctx, atom) if atom is not None and atom.type == type else None
    return known is None or known.gone is not None


def own(ctx: Context, atom: n.Atom | None, type: Scalar) -> n.Atom:
    """Whether an atom has a type: emitted in the current block."""
    if atom is None:
        return TRUE
    if atom.type != type:
        return FALSE
    known = forms_of(ctx, atom)
    if known is None:
        return TRUE
    assert known.gone is not None
    return known.gone()


def negated(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    """Whether a Boolean does not hold."""
    if isinstance(atom, n.Const):
        return FALSE if atom.value else TRUE
    return ctx.emit(n.Compare("eq", atom, FALSE), PYBOOL, location)


def combined(ctx: Context, op: str, tests: Iterable[n.Atom], location: Location) -> n.Atom:
    """Whether all (``and``) or some (``or``) tests hold."""
    neutral, ends = (TRUE, FALSE) if op == "and" else (FALSE, TRUE)
    found: n.Atom = neutral
    for test in tests:
        if ends in (test, found):
            return ends
        if found == neutral or test == found:
            found = test
        elif test != neutral:
            found = ctx.emit(n.Binary(typed("n.BinaryOp", op), found, test, checked=False), PYBOOL, location)
    return found


def chosen(ctx: Context, condition: n.Atom, then: n.Atom, orelse: n.Atom, location: Location) -> n.Atom:
    """One of two Booleans."""
    if then == orelse:
        return then
    return ctx.emit(n.Select(condition, then, orelse), PYBOOL, location)


def outside(
    ctx: Context, atom: n.Atom, is_inside: Callable[[str], bool], own: n.Var | None
) -> Callable[[], list[n.Atom]] | None:
    """The tests of which one must hold at the end of an iteration, emitted anew outside of the loop; None if none can.

    Parameters
    ----------
    ctx
        The context.
    atom
        The witness at the end of an iteration.
    is_inside
        Whether a variable is one of the loop's body.
    own
        The witness at its start, which is left out.
    """
    several = _alternatives(ctx, atom, own)
    if not all(_is_repeatable(ctx, one, is_inside) for one in several):
        return None
    return lambda: [_repeated(ctx, one, is_inside) for one in several]


def lasts(ctx: Context, atom: n.Atom, own: n.Var | None) -> bool:
    """Whether a variable that has its own type at the start of an iteration has it at the end; `atom`: at the end."""
    return atom == TRUE or len(_alternatives(ctx, atom, own)) < len(_alternatives(ctx, atom, None))


def _alternatives(ctx: Context, atom: n.Atom, own: n.Var | None) -> list[n.Atom]:
    if atom == own:
        return []
    value = ctx.definitions.get(atom.name) if isinstance(atom, n.Var) else None
    if isinstance(value, n.Binary) and value.op == "or":
        return [*_alternatives(ctx, value.left, own), *_alternatives(ctx, value.right, own)]
    return [atom]


def _is_repeatable(ctx: Context, atom: n.Atom, is_inside: Callable[[str], bool]) -> bool:
    if not isinstance(atom, n.Var) or not is_inside(atom.name):
        return True
    value = ctx.definitions.get(atom.name)
    if value is None or not is_repeatable(value) or not is_speculative(value, atom.type):
        return False
    return all(_is_repeatable(ctx, one, is_inside) for one in atoms_of(value))


def _repeated(ctx: Context, atom: n.Atom, is_inside: Callable[[str], bool]) -> n.Atom:
    if not isinstance(atom, n.Var) or not is_inside(atom.name):
        return atom
    value = ctx.definitions[atom.name]
    operands = [one for one in atoms_of(value) if isinstance(one, n.Var)]
    new = {one.name: _repeated(ctx, one, is_inside) for one in operands}
    return ctx.emit(substitute(value, new), atom.type, ctx.location(ctx.frame.node), atom.stem)


# ----------------------------------------------------------------------------------------------------- what is demanded


def demand(ctx: Context, atoms: Sequence[n.Atom], node: ast.AST | Location) -> None:
    """Raise where several atoms all have other types than their own."""
    location = node if isinstance(node, Location) else ctx.location(node)
    atoms = [*dict.fromkeys(atoms)]
    fault = fault_of(ctx, atoms[0], location)
    tests = [negated(ctx, own(ctx, atom, typed(Scalar, atom.type)), location) for atom in atoms]
    raise_if(ctx, combined(ctx, "and", tests, location), fault)
    if len(atoms) == 1 and isinstance(atoms[0], n.Var) and atoms[0].name in ctx.builder.names:
        ctx.forms.pop(atoms[0].name, None)  # what follows in this block sees its own type
        ctx.unrounded.pop(atoms[0].name, None)


def insist(ctx: Context, atoms: Iterable[n.Atom], node: ast.AST) -> bool:
    """Raise where one of several atoms has another type than its own; False where that cannot be told."""
    several = [atom for atom in dict.fromkeys(atoms) if forms_of(ctx, atom) is not None]
    if not ctx.witnessed or not all(is_told(ctx, atom, typed(Scalar, atom.type)) for atom in several):
        return False
    for atom in several:
        demand(ctx, (atom,), node)
    return True


def raise_if(ctx: Context, condition: n.Atom, fault: n.Raise) -> None:
    """Raise where a condition holds."""
    if isinstance(condition, n.Var):
        ctx.append(n.If(condition, n.Block((fault,)), location=fault.location))
    elif condition.value:
        ctx.append(n.If(ctx.emit(n.Unary("not", FALSE, checked=False), PYBOOL, fault.location), n.Block((fault,)),
                        location=fault.location))  # fmt: skip


# ------------------------------------------------------------------------------------------------------ rounded floats


def is_lost(ctx: Context, given: Sequence[n.Atom], type: Scalar) -> bool:
    """Whether one of several atoms may be a float that a type rounds, and nothing tells whether it is that one."""
    return any_rounded(given, type) and not all(is_told(ctx, one, type) for one in given)


def any_rounded(given: Sequence[n.Atom], type: Scalar) -> bool:
    """Whether one of several atoms may be a float that a type rounds."""
    rounded = [one for one in given if is_rounded(typed(Scalar, one.type), type)]
    return not all(isinstance(one, n.Const) and keeps(type, Form(typed(Scalar, one.type), one)) for one in rounded)


def mark(ctx: Context, result: n.Atom, location: Location) -> None:
    """Note that a value is Python's float rounded where it has not its own type."""
    known = forms_of(ctx, result)
    if not ctx.witnessed or not isinstance(result, n.Var) or known is None or known.gone is None:
        return
    type = typed(Scalar, result.type)
    if not any(is_rounded(form.type, type) and not keeps(type, form) for form in known.others):
        return
    gone, fault = known.gone, fault_of(ctx, result, location)

    def differs() -> n.Atom:
        return negated(ctx, gone(), location)

    def settle() -> None:
        raise_if(ctx, differs(), fault)

    def compared(atom: n.Atom) -> None:
        if _may_vanish(known, type):
            zero = _is_zero(ctx, atom, location)
            raise_if(ctx, combined(ctx, "and", [zero, differs()], location), fault)

    ctx.unrounded[result.name] = unrounded.Unrounded(differs, settle, compared, fault)


def _may_vanish(known: Forms, type: Scalar) -> bool:
    """Whether another number may become zero."""
    return any(form.value is None or (form.value.value and not type.dtype.type(form.value.value))
               for form in known.others)  # fmt: skip


def _is_zero(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    """Whether a number is zero, or becomes zero: asked of values that may be rounded, too."""
    result = ctx.names.fresh("t", PYBOOL)
    raw = ctx.names.fresh("t", BOOL)
    ctx.put(n.Let(raw, n.Compare("eq", atom, n.Const(0.0, typed(Scalar, atom.type))), location))
    ctx.put(n.Let(result, n.Cast(raw), location))
    return result


def extreme(ctx: Context, op: str, result: n.Atom, given: Sequence[n.Atom], held: Sequence[n.Atom],
            location: Location) -> None:  # fmt: skip
    """The witness of a minimum or maximum: that of the operand that it is.

    None for ``best = max(x, best)``, of which every iteration would have to hand on whether `x` was as great: results
    keep the type of the variable then.
    """
    if not ctx.witnessed and forms_of(ctx, given[0]) is None and forms_of(ctx, given[1]) is not None:
        return
    comparison = n.Compare("lt" if op == "min" else "gt", held[1], held[0])

    def is_second() -> n.Atom:
        raw: n.Var = ctx.names.fresh("t", PYBOOL if typed(Scalar, result.type).weak else BOOL)
        ctx.put(n.Let(raw, comparison, location))
        return raw

    one_of(ctx, result, is_second, given[1], given[0], location)
    note_extreme(ctx, result, op, *given)


def extreme_or_kept(ctx: Context, result: n.Atom, given: tuple[n.Atom, n.Atom]) -> None:
    """Note of what a branch leaves that it is the extreme of a variable and others, or the variable."""
    names = [atom.name for atom in given if isinstance(atom, n.Var)]
    known = next((ctx.extremes[name] for name in names if name in ctx.extremes), None)
    if known is None or len(names) < 2 or not isinstance(result, n.Var):
        return
    if all(ctx.extremes.get(name) == known or name == known[1] for name in names):
        ctx.extremes[result.name] = known


def note_extreme(ctx: Context, result: n.Atom, op: str, first: n.Atom, second: n.Atom) -> None:
    """Note that a value is the extreme of a variable and another number, if that has its own type; of equal ones it is
    the variable."""
    if second.type == result.type and forms_of(ctx, second) is None:
        _note_root(ctx, result, op, first)


def _note_root(ctx: Context, result: n.Atom, op: str, first: n.Atom) -> None:
    """Note which variable it is that a value is the extreme of, as far as the first operand tells."""
    if isinstance(result, n.Var) and isinstance(first, n.Var):
        root = ctx.extremes.get(first.name, (op, first.name))
        if root[0] == op:
            ctx.extremes[result.name] = root


def replaced(ctx: Context, result: n.Var, initial: n.Atom, var: n.Var, end: n.Atom, location: Location) -> Gone | None:
    """The test whether a loop that keeps the extreme of a variable and of other numbers replaced the variable.

    ``best = max(best, x)`` gives `best` unless `x` is greater. So it was replaced where it is greater after the loop;
    no iteration has to hand that on, which would keep iterations in order. None where the loop does something else.

    Parameters
    ----------
    ctx
        The context.
    result, initial
        The variable after the loop and before it.
    var, end
        The variable at the start of an iteration and at its end.
    location
        Where the test stands.
    """
    op, root = ctx.extremes.get(end.name, ("", "")) if isinstance(end, n.Var) else ("", "")
    if root != var.name or result.type != initial.type:
        return None
    _note_root(ctx, result, op, initial)
    comparison = n.Compare("lt" if op == "min" else "gt", result, initial)

    def test() -> n.Atom:
        raw: n.Var = ctx.names.fresh("t", PYBOOL if typed(Scalar, result.type).weak else BOOL)
        ctx.put(n.Let(raw, comparison, location))
        return raw if raw.type == PYBOOL else ctx.emit(n.Cast(raw), PYBOOL, location)

    return test


def one_of(ctx: Context, result: n.Atom, condition: Gone, then: n.Atom, orelse: n.Atom, location: Location) -> None:
    """The witness of a value that is one of two: `condition` emits the test which one."""
    known, type = forms_of(ctx, result), typed(Scalar, result.type)
    if not ctx.tells or known is None or not isinstance(result, n.Var):
        return
    if not all(is_told(ctx, atom, type) for atom in (then, orelse)):
        return
    set_gone(ctx, result, lambda: chosen(ctx, condition(), own(ctx, then, type), own(ctx, orelse, type), location))
    mark(ctx, result, location)
