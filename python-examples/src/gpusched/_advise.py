"""Which jobs profit: what the plugin would save, read from event logs of jobs without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
from gpusched._errors import GpuSchedError, SetupError
from gpusched._jar import find_jar
from gpusched._versions import require_java

_MAIN = "io.github.sparkgpusched.advise.Advise"
# A log of any length is read in so much.
_HEAP = "-Xmx1g"
# Before its own messages, beside which there may be Spark's.
_SAYS = "gpusched advise: "


class Advice:
    """What the advisor says of one or more event logs.

    ``str()`` gives the text, and a notebook shows the page. ``report`` has everything that is
    known, as docs/advise.md describes it; the tables are parts of it.
    """

    def __init__(self, report: dict[str, Any], text: str, page: str) -> None:
        self.report = report
        self._text = text
        self._page = page

    @property
    def applications(self) -> pd.DataFrame:
        """One row per application, those that would gain most first; times are in seconds."""
        return self._table(None)

    @property
    def queries(self) -> pd.DataFrame:
        """The queries with functions, by application; times are in seconds."""
        return self._table("queries")

    @property
    def stages(self) -> pd.DataFrame:
        """The stages with functions, by application; times are in seconds."""
        return self._table("stages")

    @property
    def not_batched(self) -> pd.DataFrame:
        """The functions that could not be shared, and why."""
        return self._table("notBatched")

    def write_html(self, file: str | os.PathLike[str]) -> None:
        """Write the page. It loads nothing from anywhere."""
        Path(file).write_text(self._page, "utf-8")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        # In a frame of its own: the page's styles are for itself.
        page = self._page.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'

    def _table(self, part: str | None) -> pd.DataFrame:
        rows = []
        for application in self.report["applications"]:
            for row in [application] if part is None else application[part]:
                flat = {} if part is None else {"application": application["log"]}
                for name, value in row.items():
                    if isinstance(value, dict):
                        flat |= {f"{name}.{which}": one for which, one in value.items()}
                    elif part is not None or not isinstance(value, list):
                        flat[name] = value
                rows.append(flat)
        return pd.DataFrame(rows)


def advise(*logs: str | os.PathLike[str], jar: str | os.PathLike[str] | None = None) -> Advice:
    """Say of Spark event logs what the plugin would have saved, by how much, and why not.

    The logs are of jobs that ran without the plugin, with ``spark.eventLog.enabled=true``, on any
    Spark from 3.3 on. No session is started. It needs Java, and Spark's jars: those of
    ``SPARK_HOME``, or of PySpark.

    Logs at ``hdfs://…`` and ``s3a://…`` need the set-up that ``spark-submit`` makes: give them to
    ``spark-submit --class io.github.sparkgpusched.advise.Advise``.

    :param logs: a log's file, plain or packed, the folder of a rolled log, or a folder of logs;
        of a folder, a log that cannot be read is left out, and ``str()`` says so
    :param jar: the plugin's jar, as :func:`find_jar` takes it
    :raises SetupError: if there is no Java, no Spark, or no jar
    :raises GpuSchedError: if no log can be read
    """
    command = _command(jar)
    places = [os.fspath(log) for log in logs]
    if not places:
        raise GpuSchedError("no log was given: give the file or the folder of an event log")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        data = Path(folder) / "report.json"
        text = _run([*command, "--html", str(page), "--json-file", str(data), "--", *places])
        return Advice(json.loads(data.read_text("utf-8")), text, page.read_text("utf-8"))


def _run(command: list[str]) -> str:
    run = subprocess.run(command, capture_output=True, encoding="utf-8", env=_environment())
    if run.returncode != 0:
        said = [line for line in run.stderr.splitlines() if line.startswith(_SAYS)]
        raise GpuSchedError("\n".join(said).replace(_SAYS, "") or run.stderr)
    return run.stdout


def main(arguments: list[str] | None = None) -> int:
    """Run the console command ``gpusched``."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] != ["advise"]:
        print("usage: gpusched advise [OPTIONS] EVENTLOG...", file=sys.stderr)
        return 0 if given[:1] in (["--help"], ["-h"]) else 2
    try:
        command = _command(None)
    except SetupError as e:
        print(f"{_SAYS}{e}", file=sys.stderr)
        return 1
    progress = ["--progress"] if sys.stderr.isatty() else []
    return subprocess.run([*command, *progress, *given[1:]], env=_environment()).returncode


def _command(jar: str | os.PathLike[str] | None) -> list[str]:
    found = find_jar(jar)
    if found.is_coordinates:
        raise SetupError(
            f"jar='{found.place}' names a jar that only a Spark session fetches: give its path"
        )
    # The plugin's classes come first; Spark's jars have all that they need.
    path = os.pathsep.join([found.place, str(_spark_jars() / "*")])
    return [require_java(), _HEAP, "-cp", path, _MAIN]


def _spark_jars() -> Path:
    homes = [os.environ.get("SPARK_HOME")]
    try:
        import pyspark

        homes.append(str(Path(pyspark.__file__).parent))
    except ImportError:
        pass
    for home in homes:
        if home and (Path(home) / "jars").is_dir():
            return Path(home) / "jars"
    raise SetupError(
        "Spark's jars were not found: set SPARK_HOME to where Spark is, or install PySpark"
    )


def _environment() -> dict[str, str]:
    # Spark warns of a host name that is a loopback address; nothing here listens anywhere.
    return {"SPARK_LOCAL_IP": "127.0.0.1"} | os.environ
