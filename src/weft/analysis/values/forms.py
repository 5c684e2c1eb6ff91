"""Integer values of a program as linear forms, by walking definitions.

A value whose definition is not arithmetic is a symbol of its own. Python's ints never wrap (what does not fit raises),
so their arithmetic is exact; NumPy's integers wrap, so theirs counts only where the result is proven to fit. Values
carried round a loop that grow by the same amount in every iteration are given in closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Definition, Loop, Region, Structure
from weft.analysis.access.views import Index, ViewMap, derive, index_of, whole
from weft.analysis.values.linear import (
    ZERO,
    Form,
    constant,
    divisors,
    element,
    extent,
    positive,
    product,
    quotient,
    remainder,
    run_of,
    symbol,
)
from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, Type, View, limits

NonNegative = Callable[[Form, Region], bool]
"""Answers whether a form is proven not to be negative at a region."""


def is_integer(type: Type) -> bool:
    """Whether values of a type are integers (Booleans are not)."""
    return isinstance(type, Scalar) and type.kind in "iu"


class Forms:
    """Values of variables as linear forms, remembered.

    Parameters
    ----------
    structure, aliases
        The code and its storages.
    prove
        Answers whether a form is not negative somewhere; False is always allowed.
    closed
        Whether carried values are replaced by their closed forms.
    """

    def __init__(self, structure: Structure, aliases: Aliases, prove: NonNegative, closed: bool = True) -> None:
        self.structure = structure
        self.aliases = aliases
        self.prove = prove
        self.closed = closed
        self.open = Forms(structure, aliases, prove, closed=False) if closed else self
        self._values: dict[str, Form] = {}
        self._views: dict[str, ViewMap] = {}

    def of(self, atom: n.Atom) -> Form:
        """The value of an integer atom."""
        if isinstance(atom, n.Const):
            return constant(int(atom.value)) if isinstance(atom.value, int) else symbol(repr(atom.value))
        form = self._values.get(atom.name)
        if form is None:
            self._values[atom.name] = symbol(atom.name)  # what the value is to itself, while it is looked for
            form = self._value(atom)
            self._values[atom.name] = form
        return form

    def view(self, var: n.Var) -> ViewMap:
        """What a view shows of its array."""
        found = self._views.get(var.name)
        if found is None:
            found = self._view(var)
            self._views[var.name] = found
        return found

    def extent(self, view: n.Var, axis: int) -> Form:
        """The extent of one axis of a view."""
        return self.view(view).extents[axis]

    def trips(self, loop: Loop) -> Form | None:
        """How often a loop runs if nothing ends it early; None for a ``while`` loop."""
        node = loop.node
        if isinstance(node, n.While):
            return None
        trips = self.of(node.stop) - self.of(node.start)
        return trips if self.prove(trips, loop.region) else positive(trips)

    def step_of(self, loop: Loop, place: int) -> Form | None:
        """By how much a carried integer grows in every iteration; None where that is not always the same."""
        arg = loop.node.args[place]
        if isinstance(loop.node, n.While) or not is_integer(arg.var.type):
            return None
        step = self.open.of(loop.node.body.yields[place]) - symbol(arg.var.name)
        if any(self.structure.is_inside(name, loop) for name in step.names):
            return None
        if not all(self.prove(divisor - 1, loop.region) for divisor in divisors(step)):
            return None  # before the first division, what is carried has a value and the quotient has none
        return self._close(step)

    def _value(self, var: n.Var) -> Form:
        definition = self.structure.definitions.get(var.name)
        if definition is None or not isinstance(var.type, Scalar):
            return symbol(var.name)
        if definition.kind == "let":
            return self._let(definition)
        if definition.kind == "argument" and self.closed:
            return self._argument(definition)
        if definition.kind == "result":
            return self._result(definition)
        return symbol(var.name)

    def _let(self, definition: Definition) -> Form:
        value = definition.value
        if isinstance(value, n.Dim):
            return self.extent(value.view, value.axis)
        if isinstance(value, n.Load):
            return self._load(definition, value)
        if not is_integer(definition.var.type):
            return symbol(definition.var.name)
        form = self._arithmetic(definition, value)
        return symbol(definition.var.name) if form is None else form

    def _arithmetic(self, definition: Definition, value: n.Expression | None) -> Form | None:
        if isinstance(value, n.Cast):
            return self._cast(definition, value)
        if isinstance(value, n.Select):
            then, orelse = self.of(value.then), self.of(value.orelse)
            return then if then == orelse else None
        if isinstance(value, n.Unary):
            return self._fitting(definition, self._unary(value))
        if isinstance(value, n.Binary):
            return self._fitting(definition, self._binary(definition, value))
        return None

    def _fitting(self, definition: Definition, form: Form | None) -> Form | None:
        """The form, unless it is computed in a type in which it may wrap."""
        return form if form is not None and self._fits(form, definition.var.type, definition.region) else None

    def _fits(self, form: Form, type: Type, region: Region) -> bool:
        if type == PYINT:
            return True
        low, high = limits(type)
        return self.prove(form - low, region) and self.prove(high - form, region)

    def _cast(self, definition: Definition, value: n.Cast) -> Form | None:
        source, target = value.operand.type, definition.var.type
        if not is_integer(source):
            return None
        form = self.of(value.operand)
        if source == PYINT or target == PYINT or _holds(source, target):
            return form  # conversions from and to Python's ints raise where the value does not fit
        return form if self._fits(form, target, definition.region) else None

    def _unary(self, value: n.Unary) -> Form | None:
        form = self.of(value.operand)
        if value.op == "neg":
            return -form
        if value.op == "pos":
            return form
        return -form - 1 if value.op == "invert" else None

    def _binary(self, definition: Definition, value: n.Binary) -> Form | None:
        left, right = self.of(value.left), self.of(value.right)
        if value.op == "add":
            return left + right
        if value.op == "sub":
            return left - right
        if value.op == "mul":
            return product(left, right)
        if value.op in ("floordiv", "mod"):
            return self._division(definition, value, left, right)
        if value.op in ("min", "max"):
            return self._extreme(definition, value, left, right)
        return _bits(value.op, left, right.value)

    def _division(self, definition: Definition, value: n.Binary, left: Form, right: Form) -> Form | None:
        if value.left.type != PYINT and not self.prove(right - 1, definition.region):
            return None  # NumPy's ``x // 0`` is 0
        if not right:
            return None  # it raises
        if self.prove(left, definition.region) and self.prove(right - 1 - left, definition.region):
            return ZERO if value.op == "floordiv" else left
        form = quotient(left, right) if value.op == "floordiv" else remainder(left, right)
        return form if len(form.terms) <= MOST_DIVISION_TERMS and form.depth <= DEEPEST else None

    def _extreme(self, definition: Definition, value: n.Binary, left: Form, right: Form) -> Form | None:
        if self.prove(right - left, definition.region):
            return left if value.op == "min" else right
        if self.prove(left - right, definition.region):
            return right if value.op == "min" else left
        more = positive(left - right)
        if more.depth > DEEPEST:
            return None
        return left - more if value.op == "min" else right + more

    def _load(self, definition: Definition, value: n.Load) -> Form:
        var = definition.var
        if not is_integer(var.type) or value.mask is not None:
            return symbol(var.name)
        version = self._version(value.view, definition)
        view = self.view(value.view)
        if version is None or view.fields:
            return symbol(var.name)
        indices = [index_of(a, value.bounds, e, self.of) for a, e in zip(value.indices, view.extents, strict=True)]
        located = view.locate([self._settled(index, definition.region) for index in indices])
        if any(index.sign is not None for index in located):
            return symbol(var.name)
        return element(view.array.name, (index.form for index in located), version)

    def _settled(self, index: Index, region: Region) -> Index:
        """The index without the case of counting from the end, where its sign is proven."""
        return settled(index, region, self.prove)

    def _version(self, view: n.Var, definition: Definition) -> str | None:
        """A mark that is the same for all loads between which nobody writes the array; None where there is no such."""
        roots = self.aliases.roots(view)
        if roots.isdisjoint(self.aliases.written(self.structure.root)):
            return ""
        for loop in definition.loops:
            if roots.isdisjoint(self.aliases.written(loop.body)):
                return run_of(loop.label)
        return None

    def _argument(self, definition: Definition) -> Form:
        loop = definition.loops[-1]
        step = self.step_of(loop, definition.place)
        if step is None or not isinstance(loop.node, n.For):
            return symbol(definition.var.name)
        init = loop.node.args[definition.place].init
        return self.of(init) + step * (symbol(loop.node.index.name) - self.of(loop.node.start))

    def _result(self, definition: Definition) -> Form:
        statement, own = definition.statement, symbol(definition.var.name)
        if isinstance(statement, n.If):
            then, orelse = (self.of(b.yields[definition.place]) for b in (statement.then, statement.orelse))
            return then if then == orelse else own
        if not isinstance(statement, n.For) or not is_integer(definition.var.type):
            return own
        loop = self.structure.loops[statement.label]
        step = self.step_of(loop, definition.place)
        trips = self.trips(loop)
        if step is None or trips is None or (statement.exit is not None and step):
            return own
        return self.of(statement.args[definition.place].init) + step * trips

    def _close(self, form: Form) -> Form:
        """A form of the loop-carried values themselves, with the closed forms put in."""
        if not self.closed:
            return form
        values = {}
        for name in form.symbols:
            definition = self.structure.definitions.get(name)
            if definition is not None and definition.kind in ("argument", "result"):
                values[name] = self.of(definition.var)
        return form.substitute(values)

    def _view(self, var: n.Var) -> ViewMap:
        definition = self.structure.definitions.get(var.name)
        value = None if definition is None else definition.value
        if isinstance(value, n.Alloc):
            return whole(var, [self.of(atom) for atom in value.shape])
        if isinstance(value, (n.Subview, n.Transpose, n.Split, n.FieldView)):
            return derive(self.view(value.view), value, self.of)
        if isinstance(value, n.Merge):
            axis, extents = value.axis, self.view(value.view).extents
            return whole(var, [*extents[:axis], extents[axis] * extents[axis + 1], *extents[axis + 2 :]])
        assert isinstance(var.type, View)
        own = whole(var, [extent(var.name, axis) for axis in range(var.type.ndim)])
        self._views[var.name] = own  # while it is looked for, its extents are those of no other array
        return replace(own, extents=self._carried_extents(var) or own.extents)

    def _carried_extents(self, var: n.Var) -> tuple[Form, ...] | None:
        """The extents of an array that loops carry, where all arrays that it may be have the same ones."""
        arrays = sorted(self.aliases.whole_arrays(var), key=lambda array: self.structure.definition(array).order)
        if not arrays or arrays == [var]:
            return None
        region, root = self.structure.definition(var).region, self.structure.root
        known = [a for a in arrays if self.structure.definition(a).region.contains(region)]
        if not known:
            return None
        first = self.view(known[0]).extents
        pairs = ((f, g) for a in arrays for f, g in zip(first, self.view(a).extents, strict=True) if f != g)
        if not all(self.prove(f - g, root) and self.prove(g - f, root) for f, g in pairs):
            return None
        return first


MOST_DIVISION_TERMS = 8
DEEPEST = 4
"""How deep ``//``, ``min`` and ``max`` may stand inside of one another; a value beyond is a symbol of its own."""


def settled(index: Index, region: Region, prove: NonNegative) -> Index:
    """An index without the case of counting from the end where the sign is proven, else the index itself."""
    if index.sign is None or prove(index.sign, region):
        return Index(index.form)
    if prove(-index.sign - 1, region):
        return Index(index.form + index.wrap)
    return index


def _holds(source: Type, target: Type) -> bool:
    """Whether every value of an integer type is one of another."""
    low, high = limits(source)
    least, most = limits(target)
    return least <= low and high <= most


def _bits(op: str, left: Form, right: int | None) -> Form | None:
    """Shifts and masks by constants as the multiplications and divisions that they are."""
    if right is None or not 0 <= right < 2**62:
        return None
    if op in ("shl", "shr") and right < 62:
        size = constant(1 << right)
        return left * size if op == "shl" else quotient(left, size)
    if op == "and" and right & (right + 1) == 0:
        return remainder(left, constant(right + 1))
    return None
