"""The plugin beside another of Spark's extensions: both are at work, and answers are those without the plugin.

Usage: beside_check.py delta|iceberg|comet|sparkmeasure PLUGIN JAR... The classes of either are those of its jars."""

import json
import pathlib
import sys
import tempfile
import urllib.request

from pyspark.sql import SparkSession

OURS = "io.github.sparkgpusched.GpuSchedPlugin"
POINTS = "select id, (id % 200) / 100D - 1.5D re, (id div 200) / 100D - 0.5D im from range(0, 20000, 1, 4)"
folder = tempfile.mkdtemp()
recorded = pathlib.Path(folder, "stages.json")
SETTINGS = {
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    },
    "iceberg": {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.local": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.local.type": "hadoop",
    },
    "comet": {
        "spark.plugins": f"{OURS},org.apache.spark.CometPlugin",
        "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
        "spark.comet.exec.shuffle.enabled": "true",
        "spark.memory.offHeap.enabled": "true",
        "spark.memory.offHeap.size": "1g",
    },
    "sparkmeasure": {
        "spark.extraListeners": "ch.cern.sparkmeasure.FlightRecorderStageMetrics",
        "spark.sparkmeasure.outputFormat": "json",
        "spark.sparkmeasure.outputFilename": str(recorded),
    },
}
name, jars = sys.argv[1], sys.argv[2:]
# The others read plain Parquet.
has_tables = name in ("delta", "iceberg")
builder = SparkSession.builder.master("local[2]").appName(f"beside {name}").config("spark.plugins", OURS)
builder = builder.config("spark.gpusched.batching", "always").config("spark.jars", ",".join(jars))
# Plugins and shuffle managers are looked for where the JVM finds Spark.
builder = builder.config("spark.driver.extraClassPath", ":".join(jars)).config("spark.sql.warehouse.dir", f"{folder}/warehouse")
builder = builder.config("spark.sql.catalog.local.warehouse", f"{folder}/local").config("spark.ui.port", 0)
for key, value in SETTINGS[name].items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
spark.udf.registerJavaFunction("mandelbrot", "io.github.sparkgpusched.functions.MandelbrotIterations", "int")
plans = []


def run(query: str) -> list:
    frame = spark.sql(query)
    plans.append(frame._jdf.queryExecution().executedPlan().toString())
    return frame.collect()


def answers(table: str, enabled: bool) -> list:
    spark.conf.set("spark.gpusched.enabled", enabled)
    plans.clear()
    spark.sql(f"create table {table} using {name if has_tables else 'parquet'} as {POINTS}")
    if has_tables:
        spark.sql(f"update {table} set re = mandelbrot(re, im, 50) / 100D where id % 3 = 0")
        spark.sql(f"delete from {table} where id % 5 = 0 and mandelbrot(re, im, 90) > 80")
        spark.sql(
            f"merge into {table} t using (select id, mandelbrot(re, im, 70) n from ({POINTS})) s on t.id = s.id"
            " when matched and s.n > 60 then update set im = s.n / 90D when not matched then insert (id, re, im) values (s.id, 0D, 1D)"
        )
    columns = "sum(mandelbrot(re, im, 500)), count(*), sum(pmod(xxhash64(id, re, im), 1048576L))"
    return [
        *run(f"select {columns} from {table}"),
        *run(f"select id % 7 k, max(mandelbrot(re, im, 300)) from {table} where mandelbrot(im, re, 20) < 20 group by 1 order by 1"),
        *run(f"select count(*) from {table} a join {table} b on a.id = b.id where mandelbrot(a.re, b.im, 40) > 7"),
    ]


prefix = "local.db." if name == "iceberg" else ""
batched = answers(f"{prefix}batched", True)
ours = list(plans)
plain = answers(f"{prefix}plain", False)
assert batched == plain, f"{batched} with the plugin, {plain} without it"
assert all("BatchedUdfs" in plan for plan in ours), "not batched: " + "\n".join(ours)
assert not any("BatchedUdfs" in plan for plan in plans), "batched though it is off"
if name == "delta":
    assert spark.sql("describe history batched").count() == 4, "no history of Delta's"
elif name == "iceberg":
    assert spark.sql("select * from local.db.batched.snapshots").count() == 4, "no snapshots of Iceberg's"
elif name == "comet":
    assert all("Comet" in plan for plan in ours), "Comet does nothing: " + "\n".join(ours)
    print(ours[0])
page = urllib.request.urlopen(f"{spark.sparkContext.uiWebUrl}/gpusched/").read().decode()
assert "mandelbrot" in page, "the tab does not tell of the function"
spark.stop()
if name == "sparkmeasure":
    stages = json.loads(recorded.read_text())
    assert sum(stage["numTasks"] for stage in stages) >= 10, f"sparkMeasure has recorded {stages}"
    print(f"sparkMeasure has recorded {len(stages)} stages")
print(f"answer: beside {name}=true")
