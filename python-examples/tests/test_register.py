"""Java functions from Python: answers, and what is refused before a job starts."""

import inspect

import gpusched
import numpy as np
import pandas as pd
import pytest
from pyspark.sql import functions as F

FUNCTIONS = "io.github.sparkgpusched.functions."


@pytest.fixture(scope="module")
def multiply_add(spark):
    return gpusched.register(spark, "multiply_add", FUNCTIONS + "MultiplyAdd")


@pytest.fixture(scope="module")
def table(spark):
    random = np.random.default_rng(11)

    def text():
        if random.random() < 0.1:
            return None
        return "".join(random.choice(list("abcé😀"), random.integers(0, 12)))

    def number():
        kind = random.random()
        return None if kind < 0.1 else float("nan") if kind < 0.12 else random.normal()

    rows = [(number(), number(), number(), text(), text()) for _ in range(4_000)]
    schema = "a double, b double, c double, s string, t string"
    return spark.createDataFrame(rows, schema).repartition(3).cache()


def is_batched(df):
    return "BatchedUdfs" in df._jdf.queryExecution().executedPlan().toString()


def test_equal_to_numpy(multiply_add, table):
    answer = multiply_add.add_to(table, "y", "a", "b", "c")
    assert is_batched(answer)
    for row in answer.collect():
        if None in (row.a, row.b, row.c):
            assert row.y is None
        else:
            expected = np.float64(row.a) * row.b + row.c
            assert row.y == expected or (np.isnan(row.y) and np.isnan(expected))


def test_equal_to_sparks_own(spark, table):
    edits = gpusched.register(spark, "edits", FUNCTIONS + "Levenshtein", "int")
    answer = edits.add_to(table, "ours", "s", "t").withColumn("own", F.levenshtein("s", "t"))
    assert is_batched(answer)
    assert answer.where("not (ours <=> own)").collect() == []
    assert answer.where("own is null").count() > 500


@pytest.mark.parametrize("number", [1, 1.0, np.float32(1), np.float64(1), np.int64(1), np.int8(1)])
def test_numbers_get_the_type_of_the_parameter(multiply_add, spark, number):
    df = spark.range(1).selectExpr("2D x")
    assert multiply_add.add_to(df, "y", "x", number, number).first().y == 3.0
    assert df.select(multiply_add("x", number, number).alias("y")).first().y == 3.0


def test_rows_of_pandas_are_batched(multiply_add, spark):
    """Not computed by Spark's optimizer, on the driver, one row after the other."""
    rows = 50_000
    numbers = np.arange(rows, dtype=float)
    frame = pd.DataFrame({"a": numbers, "b": numbers, "c": 0.5})
    # The default of PySpark 4.2 and newer.
    arrow = "spark.sql.execution.arrow.pyspark.enabled"
    before = spark.conf.get(arrow)
    spark.conf.set(arrow, True)
    df = spark.createDataFrame(frame)
    spark.conf.set(arrow, before)
    assert "LocalRelation" in df._jdf.queryExecution().optimizedPlan().toString()
    answer = multiply_add.add_to(df, "y", "a", "b", "c")
    assert is_batched(answer)
    assert is_batched(df.where(multiply_add("a", "b", "c") > 3))
    np.testing.assert_array_equal(answer.toPandas()["y"], numbers * numbers + 0.5)


def test_help_shows_the_parameters(multiply_add):
    assert str(inspect.signature(multiply_add)) == (
        "(argument1: 'double', argument2: 'double', argument3: 'double', /) -> 'Column'"
    )


def test_by_name_in_sql(spark, multiply_add):
    assert spark.sql("select multiply_add(2D, 3D, 4D) y").first().y == 10.0


def test_the_signature_is_that_of_the_class(multiply_add):
    assert "multiply_add(argument1 double, argument2 double, argument3 double)" in repr(
        multiply_add
    )


def test_wrong_arguments_are_refused(multiply_add, table, spark):
    with pytest.raises(gpusched.ArgumentError, match="takes 3 arguments, and 2 were given"):
        multiply_add("a", "b")
    with pytest.raises(gpusched.ArgumentError, match=r"argument 3 .* is string: give double"):
        multiply_add.add_to(table, "y", "a", "b", "s")
    with pytest.raises(gpusched.ArgumentError, match=r"is int: give double, .*cast\('double'\)"):
        multiply_add.add_to(table, "y", "a", "b", F.lit(1))
    with pytest.raises(gpusched.ArgumentError, match=r"argument 3 .* is True: .* double can hold"):
        multiply_add("a", "b", True)
    with pytest.raises(gpusched.ArgumentError, match=r"argument 3 of multiply_add is a list"):
        multiply_add("a", "b", [1.0])
    with pytest.raises(Exception, match="UNRESOLVED_COLUMN"):
        multiply_add.add_to(table, "y", "a", "b", "no_such_column")


@pytest.mark.parametrize(
    ("java_class", "options", "error", "message"),
    [
        ("no.such.Class", {}, gpusched.SetupError, "finds no class 'no.such.Class'.*jars="),
        ("java.lang.String", {}, gpusched.ArgumentError, "does not implement .*GpuUdf"),
        (FUNCTIONS + "MultiplyAdd", {"return_type": "int"}, gpusched.ArgumentError, "give double"),
        (
            FUNCTIONS + "MultiplyAdd",
            {"argument_types": ["double", "double"]},
            gpusched.ArgumentError,
            r"takes \(double, double, double\)",
        ),
        (
            FUNCTIONS + "MultiplyAdd",
            {"argument_types": "double"},
            gpusched.ArgumentError,
            r"give a list, \['double'\]",
        ),
        (
            FUNCTIONS + "MultiplyAdd",
            {"return_type": float},
            gpusched.ArgumentError,
            "'float'> is no SQL",
        ),
    ],
)
def test_wrong_classes_and_types_are_refused(spark, java_class, options, error, message):
    with pytest.raises(error, match=message):
        gpusched.register(spark, "f", java_class, **options)


@pytest.mark.parametrize("name", ["", "1a", "a b", "a-b"])
def test_wrong_names_are_refused(spark, name):
    with pytest.raises(gpusched.ArgumentError, match="not a function's name"):
        gpusched.register(spark, name, FUNCTIONS + "MultiplyAdd")


@pytest.mark.parametrize("name", ["levenshtein", "Levenshtein", "upper"])
def test_names_of_sparks_own_functions_are_refused(spark, name):
    """A query would call Spark's function, and say nothing."""
    with pytest.raises(gpusched.ArgumentError, match=f"'{name}' is a function of Spark's own"):
        gpusched.register(spark, name, FUNCTIONS + "Levenshtein")
    text = "__device__ double f(double x) { return x; }"
    with pytest.raises(gpusched.ArgumentError, match=f"'{name}' is a function of Spark's own"):
        gpusched.cuda_udf("double", cuda=text)(lambda x: x).register(spark, name)


@pytest.mark.parametrize("name", ["distinct", "ALL"])
def test_words_of_select_are_refused(spark, name):
    """``select distinct(x)`` calls nothing."""
    with pytest.raises(gpusched.ArgumentError, match=f"'{name}' is a word of SELECT's"):
        gpusched.register(spark, name, FUNCTIONS + "MultiplyAdd")


def test_a_name_may_be_given_again(spark):
    for name in ("MultiplyAdd", "Identity"):
        function = gpusched.register(spark, "given_again", FUNCTIONS + name)
    assert spark.range(1).select(function(2.0).alias("y")).first().y == 2.0
    text = "__device__ double f(double x) { return x + 1; }"
    for _ in range(2):
        gpusched.cuda_udf("double", cuda=text)(lambda x: x + 1).register(spark, "given_again")
        assert spark.sql("select given_again(2D) y").first().y == 3.0
    gpusched.register(spark, "given_again", FUNCTIONS + "Identity")
    assert spark.sql("select given_again(2D) y").first().y == 2.0


def test_a_second_session_is_the_same_spark(spark):
    assert gpusched.session() is spark
