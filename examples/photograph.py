"""The photograph that the examples work on: Grace Hopper, from the sample data that Matplotlib brings along."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def load() -> np.ndarray:
    """Give the photograph as an array of height, width and the three colours, uint8."""
    from matplotlib import cbook
    from PIL import Image

    with Image.open(cbook.get_sample_data("grace_hopper.jpg", asfileobj=False)) as picture:
        return np.array(picture.convert("RGB"))


def save(picture: np.ndarray, path: str | Path) -> None:
    """Write an array of uint8, grey or in colour, as a picture file."""
    from PIL import Image

    Image.fromarray(picture).save(path)


def colours(values: np.ndarray, name: str = "twilight_shifted") -> np.ndarray:
    """Turn numbers between 0 and 1 into colours."""
    from matplotlib import colormaps

    coloured: np.ndarray = colormaps[name](values, bytes=True)[..., :3]
    return coloured
