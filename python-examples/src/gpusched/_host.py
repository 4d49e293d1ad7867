"""Compiles a CUDA function for the host, for the check of a ``cuda_udf``."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from gpusched._cuda import POINTERS, CudaFunction
from gpusched._errors import CudaSourceError, SetupError
from gpusched._jar import VARIABLE, find_jar

# How a parameter is passed: a NumPy type, or "bytes" and "doubles" for data with offsets.
PASSED = {
    "bool": "bool",
    "int": "int32",
    "long long": "int64",
    "float": "float32",
    "double": "float64",
    "const unsigned char*": "bytes",
    "const double*": "doubles",
}

# What device code has without headers. Products that are followed by sums are not fused.
_PREAMBLE = """\
#include <algorithm>
#include <cmath>
#include <cstdlib>
using std::max; using std::min;
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
"""

# Where the plugin's jar has its device headers. They are C++ for the host too.
_HEADERS = "io/github/sparkgpusched/device/cuda/include/"


@functools.cache
def compile_for_host(function: CudaFunction) -> bytes:
    """Return a shared library whose ``gpusched_rows`` calls the function for each row.

    :raises SetupError: if this machine has no C++ compiler, or not the headers that the text needs
    :raises CudaSourceError: if the text does not compile
    """
    compiler = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), None)
    if compiler is None:
        raise SetupError(
            "the check compiles the CUDA text for this machine, and there is no C++ compiler "
            "(looked for c++, g++, clang++): install one, set CXX, or leave the check out, check=0"
        )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "cuda.cpp")
        library = Path(folder, "cuda.so")
        preamble = _PREAMBLE
        if "strict_" in function.source:
            _extract_headers(folder)
            preamble += '#include "gpusched/fdlibm.cuh"\n'
        text = f'{preamble}#line 1 "cuda"\n{function.source}\n{_loop(function)}'
        source.write_text(text, encoding="utf-8")
        flags = ["-std=c++20", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-D__device__="]
        flags.append(f"-I{folder}/{_HEADERS}")
        try:
            run = subprocess.run(
                [*compiler.split(), *flags, "-o", str(library), str(source)],
                capture_output=True,
                text=True,
                timeout=120,
            )
        except OSError as e:
            raise SetupError(f"the C++ compiler '{compiler}' does not start ({e}): set CXX") from e
        if run.returncode != 0:
            raise CudaSourceError(
                f"the CUDA text of {function.name} does not compile:\n{run.stderr.strip()}"
            )
        return library.read_bytes()


def _extract_headers(folder: str) -> None:
    jar = find_jar()
    if jar.is_coordinates:
        raise SetupError(
            "the check of a CUDA text that says strict_ needs the header of these functions, which "
            f"is in the plugin's jar: give the path of that jar in {VARIABLE}, not its Maven "
            "coordinates, or leave the check out, check=0"
        )
    with zipfile.ZipFile(jar.place) as files:
        files.extractall(folder, [n for n in files.namelist() if n.startswith(_HEADERS)])


def _loop(function: CudaFunction) -> str:
    arguments = []
    position = 0
    for parameter in function.parameters:
        if parameter.c_type in POINTERS:
            data = f"(({parameter.c_type})in[{position}])"
            offsets = f"((const int*)in[{position + 1}])"
            arguments += [f"{data} + {offsets}[i]", f"{offsets}[i + 1] - {offsets}[i]"]
            position += 2
        else:
            arguments.append(f"((const {parameter.c_type}*)in[{position}])[i]")
            position += 1
    call = f"{function.name}({', '.join(arguments)})"
    return (
        'extern "C" void gpusched_rows(long long rows, const void* const* in, void* out) {\n'
        f"  for (long long i = 0; i < rows; i++) (({function.returns}*)out)[i] = {call};\n}}\n"
    )
