"""Queries on CUDA devices, for test_cuda_devices.py; prints one JSON object.

Run as ``cuda_client.py SCENARIO [REMOTE]``. Nothing here is a result about GPUs: the devices are
those of a test double.
"""

import datetime
import json
import logging
import os
import sys
import time

import gpusched
import numpy as np
import pandas as pd
from pyspark.sql import functions as F

TEXT = "__device__ double f(double x, long long n) { return sqrt(fabs(x)) + n % 7; }"
said = []


class Said(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())


logging.getLogger("gpusched").addHandler(Said())


def by_row(x: float, n: int) -> float:
    return abs(x) ** 0.5 + np.fmod(n, 7)


def by_array(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    return np.sqrt(np.abs(x)) + np.fmod(n, 7)


def by_series(x: pd.Series, n: pd.Series) -> pd.Series:
    return np.sqrt(x.abs()) + np.fmod(n, 7)


def error(what):
    try:
        what()
        return "none"
    except Exception as e:
        text = f"{type(e).__name__}: {e}"
        # Without the stack: what failed, where a task did.
        begins = (text.find(mark) for mark in ("[FAILED_EXECUTE_UDF] ", "GpuUdfException: "))
        begin = min((found for found in begins if found >= 0), default=0)
        return text[begin : begin + 1000]


def udf(function, **options):
    return gpusched.cuda_udf("double", cuda=options.pop("text", TEXT), **options)(function)


def session(remote, **config):
    if remote is not None:
        return gpusched.session(remote=remote)
    quiet = {
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
        "spark.log.level": "OFF",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": 2,
        "spark.gpusched.cuda.cacheDir": os.environ["KERNELS"],
    }
    return gpusched.session(master="local[2]", config={**quiet, **config})


def table(spark):
    random = np.random.default_rng(7)
    rows = 5_000
    x = random.normal(scale=1e3, size=rows)
    x[random.random(rows) < 0.02] = np.nan
    n = random.integers(-(2**62), 2**62, rows)
    data = [
        (None if random.random() < 0.1 else float(a), None if random.random() < 0.1 else int(b))
        for a, b in zip(x, n, strict=True)
    ]
    return spark.createDataFrame(data, "x double, n bigint").repartition(3).cache()


def rows_by_kind(spark):
    """Rows that CUDA devices and cores have computed so far, once all is reported."""
    time.sleep(0.6)
    devices = gpusched.load_table(spark)
    kind = devices["device"].str.split(":").str[0]
    return {k: int(v) for k, v in devices["rows"].groupby(kind).sum().items()}


def in_python(spark, query):
    """The result of a query whose cuda_udfs run by their Python functions."""
    spark.conf.set("spark.gpusched.enabled", "false")
    try:
        return query()
    finally:
        spark.conf.set("spark.gpusched.enabled", "true")


def same(spark, query):
    """Whether a query gives the same rows on devices and by Python functions."""
    devices, python = query(), in_python(spark, query)
    return repr(sorted(map(repr, devices))) == repr(sorted(map(repr, python)))


def plan(spark, df):
    df.createOrReplaceTempView("planned")
    return spark.sql("explain select * from planned").first()[0]


ALL_TYPES = """
    select true bo, cast(-3 as tinyint) ti, cast(-300 as smallint) sm, -70000 i, -5000000000 l,
      cast(1.5 as float) f, 2.25D d, date'1969-12-30' da, timestamp'2001-02-03 04:05:06Z' ts,
      'aé😀' s, X'00FF' b, array(1D, -2.5D) xs
    union all select null, null, null, null, null, null, null, null, null, null, null, null
    union all select false, 0, 0, 0, 0, cast(0 as float), 0, date'2000-01-01',
      timestamp'1960-01-01 00:00:00Z', '', X'', array()
"""
ALL_TYPES_TEXT = """
__device__ long long f(bool bo, int ti, int sm, int i, long long l, float f, double d, int da,
    long long ts, const unsigned char* s, int ns, const unsigned char* b, int nb,
    const double* xs, int nxs) {
  double sum = 0;
  for (int k = 0; k < nxs; k++) sum += xs[k];
  for (int k = 0; k < ns; k++) sum += s[k];
  for (int k = 0; k < nb; k++) sum += b[k];
  return bo + 2 * ti + 3 * sm + 5 * i + l + (long long)(f * 2 + d * 4 + sum * 2) + 7 * da + ts;
}
"""


def all_types(bo, ti, sm, i, length, f, d, da, ts, s, b, xs):
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    days = (da - datetime.date(1970, 1, 1)).days
    micros = (ts - epoch) // datetime.timedelta(microseconds=1)
    total = sum(xs) + sum(s.encode()) + sum(b)
    whole = int(f * 2 + d * 4 + total * 2)
    return bo + 2 * ti + 3 * sm + 5 * i + length + whole + 7 * days + micros


def answers(spark):
    answer = {"why not": gpusched.why_no_cuda(spark)}
    df = table(spark)
    before = rows_by_kind(spark)
    for function in (by_row, by_array, by_series):
        f = udf(function)
        both = f.add_to(df, "ours", "x", "n").withColumn("own", F.expr("sqrt(abs(x)) + n % 7"))
        answer[function.__name__] = {
            "wrong": both.where("not (ours <=> own)").count(),
            "nulls": both.where("ours is null").count(),
            "same": same(spark, lambda f=f: f.add_to(df, "y", "x", "n").collect()),
        }
    answer["plan"] = plan(spark, udf(by_array).add_to(df, "y", "x", "n"))
    after = rows_by_kind(spark)
    answer["rows"] = {kind: after[kind] - before[kind] for kind in after}
    answer["types"] = all_the_types(spark)
    answer["results"] = all_the_results(spark)
    return answer


def all_the_types(spark):
    typed = spark.sql(ALL_TYPES)
    f = gpusched.cuda_udf("bigint", cuda=ALL_TYPES_TEXT)(all_types)

    def query():
        return f.add_to(typed, "y", *typed.columns).select("y").collect()

    return [same(spark, query), sorted(row.y is None for row in query())]


def all_the_results(spark):
    results = {}
    for returns, c_type, python in (
        ("boolean", "bool", lambda x: x % 2 == 1),
        ("tinyint", "int", lambda x: x % 100),
        ("smallint", "int", lambda x: -x),
        ("int", "int", lambda x: x * 3),
        ("bigint", "long long", lambda x: x << 33),
        ("float", "float", lambda x: x / 4),
        ("double", "double", lambda x: x / 4),
        ("date", "int", lambda x: datetime.date(1970, 1, 1) + datetime.timedelta(days=x)),
    ):
        body = {"boolean": "x % 2 == 1", "tinyint": "x % 100", "smallint": "-x", "int": "x * 3"}
        body |= {"bigint": "x << 33", "float": "x / 4.0f", "double": "x / 4.0", "date": "x"}
        text = f"__device__ {c_type} f(long long x) {{ return {body[returns]}; }}"
        f = gpusched.cuda_udf(returns, cuda=text)(python)
        results[returns] = same(spark, lambda f=f: spark.range(1000).select(f("id")).collect())
    return results


def places(spark):
    """Calls in other places than a projection."""
    df = table(spark)
    f = udf(by_array)
    f.register(spark, "damped")
    df.createOrReplaceTempView("t")
    text = "__device__ int f(int day) { return day % 7; }"
    day = gpusched.cuda_udf("int", cuda=text)(
        lambda day: (day - datetime.date(1970, 1, 1)).days % 7
    )
    day.register(spark, "day_of_week", ["date"])
    gpusched.register(
        spark, "multiply_add", "io.github.sparkgpusched.functions.MultiplyAdd", "double"
    )
    queries = {
        "nested": lambda: df.select(f(f("x", "n"), "n")),
        "where": lambda: df.where(f("x", "n") > 20).select("x", "n"),
        "group": lambda: spark.sql(
            "select try_cast(damped(x, n) as int) k, count(*) from t group by 1"
        ),
        "case": lambda: spark.sql("select case when n > 0 then damped(x, n) else -1D end from t"),
        "sql": lambda: spark.sql("select damped(x, 3) from t where damped(x, n) < 5"),
        "date": lambda: spark.sql(
            "select day_of_week(date_add(date'2020-01-01', int(id))) from range(9)"
        ),
        "java": lambda: spark.sql("select multiply_add(damped(x, n), 2D, 1D), damped(n, n) from t"),
        "join": lambda: spark.sql(
            "select count(*) from t left join range(50) on id = try_cast(damped(x, n) as int)"
        ),
        "exists": lambda: spark.sql(
            "select id from range(9) where exists (select 1 from t where damped(x, n) < id)"
        ),
        "scalar": lambda: spark.sql("select (select max(damped(x, n)) from t where x < 100)"),
        "local": lambda: spark.createDataFrame(
            pd.DataFrame({"x": [1.0, 4.0, None], "n": [1, 2, 3]})
        ).select(f("x", "n")),
        "one row": lambda: spark.sql("select damped(4D, 9)"),
        "random": lambda: df.select((F.when(F.rand(3) >= 0.1, f("x", "n"))).alias("y")),
    }
    answer = {}
    for name, query in queries.items():
        try:
            planned = plan(spark, query())
            answer[name] = [same(spark, lambda q=query: q().collect()), "BatchedUdfs" in planned]
        except Exception as e:
            answer[name] = f"{type(e).__name__}: {str(e)[:500]}"
    return answer


def checks(spark):
    df = table(spark)
    agree = udf(by_array, check=1)
    other = TEXT.replace("n % 7", "n % 7 + (n % 100 == 42)")
    differ = udf(by_array, text=other, check=1)
    agree.register(spark, "checked")
    differ.register(spark, "differs")
    df.createOrReplaceTempView("t")
    return {
        "agree": agree.add_to(df, "y", "x", "n").where("y is not null").count(),
        "by name": spark.sql("select checked(x, n) y from t").where("y is not null").count(),
        "share": udf(by_series, check=0.01).add_to(df, "y", "x", "n").count(),
        "differ": error(lambda: differ.add_to(df, "y", "x", "n").collect()),
        "differ by name": error(lambda: spark.sql("select differs(x, n) from t").collect()),
        "unchecked": udf(by_array, text=other).add_to(df, "y", "x", "n").count(),
    }


def errors(spark):
    df = table(spark)
    sums = gpusched.cuda_udf(
        "double", cuda="__device__ double total(const double* v, int n) { return n; }"
    )(lambda v: float(len(v)))
    return {
        "compile": error(
            lambda: (
                udf(by_array, text=TEXT.replace("sqrt", "squirt"))
                .add_to(df, "y", "x", "n")
                .collect()
            )
        ),
        "type": error(lambda: df.select(udf(by_array)("x", "x"))),
        "array": error(lambda: spark.sql("select array(1D, null) v").select(sums("v")).collect()),
    }


def lost(spark):
    """A device that is lost in a query; the next one."""
    df = table(spark)
    f = udf(by_array)
    query = f.add_to(df, "y", "x", "n")
    first = error(query.collect)
    rows_by_kind(spark)  # waits for the report
    again = error(query.collect)
    both = query.withColumn("own", F.expr("sqrt(abs(x)) + n % 7"))
    return {
        "first": first,
        "again": again,
        "wrong": both.where("not (y <=> own)").count(),
        "why not": gpusched.why_no_cuda(spark),
        "plan": plan(spark, query),
    }


def no_compiler(spark):
    df = table(spark)
    return {"rows": udf(by_array).add_to(df, "y", "x", "n").where("y is not null").count()}


def exactness(spark):
    """One function as it is by default, and one that need not be exact, by its name."""
    table(spark).createOrReplaceTempView("t")
    fast = udf(by_array, text=TEXT.replace("n % 7", "n % 9"), exact=False)
    fast.register(spark, "fast")
    return {
        "exact": len(udf(by_array).add_to(spark.table("t"), "y", "x", "n").collect()),
        "fast": len(spark.sql("select fast(x, n) from t").collect()),
    }


def several(spark):
    """Scenarios of one session."""
    return {what.__name__: what(spark) for what in (answers, places, checks, errors)}


remote = sys.argv[2] if len(sys.argv) > 2 else None
config = {"spark.gpusched.cuda.nvrtcPath": os.environ["NVRTC"]} if "NVRTC" in os.environ else {}
spark = session(remote, **config)
answer = globals()[sys.argv[1]](spark)
print(json.dumps({**answer, "said": said}))
