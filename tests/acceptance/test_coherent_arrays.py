"""Every program gives the answer of CPython also with coherent arrays, which share storages as the originals do."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import weft
from weft.runtime import _stub

from . import oracle
from . import programs as programs  # registers them
from .copying import Piece, rebuild, snapshot
from .oracle import Outcome
from .registry import PROGRAMS, Case, Program
from .test_programs import _compiled, check_arrays, check_exception, check_result

ALIGNMENT = 64


class Shared:
    """A piece of memory as a storage, and the bytes of both at corresponding places."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.start = _address(piece.buffer) // ALIGNMENT * ALIGNMENT
        self.gap = _address(piece.buffer) - self.start
        self.whole = weft.zeros(self.gap + piece.buffer.size, np.uint8)
        self.whole[self.gap :] = piece.buffer

    def array(self, like: np.ndarray) -> weft.Array:
        """A coherent array that has the place and the layout of another one."""
        return self.whole.part(_address(like) - self.start, like.shape, like.strides, like.dtype)

    def give_back(self) -> None:
        """Bring what became of the storage home."""
        self.piece.buffer[...] = self.whole[self.gap :]


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _is_plain(case: Case) -> bool:
    """Whether all arrays are writable, which coherent ones always are, and of layouts that Weft takes."""
    arrays = snapshot(case).arrays
    return bool(arrays) and all(
        a.flags.writeable and a.flags.aligned and a.dtype.isnative and a.ndim <= 8 and a.size for a in arrays
    )


def run(program: Program, case: Case, call: Callable[[Any], Any]) -> Outcome:
    """Run a program with coherent arrays; the outcome is told in terms of NumPy arrays."""
    copied = snapshot(case)
    shared = [Shared(piece) for piece in copied.pieces]
    coherent = {id(array): _of_piece(array, shared) for array in copied.arrays}
    function, arguments = program.bind(rebuild(copied.arguments, lambda leaf: coherent.get(id(leaf), leaf)))
    originals = {id(made): array for array, made in zip(copied.arrays, coherent.values())}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = call(function)(*arguments)
        except Exception as error:
            return Outcome(None, error, _home(shared, copied))
    _home(shared, copied)

    def plain(leaf: Any) -> Any:
        return originals.get(id(leaf), np.asarray(leaf)) if isinstance(leaf, weft.Array) else leaf

    return Outcome(rebuild(result, plain), None, copied)


def _home(shared: list[Shared], copied: Any) -> Any:
    for piece in shared:
        piece.give_back()
    return copied


def _of_piece(array: np.ndarray, shared: list[Shared]) -> weft.Array:
    return next(s.array(array) for s in shared if s.start <= _address(array) < s.start + s.whole.size)


@pytest.fixture(scope="module", autouse=True)
def no_captured_arrays_stay() -> Iterator[None]:
    """Functions that captured coherent arrays are given up, for tests that count what is on a device."""
    yield
    _compiled.cache_clear()
    gc.collect()


@pytest.mark.parametrize(
    "device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl), pytest.param("cuda", marks=pytest.mark.gpu)]
)
@pytest.mark.parametrize("name", PROGRAMS)
def test_answer_is_that_of_cpython(name: str, device: str) -> None:
    program = PROGRAMS[name]
    ran = 0
    for index, case in enumerate(oracle.cases(name)):
        if not _is_plain(case):
            continue
        ran += 1
        expected = oracle.expected(name, index)
        got = run(program, case, lambda function: _compiled(function, device))
        check_exception(program, expected, got)
        assert not got.after.wrote_outside(), "bytes outside the arrays have changed"
        if expected.error is None:
            check_result(program, index, expected, got)
        if expected.error is None or program.exact_state:
            check_arrays(program, index, expected, got)
    if not ran:
        pytest.skip("no case has arrays that are coherent ones' like")


def test_storages_are_given_back_after_all() -> None:
    """No storage is held by what ran here: the pool of the device has all of its memory back."""
    from weft.runtime.devices import accelerators

    _compiled.cache_clear()
    gc.collect()
    for table in accelerators.tables():
        assert _stub.device_memory(table)[0] < 1 << 20
