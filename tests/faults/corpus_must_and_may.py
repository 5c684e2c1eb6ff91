"""Programs in which something may be the case, and is not always: whoever takes it for certain computes nonsense."""

from __future__ import annotations

from tests.random_programs.inputs import Array, Number

from .corpus import floats, program

MATRIX = Array("v", "float64", 2)
K, M = Number("k"), Number("m")
KEYS = Array("p", "int64", values="index")

CORPUS = {
    "another_column": program("""
        def program(n, k, m, v):
            for i in range(n):
                v[i + 1, k] = v[i, m] * 0.5 + 1.0
        """, K, M, MATRIX),
    "last_column": program("""
        def program(n, v):
            for i in range(n):
                v[i + 1, 1] += v[i, -1]
        """, MATRIX),
    "claimed_columns": program("""
        def program(n, k, v):
            for i in prange(n):
                v[i + 1, k] += v[i, -1]
        """, K, MATRIX),
    "claimed_distances": program("""
        def program(n, a):
            for i in prange(n // 2):
                a[abs(i - 1) + 2 * i] = i
        """, *floats("a")),
    "claimed_and_read_rarely": program("""
        def program(n, a, b):
            for i in prange(n):
                before = 0.0
                if b[i] > 100.0:
                    before = a[i]
                a[i + 1] = before * 2.0 + b[i]
        """, *floats("a", "b")),
    "perhaps_filled": program("""
        def program(n, k, a, b, t, p):
            for i in range(n):
                for j in range(k - 1):
                    t[0] = b[i]
                    t[1] = b[i] + j
                    a[i] += t[p[i] % 2]
                a[i] += t[p[i] % 2]
        """, K, *floats("a", "b", "t"), KEYS),
    "filled_in_part": program("""
        def program(n, a, b):
            t = np.zeros(4)
            for i in range(n):
                for j in range(i % 4):
                    t[j] = b[i] + j
                a[i] = t[2]
        """, *floats("a", "b")),
    "guarded_fill": program("""
        def program(n, a, b, t):
            for i in range(n):
                if b[i] > 0.0:
                    t[0] = b[i]
                a[i] = t[0]
        """, *floats("a", "b", "t")),
    "places_of_a_run": program("""
        def program(n, a, q):
            p = np.zeros(2, np.uint8)
            for t in range(n):
                p[0] = q[t]
                p[1] = q[t + 1]
                for i in range(2):
                    a[t + int(p[0])] = t + i + p[1]
        """, *floats("a"), Array("q", "uint8", values="index")),
    "some_rows": program("""
        def program(n, a, b):
            for i in range(n // 2):
                a[2 * i] = b[i] * 2.0
        """, *floats("a", "b")),
    "chosen_on_the_host": program("""
        def program(n, k, a, b, c):
            with weft.device("cpu"):
                for i in range(n):
                    chosen = a if k < i else b
                    chosen[i] = 1.5
            for i in range(n):
                c[i] = b[i] * 2.0
        """, K, *floats("a", "b", "c")),
    "one_further": program("""
        def program(n, a):
            for i in range(n):
                a[i + 2] = a[i] * 0.5 + 1.0
        """, *floats("a")),
    "other_places": program("""
        def program(n, a, b):
            for i in range(1, n):
                for j in range(n - i):
                    a[j] = b[i] + j
        """, *floats("a", "b")),
    "same_iteration": program("""
        def program(n, a, b, c):
            for i in range(1, n):
                a[i] = b[i - 1] + b[i]
                b[i] = c[i] * 2.0
        """, *floats("a", "b", "c")),
    "packed_with_gaps": program("""
        def program(n):
            a, b = np.zeros(9000 * n + 8), np.zeros(9000 * n + 8)
            for i in range(9000 * n):
                b[i] = i * 7 % 11
            k = 0
            for i in range(9000 * n):
                if b[i] > 5.0:
                    a[k] = b[i]
                    k += 1
                else:
                    k += int(b[i] > 3.0)
            return a, k
        """),
    "last_of_what_changes": program("""
        def program(n, a, b):
            last = 0.0
            for i in range(n):
                last = b[i] + a[0]
                b[i + 1 + n] = last
                b[i] = last * 0.5
            return last
        """, *floats("a", "b")),
    "keys_of_two_operators": program("""
        def program(n, a, b, p):
            for i in range(n):
                a[p[i]] += b[i]
                a[p[i + 1]] = max(a[p[i + 1]], b[i])
        """, *floats("a", "b"), KEYS),
}  # fmt: skip
