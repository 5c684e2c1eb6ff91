"""The rules that the verifier has for statements, one small check each."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args

from weft.errors import SEVERAL, TypeInferenceError
from weft.ir import nodes as n
from weft.ir.check.check_expressions import check_access, is_boolean, is_integer
from weft.ir.recursion import function_name
from weft.ir.semantics import node_type
from weft.ir.types import Scalar, Type, Vector, View


def accepts(expected: Type, given: Type) -> bool:
    """Whether a value of type `given` can go where an `expected` one is wanted: views may know more than needed."""
    if not (isinstance(expected, View) and isinstance(given, View)):
        return expected == given
    return (
        (expected.element, expected.ndim) == (given.element, given.ndim)
        and given.contiguous >= expected.contiguous
        and given.writable >= expected.writable
        and given.aligned >= expected.aligned
    )


def check_types(expected: Sequence[Type], given: Sequence[Type], what: str) -> list[str]:
    """The mistakes in a list of types that another list accepts."""
    if len(expected) != len(given):
        return [f"{what}: {len(given)} values where {len(expected)} are wanted"]
    pairs = zip(expected, given, strict=True)
    return [f"{what}: a {g} where a {e} is wanted" for e, g in pairs if not accepts(e, g)]


def _types(atoms: Sequence[n.Atom]) -> list[Type]:
    return [a.type for a in atoms]


def check_store(store: n.Store, program: n.Program) -> Iterator[str]:
    """A store writes a value of the element's type to a writable view."""
    yield from check_access(store.view, store.indices, store.mask)
    yield from _check_written(store.view, store.value)


def check_update(update: n.Update, program: n.Program) -> Iterator[str]:
    """An update combines values of the element's type by an operator that gives that type again."""
    yield from check_access(update.view, update.indices, None)
    yield from _check_written(update.view, update.value)
    element = update.value.type.element if isinstance(update.value.type, Vector) else update.value.type
    if update.op == "assign":
        return
    try:
        if not isinstance(element, Scalar) or node_type(update.op, element) != element:
            yield f"{update.op} of two {element} does not give a {element}"
    except TypeInferenceError as error:
        yield error.message


def _check_written(view: n.Var, value: n.Atom) -> Iterator[str]:
    if not isinstance(view.type, View):
        return
    if not view.type.writable:
        yield f"{view.name} is read-only and is written"
    type = value.type.element if isinstance(value.type, Vector) else value.type
    if type != view.type.element:
        yield f"a {type} is stored in {view.name}, whose elements are {view.type.element}"


def check_for_bounds(loop: n.For, program: n.Program) -> Iterator[str]:
    """Index and bounds of a loop are integers of one type."""
    types = {loop.index.type, loop.start.type, loop.stop.type}
    if len(types) > 1 or not is_integer(loop.index.type):
        yield f"the loop {loop.label} runs over {', '.join(sorted(map(str, types)))}"


def check_loop_arguments(loop: n.For | n.While, program: n.Program) -> Iterator[str]:
    """Initial values, arguments, yields and results of a loop agree in number and types."""
    wanted = [a.var.type for a in loop.args]
    yield from check_types(wanted, [a.init.type for a in loop.args], f"initial values of {loop.label}")
    yield from check_types(wanted, _types(loop.body.yields), f"yields of {loop.label}")
    yield from check_types([r.type for r in loop.results], wanted, f"results of {loop.label}")


def check_exit(loop: n.For, program: n.Program) -> Iterator[str]:
    """`exit` is the position of a Boolean argument."""
    if loop.exit is None:
        return
    if not 0 <= loop.exit < len(loop.args) or not is_boolean(loop.args[loop.exit].var.type):
        yield f"exit of {loop.label} names no Boolean argument"


def check_combine(loop: n.For, program: n.Program) -> Iterator[str]:
    """`combine` names a binary operator or an associative function of the program."""
    operators = get_args(n.BinaryOp)
    associative = {f.name for f in program.functions if f.associative}
    for arg in loop.args:
        if arg.combine is not None and arg.combine not in operators and arg.combine not in associative:
            yield f"{arg.var.name} is combined by {arg.combine}, which is no operator and no associative function"


def check_while_condition(loop: n.While, program: n.Program) -> Iterator[str]:
    """The condition of a `While` yields one Boolean; no argument is combined."""
    if [is_boolean(y.type) for y in loop.condition.yields] != [True]:
        yield f"the condition of {loop.label} does not yield one Boolean"
    if any(a.combine is not None for a in loop.args):
        yield f"{loop.label} is a While and combines an argument"


def check_if(branch: n.If, program: n.Program) -> Iterator[str]:
    """The condition is a Boolean, and both blocks yield the results."""
    if not is_boolean(branch.condition.type):
        yield f"the condition of an If is a {branch.condition.type}"
    wanted = [r.type for r in branch.results]
    yield from check_types(wanted, _types(branch.then.yields), "yields of an If")
    yield from check_types(wanted, _types(branch.orelse.yields), "yields of an else")


def check_raise(statement: n.Raise, program: n.Program) -> Iterator[str]:
    """The message is a template over the operands."""
    if statement.message.startswith(SEVERAL):
        if json.loads(statement.message.removeprefix(SEVERAL)).count(0) != len(statement.operands):
            yield f"the message {statement.message!r} does not fit its operands"
        return
    try:
        parts = [name for _, name, _, _ in string.Formatter().parse(statement.message) if name is not None]
        statement.message.format(*(0 for _ in statement.operands))
    except (ValueError, IndexError, KeyError) as error:
        yield f"the message {statement.message!r} does not fit its operands: {error}"
        return
    if len(parts) < len(statement.operands) and not any(parts):
        yield f"the message {statement.message!r} leaves out operands"


def check_call(call: n.Call, program: n.Program) -> Iterator[str]:
    """The function exists and takes and yields what the call gives and gets."""
    try:
        function = program.function(call.function)
    except KeyError:
        yield f"there is no function {call.function}"
        return
    yield from check_types([p.type for p in function.params], _types(call.operands), f"operands of {call.function}")
    yield from check_types([r.type for r in call.results], _types(function.body.yields), f"results of {call.function}")


def check_external(external: n.External, program: n.Program) -> Iterator[str]:
    """What an external function writes is writable; it reads and writes views."""
    for view in (*external.reads, *external.writes):
        if not isinstance(view.type, View):
            yield f"{external.reference} accesses {view.name}, which is no view"
    for view in external.writes:
        if isinstance(view.type, View) and not view.type.writable:
            yield f"{external.reference} writes {view.name}, which is read-only"
    name = function_name(external)
    if name is not None:
        yield from check_call(n.Call(external.results, name, external.operands, external.location), program)


def check_launch(launch: n.Launch, program: n.Program) -> Iterator[str]:
    """The kernel takes what the launch gives; the result, if there is one, is a Boolean: whether it failed."""
    kernel = launch.kernel
    yield from check_types([p.type for p in kernel.params], _types(launch.operands), f"operands of {kernel.name}")
    if [is_boolean(r.type) for r in launch.results] not in ([], [True]):
        yield f"results of {kernel.name} are not one Boolean"
    if kernel.body.yields:
        yield f"the kernel {kernel.name} yields values"
    if not all(is_integer(extent.type) for extent in launch.grid):
        yield f"the grid of {kernel.name} is not integer"
    operands = [a for a in launch.operands if isinstance(a.type, View)]
    if launch.windows and len(launch.windows) != len(operands):
        yield f"{kernel.name} has {len(operands)} arrays and {len(launch.windows)} windows"
    for view in (*launch.reads, *launch.writes, *launch.windows):
        if not isinstance(view.type, View):
            yield f"{kernel.name} accesses {view.name}, which is no view"


def check_has_storage(statement: n.Reserve | n.Copy | n.Free, program: n.Program) -> Iterator[str]:
    """Places, copies and frees are about views."""
    if not isinstance(statement.view.type, View):
        yield f"{statement.view.name} is no view and has no storage"


def check_copy(copy: n.Copy, program: n.Program) -> Iterator[str]:
    """A copy goes from one memory to another, onto elements of the same type."""
    if copy.source == copy.target:
        yield f"{copy.view.name} is copied from {copy.source} to itself"
    own, other = copy.view.type, copy.onto.type if copy.onto else copy.view.type
    if not isinstance(own, View) or not isinstance(other, View):
        yield f"{copy.view.name} is copied onto what is no view"
    elif (own.element, own.ndim) != (other.element, other.ndim):
        yield f"{copy.view.name} is copied onto a view of another type"


STATEMENT_CHECKS: dict[type, tuple[Callable[[Any, n.Program], Iterator[str]], ...]] = {
    n.Store: (check_store,),
    n.Update: (check_update,),
    n.For: (check_for_bounds, check_loop_arguments, check_exit, check_combine),
    n.While: (check_loop_arguments, check_while_condition),
    n.If: (check_if,),
    n.Raise: (check_raise,),
    n.Call: (check_call,),
    n.External: (check_external,),
    n.Launch: (check_launch,),
    n.Reserve: (check_has_storage,),
    n.Copy: (check_has_storage, check_copy),
    n.Free: (check_has_storage,),
}
