"""The example of the README runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

README = Path(__file__).parents[2] / "README.md"


def test_example_runs_and_is_right(tmp_path, capsys):
    text = README.read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    path = tmp_path / "readme.py"
    path.write_text(program, encoding="utf-8")
    names: dict[str, np.ndarray] = {"__name__": "readme"}
    exec(compile(program, str(path), "exec"), names)
    image, result = names["image"], names["result"]
    expected = np.zeros_like(image)
    expected[1:-1, 1:-1] = 0.25 * (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2] + image[1:-1, 2:])
    np.testing.assert_array_equal(result, expected)
    assert "parallel" in capsys.readouterr().out


def test_links_lead_to_files():
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if "://" not in link and not (README.parent / link).exists()] == []
