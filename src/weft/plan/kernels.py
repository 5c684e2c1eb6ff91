"""Which parallel nests can be kernels of a device, and why others stay on the host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from weft.ir import nodes as n
from weft.ir.python_calls import callee_of
from weft.ir.types import PYCOMPLEX, Record, Scalar, Vector, View
from weft.ir.visit import free_variables, walk
from weft.schedule.legality import OWN_BYTES
from weft.tune.default import dealt_arrays

ARGUMENT_BYTES = {"cuda": 4000, "opencl": 1000}
"""Bytes of arguments that a kernel may have: what every device of a kind can take, less what a launch adds."""

INTEGER_UPDATES = frozenset({"add", "and", "or", "xor", "min", "max"})
"""Updates that are one atomic operation on integers, and whose order therefore does not matter."""

OF_COMPLEX = frozenset({
    "real", "imag", "conjugate", "absolute", "square", "reciprocal", "sign", "isnan", "isinf", "isfinite", "maximum",
    "minimum", "fmax", "fmin", "logical_not", "logical_and", "logical_or", "logical_xor", "complex", "rint",
    "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    "float_power", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh",
})  # fmt: skip
"""Functions of complex numbers that devices compute."""

FOLDED = frozenset({"add", "mul", "and", "or", "xor", "min", "max"})
"""Reductions that start from an identity."""


def why_host(nest: n.For, functions: Mapping[str, n.Function], device: str) -> str | None:
    """Why a parallel nest cannot be a kernel, in the user's words; None where it can.

    Parameters
    ----------
    nest
        The outermost parallel loop, or one over tiles that take turns.
    functions
        The functions of the program by name.
    device
        The name of the device.
    """
    if nest.exit is not None:
        return "it may end early"
    operands = [*free_variables(n.Block((nest,))), *(a.var for a in nest.args)]
    reasons = [
        *(_why_not_folded(arg) for arg in nest.args if nest.mapping != "turns"),
        *(_why_operand(v) for v in operands),
        why_too_many(operands, device),
        _why_block(nest.body, functions, device, (), dealt_arrays(nest)),
    ]
    return next((reason for reason in reasons if reason), None)


def _why_operand(var: n.Var) -> str | None:
    if isinstance(var.type, View) and isinstance(var.type.element, Record) and not is_aligned(var.type.element):
        return f"fields of {var.stem!r} lie at addresses that are no multiples of their size"
    if isinstance(var.type, (View, Scalar)):
        return None
    return f"{var.stem!r} is a structure"


def is_aligned(record: Record) -> bool:
    """Whether every number in a record lies at a multiple of its size."""
    return all(offset % size == 0 and record.size % size == 0 for offset, size in _numbers(record))


def _numbers(record: Record, start: int = 0) -> Iterator[tuple[int, int]]:
    """Offset and alignment of every number in a record."""
    for field in record.fields:
        if isinstance(field.type, Record):
            yield from _numbers(field.type, start + field.offset)
            yield start + field.offset, 1
        else:
            yield start + field.offset, field.type.size // (2 if field.type.kind == "c" else 1)


def _why_block(
    block: n.Block,
    functions: Mapping[str, n.Function],
    device: str,
    calls: tuple[str, ...],
    shared: frozenset[str] = frozenset(),
) -> str | None:
    for statement in walk(block):
        reason = _why_statement(statement)
        if not reason and isinstance(statement, n.Let) and statement.var.name not in shared:
            reason = _why_let(statement, device)
        if not reason and isinstance(statement, n.Call):
            reason = _why_call(statement, functions, device, calls)
        if reason:
            return reason
    return None


def _why_call(call: n.Call, functions: Mapping[str, n.Function], device: str, calls: tuple[str, ...]) -> str | None:
    if call.function in calls:
        return f"the function {call.function!r} calls itself"
    if any(isinstance(v.type, View) for v in call.results):
        return f"the function {call.function!r} gives an array"
    function = functions.get(call.function)
    return _why_block(function.body, functions, device, (*calls, call.function)) if function else None


def argument_bytes(params: Iterable[n.Var]) -> int:
    """Bytes of the arguments that a kernel's parameters become."""
    return sum(16 + 16 * p.type.ndim if isinstance(p.type, View) else 16 for p in params)


def why_too_many(params: Iterable[n.Var], device: str) -> str | None:
    """Why a kernel of a device cannot have such parameters; None where it can."""
    limit = ARGUMENT_BYTES.get(device.partition(":")[0], min(ARGUMENT_BYTES.values()))
    return "it uses more arrays and numbers than the device takes" if argument_bytes(params) > limit else None


def _why_not_folded(arg: n.LoopArg) -> str | None:
    if arg.combine is None:
        return f"{arg.var.stem!r} is carried from one iteration to the next"
    if arg.combine not in FOLDED:
        return f"{arg.var.stem!r} is combined by the function {arg.combine!r}, which has no known neutral element"
    if not isinstance(arg.var.type, Scalar):
        return f"{arg.var.stem!r} is no number"
    if arg.var.type.kind == "c" and arg.combine != "add":
        return f"{arg.var.stem!r} is complex, and its {arg.combine!r} has no exact neutral element"
    return None


def _why_statement(statement: n.Statement) -> str | None:
    if isinstance(statement, n.External):
        return f"it calls {callee_of(statement.reference)}"
    if isinstance(statement, n.Update) and not is_exact_update(statement):
        return f"elements of {statement.view.stem!r} are updated in an order that would change the result"
    if isinstance(statement, (n.For, n.While, n.If)) and any(isinstance(v.type, View) for v in statement.results):
        return f"line {statement.location.line} chooses between arrays"
    return None


def _why_let(let: n.Let, device: str) -> str | None:
    if isinstance(let.var.type, Vector):
        return f"line {let.location.line} is vector code"
    if isinstance(let.value, n.Alloc):
        return why_array(let, let.value, device)
    if isinstance(let.var.type, View) and isinstance(let.value, (n.Select, n.Undefined)):
        return f"line {let.location.line} chooses between arrays"
    if isinstance(let.value, n.Math) and let.value.name not in OF_COMPLEX:
        return _why_complex(let, let.value.operands, let.value.name)
    if isinstance(let.value, n.Binary) and let.value.op == "pow" and let.value.left.type == PYCOMPLEX:
        return _why_complex(let, (let.value.left,), "**")
    return None


def _why_complex(let: n.Let, operands: Iterable[n.Atom], name: str) -> str | None:
    complex_ = any(isinstance(a.type, Scalar) and a.type.kind == "c" for a in operands)
    return f"{name} of complex numbers in line {let.location.line} is computed by the host" if complex_ else None


def why_array(let: n.Let, alloc: n.Alloc, device: str) -> str | None:
    """Why an iteration cannot make an array by itself; None where every thread of a device can have one."""
    if not _is_small(alloc):
        return f"every iteration makes an array {let.var.stem!r} whose size is not a small constant"
    if isinstance(alloc.element, Record):
        return f"every iteration makes a structured array {let.var.stem!r}"
    if device.partition(":")[0] == "opencl":
        return f"every iteration makes an array {let.var.stem!r}, which OpenCL keeps apart from those of the host"
    return None


def is_exact_update(statement: n.Statement) -> bool:
    """Whether a statement is no update, or one that devices do in one step, with the same result in any order."""
    if not isinstance(statement, n.Update) or statement.op == "assign":
        return True
    element = statement.value.type
    is_counted = isinstance(element, Scalar) and element.kind in "iu" and element.bits >= 32
    return is_counted and statement.op in INTEGER_UPDATES


def _is_small(alloc: n.Alloc) -> bool:
    size = alloc.element.size
    for extent in alloc.shape:
        if not isinstance(extent, n.Const) or not isinstance(extent.value, int):
            return False
        size *= extent.value
    return 0 <= size <= OWN_BYTES
