// log, log10, log1p.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_LOG_CUH
#define GPUSCHED_FDLIBM_LOG_CUH

#include "fdlibm_bits.cuh"

GPUSCHED_FN double strict_log(double x) {
  using namespace gpusched::fdlibm;
  const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10, Lg1 = 6.666666666666735130e-01,
               Lg2 = 3.999999999940941908e-01, Lg3 = 2.857142874366239149e-01, Lg4 = 2.222219843214978396e-01,
               Lg5 = 1.818357216161805012e-01, Lg6 = 1.531383769920937332e-01, Lg7 = 1.479819860511658591e-01;
  int hx = high(x);
  int k = 0;
  if (hx < 0x00100000) {
    if (x == 0) return -infinity();
    if (hx < 0) return not_a_number();
    k -= 54;
    x *= 0x1p54;
    hx = high(x);
  }
  if (hx >= 0x7FF00000) return x + x;
  k += (hx >> 20) - 1023;
  hx &= 0x000FFFFF;
  int i = (hx + 0x95F64) & 0x100000;
  x = with_high(x, (gpusched::u32)(hx | (i ^ 0x3FF00000)));
  k += i >> 20;
  double f = x - 1.0;
  double dk = k;
  if ((0x000FFFFF & (2 + hx)) < 3) {
    if (f == 0) return k == 0 ? 0.0 : dk * ln2_hi + dk * ln2_lo;
    double R = f * f * (0.5 - 0.33333333333333333 * f);
    return k == 0 ? f - R : dk * ln2_hi - ((R - dk * ln2_lo) - f);
  }
  double s = f / (2.0 + f);
  double z = s * s;
  double w = z * z;
  i = (hx - 0x6147A) | (0x6B851 - hx);
  double t1 = w * (Lg2 + w * (Lg4 + w * Lg6));
  double t2 = z * (Lg1 + w * (Lg3 + w * (Lg5 + w * Lg7)));
  double R = t2 + t1;
  if (i > 0) {
    double hfsq = 0.5 * f * f;
    return k == 0 ? f - (hfsq - s * (hfsq + R)) : dk * ln2_hi - ((hfsq - (s * (hfsq + R) + dk * ln2_lo)) - f);
  }
  return k == 0 ? f - s * (f - R) : dk * ln2_hi - ((s * (f - R) - dk * ln2_lo) - f);
}

GPUSCHED_FN double strict_log10(double x) {
  using namespace gpusched::fdlibm;
  const double ivln10 = 4.34294481903251816668e-01, log10_2hi = 3.01029995663611771306e-01,
               log10_2lo = 3.69423907715893078616e-13;
  int hx = high(x);
  int k = 0;
  if (hx < 0x00100000) {
    if (x == 0) return -infinity();
    if (hx < 0) return not_a_number();
    k -= 54;
    x *= 0x1p54;
    hx = high(x);
  }
  if (hx >= 0x7FF00000) return x + x;
  k += (hx >> 20) - 1023;
  int i = k < 0 ? 1 : 0;
  hx = (hx & 0x000FFFFF) | ((0x3FF - i) << 20);
  double y = k + i;
  double z = y * log10_2lo + ivln10 * strict_log(with_high(x, (gpusched::u32)hx));
  return z + y * log10_2hi;
}

GPUSCHED_FN double strict_log1p(double x) {
  using namespace gpusched::fdlibm;
  const double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10, Lp1 = 6.666666666666735130e-01,
               Lp2 = 3.999999999940941908e-01, Lp3 = 2.857142874366239149e-01, Lp4 = 2.222219843214978396e-01,
               Lp5 = 1.818357216161805012e-01, Lp6 = 1.531383769920937332e-01, Lp7 = 1.479819860511658591e-01;
  int hx = high(x);
  int ax = hx & 0x7FFFFFFF;
  int k = 1;
  int hu = 0;
  double f = 0, c = 0;
  if (hx < 0x3FDA827A) {
    if (ax >= 0x3FF00000) return x == -1.0 ? -infinity() : not_a_number();
    if (ax < 0x3E200000) return ax < 0x3C900000 ? x : x - x * x * 0.5;
    if (hx > 0 || hx <= (int)0xBFD2BEC3) {
      k = 0;
      f = x;
      hu = 1;
    }
  }
  if (hx >= 0x7FF00000) return x + x;
  if (k != 0) {
    double u = x;
    if (hx < 0x43400000) {
      u = 1.0 + x;
      k = (high(u) >> 20) - 1023;
      c = k > 0 ? 1.0 - (u - x) : x - (u - 1.0);
      c /= u;
    } else {
      k = (high(u) >> 20) - 1023;
    }
    hu = high(u) & 0x000FFFFF;
    if (hu < 0x6A09E) {
      u = with_high(u, (gpusched::u32)hu | 0x3FF00000);
    } else {
      k += 1;
      u = with_high(u, (gpusched::u32)hu | 0x3FE00000);
      hu = (0x00100000 - hu) >> 2;
    }
    f = u - 1.0;
  }
  double hfsq = 0.5 * f * f;
  if (hu == 0) {
    if (f == 0) {
      if (k == 0) return 0.0;
      c += k * ln2_lo;
      return k * ln2_hi + c;
    }
    double R = hfsq * (1.0 - 0.66666666666666666 * f);
    return k == 0 ? f - R : k * ln2_hi - ((R - (k * ln2_lo + c)) - f);
  }
  double s = f / (2.0 + f);
  double z = s * s;
  double R = z * (Lp1 + z * (Lp2 + z * (Lp3 + z * (Lp4 + z * (Lp5 + z * (Lp6 + z * Lp7))))));
  return k == 0 ? f - (hfsq - s * (hfsq + R)) : k * ln2_hi - ((hfsq - (s * (hfsq + R) + (k * ln2_lo + c))) - f);
}

#endif
