"""The Spark and the JVM that run in this process."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from gpusched._errors import SetupError

if TYPE_CHECKING:
    from pyspark import SparkContext

PLUGIN = "io.github.sparkgpusched.GpuSchedPlugin"
SERVER_SETTINGS = f"--jars spark-gpu-sched-….jar --conf spark.plugins={PLUGIN}"

_RESTART = "restart the kernel (of a script: the process)"
_LISTS = ("spark.jars", "spark.jars.packages", "spark.plugins", "spark.sql.extensions")
# What a JVM is started with; others are read when a SparkContext is made.
_OF_THE_JVM = ("spark.jars", "spark.driver.")


def active_context() -> SparkContext | None:
    """Return the ``SparkContext`` of this process, or None."""
    from pyspark import SparkContext

    return SparkContext._active_spark_context


def jvm_runs() -> bool:
    """Whether a JVM runs already: one left by a stopped session, or that of spark-submit."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def context_loader(jvm: Any) -> Any:
    """Return the class loader that knows what was given as ``spark.jars``."""
    return jvm.java.lang.Thread.currentThread().getContextClassLoader()


def jvm_settings() -> dict[str, str]:
    """Return what the JVM was started with, or the stopped sessions of this process had."""
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()
    return dict(SparkConf().getAll())


def jvm_has_plugin() -> bool:
    """Whether the JVM was started with the plugin's jar."""
    from py4j.protocol import Py4JJavaError
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    try:
        context_loader(SparkContext._jvm).loadClass(PLUGIN)
    except Py4JJavaError:
        return False
    return True


def require_jar_in_jvm() -> None:
    """Refuse a JVM that was started without the plugin's jar."""
    if not jvm_has_plugin():
        raise SetupError(
            "this process has started its JVM without the plugin's jar, and a jar cannot be added "
            f"later: {_RESTART} and call gpusched.session() before anything starts Spark, or "
            f"submit with {SERVER_SETTINGS}"
        )


def require_plugin_in(context: SparkContext) -> None:
    """Refuse a running Spark without the plugin, by what is still possible in this process."""
    plugins = context.getConf().get("spark.plugins", "") or ""
    if PLUGIN in plugins:
        return
    how = (
        "call spark.stop(), then gpusched.session()"
        if jvm_has_plugin()
        else f"its JVM has no jar of the plugin either: {_RESTART} and call gpusched.session() "
        "where Spark was started"
    )
    raise SetupError(
        "a Spark without the plugin already runs in this process (spark.plugins="
        f"'{plugins}'), and plugins are only loaded when it starts: {how}"
    )


def refuse_what_comes_late(context: SparkContext, options: Mapping[str, Any]) -> None:
    """Refuse settings that a running Spark does not take any more, and would ignore."""
    from pyspark.sql import SparkSession

    conf = SparkSession(context).conf
    running = dict(context.getConf().getAll())
    for key, value in options.items():
        before = running.get(key)
        if key == "spark.app.name" or (before is not None and _same(key, str(value), before)):
            continue
        if key in _LISTS:
            # Spark and the plugin have added to them.
            late = sorted(items(value) - items(before))
            if late:
                name = "jars" if key == "spark.jars" else key
                raise _late(f"{name}={late}", "has been started without", key)
        elif not conf.isModifiable(key):
            given = f"{key}='{value}'"
            if key.startswith("spark.gpusched.") and before is None:
                known = [row.key for row in SparkSession(context).sql("SET -v").collect()]
                if key not in known:
                    near = difflib.get_close_matches(key, known, 1, 0)
                    raise SetupError(f"{given} is not a known key: did you mean {near[0]}?")
            now = "without it" if before is None else f"with '{before}'"
            raise _late(given, f"was started {now}, and reads it only then", key)


def items(value: Any) -> set[str]:
    """Return the items of a list; a file is its path, as Spark's own form of it is a URL."""
    return {_path(item.strip()) for item in str(value or "").split(",") if item.strip()}


def _path(item: str) -> str:
    return unquote(re.sub(r"^file:/+", "/", item)) if item.startswith("file:/") else item


def _same(key: str, value: str, before: str) -> bool:
    """Whether a value given is the one that Spark has made into its own form when it started."""
    if key.endswith(".extraJavaOptions"):
        # Spark puts its own before them.
        return f" {before}".endswith(f" {value}")
    if key.endswith(".port") and value == "0":
        return True  # any that was free
    if before.startswith("file:/"):
        return Path(_path(value)).resolve() == Path(_path(before)).resolve()
    return before == value


def _late(given: str, why: str, key: str) -> SetupError:
    what = _RESTART if key.startswith(_OF_THE_JVM) else "call spark.stop()"
    return SetupError(
        f"{given} comes too late: the Spark of this process {why}. Leave it out, or {what} and "
        "give it to the first gpusched.session(…)"
    )


def end_jvm() -> None:
    """End the JVM that this process has started, with the settings that it was given."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    SparkContext._gateway = None
    SparkContext._jvm = None
    if gateway is None:
        return
    gateway.shutdown()
    process = getattr(gateway, "proc", None)
    if process is not None:
        # It ends when its input does.
        process.stdin.close()
        process.terminate()
        process.wait()
