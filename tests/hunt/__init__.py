"""A hunt for wrong answers: programs from a grammar of the language, run by CPython and by Weft."""
