"""Runs placed programs on real devices, without Python source and without passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from weft.backends.c import toolchain
from weft.compile.store import default_store
from weft.frontend.source.signature import describe_array
from weft.runtime.devices import accelerators, modules
from weft.runtime.dispatch import specialisation
from weft.runtime.dispatch.variants import Family, Leaf


def run_on(device, program, leaves):
    """Run a program with its parallel loops on a device; what it returns."""
    family = Family(lambda key: compile_on(device, program, leaves), specialisation._load, {})
    return family.variant().handle.run(tuple(leaves))


def compile_on(device, program, leaves):
    """The compiled form of a program on a device, which takes these arguments."""
    store = default_store()
    placement = accelerators.place(program, device)
    host, _ = accelerators.generate(placement, device)
    library = store.put_library(toolchain.compile_source(host.source))
    compiled = specialisation.describe_compiled(program, host.entry, library, host.sites, frozenset())
    made = {name: module.key for module in modules.write_modules(placement, device, store) for name in module.kernels}
    taken = tuple(map(_as_given, compiled.leaves, leaves))
    names = placement.kernel_names
    lines = tuple(0 for _ in names)
    keys = tuple(made[name] for name in names)
    return replace(compiled, leaves=taken, device=device, kernels=names, kernel_lines=lines, modules=keys)


def _as_given(leaf, value):
    """Code for arrays of any strides takes contiguous ones too; the entry stub wants to be told."""
    return Leaf(describe_array(value), leaf.written) if isinstance(value, np.ndarray) else leaf
