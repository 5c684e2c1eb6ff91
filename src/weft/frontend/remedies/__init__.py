"""What to write instead of a construct that is refused, as code made from the user's own statement.

A rule gets the place of the construct and gives statements that do the same in CPython, or nothing where it cannot be
sure; then the text of the error says in words what to do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from weft.errors import Code
from weft.frontend.remedies import functions
from weft.frontend.remedies.place import Place

Rule = Callable[[Place, dict[str, str]], Code | None]

RULES: dict[str, Rule] = {
    "function": functions.same_function,
    "float index": functions.integer,
    "array in parentheses": functions.brackets,
    "array order": functions.without_order,
}
"""The rule of each construct that has one."""


def code_for(
    construct: str,
    function: ast.AST,
    node: ast.AST,
    names: dict[str, object],
    words: dict[str, str],
) -> Code | None:
    """The statements to write instead.

    Parameters
    ----------
    construct
        A key of `RULES`, or a construct that has no rule.
    function
        The tree of the user's function, or of any code around `node`.
    node
        The construct in that tree.
    names
        The global names of the function.
    words
        What the text of the error says about the construct.
    """
    rule = RULES.get(construct)
    place = Place.of(function, node, names) if rule is not None else None
    return rule(place, words) if rule is not None and place is not None else None
