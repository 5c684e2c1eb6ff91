"""The user's words for accesses and loops: the source text where it is known, else what the forms say."""

from __future__ import annotations

import linecache

from weft.analysis.access.access import Access
from weft.analysis.dependence.certainty import May
from weft.analysis.values.linear import Form
from weft.ir.location import Location


def access_text(access: Access) -> str:
    """An access as the user wrote it, for example ``a[i - 1]``."""
    written = source_text(access.location)
    is_whole = access.kind == "load" or written.endswith("]")
    if is_whole and written.startswith(access.view.stem):
        return written
    if access.indices is None:
        return access.view.stem
    return f"{access.view.stem}[{', '.join(form_text(index.form) for index in access.indices)}]"


def form_text(form: Form) -> str:
    """A form with the user's names: what follows a dot in a name only tells versions apart."""
    pieces = str(form).split(" ")
    return " ".join(_without_version(piece) for piece in pieces)


def _without_version(piece: str) -> str:
    if ".shape[" in piece or "(" in piece:
        return piece
    return "*".join(part.partition(".")[0].lstrip("@") for part in piece.split("*"))


def source_text(location: Location) -> str:
    """The text of a location on one line, or nothing where it is not known."""
    if not location.end_line or location.end_line != location.line:
        return ""
    line = linecache.getline(location.file, location.line).encode()
    return line[location.column : location.end_column].decode(errors="ignore").strip()


def line_of(location: Location | None) -> str:
    """``line 7``, or nothing."""
    return f" (line {location.line})" if location is not None and location.line else ""


def conflict_text(counter: str, source: Access, sink: Access, distance: May[int] | None, doubtful: bool = False) -> str:
    """What two iterations do to one element; `doubtful`: perhaps."""
    what = {True: "writes", False: "reads"}
    later = "a later one" if distance is None else f"iteration {counter} + {distance.value}"
    perhaps = "perhaps " if doubtful else ""
    return (
        f"iteration {counter} {what[source.writes]} {access_text(source)}{line_of(source.location)} and "
        f"{later} {what[sink.writes]} {access_text(sink)}{line_of(sink.location)}: {perhaps}the same element"
    )
