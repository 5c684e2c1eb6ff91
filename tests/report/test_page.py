"""The report as one HTML file."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import weft
from weft.plan.transfers.actions import Action, Plan
from weft.report.drawing import roofline, timeline
from weft.report.nests import NestCost, Roofs
from weft.runtime import machines
from weft.runtime.devices import speeds


@weft.jit
def smoothed(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    total = 0.0
    for i in range(len(u)):
        if u[i] < 1.0 and v[i] > 0.0:
            total += u[i]
    return total


class Reader(HTMLParser):
    """The ids and links of a page, and whether all elements are closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if "href" in known else []
        if tag not in ("meta", "rect", "line", "circle", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def explanation():
    return weft.explain(smoothed, np.ones(100), np.ones(100), 3)


def read(explanation, tmp_path) -> tuple[str, Reader]:
    text = explanation.save(tmp_path / "report.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert not reader.open
    return text, reader


def test_all_links_lead_somewhere(explanation, tmp_path):
    _, reader = read(explanation, tmp_path)
    assert len(reader.ids) == len(set(reader.ids))
    assert {link[1:] for link in reader.links} <= set(reader.ids)


def test_every_loop_has_its_verdict_beside_its_line(explanation, tmp_path):
    text, _ = read(explanation, tmp_path)
    for k, loop in enumerate(explanation.loops):
        row = re.search(rf'<tr id="line-{loop.line}">.*?</tr>', text)
        assert row is not None and f'href="#loop-{k}">{loop.verdict}<' in row[0]


def test_the_source_is_shown_as_text(explanation, tmp_path):
    text, _ = read(explanation, tmp_path)
    assert "if u[i] &lt; 1.0 and v[i] &gt; 0.0:" in text
    assert explanation.source[0][1] == "@weft.jit" and explanation.source[-1][1] == "    return total"


def test_nests_have_times_bytes_and_operations(explanation):
    first, second = explanation.nests
    assert (first.times, second.times) == (3, 1)
    assert first.operations == 3 * 98 * 2
    assert 3 * 1500 < first.bytes < 3 * 2000
    assert all(nest.seconds > 0 and nest.device == "cpu" for nest in explanation.nests)


def test_the_interpreter_has_no_predicted_times(tmp_path):
    found = weft.explain(weft.jit(smoothed.__wrapped__, device="interpreter"), np.ones(9), np.ones(9), 3)
    text, _ = read(found, tmp_path)
    assert found.nests == () and "Roofline" not in text


@pytest.mark.opencl
def test_devices_have_costs_too(monkeypatch):
    speed = replace(speeds.processor(), device="opencl")
    monkeypatch.setattr(machines, "other_devices", lambda: {"opencl": speed})
    found = weft.explain(weft.jit(smoothed.__wrapped__, device="opencl"), np.ones(100), np.ones(100), 3)
    assert found.nests and found.roofs is not None and found.roofs.operations > 0
    assert {nest.device for nest in found.nests} == {"opencl"} and found.nests[0].seconds > 0


def test_the_timeline_shows_copies_and_kernels(explanation, tmp_path):
    plan = Plan((Action("copy_in", "u", "[0:9]", "72", 12), Action("launch", "smoothed", line=13), Action("free", "u")))
    picture = timeline(plan, ())
    assert picture.count("<rect") == 2 and "#line-13" in picture and "copy in u[0:9], 72 bytes" in picture
    read(replace(explanation, plan=Plan()), tmp_path)


def test_points_of_the_roofline_stand_below_the_roof():
    nest = NestCost(7, "cpu", 1, operations=1e9, bytes=1e9, seconds=1.0)
    picture = roofline([nest], Roofs(operations=1e11, bytes=1e10, measured=True))
    roof = re.search(r'<polyline class="roof" points="[^ ]+ [\d.]+,([\d.]+)', picture)
    point = re.search(r'<circle class="nest" cx="[\d.]+" cy="([\d.]+)"', picture)
    assert roof is not None and point is not None and float(point[1]) > float(roof[1])
