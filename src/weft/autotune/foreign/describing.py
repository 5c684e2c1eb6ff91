"""`weft.kernel`: describes a kernel that was written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.autotune.foreign.arguments import In, InOut, Out, Scalar
from weft.autotune.foreign.kernel import Kernel
from weft.autotune.spaces.constraints import Rule


def kernel(
    source: str | Path,
    name: str,
    *,
    arguments: Sequence[In | Out | InOut | Scalar | str],
    grid: Callable[..., Sequence[int]] | None = None,
    block: Sequence[str | int] = (),
    defines: Mapping[str, object] | None = None,
    tunables: Mapping[str, Iterable[Any]] | None = None,
    constraints: Iterable[Rule] = (),
    when: Mapping[str, str] | None = None,
    local_bytes: Callable[..., int] | None = None,
    touches: Callable[..., Mapping[str, Any]] | None = None,
    reference: Callable[..., Any] | None = None,
    options: Sequence[str] = (),
    language: str | None = None,
    idempotent: bool = False,
    combine: str | None = None,
) -> Kernel:
    """Describe a kernel that was written by hand.

    Parameters
    ----------
    source
        A file that ends in ``.c``, ``.cl`` or ``.cu``, or the text itself.
    name
        The function in it.
    arguments
        `weft.In`, `weft.Out` and `weft.InOut` for arrays, a bare name or `weft.Scalar` for numbers, in the order of the
        source. Numbers at the end that a call leaves out are the number of elements of the first output.
    grid
        A function of arguments and tunables, by name, that gives the number of points in each dimension. A start has as
        many groups as cover them. Not for C.
    block
        Threads of a group in each dimension: numbers, or expressions over tunables. Not for C.
    defines
        Macros of the source: a tunable, an expression over tunables and numbers, or a value. Tunables that it does not
        name are macros of their own names.
    tunables
        The parameters and their values.
    constraints, when
        As for `weft.Space`; numbers among the arguments can be used by name, and arrays in functions.
    local_bytes
        A function that gives the bytes of local memory of a group, for the device's limit. Where the source has a
        ``__local`` pointer after `arguments`, or ``extern __shared__``, the group gets that many.
    touches
        A function of the counters of a point of the grid (x first), then of arguments and tunables by name. It returns
        the elements that the point reads and writes, as a dictionary of indices and slices by array; those outside of
        an array do not count. A point writes all that it touches of a `weft.Out`. See `Kernel.check`.
    reference
        A function of arguments, by name, that returns the outputs; every candidate's answer is compared with it.
    options
        Further options for the compiler.
    language
        ``c``, ``opencl`` or ``cuda``, where the source does not tell.
    idempotent
        Your promise that a point gives the same if it runs twice, in a group of another size, or on another device.
        Then each of several devices runs its own best groups, a few points may run on two of them, and devices of
        different models may be named. A checked run compares runs of one device.
    combine
        ``"add"`` for a kernel that only adds to the elements of a `weft.InOut` array, where pieces of its grid add to
        the same elements: each device but the first begins with zeros, and what all give is added.

    Returns
    -------
    Kernel
        Call it with arrays, or give it to `weft.tune`.

    Raises
    ------
    ArgumentError
        The source has no such function, its parameters are others, or a tunable changes nothing.

    Examples
    --------
    >>> import numpy as np, weft
    >>> text = "void scale(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }"
    >>> scale = weft.kernel(text, "scale", arguments=(weft.In("x"), weft.Out("y"), "n"), language="c")
    >>> x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
    >>> scale(x, y)
    >>> y
    array([2., 2., 2.], dtype=float32)
    """
    described = {
        "arguments": arguments,
        "grid": grid,
        "block": tuple(block),
        "defines": dict(defines or {}),
        "tunables": dict(tunables or {}),
        "constraints": tuple(constraints),
        "when": dict(when or {}),
        "local_bytes": local_bytes,
        "touches": touches,
        "reference": reference,
        "options": tuple(options),
        "language": language,
        "idempotent": bool(idempotent),
        "combine": combine,
    }
    return Kernel(source, name, **described)


kernel.from_json = Kernel.from_json  # type: ignore[attr-defined]
