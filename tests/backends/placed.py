"""Runs placed programs on real devices, without Python source and without passes."""

from __future__ import annotations

from dataclasses import replace

from weft.backends.c import toolchain
from weft.runtime import accelerators, build
from weft.runtime.store import default_store
from weft.runtime.variants import Family


def run_on(device, program, leaves):
    """Run a program with its parallel loops on a device; what it returns."""
    return family_on(device, program).variant().handle.run(tuple(leaves))


def family_on(device, program):
    """The one variant of a program on a device."""
    return Family(lambda key: compile_on(device, program), build._load)


def compile_on(device, program):
    """The compiled form of a program on a device."""
    store = default_store()
    placement = accelerators.place(program, device)
    host, kernels = accelerators.generate(placement, device)
    library = store.put_library(toolchain.compile_source(host.source))
    compiled = build.describe_compiled(program, host.entry, library, host.sites)
    binary = accelerators.compile_kernels(kernels, device, store)
    return replace(compiled, device=device, kernels=placement.kernel_names, binary=binary)
