"""On a Spark 4 that has kept javax.servlet: the UI has no tab of the plugin's and no page for Prometheus, and all else works."""

import json
from urllib.request import urlopen

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()


def is_there(name: str) -> bool:
    try:
        spark._jvm.java.lang.Class.forName(name)
        return True
    except Py4JJavaError:
        return False


assert is_there("javax.servlet.http.HttpServletRequest")
assert not is_there("jakarta.servlet.http.HttpServletRequest"), "this Spark has jakarta.servlet"

spark.udf.registerJavaFunction("mandelbrot", "io.github.sparkgpusched.functions.MandelbrotIterations", "int")
query = "select sum(mandelbrot((id % 200) / 100D - 1.5D, (id div 200) / 100D - 0.5D, 500)) from range(20000)"
assert "BatchedUdfs [" in spark.sql(query)._jdf.queryExecution().executedPlan().toString(), "not batched"
batched = spark.sql(query).first()[0]
spark.conf.set("spark.gpusched.enabled", "false")
plain = spark.sql(query).first()[0]
assert batched == plain, f"{batched} with the plugin, {plain} without it"
assert spark.sql("select sum(`rows`) from gpusched_load()").first()[0] >= 20_000

ui = spark.sparkContext.uiWebUrl
with urlopen(f"{ui}/jobs/", timeout=60) as page:
    text = page.read().decode()
    assert "Spark Jobs" in text, text
    assert "GPU Scheduler" not in text, "a tab on servlets that are not there"
with urlopen(f"{ui}/gpusched-metrics/", timeout=60) as page:  # Spark leads to its jobs
    assert "gpusched_" not in page.read().decode(), "metrics on servlets that are not there"
with urlopen(f"{ui}/api/v1/applications", timeout=60) as answer:
    assert len(json.load(answer)) == 1
print("answer: servlets=True")
spark.stop()
