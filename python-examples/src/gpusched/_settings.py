"""Settings of Spark: what is given, what spark-defaults.conf has, and whether they are allowed."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusched import _running
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
    """Add to a list, to that which Spark has if the builder has none: it would hide it."""
    before = str(options(builder).get(key) or defaults().get(key, ""))
    all_values = [value.strip() for value in before.split(",") if value.strip()]
    known = _running.items(before)
    all_values += [value for value in values if not _running.items(value) <= known]
    builder.config(key, ",".join(all_values))


def conf_folder() -> Path:
    """Return the folder of Spark's configuration: that of the package, unless one is named."""
    import pyspark

    folder = os.environ.get("SPARK_CONF_DIR")
    home = os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent
    return Path(folder) if folder else Path(home) / "conf"


def defaults() -> dict[str, str]:
    """Return the settings that Spark has, or will have, of itself.

    A JVM that runs has them. Else they are those of ``spark-defaults.conf``, where Spark will find
    it, and of ``--conf`` in the environment variable that PySpark hands to spark-submit.
    """
    if _running.jvm_runs():
        return _running.jvm_settings()
    return {**_of_file(conf_folder() / "spark-defaults.conf"), **_submitted("--conf", "-c")}


def refuse_jars_that_hide_ours() -> None:
    """Refuse jars that spark-submit would take in the place of the plugin's."""
    hidden = _submitted_values("--jars")
    if hidden and not any("spark-gpu-sched" in jars for jars in hidden):
        raise SetupError(
            f"PYSPARK_SUBMIT_ARGS has --jars {hidden[-1]}, in the place of which the plugin's jar "
            "would be left out: give these jars by jars=[…], or add the plugin's jar there"
        )


def _submitted(*options: str) -> dict[str, str]:
    given = (setting.split("=", 1) for setting in _submitted_values(*options) if "=" in setting)
    return {key.strip(): value for key, value in given}


def _submitted_values(*options: str) -> list[str]:
    """Return the values of an option of spark-submit that PySpark gives it."""
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    values = []
    for i, word in enumerate(words):
        name, _, value = word.partition("=")
        if word in options and i + 1 < len(words):
            values.append(words[i + 1])
        elif name in options and value:
            values.append(value)
    return values


def _of_file(file: Path) -> dict[str, str]:
    if not file.is_file():
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
