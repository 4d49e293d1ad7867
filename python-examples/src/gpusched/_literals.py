"""Numbers of Python and NumPy as arguments: which SQL type they get."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pyspark.sql import Column

Number = bool | int | float | np.generic

_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_FLOATS = ("double", "float")


def literal(value: Number, types: tuple[str, ...]) -> Column | None:
    """Return a number as a literal of the first of these types that can hold it, or None.

    :param types: those that a parameter takes; none: the number keeps the type that it has
    """
    from pyspark.sql import functions as sql

    # A float32 becomes the double that it equals.
    number = value.item() if isinstance(value, np.generic) else value
    natural = _natural(number)
    wanted = (natural, *types) if natural in types else types or (natural,)
    fitting = next((name for name in wanted if _holds(name, number)), None)
    if fitting is None:
        return None
    return sql.lit(float(number) if fitting in _FLOATS else number).cast(fitting)


def _natural(number: bool | int | float) -> str:
    if isinstance(number, bool):
        return "boolean"
    if isinstance(number, int):
        return "int" if _holds("int", number) else "bigint"
    return "double"


def _holds(sql_type: str, number: bool | int | float) -> bool:
    if isinstance(number, bool):
        return sql_type == "boolean"
    if isinstance(number, int):
        bits = _BITS.get(sql_type)
        if bits is not None:
            return -(1 << (bits - 1)) <= number < 1 << (bits - 1)
        # Up to there it holds every whole number.
        return sql_type in _FLOATS and abs(number) <= 1 << (53 if sql_type == "double" else 24)
    return sql_type == "double" or (sql_type == "float" and _is_in_float_range(number))


def _is_in_float_range(number: float) -> bool:
    return bool(not math.isfinite(number) or abs(number) <= np.finfo(np.float32).max)


def is_number(value: object) -> bool:
    """Whether a value is a number of Python or NumPy."""
    return isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating))
