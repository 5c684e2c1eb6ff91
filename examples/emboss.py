"""Emboss a photograph: every pixel becomes the difference of two of its neighbours, and grey where they are equal."""

import numpy as np

import weft
from weft.examples import photograph


@weft.jit
def emboss(picture: np.ndarray, result: np.ndarray) -> None:
    """Write the embossed picture into `result`; both are height x width x colours, uint8."""
    height, width, colours = picture.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            for c in range(colours):
                value = 128 + int(picture[y - 1, x - 1, c]) - int(picture[y + 1, x + 1, c])
                result[y, x, c] = min(max(value, 0), 255)


if __name__ == "__main__":
    picture = photograph.load()
    result = np.full_like(picture, 128)
    emboss(picture, result)
    photograph.save(result, "embossed.png")
    print("embossed.png is written")
