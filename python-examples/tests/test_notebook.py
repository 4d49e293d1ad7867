"""What a notebook shows when a query fails: its error, and not Java's stack."""

import nbformat
from gpusched import _session
from nbclient import NotebookClient

START = """
import gpusched
spark = gpusched.session(master="local[2]", config={"spark.ui.enabled": False})
"""
FAILS = """
@gpusched.cuda_udf("double", cuda="__device__ double f(double x) { return x + 1; }")
def f(x):
    raise ValueError("no such luck")
f.add_to(spark.range(9).selectExpr("cast(id as double) x"), "y", "x").collect()
"""


def test_a_cell_that_fails_shows_no_stack_of_java():
    cells = [nbformat.v4.new_code_cell(code) for code in (START, FAILS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=1200, kernel_name="python3", allow_errors=True).execute()
    outputs = notebook.cells[1].outputs
    logged = "".join(out.text for out in outputs if out.get("name") == "stderr")
    assert len(logged.splitlines()) < 10, logged
    (error,) = [out for out in outputs if out.output_type == "error"]
    assert "no such luck" in error.evalue
    assert "\tat " not in logged + error.evalue


def test_what_log4j_reads_as_latin_1_is_ascii():
    assert _session._LOGGING.read_bytes().isascii()
