"""Which device computed which blocks. The suite's Spark has no UI, so this has one of its own."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import gpusched
import pandas as pd
import pytest
from gpusched import _page

SCRIPT = """
import json, time
import gpusched
from gpusched._page import read_part
spark = gpusched.session(master="local[2]", config={"spark.ui.port": 0, "spark.log.level": "OFF"})
f = gpusched.register(spark, "f", "io.github.sparkgpusched.functions.MultiplyAdd")
x = spark.range(0, 50_000, 1, 2).selectExpr("cast(id as double) x")
before = time.time()
f.add_to(x, "y", "x", 2.0, 1.0).agg({"y": "sum"}).collect()
after = time.time()
deadline = time.monotonic() + 600
spans = gpusched.block_spans(spark)
missed = 0
while spans["rows"].sum() != 50_000 and not missed and time.monotonic() < deadline:
    time.sleep(0.05)
    missed = read_part(spark, "missedBlocks", "")
    spans = gpusched.block_spans(spark)
x.selectExpr("input_file_name() file", "f(x, 2D, 1D) y").agg({"y": "sum", "file": "max"}).collect()
@gpusched.cuda_udf("double", cuda="__device__ double t(double x) { return x + 1; }")
def t(x: float) -> float:
    return x + 1
x.select(t("x").alias("y")).agg({"y": "sum"}).collect()
words = gpusched.diagnosis(spark).to_dict("list")
answer = {"diagnosis": words, "before": before, "after": after, "spans": spans.to_dict("list")}
print(json.dumps(answer | {"missed": missed}))
"""


def test_all_rows_are_in_spans():
    """But for blocks that are said to be missed: another thread was at the trace as they ended."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=1200,
        # Where none is: the driver's page is asked for directly.
        env={**os.environ, "http_proxy": "http://127.0.0.1:9", "no_proxy": ""},
    )
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout.splitlines()[-1])
    spans = pd.DataFrame(answer["spans"])
    if answer["missed"]:
        assert 0 < spans["rows"].sum() < 50_000
    else:
        assert spans["rows"].sum() == 50_000
    assert set(spans["device"]) <= {"driver/host:0", "driver/host:1"}
    assert (spans["start"] <= spans["end"]).all()
    assert answer["before"] - 1 < spans["start"].min()
    assert spans["end"].max() < answer["after"] + 1
    assert answer["diagnosis"]["kind"] == ["row by row"] * 2
    text = sorted(answer["diagnosis"]["text"])
    assert "f stays row by row in 1 plan" in text[0]
    assert "no device computes its CUDA function: this Spark has no CUDA device" in text[1]
    assert "See the reason" in answer["diagnosis"]["change"][0]


def test_without_a_ui_there_is_advice(spark):
    with pytest.raises(gpusched.NotSupportedError, match=r"spark\.ui\.enabled=false.*record_load"):
        gpusched.block_spans(spark)
    with pytest.raises(gpusched.NotSupportedError, match=r"spark\.ui\.enabled=false.*load_table"):
        gpusched.diagnosis(spark)


def test_a_picture_has_a_bar_for_each_span():
    spans = pd.DataFrame(
        {
            "device": ["a/1", "a/0", "a/0"],
            "start": [10.0, 10.5, 12.0],
            "end": [11.0, 11.0, 13.0],
            "stolen": [False, False, True],
        }
    )
    ax = gpusched.plot_blocks(spans, seconds=4)
    bars = [(path.get_extents(), c) for c in ax.collections for path in c.get_paths()]
    assert sorted((box.x0, box.x1, box.y0 < 0.5) for box, _ in bars) == [
        (0.0, 1.0, False),
        (0.5, 1.0, True),
        (2.0, 3.0, True),
    ]
    colours = {tuple(c.get_facecolor()[0]) for _, c in bars}
    assert len(colours) == 2, "stolen ones have another colour"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a/0", "a/1"]
    assert ax.get_xlim() == (0, 4)


@pytest.mark.parametrize(
    ("url", "enabled", "words"),
    [
        (None, "true", "spark.ui.enabled=false"),
        ("http://host:4040", "False", "spark.gpusched.ui.enabled is false"),
    ],
)
def test_without_a_page_says_which_setting(monkeypatch, url, enabled, words):
    monkeypatch.setattr(_page, "require_plugin", lambda spark: None)
    monkeypatch.setattr(_page, "is_remote", lambda spark: False)
    spark = SimpleNamespace(
        sparkContext=SimpleNamespace(uiWebUrl=url),
        conf=SimpleNamespace(get=lambda key, default: enabled),
    )
    with pytest.raises(gpusched.NotSupportedError, match=words):
        _page.read_part(spark, "spans", "do without")
