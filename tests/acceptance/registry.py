"""The register of acceptance programs: what a program is, and the decorator that files it.

A program is a plain Python function beside the inputs it runs on and the verdict expected for each of its loops.
CPython is the oracle for the answer; nothing here knows what an answer should be.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

VERDICTS = ("parallel", "reduction", "scan", "search", "compaction", "checked", "sequential")
SEED = 20240229

# Only old values stand in the way: the loop is parallel once they are copied first, which costs a copy of an array.
PARALLEL_AFTER_COPY = ("parallel", "sequential")

Case = tuple[Any, ...]
MakeCases = Callable[[np.random.Generator], "Case | list[Case]"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Loop:
    """One ``for`` loop of a program: its name (``i@2`` is the second loop over ``i``) and its line in the file."""

    variable: str
    name: str
    line: int


@dataclass(frozen=True)
class Program:
    """A loop program, its inputs and what is expected of it.

    Attributes
    ----------
    verdicts : mapping
        Acceptable verdicts per loop, by target variable (all loops over it) or ``variable@k`` (the k-th of them).
    make_cases : callable
        Gives the argument tuples for a random generator. The first case is the typical one: verdicts are asked for it.
    tolerance : str or int
        ``"exact"``, ``"reduction"`` (re-associated float reductions), ``"math"`` (4 ulp), or a number of ulps.
    raises : exception type or None
        Raised by at least one case. Without it no case raises.
    message : str or None
        Text that the exception must contain, for exceptions that the program raises itself.
    exact_state : bool
        Whether arrays are compared after an exception.
    closure : bool
        The function takes the arguments and returns the function to compile, which has captured them.
    """

    function: Callable[..., Any]
    family: str
    verdicts: Mapping[str, tuple[str, ...]]
    make_cases: MakeCases
    tolerance: str | int
    raises: type[Exception] | None
    message: str | None
    exact_state: bool
    closure: bool

    @property
    def name(self) -> str:
        return f"{self.family}.{self.function.__name__}"

    def cases(self) -> list[Case]:
        """Fresh inputs, the same ones every time."""
        made = self.make_cases(np.random.default_rng(SEED))
        return made if isinstance(made, list) else [made]

    def bind(self, case: Case) -> tuple[Callable[..., Any], Case]:
        """The function to compile, and the arguments to call it with."""
        if self.closure:
            return self.function(*case), ()
        return self.function, case

    def loops(self) -> list[Loop]:
        """The ``for`` loops of the function, in source order."""
        lines, first = inspect.getsourcelines(self.function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        found = [node for node in ast.walk(tree.body[0]) if isinstance(node, ast.For)]
        return _name_loops(sorted(found, key=lambda node: (node.lineno, node.col_offset)), first)

    def expected(self, loop: Loop) -> tuple[str, ...] | None:
        """Acceptable verdicts of a loop; None when nothing was registered for it."""
        return self.verdicts.get(loop.name, self.verdicts.get(loop.variable))


def _name_loops(nodes: Sequence[ast.For], first_line: int) -> list[Loop]:
    seen: dict[str, int] = {}
    loops = []
    for node in nodes:
        variable = next(part.id for part in ast.walk(node.target) if isinstance(part, ast.Name))
        seen[variable] = seen.get(variable, 0) + 1
        loops.append(Loop(variable, f"{variable}@{seen[variable]}", first_line + node.lineno - 1))
    return loops


PROGRAMS: dict[str, Program] = {}


def program(
    *,
    verdicts: Mapping[str, str | tuple[str, ...]],
    args: MakeCases,
    tolerance: str | int = "exact",
    raises: type[Exception] | None = None,
    message: str | None = None,
    exact_state: bool = True,
    closure: bool = False,
) -> Callable[[Function], Function]:
    """File the decorated function as an acceptance program of the family its module is named after."""
    accepted = {loop: (verdict,) if isinstance(verdict, str) else verdict for loop, verdict in verdicts.items()}

    def register(function: Function) -> Function:
        family = function.__module__.rpartition(".")[2]
        entry = Program(function, family, accepted, args, tolerance, raises, message, exact_state, closure)
        if entry.name in PROGRAMS:
            raise ValueError(f"two programs are named {entry.name}")
        PROGRAMS[entry.name] = entry
        return function

    return register
