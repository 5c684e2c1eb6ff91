"""Decorators under the names that Numba's users know: thin doors to what Weft does anyway."""
