"""Heat spreads over a plate: in each step every point becomes the mean of its four neighbours."""

import numpy as np

import weft
from weft.examples import photograph


@weft.jit
def heat(plate: np.ndarray, steps: int) -> np.ndarray:
    """Give the plate after a number of steps; its edge keeps its temperature."""
    old = np.empty_like(plate)
    new = np.empty_like(plate)
    for i in range(plate.shape[0]):
        for j in range(plate.shape[1]):
            old[i, j] = plate[i, j]
            new[i, j] = plate[i, j]
    for _ in range(steps):
        for i in range(1, plate.shape[0] - 1):
            for j in range(1, plate.shape[1] - 1):
                new[i, j] = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])
        old, new = new, old
    return old


def hot_edge(n: int) -> np.ndarray:
    """Give a cold square plate with two hot edges."""
    plate = np.zeros((n, n))
    plate[0, :] = plate[:, 0] = 1.0
    return plate


if __name__ == "__main__":
    photograph.save(photograph.colours(heat(hot_edge(400), 5000), "inferno"), "heat.png")
    print("heat.png is written")
