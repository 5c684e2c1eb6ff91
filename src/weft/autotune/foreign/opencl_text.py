"""Kernels in OpenCL C that take memory as a buffer and a place in it, as there are no addresses on the host."""

from __future__ import annotations

import re

from weft.autotune.foreign.arguments import declared_in

PREFIX = "weft_start_"


def with_places(source: str, name: str) -> str:
    """A source in OpenCL C with a second kernel, which takes a buffer and a place for each array of the user's."""
    declared = declared_in(source, name) or []
    parameters, given = [], []
    for k, one in enumerate(declared):
        if re.search(r"\b(?:__)?local\b", one.text):
            parameters.append("__local char *weft_room")
            given.append("(__local void *)weft_room")
        elif one.is_pointer:
            space = "__constant" if re.search(r"\b(?:__)?constant\b", one.text) else "__global"
            parameters.append(f"{space} char *weft_memory_{k}, long weft_place_{k}")
            given.append(f"({space} void *)(weft_memory_{k} + weft_place_{k})")
        else:
            type_ = re.sub(r"\w+$", "", one.text)
            parameters.append(f"{type_} weft_number_{k}")
            given.append(f"weft_number_{k}")
    head = f"__kernel void {PREFIX}{name}({', '.join(parameters)})"
    return f"{source}\n{head} {{\n    {name}({', '.join(given)});\n}}\n"
