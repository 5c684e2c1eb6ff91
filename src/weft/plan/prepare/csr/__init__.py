"""Rows of sparse matrices: cut where tiles of entries end, or kept whole."""
