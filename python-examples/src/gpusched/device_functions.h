// What CUDA's device code has without headers, for a C++ compiler: the check of a cuda_udf without a
// GPU. Included before the function's text. Names that only a host has are taken away at the end.
// NVRTC and this agree on the names of tests/test_compile.py.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

using std::copysign; using std::fabs; using std::isfinite; using std::isinf; using std::isnan;
using std::signbit;

// CUDA's, for the same pairs of types: others are ambiguous there too. Of two floating-point numbers
// the one that is not NaN.
#define GPUSCHED_WHOLE(R, A, B)                                                \
  static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }          \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }
#define GPUSCHED_FLOATING(R, A, B)                                             \
  static inline R max(A a, B b) { return std::fmax((R)a, (R)b); }              \
  static inline R min(A a, B b) { return std::fmin((R)a, (R)b); }
GPUSCHED_WHOLE(int, int, int)
GPUSCHED_WHOLE(unsigned, unsigned, unsigned)
GPUSCHED_WHOLE(unsigned, int, unsigned)
GPUSCHED_WHOLE(unsigned, unsigned, int)
GPUSCHED_WHOLE(long, long, long)
GPUSCHED_WHOLE(unsigned long, unsigned long, unsigned long)
GPUSCHED_WHOLE(unsigned long, long, unsigned long)
GPUSCHED_WHOLE(unsigned long, unsigned long, long)
GPUSCHED_WHOLE(long long, long long, long long)
GPUSCHED_WHOLE(unsigned long long, unsigned long long, unsigned long long)
GPUSCHED_WHOLE(unsigned long long, long long, unsigned long long)
GPUSCHED_WHOLE(unsigned long long, unsigned long long, long long)
GPUSCHED_FLOATING(float, float, float)
GPUSCHED_FLOATING(double, double, double)
GPUSCHED_FLOATING(double, float, double)
GPUSCHED_FLOATING(double, double, float)
static inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a > b ? a : b; }
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }

// Arithmetic with one rounding. What is followed by a sum is not fused (-ffp-contract=off).
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double a) { return 1 / a; }
static inline double __dsqrt_rn(double a) { return std::sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __frcp_rn(float a) { return 1 / a; }
static inline float __fsqrt_rn(float a) { return std::sqrt(a); }
static inline float __frsqrt_rn(float a) { return (float)(1 / std::sqrt((double)a)); }
static inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float a) { return a > 0 ? a < 1 ? a : 1.0f : 0.0f; }

// Functions of mathematics, in both precisions.
#define GPUSCHED_MATH(name, x, ...)                                  \
  static inline double name(double x) { return __VA_ARGS__; }        \
  static inline float name##f(float x) { return (float)name((double)x); } \
  static inline float name(float x) { return name##f(x); }           \
  template <class T> requires std::is_integral_v<T>                  \
  static inline double name(T x) { return name((double)x); }
static inline double gpusched_turn(double x) { return std::fmod(x, 2.0); }
static inline double gpusched_sinpi(double x) {
  double r = gpusched_turn(x), pi = std::acos(-1.0);
  double n = std::round(2 * r), rest = (r - n / 2) * pi;
  switch ((int)n & 3) {
    case 0: return std::sin(rest);
    case 1: return std::cos(rest);
    case 2: return -std::sin(rest);
    default: return -std::cos(rest);
  }
}
// Newton's steps from a rough beginning.
static inline double gpusched_erfinv(double y) {
  if (!(y > -1 && y < 1)) return y == 1 || y == -1 ? y * std::numeric_limits<double>::infinity() : std::nan("");
  if (std::fabs(y) > 0.9999999) {  // of the complement, which keeps its digits there
    double c = 1 - std::fabs(y), x = std::sqrt(-std::log(c));
    for (int i = 0; i < 60; i++) x += (std::erfc(x) - c) / (2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x));
    return std::copysign(x, y);
  }
  double w = std::log(1 - y * y), a = 0.147, t = 2 / (std::acos(-1.0) * a) + w / 2;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - w / a) - t), y);
  for (int i = 0; i < 4; i++) x -= (std::erf(x) - y) / (2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x));
  return x;
}
static inline double gpusched_erfcinv(double y) {
  if (y >= 0.1) return gpusched_erfinv(1 - y);
  if (!(y > 0)) return y == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  double x = std::sqrt(-std::log(y));
  for (int i = 0; i < 60; i++) x += (std::erfc(x) - y) / (2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x));
  return x;
}
GPUSCHED_MATH(rsqrt, x, 1 / std::sqrt(x))
GPUSCHED_MATH(rcbrt, x, 1 / std::cbrt(x))
GPUSCHED_MATH(sinpi, x, gpusched_sinpi(x))
GPUSCHED_MATH(cospi, x, gpusched_sinpi(gpusched_turn(x) + 0.5))
GPUSCHED_MATH(erfinv, x, gpusched_erfinv(x))
GPUSCHED_MATH(erfcinv, x, gpusched_erfcinv(x))
GPUSCHED_MATH(normcdf, x, std::erfc(-x / std::sqrt(2.0)) / 2)
GPUSCHED_MATH(normcdfinv, x, -std::sqrt(2.0) * gpusched_erfcinv(2 * x))
// Beyond 25 by its asymptotic series, with t = 1 / (x * x).
static inline double gpusched_erfcx_series(double t) {
  return 1 - t * (0.5 - t * (0.75 - t * (1.875 - t * (6.5625 - t * 29.53125))));
}
GPUSCHED_MATH(erfcx, x, x < 25 ? std::exp(x * x) * std::erfc(x)
    : gpusched_erfcx_series(1 / (x * x)) / (x * std::sqrt(std::acos(-1.0))))
#ifdef __cpp_lib_math_special_functions
GPUSCHED_MATH(cyl_bessel_i0, x, std::cyl_bessel_i(0.0, std::fabs(x)))
GPUSCHED_MATH(cyl_bessel_i1, x, std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x))
#endif
static inline double rhypot(double a, double b) { return 1 / std::hypot(a, b); }
static inline float rhypotf(float a, float b) { return (float)(1 / std::hypot((double)a, (double)b)); }
static inline void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
static inline void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }

// Bits.
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline unsigned long long __brevll(unsigned long long a) {
  unsigned long long r = 0;
  for (int i = 0; i < 64; i++) r |= (a >> i & 1) << (63 - i);
  return r;
}
static inline unsigned __brev(unsigned a) { return (unsigned)(__brevll(a) >> 32); }
static inline int __mul24(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static inline int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
static inline unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }

// Conversions.
template <class To, class From>
static inline To gpusched_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
static inline float __int_as_float(int a) { return gpusched_bits<float>(a); }
static inline float __uint_as_float(unsigned a) { return gpusched_bits<float>(a); }
static inline int __float_as_int(float a) { return gpusched_bits<int>(a); }
static inline unsigned __float_as_uint(float a) { return gpusched_bits<unsigned>(a); }
static inline double __longlong_as_double(long long a) { return gpusched_bits<double>(a); }
static inline long long __double_as_longlong(double a) { return gpusched_bits<long long>(a); }
static inline int __double2hiint(double a) { return (int)(gpusched_bits<long long>(a) >> 32); }
static inline int __double2loint(double a) { return (int)gpusched_bits<long long>(a); }
static inline int __double2int_rn(double a) { return (int)std::nearbyint(a); }
static inline int __double2int_rz(double a) { return (int)a; }
static inline long long __double2ll_rn(double a) { return (long long)std::nearbyint(a); }
static inline long long __double2ll_rz(double a) { return (long long)a; }
static inline float __double2float_rn(double a) { return (float)a; }
static inline int __float2int_rn(float a) { return (int)std::nearbyint(a); }
static inline int __float2int_rz(float a) { return (int)a; }
static inline float __int2float_rn(int a) { return (float)a; }
static inline double __int2double_rn(int a) { return a; }
static inline double __ll2double_rn(long long a) { return (double)a; }
template <class T> requires (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
static inline T __ldg(const T* place) { return *place; }

// What stands before a function or a table. After all includes, where these are names of attributes.
#define __forceinline__ inline
#define __noinline__
#define __host__
#define __constant__
