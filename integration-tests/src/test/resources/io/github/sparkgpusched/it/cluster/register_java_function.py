"""Registers a Java UDF by its class name and compares the batched answer with the row-wise one.

Arguments: the jars of the plugin and of the UDF, with a comma between them.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.types import IntegerType

QUERY = """
    select id % 7 k, sum(steps(id)) s from range(0, 10000, 1, 2)
    where steps(id + 1) > 5 group by id % 7 order by k
"""

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.jars", sys.argv[1])
    .config("spark.plugins", "io.github.sparkgpusched.GpuSchedPlugin")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
spark.udf.registerJavaFunction(
    "steps", "io.github.sparkgpusched.it.cluster.app.CollatzSteps", IntegerType()
)


def run():
    plan = spark.sql("explain " + QUERY).collect()[0][0]
    return spark.sql(QUERY).collect(), "BatchedUdfs" in plan


batched, is_batched = run()
spark.conf.set("spark.gpusched.enabled", "false")
plain, is_plain_batched = run()
print("answer: batched=%s" % is_batched)
print("answer: plain=%s" % (not is_plain_batched))
print("answer: equal=%s" % (len(batched) == 7 and batched == plain))
spark.stop()
