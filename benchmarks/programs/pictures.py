"""Programs that make or change a picture."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program, prange, side


def mandelbrot(counts, left, top, step, limit):
    for y in range(counts.shape[0]):
        for x in range(counts.shape[1]):
            cr = left + step * x
            ci = top + step * y
            zr = 0.0
            zi = 0.0
            count = 0
            while count < limit and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                count += 1
            counts[y, x] = count


def mandelbrot_numba(counts, left, top, step, limit):
    for y in prange(counts.shape[0]):
        for x in range(counts.shape[1]):
            cr = left + step * x
            ci = top + step * y
            zr = 0.0
            zi = 0.0
            count = 0
            while count < limit and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                count += 1
            counts[y, x] = count


def mandelbrot_numpy(counts, left, top, step, limit):
    height, width = counts.shape
    cr = np.broadcast_to(left + step * np.arange(width), counts.shape)
    ci = np.broadcast_to((top + step * np.arange(height))[:, None], counts.shape)
    zr, zi = np.zeros(counts.shape), np.zeros(counts.shape)
    alive = np.ones(counts.shape, bool)
    counts[:] = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(limit):
            alive &= zr * zr + zi * zi <= 4.0
            counts += alive
            zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci


def view(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return np.zeros((n, n), np.int32), -2.0, -1.25, 2.5 / n, 100


MANDELBROT = Program(
    name="mandelbrot",
    title="Mandelbrot set, float64",
    arguments=view,
    results=(0,),
    loops=mandelbrot,
    numba=mandelbrot_numba,
    numpy=mandelbrot_numpy,
    extents=lambda counts, *rest: counts.shape,
)


def emboss(image, result):
    for y in range(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            value = 128 + int(image[y - 1, x - 1]) - int(image[y + 1, x + 1])
            result[y, x] = min(max(value, 0), 255)


def emboss_numba(image, result):
    for y in prange(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            value = 128 + int(image[y - 1, x - 1]) - int(image[y + 1, x + 1])
            result[y, x] = min(max(value, 0), 255)


def emboss_numpy(image, result):
    difference = image[:-2, :-2].astype(np.int16) - image[2:, 2:]
    difference += 128
    result[1:-1, 1:-1] = np.clip(difference, 0, 255)


def picture(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.integers(0, 256, (n, n), np.uint8), np.zeros((n, n), np.uint8)


EMBOSS = Program(
    name="emboss",
    title="embossing, uint8",
    arguments=picture,
    results=(1,),
    loops=emboss,
    numba=emboss_numba,
    numpy=emboss_numpy,
    extents=lambda image, result: image.shape,
)


def raytracer(spheres, light, image):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            u = 2.0 * (x + 0.5) / width - 1.0
            v = 1.0 - 2.0 * (y + 0.5) / height
            scale = 1.0 / np.sqrt(u * u + v * v + 1.0)
            rx = u * scale
            ry = v * scale
            rz = scale
            nearest = 1e30
            hit = -1
            for k in range(spheres.shape[0]):
                cx = spheres[k, 0]
                cy = spheres[k, 1]
                cz = spheres[k, 2]
                along = rx * cx + ry * cy + rz * cz
                square = along * along - (cx * cx + cy * cy + cz * cz - spheres[k, 3] * spheres[k, 3])
                if square > 0.0:
                    t = along - np.sqrt(square)
                    if t > 1e-4 and t < nearest:
                        nearest = t
                        hit = k
            shade = 0.5 + 0.3 * ry
            if hit >= 0:
                px = nearest * rx
                py = nearest * ry
                pz = nearest * rz
                radius = spheres[hit, 3]
                nx = (px - spheres[hit, 0]) / radius
                ny = (py - spheres[hit, 1]) / radius
                nz = (pz - spheres[hit, 2]) / radius
                diffuse = nx * light[0] + ny * light[1] + nz * light[2]
                shade = 0.1
                if diffuse > 0.0:
                    lit = True
                    for k in range(spheres.shape[0]):
                        tx = spheres[k, 0] - px
                        ty = spheres[k, 1] - py
                        tz = spheres[k, 2] - pz
                        along = light[0] * tx + light[1] * ty + light[2] * tz
                        square = along * along - (tx * tx + ty * ty + tz * tz - spheres[k, 3] * spheres[k, 3])
                        if square > 0.0 and along - np.sqrt(square) > 1e-4:
                            lit = False
                            break
                    if lit:
                        shade = 0.1 + 0.9 * diffuse
            image[y, x] = shade


def raytracer_numba(spheres, light, image):
    height, width = image.shape
    for y in prange(height):
        for x in range(width):
            u = 2.0 * (x + 0.5) / width - 1.0
            v = 1.0 - 2.0 * (y + 0.5) / height
            scale = 1.0 / np.sqrt(u * u + v * v + 1.0)
            rx = u * scale
            ry = v * scale
            rz = scale
            nearest = 1e30
            hit = -1
            for k in range(spheres.shape[0]):
                cx = spheres[k, 0]
                cy = spheres[k, 1]
                cz = spheres[k, 2]
                along = rx * cx + ry * cy + rz * cz
                square = along * along - (cx * cx + cy * cy + cz * cz - spheres[k, 3] * spheres[k, 3])
                if square > 0.0:
                    t = along - np.sqrt(square)
                    if t > 1e-4 and t < nearest:
                        nearest = t
                        hit = k
            shade = 0.5 + 0.3 * ry
            if hit >= 0:
                px = nearest * rx
                py = nearest * ry
                pz = nearest * rz
                radius = spheres[hit, 3]
                nx = (px - spheres[hit, 0]) / radius
                ny = (py - spheres[hit, 1]) / radius
                nz = (pz - spheres[hit, 2]) / radius
                diffuse = nx * light[0] + ny * light[1] + nz * light[2]
                shade = 0.1
                if diffuse > 0.0:
                    lit = True
                    for k in range(spheres.shape[0]):
                        tx = spheres[k, 0] - px
                        ty = spheres[k, 1] - py
                        tz = spheres[k, 2] - pz
                        along = light[0] * tx + light[1] * ty + light[2] * tz
                        square = along * along - (tx * tx + ty * ty + tz * tz - spheres[k, 3] * spheres[k, 3])
                        if square > 0.0 and along - np.sqrt(square) > 1e-4:
                            lit = False
                            break
                    if lit:
                        shade = 0.1 + 0.9 * diffuse
            image[y, x] = shade


def meet(from_x, from_y, from_z, to_x, to_y, to_z, sphere):
    """Distance to a sphere along rays, infinite where they miss it."""
    dx, dy, dz = sphere[0] - from_x, sphere[1] - from_y, sphere[2] - from_z
    along = to_x * dx + to_y * dy + to_z * dz
    square = along * along - (dx * dx + dy * dy + dz * dz - sphere[3] * sphere[3])
    t = along - np.sqrt(np.maximum(square, 0.0))
    return np.where((square > 0.0) & (t > 1e-4), t, np.inf)


def raytracer_numpy(spheres, light, image):
    height, width = image.shape
    u = (2.0 * (np.arange(width) + 0.5) / width - 1.0)[None, :]
    v = (1.0 - 2.0 * (np.arange(height) + 0.5) / height)[:, None]
    scale = 1.0 / np.sqrt(u * u + v * v + 1.0)
    rx, ry, rz = u * scale, v * scale, scale
    nearest = np.full(image.shape, np.inf)
    hit = np.zeros(image.shape, np.int64)
    for k, sphere in enumerate(spheres):
        t = meet(0.0, 0.0, 0.0, rx, ry, rz, sphere)
        hit[t < nearest] = k
        np.minimum(nearest, t, out=nearest)
    found = np.isfinite(nearest)
    point = [np.where(found, nearest, 0.0) * r for r in (rx, ry, rz)]
    normal = [(point[axis] - spheres[hit, axis]) / spheres[hit, 3] for axis in range(3)]
    diffuse = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]
    lit = found & (diffuse > 0.0)
    for sphere in spheres:
        lit &= ~np.isfinite(meet(*point, light[0], light[1], light[2], sphere))
    image[:] = np.where(found, np.where(lit, 0.1 + 0.9 * diffuse, 0.1), 0.5 + 0.3 * ry)


def scene(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    spheres = np.column_stack([rng.uniform(-2.5, 2.5, (12, 2)), rng.uniform(3.0, 7.0, 12), rng.uniform(0.3, 0.9, 12)])
    light = np.array([0.5, 0.7, -0.5])
    return spheres, light / np.linalg.norm(light), np.zeros((n, n))


RAYTRACER = Program(
    name="raytracer",
    title="ray tracer, float64",
    arguments=scene,
    results=(2,),
    loops=raytracer,
    numba=raytracer_numba,
    numpy=raytracer_numpy,
    extents=lambda spheres, light, image: (spheres.shape[0], *image.shape),
)
