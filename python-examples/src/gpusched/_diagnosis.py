"""What the load says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from gpusched._page import read_part

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COLUMNS = ["kind", "text", "change"]


def diagnosis(spark: SparkSession) -> pd.DataFrame:
    """Return what you may want to change, and why; one row a finding, the most important first.

    For example that the input has fewer parts than there are executors, or that a call stays row
    by row. Columns: ``kind`` (a word or two, for programs), ``text`` (what is so, with the
    figures), ``change`` (what to change, or that nothing need be). There is no row where nothing
    is wrong, or where there is too little work to go by.

    It is read from the page of Spark's UI, so this needs the UI, and classic PySpark.

    :raises NotSupportedError: through Spark Connect, or if Spark runs without its UI
    :raises SetupError: if the session's Spark has no plugin
    """
    otherwise = "read the figures of gpusched.load_table"
    return pd.DataFrame(read_part(spark, "diagnosis", otherwise), columns=_COLUMNS)
