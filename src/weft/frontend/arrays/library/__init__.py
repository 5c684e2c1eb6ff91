"""NumPy's functions of whole arrays that are loops, written in the language that Weft compiles.

They are inlined like functions of the user; errors inside them show the place of the call.
"""
