// cbrt and hypot.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_ROOT_CUH
#define GPUSCHED_FDLIBM_ROOT_CUH

#include "fdlibm_bits.cuh"

GPUSCHED_FN double strict_cbrt(double x) {
  using namespace gpusched::fdlibm;
  const gpusched::u32 B1 = 715094163, B2 = 696219795;
  const double C = 5.42857142857142815906e-01, D = -7.05306122448979611050e-01, E = 1.41428571428571436819e+00,
               F = 1.60714285714285720630e+00, G = 3.57142857142857150787e-01;
  gpusched::u32 sign = (gpusched::u32)high(x) & 0x80000000;
  int hx = high(x) & 0x7FFFFFFF;
  if (hx >= 0x7FF00000) return x + x;
  if (x == 0) return x;
  x = absolute(x);
  // To 5 bits.
  double t;
  if (hx < 0x00100000) {
    t = 0x1p54 * x;
    t = with_high(t, (gpusched::u32)high(t) / 3 + B2);
  } else {
    t = of_words((gpusched::u32)hx / 3 + B1, 0);
  }
  // To 23 bits.
  double r = t * t / x;
  double s = C + r * t;
  t *= G + F / (s + E + D / s);
  // To 20 bits, and greater than the root.
  t = of_words((gpusched::u32)high(t) + 1, 0);
  // To 53 bits.
  s = t * t;
  r = x / s;
  double w = t + t;
  r = (r - t) / (w + r);
  t = t + t * r;
  return with_high(t, (gpusched::u32)high(t) | sign);
}

GPUSCHED_FN double strict_hypot(double x, double y) {
  using namespace gpusched::fdlibm;
  double a = absolute(x), b = absolute(y);
  int ha = high(a), hb = high(b);
  if (hb > ha) {
    double other = a;
    a = b;
    b = other;
    int word = ha;
    ha = hb;
    hb = word;
  }
  if (ha - hb > 0x3C00000) return a + b;
  int k = 0;
  if (ha > 0x5F300000) {
    if (ha >= 0x7FF00000) {
      if (a == infinity() || b == infinity()) return infinity();
      return a + b;
    }
    ha -= 0x25800000;
    hb -= 0x25800000;
    k += 600;
    a = with_high(a, (gpusched::u32)ha);
    b = with_high(b, (gpusched::u32)hb);
  }
  if (hb < 0x20B00000) {
    if (hb <= 0x000FFFFF) {
      if (b == 0) return a;
      b *= 0x1p1022;
      a *= 0x1p1022;
      // ha and hb stay as they are, in fdlibm too: the product is split elsewhere, and the last bit may be another.
      k -= 1022;
    } else {
      ha += 0x25800000;
      hb += 0x25800000;
      k -= 600;
      a = with_high(a, (gpusched::u32)ha);
      b = with_high(b, (gpusched::u32)hb);
    }
  }
  double w = a - b;
  if (w > b) {
    double t1 = of_words((gpusched::u32)ha, 0);
    double t2 = a - t1;
    w = strict_sqrt(t1 * t1 - (b * (-b) - t2 * (a + t1)));
  } else {
    a = a + a;
    double y1 = of_words((gpusched::u32)hb, 0);
    double y2 = b - y1;
    double t1 = of_words((gpusched::u32)ha + 0x00100000, 0);
    double t2 = a - t1;
    w = strict_sqrt(t1 * y1 - (w * (-w) - (t1 * y2 + t2 * b)));
  }
  return k == 0 ? w : times_power(1.0, k) * w;
}

#endif
