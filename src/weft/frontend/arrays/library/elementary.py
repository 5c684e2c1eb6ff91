"""Functions of one number in additions, products and quotients alone, so that every device gives the same bits.

The polynomials are those of FreeBSD's `e_log.c`, `k_sin.c` and `k_cos.c` (Sun Microsystems, 1993); errors are below one
unit in the last place.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

UPPER_LN2, LOWER_LN2 = np.float64(6.93147180369123816490e-01), np.float64(1.90821492927058770002e-10)
HALF = np.float64(0.5)
ONE = np.float64(1.0)
ROOT_OF_HALF = np.float64(0.7071067811865476)
QUARTER_TURN = np.float64(1.5707963267948966)


def logarithm(x):
    """The natural logarithm, for 2**-64 <= x < 2**191."""
    rest, exponent = x * np.float64(2.0**64), np.float64(-63.0)
    rest, exponent = shortened(rest, exponent, np.float64(2.0**128), np.float64(128.0))
    rest, exponent = shortened(rest, exponent, np.float64(2.0**64), np.float64(64.0))
    return of_rest(*small(rest, exponent))


def logarithm_of_places(places):
    """The natural logarithm of a part of 2**53, for whole numbers from 1 to 2**53."""
    return of_rest(*small(places, np.float64(-52.0)))


def small(rest, exponent):
    """A number of [1, 2**64) as one of [0.5, 1) and the exponent of 2 that it is short of."""
    rest, exponent = shortened(rest, exponent, np.float64(2.0**32), np.float64(32.0))
    rest, exponent = shortened(rest, exponent, np.float64(2.0**16), np.float64(16.0))
    rest, exponent = shortened(rest, exponent, np.float64(2.0**8), np.float64(8.0))
    rest, exponent = shortened(rest, exponent, np.float64(2.0**4), np.float64(4.0))
    rest, exponent = shortened(rest, exponent, np.float64(2.0**2), np.float64(2.0))
    rest, exponent = shortened(rest, exponent, np.float64(2.0**1), np.float64(1.0))
    return rest * HALF, exponent


def shortened(rest, exponent, factor, bits):
    """A number below `factor`, and the exponent of 2 that was taken off it."""
    is_large = rest >= factor
    return (rest * (ONE / factor) if is_large else rest), (exponent + bits if is_large else exponent)


def of_rest(rest, exponent):
    """The logarithm of ``rest * 2**exponent``, for a rest of [0.5, 1)."""
    is_low = rest < ROOT_OF_HALF
    rest = rest + rest if is_low else rest
    exponent = exponent - ONE if is_low else exponent
    f = rest - ONE
    s = f / (np.float64(2.0) + f)
    z = s * s
    w = z * z
    even = w * (
        np.float64(3.999999999940941908e-01)
        + w * (np.float64(2.222219843214978396e-01) + w * np.float64(1.531383769920937332e-01))
    )
    odd = z * (
        np.float64(6.666666666666735130e-01)
        + w
        * (
            np.float64(2.857142874366239149e-01)
            + w * (np.float64(1.818357216161805012e-01) + w * np.float64(1.479819860511658591e-01))
        )
    )
    half = HALF * f * f
    return exponent * UPPER_LN2 - ((half - (s * (half + (odd + even)) + exponent * LOWER_LN2)) - f)


def cosine_of_turns(turns):
    """The cosine of a part of a full turn, from 0 to 1."""
    quarters = turns * np.float64(4.0)
    nearest = np.rint(quarters)
    x = (quarters - nearest) * QUARTER_TURN
    z = x * x
    cosine = ONE - (
        HALF * z
        - z
        * z
        * (
            np.float64(4.16666666666666019037e-02)
            + z
            * (
                np.float64(-1.38888888888741095749e-03)
                + z
                * (
                    np.float64(2.48015872894767294178e-05)
                    + z
                    * (
                        np.float64(-2.75573143513906633035e-07)
                        + z * (np.float64(2.08757232129817482790e-09) + z * np.float64(-1.13596475577881948265e-11))
                    )
                )
            )
        )
    )
    sine = x + x * z * (
        np.float64(-1.66666666666666324348e-01)
        + z
        * (
            np.float64(8.33333333332248946124e-03)
            + z
            * (
                np.float64(-1.98412698298579493134e-04)
                + z
                * (
                    np.float64(2.75573137070700676789e-06)
                    + z * (np.float64(-2.50507602534068634195e-08) + z * np.float64(1.58969099521155010221e-10))
                )
            )
        )
    )
    size = sine if (nearest == ONE or nearest == np.float64(3.0)) else cosine
    return -size if (nearest == ONE or nearest == np.float64(2.0)) else size


def falling_exponential(x):
    """The exponential of ``-x``, for 0 <= x < 40."""
    halvings = np.rint(x * np.float64(1.4426950408889634))
    rest = halvings * UPPER_LN2 - x + halvings * LOWER_LN2
    total = ONE
    for k in (14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0):
        total = ONE + rest * total / np.float64(k)
    return total / np.float64(1 << int(halvings))


def logarithm_of_factorial(k):
    """The logarithm of ``k!`` for a whole number, by Stirling's series (as `random_loggam` of NumPy)."""
    x = k + ONE
    more = np.float64(0.0)
    product = ONE
    if x < np.float64(7.0):
        more = np.float64(7.0) - x
        for j in range(int(more)):
            product = product * (x + np.float64(j))
    x = x + more
    inverse = ONE / (x * x)
    series = np.float64(-1.392432216905900e00)
    series = series * inverse + np.float64(1.796443723688307e-01)
    series = series * inverse + np.float64(-2.955065359477124e-02)
    series = series * inverse + np.float64(6.410256410256410e-03)
    series = series * inverse + np.float64(-1.917526917526918e-03)
    series = series * inverse + np.float64(8.417508417508418e-04)
    series = series * inverse + np.float64(-5.952380952380952e-04)
    series = series * inverse + np.float64(7.936507936507937e-04)
    series = series * inverse + np.float64(-2.777777777777778e-03)
    series = series * inverse + np.float64(8.333333333333333e-02)
    whole = series / x + np.float64(0.9189385332046727) + (x - HALF) * logarithm(x) - x
    return whole - logarithm(product)
