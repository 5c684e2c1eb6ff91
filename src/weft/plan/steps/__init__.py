"""Loops whose steps depend on one another, in other orders: along diagonals, inside of elements, values ahead."""
