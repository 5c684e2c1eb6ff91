"""What a stream program can be refused for."""

from __future__ import annotations

from weft.errors import Error


class GraphError(Error, ValueError):
    """A graph that can never run: rates that do not agree, a cycle without tokens, streams that lead nowhere."""


class ActorError(Error, ValueError):
    """An actor that gives something else than it says."""


class StreamError(Error, ValueError):
    """Tokens that a port cannot take, or a stream that ends in the middle of a period."""


class ClosedError(Error, EOFError):
    """A run that was closed, or one whose last token has been taken."""
