// Doubles as two words, which is how fdlibm sees them, and what little it takes from elsewhere.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_BITS_CUH
#define GPUSCHED_FDLIBM_BITS_CUH

#include "base.cuh"

// What is rare and large is called, not copied to each place that calls it.
#ifndef GPUSCHED_FDLIBM_RARE
#ifdef __CUDACC__
#define GPUSCHED_FDLIBM_RARE static __device__ __noinline__
#else
#define GPUSCHED_FDLIBM_RARE inline
#endif
#endif

namespace gpusched::fdlibm {

#ifdef __CUDACC__
GPUSCHED_FN u64 bits(double x) { return (u64)__double_as_longlong(x); }
GPUSCHED_FN double of_bits(u64 bits) { return __longlong_as_double((i64)bits); }
GPUSCHED_FN double whole_below(double x) { return floor(x); }
#else
GPUSCHED_FN u64 bits(double x) { return __builtin_bit_cast(u64, x); }
GPUSCHED_FN double of_bits(u64 bits) { return __builtin_bit_cast(double, bits); }
GPUSCHED_FN double whole_below(double x) { return __builtin_floor(x); }
#endif

GPUSCHED_FN int high(double x) { return (int)(bits(x) >> 32); }
GPUSCHED_FN u32 low(double x) { return (u32)bits(x); }
GPUSCHED_FN double of_words(u32 high, u32 low) { return of_bits((u64)high << 32 | low); }
GPUSCHED_FN double with_high(double x, u32 high) { return of_words(high, low(x)); }
GPUSCHED_FN double without_low(double x) { return of_words((u32)high(x), 0); }
GPUSCHED_FN double absolute(double x) { return of_bits(bits(x) & 0x7FFFFFFFFFFFFFFF); }
GPUSCHED_FN bool is_nan(double x) { return x != x; }
GPUSCHED_FN double not_a_number() { return of_bits(0x7FF8000000000000); }
GPUSCHED_FN double infinity() { return of_bits(0x7FF0000000000000); }

// x times 2^k, by its exponent; it must not leave the normal numbers.
GPUSCHED_FN double times_power(double x, int k) { return with_high(x, (u32)high(x) + ((u32)k << 20)); }

// x times 2^n, rounded once; x is neither 0, nor subnormal, nor infinite, nor NaN.
GPUSCHED_FN double scaled(double x, int n) {
  int k = ((high(x) & 0x7FF00000) >> 20) + n;
  u32 rest = (u32)high(x) & 0x800FFFFF;
  if (k > 0x7FE) return of_words((rest & 0x80000000) | 0x7FF00000, 0);
  if (k > 0) return with_high(x, rest | ((u32)k << 20));
  if (k <= -54) return of_words(rest & 0x80000000, 0);
  return with_high(x, rest | ((u32)(k + 54) << 20)) * 0x1p-54;
}

}  // namespace gpusched::fdlibm

// IEEE 754 says what a square root is, so that there is but one.
GPUSCHED_FN double strict_sqrt(double x) {
#ifdef __CUDACC__
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}

#endif
