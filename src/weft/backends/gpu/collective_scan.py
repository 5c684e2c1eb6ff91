"""What the threads of a block put together in order, such that each knows what stands before its parts.

A thread has some parts in arrays of its own. They are in the order of rows of threads, in a row in that of the runs,
in a run in that of threads: see `weft.ir.nodes.Together`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Joined: TypeAlias = Callable[[Sequence[str], Sequence[str]], tuple[Sequence[str], Sequence[str]]]
"""The statements that put values behind others, and the values that they make."""

SIDE = 16
"""Parts that a thread puts together in shared memory, where threads have no faster way to each other."""

ROW = 32
"""Threads of a row, which is a warp where there are warps."""


@dataclass(frozen=True)
class Value:
    """One of the values of which parts consist.

    Attributes
    ----------
    type
        Its type.
    init, total
        What stands before all parts, and the variable for what they are together.
    parts, begins
        The arrays with a thread's parts, and for what stands before each.
    scratch
        An array that the threads share.
    """

    type: str
    init: str
    total: str
    parts: str
    begins: str
    scratch: str


@dataclass(frozen=True)
class Order:
    """How many parts there are: `threads`, with so many `runs` each. `most` as for `weft.ir.nodes.Together`."""

    threads: int
    runs: int
    most: int

    @property
    def sides(self) -> int:
        """How many threads put parts in shared memory together."""
        return -(-self.threads * self.runs // SIDE)

    @property
    def bits(self) -> int:
        """The bits that the sum of a row of counts needs; 0 where parts are no counts, or too large."""
        if self.threads % ROW or not self.most:
            return 0
        return next((bits for bits in (8, 16) if self.most * ROW < 1 << bits), 0)


def through_memory(values: Sequence[Value], order: Order, joined: Joined, thread: str, barrier: str) -> list[str]:
    """Some threads put as many parts together as fit in a side, then each thread the sides before its own parts."""
    runs, count, sides = order.runs, order.threads * order.runs, order.sides
    slot = f"(weft_thread / {ROW} * {runs} + weft_run) * {ROW} + weft_thread % {ROW}" if runs > 1 else "weft_thread"
    lines = [f"const int32_t weft_thread = {thread};", *_for("weft_run", runs)]
    lines += [f"    {v.scratch}[{slot}] = {v.parts}[weft_run];" for v in values]
    own_sides = f"for (int32_t weft_side = weft_thread; weft_side < {sides}; weft_side += {order.threads}) {{"
    lines += ["}", barrier, own_sides]
    lines += [f"    {v.type} weft_all_{k} = {v.init};" for k, v in enumerate(values)]
    within = f"weft_k < weft_side * {SIDE} + {SIDE} && weft_k < {count}"
    lines += [f"    for (int32_t weft_k = weft_side * {SIDE}; {within}; weft_k++) {{"]
    lines += [f"        const {v.type} weft_part_{k} = {v.scratch}[weft_k];" for k, v in enumerate(values)]
    lines += [f"        {v.scratch}[weft_k] = weft_all_{k};" for k, v in enumerate(values)]
    everything = _names("weft_all", values)
    lines += _step(values, joined, everything, everything, _names("weft_part", values), "        ")
    lines += ["    }", *(f"    {v.scratch}[{count} + weft_side] = weft_all_{k};" for k, v in enumerate(values))]
    lines += ["}", barrier, *(f"{v.total} = {v.init};" for v in values)]
    all_sides = f"for (int32_t weft_side = 0; weft_side < {sides}; weft_side++) {{"
    lines += [all_sides, *(f"    {line}" for line in _for("weft_run", runs))]
    lines += [f"        const int32_t weft_slot = {slot};", f"        if (weft_slot / {SIDE} == weft_side) {{"]
    totals, begins = [v.total for v in values], [f"{v.begins}[weft_run]" for v in values]
    own = [f"{v.scratch}[weft_slot]" for v in values]
    lines += [*_step(values, joined, begins, totals, own, "            "), "        }", "    }"]
    sums = [f"{v.scratch}[{count} + weft_side]" for v in values]
    return [*lines, *_step(values, joined, totals, totals, sums, "    "), "}"]


def through_warps(values: Sequence[Value], order: Order, joined: Joined, thread: str, barrier: str) -> list[str]:
    """The threads of a warp put their parts together without memory, then each thread the warps before its own.

    The language has functions ``lane_before``, the value that so many lanes before have, and ``last_lane``.
    """
    rows, everything = order.threads // ROW, _names("weft_all", values)
    sums, others, befores = (_names(f"weft_{name}", values) for name in ("sum", "other", "before"))
    totals, begins = [v.total for v in values], [f"{v.begins}[weft_run]" for v in values]
    lines = [f"const int32_t weft_lane = {thread} % {ROW}, weft_row = {thread} / {ROW};"]
    lines += [f"{v.type} {name} = {v.init};" for v, name in zip(values, everything, strict=True)]
    lines += _for("weft_run", order.runs)
    lines += [f"    {v.type} {name} = {v.parts}[weft_run];" for v, name in zip(values, sums, strict=True)]
    lines += ["#pragma unroll", f"    for (int32_t weft_step = 1; weft_step < {ROW}; weft_step *= 2) {{"]
    lines += [
        f"        {v.type} {a} = lane_before({b}, weft_step);" for v, a, b in zip(values, others, sums, strict=True)
    ]
    lines += ["        if (weft_lane >= weft_step) {", *_step(values, joined, sums, others, sums, "            ")]
    lines += ["        }", "    }"]
    lines += [f"    {v.type} {a} = lane_before({b}, 1);" for v, a, b in zip(values, befores, sums, strict=True)]
    lines += [f"    {a} = last_lane({a});" for a in sums]
    lines += [f"    {a} = {b};" for a, b in zip(begins, everything, strict=True)]
    lines += ["    if (weft_lane > 0) {", *_step(values, joined, begins, everything, befores, "        "), "    }"]
    lines += [*_step(values, joined, everything, everything, sums, "    "), "}", "if (weft_lane == 0) {"]
    lines += [f"    {v.scratch}[weft_row] = {a};" for v, a in zip(values, everything, strict=True)]
    lines += ["}", barrier, *(f"{v.total} = {v.init};" for v in values)]
    lines += _for("weft_other", rows)
    lines += [f"    if (weft_other == weft_row) {{ {_assigned(everything, totals)} }}"]
    lines += [*_step(values, joined, totals, totals, [f"{v.scratch}[weft_other]" for v in values], "    "), "}"]
    return [*lines, *_for("weft_run", order.runs), *_step(values, joined, begins, everything, begins, "    "), "}"]


def counted(value: Value, order: Order) -> list[str]:
    """Counts, of which sums of several runs fit in a word."""
    numbers = f"{order.threads}, {order.runs}, {order.bits}"
    return [f"{value.total} = count_together<{numbers}>({value.parts}, {value.begins}, {value.scratch});"]


def _names(stem: str, values: Sequence[Value]) -> list[str]:
    return [f"{stem}_{k}" for k in range(len(values))]


def _assigned(targets: Sequence[str], values: Sequence[str]) -> str:
    return " ".join(f"{a} = {b};" for a, b in zip(targets, values, strict=True))


def _for(name: str, count: int) -> list[str]:
    return ["#pragma unroll", f"for (int32_t {name} = 0; {name} < {count}; {name}++) {{"]


def _step(
    values: Sequence[Value], joined: Joined, targets: Sequence[str], lefts: Sequence[str], rights: Sequence[str],
    indent: str,
) -> list[str]:  # fmt: skip
    """Put values behind others."""
    names = [_names(f"weft_{side}", values) for side in ("left", "right", "new")]
    statements, made = joined(*names[:2])
    lines: list[str] = []
    for k, value in enumerate(values):
        lines += [f"const {value.type} {names[0][k]} = {lefts[k]};", f"const {value.type} {names[1][k]} = {rights[k]};"]
    lines += [line.strip() for line in statements]
    lines += [f"const {value.type} {name} = {new};" for value, name, new in zip(values, names[2], made, strict=True)]
    return [f"{indent}{{", *(f"{indent}    {line}" for line in [*lines, _assigned(targets, names[2])]), f"{indent}}}"]
