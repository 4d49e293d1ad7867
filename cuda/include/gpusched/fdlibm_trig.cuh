// sin, cos, tan of an argument that reduce_pi_2 has reduced.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_TRIG_CUH
#define GPUSCHED_FDLIBM_TRIG_CUH

#include "fdlibm_reduce.cuh"

namespace gpusched::fdlibm {

// sin(x + y), where y is the tail of x, in [-pi/4, pi/4].
GPUSCHED_FN double kernel_sin(double x, double y, bool has_tail) {
  const double S1 = -1.66666666666666324348e-01, S2 = 8.33333333332248946124e-03, S3 = -1.98412698298579493134e-04,
               S4 = 2.75573137070700676789e-06, S5 = -2.50507602534068634195e-08, S6 = 1.58969099521155010221e-10;
  if ((high(x) & 0x7FFFFFFF) < 0x3E400000) return x;
  double z = x * x;
  double v = z * x;
  double r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  return has_tail ? x - ((z * (0.5 * y - v * r) - y) - v * S1) : x + v * (S1 + z * r);
}

GPUSCHED_FN double kernel_cos(double x, double y) {
  const double C1 = 4.16666666666666019037e-02, C2 = -1.38888888888741095749e-03, C3 = 2.48015872894767294178e-05,
               C4 = -2.75573143513906633035e-07, C5 = 2.08757232129817482790e-09, C6 = -1.13596475577881948265e-11;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix < 0x3E400000) return 1.0;
  double z = x * x;
  double r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
  if (ix < 0x3FD33333) return 1.0 - (0.5 * z - (z * r - x * y));
  double qx = ix > 0x3FE90000 ? 0.28125 : of_words((u32)ix - 0x00200000, 0);
  double hz = 0.5 * z - qx;
  double a = 1.0 - qx;
  return a - (hz - (z * r - x * y));
}

// -1 / (x + r), where w is their sum.
GPUSCHED_FN double minus_inverse(double w, double x, double r) {
  double z = without_low(w);
  double v = r - (z - x);
  double a = -1.0 / w;
  double t = without_low(a);
  double s = 1.0 + t * z;
  return t + a * (s + t * v);
}

// The tangent, or -1 over it.
GPUSCHED_FN double kernel_tan(double x, double y, bool inverse) {
  const double T0 = 3.33333333333334091986e-01, T1 = 1.33333333333201242699e-01, T2 = 5.39682539762260521377e-02,
               T3 = 2.18694882948595424599e-02, T4 = 8.86323982359930005737e-03, T5 = 3.59207910759131235356e-03,
               T6 = 1.45620945432529025516e-03, T7 = 5.88041240820264096874e-04, T8 = 2.46463134818469906812e-04,
               T9 = 7.81794442939557092300e-05, T10 = 7.14072491382608190305e-05, T11 = -1.85586374855275456654e-05,
               T12 = 2.59073051863633712884e-05;
  const double pio4 = 7.85398163397448278999e-01, pio4lo = 3.06161699786838301793e-17;
  bool negative = high(x) < 0;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix < 0x3E300000) return inverse ? minus_inverse(x + y, x, y) : x;
  bool large = ix >= 0x3FE59428;
  if (large) {
    if (negative) {
      x = -x;
      y = -y;
    }
    double z = pio4 - x;
    double w = pio4lo - y;
    x = z + w;
    y = 0.0;
  }
  double z = x * x;
  double w = z * z;
  double r = T1 + w * (T3 + w * (T5 + w * (T7 + w * (T9 + w * T11))));
  double v = z * (T2 + w * (T4 + w * (T6 + w * (T8 + w * (T10 + w * T12)))));
  double s = z * x;
  r = y + z * (s * (r + v) + y);
  r += T0 * s;
  w = x + r;
  if (large) {
    v = inverse ? -1.0 : 1.0;
    return (negative ? -1.0 : 1.0) * (v - 2.0 * (x - (w * w / (w + v) - r)));
  }
  return inverse ? minus_inverse(w, x, r) : w;
}

// sin of x if shift is 0, cos if it is 1.
GPUSCHED_FN double sin_or_cos(double x, int shift) {
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x7FF00000) return x - x;
  Reduced reduced{x, 0.0, 0};
  bool small = ix <= 0x3FE921FB;
  if (!small) reduced = reduce_pi_2(x);
  int quarter = reduced.quarters + shift;
  double value = (quarter & 1) == 0 ? kernel_sin(reduced.hi, reduced.lo, !small) : kernel_cos(reduced.hi, reduced.lo);
  return (quarter & 2) == 0 ? value : -value;
}

}  // namespace gpusched::fdlibm

GPUSCHED_FN double strict_sin(double x) { return gpusched::fdlibm::sin_or_cos(x, 0); }

GPUSCHED_FN double strict_cos(double x) { return gpusched::fdlibm::sin_or_cos(x, 1); }

GPUSCHED_FN double strict_tan(double x) {
  using namespace gpusched::fdlibm;
  int ix = high(x) & 0x7FFFFFFF;
  if (ix >= 0x7FF00000) return x - x;
  Reduced reduced{x, 0.0, 0};
  if (ix > 0x3FE921FB) reduced = reduce_pi_2(x);
  return kernel_tan(reduced.hi, reduced.lo, (reduced.quarters & 1) != 0);
}

#endif
