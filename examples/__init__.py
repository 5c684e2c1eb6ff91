"""Examples of Weft: plain loops that a beginner can read. Each file runs on its own: `python examples/emboss.py`."""
