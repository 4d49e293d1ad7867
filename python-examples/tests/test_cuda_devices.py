"""A cuda_udf on CUDA devices: those of a test double of the driver. No result about GPUs."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import cuda_double
import gpusched
import pytest
import test_connect

CLIENT = Path(__file__).parent / "cuda_client.py"


def run(scenario, *remote, **settings):
    process = subprocess.run(
        [sys.executable, CLIENT, scenario, *remote],
        capture_output=True,
        text=True,
        timeout=1200,
        env=cuda_double.environment(GPUSCHED_JAR=gpusched.find_jar().place, **settings),
    )
    assert process.returncode == 0, process.stderr[-5000:]
    return json.loads(process.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def answers():
    return run("several", CUDA_DOUBLE_DEVICES=2)


def check_answers(answer):
    assert answer["why not"] is None
    for function in ("by_row", "by_array", "by_series"):
        assert answer[function]["wrong"] == 0
        assert answer[function]["nulls"] > 500
        assert answer[function]["same"], "as by the Python function"
    assert "BatchedUdfs [by_array(x" in answer["plan"]
    assert "Python" not in answer["plan"]
    assert answer["rows"]["cuda"] >= 9 * 5_000
    assert answer["rows"]["host"] == 0, "cores have no form to compute it by"
    assert answer["types"] == [True, [False, False, True]]
    assert all(answer["results"].values())


def test_answers_are_those_of_the_python_function(answers):
    check_answers(answers["answers"])
    assert answers["said"] == []


def test_by_nvidias_compiler(tmp_path):
    """NVRTC itself compiles the texts, and its PTX is emulated lane by lane (cuda/check/ptx)."""
    package = importlib.util.find_spec("nvidia.cuda_nvrtc")
    if package is None:
        pytest.skip("no package nvidia-cuda-nvrtc-cu12: see requirements-test.txt")
    answer = run(
        "answers",
        NVRTC=Path(package.submodule_search_locations[0]) / "lib",
        KERNELS=tmp_path,
        CUDA_DOUBLE_PTX=1,
    )
    check_answers(answer)
    assert answer["said"] == []
    # The double's own "PTX" is a comment.
    assert all(".entry " in kernel.read_text() for kernel in tmp_path.glob("*.ptx"))
    assert len(list(tmp_path.glob("*.ptx"))) >= 10


def test_through_spark_connect(tmp_path):
    process, address = test_connect.start(
        tmp_path,
        *("--jars", gpusched.find_jar().place),
        *("--conf", "spark.plugins=io.github.sparkgpusched.GpuSchedPlugin"),
        *("--conf", f"spark.gpusched.cuda.cacheDir={cuda_double.KERNELS}"),
        environment=cuda_double.environment(),
    )
    try:
        answer = run("answers", address)
    finally:
        process.kill()
        process.wait(600)
    check_answers(answer)
    assert answer["said"] == []


def test_in_all_places_of_a_query(answers):
    answer = answers["places"]
    # A call that cannot leave its place has the whole query on the Python function.
    assert answer.pop("random") == [True, False]
    assert answer == {place: [True, True] for place in answer}


def test_the_check_compares_what_devices_computed(answers):
    answer = answers["checks"]
    assert answer["agree"] == answer["by name"] == 4055
    assert answer["share"] == answer["unchecked"] == 5_000
    for differs in (answer["differ"], answer["differ by name"]):
        assert "check of by_array: " in differs
        assert "its CUDA text ran on a CUDA device" in differs


def test_errors_name_the_function(answers):
    answer = answers["errors"]
    assert "'by_array' runs in this query by its CUDA function" in answer["compile"]
    assert "by_array.cu:1" in answer["compile"]
    assert "squirt" in answer["compile"]
    assert "argument 2 of by_array(double, bigint|timestamp) is double: give" in answer["type"]
    assert "cannot be given an array that has null elements" in answer["array"]
    assert "total(array of 2)" in answer["array"]


def test_a_query_fails_when_all_devices_are_lost_and_the_next_runs_in_python():
    answer = run("lost", CUDA_DOUBLE_FAULT="*:lost@2")
    assert "'by_array' runs in this query by its CUDA function, which cores" in answer["first"]
    assert "cuda:0 was given up" in answer["first"]
    assert "Run the query again, by a new DataFrame, as one keeps its plan" in answer["first"]
    assert "which cores cannot compute" in answer["again"], "the DataFrame keeps its plan"
    assert answer["wrong"] == 0
    assert answer["why not"] == "this Spark has no CUDA device at work: cuda:0 is quarantined"
    assert "ArrowEvalPython" in answer["plan"]


def test_products_and_sums_are_fused_only_where_results_need_not_be_exact(tmp_path):
    run("exactness", KERNELS=tmp_path)
    kernels = [kernel.read_text() for kernel in tmp_path.glob("*.ptx")]
    options = sorted("--fmad=true" in k for k in kernels if "--fmad=" in k)
    assert options == [False, True]


def test_without_a_compiler_it_says_so_and_runs_in_python():
    answer = run("no_compiler", NVRTC="/nowhere")
    assert answer["rows"] == 4055
    assert len(answer["said"]) == 1
    assert "runs as its Python function: this Spark: there is no NVRTC here" in answer["said"][0]


@pytest.mark.parametrize("name", ["damped it", "a.b", ""])
def test_names_for_sql(spark, name):
    text = "__device__ double f(double x) { return x; }"
    f = gpusched.cuda_udf("double", cuda=text)(lambda x: x)
    if name:
        with pytest.raises(gpusched.ArgumentError, match="is not a function's name"):
            f.register(spark, name)
    else:
        with pytest.raises(gpusched.ArgumentError, match="cannot be 'int': give double"):
            f.register(spark, "f", ["int"])
        with pytest.raises(gpusched.ArgumentError, match="a list of a type for each"):
            f.register(spark, "f", ["double", "double"])
