"""What a name or expression stands for while a function is translated.

A value is an atom of the IR (a scalar or an array), or structure around atoms that exists only when compiling: tuples,
instances of dataclasses, functions, ranges. `children` and `rebuilt` take any structure apart and put it together
again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, fields, replace
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, SCALARS, Record, Scalar, Type, View

if TYPE_CHECKING:
    from weft.frontend.values.scope import Context, Frame


@dataclass(frozen=True, eq=False)
class Static:
    """An object that is known when compiling: None, a string, a type, a function, a module; and where it was found."""

    value: object
    source: n.Source | None = None


@dataclass(frozen=True, eq=False)
class Instance:
    """An instance of a dataclass or named tuple."""

    type: type
    names: tuple[str, ...]
    items: tuple[Value, ...]

    def get(self, name: str) -> Value:
        """The value of a field."""
        return self.items[self.names.index(name)]

    @property
    def is_tuple(self) -> bool:
        """Whether it is a named tuple."""
        return issubclass(self.type, tuple)


@dataclass(frozen=True, eq=False)
class Object(Instance):
    """An instance whose fields are assigned: `items` is empty, the fields are variables (see `mutable`)."""

    number: int = 0


@dataclass(frozen=True, eq=False)
class Reference(Instance):
    """An object that lists or dicts may hold: `items` is its index among those of its class, see `references`."""


@dataclass(frozen=True, eq=False)
class Optional:
    """What may be None: `item` where the Boolean `there` holds, see `weft.frontend.several_types.optional`."""

    there: n.Atom
    item: Value


@dataclass(frozen=True)
class OtherType:
    """A type, and the values that numbers of it have; None where these are not known, or many."""

    name: str
    values: tuple[n.Const, ...] | None = field(default=(), compare=False)


@dataclass(frozen=True, eq=False)
class Several:
    """An element of a list with numbers of two types: `item` holds it, and the Boolean `own` says whether it is of the
    type of `item`; else it is of the `other` one, see `weft.frontend.values.mixed`."""

    item: Value
    own: n.Atom
    other: OtherType


@dataclass(frozen=True, eq=False)
class Super:
    """``super()``: the attributes of an object, looked up behind one of its classes."""

    owner: Value
    after: type


@dataclass(frozen=True, eq=False)
class Closure:
    """A function or lambda defined inside the function being compiled; it sees the variables of `frame`."""

    node: ast.FunctionDef | ast.Lambda
    frame: Frame
    defaults: tuple[Value, ...] = ()
    keyword_defaults: tuple[Value | None, ...] = ()

    @property
    def name(self) -> str:
        """The function's name."""
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name


@dataclass(frozen=True, eq=False)
class Bound:
    """A method bound to an object: `function`, or one that Weft itself knows, named by `attribute`."""

    owner: Value
    function: Value | None = None
    attribute: str = ""


@dataclass(frozen=True, eq=False)
class Range:
    """A ``range``; its three numbers are ``pyint``."""

    start: n.Atom
    stop: n.Atom
    step: n.Atom
    claim: n.Claim = "range"


@dataclass(frozen=True, eq=False)
class Enumerated:
    """``enumerate(inner, start)``."""

    inner: Value
    start: n.Atom


@dataclass(frozen=True, eq=False)
class Zipped:
    """``zip(*items)``; `strict`: items of different lengths raise."""

    items: tuple[Value, ...]
    strict: bool = False


@dataclass(frozen=True, eq=False)
class Mapped:
    """``map(function, inner)``; `several`: each item of `inner` holds the arguments."""

    function: Value
    inner: Value
    several: bool = False


@dataclass(frozen=True, eq=False)
class Generated:
    """What a generator function gives: its body runs where a loop runs over it, in `frame`, with these parameters."""

    frame: Frame
    given: dict[str, Value]


@dataclass(frozen=True, eq=False)
class Reversed:
    """``reversed(inner)``."""

    inner: Value


@dataclass(frozen=True, eq=False)
class Places:
    """``np.ndindex(*extents)``: tuples of positions, the last of which counts fastest."""

    extents: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Flat:
    """``view.flat``: the elements of an array in C order."""

    view: Value


@dataclass(frozen=True, eq=False)
class SliceValue:
    """``start:stop:step``; absent parts are None."""

    start: n.Atom | None = None
    stop: n.Atom | None = None
    step: n.Atom | None = None


@dataclass(frozen=True, eq=False)
class Message:
    """A formatted string that is only shown: a ``str.format`` template over scalars and strings.

    `place` is where it stands in the source: there it is made where a program does more with it, see `text_model`.
    """

    template: str
    operands: tuple[Value, ...] = ()
    place: Location | None = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False)
class ArrayExpression:
    """An array whose elements are computed where they are used, see `weft.frontend.arrays.expressions`.

    Attributes
    ----------
    element
        The type of an element.
    extents
        The shape.
    operands
        Arrays, other expressions, and scalars.
    compute
        Emits an element, given those of the operands: arrays are broadcast to `extents`.
    agree
        Conditions, known when running: operands whose extents are not known to be equal have equal ones. Where one does
        not hold, an operand of extent 1 is repeated.
    faults
        Whether computing an element may raise.
    """

    element: Scalar
    extents: tuple[n.Atom, ...]
    operands: tuple[Value, ...]
    compute: Callable[[Sequence[n.Atom]], n.Atom]
    agree: tuple[n.Atom, ...] = ()
    faults: bool = False
    pick: Callable[[Sequence[n.Atom], Sequence[n.Atom]], n.Atom] | None = None
    """Set where the first operand is an array, and the others are positions in it: emits the element, given its
    position in the result, and the elements of the arrays of positions."""
    shares: bool = False
    """NumPy's result shares memory with an array, so that it must be consumed at once, or not be told from a copy."""
    front: int = 0
    spanned: tuple[n.Atom, ...] = ()
    """With `pick`: the axes of the result that the arrays of positions span: where they begin, and their extents."""
    read_only: bool = False
    """NumPy's result shares memory that cannot be written through it."""
    split: tuple[int, tuple[n.Atom, ...]] | None = None
    """Where the result is a view of the only operand with one of its axes as several: the axis, and what it becomes."""
    joined: range = range(0)
    """Where the result has some axes of the only operand as one: which. NumPy copies where they do not lie so."""


Value: TypeAlias = (
    "n.Var | n.Const | tuple[Value, ...] | Static | Instance | Optional | Several | Super | Closure | Bound | Range"
    " | Enumerated | Zipped | Mapped | Generated | Reversed | Places | Flat | SliceValue | Message | ArrayExpression"
)


class DictView(tuple):  # type: ignore[type-arg]
    """The keys, values or items of a dict with constant keys: a tuple of what the dict has now.

    Attributes
    ----------
    again
        Gives the view of what the dict has later.
    """

    again: Callable[[Context, ast.AST], DictView]


NONE = Static(None)
UNSET = Static(MISSING)
"""What an attribute of an object holds that was not assigned yet."""
TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)
ZERO, ONE = n.Const(0, PYINT), n.Const(1, PYINT)

ITERATORS = (Enumerated, Zipped, Mapped, Generated, Reversed, Places, Flat)
"""What gives its items once."""

_WITH_CHILDREN = (
    Instance,
    Optional,
    Several,
    Bound,
    Range,
    Enumerated,
    Zipped,
    Mapped,
    Reversed,
    Places,
    Flat,
    SliceValue,
)


def children(value: Value) -> tuple[Value, ...]:
    """The values directly inside a value; an atom has none."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, (Instance, Zipped)):
        return value.items
    if isinstance(value, Message):
        return value.operands
    if isinstance(value, _WITH_CHILDREN):
        return tuple(getattr(value, name) for name in _child_fields(value))
    return ()


def rebuilt(value: Value, items: Sequence[Value]) -> Value:
    """The same structure with other children."""
    if isinstance(value, tuple):
        return tuple(items)
    if isinstance(value, (Instance, Zipped)):
        return replace(value, items=tuple(items))
    if isinstance(value, Message):
        return replace(value, operands=tuple(items))
    if isinstance(value, _WITH_CHILDREN):
        return replace(value, **dict(zip(_child_fields(value), items, strict=True)))  # type: ignore[arg-type]
    return value


def _child_fields(value: Value) -> list[str]:
    kinds = (n.Var, n.Const, tuple, Static, Closure, *_WITH_CHILDREN)
    return [f.name for f in fields(value) if isinstance(getattr(value, f.name), kinds)]  # type: ignore[arg-type]


def is_atom(value: object) -> bool:
    """Whether a value is an atom of the IR."""
    return isinstance(value, (n.Var, n.Const))


def leaves(value: Value) -> list[n.Atom]:
    """The atoms inside a value, in order."""
    if isinstance(value, (n.Var, n.Const)):
        return [value]
    return [atom for child in children(value) for atom in leaves(child)]


def map_leaves(value: Value, change: Callable[[n.Atom], n.Atom]) -> Value:
    """The same structure with every atom changed."""
    if isinstance(value, (n.Var, n.Const)):
        return change(value)
    inner = children(value)
    return rebuilt(value, [map_leaves(child, change) for child in inner]) if inner else value


def same_object(a: object, b: object) -> bool:
    """Whether two compile-time objects are the same to a program."""
    if a is b or type(a) is not type(b):
        return a is b
    return repr(a) == repr(b) if isinstance(a, (int, float)) else isinstance(a, (str, np.dtype)) and a == b


def same_structure(a: Value, b: Value) -> bool:
    """Whether two values differ in their atoms at most."""
    if is_atom(a) or is_atom(b):
        return is_atom(a) and is_atom(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, Static) and isinstance(b, Static):
        return same_object(a.value, b.value)
    if isinstance(a, Instance) and isinstance(b, Instance) and a.type is not b.type:
        return False
    if isinstance(a, Generated):
        return a is b
    if isinstance(a, Closure) and isinstance(b, Closure):
        return a.node is b.node and a.frame is b.frame
    if not _same_rest(a, b):
        return False
    inner, other = children(a), children(b)
    return len(inner) == len(other) and all(map(same_structure, inner, other))


def _same_rest(a: Value, b: Value) -> bool:
    for name in ("attribute", "claim", "template", "number", "strict", "several", "other"):
        if getattr(a, name, None) != getattr(b, name, None):
            return False
    return type(a) not in _WITH_CHILDREN or isinstance(a, (Instance, Zipped)) or _child_fields(a) == _child_fields(b)


def scalar_type(value: Value) -> Scalar | None:
    """The type of a scalar; None for any other value."""
    if isinstance(value, (n.Var, n.Const)) and isinstance(value.type, Scalar):
        return value.type
    return None


def is_none(value: Value | None) -> bool:
    """Whether a value is None, or an argument is absent."""
    return value is None or (isinstance(value, Static) and value.value is None)


def is_view(value: Value) -> bool:
    """Whether a value is an array."""
    return isinstance(value, n.Var) and isinstance(value.type, View)


_PYTHON_NAMES = {PYBOOL: "bool", PYINT: "int", PYFLOAT: "float", PYCOMPLEX: "complex"}


def type_name(type: Type) -> str:
    """A type in the user's words."""
    if isinstance(type, Scalar):
        return _PYTHON_NAMES.get(type, f"np.{type}")
    if isinstance(type, View):
        element = "structured" if isinstance(type.element, Record) else str(type.element)
        layout = "" if type.contiguous else ", strided"
        return f"array of {element} with {type.ndim} dimension{'s' * (type.ndim != 1)}{layout}" + (
            "" if type.writable else ", read-only"
        )
    return str(type)


def describe_value(value: Value) -> str:
    """A value's type in the user's words."""
    if isinstance(value, (n.Var, n.Const)):
        return type_name(value.type)
    if isinstance(value, tuple):
        return f"tuple of {len(value)}"
    if isinstance(value, Instance):
        return value.type.__name__
    if isinstance(value, Optional):
        return f"{describe_value(value.item)} or None"
    if isinstance(value, Several):
        return f"{describe_value(value.item)} or {type_name(SCALARS[value.other.name])}"
    if isinstance(value, Static):
        return _describe_static(value.value)
    if isinstance(value, ArrayExpression):
        return type_name(View(value.element, len(value.extents), True))
    return {
        Closure: "function", Super: "super", Bound: "method", Range: "range", Enumerated: "enumerate", Zipped: "zip",
        Mapped: "map", Generated: "generator",
        Reversed: "reversed", Places: "ndindex", Flat: "flat array", SliceValue: "slice", Message: "str",
    }[type(value)]  # fmt: skip


def with_article(words: str) -> str:
    """``a tuple of 2``, ``an array``; what has an article, and None, stay as they are.

    Examples
    --------
    >>> with_article("array of float64 with 1 dimension")
    'an array of float64 with 1 dimension'
    """
    if words.startswith(("the ", "None")):
        return words
    return f"an {words}" if words[:1].lower() in "aeio" else f"a {words}"


def _describe_static(value: object) -> str:
    if value is None:
        return "None"
    if value is MISSING:
        return "not assigned"
    if isinstance(value, type):
        return f"the type {value.__name__}"
    if isinstance(value, ModuleType):
        return f"the module {value.__name__}"
    if callable(value):
        return f"the function {getattr(value, '__name__', value)}"
    return type(value).__name__
