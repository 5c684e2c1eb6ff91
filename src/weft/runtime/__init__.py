"""Devices, coherent arrays, the store on disk, the thread pool and the entry stub."""

from weft.runtime.arrays import Array, array, empty, empty_like, zeros, zeros_like
from weft.runtime.devices import Device, device, devices
from weft.runtime.queues import stream, synchronize

__all__ = [
    "Array",
    "Device",
    "array",
    "device",
    "devices",
    "empty",
    "empty_like",
    "stream",
    "synchronize",
    "zeros",
    "zeros_like",
]
