"""Faults around a call: keys, aliasing, results, arrays that know where they are."""

from ..patching import Patch

PATCHES = (
    Patch(
        "a part of an array with a negative stride begins at its end",
        "weft.runtime.arrays.parts:_place",
        "sum(min((array.shape[k] - 1)",
        "sum(max((array.shape[k] - 1)",
    ),
    Patch(
        "a boolean is a position",
        "weft.runtime.arrays.arrays:_is_basic",
        " and not isinstance(item, bool))",
        ")",
    ),
    Patch(
        "results that are parts of arguments can be written",
        "weft.runtime.dispatch.variants:Variant.wrap_view",
        "return array_at(address, shape, strides, dtype, owner, type_.writable)",
        "return array_at(address, shape, strides, dtype, owner)",
    ),
    Patch(
        "calls that write captured variables go the short way",
        "weft.runtime.dispatch.callee:Callee._shortcut",
        "            and not variant.compiled.writes\n",
        "",
    ),
    Patch(
        "operands of a step may share memory",
        "weft.runtime.dispatch.python_calls:run_step",
        "    _check_apart(step, copies)\n",
        "",
    ),
    Patch(
        "a step gets the whole array for a part of it",
        "weft.runtime.dispatch.python_calls:_lent",
        "if owner is not None and _is_same(owner, address, shape, strides, dtype):",
        "if owner is not None:",
    ),
    Patch(
        "a result with negative strides begins at its last element",
        "weft.runtime.arrays.memory:array_at",
        "np.ndarray(shape, dtype, memory, -low, strides)",
        "np.ndarray(shape, dtype, memory, 0, strides)",
    ),
    Patch(
        "arrays of other extents are the same",
        "weft.runtime.dispatch.variants:_identity",
        "(array.ctypes.data, array.shape, array.strides,",
        "(array.ctypes.data, array.strides,",
    ),
    Patch(
        "an array whose rows touch in one byte has rows apart",
        "weft.runtime.dispatch.variants:_overlaps_itself",
        "reach += (extent - 1) * stride",
        "reach += (extent - 2) * stride",
    ),
    Patch(
        "a default value is not part of the meaning of a function",
        "weft.frontend.source.fingerprint:_Walker.function",
        "for value in function.__defaults__ or ():",
        "for value in ():",
    ),
    Patch(
        "numbers that are compiled in differ by their types alone",
        "weft.frontend.source.fingerprint:_Walker.constant",
        "self.add(_name(type(value)), repr(value))",
        "self.add(_name(type(value)))",
    ),
)
"""All of them."""
