"""C functions for tests, each beside the same in NumPy."""

from __future__ import annotations

import numpy as np

FUNCTIONS = {
    "float": ("float f(float a, float b) { return a * a + b; }", lambda a, b: a * a + b),
    "double": ("double f(double a, double b) { return a / b - 1; }", lambda a, b: a / b - np.float64(1)),
    "widened": ("double f(float a, int8_t b) { return (double)a * b; }", lambda a, b: a.astype(np.float64) * b),
    "library": (
        "double f(double a, double b) { double c = fmax(sqrt(fabs(a)) + 1, copysign(floor(b), a));"
        " return c + (fma(a, b, 1) - fma(a, b, 1)); }",
        lambda a, b: np.fmax(np.sqrt(np.abs(a)) + 1, np.copysign(np.floor(b), a)) + ((a * b + 1) - (a * b + 1)),
    ),
    "exact functions of float": (
        "float f(float a, float b) { return sqrtf(fabsf(a)) / truncf(b + 3); }",
        lambda a, b: np.sqrt(np.abs(a)) / np.trunc(b + np.float32(3)),
    ),
    "promoted to int": ("int f(int8_t a, uint8_t b) { return a * b; }", lambda a, b: a.astype(np.int32) * b),
    "wrapped to unsigned": ("unsigned f(uint32_t a, unsigned int b) { return a - b; }", lambda a, b: a - b),
    "long words": (
        "long long int f(long a, signed long long int b) { return (a << 3) ^ (b >> 2); }",
        lambda a, b: (a << 3) ^ (b >> 2),
    ),
    "bool": ("bool f(double a, double b) { return a < b || isnan(a); }", lambda a, b: (a < b) | np.isnan(a)),
    "truth as a number": ("int f(double a, double b) { return (a < b) + (a == b) * 2; }",
                          lambda a, b: (a < b).astype(np.int32) + (a == b) * np.int32(2)),
    "narrow result": (
        "uint8_t f(int a, int b) { return (unsigned)a + (unsigned)b; }", lambda a, b: (a + b).astype(np.uint8),
    ),
    "several functions": (
        """
        static inline double twice(double new) { return 2 * new; }
        double half(double half) { return half / 2; } /* a comment
        of two lines */
        double f(double class, double AT) { return twice(class) + half(AT); } // the last one
        """,
        lambda a, b: 2 * a + b / 2,
    ),
    "statements": (
        """
        double f(double a, double b) {
            double table[3] = {1.0, 2.5, -3.0}, sum = 0;
            struct pair { double x, y; } p, *q = &p;
            enum { FIRST = 1, LAST = 3 };
            q->x = a; q->y = b;
            for (int k = 0; k < LAST; k++) { if (k == FIRST) continue; sum += table[k] * p.x; }
            switch (LAST) { case 3: sum += p.y; break; default: sum = 0; }
            do { sum *= .5; } while (sum > 1e3);
            const double one = 0x1p0;
            return sum * one + (LAST > 2 ? 0.25 : 0);
        }
        """,
        None,
    ),
    "names that generated code has": (
        "float f(float HELPER, float AT) { float int64_tx8 = 1, weft_fault = AT, float32x8 = 2, fault = 3, result = 1;"
        " return HELPER + weft_fault * int64_tx8 - float32x8 + fault - result; }",
        lambda a, b: a + b * np.float32(1) - np.float32(2) + np.float32(3) - np.float32(1),
    ),
}  # fmt: skip
"""The names are those of the tests."""

TYPES = {
    "float": ("f4", "f4"), "widened": ("f4", "i1"), "exact functions of float": ("f4", "f4"),
    "promoted to int": ("i1", "u1"), "wrapped to unsigned": ("u4", "u4"), "long words": ("i8", "i8"),
    "narrow result": ("i4", "i4"), "names that generated code has": ("f4", "f4"),
}  # fmt: skip
"""Of the arguments; others are two float64."""


def statements(a, b):
    """The function with all kinds of statements."""
    total = 0.0 + 1.0 * a + -3.0 * a + b
    total = total * 0.5
    while (total > 1e3).any():
        total = np.where(total > 1e3, total * 0.5, total)
    return total * 1.0 + 0.25


FUNCTIONS["statements"] = (FUNCTIONS["statements"][0], statements)


def arguments(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of the types of a function, with special values."""
    random = np.random.default_rng(count)
    found = []
    for kind in TYPES.get(name, ("f8", "f8")):
        if kind[0] == "f":
            a = (random.standard_normal(count) * 100).astype(kind)
            special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 1.0] if name not in ("statements",) else [0.0, -0.0]
            a[: len(special)] = special[:count]
            random.shuffle(a)
        else:
            info = np.iinfo(kind)
            low, high = (info.min, info.max) if name != "narrow result" else (-1000, 1000)
            a = random.integers(low, high, count, dtype=kind, endpoint=True)
        found.append(a)
    return found[0], found[1]
