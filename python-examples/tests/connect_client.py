"""A client of a Spark Connect server, for test_connect.py; prints one JSON object."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import gpusched
import numpy as np
from pyspark.sql import functions as F


def error(what):
    try:
        what()
        return "none"
    except Exception as e:
        return f"{type(e).__name__}: {e}"


spark = gpusched.session(remote=sys.argv[1])
name = "io.github.sparkgpusched.functions.MultiplyAdd"
bare = gpusched.register(spark, "multiply_add", name, "double")
typed = gpusched.register(spark, "typed", name, "double", ["double"] * 3)
df = spark.range(1000).selectExpr("id", "if(id % 9 = 0, null, cast(id as double)) x")
answer = bare.add_to(df, "y", "x", 2.0, 1.0).withColumn("own", F.expr("x * 2 + 1"))


@gpusched.cuda_udf("double", cuda="__device__ double f(double x, long long n) { return x + n; }")
def f(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    return x + n


with ThreadPoolExecutor(1) as pool:
    # Which has no active session.
    in_a_thread = pool.submit(f, "x", "id").result()


with gpusched.record_load(spark, every_millis=50) as recording:
    spark.range(0, 300_000, 1, 2).selectExpr(
        "sum(multiply_add(cast(id as double), 2D, 1D))"
    ).collect()
print(
    json.dumps(
        {
            "session": type(spark).__module__,
            "batched": "BatchedUdfs"
            in spark.sql("explain select typed(1D * id, 2D, 3D) from range(9)").first()[0],
            "wrong": answer.where("not (y <=> own)").count(),
            "udf": f.add_to(df, "y", "x", "id").where("not (y <=> x + id)").count(),
            "in a thread": df.select("x", "id", in_a_thread.alias("y"))
            .where("not (y <=> x + id)")
            .count(),
            "devices": list(gpusched.load_table(spark)["device"]),
            "recorded": int(recording.samples.groupby("device")["rows"].last().sum()),
            "no class": error(lambda: gpusched.register(spark, "f", "no.such.Class", "int")),
            "arity": error(lambda: bare.add_to(df, "y", "x").collect()),
            "types": error(lambda: typed.add_to(df, "y", "x", "id", 1.0)),
        }
    )
)
