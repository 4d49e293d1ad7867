"""Compiles CUDA text on this machine: by NVRTC where it is, and for the host."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from gpusched._cuda import POINTERS, CudaFunction
from gpusched._errors import CudaSourceError, SetupError
from gpusched._jar import VARIABLE, find_jar
from gpusched._nvrtc import find_nvrtc

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

# Where the plugin's jar has its device headers. They are C++ for the host too.
_HEADERS = "io/github/sparkgpusched/device/cuda/include/"

# Runs the rows, and is compiled with them.
_SIGNALS = Path(__file__).with_name("_signals.cpp")

# What has compiled, and which NVRTC did. Not that there is none: readers install it when told to.
_compiled: dict[CudaFunction, str] = {}


def compile_for_device(function: CudaFunction) -> str | None:
    """Compile by this machine's NVRTC; return which it is, or None if there is none.

    :raises CudaSourceError: if the text does not compile
    """
    if function in _compiled:
        return _compiled[function]
    nvrtc = find_nvrtc()
    if nvrtc is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        headers = {}
        if "strict_" in function.source:
            _extract_headers(folder)
            include = Path(folder, _HEADERS)
            headers = {
                str(file.relative_to(include)): file.read_bytes() for file in include.rglob("*.cuh")
            }
            # They include each other by their bare names too.
            headers |= {Path(name).name: text for name, text in headers.items()}
        nvrtc.compile(function, headers)
    return _compiled.setdefault(function, str(nvrtc))


def host_compiler() -> str | None:
    """Return this machine's C++ compiler, a command, or None."""
    return os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), None)


@functools.cache
def compile_for_host(function: CudaFunction) -> bytes:
    """Return a shared library whose ``gpusched_rows`` calls the function for each row.

    It returns the row that ended by a signal, or -1: see ``_signals.cpp``.

    :raises SetupError: if this machine has no C++ compiler, or not the headers that the text needs
    :raises CudaSourceError: if the text does not compile
    """
    compiler = host_compiler()
    if compiler is None:
        raise SetupError(
            "the check compiles the CUDA text for this machine, and there is no C++ compiler "
            "(looked for c++, g++, clang++): install one, set CXX, or leave the check out, check=0"
        )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "cuda.cpp")
        library = Path(folder, "cuda.so")
        includes = ["device_functions.h", "device_names.h"]
        if "strict_" in function.source:
            _extract_headers(folder)
            includes.insert(0, "gpusched/fdlibm.cuh")
        before = "".join(f'#include "{name}"\n' for name in includes)
        text = f'{before}#line 1 "{function.name}.cu"\n{function.source}\n{_loop(function)}'
        source.write_text(text, encoding="utf-8")
        flags = ["-std=c++20", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-D__device__="]
        # Else a row would go on in whatever comes behind the function.
        flags.append("-Werror=return-type")
        flags += [f"-I{folder}/{_HEADERS}", f"-I{Path(__file__).parent}"]
        if sys.platform != "darwin":
            # Else a function named as one of the C library's, such as gamma, is that one.
            flags.append("-Wl,-Bsymbolic")
        try:
            run = subprocess.run(
                [*compiler.split(), *flags, "-o", str(library), str(source), str(_SIGNALS)],
                capture_output=True,
                encoding="utf-8",
                errors="replace",
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
            "a CUDA text that says strict_ is compiled here with the header of these functions, "
            f"which is in the plugin's jar: give the path of that jar in {VARIABLE}, not its Maven "
            "coordinates, or leave the check out, check=0"
        )
    with zipfile.ZipFile(jar.place) as files:
        files.extractall(folder, [n for n in files.namelist() if n.startswith(_HEADERS)])


def _loop(function: CudaFunction) -> str:
    # Names that no function of a text has: it may be called rows, in or i.
    columns, row = "gpusched_columns", "gpusched_i"
    arguments = []
    position = 0
    for parameter in function.parameters:
        if parameter.c_type in POINTERS:
            data = f"(({parameter.c_type}){columns}[{position}])"
            offsets = f"((const int*){columns}[{position + 1}])"
            arguments += [f"{data} + {offsets}[{row}]", f"{offsets}[{row} + 1] - {offsets}[{row}]"]
            position += 2
        else:
            arguments.append(f"((const {parameter.c_type}*){columns}[{position}])[{row}]")
            position += 1
    name = function.name
    call = f"{name}({', '.join(arguments)})"
    in_steps = ""
    if function.steps:
        call = f"gpusched_row({row}, {columns})"
        state = "gpusched_state"
        in_steps = (
            f"static {function.returns} gpusched_row(long long {row}, "
            f"const void* const* {columns}) {{\n"
            f"  {name}_state {state};\n"
            f"  {name}_init({state}, {', '.join(arguments)});\n"
            f"  while ({name}_step({state})) {{}}\n"
            f"  return {name}_done({state});\n}}\n"
        )
    results = "gpusched_results"
    return (
        f"{in_steps}"
        f'extern "C" void gpusched_loop(long long gpusched_n, const void* const* {columns}, '
        f"void* {results}, volatile long long* gpusched_row_at) {{\n"
        f"  for (long long {row} = 0; {row} < gpusched_n; {row}++) {{\n"
        f"    *gpusched_row_at = {row};\n"
        f"    (({function.returns}*){results})[{row}] = {call};\n  }}\n}}\n"
    )
