"""Settings of Spark: what is given, what spark-defaults.conf has, and whether they are allowed."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusched._errors import SetupError
from gpusched._jar import Jar

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PREFIX = "spark.gpusched"
_CHECK = "io.github.sparkgpusched.config.CheckSettings"


def options(builder: SparkSession.Builder) -> dict[str, Any]:
    """Return what a builder has."""
    return builder._options


def append(builder: SparkSession.Builder, key: str, *values: str) -> None:
    """Add to a list, to that of spark-defaults.conf if the builder has none: it would hide it."""
    before = str(options(builder).get(key) or defaults().get(key, ""))
    all_values = [value.strip() for value in before.split(",") if value.strip()]
    all_values += [value for value in values if value not in all_values]
    builder.config(key, ",".join(all_values))


def conf_folder() -> Path | None:
    """Return the folder of Spark's configuration, if the environment names one."""
    folder = os.environ.get("SPARK_CONF_DIR")
    if not folder and os.environ.get("SPARK_HOME"):
        folder = os.path.join(os.environ["SPARK_HOME"], "conf")
    return Path(folder) if folder else None


def defaults() -> dict[str, str]:
    """Return the settings of ``spark-defaults.conf``, where Spark will find it."""
    folder = conf_folder()
    file = folder / "spark-defaults.conf" if folder else None
    if file is None or not file.is_file():
        return {}
    settings = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        setting = re.fullmatch(r"\s*([^\s=:#]+)\s*[\s=:]\s*(.*?)\s*", line)
        if setting:
            settings[setting[1]] = setting[2]
    return settings


def refuse_wrong_prefix(keys: Mapping[str, object]) -> None:
    """Refuse keys that look like ours and are not: Spark takes any key, and ignores it."""
    for key in keys:
        head = ".".join(key.split(".")[:2])
        near = difflib.get_close_matches(head, [_PREFIX], 1, 0.8) or key.split(".")[0] == "gpusched"
        if near and head != _PREFIX:
            raise SetupError(f"config: '{key}' is not a known key: ours begin with {_PREFIX}.")


def check(settings: Mapping[str, object], java: str, jar: Jar) -> None:
    """Refuse a setting of the plugin that is not allowed, before Spark's JVM starts.

    The jar says it: it knows the keys and their values. Of Maven coordinates there is no jar yet,
    and Spark's start says it.
    """
    ours = {k: str(v) for k, v in settings.items() if k == _PREFIX or k.startswith(f"{_PREFIX}.")}
    if not ours or jar.is_coordinates:
        return
    run = subprocess.run(
        # The JVM that is there soonest, for a few milliseconds of work.
        [java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"]
        + ["-cp", jar.place, _CHECK, *(text for pair in ours.items() for text in pair)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    # An older jar has no such class; its Spark says what is wrong. A JVM may print warnings, too.
    wrong = [line for line in run.stdout.splitlines() if line.startswith(_PREFIX)]
    if wrong:
        raise SetupError(f"config: {wrong[0]}")
