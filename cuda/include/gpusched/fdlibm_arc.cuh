// asin, acos, atan, atan2.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_ARC_CUH
#define GPUSCHED_FDLIBM_ARC_CUH

#include "fdlibm_bits.cuh"

namespace gpusched::fdlibm {

// The rational function by which asin and acos differ from their argument.
GPUSCHED_FN double arc(double t) {
  const double pS0 = 1.66666666666666657415e-01, pS1 = -3.25565818622400915405e-01, pS2 = 2.01212532134862925881e-01,
               pS3 = -4.00555345006794114027e-02, pS4 = 7.91534994289814532176e-04, pS5 = 3.47933107596021167570e-05,
               qS1 = -2.40339491173441421878e+00, qS2 = 2.02094576023350569471e+00, qS3 = -6.88283971605453293030e-01,
               qS4 = 7.70381505559019352791e-02;
  double p = t * (pS0 + t * (pS1 + t * (pS2 + t * (pS3 + t * (pS4 + t * pS5)))));
  double q = 1.0 + t * (qS1 + t * (qS2 + t * (qS3 + t * qS4)));
  return p / q;
}

constexpr double PIO2_HI = 1.57079632679489655800e+00, PIO2_LO = 6.12323399573676603587e-17,
                 PIO4_HI = 7.85398163397448278999e-01, PI = 3.14159265358979311600e+00;

}  // namespace gpusched::fdlibm

GPUSCHED_FN double strict_asin(double x) {
  using namespace gpusched::fdlibm;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x3FF00000) return absolute(x) == 1.0 ? x * PIO2_HI + x * PIO2_LO : not_a_number();
  if (ix < 0x3FE00000) return ix < 0x3E400000 ? x : x + x * arc(x * x);
  double t = (1.0 - absolute(x)) * 0.5;
  double s = strict_sqrt(t);
  double r = arc(t);
  if (ix >= 0x3FEF3333) {
    t = PIO2_HI - (2.0 * (s + s * r) - PIO2_LO);
  } else {
    double w = without_low(s);
    double c = (t - w * w) / (s + w);
    double p = 2.0 * s * r - (PIO2_LO - 2.0 * c);
    double q = PIO4_HI - 2.0 * w;
    t = PIO4_HI - (p - q);
  }
  return high(x) > 0 ? t : -t;
}

GPUSCHED_FN double strict_acos(double x) {
  using namespace gpusched::fdlibm;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x3FF00000) return absolute(x) != 1.0 ? not_a_number() : high(x) > 0 ? 0.0 : PI + 2.0 * PIO2_LO;
  if (ix < 0x3FE00000) {
    if (ix <= 0x3C600000) return PIO2_HI + PIO2_LO;
    return PIO2_HI - (x - (PIO2_LO - x * arc(x * x)));
  }
  if (high(x) < 0) {
    double z = (1.0 + x) * 0.5;
    double s = strict_sqrt(z);
    double w = arc(z) * s - PIO2_LO;
    return PI - 2.0 * (s + w);
  }
  double z = (1.0 - x) * 0.5;
  double s = strict_sqrt(z);
  double df = without_low(s);
  double c = (z - df * df) / (s + df);
  double w = arc(z) * s + c;
  return 2.0 * (df + w);
}

GPUSCHED_FN double strict_atan(double x) {
  using namespace gpusched::fdlibm;
  const double aT0 = 3.33333333333329318027e-01, aT1 = -1.99999999998764832476e-01, aT2 = 1.42857142725034663711e-01,
               aT3 = -1.11111104054623557880e-01, aT4 = 9.09088713343650656196e-02, aT5 = -7.69187620504482999495e-02,
               aT6 = 6.66107313738753120669e-02, aT7 = -5.83357013379057348645e-02, aT8 = 4.97687799461593236017e-02,
               aT9 = -3.65315727442169155270e-02, aT10 = 1.62858201153657823623e-02;
  bool negative = high(x) < 0;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x44100000) return is_nan(x) ? x + x : negative ? -PIO2_HI - PIO2_LO : PIO2_HI + PIO2_LO;
  double hi = 0, lo = 0;
  bool reduced = ix >= 0x3FDC0000;
  if (!reduced) {
    if (ix < 0x3E200000) return x;
  } else {
    x = absolute(x);
    if (ix < 0x3FE60000) {
      hi = 4.63647609000806093515e-01;
      lo = 2.26987774529616870924e-17;
      x = (2.0 * x - 1.0) / (2.0 + x);
    } else if (ix < 0x3FF30000) {
      hi = 7.85398163397448278999e-01;
      lo = 3.06161699786838301793e-17;
      x = (x - 1.0) / (x + 1.0);
    } else if (ix < 0x40038000) {
      hi = 9.82793723247329054082e-01;
      lo = 1.39033110312309984516e-17;
      x = (x - 1.5) / (1.0 + 1.5 * x);
    } else {
      hi = 1.57079632679489655800e+00;
      lo = 6.12323399573676603587e-17;
      x = -1.0 / x;
    }
  }
  double z = x * x;
  double w = z * z;
  double s1 = z * (aT0 + w * (aT2 + w * (aT4 + w * (aT6 + w * (aT8 + w * aT10)))));
  double s2 = w * (aT1 + w * (aT3 + w * (aT5 + w * (aT7 + w * aT9))));
  if (!reduced) return x - x * (s1 + s2);
  z = hi - ((x * (s1 + s2) - lo) - x);
  return negative ? -z : z;
}

GPUSCHED_FN double strict_atan2(double y, double x) {
  using namespace gpusched::fdlibm;
  const double pi_lo = 1.2246467991473531772e-16;
  if (is_nan(x) || is_nan(y)) return x + y;
  if (x == 1.0) return strict_atan(y);
  bool x_negative = high(x) < 0, y_negative = high(y) < 0;
  int ix = high(x) & 0x7FFFFFFF, iy = high(y) & 0x7FFFFFFF;
  if (y == 0) return !x_negative ? y : y_negative ? -PI : PI;
  if (x == 0) return y_negative ? -PIO2_HI : PIO2_HI;
  if (ix == 0x7FF00000) {
    double of_infinity = iy != 0x7FF00000 ? (x_negative ? PI : 0.0) : x_negative ? 3.0 * PIO4_HI : PIO4_HI;
    return y_negative ? -of_infinity : of_infinity;
  }
  if (iy == 0x7FF00000) return y_negative ? -PIO2_HI : PIO2_HI;
  int k = (iy - ix) >> 20;
  double z;
  if (k > 60) {
    z = PIO2_HI + 0.5 * pi_lo;
  } else if (x_negative && k < -60) {
    z = 0.0;
  } else {
    z = strict_atan(absolute(y / x));
  }
  if (!x_negative) return y_negative ? -z : z;
  return y_negative ? (z - pi_lo) - PI : PI - (z - pi_lo);
}

#endif
