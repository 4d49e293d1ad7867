"""Where the plugin's jar is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gpusched._errors import SetupError

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
    bundled = _newest((Path(__file__).parent / "jars").glob("spark-gpu-sched-*.jar"))
    if bundled:
        return Jar(str(bundled))
    for start in (Path.cwd(), Path(__file__).resolve().parent):
        for folder in (start, *start.parents):
            built = _newest((folder / "spark-gpu-sched" / "target").glob("spark-gpu-sched-*.jar"))
            if built:
                return Jar(str(built))
    raise SetupError(
        "the plugin's jar was not found: not in this package, which was installed before the jar "
        "was built, nor in spark-gpu-sched/target of a folder above. Build it (./mvnw -DskipTests "
        f"package) and install again, or give its path: jar='…', or {VARIABLE}=…"
    )


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
