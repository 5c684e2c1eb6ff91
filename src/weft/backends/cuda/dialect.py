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


_VECTORS = {
    "int8_t": "char", "uint8_t": "uchar", "int16_t": "short", "uint16_t": "ushort", "int32_t": "int",
    "uint32_t": "uint", "int64_t": "longlong", "uint64_t": "ulonglong", "float": "float", "double": "double",
}  # fmt: skip


class CudaDialect(KernelDialect):
    """Kernels as NVRTC takes them."""

    language = "cuda"
    reserved = KernelDialect.reserved | frozenset(_WORDS)
    kernel_head = 'extern "C" __global__'
    long_suffix = "LL"
    shared_head = "__shared__ __align__(16) "
    barrier = "__syncthreads();"

    def __init__(self) -> None:
        super().__init__(Helpers([*SHARED_HELPERS, _FOLDER / "helpers" / "device.cuh"], self.type_names))

    def block_index(self, axis: Axis) -> str:
        """The number of the block along an axis."""
        return f"blockIdx.{axis}"

    def thread_index(self, axis: Axis) -> str:
        """The number of the thread in its block."""
        return f"threadIdx.{axis}"

    def memory_parameter(self, is_written: bool, is_apart: bool) -> str:
        """The compiler keeps elements in registers across writes to other arrays, and caches those only read."""
        if not is_apart:
            return "char *"
        return "char *__restrict__ " if is_written else "const char *__restrict__ "

    def address(self, pointer: str) -> str:
        """A pointer as an integer."""
        return f"(int64_t){pointer}"

    def load_run(self, place: str, memory_name: str, lanes: int) -> str:
        """One load of up to 16 bytes."""
        return f"*({self.run_type(memory_name, lanes)} *)({place})"

    def store_run(self, place: str, memory_name: str, vector: str, lanes: int) -> str:
        """One store of up to 16 bytes."""
        return f"*({self.run_type(memory_name, lanes)} *)({place}) = {vector};"

    def run_type(self, memory_name: str, lanes: int) -> str:
        """CUDA's own vector types."""
        return f"{_VECTORS[memory_name]}{lanes}"

    def pack(self, memory_name: str, items: Sequence[str]) -> str:
        """A vector of elements."""
        return f"make_{self.run_type(memory_name, len(items))}({', '.join(items)})"

    def group_limit(self, group: Sequence[int], resident: int) -> str:
        """The threads of a block, and the blocks on a multiprocessor, for the choice of registers."""
        threads = 1
        for extent in group:
            threads *= extent
        return f"__launch_bounds__({threads}{f', {resident}' if resident > 1 else ''})"

    def finish(self, text: str) -> str:
        """C's compound literals as C++ writes them."""
        return re.sub(r"\((complex64|complex128)\)\{", r"\1{", text)


def generate_kernels(program: n.Program) -> str:
    """The kernels of a placed program in CUDA C++."""
    return generate(program, CudaDialect())
