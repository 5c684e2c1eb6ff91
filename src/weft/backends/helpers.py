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

Names that end in a vector type (``float64x8``) are made from the templates of ``vectors.h``, where ``LANES`` is the number
of lanes, ``MASK`` the type of masks, ``INTEGERS`` that of signed integers of the same size, and ``TYPE`` the type of an
element in memory. A vector function that is not there is the scalar one, called for each lane.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from weft.backends.code import words
from weft.ir.types import SCALARS

_DEFINES = (
    re.compile(r"^#define (\w+)", re.M),
    re.compile(r"^typedef [^;{]*?([\w@]+)(?: __attribute__\(.*\))?;", re.M),
    re.compile(r"^\} ([\w@]+);", re.M),
    re.compile(r"^(?:static|HELPER|RARE|FRESH|__device__)[^(=;]*?([\w@]+)(?:\(|\[|;| =)", re.M),
    re.compile(r"^(?:struct|enum) (\w+) \{", re.M),
)


_KINDS = {"integers": "biu", "floats": "f", "complex": "c", "vector_trigonometry": "f", "vector_special": "f", "vectors": "v"}


def _names(text: str) -> Iterator[str]:
    for pattern in _DEFINES:
        yield from pattern.findall(text)


class Helpers:
    """The helper functions of a dialect.

    Parameters
    ----------
    files
        Where they are; later files override earlier ones.
    type_names
        C types by NumPy names.
    """

    def __init__(self, files: Iterable[Path], type_names: Mapping[str, str]) -> None:
        self._files = tuple(files)
        self._type_names = type_names

    @cached_property
    def _pieces(self) -> dict[str, str]:
        """Texts by names; the names of templates end in the kinds of types that they are for."""
        pieces: dict[str, str] = {}
        for file in self._files:
            for part in re.split(r"\n\s*\n", file.read_text(encoding="utf-8")):
                text = part.strip("\n")
                for name in _names(text):
                    kinds = _KINDS.get(file.stem, "biufc") if "@" in name else ""
                    pieces.update({name + kind: text for kind in kinds or ("",)})
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
        if word in self._pieces:
            return self._pieces[word]
        stem, _, tag = word.rpartition("_")
        if tag not in SCALARS:
            return self._vector_piece(word)
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

    # ------------------------------------------------------------------------------------------------ vectors

    def _vector_piece(self, word: str) -> str | None:
        """The definition of a vector type, or of a function on vectors."""
        match = _VECTOR_WORD.fullmatch(word)
        if match is None or match["element"] not in SCALARS:
            return None
        name, element, lanes = match["name"], match["element"], int(match["lanes"])
        if not name:
            return self._vector_type(element, lanes)
        template = self._pieces.get(f"{name}_@v")
        if template is not None and element != "bool":
            return self._vector_instance(template, element, lanes)
        return _MASK_FUNCTIONS[name].replace("LANES", str(lanes)) if element == "bool" and name in _MASK_FUNCTIONS else (
            self._lane_by_lane(name, element, lanes)
        )

    def _vector_type(self, element: str, lanes: int) -> str:
        bits = MASK_BITS if element == "bool" else SCALARS[element].bits
        c_type = f"int{bits}_t" if element == "bool" else self._type_names[element]
        size, name = bits // 8 * lanes, f"{element}x{lanes}"
        return (
            f"typedef {c_type} {name} __attribute__((vector_size({size})));\n"
            f"typedef {c_type} {name}_at __attribute__((vector_size({size}), aligned({bits // 8}), may_alias));"
        )

    def _vector_instance(self, text: str, element: str, lanes: int) -> str:
        bits = SCALARS[element].bits
        text = text.replace("LANES", str(lanes)).replace("INTEGERS", f"int{bits}x{lanes}")
        text = re.sub(r"\bMASK\b", f"boolx{lanes}", text)
        text = re.sub(r"\bTYPE\b", self._type_names[element], text)
        return text.replace("@", f"{element}x{lanes}")

    def _lane_by_lane(self, name: str, element: str, lanes: int) -> str | None:
        """A function on vectors that calls the scalar one."""
        scalar = name if name.startswith("python_") else f"{name}_{element}"
        text = self._lookup(scalar)
        head = re.search(rf"([\w]+) {scalar}\(([^)]*)\) {{", text or "")
        if head is None or head[1] not in self._type_names.values():
            return None
        tags = {c_type: tag for tag, c_type in self._type_names.items()}
        result = f"{tags[head[1]]}x{lanes}"
        types = [f"{tags[part.split()[0]]}x{lanes}" for part in head[2].split(",")]
        params = ", ".join(f"{type} {letter}" for type, letter in zip(types, "abc", strict=False))
        given = ", ".join(f"{letter}[k]" for _, letter in zip(types, "abc", strict=False))
        value = f"{scalar}({given})" if head[1] != "bool" else f"-{scalar}({given})"
        return (
            f"HELPER {result} {name}_{element}x{lanes}({params}) {{\n    {result} result;\n"
            f"    for (int k = 0; k < {lanes}; k++) result[k] = {value};\n    return result;\n}}"
        )


MASK_BITS = 64
"""The size of an element of a mask: that of the loop index, the widest number of every loop in lanes."""

_VECTOR_WORD = re.compile(r"(?:(?P<name>\w+)_)?(?P<element>[a-z]+\d*)x(?P<lanes>\d+)(?:_at)?")

_MASK_FUNCTIONS = {
    "splat": "HELPER boolxLANES splat_boolxLANES(bool a) { return (boolxLANES){0} - a; }",
    "all": "HELPER bool all_boolxLANES(boolxLANES mask) { return !any_boolxLANES(~mask); }",
    "any": """HELPER bool any_boolxLANES(boolxLANES mask) {
    bool some = false;
    for (int k = 0; k < LANES; k++) some |= mask[k] != 0;
    return some;
}""",
    "select": """HELPER boolxLANES select_boolxLANES(boolxLANES mask, boolxLANES a, boolxLANES b) {
    return (mask & a) | (~mask & b);
}""",
    "mask_of": "HELPER boolxLANES mask_of_boolxLANES(boolxLANES comparison) { return comparison; }",
    "load": """HELPER boolxLANES load_boolxLANES(const uint8_t *from) {
    boolxLANES mask;
    for (int k = 0; k < LANES; k++) mask[k] = -(from[k] != 0);
    return mask;
}""",
    "load_masked": """HELPER boolxLANES load_masked_boolxLANES(const uint8_t *from, boolxLANES mask) {
    boolxLANES value = {0};
    for (int k = 0; k < LANES; k++)
        if (mask[k]) value[k] = -(from[k] != 0);
    return value;
}""",
    "gather": """HELPER boolxLANES gather_boolxLANES(const uint8_t *from, int64xLANES offsets) {
    boolxLANES value;
    for (int k = 0; k < LANES; k++) value[k] = -(from[offsets[k]] != 0);
    return value;
}""",
    "gather_masked": """HELPER boolxLANES gather_masked_boolxLANES(const uint8_t *from, int64xLANES offsets, boolxLANES mask) {
    boolxLANES value = {0};
    for (int k = 0; k < LANES; k++)
        if (mask[k]) value[k] = -(from[offsets[k]] != 0);
    return value;
}""",
    "store": """HELPER void store_boolxLANES(uint8_t *to, boolxLANES value) {
    for (int k = 0; k < LANES; k++) to[k] = value[k] & 1;
}""",
    "store_masked": """HELPER void store_masked_boolxLANES(uint8_t *to, boolxLANES value, boolxLANES mask) {
    for (int k = 0; k < LANES; k++)
        if (mask[k]) to[k] = value[k] & 1;
}""",
    "scatter": """HELPER void scatter_boolxLANES(uint8_t *to, int64xLANES offsets, boolxLANES value) {
    for (int k = 0; k < LANES; k++) to[offsets[k]] = value[k] & 1;
}""",
    "scatter_masked": """HELPER void scatter_masked_boolxLANES(uint8_t *to, int64xLANES offsets, boolxLANES value, boolxLANES mask) {
    for (int k = 0; k < LANES; k++)
        if (mask[k]) to[offsets[k]] = value[k] & 1;
}""",
}
