"""What runs a graph: its program, ports, batches, host actors."""
