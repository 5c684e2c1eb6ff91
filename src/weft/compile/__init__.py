"""Compiled forms: the store on disk, its encoding, its folders."""
