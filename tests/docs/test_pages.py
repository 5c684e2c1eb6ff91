"""The pages about Weft itself: short, complete, and in one form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
RECORDS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
LINK = re.compile(r"\]\(([^)#:]+\.md)\)")


def entries(text):
    """The terms of a glossary with what is said of each."""
    blocks = re.findall(r"```\{glossary\}\n(.*?)```", text, re.DOTALL)
    return [entry.split("\n") for block in blocks for entry in block.strip().split("\n\n")]


def test_the_architecture_is_read_in_ten_minutes():
    assert len((DOCS / "architecture.md").read_text(encoding="utf-8").split()) <= 1800


def test_the_glossary_has_a_line_for_each_term():
    found = entries((DOCS / "glossary.md").read_text(encoding="utf-8"))
    assert 60 <= len(found) <= 100
    assert all(len(entry) == 2 and entry[1].startswith("  ") for entry in found)
    assert len({term for term, _ in found}) == len(found)


def test_numbers_of_decisions_are_used_once():
    numbers = [path.name[:3] for path in RECORDS]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_says_context_decision_and_consequences(path):
    text = path.read_text(encoding="utf-8")
    assert re.match(rf"# {path.name[:3]}: \S", text)
    places = [text.find(f"\n## {title}\n") for title in ("Context", "Decision", "Consequences")]
    assert -1 not in places and places == sorted(places)


@pytest.mark.parametrize("path", [*DOCS.glob("*.md"), *RECORDS], ids=lambda path: path.stem)
def test_pages_that_are_linked_are_there(path):
    linked = LINK.findall(path.read_text(encoding="utf-8"))
    assert [link for link in linked if not (path.parent / link).exists()] == []


def test_the_manual_needs_no_notes():
    assert [path.name for path in DOCS.glob("*.md") if "notes/" in path.read_text(encoding="utf-8")] == []
