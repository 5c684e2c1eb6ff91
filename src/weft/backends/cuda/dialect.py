"""CUDA C++."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from pathlib import Path

from weft.backends.gpu.collective_reduce import Fold, through_warps
from weft.backends.gpu.collective_scan import Joined, Order, Value, counted
from weft.backends.gpu.collective_scan import through_warps as put_together_by_warps
from weft.backends.gpu.kernel_dialect import SHARED_HELPERS, KernelDialect, Turn
from weft.backends.gpu.kernels import generate
from weft.backends.text.helpers import Helpers
from weft.backends.text.printer_facts import Facts
from weft.ir import nodes as n
from weft.schedule.directives import Axis

WARP = 32
_FOLDER = Path(__file__).parent


_VECTORS = {
    "int8_t": "char", "uint8_t": "uchar", "int16_t": "short", "uint16_t": "ushort", "int32_t": "int",
    "uint32_t": "uint", "int64_t": "longlong", "uint64_t": "ulonglong", "float": "float", "double": "double",
}  # fmt: skip


class CudaDialect(KernelDialect):
    """Kernels as NVRTC takes them."""

    language = "cuda"
    kernel_head = 'extern "C" __global__'
    long_suffix = "LL"
    shared_head = "__shared__ __align__({}) "
    asked_head = "extern __shared__ __align__({}) char "
    barrier = "__syncthreads();"
    late_sizes = (4, 8, 16)
    asks = True
    looking = "int64_t weft_since = 0;"
    matrix_tests = {
        8: ("multiply_tiles", "#if __CUDA_ARCH__ >= 900"),
        4: ("multiply_tf32_tiles", "#if __CUDA_ARCH__ >= 800"),
    }
    window_test = "multiply_windows", "#if __CUDA_ARCH__ >= 900"

    def __init__(self, fastmath: bool = False) -> None:
        files = ("device.cuh", "fast.cuh") if fastmath else ("device.cuh",)
        self.large_roots = not fastmath
        super().__init__(Helpers([*SHARED_HELPERS, *(_FOLDER / "helpers" / f for f in files)], self.type_names))

    def look(self, stop: str) -> str:
        """Twice a second: all threads together have a million looks across the bus in it.

        Functions that are called have a clock of their own, which begins again in each call: one that takes less than
        half a second never looks, and the loop around the call does.
        """
        return f"is_to_stop({stop}, weft_since)"

    def block_index(self, axis: Axis) -> str:
        """The number of the block along an axis."""
        return f"blockIdx.{axis}"

    def thread_index(self, axis: Axis) -> str:
        """The number of the thread in its block."""
        return f"threadIdx.{axis}"

    def leave_together(self, failed: str) -> list[str]:
        """The barrier itself tells every thread whether one has failed."""
        return [f"if (__syncthreads_or({failed})) return;"]

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

    def pack(self, memory_name: str, items: Sequence[str], apart: bool) -> str:
        """A vector of elements. The assembler finds copies by itself and undoes them, unless they are computed."""
        if apart and memory_name == "float":
            items = [f"copy_float32({item})" for item in items]
        return f"make_{self.run_type(memory_name, len(items))}({', '.join(items)})"

    def copy_late(self, place: str, source: str, size: int) -> str:
        """A copy by the memory pipeline, past the registers."""
        return f"copy_late_{size}({place}, {source});"

    def ask(self, address: str) -> str:
        """Into the second-level cache."""
        return f"ask_for({address});"

    def wait_late(self, under_way: int) -> str:
        """What was begun since the last wait is a group of copies."""
        return f"wait_late({under_way});"

    def fold_room(self, threads: int) -> int:
        """A place for each warp."""
        return super().fold_room(threads) if threads % WARP else threads // WARP

    def fold(self, folds: Sequence[Fold], threads: int) -> list[str]:
        """By shuffles, where a block has whole warps."""
        if threads % WARP:
            return super().fold(folds, threads)
        return through_warps(folds, threads, self.thread_index("x"), self.barrier, WARP)

    def together_room(self, order: Order) -> int:
        """A place for each warp."""
        return super().together_room(order) if order.threads % WARP else order.threads // WARP

    def put_together(self, values: Sequence[Value], order: Order, joined: Joined) -> list[str]:
        """By shuffles, where a block has whole warps."""
        if order.threads % WARP:
            return super().put_together(values, order, joined)
        if order.bits:
            return [line for value in values for line in counted(value, order)]
        return put_together_by_warps(values, order, joined, self.thread_index("x"), self.barrier)

    def take_turn(self, words: str) -> str:
        """A number that one thread takes for all."""
        return f"take_turn((uint64_t *){words})"

    def announce(self, turn: Turn) -> Sequence[str]:
        """One thread stores what the block adds."""
        carried, sums, own = (f"{turn.begin}_{name}" for name in ("carried", "sums", "own"))
        return [
            f"struct __align__(4) {carried} {{ {_fields(turn.carried)} }};",
            f"struct __align__(4) {sums} {{ {_fields(turn.sums)} }};",
            f"const {sums} {own} = {{{_values(turn.sums)}}};",
            f"if (threadIdx.x == 0) announce<{carried}>((uint64_t *){turn.words}, {turn.tile}, {own});",
        ]

    def hand_on(self, turn: Turn) -> Sequence[str]:
        """The first warp of a block asks the blocks before it."""
        carried, sums, own = (f"{turn.begin}_{name}" for name in ("carried", "sums", "own"))
        lines, values = turn.joined
        return [
            f"__shared__ {carried} {turn.begin};",
            f"auto {turn.begin}_joined = [=](const {carried} &weft_before, const {sums} &weft_more) -> {carried} {{",
            *lines,
            f"    return {carried}{{{', '.join(values)}}};",
            "};",
            "if (threadIdx.x < 32)",
            f"    hand_on((uint64_t *){turn.words}, {turn.tile}, {carried}{{{_values(turn.carried)}}},",
            f"            {own}, {turn.begin}_joined, &{turn.begin});",
            "__syncthreads();",
        ]

    def group_limit(self, group: Sequence[int], resident: int) -> str:
        """The threads of a block, and the blocks on a multiprocessor, for the choice of registers."""
        threads = 1
        for extent in group:
            threads *= extent
        return f"__launch_bounds__({threads}{f', {resident}' if resident > 1 else ''})"

    def opening(self, offsets: Sequence[str]) -> list[str]:
        """The kernel waits for the one before, which may still run: see ``device.cuh``."""
        return [f"begin_kernel({', '.join(offsets)});"]

    def load_constant(self, address: str, type: str) -> str | None:
        """A load past the coherent cache, for types that have one."""
        return f"__ldg({address})" if _is_loaded(type) else None

    def load_once(self, address: str, type: str) -> str | None:
        """A load whose line the caches give up first, for types that have one."""
        return f"__ldcs({address})" if _is_loaded(type) else None

    def finish(self, text: str) -> str:
        """C's compound literals as C++ writes them."""
        return re.sub(r"\((complex64|complex128)\)\{", r"\1{", text)


def _is_loaded(type: str) -> bool:
    """Whether there are functions that load such elements or vectors."""
    return type in _VECTORS or type in {f"{name}{lanes}" for name in _VECTORS.values() for lanes in (2, 4)}


def _fields(typed: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{c_type} value_{k};" for k, (c_type, _) in enumerate(typed))


def _values(typed: Sequence[tuple[str, str]]) -> str:
    return ", ".join(value for _, value in typed)


def generate_kernels(
    program: n.Program, fastmath: bool = False, names: Container[str] | None = None, facts: Facts | None = None
) -> str:
    """The kernels of a placed program in CUDA C++, or those of some `names`.

    Under `fastmath` functions of float32 stay in float32.
    """
    return generate(program, CudaDialect(fastmath), names, facts)
