"""Calls of CUDA texts: SQL functions of the plugin, by which a query is planned on GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpusched._cuda import CudaFunction, ddl
from gpusched._running import PLUGIN
from gpusched._versions import require_running

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

_CALL = "gpusched_cuda"
_OR_ELSE = "gpusched_cuda_or"
_WHY_NOT = "gpusched_why_no_cuda"


class Session:
    """What a session can do with CUDA texts, as it was when this was made.

    ``plans`` says whether its plugin decides, each time it plans a query, whether GPUs compute it;
    ``why_not`` why they would not now, or None.
    """

    def __init__(self, spark: SparkSession):
        self.plans = False
        self.why_not: str | None
        require_running(spark)
        if PLUGIN not in (spark.conf.get("spark.plugins", "") or ""):
            self.why_not = "this session's Spark runs without the plugin"
            return
        from pyspark.errors import AnalysisException

        try:
            row = spark.sql(f"select {_WHY_NOT}()").first()
        except AnalysisException as e:
            if _WHY_NOT not in str(e):
                raise
            self.why_not = "the plugin of this session's Spark is older than this package"
            return
        self.plans = True
        self.why_not = None if row is None else row[0]


def why_no_cuda(spark: SparkSession) -> str | None:
    """Return why the GPUs of this session compute no ``cuda_udf`` now, or None if they do.

    They do if each executor has a GPU at work, and NVRTC. Starts no job.
    """
    return Session(spark).why_not


def call(name: str, return_type: str, cuda: CudaFunction, columns: list[Column]) -> Column:
    """Return the column that GPUs compute by a CUDA text."""
    from pyspark.sql import functions as sql

    return sql.call_function(
        _CALL,
        *map(sql.lit, _texts(name, return_type, cuda)),
        *columns,
    )


def or_else(cuda: Column, otherwise: Column) -> Column:
    """Return the first of two columns where GPUs can compute it, else the second."""
    from pyspark.sql import functions as sql

    return sql.call_function(_OR_ELSE, cuda, otherwise)


def sql_call(name: str, return_type: str, cuda: CudaFunction, arguments: list[str]) -> str:
    """Write what :func:`call` does as SQL; texts in hexadecimal, which needs no quoting."""
    literals = [f"X'{text.encode().hex()}'" for text in _texts(name, return_type, cuda)]
    return f"{_CALL}({', '.join([*literals, *arguments])})"


def sql_or_else(cuda: str, otherwise: str) -> str:
    """Write what :func:`or_else` does as SQL."""
    return f"{_OR_ELSE}({cuda}, {otherwise})"


def _texts(name: str, return_type: str, cuda: CudaFunction) -> tuple[str, ...]:
    types = ",".join("|".join(p.sql_types) for p in cuda.parameters)
    exactness = ("exact" if cuda.exact else "not exact") + (", in steps" if cuda.steps else "")
    return name, cuda.source, cuda.name, ddl(return_type), types, exactness
