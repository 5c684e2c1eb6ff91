"""The function as it is written: its source, its signature, what it captures."""
