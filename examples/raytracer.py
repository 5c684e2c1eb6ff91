"""Spheres under one lamp: for each pixel, follow the ray of light backwards to what it comes from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import weft
from weft.examples import photograph

FAR_AWAY = 1e30


@dataclass(frozen=True)
class Vector:
    """A point or a direction in space."""

    x: float
    y: float
    z: float

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor: float) -> Vector:
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other: Vector) -> float:
        """Give the scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def normalised(self) -> Vector:
        """Give the direction, with length one."""
        return self * (1.0 / math.sqrt(self.dot(self)))


def centre_of(spheres: np.ndarray, k: int) -> Vector:
    """Give the centre of a sphere; its radius stands behind it."""
    return Vector(float(spheres[k, 0]), float(spheres[k, 1]), float(spheres[k, 2]))


def distance_to(spheres: np.ndarray, k: int, start: Vector, direction: Vector) -> float:
    """Give how far a ray goes until it meets a sphere."""
    to_centre = centre_of(spheres, k) - start
    along = direction.dot(to_centre)
    radius = float(spheres[k, 3])
    square = along * along - to_centre.dot(to_centre) + radius * radius
    if square < 0.0:
        return FAR_AWAY
    distance = along - math.sqrt(square)
    return distance if distance > 1e-4 else FAR_AWAY


def is_lit(spheres: np.ndarray, point: Vector, lamp: Vector) -> bool:
    """Say whether nothing stands between a point and the lamp."""
    for k in range(spheres.shape[0]):
        if distance_to(spheres, k, point, lamp) < FAR_AWAY:
            return False
    return True


@weft.jit
def trace(spheres: np.ndarray, lamp: Vector, image: np.ndarray) -> None:
    """Write the brightness of each pixel, 0 to 1; a sphere is a row of centre and radius, the lamp a direction."""
    height, width = image.shape
    eye = Vector(0.0, 0.0, 0.0)
    for row in range(height):
        for column in range(width):
            ray = Vector((column - 0.5 * width) / height, (0.5 * height - row) / height, 1.0).normalised()
            nearest = FAR_AWAY
            hit = -1
            for k in range(spheres.shape[0]):
                distance = distance_to(spheres, k, eye, ray)
                if distance < nearest:
                    nearest = distance
                    hit = k
            brightness = 0.35 + 0.3 * ray.y
            if hit >= 0:
                point = ray * nearest
                normal = (point - centre_of(spheres, hit)).normalised()
                facing = normal.dot(lamp)
                brightness = 0.08
                if facing > 0.0 and is_lit(spheres, point, lamp):
                    brightness = 0.08 + 0.92 * facing
            image[row, column] = brightness


def spiral(count: int) -> np.ndarray:
    """Give spheres on a spiral that leads away from the eye, and one large one as the ground."""
    turn = np.arange(count) * 0.7
    size = 0.25 + 0.02 * np.arange(count)
    spheres = np.column_stack([1.6 * np.cos(turn), 1.2 * np.sin(turn), 4.0 + 0.3 * np.arange(count), size])
    return np.vstack([spheres, [0.0, -1002.5, 10.0, 1000.0]])


LAMP = Vector(0.5, 0.8, -0.6).normalised()


if __name__ == "__main__":
    image = np.zeros((800, 1200))
    trace(spiral(16), LAMP, image)
    photograph.save(photograph.colours(image, "bone"), "spheres.png")
    print("spheres.png is written")
