"""Functions written twice, in CUDA and in Python."""

from __future__ import annotations

import collections.abc
import datetime
import inspect
import typing
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from gpusched import _versions, _worker
from gpusched._arguments import ColumnFunction, Parameter, Signature
from gpusched._cuda import SCALARS, CudaFunction, CudaParameter, parse
from gpusched._errors import ArgumentError
from gpusched._host import PASSED, compile_for_host
from gpusched._notebook import say
from gpusched._register import _simple

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession
    from pyspark.sql.types import DataType

#: Why no ``cuda_udf`` runs on a GPU.
NO_CUDA = "this version of spark-gpu-sched has no CUDA devices"

# What a scalar type hint may stand for.
_HINTS: dict[type, tuple[str, ...]] = {
    bool: ("bool",),
    int: ("int", "long long"),
    float: ("float", "double"),
    str: ("const unsigned char*",),
    bytes: ("const unsigned char*",),
    bytearray: ("const unsigned char*",),
    list: ("const double*",),
    collections.abc.Sequence: ("const double*",),
    datetime.date: ("int",),
    datetime.datetime: ("long long",),
}


class CudaUdf(ColumnFunction):
    """A function of columns with a CUDA text and a Python function of the same meaning.

    Call it on columns, or :meth:`register` it for SQL. ``func`` is the Python function, ``cuda``
    the parsed CUDA function, ``takes`` what the Python function takes: ``"row"`` (single values),
    ``"numpy"`` or ``"pandas"`` (whole columns).
    """

    def __init__(
        self,
        func: Callable[..., Any],
        return_type: str,
        cuda: CudaFunction,
        takes: str,
        check: float,
        tolerance: float,
    ):
        self.func = func
        self.name = _name(func, cuda)
        self.return_type = return_type
        self.cuda = cuda
        self.takes = takes
        self.check = check
        self.tolerance = tolerance
        self.signature = Signature(
            self.name, tuple(Parameter(p.name, p.sql_types) for p in cuda.parameters)
        )
        self.__doc__ = func.__doc__
        self._udf: Any = None
        self._said = False

    def register(self, spark: SparkSession, name: str | None = None) -> CudaUdf:
        """Make the function known to SQL under its own or another name, and return it."""
        spark.udf.register(name or self.name, self._spark_udf())
        return self

    def _column(self, columns: list[Column]) -> Column:
        column: Column = self._spark_udf()(*columns)
        return column

    def _spark_udf(self) -> Any:
        _versions.require_spark()
        self._say_once()
        if self._udf is None:
            # Its type hints know nothing of functions of any number of columns.
            arrow_udf: Any = import_module("pyspark.sql.pandas.functions").arrow_udf
            # Executors need not have this package.
            import_module("pyspark.cloudpickle").register_pickle_by_value(_worker)
            evaluator = _worker.Evaluator(
                self.name,
                self.func,
                self.takes,
                _arrow_type(self.return_type),
                self.return_type,
                self._library(),
            )
            evaluate = _worker.entry(evaluator, self.name)
            self._udf = arrow_udf(evaluate, self.return_type)
        return self._udf

    def _library(self) -> _worker.HostLibrary | None:
        if self.check == 0:
            return None
        return _worker.HostLibrary(
            compile_for_host(self.cuda),
            tuple(PASSED[p.c_type] for p in self.cuda.parameters),
            PASSED[self.cuda.returns],
            self.check,
            self.tolerance,
        )

    def _say_once(self) -> None:
        if not self._said:
            self._said = True
            say(f"gpusched: {self.name} runs as its Python function: {NO_CUDA}")

    def __repr__(self) -> str:
        return f"<cuda_udf {self.signature} -> {self.return_type}, Python function by {self.takes}>"


def cuda_udf(
    return_type: str | DataType,
    *,
    cuda: str,
    vectorized: bool | None = None,
    check: float = 0.0,
    tolerance: float = 1e-9,
) -> Callable[[Callable[..., Any]], CudaUdf]:
    """Make a UDF of a CUDA function and the Python function below it, which mean the same.

    There are no CUDA devices yet: the Python function runs, and a line says so once. A row with a
    null argument has a null result, and the functions are not called for it.

    :param return_type: boolean, tinyint, smallint, int, bigint, float, double, date or timestamp
    :param cuda: text with one ``__device__`` function that computes one row; its conventions are in
        ``cuda/udf/README.md``
    :param vectorized: whether the Python function takes whole columns, ``numpy.ndarray`` or
        ``pandas.Series`` by its type hints (without hints ``pandas.Series``), or single values.
        None: by the type hints, and single values without hints
    :param check: the share of rows, 0 to 1, for which the CUDA text is compiled for the executor's
        CPU, called, and compared with the Python function. Needs a C++ compiler on the driver, and
        executors of the same kind of machine. A difference fails the query
    :param tolerance: how far, relatively, floating-point results may differ in the check
    :raises CudaSourceError: if the CUDA text cannot be used
    :raises ArgumentError: if it and the Python function do not have the same arguments or results
    """
    if callable(cuda) or not isinstance(cuda, str):
        raise ArgumentError("cuda= must be the CUDA text: cuda='__device__ double f(double x) {…}'")
    if not 0 <= check <= 1:
        raise ArgumentError(f"check={check} is not a share of rows: give a number from 0 to 1")
    if not tolerance >= 0:
        raise ArgumentError(f"tolerance={tolerance} is not allowed: give 0 or a positive number")
    returns = _simple(return_type)
    allowed = [name for names in SCALARS.values() for name in names]
    if returns not in allowed:
        raise ArgumentError(
            f"a cuda_udf cannot return '{returns}': give one of {', '.join(allowed)}"
        )

    def decorate(func: Callable[..., Any]) -> CudaUdf:
        if not callable(func):
            raise ArgumentError("cuda_udf stands above a Python function: @gpusched.cuda_udf(…)")
        parsed = parse(cuda, getattr(func, "__name__", ""))
        name = _name(func, parsed)
        if returns not in SCALARS[parsed.returns]:
            wanted = next(c for c, names in SCALARS.items() if returns in names)
            raise ArgumentError(
                f"{name} is declared to return '{returns}', but its CUDA function is '{parsed}': "
                f"make that return {wanted}, or declare {' or '.join(SCALARS[parsed.returns])}"
            )
        takes = _takes(name, func, parsed, vectorized)
        return CudaUdf(func, returns, parsed, takes, check, tolerance)

    return decorate


def _name(func: Callable[..., Any], cuda: CudaFunction) -> str:
    name: str = getattr(func, "__name__", "")
    return name if name.isidentifier() else cuda.name


def _takes(name: str, func: Callable[..., Any], cuda: CudaFunction, vectorized: bool | None) -> str:
    """Check the Python function's parameters; return what it takes."""
    parameters = [
        p
        for p in inspect.signature(func).parameters.values()
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]
    if len(parameters) != len(cuda.parameters):
        raise ArgumentError(
            f"the Python function {name} has {len(parameters)} parameters without a default, and "
            f"its CUDA function '{cuda}' takes {len(cuda.parameters)} arguments (a pointer and its "
            "length are one): give both the same"
        )
    try:
        hints = typing.get_type_hints(func)
    except Exception as e:
        raise ArgumentError(
            f"the type hints of {name} cannot be read ({e}): import what they name, or leave them "
            "out and say vectorized=True or False"
        ) from e
    given = [hints.get(p.name) for p in parameters]
    whole = {_whole_column(hint) for hint in given} - {None}
    if not whole:
        if vectorized:
            return "pandas"
        for parameter, hint, device in zip(parameters, given, cuda.parameters, strict=True):
            _check_hint(name, parameter.name, hint, device)
        return "row"
    if vectorized is False or len(whole) > 1 or None in map(_whole_column, given):
        raise ArgumentError(
            f"{name} takes whole columns by some of its type hints: hint all of its parameters "
            "as numpy.ndarray or all as pandas.Series, and do not say vectorized=False; or hint "
            "single values (float, int, bool, str)"
        )
    return typing.cast(str, whole.pop())


def _whole_column(hint: Any) -> str | None:
    origin = typing.get_origin(hint) or hint
    if not isinstance(origin, type):
        return None
    if issubclass(origin, np.ndarray):
        return "numpy"
    return "pandas" if issubclass(origin, pd.Series) else None


def _check_hint(function: str, parameter: str, hint: Any, device: CudaParameter) -> None:
    allowed = _HINTS.get(typing.get_origin(hint) or hint)
    if allowed is not None and device.c_type not in allowed:
        raise ArgumentError(
            f"{function}: parameter {parameter} is {getattr(hint, '__name__', hint)} in Python and "
            f"'{device.c_type}' in CUDA: make the CUDA type {' or '.join(allowed)}, or change the "
            "type hint"
        )


def _arrow_type(sql_type: str) -> Any:
    import pyarrow as pa

    return {
        "boolean": pa.bool_(),
        "tinyint": pa.int8(),
        "smallint": pa.int16(),
        "int": pa.int32(),
        "bigint": pa.int64(),
        "float": pa.float32(),
        "double": pa.float64(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us", tz="UTC"),
    }[sql_type]
