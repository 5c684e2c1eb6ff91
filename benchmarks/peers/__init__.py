"""Other libraries' ways to run the programs of `benchmarks.gpu_programs`: a file for each, which imports the library.

A way is made for the arrays of a call, which are CuPy's, in the order of the program's arguments. It gives a call
that does the work once and returns the answer: an array on the GPU, of any library, or a number.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Make: TypeAlias = Callable[..., Callable[[], Any] | None]

MODULES = {
    "numba_cuda": ("numba-cuda", ("numba-cuda", "numba-cuda tiled")),
    "cupy_arrays": ("cupy-cuda13x", ("CuPy", "CUB through CuPy")),
    "jax_arrays": ("jax[cuda13]", ("JAX",)),
    "warp_kernels": ("warp-lang", ("Warp",)),
    "triton_kernels": ("triton", ("Triton",)),
    "torch_arrays": ("torch", ("torch", "torch.compile")),
}
"""The files, what `pip install` has to be given for each, and the peers in it."""


@dataclass(frozen=True)
class Peer:
    """A library, or one way of using it.

    Attributes
    ----------
    name, version
        To print.
    ways
        By the names of programs.
    missing
        Why it is not there; empty where it is.
    """

    name: str
    version: str = ""
    ways: Mapping[str, Make] = field(default_factory=dict)
    missing: str = ""


def all_peers() -> Iterator[Peer]:
    """Give every peer; those that are not installed say so."""
    for module, (package, names) in MODULES.items():
        try:
            yield from importlib.import_module(f"benchmarks.peers.{module}").PEERS
        except Exception as problem:  # whatever is wrong with one installation must not stop the others
            reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            missing = f"absent: {reason[:80]} (pip install {package})"
            yield from (Peer(name, missing=missing) for name in names)
