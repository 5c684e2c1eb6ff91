"""Helper functions in C: kept as text in files, written into generated code only where it uses them.

A file is a sequence of pieces with an empty line between them; each piece defines one or more names. In a template the
names end in ``_@``: it is written once for each type that is asked for. Templates of ``integers.h`` are for Booleans
and integers, those of ``floats.h`` and ``complex.h`` for such numbers. These words are replaced:

========== ==========================================================
``@``      the NumPy name of the type (``int64``)
``TYPE``   its C type
``UTYPE``  the unsigned integer of the same size
``ITYPE``  the signed integer of the same size
``BITS``   its size in bits
``SUFFIX`` ``f`` for float32 and complex64, else nothing
``PART``   the C type of the parts of a complex number
``PARTTAG`` the NumPy name of that type
========== ==========================================================

Names that end in a vector type, as ``float64x8`` does, are the business of `vector_helpers`.

A name has one definition. A file that has a better one for its dialect says so in a comment, ``/* Replaces: exp_@ */``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from weft.backends.text import vector_helpers
from weft.backends.text.code import words
from weft.errors import InternalError
from weft.ir.types import SCALARS

_DEFINES = (
    re.compile(r"^#define (\w+)", re.M),
    re.compile(r"^typedef [^;{]*?([\w@]+)(?: __attribute__\(.*\))?;", re.M),
    re.compile(r"^\} ([\w@]+);", re.M),
    re.compile(r"^(?:static|HELPER|RARE|FRESH|__device__)[^(=;]*?([\w@]+)(?:\(|\[|;| =)", re.M),
    re.compile(r"^(?:struct|enum) (\w+) \{", re.M),
)
_REPLACES = re.compile(r"/\* Replaces: ([^*]*)\*/")

_KINDS = {
    "integers": "biu",
    "floats": "f",
    "complex": "c",
    "vector_trigonometry": "f",
    "vector_special": "f",
    "vectors": "v",
}


def _names(text: str) -> Iterator[str]:
    for pattern in _DEFINES:
        yield from pattern.findall(text)


def _of_file(stem: str, content: str) -> dict[str, str]:
    """The pieces of a file by the names that they define, each with the kind of type that it is for."""
    pieces: dict[str, str] = {}
    for part in re.split(r"\n\s*\n", content):
        text = part.strip("\n")
        for name in _names(text):
            kinds = _KINDS.get(stem, "biufc") if "@" in name else ""
            for key in [name + kind for kind in kinds] or [name]:
                if pieces.setdefault(key, text) != text:
                    raise InternalError(f"the helper {name} is defined twice in {stem}")
    return pieces


def _without_kind(name: str) -> str:
    """The name of a template as its file has it."""
    return name[: name.index("@") + 1] if "@" in name else name


class Helpers:
    """The helper functions of a dialect.

    Parameters
    ----------
    files
        Where they are; later files may replace what earlier ones define.
    type_names
        C types by NumPy names.
    register_lanes
        How many of the widest elements a vector register holds.

    Raises
    ------
    InternalError
        When helpers are first asked for: a file defines a name otherwise than another one and does not say that it
        replaces it, or says so of a name that it does not replace.
    """

    def __init__(
        self,
        files: Iterable[Path],
        type_names: Mapping[str, str],
        register_lanes: int = vector_helpers.REGISTER_LANES,
    ) -> None:
        self.register_lanes = register_lanes
        self._files = tuple(files)
        self._type_names = type_names

    @cached_property
    def _pieces(self) -> dict[str, str]:
        """Texts by names; the names of templates end in the kinds of types that they are for."""
        pieces: dict[str, str] = {}
        for file in self._files:
            content = file.read_text(encoding="utf-8")
            said = set(" ".join(_REPLACES.findall(content)).split())
            own = _of_file(file.stem, content)
            other = {name for name, text in own.items() if pieces.get(name, text) != text}
            replaced = {_without_kind(name) for name in other}
            if replaced != said:
                names = ", ".join(sorted(replaced ^ said))
                raise InternalError(f"what {file.name} says that it replaces is not what it defines again: {names}")
            pieces |= own
        return pieces

    @property
    def names(self) -> frozenset[str]:
        """Names that are no templates; no variable may be called so."""
        return frozenset(name for name in self._pieces if "@" not in name)

    def needed(self, text: str) -> list[str]:
        """The pieces that a text uses, and those that they use, in an order in which they can stand."""
        found: dict[str, bool] = {}
        self._collect(text, found)
        return [piece for piece, done in found.items() if done]

    def _collect(self, text: str, found: dict[str, bool]) -> None:
        for word in sorted(words(text)):
            piece = self._lookup(word)
            if piece is None or piece in found:
                continue
            found[piece] = False
            self._collect(piece, found)
            del found[piece]
            found[piece] = True

    def _lookup(self, word: str) -> str | None:
        if word in self._pieces and not vector_helpers.is_wide(word, self.register_lanes):
            return self._pieces[word]
        stem, _, tag = word.rpartition("_")
        if tag not in SCALARS:
            return vector_helpers.piece(word, self._pieces, self._lookup, self._type_names, self.register_lanes)
        template = self._pieces.get(f"{stem}_@{SCALARS[tag].kind}")
        return None if template is None else self._instance(template, tag)

    def _instance(self, text: str, tag: str) -> str:
        type = SCALARS[tag]
        half = f"float{type.bits // 2}"
        text = text.replace("SUFFIX", "f" if tag in ("float32", "complex64") else "").replace("PARTTAG", half)
        values = {
            "TYPE": self._type_names[tag],
            "UTYPE": f"uint{type.bits}_t",
            "ITYPE": f"int{type.bits}_t",
            "BITS": str(type.bits),
            "PART": self._type_names.get(half, ""),
        }
        text = re.sub(r"\b(" + "|".join(values) + r")\b", lambda match: values[match[1]], text)
        return text.replace("@", tag)
