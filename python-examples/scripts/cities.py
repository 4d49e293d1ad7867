"""Finds the country of each of the world's cities, and draws the map.

python cities.py [--out FOLDER] [--sample N]
spark-submit --jars spark-gpu-sched-….jar --conf spark.plugins=… cities.py
"""

import argparse
from pathlib import Path

import gpusched
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from pyspark.sql import functions as F

repository = Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--out", type=Path, default=Path("."), help="where the map goes")
parser.add_argument("--data", type=Path, default=repository / "integration-tests" / "data")
parser.add_argument("--sample", type=int, default=1, help="takes one of so many cities")
options = parser.parse_args()

spark = gpusched.session("cities")
cities = spark.read.parquet(str(options.data / "cities.parquet"))
cities = cities.where(F.col("city_id") % options.sample == 0)
rings = spark.read.parquet(str(options.data / "rings.parquet"))
point_in_ring = gpusched.register(
    spark, "point_in_ring", "io.github.sparkgpusched.functions.PointInRing"
)

boxes = rings.select(
    "ring_id",
    F.col("country").alias("ring_country"),
    *("min_lon", "max_lon", "min_lat", "max_lat"),
    F.explode(F.expr("sequence(floor(min_lat), floor(max_lat))")).alias("degree"),
)
pairs = (
    cities.withColumn("degree", F.floor("lat"))
    .join(F.broadcast(boxes), "degree")
    .where("lon between min_lon and max_lon and lat between min_lat and max_lat")
    .select("city_id", "lon", "lat", "ring_id", "ring_country")
    .repartition(16, "ring_country")
    .join(F.broadcast(rings.select("ring_id", "xs", "ys")), "ring_id")
)
hits = (
    point_in_ring.add_to(pairs, "inside", "lon", "lat", "xs", "ys")
    .where("inside")
    .groupBy("city_id")
    .agg(F.min("ring_country").alias("found"))
)
answer = cities.join(hits, "city_id", "left")
with gpusched.progress(spark):
    found = answer.select("country", "found", "lon", "lat").toPandas()

agree = found["country"] == found["found"]
nowhere = found["found"].isna()
print(
    f"{len(found):,} cities: {agree.mean():.2%} agree with GeoNames, {nowhere.mean():.2%} nowhere"
)

kinds = {
    "agrees with GeoNames": (agree, "#2b6cb0"),
    "in no polygon": (nowhere, "#dd9a3a"),
    "another country": (~agree & ~nowhere, "#c53030"),
}
outlines = []
for ring in rings.select("xs", "ys").collect():
    line = np.column_stack([ring.xs, ring.ys])
    outlines += np.split(line, np.flatnonzero(np.isnan(line[:, 0])))
figure, ax = plt.subplots(figsize=(11, 5.6), layout="constrained")
ax.add_collection(LineCollection(outlines, colors="#b0b7c3", linewidths=0.3))
for label, (which, colour) in kinds.items():
    ax.scatter(
        found["lon"][which], found["lat"][which], s=0.9, linewidths=0, color=colour, label=label
    )
ax.legend(loc="lower left", markerscale=7, frameon=False)
ax.set_xlim(-180, 180)
ax.set_ylim(-60, 84)
ax.axis("off")
options.out.mkdir(parents=True, exist_ok=True)
figure.savefig(options.out / "cities.png")
print(f"map: {options.out / 'cities.png'}")
spark.stop()
