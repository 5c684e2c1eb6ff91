"""Branches: both sides translated apart, and one value for each variable that differs between them.

Only variables that are read later are joined (`live`). A side that ends in ``raise`` contributes nothing. Variables
without a common type get a problem, which is an error where they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile

from weft.errors import Error, TypeInferenceError
from weft.frontend.control import catching
from weft.frontend.control.liveness import Names
from weft.frontend.several_types import forms, optional, unrounded, witnesses
from weft.frontend.values import list_models, merging, mutable
from weft.frontend.values.convert import NoCommonTypeError, common_type, join_cast
from weft.frontend.values.list_models import is_list
from weft.frontend.values.scope import Binding, Builder, Context, Environment, Key, PoisonedError, view_type
from weft.frontend.values.values import (
    FALSE,
    TRUE,
    UNSET,
    Object,
    Static,
    Value,
    children,
    describe_value,
    is_atom,
    is_view,
    rebuilt,
    same_structure,
)
from weft.ir import nodes as n
from weft.ir.interface import TELLS_TYPE
from weft.ir.location import Location
from weft.ir.types import PYBOOL, Scalar, Type
from weft.ir.visit import defined_by


@dataclass(eq=False)
class Side:
    """One branch after its translation."""

    builder: Builder
    environment: Environment
    yields: list[n.Atom] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        """Whether the side ends in ``raise``."""
        return self.environment.fall is None

    def sees_outside(self, atom: n.Atom) -> bool:
        """Whether an atom exists also after the branch."""
        return isinstance(atom, n.Const) or atom.name not in self.builder.names


def translate_side(ctx: Context, body: Callable[[], None], where: tuple[n.Atom, bool] | None = None) -> Side:
    """Translate one branch from the environment as it is now, which stays as it was; `where` says what holds in it."""
    outer = ctx.environment
    ctx.environment = outer.copy()
    if where is not None:
        optional.assume(ctx, *where)
    try:
        with ctx.block() as builder, catching.scope(ctx, builder) as markers:
            body()
        side = Side(builder, ctx.environment)
        return _parted(ctx, side, markers) if markers else side
    finally:
        ctx.environment = outer


def in_scope(ctx: Context, body: Callable[[], None]) -> None:
    """Translate statements in place; what may raise in them, and is caught, leaves them."""
    if not ctx.tries:
        body()
        return
    side = translate_side(ctx, body)
    ctx.splice(side.builder)
    ctx.environment = side.environment


def _parted(ctx: Context, side: Side, markers: list[catching.Marker]) -> Side:
    """A side in which all that follows an operation that may raise stands in a branch where it does not."""
    statements = side.builder.statements
    rest = Side(_builder(statements[markers[-1].position :]), side.environment)
    for k, marker in reversed(list(enumerate(markers))):
        begin = markers[k - 1].position if k else 0
        before, raised = _builder(statements[begin : marker.position]), Side(Builder(), marker.environment)
        ctx.environment = marker.environment.copy()
        with ctx.block(before), ctx.followed(True):
            join(ctx, marker.test, raised, rest, marker.location, rare=marker.rare)
        rest = Side(before, ctx.environment)
    return rest


def _builder(statements: list[n.Statement]) -> Builder:
    names = {var.name for statement in statements for var in defined_by(statement)}
    return Builder(list(statements), names)


def continue_side(ctx: Context, side: Side, body: Callable[[], None]) -> None:
    """Translate more statements at the end of a branch."""
    outer = ctx.environment
    ctx.environment = side.environment
    try:
        with ctx.block(side.builder):
            body()
        side.environment = ctx.environment
    finally:
        ctx.environment = outer


def branch(
    ctx: Context,
    condition: n.Atom,
    then: Callable[[], None],
    orelse: Callable[[], None],
    location: Location,
    live: Names | None = None,
) -> None:
    """Translate an ``if``; a constant condition leaves one side only."""
    if isinstance(condition, n.Const):
        (then if condition.value else orelse)()
        return
    sides = translate_side(ctx, then, (condition, True)), translate_side(ctx, orelse, (condition, False))
    join(ctx, condition, *sides, location, live)


def join(
    ctx: Context,
    condition: n.Atom,
    then: Side,
    orelse: Side,
    location: Location,
    live: Names | None = None,
    rare: bool = False,
) -> None:
    """Emit an `If` of two translated sides and bind what differs to its results."""
    joiner = _Joiner(ctx, then, orelse, location, condition)
    if not then.ended and not orelse.ended:
        merging.after_branch(ctx, then.environment, orelse.environment, joiner.read_later(live), location)
    bindings = joiner.environment(live)
    fall = joiner.fall()
    facts = _facts(ctx, condition, then, orelse, fall)
    blocks = (n.Block(tuple(s.builder.statements), tuple(s.yields)) for s in (then, orelse))
    then_block, else_block = blocks
    if then_block.statements or else_block.statements or joiner.results:
        ctx.append(n.If(condition, then_block, else_block, tuple(joiner.results), location, rare))
    ctx.environment = Environment(bindings, fall, facts)


def _facts(
    ctx: Context, condition: n.Atom, then: Side, orelse: Side, fall: n.Atom | None
) -> frozenset[tuple[str, bool]]:
    """What tests tell after a branch: all that they told on the only side that goes on; noted also for `fall`."""
    ends = [side.environment.fall for side in (then, orelse)]
    for k, side in enumerate((orelse, then)):
        if ends[k] is None:
            return side.environment.facts
        if isinstance(fall, n.Var) and ends[k] == FALSE and ends[1 - k] == TRUE:
            ctx.implied[fall.name] = True, ((condition, k == 1),)
    return then.environment.facts & orelse.environment.facts


class _Joiner:
    def __init__(
        self, ctx: Context, then: Side, orelse: Side, location: Location, condition: n.Atom | None = None
    ) -> None:
        self.ctx = ctx
        self.condition = condition
        self.sides = (then, orelse)
        self.location = location
        self.results: list[n.Var] = []
        self.shared: dict[tuple[n.Atom, ...], n.Var] = {}

    def read_later(self, live: Names | None) -> list[Key]:
        """The variables that somebody may read after the branch."""
        number, keys = self.ctx.frame.number, dict.fromkeys(k for s in self.sides for k in s.environment.bindings)
        return [k for k in keys if live is None or k[0] != number or k[1] in live or k[1].startswith("$")]

    def environment(self, live: Names | None) -> dict[Key, Binding]:
        """The variables after the branch."""
        then, orelse = (side.environment.bindings for side in self.sides)
        later = set(self.read_later(live))
        bindings: dict[Key, Binding] = {}
        for key in {**then, **orelse}:
            a, b = then.get(key), orelse.get(key)
            if a is not None and a is b:
                bindings[key] = a
            elif key in later:
                joined = self.binding(key, a, b)
                if joined is not None:
                    bindings[key] = joined
        return bindings

    def binding(self, key: Key, a: Binding | None, b: Binding | None) -> Binding | None:
        """One variable after the branch."""
        ended = tuple(side.ended for side in self.sides)
        if all(ended):
            return a or b
        if (ended[0] and b is None) or (ended[1] and a is None):
            return None
        known = (b if ended[0] or a is None else a) or a or b
        assert known is not None
        problem = (not ended[0] and a and a.problem) or (not ended[1] and b and b.problem)
        if problem:
            return Binding(None, TRUE, known.location, problem)
        a, b = (b if ended[0] else a), (a if ended[1] else b)
        return self.joined(key, a, b, known, ended)

    def joined(
        self, key: Key, a: Binding | None, b: Binding | None, known: Binding, ended: tuple[bool, ...]
    ) -> Binding:
        values = [None if x is None else x.value for x in (a, b)]
        try:
            value = self.value(values[0], values[1], ended, stem_of(key[1]))
        except NoCommonTypeError:
            assert a is not None and b is not None
            return Binding(None, TRUE, known.location, disagreement(key, a, b))
        defined = self.defined(key, a, b, ended)
        missing = next((x.missing for x in (a, b) if x is not None and x.missing), "")
        return Binding(value, defined, known.location, missing=missing)

    def defined(self, key: Key, a: Binding | None, b: Binding | None, ended: tuple[bool, ...]) -> n.Atom:
        if key[1].startswith("$"):
            return TRUE
        flags = [FALSE if x is None else x.defined for x in (a, b)]
        return self.atom(flags[0], flags[1], ended, f"{key[1]}_defined")

    def value(self, a: Value | None, b: Value | None, ended: tuple[bool, ...], stem: str) -> Value | None:
        """The joined value: the same structure over joined atoms."""
        if a is None or b is None:
            known = a if a is not None else b
            return None if known is None else self._half(known, a is None, stem)
        if not same_structure(a, b):
            list_models.reconcile(self.ctx, a, b)
            pair = optional.paired(a, b, (self._filler(0), self._filler(1)))
            if pair is None:
                raise NoCommonTypeError("")
            return self.value(*pair, ended, stem)
        if isinstance(a, (n.Var, n.Const)):
            assert isinstance(b, (n.Var, n.Const))
            return self.atom(a, b, ended, stem)
        pairs = zip(children(a), children(b), strict=True)
        return rebuilt(a, [_known(self.value(x, y, ended, stem)) for x, y in pairs])

    def _filler(self, position: int) -> optional.Fill:
        """What makes numbers and arrays that nobody uses, on one side."""

        def fill(atom: n.Atom) -> n.Atom:
            with self.ctx.block(self.sides[position].builder):
                return optional.filler(self.ctx, atom, self.location)

        return fill

    def _half(self, known: Value, missing_then: bool, stem: str) -> Value:
        """The value of a variable that only one side assigned: nothing in particular on the other."""
        if isinstance(known, (n.Var, n.Const)):
            side = self.sides[0 if missing_then else 1]
            if isinstance(known, n.Const):
                return known
            filler = self.undefined(side, known.type)
            atoms = (filler, known) if missing_then else (known, filler)
            result = self.result(atoms[0], atoms[1], known.type, stem)
            forms.note(self.ctx, result, known)
            self.witness(result, atoms)
            return result
        return rebuilt(known, [self._half(child, missing_then, stem) for child in children(known)])

    def undefined(self, side: Side, type: Type) -> n.Atom:
        """A value that is never used."""
        with self.ctx.block(side.builder):
            return self.ctx.emit(n.Undefined(), type, self.location, "undefined")

    def atom(self, a: n.Atom, b: n.Atom, ended: tuple[bool, ...], stem: str) -> n.Atom:
        """The atom after the branch; a side that ended does not count."""
        for k, other in ((0, b), (1, a)):
            if ended[k]:
                if self.sides[1 - k].sees_outside(other):
                    return other
                filler = self.undefined(self.sides[k], other.type)
                atoms = (filler, other) if k == 0 else (other, filler)
                result = self.result(*atoms, other.type, stem)
                forms.note(self.ctx, result, other)
                self.witness(result, atoms)
                return result
        if a == b:
            return a
        given = a, b
        type = common_type(self.ctx, a, b)
        if isinstance(type, Scalar) and witnesses.is_lost(self.ctx, given, type):
            raise NoCommonTypeError("")
        for side, old in zip(self.sides, (a, b), strict=True):
            if old.type != type:
                with self.ctx.block(side.builder):
                    new = join_cast(self.ctx, old, type, self.location)
                a, b = (new, b) if side is self.sides[0] else (a, new)
        result = self.result(a, b, type, stem, given)
        forms.note(self.ctx, result, *given)
        self.witness(result, given)
        return result

    def witness(self, result: n.Atom, given: tuple[n.Atom, n.Atom]) -> None:
        """Hand on whether the side taken left a value that has its own type."""
        known, type = forms.forms_of(self.ctx, result), result.type
        if not self.ctx.tells or known is None or not isinstance(result, n.Var) or not isinstance(type, Scalar):
            return
        if not all(witnesses.is_told(self.ctx, atom, type) for atom in given) or self.is_tied(given):
            return
        owned: list[n.Atom] = []
        for side, atom in zip(self.sides, given, strict=True):
            with self.ctx.block(side.builder):
                owned.append(witnesses.own(self.ctx, atom, type))
        own = self.result(owned[0], owned[1], PYBOOL, TELLS_TYPE)
        forms.set_gone(self.ctx, result, lambda: own)
        test = self.compared(given)
        if test is not None and test.op in ("lt", "gt"):
            is_least = (test.op == "lt") == (self.element(test.left) == self.element(given[0]))
            witnesses.note_extreme(self.ctx, result, "min" if is_least else "max", given[1], given[0])
        witnesses.extreme_or_kept(self.ctx, result, given)
        if result.name not in self.ctx.unrounded or any(atom.type != type for atom in given):
            witnesses.mark(self.ctx, result, self.location)

    def compared(self, given: tuple[n.Atom, n.Atom]) -> n.Compare | None:
        """The test that the branch asks, if it compares what its sides leave: it leaves an extreme then."""
        test: n.Expression | None = None
        atom = self.condition
        while isinstance(atom, n.Var):
            test = self.ctx.definitions.get(atom.name)
            atom = test.operand if isinstance(test, n.Cast) else None
        if not isinstance(test, n.Compare) or test.op in ("eq", "ne"):
            return None
        left, right = (self.element(end) for end in (test.left, test.right))
        sides = [self.element(end) for end in given]
        return test if sides in ([left, right], [right, left]) else None

    def element(self, atom: n.Atom) -> n.Atom | n.Load:
        """What an atom was loaded from, if nothing but definitions stands behind it: it may be loaded again."""
        value = self.ctx.definitions.get(atom.name) if isinstance(atom, n.Var) else None
        if not isinstance(value, n.Load):
            return atom
        sides = [side.builder.statements for side in self.sides]
        lets = [*takewhile(_is_let, reversed(self.ctx.builder.statements)), *chain.from_iterable(sides)]
        return value if all(map(_is_let, lets)) and any(getattr(s, "var", None) == atom for s in lets) else atom

    def is_tied(self, given: tuple[n.Atom, n.Atom]) -> bool:
        """Whether equal numbers replace a variable, as in ``s if x > s else x``, and nobody but the result asks which
        one it is: iterations would have to hand that on in order, while those with ``x if x < s else s`` need not."""
        test = self.compared(given)
        first, second = (forms.forms_of(self.ctx, one) is not None for one in given)
        if first and second:  # elements of a list with numbers of two types: none of them tells by its value
            return False
        return test is not None and not self.ctx.witnessed and (first or test.op in ("le", "ge"))

    def result(self, a: n.Atom, b: n.Atom, type: Type, stem: str, given: tuple[n.Atom, n.Atom] | None = None) -> n.Atom:
        """A result of the `If`; one for each pair of atoms, and of those `given` that were converted to them.

        Constants that become one by that are told apart: their types decide what is computed with them.
        """
        given = given or (a, b)
        key = (a, b, *given)
        if a == b and given[0].type == given[1].type:
            return a
        if key not in self.shared:
            if isinstance(a, n.Var) and isinstance(b, n.Var) and a.stem == b.stem:
                stem = a.stem
            var = self.shared[key] = self.ctx.names.fresh(stem, type)
            self.results.append(var)
            if self.ctx.is_nonnegative(a) and self.ctx.is_nonnegative(b):
                self.ctx.nonnegative.add(var.name)
            for side, atom in zip(self.sides, (a, b), strict=True):
                side.yields.append(atom)
            self.note_unrounded(var, a, b)
        return self.shared[key]

    def note_unrounded(self, var: n.Var, *yields: n.Atom) -> None:
        """A result may be rounded where that of the side taken may be."""
        known = [unrounded.unrounded_of(self.ctx, atom) for atom in yields]
        fault = next((one.fault for one in known if one is not None), None)
        if fault is None:
            return
        flags: list[n.Atom] = []
        for side, one in zip(self.sides, known, strict=True):
            with self.ctx.block(side.builder):
                flags.append(FALSE if one is None else one.differs())
        self.ctx.handed_on.update(atom.name for atom in yields if isinstance(atom, n.Var))
        unrounded.joined(self.ctx, var, self.result(flags[0], flags[1], PYBOOL, "rounded"), fault)

    def fall(self) -> n.Atom | None:
        """Whether control arrives after the branch."""
        a, b = (side.environment.fall for side in self.sides)
        if a is None or b is None:
            if a is None and b is None:
                return None
            known, side = (b, self.sides[1]) if a is None else (a, self.sides[0])
            assert known is not None
            if side.sees_outside(known):
                return known
            return self.atom(known, known, (a is None, b is None), "falls")
        if not self.ctx.follows and a != b:
            return TRUE
        return self.atom(a, b, (False, False), "falls")


def stem_of(name: str) -> str:
    """The stem of IR variables that hold a variable; Weft's own have a number at the end, which is left out."""
    return name[1:].rstrip("0123456789") if name.startswith("$") else name


def _known(value: Value | None) -> Value:
    assert value is not None
    return value


def disagreement(key: Key, a: Binding, b: Binding) -> Error:
    """The error of using a variable whose values have no common type."""
    for binding in (a, b):
        if isinstance(binding.problem, PoisonedError):
            return binding.problem
    assert a.value is not None and b.value is not None
    first, second = sorted((a, b), key=lambda x: x.location.line)
    assert first.value is not None and second.value is not None
    what = "a field" if mutable.is_fields(key) else "the result" if key[1].startswith("$") else f"'{key[1]}'"
    first, second = _where_they_differ(first, second)
    assert first.value is not None and second.value is not None
    several = _differing_object(first.value, second.value)
    if several is not None:
        return merging.several_objects(what, f"the class {several.type.__name__}", second.location, several.type)
    one, other = describe_value(first.value), describe_value(second.value)
    error = TypeInferenceError(
        f"the type of {what} depends on values: {one} or {other}",
        second.location,
        cause=f"{_with_line(first)}, {_with_line(second)}; a variable has one type",
        hint=_agreement(first.value, second.value, key[1] == "$value"),
    )
    if one == other and not is_atom(first.value):
        error.message, error.cause = _alike(what, first, second)
    error.is_of_changing_type = True
    return error


def _alike(what: str, first: Binding, second: Binding) -> tuple[str, str]:
    """The message and the cause where both values have the same words for their type."""
    lines = f"{_with_line(first)}, {_with_line(second)}"
    kind = describe_value(_known(first.value))
    return f"which {kind} {what} is depends on values", f"{lines}; a {kind} is known when compiling"


def _where_they_differ(a: Binding, b: Binding) -> tuple[Binding, Binding]:
    """Two bindings of the first parts that have other types, of tuples and of fields of objects."""
    while isinstance(a.value, tuple) and isinstance(b.value, tuple) and len(a.value) == len(b.value):
        pairs = ((x, y) for x, y in zip(a.value, b.value, strict=True) if not same_structure(x, y))
        found = next(pairs, None)
        if found is None:
            break
        a, b = replace(a, value=found[0]), replace(b, value=found[1])
    return a, b


def _with_line(binding: Binding) -> str:
    assert binding.value is not None
    place = f"from line {binding.location.line}" if binding.location.line else "before"
    return f"{describe_value(binding.value)} {place}"


def _agreement(a: Value, b: Value, is_result: bool) -> str:
    """What to do about a variable, or a result, of two types, in words."""
    views = [v for v in (a, b) if isinstance(v, n.Var) and is_view(v)]
    if len(views) == 2:
        first, second = (view_type(view) for view in views)
        if first.element == second.element and first.ndim == second.ndim and first.writable != second.writable:
            return "take a copy of the read-only array in the branch, with .copy()"
        return "use two variables, one for each kind of array; or give both arrays the same dtype and dimensions"
    if UNSET in (a, b):
        return "assign it on both ways, or in __init__ before the branch or loop"
    if any(isinstance(v, Static) and v.value is None for v in (a, b)):
        if is_result:
            return "return a value of the same type in place of None, one that cannot occur, such as -1 or math.nan"
        return "start from a value of the same type that cannot occur, such as -1, or from the first element"
    if is_result and is_list(a) and is_list(b):
        return "return a new list in each case: in place of a list v that exists already, its copy v[:]"
    if views or not (is_atom(a) and is_atom(b)):
        return "use two variables, or do the work inside of each branch"
    return "convert one of them to the type of the other, for example with float, or use two variables"


def _differing_object(a: Value, b: Value) -> Object | None:
    """An object in a value, where the other value has another object of its class."""
    if isinstance(a, Object) and isinstance(b, Object) and a.type is b.type and a.number != b.number:
        return a
    found = (_differing_object(x, y) for x, y in zip(children(a), children(b), strict=False))
    return next((one for one in found if one is not None), None)


def is_boolean(atom: n.Atom) -> bool:
    """Whether an atom may be a condition."""
    return atom.type == PYBOOL or str(atom.type) == "bool"


def _is_let(statement: n.Statement) -> bool:
    return isinstance(statement, n.Let)
