"""Stars under gravity: each one pulls on every other."""

import math

import numpy as np

import weft


@weft.jit
def simulate(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, dt: float, steps: int) -> None:
    """Move the bodies for a number of time steps; position and velocity are n x 3 and changed in place."""
    n = mass.shape[0]
    for _ in range(steps):
        # What the others do to each body.
        for i in range(n):
            ax = 0.0
            ay = 0.0
            az = 0.0
            for j in range(n):
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                # The small number keeps two bodies that meet from flying apart.
                square = dx * dx + dy * dy + dz * dz + 1e-3
                pull = mass[j] / (square * math.sqrt(square))
                ax += dx * pull
                ay += dy * pull
                az += dz * pull
            velocity[i, 0] += ax * dt
            velocity[i, 1] += ay * dt
            velocity[i, 2] += az * dt
        # Only when all velocities are known do the bodies move.
        for i in range(n):
            for axis in range(3):
                position[i, axis] += velocity[i, axis] * dt


def cluster(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give positions, velocities and masses of a turning ball of stars."""
    rng = np.random.default_rng(2)
    position = rng.normal(size=(n, 3)) * (1.0, 1.0, 0.2)
    velocity = 0.6 * np.column_stack([-position[:, 1], position[:, 0], np.zeros(n)])
    return position, velocity, np.full(n, 1.0 / n)


if __name__ == "__main__":
    position, velocity, mass = cluster(1000)
    simulate(position, velocity, mass, 0.01, 100)
    print("momentum, which gravity cannot change:", (mass[:, None] * velocity).sum(axis=0))
