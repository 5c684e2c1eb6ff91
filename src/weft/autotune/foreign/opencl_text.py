"""Kernels in OpenCL C that take memory as a buffer and a place in it, as there are no addresses on the host.

What it does: the parameters of the kernel are written anew, and its body begins with the pointers that it had. A second
kernel that calls the user's would be simpler, but what a called kernel's local arrays are, each driver says otherwise:
in PoCL two of them share memory.
"""

from __future__ import annotations

import re

WORDS = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)
NAME = re.compile(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$")
SPACES = re.compile(r"\b(?:__)?(global|constant|local)\b")


GROUPS = """#define get_group_id(d) (get_group_id(d) + get_global_offset(d) / get_local_size(d))
#line 1
"""
"""Group numbers that count from the first group of the whole grid, as OpenCL's numbers of work items do."""


def with_places(source: str, name: str, is_piece: bool = False) -> str:
    """A source whose kernel has two parameters for each array: its memory, and the place of the first element there.

    With `is_piece`, it may be started at another group than the first.
    """
    blank = WORDS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    found = re.search(rf"\b{re.escape(name)}\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*\{{", blank)
    assert found is not None, "the description was compared with the source"
    parameters, pointers = [], []
    for k, text in enumerate(found[1].split(",")):
        space = SPACES.search(text)
        if ("*" not in text and "[" not in text) or (space is not None and space[1] == "local"):
            parameters.append(text)
            continue
        memory, place = f"weft_memory_{k}", f"weft_place_{k}"
        pointer, own = _pointer(text)
        where = f"__{space[1]}" if space is not None else "__global"
        parameters.append(f"{where} char *{memory}, long {place}")
        target = re.sub(r"\b(?:__)?restrict(?:__)?\b", " ", pointer)
        pointers.append(f"{pointer} {own} = ({target})({memory} + {place});")
    lines = "\n" * found[1].count("\n")
    head = source[: found.start(1)] + ", ".join(" ".join(part.split()) for part in parameters) + lines
    return f"{GROUPS * is_piece}{head}{source[found.end(1) : found.end()]} {' '.join(pointers)}{source[found.end() :]}"


def _pointer(text: str) -> tuple[str, str]:
    """The type of a parameter that is a pointer or an array, and its name."""
    found = NAME.search(text.strip())
    assert found is not None
    kind = text.strip()[: found.start()]
    return " ".join((kind + ("*" if found[2] else "")).split()), found[1]
