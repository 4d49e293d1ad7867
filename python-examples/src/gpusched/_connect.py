"""Sessions of Spark Connect."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gpusched._errors import NotSupportedError, SetupError
from gpusched._running import SERVER_SETTINGS, active_context
from gpusched._versions import spark_is_before

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SECONDS = 15


def connect(remote: str, master: str | None, *server_side: object) -> SparkSession:
    """Return a session of a server; refuse what is the server's to say, and a silent server."""
    from pyspark.sql import SparkSession

    refuse_old()
    if not remote.startswith("sc://"):
        raise SetupError(
            f"remote='{remote}' is not allowed: give sc://host:port. (PySpark starts a local "
            f"Connect server without plugins; start one with {SERVER_SETTINGS})"
        )
    if master is not None or any(server_side):
        raise SetupError(
            "remote= goes without master, jar, jars and config, which are the server's: start it "
            f"with {SERVER_SETTINGS}"
        )
    if active_context() is not None:
        raise SetupError(
            f"remote='{remote}': a Spark of its own runs in this process: call spark.stop(), then "
            "gpusched.session(remote=…)"
        )
    _require_answer(remote)
    spark = SparkSession.Builder().remote(remote).getOrCreate()
    _require_server(spark, remote)
    return spark


def _require_server(spark: Any, remote: str) -> None:
    """Refuse a session of another server: PySpark returns the one that there is."""
    core: Any = import_module("pyspark.sql.connect.client.core")
    has, asked = spark.client._builder.endpoint, core.DefaultChannelBuilder(remote).endpoint
    if has != asked:
        raise SetupError(
            f"remote='{remote}': this process has a session of sc://{has}, and PySpark has one "
            "server at a time: call spark.stop() of that session, then gpusched.session(remote=…)"
        )


def _require_answer(remote: str) -> None:
    """Ask before PySpark does, which asks again for minutes and says nothing."""
    try:
        grpc: Any = import_module("grpc")
        core: Any = import_module("pyspark.sql.connect.client.core")
    except ImportError as e:
        raise SetupError(
            f"a client of Spark Connect needs packages that are not installed ({e}): "
            "pip install 'pyspark[connect]'"
        ) from e
    channel = core.DefaultChannelBuilder(remote).toChannel()
    try:
        grpc.channel_ready_future(channel).result(timeout=_SECONDS)
    except grpc.FutureTimeoutError:
        raise SetupError(
            f"remote='{remote}': no Spark Connect server answers there ({_SECONDS} s): is it "
            "started, is the port right (15002 is the default), does it use TLS (;use_ssl=true)?"
        ) from None
    finally:
        channel.close()


def is_remote(made: object) -> bool:
    """Whether a session is one of Spark Connect; a column, of PySpark before 4.0 alone."""
    return ".connect." in type(made).__module__


def refuse_old() -> None:
    """Refuse a PySpark whose classes for Spark Connect are others than its own."""
    if spark_is_before((4, 0)):
        raise NotSupportedError(
            "Spark Connect needs PySpark 4.0 or newer here, and this is "
            f"{import_module('pyspark').__version__}: take a session without it, or a newer Spark"
        )
