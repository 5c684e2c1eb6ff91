"""Parallel loops: the body becomes a function over a piece of the iterations, which the runtime's threads call.

Two loops that are nested with nothing between them are one loop over both. Each piece of a reduction starts from the
identity of its operator; the pieces, whose number depends on the sizes alone, are combined in their order.
"""

from __future__ import annotations

from collections.abc import Mapping

from weft.backends.c import by_key
from weft.backends.c.in_turn import InTurn, Undone, with_undo
from weft.backends.c.journal import Kept, Traces, costs_less, longest_piece
from weft.backends.c.loops import LoopPrinter
from weft.backends.c.reductions import OPERATORS, combination
from weft.backends.c.rehearsal import rehearsal
from weft.backends.c.turns import print_turns
from weft.backends.c.undoing import Undoing, undoing
from weft.backends.text import loop_cost
from weft.backends.text.code import UNARY, Code, words
from weft.backends.text.printer import Module, Printer
from weft.backends.text.printer_facts import ANY
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import atoms_of, free_variables, walk

PIECES = 64
"""The most pieces of a reduction: see ``weft_pieces``."""


class ParallelPrinter(LoopPrinter):
    """Prints a function whose parallel loops run on all threads."""

    is_piece = False

    def __init__(self, module: Module, outer: Printer | None = None) -> None:
        super().__init__(module, outer)
        self.started: dict[str, str] = {}
        """For what a piece combines by a function: the C variable that tells whether there is a value yet."""
        self.steps: dict[str, str] = {}
        """For copies of an array that a piece has: C variables of the distance between them, by those of the first."""

    # ------------------------------------------------------------------------------------------ captures

    def captured(self, lines: list[str]) -> list[str]:
        """The names that a text uses and the function around it declares."""
        used = words("\n".join(lines))
        visible = self.visible_outside()
        return [name for name in visible if name in used and name not in self.declared]

    def visible_outside(self) -> dict[str, str]:
        """The names that the function around sees, with their C types."""
        found: dict[str, str] = {}
        outer = self.outer
        while outer is not None:
            found = {**outer.declared, **found}
            outer = outer.outer
        return found

    def parameters(self, names: list[str]) -> list[str]:
        """The declarations of captured names as parameters; pointers to separate storages say so."""
        visible, roots = self.visible_outside(), self._pointer_roots(names)
        return [_declaration(visible[name], name, _is_alone(name, roots)) for name in names]

    def _pointer_roots(self, names: list[str]) -> dict[str, frozenset[str]]:
        """The storages that the pointers among the names may lead to."""
        wanted = frozenset(names)
        roots: dict[str, frozenset[str]] = {}
        for var, view in self.views.items():
            if view.pointer in wanted:
                found = self.facts.roots(n.Var(var, PYINT))
                roots[view.pointer] = roots.get(view.pointer, frozenset()) | found
        return roots

    def complete(self, name: str, extra: list[str]) -> tuple[str, list[str]]:
        """The text of the function, and the names that it captures; `extra` are parameters of its own."""
        body = self.finished_lines()
        names = self.captured(body)
        head = _signature(f"static int32_t {name}", [*self.parameters(names), *extra])
        return "\n".join([f"{head} {{", *body, "}"]), names

    def print_Call(self, node: n.Call) -> None:
        """Print a call; the first contribution of a piece is taken as it is."""
        first = node.operands[0] if node.operands else None
        started = self.started.get(first.name) if isinstance(first, n.Var) else None
        if started is None or len(node.results) != 1:
            super().print_Call(node)
            return
        contribution = self.simple(node.operands[1])
        result = self.name(node.results[0], contribution.text)
        with self.lines.braces(f"if ({started})"):
            self.call_to(node.function, [self.value(node.operands[0]), contribution], [result])
        self.lines.add(f"{started} = true;")

    # ---------------------------------------------------------------------------------------- parallel loops

    def print_For(self, loop: n.For) -> None:
        """Print a loop; a parallel one runs on the threads, if no loop around it does already."""
        if self.is_piece or self.plain or not (_is_parallel(loop) or loop.mapping == "turns"):
            super().print_For(loop)
        elif loop.mapping == "turns":
            print_turns(self, loop)
        else:
            _ParallelLoop(self, loop).print()


def _is_parallel(loop: n.For) -> bool:
    return (
        loop.mapping == "parallel"
        and loop.exit is None
        and loop.index.type == PYINT
        and all(isinstance(a.var.type, Scalar) and _can_combine(loop, a) for a in loop.args)
    )


def _can_combine(loop: n.For, arg: n.LoopArg) -> bool:
    """Whether a piece can start without the value before it: from an identity, or from its first contribution."""
    if arg.combine in OPERATORS:
        return True
    if arg.combine is None:
        return False
    for statement in walk(loop.body):
        folds = isinstance(statement, n.Call) and statement.function == arg.combine and statement.operands[0] == arg.var
        uses = sum(atom == arg.var for atom in atoms_of(statement))
        if uses != folds or (isinstance(statement, (n.For, n.While)) and arg.var in free_variables(statement.body)):
            return False
    return True


def _declaration(c_type: str, name: str, alone: bool) -> str:
    if not c_type.endswith("*"):
        return f"{c_type} {name}"
    return f"{c_type}restrict {name}" if alone else f"{c_type}{name}"


def _is_alone(name: str, roots: Mapping[str, frozenset[str]]) -> bool:
    """Whether no other pointer leads to the same storage."""
    own = roots.get(name)
    if own is None or ANY in own:
        return False
    return not any(own & others or ANY in others for other, others in roots.items() if other != name)


def _signature(head: str, parameters: list[str], width: int = 118) -> str:
    """A function's head, broken into lines of a readable length."""
    lines, line = [], f"{head}("
    indent = " " * len(line)
    for k, parameter in enumerate(parameters):
        text = parameter + (", " if k + 1 < len(parameters) else ")")
        if len(line) + len(text) > width and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += text
    return "\n".join([*lines, line if parameters else f"{head}(void)"])


class _ParallelLoop:
    """One parallel loop while it is printed."""

    def __init__(self, printer: ParallelPrinter, loop: n.For) -> None:
        self.printer = printer
        self.loop = loop
        self.name = printer.module.identifiers.fresh(f"{printer.module.program.name}_{loop.label.replace('@', '_')}")
        self.raises = block_may_raise(loop.body)
        self.private = by_key.privates(printer, loop)

    def print(self) -> None:
        """Print the function of a piece, and the call that runs all of them."""
        printer, loop = self.printer, self.loop
        inner = _perfect_inner(loop)
        start = self._bound(loop.start, "start")
        stop = self._bound(loop.stop, "stop")
        inits = [printer.simple(a.init, exact=True) for a in loop.args]
        if inner is not None:
            inner_start, inner_stop = self._bound(inner.start, "start"), self._bound(inner.stop, "stop")
        printer.settle_loads()
        back = undoing(loop, printer.facts) if inner is None else None
        first = None if self.private is None or self.private else rehearsal(loop, printer.facts, back is not None)
        tests = _perfect_inner(first) if inner is not None and first is not None else None
        if inner is not None and tests is None:
            first = None
        kept = self._kept(first) if first is None or back is None else None
        first = first if kept is None else None
        turn: InTurn | Undone | Kept | None
        if inner is not None:
            bounds = (start, stop), (inner_start, inner_stop)
            begin, end = Code("0"), self._flat_trips(*bounds)
            child = self._flat_piece(loop, inner, *bounds)
            if kept is not None:
                turn = self._keeping(self._flat_piece(loop, inner, *bounds, journal=kept))
            else:
                turn = InTurn(self._flat_piece(first, tests, *bounds)) if first and tests else None
        else:
            begin, end = start, stop
            child = self._piece(first is None)
            if kept is not None:
                turn = self._keeping(self._piece(True, kept))
            else:
                turn = self._turn(first, back) if first else None
        self._launch(child, turn, begin, end, inits)

    def _turn(self, tests: n.For, back: Undoing | None) -> InTurn | Undone:
        """How pieces leave no trace behind the iteration that fails: they are undone, or run their tests first."""
        if back is not None:
            ahead, undo = (self._child(self.loop.index.name) for _ in range(2))
            return with_undo(self.loop, ahead, undo, back)
        return InTurn(self._ahead(tests))

    def _ahead(self, loop: n.For) -> ParallelPrinter:
        """A piece that runs before it is known whether earlier ones fail."""
        child = self._child(loop.index.name)
        index = child.open_index(loop)
        child.iteration_code = index
        child.before_piece("begin", False)
        child.piece_loop(loop, index, Code("begin"), Code("end"))
        return child

    def _kept(self, tests: n.For | None) -> frozenset[str] | None:
        """What a piece need not write down in its journal; where it has to keep one and cannot, one thread does all.

        It has to where its tests cannot run before it, and should where they take longer than keeping one.
        """
        if self.private is None:
            return None
        traces = Traces(self.loop, self.printer.facts, self.printer.module.program.functions)
        if not traces.may_be([p.var for p in self.private]):
            return None
        can = not self.private and traces.can_be_kept()
        if tests is not None:
            return traces.own if can and costs_less(self.loop, tests, traces) else None
        if can:
            return traces.own
        self.private = None
        return None

    def _keeping(self, ahead: ParallelPrinter) -> Kept:
        """Pieces that keep a journal, from the function of one."""
        return Kept(ahead, longest_piece(self._innermost(), self._known), self._own())

    def _bound(self, atom: n.Atom, name: str) -> Code:
        code = self.printer.simple(atom)
        return code

    def _piece(self, is_watched: bool, journal: frozenset[str] | None = None) -> ParallelPrinter:
        child = self._child(self.loop.index.name, journal)
        loop = self.loop
        child.watched = loop if is_watched and journal is None else None
        child.uncut = loop if is_watched and self._own() and not self._taking_turns() else None
        index = child.open_index(loop)
        child.iteration_code = index
        child.before_piece("begin", self.raises and journal is None)
        for private in self.private or ():
            by_key.open_copy(child, private)
        for k in self._by_function():
            child.started[loop.args[k].var.name] = child.declare("started", "bool", "false")
        start = self._in_turns(child, index)
        for private in self._taking_turns():
            by_key.fold(child, private)
        child.piece_loop(loop, index, start, Code("end"))
        for k, arg in enumerate(loop.args):
            child.lines.add(f"parts_{k}[part] = {child.atoms[arg.var.name].text};")
        for k in self._by_function():
            child.lines.add(f"started_{k}[part] = {child.started[loop.args[k].var.name]};")
        return child

    def _taking_turns(self) -> list[by_key.Private]:
        """The arrays of which iterations take copies in turns."""
        return self.private or [] if by_key.takes_turns(self.loop) else []

    def _in_turns(self, child: ParallelPrinter, index: str) -> Code:
        """Print the iterations that take copies in turns; gives the first one that is left."""
        found = self._taking_turns()
        return by_key.print_in_turns(child, self.loop, index, found) if found else Code("begin")

    def _child(self, index: str, journal: frozenset[str] | None = None) -> ParallelPrinter:
        printer = self.printer
        child = ParallelPrinter(printer.module, printer)
        child.is_piece = True
        child.journal = journal
        child.memory.prepare(self.loop.body)
        child.declared.update({"begin": "int64_t", "end": "int64_t", "part": "int64_t", "journal": "weft_journal *"})
        child.declared.update(self._own())
        return child

    def _by_function(self) -> list[int]:
        """The positions of what is combined by functions, which have no identity."""
        return [k for k, a in enumerate(self.loop.args) if a.combine not in OPERATORS]

    def _own(self) -> dict[str, str]:
        """What a piece is given besides what it captures, by name, with the C types."""
        types = {f"parts_{k}": f"{self.printer.type_name(a.var.type)} *" for k, a in enumerate(self.loop.args)}
        types.update({f"started_{k}": "bool *" for k in self._by_function()})
        if self.private:
            types["pieces"] = "int64_t"
        for private in self.private or ():
            types[private.parts] = self.printer.view(private.var).pointer_type(self.printer.dialect)
        return types

    # -------------------------------------------------------------------------------------- nested loops

    def _flat_trips(self, outer: tuple[Code, Code], inner: tuple[Code, Code]) -> Code:
        rows, columns = (f"weft_trips({start.text}, {stop.text})" for start, stop in (outer, inner))
        text = f"weft_rectangle({rows}, {columns})"
        return Code(self.printer.declare("trips", "int64_t", text))

    def _flat_piece(
        self,
        loop: n.For,
        inner: n.For,
        outer: tuple[Code, Code],
        bounds: tuple[Code, Code],
        journal: frozenset[str] | None = None,
    ) -> ParallelPrinter:
        """A piece of the iterations of two loops: parts of the first and last row, and the rows between."""
        child = self._child(loop.index.name, journal)
        child.before_piece("begin", self.raises)
        index = child.open_index(loop)
        width = child.declare("width", "int64_t", _trips(*bounds))
        row = child.module.identifiers.fresh("row")
        child.declared[row] = "int64_t"
        with child.lines.braces(f"for (int64_t {row} = begin / {width}; {row} * {width} < end; {row}++)"):
            shift = "" if outer[0].text == "0" else f"{outer[0].text} + "
            child.lines.add(f"const int64_t {index} = {shift}{row};")
            first = child.declare("first", "int64_t", f"max_int64(begin - {row} * {width}, 0)")
            last = child.declare("last", "int64_t", f"min_int64(end - {row} * {width}, {width})")
            with child.counting(loop):
                self._flat_row(child, loop, inner, bounds[0], (row, width, first, last))
        return child

    def _flat_row(
        self, child: ParallelPrinter, loop: n.For, inner: n.For, start: Code, names: tuple[str, str, str, str]
    ) -> None:
        row, width, first, last = names
        shift = "" if start.text == "0" else f"{start.text} + "
        column = child.open_index(inner)
        back = "" if start.text == "0" else f" - {start.text}"
        child.iteration_code = f"{row} * {width} + {column}{back}"
        child.poll_row(inner)
        child.open_block(loop.body)
        for statement in loop.body.statements[:-1]:
            child.statement(statement)
        child.settle_loads()
        child.piece_loop(inner, column, Code(f"{shift}{first}", 11), Code(f"{shift}{last}", 11))
        child.close()

    # --------------------------------------------------------------------------------------------- launch

    def _launch(
        self, child: ParallelPrinter, turn: InTurn | Undone | Kept | None, begin: Code, end: Code, inits: list[Code]
    ) -> None:
        printer = self.printer
        captures = self._functions(child, turn)
        work, pieces = self._pieces(begin, end)
        arrays = self._open_parts(pieces)
        context = printer.module.identifiers.fresh(f"{self.loop.index.stem}_loop")
        values = ", ".join(["WEFT_OK", *([begin.text] if isinstance(turn, InTurn) else []), *captures, *arrays])
        printer.lines.add(f"struct {self.name} {context} = {{{values}}};")
        iterations = f"&{context}, {begin.text}, {end.text}"
        work = printer.declare("work", "double", work) if turn and not self._own() else work
        launch = f"runtime->parallel({self.name}_piece, {iterations}, {pieces}, {work});"
        if turn is None:
            printer.lines.add(launch)
        else:
            printer.lines.add(f"if (runtime->is_shared({work})) {{")
            printer.lines.add(f"    {turn.launch(self.name, context, (begin.text, end.text), pieces, work)}")
            printer.lines.add("} else {")
            printer.lines.add(f"    {launch}")
            printer.lines.add("}")
        self._combine_by_key(context, begin, end, pieces)
        printer.leave_if(f"{context}.status", f"{context}.status")
        self._combine(inits, arrays, pieces)

    def _functions(self, child: ParallelPrinter, turn: InTurn | Undone | Kept | None) -> list[str]:
        """Add the functions of a piece to the file; gives what they capture."""
        own, module = self._own(), self.printer.module
        fixed = ["int64_t begin", "int64_t end", *(["int64_t part"] if own else [])]
        text, names = child.complete(self.name, [*fixed, *(_declaration(t, name, False) for name, t in own.items())])
        texts, more = turn.functions(self.name) if turn else ([], [])
        captures = [*names, *(name for name in more if name not in names)]
        fields = [(name, child.visible_outside()[name]) for name in captures]
        module.functions += [text, *texts, _wrapper(self.name, names, fields, own, isinstance(turn, InTurn))]
        if turn:
            module.functions.append(turn.piece(self.name))
        return captures

    def _pieces(self, begin: Code, end: Code) -> tuple[str, str]:
        """The work of the whole loop, and its number of pieces: 0 where that is for the runtime to choose."""
        printer, work, trips = self.printer, self._work(begin, end), _trips(begin, end)
        if self.private is None:
            printer.module.in_order.add(self.loop.label)
            return "0.0", printer.declare("pieces", "int64_t", f"weft_pieces(0.0, {trips})") if self._own() else "1"
        if not self._own():
            return work, "0"
        work = printer.declare("work", "double", work)
        if not self.private:
            return work, printer.declare("pieces", "int64_t", f"weft_pieces({work}, {trips})")
        cells = " + ".join(by_key.cells(printer.view(p.var)) for p in self.private)
        return work, printer.declare("pieces", "int64_t", f"weft_pieces_by_key({work}, {trips}, {cells})")

    def _open_parts(self, pieces: str) -> list[str]:
        """Declare the partial results of all pieces, in the order of `_own`."""
        printer, loop = self.printer, self.loop
        arrays = [
            printer.declare_array(f"{loop.index.stem}_parts_{k}", printer.type_name(a.var.type), PIECES)
            for k, a in enumerate(loop.args)
        ]
        arrays += [printer.declare_array(f"{loop.index.stem}_started_{k}", "bool", PIECES) for k in self._by_function()]
        if self.private:
            arrays.append(pieces)
        for private in self.private or ():
            arrays.append(self._allocate(private, pieces))
        return arrays

    def _allocate(self, private: by_key.Private, pieces: str) -> str:
        """Memory for the copies of an array; none where there is one piece."""
        printer, view = self.printer, self.printer.view(private.var)
        size = f"{pieces} * weft_room({by_key.cells(view)}) * {private.element.size}"
        c_type = view.pointer_type(printer.dialect)
        value = f"{pieces} > 1 ? weft_allocate(runtime, {size}) : NULL"
        printer.declared[private.parts] = c_type
        printer.lines.add(f"{c_type}{private.parts} = {value};")
        printer.leave_if(f"{pieces} > 1 && !{private.parts}", "WEFT_NO_MEMORY")
        return private.parts

    def _combine_by_key(self, context: str, begin: Code, end: Code, pieces: str) -> None:
        """Put the copies together: all, or those up to the iteration that failed."""
        if not self.private:
            return
        printer = self.printer
        with printer.lines.braces(f"if ({pieces} > 1)"):
            fault = f"{context}.status > 0 ? fault->iteration : {end.text} - 1" if self.raises else f"{end.text} - 1"
            good = printer.declare("good", "int64_t", f"weft_piece_of({begin.text}, {end.text}, {pieces}, {fault}) + 1")
            printer.lines.add(f"if ({context}.status < 0) {good} = 0;")
            for private in self.private:
                by_key.combine(printer, private, good)
            self._release_parts()

    def _release_parts(self) -> None:
        for private in self.private or ():
            self.printer.lines.add(f"weft_release(runtime, {private.parts});")

    def _work(self, begin: Code, end: Code) -> str:
        each = loop_cost.work(self._innermost(), self._known, self._indices(begin, end))
        trips = _trips(begin, end)
        return f"(double){trips} * ({each})" if " " in each else f"(double){trips} * {each}"

    def _indices(self, begin: Code, end: Code) -> dict[str, str]:
        """The mean indices of the loop, or of the two that are one."""
        inner = _perfect_inner(self.loop)
        if inner is None:
            return {self.loop.index.name: loop_cost.middle(begin.text, end.inside(UNARY))}
        found = {}
        for loop in (self.loop, inner):
            start, stop = self._known(loop.start), self._known(loop.stop)
            if start is not None and stop is not None:
                found[loop.index.name] = loop_cost.middle(start.text, stop.inside(UNARY))
        return found

    def _innermost(self) -> n.Block:
        inner = _perfect_inner(self.loop)
        return self.loop.body if inner is None else inner.body

    def _known(self, atom: n.Atom) -> Code | None:
        if isinstance(atom, n.Const):
            return self.printer.dialect.constant(atom)
        found = self.printer.atoms.get(atom.name)
        if found is not None:
            return found
        return self._extent(atom)

    def _extent(self, atom: n.Var) -> Code | None:
        """The extent of an array that is known outside, though it is asked for inside."""
        for statement in walk(self.loop.body):
            if isinstance(statement, n.Let) and statement.var.name == atom.name:
                value = statement.value
                if isinstance(value, n.Dim) and value.view.name in self.printer.views:
                    return self.printer.views[value.view.name].shape[value.axis]
        return None

    def _combine(self, inits: list[Code], arrays: list[str], pieces: str) -> None:
        printer, loop = self.printer, self.loop
        totals = []
        for init, result in zip(inits, loop.results, strict=True):
            printer.name(result, init.text)
            totals.append(printer.atoms[result.name])
        if not totals:
            return
        index = printer.module.identifiers.fresh("k")
        with printer.lines.braces(f"for (int64_t {index} = 0; {index} < {pieces}; {index}++)"):
            started = iter(arrays[len(loop.args) :])
            for arg, total, array in zip(loop.args, totals, arrays, strict=False):
                part = Code(f"{array}[{index}]")
                if arg.combine in OPERATORS:
                    printer.lines.add(f"{total.text} = {combination(printer, arg, total, part).text};")
                elif arg.combine is not None:
                    with printer.lines.braces(f"if ({next(started)}[{index}])"):
                        printer.call_to(arg.combine, [total, part], [total.text])


def _wrapper(name: str, captures: list[str], fields: list[tuple[str, str]], own: dict[str, str], waits: bool) -> str:
    """What the runtime calls for a piece, and what it is given."""
    lines = [f"struct {name} {{", "    int32_t status;", *(["    int64_t turn;"] if waits else [])]
    lines += [f"    {_declaration(c_type, field, False)};" for field, c_type in (*fields, *own.items())]
    lines += ["};", ""]
    fixed = ["begin", "end", *(["part"] if own else [])]
    arguments = [*(f"c->{captured}" for captured in captures), *fixed, *(f"c->{field}" for field in own)]
    lines += [
        f"static int32_t {name}_piece(void *context, int64_t begin, int64_t end, int64_t part) {{",
        f"    struct {name} *c = context;",
        *([] if own else ["    (void)part;"]),
        f"    int32_t status = {name}({', '.join(arguments)});",
        "    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);",
        "    return status;",
        "}",
    ]
    return "\n".join(lines)


def _trips(begin: Code, end: Code) -> str:
    return end.text if begin.text == "0" else f"weft_trips({begin.text}, {end.text})"


def _perfect_inner(loop: n.For) -> n.For | None:
    """The loop that is all of another's body, where both are parallel, run over a rectangle and reduce nothing.

    Statements before it must be views of the outer index or arithmetic that is cheap to do again.
    """
    if not loop.body.statements or loop.args:
        return None
    *before, last = loop.body.statements
    if not isinstance(last, n.For) or not _is_parallel(last) or last.args or by_key.updates_in(loop):
        return None
    if not all(isinstance(s, n.Let) and _is_cheap(s.value) for s in before):
        return None
    inside = {loop.index.name, *(s.var.name for s in before if isinstance(s, n.Let))}
    bounds = (last.start, last.stop)
    return None if any(isinstance(a, n.Var) and a.name in inside for a in bounds) else last


def _is_cheap(value: n.Expression) -> bool:
    if isinstance(value, n.Load):
        return value.bounds == "safe"
    if isinstance(value, n.Binary):
        return not value.checked and value.op in ("add", "sub", "mul", "min", "max", "and", "or")
    if isinstance(value, n.Subview):
        return value.bounds == "safe"
    return isinstance(value, (n.Dim, n.Transpose, n.FieldView, n.Compare, n.Select))
