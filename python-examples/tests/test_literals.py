"""Which numbers a parameter takes, and as what."""

import numpy as np
import pytest
from gpusched._literals import literal
from pyspark.sql import functions as F


@pytest.mark.parametrize(
    ("number", "types", "expected"),
    [
        (1, ("double",), ("double", 1.0)),
        (np.float32(0.1), ("double",), ("double", float(np.float32(0.1)))),
        (0.1, ("float",), ("float", float(np.float32(0.1)))),
        (5, ("bigint", "timestamp"), ("bigint", 5)),
        (np.int64(5), ("int", "smallint", "tinyint", "date"), ("int", 5)),
        (5, ("tinyint",), ("tinyint", 5)),
        (True, ("boolean",), ("boolean", True)),
        (np.bool_(True), ("boolean",), ("boolean", True)),
        (2**40, (), ("bigint", 2**40)),
        (float("inf"), ("float",), ("float", float("inf"))),
    ],
)
def test_a_number_becomes_what_the_parameter_takes(spark, number, types, expected):
    row = spark.range(1).select(literal(number, types).alias("x")).select(F.expr("typeof(x)"), "x")
    assert tuple(row.first()) == expected


@pytest.mark.parametrize(
    ("number", "types"),
    [
        (1.5, ("int",)),
        (2.0, ("bigint",)),
        (300, ("tinyint",)),
        (2**63, ("bigint",)),
        (2**63, ()),
        (2**60 + 1, ("double",)),
        (True, ("int", "double")),
        (1, ("boolean",)),
        (1e300, ("float",)),
        (1, ("string",)),
    ],
)
def test_a_number_that_it_cannot_hold_is_refused(spark, number, types):
    assert literal(number, types) is None
