"""Blur a photograph: every pixel becomes the mean of the square around it."""

import numpy as np

import weft
from weft.examples import photograph


@weft.jit
def blur(picture: np.ndarray, result: np.ndarray, radius: int) -> None:
    """Write the blurred picture into `result`; both are height x width x colours, uint8."""
    height, width, colours = picture.shape
    count = (2 * radius + 1) ** 2
    for y in range(height):
        for x in range(width):
            for c in range(colours):
                total = 0
                for dy in range(-radius, radius + 1):
                    for dx in range(-radius, radius + 1):
                        # Beyond the edge of the picture, its last row or column is meant.
                        row = min(max(y + dy, 0), height - 1)
                        column = min(max(x + dx, 0), width - 1)
                        total += int(picture[row, column, c])
                result[y, x, c] = total // count


if __name__ == "__main__":
    picture = photograph.load()
    result = np.zeros_like(picture)
    blur(picture, result, 4)
    photograph.save(result, "blurred.png")
    print("blurred.png is written")
