"""The options of Numba's decorators: those that change nothing here are taken, the others get an answer."""

from __future__ import annotations

from collections.abc import Mapping

from weft.errors import ArgumentError

TAKEN: Mapping[str, tuple[object, ...]] = {
    "nopython": (True,),
    "forceobj": (False,),
    "looplift": (True, False),
    "parallel": (True, False),
    "nogil": (True, False),
    "cache": (True, False),
    "boundscheck": (True, False, None),
    "inline": ("never", "always"),
    "error_model": ("python",),
    "locals": ({},),
    "debug": (True, False),
}
"""Options that say what Weft does in any case, or that change no result, with the values for which that is so."""

ANSWERS: Mapping[str, str] = {
    "nopython": "call the plain Python function where you want Python: Weft has no object mode",
    "forceobj": "call the plain Python function: Weft has no object mode",
    "inline": "leave it out: functions that are called are always compiled into their callers",
    "error_model": "leave it out: Python's numbers raise as in Python, elements of arrays divide as in NumPy",
    "locals": "convert the variables where they are assigned, for example with np.float32(...)",
    "fastmath": "say fastmath=True for all of it: single flags cannot be chosen",
    "target": 'say device="cpu", "cuda" or "opencl"',
    "pipeline_class": "leave it out: the passes of Weft are not those of Numba",
}
"""What to write instead of an option, or of a value of one."""


def check_options(options: Mapping[str, object]) -> None:
    """Refuse options that Weft would have to ignore although they mean something.

    Raises
    ------
    ArgumentError
        With what to write instead.
    TypeError
        The option is neither Numba's nor Weft's.
    """
    for name, value in options.items():
        if name in TAKEN and any(value is known or value == known for known in TAKEN[name]):
            continue
        if name not in TAKEN and name not in ANSWERS:
            raise TypeError(f"jit() got an unexpected keyword argument '{name}'")
        raise ArgumentError(
            f"{name}={value!r} means nothing to Weft",
            argument=name,
            cause="it is an option of Numba's",
            hint=ANSWERS.get(name, "leave it out"),
        )


def check_fastmath(value: object) -> None:
    """Refuse single flags of ``fastmath``, which would be taken for all of them."""
    if not isinstance(value, (bool, int)):
        raise ArgumentError(f"fastmath={value!r} is no switch", argument="fastmath", hint=ANSWERS["fastmath"])


def check_signature(given: object) -> None:
    """Refuse the types that Numba's decorators take first."""
    if isinstance(given, (str, list, tuple)) or type(given).__module__.startswith("numba."):
        raise ArgumentError(
            "weft.jit takes a Python function and no signature",
            cause="a function is compiled when it is called with arguments of new types, and for these types",
            hint="leave the signature out; convert arguments at the call where they have other types",
        )
