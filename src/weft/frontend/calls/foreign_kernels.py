"""Calls of `weft.kernel` in compiled functions: an external node with the arrays that the kernel reads and writes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from typing import cast as typed

from weft.errors import Error
from weft.frontend.calls.kernel_touches import Part, parts_of_call
from weft.frontend.values import operators
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import Static, Value, describe_value, is_view
from weft.ir import nodes as n
from weft.ir.kernel_calls import CPU, KernelStep
from weft.ir.python_calls import KERNEL, BoundStep
from weft.ir.types import PYINT, SCALARS, Scalar, View


def call_kernel(
    ctx: Context, callee: Static, arguments: Sequence[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """A call of a kernel that a user wrote."""
    kernel: Any = callee.value
    if ctx.in_function:
        raise ctx.type_error(f"an associative function cannot run the kernel {kernel.name}", node)
    if callee.source is None:
        raise ctx.type_error(
            f"the kernel {kernel.name} cannot be found again at the next call", node,
            hint="give it a name outside of the compiled function, and call that",
        )  # fmt: skip
    made = _Call(ctx, kernel, node)
    atoms = made.operands(arguments, keywords)
    pairs = list(zip(kernel.parameters, atoms, strict=True))
    given = {part.name: atom for part, atom in pairs}
    parts = parts_of_call(ctx, kernel, given, node) if kernel.device != CPU else {}
    whole = {part.name: Part(typed(n.Var, atom), False) for part, atom in pairs if part.is_array}
    touched = {**whole, **parts}
    reads = tuple(touched[part.name].view for part, _ in pairs if part.reads)
    writes = tuple(touched[part.name].view for part, _ in pairs if part.writes)
    step = KernelStep(
        kernel.name,
        callee.source,
        tuple(range(len(atoms))),
        typed("tuple[Scalar | View, ...]", tuple(atom.type for atom in atoms)),
        tuple(part.writes for part in kernel.parameters),
        None,
        is_of_library=True,
        kind=kernel.device,
        takes_room=kernel.takes_room,
        place=ctx.location(node),
        filled=tuple(touched[part.name].is_filled and not part.reads for part, _ in pairs if part.writes),
    )
    label = f"{step.name}{KERNEL}.{len(ctx.externals) + 1}"
    ctx.externals[label] = BoundStep(step, kernel)
    ctx.append(n.External((), label, tuple(atoms), reads, writes, ctx.location(node)))
    return Static(None)


@dataclass
class _Call:
    """A call while its operands are made."""

    ctx: Context
    kernel: Any
    node: ast.AST

    def operands(self, arguments: Sequence[Value], keywords: dict[str, Value]) -> list[n.Atom]:
        """What the kernel is given, in the order of its parameters."""
        given = self._by_name(arguments, keywords)
        return [
            self._array(part, given[part.name])
            if part.is_array
            else self._number(part, given[part.name] if part.name in given else self._size(given))
            for part in self.kernel.parameters
        ]

    def _by_name(self, arguments: Sequence[Value], keywords: dict[str, Value]) -> dict[str, Value]:
        names = [part.name for part in self.kernel.parameters]
        takes = f"takes {', '.join(names)}"
        if len(arguments) > len(names):
            raise self._refusal(f"{takes}, and {len(arguments)} arguments are given")
        given = dict(zip(names, arguments, strict=False))
        for name, value in keywords.items():
            if name not in names:
                hint = "leave device out: it runs where the compiled function does" if name == "device" else ""
                raise self._refusal(f"{takes}, and no '{name}'", hint)
            if name in given:
                raise self._refusal(f"gets the argument '{name}' twice")
            given[name] = value
        missing = [part.name for part in self.kernel.parameters if part.name not in given and part.is_array]
        if missing:
            raise self._refusal(f"{takes}, and '{missing[0]}' is missing")
        return given

    def _array(self, part: Any, value: Value) -> n.Atom:
        found = f"this is {describe_value(value)}"
        if not (isinstance(value, n.Var) and is_view(value)):
            raise self._refusal(f"takes an array as '{part.name}', and {found}")
        type_, wanted = view_type(value), SCALARS.get(part.dtype or "")
        if wanted is not None and type_.element != wanted:
            name = f"np.{wanted.name}"
            hint = f"make it an array of {name}" if part.writes else f"pass {value.stem}.astype({name})"
            raise self._refusal(f"takes an array of {wanted.name} as '{part.name}', and {found}", hint)
        if part.writes and not type_.writable:
            raise self._refusal(f"writes '{part.name}', and '{value.stem}' is read-only", "pass a copy of it")
        return value

    def _size(self, given: dict[str, Value]) -> Value:
        """What numbers are that a call leaves out: the number of elements of the first output."""
        part = next(part for part in self.kernel.parameters if part.writes)
        output = typed(n.Var, self._array(part, given[part.name]))
        size: n.Atom = n.Const(1)
        for axis in range(view_type(output).ndim):
            extent = self.ctx.emit(n.Dim(output, axis), PYINT, self.node)
            times = n.Binary("mul", size, extent, checked=False)
            size = extent if axis == 0 else self.ctx.emit(times, PYINT, self.node)
        return size

    def _number(self, part: Any, value: Value) -> n.Atom:
        """A number as the kernel takes it: an integer that fits, or a float that is rounded."""
        wanted, found = SCALARS[part.dtype], f"this is {describe_value(value)}"
        atom = value if isinstance(value, tuple) else operators.as_scalar(self.ctx, value, self.node)
        if not isinstance(atom, (n.Var, n.Const)) or not isinstance(atom.type, Scalar):
            raise self._refusal(f"takes a number as '{part.name}', and {found}")
        self.ctx.settle(atom)
        if atom.type.kind == "c" or (wanted.kind in "iub" and atom.type.kind == "f"):
            hint = "" if atom.type.kind == "c" else "say which integer is meant: int(...), or round(...)"
            raise self._refusal(f"takes '{part.name}' as {wanted.name}, and {found}", hint)
        if wanted.kind in "iu" and atom.type != wanted:
            atom = cast(self.ctx, atom, PYINT, self.node)
        return cast(self.ctx, atom, wanted, self.node)

    def _refusal(self, message: str, hint: str = "") -> Error:
        return self.ctx.type_error(f"the kernel {self.kernel.name} {message}", self.node, hint=hint)
