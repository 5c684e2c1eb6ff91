"""The bar that shows how far a search is and the best time so far."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import Progress as RichProgress

from weft.autotune.measuring.outcomes import Tuning


class Bar:
    """A bar on the standard error, for a ``with`` block, which gives the function that moves it."""

    def __init__(self) -> None:
        self._progress = RichProgress(console=Console(stderr=True))
        self._task = self._progress.add_task("tuning", total=1.0)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, tuning: Tuning, part: float) -> None:
        """Show what part of the budget is used."""
        best = f"{tuning.best.seconds:.3g}" if tuning.best else "none"
        text = f"{tuning.name}: best {best}, {len(tuning.candidates)} tried"
        self._progress.update(self._task, completed=min(part, 1.0), description=text)
