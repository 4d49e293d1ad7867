"""Sessions with the plugin."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusched import _versions
from gpusched._errors import SetupError
from gpusched._jar import Jar, find_jar
from gpusched._notebook import in_notebook

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLUGIN = "io.github.sparkgpusched.GpuSchedPlugin"
_PROGRESS = "spark.ui.showConsoleProgress"
_JVM_OPTIONS = "spark.driver.extraJavaOptions"
_LOGGING = Path(__file__).with_name("notebook-log4j2.properties")
_SERVER_SETTINGS = f"--jars spark-gpu-sched-….jar --conf spark.plugins={PLUGIN}"


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

    :param master: as Spark's, such as ``local[4]``; without it, Spark's own default
    :param remote: a Spark Connect server, ``sc://host:port``, which must have the plugin itself
    :param jar: the plugin's jar, if it is to be another than the one found
    :param jars: jars of your own UDFs
    :param config: more settings of Spark
    :raises SetupError: if Spark, Java, or the jar is missing or too old, or if a Spark without
        the plugin runs already
    """
    _versions.require_python()
    _versions.require_spark()
    from pyspark.sql import SparkSession

    if remote is not None:
        return _remote(remote, master, jar, jars, config)
    builder = SparkSession.Builder().appName(app_name)
    if master is not None:
        builder = builder.master(master)
    for key, value in (config or {}).items():
        builder = builder.config(key, _text(value))
    if in_notebook():
        _quieten(builder)
    if jars:
        _append(builder, "spark.jars", *(_own_jar(path) for path in jars))
    spark = configure(builder, jar=jar).getOrCreate()
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
    options = _options(builder)
    if "spark.remote" in options or "SPARK_REMOTE" in os.environ:
        raise SetupError(
            "a client of Spark Connect cannot add a plugin to its server. Start the server with "
            f"{_SERVER_SETTINGS}, and connect by gpusched.session(remote='sc://…')"
        )
    mode = options.get("spark.api.mode", os.environ.get("SPARK_API_MODE", "classic"))
    if str(mode).lower() == "connect":
        raise SetupError(
            "spark.api.mode=connect starts a server whose spark.plugins PySpark sets itself: take "
            f"spark.api.mode=classic, or start a Spark Connect server with {_SERVER_SETTINGS}"
        )
    _versions.require_classic_spark()
    running = _running_plugins()
    if running is not None:
        if PLUGIN not in running:
            raise SetupError(
                "a Spark without the plugin already runs in this process (spark.plugins="
                f"'{running}'), and plugins are only loaded when it starts: call spark.stop() first"
            )
        return builder
    if _jvm_runs():
        _require_class_in_jvm()
    else:
        _versions.require_java()
        found: Jar = find_jar(jar)
        _append(builder, found.key, found.place)
        master = options.get("spark.master") or _defaults().get("spark.master", "local[*]")
        if str(master).startswith("local"):
            # Else the workers are whatever python3 the PATH has, with other packages.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    _append(builder, "spark.plugins", PLUGIN)
    return builder


def require_plugin(spark: SparkSession) -> None:
    """Refuse a session whose Spark runs without the plugin."""
    plugins = spark.conf.get("spark.plugins", "") or ""
    if PLUGIN not in plugins:
        raise SetupError(
            f"this session's Spark runs without the plugin (spark.plugins='{plugins}'): make the "
            f"session by gpusched.session(), or start Spark with {_SERVER_SETTINGS}"
        )


def is_remote(spark: SparkSession) -> bool:
    """Whether the session is one of Spark Connect."""
    return ".connect." in type(spark).__module__


def _remote(remote: str, master: str | None, *server_side: object) -> SparkSession:
    from pyspark.sql import SparkSession

    if not remote.startswith("sc://"):
        raise SetupError(
            f"remote='{remote}' is not allowed: give sc://host:port. (PySpark starts a local "
            f"Connect server without plugins; start one with {_SERVER_SETTINGS})"
        )
    if master is not None or any(server_side):
        raise SetupError(
            "remote= goes without master, jar, jars and config, which are the server's: start it "
            f"with {_SERVER_SETTINGS}"
        )
    spark = SparkSession.Builder().remote(remote).getOrCreate()
    require_plugin(spark)
    return spark


def _running_plugins() -> str | None:
    """``spark.plugins`` of the Spark that runs in this process, or None if none does."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None:
        return None
    return context.getConf().get("spark.plugins", "") or ""


def _jvm_runs() -> bool:
    """Whether a JVM runs already: one left by a stopped session, or that of spark-submit."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def _require_class_in_jvm() -> None:
    from py4j.protocol import Py4JJavaError
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    try:
        context_loader(SparkContext._jvm).loadClass(PLUGIN)
    except Py4JJavaError as e:
        raise SetupError(
            "this process has started its JVM without the plugin's jar, and a jar cannot be added "
            f"later: restart the kernel, or submit with {_SERVER_SETTINGS}"
        ) from e


def context_loader(jvm: Any) -> Any:
    """Return the class loader that knows what was given as ``spark.jars``."""
    return jvm.java.lang.Thread.currentThread().getContextClassLoader()


def _options(builder: SparkSession.Builder) -> dict[str, Any]:
    return builder._options


def _quieten(builder: SparkSession.Builder) -> None:
    """Have a notebook show warnings, but not those that every start of Spark has."""
    folder = _conf_folder()
    given = {**_defaults(), **_options(builder)}
    if _PROGRESS not in given:
        # Spark draws its bar over and over on standard error, which a notebook keeps line by line.
        builder.config(_PROGRESS, "false")
    if _JVM_OPTIONS not in given and not (folder and (folder / "log4j2.properties").is_file()):
        builder.config(_JVM_OPTIONS, f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}")


def _append(builder: SparkSession.Builder, key: str, *values: str) -> None:
    """Add to a list, to that of spark-defaults.conf if the builder has none: it would hide it."""
    before = str(_options(builder).get(key) or _defaults().get(key, ""))
    all_values = [value.strip() for value in before.split(",") if value.strip()]
    all_values += [value for value in values if value not in all_values]
    builder.config(key, ",".join(all_values))


def _defaults() -> dict[str, str]:
    """Settings of ``spark-defaults.conf``, where Spark will find it."""
    folder = _conf_folder()
    file = folder / "spark-defaults.conf" if folder else None
    if file is None or not file.is_file():
        return {}
    settings = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        setting = re.fullmatch(r"\s*([^\s=:#]+)\s*[\s=:]\s*(.*?)\s*", line)
        if setting:
            settings[setting[1]] = setting[2]
    return settings


def _conf_folder() -> Path | None:
    folder = os.environ.get("SPARK_CONF_DIR")
    if not folder and os.environ.get("SPARK_HOME"):
        folder = os.path.join(os.environ["SPARK_HOME"], "conf")
    return Path(folder) if folder else None


def _own_jar(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if "://" not in text and not Path(text).is_file():
        raise SetupError(f"jars: '{text}' is not a file: give the path of a jar, or its URL")
    return text


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
