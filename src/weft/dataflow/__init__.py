"""Stream programs: actors with rates, in graphs that become one compiled program."""

from __future__ import annotations

from weft.dataflow.actors import Actor, actor
from weft.dataflow.errors import ActorError, ClosedError, GraphError, StreamError
from weft.dataflow.graph import Graph, graph
from weft.dataflow.running.run import Run
from weft.dataflow.scripts import load
from weft.dataflow.streams import delay, feedback, join, split

__all__ = [
    "Actor", "ActorError", "ClosedError", "Graph", "GraphError", "Run", "StreamError", "actor", "delay", "feedback",
    "graph", "join", "load", "split",
]  # fmt: skip
