"""OpenCL C 1.2, which every device takes."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from pathlib import Path

from weft.backends.gpu.kernel_dialect import SHARED_HELPERS, KernelDialect
from weft.backends.gpu.kernels import generate
from weft.backends.text.helpers import Helpers
from weft.backends.text.printer_facts import Facts
from weft.ir import nodes as n
from weft.schedule.directives import AXES, Axis

_FOLDER = Path(__file__).parent
_EXTENSIONS = ("fp64", "int64_base_atomics", "int64_extended_atomics")


_VECTORS = {
    "int8_t": "char", "uint8_t": "uchar", "int16_t": "short", "uint16_t": "ushort", "int32_t": "int",
    "uint32_t": "uint", "int64_t": "long", "uint64_t": "ulong", "float": "float", "double": "double",
}  # fmt: skip


class OpenclDialect(KernelDialect):
    """Kernels as OpenCL drivers take them."""

    language = "opencl"
    preamble = "".join(
        f"#ifdef cl_khr_{name}\n#pragma OPENCL EXTENSION cl_khr_{name} : enable\n#endif\n" for name in _EXTENSIONS
    )
    preamble += "#pragma OPENCL FP_CONTRACT OFF\n\n"
    kernel_head = "__kernel"
    global_pointer = "__global "
    shared_head = "__local "
    is_stop_near = True
    barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"

    def __init__(self, fastmath: bool = False) -> None:
        files = ("device.cl", "fast.cl") if fastmath else ("device.cl",)
        super().__init__(Helpers([*SHARED_HELPERS, *(_FOLDER / "helpers" / f for f in files)], self.type_names))

    def block_index(self, axis: Axis) -> str:
        """The number of the group along an axis."""
        return f"get_group_id({AXES.index(axis)})"

    def thread_index(self, axis: Axis) -> str:
        """The number of the work item in its group."""
        return f"get_local_id({AXES.index(axis)})"

    def leave_together(self, failed: str) -> list[str]:
        """A place in shared memory tells all threads. Barriers use two places alternately: a thread that is ahead may
        fail after this barrier while others still look at its place. The place is chosen before the barrier: where
        threads change a variable of their own between the way out and the next iteration of a loop, many of
        PoCL's kernels do not end."""
        return [
            f"{failed}_turn = 1 - {failed}_turn;",
            f"if ({failed}) {failed}_places[{failed}_turn] = 1;",
            self.barrier,
            f"if ({failed}_places[{failed}_turn]) return;",
        ]

    def prepare_to_leave(self, failed: str) -> list[str]:
        """The places."""
        return [
            *super().prepare_to_leave(failed),
            f"{self.shared_head}int {failed}_places[2];",
            f"int {failed}_turn = 0;",
            f"{failed}_places[0] = {failed}_places[1] = 0;",
            self.barrier,
        ]

    def memory_parameter(self, is_written: bool, is_apart: bool) -> str:
        """A pointer to an array's memory."""
        mark = "restrict " if is_apart else ""
        return f"{'' if is_written or not is_apart else 'const '}__global char *{mark}"

    def address(self, pointer: str) -> str:
        """A pointer as an integer."""
        return f"(int64_t)(size_t){pointer}"

    def load_run(self, place: str, memory_name: str, lanes: int) -> str:
        """Neighbouring elements at any address."""
        return f"vload{lanes}(0, {place})"

    def store_run(self, place: str, memory_name: str, vector: str, lanes: int) -> str:
        """Neighbouring elements at any address."""
        return f"vstore{lanes}({vector}, 0, {place});"

    def run_type(self, memory_name: str, lanes: int) -> str:
        """OpenCL's own vector types."""
        return f"{_VECTORS[memory_name]}{lanes}"

    def pack(self, memory_name: str, items: Sequence[str], apart: bool) -> str:
        """A vector of elements; nothing is known of where compilers keep them."""
        return f"({self.run_type(memory_name, len(items))})({', '.join(items)})"

    def finish(self, text: str) -> str:
        """Helper functions may have variables that C's programmers name ``half``, which is a type here."""
        return re.sub(r"\bhalf\b(?! \*)", "half_of_it", text)

    def group_limit(self, group: Sequence[int], resident: int) -> str:
        """The work items of a group."""
        return f"__attribute__((reqd_work_group_size({', '.join(map(str, group))})))"


def generate_kernels(
    program: n.Program, fastmath: bool = False, names: Container[str] | None = None, facts: Facts | None = None
) -> str:
    """The kernels of a placed program in OpenCL C, or those of some `names`.

    Under `fastmath` functions of float32 stay in float32.
    """
    return generate(program, OpenclDialect(fastmath), names, facts)
