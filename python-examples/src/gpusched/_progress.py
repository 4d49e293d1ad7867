"""Progress of queries, in notebooks and terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gpusched._connect import is_remote
from gpusched._load import _read, repeat
from gpusched._notebook import in_notebook
from gpusched._session import require_plugin

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SECONDS = 0.5


@contextmanager
def progress(spark: SparkSession) -> Iterator[None]:
    """Show, while the ``with`` block runs, how far its stages are and what devices have done.

    In a notebook, one line below the cell, which goes when the block ends; in a terminal, a line of
    standard error; elsewhere nothing. The tasks are those of Spark's own progress bar; through
    Spark Connect, PySpark shows its own bar, and this shows the devices alone.

    :raises SetupError: if the session's Spark has no plugin
    """
    require_plugin(spark)
    show, clear = _screen()
    if show is None:
        yield
        return
    before = int(_read(spark)["rows"].sum())
    tasks = _no_stages if is_remote(spark) else _stages(spark)

    def update() -> None:
        table = _read(spark)
        busy = int((table["inFlight"] > 0).sum())
        show(
            f"{tasks()}{int(table['rows'].sum()) - before:,} rows by devices, "
            f"{busy} of {len(table)} busy"
        )

    try:
        with repeat(update, _SECONDS):
            yield
    finally:
        clear()


def _no_stages() -> str:
    return ""


def _stages(spark: SparkSession) -> Callable[[], str]:
    tracker = spark.sparkContext.statusTracker()

    def stages() -> str:
        lines = []
        for stage in sorted(tracker.getActiveStageIds()):
            info = tracker.getStageInfo(stage)
            if info is not None:
                lines.append(f"stage {stage}: {info.numCompletedTasks} of {info.numTasks} tasks; ")
        return "".join(lines)

    return stages


def _screen() -> tuple[Callable[[str], None] | None, Callable[[], None]]:
    """How to show a line in place of the one before, and how to clear it."""
    if in_notebook():
        notebook: Any = import_module("IPython.display")
        handle = notebook.display(notebook.HTML(""), display_id=True)

        def update(line: str) -> None:
            handle.update(notebook.HTML(f"<code>{line}</code>"))

        return update, lambda: update("")
    if sys.stderr.isatty():

        def show(line: str) -> None:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()

        return show, lambda: show("")
    return None, lambda: None
