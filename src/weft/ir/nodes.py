"""The IR: one language from the frontend to the backends.

    program    = Program(name, params, body, returns, functions, assumption, needs)
    block      = Block(statements, yields)                              structured region; yields are atoms
    statement  = Let | Store | Update | For | While | If | Raise | Call | External
               | Reserve | Copy | Free | Launch | Wait                  (host plans only)
    atom       = Var | Const
    expression = Unary | Binary | Compare | Select | Cast | Math | Native | Fma | Load | Dim | Undefined
               | Alloc | Subview | Transpose | Split | Mergeable | Merge | FieldView   (views)
               | Lanes | Broadcast | ReduceLanes | RunningLanes | Lane | Pack   (vector code only)
               | Aligned                                                (kernels and host plans)
               | Room                                                   (host plans only)

Every `Var` is assigned once: by a `Let`, as a loop index, loop argument, result or parameter. Names are unique in a
program. Operands are atoms, evaluated in order; nothing is evaluated lazily: `a and b` and `x if c else y` are `If`
unless both sides are pure and cannot fault. Operands of `Binary` and `Compare` have one type: conversions are `Cast`.

Values with Python types (``pyint``...) follow Python's rules (overflow, division by zero and domain errors raise),
values with NumPy types follow NumPy's (wrap, inf, nan, ``x // 0 == 0`` for integers).

Memory is reached only by `Load`, `Store` and `Update` through a view: a storage, an offset, a shape and byte strides.
Views are values: they are carried around loops (``u, v = v, u``), sliced and returned. Each `Alloc` that runs makes a
new storage; each array parameter is one storage, distinct from all others (aliasing calls get another program).

Control never jumps. ``break`` and early ``return`` become a carried Boolean `alive`; `For.exit` names it, and the loop
ends after the first iteration that yields it False. The rest of an iteration after a break stands in an `If`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from weft.dataclass import dataclass
from weft.ir.interface import Returns as Returns
from weft.ir.interface import Source as Source
from weft.ir.interface import count_leaves as count_leaves
from weft.ir.location import UNKNOWN, Location
from weft.ir.pins import Pin
from weft.ir.quick import quick
from weft.ir.types import PYINT, Element, Type

# ---------------------------------------------------------------------------------------------------- atoms


@quick
@dataclass(frozen=True, slots=True)
class Var:
    """A value that is assigned once. The part of the name before the first dot is the user's name."""

    name: str
    type: Type

    @property
    def stem(self) -> str:
        """The user's name of the variable."""
        return self.name.partition(".")[0]


@quick
@dataclass(frozen=True, slots=True)
class Const:
    """A constant: a Python bool, int, float or complex, of the given type."""

    value: bool | int | float | complex
    type: Type = PYINT

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and (self.type, repr(self.value)) == (other.type, repr(other.value))

    def __hash__(self) -> int:
        return hash((self.type, repr(self.value)))


Atom: TypeAlias = Var | Const

# ---------------------------------------------------------------------------------------------- expressions

UnaryOp: TypeAlias = Literal["neg", "pos", "invert", "not", "abs"]
BinaryOp: TypeAlias = Literal[
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
    "and", "or", "xor", "shl", "shr", "min", "max",
]  # fmt: skip
UpdateOp: TypeAlias = BinaryOp | Literal["assign"]
CompareOp: TypeAlias = Literal["eq", "ne", "lt", "le", "gt", "ge"]
Bounds: TypeAlias = Literal["python", "check", "safe", "clamp"]
"""How an index is treated. ``python``: negative indices count from the end, then it is checked. ``check``: proven not
negative or never meant to wrap; checked against the extent. ``safe``: proven inside. ``clamp``: forced inside, and
the fault flag is set when it was outside (vector and device code)."""


@dataclass(frozen=True)
class Unary:
    op: UnaryOp
    operand: Atom
    checked: bool = True
    """For ``pyint``: overflow is possible and must be checked."""


@quick
@dataclass(frozen=True, slots=True)
class Binary:
    """`min` and `max` are Python's: `min(a, b)` is ``b if b < a else a`` and `max(a, b)` is ``b if b > a else a``.

    ``truediv`` of two ``pyint`` gives the ``pyfloat`` nearest to the exact quotient. NumPy integers raised to a
    negative power raise ValueError (`checked`).
    """

    op: BinaryOp
    left: Atom
    right: Atom
    checked: bool = True
    """For Python types: overflow, division by zero or a negative shift is possible and must be checked."""


@quick
@dataclass(frozen=True, slots=True)
class Compare:
    op: CompareOp
    left: Atom
    right: Atom


@quick
@dataclass(frozen=True, slots=True)
class Select:
    condition: Atom
    then: Atom
    orelse: Atom


@quick
@dataclass(frozen=True, slots=True)
class Cast:
    """Conversion to the type of the variable that is assigned.

    NumPy's unsafe cast, except from Python types: ``pyint`` to a narrower integer raises OverflowError when it does not
    fit (`checked`); float to ``pyint`` truncates and raises on nan, inf and values beyond int64 (`checked`).
    """

    operand: Atom
    checked: bool = True


@dataclass(frozen=True)
class Math:
    """A mathematical function by its NumPy name (``sqrt, exp, arctan2, floor, isnan, erf, real, conjugate...``).

    `strict` marks the functions of Python's ``math`` module, which raise on domain errors and overflow. One that was
    proven not to raise keeps its Python types and is not strict any more. ``bits_of`` gives the bits of one of NumPy's
    floats as an unsigned integer; passes make it, not the user's source.
    """

    name: str
    operands: tuple[Atom, ...]
    strict: bool = False


@dataclass(frozen=True)
class Native:
    """A call of the last function of a C text of the user's, on operands of the types that it declares.

    It is pure on the user's word, and may do anything where the program would not call it: divide by zero, or not end.
    """

    source: str
    operands: tuple[Atom, ...]


@dataclass(frozen=True)
class Fma:
    """``a * b + c`` with one rounding. Never made from the user's source but by a pass that may."""

    a: Atom
    b: Atom
    c: Atom


@quick
@dataclass(frozen=True, slots=True)
class Load:
    view: Var
    indices: tuple[Atom, ...]
    bounds: Bounds = "python"
    mask: Atom | None = None


@dataclass(frozen=True)
class Dim:
    """The extent of one axis of a view, a ``pyint``."""

    view: Var
    axis: int


@dataclass(frozen=True)
class Undefined:
    """A value that is never used: carried variables before their first assignment."""


@dataclass(frozen=True)
class Alloc:
    """A new C-contiguous array; `fill` is None for uninitialised memory. Negative extents raise ValueError.

    `memory` is set in kernels only: ``shared`` by the threads of a block, or ``registers``: then each thread of a block
    has an array, and the first axes, one for each loop over threads, are indexed by the thread's own counters.
    """

    shape: tuple[Atom, ...]
    element: Element
    fill: Atom | None = None
    memory: Literal["", "shared", "registers"] = ""


@dataclass(frozen=True)
class Slice:
    """An axis kept: element `k` of the result is element ``start + k * step``, for k below `length`; it is clipped."""

    start: Atom
    length: Atom
    step: Atom


@dataclass(frozen=True)
class Subview:
    """Indexing with integers (atoms: the axis goes), `Slice` (kept) and None (a new axis of extent 1)."""

    view: Var
    axes: tuple[Atom | Slice | None, ...]
    bounds: Bounds = "python"


@dataclass(frozen=True)
class Transpose:
    view: Var
    permutation: tuple[int, ...]


@dataclass(frozen=True)
class Split:
    """Axis `axis` of a view as several axes in C order: the product of `extents` is its extent."""

    view: Var
    axis: int
    extents: tuple[Atom, ...]


@dataclass(frozen=True)
class Mergeable:
    """Whether axes `axis` and `axis + 1` of a view lie in memory as one axis does, a ``pybool``."""

    view: Var
    axis: int


@dataclass(frozen=True)
class Merge:
    """Axes `axis` and `axis + 1` as one, which must be `Mergeable`."""

    view: Var
    axis: int


@dataclass(frozen=True)
class FieldView:
    """A field of a structured array, or ``real``/``imag`` of a complex one. Sub-array axes are appended."""

    view: Var
    name: str


@dataclass(frozen=True)
class Lanes:
    """The vector ``start, start + 1, ...`` of as many lanes as the assigned variable has."""

    start: Atom


@dataclass(frozen=True)
class Broadcast:
    operand: Atom


@dataclass(frozen=True)
class ReduceLanes:
    """Folds a vector to a scalar by a `Binary` operator, pairwise; ``or`` and ``and`` test masks."""

    op: BinaryOp
    operand: Atom


@dataclass(frozen=True)
class RunningLanes:
    """Each lane folded with all lanes before it, in steps of 1, 2, 4 and so on lanes; the order of operands stays."""

    op: BinaryOp
    operand: Atom


@quick
@dataclass(frozen=True, slots=True)
class Lane:
    """One lane of a vector."""

    operand: Var
    axis: int


@dataclass(frozen=True)
class Pack:
    """The vector of scalars of one type. Where these are to be `apart` it is made of copies, so that they can be in any
    registers, not only in neighbouring ones."""

    items: tuple[Atom, ...]
    apart: bool = False


@dataclass(frozen=True)
class Aligned:
    """Whether the first element of a view and its strides but the innermost are multiples of `axis` bytes: ``pybool``.

    The answer may depend on the run; it chooses between code that gives the same results.
    """

    view: Var
    axis: int


@dataclass(frozen=True)
class Room:
    """How many more bytes a memory takes, a ``pyint``: where it is full, asking for one byte fails.

    Of `CALLS`: how many more calls Python lets be nested in that of the program.
    """

    memory: str


CALLS = "calls"

Expression: TypeAlias = (
    Unary | Binary | Compare | Select | Cast | Math | Native | Fma | Load | Dim | Undefined | Alloc | Subview
    | Transpose | Split | Mergeable | Merge | FieldView | Lanes | Broadcast | ReduceLanes | RunningLanes | Lane | Pack
    | Aligned | Room
)  # fmt: skip

# ----------------------------------------------------------------------------------------------- statements


@quick
@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Statement, ...] = ()
    yields: tuple[Atom, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Let:
    var: Var
    value: Expression
    location: Location = UNKNOWN


@quick
@dataclass(frozen=True, slots=True)
class Store:
    """``view[indices] = value``.

    `late`: to an array that the threads of a block share; the element may arrive at any time up to the end of the phase
    that waits for it (`For.under_way`). So a device can copy it while it goes on.
    """

    view: Var
    indices: tuple[Atom, ...]
    value: Atom
    bounds: Bounds = "python"
    mask: Atom | None = None
    location: Location = UNKNOWN
    late: bool = False


@dataclass(frozen=True)
class Update:
    """``view[indices] = view[indices] op value`` as one indivisible step: a reduction by key.

    ``assign`` stores the value; all iterations that store to an element store the same value, so any order is right.
    """

    op: UpdateOp
    view: Var
    indices: tuple[Atom, ...]
    value: Atom
    bounds: Bounds = "python"
    location: Location = UNKNOWN


Mapping: TypeAlias = Literal["sequential", "parallel", "turns", "blocks", "threads", "lanes", "unroll", "rolled"]
"""How the iterations of a loop run: one after the other; on the CPU's threads or the device's grid; on threads or
blocks with what they carry handed on in order, since nothing else depends on earlier iterations; over the blocks or
threads of a GPU; in the lanes of a vector; unrolled; one after the other, also for the compiler behind the backend."""

Claim: TypeAlias = Literal["range", "prange", "independent"]


@dataclass(frozen=True)
class LoopArg:
    """A value carried around a loop. `combine` is set when its fold may be grouped otherwise, as parallel loops do: an
    operator of `Binary`, or the name of an associative function of the program; every iteration then yields
    ``var op its own contribution``."""

    var: Var
    init: Atom
    combine: str | None = None


@dataclass(frozen=True)
class TileProduct:
    """What a loop over the iterations of two tiles in shared memory does, said for warps that multiply matrices.

    ``sums[own, r, c] += left[buffer, row(r), k] * right[buffer, k, column(c)]`` for every k of the tile. Rows are
    `down` apart, and columns in pairs that are `across` apart. The threads of a warp have 8 neighbouring rows and 4
    pairs of neighbouring columns. `row` is a thread's first row; of `right` a thread brings `column` and those that
    are `across` apart, of all iterations `inner` and every fourth from there on.
    """

    sums: Var
    left: Var
    right: Var
    buffer: Atom
    row: Atom
    column: Atom
    inner: Atom
    down: int
    across: int


@dataclass(frozen=True)
class WindowProduct:
    """What a loop over the rows of windows in shared memory does, said for warps that multiply matrices.

    ``sums[own, r, c] += weights[p + 1, q + 3] * tile[row(r) + p, column(c) + q]`` for every row p of the loop and, in
    it, each of `width` columns q. Around these, weights are zero: multiplied by elements beside a window they add
    nothing, unless these are infinite or no numbers. Then a sum may be no number that should be one, so whoever writes
    such a loop does it again, without the mark, where sums are not finite. It begins with no sum that is -0.0.

    A thread has two rows that are `down` apart, and pairs of columns that are `across` apart, a multiple of 8. The
    threads of a warp have two neighbouring pairs of columns and 16 neighbouring rows. An instruction multiplies pieces
    of 4 elements, one or two for each of 16 places, by weights for 2 rows and 4 columns of points. Of the tile a thread
    brings what is at `row` and `column` of the first piece, of the weights what is at `above` and `beside`.
    """

    sums: Var
    tile: Var
    weights: Var
    row: Atom
    column: Atom
    above: Atom
    beside: Atom
    width: int
    down: int
    across: int


@dataclass(frozen=True)
class Together:
    """What the threads of a block do together: a loop, outside of all loops over threads, that puts parts of theirs
    behind one another.

    The loop has an iteration for each part, of which a thread has `runs`, and carries a value for each of some arrays
    in registers. They are in the order of rows of 32 threads, in a row in that of the runs, and in a run in that of the
    threads: so that of the threads alone, where each has one part. The body loads its part from the arrays, stores to
    as many others what stands before it, and then puts it behind that. `most` is given for parts that are counts and
    add up: no part is more, or less than zero.
    """

    runs: int
    most: int = 0


@dataclass(frozen=True)
class Steps:
    """What makes one run of a nest stand for several steps of a loop around it, an odd number `count` of them.

    After each step the arrays `source` and `target` change places; only what the last step stores is stored, so that
    the elements of `source` stay as they are. `label` is that of the loop around it. Found in kernels before they are
    laid out only: there, and nowhere else, `For.steps` changes what a loop does.
    """

    count: int
    source: Var
    target: Var
    label: str


@quick
@dataclass(frozen=True, slots=True)
class For:
    """``for index in range(start, stop)`` with step 1; other steps count iterations and compute the user's variable.

    `under_way` is for the outermost loop of a phase with late stores: when the phase ends, those of all such phases
    have arrived but for the latest so many. `product` says the same as the body, for devices that have an instruction
    for it. Loops over threads that carry values are folds: the body ends with a definition for each of them, which puts
    the thread's part behind it, and afterwards all threads know the results; `together` is for other orders, and where
    each thread wants to know what stands before its part. `through` is for loops over blocks that
    carry values: the array, full of zeros at the launch, through which blocks hand these on.
    """

    label: str
    index: Var
    start: Atom
    stop: Atom
    body: Block
    args: tuple[LoopArg, ...] = ()
    results: tuple[Var, ...] = ()
    exit: int | None = None
    claim: Claim = "range"
    mapping: Mapping = "sequential"
    location: Location = UNKNOWN
    under_way: int | None = None
    product: TileProduct | WindowProduct | None = None
    together: Together | None = None
    through: Var | None = None
    steps: Steps | None = None
    ahead: int = 0
    """Processors are told so many iterations earlier which element the first load of the body will read, devices that
    of each load with an index that is the counter, or the counter added to something."""
    fetch: Load | None = None
    """Where memory lies that will be read after the loop: processors are told in each iteration to bring 64 bytes more
    of it. It need not belong to the array."""


@dataclass(frozen=True)
class While:
    """`condition` yields one Boolean and sees the loop arguments; so does `body`, which yields their next values."""

    label: str
    condition: Block
    body: Block
    args: tuple[LoopArg, ...] = ()
    results: tuple[Var, ...] = ()
    location: Location = UNKNOWN


@quick
@dataclass(frozen=True, slots=True)
class If:
    condition: Atom
    then: Block
    orelse: Block = Block()
    results: tuple[Var, ...] = ()
    location: Location = UNKNOWN
    rare: bool = False
    """The condition holds where an operation raises an exception, which the program catches or the branch raises."""


@dataclass(frozen=True)
class Raise:
    """Ends the program with a Python exception. `message` is a ``str.format`` template over `operands`.

    `exception` is the name of a builtin class, or ``module:qualname``. `other` is a second place to show.
    """

    exception: str
    message: str
    operands: tuple[Atom, ...] = ()
    location: Location = UNKNOWN
    other: Location | None = None


@dataclass(frozen=True)
class Call:
    """Calls a `Function` of the program that was not inlined."""

    results: tuple[Var, ...]
    function: str
    operands: tuple[Atom, ...]
    location: Location = UNKNOWN


@dataclass(frozen=True)
class External:
    """A Python function, a library call or a raw kernel, with the views that it reads and writes.

    `reference` names a Python callable kept in `Program.externals`: the meaning of the node. Or it names a `Function`
    of the program that may call itself: see `weft.ir.recursion`.
    """

    results: tuple[Var, ...]
    reference: str
    operands: tuple[Atom, ...]
    reads: tuple[Var, ...] = ()
    writes: tuple[Var, ...] = ()
    location: Location = UNKNOWN


@dataclass(frozen=True)
class Reserve:
    """Gives the storage of `view` a place in one memory; what is there already stays.

    Where it is `owed` something, the host is about to write elements of the view, which are current there: they reach
    the memory also if the program ends early.
    """

    view: Var
    memory: str
    location: Location = UNKNOWN
    owed: bool = False


@dataclass(frozen=True)
class Copy:
    """Makes the elements of `view` current in memory `target`, from memory `source`.

    With `onto`, a view of the same shape, the elements become those of that view there: a new version of them. Copies
    keep the order in which they stand, also on the host: only code that runs there has to wait for them.
    """

    view: Var
    source: str
    target: str
    location: Location = UNKNOWN
    onto: Var | None = None


@dataclass(frozen=True)
class Free:
    """Gives back the storage of `view` in one memory."""

    view: Var
    memory: str
    location: Location = UNKNOWN


@dataclass(frozen=True)
class Launch:
    """Runs a kernel on a device.

    `grid` is the number of blocks along each dimension, x first; `kernel.group` the work items of a block. The last
    operands are an offset and an extent for each dimension of the grid, x last, so that a part of a nest is run by the
    same code as the whole. The result, if there is one, says whether anything in the kernel would have
    raised: what it wrote is then not to be used.

    The elements of `reads` must be current in the device's memory before; those of `writes` are current there alone
    afterwards. What a kernel may write, but need not, is among both.

    `windows` are views, one for each operand that is one, where the device holds only parts of arrays: the part of that
    operand that the kernel touches. The operand itself has the extents and the indices of the whole.
    """

    kernel: Kernel
    device: str
    operands: tuple[Atom, ...]
    grid: tuple[Atom, ...] = ()
    results: tuple[Var, ...] = ()
    reads: tuple[Var, ...] = ()
    writes: tuple[Var, ...] = ()
    windows: tuple[Var, ...] = ()
    location: Location = UNKNOWN


@dataclass(frozen=True)
class Wait:
    """The host waits until the work that it queued on a device is done; of some arrays, only until no copy from or to
    the host's elements of these is under way."""

    device: str
    of: tuple[Var, ...] = ()
    location: Location = UNKNOWN


Statement: TypeAlias = (
    Let | Store | Update | For | While | If | Raise | Call | External | Reserve | Copy | Free | Launch | Wait
)  # fmt: skip

# -------------------------------------------------------------------------------------------------- program


@dataclass(frozen=True)
class Function:
    """A helper that is called, not inlined. `associative` is the user's word, which lets reductions use it.

    One that an `External` calls may raise, write through views, give views, and call itself; its array parameters may
    share memory. Others do none of this.
    """

    name: str
    params: tuple[Var, ...]
    body: Block
    associative: bool = False
    location: Location = UNKNOWN


Freedom: TypeAlias = Literal["none", "order", "tf32"]


@dataclass(frozen=True)
class Matrix:
    """A factor or the result of a product: an array of two dimensions, and the axis that its first index is on.

    The result has the indices i and j, the left factor i and k, the right one k and j.
    """

    view: Var
    axis: int


@dataclass(frozen=True)
class MatrixProduct:
    """What a kernel does, said for libraries: ``result[i, j] = sum of left[i, k] * right[k, j]`` over k, nothing else.

    `bounds` are the first and the end of i, j and k, `condition` what must hold besides there being any of each; all
    are parameters of the kernel or constants. `freedom` is what a library may do otherwise than the loops: nothing that
    is seen, add in another order, or besides round factors to tf32.
    """

    result: Matrix
    left: Matrix
    right: Matrix
    bounds: tuple[Atom, ...]
    condition: Atom
    freedom: Freedom = "none"


@dataclass(frozen=True)
class Hint:
    """What a device may do for a kernel, and what changes no result.

    ``read-only``: load the elements of a parameter past the coherent cache. ``L2``: keep them in the second-level
    cache. ``once``: caches may give them up before others. ``shared``: keep `amount` % of a multiprocessor's fast
    memory for shared arrays. ``indices``: compute indices in `amount` bits; where that are 32, there is a second
    version of the kernel for launches in which they do not fit. ``limited``: launches know what its loops count to, so
    there is a version for those that end soon, which has ``soon``: its loops need not look whether they are to stop.
    """

    kind: Literal["read-only", "L2", "once", "shared", "indices", "limited", "soon"]
    param: str = ""
    amount: int = 0


@dataclass(frozen=True)
class Uniform:
    """A test of a kernel that has one outcome in all blocks of a launch; its branches have no results.

    It holds where the atoms of `multiples`, parameters of the kernel or constants, are multiples of the numbers beside
    them, the first elements and all rows of the arrays in `aligned` begin at multiples of so many bytes, rows of those
    in `whole` have a multiple of so many elements, and those in `few` have one axis, with at most so many. What is done
    where it does not hold is right everywhere; there, `orelse` may be such a test.
    """

    test: Var
    multiples: tuple[tuple[Atom, int], ...] = ()
    aligned: tuple[tuple[Var, int], ...] = ()
    whole: tuple[tuple[Var, int], ...] = ()
    few: tuple[tuple[Var, int], ...] = ()
    orelse: Uniform | None = None


@dataclass(frozen=True)
class Kernel:
    """A loop nest that a device runs as one launch.

    `body` is statements that every work item computes alike, then the nest: loops with the mapping ``parallel`` before
    a schedule is applied; afterwards ``blocks`` and ``threads``, the one along x innermost. Loops over threads that
    follow one another are phases: the next begins when all threads of the block are done with the one before.
    `group` gives the threads of a block and `step` the iterations that a block runs, x first. `overlaps` names array
    parameters that may share memory with another one; no others do. `resident` blocks are to fit on a multiprocessor.
    `product` says the same as the body, where that is a product of matrices. `precision` is what factors of float32 in
    sums of products may be rounded to, "" for nothing. `uniform` is a test that launches may know the outcome of.
    """

    name: str
    params: tuple[Var, ...]
    body: Block
    group: tuple[int, ...] = ()
    location: Location = UNKNOWN
    step: tuple[int, ...] = ()
    overlaps: tuple[str, ...] = ()
    resident: int = 1
    product: MatrixProduct | None = None
    precision: str = ""
    hints: tuple[Hint, ...] = ()
    uniform: Uniform | None = None


@dataclass(frozen=True)
class Param:
    """A parameter.

    `home` is the memory in which an array is current when the program starts, and has to be when it ends: it may be
    another one than that in which its address is, which the type says.
    """

    var: Var
    source: Source
    home: str = "host"


@dataclass(frozen=True)
class Program:
    """A specialised function.

    `assumption` yields one Boolean from the parameters: where it is False at a call, another variant must run.
    `needs` yields the bytes that the largest launch needs: where a device has less room, another variant must run, too.
    `writes` are captured variables that the function assigns (``nonlocal``, ``global``): the last yields of the body,
    one for each, are their values when the program ends; the others belong to `returns`.
    `overlaps` names array parameters that may share memory, with one another or each with itself; no others do.
    `pins` are blocks of the source whose loops are to run on a certain device.
    """

    name: str
    params: tuple[Param, ...]
    body: Block
    returns: Returns = Returns("none")
    functions: tuple[Function, ...] = ()
    assumption: Block | None = None
    location: Location = UNKNOWN
    writes: tuple[Source, ...] = ()
    overlaps: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()
    needs: Block | None = None
    externals: dict[str, object] = field(default_factory=dict, compare=False, hash=False, repr=False)

    def function(self, name: str) -> Function:
        """The helper called `name`; KeyError where there is none."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)
