"""Devices, the store on disk, the thread pool and the entry stub."""

from weft.runtime.devices import Device, device, devices

__all__ = ["Device", "device", "devices"]
