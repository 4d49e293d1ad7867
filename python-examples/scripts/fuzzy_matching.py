"""Finds places that may be in the list twice, by edit distance; checks it against Spark's own.

python fuzzy_matching.py [--country FR]
spark-submit --jars spark-gpu-sched-….jar --conf spark.plugins=… fuzzy_matching.py
"""

import argparse
import sys
from pathlib import Path

import gpusched
from pyspark.sql import functions as F

repository = Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--data", type=Path, default=repository / "integration-tests" / "data")
parser.add_argument("--country", help="of this country only, as FR; default all")
options = parser.parse_args()

spark = gpusched.session("fuzzy matching")
distance = gpusched.register(spark, "edits", "io.github.sparkgpusched.functions.Levenshtein")
cities = spark.read.parquet(str(options.data / "cities.parquet"))
if options.country:
    cities = cities.where(F.col("country") == options.country)
named = cities.where("length(name) > 5 and not name rlike '[0-9]'")
named = named.withColumn("start", F.lower(F.substring("name", 1, 4)))
columns = ["city_id", "name", "lon", "lat"]
a = named.select("country", "start", *[F.col(c).alias(f"{c}_a") for c in columns])
b = named.select("country", "start", *[F.col(c).alias(f"{c}_b") for c in columns])
pairs = a.join(b, ["country", "start"]).where("city_id_a < city_id_b").drop("start")

compared = distance.add_to(pairs, "edits", "name_a", "name_b").withColumn(
    "of_spark", F.levenshtein("name_a", "name_b")
)
near = "abs(lat_a - lat_b) < 0.1 and abs(lon_a - lon_b) < 0.1 / cos(radians(lat_a))"
total = compared.agg(
    F.count("*").alias("pairs"),
    F.count_if(F.col("edits") != F.col("of_spark")).alias("differ"),
    F.count_if(F.expr(f"edits between 1 and 2 and {near}")).alias("suspects"),
).first()
print(f"{total.pairs:,} pairs; {total.differ} differ from Spark's levenshtein")
print(f"{total.suspects:,} pairs are near each other and one or two edits apart, such as")
suspects = compared.where("edits between 1 and 2").where(near)
suspects.select("country", "name_a", "name_b", "edits").orderBy("edits", "name_a", "name_b").show(
    15
)
spark.stop()
sys.exit(1 if total.differ else 0)
