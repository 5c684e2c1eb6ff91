"""Programs whose arrays are larger than the memory of a device."""
