"""The parameters of a kernel that was written by hand: arrays that it reads and writes, and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft.errors import ArgumentError


@dataclass(frozen=True)
class In:
    """An array that a kernel reads.

    Parameters
    ----------
    name
        Its name; that of the parameter in the source may be another one.
    """

    name: str


@dataclass(frozen=True)
class Out:
    """An array that a kernel writes; elements that it leaves alone keep what they had."""

    name: str


@dataclass(frozen=True)
class InOut:
    """An array that a kernel reads and writes."""

    name: str


@dataclass(frozen=True)
class Scalar:
    """A number that a kernel takes.

    Parameters
    ----------
    name
        Its name.
    dtype
        Its type, such as ``"int32"``; None for the type in the source.
    """

    name: str
    dtype: str | None = None


Argument = In | Out | InOut | Scalar


@dataclass(frozen=True)
class Parameter:
    """What compiled functions know of an argument: whether it is an array that is read and written, and its type."""

    name: str
    dtype: str | None
    is_array: bool
    reads: bool
    writes: bool

    @classmethod
    def of(cls, argument: Argument, dtype: str | None) -> Parameter:
        """What is known of an argument of a type."""
        reads, writes = isinstance(argument, (In, InOut)), isinstance(argument, (Out, InOut))
        return cls(argument.name, dtype, reads or writes, reads, writes)


COMMON = {
    "char": "int8", "signed char": "int8", "unsigned char": "uint8", "short": "int16", "unsigned short": "uint16",
    "int": "int32", "signed": "int32", "unsigned": "uint32", "unsigned int": "uint32", "signed int": "int32",
    "long": "int64", "unsigned long": "uint64", "long int": "int64", "long long": "int64",
    "unsigned long long": "uint64", "float": "float32", "double": "float64", "size_t": "uint64", "bool": "bool",
    "int8_t": "int8", "uint8_t": "uint8", "int16_t": "int16", "uint16_t": "uint16", "int32_t": "int32",
    "uint32_t": "uint32", "int64_t": "int64", "uint64_t": "uint64", "ptrdiff_t": "int64", "_Bool": "bool",
}  # fmt: skip
OPENCL = {"uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64", "half": "float16"}
IGNORED = re.compile(
    r"\b(?:const|volatile|restrict|__restrict__|__restrict|__global|global|__constant|constant|register|__grid_constant__)\b"
)
COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


@dataclass(frozen=True)
class Declared:
    """A parameter as the source declares it: whether it is a pointer, and the element's type where that is known."""

    text: str
    is_pointer: bool
    dtype: str | None


def declared_in(source: str, name: str) -> list[Declared] | None:
    """The parameters of a function of a source text; None where no definition of it is found."""
    plain = COMMENTS.sub(" ", source)
    found = re.search(rf"\b{re.escape(name)}\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*\{{", plain)
    if found is None:
        return None
    parts = [part.strip() for part in found[1].split(",")]
    return [_declared(part) for part in parts if part and part != "void"]


def _declared(text: str) -> Declared:
    is_pointer = "*" in text or "[" in text
    words = IGNORED.sub(" ", text.split("[")[0].replace("*", " ")).split()
    kind = " ".join(words[:-1] if len(words) > 1 else words)
    return Declared(" ".join(text.split()), is_pointer, {**COMMON, **OPENCL}.get(kind))


def arguments_of(written: Sequence[object]) -> tuple[Argument, ...]:
    """The arguments as the user listed them; a bare name is a number."""
    found: list[Argument] = []
    for item in written:
        argument = Scalar(item) if isinstance(item, str) else item
        if not isinstance(argument, (In, Out, InOut, Scalar)):
            raise ArgumentError(
                f"{item!r} is no argument of a kernel",
                argument="arguments",
                hint='write weft.In("x"), weft.Out("y"), weft.InOut("z"), or "n" for a number',
            )
        if not argument.name.isidentifier() or argument.name in (other.name for other in found):
            raise ArgumentError(f"the argument name {argument.name!r} is twice there, or no name", argument="arguments")
        found.append(argument)
    if not any(isinstance(argument, (Out, InOut)) for argument in found):
        raise ArgumentError(
            "the kernel has no output", argument="arguments", hint='name an array that it writes: weft.Out("y")'
        )
    return tuple(found)


def typed(
    arguments: Sequence[Argument], source: str, name: str, has_local: bool = False
) -> tuple[tuple[str | None, ...], bool]:
    """The types of the arguments by the source, which must agree with what the user said; whether local memory is one.

    Raises
    ------
    ArgumentError
        There is no such function, or its parameters are others.
    """
    declared = declared_in(source, name)
    if declared is None:
        raise ArgumentError(
            f"the source has no function {name!r}", argument="name", hint="give the name of a function it defines"
        )
    is_last = len(declared) == len(arguments) + 1 and re.search(r"\b(?:__)?local\b", declared[-1].text) is not None
    takes_local = (has_local and is_last) or "extern __shared__" in source
    if has_local and is_last:
        declared = declared[:-1]
    if len(declared) != len(arguments):
        raise ArgumentError(
            f"{name} has {len(declared)} parameters, and {len(arguments)} are described",
            argument="arguments",
            hint="describe " + ", ".join(one.text for one in declared),
        )
    for argument, there in zip(arguments, declared, strict=True):
        if there.is_pointer == isinstance(argument, Scalar):
            kind = "an array" if there.is_pointer else "a number"
            raise ArgumentError(
                f"{argument.name!r} is {kind} in the source: {there.text}",
                argument="arguments",
                hint=f'write weft.In("{argument.name}")' if there.is_pointer else f'write "{argument.name}"',
            )
    types = tuple(_type(argument, there) for argument, there in zip(arguments, declared, strict=True))
    return types, takes_local


def _type(argument: Argument, there: Declared) -> str | None:
    asked = argument.dtype if isinstance(argument, Scalar) else None
    if asked and there.dtype and np.dtype(asked) != np.dtype(there.dtype):
        raise ArgumentError(
            f"{argument.name!r} is {there.dtype} in the source ({there.text}), not {asked}",
            argument="arguments",
            hint=f'write weft.Scalar("{argument.name}", "{there.dtype}")',
        )
    if isinstance(argument, Scalar) and not asked and not there.dtype:
        raise ArgumentError(
            f"the type of {argument.name!r} is not known: {there.text}",
            argument="arguments",
            hint=f'say which it is: weft.Scalar("{argument.name}", "int32")',
        )
    return asked or there.dtype


def bound(
    arguments: Sequence[Argument], types: Sequence[str | None], given: Sequence[object], named: Mapping[str, object]
) -> dict[str, Any]:
    """The arguments of a call by name: arrays as they are, numbers as NumPy numbers of their types.

    Numbers may be left out at the end: they are the number of elements of the first output.

    Raises
    ------
    ArgumentError
        Too many or too few; an array of another type, or one that is not contiguous; a number that does not fit.
    """
    names = [argument.name for argument in arguments]
    if len(given) > len(names) or not set(named) <= set(names[len(given) :]):
        raise ArgumentError(
            f"the kernel takes {', '.join(names)}",
            cause=f"given are {len(given)} in order and {', '.join(named) or 'none'} by name",
        )
    values: dict[str, object] = {**dict(zip(names, given, strict=False)), **named}
    output = next(a.name for a in arguments if isinstance(a, (Out, InOut)))
    for argument in arguments:
        if argument.name not in values and isinstance(argument, Scalar) and output in values:
            values[argument.name] = np.size(values[output])  # type: ignore[arg-type]
    missing = [name for name in names if name not in values]
    if missing:
        raise ArgumentError(f"{missing[0]!r} is missing", argument=missing[0], hint="pass " + ", ".join(names))
    return {
        argument.name: _value(argument, kind, values[argument.name])
        for argument, kind in zip(arguments, types, strict=True)
    }


def _value(argument: Argument, kind: str | None, value: object) -> Any:
    if isinstance(argument, Scalar):
        assert kind is not None
        return _number(argument.name, np.dtype(kind), value)
    if not isinstance(value, np.ndarray):
        raise ArgumentError(
            f"{argument.name!r} is {type(value).__name__}, and the kernel takes a NumPy array", argument=argument.name
        )
    if kind is not None and value.dtype != np.dtype(kind):
        raise ArgumentError(
            f"{argument.name!r} is an array of {value.dtype}, and the kernel takes {kind}",
            argument=argument.name,
            hint=f"pass {argument.name}.astype({kind!r})",
        )
    if not value.flags.c_contiguous or not value.dtype.isnative:
        raise ArgumentError(
            f"{argument.name!r} is not contiguous in memory",
            argument=argument.name,
            hint=f"pass np.ascontiguousarray({argument.name})",
        )
    if not isinstance(argument, In) and not value.flags.writeable:
        raise ArgumentError(f"{argument.name!r} is written, and the array is read-only", argument=argument.name)
    return value


def _number(name: str, kind: np.dtype[Any], value: object) -> Any:
    if not isinstance(value, (bool, int, float, np.number, np.bool_)):
        raise ArgumentError(f"{name!r} is {type(value).__name__}, and the kernel takes a number", argument=name)
    if kind.kind in "iu" and not (float(value).is_integer() and np.iinfo(kind).min <= value <= np.iinfo(kind).max):
        raise ArgumentError(f"{name!r} is {value!r}, which {kind} cannot hold", argument=name)
    return kind.type(value)
