"""Functions written twice, in CUDA and in Python.

Which of the two runs is decided by the plugin, each time that it plans a query: see ``_device.py``.
"""

from __future__ import annotations

import collections.abc
import datetime
import functools
import inspect
import pickle
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
from gpusched import _check, _device, _versions, _worker
from gpusched._arguments import ColumnFunction, Parameter, Signature
from gpusched._connect import is_remote
from gpusched._cuda import SCALARS, CudaFunction, CudaParameter, ddl, parse
from gpusched._errors import ArgumentError, NotSupportedError, SetupError
from gpusched._host import PASSED, compile_for_device, compile_for_host, host_compiler
from gpusched._literals import is_number
from gpusched._notebook import say
from gpusched._register import _simple, require_name

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession
    from pyspark.sql.types import DataType

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


# Of the types that a CUDA type stands for, the one that a hint means.
_TYPES_OF_HINTS: dict[Any, str] = {
    bytes: "binary",
    bytearray: "binary",
    datetime.date: "date",
    datetime.datetime: "timestamp",
}

# What holds many values: such hints are not of single values.
_COLUMNS = (np.ndarray, pd.Series, pd.Index, pd.DataFrame, pa.Array, pa.ChunkedArray)


@dataclass(frozen=True)
class Tolerance:
    """How far floating-point results of the two forms may differ: either of both is enough."""

    relative: float
    absolute: float


# Some ten and a thousand times what one rounding is. Others are compared exactly.
_TOLERANCES = {"float": Tolerance(1e-5, 1e-7), "double": Tolerance(1e-9, 1e-12)}


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
        tolerance: Tolerance,
        seed: int,
    ):
        self.func = func
        self.name = _name(func, cuda)
        self.return_type = return_type
        self.cuda = cuda
        self.takes = takes
        self.check = check
        self.tolerance = tolerance
        self.seed = seed
        self.signature = Signature(
            self.name, tuple(Parameter(p.name, p.sql_types) for p in cuda.parameters)
        )
        self.__doc__ = func.__doc__
        # Made when first used, by whether they check.
        self._python: dict[bool, Any] = {}
        self._device_check: Any = None
        self._session: tuple[SparkSession, _device.Session] | None = None
        # The Spark that these were made in, and whether a line was said there.
        self._spark: Any = None
        self._said = False

    def register(
        self,
        spark: SparkSession,
        name: str | None = None,
        argument_types: Sequence[str] | None = None,
    ) -> CudaUdf:
        """Make the function known to SQL under its own or another name, and return it.

        :param argument_types: SQL types that it takes by that name, such as ``["date"]``, where
            the CUDA types stand for several and the type hints do not say which
        :raises ArgumentError: if it cannot take these types
        """
        types = self._sql_types(argument_types)
        called = name or self.name
        require_name(spark, called)
        session = self._look_at(spark)
        function = self._python_udf(self._checks_on_host(session))
        # Spark replaces no function by one of another kind.
        spark.sql(f"drop temporary function if exists {called}")
        python = f"gpusched_python_{called}"
        spark.udf.register(python, function)
        names = [f"`{name}`" for name in self._sql_names()]
        result = f"{python}({', '.join(names)})"
        if session.plans:
            device = _device.sql_call(self.name, self.return_type, self.cuda, names)
            if self.check > 0:
                compare = f"gpusched_check_{called}"
                spark.udf.register(compare, self._device_check_udf())
                device = f"{compare}({', '.join([device, *names])})"
            result = _device.sql_or_else(device, result)
        declared = ", ".join(f"{n} {ddl(t)}" for n, t in zip(names, types, strict=True))
        # Spark casts what such a function is called with, whether or not it has the plugin.
        spark.sql(
            f"create temporary function {called}({declared}) "
            f"returns {ddl(self.return_type)} return {result}"
        )
        return self

    def _sql_names(self) -> list[str]:
        """Names of the arguments in SQL: the CUDA text's, if they differ by more than case."""
        names = [parameter.name for parameter in self.cuda.parameters]
        if len({name.lower() for name in names}) == len(names):
            return names
        return [f"argument{i + 1}" for i in range(len(names))]

    def compile(self) -> str:
        """Compile the CUDA text on this machine, which needs no GPU; return what compiled it.

        NVRTC does, NVIDIA's compiler, where it is: in a CUDA toolkit, or by ``pip install
        nvidia-cuda-nvrtc-cu12``. Else this machine's C++ compiler does, which is nearly as strict.

        :raises CudaSourceError: with the compiler's words, if the text does not compile
        :raises SetupError: if there is neither
        """
        found = compile_for_device(self.cuda)
        if found is not None:
            return found
        if host_compiler() is None:
            raise SetupError(
                "there is neither NVRTC nor a C++ compiler (looked for c++, g++, clang++) to "
                "compile the CUDA text: pip install nvidia-cuda-nvrtc-cu12, or install a compiler, "
                "or set CXX"
            )
        compile_for_host(self.cuda)
        return f"{host_compiler()}, for this machine's processor, as there is no NVRTC"

    def _column(self, columns: list[Column], spark: SparkSession | None = None) -> Column:
        session = self._look_at(spark or _versions.active_session())
        python: Column = self._python_udf(self._checks_on_host(session))(*columns)
        if not session.plans:
            return python
        device = _device.call(self.name, self.return_type, self.cuda, columns)
        if self.check > 0:
            device = self._device_check_udf()(device, *columns)
        return _device.or_else(device, python)

    def _checks_on_host(self, session: _device.Session) -> bool:
        """With GPUs the check needs no C++ compiler: it is then made of what they compute."""
        return self.check > 0 and session.why_not is not None

    def _look_at(self, spark: SparkSession) -> _device.Session:
        """What a session can do; looked up once, or each time if there is a check."""
        made_in = "connect" if is_remote(spark) else spark.sparkContext
        if self._spark is not made_in:
            # PySpark's UDFs keep broadcasts of the Spark that they ran in. A new Spark numbers its
            # own from 0 on: they would name another function's code.
            self._python, self._device_check, self._session = {}, None, None
            self._spark, self._said = made_in, False
        known = self._session
        if known is not None and known[0] is spark and self.check == 0:
            return known[1]
        session = _device.Session(spark)
        self._session = (spark, session)
        # Once a Spark: each batch of foreachBatch has a session of its own.
        if session.why_not is not None and not self._said:
            self._said = True
            say(f"gpusched: {self.name} runs as its Python function: {session.why_not}")
        return session

    def _python_udf(self, checks: bool) -> Any:
        if checks not in self._python:
            library = self._library() if checks else None
            evaluate = _worker.entry(self._evaluator(library), self.name)
            self._python[checks] = _arrow_udf(evaluate, self.return_type)
        return self._python[checks]

    def _device_check_udf(self) -> Any:
        if self._device_check is None:
            compare = _worker.DeviceCheck(self._evaluator(None), self._new_check())
            self._device_check = _arrow_udf(_worker.entry(compare, self.name), self.return_type)
        return self._device_check

    def _evaluator(self, library: _worker.HostLibrary | None) -> _worker.Evaluator:
        return _worker.Evaluator(
            self.name,
            self.func,
            self.takes,
            _arrow_type(self.return_type),
            self.return_type,
            library,
            tuple(
                _worker.Argument(p.sql_types, pa.int32() if p.c_type == "int" else None)
                for p in self.cuda.parameters
            ),
        )

    def _sql_types(self, given: Sequence[str] | None) -> list[str]:
        parameters = self.cuda.parameters
        if given is None:
            hints = _hints(self.name, self.func)
            return [
                _TYPES_OF_HINTS.get(hint, p.sql_types[0])
                for p, hint in zip(parameters, hints, strict=True)
            ]
        types = [_simple(name) or name for name in given]
        if isinstance(given, str) or len(types) != len(parameters):
            raise ArgumentError(
                f"argument_types={given!r} is not allowed: give a list of a type for each "
                f"argument of {self.signature}"
            )
        for i, (name, p) in enumerate(zip(types, parameters, strict=True)):
            if name not in p.sql_types:
                raise ArgumentError(
                    f"argument {i + 1} of {self.signature} cannot be '{name}': give "
                    f"{' or '.join(p.sql_types)}"
                )
        return types

    def _library(self) -> _worker.HostLibrary:
        # What it refuses would be refused on a GPU.
        compile_for_device(self.cuda)
        return _worker.HostLibrary(
            compile_for_host(self.cuda),
            tuple(PASSED[p.c_type] for p in self.cuda.parameters),
            PASSED[self.cuda.returns],
            self._new_check(),
        )

    def _new_check(self) -> _check.Check:
        return _check.Check(
            self.name,
            tuple(p.name for p in self.cuda.parameters),
            self.check,
            self.tolerance.relative,
            self.tolerance.absolute,
            self.seed,
        )

    def __reduce__(self) -> Any:
        """Have Python functions of a query call it: workers need not have this package."""
        _pickle_by_value()
        rest = self.return_type, self.cuda, self.takes, self.check, self.tolerance, self.seed
        # As bytes, which are read only where this package is.
        return _worker.unpickled, (self.func, self.name, pickle.dumps(rest))

    def __copy__(self) -> CudaUdf:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> CudaUdf:
        return self

    def __repr__(self) -> str:
        return f"<cuda_udf {self.signature} -> {self.return_type}, Python function by {self.takes}>"


def cuda_udf(
    return_type: str | DataType,
    *,
    cuda: str,
    vectorized: bool | None = None,
    exact: bool = True,
    check: float = 0.0,
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
) -> Callable[[Callable[..., Any]], CudaUdf]:
    """Make a UDF of a CUDA function and the Python function below it, which mean the same.

    Where all executors have GPUs and NVRTC, the CUDA function computes it, through the plugin's
    scheduler. Else the Python function does, and a line says so and why, once. A row with a null
    argument has a null result, and the functions are not called for it.

    :param return_type: boolean, tinyint, smallint, int, bigint, float, double, date or timestamp
    :param cuda: text with one ``__device__`` function that computes one row, or with its state and
        three functions in steps; its conventions are in ``cuda/udf/README.md``
    :param vectorized: whether the Python function takes whole columns, ``numpy.ndarray`` or
        ``pandas.Series`` by its type hints (without hints ``pandas.Series``), or single values.
        None: by the type hints, and single values without hints
    :param exact: whether the arithmetic of the CUDA text is compiled as it is written. False lets
        the compiler fuse a product and a sum into one rounding, which is faster and may change the
        last bits
    :param check: the share of rows, 0 to 1, for which both functions are called and compared. A
        difference fails the query. Without GPUs the CUDA text is compiled for the executor's CPU:
        that needs a C++ compiler on the driver, and executors of the same kind of machine. A query
        that runs in Python although there are GPUs is not checked
    :param rtol: how far, relative to the larger of the two, floating-point results may differ in
        the check. None: 1e-9 for double, 1e-5 for float
    :param atol: how far they may differ whatever their size: one of both is enough. None: 1e-12 for
        double, 1e-7 for float
    :param seed: of the sample; the same seed compares the same rows again, if the partitions are
        the same
    :raises CudaSourceError: if the CUDA text cannot be used
    :raises ArgumentError: if it and the Python function do not have the same arguments or results
    """
    if callable(cuda) or not isinstance(cuda, str):
        raise ArgumentError("cuda= must be the CUDA text: cuda='__device__ double f(double x) {…}'")
    if vectorized not in (None, True, False):
        raise ArgumentError(f"vectorized={vectorized!r} is not allowed: give True, False or None")
    if not isinstance(exact, bool):
        raise ArgumentError(
            f"exact={exact!r} is not allowed: give True, or False if products and sums may be fused"
        )
    if not is_number(check) or not 0 <= check <= 1:
        raise ArgumentError(f"check={check!r} is not a share of rows: give a number from 0 to 1")
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ArgumentError(f"seed={seed!r} is not allowed: give 0 or a positive whole number")
    returns = _simple(return_type)
    allowed = [name for names in SCALARS.values() for name in names]
    if returns not in allowed:
        raise ArgumentError(
            f"a cuda_udf cannot return '{returns}': give one of {', '.join(allowed)}"
        )

    tolerance = _tolerance(returns, rtol, atol)

    def decorate(func: Callable[..., Any]) -> CudaUdf:
        if not callable(func):
            raise ArgumentError("cuda_udf stands above a Python function: @gpusched.cuda_udf(…)")
        parsed = replace(parse(cuda, getattr(func, "__name__", "")), exact=exact)
        name = _name(func, parsed)
        if returns not in SCALARS[parsed.returns]:
            wanted = next(c for c, names in SCALARS.items() if returns in names)
            raise ArgumentError(
                f"{name} is declared to return '{returns}', but its CUDA function is '{parsed}': "
                f"make that return {wanted}, or declare {' or '.join(SCALARS[parsed.returns])}"
            )
        takes = _takes(name, func, parsed, vectorized)
        return CudaUdf(func, returns, parsed, takes, check, tolerance, seed)

    return decorate


def _tolerance(returns: str, rtol: float | None, atol: float | None) -> Tolerance:
    default = _TOLERANCES.get(returns)
    for name, given in (("rtol", rtol), ("atol", atol)):
        if given is not None and default is None:
            raise ArgumentError(
                f"{name}={given} is not allowed for results of type '{returns}', which are "
                "compared exactly: leave it out"
            )
        if given is not None and not (is_number(given) and given >= 0):
            raise ArgumentError(f"{name}={given!r} is not allowed: give 0 or a positive number")
    if default is None:
        return Tolerance(0, 0)
    return Tolerance(
        default.relative if rtol is None else rtol, default.absolute if atol is None else atol
    )


def _name(func: Callable[..., Any], cuda: CudaFunction) -> str:
    name: str = getattr(func, "__name__", "")
    return name if name.isidentifier() else cuda.name


def _arrow_udf(evaluate: Callable[..., Any], return_type: str) -> Any:
    # Its type hints know nothing of functions of any number of columns.
    arrow_udf: Any = getattr(import_module("pyspark.sql.pandas.functions"), "arrow_udf", None)
    if arrow_udf is None:
        version = import_module("pyspark").__version__
        raise NotSupportedError(
            f"a cuda_udf needs PySpark 4.1 or newer, and this is {version}: install a newer one, or"
            " register a Java function with gpusched.register, which PySpark 3.5 has, too"
        )
    _pickle_by_value()
    return arrow_udf(evaluate, ddl(return_type))


def _pickle_by_value() -> None:
    """Executors need not have this package."""
    pickler = import_module("pyspark.cloudpickle")
    for module in (_worker, _check):
        pickler.register_pickle_by_value(module)


def _required(func: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(func).parameters.values()
    except ValueError as e:
        raise ArgumentError(
            f"Python does not know the parameters of {func!r}: write a function that calls it, "
            "such as lambda x: …"
        ) from e
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty:
            raise ArgumentError(
                f"the Python function's parameter {p.name} is given by name alone, and a query "
                "gives no names: give it a default"
            )
    return [
        p
        for p in parameters
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]


def _hints(name: str, func: Callable[..., Any]) -> list[Any]:
    written: Any = func
    while isinstance(written, functools.partial):
        written = written.func
    # Of an object that can be called, and of a ufunc, those of its class.
    if not inspect.isroutine(written):
        written = type(written).__call__
    try:
        hints = typing.get_type_hints(written)
    except Exception as e:
        raise ArgumentError(
            f"the type hints of {name} cannot be read ({e}): import what they name, or leave them "
            "out and say vectorized=True or False"
        ) from e
    return [hints.get(p.name) for p in _required(func)]


def _takes(name: str, func: Callable[..., Any], cuda: CudaFunction, vectorized: bool | None) -> str:
    """Check the Python function's parameters; return what it takes."""
    parameters = _required(func)
    if len(parameters) != len(cuda.parameters):
        raise ArgumentError(
            f"the Python function {name} has {len(parameters)} parameters without a default or a "
            f"star, and its CUDA function '{cuda}' takes {len(cuda.parameters)} arguments (a "
            "pointer and its length are one): give both the same"
        )
    given = _hints(name, func)
    for parameter, hint in zip(parameters, given, strict=True):
        if _whole_column(hint) is None and _has_columns(hint):
            raise ArgumentError(
                f"{name}: the type hint of parameter {parameter.name}, {hint}, is neither of a "
                "whole column nor of a single value: give numpy.ndarray or pandas.Series itself, "
                "or float, int, bool or str"
            )
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


def _has_columns(hint: Any) -> bool:
    origin = typing.get_origin(hint) or hint
    if isinstance(origin, type) and issubclass(origin, _COLUMNS):
        return True
    return any(map(_has_columns, typing.get_args(hint)))


def _check_hint(function: str, parameter: str, hint: Any, device: CudaParameter) -> None:
    allowed = _HINTS.get(typing.get_origin(hint) or hint)
    if allowed is not None and device.c_type not in allowed:
        raise ArgumentError(
            f"{function}: parameter {parameter} is {getattr(hint, '__name__', hint)} in Python and "
            f"'{device.c_type}' in CUDA: make the CUDA type {' or '.join(allowed)}, or change the "
            "type hint"
        )


def _arrow_type(sql_type: str) -> Any:
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
