"""The Mandelbrot set: how many steps does z = z * z + c take, for each point c of a plane, until z runs away?"""

import numpy as np

import weft
from weft.examples import photograph


@weft.jit
def mandelbrot(steps: np.ndarray, left: float, top: float, width: float, limit: int) -> None:
    """Count the steps for each point of a rectangle, at most `limit`, in the int32 array `steps`."""
    pixel = width / steps.shape[1]
    for row in range(steps.shape[0]):
        for column in range(steps.shape[1]):
            x = left + pixel * column
            y = top - pixel * row
            zx = 0.0
            zy = 0.0
            count = 0
            while count < limit and zx * zx + zy * zy <= 4.0:
                zx, zy = zx * zx - zy * zy + x, 2.0 * zx * zy + y
                count += 1
            steps[row, column] = count


def paint(steps: np.ndarray, limit: int) -> np.ndarray:
    """Give a picture of the counts, the set itself in black."""
    picture = photograph.colours(np.log1p(steps) / np.log1p(limit))
    picture[steps == limit] = 0
    return picture


if __name__ == "__main__":
    steps = np.zeros((1000, 1500), np.int32)
    mandelbrot(steps, -2.25, 1.0, 3.0, 500)
    photograph.save(paint(steps, 500), "mandelbrot.png")
    print("mandelbrot.png is written")
