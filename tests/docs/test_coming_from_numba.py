"""The examples of the page for Numba's users run as they stand there, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import weft

PAGE = Path(__file__).parents[2] / "docs" / "coming_from_numba.md"
EXAMPLE = re.compile(r"```\{testcode\}\n(.*?)```(?:\s*```\{testoutput\}\n(.*?)```)?", re.DOTALL)


def test_examples_say_what_the_page_says(tmp_path, capsys):
    names: dict[str, object] = {"__name__": "page"}
    threads = weft.get_num_threads()
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) >= 8
    try:
        for number, (program, said) in enumerate(examples):
            path = tmp_path / f"example{number}.py"
            path.write_text(program, encoding="utf-8")
            exec(compile(program, str(path), "exec", dont_inherit=True), names)
            assert capsys.readouterr().out == said
    finally:
        weft.set_num_threads(threads)
