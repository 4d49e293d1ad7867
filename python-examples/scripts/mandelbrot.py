"""Draws a part of the Mandelbrot set, with rows dealt beforehand and with stealing.

python mandelbrot.py [--out FOLDER]
spark-submit --jars spark-gpu-sched-….jar mandelbrot.py [--out FOLDER]
"""

import argparse
import time
from pathlib import Path

import gpusched
import matplotlib.pyplot as plt
import numpy as np

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--out", type=Path, default=Path("."), help="where the pictures go")
parser.add_argument("--width", type=int, default=480, help="in pixels")
parser.add_argument("--iterations", type=int, default=10_000, help="at most, for each pixel")
options = parser.parse_args()
width, height = options.width, options.width * 2 // 3
step = 0.02 / width


def picture(spark, iterations):
    mandelbrot = gpusched.register(
        spark, "mandelbrot", "io.github.sparkgpusched.functions.MandelbrotIterations"
    )
    points = spark.range(0, width * height, 1, 2).selectExpr(
        "id",
        f"-0.7545D + (id div {height}) * {step:.10f}D re",
        f"0.1325D - (id % {height} - {height // 2}) * {step:.10f}D im",
    )
    return mandelbrot.add_to(points, "n", "re", "im", iterations).select("id", "n")


spans = {}
for strategy in ("static", "adaptive"):
    spark = gpusched.session(
        "mandelbrot",
        config={"spark.gpusched.strategy": strategy, "spark.gpusched.batch.rows": 1_000_000},
    )
    picture(spark, 100).agg({"n": "sum"}).collect()  # warm up
    time.sleep(0.5)  # executors report four times a second
    before = gpusched.block_spans(spark)["stageId"].max()
    answer = picture(spark, options.iterations).toPandas()
    time.sleep(0.5)
    all_spans = gpusched.block_spans(spark)
    spans[strategy] = all_spans[all_spans["stageId"] > before]
    if strategy == "adaptive":
        print(gpusched.load_table(spark)[["device", "rows", "blocks", "steals", "busyMillis"]])
    spark.stop()

n = np.zeros(width * height)
n[answer["id"]] = answer["n"]
image = n.reshape(width, height).T
colours = plt.get_cmap("twilight_shifted")(np.log2(image + 1) * 0.3 % 1)
colours[image == options.iterations] = (0, 0, 0, 1)
options.out.mkdir(parents=True, exist_ok=True)
plt.imsave(options.out / "mandelbrot.png", colours)

seconds = {strategy: s["end"].max() - s["start"].min() for strategy, s in spans.items()}
figure, axes = plt.subplots(2, figsize=(9, 3.6), layout="constrained")
for ax, strategy in zip(axes, spans, strict=True):
    gpusched.plot_blocks(spans[strategy], ax, seconds=max(seconds.values()))
    ax.set_title(f"{strategy}: {seconds[strategy]:.1f} seconds", loc="left")
figure.savefig(options.out / "mandelbrot-blocks.png")
print(f"pictures: {options.out / 'mandelbrot.png'}, {options.out / 'mandelbrot-blocks.png'}")
