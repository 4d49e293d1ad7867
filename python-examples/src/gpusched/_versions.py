"""Which Spark, Java and Python this package works with, checked before a JVM starts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from typing import TYPE_CHECKING

from gpusched._errors import SetupError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST_PYTHON = (3, 10)
OLDEST_SPARK = (3, 5)
OLDEST_JAVA = 17
# Not by this package's extra: the package is not in an index.
INSTALL_SPARK = "pip install 'pyspark>=3.5,<4.4'"


def require_python(version: tuple[int, ...] = tuple(sys.version_info[:2])) -> None:
    """Refuse a Python that this package does not run on."""
    if version < OLDEST_PYTHON:
        raise SetupError(
            f"this is Python {_dotted(version)}: Python {_dotted(OLDEST_PYTHON)} or newer is "
            "needed; make the virtual environment with a newer one"
        )


def require_spark() -> str:
    """Return PySpark's version; refuse an old one, or none."""
    wanted = _dotted(OLDEST_SPARK)
    try:
        import pyspark
    except ImportError as e:
        raise SetupError(
            f"PySpark is not installed: {wanted} or newer is needed, of the version that your "
            f"cluster runs; on a machine without a cluster: {INSTALL_SPARK}"
        ) from e
    version = pyspark.__version__
    if _numbers(version) < OLDEST_SPARK:
        raise SetupError(
            f"PySpark {version} is installed: Spark {wanted} or newer is needed; {INSTALL_SPARK}"
        )
    return version


def active_session() -> SparkSession:
    """Return this thread's session, or else, as PySpark does, the one that was made last.

    :raises SetupError: if there is none
    """
    require_spark()
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        raise SetupError("there is no session: make one with gpusched.session()") from None


def require_running(spark: SparkSession) -> None:
    """Refuse a session that has been stopped, by which Spark fails in words of its own."""
    context = getattr(spark, "_sc", None)  # of Spark Connect there is none
    if context is not None and context._jsc is None:
        raise SetupError(
            "this session has been stopped: take the one that gpusched.session() returns"
        )


def spark_is_before(version: tuple[int, ...]) -> bool:
    """Whether PySpark is here, and older."""
    try:
        import pyspark
    except ImportError:
        return False
    return _numbers(pyspark.__version__) < version


def require_classic_spark() -> None:
    """Refuse a PySpark that can only be a client of Spark Connect, as it has no JVM to start."""
    try:
        from pyspark.util import is_remote_only
    except ImportError:  # before 4.0 there was no such PySpark
        return
    if is_remote_only():
        raise SetupError(
            "this PySpark is the Spark Connect client alone, without Spark: give remote='sc://…', "
            f"or {INSTALL_SPARK}"
        )


def require_java() -> str:
    """Return the Java that Spark will start, a program; refuse an old one, or none."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    looked = f"JAVA_HOME is {home}" if home else "JAVA_HOME is not set, and PATH has no java"
    todo = f"install Java {OLDEST_JAVA} or newer, or set JAVA_HOME to one"
    if java is None:
        raise SetupError(f"no Java was found ({looked}): {todo}")
    try:
        run = subprocess.run(
            [java, "-version"], capture_output=True, encoding="utf-8", errors="replace", timeout=60
        )
    except OSError as e:
        raise SetupError(f"no Java was found ({looked}, and {java} does not start): {todo}") from e
    found = re.search(r'version "(?:1\.)?(\d+)', run.stderr + run.stdout)
    if run.returncode != 0 or found is None:
        raise SetupError(f"'{java} -version' does not say which Java it is: {todo}")
    version = int(found[1])
    if version < OLDEST_JAVA:
        raise SetupError(f"{java} is Java {version}, which Spark does not run on: {todo}")
    return java


def package_version() -> str:
    """Return the version of this package."""
    try:
        return metadata.version("spark-gpu-sched")
    except metadata.PackageNotFoundError:
        return "unknown"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
