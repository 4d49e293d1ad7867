"""The Python package on a Spark home: a function is registered, batched, right, and in the load table."""

import gpusched
from pyspark.sql import functions as F

spark = gpusched.session(master="local[2]", config={"spark.ui.enabled": "false", "spark.gpusched.batching": "always"})
points = spark.range(20_000).selectExpr("(id % 200) / 100D - 1.5D re", "(id div 200) / 100D - 0.5D im")
mandelbrot = gpusched.register(spark, "mandelbrot", "io.github.sparkgpusched.functions.MandelbrotIterations")
numbered = mandelbrot.add_to(points, "n", "re", "im", 500)
assert "BatchedUdfs [" in numbered._jdf.queryExecution().executedPlan().toString(), "not batched"
batched = numbered.agg(F.sum("n")).first()[0]
spark.conf.set("spark.gpusched.enabled", "false")
plain = mandelbrot.add_to(points, "n", "re", "im", 500).agg(F.sum("n")).first()[0]
assert batched == plain, f"{batched} with the plugin, {plain} without it"
spark.conf.set("spark.gpusched.enabled", "true")
assert gpusched.load_table(spark) is not None
assert spark.sql("SELECT sum(`rows`) FROM gpusched_load()").first()[0] >= 20_000
print("answer: python=True")
