"""Helper functions on vectors: from templates, from scalar functions, or part by part for vectors of several registers.

A vector type is called after its elements and lanes (``float64x8``); ``boolx8`` is a mask, whose elements are as wide
as the index of a loop. Vectors of more lanes than a register holds are structures of several smaller ones: compilers
handle these well, and larger vectors of their own badly (gcc compares them one lane at a time). In the templates of
``vectors.h`` these words are replaced:

============ ====================================================
``@``        the type of the vector
``TYPE``     the C type of an element in memory
``LANES``    the number of lanes
``COUNT``    the numbers of the lanes, from 0 on
``MASK``     the type of masks
``INTEGERS`` the vector of signed integers of the same size
============ ====================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from weft.ir.types import SCALARS

REGISTER_LANES = 8
"""Lanes of the widest elements in the largest register that there is; text for unknown processors is made for it."""

MASK_BITS = 64
"""The size of an element of a mask: that of the loop index, the widest number of every loop in lanes."""

Lookup = Callable[[str], "str | None"]

_WORD = re.compile(r"(?:(?P<name>\w+)_)?(?P<element>[a-z]+\d*)x(?P<lanes>\d+)(?:_at)?")

OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "and": "&", "or": "|", "xor": "^", "lt": "<", "le": "<=",
    "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip
"""Functions that are operators on single registers."""

COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


def piece(
    word: str, templates: Mapping[str, str], lookup: Lookup, type_names: Mapping[str, str], register_lanes: int
) -> str | None:
    """The definition of a vector type or of a function on vectors; None where the word is neither.

    Parameters
    ----------
    word
        A name in a text.
    templates, lookup, type_names
        What `Helpers` knows.
    register_lanes
        How many of the widest elements a register of the processor holds.
    """
    match = _WORD.fullmatch(word)
    if match is None or match["element"] not in SCALARS:
        return None
    name, element, lanes = match["name"], match["element"], int(match["lanes"])
    if lanes > register_lanes:
        return _wide(name, element, lanes, lookup, register_lanes)
    if not name:
        return _register_type(element, lanes, type_names)
    if name.startswith("running_"):
        return _running(name.removeprefix("running_"), element, lanes)
    if element == "bool" and name in _MASK_FUNCTIONS:
        return _MASK_FUNCTIONS[name].replace("LANES", str(lanes))
    template = _template(name, element, lanes, templates)
    if template is not None and element != "bool":
        return _instance(template, element, lanes, type_names)
    return _lane_by_lane(name, element, lanes, lookup, type_names)


def is_wide(word: str, register_lanes: int) -> bool:
    """Whether a name belongs to vectors of several registers, which are made of the functions on one."""
    match = _WORD.fullmatch(word)
    return match is not None and match["element"] in SCALARS and int(match["lanes"]) > register_lanes


# ---------------------------------------------------------------------------------------- single registers


def _register_type(element: str, lanes: int, type_names: Mapping[str, str]) -> str:
    bits = MASK_BITS if element == "bool" else SCALARS[element].bits
    c_type = f"int{bits}_t" if element == "bool" else type_names[element]
    size, name = bits // 8 * lanes, f"{element}x{lanes}"
    return (
        f"typedef {c_type} {name} __attribute__((vector_size({size})));\n"
        f"typedef {c_type} {name}_at __attribute__((vector_size({size}), aligned({bits // 8}), may_alias));"
    )


def _template(name: str, element: str, lanes: int, templates: Mapping[str, str]) -> str | None:
    """The template of a function: there may be one of its own for the lanes and the size of their elements."""
    size = f"_of_{lanes}_times_{SCALARS[element].bits}_@"
    if f"{name}{size}v" in templates:
        return templates[f"{name}{size}v"].replace(f"{name}{size}", f"{name}_@")
    return templates.get(f"{name}_@v")


def _instance(text: str, element: str, lanes: int, type_names: Mapping[str, str]) -> str:
    bits = SCALARS[element].bits
    text = text.replace("LANES", str(lanes)).replace("INTEGERS", f"int{bits}x{lanes}")
    text = text.replace("COUNT", ", ".join(map(str, range(lanes))))
    text = re.sub(r"\bMASK\b", f"boolx{lanes}", text)
    text = re.sub(r"\bTYPE\b", type_names[element], text)
    return text.replace("@", f"{element}x{lanes}")


def _lane_by_lane(name: str, element: str, lanes: int, lookup: Lookup, type_names: Mapping[str, str]) -> str | None:
    """A function on vectors that calls the scalar one."""
    scalar = f"{name}_{element}" if lookup(f"{name}_{element}") or not name.startswith("python_") else name
    head = re.search(rf"(\w+) {scalar}\(([^)]*)\) {{", lookup(scalar) or "")
    tags = {c_type: tag for tag, c_type in type_names.items()}
    if head is None or head[1] not in tags:
        return None
    result = f"{tags[head[1]]}x{lanes}"
    types = [f"{tags[part.split()[0]]}x{lanes}" for part in head[2].split(",")]
    params = ", ".join(f"{type} {letter}" for type, letter in zip(types, "abc", strict=False))
    given = ", ".join(f"{letter}[k]" for _, letter in zip(types, "abc", strict=False))
    value = f"{scalar}({given})" if head[1] != "bool" else f"-{scalar}({given})"
    return (
        f"HELPER {result} {name}_{element}x{lanes}({params}) {{\n    {result} result;\n"
        f"    for (int k = 0; k < {lanes}; k++) result[k] = {value};\n    return result;\n}}"
    )


def _running(op: str, element: str, lanes: int) -> str:
    """Each lane folded with those before it: the vector moves up by 1, 2, 4 lanes, what is neutral moves in."""
    type, indices = f"{element}x{lanes}", f"int{SCALARS[element].bits}x{lanes}"
    lines = [f"HELPER {type} running_{op}_{type}({type} a) {{", _nothing(op, element, lanes)]
    for step in (1 << k for k in range((lanes - 1).bit_length())):
        places = ", ".join(str(lanes + k - step if k >= step else 0) for k in range(lanes))
        lines.append(f"    a = SHUFFLE({indices}, none, a, {places}) {OPERATORS[op]} a;")
    return "\n".join([*lines, "    return a;", "}"])


def _nothing(op: str, element: str, lanes: int) -> str:
    """The line that declares what is neutral to an operator."""
    type = f"{element}x{lanes}"
    neutral = {"add": "-0.0" if SCALARS[element].kind == "f" else "0", "mul": "1", "and": "-1"}.get(op, "0")
    return f"    const {type} none = splat_{type}({neutral});"


# --------------------------------------------------------------------------------------- several registers


def _wide(
    name: str | None, element: str, lanes: int, narrow: Callable[[str], str | None], register_lanes: int
) -> str | None:
    """A type of several registers, or a function that does for each of them what the one on a register does."""
    whole, part, count = f"{element}x{lanes}", f"{element}x{register_lanes}", lanes // register_lanes
    if not name:
        return f"typedef struct {{\n    {part} {', '.join(f'p{k}' for k in range(count))};\n}} {whole};"
    head = f"{name}_{whole}"
    if name.startswith("running_"):
        return _wide_running(name.removeprefix("running_"), element, lanes, register_lanes)
    if name in OPERATORS and not (name == "truediv" and SCALARS[element].kind == "i"):  # of integers: a float
        return _wide_operator(name, head, whole, part, count)
    if name in ("neg", "invert"):
        sign = "-" if name == "neg" else "~"
        return _returning(whole, f"{head}({whole} a)", [f"{sign}a.p{k}" for k in range(count)])
    if name.endswith("_of") and name != "mask_of":
        target = name[: -len("_of")]
        values = [f"__builtin_convertvector(a.p{k}, {target}x{register_lanes})" for k in range(count)]
        return _returning(f"{target}x{lanes}", f"{head}({whole} a)", values)
    found = re.search(rf"(\w+) {name}_{part}\(([^)]*)\) {{", narrow(f"{name}_{part}") or "")
    return None if found is None else _wide_function(f"{name}_{part}", head, found, lanes, register_lanes)


def _wide_operator(name: str, head: str, whole: str, part: str, count: int) -> str:
    values = [f"a.p{k} {OPERATORS[name]} b.p{k}" for k in range(count)]
    if name not in COMPARISONS:
        return _returning(whole, f"{head}({whole} a, {whole} b)", values)
    lanes = whole.rpartition("x")[2]
    return _returning(f"boolx{lanes}", f"{head}({whole} a, {whole} b)", [f"mask_of_{part}({v})" for v in values])


def _wide_function(narrow: str, head: str, found: re.Match[str], lanes: int, register_lanes: int) -> str:
    """Vectors are taken apart; addresses of adjacent elements and the first of consecutive numbers move on."""
    result, params = found[1], [p.strip() for p in found[2].split(",")]
    parts = range(lanes // register_lanes)
    calls = [f"{narrow}({', '.join(_part_of(p, k, register_lanes) for p in params)})" for k in parts]
    wide_params = ", ".join(_widened(p, lanes, register_lanes) for p in params)
    if result == "void":
        body = "\n".join(f"    {call};" for call in calls)
        return f"HELPER void {head}({wide_params}) {{\n{body}\n}}"
    if result == "bool":
        joined = (" | " if narrow.startswith("any") else " & ").join(calls)
        return f"HELPER bool {head}({wide_params}) {{ return {joined}; }}"
    return _returning(_widened(result, lanes, register_lanes), f"{head}({wide_params})", calls)


def _widened(text: str, lanes: int, register_lanes: int) -> str:
    return re.sub(rf"\b([a-z]+\d*)x{register_lanes}\b", rf"\1x{lanes}", text)


def _part_of(param: str, part: int, register_lanes: int) -> str:
    name = param.split()[-1].lstrip("*")
    if re.search(rf"\b[a-z]+\d*x{register_lanes}\b", param):
        return f"{name}.p{part}"
    moves = name in ("from", "to", "start")
    return f"{name} + {part * register_lanes}" if moves and part else name


def _wide_running(op: str, element: str, lanes: int, register_lanes: int) -> str:
    """The same steps as on one register, so that the results have the same bits: lanes move over from part to part."""
    type, indices = f"{element}x{lanes}", f"int{SCALARS[element].bits}x{register_lanes}"
    count = lanes // register_lanes
    head = f"HELPER {type} running_{op}_{type}({type} a) {{"
    lines = [head, _nothing(op, element, register_lanes)]
    for step in (1 << k for k in range((lanes - 1).bit_length())):
        whole, rest = divmod(step, register_lanes)
        for part in reversed(range(count)):
            left = f"a.p{part - whole - 1}" if part > whole else "none"
            right = f"a.p{part - whole}" if part >= whole else "none"
            places = ", ".join(str(register_lanes + k - rest) for k in range(register_lanes))
            moved = f"SHUFFLE({indices}, {left}, {right}, {places})" if rest else right
            lines.append(f"    a.p{part} = {moved} {OPERATORS[op]} a.p{part};")
    return "\n".join([*lines, "    return a;", "}"])


def _returning(result: str, head: str, values: list[str]) -> str:
    return f"HELPER {result} {head} {{\n    return ({result}){{{', '.join(values)}}};\n}}"


_MASK_FUNCTIONS = {
    "splat": "HELPER boolxLANES splat_boolxLANES(bool a) { return (boolxLANES){0} - (int64_t)a; }",
    "all": "HELPER bool all_boolxLANES(boolxLANES mask) { return !any_boolxLANES(~mask); }",
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
    "gather": """HELPER boolxLANES gather_boolxLANES(const uint8_t *at, int64xLANES offsets) {
    boolxLANES value;
    for (int k = 0; k < LANES; k++) value[k] = -(at[offsets[k]] != 0);
    return value;
}""",
    "gather_masked": """HELPER boolxLANES gather_masked_boolxLANES(const uint8_t *at, int64xLANES offsets,
                                                        boolxLANES mask) {
    boolxLANES value = {0};
    for (int k = 0; k < LANES; k++)
        if (mask[k]) value[k] = -(at[offsets[k]] != 0);
    return value;
}""",
    "store": """HELPER void store_boolxLANES(uint8_t *to, boolxLANES value) {
    for (int k = 0; k < LANES; k++) to[k] = value[k] & 1;
}""",
    "store_masked": """HELPER void store_masked_boolxLANES(uint8_t *to, boolxLANES value, boolxLANES mask) {
    for (int k = 0; k < LANES; k++)
        if (mask[k]) to[k] = value[k] & 1;
}""",
    "scatter": """HELPER void scatter_boolxLANES(uint8_t *at, int64xLANES offsets, boolxLANES value) {
    for (int k = 0; k < LANES; k++) at[offsets[k]] = value[k] & 1;
}""",
    "scatter_masked": """HELPER void scatter_masked_boolxLANES(uint8_t *at, int64xLANES offsets, boolxLANES value,
                                                   boolxLANES mask) {
    for (int k = 0; k < LANES; k++)
        if (mask[k]) at[offsets[k]] = value[k] & 1;
}""",
}
