"""Prints calls of Python: the runtime takes the operands, calls the function under Python's lock, gives the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.c.values import from_value, to_value
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.python_calls import steps_of
from weft.ir.types import Scalar, View

if TYPE_CHECKING:
    from weft.backends.c.printer import CPrinter

RAISED = "WEFT_RAISED"


def print_step(printer: CPrinter, external: n.External) -> None:
    """Print a call of a Python function."""
    number = number_of(printer, external)
    kinds = "".join("v" if isinstance(atom.type, View) else "n" for atom in external.operands)
    values = [operand_value(printer, atom) for atom in external.operands]
    printer.settle_loads()
    names = [printer.name(result) for result in external.results]
    with printer.lines.braces(""):
        printer.lines.add(f"weft_value given[] = {{{', '.join(values) or '{0}'}}}, answer;")
        printer.leave_if(f'runtime->python(runtime->caller, {number}, "{kinds}", given, &answer)', RAISED)
        for result, name in zip(external.results, names, strict=True):
            assert isinstance(result.type, Scalar)
            printer.lines.add(f"{name} = {_taken(printer, result.type)};")


def number_of(printer: CPrinter, external: n.External) -> int:
    """The position of a call's function among those of the program."""
    steps = list(steps_of(printer.module.program.externals))
    if external.reference not in steps:
        raise InternalError(f"compiled code cannot call {external.reference!r}")
    return steps.index(external.reference)


def operand_value(printer: CPrinter, atom: n.Atom) -> str:
    """An operand as a ``weft_value``."""
    if isinstance(atom.type, View):
        assert isinstance(atom, n.Var)
        view = printer.view(atom)
        shape, strides = (", ".join(c.text for c in part) or "0" for part in (view.shape, view.strides))
        return f"{{.view = &(weft_view){{(char *){view.pointer}, NULL, {{{shape}}}, {{{strides}}}}}}}"
    assert isinstance(atom.type, Scalar)
    return to_value(atom.type, printer.simple(atom, exact=True))


def _taken(printer: CPrinter, type: Scalar) -> str:
    """The result of a call."""
    c_type = printer.type_name(type)
    value = from_value("answer", type, c_type)
    return f"({c_type}){value}" if type.kind == "c" else value
