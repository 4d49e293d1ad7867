"""Draws a Julia set by a function written here, in CUDA and in Python.

    python own_function.py [--out FOLDER] [--check SHARE]
    spark-submit --jars spark-gpu-sched-….jar --conf spark.plugins=… own_function.py

Without a GPU the Python function runs, and a line says so.
"""

import argparse
from pathlib import Path

import gpusched
import matplotlib.pyplot as plt
import numpy as np

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--out", type=Path, default=Path("."), help="where the picture goes")
parser.add_argument("--check", type=float, default=0.0, help="share of rows to compare")
options = parser.parse_args()


@gpusched.cuda_udf(
    "int",
    cuda="""
    __device__ int julia(double x, double y, int most) {
      int n = 0;
      while (n < most && x * x + y * y <= 4.0) {
        double real = x * x - y * y - 0.8;
        y = 2 * x * y + 0.156;
        x = real;
        n++;
      }
      return n;
    }
    """,
    check=options.check,
)
def julia(x: np.ndarray, y: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Count the steps until the point flies off."""
    z = x + 1j * y
    n = np.zeros(len(z), dtype=np.int32)
    left = np.arange(len(z))  # the points that have not flown off
    for _ in range(most.max()):
        left = left[(np.abs(z[left]) <= 2.0) & (n[left] < most[left])]
        if len(left) == 0:
            break
        z[left] = z[left] ** 2 - 0.8 + 0.156j
        n[left] += 1
    return n


width, height = 720, 480
spark = gpusched.session("own function")
pixels = spark.range(width * height).selectExpr(
    "id", f"(id % {width} - {width / 2}D) / 240D x", f"(id div {width} - {height / 2}D) / 240D y"
)
answer = julia.add_to(pixels, "n", "x", "y", 200).select("id", "n").toPandas()
spark.stop()

n = np.zeros(width * height)
n[answer["id"]] = answer["n"]
options.out.mkdir(parents=True, exist_ok=True)
plt.imsave(options.out / "julia.png", np.log(n.reshape(height, width) + 1), cmap="inferno")
print(f"picture: {options.out / 'julia.png'}")
