"""Imports go one way: every part of Weft knows only the parts below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "weft"

ORDER = (
    ("__main__",),
    ("cli",),
    ("demo",),
    ("examples",),
    ("evaluation",),
    ("dataflow",),
    ("report",),
    ("patterns", "tasks"),
    ("numba_doors",),
    ("autotune",),
    ("parallel",),
    ("jit",),
    ("split",),
    ("runtime",),
    ("compile",),
    ("backends",),
    ("plan",),
    ("tune",),
    ("cost",),
    ("schedule",),
    ("machine",),
    ("transform",),
    ("analysis", "frontend"),
    ("ir",),
    ("dataclass", "errors", "version"),
)
"""From the top to the bottom; parts of one level do not know one another."""

LEVELS = {part: level for level, parts in enumerate(ORDER) for part in parts}
USERS = ("cli", "demo", "examples")
"""Parts that use Weft as anybody does: through its public names."""

FILES = sorted({*PACKAGE.rglob("*.py"), *(PACKAGE / "examples").glob("*.py")})  # the examples are behind a link


def part_of(path: Path) -> str:
    """The folder or file directly below the package that a file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_files_know_only_what_is_below_them():
    """In one test, which no sample leaves out; the public names of the package come from everywhere."""
    assert [
        f"{path.relative_to(PACKAGE)}, line {line}: {name}"
        for path in FILES
        for line, name in imported(path)
        if (part := part_of(path)) != "__init__" and not may_know(part, name)
    ] == []


def test_every_part_has_a_level():
    assert {part_of(path) for path in FILES} - {"__init__"} == set(LEVELS)


def test_the_bottom_knows_nobody():
    assert [name for file in ORDER[-1] for name in imported(PACKAGE / f"{file}.py")] == []


def test_files_that_import_one_another_take_no_names():
    """In a circle `from module import name` works or fails by which of its files is imported first."""
    links = {module_of(path): set(taken(path)) for path in FILES}
    known = {module: {target for target, _ in targets if target in links} for module, targets in links.items()}
    assert [
        f"{module} takes {name} of {target}"
        for module, targets in links.items()
        for target, name in sorted(targets)
        if name and target in links and module in reached(target, known)
    ] == []


def module_of(path: Path) -> str:
    """The full name of the module that a file is."""
    return ".".join(("weft", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def taken(path: Path) -> Iterator[tuple[str, str]]:
    """The modules from which a file takes names while it is imported, and the names."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("weft"):
            for alias in node.names:
                if PACKAGE.parent.joinpath(*node.module.split("."), alias.name).with_suffix(".py").exists():
                    yield f"{node.module}.{alias.name}", ""
                else:
                    yield node.module, alias.name


def reached(module: str, known: dict[str, set[str]]) -> set[str]:
    """All modules that are imported with one, itself included."""
    found, waiting = {module}, [module]
    while waiting:
        new = known[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def may_know(part: str, name: str) -> bool:
    """Whether a part may import a module of Weft, given by its full name."""
    target = name.split(".")[1:2]
    if not target or target[0] not in LEVELS:
        return part in USERS
    return target[0] == part or LEVELS[target[0]] > LEVELS[part]


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of Weft that a file imports when it runs, with their lines; imports for types alone do not count."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)
        for name in names(node, path):
            if name.split(".")[0] == "weft":
                yield node.lineno, name


def names(node: ast.AST, path: Path) -> list[str]:
    """Full names of what one statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    package = ("weft", *path.relative_to(PACKAGE).parts[:-1])
    around = package[: len(package) - node.level + 1] if node.level else ()
    module = ".".join((*around, *([node.module] if node.module else [])))
    return [f"{module}.{alias.name}" for alias in node.names]
