"""Sessions with the plugin."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpusched import _running, _settings, _versions
from gpusched._connect import connect, is_remote, refuse_old
from gpusched._errors import SetupError
from gpusched._jar import find_jar
from gpusched._notebook import in_notebook
from gpusched._running import PLUGIN, SERVER_SETTINGS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PROGRESS = "spark.ui.showConsoleProgress"
_JVM_OPTIONS = "spark.driver.extraJavaOptions"
_LOGGING = Path(__file__).with_name("notebook-log4j2.properties")


def session(
    app_name: str = "gpusched",
    *,
    master: str | None = None,
    remote: str | None = None,
    jar: str | os.PathLike[str] | None = None,
    jars: Sequence[str | os.PathLike[str]] = (),
    config: Mapping[str, object] | None = None,
) -> SparkSession:
    """Return a session whose Spark has the plugin.

    If a Spark with the plugin runs in this process, the session is one of it. Then settings that a
    session may change are taken, and others are refused unless Spark runs with them already.

    :param master: as Spark's, such as ``local[4]``; without it, Spark's own default
    :param remote: a Spark Connect server, ``sc://host:port``, which must have the plugin itself
    :param jar: the plugin's jar, if it is to be another than the one found
    :param jars: jars of your own UDFs
    :param config: more settings of Spark
    :raises SetupError: if Spark, Java, or the jar is missing or too old, if a setting is not
        allowed or comes too late, or if a Spark without the plugin runs already
    :raises NotSupportedError: if ``remote`` is given, and PySpark is older than 4.0
    """
    _versions.require_python()
    _versions.require_spark()
    from pyspark.sql import SparkSession

    if remote is not None:
        spark = connect(remote, master, jar, jars, config)
        require_plugin(spark)
        return spark
    builder = SparkSession.Builder().appName(app_name)
    if master is not None:
        builder = builder.master(master)
    if config is not None and not isinstance(config, Mapping):
        raise SetupError(f"config={config!r} is no mapping: give a dict, {{'key': value}}")
    _settings.refuse_wrong_prefix(config or {})
    for key, value in (config or {}).items():
        builder = builder.config(key, _text(value))
    if isinstance(jars, (str, os.PathLike)):
        raise SetupError(f"jars='{os.fspath(jars)}' is one path: give a list, ['…']")
    if jars:
        _settings.append(builder, "spark.jars", *(_own_jar(path) for path in jars))
    if in_notebook() and not _running.jvm_runs():
        _quieten(builder)
    spark = _start(configure(builder, jar=jar))
    require_plugin(spark)
    return spark


def configure(
    builder: SparkSession.Builder, *, jar: str | os.PathLike[str] | None = None
) -> SparkSession.Builder:
    """Add the plugin and its jar to a builder, beside what it has, and return it.

    :raises SetupError: as :func:`session`
    """
    _versions.require_python()
    _versions.require_spark()
    options = _settings.options(builder)
    if "spark.remote" in options or "SPARK_REMOTE" in os.environ:
        raise SetupError(
            "a client of Spark Connect cannot add a plugin to its server. Start the server with "
            f"{SERVER_SETTINGS}, and connect by gpusched.session(remote='sc://…')"
        )
    if "SPARK_CONNECT_MODE_ENABLED" in os.environ:
        raise SetupError(
            "this process has been a client of Spark Connect, and PySpark starts no Spark in one: "
            "restart the kernel (of a script: the process), or connect again by "
            "gpusched.session(remote='sc://…')"
        )
    mode = options.get("spark.api.mode", os.environ.get("SPARK_API_MODE", "classic"))
    if str(mode).lower() == "connect":
        raise SetupError(
            "spark.api.mode=connect starts a server whose spark.plugins PySpark sets itself: take "
            f"spark.api.mode=classic, or start a Spark Connect server with {SERVER_SETTINGS}"
        )
    _versions.require_classic_spark()
    context = _running.active_context()
    if context is not None:
        _running.require_plugin_in(context)
        if jar is not None:
            found = find_jar(jar)
            _settings.append(builder, found.key, found.place)
        _running.refuse_what_comes_late(context, options)
        return builder
    if _running.jvm_runs():
        _running.require_jar_in_jvm()
        if "spark.jars" in options:
            # The driver has it; executors get what the new context has.
            jars = _settings.defaults().get("spark.jars", "")
            _settings.append(builder, "spark.jars", *filter(None, jars.split(",")))
    else:
        _settings.refuse_jars_that_hide_ours()
        java = _versions.require_java()
        found = find_jar(jar)
        _settings.check({**_settings.defaults(), **options}, java, found)
        _settings.append(builder, found.key, found.place)
        master = options.get("spark.master") or _settings.defaults().get("spark.master", "local[*]")
        if str(master).startswith("local"):
            # Else the workers are whatever python3 the PATH has, with other packages.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            if sys.prefix != sys.base_prefix:
                # There the plugin looks for NVRTC. Only activation sets it, which few kernels had.
                os.environ.setdefault("VIRTUAL_ENV", sys.prefix)
    _settings.append(builder, "spark.plugins", PLUGIN)
    return builder


def require_plugin(spark: SparkSession) -> None:
    """Refuse a session whose Spark runs without the plugin, or is too old for Spark Connect."""
    if is_remote(spark):
        refuse_old()
    _versions.require_running(spark)
    plugins = spark.conf.get("spark.plugins", "") or ""
    if PLUGIN not in plugins:
        raise SetupError(
            f"this session's Spark runs without the plugin (spark.plugins='{plugins}'): make the "
            f"session by gpusched.session(), or start Spark with {SERVER_SETTINGS}"
        )


def _start(builder: SparkSession.Builder) -> SparkSession:
    """Start Spark, or say in one line why not, and end the JVM, which keeps the cause."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import IllegalArgumentException

    is_new = not _running.jvm_runs()
    try:
        return builder.getOrCreate()
    except IllegalArgumentException as e:
        # A value that is not allowed, of a setting that Spark takes while it runs.
        if is_new:
            _running.end_jvm()
        raise SetupError(str(e).splitlines()[0]) from None
    except Py4JJavaError as e:
        reason = e.java_exception
        while reason.getCause() is not None:
            reason = reason.getCause()
        line = str(reason.getMessage() or reason.toString()).splitlines()[0]
        if is_new:
            _running.end_jvm()
        # Not from e, which is thirty lines of Java.
        raise SetupError(f"Spark does not start: {line}") from None


def _quieten(builder: SparkSession.Builder) -> None:
    """Have a notebook show warnings, but not those that every start of Spark has."""
    folder = _settings.conf_folder()
    given = {**_settings.defaults(), **_settings.options(builder)}
    if _PROGRESS not in given:
        # Spark draws its bar over and over on standard error, which a notebook keeps line by line.
        builder.config(_PROGRESS, "false")
    if _JVM_OPTIONS not in given and not (folder / "log4j2.properties").is_file():
        builder.config(_JVM_OPTIONS, f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}")


def _own_jar(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if "://" not in text and not Path(text).is_file():
        raise SetupError(f"jars: '{text}' is not a file: give the path of a jar, or its URL")
    # As Spark has it, so that the same call is taken again.
    return text if "://" in text else str(Path(text).resolve())


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
