"""The host part of a placed program in C: copies, launches and waits, through the functions of ``mirror.h``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, cached_property
from math import prod
from pathlib import Path

from weft.analysis.termination.endless import SLOW, SPEEDS, has_endless, known_nests
from weft.analysis.values.widths import LARGEST, extent, in_whole_numbers, widths
from weft.analysis.values.widths import versions as widths_of
from weft.backends.c import program as c_program
from weft.backends.c.parallel import ParallelPrinter
from weft.backends.gpu.kernels import written_parameters
from weft.backends.gpu.modules import first_kernels
from weft.backends.gpu.repeats import early_kernels, only_launches
from weft.backends.host.foreign_launches import print_foreign_launch
from weft.backends.host.zero_copy import lent_arrays
from weft.backends.text.artifact import Artifact
from weft.backends.text.code import EQUALITY, UNARY, Code
from weft.backends.text.vector_helpers import REGISTER_LANES
from weft.backends.text.views import ViewCode, is_unit
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.effects import statement_may_raise
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import foreign_call, launches_in, walk
from weft.plan.place import kernels_of, on_device
from weft.plan.transfers.memory_spaces import is_device
from weft.schedule.directives import AXES
from weft.schedule.legality import asked_bytes
from weft.schedule.versions import soon_version, ways

MIRROR = Path(__file__).parents[2] / "runtime" / "native" / "support" / "mirror.h"
FAILED = "WEFT_DEVICE_FAILED"
HOST = "host"

FREEDOMS = {"none": "WEFT_EXACT", "order": "WEFT_ANY_ORDER", "tf32": "WEFT_TF32"}
"""Names in ``device.h`` for what a library may do otherwise than the loops of a product."""


class DriverPrinter(ParallelPrinter):
    """The body of a placed program while it is printed."""

    bounds_nests = True

    def leave(self, status: str) -> None:
        """Leave the function; the caller's arrays get first what they are owed, unless the device has failed."""
        if status != FAILED and not self.is_piece and self._owes:
            self.lines.add("runtime->mirrors->settle(mirror);")
        super().leave(status)

    @cached_property
    def _owes(self) -> bool:
        """Whether the program keeps arrays of the caller where they do not belong for longer than a launch."""
        statements = list(walk(self.module.program.body))
        launches = (s for s in statements if isinstance(s, n.Launch))
        is_owed = any(self.is_owed(view) for launch in launches for view in launch.writes)
        return is_owed or any(isinstance(s, n.Reserve) and s.owed for s in statements)

    def is_owed(self, view: n.Var) -> bool:
        """Whether a view may be of an array of the caller that is not on the device already."""
        params = {p.var.name for p in self.module.program.params if p.home == HOST}
        return not self.is_there(view) and not self.facts.roots(view).isdisjoint(params)

    def print_Reserve(self, reserve: n.Reserve) -> None:
        """Print that an array gets a place on the device, or one on the host where its kernel writes; or a debt."""
        does = "owe_back" if reserve.owed else "lend" if reserve.view.name in self._lent else "reserve"
        self._call(f"runtime->mirrors->{does}(mirror, {self.array(reserve.view)})")

    @cached_property
    def _lent(self) -> frozenset[str]:
        return lent_arrays(self.module.program)

    def print_Copy(self, copy: n.Copy) -> None:
        """Print a copy between two memories: the host's, the device's, and what is kept beside the device's."""
        self.note_line(copy.location.line)
        if copy.onto is not None:
            exchange = "empty" if copy.target == HOST else "fill"
            self._call(f"runtime->mirrors->{exchange}(mirror, {self.array(copy.view)}, {self.array(copy.onto)})")
            return
        does = {HOST: "out" if is_device(copy.source) else "restore"}.get(copy.target)
        does = does or ("in" if is_device(copy.target) else "save")
        self._call(f"runtime->mirrors->{does}(mirror, {self.array(copy.view)})")

    def print_Free(self, free: n.Free) -> None:
        """Print that a buffer is given back."""
        does = "drop" if is_device(free.memory) else "forget"
        self._call(f"runtime->mirrors->{does}(mirror, {self.array(free.view)})")

    def print_Wait(self, wait: n.Wait) -> None:
        """Print a wait for all that was queued, or for the copies of some arrays."""
        self.note_line(wait.location.line)
        for view in wait.of:
            self._call(f"runtime->mirrors->wait_for(mirror, {self.array(view)})")
        if not wait.of:
            self._call("runtime->mirrors->wait(mirror)")

    _repeated: n.For | n.While | None = None

    @cached_property
    def _early(self) -> frozenset[str]:
        """Names of the kernels that may be started before what they come after is done."""
        return early_kernels(self.module.program)

    def print_For(self, loop: n.For) -> None:
        """Print a loop; one that only launches kernels says so."""
        with self._repeating(loop):
            super().print_For(loop)

    def print_While(self, loop: n.While) -> None:
        """Print a loop; one that only launches kernels says so."""
        with self._repeating(loop):
            super().print_While(loop)

    @contextmanager
    def _repeating(self, loop: n.For | n.While) -> Iterator[None]:
        """Tell the runtime where a loop that only launches begins and ends; not of loops inside of it."""
        if self._repeated or self.is_piece or not only_launches(loop.body):
            yield
            return
        self._call("runtime->mirrors->repeat(mirror, 1)")
        self._repeated = loop
        yield
        self._repeated = None
        self._call("runtime->mirrors->repeat(mirror, 0)")

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Print that the next iteration of a loop begins."""
        super().before_iteration(loop)
        if loop is self._repeated:
            self._call("runtime->mirrors->next_turn(mirror)")

    def aligned(self, value: n.Aligned) -> Code:
        """Whether an array and its rows begin at multiples of some bytes; its copy on the device then does, too."""
        view = self.view(value.view)
        numbers = [f"(uintptr_t){view.pointer}", *(f"(uintptr_t){s.text}" for s in view.strides[:-1])]
        return Code(f"(({' | '.join(numbers)}) & {value.axis - 1}) == 0", EQUALITY)

    def room(self, value: n.Room) -> Code:
        """How many more bytes the device takes."""
        return super().room(value) if value.memory == n.CALLS else Code(_ROOM)

    def note_line(self, line: int) -> None:
        """Print which line of the program causes what comes next, for the ledger."""
        self.lines.add(f"mirror->line = {line};")

    def _call(self, text: str) -> None:
        self.settle_loads()
        self.leave_if(text, FAILED)

    def array(self, var: n.Var) -> str:
        """A view as ``mirror.h`` takes it."""
        assert isinstance(var.type, View)
        view = self.view(var)
        shape, strides = (", ".join(c.text for c in part) or "0" for part in (view.shape, view.strides))
        size = var.type.element.size
        return f"&(weft_array){{(char *){view.pointer}, {size}, {var.type.ndim}, {{{shape}}}, {{{strides}}}}}"

    def print_Launch(self, launch: n.Launch) -> None:
        """Print a launch: its arguments, then the call, which tells whether the kernel set the flag."""
        if foreign_call(launch.kernel) is not None:
            print_foreign_launch(self, launch)
            return
        blocks = [self.simple(extent).text for extent in launch.grid]
        scalars = {
            k: self.number_passed(atom) for k, atom in enumerate(launch.operands) if not isinstance(atom.type, View)
        }
        self.settle_loads()
        fault = self.name(launch.results[0], "false") if launch.results else None
        ahead = self._queued_ahead(launch)
        with self.lines.braces(""):
            soon = self._ends_soon(launch, blocks)
            self._pass_operands(launch, scalars)
            if fault and not ahead:
                self.lines.add("int raised;")
            self._find_kernel(launch, soon)
            self.leave_if(self._run(launch, blocks, self._stop(launch, soon), tells=not ahead), FAILED)
            if fault and not ahead:
                self.lines.add(f"{fault} = raised;")
            owed = [view for view in launch.writes if self.is_owed(view)]
            with self.lines.braces("if (!raised)") if fault and owed else nullcontext():
                for view in owed:
                    self.leave_if(f"runtime->mirrors->owe(mirror, {self.array(view)})", FAILED)
        if ahead:
            self._print_ahead(ahead, fault or "")

    def _queued_ahead(self, launch: n.Launch) -> tuple[n.Statement, ...]:
        """What is queued behind a launch before it is known whether that failed: other launches that cannot fail and
        write nothing but arrays that are not to be used then."""
        if not launch.results:
            return ()
        statements = self._blocks[-1].statements
        following = statements[next(k for k, s in enumerate(statements) if s is launch) + 1 :]
        branch = following[0] if following else None
        if not isinstance(branch, n.If) or branch.condition != launch.results[0]:
            return ()
        ahead = branch.orelse.statements
        launches = [s for s in ahead if isinstance(s, n.Launch)]
        written = {view for other in launches for view in other.writes}
        is_safe = written <= set(launch.writes) and not any(other.results for other in launches)
        is_simple = all(isinstance(s, n.Launch) or (isinstance(s, n.Let) and not statement_may_raise(s)) for s in ahead)
        is_owed = any(self.is_owed(view) for view in launch.writes)
        return ahead if launches and is_safe and is_simple and not is_owed and not branch.results else ()

    def _print_ahead(self, ahead: tuple[n.Statement, ...], fault: str) -> None:
        """Print launches, and then what tells whether the one before them failed."""
        for statement in ahead:
            self.statement(statement)
        self._printed_ahead |= {id(statement) for statement in ahead}
        with self.lines.braces(""):
            self.lines.add("int raised;")
            self.leave_if("runtime->mirrors->tell(mirror, &raised)", FAILED)
            self.lines.add(f"{fault} = raised;")

    def statement(self, statement: n.Statement) -> None:
        """Print a statement, unless it was printed before its place."""
        if id(statement) not in self._printed_ahead:
            super().statement(statement)

    def _find_kernel(self, launch: n.Launch, soon: str | None) -> None:
        """Print what asks the runtime for a kernel, which may have to be compiled."""
        number, is_first = self._version(launch, soon), int(launch.kernel.name in self._first)
        self.lines.add("void *kernel;")
        self.lines.add(f"const int32_t found = runtime->kernel(runtime->caller, {number}, {is_first}, &kernel);")
        self.leave_if("found", "found")

    @cached_property
    def _printed_ahead(self) -> set[int]:
        """The statements that were printed before their places, by their identities."""
        return set()

    @cached_property
    def _first(self) -> frozenset[str]:
        return first_kernels(self.module.program)

    def number_passed(self, atom: n.Atom) -> str:
        """The C variable of a number, whose bytes are passed."""
        assert isinstance(atom.type, Scalar)
        return self.declare("given_number", self.dialect.memory_name(atom.type), self.simple(atom, exact=True).text)

    def _pass_operands(self, launch: n.Launch, scalars: dict[int, str]) -> None:
        self.lines.add("weft_arguments given;")
        self.lines.add("given.count = given.status = 0;")
        views = [a for a in launch.operands if isinstance(a, n.Var) and isinstance(a.type, View)]
        windows = dict(zip(views, launch.windows, strict=True)) if launch.windows else {}
        written = written_parameters(launch.kernel)
        for view in views:
            if not self.is_there(view):
                held = self.array(windows.get(view, view))
                self.lines.add(f"runtime->mirrors->hold(&given, mirror, {held});")
        for k, atom in enumerate(launch.operands):
            if k in scalars:
                self.lines.add(f"runtime->mirrors->pass(&given, &{scalars[k]}, sizeof {scalars[k]});")
                continue
            assert isinstance(atom, n.Var) and isinstance(atom.type, View)
            array = self.array(atom)
            kind = "WEFT_WRITTEN" if launch.kernel.params[k].name in written else "WEFT_READ"
            last = f"{_strides(atom.type)}, {kind}"
            if atom in windows:
                self.lines.add(
                    f"runtime->mirrors->pass_part(&given, mirror, {array}, {self.array(windows[atom])}, {last});"
                )
            elif self.is_there(atom):
                self.lines.add(f"runtime->mirrors->pass_device_array(&given, {array}, {last});")
            else:
                self.lines.add(f"runtime->mirrors->pass_array(&given, mirror, {array}, {last});")

    def is_there(self, view: n.Var) -> bool:
        """Whether an array is on the device before the program starts."""
        return bool(self.facts.roots(view) & on_device(self.module.program))

    def _run(self, launch: n.Launch, blocks: list[str], stop: str, tells: bool) -> str:
        """The call that runs a kernel, and that `tells` whether it failed if it can."""
        group = ", ".join(map(str, (*launch.kernel.group, asked_bytes(launch.kernel), *launch.kernel.step)))
        offsets = ", ".join(str(k) for k in offset_arguments(launch))
        grid = ", ".join(blocks)
        raised = "&raised" if launch.results else "NULL"
        marks = " | ".join(self._marks(launch)) or "0"
        start = f"mirror, kernel, &given, (int64_t[]){{{grid}}}, "
        start += f"(size_t[]){{{group}}}, (int[]){{{offsets}}}, {marks}"
        if launch.kernel.product and not launch.results and not launch.windows:
            return f"runtime->mirrors->launch_product({start}, {self._product(launch, launch.kernel.product)})"
        if not tells:
            return f"runtime->mirrors->launch_flagged({start}, {stop})"
        return f"runtime->mirrors->launch({start}, {stop}, {raised})"

    def _stop(self, launch: n.Launch, soon: str | None) -> str:
        """What a kernel looks at: nothing, what is set when it is to stop, or what never is, if it ends soon."""
        if not has_endless(self.module.program, launch.kernel.body):
            return "NULL"
        return f"{soon} ? &mirror->never : runtime->stop" if soon else "runtime->stop"

    def _ends_soon(self, launch: n.Launch, blocks: Sequence[str]) -> str | None:
        """The variable that says whether a launch ends soon; None where no launch of the kernel knows that."""
        given = dict(zip((param.name for param in launch.kernel.params), launch.operands, strict=True))
        threads = " * ".join([f"{prod(launch.kernel.group)}.0", *(f"(double){count}" for count in blocks)])
        at_once, in_a_second = SPEEDS.get(launch.device, SLOW)
        found = []
        for nest in known_nests(self.module.program, launch.kernel):
            limits = [self.simple(given[a.name] if isinstance(a, n.Var) else a).inside(UNARY) for a in nest.limits]
            work = " * ".join([f"{nest.statements}.0", *(f"(1 + weft_size({limit}))" for limit in limits)])
            found.append(f"weft_ends_soon({work}, {threads}, {at_once}, {in_a_second})")
        return self.declare("ends_soon", "bool", " && ".join(found)) if found else None

    def _version(self, launch: n.Launch, soon: str | None) -> str:
        """The number of the version of a kernel that is to run."""
        fits = self._fits(launch) if len(widths_of(launch.kernel)) > 1 else None
        made = [self._of_way(way, soon, fits) for way in ways(launch.kernel)]
        return self._chosen(launch, launch.kernel.uniform, made)

    def _of_way(self, way: n.Kernel, soon: str | None, fits: str | None) -> str:
        """The same of one of its ways."""
        numbers = self.kernel_numbers()
        usual, *wide = (str(numbers[kernel.name]) for kernel in widths_of(way))
        quick = soon_version(way)
        if quick and soon:
            usual = f"({soon} ? {numbers[quick.name]} : {usual})"
        return f"{fits} ? {usual} : {wide[0]}" if fits else usual

    def _chosen(self, launch: n.Launch, uniform: n.Uniform | None, made: Sequence[str]) -> str:
        """The number of the first version whose test holds, else of the last."""
        if uniform is None:
            return made[0]
        conditions = " && ".join(self._holds(launch, uniform))
        return f"{conditions} ? ({made[0]}) : ({self._chosen(launch, uniform.orelse, made[1:])})"

    def _holds(self, launch: n.Launch, uniform: n.Uniform) -> Iterator[str]:
        """The conditions of a test."""
        given = dict(zip((param.name for param in launch.kernel.params), launch.operands, strict=True))
        for atom, number in uniform.multiples:
            value = self.simple(given[atom.name] if isinstance(atom, n.Var) else atom)
            yield f"{value.inside(UNARY)} % {number} == 0"
        for param, number in uniform.aligned:
            yield self._begins_at(launch, param, number)
        for param, number in uniform.whole:
            yield f"{self._passed(launch, param).shape[-1].inside(UNARY)} % {number} == 0"
        for param, most in uniform.few:
            yield f"{self._passed(launch, param).shape[0].inside(UNARY)} <= {most}"

    def _begins_at(self, launch: n.Launch, param: n.Var, number: int) -> str:
        """Whether an array and its rows begin at multiples of some bytes on the device, where it is passed."""
        position = int(_argument_position(launch, param))
        place = f"given.values[{position}].buffer", f"(uint64_t)given.values[{position + 1}].integer"
        rows = " | ".join(
            [f"({' + '.join(place)})", *(f"(uint64_t){s.text}" for s in self._passed(launch, param).strides[:-1])]
        )
        return f"(({rows}) & {number - 1}) == 0"

    def _passed(self, launch: n.Launch, param: n.Var) -> ViewCode:
        """The array that a launch gives for a parameter."""
        view = launch.operands[launch.kernel.params.index(param)]
        assert isinstance(view, n.Var)
        return self.view(view)

    def _fits(self, launch: n.Launch) -> str:
        """The variable that says whether all indices of a launch fit into 32 bits."""
        return self.declare("fits", "bool", " && ".join(dict.fromkeys(self._conditions(launch))) or "true")

    def _conditions(self, launch: n.Launch) -> Iterator[str]:
        """Conditions under which all indices of a launch fit into 32 bits, in numbers that cannot overflow."""
        given = dict(zip((p.name for p in launch.kernel.params), launch.operands, strict=True))
        values: dict[str, str] = {}
        for name, atom in given.items():
            if atom.type == PYINT:
                values[name] = f"weft_size({self.simple(atom).text})"
            if isinstance(atom.type, Scalar):
                continue
            assert isinstance(atom, n.Var) and isinstance(atom.type, View)
            view = self.view(atom)
            values.update({extent(n.Var(name, atom.type), k): f"(double){e.text}" for k, e in enumerate(view.shape)})
            yield from _counts_narrowly(view)
        for most in (most for part in ways(launch.kernel) for most in widths(part).most):
            factors, limit = in_whole_numbers(most)
            terms = (" * ".join((f"{c}.0", *(values[s] for s in symbols))) for symbols, c in factors.items())
            yield f"{' + '.join(terms)} <= {limit}.0"

    def _marks(self, launch: n.Launch) -> Iterator[str]:
        """What a launch is marked with, as ``device.h`` names it."""
        if launch.kernel.name in self._early:
            yield "WEFT_EARLY"
        for hint in launch.kernel.hints:
            if hint.kind == "L2":
                param = next(p for p in launch.kernel.params if p.name == hint.param)
                yield f"{1 + int(_argument_position(launch, param))} * WEFT_KEPT"

    def _product(self, launch: n.Launch, product: n.MatrixProduct) -> str:
        """The product of matrices that a kernel computes, and which arguments these are, as ``mirror.h`` takes them."""
        given = dict(zip(launch.kernel.params, launch.operands, strict=True))
        values = [self.simple(given[a] if isinstance(a, n.Var) else a).text for a in product.bounds]
        firsts = dict(zip("ijk", values[::2], strict=True))
        extents = [f"({stop}) - ({start})" for start, stop in zip(values[::2], values[1::2], strict=True)]
        condition = product.condition
        holds = self.simple(given[condition] if isinstance(condition, n.Var) else condition).text
        extents[2] = f"{holds} ? {extents[2]} : 0"
        strides, places, positions = [], [], []
        for matrix, indices in ((product.result, "ij"), (product.left, "ik"), (product.right, "kj")):
            steps = self.view(given[matrix.view]).strides  # type: ignore[arg-type]
            pair = [steps[matrix.axis].text, steps[1 - matrix.axis].text]
            strides.append(f"{{{', '.join(pair)}}}")
            distance = " + ".join(f"({firsts[i]}) * ({step})" for i, step in zip(indices, pair, strict=True))
            places.append(f"(uint64_t)({distance})")
            positions.append(_argument_position(launch, matrix.view))
        assert isinstance(product.result.view.type, View)
        size = product.result.view.type.element.size
        what = f"{size}, {{{', '.join(extents)}}}, {{{', '.join(strides)}}}, {{{', '.join(places)}}}"
        return f"&(weft_product){{{what}, NULL, {FREEDOMS[product.freedom]}}}, (int[]){{{', '.join(positions)}}}"

    def kernel_numbers(self) -> dict[str, int]:
        """The positions of the kernels in the table of the runtime."""
        return {kernel.name: k for k, kernel in enumerate(kernels_of(self.module.program))}


def _counts_narrowly(view: ViewCode) -> Iterator[str]:
    """Conditions under which the extents of an array, and distances in it in elements, fit into 32 bits."""
    size = view.element.size
    strides = [stride.text for stride in view.strides if stride.text != str(size)]
    if strides and size > 1 and isinstance(view.element, Scalar):
        yield f"(({' | '.join(strides)}) & {size - 1}) == 0"
    if view.shape:
        steps = (f"weft_reach({e.text}, {s.text}, {size})" for e, s in zip(view.shape, view.strides, strict=True))
        yield f"{' + '.join(steps)} <= {LARGEST * size}.0"


def _strides(type: View) -> int:
    return type.ndim - is_unit(type)


def _argument_count(atom: n.Atom) -> int:
    """How many arguments of the kernel an operand becomes."""
    return 2 + atom.type.ndim + _strides(atom.type) if isinstance(atom.type, View) else 1


def _argument_position(launch: n.Launch, param: n.Var) -> str:
    """Which argument of the kernel a parameter begins with."""
    position = launch.kernel.params.index(param)
    return str(sum(_argument_count(atom) for atom in launch.operands[:position]))


def offset_arguments(launch: n.Launch) -> tuple[int, ...]:
    """Which arguments of the kernel are the offsets along x, y and z; -1 where a dimension is not used."""
    dimensions = sum(isinstance(s, n.For) and s.mapping == "blocks" for s in walk(launch.kernel.body))
    first = len(launch.operands) - 2 * dimensions
    if first < 0:
        raise InternalError(f"the launch of {launch.kernel.name} has too few operands")
    before = sum(_argument_count(atom) for atom in launch.operands[:first])
    offsets = [before + 2 * (dimensions - 1 - axis) for axis in range(dimensions)]
    return (*offsets, *(-1 for _ in range(len(AXES) - dimensions)))


@cache
def _mirror_text() -> str:
    """``mirror.h`` without comments and guards: types and the table of functions, which are in the runtime."""
    text = re.sub(r"/\*.*?\*/\s*", "", MIRROR.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^#(?:ifndef|endif|include).*\n?|^#define WEFT_\w*H\n", "", text, flags=re.M)
    return re.sub(r"\n{2,}", "\n", text).strip()


def generate(program: n.Program, register_lanes: int = REGISTER_LANES) -> Artifact:
    """The host part of a placed program in C; its kernels are numbered in the order of their launches in the text."""
    launches = list(launches_in(program.body))
    watched = any(has_endless(program, launch.kernel.body) for launch in launches)
    closing = (_FINISHING, *_CLOSING) if watched else _CLOSING
    host = c_program.Host(DriverPrinter, _mirror_text(), _OPENING, closing, _NAMES, _ROOM)
    return c_program.generate(program, host, register_lanes)


_NAMES = (("mirror", "weft_mirror *"),)
_OPENING = ("weft_mirror held = {runtime->device, NULL, 0, 0};", "weft_mirror *mirror = &held;")
_ROOM = "runtime->mirrors->room(mirror)"
_CLOSING = ("runtime->mirrors->close(mirror);",)
_FINISHING = "status = runtime->mirrors->finish(mirror, status, runtime->stop);"
"""A kernel that was stopped has not done what it should: the program waits for it, and says so."""
