"""An extension of other sources is an error with its remedy, and no crash."""

import shutil

import pytest

from weft.runtime import _stub
from weft.runtime.sources import check_built_from_sources, fingerprint


def test_an_extension_of_other_sources_is_refused_with_what_to_type(tmp_path):
    native = tmp_path / "src" / "weft" / "runtime" / "native"
    (native / "support").mkdir(parents=True)
    (native / "_stub.c").write_text("int a;")
    (native / "support" / "pool.h").write_text("int b;")
    built_from = fingerprint(native)
    check_built_from_sources(built_from, native)

    def refused(built_from):
        with pytest.raises(ImportError) as caught:
            check_built_from_sources(built_from, native)
        return str(caught.value)

    assert "pip install --force-reinstall" in refused("")  # of a Weft that did not know what it was built from
    (tmp_path / "setup.py").touch()
    (native / "support" / "pool.h").write_text("int c;")
    assert f"cd {tmp_path} && python setup.py build_ext --inplace --force" in refused(built_from)
    (native / "support" / "pool.h").write_text("int b;")
    shutil.move(native / "_stub.c", native / "_stubs.c")
    assert "other sources" in refused(built_from)


def test_the_extension_knows_what_it_was_built_from():
    assert len(_stub.sources) == 16
