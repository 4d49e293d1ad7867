"""NVIDIA's run-time compiler on this machine, which needs no GPU to compile."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpusched._cuda import CudaFunction
from gpusched._errors import CudaSourceError, SetupError

_NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so")
_COMPILATION_FAILED = 6
# As the plugin's executors compile.
_OPTIONS = ("--std=c++17", "--prec-div=true", "--prec-sqrt=true", "--ftz=false")


class Nvrtc:
    """A loaded NVRTC; ``str`` says which."""

    def __init__(self, library: Any, place: str):
        self._library = library
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        self._name = f"NVRTC {major.value}.{minor.value} ({place})"

    def __str__(self) -> str:
        return self._name

    def compile(self, function: CudaFunction, headers: Mapping[str, bytes]) -> None:
        """Compile a function's text, for no GPU in particular.

        :param headers: texts by the names that they are included by
        :raises CudaSourceError: with the compiler's words, if it refuses the text
        """
        includes = '#include "gpusched/fdlibm.cuh"\n' if headers else ""
        text = f'{includes}#line 1 "{function.name}.cu"\n{function.source}\n'
        program = ctypes.c_void_p()
        self._call(
            "nvrtcCreateProgram",
            ctypes.byref(program),
            text.encode(),
            f"{function.name}.cu".encode(),
            len(headers),
            _texts(headers.values()),
            _texts(name.encode() for name in headers),
        )
        try:
            options = [*_OPTIONS, f"--fmad={str(not function.exact).lower()}"]
            given = _texts(option.encode() for option in options)
            status = self._library.nvrtcCompileProgram(program, len(options), given)
            if status == _COMPILATION_FAILED:
                raise CudaSourceError(
                    f"the CUDA text of {function.name} does not compile:\n{self._log(program)}"
                )
            self._require(status, "nvrtcCompileProgram")
        finally:
            self._library.nvrtcDestroyProgram(ctypes.byref(program))

    def _log(self, program: ctypes.c_void_p) -> str:
        size = ctypes.c_size_t()
        self._call("nvrtcGetProgramLogSize", program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        self._call("nvrtcGetProgramLog", program, log)
        return log.value.decode(errors="replace").strip()

    def _call(self, name: str, *arguments: Any) -> None:
        self._require(getattr(self._library, name)(*arguments), name)

    def _require(self, status: int, name: str) -> None:
        if status != 0:
            raise SetupError(f"{name} gave error {status} of NVRTC: compile with another one")


def find_nvrtc() -> Nvrtc | None:
    """Return the first NVRTC that loads: of the system, of a CUDA toolkit, of pip's packages."""
    for place in _places():
        try:
            for builtins in sorted(Path(place).parent.glob("libnvrtc-builtins.so*")):
                # NVRTC loads it by its bare name, which is found only if it is loaded.
                if "/" in place:
                    ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
            return Nvrtc(ctypes.CDLL(place), place)
        except (OSError, AttributeError):
            continue
    return None


def _places() -> Iterator[str]:
    yield from _NAMES
    folders = [
        Path(os.environ[variable], "lib64")
        for variable in ("CUDA_HOME", "CUDA_PATH")
        if os.environ.get(variable)
    ]
    folders.append(Path("/usr/local/cuda/lib64"))
    # It may have been installed since this process looked.
    invalidate_caches()
    nvidia = find_spec("nvidia") if sys.platform == "linux" else None
    for root in (nvidia.submodule_search_locations or ()) if nvidia else ():
        folders += [Path(root, "cuda_nvrtc", "lib"), *sorted(Path(root).glob("cu*/lib"))]
    for folder in folders:
        yield from map(str, sorted(folder.glob("libnvrtc.so*"), reverse=True))


def _texts(texts: Any) -> Any:
    values = list(texts)
    return (ctypes.c_char_p * len(values))(*values)
