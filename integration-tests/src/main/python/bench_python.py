"""Java functions registered from Python against pandas UDFs and plain Python UDFs.

    integration-tests/bench python [REPETITIONS]

One Spark, two cores, the same rows for all; ways take turns, after one warm-up each; medians and
ratios of medians. All forms of a function are checked to give the same sum first.
"""

import csv
import statistics
import sys
import time
from pathlib import Path

import gpusched
import numpy as np
import pandas as pd
from pyspark.sql import functions as F

FUNCTIONS = "io.github.sparkgpusched.functions."
PANDAS_AIM, PYTHON_AIM = 2.0, 5.0


def multiply_add(x: float, y: float, z: float) -> float:
    return x * y + z


def multiply_add_pandas(x: pd.Series, y: pd.Series, z: pd.Series) -> pd.Series:
    return x * y + z


def mandelbrot(re: float, im: float, most: int) -> int:
    zr = zi = zr2 = zi2 = 0.0
    n = 0
    while n < most and zr2 + zi2 <= 4:
        product = zr * zi
        zi = product + product + im
        zr = zr2 - zi2 + re
        zr2 = zr * zr
        zi2 = zi * zi
        n += 1
    return n


def mandelbrot_pandas(re: pd.Series, im: pd.Series, most: pd.Series) -> pd.Series:
    """As one writes it with NumPy: all points that are left at once, in the same operations."""
    re, im, most = re.to_numpy(), im.to_numpy(), most.to_numpy()
    n = np.zeros(len(re), dtype=np.int32)
    left = np.flatnonzero(most > 0)
    c_re, c_im, limit = re[left], im[left], most[left]
    zr = zi = zr2 = zi2 = np.zeros(len(left))
    step = 0
    while len(left):
        product = zr * zi
        zi = product + product + c_im
        zr = zr2 - zi2 + c_re
        zr2, zi2 = zr * zr, zi * zi
        step += 1
        n[left] = step
        stay = (zr2 + zi2 <= 4) & (step < limit)
        if not stay.all():
            left, c_re, c_im, limit = left[stay], c_re[stay], c_im[stay], limit[stay]
            zr, zi, zr2, zi2 = zr[stay], zi[stay], zr2[stay], zi2[stay]
    return pd.Series(n)


def edits(a: str, b: str) -> int:
    row = list(range(len(a) + 1))
    for j, d in enumerate(b, 1):
        diagonal, row[0] = row[0], j
        for i, c in enumerate(a, 1):
            diagonal, row[i] = row[i], min(diagonal + (c != d), row[i] + 1, row[i - 1] + 1)
    return row[-1]


def edits_pandas(a: pd.Series, b: pd.Series) -> pd.Series:
    return pd.Series([edits(x, y) for x, y in zip(a, b, strict=True)])


def cases(spark, data):
    """(name, rows, Java class, result, arguments, Python, pandas)."""
    doubles = spark.range(0, 4_000_000, 1, 4).selectExpr(
        "cast(id as double) x", "cast(id % 1000 as double) y"
    )
    pixels = spark.range(0, 60_000, 1, 4).selectExpr(
        "-0.7545D + (id div 200) * 0.00006667D re", "0.1325D - (id % 200 - 100) * 0.00006667D im"
    )
    cities = spark.read.parquet(str(data / "cities.parquet")).where("country in ('FR', 'DE')")
    named = cities.select("name", F.substring("name", 1, 2).alias("start"))
    pairs = named.alias("a").join(named.alias("b"), "start").where("a.name < b.name")
    names = pairs.selectExpr("a.name p", "b.name q").limit(200_000).repartition(4)
    return [
        (
            "multiply-add (cheap)",
            doubles,
            ("MultiplyAdd", "double", ["x", "y", 1.5]),
            (multiply_add, multiply_add_pandas),
        ),
        (
            "Mandelbrot (irregular)",
            pixels,
            ("MandelbrotIterations", "int", ["re", "im", 1000]),
            (mandelbrot, mandelbrot_pandas),
        ),
        (
            "edit distance (irregular)",
            names,
            ("Levenshtein", "int", ["p", "q"]),
            (edits, edits_pandas),
        ),
    ]


def run(df, column):
    """Sum over all rows. A query of its own: Spark would keep the shuffle of one it has run."""
    return df.select(F.sum(column)).first()[0]


def main(root: Path, repetitions: int) -> int:
    spark = gpusched.session(
        "bench python",
        master="local[2]",
        config={
            "spark.ui.enabled": False,
            "spark.ui.showConsoleProgress": False,
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": 4,
        },
    )
    lines = []
    head = f"{'case':28}{'rows':>10}{'java [s]':>10}{'pandas [s]':>12}{'python [s]':>12}"
    print(head + f"{'x pandas':>10}{'x python':>10}")
    for name, df, (java_class, result, arguments), (python, in_pandas) in cases(
        spark, root / "integration-tests" / "data"
    ):
        df = df.cache()
        rows = df.count()
        columns = [F.col(a) if isinstance(a, str) else F.lit(a) for a in arguments]
        java = gpusched.register(spark, "f", FUNCTIONS + java_class)
        ways = {
            "java": java(*arguments),
            "pandas": F.pandas_udf(in_pandas, result)(*columns),
            "python": F.udf(python, result)(*columns),
        }
        sums = {way: run(df, column) for way, column in ways.items()}
        if len(set(sums.values())) != 1:
            raise SystemExit(f"{name}: the ways differ: {sums}")
        seconds = {way: [] for way in ways}
        turns = list(ways)
        for _ in range(repetitions):
            turns.append(turns.pop(0))
            for way in turns:
                start = time.perf_counter()
                run(df, ways[way])
                seconds[way].append(time.perf_counter() - start)
        median = {way: statistics.median(times) for way, times in seconds.items()}
        ratios = [median["pandas"] / median["java"], median["python"] / median["java"]]
        missed = [
            f"MISSED: x {what} {aim:.0f}"
            for what, ratio, aim in zip(
                ("pandas", "python"), ratios, (PANDAS_AIM, PYTHON_AIM), strict=True
            )
            if ratio < aim
        ]
        print(
            f"{name:28}{rows:>10,}{median['java']:>10.3f}{median['pandas']:>12.3f}"
            f"{median['python']:>12.3f}{ratios[0]:>10.1f}{ratios[1]:>10.1f}  {' '.join(missed)}",
            flush=True,
        )
        times = [f"{median[way]:.4f}" for way in ways]
        lines.append([name, rows, *times, *(f"{ratio:.2f}" for ratio in ratios)])
        df.unpersist()
    out = root / "integration-tests" / "target" / "bench" / "python.csv"
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["case", "rows", "javaSeconds", "pandasSeconds", "pythonSeconds", "xPandas", "xPython"]
        )
        writer.writerows(lines)
    print(f"written: {out}")
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5))
