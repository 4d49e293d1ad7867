// Modules as the plugin writes their text, one for each kind of type: the author's function, then the two lines that
// are made of its name and SQL types (cuda/README.md, "A module's text"). Here GPUSCHED_KERNELS is left out: it is
// for a CUDA compiler.

#pragma once

#include "gpusched/fdlibm.cuh"
#include "gpusched/udf.cuh"

#line 1 "identity.cu"
#include "../udf/identity.cu"
GPUSCHED_UDF(identity, false, gpusched::Double, gpusched::Double)

#line 1 "multiply_add.cu"
#include "../udf/multiply_add.cu"
GPUSCHED_UDF(multiply_add, false, gpusched::Double, gpusched::Double, gpusched::Double, gpusched::Double)

#line 1 "mandelbrot_iterations.cu"
#include "../udf/mandelbrot_iterations.cu"
GPUSCHED_STEP_UDF(mandelbrot_iterations, false, gpusched::Int, gpusched::Double, gpusched::Double, gpusched::Int)

#line 1 "point_in_ring.cu"
#include "../udf/point_in_ring.cu"
GPUSCHED_STEP_UDF(point_in_ring, false, gpusched::Boolean, gpusched::Double, gpusched::Double,
                  gpusched::Array<gpusched::Double>, gpusched::Array<gpusched::Double>)

#line 1 "levenshtein.cu"
#include "../udf/levenshtein.cu"
GPUSCHED_STEP_UDF(levenshtein, false, gpusched::Int, gpusched::Bytes, gpusched::Bytes)

#line 1 "fixed_width.cu"
__device__ long long fixed_width(bool a, int b, int c, int d, long long e, float f, double g) {
  return (a ? 1 : 0) + 2 * (b + 3 * (c + 5LL * (d + 7 * (e + 11 * static_cast<long long>(f + g)))));
}
GPUSCHED_UDF(fixed_width, false, gpusched::Long, gpusched::Boolean, gpusched::Byte, gpusched::Short, gpusched::Int,
             gpusched::Long, gpusched::Float, gpusched::Double)

#line 1 "narrow.cu"
__device__ int narrow(int value) { return value * 300; }
GPUSCHED_UDF(narrow, false, gpusched::Byte, gpusched::Short)

// A null result: one more parameter.
#line 1 "half_if_even.cu"
__device__ int half_if_even(int value, bool* is_null) {
  *is_null = value % 2 != 0;
  return value / 2;
}
GPUSCHED_UDF(half_if_even, false, gpusched::Int, gpusched::Int)

// Rows that it leaves to the host, beside null ones: two more parameters.
#line 1 "root.cu"
__device__ int root(int square, bool* is_null, bool* for_host) {
  int root = 0;
  while (root * root < square) root++;
  *is_null = root * root != square;
  *for_host = square < 0;
  return root;
}
GPUSCHED_UDF(root, false, gpusched::Int, gpusched::Int)

// The same with a string result, which is never null.
#line 1 "half_of.cu"
__device__ int half_of(const unsigned char* bytes, int length, unsigned char* out, int capacity, bool*, bool* for_host) {
  *for_host = length % 2 != 0;
  for (int i = 0; i < length / 2 && i < capacity; i++) out[i] = bytes[i];
  return length / 2;
}
GPUSCHED_UDF(half_of, false, gpusched::Bytes, gpusched::Bytes)

// A function that takes nulls: one more parameter an argument.
#line 1 "or_else.cu"
__device__ double or_else(double a, bool a_is_null, double b, bool b_is_null, bool* is_null) {
  *is_null = a_is_null && b_is_null;
  return a_is_null ? b : a;
}
GPUSCHED_UDF(or_else, true, gpusched::Double, gpusched::Double, gpusched::Double)

// A string result: it is written to `out`, and its length returned, which may be more than fits.
#line 1 "upper_case.cu"
__device__ int upper_case(const unsigned char* bytes, int length, unsigned char* out, int capacity) {
  for (int i = 0; i < length && i < capacity; i++) {
    out[i] = bytes[i] >= 'a' && bytes[i] <= 'z' ? bytes[i] - 32 : bytes[i];
  }
  return length;
}
GPUSCHED_UDF(upper_case, false, gpusched::Bytes, gpusched::Bytes)

// In steps, with all that a function may say of a row: it takes nulls, its result is a string, null, or left to the host.
#line 1 "collatz.cu"
struct collatz_state {
  long long value;
  int turns;
  bool none;
};
__device__ void collatz_init(collatz_state& s, int value, bool is_null) { s = {value, 0, is_null}; }
__device__ bool collatz_step(collatz_state& s) {
  if (s.value <= 1) return false;
  s.value = s.value % 2 == 0 ? s.value / 2 : 3 * s.value + 1;
  s.turns++;
  return true;
}
__device__ int collatz_done(collatz_state& s, unsigned char* out, int capacity, bool* is_null, bool* for_host) {
  *is_null = s.none;
  *for_host = s.value < 0;
  for (int i = 0; i < s.turns && i < capacity; i++) out[i] = (unsigned char)('a' + i % 26);
  return s.turns;
}
GPUSCHED_STEP_UDF(collatz, true, gpusched::Bytes, gpusched::Int)

#line 1 "sum_of_shorts.cu"
__device__ int sum_of_shorts(const short* values, int length) {
  int sum = 0;
  for (int i = 0; i < length; i++) sum += values[i];
  return sum;
}
GPUSCHED_UDF(sum_of_shorts, false, gpusched::Int, gpusched::Array<gpusched::Short>)

// No arguments.
#line 1 "seven.cu"
__device__ float seven() { return 7; }
GPUSCHED_UDF(seven, false, gpusched::Float)

// All of fdlibm.cuh.
#line 1 "strict_math.cu"
constexpr int STRICT_FUNCTIONS = 19;
__device__ double strict_math(int which, double x, double y) {
  switch (which) {
    case 0:
      return strict_sin(x);
    case 1:
      return strict_cos(x);
    case 2:
      return strict_tan(x);
    case 3:
      return strict_asin(x);
    case 4:
      return strict_acos(x);
    case 5:
      return strict_atan(x);
    case 6:
      return strict_exp(x);
    case 7:
      return strict_expm1(x);
    case 8:
      return strict_log(x);
    case 9:
      return strict_log10(x);
    case 10:
      return strict_log1p(x);
    case 11:
      return strict_sqrt(x);
    case 12:
      return strict_cbrt(x);
    case 13:
      return strict_sinh(x);
    case 14:
      return strict_cosh(x);
    case 15:
      return strict_tanh(x);
    case 16:
      return strict_atan2(x, y);
    case 17:
      return strict_pow(x, y);
    default:
      return strict_hypot(x, y);
  }
}
GPUSCHED_UDF(strict_math, false, gpusched::Double, gpusched::Int, gpusched::Double, gpusched::Double)
