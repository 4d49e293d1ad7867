"""Pictures of the load: devices and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from gpusched._errors import SetupError
from gpusched._load import LoadRecording, load_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pyspark.sql import SparkSession

_BUSY, _IDLE, _STALLED = "#2b6cb0", "#e4e7ec", "#dd9a3a"
_COLUMNS = 120


def plot_load(
    source: SparkSession | pd.DataFrame | LoadRecording,
    ax: Axes | None = None,
    *,
    seconds: float | None = None,
) -> Axes:
    """Draw devices against time.

    Of a session, a load table, or some of its rows: how long each device was busy and idle so far.
    Of a :class:`LoadRecording`: when each device was busy.

    :param ax: where to draw; without it, a new figure
    :param seconds: of a recording: where the time axis ends, to compare two
    :raises SetupError: if matplotlib is missing, or the session's Spark has no plugin
    """
    table = source if isinstance(source, (pd.DataFrame, LoadRecording)) else load_table(source)
    if isinstance(table, LoadRecording):
        ax = axes(ax, table.samples["device"].nunique())
        _draw_recording(ax, table, seconds)
    else:
        ax = axes(ax, len(table))
        _draw_table(ax, table)
    dress(ax)
    return ax


def axes(ax: Axes | None, devices: int) -> Axes:
    """Return ``ax``, or those of a new figure that is high enough for so many devices."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as e:
        raise SetupError(
            "pictures are drawn with matplotlib, which is not installed: pip install matplotlib"
        ) from e
    if ax is not None:
        return ax
    return plt.subplots(figsize=(8, 0.9 + 0.4 * max(1, devices)), layout="constrained")[1]


def dress(ax: Axes) -> None:
    """Finish a picture of devices, the first at the top, against time."""
    ax.set_xlabel("seconds")
    ax.invert_yaxis()
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.tick_params(axis="y", length=0)


def _draw_table(ax: Axes, table: pd.DataFrame) -> None:
    names = list(table["executorId"] + "/" + table["device"])
    stalled = table["stalledMillis"].fillna(0).to_numpy(dtype=float) / 1000
    busy = table["busyMillis"].to_numpy(dtype=float) / 1000
    idle = table["idleMillis"].to_numpy(dtype=float) / 1000
    left = np.zeros(len(table))
    for label, seconds, color in (
        ("busy", busy, _BUSY),
        ("stalled", stalled, _STALLED),
        ("idle", idle, _IDLE),
    ):
        if label != "stalled" or stalled.any():
            ax.barh(names, seconds, left=left, color=color, label=label, height=0.6)
            left = left + seconds
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.35), ncols=3, frameon=False)


def _draw_recording(ax: Axes, recording: LoadRecording, seconds: float | None) -> None:
    """Draw for each device how busy it was between two reports, as how dark its line is."""
    samples = recording.samples
    devices = sorted(set(samples["device"]))
    end = seconds or recording.seconds
    edges = np.linspace(0, recording.seconds, _COLUMNS + 1)
    shares = np.zeros((len(devices), _COLUMNS))
    for i, device in enumerate(devices):
        own = samples[samples["device"] == device]
        busy = np.interp(edges, own["seconds"], own["busyMillis"] / 1000)
        shares[i] = np.diff(busy) / np.diff(edges)
    from matplotlib.colors import LinearSegmentedColormap

    ax.imshow(
        shares,
        aspect="auto",
        interpolation="nearest",
        extent=(0, recording.seconds, len(devices) - 0.5, -0.5),
        vmin=0,
        vmax=1,
        cmap=LinearSegmentedColormap.from_list("busy", [_IDLE, _BUSY]),
    )
    ax.set_yticks(range(len(devices)), devices)
    ax.set_xlim(0, end)
    # White lines between the devices.
    for i in range(len(devices) - 1):
        ax.axhline(i + 0.5, color="white", linewidth=6)
    # Undone by the caller, which lists devices downwards.
    ax.invert_yaxis()
