"""The notebooks run top to bottom, and the scripts by spark-submit."""

import os
import subprocess
import sys
import time
from pathlib import Path

import gpusched
import nbformat
import pyspark
import pytest
from conftest import REPOSITORY

PACKAGE = REPOSITORY / "python-examples"
NOTEBOOKS = sorted((PACKAGE / "notebooks").glob("*.ipynb"))
# Enough to run every line.
SCRIPTS = {
    "mandelbrot.py": ["--width", "120", "--iterations", "1000"],
    "cities.py": ["--sample", "200"],
    "fuzzy_matching.py": ["--country", "FR"],
    "own_function.py": [],
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_top_to_bottom(path, monkeypatch):
    monkeypatch.syspath_prepend(str(PACKAGE))
    from run_notebooks import run

    is_quiet = os.getloadavg()[0] < (os.cpu_count() or 1) + 1
    start = time.monotonic()
    notebook = run(path)
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    assert not [out for out in outputs if out.output_type == "error"]
    assert any("image/png" in out.get("data", {}) for out in outputs), "no picture"
    # A bar for a machine that does nothing else: the time of others is not the notebook's.
    assert time.monotonic() - start < 120 or not is_quiet


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_clean_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    assert any("image/png" in out.get("data", {}) for out in outputs), (
        "no picture: python run_notebooks.py --write"
    )
    assert not [out for out in outputs if out.get("name") == "stderr"]
    assert not [out for out in outputs if out.output_type == "error"]
    assert all(cell.get("execution_count") is None for cell in notebook.cells)
    assert str(REPOSITORY) not in path.read_text("utf-8"), "a path of this machine"


def test_there_are_scripts_for_all_notebooks():
    assert sorted(SCRIPTS) == sorted(p.name for p in (PACKAGE / "scripts").glob("*.py"))
    assert len(NOTEBOOKS) == len(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_by_spark_submit(name, tmp_path):
    out = [] if name == "fuzzy_matching.py" else ["--out", str(tmp_path)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPARK_")}
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    run = subprocess.run(
        [
            str(Path(pyspark.__file__).parent / "bin" / "spark-submit"),
            *("--master", "local[2]", "--jars", gpusched.find_jar().place),
            *("--conf", "spark.ui.port=0"),
            str(PACKAGE / "scripts" / name),
            *SCRIPTS[name],
            *out,
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        cwd=tmp_path,
        env=environment,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    if out:
        assert [p for p in tmp_path.glob("*.png") if p.stat().st_size > 5_000]
