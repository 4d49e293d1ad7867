"""What runs in Spark's Python workers.

Pickled by value, so that executors need NumPy, pandas and PyArrow, as for every pandas UDF, and not
this package. For that reason it imports nothing of this package but ``_check.py``, which is pickled
likewise.
"""

from __future__ import annotations

import ctypes
import datetime
import os
import pickle
import sys
import tempfile
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from gpusched._check import Check, CheckFailed


@dataclass(frozen=True)
class HostLibrary:
    """The CUDA function compiled for the host, to compare with; see ``_host.py``."""

    binary: bytes
    # One a SQL argument, of _host.PASSED; and of the result.
    passed: tuple[str, ...]
    returned: str
    check: Check


@dataclass(frozen=True)
class Argument:
    """What an argument may be."""

    # SQL types.
    allowed: tuple[str, ...]
    # The Arrow type that a whole number is passed in, as in CUDA: of a smallint that of int.
    passed: Any = None


@dataclass(frozen=True)
class Evaluator:
    """Calls a Python function over the rows of Arrow arrays that have no null argument."""

    name: str
    function: Callable[..., Any]
    # "row", "numpy" or "pandas": what the function takes.
    takes: str
    # The Arrow type of the result.
    result: Any
    result_sql: str
    library: HostLibrary | None = None
    arguments: tuple[Argument, ...] = ()

    def __call__(self, *given: Any) -> Any:
        """Return the Arrow array of results; null where an argument is null."""
        columns = self._passed(given)
        valid = np.ones(len(columns[0]), dtype=bool)
        for column in columns:
            if column.null_count:
                valid &= column.is_valid().to_numpy(zero_copy_only=False)
        all_valid = bool(valid.all())
        kept = columns if all_valid else [c.filter(pa.array(valid)) for c in columns]
        computed = self._compute(kept)
        if self.library is not None:
            _compare(self.library, kept, computed)
        if all_valid:
            return computed
        places = np.cumsum(valid) - 1
        return computed.take(pa.array(places, mask=~valid))

    def _passed(self, columns: Sequence[Any]) -> Sequence[Any]:
        """Refuse arguments of other types, which only the plugin does before; widen small ones."""
        if not self.arguments:
            return columns
        passed = []
        for i, (argument, column) in enumerate(zip(self.arguments, columns, strict=True)):
            given = _sql_type(column.type)
            if given not in argument.allowed:
                # Spark may take a bare timestamp for one without a zone.
                naive = given == "timestamp_ntz" and "timestamp" in argument.allowed
                cast = "timestamp_ltz" if naive else argument.allowed[0]
                raise ValueError(
                    f"argument {i + 1} of {self.name} is {given}: give "
                    f"{' or '.join(argument.allowed)}, for example by .cast('{cast}')"
                )
            widen = argument.passed is not None and pa.types.is_integer(column.type)
            passed.append(column.cast(argument.passed) if widen else column)
        return passed

    def _compute(self, columns: Sequence[Any]) -> Any:
        rows = len(columns[0])
        if rows == 0:
            return pa.array([], type=self.result)
        if self.takes == "row":
            function = self.function
            lists = [column.to_pylist() for column in columns]
            values: Any = [function(*row) for row in zip(*lists, strict=True)]
        elif self.takes == "numpy":
            values = self.function(*(column.to_numpy(zero_copy_only=False) for column in columns))
        else:
            values = self.function(*(column.to_pandas() for column in columns))
        if isinstance(values, pd.DataFrame):
            raise ValueError(f"{self.name} returned a DataFrame: it must return one of its columns")
        if isinstance(values, (pd.Series, pd.Index)):
            # By position, as the function may have changed the index, and with NaN, which Arrow
            # takes for null in these.
            values = values.array
        single = not isinstance(values, (list, tuple)) and np.ndim(values) == 0
        if single or len(values) != rows:
            got = "one value" if single else f"{len(values)} values"
            raise ValueError(
                f"{self.name} returned {got} for {rows} rows: it takes whole columns "
                f"({self.takes}), so it must return one value a row; for a function of single "
                "values, say vectorized=False"
            )
        values = _with_nulls(values)
        try:
            if pa.types.is_integer(self.result):
                _require_whole(values)
            elif pa.types.is_timestamp(self.result):
                _require_zones(values)
            return pa.array(_times(values, self.result), type=self.result)
        except (pa.ArrowException, OverflowError) as e:
            raise ValueError(
                f"{self.name} returned values that are not '{self.result_sql}', its declared "
                f"type: {e}"
            ) from e


def _with_nulls(values: Any) -> Any:
    """Have NaT and NA among objects be null: Arrow takes NaT for the first day, and refuses NA."""
    arrow = isinstance(values, (pa.Array, pa.ChunkedArray))
    if arrow or not pd.api.types.is_object_dtype(getattr(values, "dtype", object)):
        return values
    return [None if value is pd.NaT or value is pd.NA else value for value in values]


def _sql_type(arrow: Any) -> str:
    """Return what SQL calls an Arrow type, if it is one that functions take."""
    if pa.types.is_timestamp(arrow):
        return "timestamp" if arrow.tz is not None else "timestamp_ntz"
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow):
        return f"array<{_sql_type(arrow.value_type)}>"
    return {
        "bool": "boolean",
        "int8": "tinyint",
        "int16": "smallint",
        "int32": "int",
        "int64": "bigint",
        "date32[day]": "date",
        "large_string": "string",
        "large_binary": "binary",
    }.get(str(arrow), str(arrow))


def _times(values: Any, result: Any) -> Any:
    """Have Arrow take times as what they are: of NumPy it takes days for any number."""
    dtype = getattr(values, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "mM" and isinstance(values, np.ndarray):
        if not pa.types.is_timestamp(result) and not pa.types.is_date(result):
            raise pa.ArrowInvalid(f"they are times, {dtype}")
        if np.datetime_data(dtype)[0] in ("Y", "M", "W", "D", "h", "m"):
            unit = "us" if pa.types.is_timestamp(result) else "D"
            return values.astype(f"datetime64[{unit}]")
    if pa.types.is_date(result) and isinstance(dtype, pd.DatetimeTZDtype):
        return values.tz_localize(None)  # the days of its own zone, as single values have them
    return values


def _require_whole(values: Any) -> None:
    """Arrow refuses parts of whole numbers in an array of numbers, but cuts them among objects."""
    if pd.api.types.is_numeric_dtype(getattr(values, "dtype", object)):
        return
    for value in values:
        if isinstance(value, (int, np.integer)):
            continue
        try:
            whole = int(value) == value
        except (TypeError, ValueError, ArithmeticError):
            continue  # None, or what Arrow refuses, too
        if not whole:
            raise pa.ArrowInvalid(f"{value} is not a whole number")


def _require_zones(values: Any) -> None:
    """Arrow takes a time without a zone for one of UTC, and PySpark for one of the session."""
    if pd.api.types.is_object_dtype(getattr(values, "dtype", object)):
        times = (value for value in values if isinstance(value, datetime.datetime))
        # NaT is one, too.
        naive = any(time.tzinfo is None and not pd.isna(time) for time in times)
    elif isinstance(values, np.ndarray):
        naive = False  # in UTC, as NumPy's arguments are
    else:
        made = pa.array(values[:1]).type
        naive = pa.types.is_timestamp(made) and made.tz is None
    if naive:
        raise pa.ArrowInvalid(
            "times have no time zone: give them one, as by .replace(tzinfo=datetime.timezone.utc) "
            "or, of a Series, .dt.tz_localize('UTC')"
        )


@dataclass(frozen=True)
class DeviceCheck:
    """Compares a sample of what GPUs computed with the Python function."""

    evaluator: Evaluator
    check: Check

    def __call__(self, computed: Any, *columns: Any) -> Any:
        """Return the results that it is given, if they are right."""
        valid = np.ones(len(computed), dtype=bool)
        for column in columns:
            if column.null_count:
                valid &= column.is_valid().to_numpy(zero_copy_only=False)
        places = np.flatnonzero(valid)
        chosen = pa.array(places[self.check.sample(len(places)).to_numpy()])
        arguments = [column.take(chosen) for column in columns]
        python = self.evaluator(*arguments)
        self.check.require_same(
            "on a CUDA device",
            arguments,
            python.to_pylist(),
            # Times of one zone: in an hour that comes twice, those of two are never equal.
            computed.take(chosen).cast(python.type).to_pylist(),
        )
        return computed


def _load(binary: bytes) -> Any:
    """Load a compiled function, once in a process, which cannot unload it."""
    # This module is another one in each task, as it is pickled by value.
    place = sys.modules.setdefault("_gpusched_loaded", types.ModuleType("_gpusched_loaded"))
    loaded = place.__dict__.setdefault("libraries", {})
    if binary not in loaded:
        descriptor, path = tempfile.mkstemp(suffix=".so")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(binary)
            loaded[binary] = ctypes.CDLL(path)
        except OSError as e:
            raise RuntimeError(
                "the CUDA function, compiled on the driver for the check, does not load on this "
                f"executor ({e}): leave the check out, check=0"
            ) from e
        finally:
            os.unlink(path)
    return loaded[binary]


def _compare(library: HostLibrary, columns: Sequence[Any], computed: Any) -> None:
    chosen = library.check.sample(len(columns[0]))
    if len(chosen) == 0:
        return
    arguments = [column.take(chosen) for column in columns]
    cuda = _call(library, arguments, len(chosen))
    if pa.types.is_date32(computed.type) or pa.types.is_timestamp(computed.type):
        cuda = cuda.cast(computed.type)
    library.check.require_same(
        "compiled for the host", arguments, computed.take(chosen).to_pylist(), cuda.to_pylist()
    )


def _call(library: HostLibrary, columns: Sequence[Any], rows: int) -> Any:
    buffers: list[Any] = []
    for how, column in zip(library.passed, columns, strict=True):
        if how == "bytes":
            binary = pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
            column = column.cast(pa.binary() if binary else pa.string()).cast(pa.binary())
            offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)
            offsets = offsets[column.offset : column.offset + rows + 1]
            data = column.buffers()[2]
            values = np.frombuffer(data, dtype=np.uint8) if data else np.zeros(1, np.uint8)
            buffers += [values, np.ascontiguousarray(offsets)]
        elif how == "doubles":
            lists = column.to_pylist()
            lengths = [len(values) for values in lists]
            flat = np.array([v for values in lists for v in values] or [0.0], dtype=np.float64)
            buffers += [flat, np.cumsum([0, *lengths], dtype=np.int32)]
        else:
            buffers.append(np.ascontiguousarray(_numbers(column), dtype=how))
    out = np.zeros(rows, dtype=library.returned)
    pointers = (ctypes.c_void_p * len(buffers))(*(buffer.ctypes.data for buffer in buffers))
    run = _load(library.binary).gpusched_rows
    run.restype = ctypes.c_longlong
    number = ctypes.c_int()
    row = run(
        ctypes.c_longlong(rows), pointers, ctypes.c_void_p(out.ctypes.data), ctypes.byref(number)
    )
    if row >= 0:
        library.check.refuse_signal(columns, row, number.value)
    return pa.array(out)


def _numbers(column: Any) -> Any:
    """Dates as days and timestamps as microseconds, as the CUDA function gets them."""
    if pa.types.is_date32(column.type):
        column = column.cast(pa.int32())
    elif pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    return column.to_numpy(zero_copy_only=False)


class Called:
    """What a ``cuda_udf`` is in a task: its Python function, for others that call it."""

    def __init__(self, func: Callable[..., Any], name: str):
        self.func = func
        self.name = self.__name__ = name

    def __call__(self, *values: Any) -> Any:
        return self.func(*values)


def unpickled(func: Callable[..., Any], name: str, rest: bytes) -> Any:
    """Return what a ``cuda_udf`` is where it is unpickled: itself where there is no task."""
    try:
        from pyspark import TaskContext

        if TaskContext.get() is None:
            # As in a function of foreachBatch, which makes queries on the server of Spark Connect.
            from gpusched._udf import CudaUdf

            return CudaUdf(func, *pickle.loads(rest))
    except ImportError:
        pass
    return Called(func, name)


def entry(evaluator: Evaluator | DeviceCheck, name: str) -> Callable[..., Any]:
    """Make the function that Spark calls, with the type hints that tell it what to pass."""

    def evaluate(*columns: pa.Array) -> pa.Array:
        try:
            return evaluator(*columns)
        except CheckFailed as e:
            # Without the frames that lead to it, which are not the user's.
            raise ValueError(str(e)) from None

    evaluate.__name__ = evaluate.__qualname__ = name
    # Not as texts, which Spark would look up among this function's globals.
    evaluate.__annotations__ = {"columns": pa.Array, "return": pa.Array}
    return evaluate
