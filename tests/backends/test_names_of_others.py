"""Programs whose names are those of languages, headers, compilers and Weft's own text, in every role of a name."""

import builtins
import importlib.util

import numpy as np
import pytest

import weft
from tests.backends import foreign_names
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.backends.text.code import Identifiers
from weft.errors import DeviceError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import place
from weft.transform import pipeline

pytestmark = pytest.mark.filterwarnings("ignore:W001")
ROLES = 8
BLOCKS = 5
"""How many times each role is played in a program."""
MEANT = frozenset({"np", "range", "weft", "given", "program", *dir(builtins)})
"""Names that the programs themselves need."""

PLAYERS = 0, 1, 2, 3, 4, 5, 6, 7
BLOCK = """
    {6} = np.zeros(3)
    {5} = 1
    for {2} in range({0}.shape[0]):
        {3} = {4}({0}[{2}], {1}) + given.{7}
        {6}[{2} % 3] += {3}
        {5} += {2}
        if {3} > 2.0:
            {0}[{2}] = {6}[{2} % 3] * {5}
    for {2} in weft.prange({0}.shape[0]):
        {3} = {0}[{2}]
        {0}[{2}] = {3} * 0.5
    {3} = 0.0
    for {2} in weft.prange({0}.shape[0]):
        {3} += {0}[{2}]
    {0}[0] = {6}[0] + {5} + {3}
"""


def _names():
    """Names that stay as they are, each once in every role, and a part of the others."""
    found = [name for name in foreign_names.everything() if name not in MEANT]
    kept = [name for name in found if Identifiers(()).fresh(name) == name]
    return kept, [name for name in found if name not in set(kept)]


def _source(names):
    groups = [[*names[k * ROLES : (k + 1) * ROLES]] for k in range(BLOCKS)]
    for number, group in enumerate(groups):
        group[7] = group[7].lstrip("_") or f"field_{number}"
    helpers = "".join(f"def {g[4]}({g[0]}, {g[1]}):\n    return {g[0]} * {g[1]} + 1.0\n" for g in groups)
    fields = "".join(f"    {g[7]}: float\n" for g in groups)
    params = ", ".join(f"{g[0]}, {g[1]}" for g in groups)
    body = "".join(BLOCK.format(*g) for g in groups)
    head = "import dataclasses\nimport numpy as np\nimport weft\n@dataclasses.dataclass(frozen=True)\nclass Given:\n"
    return f"{head}{fields}{helpers}def program(given, {params}):{body}"


def _programs(tmp_path, names):
    """Modules of programs in which the names play all roles."""
    size = ROLES * BLOCKS
    for number in range(0, len(names) - size + 1, size):
        path = tmp_path / f"names_{number}.py"
        path.write_text(_source(names[number : number + size]), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module


def _arguments(module):
    given = module.Given(*(k + 0.5 for k in range(BLOCKS)))
    return given, *(a for k in range(BLOCKS) for a in (np.arange(5.0 + k), k + 1.5))


def _turned(names, role):
    """The names, so that each plays another role."""
    return [*names[role:], *names[:role]]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("device", "role"), [("cpu", 0), ("cpu", 3), ("cpu", 6), pytest.param("opencl", 1, marks=pytest.mark.opencl)]
)
def test_programs_give_cpythons_answers(tmp_path, device, role):
    kept, changed = _names()
    _run(tmp_path, device, _turned([*kept[role::32], *changed[role::200]], role))


@pytest.mark.slow
@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("role", PLAYERS)
def test_programs_of_all_names_give_cpythons_answers(tmp_path, device, role):
    kept, changed = _names()
    _run(tmp_path, device, _turned([*kept, *changed[role::8]], role))


def _run(tmp_path, device, names):
    for module in _programs(tmp_path, names):
        expected, given = _arguments(module), _arguments(module)
        module.program(*expected)
        weft.jit(module.program, device=device)(*given)
        np.testing.assert_allclose(np.hstack(given[1:]), np.hstack(expected[1:]), rtol=1e-13)


@pytest.mark.sample(1)
@pytest.mark.parametrize("role", PLAYERS[::4])
def test_nvrtc_takes_kernels(tmp_path, role):
    try:
        compiler.identity()
    except (DeviceError, ImportError, RuntimeError):
        pytest.skip("NVRTC is not installed")
    kept, changed = _names()
    for module in _programs(tmp_path, _turned([*kept[role::32], *changed[role::200]], role)):
        types = tuple(describe(value, f"argument {k}") for k, value in enumerate(_arguments(module)))
        program = pipeline.optimise(build(module.program, types), turns=False, blocks=True, rows=True)
        placement = place(program, "cuda")
        assert placement.kernel_names
        assert compiler.compile_source(generate_kernels(placement.program), "sm_90").code.startswith(b"\x7fELF")
