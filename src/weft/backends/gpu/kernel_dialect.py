"""What the languages of kernels write in ways of their own: CUDA C++ and OpenCL C, each a small class."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.backends.gpu.collective_reduce import SIDE, Fold, through_memory
from weft.backends.gpu.collective_scan import Joined, Order, Value
from weft.backends.gpu.collective_scan import through_memory as put_together_in_memory
from weft.backends.text.dialect import Dialect
from weft.schedule.directives import Axis

_C_HELPERS = Path(__file__).parents[1] / "c" / "helpers"
SHARED_HELPERS = (
    *(_C_HELPERS / f"{name}.h" for name in ("core", "integers", "floats", "complex")),
    *(Path(__file__).parent / "helpers" / f"{name}.h" for name in ("complex_functions", "complex_inverses")),
)
"""Helper functions that kernels share with C, whose others are vector code for processors; and with one another."""


@dataclass(frozen=True)
class Turn:
    """What blocks hand on.

    Attributes
    ----------
    words
        The array that it goes through.
    tile
        The number of the block.
    carried, sums
        Types and values of what is carried before the first block, and of what this one adds.
    begin
        What the block begins with: a variable that its threads share, with fields ``value_0`` and so on.
    joined
        The statements that put ``weft_more`` behind ``weft_before``, and the values then.
    """

    words: str
    tile: str
    carried: Sequence[tuple[str, str]]
    sums: Sequence[tuple[str, str]]
    begin: str
    joined: tuple[Sequence[str], Sequence[str]]


class KernelDialect(Dialect):
    """What a language of kernels writes in its own way."""

    wraps = False
    preamble = ""
    kernel_head = ""
    function_head = "HELPER"
    global_pointer = ""
    """What stands before the type that a pointer to an array's elements points to."""

    def pointer(self, memory_name: str) -> str:
        """The type of a pointer to elements."""
        return f"{self.global_pointer}{memory_name} *"

    def block_index(self, axis: Axis) -> str:
        """The number of the block along an axis."""
        raise NotImplementedError

    def thread_index(self, axis: Axis) -> str:
        """The number of the work item in its block."""
        raise NotImplementedError

    shared_head = ""
    """What stands before an array that the threads of a block share, where it says what its place is a multiple of."""
    asked_head = ""
    """The same before the shared memory that the launch asks for, where only so much is given otherwise."""
    barrier = ""
    """A statement that waits for all threads of the block."""

    def leave_together(self, failed: str) -> list[str]:
        """Statements that wait for all threads of the block, and end all of them if variable `failed` is set in one."""
        raise NotImplementedError

    def prepare_to_leave(self, failed: str) -> list[str]:
        """What a kernel with such statements begins with."""
        return [f"int {failed} = 0;"]

    def memory_parameter(self, is_written: bool, is_apart: bool) -> str:
        """The type of a parameter that points to an array's memory; `is_apart`: which no other one points to."""
        return self.pointer("char")

    def address(self, pointer: str) -> str:
        """A pointer as an integer."""
        raise NotImplementedError

    def load_run(self, place: str, memory_name: str, lanes: int) -> str:
        """Neighbouring elements from the one at `place` on, as a vector."""
        raise NotImplementedError

    def store_run(self, place: str, memory_name: str, vector: str, lanes: int) -> str:
        """A statement that writes a vector to neighbouring elements."""
        raise NotImplementedError

    def run_type(self, memory_name: str, lanes: int) -> str:
        """The type of a vector of elements."""
        raise NotImplementedError

    def pack(self, memory_name: str, items: Sequence[str], apart: bool) -> str:
        """A vector of elements, or of copies of them."""
        raise NotImplementedError

    def fold_room(self, threads: int) -> int:
        """Places in the array that threads share for a fold."""
        return threads + -(-threads // SIDE)

    def fold(self, folds: Sequence[Fold], threads: int) -> list[str]:
        """Statements by which the threads of a block along x fold their parts."""
        return through_memory(folds, threads, self.thread_index("x"), self.barrier)

    def together_room(self, order: Order) -> int:
        """Places in the array that threads share to put their parts together."""
        return order.threads * order.runs + order.sides

    def put_together(self, values: Sequence[Value], order: Order, joined: Joined) -> list[str]:
        """Statements by which the threads of a block along x put their parts together, with a barrier in between."""
        return put_together_in_memory(values, order, joined, self.thread_index("x"), self.barrier)

    matrix_tests: Mapping[int, tuple[str, str]] = {}
    """For elements of some bytes, what multiplies two tiles by instructions for that, and the line of the preprocessor
    that asks whether there are any."""
    window_test: tuple[str, str] | None = None
    """The same for windows of float64."""
    asks = False
    """Whether elements can be asked for beforehand."""
    looking = ""
    """What a function declares that looks whether the program is to stop."""
    is_stop_near = False
    """Whether a look if the program is to stop is a load like any other, so that loops may begin with it."""
    late_sizes: Container[int] = ()
    """Bytes that the device copies to shared memory while a thread goes on."""

    def copy_late(self, place: str, source: str, size: int) -> str:
        """A statement that begins to copy some bytes from one address to another."""
        raise NotImplementedError

    def ask(self, address: str) -> str:
        """A statement that brings what is at an address nearer."""
        raise NotImplementedError

    def wait_late(self, under_way: int) -> str:
        """A statement that waits until no more than the copies of the latest so many phases are under way."""
        raise NotImplementedError

    def take_turn(self, words: str) -> str:
        """The number of the block among those that hand values on, in the order in which they begin."""
        raise NotImplementedError

    def announce(self, turn: Turn) -> Sequence[str]:
        """Statements that tell the blocks behind this one what it adds."""
        raise NotImplementedError

    def hand_on(self, turn: Turn) -> Sequence[str]:
        """Statements that take over what the blocks before this one hand on, and hand on what it makes of that; then a
        barrier."""
        raise NotImplementedError

    def group_limit(self, group: Sequence[int], resident: int) -> str:
        """What tells the compiler how many work items a block has, and how many blocks are to fit at a time."""
        raise NotImplementedError

    def opening(self, offsets: Sequence[str]) -> list[str]:
        """The first lines of a kernel that may be started early; addresses in arrays are computed from `offsets`."""
        return []

    def load_constant(self, address: str, type: str) -> str | None:
        """What stands at an address and changes nowhere while the kernel runs; None where that makes no difference."""
        return None

    def look(self, stop: str) -> str:
        """Whether what is at an address says that the program is to stop."""
        return f"*{stop}"

    def load_once(self, address: str, type: str) -> str | None:
        """What stands at an address and is needed once; None where that makes no difference."""
        return None

    def finish(self, text: str) -> str:
        """The whole text as the language wants it."""
        return text
