"""Faults in the translation of Python."""

from ..patching import Patch

PATCHES = (
    Patch(
        "a number is one with what was made after it",
        "weft.frontend.values.identity:_is_newer",
        "< ctx.names.numbers[atom.name]",
        "!= ctx.names.numbers[atom.name]",
    ),
    Patch(
        "arguments are two objects",
        "weft.frontend.values.identity:_is_new",
        "isinstance(ctx.definitions.get(atom.name), _NEW)",
        "True",
    ),
    Patch(
        "a number is converted before its place is found",
        "weft.frontend.arrays.stored_numbers:converting_may_raise",
        "return len(steps) > 1 or any(casting_may_raise(ctx, value, step) for step in steps)",
        "return False",
    ),
    Patch(
        "what a value may be besides is forgotten where its type is that of the whole",
        "weft.frontend.several_types.forms:others_of",
        "if form.type != own:",
        "if form.type == own:",
    ),
    Patch(
        "variables that are only read after a loop are not carried",
        "weft.frontend.control.carried:Carrying._variables",
        "if not own or key[1] in head or key[1] in after:",
        "if not own or key[1] in head:",
    ),
    Patch(
        "the length of a slice with a step is one too many",
        "weft.frontend.arrays.slicing:_length",
        '"floordiv", before_last, size',
        '"floordiv", span, size',
    ),
    Patch(
        "gcd of one number is that",
        "weft.frontend.calls.math_table:_folded",
        "return strict(ctx, name, [arguments[0], arguments[0]], node)",
        "return arguments[0]",
    ),
    Patch(
        "reversed arrays are contiguous",
        "weft.frontend.source.signature:describe_array",
        "array.strides[-1] == array.itemsize",
        "abs(array.strides[-1]) == array.itemsize",
    ),
    Patch(
        "operators in place of a class are not used",
        "weft.frontend.values.objects:augmented",
        "if function is not None:",
        "if False:",
    ),
    Patch(
        "a loop with a jump inside begins as it ended before",
        "weft.frontend.control.loops:_While.translate",
        "            ctx.set_flag(self.goes, True)\n",
        "",
    ),
    Patch(
        "a constant fits into any type that can hold one",
        "weft.frontend.values.convert:fits_exactly",
        'folded is not None and (folded.value == value or (value != value and target.kind in "fc"))',
        "folded is not None",
    ),
    Patch(
        "a constant of Python and one of NumPy are computed as Python's",
        "weft.frontend.values.operators:_fold_binary",
        "wanted[0] == wanted[1] == PYINT",
        "wanted[0].kind == wanted[1].kind == 'i'",
    ),
    Patch(
        "a large int becomes a float if it is not small as well",
        "weft.frontend.values.convert:_check_exact",
        'n.Binary("or", above, below',
        'n.Binary("and", above, below',
    ),
    Patch(
        "numbers of Python become NumPy's beside NumPy's",
        "weft.frontend.arrays.numpy_table:_operands",
        "if type.weak and becomes else atom",
        "if type.weak else atom",
    ),
    Patch(
        "views of contiguous arrays are contiguous",
        "weft.frontend.arrays.indexing:_subview",
        "_stays_contiguous(type, built)",
        "type.contiguous",
    ),
    Patch(
        "variables of a function whose closure is returned are forgotten",
        "weft.frontend.calls.inlining:_forget",
        " or _holds_closure(value)",
        "",
    ),
    Patch(
        "globals that nested functions write are not written",
        "weft.frontend.control.liveness:_written_by_nested",
        "(ast.Nonlocal, ast.Global)",
        "(ast.Global,)",
    ),
    Patch(
        "what a step of Python writes is what it reads",
        "weft.frontend.calls.python_steps:_python",
        "given.reads, given.writes, place",
        "given.reads, given.reads, place",
    ),
    Patch(
        "what may be missing on the other way is there",
        "weft.frontend.control.joins:_Joiner.binding",
        " or (not ended[1] and b and b.problem)",
        "",
    ),
    Patch(
        "arrays of any length are unpacked",
        "weft.frontend.control.targets:_items",
        "        _check_length(ctx, ctx.dimension(value, 0, target), count, target)\n",
        "",
    ),
)
"""All of them."""
