"""Kernels in compiled programs: what the runtime needs to start one, which is a handle and the shape of the launch.

The runtime passes memory as a buffer and a place in it. CUDA has addresses, so the sum is an address. In OpenCL the
kernel takes both (`opencl_text`).
"""

from __future__ import annotations

from weft.autotune.foreign.languages import Run, Text, refused
from weft.autotune.foreign.opencl_text import with_places
from weft.compile.store import key_of
from weft.runtime.devices import accelerators


def handle_of(text: Text, device: str, run: Run) -> int:
    """The handle of a kernel, compiled and loaded for a device, by which the runtime queues it.

    Raises
    ------
    RefusedError
        The compiler refuses the text.
    """
    make = _opencl if text.language == "opencl" else _cuda
    made = make(text, device, run)
    accelerators.note_kernel(made, text.name, 0, key_of("foreign kernel", text.source, text.flags))
    return made


def _opencl(text: Text, device: str, run: Run) -> int:
    import pyopencl

    opened = accelerators.open_device(device)
    program = pyopencl.Program(opened.context, with_places(text.source, text.name))
    try:
        kernel = pyopencl.Kernel(program.build(options=["-w", *text.flags]), text.name)
    except (pyopencl.RuntimeError, pyopencl.LogicError) as error:
        raise refused("the OpenCL compiler", str(error)) from None
    opened.kernels.append(kernel)
    return int(kernel.int_ptr)


def _cuda(text: Text, device: str, run: Run) -> int:
    from weft.autotune.foreign.cuda_kernels import allow_shared, compiled

    opened = accelerators.open_device(device)
    binary, name = compiled(text, opened.facts.architecture)
    (handle,) = opened.load(binary, [name.decode()])
    if run.takes_local:
        allow_shared(handle, run.local_bytes)
    return int(handle)


def start_of(handle: int, run: Run) -> tuple[int, ...]:
    """What is written for the runtime: see `weft.runtime.dispatch.kernel_calls`."""
    groups, block = (*run.groups, 1, 1)[:3], (*run.block, 1, 1)[:3]
    return (handle, *groups, *block, run.local_bytes if run.takes_local else 0)
