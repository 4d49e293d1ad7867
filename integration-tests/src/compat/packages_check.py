from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.udf.registerJavaFunction("mandelbrot", "io.github.sparkgpusched.functions.MandelbrotIterations", "int")
q = spark.range(20000).selectExpr("mandelbrot((id % 200) / 100D - 1.5D, (id div 200) / 100D - 0.5D, 500) n").groupBy().sum("n")
assert "BatchedUdfs [" in q._jdf.queryExecution().executedPlan().toString(), "not batched"
batched = q.first()[0]
spark.conf.set("spark.gpusched.enabled", "false")
plain = spark.range(20000).selectExpr("mandelbrot((id % 200) / 100D - 1.5D, (id div 200) / 100D - 0.5D, 500) n").groupBy().sum("n").first()[0]
print("answer: packages=" + str(batched == plain))
assert batched == plain
spark.stop()
