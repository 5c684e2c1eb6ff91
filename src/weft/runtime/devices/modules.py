"""The kernels of a program in modules: each is compiled when a launch first needs one of its kernels, and stored.

The store has the text of every module from when the program was compiled, and its code from when it was needed. A
kernel that turns out to spill, where another schedule may not, makes the program be laid out anew.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.compile import lock
from weft.compile.store import Store, key_of
from weft.errors import DeviceError
from weft.machine.occupancy import KernelBinary, Resources
from weft.runtime.devices import accelerators, ledger

if TYPE_CHECKING:
    from weft.plan.place import Placement
    from weft.runtime.dispatch.variants import Compiled

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ModuleText:
    """The source of a module, and the option that its compiler is given."""

    source: str
    fastmath: bool


@dataclass(frozen=True)
class Made:
    """A module of a program that is compiled: the names of its kernels, its key, and whether every call needs it."""

    kernels: tuple[str, ...]
    key: str
    is_needed: bool


def write_modules(placement: Placement, device: str, store: Store, fastmath: bool = False) -> tuple[Made, ...]:
    """Put the text of all modules of a placed program into the store."""
    from weft.backends.gpu.modules import modules_of
    from weft.backends.text.printer_facts import Facts

    dialect = importlib.import_module(f"weft.backends.{device.partition(':')[0]}.dialect")
    made, program, facts = [], placement.program, Facts(placement.program)
    for module in modules_of(program):
        text = ModuleText(dialect.generate_kernels(program, fastmath, module.kernels, facts), fastmath)
        key = key_of("kernels and what they need", text, accelerators.identity(device))
        store.put("kernel text", key, text)
        made.append(Made(module.kernels, key, module.is_needed))
    return tuple(made)


def has_text(key: str, store: Store) -> bool:
    """Whether the text of a module is still in the store."""
    return isinstance(store.get("kernel text", key), ModuleText)


def compiled_module(key: str, device: str, store: Store, program: str, text: ModuleText | None = None) -> KernelBinary:
    """The code of a module: from the store, or compiled and put there.

    Raises
    ------
    DeviceError
        Not even its text is there.
    """
    stored = store.get("kernels", key)
    if isinstance(stored, KernelBinary):
        return stored
    text = text or _text_of(key, device, store)
    kind = device.partition(":")[0]
    compiler = importlib.import_module(f"weft.backends.{kind}.compiler")
    log.info("compiling kernels of %s for %s", program, device)
    with ledger.compiling(program, device, "a launch needs kernels that were not in the store"):
        is_cuda = kind == "cuda"  # whose compiler needs no open device
        target = accelerators.facts_of(device).architecture if is_cuda else accelerators.open_device(device)
        made: KernelBinary = compiler.compile_source(text.source, target, text.fastmath)
    store.put("kernels", key, made)
    return made


def resources_of(compiled: Compiled, keys: Iterable[str], store: Store) -> dict[str, Resources]:
    """What the compiler says of the kernels of some modules of a program, which are compiled for that."""
    found: dict[str, Resources] = {}
    for key in keys:
        found.update(compiled_module(key, compiled.device, store, compiled.name).resources)
    return found


def _text_of(key: str, device: str, store: Store) -> ModuleText:
    text = store.get("kernel text", key)
    if not isinstance(text, ModuleText):
        raise DeviceError(f"the kernels for {device!r} have vanished from the store on disk")
    return text


class Kernels:
    """The kernels of a program that is loaded, by their numbers.

    Parameters
    ----------
    compiled
        The program.
    store
        Where its modules are.
    spilled
        Asked about a module in which kernels spill: takes its key, what its kernels need and whether the program has
        done nothing yet that a second run would not do again; says whether there is to be a second one.
    """

    def __init__(
        self, compiled: Compiled, store: Store, spilled: Callable[[str, Mapping[str, Resources], bool], bool]
    ) -> None:
        self._compiled, self._store, self._spilled = compiled, store, spilled
        self._texts = {key: _text_of(key, compiled.device, store) for key in dict.fromkeys(compiled.modules)}
        self._addresses: dict[int, int] = {}

    def __call__(self, number: int, is_first: bool) -> int | None:
        """The address of a kernel; None where the program is to run again, since it was laid out anew."""
        with lock.lock:
            if number not in self._addresses and not self._load(self._compiled.modules[number], is_first):
                return None
            return self._addresses[number]

    def _load(self, key: str, is_first: bool) -> bool:
        """Load a module, unless the program is to run again."""
        compiled = self._compiled
        binary = compiled_module(key, compiled.device, self._store, compiled.name, self._texts[key])
        if any(map(accelerators.spills, binary.resources.values())) and self._spilled(key, binary.resources, is_first):
            return False
        numbers = [k for k, module in enumerate(compiled.modules) if module == key]
        opened = accelerators.open_device(compiled.device)
        loaded = opened.load(binary.code, [compiled.kernels[k] for k in numbers])
        for k, address in zip(numbers, loaded, strict=True):
            percent = compiled.shared_parts[k] if compiled.shared_parts else None
            if percent is not None:
                opened.prefer_shared(address, percent)
            accelerators.note_kernel(address, compiled.kernels[k], compiled.kernel_lines[k], key)
            self._addresses[k] = address
        return True
