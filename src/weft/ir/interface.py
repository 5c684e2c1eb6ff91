"""How a program meets Python: where its parameters come from, and what becomes of its results.

Part of the IR (`nodes` offers these names too), in a file of its own because a cached function needs no more of the IR.
"""

from __future__ import annotations

from typing import Literal

from weft.dataclass import dataclass

FIRST_OF_PIECE, END_OF_PIECE = "first iteration of the piece", "end of the piece"
"""The names of the arguments that the program of a piece of a loop has besides those of the function."""
RESULT, VALUE = "result", "value"
"""What the names of arguments begin with that have results of loops before, and values of pieces to be put together."""
TELLS_TYPE = "own$"
"""The name of Booleans that say which type a returned number has; no variable of a user has such a name."""
FIRST_ROW, END_OF_ROWS = "first row of", "end of the rows of"
"""The names of arguments that say which rows of an array a piece reads begin so; the name of the array follows."""
PARTIAL = "partial results"
"""What the names of arguments begin with that have what groups of iterations give, see `weft.plan.partition.apart`."""


@dataclass(frozen=True)
class Source:
    """Where a parameter's value comes from: an argument or captured name, then a path of attributes and positions.

    A ``function`` is an argument too, one that has no value of its own among the parameters.
    """

    kind: Literal["argument", "function", "closure", "global"]
    name: str
    path: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return self.name + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in self.path)


@dataclass(frozen=True)
class Returns:
    """How the flat yields of the body become the Python result.

    `kind` is ``leaf`` (the next yield), ``none``, ``tuple``, ``constant`` (`constant`: a str, bool or None known when
    compiling), or one of these:

    - ``record``, an object: `constructor` is the class, ``module:qualname``; `names` those of its attributes where the
      class does not say them;
    - ``list``: of the number of elements, and of the arrays that they are in, each a leaf with the type of its elements
      in `names`;
    - ``arrays``, the elements of a list of arrays: how much of a pool is used, how many places of the list ever were,
      the pool, and for each place where its array starts in the pool, its number of elements, and its extents;
    - ``lists``, the elements of a list of lists: the numbers of these, a table with three entries for each (where its
      elements start, how many there are, and something else), and all the elements;
    - ``dict``: `names` are its keys, as Python writes them;
    - ``optional``: of a leaf that says whether it is there, and the value, None where it is not;
    - ``several``, a number of one of two types: a leaf, and one that says whether it has the type of that; `names` is
      the other type;
    - ``text``, a string, or the elements of a list of strings: a leaf, their numbers;
    - ``texts``, what holds strings: the code points and table of their pool (`weft.frontend.calls.library_texts`), and
      the result itself;
    - ``table``, a dict or set whose keys were computed: the lists of the keys and values; `names` are the class, and
      what a defaultdict calls; or a deque: the list of its elements, and its largest length.
    """

    kind: Literal[
        "leaf",
        "none",
        "tuple",
        "record",
        "list",
        "arrays",
        "lists",
        "dict",
        "table",
        "constant",
        "optional",
        "several",
        "text",
        "texts",
    ]
    items: tuple[Returns, ...] = ()
    constructor: str = ""
    names: tuple[str, ...] = ()
    constant: object = None


def count_leaves(returns: Returns) -> int:
    """How many yields a result takes."""
    return (returns.kind == "leaf") + sum(map(count_leaves, returns.items))


FUNCTION_MARK = "@function"
"""What stands behind the name of a function of the program in the reference of its calls."""


def reference_to(function: str) -> str:
    """The reference by which a function is called."""
    return f"{function}{FUNCTION_MARK}"
