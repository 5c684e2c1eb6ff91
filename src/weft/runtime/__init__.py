"""What runs compiled programs: calls, coherent arrays, devices, and the entry stub in C."""
