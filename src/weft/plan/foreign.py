"""Kernels that users wrote, in plans: a call that runs on the device is a launch, of a kernel that nobody looks into.

What it does: the launch has the call as the body of its kernel, and says that it reads and writes what the call says.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.kernel_calls import CPU, KernelStep, kernel_step
from weft.ir.pins import pin_of
from weft.ir.visit import Names, substitute, walk
from weft.plan.transfers import footprints
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.regions import Box, Boxes, Side


def runs_on(program: n.Program, call: n.External, device: str) -> KernelStep | None:
    """What a call of a kernel is that runs on a device with memory of its own; None for other calls."""
    step = kernel_step(program.externals, call.reference)
    return step if step is not None and step.kind == device.partition(":")[0] else None


def foreign_launch(call: n.External, name: str, device: str, names: Names) -> n.Launch:
    """The launch of a kernel that a user wrote. How many groups it has is computed when it starts."""
    atoms = (*call.operands, *call.reads, *call.writes)
    operands = tuple(dict.fromkeys(atom for atom in atoms if isinstance(atom, n.Var)))
    params = {v.name: names.fresh(v.stem, v.type) for v in operands}
    body = substitute(n.Block((call,)), params)
    kernel = n.Kernel(name, tuple(params.values()), body, location=call.location)
    reads = tuple(dict.fromkeys((*call.reads, *call.writes)))
    return n.Launch(kernel, device, operands, reads=reads, writes=call.writes, location=call.location)


def footprint_of_call(table: AccessTable, call: n.External, step: KernelStep) -> Footprint:
    """What a call touches: the views that it names. What it may write, it need not, unless `step` says so."""
    found = Footprint()
    for view in call.reads:
        array, box, _ = _shown(table, view)
        _add(found.reads, array, box)
    for view, is_filled in zip(call.writes, step.filled or (False,) * len(call.writes), strict=True):
        array, box, is_exact = _shown(table, view)
        _add(found.writes, array, box)
        if not (is_filled and is_exact):
            _add(found.reads, array, box)
    lines: dict[str, tuple[int, ...]] = dict.fromkeys(found.arrays, (call.location.line,))
    return replace(found, lines=lines)


def _add(boxes: dict[str, Boxes], array: n.Var, box: Box) -> None:
    known = boxes.get(array.name, ())
    boxes[array.name] = known if box in known else (*known, box)


def _shown(table: AccessTable, view: n.Var) -> tuple[n.Var, Box, bool]:
    """The array that a view is of, and the part that it shows; or all of the array, where that is more."""
    array = table.aliases.handle(view)
    whole = array, footprints.of_extents(array), view == array
    cut = table.structure.definition(view).value
    if not isinstance(cut, n.Subview) or cut.view != array:
        return whole
    sides = []
    for axis in cut.axes:
        if not isinstance(axis, n.Slice) or axis.step != n.Const(1):
            return whole
        low, length = table.forms.of(axis.start), table.forms.of(axis.length)
        if not all(footprints.is_stable(table, form) for form in (low, length)):
            return whole
        sides.append(Side(low, low + length))
    return array, tuple(sides), True


def kernel_calls(program: n.Program) -> list[tuple[n.External, KernelStep]]:
    """The calls of kernels that users wrote, with what they are."""
    bodies = (program.body, *(function.body for function in program.functions))
    calls = (s for body in bodies for s in walk(body) if isinstance(s, n.External))
    found = ((call, kernel_step(program.externals, call.reference)) for call in calls)
    return [(call, step) for call, step in found if step is not None]


def kind_of_calls(program: n.Program) -> str:
    """The kind of device that kernels of a program are for; ``cpu`` where there are none, or they work on the host."""
    kinds = dict.fromkeys(step.kind for _, step in kernel_calls(program) if step.kind != CPU)
    return next(iter(kinds), CPU)


def check_calls(program: n.Program, device: str) -> None:
    """Refuse kernels for another device than the program's.

    Raises
    ------
    UnsupportedError
        The first such call.
    """
    for call, step in kernel_calls(program):
        pin = pin_of(program.pins, call.location)
        where = pin.device if pin is not None else device
        if step.kind not in (CPU, where.partition(":")[0]):
            language = "OpenCL C" if step.kind == "opencl" else "CUDA C++"
            other = next((s for _, s in kernel_calls(program) if s.kind not in (CPU, step.kind)), None)
            if other is not None:
                hint = "make two functions of it, one for each device"
            elif pin is not None:
                hint = f'write with weft.device("{step.kind}"): around the call'
            else:
                hint = f'compile the function for its device: @weft.jit(device="{step.kind}")'
            raise UnsupportedError(
                f"the kernel {step.name} is written in {language}, and the call runs on {where!r}",
                call.location,
                hint=hint,
            )
