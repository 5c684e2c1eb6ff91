"""CUDA C++."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from weft.backends.helpers import Helpers
from weft.backends.kernels import SHARED_HELPERS, KernelDialect, generate
from weft.ir import nodes as n
from weft.schedule.directives import Axis

_FOLDER = Path(__file__).parent
_WORDS = (
    "and", "and_eq", "asm", "bitand", "bitor", "catch", "compl", "concept", "const_cast", "decltype", "dynamic_cast",
    "explicit", "export", "mutable", "noexcept", "not", "not_eq", "or", "or_eq", "reinterpret_cast", "requires",
    "static_assert", "static_cast", "thread_local", "typeid", "typename", "wchar_t", "xor", "xor_eq",
    "blockIdx", "blockDim", "threadIdx", "gridDim", "warpSize",
)  # fmt: skip


class CudaDialect(KernelDialect):
    """Kernels as NVRTC takes them."""

    language = "cuda"
    reserved = KernelDialect.reserved | frozenset(_WORDS)
    kernel_head = 'extern "C" __global__'
    long_suffix = "LL"

    def __init__(self) -> None:
        super().__init__(Helpers([*SHARED_HELPERS, _FOLDER / "helpers" / "device.cuh"], self.type_names))

    def block_index(self, axis: Axis) -> str:
        """The number of the block along an axis."""
        return f"blockIdx.{axis}"

    def thread_index(self, axis: Axis) -> str:
        """The number of the thread in its block."""
        return f"threadIdx.{axis}"

    def group_limit(self, group: Sequence[int]) -> str:
        """The threads of a block, for the choice of registers."""
        threads = 1
        for extent in group:
            threads *= extent
        return f"__launch_bounds__({threads})"

    def finish(self, text: str) -> str:
        """C's compound literals as C++ writes them."""
        return re.sub(r"\((complex64|complex128)\)\{", r"\1{", text)


def generate_kernels(program: n.Program) -> str:
    """The kernels of a placed program in CUDA C++."""
    return generate(program, CudaDialect())
