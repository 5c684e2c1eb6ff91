"""The state of a translation: where statements go, what names stand for, where one is in the source.

`Context` holds one program being built. Variables of all functions on the way (the compiled one and those inlined
into it) live in one environment, keyed by frame and name, so that joins treat them alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from typing import Any, Protocol, TypeAlias

from weft.dataclass import dataclass
from weft.errors import Code, Error, TypeInferenceError, UnsupportedError, ValueError
from weft.frontend import remedies
from weft.frontend.control.liveness import Facts, Liveness
from weft.frontend.source.supported import FEATURES
from weft.frontend.values import wide_integers
from weft.frontend.values.values import FALSE, ITERATORS, TRUE, Generated, Object, Value, children
from weft.ir import nodes as n
from weft.ir.interface import Source
from weft.ir.location import UNKNOWN, Location
from weft.ir.pins import Pin
from weft.ir.types import PYINT, Type, View
from weft.ir.visit import Names, atoms_of, blocks_of

Key: TypeAlias = "tuple[int, str]"
"""A variable: the number of its frame and its name. Names that start with ``$`` are Weft's own."""


NO_FRAME = -1
"""The number of a frame for values that no variable of the program refers to."""

WITNESSED: ContextVar[bool] = ContextVar("WITNESSED", default=False)
"""Whether programs are translated with witnesses: see `weft.frontend.several_types.witnesses`."""

TELLING: ContextVar[bool | None] = ContextVar("TELLING", default=False)
"""Whether loops and branches hand on which type a value has; None: not yet, but a result may ask for it."""

_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Settling(Protocol):
    """What `unrounded` knows of a value that may be rounded."""

    @property
    def settle(self) -> Callable[[], None]:
        """Emits the test that it is not."""


def _rounds(statement: n.Statement) -> bool:
    """Whether a statement rounds a value to the type that it has, as CPython does there."""
    if isinstance(statement, n.Store):
        return isinstance(statement.view.type, View) and statement.view.type.element == statement.value.type
    value = statement.value if isinstance(statement, n.Let) else None
    return isinstance(statement, n.Let) and isinstance(value, n.Cast) and value.operand.type == statement.var.type


_CLASSES: dict[str, type[UnsupportedError]] = {"truth of an array": ValueError}
"""Refusals of what CPython refuses, too, by an exception of its own."""


class PoisonedError(Error):
    """A value that an error, already reported, left without meaning. Never shown."""


@dataclass(frozen=True, eq=False)
class Binding:
    """What a variable stands for.

    `defined` is a Boolean atom: False where the variable has no value yet, or where it still has the type that it had
    before a loop, which did not run: then using it is the error that `missing` says. `problem` is the error that using
    the variable is, where branches or iterations leave values that no one type holds.
    """

    value: Value | None
    defined: n.Atom = TRUE
    location: Location = UNKNOWN
    problem: Error | None = None
    missing: str = ""


@dataclass
class Environment:
    """Variables at one point of the program.

    `fall` says whether control arrives here: a Boolean atom, False after ``break``, ``continue`` or ``return``; None
    after ``raise``, which ends the program.
    """

    bindings: dict[Key, Binding] = field(default_factory=dict)
    fall: n.Atom | None = TRUE
    facts: frozenset[tuple[str, bool]] = frozenset()
    """Booleans whose values tests around tell: see `optional`."""

    def copy(self) -> Environment:
        """An environment that can change by itself."""
        return Environment(dict(self.bindings), self.fall, self.facts)


@dataclass
class Loop:
    """A loop being translated: its pseudo-variables, None where no jump needs them."""

    alive: str | None


@dataclass(eq=False)
class Frame:
    """A function being translated, the compiled one or one that is inlined."""

    number: int
    name: str
    node: ast.FunctionDef | ast.Lambda
    file: str
    function: Any = None
    """The Python function (a `FunctionType`); None for functions defined inside the compiled one."""
    parent: Frame | None = None
    """The frame whose variables a nested function sees."""
    caller: Frame | None = None
    call: Location | None = None
    locals: frozenset[str] = frozenset()
    liveness: Liveness = field(default_factory=Liveness)
    loops: list[Loop] = field(default_factory=list)
    path: str = ""
    """How the function is reached from the compiled one: the first part of names of captured values."""
    hidden: bool = False
    """The function is Weft's own: places in it are shown as the place of the call."""
    is_small: bool = False
    """No sum, difference or product in it is beyond 64 bits."""
    returns: bool = False
    stops: bool = False
    """It is the body of a parallel loop: it returns `weft.STOP` or nothing."""
    nested_writes: frozenset[str] = frozenset()
    consume: Callable[[Value], None] | None = None
    """What is done with each value that a generator yields; None for other functions."""
    left_by: tuple[Key, ...] = ()
    """Flags and results of the loops that run over a generator, and may leave it where it yields."""
    constants: Mapping[str, object] = field(default_factory=dict)
    """The parameters whose values are known when compiling."""

    def key(self, name: str) -> Key:
        """The key of one of this frame's variables."""
        return self.number, name

    def iterated(self, loop: int) -> Key:
        """The key of the value that the loop at a depth in this frame runs over."""
        return NO_FRAME, f"$iterated {self.number} {loop}"

    def callers(self) -> Iterator[Frame]:
        """The frame and those that called it, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.caller


@dataclass(eq=False)
class Builder:
    """The statements of a block being built, and the variables that it defines."""

    statements: list[n.Statement] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Snapshot:
    """The parts of a `Context` that a trial translation changes."""

    following: dict[str, int]
    taken: set[str]
    errors: int
    functions: dict[object, tuple[n.Function, Value]]
    externals: dict[str, object]
    nonnegative: set[str]
    frames: int
    starts: dict[str, n.Const]
    trusted: set[str]
    forms: dict[str, object]
    unrounded: dict[str, Settling]
    handed_on: set[str]
    extremes: dict[str, tuple[str, str]]
    cached_calls: dict[int, frozenset[Any]]
    recursive: list[Any]


SHARED_VIEW = "shared_view"
"""The stem of copies that may become views: see `arrays.shared_views`."""


@dataclass(frozen=True)
class ViewInstead:
    """Code for a view in place of a copy: when it is right, how it is made, and what stops the copy where it is not.

    `chosen` are arrays on whose order that depends, as loops or branches leave them: it is known at the end which.
    """

    before: tuple[n.Statement, ...]
    condition: n.Atom
    then: n.Block
    guard: tuple[n.Statement, ...]
    chosen: frozenset[n.Var] = frozenset()


@dataclass(frozen=True)
class SharedView:
    """A copy of `bases` that must not be told from NumPy's view: see `arrays.shared_views`.

    `instead` is code that makes the view; where there is none, `refusal` says that the program is not supported.
    """

    copy: n.Var
    bases: tuple[n.Var, ...]
    refusal: Error
    instead: ViewInstead | None = None


class Context:
    """One program being built; `memory` is where coherent arrays are when it runs."""

    def __init__(self, memory: str = "host") -> None:
        self.memory = memory
        self.witnessed = WITNESSED.get()
        self.tells = True if self.witnessed else TELLING.get()
        self.builder = Builder()
        self.environment = Environment()
        self.names = Names()
        self.params: list[n.Param] = []
        self.functions: dict[object, tuple[n.Function, Value]] = {}
        self.externals: dict[str, object] = {}
        self.pins: dict[Pin, None] = {}
        self.errors: list[Error] = []
        self.frames = 0
        self.frame: Frame
        self.follows = False
        self.own: set[str] = set()
        self.implied: dict[str, tuple[bool, tuple[tuple[n.Atom, bool], ...]]] = {}
        """For results of branches, the value from which others follow, and these: see `optional`."""
        """Variables of a user who calls them ``t``, as temporaries are called."""
        self.nonnegative: set[str] = set()
        self.captured: dict[object, Value] = {}
        self.known_loops: dict[object, object] = {}
        self.in_function = False
        self.tries: list[Any] = []
        self.handled: list[Any] = []
        self.scope: Any = None
        self.guard: Callable[[Context, n.Statement], bool] | None = None
        """The ``try`` statements around what is translated, what the handlers around it caught, the block that
        exceptions leave, and what is done before each statement inside them: see `control.catching`."""
        self.starts: dict[str, n.Const] = {}
        self.trusted: set[str] = set()
        self.forms: dict[str, object] = {}
        """What variables may be besides what their types say: see `forms`."""
        self.unrounded: dict[str, Settling] = {}
        """Variables that may be Python's numbers rounded, with their tests; those that the next operation may take, and
        those that results of branches were made of: see `unrounded`."""
        self.permitted: frozenset[str] = frozenset()
        self.handed_on: set[str] = set()
        self.extremes: dict[str, tuple[str, str]] = {}
        """For values that are the extreme of a variable and other numbers: ``min`` or ``max``, and the variable."""
        self.paths: dict[int, str] = {}
        self.analysed: dict[int, Liveness] = {}
        self.facts: dict[int, Facts] = {}
        self.kept: list[ast.AST] = []
        self.root_globals: dict[str, object] = {}
        self.hidden: dict[type, frozenset[str]] = {}
        """Attributes of classes that objects from outside hide by attributes of their own."""
        self.fixed: frozenset[Source] = frozenset()
        """Captured numbers that count as constants: see `fixed`."""
        self.given_names: frozenset[str] = frozenset()
        """The parameters of the compiled function."""
        self.mutable: frozenset[type] = frozenset()
        self.pools: dict[type, Object] = {}
        self.marks: dict[type, n.Var] = {}
        """By class, the list of the objects that are references, and which of them are in the result: see `pooled`."""
        self.definitions: dict[str, n.Expression] = {}
        self.extents: dict[str, tuple[n.Atom, ...]] = {}
        self.slices: dict[str, tuple[int, int]] = {}
        """How variables were defined; the shapes of arrays that an expression made; the lengths of slices that leave so
        many elements out at both ends: see `arrays.extents_of`."""
        self.awaited: list[Value] = []
        """Array expressions that come before what is being translated: see `arrays.extents_of.raise_unless`."""
        self.in_order: dict[int, tuple[n.Alloc, frozenset[n.Var]]] = {}
        """By identity, new arrays that lie in C order in NumPy, too, where parameters do: see `memory_order`."""
        self.shared_views: dict[str, SharedView] = {}
        """Copies of what are views in NumPy."""
        self.kept_parts: dict[str, tuple[str, Error] | None] = {}
        """Where lists of arrays keep these, of which array, and the refusal: see `arrays.kept_parts`."""
        self.objects = 0
        self.recursive_calls = 0
        self.recursion: Any = None
        self.root: Frame | None = None
        self.cached: dict[int, Any] = {}
        self.cached_calls: dict[int, frozenset[Any]] = {}
        """How functions with caches are called: see `recursion.calls.check_cached`."""
        self.of_calls: set[str] = set()
        """Functions that call themselves, and arrays that these gave: see `calls.recursion`; the compiled function."""
        self.written_by_nested: set[Key] = set()
        """Variables of functions that nested functions assign, even after the outer function has returned."""
        self.iterated_rows: tuple[Value, ...] = ()
        self.heaps: dict[Any, Object] = {}
        self.texts: Object | None = None
        self.begun_texts = 0
        """What loops run over: lists, by the numbers of their objects, and lists in heaps; the heaps: see `heaps`; the
        pool of strings, and how many it begins with: see `texts`."""
        self.used_up: dict[int, Value] = {}
        self.iterators: dict[int, tuple[tuple[object, ...], Value]] = {}
        self.loops: tuple[object, ...] = ()
        self.in_any_order: dict[tuple[object, ...], bool] = {}
        """Places at which a loop may run over a set, and whether one does: see `any_order`."""
        self.of_lists: set[str] = set()
        """Numbers that are elements of lists: they are the objects that were put there."""
        self.places_of_lists: dict[int, Location] = {}
        """Where lists were made, by the numbers of their objects: see `lists`."""
        self.given: list[tuple[Object, Source]] = []
        self.given_fields: dict[int, dict[str, Value]] = {}
        """Classes whose fields are assigned, the objects of them so far, those that are arguments: see `mutable`."""

    # ------------------------------------------------------------------------------------------ places and errors

    def location(self, node: ast.AST) -> Location:
        """The place of a node in the user's source."""
        frame = self.frame
        if frame.hidden and frame.call is not None:
            return frame.call
        line, column, *end = (getattr(node, name, None) or 0 for name in _PLACE)
        return Location(frame.file, line, column, end[0], end[1], frame.name, frame.call)

    def refusal(self, feature: str, node: ast.AST, **words: str) -> UnsupportedError:
        """The error for a construct that the table of features refuses."""
        entry = FEATURES[feature]
        error = _CLASSES.get(feature, UnsupportedError)(
            entry.message.format(**words),
            self.location(node),
            cause=entry.cause,
            hint=entry.hint.format(**words),
        )
        error.code = self.code_for(feature, node, **words)
        return error

    def type_error(
        self,
        message: str,
        node: ast.AST,
        *,
        cause: str = "",
        hint: str = "",
        kind: type[TypeInferenceError] = TypeInferenceError,
    ) -> TypeInferenceError:
        """The error for an operation that its types do not have."""
        return kind(message, self.location(node), cause=cause, hint=hint)

    def code_for(self, construct: str, node: ast.AST, **words: str) -> Code | None:
        """What to write instead of a construct of the user's, where that can be written."""
        frame = self.frame
        while frame.parent is not None:
            frame = frame.parent
        if frame.hidden:
            return None
        names: dict[str, object] = getattr(frame.function, "__globals__", {})
        return remedies.code_for(construct, frame.node, node, names, words)

    def report(self, error: Error) -> None:
        """Keep an error, to be raised with all others at the end."""
        if isinstance(error, PoisonedError):
            return
        if all(str(error) != str(known) for known in self.errors):
            self.errors.append(error)

    def is_never_reached(self) -> bool:
        """Whether what was translated before, in the current block, always raises."""
        if self.environment.fall is None and any(map(_always_raises, self.builder.statements)):
            return True
        own = self.scope is not None and self.scope.builder is self.builder
        return own and any(marker.test == TRUE for marker in self.scope.markers)

    # ------------------------------------------------------------------------------------------------- emission

    def emit(self, value: n.Expression, type: Type, node: ast.AST | Location, stem: str = "t") -> n.Var:
        """Append a definition to the current block."""
        location = node if isinstance(node, Location) else self.location(node)
        var = self.names.fresh(stem, type)
        self.append(n.Let(var, value, location))
        return var

    def append(self, statement: n.Statement) -> None:
        """Append a statement to the current block, and before it the tests of values that may be rounded."""
        if self.tries and self.guard is not None and self.guard(self, statement):
            return
        if self.unrounded and not _rounds(statement):
            for atom in atoms_of(statement):
                if isinstance(atom, n.Var) and atom.name not in self.permitted:
                    self.settle(atom)
            yields = (atom for block in blocks_of(statement) for atom in block.yields)
            open = {a.name for a in yields if isinstance(a, n.Var) and a.name in self.unrounded}
            assert open <= self.handed_on, "a value that may be rounded leaves a block"
        self.put(statement)

    def settle(self, atom: n.Atom | None) -> None:
        """Emit the test that a value is not another one rounded, if it may be."""
        found = self.unrounded.pop(atom.name, None) if isinstance(atom, n.Var) else None
        if found is None or not isinstance(atom, n.Var):
            return
        found.settle()
        self.handed_on.add(atom.name)
        if atom.name not in self.builder.names:  # the test stands in a branch: it is needed again elsewhere
            self.unrounded[atom.name] = found

    def put(self, statement: n.Statement) -> None:
        """Append a statement that stood in another block and has its tests."""
        wide_integers.check(statement)
        if isinstance(statement, n.Let):
            self.builder.names.add(statement.var.name)
            self.definitions[statement.var.name] = statement.value
        else:
            self.builder.names.update(v.name for v in getattr(statement, "results", ()))
        self.builder.statements.append(statement)

    def splice(self, builder: Builder) -> None:
        """Append all statements of another block."""
        for statement in builder.statements:
            self.put(statement)

    def dimension(self, view: n.Var, axis: int, node: ast.AST | Location) -> n.Var:
        """The extent of an axis."""
        var = self.emit(n.Dim(view, axis), PYINT, node, f"{view.stem}_dim{axis}")
        self.nonnegative.add(var.name)
        return var

    def named(self, atom: Value, stem: str, since: int) -> Value:
        """Give the temporary defined last the user's name, if it is newer than the first `since` statements."""
        statements = self.builder.statements
        if not (isinstance(atom, n.Var) and atom.stem == "t" and len(statements) > since) or atom.name in self.own:
            return atom
        last = statements[-1]
        if not (isinstance(last, n.Let) and last.var == atom):
            return atom
        var = self.names.fresh(stem, atom.type)
        if stem == "t":
            self.own.add(var.name)
        self.builder.names.add(var.name)
        self.definitions[var.name] = last.value
        if atom.name in self.extents:
            self.extents[var.name] = self.extents[atom.name]
        statements[-1] = replace(last, var=var)
        for names in (self.nonnegative, self.of_lists):
            if atom.name in names:
                names.add(var.name)
        if atom.name in self.forms:
            self.forms[var.name] = self.forms[atom.name]
        if atom.name in self.unrounded:
            self.unrounded[var.name] = self.unrounded[atom.name]
        if atom.name in self.extremes:
            self.extremes[var.name] = self.extremes[atom.name]
        return var

    @contextmanager
    def block(self, builder: Builder | None = None) -> Iterator[Builder]:
        """Statements emitted inside go to another block."""
        outer = self.builder
        self.builder = builder if builder is not None else Builder()
        try:
            yield self.builder
        finally:
            self.builder = outer

    @contextmanager
    def followed(self, follows: bool) -> Iterator[None]:
        """Whether more statements come after the list being translated (in the loop body or function around it)."""
        outer = self.follows
        self.follows = follows
        try:
            yield
        finally:
            self.follows = outer

    def snapshot(self) -> Snapshot:
        """What `restore` needs to forget a trial translation."""
        return Snapshot(
            dict(self.names._next), set(self.names._taken), len(self.errors), dict(self.functions),
            dict(self.externals), set(self.nonnegative), self.frames, dict(self.starts),
            set(self.trusted), dict(self.forms), dict(self.unrounded), set(self.handed_on),
            dict(self.extremes),
            dict(self.cached_calls), [] if self.recursion is None else list(self.recursion.made),
        )  # fmt: skip

    def restore(self, snapshot: Snapshot) -> None:
        """Forget a trial translation; captured values that it met stay parameters, numbers of objects stay taken."""
        self.names._next = dict(snapshot.following)
        self.names._taken = snapshot.taken | {p.var.name for p in self.params}
        del self.errors[snapshot.errors :]
        self.functions = dict(snapshot.functions)
        self.externals = dict(snapshot.externals)
        self.nonnegative = set(snapshot.nonnegative)
        self.frames = snapshot.frames
        self.starts = dict(snapshot.starts)
        self.trusted = set(snapshot.trusted)
        self.forms = dict(snapshot.forms)
        self.unrounded, self.handed_on = dict(snapshot.unrounded), set(snapshot.handed_on)
        self.extremes = dict(snapshot.extremes)
        self.cached_calls = dict(snapshot.cached_calls)
        if self.recursion is not None:
            self.recursion.made = list(snapshot.recursive)
        for known in (self.definitions, self.extents, self.slices, self.implied):
            for name in [name for name in known if name not in snapshot.taken]:
                del known[name]

    # ------------------------------------------------------------------------------------------------ variables

    def lookup(self, key: Key) -> Binding | None:
        """The binding of a variable, if it has one."""
        return self.environment.bindings.get(key)

    def bind(self, name: str, value: Value, node: ast.AST, frame: Frame | None = None) -> None:
        """Assign a variable of the current frame."""
        frame = frame or self.frame
        self.environment.bindings[frame.key(name)] = Binding(value, TRUE, self.location(node))
        self.note_iterators(value)

    def note_iterators(self, value: Value) -> None:
        """Remember in which loops a name for an iterator was assigned."""
        if isinstance(value, ITERATORS):
            self.iterators.setdefault(id(value), (self.loops, value))
            for child in children(value):
                self.note_iterators(child)

    def poison(self, names: tuple[str, ...], node: ast.AST) -> None:
        """Leave variables without meaning after an error."""
        error = PoisonedError("poisoned")
        for name in names:
            self.environment.bindings[self.frame.key(name)] = Binding(None, TRUE, self.location(node), error)

    def set_flag(self, name: str, value: bool) -> None:
        """Set one of the current frame's own Boolean variables."""
        self.environment.bindings[self.frame.key(name)] = Binding(TRUE if value else FALSE)

    def flag(self, name: str) -> n.Atom:
        """The value of one of the current frame's own Boolean variables."""
        binding = self.environment.bindings[self.frame.key(name)]
        assert isinstance(binding.value, (n.Var, n.Const))
        return binding.value

    def is_nonnegative(self, atom: n.Atom) -> bool:
        """Whether an integer is known not to be negative, from how it was made."""
        if isinstance(atom, n.Const):
            return isinstance(atom.value, int) and atom.value >= 0
        return atom.name in self.nonnegative

    def start_of(self, atom: n.Atom) -> n.Const | None:
        """The constant that an atom is, or that a loop argument starts as while the loop's types are not settled."""
        if isinstance(atom, n.Const):
            return atom
        if atom.name in self.starts:
            self.trusted.add(atom.name)
        return self.starts.get(atom.name)

    def new_frame(self, **parts: object) -> Frame:
        """A frame with a number of its own."""
        self.frames += 1
        return Frame(self.frames, **parts)  # type: ignore[arg-type]


def check_no_generator(ctx: Context, value: Value, node: ast.AST) -> None:
    """Refuse a generator that is given a name or returned: where it is used up is not known then."""
    if isinstance(value, Generated):
        raise ctx.refusal("generator with a name", node)
    for child in children(value):
        check_no_generator(ctx, child, node)


def view_type(atom: n.Var) -> View:
    """The type of an array."""
    assert isinstance(atom.type, View)
    return atom.type


def _always_raises(statement: n.Statement) -> bool:
    """Whether a statement ends in an exception whatever happens."""
    if isinstance(statement, n.If):
        return all(any(map(_always_raises, block.statements)) for block in (statement.then, statement.orelse))
    return isinstance(statement, n.Raise)
