"""UDFs in jars, called from Python by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpusched._arguments import ColumnFunction, Parameter, Signature
from gpusched._connect import is_remote
from gpusched._errors import ArgumentError, SetupError
from gpusched._running import context_loader
from gpusched._session import require_plugin
from gpusched._versions import require_running

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession
    from pyspark.sql.types import DataType

_GPU_UDF = "io.github.sparkgpusched.api.GpuUdf"
_UDF = re.compile(r"org\.apache\.spark\.sql\.api\.java\.UDF(\d+)(?:<(.*)>)?")

# A Java class to the SQL types that Spark passes as it; others are not checked.
_SQL_TYPES = {
    "java.lang.Boolean": ("boolean",),
    "java.lang.Byte": ("tinyint",),
    "java.lang.Short": ("smallint",),
    "java.lang.Integer": ("int",),
    "java.lang.Long": ("bigint",),
    "java.lang.Float": ("float",),
    "java.lang.Double": ("double",),
    "java.lang.String": ("string",),
    "byte[]": ("binary",),
    "java.sql.Date": ("date",),
    "java.time.LocalDate": ("date",),
    "java.sql.Timestamp": ("timestamp",),
    "java.time.Instant": ("timestamp",),
    "scala.collection.Seq<java.lang.Double>": ("array<double>",),
    "scala.collection.Seq<java.lang.Integer>": ("array<int>",),
    "scala.collection.Seq<java.lang.Long>": ("array<bigint>",),
    "scala.collection.Seq<java.lang.Float>": ("array<float>",),
}


class JavaFunction(ColumnFunction):
    """A Java UDF that is registered in a session: call it on columns, or by its name in SQL."""

    def __init__(self, name: str, java_class: str, parameters: tuple[Parameter, ...] | None):
        self.name = name
        self.java_class = java_class
        self.signature = Signature(name, parameters)

    def _column(self, columns: list[Column], spark: SparkSession | None = None) -> Column:
        from pyspark.sql import functions as sql

        return sql.call_function(self.name, *columns)

    def __repr__(self) -> str:
        return f"<{self.signature} of {self.java_class}>"


def register(
    spark: SparkSession,
    name: str,
    java_class: str,
    return_type: str | DataType | None = None,
    argument_types: Sequence[str] | None = None,
) -> JavaFunction:
    """Register a ``GpuUdf`` of the plugin's jar or of your own under a name, for SQL and Python.

    :param java_class: the class's full name, such as
        ``io.github.sparkgpusched.functions.MultiplyAdd``
    :param return_type: such as ``"double"``; without it, what the class says
    :param argument_types: such as ``["double", "int"]``. Only needed through Spark Connect, where
        the class cannot be looked at, for arguments to be checked before a job starts and numbers
        to get the parameters' types
    :raises SetupError: if the session has no plugin, or its Spark does not find the class
    :raises ArgumentError: if the class is no ``GpuUdf``, or returns something else, or if the name
        is that of a function of Spark's own
    """
    require_plugin(spark)
    require_name(spark, name)
    declared = None if argument_types is None else _declared(argument_types)
    parameters = declared if is_remote(spark) else _inspect(spark, java_class, return_type)
    if parameters is not None and declared is not None:
        _compare(java_class, declared, parameters)
    try:
        spark.udf.registerJavaFunction(name, java_class, return_type)
    except Exception as e:
        # Spark Connect tells the text alone.
        if "CANNOT_LOAD_FUNCTION_CLASS" in str(e) or "Can not load class" in str(e):
            raise _no_class(java_class) from e
        raise
    return JavaFunction(name, java_class, parameters)


def require_name(spark: SparkSession, name: str) -> None:
    """Refuse what is no function's name, or that of one of Spark's own functions."""
    require_running(spark)
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise ArgumentError(
            f"'{name}' is not a function's name: give letters, digits and _, as in multiply_add"
        )
    # A query would go on calling that one, and say nothing; of the two, SELECT has them already.
    if name.lower() in ("all", "distinct"):
        raise ArgumentError(f"'{name}' is a word of SELECT's: give another name, as in my_{name}")
    if spark.sql(f"show system functions like '{name.lower()}'").collect():
        raise ArgumentError(
            f"'{name}' is a function of Spark's own, which queries would call: give another name, "
            f"as in my_{name}"
        )


def _declared(types: Sequence[str]) -> tuple[Parameter, ...]:
    if isinstance(types, str):
        raise ArgumentError(f"argument_types='{types}' is one text: give a list, ['{types}']")
    return tuple(
        Parameter(f"argument{i + 1}", (_simple(name) or name,)) for i, name in enumerate(types)
    )


def _compare(
    java_class: str, declared: tuple[Parameter, ...], found: tuple[Parameter, ...]
) -> None:
    agree = len(declared) == len(found) and all(
        not b.types or a.types[0] in b.types for a, b in zip(declared, found, strict=True)
    )
    if not agree:
        raise ArgumentError(
            f"argument_types are not those of {java_class}: it takes "
            f"({', '.join('|'.join(p.types) or '?' for p in found)}); correct them, or leave them "
            "out"
        )


def _no_class(java_class: str) -> SetupError:
    return SetupError(
        f"Spark finds no class '{java_class}': is the name right, package included? If it is of a "
        "jar of yours, give jars=['….jar'] to the first gpusched.session(…) of the process, or "
        "start Spark (a Connect server: its server) with --jars ….jar"
    )


def _inspect(
    spark: SparkSession, java_class: str, return_type: str | DataType | None
) -> tuple[Parameter, ...]:
    """Read the Java class's signature; refuse one that would fail in the middle of a job."""
    from py4j.protocol import Py4JJavaError

    loader = context_loader(spark._jvm)
    try:
        found = loader.loadClass(java_class)
    except Py4JJavaError as e:
        raise _no_class(java_class) from e
    if not loader.loadClass(_GPU_UDF).isAssignableFrom(found):
        raise ArgumentError(
            f"{java_class} does not implement {_GPU_UDF}, so the plugin would leave it row by row: "
            "implement it, or register the class by spark.udf.registerJavaFunction"
        )
    types = _udf_types(found)
    if types is None:
        raise ArgumentError(
            f"{java_class} implements none of org.apache.spark.sql.api.java.UDF1 to UDF22: a "
            "GpuUdf needs one of them beside it"
        )
    returned = _SQL_TYPES.get(types[-1], ())
    declared = _simple(return_type)
    if returned and declared and declared not in returned:
        raise ArgumentError(
            f"return_type='{declared}' is not what {java_class} returns: give "
            f"{' or '.join(returned)}, or leave it out"
        )
    return tuple(
        Parameter(f"argument{i + 1}", _SQL_TYPES.get(java_type, ()))
        for i, java_type in enumerate(types[:-1])
    )


def _udf_types(java_class: Any) -> list[str] | None:
    """Names of the type arguments of the class's ``UDFn``, the result's last."""
    while java_class is not None:
        for interface in java_class.getGenericInterfaces():
            found = _UDF.fullmatch(interface.toString().removeprefix("interface "))
            if found:
                n = int(found[1])
                names = _split(found[2]) if found[2] else []
                return names if len(names) == n + 1 else ["?"] * (n + 1)
        java_class = java_class.getSuperclass()
    return None


def _split(names: str) -> list[str]:
    """Split at the commas outside of angle brackets."""
    parts, depth = [""], 0
    for c in names:
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


_ALIASES = {
    "byte": "tinyint",
    "short": "smallint",
    "integer": "int",
    "long": "bigint",
    "real": "float",
    "timestamp_ltz": "timestamp",
}


def _simple(return_type: str | DataType | None) -> str | None:
    """Spark's short name of a type, where it is one of those that we check."""
    if return_type is None:
        return None
    from pyspark.sql.types import DataType

    if not isinstance(return_type, (str, DataType)):
        raise ArgumentError(
            f"return_type={return_type!r} is no SQL type: give a name, such as 'double', or a "
            "type of pyspark.sql.types, such as DoubleType()"
        )
    name = return_type if isinstance(return_type, str) else return_type.simpleString()
    name = name.strip().lower()
    return _ALIASES.get(name, name)
