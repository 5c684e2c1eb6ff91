"""No name of a user's is one that generated text has besides; readable names stay what they are."""

import re
from dataclasses import replace

import pytest

from tests.acceptance import oracle
from tests.backends import foreign_names
from tests.backends.kernels import PROGRAMS
from weft.backends.c import generate
from weft.backends.c.program import dialect as c_dialect
from weft.backends.cuda.dialect import CudaDialect
from weft.backends.gpu import kernels
from weft.backends.host import driver
from weft.backends.opencl.dialect import OpenclDialect
from weft.backends.text import code
from weft.backends.text.code import Identifiers
from weft.backends.text.vector_helpers import REGISTER_LANES
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import place
from weft.transform import pipeline

DIALECTS = {"c": c_dialect(REGISTER_LANES), "cuda": CudaDialect(), "opencl": OpenclDialect()}
EVERY = 12
"""Of the acceptance programs every so manieth is printed."""
ELSEWHERE = frozenset({"c", "bytes", "value_0", "value_1", "reqd_work_group_size"})
"""Words that stand in functions and types of Weft's own only, or are an attribute."""


@pytest.mark.parametrize("name", ["a", "x2", "A", "row_sum", "sum_of_squares_2", "lambda_", "theta", "mask", "n0"])
def test_names_that_are_nobody_elses_stay(name):
    assert Identifiers(()).fresh(name) == name


FOREIGN = ["INT64_MAX", "WEFT_OK", "int64_t", "typeof", "N_MAX", "weft_k", "cl_khr_fp64", "Point"]


@pytest.mark.parametrize("name", FOREIGN)
def test_names_of_others_change(name):
    assert Identifiers(()).fresh(name) != name


def test_no_macro_and_no_word_of_a_language_is_a_name():
    """What a name becomes is none of them either, with any number."""
    foreign = {*foreign_names.macros(), *foreign_names.KEYWORDS}
    assert len(foreign) > 500
    for name in foreign:
        names = Identifiers(())
        assert not foreign & {names.fresh(name) for _ in range(20)}


def test_no_macro_of_wefts_text_is_a_name():
    helpers = {name for dialect in DIALECTS.values() for name in dialect.helpers.names}
    macros = {name for text in foreign_names.support_texts() for name in re.findall(r"#\s*define (\w+)", text)}
    assert len(macros) > 100
    assert not [name for name in macros if Identifiers(helpers).fresh(name) == name]


def test_names_of_templates_are_no_names():
    for tag in ("bool", "int8", "uint64", "float16", "complex128"):
        made = [f"{stem}_{tag}" for stem in ("max", "floordiv", "update_add", "select")]
        assert not [name for name in (*made, f"{tag}x8", f"splat_{tag}x8") if Identifiers(()).fresh(name) == name]


@pytest.mark.parametrize("name", ["_x", "__x", "x_t", "é", "数", "x" * 200])
def test_every_name_becomes_one_of_c(name):
    assert re.fullmatch(r"[A-Za-z]\w*", Identifiers(()).fresh(name), re.ASCII)


def test_no_two_names_become_one():
    names = [
        "x",
        "x.1",
        "x_1",
        "v_x",
        "_x",
        "__x",
        "v__x",
        "X_",
        "parts",
        "parts_2",
        "v_parts",
        "v_parts_2",
        "INT",
        "v_INT",
    ]
    made = Identifiers(())
    assert len({made.fresh(name) for name in names * 3}) == 3 * len(names)


@pytest.mark.sample(0)
def test_words_that_printers_write_are_no_names(monkeypatch):
    """Every name that comes from a program is marked; what has no mark then is the printers' own."""
    texts: dict[str, list[str]] = {"c": [], "cuda": [], "opencl": []}
    plain = code._plain
    monkeypatch.setattr(code, "_plain", lambda name: f"zz{plain(name).rstrip('_')}zz")
    for name in list(PROGRAMS)[::EVERY]:
        for language, text in _texts(name, monkeypatch):
            texts[language].append(re.sub(r'/\*.*?\*/|"[^"]*"', "", text, flags=re.S))
    monkeypatch.setattr(code, "_plain", plain)
    for language, printed in texts.items():
        words = code.words("\n".join(printed)) - ELSEWHERE
        assert len(words) > 100
        helpers = DIALECTS[language].helpers.names
        own = {w for w in words if "zz" not in w}
        assert not [w for w in own if Identifiers(helpers).fresh(w) == w]
        made = {re.sub("zz.*zz", "row", w) for w in words if "zz" in w and not _is_kernel(w)}
        assert not [w for w in made if not re.fullmatch(r"row(_\d+)?", w) and Identifiers(()).fresh(w) == w]


def _is_kernel(word: str) -> bool:
    return re.match(r"zzprogramzz_\d+(_[a-z]+)?$", word) is not None


def _texts(name, monkeypatch):
    """What is printed of a program besides helper functions, with the language."""
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    program = replace(build(function, types), name="zzprogramzz")
    seen: list[str] = []
    for dialect in DIALECTS.values():
        monkeypatch.setattr(dialect.helpers, "needed", lambda text: seen.append(text) or [])
    generate(pipeline.for_cpu(pipeline.optimise(program)))
    for device in ("cuda", "opencl"):
        placed = place(pipeline.optimise(program, turns=False, blocks=device == "cuda", rows=True), device).program
        driver.generate(placed)
        yield from (("c", text) for text in seen)
        seen.clear()
        kernels.generate(placed, DIALECTS[device])
        yield from ((device, text) for text in seen)
        seen.clear()
