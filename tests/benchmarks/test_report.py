"""What a complete run writes: all its figures to a record, the few that users want to know to the manual."""

import json

import pytest

from benchmarks import report


def figure(implementation, times, size=1 << 20, program="saxpy"):
    return {
        "program": program, "implementation": implementation, "size": size, "status": "measured", "message": "",
        "times": times, "kernel_times": [], "steady": True,
    }  # fmt: skip


MACHINE = {
    "command": "python -m benchmarks", "date": "2026-01-02", "processor": "A processor", "cores": 4, "system": "Linux",
    "python": "3.12", "packages": {"numpy": "2.0"}, "compilers": {"gcc": "gcc 13"}, "flags": "-O3",
}  # fmt: skip
FIGURES = {
    "machine": MACHINE,
    "notes": [],
    "steady": [
        figure("weft", [2e-3, 2.1e-3, 1.9e-3]), figure("c-gcc", [4e-3, 4.1e-3, 3.9e-3]),
        figure("numba", [20e-3, 21e-3, 19e-3]), figure("weft", [1e-6, 1e-6, 1e-6], 256),
        figure("c-gcc", [9e-6, 9e-6, 9e-6], 256), figure("weft", [9.0, 9.0, 9.0], 1 << 24),
    ],
}  # fmt: skip


@pytest.fixture
def written(tmp_path):
    source, record, page = tmp_path / "cpu.json", tmp_path / "records" / "cpu.md", tmp_path / "benchmarks.md"
    source.write_text(json.dumps(FIGURES))
    page.write_text(f"# Benchmarks\n\n{report.BEGIN}\n\nold figures\n\n{report.END}\n\nand by hand\n")
    assert report.write(source, record, page) == record
    return record.read_text(), page.read_text()


def test_the_record_has_every_size(written):
    record, _ = written
    assert record.startswith("# All figures of one run\n")
    assert "### Saxpy, float32" in record and "| 2^8 |" in record and "| 2^20 |" in record and "| 2^24 |" in record


def test_the_page_has_the_largest_size_that_both_ran(written):
    _, page = written
    assert "| Saxpy, float32 | 2^20 | 2 ms | 2.00 | 10.00 | - |" in page
    assert "2^8" not in page and "2^24" not in page
    assert "`python -m benchmarks` on 2026-01-02: A processor, 4 cores." in page


def test_the_page_keeps_what_is_written_by_hand(written):
    _, page = written
    assert page.startswith("# Benchmarks\n") and page.endswith("and by hand\n") and "old figures" not in page


def test_the_page_of_the_manual_can_be_written():
    text = report.PAGE.read_text()
    assert text.index(report.BEGIN) < text.index(report.END)
    assert "# All figures of one run" in report.RECORD.read_text()


def test_a_page_without_the_comments_is_refused(tmp_path):
    source, page = tmp_path / "cpu.json", tmp_path / "benchmarks.md"
    source.write_text(json.dumps(FIGURES))
    page.write_text("nothing to replace\n")
    with pytest.raises(ValueError, match="substring not found"):
        report.write(source, tmp_path / "cpu.md", page)
    assert page.read_text() == "nothing to replace\n"
