"""Whether a firing leaves more behind than its results: then it cannot be repeated after another one failed."""

from __future__ import annotations

from weft.analysis.access.access import written_roots
from weft.ir.nodes import External, Program
from weft.ir.recursion import function_name
from weft.ir.visit import walk


def changes_more(program: Program) -> bool:
    """Whether the program of an actor assigns or writes to what it captured, or calls Python (as `print` does)."""
    captured = {param.var.name for param in program.params if param.source.kind in ("closure", "global")}
    bodies = (program.body, *(function.body for function in program.functions))
    calls = (statement for body in bodies for statement in walk(body) if isinstance(statement, External))
    return (
        bool(program.writes)
        or not captured.isdisjoint(written_roots(program))
        or any(function_name(call) is None for call in calls)
    )
