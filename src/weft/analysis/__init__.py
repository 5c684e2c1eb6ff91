"""Questions about a program: the access table, dependences, verdicts, ranges, footprints, counts."""
