"""Whole arrays: expressions, assignments to slices, reductions, products; all of them become loops of the IR."""
