"""``"{} of {:.2f}".format(a, b)``: the f-string that it is."""

from __future__ import annotations

import ast
import string
from itertools import count

from weft.frontend.arrays.tables import METHODS
from weft.frontend.calls import messages
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import FORMAT
from weft.frontend.values.values import Message, Static, Value


def _format(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    assert isinstance(owner, Static) and isinstance(owner.value, str)
    try:
        pieces = list(string.Formatter().parse(owner.value))
    except ValueError as error:
        raise ctx.type_error(str(error), node, hint="write {{ and }} for braces that are text") from None
    numbers, parts = count(), list[Message]()
    given = {str(k): value for k, value in enumerate(arguments)} | keywords
    names = [name for _, name, _, _ in pieces if name is not None]
    if "" in names and any(name.isdigit() for name in names):
        raise ctx.refusal("format", node)
    for text, name, spec, conversion in pieces:
        parts.append(messages.constant_text(text))
        if name is None:
            continue
        key = name or str(next(numbers))
        if key.isdigit() and key not in given:
            message = f"Replacement index {key} out of range for positional args tuple"
            raise ctx.type_error(message, node, hint="give format as many values as the text has places")
        if key not in given or "{" in (spec or ""):
            raise ctx.refusal("format", node)
        form = (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
        parts.append(messages.message_of(ctx, given[key], node, form))
    return messages.settled(ctx, messages.joined(parts), node)


METHODS[FORMAT] = _format
