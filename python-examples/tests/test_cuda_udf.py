"""What a cuda_udf computes, on random data with nulls, and its check."""

import copy
import datetime
import decimal
import fractions
import inspect
import math
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import gpusched
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from gpusched import _check, _host, _worker
from pyspark import cloudpickle
from pyspark.errors import PythonException
from pyspark.sql import functions as F
from pyspark.sql.types import TimestampType

# As the functions of a notebook are: its workers cannot import this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

needs_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="no C++ compiler"
)

UTC = datetime.timezone.utc
TEXT = "__device__ double f(double x, long long n) { return sqrt(fabs(x)) + n % 7; }"


def by_row(x: float, n: int) -> float:
    return abs(x) ** 0.5 + np.fmod(n, 7)


def by_array(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    assert n.dtype == np.int64, "an integer column with nulls stays one"
    return np.sqrt(np.abs(x)) + np.fmod(n, 7)


def by_series(x: pd.Series, n: pd.Series) -> pd.Series:
    return np.sqrt(x.abs()) + np.fmod(n, 7)


@pytest.fixture(scope="module")
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


@pytest.mark.parametrize("function", [by_row, by_array, by_series])
def test_equal_to_sparks_own_functions(table, function):
    f = gpusched.cuda_udf("double", cuda=TEXT)(function)
    both = f.add_to(table, "ours", "x", "n").withColumn("own", F.expr("sqrt(abs(x)) + n % 7"))
    # NULL equals NULL, and NaN equals NaN, by <=>.
    wrong = both.where("not (ours <=> own)")
    assert wrong.collect() == []
    assert both.where("own is null").count() > 500
    assert both.where("isnan(ours)").count() > 50


@needs_compiler
@pytest.mark.parametrize("function", [by_row, by_array, by_series])
def test_the_check_passes_where_both_agree(table, function):
    f = gpusched.cuda_udf("double", cuda=TEXT, check=1)(function)
    assert f.add_to(table, "y", "x", "n").where("y is not null").count() > 3_000


@needs_compiler
def test_the_check_passes_for_a_text_in_steps(table):
    text = """
    struct f_state { double x; long long left; };
    __device__ void f_init(f_state& s, double x, long long n) { s = {x, n % 40}; }
    __device__ bool f_step(f_state& s) {
      if (s.left <= 0) return false;
      s.x = s.x / 2 + 1;
      s.left--;
      return true;
    }
    __device__ double f_done(f_state& s) { return s.x; }
    """

    def halved(x: float, n: int) -> float:
        for _ in range(max(0, n) % 40):
            x = x / 2 + 1
        return x

    f = gpusched.cuda_udf("double", cuda=text, check=1)(halved)
    assert f.add_to(table, "y", "x", "n").where("y is not null").count() > 3_000


@needs_compiler
def test_the_check_knows_the_strict_functions(spark):
    text = "__device__ double f(double x) { return strict_exp(strict_atan2(x, 3.0)); }"
    f = gpusched.cuda_udf("double", cuda=text, check=1, rtol=1e-14)(
        lambda x: math.exp(math.atan2(x, 3))
    )
    assert f.add_to(spark.range(100).selectExpr("id / 10D x"), "y", "x").count() == 100


@needs_compiler
def test_the_check_needs_the_jar_for_them(spark, monkeypatch):
    monkeypatch.setenv("GPUSCHED_JAR", "io.github.sparkgpusched:spark-gpu-sched:1")
    text = "__device__ double f(double x) { return strict_log(x); }"
    f = gpusched.cuda_udf("double", cuda=text, check=1)(lambda x: math.log(x))
    with pytest.raises(gpusched.SetupError, match="path of that jar in GPUSCHED_JAR"):
        f("x")


@needs_compiler
def test_the_check_fails_where_they_do_not(table):
    other = TEXT.replace("n % 7", "n % 7 + (n % 100 == 42)")
    f = gpusched.cuda_udf("double", cuda=other, check=1)(by_array)
    with pytest.raises(PythonException) as refused:
        f.add_to(table, "y", "x", "n").collect()
    message = str(refused.value)
    assert re.search(r"check of by_array: \d+ of \d+ rows differ by more than rtol=1e-09", message)
    assert re.search(r"\n +x +n +Python +CUDA\n", message), "a table"
    assert "Py4J" not in message
    assert "at org.apache" not in message
    assert len(message.splitlines()) < 30, "it can be read in a notebook"
    unchecked = gpusched.cuda_udf("double", cuda=other)(by_array)
    assert unchecked.add_to(table, "y", "x", "n").count() == 5_000


@needs_compiler
def test_near_zero_what_differs_little_is_the_same(spark):
    """A relative difference says nothing there: 0 and 3e-23 differ by all of the larger."""
    text = "__device__ double f(double x) { return x * 3e-23; }"
    f = gpusched.cuda_udf("double", cuda=text, check=1)(lambda x: 0.0)
    df = spark.range(50).selectExpr("id / 50D x")
    assert f.add_to(df, "y", "x").where("y = 0").count() == 50
    strict = gpusched.cuda_udf("double", cuda=text, check=1, atol=0)(lambda x: 0.0)
    with pytest.raises(PythonException, match=r"49 of 50 rows differ|rows differ .* atol=0"):
        strict.add_to(df, "y", "x").collect()


@needs_compiler
def test_single_precision_is_compared_as_such(spark):
    text = "__device__ float f(float x) { return x * 1.1f; }"
    f = gpusched.cuda_udf("float", cuda=text, check=1)(lambda x: x * 1.1)
    df = spark.range(1000).selectExpr("cast(id / 7D as float) x")
    assert f.add_to(df, "y", "x").where("y is not null").count() == 1000


@needs_compiler
def test_the_same_seed_compares_the_same_rows(spark):
    """So a check that failed fails again, with the same table."""
    text = "__device__ long long f(long long x) { return x + 1; }"
    df = spark.range(0, 20_000, 1, 2)

    def table_of(seed):
        f = gpusched.cuda_udf("bigint", cuda=text, check=0.01, seed=seed)(lambda x: x)
        with pytest.raises(PythonException) as refused:
            f.add_to(df, "y", "id").where("id < 10000").collect()
        return str(refused.value).split("check of")[1]

    first = table_of(1)
    assert "and 90 more" in first
    assert table_of(1) == first
    assert table_of(2) != first


@needs_compiler
@pytest.mark.parametrize(("returns", "c_type"), [("date", "int"), ("timestamp", "long long")])
def test_dates_and_times_are_compared_too(spark, returns, c_type):
    text = f"__device__ {c_type} f({c_type} x) {{ return x; }}"
    f = gpusched.cuda_udf(returns, cuda=text, check=1)(lambda x: x)
    df = spark.range(100).selectExpr(
        "date_add(date'1969-12-01', int(id)) date",
        "timestamp'1969-12-31 00:00:00' + make_dt_interval(id) timestamp",
    )
    assert f.add_to(df, "y", returns).where(f"y = {returns}").count() == 100


@pytest.mark.parametrize("check", [0, pytest.param(1, marks=needs_compiler)])
def test_times_are_of_a_zone_where_spark_takes_timestamps_for_ones_of_none(spark, check):
    f = gpusched.cuda_udf(
        "timestamp", cuda="__device__ long long f(long long x) { return x; }", check=check
    )(lambda x: x)
    spark.conf.set("spark.sql.timestampType", "TIMESTAMP_NTZ")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        f.register(spark, "same_time", argument_types=["timestamp"])
        df = spark.sql("select timestamp_ltz'2020-01-01 12:00:00' x")
        for y in (f("x"), F.expr("same_time(x)")):
            made = df.select("x", y.alias("y"))
            assert made.schema["y"].dataType == TimestampType()
            assert made.where("x = y").count() == 1
        with pytest.raises(Exception, match=r"is timestamp_ntz: give .*(?i:timestamp_ltz)"):
            spark.sql("select timestamp'2020-01-01 12:00:00' x").select(f("x")).collect()
    finally:
        spark.conf.unset("spark.sql.timestampType")
        spark.conf.unset("spark.sql.session.timeZone")


@needs_compiler
def test_bytes_are_compared_where_arrow_has_large_types(spark):
    text = "__device__ int f(const unsigned char* x, int n) { return n; }"
    f = gpusched.cuda_udf("int", cuda=text, check=1)(lambda x: len(x))
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        df = spark.sql("select X'00FF' x")
        assert df.select(f("x").alias("y")).where("y = 2").count() == 1
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


@needs_compiler
@pytest.mark.parametrize("check", [0, 1])
def test_the_rules_on_types_are_the_same_with_a_check(spark, check):
    text = "__device__ double f(double x) { return x; }"
    f = gpusched.cuda_udf("double", cuda=text, check=check)(lambda x: x)
    with pytest.raises(Exception, match=r"argument 1 of .* is bigint: give double"):
        spark.range(5).select(f("id"))
    f.register(spark, "same_rules")
    assert spark.sql("select same_rules(id) y from range(5)").where("y = 4").count() == 1
    assert spark.range(3).select(f(1.5).alias("y")).where("y = 1.5").count() == 3
    assert spark.sql("select 1").select(f(np.float32(1.5)).alias("y")).first().y == 1.5


@needs_compiler
def test_a_text_that_does_not_compile(table):
    f = gpusched.cuda_udf("double", cuda=TEXT.replace("sqrt", "squirt"), check=0.5)(by_array)
    with pytest.raises(gpusched.CudaSourceError, match=r"(?s)does not compile:.*squirt"):
        f("x", "n")


@needs_compiler
def test_a_text_that_gives_nothing_does_not_compile():
    text = "__device__ double f(double x) { double y = x * 2; }"
    f = gpusched.cuda_udf("double", cuda=text, check=1)(lambda x: x * 2)
    with pytest.raises(gpusched.CudaSourceError, match="of f does not compile"):
        _host.compile_for_host(f.cuda)


@needs_compiler
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("a / b", r"ended by SIGFPE with a=3, b=0: an integer is divided by zero there"),
        ("a % b", r"ended by SIGFPE with a=3, b=0"),
        ("*(volatile int*)(long long)(b == 0 ? 64 : (long long)&b) * 0 + 7", "by SIGSEGV with a=3"),
    ],
)
def test_a_check_names_the_row_that_ends_the_text(spark, body, message):
    f = gpusched.cuda_udf(
        "int", cuda=f"__device__ int f(int a, int b) {{ return {body}; }}", check=1
    )(lambda a, b: 0 if "%" in body else 7)
    df = spark.createDataFrame([(7, 1), (7, 1), (3, 0), (7, 1)], "a int, b int").coalesce(1)
    with pytest.raises(PythonException, match=message):
        f.add_to(df, "r", "a", "b").collect()
    assert f.add_to(df.where("b = 1"), "r", "a", "b").count() == 3, "the worker goes on"


def test_a_missing_compiler_is_refused(table, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    text = "__device__ double f(double x, long long n) { return 0.125; }"
    f = gpusched.cuda_udf("double", cuda=text, check=0.5)(by_array)
    with pytest.raises(gpusched.SetupError, match="no C\\+\\+ compiler .* check=0"):
        f("x", "n")


@needs_compiler
def test_a_pyspark_that_is_too_old_is_named(table, monkeypatch):
    monkeypatch.delattr("pyspark.sql.pandas.functions.arrow_udf")
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_row)
    with pytest.raises(
        gpusched.NotSupportedError, match=r"needs PySpark 4\.1 or newer, and this is"
    ):
        f.add_to(table, "ours", "x", "n")


def test_all_types(spark):
    """Each argument type through Python and through the compiled CUDA text."""
    spark_row = spark.sql("""
        select true bo, cast(-3 as tinyint) ti, cast(-300 as smallint) sm, -70000 i, -5000000000 l,
          cast(1.5 as float) f, 2.25D d, date'1969-12-30' da, timestamp'2001-02-03 04:05:06Z' ts,
          'aé😀' s, X'00FF' b, array(1D, -2.5D) xs
        union all select null, null, null, null, null, null, null, null, null, null, null, null
        union all select false, 0, 0, 0, 0, cast(0 as float), 0, date'2000-01-01',
          timestamp'1960-01-01 00:00:00Z',
          '', X'', array()
    """)
    text = """
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

    def f(bo, ti, sm, i, length, f, d, da, ts, s, b, xs):
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        days = (da - datetime.date(1970, 1, 1)).days
        micros = (ts - epoch) // datetime.timedelta(microseconds=1)
        total = sum(xs) + sum(s.encode()) + sum(b)
        whole = int(f * 2 + d * 4 + total * 2)
        return bo + 2 * ti + 3 * sm + 5 * i + length + whole + 7 * days + micros

    udf = gpusched.cuda_udf("bigint", cuda=text, check=1)(f)
    rows = udf.add_to(spark_row, "y", *spark_row.columns).collect()
    assert [row.y is None for row in rows] == [False, True, False]


@pytest.mark.parametrize(
    ("returns", "c_type", "value"),
    [
        ("boolean", "bool", True),
        ("tinyint", "int", -5),
        ("smallint", "int", -500),
        ("integer", "int", 70_000),
        ("long", "long long", 2**40),
        ("float", "float", 1.5),
        ("date", "int", datetime.date(2020, 2, 29)),
        ("timestamp", "long long", datetime.datetime(2020, 2, 29, 1, 2, 3, tzinfo=UTC)),
    ],
)
def test_all_results(spark, returns, c_type, value):
    text = f"__device__ {c_type} f(long long x) {{ return x; }}"
    f = gpusched.cuda_udf(returns, cuda=text)(lambda x: value if x else None)
    rows = spark.range(2).select(f("id").alias("y")).collect()
    assert rows[0].y is None, "the Python function may return None"
    if returns == "timestamp":
        value = value.astimezone().replace(tzinfo=None)
    assert rows[1].y == value


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x.sum(), "returned one value for"),
        (lambda x: x[:-1], "returned 9 values for 10 rows"),
        (lambda x: x * 0.5, "not 'int', its declared type"),
        (lambda x: ["a"] * len(x), "not 'int', its declared type"),
    ],
)
def test_wrong_results_are_refused(spark, function, message):
    text = "__device__ int f(long long x) { return x; }"
    f = gpusched.cuda_udf("int", cuda=text, vectorized=True)(function)
    with pytest.raises(PythonException, match=message):
        spark.range(0, 10, 1, 1).select(f("id")).collect()


def test_lists_are_no_single_values(spark):
    text = "__device__ int f(long long x) { return x; }"
    f = gpusched.cuda_udf("int", cuda=text)(lambda x: [x] * (1 + x % 2))
    with pytest.raises(PythonException, match="not 'int', its declared type"):
        spark.range(0, 10, 1, 1).select(f("id")).collect()


@pytest.mark.parametrize("vectorized", [True, False])
def test_parts_of_whole_numbers_are_refused_by_row_and_by_column(spark, vectorized):
    text = "__device__ int f(long long x) { return x / 2; }"
    f = gpusched.cuda_udf("int", cuda=text, vectorized=vectorized)(lambda x: x / 2)
    with pytest.raises(PythonException, match=r"values that are not 'int', its declared type"):
        spark.range(0, 3, 1, 1).select(f("id")).collect()
    rows = spark.range(0, 6, 2, 1).select(f("id").alias("y")).collect()
    assert [row.y for row in rows] == [0, 1, 2], "a float that is whole is taken"


@pytest.mark.parametrize(
    "of",
    [
        list,
        tuple,
        lambda values: np.array(values, dtype=object),
        lambda values: pd.Series(values, dtype=object),
        lambda values: pd.Index(values, dtype=object),
        lambda values: [decimal.Decimal(value) for value in values],
        lambda values: [fractions.Fraction(value) for value in values],
        lambda values: [np.array(value) for value in values],
    ],
)
@pytest.mark.parametrize("takes", ["row", "numpy", "pandas"])
def test_parts_of_whole_numbers_are_refused_in_whatever_holds_them(takes, of):
    def compute(*values):
        given = iter(of(values))
        function = (lambda x: next(given)) if takes == "row" else lambda x: of(values)
        evaluator = _worker.Evaluator("f", function, takes, pa.int32(), "int")
        return evaluator(pa.array(range(len(values)))).to_pylist()

    with pytest.raises(ValueError, match=r"not 'int', its declared type: .* is not a whole number"):
        compute(1.0, 0.5)
    assert compute(2.0, 3.0) == [2, 3], "what is whole is taken"


@pytest.mark.parametrize("takes", ["numpy", "pandas"])
@pytest.mark.parametrize(
    "of", [list, np.array, pd.Series, pd.Index, lambda values: np.array(values, dtype=object)]
)
def test_nan_stays_nan_whatever_holds_it(takes, of):
    evaluator = _worker.Evaluator("f", lambda x: of(list(x)), takes, pa.float64(), "double")
    one, nan = evaluator(pa.array([1.0, math.nan])).to_pylist()
    assert one == 1
    assert nan is not None
    assert math.isnan(nan)


@pytest.mark.parametrize("takes", ["numpy", "pandas"])
def test_what_is_no_column_is_refused_by_name(takes):
    def refuse(function, message):
        with pytest.raises(ValueError, match=message):
            _worker.Evaluator("f", function, takes, pa.int32(), "int")(pa.array([1, 2]))

    refuse(lambda x: pd.DataFrame({"x": x}), "f returned a DataFrame: it must return one of its")
    refuse(lambda x: x.astype("timedelta64[ns]"), "f returned values that are not 'int', its")


@pytest.mark.parametrize("takes", ["row", "numpy", "pandas"])
def test_times_are_the_sessions_and_those_of_numpy_are_in_utc(spark, takes):
    hints = {"row": datetime.datetime, "numpy": np.ndarray, "pandas": pd.Series}

    def f(x):
        if takes == "numpy":
            assert list(x) == [np.datetime64("2020-01-01T05:00")]
        else:
            assert str(x.iloc[0] if takes == "pandas" else x) == "2020-01-01 00:00:00-05:00"
        return x

    f.__annotations__ = {"x": hints[takes]}
    text = "__device__ long long f(long long x) { return x; }"
    same = gpusched.cuda_udf("timestamp", cuda=text)(f)
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        df = spark.sql("select timestamp'2020-01-01 00:00:00' x")
        assert same.add_to(df, "y", "x").where("x = y").count() == 1
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)


NAIVE = datetime.datetime(2020, 1, 1)


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"])
def test_times_of_numpy_have_any_unit(unit):
    """Arrow alone would take every other day for 1970."""
    days = [NAIVE + datetime.timedelta(days=366 * i) for i in range(4)]
    given = pa.array([day.replace(tzinfo=UTC) for day in days])

    def of(result, sql):
        cut = lambda x: x.astype(f"datetime64[{unit}]")  # noqa: E731
        return _worker.Evaluator("f", cut, "numpy", result, sql)(given).to_pylist()

    expected = np.array(days, dtype=f"datetime64[{unit}]").astype("datetime64[us]").tolist()
    assert of(pa.timestamp("us", tz="UTC"), "timestamp") == [
        time.replace(tzinfo=UTC) for time in expected
    ]
    assert of(pa.date32(), "date") == [time.date() for time in expected]
    for result, sql in [(pa.int32(), "int"), (pa.int64(), "bigint"), (pa.float64(), "double")]:
        with pytest.raises(ValueError, match=f"not '{sql}', its declared type"):
            of(result, sql)


@pytest.mark.parametrize(
    ("takes", "function"),
    [
        ("row", lambda t: t.replace(hour=0, minute=0)),
        ("pandas", lambda t: t.dt.normalize()),
        ("pandas", lambda t: pd.Index(t).floor("D")),
        ("pandas", lambda t: t.dt.date),
    ],
)
def test_the_day_of_a_time_is_that_of_its_zone(takes, function):
    evaluator = _worker.Evaluator("f", function, takes, pa.date32(), "date")
    noon = datetime.datetime(2024, 5, 1, 10, 30, tzinfo=UTC)
    given = pa.array([noon], type=pa.timestamp("us", tz="Europe/Berlin"))
    assert evaluator(given).to_pylist() == [datetime.date(2024, 5, 1)]


@pytest.mark.parametrize("takes", ["row", "numpy", "pandas"])
@pytest.mark.parametrize("given", [pa.int8(), pa.int16(), pa.int32()])
def test_small_whole_numbers_are_passed_as_cuda_has_them(takes, given):
    hints = {"row": int, "numpy": np.ndarray, "pandas": pd.Series}

    def f(x, y):
        return 10 * x * y

    f.__annotations__ = dict.fromkeys("xy", hints[takes])
    text = "__device__ int f(int x, int y) { return 10 * x * y; }"
    evaluator = gpusched.cuda_udf("int", cuda=text)(f)._evaluator(None)
    column = pa.array([100, None, -128], type=given)
    assert evaluator(column, column).to_pylist() == [100_000, None, 163_840]


@pytest.mark.parametrize("takes", ["row", "numpy", "pandas"])
def test_a_small_result_that_does_not_fit_is_refused(takes):
    """On a GPU it wraps around: docs/python.md."""
    hints = {"row": int, "numpy": np.ndarray, "pandas": pd.Series}

    def f(x, y):
        return x * y

    f.__annotations__ = dict.fromkeys("xy", hints[takes])
    text = "__device__ int f(int x, int y) { return x * y; }"
    evaluator = gpusched.cuda_udf("smallint", cuda=text)(f)._evaluator(None)
    x, y = pa.array([300, 2], pa.int16()), pa.array([200, 3], pa.int16())
    assert evaluator(x.slice(1), y.slice(1)).to_pylist() == [6]
    with pytest.raises(ValueError, match="f returned values that are not 'smallint', its declared"):
        evaluator(x, y)


def test_a_gpus_times_of_an_hour_that_comes_twice_are_the_same():
    f = gpusched.cuda_udf("timestamp", cuda="__device__ long long f(long long t) { return t; }")(
        lambda t: t
    )
    compare = _worker.DeviceCheck(f._evaluator(None), _check.Check("f", ("t",), 1, 0, 0, 0))
    hour = 1_729_989_000_000_000  # 2024-10-27 00:30 UTC
    times = pa.array([hour, hour + 3_600_000_000], type=pa.timestamp("us", tz="Europe/Berlin"))
    assert compare(times, times) == times
    with pytest.raises(_check.CheckFailed, match="2 of 2 rows differ"):
        compare(times.take(pa.array([1, 0])), times)


def test_a_function_that_calls_one_can_be_pickled_after_its_first_call(spark):
    text = "__device__ double f(double x) { return 2 * x; }"
    f = gpusched.cuda_udf("double", cuda=text)(lambda x: 2 * x)
    f.add_to(spark.range(1).selectExpr("1D x"), "y", "x").collect()
    pickled = cloudpickle.dumps(lambda x: f.func(x) + 1)
    assert cloudpickle.loads(pickled)(1.0) == 3


@pytest.mark.parametrize(
    ("takes", "function"),
    [
        ("row", lambda x: None if x.hour == 10 else NAIVE),
        ("row", lambda x: pd.Timestamp(NAIVE)),
        ("numpy", lambda x: [NAIVE] * len(x)),
        ("numpy", lambda x: np.array([NAIVE] * len(x), dtype=object)),
        ("numpy", lambda x: pd.Series(x)),
        ("pandas", lambda x: x.dt.tz_localize(None)),
        ("pandas", lambda x: pd.Index(x).tz_localize(None)),
        ("pandas", lambda x: x.dt.tz_localize(None).astype(object)),
        ("pandas", lambda x: x.dt.tz_localize(None).astype("timestamp[us][pyarrow]")),
    ],
)
def test_times_without_a_zone_are_refused(takes, function):
    evaluator = _worker.Evaluator("f", function, takes, pa.timestamp("us", tz="UTC"), "timestamp")
    times = [NAIVE.replace(hour=1, tzinfo=UTC), NAIVE.replace(tzinfo=UTC)]
    with pytest.raises(ValueError, match=r"not 'timestamp', .*: times have no time zone: give"):
        evaluator(pa.array(times, type=pa.timestamp("us", tz="Asia/Tokyo")))


@pytest.mark.parametrize(
    ("takes", "function"),
    [
        ("row", lambda x: None if x.hour == 10 else x),
        ("numpy", lambda x: np.where(x > x.min(), np.datetime64("NaT"), x)),
        ("pandas", lambda x: x.mask(x.dt.hour == 10)),
        ("pandas", lambda x: x.mask(x.dt.hour == 10).astype(object)),
        ("pandas", lambda x: x.mask(x.dt.hour == 10).to_numpy(dtype="datetime64[us]")),
    ],
)
def test_times_with_a_zone_and_none_are_taken(takes, function):
    evaluator = _worker.Evaluator("f", function, takes, pa.timestamp("us", tz="UTC"), "timestamp")
    times = [NAIVE.replace(hour=1, tzinfo=UTC), NAIVE.replace(tzinfo=UTC)]
    given = pa.array(times, type=pa.timestamp("us", tz="Asia/Tokyo"))
    assert evaluator(given).to_pylist() == [None, times[1]]


DAY = datetime.date(2020, 2, 3)


@pytest.mark.parametrize("none", [pd.NaT, pd.NA, None])
@pytest.mark.parametrize(
    ("value", "result"),
    [
        (DAY, pa.date32()),
        (NAIVE.replace(tzinfo=UTC), pa.timestamp("us", tz="UTC")),
        (3, pa.int32()),
        (1.5, pa.float64()),
        (True, pa.bool_()),
    ],
)
def test_what_pandas_has_for_none_is_null_among_objects(none, value, result):
    """Arrow alone takes NaT for 0001-01-01, and refuses NA."""
    values = [value, none]
    for takes, function in [
        ("row", lambda x: values[x]),
        ("numpy", lambda x: values),
        ("numpy", lambda x: np.array(values, dtype=object)),
        ("pandas", lambda x: pd.Series(values, dtype=object)),
        ("pandas", lambda x: pd.Index(values, dtype=object)),
    ]:
        evaluator = _worker.Evaluator("f", function, takes, result, "f")
        assert evaluator(pa.array([0, 1])).to_pylist() == values[:1] + [None]


def test_days_that_are_none_are_null():
    def day(texts):
        return pd.to_datetime(texts, errors="coerce").dt.date

    evaluator = _worker.Evaluator("f", day, "pandas", pa.date32(), "date")
    assert evaluator(pa.array(["2020-02-03", "n/a"])).to_pylist() == [DAY, None]


def test_it_is_called_in_a_thread(spark):
    """Where Spark has no active session: that is the one of a thread."""
    text = "__device__ long long f(long long x) { return x + 1; }"
    f = gpusched.cuda_udf("bigint", cuda=text)(lambda x: x + 1)
    df = spark.range(3)
    with ThreadPoolExecutor(1) as pool:
        column = pool.submit(f, "id").result()
        assert pool.submit(lambda: f.add_to(df, "y", "id").count()).result() == 3
    assert [row.y for row in df.select(column.alias("y")).collect()] == [1, 2, 3]


def test_without_a_session_there_is_advice(no_spark_yet, monkeypatch):
    monkeypatch.setattr("pyspark.sql.SparkSession._instantiatedSession", None)
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_row)
    for argument in ("x", 1.0):
        with pytest.raises(gpusched.SetupError, match=r"there is no session: make one"):
            f(argument, argument)


def test_a_session_that_has_been_stopped_is_named(spark, monkeypatch):
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_row)
    monkeypatch.setattr(spark.sparkContext, "_jsc", None)
    for call in (
        lambda: f.register(spark),
        lambda: gpusched.register(spark, "q", "io.github.sparkgpusched.functions.Identity"),
        lambda: gpusched.load_table(spark),
        lambda: gpusched.why_no_cuda(spark),
        lambda: gpusched.diagnosis(spark),
    ):
        with pytest.raises(gpusched.SetupError, match=r"has been stopped: take the one that"):
            call()


def test_what_is_no_dataframe_of_spark_is_named():
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_row)
    with pytest.raises(
        gpusched.ArgumentError, match=r"given a DataFrame: make one by spark\.create"
    ):
        f.add_to(pd.DataFrame({"x": [1.0]}), "y", "x", 1)
    with pytest.raises(gpusched.ArgumentError, match="takes a DataFrame of Spark first"):
        f.add_to("y", "x", "n")


def test_help_shows_the_parameters():
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_array)
    assert str(inspect.signature(f)) == ("(x: 'double', n: 'bigint|timestamp', /) -> 'Column'")


def test_arguments_are_checked_before_a_job(table):
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_array)
    with pytest.raises(
        gpusched.ArgumentError, match=r"takes 2 arguments, and 1 was given: call by_"
    ):
        f("x")
    with pytest.raises(gpusched.ArgumentError, match=r"argument 2 .* is double: give bigint"):
        f.add_to(table, "y", "x", "x")
    with pytest.raises(gpusched.ArgumentError, match=r"argument 2 of by_array is a list"):
        f("x", [1])
    # Numbers are literals, and one column may be given twice.
    text = "__device__ double g(double x, double y) { return x * y; }"
    g = gpusched.cuda_udf("double", cuda=text)(lambda x, y: x * y)
    assert g.add_to(table.where("x > 1"), "y", "x", "x").where("y != x * x").count() == 0
    assert g.add_to(table.limit(1), "y", F.lit(2.0), 1.5).first().y == 3.0


def test_in_sql_arguments_have_the_names_of_the_text(spark):
    text = "__device__ double f(double x, double base) { return log(x) / log(base); }"
    f = gpusched.cuda_udf("double", cuda=text)(lambda x, y: math.log(x) / math.log(y))
    f.register(spark, "log_to")
    assert spark.sql("select log_to(base => 2D, x => 8D)").first()[0] == 3
    same = "__device__ double f(double x, double X) { return x - X; }"
    gpusched.cuda_udf("double", cuda=same)(lambda x, y: x - y).register(spark, "minus_it")
    assert spark.sql("select minus_it(8D, 2D)").first()[0] == 6


def test_by_name_in_sql(spark):
    text = "__device__ long long f(long long x) { return x * x; }"
    gpusched.cuda_udf("bigint", cuda=text)(lambda x: x * x).register(spark, "squared")
    assert spark.sql("select sum(squared(id)) s from range(10)").first().s == 285


def test_it_says_once_that_there_is_no_gpu(spark, caplog):
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_array)
    with caplog.at_level("WARNING", logger="gpusched"):
        f("x", "n")
        f("x", "n")
    assert [r.message for r in caplog.records] == [
        "gpusched: by_array runs as its Python function: this Spark has no CUDA device"
    ]
    assert gpusched.why_no_cuda(spark) == "this Spark has no CUDA device"


def test_it_says_so_once_for_all_batches_of_a_stream(spark, caplog, tmp_path):
    """Each has a session of its own."""
    for i in range(3):
        spark.range(2).selectExpr("1D x", "id n").write.parquet(str(tmp_path / f"in/{i}"))
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_row)
    counts = []
    stream = spark.readStream.schema("x double, n bigint").option("maxFilesPerTrigger", 1)
    stream = stream.parquet(str(tmp_path / "in/*")).writeStream.trigger(availableNow=True)
    with caplog.at_level("WARNING", logger="gpusched"):
        stream.foreachBatch(
            lambda batch, _: counts.append(f.add_to(batch, "y", "x", "n").count())
        ).start().awaitTermination(600)
    assert sum(counts) == 6
    assert len(counts) > 2
    assert len(caplog.records) == 1


def printed_elsewhere(folder, evaluator, code):
    """What code prints in a Python without this package, where load() gives the function."""
    (folder / "function").write_bytes(cloudpickle.dumps(_worker.entry(evaluator, "f")))
    code = (
        "import sys; sys.modules['gpusched'] = None; sys.modules['test_cuda_udf'] = None\n"
        "import pickle, pyarrow as pa\n"
        "load = lambda: pickle.load(open('function', 'rb'))\n" + code
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=1200
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout.strip()


def test_executors_need_not_have_this_package(tmp_path, spark):
    """What is sent to them is loaded and run by a Python that cannot import it."""
    f = gpusched.cuda_udf("double", cuda=TEXT)(by_array)
    f("x", "n")  # makes the function, and registers what is pickled by value
    evaluator = _worker.Evaluator("f", by_array, "numpy", pa.float64(), "double")
    code = "print(load()(pa.array([4.0, None]), pa.array([8, 9])).to_pylist())"
    assert printed_elsewhere(tmp_path, evaluator, code) == "[3.0, None]"


DOUBLE = "__device__ double f(double x) { return 2 * x; }"
doubled = gpusched.cuda_udf("double", cuda=DOUBLE)(lambda x: 2 * x)


@gpusched.cuda_udf("bigint", cuda="__device__ long long f(long long n) { return n; }")
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial.func(n - 1)


def test_functions_that_call_one_need_not_have_this_package(tmp_path, spark):
    for function, result in [
        (lambda x: doubled.func(x) + 1, "[7.0, None]"),
        (lambda x: doubled(x) + 1, "[7.0, None]"),
        (lambda x: float(factorial(x)), "[6.0, None]"),
        (factorial.func, "[6.0, None]"),
        (doubled, "[6.0, None]"),
    ]:
        evaluator = _worker.Evaluator("f", function, "row", pa.float64(), "double")
        code = "print(load()(pa.array([3, None])).to_pylist())"
        assert printed_elsewhere(tmp_path, evaluator, code) == result


def test_one_is_a_function_of_pysparks_own_udfs(spark):
    df = spark.range(3, 4).selectExpr("id", "double(id) x")
    spark.udf.register("doubled_by_row", doubled, "double")
    assert spark.sql("select doubled_by_row(3D) y").first().y == 6
    assert df.select(F.udf(doubled, "double")("x").alias("y")).first().y == 6
    twice = F.udf(lambda x: doubled(doubled(x)), "double")
    assert df.select(twice("x").alias("y")).first().y == 12
    assert factorial.add_to(df, "y", "id").first().y == 6


def test_one_that_is_copied_or_unpickled_outside_of_tasks_is_one():
    assert copy.copy(doubled) is doubled
    assert copy.deepcopy([doubled])[0] is doubled
    for f in (doubled, factorial):
        other = cloudpickle.loads(cloudpickle.dumps(f))
        assert repr(other) == repr(f)
        assert other.func(3) == 6
        assert (other.cuda, other.check, other.tolerance) == (f.cuda, f.check, f.tolerance)


@needs_compiler
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/maps")
def test_a_worker_loads_a_checked_function_once(tmp_path, spark):
    """Each of its tasks unpickles the function; what is loaded stays until the worker ends."""
    text = "__device__ double f(double x) { return x; }"
    f = gpusched.cuda_udf("double", cuda=text, check=1)(lambda x: x)
    f("x")  # makes the function, and registers what is pickled by value
    code = (
        "for task in range(5):\n"
        "    f = load()\n"
        "    assert f(pa.array([4.0, None])).to_pylist() == [4.0, None]\n"
        "maps = [line.split()[5:] for line in open('/proc/self/maps') if '(deleted)' in line]\n"
        "print(len({tuple(place) for place in maps if place[0].endswith('.so')}))\n"
    )
    assert printed_elsewhere(tmp_path, f._evaluator(f._library()), code) == "1"
