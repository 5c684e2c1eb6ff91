"""Loops that take turns: threads run iterations at once, but for what these hand on to one another.

An iteration runs what does not depend on the one before, waits for its turn, takes over what is carried, computes what
it hands on, gives the turn away, and runs the rest. Iterations are begun in order, so the one before is at work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from weft.backends.text import loop_cost
from weft.backends.text.code import Code
from weft.ir import nodes as n
from weft.ir.visit import defined_by, free_variables

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter


def print_turns(printer: ParallelPrinter, loop: n.For) -> None:
    """Print the function of an iteration, and the call that runs all of them."""
    start, stop = (Code(printer.declare(name, "int64_t", printer.value(bound).text)) for name, bound in _bounds(loop))
    inits = [printer.value(a.init, True) for a in loop.args]
    printer.settle_loads()
    name = printer.module.identifiers.fresh(f"{printer.module.program.name}_{loop.label.replace('@', '_')}")
    carried = [(f"carried_{k}", printer.type_name(a.var.type)) for k, a in enumerate(loop.args)]
    own = [("turn", "int64_t"), *carried]
    child = _iteration(printer, loop, dict(own))
    fixed = ["const int32_t *ended", *(f"{c_type} *{field}" for field, c_type in own)]
    text, captures = child.complete(name, ["int64_t begin", "int64_t end", *fixed])
    fields = [(capture, child.visible_outside()[capture]) for capture in captures]
    printer.module.functions += [text, _wrapper(name, fields, own)]
    context = printer.module.identifiers.fresh(f"{loop.index.stem}_loop")
    values = ", ".join(["WEFT_OK", *captures, start.text, *(init.text for init in inits)])
    printer.lines.add(f"struct {name} {context} = {{{values}}};")
    trips = f"weft_trips({start.text}, {stop.text})"
    work = f"(double){trips} * ({loop_cost.work(loop.body, lambda atom: _known(printer, atom), {})})"
    bounds = f"{start.text}, {stop.text}"
    printer.lines.add(f"runtime->in_order({name}_piece, &{context}, {bounds}, {trips}, 0, {work});")
    printer.leave_if(f"{context}.status", f"{context}.status")
    for result, (field, _) in zip(loop.results, carried, strict=True):
        printer.name(result, f"{context}.{field}")


def _bounds(loop: n.For) -> Sequence[tuple[str, n.Atom]]:
    return (f"{loop.index.stem}_start", loop.start), (f"{loop.index.stem}_stop", loop.stop)


def _known(printer: ParallelPrinter, atom: n.Atom) -> Code | None:
    return printer.dialect.constant(atom) if isinstance(atom, n.Const) else printer.atoms.get(atom.name)


def _iteration(printer: ParallelPrinter, loop: n.For, own: dict[str, str]) -> ParallelPrinter:
    """The lines of the function that runs some iterations."""
    child = type(printer)(printer.module, printer)
    child.is_piece = True
    child.memory.prepare(loop.body)
    child.declared.update({"begin": "int64_t", "end": "int64_t", "ended": "int32_t *"})
    child.declared.update({field: f"{c_type} *" for field, c_type in own.items()})
    child.before_piece("begin", False)
    index = child.open_index(loop)
    child.iteration_code = index
    with child.lines.braces(f"for (int64_t {index} = begin; {index} < end; {index}++)"), child.counting(loop):
        child.before_iteration(loop)
        _parts(child, loop, index)
        child.after_iteration(loop)
    return child


def _parts(child: ParallelPrinter, loop: n.For, index: str) -> None:
    """What runs before the turn of an iteration, in it, and after it."""
    first, last = turn_of(loop)
    child.open_block(loop.body)
    for statement in loop.body.statements[:first]:
        child.statement(statement)
    child.settle_loads()
    child.leave_if(f"!runtime->await_turn(turn, {index}, ended)", "WEFT_OK")
    for k, arg in enumerate(loop.args):
        child.name(arg.var, f"*carried_{k}")
    for statement in loop.body.statements[first:last]:
        child.statement(statement)
    values = [child.value(value, True) for value in loop.body.yields]
    child.settle_loads()
    for k, value in enumerate(values):
        child.lines.add(f"*carried_{k} = {value.text};")
    child.lines.add(f"__atomic_store_n(turn, {index} + 1, __ATOMIC_RELEASE);")
    for statement in loop.body.statements[last:]:
        child.statement(statement)
    child.close()


def turn_of(loop: n.For) -> tuple[int, int]:
    """The statements of a body that run in the turn of an iteration.

    None before them uses what is carried, and none after them makes what is handed on.
    """
    carried = {arg.var.name for arg in loop.args}
    handed = {value.name for value in loop.body.yields if isinstance(value, n.Var)}
    statements = loop.body.statements
    using = (k for k, s in enumerate(statements) if any(v.name in carried for v in free_variables(n.Block((s,)))))
    first = next(using, len(statements))
    making = (k + 1 for k, s in enumerate(statements) if any(v.name in handed for v in defined_by(s)))
    return first, max(first, max(making, default=0))


def _wrapper(name: str, fields: Sequence[tuple[str, str]], own: Sequence[tuple[str, str]]) -> str:
    """What the runtime calls for some iterations, and what it is given; what threads write has a line of the cache."""
    lines = [f"struct {name} {{", "    int32_t status;"]
    lines += [f"    {c_type}{'' if c_type.endswith('*') else ' '}{field};" for field, c_type in fields]
    lines += [f"    {'_Alignas(64) ' if k == 0 else ''}{c_type} {field};" for k, (field, c_type) in enumerate(own)]
    arguments = [*(f"c->{field}" for field, _ in fields), "begin", "end", "&c->status"]
    arguments += [f"&c->{field}" for field, _ in own]
    lines += [
        "};",
        "",
        f"static int32_t {name}_piece(void *context, int64_t begin, int64_t end, int64_t part) {{",
        f"    struct {name} *c = context;",
        "    (void)part;",
        "    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);",
        "    if (status) return status;",
        f"    status = {name}({', '.join(arguments)});",
        "    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);",
        "    return status;",
        "}",
    ]
    return "\n".join(lines)
