"""Arrays on an NVIDIA GPU that libraries hand over as DLPack: the layout is that of ``dlpack.h``, versions 0 and 1."""

from __future__ import annotations

import ctypes
from typing import Any

from weft.errors import ArgumentError

CUDA, CUDA_MANAGED = 2, 13
"""Device types whose memory kernels can use."""

LEGACY_STREAM = 1
"""The stream that the producer is asked to be done for."""

READ_ONLY = 1
KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
"""NumPy's letters for the codes of element types; others have no NumPy type."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


def interface_of(value: Any) -> dict[str, Any] | None:
    """What ``__cuda_array_interface__`` would say of an array with ``__dlpack__`` alone; None where it is on no GPU."""
    if not hasattr(value, "__dlpack__") or number_of(value) is None:
        return None
    capsule = _capsule(value)
    tensor, read_only = _read(capsule)
    return _interface(tensor, read_only)  # the capsule gives the export back; the array itself keeps the memory


def number_of(value: Any) -> int | None:
    """The number of the GPU that an array is on; None where it does not say, or is on none."""
    where = getattr(value, "__dlpack_device__", None)
    if where is None:
        return None
    type_, number = where()
    return number if type_ in (CUDA, CUDA_MANAGED) else None


def _capsule(value: Any) -> object:
    try:
        return value.__dlpack__(stream=LEGACY_STREAM, max_version=(1, 0))
    except TypeError:
        return value.__dlpack__(stream=LEGACY_STREAM)


def _read(capsule: object) -> tuple[_Tensor, bool]:
    is_valid = ctypes.pythonapi.PyCapsule_IsValid
    is_valid.argtypes, is_valid.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_int
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.argtypes, pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
    if is_valid(capsule, b"dltensor_versioned"):
        versioned = _Versioned.from_address(pointer(capsule, b"dltensor_versioned"))
        if versioned.major != 1:
            raise ArgumentError(f"arrays of DLPack {versioned.major}.{versioned.minor} are not supported")
        return versioned.tensor, bool(versioned.flags & READ_ONLY)
    return _Tensor.from_address(pointer(capsule, b"dltensor")), False


def _interface(tensor: _Tensor, read_only: bool) -> dict[str, Any]:
    size = tensor.bits // 8
    if tensor.code not in KINDS or tensor.lanes != 1 or tensor.bits % 8:
        raise ArgumentError(
            f"arrays of DLPack's type {tensor.code} with {tensor.bits} bits and {tensor.lanes} lanes are not supported"
        )
    strides = tuple(size * tensor.strides[k] for k in range(tensor.ndim)) if tensor.strides else None
    return {
        "shape": tuple(tensor.shape[: tensor.ndim]) if tensor.ndim else (),
        "typestr": f"{'|' if size == 1 else '<'}{KINDS[tensor.code]}{size}",
        "strides": strides,
        "data": ((tensor.data or 0) + tensor.byte_offset, read_only),
        "version": 3,
        "stream": LEGACY_STREAM,
    }
