"""Small programs, each of which shows one kind of mistake; none of them finds anything in the right compiler."""

from __future__ import annotations

import textwrap

from tests.random_programs.inputs import Array, Number, Parameter
from tests.random_programs.writer import RandomProgram

N = Number("n")


def program(source: str, *parameters: Parameter, reduces: bool = False) -> RandomProgram:
    """A program of the corpus."""
    return RandomProgram(textwrap.dedent(source).lstrip(), (N, *parameters), (), reduces)


def floats(*names: str) -> tuple[Array, ...]:
    """Parameters that are arrays of float64."""
    return tuple(Array(name, "float64") for name in names)


CORPUS = {
    "recurrence": program("""
        def program(n, a):
            for i in range(n):
                a[i + 1] = a[i] + 1.0
        """, *floats("a")),
    "ahead": program("""
        def program(n, a):
            for i in range(n):
                a[i] = a[i + 1] * 2.0
        """, *floats("a")),
    "overwritten": program("""
        def program(n, a, b):
            for i in range(n):
                a[i] = b[i]
                a[i + 1] = b[i] + 1.0
        """, *floats("a", "b")),
    "either": program("""
        def program(n, a, b):
            u, v = a, b
            for t in range(n % 3):
                u, v = v, u
            for i in range(n):
                u[i + 1] = a[i] + 1.0
        """, *floats("a", "b")),
    "scratch": program("""
        def program(n, a, b):
            t = np.zeros(4)
            for i in range(n):
                for j in range(3):
                    t[j] = b[i] + j
                a[i] = t[0] + t[3]
                t[3] = b[i]
        """, *floats("a", "b")),
    "middle_element": program("""
        def program(n, a):
            v = a[0:6]
            for i in range(5):
                v[i] = a[2] + 1.0
        """, *floats("a")),
    "store_between": program("""
        def program(n, a, b):
            v = a[0:n + 1]
            for i in range(n):
                a[i] = 1.0
                v[0] = 2.0
                b[i] = a[i]
        """, *floats("a", "b")),
    "register": program("""
        def program(n, a):
            for i in range(n):
                a[0] = a[0] + a[i // 4]
        """, *floats("a")),
    "guarded_end": program("""
        def program(n, a, b):
            m = len(a)
            for i in range(m):
                if i < m:
                    b[i] = a[i]
            for i in range(m):
                if i < m - 1:
                    b[i] = a[i + 2]
        """, *floats("a", "b")),
    "outside": program("""
        def program(n, a, b):
            for i in range(n):
                b[i] = a[i + n + 9]
        """, *floats("a", "b")),
    "backwards": program("""
        def program(n, a, b):
            for i in range(n):
                b[i] = a[i - 2] + a[-1 - i]
        """, *floats("a", "b")),
    "zero_division": program("""
        def program(n, a):
            for i in range(n):
                a[i] = 12 // (i - 3)
        """, *floats("a")),
    "counted": program("""
        def program(n, a, b):
            k = 3
            for i in range(2, n):
                b[k] = a[i]
                k += 1
            return k
        """, *floats("a", "b")),
    "unused_index_error": program("""
        def program(n, a, b):
            for i in range(n):
                t = a[i + 2 * n + 8]
                b[i] = 1.0
        """, *floats("a", "b")),
    "logistic": program("""
        def program(n, a):
            x = 0.5
            for i in range(n):
                x = 3.5 * x * (1.0 - x)
                a[i] = x
            return x
        """, *floats("a")),
    "halves": program("""
        def program(n, a, b):
            for i in range(n):
                a[i // 2] = b[i]
        """, *floats("a", "b")),
    "remembered": program("""
        def program(n, a, b):
            before = a[n]
            for i in range(n):
                b[i] = a[i] + before
                before = a[i]
        """, *floats("a", "b")),
    "floor": program("""
        def program(n, a, b):
            for i in range(n):
                a[i] = (i - 4) // 3 * 10 + (i - 5) % 3
        """, *floats("a", "b")),
    "compared": program("""
        def program(n, a, b):
            count = 0
            for i in range(n):
                if a[i] < 0.5:
                    b[i] = 1.0
                    count += 1
            return count
        """, *floats("a", "b")),
    "one_beyond": program("""
        def program(n, k, a, b):
            for i in range(n):
                a[k[i] + n + 9] = b[i]
        """, Array("k", "int64", values="permutation"), *floats("a", "b")),
    "least": program("""
        def program(n, a):
            s = 3.0
            for i in range(400000):
                s = min(s, a[i % 5] + 9.0)
            return s
        """, *floats("a")),
    "signed": program("""
        def program(n, a):
            t = np.zeros(200)
            t[0] = 1.0
            for i in range(1, 200):
                t[i] = -0.0 if i % 7 == 1 else 0.0
            s = 3.0
            for i in range(200):
                s = min(s, t[i])
            return s
        """, *floats("a")),
    "total": program("""
        def program(n, a):
            s = 100
            for i in range(400000):
                s += i % 7
            return s
        """, *floats("a")),
    "aliased": program("""
        def program(n, a, b):
            for i in range(n):
                b[i + 1] = a[i] + 1.0
        """, Array("a", "float64", layout="within"), Array("b", "float64", same_as="a", shift=0)),
    "scaled": program("""
        def program(n, a, b):
            for i in range(n):
                b[i] = a[i] * 2.0
            return b[0]
        """, *floats("a", "b")),
    "nested": program("""
        def program(n, u, v):
            for i in range(n):
                for j in range(i, n):
                    v[i, j] = u[j, i] + 1.0
        """, Array("u", "float64", 2), Array("v", "float64", 2)),
    "found_or_not": program("""
        def program(n, a):
            where = -1
            for i in range(n):
                if a[i] > 1.0:
                    where = i
                    break
            else:
                where = -2
            return where
        """, *floats("a")),
}  # fmt: skip
