"""Whether a person reads along in a notebook."""

from __future__ import annotations

import builtins
import logging
import sys


def in_notebook() -> bool:
    """Whether this is a Jupyter kernel. That its modules are loaded says nothing: PySpark does."""
    return hasattr(builtins, "__IPYTHON__") and "ipykernel" in sys.modules


def say(line: str) -> None:
    """Say a line in the notebook's output; outside of notebooks, in the log."""
    if in_notebook():
        print(line)
    else:
        logging.getLogger("gpusched").warning(line)
