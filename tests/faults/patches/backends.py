"""Faults in printers."""

from ..patching import Patch

PATCHES = (
    Patch(
        "an iteration reads nothing that others write",
        "weft.backends.c.rehearsal:_Written.are_read",
        "isinstance(let.value, n.Load) and bool(self.roots(let.value.view))",
        "False",
    ),
    Patch(
        "arrays that a loop carries are released",
        "weft.backends.c.memory:Memory.after_iteration",
        '", ".join(b for b in carried if b != NO_BASE) or "NULL"',
        '"NULL"',
    ),
    Patch(
        "the last strip of a loop in stages is a whole one",
        "weft.backends.c.stages:print_stages",
        "min_int64({strip} + {STRIP}, {stop.text})",
        "{strip} + {STRIP}",
    ),
    Patch(
        "the last part of a block is not folded",
        "weft.backends.gpu.collective_reduce:through_memory",
        "weft_k < {threads + sides}; weft_k++",
        "weft_k < {threads + sides - 1}; weft_k++",
    ),
    Patch(
        "a small integer is negated without being narrowed",
        "weft.backends.text.arithmetic:_integer_unary",
        'return narrowed(printer, type, prefix("-" if node.op == "neg" else "~", operand))',
        'return prefix("-" if node.op == "neg" else "~", operand)',
    ),
    Patch(
        "a half is returned as it is stored",
        "weft.backends.c.values:to_value",
        "type.bits > 16",
        "type.bits >= 16",
    ),
    Patch(
        "a journal has nothing in it",
        "weft.backends.c.loops:LoopPrinter._is_written_down",
        "not self.facts.roots(node.view) <= self.journal",
        "False",
    ),
    Patch(
        "what is written down at once begins with the first iteration's number",
        "weft.backends.c.journal:_is_run",
        "last == index and fixed",
        "fixed",
    ),
    Patch(
        "threads share loops with sums by key that leave traces",
        "weft.backends.c.parallel:_ParallelLoop._kept",
        "self.private = None",
        "pass",
    ),
    Patch(
        "stores under a branch can be undone",
        "weft.backends.c.undoing:_can_be_undone",
        "len(at_top) < len(stores) or ",
        "",
    ),
    Patch(
        "copies are added up in one element",
        "weft.backends.c.by_key:add_copies",
        'printer.lines.add(f"{cell}++;")',
        "pass",
    ),
    Patch(
        "the last strip is a whole one",
        "weft.backends.c.strips:Strips._print_one_by_one",
        'f"(int)weft_left({self._next}, {stop.text}, {LANES})"',
        'f"{LANES}"',
    ),
    Patch(
        "strides of an inner array count its own axis",
        "weft.backends.text.elements:_contiguous",
        "shape[k + 1 :]",
        "shape[k:]",
    ),
    Patch(
        "masks are ordered as numbers",
        "weft.backends.c.vectors:_compare",
        "_TURNED.get(node.op, node.op)",
        "node.op",
    ),
    Patch(
        "elements that are not dense are gathered as if they were",
        "weft.backends.c.gathers:Gathered._is_read",
        "for index in outer) or not dense:",
        "for index in outer):",
    ),
    Patch(
        "a conversion that may fail is not tested",
        "weft.backends.text.conversions:cast",
        "if not (node.checked and cast_may_raise(source, target)):",
        'if not (node.checked and cast_may_raise(source, target)) or source.kind == "f":',
    ),
    Patch(
        "threads do not wait after phases on their way",
        "weft.backends.gpu.barriers:_is_phase",
        " and not statement.args",
        "",
    ),
    Patch(
        "a large unsigned index is inside",
        "weft.backends.text.elements:_is_beyond",
        "index.type.bits == 64",
        "index.type.bits == 128",
    ),
    Patch(
        "a turn ends when the first value is made",
        "weft.backends.c.turns:turn_of",
        "max(making, default=0)",
        "min(making, default=0)",
    ),
    Patch(
        "strides of a copy are those of the array",
        "weft.backends.c.by_key:open_copy",
        'child.lines.add(f"{strides[axis].text} = {inner};")',
        "pass",
    ),
    Patch(
        "views are straight pieces of code",
        "weft.backends.c.strips:_is_straight",
        "(n.Alloc, n.Subview, n.Transpose, n.Split, n.FieldView)",
        "(n.Subview, n.Transpose, n.Split, n.FieldView)",
    ),
    Patch(
        "a left-associative operator takes what binds as tightly on its right",
        "weft.backends.text.code:infix",
        "_operand(right, precedence + 1, mixed)",
        "_operand(right, precedence, mixed)",
    ),
    Patch(
        "narrow operands of a wide result stay narrow",
        "weft.backends.gpu.narrow_indices:NarrowPrinter.in_width",
        "self._casts = is_wide and not isinstance(let.value, n.Load)",
        "self._casts = False",
    ),
    Patch(
        "a value is written where it is used, in an inner loop too",
        "weft.backends.text.printer_facts:Facts.is_used_once_in",
        "return self._places.get(name) == [id(block)]",
        "return len(self._places.get(name, ())) == 1",
    ),
    Patch(
        "operands of a gathered difference are exchanged",
        "weft.backends.c.gathers:Gathered._computed",
        "(value.left, value.right)",
        "(value.right, value.left)",
    ),
    Patch(
        "extents of arrays on the heap are not tested",
        "weft.backends.c.memory:Memory.alloc",
        "            self._check_extents(value, shape)\n",
        "",
    ),
)
"""All of them."""
