"""What is known of an argument when a function is specialised: the types that a specialisation is keyed by.

`describe` gives the type of a value, `flatten` its leaves (scalars and arrays) in the order of `Program.params`. Sizes
and values of numbers are not part of a type; the structure of tuples and dataclasses, strings, None and functions are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, fields, is_dataclass, replace
from enum import Enum
from inspect import isclass
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, TypeAlias

import numpy as np

from weft.dataclass import dataclass
from weft.errors import ArgumentError
from weft.frontend.remedies.values import for_object, is_of_numba
from weft.frontend.source.fingerprint import fingerprint, hidden_members
from weft.frontend.source.plain import attributes_of, is_plain
from weft.ir.kernel_calls import is_foreign
from weft.ir.types import HOST as HOST
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Element, Scalar, View, element_of, scalar_of

MAX_DIMENSIONS = 8

DEEPEST = 16
"""How many objects inside of one another are taken apart."""
_open: ContextVar[frozenset[int]] = ContextVar("_open", default=frozenset())
"""The objects that are being taken apart."""


@dataclass(frozen=True)
class Constant:
    """A value that is part of the specialisation: None, a string, a type or a library's function.

    A number may be described so too: then its value, not only its type, is compiled in.
    """

    value: object


@dataclass(frozen=True)
class Unusable:
    """What an object holds that compiled code cannot take: its class, and what to do instead."""

    kind: str
    hint: str


@dataclass(frozen=True)
class TupleType:
    """A tuple of described items."""

    items: tuple[ArgumentType, ...]


@dataclass(frozen=True)
class TextType:
    """A string that is not part of the specialisation: a long one, or an element of a list."""


@dataclass(frozen=True)
class ListType:
    """A list of any length: the type of its elements, numbers, strings, tuples of these, or lists; None if empty.

    With `keys`, the elements are dicts with these keys, and `item` is the tuple of the types of their values.
    """

    item: Scalar | TextType | tuple[Scalar | TextType, ...] | ListType | None
    keys: tuple[str | int, ...] = ()


@dataclass(frozen=True)
class FixedListType:
    """A list of arrays, whose number is known."""

    items: tuple[ArgumentType, ...]


@dataclass(frozen=True)
class InstanceType:
    """A dataclass or named tuple: its class, its fields by name, what of the class the object's own attributes hide."""

    type: type
    fields: tuple[tuple[str, ArgumentType], ...]
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class CallableType:
    """A Python function: its content, and the types of what its closure holds (by name, leaves of the argument).

    `function` is one function of that content. It takes no part in comparisons and is not pickled.
    """

    name: str
    digest: str
    captured: tuple[tuple[str, ArgumentType], ...] = ()
    function: FunctionType | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return CallableType, (self.name, self.digest, self.captured)


@dataclass(frozen=True)
class MethodOf:
    """A bound method: its function and the object it is bound to."""

    function: CallableType
    bound: ArgumentType


ArgumentType: TypeAlias = (
    "Scalar | View | Constant | TextType | TupleType | ListType | FixedListType | InstanceType | CallableType"
    " | MethodOf"
)

Arrays: TypeAlias = "Callable[[list[Any], ListType], Sequence[object]]"
"""What makes the arrays of a list."""

_PYTHON_NUMBERS: dict[type, Scalar] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}


def describe(value: object, name: str = "", memory: str = HOST) -> ArgumentType:
    """The type of an argument or captured value.

    Parameters
    ----------
    value
        What the user passed.
    name
        The parameter's name, for messages.
    memory
        Where coherent arrays are going to be when the function runs.

    Raises
    ------
    ArgumentError
        Weft cannot take the value; the message says why.
    """
    if isinstance(value, np.ndarray):
        return describe_array(value, name)
    if is_coherent(value):
        view: View = value.__weft_type__(memory)  # type: ignore[attr-defined]
        return view
    weak = _PYTHON_NUMBERS.get(type(value))
    if weak is not None:
        return _describe_number(value, weak, name)
    if isinstance(value, np.generic):
        return _describe_numpy_scalar(value, name)
    if isinstance(value, Enum):
        return PYINT if isinstance(value, int) else Constant(value)
    if value is None or isinstance(value, (str, type, np.ufunc, BuiltinFunctionType, np.dtype)) or is_marker(value):
        return Constant(value)
    interface = device_interface(value)
    if interface is None:
        return _describe_structure(value, name, memory)
    _check_is_plain(value, name)
    return describe_device_array(interface, name, _gpu_of(value))


def is_coherent(value: object) -> bool:
    """Whether a value is an array that the runtime moves to where it is used."""
    return hasattr(type(value), "__weft_type__")


def device_interface(value: object) -> dict[str, Any] | None:
    """What an array of another library says about its memory on an NVIDIA GPU; None for everything else."""
    if isinstance(value, type) or is_record(type(value)) and not _has_interface(value):
        return None
    found: dict[str, Any] | None = getattr(value, "__cuda_array_interface__", None)
    if found is None and hasattr(value, "__dlpack__"):
        from weft.frontend.arrays import dlpack

        return dlpack.interface_of(value)
    return found


def _has_interface(value: object) -> bool:
    """Whether an object or its class itself says that it is an array: ``__getattr__`` has an answer to everything."""
    names = ("__cuda_array_interface__", "__dlpack__")
    own = getattr(value, "__dict__", {})
    return any(hasattr(type(value), name) or name in own for name in names)


def _check_is_plain(value: object, name: str) -> None:
    """ArgumentError where PyTorch has put off a conjugation or a change of sign: memory holds other numbers then."""
    for asked, remedy in (("is_conj", "resolve_conj"), ("is_neg", "resolve_neg")):
        said = getattr(value, asked, None)
        if callable(said) and said():
            raise ArgumentError(
                "the tensor's numbers are not those in its memory", argument=name, hint=f"pass x.{remedy}()"
            )


def _gpu_of(value: object) -> str:
    """The GPU that an array of another library is on: the first where the library does not say."""
    from weft.frontend.arrays import dlpack

    return f"cuda:{number}" if (number := dlpack.number_of(value)) else "cuda"


def describe_device_array(interface: Mapping[str, Any], name: str = "", memory: str = "cuda") -> View:
    """The type of an array in the memory of a GPU, from its ``__cuda_array_interface__``.

    Raises
    ------
    ArgumentError
        As for `describe_array`; also for masked arrays.
    """
    if interface.get("mask") is not None:
        raise ArgumentError("masked arrays are not supported", argument=name)
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    if len(shape) > MAX_DIMENSIONS:
        raise ArgumentError(
            f"the array has {len(shape)} dimensions; at most {MAX_DIMENSIONS} are supported", argument=name
        )
    if not dtype.isnative or dtype.names is not None:
        raise ArgumentError(f"arrays of dtype {dtype.str} on a device are not supported", argument=name)
    strides, element = device_strides(interface), _element_of(dtype, name)
    if any(place % dtype.alignment for place in (interface["data"][0] or 0, *strides)):
        raise ArgumentError(f"the array's elements ({dtype}) are misaligned in memory", argument=name)
    contiguous = not shape or 0 in shape or shape[-1] == 1 or strides[-1] == dtype.itemsize
    return View(element, len(shape), contiguous, not interface["data"][1], memory=memory)


def device_strides(interface: Mapping[str, Any]) -> tuple[int, ...]:
    """The strides of an array on a GPU in bytes; those of a C-contiguous one are left out in its interface."""
    strides = interface.get("strides")
    if strides is not None:
        return tuple(strides)
    found: list[int] = []
    step = np.dtype(interface["typestr"]).itemsize
    for extent in reversed(interface["shape"]):
        found.insert(0, step)
        step *= extent
    return tuple(found)


RANGE_PARTS = ("start", "stop", "step")


def _describe_structure(value: object, name: str, memory: str) -> ArgumentType:
    if type(value) is range:
        return InstanceType(range, tuple((part, describe(getattr(value, part), name)) for part in RANGE_PARTS))
    if type(value) is tuple:
        return TupleType(tuple(describe(item, f"{name}[{k}]", memory) for k, item in enumerate(value)))
    if type(value) is dict and all(type(key) is str for key in value):
        return InstanceType(dict, tuple((k, _describe_field(v, f"{name}[{k!r}]", memory)) for k, v in value.items()))
    if is_record(type(value)):
        with _opened(value, name):
            taken = describe if isinstance(value, tuple) else _describe_field
            items = tuple((n, taken(getattr(value, n), f"{name}.{n}", memory)) for n in fields_of(value))
        return InstanceType(type(value), items, hidden_members(value))
    if isinstance(value, MethodType):
        function = describe(value.__func__, name, memory)
        if isinstance(function, CallableType):
            return MethodOf(function, describe(value.__self__, name, memory))
    function = undecorated(value)
    if isinstance(function, FunctionType):
        return _describe_function(function, name, memory)
    raise _refusal(value, name)


def is_marker(value: object) -> bool:
    """Whether a value is one of Weft's own words, such as ``weft.STOP``."""
    return type(value).__module__ == "weft.frontend.calls.markers"


@contextmanager
def _opened(value: object, name: str) -> Iterator[None]:
    """While an object is taken apart, nothing that it holds may hold it; and objects are not taken apart for ever."""
    around = _open.get()
    if id(value) in around or len(around) >= DEEPEST:
        what = "holds itself" if id(value) in around else f"is inside of {DEEPEST} others"
        raise ArgumentError(
            f"an object that {what} cannot be taken apart",
            argument=name,
            hint="pass the numbers and arrays that are used",
        )
    token = _open.set(around | {id(value)})
    try:
        yield
    finally:
        _open.reset(token)


def _describe_field(value: object, name: str, memory: str) -> ArgumentType:
    """The type of what an object holds: what compiled code cannot take is refused where the function uses it."""
    try:
        return describe(value, name, memory)
    except ArgumentError as error:
        return Constant(Unusable(type(value).__name__, error.hint or for_object(value)))


def is_record(type_: type) -> bool:
    """Whether instances of a class are taken apart into fields: dataclasses, named tuples and plain classes."""
    return is_dataclass(type_) or (issubclass(type_, tuple) and hasattr(type_, "_fields")) or is_plain(type_)


def field_names(type_: type) -> tuple[str, ...]:
    """The fields of a dataclass or named tuple, in order; a plain class has none, only its objects have attributes."""
    if is_dataclass(type_):
        return tuple(f.name for f in fields(type_))
    return tuple(getattr(type_, "_fields", ()))


def fields_of(value: object) -> tuple[str, ...]:
    """The names of what an object is taken apart into."""
    return tuple(attributes_of(value)) if is_plain(type(value)) else field_names(type(value))


def describe_array(array: np.ndarray[Any, Any], name: str = "") -> View:
    """The type of an array.

    Raises
    ------
    ArgumentError
        Its dtype, its byte order, its alignment or its number of dimensions is not supported.
    """
    _check_array(array, name)
    element = _element_of(array.dtype, name)
    contiguous = array.ndim == 0 or array.size == 0 or array.shape[-1] == 1 or array.strides[-1] == array.itemsize
    return View(element, array.ndim, contiguous, bool(array.flags.writeable))


def _check_array(array: np.ndarray[Any, Any], name: str) -> None:
    if type(array) not in (np.ndarray, np.memmap):
        if isinstance(array, np.ma.MaskedArray):
            raise ArgumentError(
                "arrays of the class MaskedArray are not supported",
                argument=name,
                cause="compiled code would use the numbers behind the mask",
                hint="pass its data and its mask as two arrays, or what its method filled(...) returns",
            )
        raise ArgumentError(
            f"arrays of the class {type(array).__name__} are not supported",
            argument=name,
            hint="pass np.asarray(...) of it",
        )
    if array.ndim > MAX_DIMENSIONS:
        raise ArgumentError(
            f"the array has {array.ndim} dimensions; at most {MAX_DIMENSIONS} are supported", argument=name
        )
    if not array.dtype.isnative:
        raise ArgumentError(
            f"the array's dtype {array.dtype.str} is byte-swapped",
            argument=name,
            hint="convert it once: a.astype(a.dtype.newbyteorder('='))",
        )
    if not array.flags.aligned:
        raise ArgumentError(
            f"the array's elements ({array.dtype}) are misaligned in memory",
            argument=name,
            hint="pass a copy: a.copy()",
        )


def check_layout(dtype: np.dtype[Any], offset: int, strides: tuple[int, ...]) -> None:
    """ArgumentError where a coherent array cannot have such elements; `offset` and `strides` are bytes."""
    if not dtype.isnative:
        raise ArgumentError(f"the dtype {dtype.str} is byte-swapped")
    _element_of(dtype, "")
    alignment = dtype.alignment
    if any(place % alignment for place in (offset, *strides)):
        raise ArgumentError(f"the elements ({dtype}) would be misaligned in memory")


def _element_of(dtype: np.dtype[Any], name: str) -> Element:
    try:
        return element_of(dtype)
    except KeyError:
        raise ArgumentError(
            f"arrays of dtype {dtype} are not supported",
            argument=name,
            cause="Weft knows bool, all sizes of int and uint, float16/32/64, complex64/128, and structures of these",
            hint=_for_dtype(dtype),
        ) from None


def _for_dtype(dtype: np.dtype[Any]) -> str:
    """What to do about elements that compiled code cannot take."""
    if dtype.kind in "mM":
        return "pass its numbers, a.view(np.int64), which count its unit; NaT is the smallest one"
    if dtype.kind in "USTO":
        return "pass numbers: codes of the strings from np.unique(a, return_inverse=True), or a.astype(float)"
    return "convert it to one of these with its method astype"


def _describe_number(value: object, weak: Scalar, name: str) -> Scalar:
    if weak == PYINT and not -(2**63) <= value < 2**63:  # type: ignore[operator]
        hint = "pass np.uint64(...) of it, or a float" if 0 <= value < 2**64 else "pass a float"  # type: ignore[operator]
        raise ArgumentError("the int does not fit in 64 bits", argument=name, hint=hint)
    return weak


def _describe_numpy_scalar(value: np.generic, name: str) -> Scalar:
    try:
        return scalar_of(value.dtype)
    except KeyError:
        hint = _for_dtype(value.dtype).replace("a.", "x.")
        raise ArgumentError(
            f"NumPy scalars of dtype {value.dtype} are not supported", argument=name, hint=hint
        ) from None


def _describe_function(function: FunctionType, name: str, memory: str) -> CallableType:
    captured = []
    for cell_name, content in cells(function).items():
        try:
            captured.append((cell_name, describe(content, f"{name}:{cell_name}", memory)))
        except ArgumentError:
            continue  # refused by name where the function uses it
    return CallableType(function.__qualname__, fingerprint(function).digest, tuple(captured), function)


def undecorated(value: Any) -> Any:
    """The Python function behind one that `weft.jit` made; anything else itself."""
    if isinstance(value, FunctionType) or not type(value).__module__.startswith("weft."):
        return value
    return getattr(value, "__wrapped__", value)


def cells(function: FunctionType) -> dict[str, object]:
    """What the closure of a function holds, by name; names that were not assigned yet are left out."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:
            continue
        if content is not function:
            found[name] = content
    return found


def _refusal(value: object, name: str) -> ArgumentError:
    kind = type(value).__name__
    if isinstance(value, (list, set, frozenset, dict)):
        return ArgumentError(
            f"a {kind} cannot be passed to compiled code",
            argument=name,
            cause=f"a {kind} has no fixed element type and may change its length",
            hint=for_object(value),
        )
    if is_of_numba(value):
        return ArgumentError(
            f"{getattr(value, '__name__', kind)} is compiled by Numba",
            argument=name,
            cause="Weft compiles the Python functions that it is given, and this one is no such function",
            hint="take the decorator off it",
        )
    if is_foreign(value):
        return ArgumentError(
            f"the kernel {value.name} cannot be an argument of compiled code",  # type: ignore[attr-defined]
            argument=name,
            cause="what it is has to be known when the function is compiled",
            hint="give it a name outside of the compiled function, and call that",
        )
    return ArgumentError(
        f"objects of the class {kind} cannot be passed to compiled code",
        argument=name,
        cause="Weft takes arrays, numbers, strings, None, functions, tuples, objects of dataclasses and plain classes",
        hint=for_object(value),
    )


def flatten(value: object, type: ArgumentType, arrays: Arrays | None = None) -> list[object]:
    """The leaves of a value that was described as `type`, in the order of `Program.params`.

    Examples
    --------
    >>> flatten((1, (2.0, None)), describe((1, (2.0, None))))
    [1, 2.0]
    """
    leaves: list[object] = []
    _flatten_into(value, type, leaves, arrays)
    return leaves


def _flatten_into(value: Any, type: ArgumentType, leaves: list[object], arrays: Arrays | None) -> None:
    if isinstance(type, (Scalar, View)):
        leaves.append(int(value) if isinstance(value, Enum) and isinstance(value, int) else value)
    elif isinstance(type, (TupleType, FixedListType)):
        for item, item_type in zip(value, type.items, strict=True):
            _flatten_into(item, item_type, leaves, arrays)
    elif isinstance(type, (ListType, TextType)):
        assert arrays is not None
        leaves += arrays(value, type) if isinstance(type, ListType) else arrays([value], ListType(type))
    elif isinstance(type, InstanceType):
        for name, field_type in type.fields:
            _flatten_into(value[name] if isinstance(value, dict) else getattr(value, name), field_type, leaves, arrays)
    elif isinstance(type, CallableType):
        contents = cells(undecorated(value))
        for name, cell_type in type.captured:
            _flatten_into(contents[name], cell_type, leaves, arrays)
    elif isinstance(type, MethodOf):
        _flatten_into(value.__func__, type.function, leaves, arrays)
        _flatten_into(value.__self__, type.bound, leaves, arrays)


def without_functions(type: ArgumentType) -> ArgumentType:
    """An equal type that keeps no function alive, nor the arrays that functions capture."""
    if isinstance(type, TupleType):
        return TupleType(tuple(map(without_functions, type.items)))
    if isinstance(type, InstanceType):
        return replace(type, fields=tuple((name, without_functions(part)) for name, part in type.fields))
    if isinstance(type, CallableType):
        captured = tuple((name, without_functions(part)) for name, part in type.captured)
        return CallableType(type.name, type.digest, captured)
    if isinstance(type, MethodOf):
        function = without_functions(type.function)
        assert isinstance(function, CallableType)
        return MethodOf(function, without_functions(type.bound))
    return type


def parts_of(type: ArgumentType) -> Iterator[ArgumentType]:
    """A type and all that it is made of."""
    yield type
    if isinstance(type, (TupleType, FixedListType)):
        inner: tuple[ArgumentType, ...] = type.items
    elif isinstance(type, InstanceType):
        inner = tuple(field_type for _, field_type in type.fields)
    elif isinstance(type, CallableType):
        inner = tuple(cell_type for _, cell_type in type.captured)
    elif isinstance(type, MethodOf):
        inner = (type.function, type.bound)
    else:
        inner = ()
    for part in inner:
        yield from parts_of(part)


def classes_in(types: Iterable[ArgumentType]) -> list[type]:
    """The classes in the types of arguments: what their methods do belongs to the key of a specialisation."""
    parts = [part for type in types for part in parts_of(type)]
    classes = [part.type for part in parts if isinstance(part, InstanceType)]
    return classes + [part.value for part in parts if isinstance(part, Constant) and isclass(part.value)]
