"""The CUDA text of a function: what is in it, as far as calling it needs.

The conventions are those of ``cuda/udf/README.md``: one ``__device__`` function computes one row,
or a state and three functions do, in steps.
This is no compiler. It finds the function's signature, and refuses what cannot work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpusched._errors import CudaSourceError

# C++ types of one parameter or of the result, and the SQL types that are passed as them.
SCALARS = {
    "bool": ("boolean",),
    "int": ("int", "smallint", "tinyint", "date"),
    "long long": ("bigint", "timestamp"),
    "float": ("float",),
    "double": ("double",),
}
# Those of two parameters: a pointer and an int, its length.
POINTERS = {
    "const unsigned char*": ("string", "binary"),
    "const double*": ("array<double>",),
}


def ddl(sql_type: str) -> str:
    """Write a type for Spark's parser.

    ``spark.sql.timestampType`` may have it take a bare timestamp for one without a zone.
    """
    return "timestamp_ltz" if sql_type == "timestamp" else sql_type


_NOT_ALLOWED = (
    (r"\b(threadIdx|blockIdx|blockDim|gridDim)\b", None, "one call computes one row"),
    (r"\b__shared__\b", None, "one call computes one row"),
    (r"\b__syncthreads\b", None, "one call computes one row"),
    (r"\b__global__\b", None, "the plugin makes the kernel; write a __device__ function"),
    (r"(?m)^[ \t]*#[ \t]*include\b", "#include", "device code has no headers, and needs none"),
    (r"\btemplate\s*<", "template", "give a function of fixed types"),
)
_FUNCTION = re.compile(
    r"__device__\s+(?P<returns>[^;{}()]*?)\s*\b(?P<name>[^\W\d]\w*)\s*\((?P<parameters>[^()]*)\)\s*\{"
)
_QUALIFIERS = re.compile(r"\b(static|inline|constexpr|__forceinline__|__noinline__|__host__)\b")


@dataclass(frozen=True)
class CudaParameter:
    """One SQL argument as CUDA sees it."""

    name: str
    c_type: str

    @property
    def sql_types(self) -> tuple[str, ...]:
        """SQL types that it takes."""
        return SCALARS.get(self.c_type) or POINTERS[self.c_type]


@dataclass(frozen=True)
class CudaFunction:
    """A ``__device__`` function with the text that it is in.

    ``exact`` says whether its arithmetic is compiled as it is written, nothing fused; ``steps``
    whether the text has it in steps.
    """

    source: str
    name: str
    returns: str
    parameters: tuple[CudaParameter, ...]
    exact: bool = True
    steps: bool = False

    def __str__(self) -> str:
        inner = ", ".join(
            f"{p.c_type} {p.name}" + (", int" if p.c_type in POINTERS else "")
            for p in self.parameters
        )
        return f"{self.returns} {self.name}({inner})"


def parse(source: str, function: str) -> CudaFunction:
    """Find a function in CUDA text.

    :param function: its name; if the text has one ``__device__`` function only, or only one in
        steps, that one is meant whatever its name
    :raises CudaSourceError: if it is not there, or cannot be called for a row
    """
    bare = _without_comments(source)
    for pattern, word, why in _NOT_ALLOWED:
        found = re.search(pattern, bare)
        if found:
            raise CudaSourceError(
                f"the CUDA text has {word or found[0]} in line {_line(bare, found)}: {why}"
            )
    _check_brackets(bare)
    functions = {found["name"]: found for found in _FUNCTION.finditer(bare)}
    if not functions:
        raise CudaSourceError(
            "the CUDA text has no __device__ function: write one as in "
            '"__device__ double f(double x, int n) { return x * n; }"'
        )
    in_steps = [name.removesuffix("_step") for name in functions if name.endswith("_step")]
    if function in in_steps and function not in functions:
        return _in_steps(source, bare, function, functions)
    if len(in_steps) == 1 and function not in functions and len(functions) > 1:
        return _in_steps(source, bare, in_steps[0], functions)
    if function in functions:
        found = functions[function]
    elif len(functions) == 1:
        found = next(iter(functions.values()))
    else:
        raise CudaSourceError(
            f"the CUDA text has {len(functions)} __device__ functions ({', '.join(functions)}) and "
            f"none is called {function}: name the one that computes a row as the Python function"
        )
    name = found["name"]
    _require_ascii(name)
    return CudaFunction(source, name, _result(name, found), _parameters(name, found["parameters"]))


def _in_steps(
    source: str, bare: str, name: str, functions: dict[str, re.Match[str]]
) -> CudaFunction:
    missing = [
        part for part in (f"{name}_init", f"{name}_step", f"{name}_done") if part not in functions
    ]
    if not re.search(rf"\bstruct\s+{name}_state\b", bare):
        missing.insert(0, f"struct {name}_state")
    if missing:
        raise CudaSourceError(
            f"the CUDA text has {name} in steps, without {' and '.join(missing)}: give struct "
            f"{name}_state, {name}_init, {name}_step and {name}_done"
        )
    rest = {}
    for part in ("init", "step", "done"):
        parameters = functions[f"{name}_{part}"]["parameters"]
        found = re.fullmatch(
            rf"\s*{name}_state\s*&\s*[A-Za-z_]\w*\s*(?:,(?P<rest>.*))?", parameters, re.DOTALL
        )
        if found is None:
            raise CudaSourceError(
                f"{name}_{part}: the first parameter is '{name}_state& s', the row's state; given "
                f"is '{parameters.strip()}'"
            )
        rest[part] = found["rest"] or ""
    if _type(functions[f"{name}_step"]["returns"]) != "bool":
        raise CudaSourceError(f"{name}_step returns bool: false after the row's last step")
    for part in ("step", "done"):
        if rest[part].strip():
            _parameters(f"{name}_{part}", rest[part])
            raise CudaSourceError(
                f"{name}_{part} takes the row's state alone, not '{rest[part].strip()}'"
            )
    _require_ascii(name)
    returns = _result(f"{name}_done", functions[f"{name}_done"])
    parameters = _parameters(f"{name}_init", rest["init"])
    return CudaFunction(source, name, returns, parameters, steps=True)


def _require_ascii(name: str) -> None:
    if not name.isascii():
        raise CudaSourceError(
            f"the CUDA function's name '{name}' is not allowed: give A to Z, a to z, digits and _; "
            "the Python function may keep its own"
        )


def _result(name: str, found: re.Match[str]) -> str:
    returns = _type(found["returns"])
    if returns not in SCALARS:
        raise CudaSourceError(
            f"{name} returns '{returns}': a row's result is returned by value, as one of "
            f"{', '.join(SCALARS)}"
        )
    return returns


def _parameters(function: str, text: str) -> tuple[CudaParameter, ...]:
    given = [_parameter(function, part) for part in text.split(",")] if text.strip() else []
    parameters = []
    position = 0
    while position < len(given):
        c_type, name = given[position]
        position += 1
        if c_type in POINTERS:
            if position == len(given) or given[position][0] != "int":
                raise CudaSourceError(
                    f"{function}: after '{c_type} {name}' there must be an int, its length"
                )
            position += 1
        parameters.append(CudaParameter(name, c_type))
    if not parameters or parameters[0].c_type == "void":
        raise CudaSourceError(f"{function} has no parameter: a function of a row needs one or more")
    return tuple(parameters)


def _parameter(function: str, text: str) -> tuple[str, str]:
    if re.match(r"\s*bool\s*\*", text):
        raise CudaSourceError(
            f"{function}: '{text.strip()}' tells of a null result, or of a row that is left to the "
            "Java form: a cuda_udf has neither. Give each row a result that is not null, or write "
            "a UDF in Java"
        )
    found = re.fullmatch(r"\s*(.*?)\b([A-Za-z_]\w*)\s*", text, re.DOTALL)
    c_type = _type(found[1]) if found else ""
    if found is None or c_type not in {*SCALARS, *POINTERS}:
        raise CudaSourceError(
            f"{function}: the parameter '{text.strip()}' is not allowed: give a type and a name, "
            f"with one of the types {', '.join([*SCALARS, *POINTERS])}"
        )
    return c_type, found[2]


def _type(text: str) -> str:
    """Write a type in one way: no qualifiers, single spaces, the star at the word."""
    words = " ".join(_QUALIFIERS.sub(" ", text).replace("*", " * ").split()).replace(" *", "*")
    if "*" not in words:
        words = re.sub(r"\bconst\b", "", words).strip()
    return {
        "long long int": "long long",
        "unsigned char const*": "const unsigned char*",
        "double const*": "const double*",
    }.get(words, words)


def _without_comments(source: str) -> str:
    """Blank out comments and literals, and keep the lines."""

    def blank(found: re.Match[str]) -> str:
        number = found[0][0].isdigit()
        return found[0] if number else re.sub(r"[^\n]", " ", found[0])

    # The ' of a number, as in 1'000, begins no literal.
    return re.sub(
        r"\b[0-9](?:'?\w)*|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
        blank,
        source,
        flags=re.DOTALL,
    )


def _check_brackets(bare: str) -> None:
    opened: list[tuple[str, int]] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for i, c in enumerate(bare):
        line = bare.count("\n", 0, i) + 1
        if c in pairs.values():
            opened.append((c, line))
        elif c in pairs and (not opened or opened.pop()[0] != pairs[c]):
            raise CudaSourceError(f"the CUDA text has a '{c}' too many in line {line}")
    if opened:
        raise CudaSourceError(
            f"the CUDA text does not close the '{opened[-1][0]}' of line {opened[-1][1]}"
        )


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1
