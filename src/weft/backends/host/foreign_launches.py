"""Prints launches of kernels that users wrote: Python says how one starts, the runtime queues it like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.c.steps import RAISED, number_of, operand_value
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.kernel_calls import KernelStep, kernel_step
from weft.ir.types import View
from weft.ir.visit import substitute

if TYPE_CHECKING:
    from weft.backends.host.driver import DriverPrinter

FAILED = "WEFT_DEVICE_FAILED"


def print_foreign_launch(printer: DriverPrinter, launch: n.Launch) -> None:
    """Print a launch of a kernel that a user wrote."""
    given = {param.name: atom for param, atom in zip(launch.kernel.params, launch.operands, strict=True)}
    (call,) = substitute(launch.kernel.body, given).statements
    assert isinstance(call, n.External)
    step = kernel_step(printer.module.program.externals, call.reference)
    if step is None:
        raise InternalError(f"nothing is known of the kernel {launch.kernel.name}")
    kinds = "".join("v" if isinstance(atom.type, View) else "n" for atom in call.operands) + "v"
    values = [operand_value(printer, atom) for atom in call.operands]
    numbers = {k: printer.number_passed(a) for k, a in enumerate(call.operands) if not isinstance(a.type, View)}
    printer.settle_loads()
    with printer.lines.braces(""):
        printer.lines.add("int64_t start[8];")
        values.append("{.view = &(weft_view){(char *)start, NULL, {8}, {8}}}")
        printer.lines.add(f"weft_value operands[] = {{{', '.join(values)}}}, answer;")
        number = number_of(printer, call)
        printer.leave_if(f'runtime->python(runtime->caller, {number}, "{kinds}", operands, &answer)', RAISED)
        printer.note_line(launch.location.line)
        printer.lines.add("weft_arguments given;")
        printer.lines.add("given.count = given.status = 0;")
        _pass(printer, launch.device, call, numbers, step)
        if step.takes_room:
            printer.lines.add("runtime->mirrors->pass_room(&given, start[7]);")
            printer.lines.add("start[7] = 0;")
        printer.leave_if("runtime->mirrors->launch_foreign(mirror, start, &given)", FAILED)
        for view in filter(printer.is_owed, launch.writes):
            printer.leave_if(f"runtime->mirrors->owe(mirror, {printer.array(view)})", FAILED)


def _pass(printer: DriverPrinter, device: str, call: n.External, numbers: dict[int, str], step: KernelStep) -> None:
    """Print what passes the operands: whole arrays."""
    joined = int(device.partition(":")[0] == "cuda")
    for view in dict.fromkeys(call.operands):
        if isinstance(view, n.Var) and isinstance(view.type, View) and not printer.is_there(view):
            printer.lines.add(f"runtime->mirrors->hold(&given, mirror, {printer.array(view)});")
    for k, atom in enumerate(call.operands):
        if k in numbers:
            printer.lines.add(f"runtime->mirrors->pass(&given, &{numbers[k]}, sizeof {numbers[k]});")
            continue
        assert isinstance(atom, n.Var)
        mirror = "NULL" if printer.is_there(atom) else "mirror"
        kind = "WEFT_WRITTEN" if step.written[k] else "WEFT_READ"
        text = f"pass_memory(&given, {mirror}, {printer.array(atom)}, {kind}, {joined})"
        printer.lines.add(f"runtime->mirrors->{text};")
