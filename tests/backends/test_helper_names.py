"""A helper function in C has one definition, or the file of a dialect says that it replaces it."""

import pytest

from weft.backends.c.program import dialect
from weft.backends.cuda.dialect import CudaDialect
from weft.backends.opencl.dialect import OpenclDialect
from weft.backends.text.helpers import Helpers
from weft.errors import InternalError
from weft.ir.c_text import PREFIX

SHARED = "/* Numbers. */\n\nHELPER int one(void) { return 1; }\n\nHELPER TYPE twice_@(TYPE a) { return a + a; }\n"


def helpers(folder, **files):
    """Helpers of a shared file and some others."""
    paths = [folder / f"{name}.h" for name in ("integers", *files)]
    for path, text in zip(paths, (SHARED, *files.values()), strict=True):
        path.write_text(text)
    return Helpers(paths, {"int64": "int64_t"})


@pytest.mark.parametrize("found", [dialect(), CudaDialect(), OpenclDialect()])
def test_no_helper_is_called_as_what_c_functions_of_users_hold(found):
    assert not [name for name in found.helpers.names if name.startswith(PREFIX)]


@pytest.mark.parametrize("fastmath", [False, True])
@pytest.mark.parametrize("made", [CudaDialect, OpenclDialect])
def test_each_dialect_says_what_it_replaces(made, fastmath):
    assert made(fastmath).helpers.names
    assert dialect().helpers.names


def test_a_file_may_add_names_and_repeat_a_definition(tmp_path):
    found = helpers(tmp_path, more="HELPER int two(void) { return 2; }\n\nHELPER int one(void) { return 1; }\n")
    assert {"one", "two"} <= found.names


@pytest.mark.parametrize("text", ["HELPER int one(void) { return 3; }", "#define one 1", "typedef int one;"])
def test_a_second_definition_is_an_error(tmp_path, text):
    with pytest.raises(InternalError, match=r"what other\.h says .*: one\n"):
        helpers(tmp_path, other=text).needed("one()")


def test_a_second_template_is_an_error(tmp_path):
    with pytest.raises(InternalError, match="twice_@"):
        helpers(tmp_path, other="HELPER TYPE twice_@(TYPE a) { return 2 * a; }").needed("twice_int64(1)")


def test_a_file_that_defines_a_name_twice_is_an_error(tmp_path):
    text = "HELPER int two(void) { return 2; }\n\nHELPER int two(void) { return 1 + 1; }\n"
    with pytest.raises(InternalError, match="two is defined twice in other"):
        helpers(tmp_path, other=text).needed("two()")


def test_a_file_that_says_so_replaces_a_name(tmp_path):
    text = "/* Replaces: one\n   twice_@ */\n\nHELPER int one(void) { return 3; }\n\n"
    text += "HELPER TYPE twice_@(TYPE a) { return 2 * a; }"
    found = helpers(tmp_path, other=text)
    assert found.needed("one()") == ["HELPER int one(void) { return 3; }"]
    assert found.needed("twice_int64(1)") == ["HELPER int64_t twice_int64(int64_t a) { return 2 * a; }"]


def test_what_is_said_to_be_replaced_must_be(tmp_path):
    with pytest.raises(InternalError, match=r"what other\.h says .*: one\n"):
        helpers(tmp_path, other="/* Replaces: one */\n\nHELPER int two(void) { return 2; }").needed("two()")
