"""Calls of NumPy's and SciPy's functions as steps on the host: see `weft.ir.library_steps`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any
from typing import cast as typed

import numpy as np

from weft.errors import Error
from weft.frontend.arrays import shared_views
from weft.frontend.arrays.nests import materialised
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.calls import library_samples
from weft.frontend.calls.library_names import READ_ONLY, name_of, written_by
from weft.frontend.several_types.forms import forms_of as several_forms
from weft.frontend.values import objects
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context, PoisonedError, view_type
from weft.frontend.values.values import (
    NONE,
    ArrayExpression,
    Instance,
    Range,
    SliceValue,
    Static,
    Value,
    describe_value,
    is_none,
    is_view,
)
from weft.ir import library_steps
from weft.ir import nodes as n
from weft.ir.library_steps import NUMBER, PLAIN, forms_of
from weft.ir.python_calls import BoundStep, Layout, Step
from weft.ir.python_calls import made as made_of
from weft.ir.types import INT64, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, SCALARS, Scalar, View

Values = Sequence[Value]
Keywords = dict[str, Value]

NOTHING: Layout = ("constant", None)
_PYTHON = {"bool": PYBOOL, "int": PYINT, "float": PYFLOAT, "complex": PYCOMPLEX}


def otherwise(
    ctx: Context, function: object, arguments: Values, keywords: Keywords, node: ast.AST, native: Callable[[], Value]
) -> Value:
    """What `native` makes of a call; where that is refused, and the library can be called instead, a step."""
    name = name_of(function)
    if name is None or ctx.in_function:
        return native()
    before, count, fall = ctx.snapshot(), len(ctx.builder.statements), ctx.environment.fall
    try:
        result = native()
        problem: Error = ctx.errors[before.errors] if len(ctx.errors) > before.errors else PoisonedError("none")
        if len(ctx.errors) == before.errors:
            return result
    except PoisonedError:
        raise
    except Error as error:
        problem = error
    reported = ctx.errors[before.errors :]
    ctx.restore(before)
    del ctx.builder.statements[count:]
    ctx.environment.fall = fall
    try:
        return call(ctx, name, arguments, keywords, node)
    except Error as error:
        ctx.restore(before)
        del ctx.builder.statements[count:]
        if problem in reported:
            for known in reported:
                ctx.report(known)
            raise PoisonedError("reported") from None
        raise problem from error


def call(ctx: Context, name: str, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """Call a function of a library by its full name."""
    return _Call(ctx, name, node).translated(arguments, keywords)


class _Call:
    """One call being translated: the operands of its steps, and how arguments are made of them."""

    def __init__(self, ctx: Context, name: str, node: ast.AST) -> None:
        self.ctx = ctx
        self.name = name
        self.node = node
        self.operands: list[n.Atom] = []
        self.bases: list[list[n.Atom]] = []
        self.earlier: list[list[int]] = []

    def translated(self, arguments: Values, keywords: Keywords) -> Value:
        """The value of the call."""
        ctx = self.ctx
        given = list(arguments)
        nodes: list[ast.AST] = list(getattr(self.node, "args", []))
        nodes = nodes if len(nodes) == len(given) else [*[self.node] * (len(given) - len(nodes)), *nodes]
        named = {name: value for name, value in keywords.items() if not (name == "out" and is_none(value))}
        inner = {word.arg: word.value for word in getattr(self.node, "keywords", [])}
        layouts = [self._taken(value, part) for value, part in zip(given, nodes, strict=False)]
        layouts += [self._taken(value, inner.get(name, self.node)) for name, value in named.items()]
        if any(several_forms(ctx, atom) is not None for atom in self.operands if not is_view(atom)):
            raise ctx.type_error("a number of several types cannot be given to a function of a library", self.node)
        for atom in self.operands:
            ctx.settle(atom)
        position = written_by(self.name)
        if position is not None or "out" in named:
            return self._written(position, layouts, tuple(named))
        return self._computed(layouts, tuple(named))

    # ------------------------------------------------------------------------------------------------ arguments

    def _taken(self, value: Value, node: ast.AST) -> int | Layout:
        """How one argument is made."""
        plain = objects.plain_tuple(value)
        if isinstance(plain, tuple):
            elements = getattr(node, "elts", [])
            parts = elements if len(elements) == len(plain) else [node] * len(plain)
            kind = "list" if isinstance(node, ast.List) else "tuple"
            return kind, tuple(self._taken(item, part) for item, part in zip(plain, parts, strict=True))
        if isinstance(value, SliceValue):
            parts = (value.start, value.stop, value.step)
            return "slice", tuple(NOTHING if part is None else self._taken(part, node) for part in parts)
        if isinstance(value, Static):
            return self._constant(value, node)
        if isinstance(value, n.Const) and isinstance(value.type, Scalar) and value.type.weak:
            return "constant", value.value
        if isinstance(value, Range):
            value = FUNCTIONS[np.arange](self.ctx, [value.start, value.stop, value.step], {}, node)
        if isinstance(value, ArrayExpression):
            value = materialised(self.ctx, value, node)
        if isinstance(value, (n.Var, n.Const)) and isinstance(value.type, (Scalar, View)):
            if isinstance(value.type, View) and not isinstance(value.type.element, Scalar):
                raise self._refusal(f"it takes no {describe_value(value)}")
            self.operands.append(value)
            return len(self.operands) - 1
        raise self._refusal(f"it takes no {describe_value(value)}")

    def _constant(self, value: Static, node: ast.AST) -> Layout:
        constant = value.value
        if isinstance(constant, np.dtype) or (isinstance(constant, type) and _is_type(constant)):
            return "dtype", np.dtype(constant).name
        if constant is None or isinstance(constant, (str, bool, int, float, complex)):
            return "constant", constant
        raise self._refusal(f"it takes no {describe_value(value)}")

    def _refusal(self, message: str) -> Error:
        return self.ctx.type_error(f"{self.name}: {message}", self.node)

    # ------------------------------------------------------------------------------------------------------ steps

    def _emit(
        self,
        function: Callable[..., Any],
        arguments: tuple[int | Layout, ...],
        operands: Sequence[n.Atom],
        written: Sequence[n.Atom],
        returns: Scalar | None,
    ) -> Value:
        """One step: a function of `library_steps`."""
        ctx = self.ctx
        source = n.Source("global", f"<{library_steps.__name__}>.{function.__name__}")
        types = typed("tuple[Scalar | View, ...]", tuple(atom.type for atom in operands))
        changed = tuple(atom in written for atom in operands)
        step = Step(self.name, source, arguments, types, changed, returns, is_of_library=True)
        label = f"{self.name}.{len(ctx.externals) + 1}"
        ctx.externals[label] = BoundStep(step, function)
        views = [atom for atom in operands if isinstance(atom, n.Var) and is_view(atom)]
        reads = tuple(dict.fromkeys(view for view in views if view not in written))
        writes = tuple(dict.fromkeys(view for view in views if view in written))
        results = () if returns is None else (ctx.names.fresh("t", returns),)
        ctx.append(n.External(results, label, tuple(operands), reads, writes, ctx.location(self.node)))
        return results[0] if results else NONE

    def _head(self, names: tuple[str, ...]) -> tuple[int | Layout, ...]:
        return ("constant", self.name), ("tuple", tuple(("constant", name) for name in names))

    def _sampled(self, layouts: Sequence[int | Layout], names: tuple[str, ...], writable: bool = False) -> Any:
        """What the function returns for samples; the error of the call where it returns nothing that a program has."""
        described = [(atom, self._known(atom)) for atom in self.operands]

        def made(samples: list[Any]) -> list[Any]:
            if writable:
                samples[:] = [s.copy() if isinstance(s, np.ndarray) else s for s in samples]
            return [made_of(part, samples) for part in layouts]

        try:
            result, samples = library_samples.returned(self.name, names, described, made)
        except Exception as error:
            raise self._refusal(f"{type(error).__name__}: {error}") from None
        parts = library_steps.parts_of(result)
        self.bases = [[a for a, s in zip(self.operands, samples, strict=True) if _share(part, s)] for part in parts]
        self.earlier = [[k for k, one in enumerate(parts[:end]) if _share(part, one)] for end, part in enumerate(parts)]
        return result

    def _known(self, atom: n.Atom) -> list[int | None]:
        """The extents of an array that are constants."""
        if not (isinstance(atom, n.Var) and is_view(atom)):
            return []
        extents = self.ctx.extents.get(atom.name, (None,) * view_type(atom).ndim)
        return [int(e.value.real) if isinstance(e, n.Const) else None for e in extents]

    def _written(self, position: int | None, layouts: list[int | Layout], names: tuple[str, ...]) -> Value:
        """A call that changes an array, which is also its result where it was given as ``out=``."""
        place = layouts[position] if position is not None else layouts[len(layouts) - len(names) + names.index("out")]
        if not isinstance(place, int) and place[0] in ("tuple", "list") and len(place[1]) == 1:
            place = place[1][0]
        target = self.operands[place] if isinstance(place, int) else None
        if not (isinstance(target, n.Var) and is_view(target)):
            raise self._refusal("an array is expected")
        if not view_type(target).writable:
            raise self._refusal("the array is read-only")
        if self.name.endswith(".at") and not isinstance(layouts[1], int) and not self._is_written_out(layouts[1]):
            raise self._refusal("indices are arrays, or tuples of them")
        self._sampled(layouts, names, writable=True)
        self._emit(library_steps.call_for_nothing, (*self._head(names), *layouts), self.operands, [target], None)
        return target if position is None else NONE

    def _is_written_out(self, layout: Layout) -> bool:
        """Whether indices stand in the call itself: a name may be that of a list, which means something else."""
        nodes = getattr(self.node, "args", [None, None])
        return len(nodes) > 1 and isinstance(nodes[1], (ast.Tuple, ast.List, ast.Constant, ast.UnaryOp))

    def _computed(self, layouts: list[int | Layout], names: tuple[str, ...]) -> Value:
        result = self._sampled(layouts, names)
        forms = forms_of(result)
        for kind, dtype, _ in forms:
            if dtype not in _PYTHON if kind == PLAIN else dtype not in SCALARS:
                raise self._refusal(f"its result has the type {dtype}")
        if len(forms) == 1 and forms[0][0] != "array":
            one = self._number(layouts, names, forms)
            return (one,) if isinstance(result, (tuple, list)) else one
        items = self._arrays(layouts, names, forms)
        if not isinstance(result, (tuple, list)):
            return items[0]
        fields = getattr(result, "_fields", None)
        return tuple(items) if fields is None else Instance(type(result), tuple(fields), tuple(items))

    def _number(self, layouts: list[int | Layout], names: tuple[str, ...], forms: tuple[Any, ...]) -> Value:
        arguments = (*self._head(names), _plain(forms), *layouts)
        return self._emit(library_steps.call_for_number, arguments, self.operands, [], _scalar(forms[0]))

    def _arrays(self, layouts: list[int | Layout], names: tuple[str, ...], forms: tuple[Any, ...]) -> list[Value]:
        """Results of which one is an array at least."""
        from weft.frontend.arrays.allocation import allocate

        ctx, node = self.ctx, self.node
        count = sum(form[2] for form in forms if form[0] == "array")
        record = allocate(ctx, [n.Const(max(count, 1), PYINT)], INT64, None, node)
        operands = [*self.operands, record]
        arguments = (*self._head(names), _plain(forms), len(operands) - 1, *layouts)
        number = typed(n.Atom, self._emit(library_steps.call_for_arrays, arguments, operands, [record], PYINT))
        lengths = [self._length(record, k) for k in range(count)]
        results: list[Value] = []
        for k, form in enumerate(forms):
            where: tuple[int | Layout, ...] = (0, ("constant", k), ("constant", k == len(forms) - 1))
            if form[0] != "array":
                results.append(self._emit(library_steps.take_number, where, [number], [], _scalar(form)))
                continue
            extents, lengths = tuple(lengths[: form[2]]), lengths[form[2] :]
            out = allocate(ctx, extents, SCALARS[form[1]], None, node)
            ctx.extents[out.name] = extents
            self._emit(library_steps.take_array, (*where, 1), [number, out], [out], None)
            bases = typed("list[n.Var]", [*self.bases[k], *(results[other] for other in self.earlier[k])])
            is_writable = self.name not in READ_ONLY
            results.append(shared_views.noted(ctx, out, bases, is_writable, node) if bases else out)
        return results

    def _length(self, record: n.Var, position: int) -> n.Atom:
        load = n.Load(record, (n.Const(position, PYINT),), "safe")
        length = cast(self.ctx, self.ctx.emit(load, INT64, self.node), PYINT, self.node)
        assert isinstance(length, n.Var)
        self.ctx.nonnegative.add(length.name)
        return length


def _plain(forms: tuple[Any, ...]) -> Layout:
    """Forms as a constant of a layout."""
    return "tuple", tuple(("tuple", tuple(("constant", part) for part in form)) for form in forms)


def _scalar(form: tuple[str, str, int]) -> Scalar:
    return SCALARS[form[1]] if form[0] == NUMBER else _PYTHON[form[1]]


def _is_type(value: type) -> bool:
    return value in (bool, int, float, complex) or issubclass(value, np.generic)


def _share(part: object, other: object) -> bool:
    """Whether two results or samples have elements in common; that they lie in one memory is not enough."""
    are_arrays = isinstance(part, np.ndarray) and isinstance(other, np.ndarray)
    return are_arrays and np.shares_memory(typed(Any, part), typed(Any, other))
