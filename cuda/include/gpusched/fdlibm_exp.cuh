// exp, expm1, and the hyperbolic functions.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_EXP_CUH
#define GPUSCHED_FDLIBM_EXP_CUH

#include "fdlibm_bits.cuh"

GPUSCHED_FN double strict_exp(double x) {
  using namespace gpusched::fdlibm;
  const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10,
               invln2 = 1.44269504088896338700e+00, P1 = 1.66666666666666019037e-01, P2 = -2.77777777770155933842e-03,
               P3 = 6.61375632143793436117e-05, P4 = -1.65339022054652515390e-06, P5 = 4.13813679705723846039e-08;
  bool negative = high(x) < 0;
  int hx = high(x) & 0x7FFFFFFF;
  if (hx >= 0x40862E42) {
    if (hx >= 0x7FF00000) return is_nan(x) ? x + x : negative ? 0.0 : x;
    if (x > 7.09782712893383973096e+02) return infinity();
    if (x < -7.45133219101941108420e+02) return 0.0;
  }
  double hi = 0, lo = 0;
  int k = 0;
  if (hx > 0x3FD62E42) {
    if (hx < 0x3FF0A2B2) {
      hi = negative ? x + ln2_hi : x - ln2_hi;
      lo = negative ? -ln2_lo : ln2_lo;
      k = negative ? -1 : 1;
    } else {
      k = (int)(invln2 * x + (negative ? -0.5 : 0.5));
      double t = k;
      hi = x - t * ln2_hi;
      lo = t * ln2_lo;
    }
    x = hi - lo;
  } else if (hx < 0x3E300000) {
    return 1.0 + x;
  }
  double t = x * x;
  double c = x - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  if (k == 0) return 1.0 - ((x * c) / (c - 2.0) - x);
  double y = 1.0 - ((lo - (x * c) / (2.0 - c)) - hi);
  return k >= -1021 ? times_power(y, k) : times_power(y, k + 1000) * 0x1p-1000;
}

GPUSCHED_FN double strict_expm1(double x) {
  using namespace gpusched::fdlibm;
  const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10,
               invln2 = 1.44269504088896338700e+00, Q1 = -3.33333333333331316428e-02, Q2 = 1.58730158725481460165e-03,
               Q3 = -7.93650757867487942473e-05, Q4 = 4.00821782732936239552e-06, Q5 = -2.01099218183624371326e-07;
  bool negative = high(x) < 0;
  int hx = high(x) & 0x7FFFFFFF;
  if (hx >= 0x4043687A) {
    if (hx >= 0x40862E42) {
      if (hx >= 0x7FF00000) return is_nan(x) ? x + x : negative ? -1.0 : x;
      if (x > 7.09782712893383973096e+02) return infinity();
    }
    if (negative) return -1.0;
  }
  double c = 0;
  int k = 0;
  if (hx > 0x3FD62E42) {
    double hi, lo;
    if (hx < 0x3FF0A2B2) {
      hi = negative ? x + ln2_hi : x - ln2_hi;
      lo = negative ? -ln2_lo : ln2_lo;
      k = negative ? -1 : 1;
    } else {
      k = (int)(invln2 * x + (negative ? -0.5 : 0.5));
      double t = k;
      hi = x - t * ln2_hi;
      lo = t * ln2_lo;
    }
    x = hi - lo;
    c = (hi - x) - lo;
  } else if (hx < 0x3C900000) {
    return x;
  }
  double hfx = 0.5 * x;
  double hxs = x * hfx;
  double r1 = 1.0 + hxs * (Q1 + hxs * (Q2 + hxs * (Q3 + hxs * (Q4 + hxs * Q5))));
  double t = 3.0 - r1 * hfx;
  double e = hxs * ((r1 - t) / (6.0 - x * t));
  if (k == 0) return x - (x * e - hxs);
  e = x * (e - c) - c;
  e -= hxs;
  if (k == -1) return 0.5 * (x - e) - 0.5;
  if (k == 1) return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
  if (k <= -2 || k > 56) return times_power(1.0 - (e - x), k) - 1.0;
  if (k < 20) return times_power(of_words(0x3FF00000 - (0x200000u >> k), 0) - (e - x), k);
  double y = x - (e + of_words((gpusched::u32)(0x3FF - k) << 20, 0));
  y += 1.0;
  return times_power(y, k);
}

GPUSCHED_FN double strict_sinh(double x) {
  using namespace gpusched::fdlibm;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x7FF00000) return x + x;
  double h = high(x) < 0 ? -0.5 : 0.5;
  if (ix < 0x40360000) {
    if (ix < 0x3E300000) return x;
    double t = strict_expm1(absolute(x));
    if (ix < 0x3FF00000) return h * (2.0 * t - t * t / (t + 1.0));
    return h * (t + t / (t + 1.0));
  }
  if (ix < 0x40862E42) return h * strict_exp(absolute(x));
  if (ix < 0x408633CE || (ix == 0x408633CE && low(x) <= 0x8FB9F87D)) {
    double w = strict_exp(0.5 * absolute(x));
    double t = h * w;
    return t * w;
  }
  return x * 1.0e307;
}

GPUSCHED_FN double strict_cosh(double x) {
  using namespace gpusched::fdlibm;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x7FF00000) return x * x;
  if (ix < 0x3FD62E43) {
    double t = strict_expm1(absolute(x));
    double w = 1.0 + t;
    if (ix < 0x3C800000) return w;
    return 1.0 + (t * t) / (w + w);
  }
  if (ix < 0x40360000) {
    double t = strict_exp(absolute(x));
    return 0.5 * t + 0.5 / t;
  }
  if (ix < 0x40862E42) return 0.5 * strict_exp(absolute(x));
  if (ix < 0x408633CE || (ix == 0x408633CE && low(x) <= 0x8FB9F87D)) {
    double w = strict_exp(0.5 * absolute(x));
    double t = 0.5 * w;
    return t * w;
  }
  return infinity();
}

GPUSCHED_FN double strict_tanh(double x) {
  using namespace gpusched::fdlibm;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x7FF00000) return high(x) >= 0 ? 1.0 / x + 1.0 : 1.0 / x - 1.0;
  double z = 1.0;
  if (ix < 0x40360000) {
    if (ix < 0x3C800000) return x * (1.0 + x);
    if (ix >= 0x3FF00000) {
      double t = strict_expm1(2.0 * absolute(x));
      z = 1.0 - 2.0 / (t + 2.0);
    } else {
      double t = strict_expm1(-2.0 * absolute(x));
      z = -t / (t + 2.0);
    }
  }
  return high(x) >= 0 ? z : -z;
}

#endif
