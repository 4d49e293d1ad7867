"""The load table, recordings and pictures of it, and progress."""

import re
import time

import gpusched
import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from gpusched import _load

mpl.use("Agg")
ROWS = 200_000


@pytest.fixture(scope="module")
def query(spark):
    name = "io.github.sparkgpusched.functions.MultiplyAdd"
    function = gpusched.register(spark, "for_load", name)
    df = function.add_to(
        spark.range(0, ROWS, 1, 4).selectExpr("cast(id as double) x"), "y", "x", 2.0, 1.0
    )
    return lambda: df.agg({"y": "sum"}).first()[0]


def settled(spark, rows):
    """The load table once it counts so many rows: executors report four times a second."""
    deadline = time.monotonic() + 600
    table = gpusched.load_table(spark)
    while table["rows"].sum() != rows and time.monotonic() < deadline:
        time.sleep(0.05)
        table = gpusched.load_table(spark)
    return table


def test_the_load_table_counts_all_rows(spark, query):
    time.sleep(1)
    before = int(gpusched.load_table(spark)["rows"].sum())
    assert query() == sum(2.0 * x + 1 for x in range(ROWS))
    table = settled(spark, before + ROWS)
    assert table["rows"].sum() == before + ROWS
    assert isinstance(table, pd.DataFrame)
    assert list(table["device"]) == ["host:0", "host:1"]
    assert set(table["state"]) == {"active"}
    assert table["busyMillis"].dtype == "int64"
    assert table["freeBytes"].isna().all(), "a host device has no memory of its own"
    assert (table["blocks"] > 0).any()


def test_a_recording_leaves_the_list_of_queries_to_the_users(spark, monkeypatch):
    def queries():
        return spark._jsparkSession.sharedState().statusStore().executionsCount()

    before = queries()
    with gpusched.record_load(spark, every_millis=10) as recording:
        time.sleep(0.5)
    assert len(recording._samples) > 3
    spark.range(1).collect()
    deadline = time.monotonic() + 60
    while queries() == before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert queries() == before + 1
    ours = gpusched.load_table(spark)
    # By a query, as on a large cluster, or where Spark has not what it takes.
    monkeypatch.setattr(_load, "_MOST_ROWS", 0)
    by_query = gpusched.load_table(spark)
    assert (ours.dtypes == by_query.dtypes).all()
    assert list(ours["device"]) == list(by_query["device"]) == ["host:0", "host:1"]


def test_it_starts_no_job(spark):
    tracker = spark.sparkContext.statusTracker()
    spark.sparkContext.setJobGroup("load", "load")
    try:
        gpusched.load_table(spark)
        assert list(tracker.getJobIdsForGroup("load")) == []
        spark.range(10).repartition(2).count()
        assert list(tracker.getJobIdsForGroup("load")) != [], "the tracker sees jobs"
    finally:
        spark.sparkContext.setJobGroup("", "")


def test_notebooks_show_a_row_a_device(spark, query):
    query()
    table = gpusched.load_table(spark)
    page = table._repr_html_()
    assert page.count("<tr>") == 1 + len(table)
    assert "host:0" in page
    assert "%" in page
    table["device"] = "<script>"
    assert "<script>" not in table._repr_html_()
    assert "rows" in table[["rows"]]._repr_html_(), "a slice is shown as pandas does"


def test_a_recording_has_what_was_done(spark, query):
    time.sleep(1)
    with gpusched.record_load(spark, every_millis=50) as recording:
        query()
    samples = recording.samples
    last = samples.groupby("device").last()
    assert last["rows"].sum() == ROWS
    assert (samples.groupby("device")["rows"].first() == 0).all()
    for _, device in samples.groupby("device"):
        assert device["seconds"].is_monotonic_increasing
        assert device["rows"].is_monotonic_increasing
    assert samples["seconds"].max() <= recording.seconds + 1e-9


def test_an_empty_recording_and_a_wrong_interval(spark):
    with pytest.raises(gpusched.GpuSchedError, match="the recording is empty"):
        _ = gpusched.LoadRecording().samples
    with (
        pytest.raises(gpusched.ArgumentError, match="every_millis=1: give 10"),
        gpusched.record_load(spark, every_millis=1),
    ):
        pass


def test_pictures_show_devices_and_time(spark, query, tmp_path):
    with gpusched.record_load(spark) as recording:
        query()
        time.sleep(0.3)
    for source in (spark, gpusched.load_table(spark), recording):
        ax = gpusched.plot_load(source)
        ax.figure.canvas.draw()
        assert [label.get_text() for label in ax.get_yticklabels()] == [
            "driver/host:0",
            "driver/host:1",
        ]
        assert ax.get_xlabel() == "seconds"
        low, high = ax.get_ylim()
        assert low > high, "the first device is at the top"
        ax.figure.savefig(tmp_path / "load.png")


def test_some_rows_of_a_table_are_drawn(spark):
    table = gpusched.load_table(spark)
    ax = gpusched.plot_load(table[table["device"] == "host:1"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["driver/host:1"]


def test_before_an_executor_has_reported_there_are_no_devices(spark, monkeypatch):
    monkeypatch.setattr("gpusched._load._QUERY", "SELECT * FROM gpusched_load() WHERE false")
    empty = gpusched.load_table(spark)
    monkeypatch.undo()
    later = gpusched.load_table(spark)
    assert list(empty.dtypes) == list(later.dtypes)
    assert gpusched.plot_load(empty).get_xlabel() == "seconds"
    recording = gpusched.LoadRecording()
    recording._add(0, empty)
    recording._add(1, later)
    assert list(recording.samples["device"]) == ["driver/host:0", "driver/host:1"]
    assert gpusched.plot_load(recording).get_xlabel() == "seconds"


def test_a_device_that_idles_is_idle_until_now_once(spark):
    """The driver has counted what has passed since the last report."""
    table = gpusched.load_table(spark).assign(
        idleMillis=[30_000, 10_000], busyMillis=10_000, inFlight=0, ageMillis=10_000
    )
    ax = gpusched.plot_load(gpusched.LoadTable(table))
    idle = next(bars for bars in ax.containers if bars.get_label() == "idle")
    assert [bar.get_width() for bar in idle] == pytest.approx([30, 10])
    shares = re.findall(r"(\d+)%</td>", gpusched.LoadTable(table)._repr_html_())
    assert shares == ["25", "50"]


def test_a_picture_is_dark_where_a_device_was_busy(spark):
    recording = gpusched.LoadRecording()
    start = gpusched.load_table(spark).assign(ageMillis=0)
    for seconds, busy in ((0, (0, 0)), (2, (2000, 0)), (4, (2000, 1000))):
        recording._add(seconds, start.assign(busyMillis=start["busyMillis"] + busy))
    shares = gpusched.plot_load(recording).images[0].get_array()
    half = shares.shape[1] // 2
    for device, half_shares in enumerate(((1, 0), (0, 0.5))):
        np.testing.assert_allclose(shares[device, :half], half_shares[0], atol=1e-6)
        np.testing.assert_allclose(shares[device, half:], half_shares[1], atol=1e-6)


def test_without_matplotlib_there_is_advice(spark, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(gpusched.SetupError, match="pip install matplotlib"):
        gpusched.plot_load(spark)


def test_progress_in_a_terminal(spark, query, monkeypatch):
    lines = []

    class Terminal:
        def isatty(self):
            return True

        def write(self, text):
            lines.append(text)

        def flush(self):
            pass

    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr("gpusched._progress._SECONDS", 0.02)
    with gpusched.progress(spark):
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline and not any("stage" in line for line in lines):
            query()
    shown = next(line for line in lines if "stage" in line)
    assert "tasks; " in shown
    assert "of 2 busy" in shown
    assert lines[-1] == "\r\x1b[K", "the line is cleared"


def test_progress_elsewhere_says_nothing(spark, query, capfd):
    with gpusched.progress(spark):
        query()
    assert capfd.readouterr().out == ""


def test_a_device_that_comes_later_began_with_nothing():
    def table(busy):
        n = len(busy)
        return gpusched.LoadTable(
            {
                "executorId": ["1"] * n,
                "device": list(busy),
                "busyMillis": list(busy.values()),
                "rows": list(busy.values()),
                "steals": [0] * n,
                "ageMillis": [0] * n,
            }
        )

    recording = gpusched.LoadRecording()
    for seconds, busy in enumerate(({"a": 100}, {"a": 150, "b": 30}, {"a": 150, "b": 40})):
        recording._add(seconds, table(busy))
    rows = recording.samples[["seconds", "device", "rows"]].to_numpy().tolist()
    assert rows == [[0, "1/a", 0], [1, "1/a", 50], [1, "1/b", 30], [2, "1/a", 50], [2, "1/b", 40]]
