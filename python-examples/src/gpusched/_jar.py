"""Where the plugin's jar is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gpusched._errors import SetupError
from gpusched._versions import spark_is_before

VARIABLE = "GPUSCHED_JAR"
_COORDINATES = re.compile(r"[\w.\-]+:[\w.\-]+:[\w.\-]+")


@dataclass(frozen=True)
class Jar:
    """The plugin's jar: a file, or Maven coordinates for Spark to fetch it by."""

    place: str
    is_coordinates: bool = False

    @property
    def key(self) -> str:
        """Spark's setting that takes it."""
        return "spark.jars.packages" if self.is_coordinates else "spark.jars"


def find_jar(given: str | os.PathLike[str] | None = None) -> Jar:
    """Find the plugin's jar.

    In this order: what is given, the environment variable ``GPUSCHED_JAR`` (both a path or
    ``group:artifact:version``), the jar inside this package, what Maven built in the repository
    around the working directory or around this file.
    """
    for source, value in (("jar", given), (VARIABLE, os.environ.get(VARIABLE))):
        if value:
            return _explicit(source, os.fspath(value))
    kind = _kind()
    bundled = _newest((Path(__file__).parent / "jars").glob(kind.pattern))
    if bundled:
        return Jar(str(bundled))
    for start in (Path.cwd(), Path(__file__).resolve().parent):
        for folder in (start, *start.parents):
            built = _newest((folder / "spark-gpu-sched" / kind.folder).glob(kind.pattern))
            if built:
                return Jar(str(built))
    raise SetupError(
        "the plugin's jar was not found: not in this package, which was installed before the jar "
        f"was built, nor in spark-gpu-sched/{kind.folder} of a folder above. Build it "
        f"({kind.build}) and install again, or give its path: jar='…', or {VARIABLE}=…"
    )


@dataclass(frozen=True)
class _Kind:
    """The jar of a version of Spark: its file's name, where Maven builds it, and how."""

    pattern: str
    folder: str
    build: str


def _kind() -> _Kind:
    """Return which jar the Spark of this process takes: Spark 3.5 is of another Scala."""
    if spark_is_before((4, 0)):
        return _Kind(
            "spark-gpu-sched_2.12-*.jar",
            "target/spark-3.5_2.12",
            "./mvnw -Pspark-3.5 -DskipTests -pl spark-gpu-sched -am package",
        )
    return _Kind("spark-gpu-sched-*.jar", "target", "./mvnw -DskipTests package")


def _explicit(source: str, value: str) -> Jar:
    if Path(value).is_file():
        return Jar(str(Path(value).resolve()))
    if _COORDINATES.fullmatch(value):
        return Jar(value, is_coordinates=True)
    raise SetupError(
        f"{source}='{value}' is neither a file nor Maven coordinates (group:artifact:version): "
        "give the path of spark-gpu-sched-….jar"
    )


def _newest(found: Iterable[Path]) -> Path | None:
    jars = [jar for jar in found if not jar.stem.endswith(("-sources", "-javadoc", "-tests"))]
    return max(jars, key=lambda jar: jar.stat().st_mtime, default=None)
