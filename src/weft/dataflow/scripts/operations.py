"""Operations of a script as loops in Python: map, reduce, gather, scatter, transpose, each over equal segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.dataflow.errors import GraphError
from weft.dataflow.scripts.declarations import Type

if TYPE_CHECKING:
    from weft.dataflow.scripts.load import Operation, Script

INDENT = "    "


@dataclass(frozen=True)
class List:
    """An array of atoms in the text."""

    name: str
    dtype: str
    size: int


class Writer:
    """The body of an actor's function, operation by operation."""

    def __init__(self, script: Script, lists: list[List]) -> None:
        self.script = script
        self.lists = lists
        self.lines: list[str] = []
        self.depth = 1

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(INDENT * self.depth + text)

    def loops(self, **counts: int | str) -> None:
        """Open a loop for each counter."""
        for name, count in counts.items():
            self.line(f"for {name} in range({count}):")
            self.depth += 1

    def end(self) -> None:
        """Close all loops."""
        self.depth = 1

    def new(self, dtype: str, size: int, is_filled: bool = True) -> List:
        """A new list; scatters may leave elements out, which are zero then."""
        made = List(f"t{len(self.lines)}", dtype, size)
        self.line(f"{made.name} = np.{'empty' if is_filled else 'zeros'}({size}, np.{dtype})")
        return made

    def write(self, operation: Operation) -> None:
        """Apply an operation to all lists."""
        getattr(self, f"_{operation.kind}")(operation)

    def _check(self, operation: Operation, found: List, wanted: int) -> None:
        if found.size != wanted:
            raise GraphError(
                f"a {operation.kind} of {wanted} atoms is given a list of {found.size}",
                hint="let lengths, ranges and the numbers of extensions agree with the operation before",
            )

    def _map(self, operation: Operation) -> None:
        declared = self.script.declaration(operation)
        count, segments = operation["length"], operation.segments
        if len(declared.inputs) != len(self.lists):
            raise GraphError(
                f"{declared.name} takes {len(declared.inputs)} lists, and there are {len(self.lists)}",
                hint="declare an input for each list",
            )
        for found, type_ in zip(self.lists, declared.inputs, strict=True):
            self._check(operation, found, segments * count * type_.width)
        outs = [self.new(type_.dtype, segments * count * type_.width) for type_ in declared.outputs]
        self.loops(e=segments, i=count)
        at = f"(e * {count} + i)"
        given = [_element(found, type_, at) for found, type_ in zip(self.lists, declared.inputs, strict=True)]
        given += ["i"] * declared.has_index + [str(value) for value in operation.parameters]
        self.line(f"r = {declared.name}({', '.join(given)})")
        for k, (out, type_) in enumerate(zip(outs, declared.outputs, strict=True)):
            self._put(out, type_, at, "r" if len(outs) == 1 else f"r[{k}]")
        self.end()
        self.lists = outs

    def _put(self, out: List, type_: Type, at: str, value: str) -> None:
        for c in range(type_.width):
            item = value if type_.width == 1 else f"{value}[{c}]"
            self.line(f"{out.name}[{at} * {type_.width} + {c}] = {item}")

    def _reduce(self, operation: Operation) -> None:
        declared = self.script.declaration(operation)
        count, segments, type_ = operation["length"], operation.segments, declared.outputs[0]
        (found,) = self.lists
        self._check(operation, found, segments * count * type_.width)
        out = self.new(type_.dtype, segments * type_.width)
        self.loops(e=segments)
        self.line(f"r = {_element(found, type_, f'(e * {count})')}")
        self.loops(i=f"1, {count}")
        self.line(f"r = {declared.name}(r, {_element(found, type_, f'(e * {count} + i)')})")
        self.depth -= 1
        self._put(out, type_, "e", "r")
        self.end()
        self.lists = [out]

    def _gather(self, operation: Operation) -> None:
        count, reach, width, offsets = operation["length"], operation["input_range"], operation.width, operation.offsets
        made = []
        for found in self.lists:
            self._check(operation, found, operation.segments * reach * width)
            out = self.new(found.dtype, operation.segments * count * len(offsets) * width)
            self.loops(e=operation.segments, i=count, c=width)
            for k, offset in enumerate(offsets):
                place = f"{out.name}[((e * {count} + i) * {len(offsets)} + {k}) * {width} + c]"
                inside = f"{found.name}[(e * {reach} + i + {offset}) * {width} + c]"
                self.line(f"{place} = {inside} if 0 <= i + {offset} < {reach} else 0")
            self.end()
            made.append(out)
        self.lists = made

    def _scatter(self, operation: Operation) -> None:
        count, reach, width, offsets = (
            operation["length"],
            operation["output_range"],
            operation.width,
            operation.offsets,
        )
        if min(offsets) < 0 or max(offsets) + count > reach:
            raise GraphError(
                f"a scatter of {count} elements by {max(offsets)} leaves its range of {reach}",
                hint="say a larger output_range",
            )
        made = []
        for found in self.lists:
            self._check(operation, found, operation.segments * count * len(offsets) * width)
            out = self.new(found.dtype, operation.segments * reach * width, is_filled=False)
            self.loops(e=operation.segments, i=count, c=width)
            for k, offset in enumerate(offsets):
                source = f"{found.name}[((e * {count} + i) * {len(offsets)} + {k}) * {width} + c]"
                self.line(f"{out.name}[(e * {reach} + i + {offset}) * {width} + c] = {source}")
            self.end()
            made.append(out)
        self.lists = made

    def _transpose(self, operation: Operation) -> None:
        wide, high, width = operation["width"], operation["height"], operation.width
        made = []
        for found in self.lists:
            self._check(operation, found, operation.segments * wide * high * width)
            out = self.new(found.dtype, found.size)
            self.loops(e=operation.segments, i=wide, j=high, c=width)
            whole = f"e * {wide * high}"
            source = f"{found.name}[({whole} + {wide} * j + i) * {width} + c]"
            self.line(f"{out.name}[({whole} + {high} * i + j) * {width} + c] = {source}")
            self.end()
            made.append(out)
        self.lists = made


def _element(found: List, type_: Type, at: str) -> str:
    """An element of a list: an atom, or a tuple of them."""
    items = [f"{found.name}[{at} * {type_.width} + {c}]" for c in range(type_.width)]
    return items[0] if type_.width == 1 else f"({', '.join(items)})"
