"""A fourth grammar: nests of numerical codes, as they become kernels, folds, squares and carried elements.

Products of matrices with sums in memory, rows from offsets, triangles with steps, flattened counters with what is left
over, grids of two colours, extremes under conditions, recurrences along rows, keys by masks, helpers with loops, and
exceptions in the middle; over arrays of several types, of many layouts, which may overlap one another and themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from .everyday import Piece
from .nest_arguments import DTYPES, LAYOUTS, TYPES, aliases, arguments
from .program import Program, Way

HELPERS = {
    "rowsum": "def rowsum(p, at, q):\n    s = 0\n    for h in range(q):\n        s += p[at, h]\n    return s\n",
    "highest": (
        "def highest(p, q):\n    best = p[0]\n    at = 0\n    for h in range(1, q):\n        if p[h] > best:\n"
        "            best, at = p[h], h\n    return best, at\n"
    ),
    "scale": "def scale(p, at, q, by):\n    for h in range({low}, q):\n        p[at, h] = p[at, h] * by\n",
    "where": "def where(p, v, q):\n    low, high = 0, q\n    while low < high:\n        mid = (low + high) // 2\n"
    "        if p[mid] < v:\n            low = mid + 1\n        else:\n            high = mid\n    return low\n",
}


class Nest(Piece):
    """A piece whose random parts are those of nests; it knows whether sums may be rounded, and which types are told."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.rounded = False
        self.told = True

    def choices(self) -> dict[str, Callable[[], str]]:
        pick = self.rng.choice
        return {
            **super().choices(),
            "{zero}": lambda: pick(("0", "0.0", "0", "np.float64(0.0)")),
            "{low}": lambda: pick(("0", "0", "1", "2")),
            "{high}": lambda: pick(("n", "n", "m", "n - 1", "m - 1", "4", "n // 2")),
            "{span}": lambda: pick(
                ("range(n)", "range(n)", "range(n)", "range(1, n)", "range(n - 1, -1, -1)", "range(0, n, 2)",
                 "range(1, n - 1)", "range(n // 2, n)", "range(n - 2, 0, -3)", "range(min(n, m))")
            ),
            "{across}": lambda: pick(
                ("range(m)", "range(m)", "range(m)", "range(1, m)", "range(m - 1, -1, -1)", "range(0, m, 2)",
                 "range(1, m - 1)", "range(m - 3)", "range(4)")
            ),
            "{wedge}": lambda: pick(
                ("range(i + 1)", "range(i)", "range(i, n)", "range(i + 1, n)", "range(i, n, 2)",
                "range(1 + i % 2, n, 2)",
                 "range(n - 1, i, -1)", "range(i, -1, -1)", "range(n - i)", "range(max(0, i - 2), min(n, i + 3))",
                 "range(i % 3, n, 3)", "range((i + 1) % 2, n - 1, 2)", "range(i - 1, n, 3)", "range(n // 2 - i, n)",
                 "range(1 + (i & 1), n - 1, 2)", "range(i * 2, n)", "range(i // 2, n)", "range(i // 2)",
                 "range(i, n, i + 1)")
            ),
            "{mat}": lambda: pick(("a", "a", "b", "c")),
            "{vec}": lambda: pick(("x", "x", "w", "y")),
            "{arith}": lambda: pick(("+", "+", "-", "*")),
            "{fold}": lambda: pick(("+=", "+=", "+=", "-=")),
            "{ij}": lambda: pick(
                ("a[i, j]", "b[j, i]", "x[j]", "w[i]", "a[i, j] * x[j]", "a[i, j] + b[i, j]", "c[i, j]", "i + j", "j",
                 "a[i, j] * t", "a[i, j] if g[j] else b[i, j]", "a[i, -1 - j]", "x[k[j]]", "abs(a[i, j])",
                 "a[i, j] * b[i, j] - b[j, i]", "(i * m + j) % 7", "a[j, i] - a[i, j]", "c[i, j] - x[i]", "g[j]")
            ),
            "{one}": lambda: pick(
                ("x[i]", "w[i]", "x[i] * 2", "x[i] + w[i]", "x[k[i]]", "i", "a[i, 0]", "g[i]", "x[-1 - i]", "y[i]",
                 "a[i, i]", "x[i] * t", "w[i] - x[i]", "x[i // 2]", "x[(i * 3) % n]", "k[i]")
            ),
            "{test}": lambda: pick(
                ("x[i] > {n}", "g[i]", "k[i] {cmp} {n}", "x[i] {cmp} w[i]", "i % 3", "i & 1", "not g[i]",
                "x[i] == w[i]",
                 "g[i] and x[i] {cmp} t")
            ),
            "{bits}": lambda: pick(("& 3", "& 7", "% 8", "% 4", "% 16 & 7", "& 1", "% 2", "& (2 - 1)", ">> 1 & 3")),
        }  # fmt: skip


def product(p: Nest) -> None:
    """Sums in memory, in all orders of the loops."""
    first, second, third = p.rng.choice(("ihj", "ijh", "hij", "hji", "jih", "ihj", "ihj"))
    spans = {
        "i": p.fill("{span}"),
        "h": p.fill("{across}"),
        "j": p.rng.choice(("range(n)", "range(n)", "range(1, n)", "range(h, n)", "range(h + 1)", "range(0, n, 2)")),
    }
    if "jh".find(third) >= 0 and (first, second, third).index("j") < (first, second, third).index("h"):
        spans["j"] = "range(n)"
    out, left, right = p.rng.choice(
        (("c", "a", "b"), ("c", "a", "b"), ("c", "a", "a"), ("c", "a", "c"), ("a", "a", "b"))
    )
    body = p.rng.choice((
        f"{out}[i, j] {{fold}} {left}[i, h] * {right}[h, j]",
        f"{out}[i, j] {{fold}} {left}[i, h] * {right}[j, h]",
        f"{out}[i, j] = {out}[i, j] + {left}[i, h] * {right}[h, j]",
        f"{out}[i, j] = max({out}[i, j], {left}[i, h] + {right}[h, j])",
        f"{out}[i, j] = min({out}[i, j], {left}[i, h] - {right}[h, j])",
        f"if {left}[i, h] != 0:\n    {out}[i, j] += {left}[i, h] * {right}[h, j]",
        f"if {left}[i, h] + {right}[h, j] < {out}[i, j]:\n    {out}[i, j] = {left}[i, h] + {right}[h, j]",
        f"y[j] += {left}[i, h] * {right}[h, j]",
        f"{out}[i, j] += {left}[i, h] * x[j]",
        f"{out}[j, i] += {left}[i, h] * {right}[h, j]",
        f"{out}[i, j] += {left}[i, h] * x[e[h]]",
    ))  # fmt: skip
    before = (
        p.rng.choice(("", "", f"for j in range(n):\n    {out}[i, j] = {{n}}", "y[i] = {n}", f"{out}[i, {{n}}] = t"))
        if first == "i"
        else ""
    )
    after = (
        p.rng.choice(("", "", "", f"for j in range(n):\n    {out}[i, j] *= 2", f"y[i] = {out}[i, 0]", "y[i] += x[i]"))
        if first == "i"
        else ""
    )
    between = (
        p.rng.choice(("", "", "", f"v = {left}[i, h]", "y[h % n] = i"))
        if (first, second) in (("i", "h"), ("h", "i"))
        else ""
    )
    if between.startswith("v"):
        body = body.replace(f"{left}[i, h]", "v")
    lines = [f"for {first} in {spans[first]}:", *_deep(before, 1), f"    for {second} in {spans[second]}:"]
    lines += [*_deep(between, 2), f"        for {third} in {spans[third]}:", *_deep(body, 3), *_deep(after, 1)]
    p.write("\n".join(lines))


def _deep(text: str, depth: int) -> list[str]:
    return ["    " * depth + line for line in text.splitlines()]


def rows(p: Nest) -> None:
    """Rows from offsets, by places or by how far they are from the first one."""
    lines = p.rng.choice((
        "for p in range(r[i], r[i + 1]):\n    {inner}",
        "for q in range(r[i + 1] - r[i]):\n    p = r[i] + q\n    {inner}",
        "first = r[i]\nfor q in range(r[i + 1] - first):\n    p = first + q\n    {inner}",
        "first = int(r[i])\nfor q in range(int(r[i + 1]) - first):\n    p = q + first\n    {inner}",
        "for q in range(int(r[i + 1]) - int(r[i])):\n    p = r[i] + q\n    {inner}",
        "for q in range(r[i + 1] - r[i]):\n    p = np.int64(r[i]) + np.uint8(q)\n    {inner}",
        "for q in range(r[i + 1] - r[i]):\n    p = np.int64(np.uint8(r[i])) + q\n    {inner}",
        "for q in range(r[i + 1] - r[i]):\n    p = np.int64(np.int8(r[i])) + q\n    {inner}",
        "p = r[i]\nwhile p < r[i + 1]:\n    {inner}\n    p += 1",
        "for p in range(r[i + 1] - 1, r[i] - 1, -1):\n    {inner}",
        "for p in range(r[i], r[i + 1], 2):\n    {inner}",
        "for q in range(r[i + 1] - r[i]):\n    p = r[i + 1] - 1 - q\n    {inner}",
    ))  # fmt: skip
    s = p.name("s")
    inner, before, after = p.rng.choice((
        ("y[i] += x[e[p]]", "", ""),
        ("y[i] += x[p] * w[e[p]]", "y[i] = 0", ""),
        (f"{s} += x[p]", f"{s} = {{zero}}", f"y[i] = {s}"),
        (f"{s} += x[p] * w[e[p]]", f"{s} = 0", f"y[i] = {s} * 2"),
        ("y[e[p]] += x[i]", "", ""),
        ("y[p] = x[p] * w[i]", "", ""),
        (f"{s} = max({s}, x[p])", f"{s} = x[0]", f"y[i] = {s}"),
        (f"if x[p] > {s}:\n    {s} = x[p]\n    at = p", f"{s} = {{n}}\nat = -1", f"y[i] = {s}\nz[i] = at"),
        ("for j in range(n):\n    c[i, j] += x[p] * b[e[p], j]", "", ""),
        ("for j in range(n):\n    c[i, j] += x[p] * b[e[p], j]", "for j in range(n):\n    c[i, j] = 0", ""),
        ("c[i, e[p]] += x[p]", "", ""),
    ))  # fmt: skip
    found = _put(lines, "{inner}", inner)
    p.write("\n".join(["for i in {span}:", *_deep(before, 1), *_deep(found, 1), *_deep(after, 1)]))


def _put(lines: str, hole: str, text: str) -> str:
    """Lines with others in the place of a line, as deep as that one."""
    found = []
    for line in lines.splitlines():
        at = line.find(hole)
        found += [line[:at] + other for other in text.splitlines()] if at >= 0 else [line]
    return "\n".join(found)


def wedge(p: Nest) -> None:
    """Triangles, bands, and rows of every other element."""
    s = p.name("s")
    body = p.rng.choice((
        "c[i, j] = {ij}", "c[i, j] = {ij}", "c[j, i] = {ij}", "c[i, j] {fold} {ij}", f"{s} += {{ij}}", "y[i] += {ij}",
        "y[j] += {ij}", "c[i, j] = c[j, i] = {ij}", "if {ij} > {n}:\n    c[i, j] = {ij}", f"{s} = max({s}, {{ij}})",
        "c[i, j] = 0\nfor h in range(m):\n    c[i, j] += a[i, h] * b[j, h]",
        "v = 0.0\nfor h in range(m):\n    v += a[i, h] * b[h, j]\nc[i, j] = v",
        "v = {zero}\nfor h in range(j):\n    v += a[i, h] * b[h, j]\nc[i, j] = v",
        "for h in range(i, m):\n    c[i, j] -= a[i, h] * c[i, h]",
        "x[j] -= a[i, j] * x[i]", "c[i, j] = 0.25 * (a[i - 1, j] + a[(i + 1) % n, j] + a[i, j - 1])",
        "a[i, j] = a[i - 1, j] + a[i, j - 1]",
    ))  # fmt: skip
    start = p.rng.choice(("{zero}", "{zero}", "{int}", "x[0]", "False"))
    inside = p.rng.random() < 0.4
    before = f"{s} = {start}"
    after = p.rng.choice((f"y[i] = {s}", f"y[i] += {s}", f"w[i] = {s} * 2", "pass"))
    lines = [] if inside else [before]
    lines += ["for i in {span}:", *_deep(before if inside else "", 1), "    for j in {wedge}:", *_deep(body, 2)]
    p.write("\n".join([*lines, *_deep(after if inside else "", 1)]))
    if not inside:
        p.results.append(s)


def flattened(p: Nest) -> None:
    """One counter for two, of all or a part of the elements."""
    by = p.rng.choice(("m", "m", "n", "4", "8", "a.shape[1]", "2"))
    total = p.rng.choice(("n * m", "n * m", "n * m - 3", "n * m + 2", "n * n", "n * 4", "len(u)", "n * m // 2", "n"))
    start = p.rng.choice(("", "", "", "1, ", "m, ", "3, ", "n, "))
    split = p.rng.choice((
        f"i, j = q // {by}, q % {by}", f"i = q // {by}\nj = q - i * {by}", f"i, j = divmod(q, {by})",
        "i, j = q >> 2, q & 3",
        "i, j = q // 8, q & 7", f"j, i = q // {by}, q % {by}", f"i, j = (q + 1) // {by}, (q + 1) % {by}",
        f"h = q // {by}\ni, j = h // 2, q % {by}",
    ))  # fmt: skip
    s = p.name("s")
    body = p.rng.choice((
        "u[q] = i * 10 + j", "v[q] = u[q] + j", "v[i * m + j] = u[q] * 2", "y[j] += u[q]", "y[i % n] += u[q]",
        f"{s} += u[q] * (i - j)", "c[i % n, j % n] = u[q]", "u[q] = u[q] + x[j % n]", "v[j * n + i] = u[q]",
        f"if j == 0:\n    {s} = 0\n{s} += u[q]\nv[q] = {s}", "if j:\n    v[q] = v[q - 1] + u[q]", "v[q] = u[q] - u[i]",
        f"if u[q] > {{n}}:\n    {s} += 1", "c[i, j] = u[q]", "v[q] = u[i * 2 + (j & 1)]",
        "if i > 0:\n    v[q] = v[q - m] + u[q]",
    ))  # fmt: skip
    p.write(f"{s} = {{zero}}\nfor q in range({start}{total}):\n" + "\n".join([*_deep(split, 1), *_deep(body, 1)]))
    p.results.append(s)


def colours(p: Nest) -> None:
    """Grids of two colours, sweeps and stencils."""
    inner = p.rng.choice(("range(1 + (i + q) % 2, m - 1, 2)", "range(1 + ((i + q) & 1), m - 1, 2)", "range(1, m - 1)",
                          "range(2 - (i + q) % 2, m - 1, 2)", "range(m - 2, 0, -1)"))  # fmt: skip
    body = p.rng.choice((
        "a[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]", "a[i, j] = a[i, j - 1] - b[i, j]",
        "c[i, j] = a[i - 1, j] - a[i + 1, j]", "if (i + j) % 2 == q:\n    a[i, j] = a[i - 1, j] - a[i, j + 1]",
        "if (i + j + q) & 1:\n    continue\na[i, j] = a[i - 1, j] + a[i + 1, j]",
        "a[i, j] = max(a[i, j - 1], a[i - 1, j]) + b[i, j]",
        "a[i, j] += a[i + 1, j + 1]", "a[i, j] = a[i - 1, j + 1]",
    ))  # fmt: skip
    trips = p.rng.choice(("2", "2", "t2", "3", "1"))
    p.write(
        f"t2 = 2\nfor q in range({trips}):\n    for i in range(1, n - 1):\n        for j in {inner}:\n"
        + "\n".join(_deep(body, 3))
    )


def extremes(p: Nest) -> None:
    """Conditional extremes, with places and ties."""
    s, at = p.name("best"), p.name("at")
    cmp = p.rng.choice(("<", ">", "<=", ">="))
    strict = cmp in "<>"
    start = p.rng.choice(("0", "x[0]", "-1", "n", "2.0", "float('inf')", "np.inf", "int(k[0])"))
    body = p.rng.choice((
        f"if {{one}} {cmp} {s}:\n    {s} = {{one}}",
        f"v = {{one}}\nif v {cmp} {s}:\n    {s}, {at} = v, i",
        f"v = {{one}}\nif {{test}} and v {cmp} {s}:\n    {s} = v\n    {at} = i",
        f"if {{test}}:\n    {s} = max({s}, {{one}})", f"{s} = min({s}, {{one}})", f"{s} = max({{one}}, {s})",
        f"v = {{one}}\n{s} = v if v {cmp} {s} else {s}", f"v = {{one}}\n{s} = {s} if {s} {cmp} v else v",
        f"if not {{test}}:\n    continue\nv = {{one}}\nif v {cmp} {s}:\n    {s} = v",
        f"for j in {{across}}:\n    if {{ij}} {cmp} {s}:\n        {s} = {{ij}}\n        {at} = i * m + j",
    ))  # fmt: skip
    if not strict or "max({one}" in body or "else v" in body:
        p.told = False
    p.write(f"{s} = {start}\n{at} = -1\nfor i in {{span}}:\n" + "\n".join(_deep(body, 1)))
    p.write(p.rng.choice(("pass", f"y[0] = {s}", f"{s} = {s} * 2", "pass")))
    p.results += [s, at]


def recurrence(p: Nest) -> None:
    """What an iteration stores and the next one reads."""
    p.write(p.rng.choice((
        "for i in range(1, n):\n    for j in range(1, m):\n"
        "        c[i, j] = max(c[i, j - 1] - 2, c[i - 1, j - 1] + a[i, j])",
        "for i in range(1, n):\n    y[i] = y[i - 1] {arith} {one}",
        "for i in range(n - 2, -1, -1):\n    y[i] = y[i + 1] {arith} {one}",
        "for i in range(2, n):\n    y[i] = y[i - 1] + y[i - 2] - {one}",
        "for i in range(n - 1):\n    y[i + 1] = y[i] + {one}\n    w[i] = y[i]",
        "for i in range(1, n):\n    for j in range(m):\n        a[i, j] = a[i - 1, j] {arith} {ij}",
        "for i in range(n):\n    for j in range(1, m):\n        a[i, j] += a[i, j - 1]",
        "for i in range(n):\n    for j in range(m - 2, -1, -1):\n        if {ij} > {n}:\n"
        "            a[i, j] = a[i, j + 1] + 1\n        else:\n            a[i, j] = 0",
        "for i in range(1, n):\n    if {test}:\n        y[i] = y[i - 1]\n    else:\n        y[i] = {one}",
        "for i in range(1, n):\n    y[i] = y[i - 1] + x[i]\n    x[i - 1] = y[i]",
        "for i in range(1, n):\n    y[0] += x[i]\n    y[i] = y[i - 1]",
        "for i in range(1, n):\n    for j in range(1, min(i, m)):\n        c[i, j] = c[i - 1, j - 1] + c[i - 1, j]",
        "for i in range(1, n, 2):\n    y[i] = y[i - 1] + {one}",
        "for i in range(1, n):\n    y[i] = y[i - 1] + g[i]",
        "for i in range(3, n):\n    y[i] = y[i - 1] + y[i - 3]",
        "for i in range(1, n):\n    u[i] = u[i - 1] + y[i]\n    y[i] = u[i - 1]",
    )))  # fmt: skip


def keys(p: Nest) -> None:
    """Counts and sums by keys, masks in place of remainders."""
    p.write(p.rng.choice((
        "for i in range(n):\n    z[i {bits}] += 1",
        "for i in range(n):\n    z[k[i] {bits}] += 1",
        "for i in range(n):\n    y[k[i] % n] {fold} {one}",
        "for i in range(n):\n    for j in range(m):\n        z[(i + j) {bits}] += 1",
        "for i in range(n):\n    u[i {bits}] = {one}",
        "for i in range(n):\n    y[i] = x[i {bits}] if n > 8 else {one}",
        "for i in range(-n, n):\n    z[i {bits}] += i",
        "for i in range(-n, n):\n    u[(i - 3) {bits}] += i // 4 + (i >> 1)",
        "for i in range(n):\n    for j in range(m):\n        y[e[j]] += {ij}",
        "for i in range(n):\n    if {test}:\n        z[0] += 1\n    else:\n        z[1] += {n}",
        "for i in range(n):\n    y[k[i]] = max(y[k[i]], {one})",
    )))  # fmt: skip


def whiles(p: Nest) -> None:
    """Loops that end when something is found."""
    h = p.name("h")
    p.write(p.rng.choice((
        f"for i in range(n):\n    {h} = n - 1\n    while {h} >= 0 and x[{h}] > w[i]:\n        {h} -= 1\n    y[i] = {h}",
        f"for i in range(1, n):\n    v = x[i]\n    {h} = i - 1\n    while {h} >= 0 and x[{h}] > v:\n"
        f"        x[{h} + 1] = x[{h}]\n        {h} -= 1\n    x[{h} + 1] = v",
        f"for i in range(n):\n    {h} = 0\n    while {h} < m and a[i, {h}] {{cmp}} {{n}}:\n"
        f"        {h} += 1\n    z[i] = {h}",
        f"for i in range(n):\n    y[i] = where(x, w[i], n)\n{h} = 0",
        f"{h} = n - 1\nwhile {h} > 0:\n    y[{h}] = x[{h}] - x[{h} - 1]\n    {h} -= 2",
        f"for i in range(n):\n    {h} = k[i]\n    while {h} > 1:\n        {h} = {h} // 2\n        z[i] += 1",
        f"for i in range(n):\n    {h} = int(k[i])\n    j = 0\n    while {h} != 1 and j < 20:\n"
        f"        {h} = {h} >> 1 if {h} & 1 == 0 else 3 * {h} + 1\n        j += 1\n    z[i] = j",
        f"{h} = 0\nfor i in range(n):\n    while {h} < n and w[{h}] < x[i]:\n        {h} += 1\n    z[i] = {h}",
    )))  # fmt: skip
    p.results.append(h)


def divergent(p: Nest) -> None:
    """Inner loops of which each iteration runs another number of steps, with arithmetic of several types."""
    h, s, q = p.name("h"), p.name("s"), p.name("q")
    pick = p.rng.choice
    step = [pick((f"{s} += {{step}}", f"{s} = max({s}, {{step}})", f"{s} = min({s}, {{step}})", f"{s} -= {{step}}",
                  f"if {{step}} > {s}:\n    {s} = {{step}}", f"if {{step}} < 0:\n    break\n{s} += 1",
                  f"{q} = {q} ^ ({h} & 5)", f"{q} += 1 if {{step}} > 1 else {h}", f"{q} = max({q} - 2, {h} % 3)",
                  f"if {h} == k[i]:\n    continue\n{q} += {h} // 2", "y[i] = {step}", "y[i] += {step}",
                  f"{s} = {{step}} if {{step}} > {q} else {s}", f"{q} = {q} * 3 % 7", f"{q} = ({q} << 1) & 15",
                  f"{s} = abs({s} - {{step}})", f"{q} -= {h} > 2 and g[{h} % n] != 0"))
            for _ in range(pick((1, 2, 2, 3)))]  # fmt: skip
    reads = (f"x[{h} % n]", f"w[{h} % n]", "x[i]", f"a[i, {h} % n]", f"a[{h} % n, i]", f"g[{h} % n]", f"k[{h} % n]",
             f"x[(i + {h}) % n]", f"x[k[i]] - {h}", f"x[i] * w[{h} % n]", "t")  # fmt: skip
    body = "\n".join(step)
    while "{step}" in body:
        body = body.replace("{step}", pick(reads), 1)
    head = pick((f"for {h} in range(k[i]):", f"for {h} in range(i):", f"for {h} in range(m):",
    f"for {h} in range(k[i], n):",
                 f"for {h} in range(int(k[i]) + 2, 0, -1):", f"while {h} < k[i] and {q} < 30:",
                 f"while {h} * {h} <= i:",
                 f"while {s} < 9 and {h} < 6:"))  # fmt: skip
    lines = _deep(body, 2)
    if head.startswith("while"):
        lines = [f"        {h} += 1", *lines]
    start = pick(("0.0", "x[i]", "0", "t", "w[0]"))
    p.write(
        "\n".join(
            [
                "for i in range(n):",
                f"    {s} = {start}",
                f"    {q} = {{n}}",
                f"    {h} = 0",
                f"    {head}",
                *lines,
                pick((f"    y[i] = {s}", f"    y[i] = {s} + {q}", f"    o[i] = ({s}).real")),
                f"    z[i] = {q}",
            ]
        )
    )


def positive(p: Nest) -> None:
    """Divisors that are not zero, or may be."""
    p.rounded = True
    p.write(p.rng.choice((
        "for i in range(n):\n    v = float(x[i])\n    o[i] = 1.0 / {div}",
        "for i in range(n):\n    v = t\n    o[i] += i / {div}",
        "for i in range(n):\n    v = float(w[i])\n    if v > 0:\n        o[i] = t // {div}",
        "for i in range(n):\n    v = float(x[i])\n    o[i] = t % {div}",
    )).replace("{div}", p.rng.choice((
        "(v * v + 0.5)", "(1.0 + math.sqrt(abs(v)))", "max(v, 1e-9)", "max(1e-9, v)", "min(v, 1.0)", "(v * v)",
        "(abs(v) + 0.0)",
        "math.sqrt(v * v + 1.0)", "(0.5 + v)", "min(1.0 + abs(v), 2.0)", "max(0.0, v)", "(v * v + max(v, 0.25))",
        "math.cosh(v)",
        "(1e-200 * 1e-200 + v * v)", "(abs(v) - -0.0)", "max(v, -1.0)", "(1.0 + -abs(v))",
    ))))  # fmt: skip


def results(p: Nest) -> None:
    """Sums and counts whose types depend on whether a loop ran."""
    s = p.name("s")
    body = p.rng.choice((
        f"{s} += {{one}}", f"if {{test}}:\n    {s} += {{one}}", f"{s} = {s} + {{one}} * {{one}}",
        f"for j in {{across}}:\n    {s} += {{ij}}", f"for j in {{wedge}}:\n    {s} += {{ij}}",
        f"if {{test}}:\n    {s} = {{one}}",
        f"{s} = {{one}} if {{test}} else {s}", f"if {{test}}:\n    break\n{s} += {{one}}", f"{s} += rowsum(a, i, m)",
        f"{s} {{arith}}= {{one}}", f"if {{test}}:\n    {s} += {{n}}\nelse:\n    {s} -= {{one}}",
        f"{s} += {{test}}",
    ))  # fmt: skip
    start = p.rng.choice(("0", "0", "0.0", "1", "x[0]", "n", "t", "False", "np.int32(0)"))
    p.write(f"{s} = {start}\nfor i in {{span}}:\n" + "\n".join(_deep(body, 1)))
    end = p.rng.choice((
        "pass", "pass", f"{s} = {s} + {{n}}", f"{s} = abs({s})", f"{s} = -{s}", f"if n > 5:\n    {s} = {s} * 2",
        f"{s} = ({s}, n)",
        f"{s} = {s} if n % 2 else {{int}}", f"{s} = {s} / 2", f"{s} = {s} > {{n}}", f"{s} = max({s}, {{n}})",
        f"{s} = {s} // 2",
    ))  # fmt: skip
    p.write(end)
    p.told = p.told and start != "False" and "else" not in end and "max" not in end  # else three types may meet
    p.results.append(s)


def calls(p: Nest) -> None:
    """Helpers with loops."""
    q, at = p.name("q"), p.name("at")
    p.write(p.rng.choice((
        f"{q}, {at} = highest(x, n)\nfor i in range(n):\n    y[i] = x[i] - {q}",
        f"{q} = {at} = 0\nfor i in range(n):\n    scale(c, i, m, {{n}})",
        f"{q} = {at} = 0\nfor i in range(n):\n    y[i] = rowsum(a, i, i if i < m else m)\n    {q} += rowsum(b, i, 2)",
        f"{q} = {at} = 0\nfor i in range(n):\n    {q}, {at} = highest(a[i], m)\n    y[i] = {q}",
        f"{at} = 0\n{q} = rowsum(a, 0, m)",
    )))  # fmt: skip
    p.results += [q, at]


def faults(p: Nest) -> None:
    """Exceptions in the middle."""
    p.write(p.rng.choice((
        "for i in range(n):\n    y[i] = {one}\n    if k[i] > 3 and x[i] > 2:\n        raise ValueError('high')",
        "for i in range(n + 1):\n    y[i] = {n}", "for i in range(n):\n    y[e[i]] = x[e[i] + 1]",
        "for i in range(n):\n    z[i] = n // int(k[i])",
        "for i in range(n):\n    for j in range(m):\n        c[i, j] = a[i, j] + x[i + j]",
        "for i in range(n):\n    for j in range(m):\n        c[i, j] += a[i, j] * x[k[j] + 1]",
        "for i in range(n):\n    assert x[i] < 4, 'large'\n    y[i] = {one}",
        "for i in range(n):\n    y[i] += x[i + 2 if g[i] else i]",
        "for i in range(n):\n    z[i] = i % (int(k[i]) - 1)",
        "for i in range(n):\n    z[i] = 5 / int(k[i])",
        "for i in range(n):\n    for j in range(i, n):\n        if a[i, j % m] == 3:\n"
        "            raise IndexError('three')\n        c[i, j] = i",
    )))  # fmt: skip


def locals_(p: Nest) -> None:
    """Arrays of the function's own."""
    d = p.name("d")
    p.write(p.rng.choice((
        f"{d} = np.zeros(n)\nfor i in range(n):\n    for j in range(m):\n"
        f"        {d}[i] += ({{ij}}).real\nfor i in range(n):\n    o[i] = {d}[i]",
        f"for i in range(n):\n    {d} = np.zeros(m)\n    for j in range(1, m):\n"
        f"        {d}[j] = {d}[j - 1] + j\n    o[i] = {d}[m - 1]",
        f"{d} = np.empty((n, n))\nfor i in range(n):\n    for j in range(n):\n"
        f"        {d}[i, j] = (i * j) % 5\nfor i in range(n):\n    for j in range(i):\n"
        f"        o[i] += {d}[j, i]",
        f"{d} = a.copy()\nfor i in range(n):\n    for j in range(m):\n        a[i, j] = {d}[i, m - 1 - j]",
        f"{d} = a[::-1]\nfor i in range(n):\n    for j in range(m):\n        {d}[i, j] = a[i, j] + {{n}}",
        f"{d} = a.T\nfor i in range(m):\n    for j in range(min(n, m)):\n        {d}[i, j] += a[j, i]",
        f"{d} = x[1:]\nfor i in range(n - 1):\n    {d}[i] = x[i] + {{one}}",
        f"{d} = u[:n * m].reshape(n, m)\nfor i in range(n):\n    for j in range(m):\n        {d}[i, j] = ({{ij}}).real",
    )))  # fmt: skip


def claims(p: Nest) -> None:
    """Loops that are claimed to be parallel, and are."""
    p.write(p.rng.choice((
        "for i in weft.prange(n):\n    o[i] = ({one}).real",
        "for i in weft.prange(n):\n    for j in range(m):\n        o[i] += ({ij}).real",
        "for i in weft.prange(n):\n    v = {one}\n    for j in range(i):\n        v = v + j\n    o[i] = v.real",
    )))  # fmt: skip


PIECES: dict[Callable[[Nest], None], float] = {
    product: 3, rows: 3, wedge: 3, flattened: 3, colours: 2, extremes: 2.5, recurrence: 2.5, keys: 1.5, whiles: 1.5,
    divergent: 2.5,     positive: 0.7, results: 3, calls: 1, faults: 1.2, locals_: 1.2, claims: 0.5,
}  # fmt: skip


def generate(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"nests {seed}")
    nest = Nest(rng)
    chosen = rng.choices(list(PIECES), list(PIECES.values()), k=rng.choice((1, 1, 1, 2, 2, 3)))
    nest.write("j = {n}\nflag = n > {n}")
    for write in chosen:
        write(nest)
    if nest.results:
        nest.write(f"return {', '.join(nest.results[:4])}")
    body = "\n".join(nest.lines)
    used = "".join(nest.fill(text) + "\n\n" for name, text in HELPERS.items() if f"{name}(" in body)
    names = [name for name in (*TYPES, "n", "m", "t") if re.search(rf"\b{name}\b", body) or name in "nm"]
    source = f"{used}def f({', '.join(names)}):\n{body}\n"
    dtypes = {name: rng.choice(DTYPES[kind]) for name, kind in TYPES.items()}
    alike = rng.random()
    if alike < 0.6:
        dtypes |= dict.fromkeys("abcxwyuv", rng.choice(("f8", "f8", "f4", "i8", "i4")))
    elif alike < 0.8:
        dtypes |= {"b": dtypes["a"], "c": dtypes["a"], "w": dtypes["x"], "y": dtypes["x"], "v": dtypes["u"]}
    layouts = {name: rng.choice(LAYOUTS) for name in TYPES}
    aliased = {} if rng.random() < 0.7 else aliases(rng, dtypes)
    calls = [
        arguments(rng, names, dtypes, layouts, aliased, size)
        for size in (rng.randint(4, 7), rng.choice((0, 1)), rng.randint(2, 4), rng.choice((5, 8, 9, 13)))
    ]
    way = Way(
        rng.choice((0, 0, 4)),
        rng.random() < 0.3,
        rng.choice(("-O0", "-O1", "-O3")),
        (),
        rng.random() < 0.1,
        rng.random() < 0.1,
    )
    features = frozenset(write.__name__ for write in chosen)
    return Program(seed, source, calls, way, features, rounded=nest.rounded, functions="cosh" in source, told=nest.told)
