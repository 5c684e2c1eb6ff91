"""Which arrays have CPython's elements after an exception: what the manual promises, read strictly.

When the condition of the exception does not depend on what the loops write, all of them. Otherwise elements that later
iterations write are unspecified: the arrays that the failing statement writes are not compared.
"""

from __future__ import annotations

import ast

from .program import Arguments, View


def compared_after(source: str, arguments: Arguments, error: BaseException | None) -> set[int]:
    """The numbers of the buffers that are compared."""
    everything = set(range(len(arguments.buffers)))
    function = next(n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == "f")
    line = _line(error)
    failing = next((s for s in function.body if s.lineno <= line <= (s.end_lineno or 0)), None)
    if failing is None:
        return everything
    names = [argument.arg for argument in function.args.args]
    shown = {name: value.buffer for name, value in zip(names, arguments.values) if isinstance(value, View)}
    sources = _sources(function, set(shown))
    written = _written(failing)
    memory = {buffer for name in written for root in sources.get(name, {name}) for buffer in [shown.get(root)] if buffer is not None}
    if not _depends(failing, written, sources, shown, memory, error):
        return everything
    return everything - memory


def _line(error: BaseException | None) -> int:
    """The line of `f` at which an exception was raised."""
    trace = error.__traceback__ if error is not None else None
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_name == "f" and trace.tb_frame.f_code.co_filename.startswith("<hunt"):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _sources(function: ast.FunctionDef, arrays: set[str]) -> dict[str, set[str]]:
    """The arguments that a name may show: views, rows of loops, swapped names."""
    roots = {name: {name} for name in arrays}
    for _ in range(4):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                targets = [n for t in node.targets for n in ([t] if isinstance(t, ast.Name) else getattr(t, "elts", []))]
                value = node.value
            elif isinstance(node, ast.For):
                targets, value = [n for n in ast.walk(node.target) if isinstance(n, ast.Name)], node.iter
            else:
                continue
            reached = {r for n in ast.walk(value) if isinstance(n, ast.Name) for r in roots.get(n.id, ())}
            for name in targets:
                if isinstance(name, ast.Name) and reached:
                    roots.setdefault(name.id, set()).update(reached)
    return roots


def _written(statement: ast.stmt) -> set[str]:
    """All names that a statement assigns, or whose elements it assigns; counters of ranges do not count."""
    found: set[str] = set()
    counters = {n.target.id for n in ast.walk(statement) if isinstance(n, ast.For) and isinstance(n.target, ast.Name) and _is_range(n.iter)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in counters:
            found.add(node.id)
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            found |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fill":
            found |= {n.id for n in ast.walk(node.func) if isinstance(n, ast.Name)}
    return found


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and "range" in ast.unparse(node.func)


def _depends(failing: ast.stmt, written: set[str], sources: dict[str, set[str]], shown: dict[str, int], memory: set[int], error: BaseException | None) -> bool:
    """Whether it may depend on what the statement writes that it fails, and where."""
    if not isinstance(error, (IndexError, AssertionError, ZeroDivisionError, KeyError, RuntimeError)) and "raise ValueError" not in ast.unparse(failing):
        return True
    if isinstance(error, (ValueError, OverflowError)) and any(word in ast.unparse(failing) for word in ("int(", "float(", "round")):
        return True
    for node in ast.walk(failing):
        if isinstance(node, ast.While):
            return True
        for part in _conditions(node):
            for name in (n.id for n in ast.walk(part) if isinstance(n, ast.Name)):
                if name in written or any(shown.get(root) in memory for root in sources.get(name, ())):
                    return True
    return False


def _conditions(node: ast.AST) -> list[ast.AST]:
    """Expressions that decide whether something is raised."""
    if isinstance(node, (ast.If, ast.IfExp, ast.Assert)):
        return [node.test]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.For):
        return [node.iter]
    if isinstance(node, ast.BoolOp):
        return [*node.values]
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.Div, ast.Pow)):
        return [node.right]
    return []
