"""Claims: a loop of ``weft.prange`` whose iterations are proven to depend on one another is refused.

The program is judged as it was written: other passes make loops independent that the user claimed to be so already, and
a wrong claim is an error all the same. Nothing is changed.
"""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.support import judged


def claims(program: n.Program) -> n.Program:
    """The program itself.

    Raises
    ------
    RaceError
        A claim is proven wrong.
    """
    bodies = (program.body, *(f.body for f in program.functions))
    if any(isinstance(s, n.For) and s.claim == "prange" for body in bodies for s in walk(body)):
        judged(program)
    return program
