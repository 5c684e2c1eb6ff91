"""What a program costs: demand counted on the program as it is laid out, and time by the figures of a machine."""
