"""Loops that `weft.parallel_for` and `weft.for_each` run: a body function called for every index or element.

The loops are those that a user would write around a call of the body, with the claim ``prange``. A body that returns
`weft.STOP` ends them as ``break`` would: all earlier iterations have run.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType

from weft.errors import ArgumentError
from weft.frontend.calls import inlining, markers
from weft.frontend.control.liveness import own_nodes
from weft.frontend.program import begin, built_anew, finish, outer_variables, root_frame
from weft.frontend.source.signature import undecorated
from weft.frontend.source.source import FunctionNode
from weft.frontend.values import objects, texts
from weft.frontend.values.receive import receive
from weft.frontend.values.scope import Context, Frame
from weft.frontend.values.values import Closure, Static, Value
from weft.ir import nodes as n
from weft.ir.types import PYINT, View


@built_anew
def build_parallel_for(body: FunctionType, steps: Sequence[int | None] = (1,), memory: str = "host") -> n.Program:
    """The program that calls ``body(i, j, ...)`` for every index of nested ranges.

    Parameters
    ----------
    body
        A function of one index for each range. It changes captured arrays in place, and returns None or `weft.STOP`.
    steps
        The step of each range where it is compiled in; None makes it a parameter.
    memory
        Where captured coherent arrays are when the program runs.

    Returns
    -------
    Program
        For each range the parameters ``start``, ``stop`` and, where the step is None, ``step``: sources of kind
        ``argument`` with the path ``(number of the range,)``; then the captured variables of `body`.
    """
    body = undecorated(body)
    ctx, frame = _context(body, memory)
    names = _parameters(frame.node, len(steps))
    given: dict[str, Value] = {name: _bounds(ctx, name, steps) for name in ("start", "stop", "step")}
    return _finish(ctx, frame, _nest(names, len(steps)), given)


@built_anew
def build_for_each(body: FunctionType, array: View, memory: str = "host") -> n.Program:
    """The program that calls ``body(element)`` for every element of an array, as a ``for`` loop over the array would.

    Parameters
    ----------
    body
        A function of one element: a scalar of a vector, a row (as a view) of an array of more dimensions.
    array
        The type of the array, which is the program's first parameter (source ``argument array``).
    memory
        As for `build_parallel_for`.
    """
    body = undecorated(body)
    ctx, frame = _context(body, memory)
    (name,) = _parameters(frame.node, 1)
    given: dict[str, Value] = {"array": receive(ctx, array, n.Source("argument", "array"))}
    loop = f"for {name} in prange(len(array)):\n    if body(array[{name}]):\n        return"
    return _finish(ctx, frame, loop, given)


def _context(body: FunctionType, memory: str) -> tuple[Context, Frame]:
    ctx = Context(memory)
    ctx.root_globals = body.__globals__
    frame = root_frame(ctx, body)
    texts.begin(ctx, frame.node)
    begin(ctx, frame)
    frame.stops = True
    return ctx, frame


def _parameters(node: FunctionNode, count: int) -> list[str]:
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    if len(names) - len(node.args.defaults) > count or len(names) < count:
        raise ArgumentError(f"the body takes {len(names)} arguments, and the loop gives it {count}", argument="body")
    return names[:count]


def _bounds(ctx: Context, name: str, steps: Sequence[int | None]) -> tuple[Value, ...]:
    """One of the three numbers of each range: a parameter, or the constant step."""
    found: list[Value] = []
    for position, step in enumerate(steps):
        if name == "step" and step is not None:
            found.append(n.Const(step, PYINT))
        else:
            found.append(receive(ctx, PYINT, n.Source("argument", name, (position,))))
    return tuple(found)


def _nest(names: Sequence[str], count: int) -> str:
    """The source of the loops."""
    lines = [
        f"{'    ' * k}for {names[k]} in prange(start[{k}], stop[{k}], step[{k}]):" for k in range(count)
    ]  # fmt: skip
    indent = "    " * count
    return "\n".join([*lines, f"{indent}if body({', '.join(names)}):", f"{indent}    return"])


def _finish(ctx: Context, frame: Frame, loops: str, given: dict[str, Value]) -> n.Program:
    """Translate the loops in a frame of their own, around the body's."""
    driver = _driver(loops, frame.node)
    outer = ctx.new_frame(name=frame.name, node=driver, file=frame.file)
    inlining.prepare(ctx, outer)
    outer.parent = frame
    words: dict[str, Value] = {"prange": Static(markers.prange), "len": Static(len), "body": _body(ctx, frame)}
    outer.locals |= frozenset(words) | frozenset(given)
    ctx.frame = outer
    return finish(ctx, frame, lambda: inlining.run(ctx, outer, given | words, driver))


def _body(ctx: Context, frame: Frame) -> Closure:
    """The body as a function that is called in the loops; it may assign all outer variables that it declares."""
    assert frame.function is not None
    frame.nested_writes |= outer_variables(ctx, frame)
    defaults = frame.function.__defaults__ or ()
    return Closure(
        frame.node, frame, tuple(objects.constant_object(ctx, v, "a default value", frame.node) for v in defaults)
    )


def _driver(loops: str, node: FunctionNode) -> ast.FunctionDef:
    """The loops as a function whose places are those of the body."""
    indented = "\n".join(f"    {line}" for line in loops.splitlines())
    (driver,) = ast.parse(f"def parallel_for():\n{indented}").body
    assert isinstance(driver, ast.FunctionDef)
    for inner in own_nodes([driver, *driver.body]):
        if hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    return driver
