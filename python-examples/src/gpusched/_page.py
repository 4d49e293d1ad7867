"""What the tab in Spark's UI knows, from its JSON."""

from __future__ import annotations

import json
import urllib.request
from typing import TYPE_CHECKING, Any

from gpusched._connect import is_remote
from gpusched._errors import NotSupportedError
from gpusched._session import require_plugin

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SECONDS = 30


def read_part(spark: SparkSession, part: str, otherwise: str) -> Any:
    """A part of the JSON; ``otherwise`` is advice for where there is no UI to ask."""
    require_plugin(spark)
    if is_remote(spark):
        raise NotSupportedError(
            "Spark Connect does not tell the address of the server's UI: see its tab there, or "
            + otherwise
        )
    address = spark.sparkContext.uiWebUrl
    if address is None:
        raise NotSupportedError(
            f"this Spark runs without its UI (spark.ui.enabled=false), from which {part} are read: "
            f"make the session without that setting, or {otherwise}"
        )
    if str(spark.conf.get("spark.gpusched.ui.enabled", "true")).lower() == "false":
        raise NotSupportedError(
            f"spark.gpusched.ui.enabled is false, and {part} are read from that page: "
            f"make the session without that setting, or {otherwise}"
        )
    url = f"{address}/gpusched/json/?part={part}"
    # Not by a proxy, which need not reach the driver.
    directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with directly.open(url, timeout=_SECONDS) as response:
        return json.load(response)
