"""Which device computed which blocks, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from gpusched._page import read_part

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pyspark.sql import SparkSession

_COLUMNS = ["device", "start", "end", "rows", "blocks", "stolen", "stageId", "taskId"]
_OWN, _STOLEN = "#2b6cb0", "#dd9a3a"


def block_spans(spark: SparkSession) -> pd.DataFrame:
    """Return what devices computed when, one row a span, oldest first.

    A span is blocks that a device computed one right after the other for one task. Columns:
    ``device`` (``executor/device``), ``start`` and ``end`` (seconds since 1970 by the executor's
    clock), ``rows``, ``blocks``, ``stolen`` (whether they were first dealt to another device),
    ``stageId``, ``taskId``. The driver keeps the newest, ``spark.gpusched.ui.retainedSpans``.

    They are read from the page of Spark's UI, so this needs the UI, and classic PySpark.

    :raises NotSupportedError: through Spark Connect, or if Spark runs without its UI
    :raises SetupError: if the session's Spark has no plugin
    """
    spans = read_part(spark, "spans", "use gpusched.record_load")
    rows = [
        (
            f"{span['executorId']}/{span['span']['device']}",
            span["span"]["startMicros"] / 1e6,
            span["span"]["endMicros"] / 1e6,
            *(span["span"][name] for name in _COLUMNS[3:]),
        )
        for span in spans
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


def plot_blocks(
    spans: pd.DataFrame, ax: Axes | None = None, *, seconds: float | None = None
) -> Axes:
    """Draw devices against time: blocks of a device's own in blue, stolen ones in orange.

    :param spans: of :func:`block_spans`, or some of its rows
    :param ax: where to draw; without it, a new figure
    :param seconds: where the time axis ends, to compare two; it begins with the first block
    :raises SetupError: if matplotlib is missing
    """
    from gpusched._plot import axes, dress

    devices = sorted(set(spans["device"]))
    ax = axes(ax, len(devices))
    start = spans["start"].min() if len(spans) else 0.0
    for stolen, color, label in ((False, _OWN, "its own"), (True, _STOLEN, "stolen")):
        for i, device in enumerate(devices):
            own = spans[(spans["device"] == device) & (spans["stolen"] == stolen)]
            bars = list(zip(own["start"] - start, own["end"] - own["start"], strict=True))
            ax.broken_barh(bars, (i - 0.36, 0.72), color=color, label=label if i == 0 else None)
    ax.set_yticks(range(len(devices)), devices)
    ax.set_xlim(0, seconds)
    dress(ax)
    return ax
