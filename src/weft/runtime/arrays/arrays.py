"""Coherent arrays: they know in which memories they are current, and move when they are touched.

What is current where is kept in C (`support/storage.c`), since every call asks for it. Here is what NumPy and other
libraries see. The rule of all exports: whatever may be written through without Weft's knowing is a loan, and as long as
it lasts nothing that was copied elsewhere is trusted.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from operator import index
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from weft.backends.host import forks
from weft.errors import ArgumentError, DeviceError, Error, OutOfMemoryError
from weft.frontend.source.signature import MAX_DIMENSIONS, check_layout
from weft.ir.types import View, element_of
from weft.runtime import _stub
from weft.runtime.devices import accelerators

HOST = 0
"""The place of the host; others are addresses of device tables."""

_NO_HOST_MEMORY, _FORKED, _LENT = 10000, 10002, 10005
"""Statuses of ``support/*.h``."""


DLPACK_HOST, DLPACK_CUDA = 1, 2
"""DLPack's numbers of device types."""

LEGACY_STREAM = 1
"""The stream on which libraries work that name none."""

_BASE = 1 << 20
"""The address that layouts without memory count from."""


class Array(_stub.Coherent, NDArrayOperatorsMixin):
    """An array that is current in one or several memories and moves when it is touched.

    Compiled functions find it where they run; NumPy finds it on the host. Made by `array`, `empty`, `zeros` and their
    ``_like`` forms, and by slicing: a slice shows the same elements, as in NumPy.

    Attributes
    ----------
    shape, strides, dtype, ndim, itemsize
        As of a NumPy array.
    """

    __slots__ = ("__weakref__", "_lent")
    __hash__ = None  # type: ignore[assignment]

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def T(self) -> Array:
        """The array with its dimensions in reverse order, showing the same elements."""
        return self._view_of(self.layout().T)

    @property
    def where(self) -> tuple[str, ...]:
        """The memories in which all elements are current now: ``host`` and names of devices."""
        return tuple(accelerators.name_of(place) for place in self._storage.current())

    # --------------------------------------------------------------------------------------------------- NumPy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """A read-only view on the host; as long as it lives, the host's memory is current when a call returns."""
        if dtype is not None and np.dtype(dtype) != self.dtype:
            if copy is False:
                raise ValueError(f"an array of {self.dtype} is no array of {np.dtype(dtype)} without a copy")
            return self._read().astype(dtype)
        return self._read().copy() if copy else self._shown()

    def _shown(self) -> np.ndarray[Any, Any]:
        """The elements in the host's memory, to be read; the loan ends with the last array that shows them."""
        return self._over(_stub.Loan(self._storage, HOST, False))

    def _read(self) -> np.ndarray[Any, Any]:
        """The elements, to be looked at now and not kept: of a part, only these leave the device that has them."""
        if self._storage.size > self.nbytes and HOST not in self._storage.current():
            from weft.runtime.arrays import parts

            found = parts.read(self)
            if found is not None:
                return found
        return self._shown()

    def _over(self, loan: _stub.Loan) -> np.ndarray[Any, Any]:
        buffer: Any = loan
        offset = self._offset if self.size else 0  # a part without elements may begin behind the last one
        shown: np.ndarray[Any, Any] = np.ndarray(self.shape, self.dtype, buffer, offset, self.strides)
        return shown

    @contextmanager
    def host(self) -> Iterator[np.ndarray[Any, Any]]:
        """Lend the array to NumPy for a ``with`` block, to be written.

        Yields
        ------
        numpy.ndarray
            The elements in the host's memory. After the block it cannot be written any more; where the block made
            other views of it that still live, the loan goes on until they die.
        """
        loan = _stub.Loan(self._storage, HOST, True)
        root = self._over(loan)
        lent = root[...]
        try:
            yield lent
        finally:
            lent.flags.writeable = False
            # `lent`: this frame, the block's variable, the call. `root`: this frame, `lent`, the call.
            if sys.getrefcount(lent) <= 3 and sys.getrefcount(root) <= 3:
                loan.close()

    @contextmanager
    def _changing(self) -> Iterator[np.ndarray[Any, Any]]:
        """The elements in the host's memory while Weft itself changes them."""
        elements = self.layout(self._storage.acquire(HOST, True))
        try:
            yield elements
        finally:
            self._storage.wrote(HOST)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Compute on the host, as NumPy does; arrays given as ``out`` are written there."""
        outputs = options.get("out", ())
        if method == "at":
            return self._computed_in_place(ufunc, inputs, options)
        if any(isinstance(given, Array) for given in outputs):
            return _with_outputs(ufunc, method, inputs, options)
        return getattr(ufunc, method)(*map(_plain, inputs), **options)

    def _computed_in_place(self, ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> None:
        target, *others = inputs
        if not isinstance(target, Array):
            return ufunc.at(target, *map(_plain, others), **options)
        with target._changing() as elements:
            return ufunc.at(elements, *map(_plain, others), **options)

    def __getitem__(self, key: Any) -> Any:
        """A slice as an array that shows the same elements; an element or a selection as NumPy gives it."""
        if isinstance(key, str):
            return self._view_of(self.layout()[key])
        if _is_basic(key):
            items = key if isinstance(key, tuple) else (key,)
            shown = self.layout()[items if Ellipsis in items else (*items, ...)]
            part = self._view_of(shown)
            return part if shown.ndim or Ellipsis in items else part._read()[()]
        return self._shown()[_plain(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set elements on the host; a few of those that a device has, there."""
        value = _plain(value)
        if _is_basic(key) and self._storage.size > self.itemsize:
            from weft.runtime.arrays import parts

            items = key if isinstance(key, tuple) else (key,)
            if parts.write(self._view_of(self.layout()[items if Ellipsis in items else (*items, ...)]), value):
                return
        with self._changing() as elements:
            elements[_plain(key)] = value

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __contains__(self, value: object) -> bool:
        return value in self._read()

    def __bool__(self) -> bool:
        return bool(self._read())

    def __int__(self) -> int:
        return int(self._read())

    def __float__(self) -> float:
        return float(self._read())

    def __complex__(self) -> complex:
        return complex(self._read())

    def __index__(self) -> int:
        return self._read().__index__()

    def __repr__(self) -> str:
        return f"weft.{self._read()!r}"

    def __str__(self) -> str:
        return str(self._read())

    def __format__(self, spec: str) -> str:
        return format(self._read(), spec)

    def __copy__(self) -> Array:
        return array(self)

    def __deepcopy__(self, memory: dict[int, object]) -> Array:
        return array(self)

    def __reduce__(self) -> tuple[object, ...]:
        return array, (self._read().copy(),)

    def copy(self) -> Array:
        """An array of its own with the same elements, in C order."""
        return array(self)

    def reshape(self, *shape: Any) -> Array:
        """The same elements in another shape.

        Raises
        ------
        ValueError
            The elements are not contiguous, so that this would be a copy: write ``w.copy().reshape(...)``.
        """
        model = self.layout()
        if not model.flags.c_contiguous:
            raise ValueError("only contiguous arrays are reshaped without a copy; write w.copy().reshape(...)")
        return self._view_of(model.reshape(*shape))

    def __getattr__(self, name: str) -> Any:
        """Other methods of NumPy arrays, such as ``sum``, of the elements on the host."""
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._shown(), name)

    # ------------------------------------------------------------------------------------------------ other libraries

    def __dlpack_device__(self) -> tuple[int, int]:
        """The GPU on which the elements are current, else the host: DLPack's numbers of both."""
        name = self._gpu()
        return (DLPACK_CUDA, _number(name)) if name else (DLPACK_HOST, 0)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """Lend the elements to another library, which may write them, until it drops them.

        Parameters
        ----------
        stream
            The consumer's stream, after which nothing has to wait: it is made to wait for what was queued here. None
            stands for the legacy stream, -1 for no order at all.
        max_version
            The newest version of DLPack that the consumer knows.
        dl_device
            Where it wants the elements; by default where they are.
        copy
            Whether it wants elements of its own.

        Raises
        ------
        BufferError
            DLPack has no form for the array, or there is no such device.
        DeviceError
            The array is lent in another memory already.
        """
        type, number = dl_device or self.__dlpack_device__()
        if copy:
            return array(self).__dlpack__(stream=stream, max_version=max_version, dl_device=(type, number))
        versioned = max_version is not None and max_version[0] >= 1
        if type == DLPACK_HOST:
            loan = _stub.Loan(self._storage, HOST, True)
        elif type == DLPACK_CUDA:
            place = accelerators.table(_gpu_name(number))
            loan = _stub.Loan(self._storage, place, True)
            if stream != -1:
                _order(place, LEGACY_STREAM if stream is None else stream)
        else:
            raise BufferError(f"arrays are not exported to devices of DLPack's type {type}")
        return _stub.dlpack_capsule(self, loan, loan.address, type, number, versioned)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Lend the elements to another library on a GPU, which may write them, as long as this object lives."""
        name = self._gpu() or _first_gpu()
        if name is None:
            raise AttributeError("there is no CUDA device")
        place = accelerators.table(name)
        if getattr(self, "_lent", None) is None:
            self._lent = _stub.Loan(self._storage, place, True)
        self._storage.acquire(place, True)
        return {
            "version": 3, "shape": self.shape, "strides": self.strides, "typestr": self.dtype.str,
            "descr": self.dtype.descr, "data": (self._lent.address + self._offset, False),
            "stream": accelerators.open_device(name).handles[1],
        }  # fmt: skip

    def _gpu(self) -> str | None:
        """The GPU on which the elements are current."""
        return next((name for name in self.where if name.partition(":")[0] == "cuda"), None)

    # ------------------------------------------------------------------------------------------------ compiled code

    def __weft_type__(self, memory: str) -> View:
        """The type of the array as an argument of a function that runs where `memory` is."""
        return View(element_of(self.dtype), self.ndim, self._contiguous, memory=memory)

    def layout(self, address: int = _BASE) -> np.ndarray[Any, Any]:
        """An array that has this layout over a storage at an address: its elements must not be touched."""
        return np.asarray(_Layout(self, address + self._offset)).view(self.dtype)

    def _view_of(self, model: np.ndarray[Any, Any]) -> Array:
        """The array of which `model` is the layout."""
        return self.part(model.__array_interface__["data"][0] - _BASE, model.shape, model.strides, model.dtype)

    def part(self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An array over the same storage; `offset` is where in it the first element is."""
        return _view(self._storage, offset, shape, strides, dtype)


class _Layout:
    """A layout, for NumPy to compute with."""

    def __init__(self, array: Array, address: int) -> None:
        self.__array_interface__ = {
            "version": 3, "shape": array.shape, "strides": array.strides, "typestr": f"|V{array.itemsize}",
            "data": (address, False),
        }  # fmt: skip


def _is_basic(key: Any) -> bool:
    """Whether an index makes a view: integers, slices, ``...`` and ``None``."""
    items = key if isinstance(key, tuple) else (key,)
    return all(
        item is None or item is Ellipsis or isinstance(item, slice)
        or (isinstance(item, (int, np.integer)) and not isinstance(item, bool))
        for item in items
    )  # fmt: skip


def _number(device: str) -> int:
    return int(device.partition(":")[2].partition(".")[0] or 0)


def _gpu_name(number: int) -> str:
    return f"cuda:{number}" if number else "cuda"


@functools.cache
def _first_gpu() -> str | None:
    """The first GPU, where there is one."""
    from weft.backends.cuda import devices

    return "cuda" if devices.discover() else None


def _order(place: int, stream: int) -> None:
    """Let a stream of another library wait for what was queued on a device."""
    status = _stub.device_order(place, stream, True)
    if status:
        raise failure(status, place, 0)


def _plain(value: Any) -> Any:
    """A value as NumPy takes it."""
    return value._read() if isinstance(value, Array) else value


def _with_outputs(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A ufunc that writes into coherent arrays; its result is these."""
    outputs = options["out"]
    with ExitStack() as stack:
        written = tuple(stack.enter_context(o._changing()) if isinstance(o, Array) else o for o in outputs)
        getattr(ufunc, method)(*map(_plain, inputs), **{**options, "out": written})
    return outputs[0] if len(outputs) == 1 else outputs


def _view(
    storage: _stub.Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]
) -> Array:
    """An array over part of a storage.

    Raises
    ------
    ArgumentError
        The layout is none that compiled functions take.
    """
    check_layout(dtype, offset, strides)
    return Array(storage, offset, shape, strides, dtype)


# ------------------------------------------------------------------------------------------------------- making


def array(values: Any, dtype: Any = None) -> Array:
    """Make a coherent array with the elements of anything that NumPy takes.

    Parameters
    ----------
    values
        An array, a number or nested sequences; always copied.
    dtype
        Type of the elements; by default as NumPy chooses it.

    Returns
    -------
    Array
        In C order, current on the host.

    Raises
    ------
    ArgumentError
        Weft does not know the type of the elements, or there are more than eight dimensions.
    """
    given = np.asarray(_plain(values), dtype)
    made = empty(given.shape, given.dtype)
    if made.size:
        with made._changing() as elements:
            elements[...] = given
    return made


def empty(shape: int | Sequence[int], dtype: Any = float) -> Array:
    """Make a coherent array whose elements are unspecified.

    Parameters
    ----------
    shape
        Extents.
    dtype
        Type of the elements.
    """
    return _made(shape, dtype, zeros=False)


def zeros(shape: int | Sequence[int], dtype: Any = float) -> Array:
    """Make a coherent array of zeros; parameters as for `empty`."""
    return _made(shape, dtype, zeros=True)


def empty_like(prototype: Any, dtype: Any = None) -> Array:
    """Make a coherent array of the shape and, by default, the type of another array; its elements are unspecified."""
    return empty(*_shape_and_type(prototype, dtype))


def zeros_like(prototype: Any, dtype: Any = None) -> Array:
    """Make a coherent array of zeros of the shape and, by default, the type of another array."""
    return zeros(*_shape_and_type(prototype, dtype))


def _shape_and_type(prototype: Any, dtype: Any) -> tuple[Any, Any]:
    if not hasattr(prototype, "shape"):
        prototype = np.asarray(prototype)
    return prototype.shape, prototype.dtype if dtype is None else dtype


def _made(shape: Any, dtype: Any, zeros: bool) -> Array:
    extents = (index(shape),) if hasattr(shape, "__index__") else tuple(map(index, shape))
    type_ = np.dtype(dtype)
    if any(extent < 0 for extent in extents):
        raise ValueError("negative dimensions are not allowed")
    if len(extents) > MAX_DIMENSIONS:
        raise ArgumentError(f"the array has {len(extents)} dimensions; at most {MAX_DIMENSIONS} are supported")
    strides: list[int] = []
    step = type_.itemsize
    for extent in reversed(extents):
        strides.insert(0, step)
        step *= max(extent, 1)
    size = 0 if 0 in extents else step
    return _view(_stub.Storage(size, zeros), 0, extents, tuple(strides), type_)


def failure(status: int, place: int, size: int) -> Error:
    """Why an array could not be moved: what the stub raises.

    Parameters
    ----------
    status
        Of the driver, or one of Weft's own.
    place
        The table of the device; 0 for the host.
    size
        Bytes of the array.
    """
    device = accelerators.name_of(place)
    if status == _LENT:
        return DeviceError(
            f"the array cannot be lent to be written in the memory of {device!r}: it is lent elsewhere",
            cause="two lenders who may write at any time, in two memories, cannot both be right",
            hint="end the other loan first: leave the block of w.host(), or drop the other library's array",
        )
    if status == _FORKED:
        return forks.refusal(device)
    if status in (_NO_HOST_MEMORY, *accelerators.NO_MEMORY.get(device.partition(":")[0], ())):
        where = "the host's memory" if status == _NO_HOST_MEMORY else f"the memory of {device}"
        return OutOfMemoryError(f"the array does not fit into {where}", needed=size or None)
    return DeviceError(
        f"the device {device!r} failed with the driver's error {status}", cause=accelerators.running(place)
    )
