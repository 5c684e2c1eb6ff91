"""Read a script: its ports are an actor's, its operations the actor's function, as Python text."""

from __future__ import annotations

import hashlib
import linecache
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from weft.dataflow.actors import Actor, actor
from weft.dataflow.errors import GraphError
from weft.dataflow.scripts.declarations import Declaration, declaration_of, port_of, said_in
from weft.dataflow.scripts.expressions import integer
from weft.dataflow.scripts.operations import List, Writer

KINDS = ("map", "reduce", "gather", "scatter", "transpose")


@dataclass(frozen=True)
class Operation:
    """A pattern, the integers that it says, and over how many segments it goes."""

    kind: str
    element: Element
    variables: Mapping[str, int]
    segments: int

    def __getitem__(self, name: str) -> int:
        return _number(self.element, name, self.variables)

    @property
    def width(self) -> int:
        """Atoms of an element."""
        return self["tuple_size"]

    @property
    def offsets(self) -> list[int]:
        """Of a gather or scatter, in order."""
        return [_expression(found, self.variables) for found in self.element.iter("offset")]

    @property
    def parameters(self) -> list[int]:
        """What a function is given behind its elements."""
        given = self.element.find("func_para")
        return [] if given is None else [_expression(found, self.variables) for found in given]


class Script:
    """A script in the form of its operations, stages written out.

    Parameters
    ----------
    root
        Of the document: ``function`` elements and a ``process``.
    """

    def __init__(self, root: Element) -> None:
        process = root if root.tag == "process" else root.find("process")
        if process is None:
            raise GraphError("the script has no <process>", hint="write <p2cl> <function>...</function> <process>...")
        declared = [declaration_of(said_in(found, "decl")) for found in root.iter("function") if len(found)]
        self.declarations = {declaration.name: declaration for declaration in declared}
        self.ports = [port_of(element) for element in process.findall("port")]
        self.operations = list(_operations(process, {}))

    def declaration(self, operation: Operation) -> Declaration:
        """Of the function of a map or reduce."""
        name = said_in(operation.element, "function")
        if name not in self.declarations:
            raise GraphError(
                f"the function {name} is not declared", hint=f"add a <function> with <decl>void {name}(...)"
            )
        return self.declarations[name]


def load(script: str | os.PathLike[str], functions: Mapping[str, Callable[..., Any]], **options: Any) -> Actor:
    """Make an actor of a script in XML, which describes one process by patterns over lists (P2CL, Jiang 2018).

    Parameters
    ----------
    script
        A path, or the text itself.
    functions
        The functions that the script declares, in Python: of an element (a number, or a tuple of atoms) of each list,
        then the index if the declaration has one, then parameters. They return an element for each output.
    **options
        As for `actor`: ``device=``.

    Returns
    -------
    Actor
        Its inputs have the names of the script's ports; rates are their lengths.

    Raises
    ------
    GraphError
        The script is not of this language, or lengths do not agree.
    """
    text = str(script)
    try:
        root = ElementTree.fromstring(text) if text.lstrip().startswith("<") else ElementTree.parse(text).getroot()
    except ElementTree.ParseError as error:
        raise GraphError(f"the script is no XML: {error}", hint="see that all elements are closed") from None
    read = Script(root)
    missing = sorted(set(read.declarations) - set(functions))
    if missing:
        raise GraphError(f"there is no function {missing[0]}", hint=f'pass functions={{"{missing[0]}": ...}}')
    inputs = [port for port in read.ports if port.is_input]
    outputs = [port for port in read.ports if not port.is_input]
    body = _body(read, inputs, outputs)
    name = os.path.splitext(os.path.basename(text))[0] if not text.lstrip().startswith("<") else "process"
    function = _compiled(name if name.isidentifier() else "process", [p.name for p in inputs], body, functions)
    consumes, produces = {p.name: p.length for p in inputs}, [p.length for p in outputs]
    made: Actor = actor(consumes=consumes, produces=produces, **options)(function)
    return made


def _body(read: Script, inputs: list[Any], outputs: list[Any]) -> list[str]:
    writer = Writer(read, [])
    for port in inputs:
        if port.length == 1:
            writer.line(f"{port.name}_list = np.full(1, {port.name})")
        name = f"{port.name}_list" if port.length == 1 else port.name
        writer.lists.append(List(name, port.type.dtype, port.length))
    for operation in read.operations:
        writer.write(operation)
    if [found.size for found in writer.lists] != [port.length for port in outputs]:
        sizes = ", ".join(str(found.size) for found in writer.lists)
        wanted = ", ".join(f"{port.name} of {port.length}" for port in outputs)
        raise GraphError(f"the last operation gives lists of {sizes} atoms, and the ports are {wanted}",
                         hint="say these lengths of the ports")  # fmt: skip
    results = [found.name + ("[0]" if found.size == 1 else "") for found in writer.lists]
    writer.line(f"return {', '.join(results)}")
    return writer.lines


def _compiled(name: str, parameters: list[str], body: list[str], functions: Mapping[str, Any]) -> FunctionType:
    text = "\n".join([f"def {name}({', '.join(parameters)}):", *body, ""])
    file = f"<script {name} {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = {"__name__": "weft_script", "np": np, **functions}
    exec(compile(text, file, "exec"), names)  # our own text; users' code is reached through names in it
    made = names[name]
    assert isinstance(made, FunctionType)
    return made


def _operations(around: Element, outer: Mapping[str, int], segments: int = 1) -> Iterator[Operation]:
    variables = dict(outer)
    for element in around:
        if element.tag == "shared_variable":
            variables[said_in(element, "name")] = _expression(element, variables)
        elif element.tag == "operation":
            kind = said_in(element, "skeleton_type")
            if kind not in KINDS:
                raise GraphError(f"there is no pattern {kind!r}", hint=f"say one of {', '.join(KINDS)}")
            yield Operation(kind, element, dict(variables), segments)
        elif element.tag == "map":
            yield from _operations(element, variables, segments * _number(element, "num_of_extensions", variables))
        elif element.tag == "stage_generate":
            for stage in range(_number(element, "num_of_stages", variables)):
                yield from _operations(element, {**variables, said_in(element, "iterator_name"): stage}, segments)


def _number(element: Element, name: str, variables: Mapping[str, int]) -> int:
    found = element.find(name)
    return integer(said_in(element, name), variables) if found is None else _expression(found, variables)


def _expression(element: Element, variables: Mapping[str, int]) -> int:
    text = element.get("value") or element.text or ""
    return integer(text, variables)
