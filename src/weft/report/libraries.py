"""Who computes the products of matrices of a program: a library or its kernels, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from weft.analysis.access.matrix_products import NO_PRODUCT, matrix_product
from weft.ir import nodes as n
from weft.ir.types import View
from weft.plan.place import Placed
from weft.runtime.counting.sizes import Sizes, of_call
from weft.runtime.devices import accelerators, libraries
from weft.runtime.dispatch.specialisation import Specialisation
from weft.tune.choice import written_by_hand


def library_notes(specialisation: Specialisation, leaves: Sequence[object]) -> Iterator[str]:
    """For each line with a sum of products on a CUDA device, who computes it in a call with these flat arguments."""
    if specialisation.device.partition(":")[0] != "cuda":
        return
    placement = specialisation.placement()
    sizes = Sizes(placement.program, of_call(placement.program, leaves))
    told: dict[int, tuple[bool, str]] = {}
    for nest in placement.nests:
        found = _of_nest(specialisation, nest, sizes) if nest.offloaded else None
        if found is not None and not told.get(nest.line, (False,))[0]:
            told[nest.line] = found
    yield from (f"line {line}: {text}" for line, (_, text) in told.items())


def _of_nest(specialisation: Specialisation, nest: Placed, sizes: Sizes) -> tuple[bool, str] | None:
    """What is said of a nest, and whether that was measured; None where it is no sum of products."""
    assert nest.offloaded is not None
    kernel, options = nest.offloaded.kernel, specialisation.request.options
    product = matrix_product(kernel)
    if product == NO_PRODUCT:
        return None
    reason = product if isinstance(product, str) else _refusal(specialisation, kernel)
    if isinstance(product, str) or reason:
        return False, f"the kernel computes it, not a library: {reason}"
    known, is_known = sizes.of_kernel(kernel, nest.offloaded.operands)
    given = _geometry(product, known)
    if not is_known:
        return False, "cuBLAS computes it where it is measured to be faster than the kernel"
    if min(given[1]) < 1 or given[1][0] * given[1][1] * given[1][2] < libraries.LEAST:
        return False, "the kernel computes it, not a library: there is too little to do"
    freedom = {"none": 0, "order": 1, "tf32": 2}[options.freedom or "none"]
    compiled = specialisation.compiled()
    modules = dict(zip(compiled.kernels, compiled.modules, strict=True))
    names = specialisation.placement().version_names[nest.kernel]
    trials = (
        libraries.known(
            accelerators.code_of(modules[name], name), specialisation.device, (*given, (0, 0, 0), freedom, 0)
        )
        for name in names
    )
    return _measured(next(filter(None, trials), None))


def _refusal(specialisation: Specialisation, kernel: n.Kernel) -> str:
    """Why no library computes a product that one could compute."""
    options = specialisation.request.options
    if not options.libraries:
        return "libraries=False"
    if options.debug:
        return "debug=True looks at every operation"
    if written_by_hand(kernel, options.schedule):
        return "its schedule was written by hand"
    path, version = libraries.library()
    return "" if path else version


def _geometry(
    product: n.MatrixProduct, known: Mapping[str, int]
) -> tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The bytes of an element, the extents and the strides of a product, for values of the kernel's parameters."""
    values = [int(a.value.real) if isinstance(a, n.Const) else known[a.name] for a in product.bounds]
    extents = tuple(stop - start for start, stop in zip(values[::2], values[1::2], strict=True))
    matrices = product.result, product.left, product.right
    strides = tuple(
        (known[f"{m.view.name}.strides[{m.axis}]"], known[f"{m.view.name}.strides[{1 - m.axis}]"]) for m in matrices
    )
    assert isinstance(product.result.view.type, View)
    return product.result.view.type.element.size, extents, strides


def _measured(trial: libraries.Trial | None) -> tuple[bool, str]:
    if trial is None:
        return False, "the first call of this size measures whether cuBLAS or the kernel computes it"
    who = "cuBLAS computes it" if trial.algorithm else "the kernel computes it, not a library"
    return True, f"{who}: {trial}"
