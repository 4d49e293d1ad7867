"""The test double of the CUDA driver, for tests on machines without a GPU.

Nothing that it does is a result about GPUs; see ``integration-tests/cuda-double``.
"""

import os
import shutil
import subprocess

import pytest
from conftest import REPOSITORY

SOURCES = REPOSITORY / "integration-tests" / "cuda-double"
BUILT = REPOSITORY / "integration-tests" / "target" / "python" / "cuda-double"
OF_UNIT_TESTS = REPOSITORY / "spark-gpu-sched" / "target" / "cuda-double"
KERNELS = str(BUILT / "twins" / "kernels")
LIBRARIES = {"nvrtc.cpp": "libnvrtc.so.12", "driver.cpp": "libcuda.so.1"}


def environment(**settings):
    """The environment of a process that finds the double where it looks for the driver."""
    if shutil.which("g++") is None:
        pytest.skip("no g++ to build the test double of the CUDA driver")
    # Kernels take seconds to compile: they are kept from run to run, by the same compiler.
    check = REPOSITORY / "cuda" / "check"
    sources = [*SOURCES.iterdir(), *check.iterdir(), *(check / "ptx").iterdir()]
    if not _is_built(BUILT, sources):
        shutil.rmtree(BUILT, ignore_errors=True)
        (BUILT / "twins").mkdir(parents=True)
        for source, library in LIBRARIES.items():
            if _is_built(OF_UNIT_TESTS, sources):
                shutil.copy2(OF_UNIT_TESTS / library, BUILT / library)
            else:
                _build(SOURCES / source, BUILT / library)
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "CUDA_", "LD_LIBRARY_"))
    }
    return {
        **kept,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "LD_LIBRARY_PATH": str(BUILT),
        "TMPDIR": str(BUILT / "twins"),
        "KERNELS": KERNELS,
        **{key: str(value) for key, value in settings.items()},
    }


def _is_built(folder, sources):
    last = folder / LIBRARIES["driver.cpp"]
    return last.exists() and all(s.stat().st_mtime <= last.stat().st_mtime for s in sources)


def _build(source, library):
    unfinished = library.with_suffix(f".{os.getpid()}")
    check = REPOSITORY / "cuda" / "check"
    command = ["g++", "-std=c++20", "-O1", "-fPIC", "-shared", f"-Wl,-soname,{library.name}"]
    command += [f'-DCUDA_DOUBLE_CHECK="{check}"', "-o", unfinished, source, "-ldl", "-lpthread"]
    subprocess.run(command, check=True, timeout=1200)
    unfinished.replace(library)
