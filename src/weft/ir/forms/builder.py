"""Builds programs without Python source: for tests, and for whatever generates loops itself.

    build = Builder("total")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x), {"s": build.const(0.0)}) as loop:
        loop.carry(build.add(loop["s"], build.load(x, loop.index)))
    program = build.program(loop.results[0])

Operators convert their operands by the rules of `weft.ir.semantics`, as the frontend does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from weft.ir import nodes as n
from weft.ir.check.comparison import compare
from weft.ir.location import UNKNOWN, Location
from weft.ir.semantics import operand_types, operation_type, result_type, stored_through
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Element, Record, Scalar, Type, Vector, View
from weft.ir.visit import Names

Operand = n.Atom | bool | int | float | complex
"""Python numbers stand for constants of Python's own types."""


class Builder:
    """Builds one program; `location` is given to every statement that is added while it is set."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._names = Names()
        self._params: list[n.Param] = []
        self._blocks: list[list[n.Statement]] = [[]]
        self._functions: list[n.Function] = []
        self._labels: set[str] = set()
        self.externals: dict[str, object] = {}
        self.location: Location = UNKNOWN

    # ------------------------------------------------------------------------------------------ parameters

    def param(self, name: str, type: Type) -> n.Var:
        """A parameter of any type."""
        var = self._names.fresh(name, type)
        self._params.append(n.Param(var, n.Source("argument", name)))
        return var

    def array(
        self, name: str, element: Element, ndim: int = 1, contiguous: bool = False, writable: bool = True
    ) -> n.Var:
        """A parameter that is an array."""
        return self.param(name, View(element, ndim, contiguous, writable))

    def fresh(self, stem: str, type: Type) -> n.Var:
        """A new variable that nothing assigns yet."""
        return self._names.fresh(stem, type)

    # ------------------------------------------------------------------------------------------ statements

    def add_statement(self, statement: n.Statement) -> None:
        """Put a statement at the end of the block being built."""
        self._blocks[-1].append(statement)

    def let(self, value: n.Expression, type: Type, name: str = "t") -> n.Var:
        """Assign an expression to a new variable."""
        var = self._names.fresh(name, type)
        self.add_statement(n.Let(var, value, self.location))
        return var

    def store(self, view: n.Var, *indices: Operand, value: Operand, bounds: n.Bounds = "python") -> None:
        """Assign to an element, converting as NumPy's assignment does."""
        element = element_of(view)
        atom = self.const(value)
        if isinstance(element, Scalar):
            for step in stored_through(scalar_of(atom), element):
                atom = self.cast(atom, step)
        self.add_statement(n.Store(view, self._atoms(indices), atom, bounds, location=self.location))

    def update(self, op: n.UpdateOp, view: n.Var, *indices: Operand, value: Operand) -> None:
        """Combine an element with a value in one step."""
        atom = self.cast(self.const(value), _scalar_element(view))
        self.add_statement(n.Update(op, view, self._atoms(indices), atom, location=self.location))

    def fail(self, exception: str, message: str, *operands: Operand) -> None:
        """Raise an exception."""
        self.add_statement(n.Raise(exception, message, self._atoms(operands), self.location))

    # ----------------------------------------------------------------------------------------- expressions

    def const(self, value: Operand, type: Scalar | None = None) -> n.Atom:
        """A constant, of its Python type unless another is given; atoms are returned as they are."""
        if isinstance(value, (n.Var, n.Const)):
            return value
        python = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}
        return n.Const(value, type or python[value.__class__])

    def cast(self, value: Operand, type: Scalar) -> n.Atom:
        """A value converted to a type."""
        atom = self.const(value)
        return atom if atom.type == type else self.let(n.Cast(atom), type)

    def unary(self, op: n.UnaryOp, operand: Operand) -> n.Var:
        """A unary operator."""
        atom = self.const(operand)
        type = scalar_of(atom)
        return self.let(n.Unary(op, self.cast(atom, operation_type(op, type))), result_type(op, type))

    def binary(self, op: n.BinaryOp, left: Operand, right: Operand) -> n.Var:
        """A binary operator; both operands are converted to their common type."""
        a, b = self.const(left), self.const(right)
        types = scalar_of(a), scalar_of(b)
        exponent = int(b.value.real) if op == "pow" and isinstance(b, n.Const) else None
        common = operation_type(op, *types, exponent=exponent)
        result = result_type(op, *types, exponent=exponent)
        return self.let(n.Binary(op, self.cast(a, common), self.cast(b, common)), result)

    def add(self, left: Operand, right: Operand) -> n.Var:
        """``left + right``"""
        return self.binary("add", left, right)

    def sub(self, left: Operand, right: Operand) -> n.Var:
        """``left - right``"""
        return self.binary("sub", left, right)

    def mul(self, left: Operand, right: Operand) -> n.Var:
        """``left * right``"""
        return self.binary("mul", left, right)

    def compare(self, op: n.CompareOp, left: Operand, right: Operand) -> n.Atom:
        """A comparison, exact for all types."""
        return compare(op, self.const(left), self.const(right), self.let)

    def select(self, condition: Operand, then: Operand, orelse: Operand) -> n.Var:
        """One of two values of the same type."""
        atom = self.const(then)
        return self.let(n.Select(self.const(condition), atom, self.const(orelse)), atom.type)

    def math(self, name: str, *operands: Operand, strict: bool = False) -> n.Var:
        """A mathematical function."""
        atoms = self._atoms(operands)
        types = tuple(scalar_of(a) for a in atoms)
        taken = operand_types(name, *types, strict=strict)
        cast = tuple(self.cast(a, t) for a, t in zip(atoms, taken, strict=True))
        return self.let(n.Math(name, cast, strict), result_type(name, *types, strict=strict))

    # --------------------------------------------------------------------------------------------- memory

    def load(self, view: n.Var, *indices: Operand, bounds: n.Bounds = "python") -> n.Var:
        """An element."""
        return self.let(n.Load(view, self._atoms(indices), bounds), element_of(view))

    def dim(self, view: n.Var, axis: int = 0) -> n.Var:
        """The extent of an axis."""
        return self.let(n.Dim(view, axis), PYINT)

    def alloc(self, shape: Sequence[Operand], element: Element, fill: Operand | None = None, name: str = "t") -> n.Var:
        """A new array."""
        filled = None if fill is None else self.const(fill, element if isinstance(element, Scalar) else None)
        return self.let(n.Alloc(self._atoms(shape), element, filled), View(element, len(shape), contiguous=True), name)

    def subview(self, view: n.Var, *axes: Operand | n.Slice | None) -> n.Var:
        """Indexing that keeps some axes."""
        atoms = tuple(a if a is None or isinstance(a, n.Slice) else self.const(a) for a in axes)
        ndim = sum(a is None or isinstance(a, n.Slice) for a in axes)
        return self.let(n.Subview(view, atoms), View(element_of(view), ndim, writable=_view(view).writable))

    def transpose(self, view: n.Var, *permutation: int) -> n.Var:
        """The axes in another order."""
        return self.let(
            n.Transpose(view, permutation), View(element_of(view), len(permutation), writable=_view(view).writable)
        )

    def split(self, view: n.Var, axis: int, *extents: Operand) -> n.Var:
        """One axis as several."""
        ndim = _view(view).ndim - 1 + len(extents)
        return self.let(n.Split(view, axis, self._atoms(extents)), replace(_view(view), ndim=ndim))

    def merge(self, view: n.Var, axis: int) -> n.Var:
        """Two neighbouring axes as one."""
        return self.let(n.Merge(view, axis), replace(_view(view), ndim=_view(view).ndim - 1))

    def field(self, view: n.Var, name: str) -> n.Var:
        """A field of a structured array, or the real or imaginary parts of a complex one."""
        type = _view(view)
        element, extra = field_type(type.element, name)
        return self.let(n.FieldView(view, name), View(element, type.ndim + extra, writable=type.writable))

    # -------------------------------------------------------------------------------------------- regions

    @contextmanager
    def block(self) -> Iterator[list[n.Statement]]:
        """Collect the statements that are added meanwhile, instead of putting them into the program."""
        self._blocks.append([])
        try:
            yield self._blocks[-1]
        finally:
            self._blocks.pop()

    @contextmanager
    def loop(
        self,
        name: str,
        start: Operand,
        stop: Operand,
        carried: Mapping[str, Operand] | None = None,
        exit: int | None = None,
        claim: n.Claim = "range",
        mapping: n.Mapping = "sequential",
    ) -> Iterator[Loop]:
        """A `For`; `carried` gives the initial values of its arguments."""
        loop = Loop(self, self._names.fresh(name, PYINT), carried or {})
        bounds = self.const(start), self.const(stop)
        with self.block() as statements:
            yield loop
        body = n.Block(tuple(statements), loop.yields)
        self.add_statement(
            n.For(self._label(name), loop.index, *bounds, body, loop.args, loop.results, exit, claim, mapping,
                  self.location)
        )  # fmt: skip

    @contextmanager
    def while_loop(self, carried: Mapping[str, Operand]) -> Iterator[WhileLoop]:
        """A `While`; call `test` of what is given once, before the body."""
        loop = WhileLoop(self, self._names.fresh("while", PYINT), carried)
        with self.block() as statements:
            yield loop
        body = n.Block(tuple(statements), loop.yields)
        self.add_statement(n.While(self._label("while"), loop.condition, body, loop.args, loop.results, self.location))

    @contextmanager
    def when(self, condition: Operand) -> Iterator[Branch]:
        """An `If`."""
        branch = Branch(self)
        with self.block() as statements:
            yield branch
        branch.then = n.Block(tuple(statements), branch.then.yields)
        results = tuple(self._names.fresh("t", y.type) for y in branch.then.yields)
        branch.results = results
        self.add_statement(n.If(self.const(condition), branch.then, branch.orelse, results, self.location))

    def function(self, name: str, params: Sequence[n.Var], body: n.Block, associative: bool = False) -> None:
        """A helper that `call` calls."""
        self._functions.append(n.Function(name, tuple(params), body, associative, self.location))

    def call(self, function: str, *operands: Operand) -> tuple[n.Var, ...]:
        """Call a helper."""
        callee = next(f for f in self._functions if f.name == function)
        results = tuple(self._names.fresh("t", y.type) for y in callee.body.yields)
        self.add_statement(n.Call(results, function, self._atoms(operands), self.location))
        return results

    def program(self, *yields: Operand, assumption: n.Block | None = None) -> n.Program:
        """The finished program, which returns the given values: nothing, one, or a tuple."""
        leaves = tuple(n.Returns("leaf") for _ in yields)
        returns = n.Returns("none") if not leaves else leaves[0] if len(leaves) == 1 else n.Returns("tuple", leaves)
        body = n.Block(tuple(self._blocks[0]), self._atoms(yields))
        return n.Program(
            self._name, tuple(self._params), body, returns, tuple(self._functions), assumption, externals=self.externals
        )

    def _atoms(self, operands: Sequence[Operand]) -> tuple[n.Atom, ...]:
        return tuple(self.const(o) for o in operands)

    def _label(self, name: str) -> str:
        label, count = name, 1
        while label in self._labels:
            count += 1
            label = f"{name}@{count}"
        self._labels.add(label)
        return label


class Loop:
    """A loop being built: its index, its arguments by name, and what it yields."""

    def __init__(self, build: Builder, index: n.Var, carried: Mapping[str, Operand]) -> None:
        atoms = {name: build.const(value) for name, value in carried.items()}
        self._build = build
        self.index = index
        self.args = tuple(n.LoopArg(build.fresh(name, atom.type), atom) for name, atom in atoms.items())
        self.results = tuple(build.fresh(name, atom.type) for name, atom in atoms.items())
        self.yields: tuple[n.Atom, ...] = ()

    def __getitem__(self, name: str) -> n.Var:
        return next(a.var for a in self.args if a.var.stem == name)

    def carry(self, *values: Operand) -> None:
        """The values of the arguments in the next iteration, converted to the types of their initial values."""
        pairs = zip(values, self.args, strict=True)
        self.yields = tuple(_converted(self._build, value, arg.var.type) for value, arg in pairs)


class WhileLoop(Loop):
    """A `While` being built."""

    condition: n.Block = n.Block()

    @contextmanager
    def test(self) -> Iterator[Branch]:
        """The block that computes the condition; give it to `yields` of what this gives."""
        branch = Branch(self._build)
        with self._build.block() as statements:
            yield branch
        self.condition = n.Block(tuple(statements), branch.then.yields)


@dataclass
class Branch:
    """An `If` being built: its two blocks and its results."""

    build: Builder
    then: n.Block = field(default_factory=n.Block)
    orelse: n.Block = field(default_factory=n.Block)
    results: tuple[n.Var, ...] = ()

    def yields(self, *values: Operand) -> None:
        """What the block yields that is being built."""
        self.then = n.Block((), tuple(self.build.const(v) for v in values))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The other block; it stands inside the `with` of the `If`, after the first block's `yields`."""
        first = self.then
        with self.build.block() as statements:
            yield
        self.orelse = n.Block(tuple(statements), self.then.yields if self.then is not first else ())
        self.then = first


def _converted(build: Builder, value: Operand, type: Type) -> n.Atom:
    return build.cast(value, type) if isinstance(type, Scalar) else build.const(value)


def scalar_of(atom: n.Atom) -> Scalar:
    """The scalar type of an atom; for a vector, that of its elements."""
    type = atom.type.element if isinstance(atom.type, Vector) else atom.type
    if not isinstance(type, Scalar):
        raise TypeError(f"{type} is no scalar")
    return type


def element_of(view: n.Var) -> Element:
    """The type of the elements of a view."""
    return _view(view).element


def field_type(element: Element, name: str) -> tuple[Element, int]:
    """The element type of a field, and how many axes it appends."""
    if isinstance(element, Record):
        found = element.field(name)
        return found.type, len(found.shape)
    return result_type(name, element), 0


def _view(view: n.Var) -> View:
    if not isinstance(view.type, View):
        raise TypeError(f"{view.name} is no array")
    return view.type


def _scalar_element(view: n.Var) -> Scalar:
    element = element_of(view)
    if not isinstance(element, Scalar):
        raise TypeError(f"the elements of {view.name} are records")
    return element
