"""Spark UDFs on all devices of each executor, balanced: the Python side.

Start with :func:`session`; see ``docs/python.md``.
"""

from gpusched._advise import Advice, advise
from gpusched._blocks import block_spans, plot_blocks
from gpusched._device import why_no_cuda
from gpusched._diagnosis import diagnosis
from gpusched._errors import (
    ArgumentError,
    CudaSourceError,
    GpuSchedError,
    NotSupportedError,
    SetupError,
)
from gpusched._jar import find_jar
from gpusched._load import LoadRecording, LoadTable, load_table, record_load
from gpusched._plot import plot_load
from gpusched._progress import progress
from gpusched._register import JavaFunction, register
from gpusched._session import configure, session
from gpusched._udf import CudaUdf, cuda_udf
from gpusched._versions import package_version

__version__ = package_version()

__all__ = [
    "Advice",
    "ArgumentError",
    "CudaSourceError",
    "CudaUdf",
    "GpuSchedError",
    "JavaFunction",
    "LoadRecording",
    "LoadTable",
    "NotSupportedError",
    "SetupError",
    "advise",
    "block_spans",
    "configure",
    "cuda_udf",
    "diagnosis",
    "find_jar",
    "load_table",
    "plot_blocks",
    "plot_load",
    "progress",
    "record_load",
    "register",
    "session",
    "why_no_cuda",
]
