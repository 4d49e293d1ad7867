"""The load table: what each device of each executor does, has done, and has before it."""

from __future__ import annotations

import html
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pandas as pd
from gpusched._connect import is_remote
from gpusched._errors import ArgumentError, GpuSchedError
from gpusched._literals import is_number
from gpusched._session import require_plugin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_QUERY = "SELECT * FROM gpusched_load()"
_SHORTEST_MILLIS = 10
# How often executors report while they work.
_REPORT_MILLIS = 250
# That are fetched one by one; of more devices that would take longer than a query.
_MOST_ROWS = 200


class LoadTable(pd.DataFrame):
    """A load table as pandas has it, which notebooks show with bars. Slices are plain DataFrames.

    One row per device, with the columns of the SQL function ``gpusched_load()``, whatever the
    plugin's version has: docs/monitoring.md lists them with their units. What a kind of device does
    not measure is missing (``pd.NA``).
    """

    def _repr_html_(self) -> str:
        heads = ("executor", "device", "state", "busy", "", "rows", "blocks", "steals", "queue")
        lines = [
            "<table><thead><tr>",
            *(f'<th style="text-align:left">{head}</th>' for head in heads),
            "</tr></thead><tbody>",
        ]
        for row in self.to_dict("records"):
            share = row["busyMillis"] / max(1, row["busyMillis"] + row["idleMillis"])
            bar = (
                '<div style="width:8em;background:#e4e7ec"><div style="height:0.8em;background:'
                f'#2b6cb0;width:{100 * share:.0f}%"></div></div>'
            )
            cells = [
                html.escape(str(row["executorId"])),
                html.escape(str(row["device"])),
                html.escape(str(row["state"])),
                bar,
                f"{row['busyMillis'] / 1000:,.1f} s, {100 * share:.0f}%",
                f"{row['rows']:,}",
                f"{row['blocks']:,}",
                f"{row['steals']:,} of {row['stealRequests']:,}",
                f"{row['queueDepth']:,}",
            ]
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        return "".join([*lines, "</tbody></table>"])


def load_table(spark: SparkSession) -> LoadTable:
    """Return the application's load table as it is now; works through Spark Connect too.

    Figures are those that executors last reported, at most a quarter of a second old while there
    is work. It starts no job.

    :raises SetupError: if the session's Spark has no plugin
    """
    require_plugin(spark)
    return _read(spark)


def _read(spark: SparkSession) -> LoadTable:
    result = spark.sql(_QUERY)
    fields = result.schema.fields
    rows = _collect(spark, result)
    columns: dict[str, Any] = {}
    for i, field in enumerate(fields):
        values = [row[i] for row in rows]
        if field.dataType.typeName() == "string":
            # Else an empty one, before executors report, would be of numbers.
            columns[field.name] = pd.Series(values, dtype=object)
        else:
            columns[field.name] = pd.array(values, dtype="Int64" if field.nullable else "int64")
    return LoadTable(columns)


def _collect(spark: SparkSession, result: DataFrame) -> list[Any]:
    """Collect without a query: those of a recording would hide the user's in Spark's UI."""
    if is_remote(spark):
        return result.collect()
    from py4j.protocol import Py4JError
    from pyspark.serializers import CPickleSerializer

    jvm: Any = spark._jvm
    pickles: Any = CPickleSerializer()
    try:
        to_python = jvm.org.apache.spark.sql.api.python.PythonSQLUtils.toPyRow
        rows = list(result._jdf.queryExecution().executedPlan().executeCollectPublic())
        if len(rows) <= _MOST_ROWS:
            return [pickles.loads(to_python(row)) for row in rows]
    except Py4JError:
        pass  # a Spark that has not these
    return result.collect()


class LoadRecording:
    """How busy each device was over a span of time; see :func:`record_load`.

    ``samples`` is a DataFrame with a row for each sample of each device: ``seconds`` since the
    start, ``device``, and what devices had done since the start: ``busyMillis``, ``rows``,
    ``steals``.
    """

    def __init__(self) -> None:
        self._samples: list[tuple[float, LoadTable]] = []
        self.error: Exception | None = None

    def _add(self, seconds: float, table: LoadTable) -> None:
        self._samples.append((seconds, table))

    @property
    def samples(self) -> pd.DataFrame:
        """See the class."""
        parts = []
        for seconds, table in self._samples:
            part = pd.DataFrame(
                {
                    # An older report is still true: executors report what changes.
                    "seconds": seconds - table["ageMillis"].clip(upper=_REPORT_MILLIS) / 1000,
                    "device": table["executorId"] + "/" + table["device"],
                    **{name: table[name] for name in ("busyMillis", "rows", "steals")},
                }
            )
            parts.append(part)
        if not parts:
            raise GpuSchedError("the recording is empty: it is filled when its with block ends")
        counters = ["busyMillis", "rows", "steals"]
        before = parts[0].set_index("device")[counters]
        samples = pd.concat(parts).sort_values("seconds", kind="stable")
        for counter in counters:
            # A device that came later had done nothing at the start.
            samples[counter] -= samples["device"].map(before[counter]).fillna(0).astype("int64")
        samples["seconds"] = samples["seconds"].clip(lower=0)
        return samples.reset_index(drop=True)

    @property
    def seconds(self) -> float:
        """How long the recording is."""
        return self._samples[-1][0] if self._samples else 0.0


@contextmanager
def record_load(spark: SparkSession, every_millis: int = 100) -> Iterator[LoadRecording]:
    """Record the load table while the ``with`` block runs; draw it with :func:`plot_load`.

    Executors report every quarter of a second while they work, so finer detail is not seen.

    :raises SetupError: if the session's Spark has no plugin
    :raises ArgumentError: if ``every_millis`` is below 10
    """
    require_plugin(spark)
    if not is_number(every_millis) or every_millis < _SHORTEST_MILLIS:
        raise ArgumentError(f"every_millis={every_millis!r}: give {_SHORTEST_MILLIS} or more")
    recording = LoadRecording()
    start = time.monotonic()

    def sample() -> None:
        recording._add(time.monotonic() - start, _read(spark))

    sample()
    with repeat(sample, every_millis / 1000):
        yield recording
    end = time.monotonic() - start
    # The last report is on its way.
    time.sleep(0.3)
    table = _read(spark)
    recording._add(end, table.assign(ageMillis=0))


@contextmanager
def repeat(action: Callable[[], None], seconds: float) -> Iterator[None]:
    """Call an action again and again in a thread while the ``with`` block runs.

    An action that fails is not called again: what it shows is not worth a user's query.
    """
    ended = threading.Event()

    def serve() -> None:
        while not ended.wait(seconds):
            try:
                action()
            except Exception:
                return

    thread = threading.Thread(target=serve, name="gpusched", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(timeout=10)
