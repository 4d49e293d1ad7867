"""What is read out of a CUDA text, and what is refused. Starts no Spark."""

import functools
import math
from collections.abc import Iterator
from typing import Optional

import gpusched
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import REPOSITORY
from gpusched._cuda import parse
from pyspark.sql import types


def refused(text, message, function="f"):
    with pytest.raises(gpusched.CudaSourceError, match=message):
        parse(text, function)


def test_a_function_is_found():
    found = parse(
        "static __device__ __forceinline__ double f(const double x,int n) {return x;}", "f"
    )
    assert str(found) == "double f(double x, int n)"


def test_pointers_take_their_length_with_them():
    found = parse(
        "__device__ long long g(const unsigned char *s, int n, double const * xs,\n"
        "int m, bool b)\n{\n}",
        "other",
    )
    assert [p.name for p in found.parameters] == ["s", "xs", "b"]
    assert found.parameters[0].sql_types == ("string", "binary")
    assert found.returns == "long long"


def test_of_several_functions_that_of_the_name():
    text = "__device__ int helper(int a) { return a; } __device__ int f(float x) { return 1; }"
    assert parse(text, "f").parameters[0].c_type == "float"
    refused(text, r"2 __device__ functions \(helper, f\) and none is called g", "g")


def test_comments_and_texts_are_not_code():
    text = """
    // __device__ int no(int x) { blockIdx
    __device__ int f(int x) { /* threadIdx } */ const char* c = "}{ __shared__"; return x; }
    """
    assert parse(text, "f").name == "f"
    separated = "__device__ int f(int x) { if (x > 1'000) { return 0x2'0a; } return case_('}'); }"
    assert parse(separated, "f").name == "f"


STEPS = """
struct f_state { double x; int n; };
__device__ void f_init(f_state& s, double x, int n) { s = {x, n}; }
__device__ bool f_step(f_state& s) { if (s.n <= 0) return false; s.x += 1; s.n--; return true; }
__device__ double f_done(f_state& s) { return s.x; }
"""


@pytest.mark.parametrize("name", ["f", "g"])
def test_a_function_in_steps_is_read(name):
    found = parse(STEPS, name)
    assert found.steps
    assert str(found) == "double f(double x, int n)"


def test_a_function_beside_one_in_steps_is_read_by_its_name():
    found = parse(STEPS + "__device__ int g(int x) { return x; }", "g")
    assert not found.steps


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("struct f_state", "struct state", "in steps, without struct f_state: give"),
        ("f_init(", "f_start(", "in steps, without f_init: give"),
        ("f_done(", "f_end(", "in steps, without f_done: give"),
        ("bool f_step", "int f_step", "f_step returns bool: false after"),
        ("f_step(f_state& s)", "f_step(f_state* s)", "the first parameter is 'f_state& s'"),
        ("f_step(f_state& s)", "f_step(f_state& s, int n)", "f_step takes the row's state alone"),
        ("f_done(f_state& s)", "f_done(f_state& s, bool* n)", "tells of a null result"),
        ("double f_done", "char f_done", "f_done returns 'char'"),
        ("double x, int n)", "double x, short n)", "'short n' is not allowed"),
    ],
)
def test_a_function_in_steps_is_refused_in_words(old, new, message):
    refused(STEPS.replace(old, new), message, "f")


def test_the_projects_own_functions_are_read():
    files = sorted((REPOSITORY / "cuda" / "udf").glob("*.cu"))
    assert files
    for file in files:
        text = file.read_text()
        if "bool* for_host" in text:
            refused(text, "a row that is left to the Java form", file.stem)
        else:
            assert parse(text, file.stem).name == file.stem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("double f(double x) { return x; }", "has no __device__ function"),
        ("", "has no __device__ function"),
        ("__device__ double f(double x);", "has no __device__ function"),
        ("__device__ double f(double x) { return x; ", r"does not close the '\{' of line 1"),
        ("__device__ double f(double x)\n{ return x); }", r"has a '\)' too many in line 2"),
        ("__device__ int f(int x) {\n return threadIdx.x; }", "threadIdx in line 2"),
        (
            "// of a header\n # include <math.h>\n__device__ double f(double x) { return x; }",
            "#include in line 2: device code has no headers",
        ),
        ("__global__ void f(int x) { }", "__global__ in line 1"),
        ("template <typename T> __device__ T f(T x) { return x; }", "template in line 1"),
        ("__device__ void f(int x) { }", "f returns 'void': .* one of bool, int"),
        ("__device__ char f(int x) { return 1; }", "f returns 'char'"),
        ("__device__ int f(unsigned x) { return 1; }", r"parameter 'unsigned x' is not allowed"),
        ("__device__ int f(int* x) { return 1; }", r"parameter 'int\* x' is not allowed"),
        ("__device__ int f(int) { return 1; }", r"parameter 'int' is not allowed"),
        ("__device__ int f(const double* xs) { return 1; }", "there must be an int, its length"),
        ("__device__ int f(const double* xs, double n) { return 1; }", "must be an int"),
        ("__device__ int f() { return 1; }", "f has no parameter"),
        ("__device__ double größe(double x) { return x; }", "name 'größe' is not allowed: give A"),
        (STEPS.replace("f_", "ä_"), "name 'ä' is not allowed"),
    ],
)
def test_what_cannot_work_is_refused(text, message):
    refused(text, message)


F = "__device__ double f(double x, int n) { return x; }"


def declare(returns="double", cuda=F, **options):
    return gpusched.cuda_udf(returns, cuda=cuda, **options)


def test_both_forms_have_as_many_arguments():
    with pytest.raises(gpusched.ArgumentError, match="f has 1 parameters .* takes 2 arguments"):
        declare()(lambda x: x)


def test_both_forms_have_the_same_types():
    def wrong(x: float, n: str) -> float:
        return x

    with pytest.raises(gpusched.ArgumentError, match="parameter n is str in Python and 'int'"):
        declare()(wrong)


def test_both_forms_return_the_same():
    with pytest.raises(gpusched.ArgumentError, match=r"declared to return 'int', .* return int"):
        declare("int")(lambda x, n: x)


@pytest.mark.parametrize("returns", [float, np.float64, types.DoubleType, 3])
def test_what_is_no_type_is_named(returns):
    with pytest.raises(gpusched.ArgumentError, match=r"is no SQL type: give a name, such as 'doub"):
        declare(returns)
    assert declare(types.DoubleType())(lambda x, n: x).return_type == "double"


@pytest.mark.parametrize("returns", ["string", "decimal(10,2)", "struct<a:int>", "duble"])
def test_types_that_cuda_does_not_return(returns):
    with pytest.raises(gpusched.ArgumentError, match="cannot return"):
        declare(returns)


@pytest.mark.parametrize(
    "options",
    [
        {"check": 2},
        {"check": -0.1},
        {"rtol": -1},
        {"atol": float("nan")},
        {"seed": -1},
        {"seed": 0.5},
        {"exact": "no"},
        {"exact": None},
        {"check": "0.5"},
        {"check": None},
        {"rtol": "x"},
        {"vectorized": "yes"},
    ],
)
def test_options_out_of_range(options):
    with pytest.raises(gpusched.ArgumentError, match=next(iter(options))):
        declare(**options)


def test_how_far_results_may_differ_is_by_their_type():
    def tolerance(returns, c_type, **options):
        text = f"__device__ {c_type} f({c_type} x) {{ return x; }}"
        found = declare(returns, text, **options)(lambda x: x).tolerance
        return found.relative, found.absolute

    assert tolerance("double", "double") == (1e-9, 1e-12)
    relative, _ = tolerance("float", "float")
    assert relative > np.finfo(np.float32).eps
    assert tolerance("double", "double", rtol=0) == (0, 1e-12)
    assert tolerance("double", "double", atol=3) == (1e-9, 3)
    assert tolerance("int", "int") == (0, 0)
    with pytest.raises(gpusched.ArgumentError, match=r"rtol=0\.1 .* compared exactly"):
        tolerance("int", "int", rtol=0.1)


def test_what_the_python_function_takes():
    def arrays(x: np.ndarray, n: np.ndarray) -> np.ndarray:
        return x

    def series(x: pd.Series, n: pd.Series) -> pd.Series:
        return x

    def mixed(x: np.ndarray, n: int) -> np.ndarray:
        return x

    assert declare()(arrays).takes == "numpy"
    assert declare()(series).takes == "pandas"
    assert declare()(lambda x, n: x).takes == "row"
    assert declare(vectorized=True)(lambda x, n: x).takes == "pandas"
    for wrong, options in ((mixed, {}), (arrays, {"vectorized": False})):
        with pytest.raises(gpusched.ArgumentError, match="hint all of its parameters"):
            declare(**options)(wrong)


@pytest.mark.parametrize(
    "hint",
    [
        Optional[pd.Series],  # noqa: UP045
        pd.Series | None,
        Iterator[pd.Series],
        tuple[np.ndarray, ...],
        pd.DataFrame,
        pa.Array,
    ],
)
def test_hints_that_are_neither_of_columns_nor_of_values_are_refused(hint):
    def f(x, n):
        return x

    f.__annotations__ = {"x": hint, "n": hint}
    with pytest.raises(gpusched.ArgumentError, match=r"hint of parameter x, .* is neither of a"):
        declare()(f)


def test_objects_that_can_be_called_are_functions():
    class Scaled:
        def __call__(self, x: float, n: int) -> float:
            return x * n

    class Columns:
        def __call__(self, x: np.ndarray, n: np.ndarray) -> np.ndarray:
            return x * n

    assert declare()(Scaled()).takes == "row"
    assert declare()(Columns()).takes == "numpy"
    assert declare(seed=np.int64(3), vectorized=True)(np.hypot).takes == "pandas"

    def scaled(x: np.ndarray, n: np.ndarray, by: float) -> np.ndarray:
        return x * n * by

    assert declare()(functools.partial(scaled, by=2.0)).takes == "numpy"
    assert declare()(functools.partial(functools.partial(scaled), by=2.0)).takes == "numpy"


def test_parameters_that_a_query_does_not_give_are_named():
    with pytest.raises(gpusched.ArgumentError, match="parameter scale is given by name alone"):
        declare()(lambda x, n, *, scale: x)
    with pytest.raises(gpusched.ArgumentError, match="0 parameters without a default or a star"):
        declare()(lambda *xs: xs[0])
    assert declare()(lambda x, n, *rest, scale=2: x).takes == "row"


def test_a_function_without_a_signature_is_refused():
    with pytest.raises(gpusched.ArgumentError, match=r"the parameters of <.* log>: write a func"):
        declare()(math.log)


def test_the_cuda_text_stays_with_the_function():
    f = declare()(lambda x, n: x)
    assert f.cuda.source == F
    assert str(f.cuda) == "double f(double x, int n)"
    assert f.cuda.exact
    assert not declare(exact=False)(lambda x, n: x).cuda.exact
    assert f.func(2.0, 1) == 2.0
