"""What compiles: by NVRTC and by a C++ compiler, which must agree. Starts no Spark."""

import importlib.util
import math
import os
import shutil
import sys

import gpusched
import numpy as np
import pyarrow as pa
import pytest
from gpusched import _check, _host, _nvrtc, _worker
from gpusched._cuda import parse

needs_compiler = pytest.mark.skipif(_host.host_compiler() is None, reason="no C++ compiler")
needs_nvrtc = pytest.mark.skipif(
    _nvrtc.find_nvrtc() is None, reason="no NVRTC: pip install nvidia-cuda-nvrtc-cu12"
)


def words(text):
    return text.split()


OF_ONE = words("""
abs acos asin atan cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx
erfinv exp exp10 exp2 expm1 fabs floor ilogb isfinite isinf isnan j0 j1 lgamma llrint llround
log log10 log1p log2 logb lrint lround nearbyint normcdf normcdfinv rcbrt rint round rsqrt
signbit sin sinpi sqrt tan tgamma trunc y0 y1 cospif erfinvf exp10f expf fabsf logf normcdff
rsqrtf sinf sinpif sqrtf __saturatef __drcp_rn __frcp_rn __frsqrt_rn __dsqrt_rn __double2hiint
__double2loint __double2int_rn __double2ll_rn __double2float_rn __float2int_rn __int2float_rn
__ll2double_rn __double_as_longlong __longlong_as_double __float_as_int __int_as_float __popc
__popcll __clz __clzll __ffs __ffsll __brev __brevll std::erf std::abs std::isnan squirt isnanf
M_PI
""")
OF_TWO = words("""
atan2 copysign fdim fmax fmin fmod hypot max min nextafter pow remainder rhypot fdividef atan2f
fmaxf hypotf powf umin umax llmax llmin ullmax ullmin __mul24 __mulhi __umulhi __mul64hi __hadd
__rhadd __uhadd __fdividef __dadd_rn __dmul_rn __ddiv_rn __fadd_rn std::max std::min std::pow
""")
BODIES = [
    *(f"return {name}(x);" for name in OF_ONE),
    *(f"return {name}(x, y);" for name in OF_TWO),
    *(f"return {name};" for name in ("M_PI", "M_E", "NAN", "INFINITY", "INT_MAX", "DBL_MAX")),
    *(f"{name} z = 3; return z;" for name in ("int64_t", "uint8_t", "std::size_t", "long long")),
    "return max(i, 3) + min(i, 3) + max(x, 2.0f) + min(3ll, 4ll) + max(i, 3u);",
    "return max(i, x);",
    "return max(i, 3ll);",
    "return fma(x, y, x) + __fma_rn(x, y, x);",
    "return x + y",
    "return undefined_name;",
    "double s, c; sincospi(x, &s, &c); return s + c;",
]


def text(body):
    return f"__device__ double f(double x, double y, int i) {{ {body} }}"


def accepted(compiler, bodies):
    """Those that compile: all at once if they do, and else those of either half."""
    texts = (text(body).replace(" f(", f" f{i}(") for i, body in enumerate(bodies))
    try:
        compiler(parse("\n".join(texts), "f0"))
    except gpusched.CudaSourceError:
        if len(bodies) == 1:
            return []
        half = len(bodies) // 2
        return accepted(compiler, bodies[:half]) + accepted(compiler, bodies[half:])
    return bodies


@needs_compiler
@needs_nvrtc
def test_both_compilers_take_the_same_texts():
    device = accepted(_host.compile_for_device, BODIES)
    host = accepted(_host.compile_for_host, BODIES)
    assert len(device) > len(BODIES) * 0.8
    assert set(device) ^ set(host) == set(), "accepted by one of NVRTC and the host's compiler"


TEXTS = {
    "f": [
        "__forceinline__ __device__ double f(double x) { return x; }",
        "static inline __device__ __forceinline__ double f(double x) { return x; }",
        "static __device__ __noinline__ double f(double x) { return x; }",
        "__host__ __device__ double f(double x) { return x; }",
        "__device__ __host__ double f(double x) { return x; }",
        "__constant__ double t[2] = {1, 2}; __device__ double f(double x) { return t[1] + x; }",
        "__device__ const float t[2] = {1, 2}; __device__ float f(int x) { return __ldg(&t[1]); }",
        "__device__ int f(const unsigned char* s, int n) { return __ldg(s) + __ldg(&s[1]); }",
        "__device__ bool f(double x) { bool b = x > 3; return __ldg(&b); }",
    ],
    **{
        name: [f"__device__ double {name}(const double* x, int n) {{ return *x; }}"]
        for name in ("rows", "in", "out", "i", "state", "call")
    },
}


@needs_compiler
@needs_nvrtc
@pytest.mark.parametrize(("name", "text"), [(n, text) for n in TEXTS for text in TEXTS[n]])
def test_both_compilers_take_the_same_functions(name, text):
    taken = []
    for compiler in (_host.compile_for_device, _host.compile_for_host):
        try:
            compiler(parse(text, name))
            taken.append(True)
        except gpusched.CudaSourceError:
            taken.append(False)
    refused = "__ldg(&b)" in text or "inline __device__ __forceinline__" in text
    assert taken == [not refused] * 2


def on_host(body, xs, ys):
    f = parse(text(body), "f")
    check = _check.Check("f", ("x", "y", "i"), 1, 0, 0, 0)
    passed = tuple(_host.PASSED[p.c_type] for p in f.parameters)
    library = _worker.HostLibrary(_host.compile_for_host(f), passed, "float64", check)
    columns = [pa.array(xs), pa.array(ys), pa.array(np.zeros(len(xs), dtype=np.int32))]
    return _worker._call(library, columns, len(xs)).to_numpy()


def erfcx_by_fractions(x):
    """Where exp(x * x) has no value any more: Laplace's continued fraction."""
    rest = x
    for k in range(100, 0, -1):
        rest = x + k / 2 / rest
    return 1 / (rest * math.sqrt(math.pi))


@needs_compiler
@pytest.mark.parametrize(
    ("name", "function", "low", "high"),
    [
        ("rsqrt", lambda x: 1 / math.sqrt(x), 0.1, 9),
        ("sinpi", lambda x: math.sin(math.pi * math.fmod(x, 2)), -9, 9),
        ("cospi", lambda x: math.cos(math.pi * math.fmod(x, 2)), -9, 9),
        ("normcdf", lambda x: math.erfc(-x / math.sqrt(2)) / 2, -6, 6),
        ("erfcx", lambda x: math.exp(x * x) * math.erfc(x), -3, 20),
        ("erfcx", erfcx_by_fractions, 15, 45),
        ("__popcll", lambda x: bin(int(x)).count("1"), 0, 2**40),
        ("__clzll", lambda x: 64 - int(x).bit_length(), 1, 2**40),
    ],
)
def test_what_device_code_has_gives_its_values_on_the_host(name, function, low, high):
    xs = np.linspace(low, high, 301)
    expected = np.array([function(float(x)) for x in xs])
    np.testing.assert_allclose(on_host(f"return {name}(x);", xs, xs), expected, 1e-12, 1e-14)


@needs_compiler
@pytest.mark.parametrize(
    ("name", "inverse", "xs"),
    [
        ("erfinv", math.erf, np.linspace(-5, 5, 201)),
        ("erfcinv", math.erfc, np.linspace(-5, 20, 201)),
        ("normcdfinv", lambda x: math.erfc(-x / math.sqrt(2)) / 2, np.linspace(-30, 5, 201)),
    ],
)
def test_inverses_go_back(name, inverse, xs):
    ys = np.array([inverse(float(x)) for x in xs])
    back = on_host(f"return {name}(x);", ys, ys)
    # By values, where an inverse is as exact as its argument allows.
    np.testing.assert_allclose([inverse(float(x)) for x in back], ys, rtol=1e-11)


@needs_compiler
@pytest.mark.parametrize(
    ("name", "parameters"),
    [("gamma", ["double x"]), ("significand", ["double x"]), ("drem", ["double x", "double y"])],
)
def test_a_function_named_as_one_of_the_c_library_is_itself(name, parameters):
    body = f"__device__ double {name}({', '.join(parameters)}) {{ return x + 0.5; }}"
    check = _check.Check(name, ("x", "y"), 1, 0, 0, 0)
    library = _worker.HostLibrary(
        _host.compile_for_host(parse(body, name)), ("float64",) * len(parameters), "float64", check
    )
    columns = [pa.array([3.0, 4.0])] * len(parameters)
    assert _worker._call(library, columns, 2).to_pylist() == [3.5, 4.5]


@needs_compiler
def test_max_takes_two_types_and_no_nan():
    nan = float("nan")
    xs, ys = np.array([1.0, nan, 2.0]), np.array([3.0, 1.0, nan])
    np.testing.assert_array_equal(on_host("return max(x, y);", xs, ys), [3, 1, 2])
    np.testing.assert_array_equal(on_host("return min(1.0, x);", xs, ys), [1, 1, 1])


def declared(body):
    return gpusched.cuda_udf("double", cuda=text(body))(lambda x, y, i: x)


@needs_nvrtc
def test_compile_says_what_nvrtc_says():
    assert declared("return rsqrt(x);").compile().startswith("NVRTC 1")
    with pytest.raises(gpusched.CudaSourceError, match=r'(?s)f does not compile:.*f.cu\(1\).*";"'):
        declared("return x").compile()
    with pytest.raises(gpusched.CudaSourceError, match=r'"unknown" is undefined'):
        declared("return unknown;").compile()


@needs_nvrtc
def test_compile_knows_the_strict_functions():
    assert "NVRTC" in declared("return strict_exp(strict_atan2(x, y));").compile()


@needs_compiler
def test_compile_without_nvrtc(monkeypatch):
    monkeypatch.setattr(_host, "find_nvrtc", lambda: None)
    assert "there is no NVRTC" in declared("return x + y + 1;").compile()
    with pytest.raises(gpusched.CudaSourceError, match=r"(?s)does not compile:.*f.cu:1:.*nothing"):
        declared("return nothing;").compile()
    with pytest.raises(gpusched.CudaSourceError, match="device_code_has_no_std"):
        declared("return std::max(x, y);").compile()


@needs_compiler
@needs_nvrtc
def test_nvrtc_that_is_installed_later_is_found(monkeypatch):
    """As compile() and its errors say to."""
    function = declared("return x + y + 3;")
    with monkeypatch.context() as before:
        before.setattr(_host, "find_nvrtc", lambda: None)
        assert "there is no NVRTC" in function.compile()
    assert function.compile().startswith("NVRTC")


@pytest.mark.skipif(sys.platform != "linux", reason="pip has NVRTC for Linux there")
def test_a_package_of_nvrtc_is_looked_for_anew(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "nvidia", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.util.find_spec("nvidia")  # Python remembers what the folder has
    times = tmp_path.stat()
    place = tmp_path / "nvidia" / "cuda_nvrtc" / "lib" / "libnvrtc.so.1"
    place.parent.mkdir(parents=True)
    place.touch()
    (tmp_path / "nvidia" / "__init__.py").touch()
    # As if in the same tick of the file system's clock.
    os.utime(tmp_path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert str(place) in list(_nvrtc._places())


def test_compile_without_any_compiler(monkeypatch, tmp_path):
    monkeypatch.setattr(_host, "find_nvrtc", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert shutil.which("c++") is None
    message = r"neither NVRTC nor a C\+\+ compiler .*pip install nvidia-cuda-nvrtc-cu12"
    with pytest.raises(gpusched.SetupError, match=message):
        declared("return x + y + 2;").compile()
