"""Checks of a call's arguments against a function's signature, before a job starts."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpusched._connect import is_remote, refuse_old
from gpusched._errors import ArgumentError
from gpusched._literals import Number, is_number, literal
from gpusched._versions import active_session

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    Argument = Column | str | Number


@dataclass(frozen=True)
class Parameter:
    """One parameter: a name for messages, and the SQL types it takes; none given means any."""

    name: str
    types: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {'|'.join(self.types)}" if self.types else self.name


@dataclass(frozen=True)
class Signature:
    """A function's name and parameters; None where they are not known on this side."""

    name: str
    parameters: tuple[Parameter, ...] | None

    def __str__(self) -> str:
        inner = "…" if self.parameters is None else ", ".join(map(str, self.parameters))
        return f"{self.name}({inner})"

    def of_python(self) -> inspect.Signature:
        """Return it as Python has it."""
        kind = inspect.Parameter
        if self.parameters is None:
            parameters = [kind("arguments", kind.VAR_POSITIONAL)]
        else:
            parameters = [
                kind(p.name, kind.POSITIONAL_ONLY, annotation="|".join(p.types) or kind.empty)
                for p in self.parameters
            ]
        return inspect.Signature(parameters, return_annotation="Column")

    def columns(self, arguments: Sequence[Argument]) -> list[Column]:
        """Make columns of column names, columns and numbers; check how many there are."""
        if self.parameters is not None and len(arguments) != len(self.parameters):
            raise ArgumentError(
                f"{self.name} takes {_count(len(self.parameters))}, and {len(arguments)} "
                f"{'was' if len(arguments) == 1 else 'were'} given: call {self}"
            )
        if any(isinstance(argument, str) or is_number(argument) for argument in arguments):
            active_session()  # or what makes columns of them fails without a word
        return [self._column(i, argument) for i, argument in enumerate(arguments)]

    def _column(self, i: int, argument: Argument) -> Column:
        from pyspark.sql import Column
        from pyspark.sql import functions as sql

        if isinstance(argument, Column):
            return argument
        if isinstance(argument, str):
            return sql.col(argument)
        if is_remote(argument):
            refuse_old()
        if not is_number(argument):
            raise ArgumentError(
                f"argument {i + 1} of {self.name} is a {type(argument).__name__}: give a "
                "column, a column's name or a number (a text as lit('…')); to call the Python "
                "function itself on values, use .func"
            )
        types = self.parameters[i].types if self.parameters is not None else ()
        column = literal(argument, types)
        if column is None:
            raise ArgumentError(
                f"argument {i + 1} of {self} is {argument}: give a number that "
                f"{' or '.join(types) or 'bigint'} can hold, or a column"
            )
        return column

    def check(self, df: DataFrame, arguments: Sequence[Argument]) -> list[Column]:
        """Check the number and, against ``df``, the types of arguments. Starts no job."""
        columns = self.columns(arguments)
        # Names of our own: two arguments may be the same column.
        typed = df.select(*(column.alias(f"a{i}") for i, column in enumerate(columns))).schema
        for i, (parameter, field) in enumerate(
            zip(self.parameters or (), typed.fields, strict=False)
        ):
            given = field.dataType.simpleString()
            if parameter.types and given not in parameter.types:
                raise ArgumentError(
                    f"argument {i + 1} of {self} is {given}: give {' or '.join(parameter.types)}, "
                    f"for example by .cast('{parameter.types[0]}')"
                )
        return columns


def _count(n: int) -> str:
    return f"{n} argument" if n == 1 else f"{n} arguments"


class ColumnFunction:
    """What a registered Java function and a ``cuda_udf`` have in common: how they are called."""

    signature: Signature

    @property
    def __signature__(self) -> inspect.Signature:
        """What ``inspect.signature``, and so a notebook's help, shows."""
        return self.signature.of_python()

    def __call__(self, *arguments: Argument) -> Column:
        """Return the column of results for columns, column names or numbers.

        :raises ArgumentError: if their number is wrong
        :raises SetupError: if there is no session
        """
        return self._column(self.signature.columns(arguments))

    def add_to(self, df: DataFrame, column: str, *arguments: Argument) -> DataFrame:
        """Return ``df`` with one more column of results.

        A column by itself does not know its type. With ``df`` a wrong one is refused here, before
        anything is planned.

        :raises ArgumentError: if the number or a type of the arguments is wrong
        """
        if not hasattr(df, "sparkSession"):
            raise ArgumentError(
                f"add_to takes a DataFrame of Spark first, and was given a {type(df).__name__}"
                + (": make one by spark.createDataFrame(…)" if hasattr(df, "iloc") else "")
            )
        columns = self.signature.check(df, arguments)
        return df.withColumn(column, self._column(columns, df.sparkSession))

    def _column(self, columns: list[Column], spark: SparkSession | None = None) -> Column:
        raise NotImplementedError
