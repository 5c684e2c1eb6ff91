"""The variables that a loop carries: which they are, their types, and the loop arguments that hold them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from typing import cast as typed

from weft.errors import Error, TypeInferenceError
from weft.frontend.control import infinite
from weft.frontend.control.joins import disagreement, stem_of
from weft.frontend.control.liveness import assigned
from weft.frontend.several_types import forms, optional, witnesses
from weft.frontend.values import list_models, merging
from weft.frontend.values.convert import NoCommonTypeError, common_type, join_cast
from weft.frontend.values.names import writable_keys
from weft.frontend.values.replaced import replace_in_notes
from weft.frontend.values.scope import NO_FRAME, Binding, Builder, Context, Environment, Key, PoisonedError, view_type
from weft.frontend.values.values import (
    FALSE,
    TRUE,
    Closure,
    Object,
    Optional,
    Static,
    Value,
    children,
    is_view,
    leaves,
    map_leaves,
    rebuilt,
    same_structure,
    type_name,
)
from weft.ir import nodes as n
from weft.ir.interface import TELLS_TYPE
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYFLOAT, Scalar, Type
from weft.ir.visit import substitute

_REMEDY_OF_NUMBER = "give them their type before the loop: start from a[0], np.iinfo(a.dtype).max or np.float32(0)"

MOST_PASSES = 12
Translate: TypeAlias = Callable[[], "list[Builder]"]


@dataclass(eq=False)
class Variable:
    """A carried variable.

    `pattern` is its structure over variables that stand for the loop arguments; None while no value is known. `flag` is
    the argument that says whether the variable is defined, where that is a question.
    """

    key: Key
    at_head: bool
    entry: Binding | None
    pattern: Value | None = None
    flag: n.Var | None = None
    problem: Error | None = None
    flagged: bool = False
    known_after: bool = False
    unsettled: bool = False
    differing: tuple[Value, Value] | None = None
    """What it holds before the loop and after an iteration, where these have no common type."""

    left: tuple[forms.Others, ...] = ()
    """For each leaf, the other types that iterations leave: see `forms`."""
    told: bool = False
    """Somebody asked whether the first iteration is over, which tells that no other type is left."""
    witnesses: dict[str, n.Var] = field(default_factory=dict)
    """For variables in `pattern`, arguments that say whether they have their own types: see `witnesses`."""
    untold: bool = False
    """Nothing tells whether iterations leave the variable's own type."""
    is_argument: bool = False
    """The variables in `pattern` are loop arguments, which the body was translated with."""


@dataclass
class Carried:
    """Loop arguments and results, ready for a `For` or `While`."""

    args: tuple[n.LoopArg, ...] = ()
    yields: tuple[n.Atom, ...] = ()
    results: tuple[n.Var, ...] = ()
    exits: dict[Key, int] = field(default_factory=dict)
    constant: dict[str, n.Atom] = field(default_factory=dict)
    after: dict[Key, Binding] = field(default_factory=dict)
    frame: int = 0

    def body(self, builder: Builder) -> n.Block:
        """The body of the loop."""
        return self.substituted(n.Block(tuple(builder.statements), self.yields))

    def substituted(self, block: n.Block) -> n.Block:
        """A block in which arguments that never change are replaced by their initial values."""
        return substitute(block, self.constant)

    def position(self, flag: str | None) -> int | None:
        """The position of the argument that ends the loop."""
        return None if flag is None else self.exits.get((self.frame, flag))


class Carrying:
    """Finds the types of a loop's arguments and makes them.

    Parameters
    ----------
    ctx
        The context at the loop; its environment is that on entry.
    node
        The loop.
    flags
        Weft's own variables that the body may change.
    always_runs
        Whether the body surely runs once.
    ran
        Emits, after the loop, the test whether it ran; None where no simple test tells.
    tested
        The flags that the condition of a ``while`` reads.
    leaves_inside
        The body may find, before anything else, that the loop is over; then it hands all variables on as they are.
    second
        Emits, in the body, the test whether it is the second iteration or a later one; None where no simple test tells.
    """

    def __init__(
        self,
        ctx: Context,
        node: ast.For | ast.While,
        flags: Sequence[str | Key],
        always_runs: bool,
        ran: Callable[[], n.Atom] | None,
        tested: Sequence[str] = (),
        leaves_inside: bool = False,
        second: Callable[[], n.Atom] | None = None,
    ) -> None:
        self.ctx = ctx
        self.node = node
        self.flags = flags
        self.always_runs = always_runs
        self.ran = ran
        self.tested = list(tested)
        self.leaves_inside = leaves_inside
        self.second = second
        infinite.settle(ctx, self._keys(), node)
        self.entry = ctx.environment
        self.variables = self._variables()
        self.ended = False
        self.final = False
        self.several: frozenset[int] = frozenset()
        """Numbers of objects that are others in every iteration."""

    def _keys(self) -> list[Key]:
        """The variables that the loop may assign."""
        parts = (
            [self.node.target, *self.node.body] if isinstance(self.node, ast.For) else [self.node.test, *self.node.body]
        )
        return writable_keys(self.ctx, assigned(parts))

    def _variables(self) -> list[Variable]:
        ctx, live = self.ctx, self.ctx.frame.liveness
        head = live.head.get(id(self.node), frozenset())
        after = live.left.get(id(self.node), frozenset())
        if self.leaves_inside:
            head |= after
        found = []
        for key in self._keys():
            own = key[0] == ctx.frame.number
            if not own or key[1] in head or key[1] in after:
                found.append(Variable(key, not own or key[1] in head, self.entry.bindings.get(key)))
        for name in self.flags:
            key = name if isinstance(name, tuple) else ctx.frame.key(name)
            found.append(Variable(key, False, self.entry.bindings.get(key)))
        return found

    # ------------------------------------------------------------------------------------------------- types

    def settle(self, translate: Translate) -> list[Builder]:
        """Translate the body until the types of the arguments stay as they are; gives its blocks."""
        self._start(self.ctx.known_loops.get(self._memory_key()))
        snapshot = self.ctx.snapshot()
        self.known_before = snapshot.taken
        for _ in range(MOST_PASSES):
            head = self._head()
            self.ctx.environment = head.copy()
            blocks = translate()
            self.end = self.ctx.environment
            self.several = frozenset()
            if self.end.fall is not None:
                found, place = Environment({**self.entry.bindings, **head.bindings}), self.ctx.location(self.node)
                self.several = merging.after_iteration(self.ctx, found, self.end, *self._read_later(), place)
            if self._agrees() and not self._hands_out_more() and not self._trusted():
                self.ctx.known_loops[self._memory_key()] = [
                    (v.pattern, v.flagged, v.problem, v.left) for v in self.variables
                ]
                return blocks
            self.ctx.restore(snapshot)
        raise self._unsettled()

    def _memory_key(self) -> object:
        """What the types of a translation are remembered by."""
        calls = tuple(frame.call for frame in self.ctx.frame.callers())
        return id(self.node), calls, self._signature(), tuple(variable.key for variable in self.variables)

    def _hands_out_more(self) -> bool:
        """Whether the body raises exceptions with numbers in their texts that are carried only from now on."""
        known = {variable.key for variable in self.variables}
        held = [
            key for one in self.ctx.tries for key in one.all_held() if key in self.end.bindings and key not in known
        ]
        self.variables += [Variable(key, False, self.entry.bindings.get(key)) for key in held]
        return bool(held)

    def _unsettled(self) -> TypeInferenceError:
        """The error about variables that every iteration gives another type."""
        for v in self.variables:
            held = v.pattern.item if isinstance(v.pattern, Optional) else None if v.entry is None else v.entry.value
            if v.unsettled and isinstance(held, Object):
                kind, place = f"the class {held.type.__name__}", self.ctx.location(self.node)
                return merging.several_objects(f"'{v.key[1]}'", kind, place, held.type)
        names = ", ".join(f"'{v.key[1]}'" for v in self.variables if v.unsettled) or "variables"
        error = TypeInferenceError(
            f"the types of {names} do not settle in this loop",
            self.ctx.location(self.node),
            cause="an iteration leaves another type than it finds; a variable has one type",
            hint=next(filter(None, map(self._remedy_of_array, self.variables)), _REMEDY_OF_NUMBER),
        )
        error.is_of_changing_type = True
        return error

    @staticmethod
    def _remedy_of_array(variable: Variable) -> str:
        """What to write before the loop for an array whose type changes; nothing for other variables."""
        entry = variable.entry.value if variable.entry is not None else None
        if variable.unsettled and variable.differing is None and isinstance(entry, n.Var) and is_view(entry):
            return f"give '{variable.key[1]}' before the loop the type that iterations leave, with .astype or .copy"
        if not variable.unsettled or variable.differing is None:
            return ""
        before, after = variable.differing
        if not (isinstance(before, n.Var) and is_view(before) and isinstance(after, n.Var) and is_view(after)):
            return ""
        name, old, new = variable.key[1], view_type(before), view_type(after)
        if old.ndim != new.ndim or not isinstance(new.element, Scalar):
            return "use another variable for the array inside of the loop"
        if old.element != new.element:
            return f"give the array its type before the loop: {name} = {name}.astype(np.{new.element})"
        return f"start from a copy: {name} = {name}.copy() before the loop"

    def _read_later(self) -> tuple[list[Key], list[Key]]:
        """Keys that may be read after an iteration: those that the loop assigns or loops run over, and the others."""
        live, own = self.ctx.frame.liveness, self.ctx.frame.number
        names = live.head.get(id(self.node), frozenset()) | live.left.get(id(self.node), frozenset())
        assigned_keys = set(self._keys())
        others = [k for k in self.entry.bindings if k not in assigned_keys and (k[0] != own or k[1] in names)]
        held = [k for k in others if k[0] == NO_FRAME]
        return [*(v.key for v in self.variables), *held], [k for k in others if k[0] != NO_FRAME]

    def _signature(self) -> object:
        return tuple((key, _signature(b.value), b.defined == TRUE) for key, b in self.entry.bindings.items())

    def _start(self, known: object) -> None:
        """Begin with the types on entry, or with those that an earlier translation ended with."""
        if isinstance(known, list):
            for variable, (pattern, flagged, problem, left) in zip(self.variables, known, strict=True):
                variable.pattern, variable.flagged, variable.problem, variable.left = pattern, flagged, problem, left
            return
        for variable in self.variables:
            entry = variable.entry
            if entry is not None:
                variable.pattern, variable.problem = entry.value, entry.problem
                variable.flagged = entry.defined != TRUE

    def _head(self) -> Environment:
        """The environment at the start of an iteration."""
        head = self.entry.copy()
        head.fall = TRUE
        for variable in self.variables:
            head.bindings.pop(variable.key, None)
            binding = self._head_binding(variable)
            if binding is not None:
                head.bindings[variable.key] = binding
        return head

    def _head_binding(self, variable: Variable) -> Binding | None:
        name = variable.key[1]
        if name.startswith("$"):
            return self._head_flag(variable)
        if not variable.at_head:
            return None
        location = variable.entry.location if variable.entry is not None else self.ctx.location(self.node)
        if variable.problem is not None:
            return Binding(None, TRUE, location, variable.problem)
        if variable.pattern is None:
            return None
        variable.pattern = map_leaves(variable.pattern, lambda atom: self.ctx.names.fresh(name, atom.type))
        variable.is_argument = True
        self._note_starts(variable)
        variable.flag = self.ctx.names.fresh(f"{name}_defined", PYBOOL) if variable.flagged else None
        return Binding(variable.pattern, variable.flag or TRUE, location)

    def _note_starts(self, variable: Variable) -> None:
        """Let arguments of Python's types that start as constants count as these constants, until types are settled."""
        entry = variable.entry
        variable.told, variable.witnesses = bool(self.ctx.tells), {}
        if variable.pattern is None:
            return
        self._note_forms(variable)
        if entry is None or entry.value is None:
            return
        for var, initial in zip(leaves(variable.pattern), self._starts(variable), strict=True):
            if initial is None:
                continue
            start = initial if isinstance(initial, n.Const) else self.ctx.starts.get(initial.name)
            if isinstance(var, n.Var) and start is not None and start.type == var.type and not self.final:
                self.ctx.starts[var.name] = start

    def _note_forms(self, variable: Variable) -> None:
        """Note the types that arguments may have besides their own: those on entry, and those that iterations leave."""
        pattern = leaves(typed(Value, variable.pattern))
        starts = self._starts(variable)
        left = variable.left if len(variable.left) == len(pattern) else ({},) * len(pattern)
        for var, initial, others in zip(pattern, starts, left, strict=True):
            if isinstance(var, n.Var) and isinstance(var.type, Scalar):
                found = forms.others_of(self.ctx, initial, var.type)
                forms.merge(found, others)
                if self.ctx.witnessed and self._is_float_before(initial, var):
                    found |= {PYFLOAT: (typed(n.Var, initial),)} if PYFLOAT not in others else {}
                gone = self._gone(variable, var, initial) if found and not others else None
                forms.set_forms(self.ctx, var, found, gone)
                if self.ctx.tells and found:
                    self._witness(variable, var, initial)

    def _starts(self, variable: Variable) -> list[n.Atom | None]:
        """For each leaf of a variable, what it is before the loop; None where it has no value there."""
        pattern = typed(Value, variable.pattern)
        if variable.entry is None or variable.entry.value is None:
            return [None] * len(leaves(pattern))
        absent: set[n.Atom] = set()

        def nothing(atom: n.Atom) -> n.Atom:
            absent.add(n.Var(f"absent {len(absent)}", atom.type))
            return n.Var(f"absent {len(absent) - 1}", atom.type)

        found = leaves(optional.like(pattern, variable.entry.value, nothing))
        return [None if atom in absent else atom for atom in found]

    def _is_float_before(self, initial: n.Atom | None, var: n.Var) -> bool:
        """Whether an argument starts as a Python float that is known by a name."""
        is_float = isinstance(initial, n.Var) and initial.type == PYFLOAT and var.type != PYFLOAT
        return is_float and initial is not None and forms.forms_of(self.ctx, initial) is None

    def _witness(self, variable: Variable, var: n.Var, initial: n.Atom | None) -> None:
        """Let an argument say whether another one has its own type, where nothing simpler does."""
        known, type = forms.forms_of(self.ctx, var), typed(Scalar, var.type)
        if variable.untold or not witnesses.is_told(self.ctx, initial, type):
            return
        if known is not None and known.gone is None:
            own = variable.witnesses[var.name] = self.ctx.names.fresh(TELLS_TYPE, PYBOOL)
            forms.set_gone(self.ctx, var, lambda: own)
        witnesses.mark(self.ctx, var, self.ctx.location(self.node))

    def _gone(self, variable: Variable, var: n.Var, initial: n.Atom | None) -> forms.Gone | None:
        """The test whether an argument has its own type: in all iterations but the first."""
        second = self.second
        if second is None:
            return None

        def test() -> n.Atom:
            variable.told = True
            return second()

        same = initial is not None and initial.type == var.type
        before = forms.forms_of(self.ctx, initial) if same and initial is not None else None
        return test if before is None else forms.either(self.ctx, test, before.gone)

    def _trusted(self) -> bool:
        """Whether the body relied on an argument being the constant that it starts as; then it is translated anew."""
        arguments = {atom.name for v in self.variables if v.is_argument and v.pattern is not None
                     for atom in leaves(v.pattern) if isinstance(atom, n.Var)}  # fmt: skip
        self.final = not arguments.isdisjoint(self.ctx.trusted)
        return self.final

    def _head_flag(self, variable: Variable) -> Binding | None:
        """Flags are always set while the loop runs; only the condition of a ``while`` sees them change."""
        name = variable.key[1]
        if name in self.tested:
            variable.pattern = self.ctx.names.fresh(stem_of(name), PYBOOL)
            variable.is_argument = True
            return Binding(variable.pattern)
        if name == "$value" or name.startswith(("$raised", "$held")):
            return variable.entry
        return Binding(TRUE)

    def _agrees(self) -> bool:
        """Whether the types after the body are those that it was translated with; otherwise take them over."""
        self.ended = self.end.fall is None
        if self.ended:
            return True
        agrees = True
        for variable in self.variables:
            old = (_signature_of_types(variable.pattern), variable.flagged, variable.problem is None)
            self._take_over(variable, self.end.bindings.get(variable.key))
            new = (_signature_of_types(variable.pattern), variable.flagged, variable.problem is None)
            variable.unsettled = not (old == new or not variable.at_head) or self._leaves_more(variable)
            agrees = agrees and not variable.unsettled
        return agrees

    def _leaves_more(self, variable: Variable) -> bool:
        """Whether an iteration leaves types of a value that the body was not translated for."""
        end = self.end.bindings.get(variable.key)
        if not variable.is_argument or end is None or end.value is None:
            return False
        if variable.pattern is None or variable.problem is not None:
            return False
        pattern = leaves(variable.pattern)
        last = leaves(optional.like(variable.pattern, end.value, _zero_or_itself))
        left = variable.left if len(variable.left) == len(pattern) else tuple({} for _ in pattern)
        found = tuple(self._others(variable, *item) for item in zip(pattern, last, left, strict=True))
        if variable.witnesses and not self._tells(variable, pattern, last):
            variable.untold = True
            return True
        if all(forms.covers(known, others) for known, others in zip(left, found, strict=True)):
            return False
        variable.left = found
        return True

    def _tells(self, variable: Variable, pattern: Sequence[n.Atom], last: Sequence[n.Atom]) -> bool:
        """Whether all witnesses of a variable can be handed on by an iteration."""
        pairs = ((a, b) for a, b in zip(pattern, last, strict=True) if isinstance(a, n.Var))
        return all(
            witnesses.is_told(self.ctx, end, typed(Scalar, var.type))
            for var, end in pairs
            if var.name in variable.witnesses
        )

    def _others(self, variable: Variable, var: n.Atom, last: n.Atom, left: forms.Others) -> forms.Others:
        """The types that an argument has after an iteration, as far as they matter."""
        if not isinstance(var.type, Scalar):
            return {}
        found = dict(left)
        forms.merge(found, forms.others_of(self.ctx, last, var.type), most=1)
        at_head = forms.others_of(self.ctx, var, var.type)
        return left if not variable.told and forms.covers(at_head, found) else found

    def _take_over(self, variable: Variable, end: Binding | None) -> None:
        entry, variable.problem = variable.entry, None
        bindings = [b for b in (self._needed_entry(variable), end) if b is not None]
        problems = [b.problem for b in bindings if b.problem is not None]
        if problems:
            lasting = [problem for problem in problems if not isinstance(problem, PoisonedError)]
            variable.problem = lasting[0] if lasting else None  # what poisoned it may go when types are known
            return
        values = [b.value for b in bindings if b.value is not None]
        if not values:
            return
        try:
            joined = values[0] if len(values) == 1 else _joined(self.ctx, values[0], values[1])
        except NoCommonTypeError:
            variable.problem = disagreement(variable.key, *bindings)
            variable.differing = (values[0], values[1])
            return
        self._set_pattern(variable, joined)
        defined = [FALSE if b is None else b.defined for b in (entry, end)]
        variable.flagged = any(flag != TRUE for flag in defined) and not variable.key[1].startswith("$")

    def _needed_entry(self, variable: Variable) -> Binding | None:
        """The binding on entry, unless the body surely replaces it before anyone reads it."""
        replaced = self.always_runs and not variable.at_head and not variable.key[1].startswith("$")
        return None if replaced else variable.entry

    def _set_pattern(self, variable: Variable, joined: Value) -> None:
        """Keep the arguments' own variables where their types did not change."""
        same = _signature_of_types(variable.pattern) == _signature_of_types(joined)
        if (not same or not variable.at_head) and variable.key[1] not in self.tested:
            variable.pattern = joined

    # --------------------------------------------------------------------------------------------- arguments

    def finish(self, body: Builder, location: Location) -> Carried:
        """Make the arguments: initial values before the loop, yields at the end of `body`."""
        self.ctx.environment = self.entry
        carried = Carried(frame=self.ctx.frame.number)
        if self.ended:
            self._undo(carried)
        else:
            for variable in self.variables:
                self._finish_variable(variable, body, location, carried)
        replace_in_notes(self.ctx, carried.constant)
        return carried

    def _undo(self, carried: Carried) -> None:
        """The body always raises: no argument ever changes."""
        for variable in self.variables:
            entry = variable.entry
            if entry is None or variable.pattern is None or entry.value is None or not variable.is_argument:
                continue
            pairs = [*zip(leaves(variable.pattern), self._filled(variable.pattern, entry.value), strict=True)]
            pairs += [
                (variable.witnesses[var.name], witnesses.own(self.ctx, init, typed(Scalar, var.type)))
                for var, init in pairs
                if isinstance(var, n.Var) and var.name in variable.witnesses
            ]
            pairs += [(variable.flag, entry.defined)] if variable.flag is not None else []
            for _, init in pairs:
                self.ctx.settle(init)
            carried.constant.update({var.name: init for var, init in pairs if isinstance(var, n.Var)})

    def _filled(self, pattern: Value, value: Value) -> list[n.Atom]:
        """The leaves of a value in the form of a pattern."""
        place = self.ctx.location(self.node)
        return leaves(optional.like(pattern, value, lambda atom: optional.filler(self.ctx, atom, place)))

    def _finish_variable(self, variable: Variable, body: Builder, location: Location, carried: Carried) -> None:
        end = self.end.bindings.get(variable.key)
        place = end.location if end is not None else location
        problem = variable.problem or (None if end is None else end.problem)
        if problem is not None:
            carried.after[variable.key] = Binding(None, TRUE, place, problem)
            return
        if end is None or end.value is None or variable.pattern is None:
            if variable.entry is not None:
                carried.after[variable.key] = variable.entry
            return
        maker = _Maker(self.ctx, variable, body, location, carried, self.ran, self._is_inside)
        value = maker.value(variable.pattern, *maker.alike(variable.pattern, self._initial(variable), end.value))
        defined = self._defined_after(variable, end, maker)
        carried.after[variable.key] = Binding(value, defined, place)
        if variable.key[1].startswith("$") and value in carried.results:  # else no iteration changes it
            carried.exits[variable.key] = carried.results.index(value)

    def _is_inside(self, name: str) -> bool:
        """Whether a variable is one of the loop's body."""
        return name not in self.known_before

    def _initial(self, variable: Variable) -> Value | None:
        entry = self._needed_entry(variable)
        return None if entry is None else entry.value

    def _defined_after(self, variable: Variable, end: Binding, maker: _Maker) -> n.Atom:
        """Whether the variable is defined after the loop: carried, or told by whether the loop ran."""
        entry = FALSE if variable.entry is None else variable.entry.defined
        if not variable.flagged or (self.always_runs and not variable.at_head and end.defined == TRUE):
            return TRUE
        if not variable.at_head and self.ran is not None and end.defined == TRUE and entry == FALSE:
            variable.known_after = True
            return FALSE
        flag = variable.flag or self.ctx.names.fresh(f"{variable.key[1]}_defined", PYBOOL)
        return maker.atom(flag, entry, end.defined)

    def bind(self, carried: Carried) -> None:
        """After the loop: bind the variables to its results."""
        bindings = dict(self.entry.bindings)
        ran: n.Atom | None = None
        self.ctx.environment = Environment(bindings, TRUE)
        for variable in self.variables:
            binding = carried.after.get(variable.key)
            if binding is None:
                continue
            if variable.known_after and self.ran is not None:
                ran = ran if ran is not None else self.ran()
                binding = replace(binding, defined=ran)
            bindings[variable.key] = binding
        merging.after_loop(self.ctx, self.several, self.ctx.location(self.node))


class _Maker:
    """Makes the arguments of one variable."""

    def __init__(
        self,
        ctx: Context,
        variable: Variable,
        body: Builder,
        location: Location,
        carried: Carried,
        ran: Callable[[], n.Atom] | None,
        inside: Callable[[str], bool],
    ) -> None:
        self.ran = ran
        self.inside = inside
        self.ctx = ctx
        self.variable = variable
        self.body = body
        self.location = location
        self.carried = carried

    def alike(self, pattern: Value, initial: Value | None, end: Value) -> tuple[Value | None, Value]:
        """What the variable is before the loop and after an iteration, where each may be None, in the same form."""

        def fill(atom: n.Atom) -> n.Atom:
            return optional.filler(self.ctx, atom, self.location)

        with self.ctx.block(self.body):
            end = optional.like(pattern, end, fill)
        return None if initial is None else optional.like(pattern, initial, fill), end

    def value(self, pattern: Value, initial: Value | None, end: Value) -> Value:
        """The variable's value after the loop, over results."""
        if isinstance(pattern, (n.Var, n.Const)):
            assert isinstance(end, (n.Var, n.Const)) and (initial is None or isinstance(initial, (n.Var, n.Const)))
            return self.atom(pattern, initial, end)
        starts = [None] * len(children(pattern)) if initial is None else list(children(initial))
        triples = zip(children(pattern), starts, children(end), strict=True)
        return rebuilt(pattern, [self.value(*triple) for triple in triples])

    def atom(self, pattern: n.Atom, initial: n.Atom | None, end: n.Atom) -> n.Atom:
        """One argument; one that no iteration changes is none."""
        type = pattern.type
        is_argument = isinstance(pattern, n.Var) and self.variable.is_argument
        told = self._is_told(type, initial, end)
        self.ctx.settle(initial if is_argument and not told else None)
        if initial is not None and end in (pattern if is_argument else initial, initial) and initial.type == type:
            if isinstance(pattern, n.Var) and is_argument:
                self.carried.constant[pattern.name] = initial
                self._keep_witness(pattern, initial)
            return initial
        if is_argument and isinstance(pattern, n.Var):
            var = pattern
        else:
            var = self.ctx.names.fresh(stem_of(self.variable.key[1]), type)
        given = initial, end
        if initial is None:
            initial = self.ctx.emit(n.Undefined(), type, self.location, "undefined")
        initial = join_cast(self.ctx, initial, type, self.location)
        with self.ctx.block(self.body):
            end = join_cast(self.ctx, end, type, self.location)
            self.ctx.settle(None if told else end)
        result = self._append(var, initial, end)
        forms.note_loop(self.ctx, result, *given, self.ran)
        if told:
            self._witness(var, result, *given, initial)
            self.ctx.handed_on.update(atom.name for atom in (initial, end) if isinstance(atom, n.Var))
        return result

    def _is_told(self, type: Type, initial: n.Atom | None, end: n.Atom) -> bool:
        """Whether it can be told that the variable has its own type; it must be, if floats are rounded to that type."""
        if not self.ctx.tells or not isinstance(type, Scalar):
            return False
        given = [atom for atom in (initial, end) if atom is not None]
        told = not self.variable.untold and all(witnesses.is_told(self.ctx, atom, type) for atom in given)
        if self.ctx.witnessed and not told and witnesses.any_rounded(given, type):
            raise TypeInferenceError(
                f"'{self.variable.key[1]}' may be float or {type_name(type)}, and nothing tells when", self.location
            )
        return told

    def _keep_witness(self, pattern: n.Var, initial: n.Atom) -> None:
        """The witness of an argument that no iteration changes, and that yields may name."""
        if isinstance(initial, n.Var):
            self.ctx.handed_on.add(initial.name)
        own = self.variable.witnesses.get(pattern.name)
        if own is not None:
            self.carried.constant[own.name] = witnesses.own(self.ctx, initial, typed(Scalar, pattern.type))

    def _witness(self, var: n.Var, result: n.Var, initial: n.Atom | None, end: n.Atom, converted: n.Atom) -> None:
        """Carry whether the variable has its own type; the initial value is also `converted` to that."""
        ctx, type = self.ctx, typed(Scalar, var.type)
        own, known = self.variable.witnesses.get(var.name), forms.forms_of(ctx, result)
        if own is None and known is None:
            return
        before = witnesses.own(ctx, initial, type)
        with ctx.block(self.body):
            after = witnesses.own(ctx, end, type)
        gone = self._append(own or ctx.names.fresh(TELLS_TYPE, PYBOOL), before, after)
        location = self.location
        replaced = None if initial is None else witnesses.replaced(ctx, result, converted, var, end, location)
        if known is not None and known.gone is None and replaced is not None:
            forms.set_gone(ctx, result, lambda: witnesses.combined(ctx, "or", (before, replaced()), location))
        elif known is not None and known.gone is None:
            self._set_gone(result, own, gone, before, after)
        witnesses.mark(ctx, result, self.location)

    def _set_gone(self, result: n.Var, own: n.Var | None, gone: n.Var, before: n.Atom, after: n.Atom) -> None:
        """Note how it is told whether a result has its own type: by what is known outside of the loop, if possible."""
        outside = witnesses.outside(self.ctx, after, self.inside, own)
        if outside is None or self.ran is None:
            forms.set_gone(self.ctx, result, lambda: gone)
            return
        ran, location, ctx = self.ran, self.location, self.ctx
        lasts = witnesses.lasts(ctx, after, own)

        def test() -> n.Atom:
            each = witnesses.combined(ctx, "or", outside(), location)
            if not lasts:
                return witnesses.chosen(ctx, ran(), each, before, location)
            run = witnesses.combined(ctx, "and", (ran(), each), location)
            return witnesses.combined(ctx, "or", (before, run), location)

        forms.set_gone(ctx, result, test, lasts and before == FALSE)

    def _append(self, var: n.Var, initial: n.Atom, end: n.Atom) -> n.Var:
        carried = self.carried
        result = self.ctx.names.fresh(var.stem, var.type)
        if self.ctx.is_nonnegative(initial) and self.ctx.is_nonnegative(end):
            self.ctx.nonnegative.add(result.name)
        carried.args += (n.LoopArg(var, initial),)
        carried.yields += (end,)
        carried.results += (result,)
        return result


def is_one_type(ctx: Context, a: Value, b: Value) -> bool:
    """Whether one variable can hold both values."""
    try:
        _joined(ctx, a, b)
    except NoCommonTypeError:
        return False
    return True


def _joined(ctx: Context, a: Value, b: Value) -> Value:
    """The structure of both values over variables of the common types."""
    if not same_structure(a, b):
        list_models.reconcile(ctx, a, b)
        pair = optional.paired(a, b, (_zero_or_itself, _zero_or_itself))
        if pair is None:
            raise NoCommonTypeError("")
        return _joined(ctx, *pair)
    if isinstance(a, (n.Var, n.Const)):
        assert isinstance(b, (n.Var, n.Const))
        type: Type = common_type(ctx, a, b)
        return a if a.type == type else b if b.type == type else n.Var("t", type)
    return rebuilt(a, [_joined(ctx, x, y) for x, y in zip(children(a), children(b), strict=True)])


def _zero_or_itself(atom: n.Atom) -> n.Atom:
    """What stands in a pattern in the place of a number or array that is absent."""
    return optional.zero(atom.type) if isinstance(atom.type, Scalar) else atom


def _signature(value: Value | None) -> object:
    """What the translation of a body may depend on: types, structure, and values of constants."""
    return _describe(value, constants=True)


def _signature_of_types(value: Value | None) -> object:
    return _describe(value, constants=False)


def _describe(value: Value | None, constants: bool) -> object:
    if isinstance(value, n.Const) and constants:
        return value
    if isinstance(value, (n.Var, n.Const)):
        return value.type
    if value is None:
        return None
    inner = tuple(_describe(child, constants) for child in children(value))
    if isinstance(value, Static):
        return "static", id(value.value)
    if isinstance(value, Closure):
        return "closure", id(value.node), value.frame.number
    number = value.number if constants and isinstance(value, Object) else 0
    return type(value).__name__, id(getattr(value, "type", None)), getattr(value, "attribute", ""), number, inner
