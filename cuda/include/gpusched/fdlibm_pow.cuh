// pow.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_POW_CUH
#define GPUSCHED_FDLIBM_POW_CUH

#include "fdlibm_bits.cuh"

namespace gpusched::fdlibm {

// Of an exponent: 0 if it is no whole number, 1 if it is odd, 2 if it is even.
GPUSCHED_FN int whole(double y) {
  int iy = high(y) & 0x7FFFFFFF;
  u32 ly = low(y);
  if (iy >= 0x43400000) return 2;
  if (iy < 0x3FF00000) return 0;
  int k = (iy >> 20) - 0x3FF;
  if (k > 20) {
    u32 j = ly >> (52 - k);
    return j << (52 - k) == ly ? 2 - (int)(j & 1) : 0;
  }
  if (ly != 0) return 0;
  int j = iy >> (20 - k);
  return j << (20 - k) == iy ? 2 - (j & 1) : 0;
}

// The base 2 logarithm of x > 0, as t1 + t2.
struct Log2 {
  double t1, t2;
};

GPUSCHED_FN Log2 log_2(double ax) {
  const double dp_h1 = 5.84962487220764160156e-01, dp_l1 = 1.35003920212974897128e-08, L1 = 5.99999999999994648725e-01,
               L2 = 4.28571428578550184252e-01, L3 = 3.33333329818377432918e-01, L4 = 2.72728123808534006489e-01,
               L5 = 2.30660745775561754067e-01, L6 = 2.06975017800338417784e-01, cp = 9.61796693925975554329e-01,
               cp_h = 9.61796700954437255859e-01, cp_l = -7.02846165095275826516e-09;
  int n = 0;
  if (high(ax) < 0x00100000) {
    ax *= 0x1p53;
    n -= 53;
  }
  int ix = high(ax);
  n += (ix >> 20) - 0x3FF;
  int j = ix & 0x000FFFFF;
  int k = 0;
  ix = j | 0x3FF00000;
  if (j > 0x3988E) {
    if (j < 0xBB67A) {
      k = 1;
    } else {
      n += 1;
      ix -= 0x00100000;
    }
  }
  ax = with_high(ax, (u32)ix);
  double bp = k == 0 ? 1.0 : 1.5;
  double u = ax - bp;
  double v = 1.0 / (ax + bp);
  double s = u * v;
  double s_h = without_low(s);
  double t_h = of_words(((u32)(ix >> 1) | 0x20000000) + 0x00080000 + ((u32)k << 18), 0);
  double t_l = ax - (t_h - bp);
  double s_l = v * ((u - s_h * t_h) - s_h * t_l);
  double s2 = s * s;
  double r = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6)))));
  r += s_l * (s_h + s);
  s2 = s_h * s_h;
  t_h = without_low(3.0 + s2 + r);
  t_l = r - ((t_h - 3.0) - s2);
  u = s_h * t_h;
  v = s_l * t_h + t_l * s;
  double p_h = without_low(u + v);
  double p_l = v - (p_h - u);
  double dp_h = k == 0 ? 0.0 : dp_h1;
  double z_h = cp_h * p_h;
  double z_l = cp_l * p_h + p_l * cp + (k == 0 ? 0.0 : dp_l1);
  double t = n;
  double t1 = without_low(((z_h + z_l) + dp_h) + t);
  return {t1, z_l - (((t1 - t) - dp_h) - z_h)};
}

// The same of an x that is so near to 1 that the series x - x^2/2 + x^3/3 - x^4/4 will do.
GPUSCHED_FN Log2 log2_near_1(double ax) {
  const double ivln2 = 1.44269504088896338700e+00, ivln2_h = 1.44269502162933349609e+00,
               ivln2_l = 1.92596299112661746887e-08;
  double t = ax - 1.0;
  double w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
  double u = ivln2_h * t;
  double v = t * ivln2_l - w * ivln2;
  double t1 = without_low(u + v);
  return {t1, v - (t1 - u)};
}

// s * 2^(p_h + p_l), where the high word of their sum is j.
GPUSCHED_FN double power_of_2(double s, double p_h, double p_l, int j) {
  const double P1 = 1.66666666666666019037e-01, P2 = -2.77777777770155933842e-03, P3 = 6.61375632143793436117e-05,
               P4 = -1.65339022054652515390e-06, P5 = 4.13813679705723846039e-08, lg2 = 6.93147180559945286227e-01,
               lg2_h = 6.93147182464599609375e-01, lg2_l = -1.90465429995776804525e-09;
  int i = j & 0x7FFFFFFF;
  int k = (i >> 20) - 0x3FF;
  int n = 0;
  if (i > 0x3FE00000) {
    n = j + (0x00100000 >> (k + 1));
    k = ((n & 0x7FFFFFFF) >> 20) - 0x3FF;
    double t = of_words((u32)(n & ~(0x000FFFFF >> k)), 0);
    n = ((n & 0x000FFFFF) | 0x00100000) >> (20 - k);
    if (j < 0) n = -n;
    p_h -= t;
  }
  double t = without_low(p_l + p_h);
  double u = t * lg2_h;
  double v = (p_l - (t - p_h)) * lg2 + t * lg2_l;
  double z = u + v;
  double w = v - (z - u);
  t = z * z;
  double t1 = z - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  double r = (z * t1) / (t1 - 2.0) - (w + z * w);
  z = 1.0 - (r - z);
  j = high(z) + (int)((u32)n << 20);
  return s * (j >> 20 <= 0 ? scaled(z, n) : with_high(z, (u32)j));
}

}  // namespace gpusched::fdlibm

GPUSCHED_FN double strict_pow(double x, double y) {
  using namespace gpusched::fdlibm;
  const double huge = 1.0e300, tiny = 1.0e-300, ovt = 8.0085662595372944372e-0017;
  if (y == 0) return 1.0;
  if (is_nan(x) || is_nan(y)) return x + y;
  int hx = high(x), hy = high(y);
  int ix = hx & 0x7FFFFFFF, iy = hy & 0x7FFFFFFF;
  double ax = absolute(x);
  int yisint = hx < 0 ? whole(y) : 0;
  if (iy == 0x7FF00000) {
    if (ax == 1.0) return not_a_number();
    return (ax > 1.0) == (hy >= 0) ? infinity() : 0.0;
  }
  if (absolute(y) == 1.0) return hy < 0 ? 1.0 / x : x;
  if (y == 2.0) return x * x;
  if (y == 0.5 && hx >= 0) return strict_sqrt(x);
  if (ax == infinity() || ax == 0 || ax == 1.0) {
    double z = hy < 0 ? 1.0 / ax : ax;
    if (hx < 0 && ax == 1.0 && yisint == 0) return not_a_number();
    return hx < 0 && yisint == 1 ? -z : z;
  }
  if (hx < 0 && yisint == 0) return not_a_number();
  double s = hx < 0 && yisint == 1 ? -1.0 : 1.0;

  Log2 log;
  if (iy > 0x41E00000) {
    if (iy > 0x43F00000) {
      if (ix <= 0x3FEFFFFF) return hy < 0 ? infinity() : 0.0;
      return hy > 0 ? infinity() : 0.0;
    }
    if (ix < 0x3FEFFFFF) return hy < 0 ? s * infinity() : s * 0.0;
    if (ix > 0x3FF00000) return hy > 0 ? s * infinity() : s * 0.0;
    log = log2_near_1(ax);
  } else {
    log = log_2(ax);
  }
  double y1 = without_low(y);
  double p_l = (y - y1) * log.t1 + y * log.t2;
  double p_h = y1 * log.t1;
  double z = p_l + p_h;
  int j = high(z);
  int i = (int)low(z);
  if (j >= 0x40900000) {
    if (((j - 0x40900000) | i) != 0 || p_l + ovt > z - p_h) return s * huge * huge;
  } else if ((j & 0x7FFFFFFF) >= 0x4090CC00) {
    if (((j - (int)0xC090CC00) | i) != 0 || p_l <= z - p_h) return s * tiny * tiny;
  }
  return power_of_2(s, p_h, p_l, j);
}

#endif
