"""The advisor from Python: on logs that other versions of Spark have written. Starts no Spark."""

import subprocess
import sys

import gpusched
import pytest
from conftest import REPOSITORY
from gpusched import _advise

LOGS = REPOSITORY / "spark-gpu-sched/src/test/resources/io/github/sparkgpusched/advise"


@pytest.fixture(scope="module")
def advice():
    return gpusched.advise(LOGS / "spark-3.5.9.zstd", LOGS / "python-4.2.1.zstd")


def test_tables_have_all_logs(advice):
    assert set(advice.applications["log"]) == {"spark-3.5.9.zstd", "python-4.2.1.zstd"}
    assert set(advice.applications["sparkVersion"]) == {"3.5.9", "4.2.1"}
    java = advice.queries[advice.queries["application"] == "spark-3.5.9.zstd"]
    assert sorted(java["id"]) == [0, 4]
    assert (java["saved.low"] <= java["saved.mid"]).all()
    assert (java["saved.mid"] < java["seconds"]).all()
    assert any("churn" in names[0] for names in advice.stages["functions"])
    assert any("LeftOuter" in why for why in advice.not_batched["why"])


def test_text_and_page(advice, tmp_path):
    assert "balancing would save" in str(advice)
    advice.write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "srcdoc=" in advice._repr_html_()


def test_what_is_no_log_is_refused(tmp_path):
    with pytest.raises(gpusched.GpuSchedError, match="nowhere does not exist: give the file"):
        gpusched.advise(tmp_path / "nowhere")
    with pytest.raises(gpusched.GpuSchedError, match="no log was given"):
        gpusched.advise()
    with pytest.raises(gpusched.SetupError, match="only a Spark session fetches"):
        gpusched.advise(tmp_path, jar="a.group:an-artifact:1.0")


def test_a_name_like_an_option_is_a_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "--json").write_bytes((LOGS / "spark-4.3.0.zstd").read_bytes()[:0])
    assert "--json is empty" in str(gpusched.advise("--json"))


def test_the_command(capfd):
    assert _advise.main(["advise", "--json", str(LOGS / "spark-4.3.0.zstd")]) == 0
    assert '"sparkVersion" : "4.3.0"' in capfd.readouterr().out
    assert _advise.main(["advise"]) == 2
    assert _advise.main(["advize"]) == 2
    assert "usage: gpusched advise" in capfd.readouterr().err


def test_spark_is_looked_for(monkeypatch, tmp_path):
    (tmp_path / "jars").mkdir()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert _advise._spark_jars() == tmp_path / "jars"
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "none"))
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(gpusched.SetupError, match=r"set SPARK_HOME"):
        _advise._spark_jars()


def test_the_console_script_is_in_the_package():
    name = "gpusched._advise:main"
    assert f'gpusched = "{name}"' in (REPOSITORY / "python-examples/pyproject.toml").read_text()
    run = subprocess.run(
        [sys.executable, "-c", "from gpusched._advise import main; raise SystemExit(main(['-h']))"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
