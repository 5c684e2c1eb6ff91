"""A checked run of a kernel: does it write and read what its description says?

What it does: the kernel runs several times on copies of its arrays. Each copy lies between guards, and the outputs, the
guards and the elements that no point touches are filled with other bytes each time. What the runs leave shows which
elements were written, whether results depend on what was in an output before, and on elements that nobody may read.
What it assumes: the kernel gives the same results for the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from weft.autotune.foreign.arguments import Argument, In, Out, Scalar
from weft.autotune.foreign.languages import GUARD, Run
from weft.autotune.foreign.touching import Marks, Touches, points_of
from weft.errors import Error

FILLS = (0xA5, 0x5A, 0x00)
"""Bytes that stand where nothing was written yet."""

Array = np.ndarray[Any, Any]
Start = Callable[[Mapping[str, Any], Run], None]
"""Runs a kernel on arrays of bytes that begin `GUARD` bytes before those of the kernel."""


class ContradictionError(Error):
    """A kernel does something else than its description says."""


@dataclass(frozen=True)
class Part:
    """Points of the grid, of which one counter is in a range.

    Attributes
    ----------
    axis, low, high
        The dimension, the first point along it and the one behind the last.
    first
        The group in which they begin.
    """

    axis: int
    low: int
    high: int
    first: int

    def __contains__(self, point: tuple[int, ...]) -> bool:
        return self.low <= point[self.axis] < self.high

    def __str__(self) -> str:
        if not self.low:
            return f"first {self.high} points along {'xyz'[self.axis]}"
        return f"points {self.low} to {self.high - 1} along {'xyz'[self.axis]}"

    def run(self, run: Run) -> Run:
        """How these points alone are started."""
        grid = tuple(self.high - self.low if k == self.axis else extent for k, extent in enumerate(run.grid))
        first = tuple(self.first * (k == self.axis) for k in range(len(grid))) if self.first else ()
        return replace(run, grid=grid, first=first)


@dataclass
class Check:
    """A check of one kernel with one set of arguments.

    Attributes
    ----------
    name
        The kernel.
    arguments
        As the user described them.
    values
        The arguments of the call by name.
    run
        How it is started.
    start
        Runs it.
    touches
        What each point touches, where that was said.
    known
        Arguments and tunables by name.
    can_be_cut
        Whether the kernel does the same for a point, whatever others run.
    is_idempotent
        Whether running it twice is said to give the same.
    added
        Arrays to which it is said to add, and nothing else, where points meet.
    """

    name: str
    arguments: tuple[Argument, ...]
    values: Mapping[str, Any]
    run: Run
    start: Start
    touches: Touches | None
    known: Mapping[str, Any]
    can_be_cut: bool = True
    is_idempotent: bool = False
    added: tuple[str, ...] = ()
    seen_to_add: set[str] = field(default_factory=set)
    """Those of `added` of which that was found."""

    def check(self) -> tuple[int, ...]:
        """Run the kernel, and compare; the dimensions along which groups were told apart. Without any, one group
        touches all, which proves nothing of `touches` for several.

        Raises
        ------
        ContradictionError
            The first contradiction, with the element, and with the point where one is to blame.
        """
        self._check_run(self.run, None)
        if self.is_idempotent:
            self._check_twice()
        if self.touches is None:
            return ()
        axes = tuple(axis for axis, groups in enumerate(self.run.groups) if groups > 1)
        for part in self._parts(axes) if self.can_be_cut else ():
            self._check_run(part.run(self.run), part)
        for name in self.added if self.can_be_cut else ():
            if any(self._meet_in(name, part) for part in self._parts(axes)):
                self._check_added(name)
                self.seen_to_add.add(name)
        return axes

    def _parts(self, axes: tuple[int, ...]) -> Iterator[Part]:
        """The first group, the first half and the second half along each dimension."""
        for axis in axes:
            threads, half, points = self.run.block[axis], self.run.groups[axis] // 2, self.run.grid[axis]
            for low, high in dict.fromkeys(((0, 1), (0, half), (half, self.run.groups[axis]))):
                yield Part(axis, low * threads, min(high * threads, points), low)

    def _meet_in(self, name: str, part: Part) -> bool:
        """Whether points of a part and others touch an element of an array."""
        assert self.touches is not None
        all_points = list(points_of(self.run.grid))
        mine = self.touches.of_points((p for p in all_points if p in part), self.known)
        others = self.touches.of_points((p for p in all_points if p not in part), self.known)
        return name in mine and name in others and bool((mine[name] & others[name]).any())

    def _check_run(self, run: Run, part: Part | None) -> None:
        """Check a run of all groups, or of those of a part of the points."""
        plain = [self.result(run, fill) for fill in FILLS]
        written = {name: self._written(name, plain) for name in run.writes}
        marks = None
        if self.touches is not None:
            points = points_of(self.run.grid)
            marks = self.touches.of_points((p for p in points if part is None or p in part), self.known)
            for name, mark in written.items():
                self._check_marks(name, mark, marks.get(name, np.zeros_like(mark)), part)
        self._check_outside(run, plain[0], written)
        self._check_outputs(plain, written)
        for name in run.reads if marks is not None else ():
            if marks is not None and name in marks:
                self._check_reads(run, name, plain[0], written, marks[name])

    def _check_twice(self) -> None:
        """Refuse a kernel that is said to be idempotent, and changes what it wrote when it runs again."""
        once = self.result(self.run, FILLS[0])
        twice = self.result(self.run, FILLS[0], times=2)
        for name, found in twice.items():
            wrong = np.argwhere(_differ(once[name], found))
            if wrong.size:
                raise ContradictionError(
                    f"the kernel {self.name} is described as idempotent, and a second run changes "
                    f"{name}{_index_of(_tuple(wrong[0]))}",
                    hint='leave idempotent out; a kernel that adds to its output may say combine="add"',
                )

    def _check_added(self, name: str) -> None:
        """Refuse a kernel that is said to add to an array, and does something else to it."""
        given = self.values[name]
        bases = [np.zeros_like(given), (np.arange(given.size) % 5 + 1).reshape(given.shape).astype(given.dtype)]
        of_zero, of_other = (self.result(self.run, FILLS[0], base=(name, base))[name] for base in bases)
        wanted = bases[1] + of_zero
        near = np.isclose(of_other, wanted, rtol=1e-3, atol=1e-3) if given.dtype.kind in "fc" else of_other == wanted
        wrong = np.argwhere(~near)
        if wrong.size:
            raise ContradictionError(
                f"the kernel {self.name} is described with combine='add', and does something else than adding to "
                f"{name}{_index_of(_tuple(wrong[0]))}",
                hint="leave combine out, and run it on one device",
            )

    # ------------------------------------------------------------------------------------------------- the runs

    def result(
        self,
        run: Run,
        fill: int,
        outside: tuple[str, Array, int] | None = None,
        guard: int = FILLS[0],
        base: tuple[str, Array] | None = None,
        times: int = 1,
    ) -> dict[str, Array]:
        """What a run leaves in the arrays that it may write.

        `fill` is what outputs have before, `guard` what is around arrays. `outside` are elements of an input that get
        other bytes: its name, which they are, and the byte. `base` is an array with other elements than the call
        has, and `times` how often the kernel runs.
        """
        padded: dict[str, Array] = {}
        for argument in self.arguments:
            if not isinstance(argument, Scalar):
                padded[argument.name] = self._padded(argument, fill, outside, guard)
                if base is not None and base[0] == argument.name:
                    self._inside(argument.name, padded[argument.name])[...] = base[1]
        before = {name: array.copy() for name, array in padded.items()}
        for _ in range(times):
            self.start(padded, run)
        for argument in self.arguments:
            if not isinstance(argument, Scalar):
                self._check_guards(argument, before[argument.name], padded[argument.name])
        return {name: self._inside(name, padded[name]) for name in run.writes}

    def _padded(self, argument: Argument, fill: int, outside: tuple[str, Array, int] | None, guard: int) -> Array:
        array = self.values[argument.name]
        made = np.full(array.nbytes + 2 * GUARD, guard, np.uint8)
        if isinstance(argument, Out):
            made[GUARD : GUARD + array.nbytes] = fill
        else:
            inner = array.copy()
            if outside is not None and outside[0] == argument.name:
                inner[outside[1]] = np.frombuffer(bytes([outside[2]]) * array.itemsize, array.dtype)[0]
            made[GUARD : GUARD + array.nbytes] = inner.reshape(-1).view(np.uint8)
        return made

    def _inside(self, name: str, padded: Array) -> Array:
        array = self.values[name]
        inside: Array = padded[GUARD : GUARD + array.nbytes].view(array.dtype).reshape(array.shape)
        return inside

    def _check_guards(self, argument: Argument, given: Array, after: Array) -> None:
        array, name = self.values[argument.name], argument.name
        changed = np.flatnonzero(given != after)
        if isinstance(argument, In):
            inside = changed[(changed >= GUARD) & (changed < GUARD + array.nbytes)]
            if inside.size:
                where = _index((int(inside[0]) - GUARD) // array.itemsize, array.shape)
                raise self._contradiction(
                    f"it writes {name}{where}, and {name!r} is described as weft.In", "InOut", name
                )
        for place, where in (
            (changed[changed < GUARD] - GUARD, "before the first"),
            (changed[changed >= GUARD + array.nbytes] - GUARD - array.nbytes, "behind the last"),
        ):
            if place.size:
                far = -int(place[0]) if where.startswith("before") else int(place[0]) + 1
                count = -(-far // array.itemsize)
                elements = "element" if count == 1 else "elements"
                raise ContradictionError(
                    f"the kernel {self.name} writes outside of {name!r}: {count} {elements} {where} one",
                    cause="what lies there may belong to anything",
                    hint="test the index in the kernel: if (i < n)",
                )

    # --------------------------------------------------------------------------------------------- comparisons

    def _written(self, name: str, runs: list[dict[str, Array]]) -> Array:
        """Which elements of an array were written: in one run at least they differ from what was there."""
        array = self.values[name]
        changed = np.zeros(array.shape, bool)
        for fill, found in zip(FILLS, runs, strict=True):
            before = _filled(array, fill) if self._is_out(name) else array
            changed |= _differ(found[name], before)
        return changed

    def _check_marks(self, name: str, written: Array, said: Array, part: Part | None) -> None:
        assert self.touches is not None
        wrong = np.argwhere(written & ~said)
        if wrong.size:
            element = _tuple(wrong[0])
            others = (p for p in points_of(self.run.grid) if part is not None and p not in part)
            point = self.touches.first_that(others, self.known, name, element)
            if part is None or point is None:
                raise self._says_else(f"it writes {name}{_index_of(element)}, which no point touches")
            raise self._says_else(
                f"one of its {part} writes {name}{_index_of(element)}, which the point {_index_of(point)} touches, and "
                "none of these"
            )
        left = np.argwhere(said & ~written) if self._is_out(name) else np.empty((0, 0))
        if left.size:
            element = _tuple(left[0])
            point = self.touches.first_that(points_of(self.run.grid), self.known, name, element)
            raise self._says_else(
                f"it does not write {name}{_index_of(element)}, which the point {_index_of(point or ())} touches",
                hint=f"describe {name!r} as weft.InOut if the kernel need not write all of what it touches",
            )

    def _check_outside(self, run: Run, plain: dict[str, Array], written: Marks) -> None:
        """Refuse results that depend on what lies around arrays."""
        found = self.result(run, FILLS[0], guard=FILLS[1])
        for name in run.writes:
            wrong = np.argwhere(written[name] & _differ(plain[name], found[name]))
            if wrong.size:
                raise ContradictionError(
                    f"the kernel {self.name} reads outside of an array for {name}{_index_of(_tuple(wrong[0]))}",
                    cause="the result is another one where other bytes lie around its arrays",
                    hint="test the index in the kernel before it reads",
                )

    def _check_outputs(self, runs: list[dict[str, Array]], written: Marks) -> None:
        """Refuse outputs whose values depend on what was there."""
        for name in self.run.writes:
            for other in runs[1:]:
                wrong = np.argwhere(written[name] & _differ(runs[0][name], other[name]))
                if wrong.size:
                    where = _index_of(_tuple(wrong[0]))
                    raise self._contradiction(
                        f"what it writes to {name}{where} depends on what was in an output before", "InOut", name
                    )

    def _check_reads(self, run: Run, name: str, plain: dict[str, Array], written: Marks, said: Array) -> None:
        """Find elements of an input that no point of a run touches, and that results depend on."""
        outside = np.argwhere(~said)
        for fill in FILLS[:2]:
            hit = self._affected(run, name, outside, fill, plain, written)
            while hit and len(outside) > 1:
                half = outside[: len(outside) // 2]
                first = self._affected(run, name, half, fill, plain, written)
                outside, hit = (half, first) if first else (outside[len(outside) // 2 :], hit)
            if hit:
                element, (output, where) = _tuple(outside[0]), hit
                assert self.touches is not None
                point = self.touches.first_that(points_of(self.run.grid), self.known, output, where)
                by = f", in the point {_index_of(point)}, which does not touch that" if point else ""
                raise self._says_else(f"it reads {name}{_index_of(element)} for {output}{_index_of(where)}{by}")

    def _affected(
        self, run: Run, name: str, elements: Array, fill: int, plain: dict[str, Array], written: Marks
    ) -> tuple[str, tuple[int, ...]] | None:
        """The first element of an output that is another one where some elements of an input are."""
        if not len(elements):
            return None
        mask = np.zeros(self.values[name].shape, bool)
        mask[tuple(elements.T)] = True
        found = self.result(run, FILLS[0], (name, mask, fill))
        for output in run.writes:
            wrong = written[output] & _differ(found[output], plain[output])
            wrong &= ~mask if output == name else True
            if wrong.any():
                return output, _tuple(np.argwhere(wrong)[0])
        return None

    def _is_out(self, name: str) -> bool:
        return any(isinstance(argument, Out) and argument.name == name for argument in self.arguments)

    def _says_else(self, what: str, hint: str = "") -> ContradictionError:
        return ContradictionError(
            f"touches of {self.name} contradicts what the kernel does: {what}",
            hint=hint or "correct touches, or leave it out",
        )

    def _contradiction(self, what: str, kind: str, name: str) -> ContradictionError:
        return ContradictionError(
            f"the description of {self.name} contradicts what the kernel does: {what}",
            hint=f'describe it as weft.{kind}("{name}")',
        )


def _filled(array: Array, fill: int) -> Array:
    filled: Array = np.full(array.nbytes, fill, np.uint8).view(array.dtype).reshape(array.shape)
    return filled


def _differ(one: Array, other: Array) -> Array:
    """Where two arrays have other bytes."""
    shape = (*one.shape, one.itemsize)
    a, b = (np.ascontiguousarray(x).reshape(-1).view(np.uint8).reshape(shape) for x in (one, other))
    found: Array = (a != b).any(axis=-1)
    return found


def _tuple(index: Array) -> tuple[int, ...]:
    return tuple(map(int, index))


def _index(flat: int, shape: tuple[int, ...]) -> str:
    return _index_of(tuple(map(int, np.unravel_index(flat, shape))))


def _index_of(index: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, index))}]"
