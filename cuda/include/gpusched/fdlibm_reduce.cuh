// Arguments of sin, cos and tan, less the nearest multiple of pi/2, to all bits however large they are.
//
// Derived from fdlibm:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.
//
// Names of constants and variables are fdlibm's; how each function works is told there. What only raised an IEEE flag is left out.

#ifndef GPUSCHED_FDLIBM_REDUCE_CUH
#define GPUSCHED_FDLIBM_REDUCE_CUH

#include "fdlibm_bits.cuh"

namespace gpusched::fdlibm {

// x is quarters * pi/2 + (hi + lo); of the quarters, the lowest two bits at least are right.
struct Reduced {
  double hi, lo;
  int quarters;
};

GPUSCHED_FN u64 pick(int i, u64 a, u64 b, u64 c, u64 d, u64 e) {
  return i < 2 ? (i < 1 ? a : b) : i < 3 ? c : i < 4 ? d : e;
}

// 64 bits of 2/pi. In the code and no table: no memory has to be set up, or is asked.
GPUSCHED_FN u64 two_over_pi_word(int i) {
  if (i < 5) {
    return pick(i, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0);
  }
  if (i < 10) {
    return pick(i - 5, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41,
                0x3991D639835339F4);
  }
  if (i < 15) {
    return pick(i - 10, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7,
                0x4F463F669E5FEA2D);
  }
  if (i < 20) {
    return pick(i - 15, 0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
                0xF0CFBC209AF4361D);
  }
  return pick(i - 20, 0xA9E391615EE61B08, 0x6599855F14A06840, 0x8DFFD8804D732731, 0x06061556CA73A8C9,
              0x60E27BC08C6B0000);
}

// Bits 24 j to 24 j + 23 of 2/pi, of which there are 66 such numbers.
GPUSCHED_FN double two_over_pi(int j) {
  int bit = 24 * j;
  int shift = bit & 63;
  u64 word = two_over_pi_word(bit >> 6) << shift;
  if (shift > 40) word |= two_over_pi_word((bit >> 6) + 1) >> (64 - shift);
  return (double)(u32)(word >> 40);
}

// The first of the eight numbers of 24 bits that add up to pi/2.
GPUSCHED_FN double pi_2_part(int k) {
  return k < 2 ? (k < 1 ? 1.57079625129699707031e+00 : 7.54978941586159635335e-08)
         : k < 3 ? 5.39030252995776476554e-15
         : k < 4 ? 3.28200341580791294123e-22
                 : 1.27065575308067607349e-29;
}

// fdlibm's __kernel_rem_pio2 for doubles: |x| is x0 + x1 + x2, numbers of 24 bits, times 2^e0.
GPUSCHED_FDLIBM_RARE Reduced reduce_large(double x0, double x1, double x2, int e0) {
  const int jk = 4;
  const double two24 = 0x1p24, twon24 = 0x1p-24;
  double f[20], fq[20], q[20];
  int iq[20];
  double x[3] = {x0, x1, x2};
  int jx = x2 != 0 ? 2 : x1 != 0 ? 1 : 0;
  int jv = (e0 - 3) / 24;
  if (jv < 0) jv = 0;
  int q0 = e0 - 24 * (jv + 1);

  GPUSCHED_LOOP
  for (int i = 0; i <= jx + jk; i++) f[i] = jv - jx + i < 0 ? 0.0 : two_over_pi(jv - jx + i);
  GPUSCHED_LOOP
  for (int i = 0; i <= jk; i++) {
    double fw = 0.0;
    GPUSCHED_LOOP
    for (int j = 0; j <= jx; j++) fw += x[j] * f[jx + i - j];
    q[i] = fw;
  }

  int jz = jk;
  int n, ih;
  double z;
  while (true) {
    // From q to whole numbers, the last first.
    z = q[jz];
    GPUSCHED_LOOP
    for (int i = 0, j = jz; j > 0; i++, j--) {
      double fw = (int)(twon24 * z);
      iq[i] = (int)(z - two24 * fw);
      z = q[j - 1] + fw;
    }
    z = z == 0 ? z : scaled(z, q0);
    z -= 8.0 * whole_below(z * 0.125);
    n = (int)z;
    z -= n;
    ih = 0;
    if (q0 > 0) {
      int i = iq[jz - 1] >> (24 - q0);
      n += i;
      iq[jz - 1] -= i << (24 - q0);
      ih = iq[jz - 1] >> (23 - q0);
    } else if (q0 == 0) {
      ih = iq[jz - 1] >> 23;
    } else if (z >= 0.5) {
      ih = 2;
    }
    if (ih > 0) {
      n += 1;
      bool carry = false;
      GPUSCHED_LOOP
      for (int i = 0; i < jz; i++) {
        int j = iq[i];
        if (carry) {
          iq[i] = 0xFFFFFF - j;
        } else if (j != 0) {
          carry = true;
          iq[i] = 0x1000000 - j;
        }
      }
      if (q0 == 1) iq[jz - 1] &= 0x7FFFFF;
      if (q0 == 2) iq[jz - 1] &= 0x3FFFFF;
      if (ih == 2) {
        z = 1.0 - z;
        if (carry) z -= scaled(1.0, q0);
      }
    }
    if (z != 0) break;
    int some = 0;
    GPUSCHED_LOOP
    for (int i = jz - 1; i >= jk; i--) some |= iq[i];
    if (some != 0) break;
    // All bits cancelled: more of 2/pi are needed.
    int k = 1;
    GPUSCHED_LOOP
    while (iq[jk - k] == 0) k++;
    GPUSCHED_LOOP
    for (int i = jz + 1; i <= jz + k; i++) {
      f[jx + i] = two_over_pi(jv + i);
      double fw = 0.0;
      GPUSCHED_LOOP
      for (int j = 0; j <= jx; j++) fw += x[j] * f[jx + i - j];
      q[i] = fw;
    }
    jz += k;
  }

  if (z == 0) {
    jz -= 1;
    q0 -= 24;
    GPUSCHED_LOOP
    while (iq[jz] == 0) {
      jz--;
      q0 -= 24;
    }
  } else {
    z = scaled(z, -q0);
    if (z >= two24) {
      double fw = (int)(twon24 * z);
      iq[jz] = (int)(z - two24 * fw);
      jz += 1;
      q0 += 24;
      iq[jz] = (int)fw;
    } else {
      iq[jz] = (int)z;
    }
  }

  fq[0] = 0.0;
  double fw = scaled(1.0, q0);
  GPUSCHED_LOOP
  for (int i = jz; i >= 0; i--) {
    q[i] = fw * iq[i];
    fw *= twon24;
  }
  GPUSCHED_LOOP
  for (int i = jz; i >= 0; i--) {
    fw = 0.0;
    GPUSCHED_LOOP
    for (int k = 0; k <= jk && k <= jz - i; k++) fw += pi_2_part(k) * q[i + k];
    fq[jz - i] = fw;
  }
  fw = 0.0;
  GPUSCHED_LOOP
  for (int i = jz; i >= 0; i--) fw += fq[i];
  double hi = ih == 0 ? fw : -fw;
  fw = fq[0] - fw;
  GPUSCHED_LOOP
  for (int i = 1; i <= jz; i++) fw += fq[i];
  return {hi, ih == 0 ? fw : -fw, n & 7};
}

// Of a positive number near pi/2 or in the middle range, by a pi/2 of 33 bits at a time.
GPUSCHED_FN Reduced reduce_medium(double t) {
  const double invpio2 = 6.36619772367581382433e-01, pio2_1 = 1.57079632673412561417e+00,
               pio2_1t = 6.07710050650619224932e-11, pio2_2 = 6.07710050630396597660e-11,
               pio2_2t = 2.02226624879595063154e-21, pio2_3 = 2.02226624871116645580e-21,
               pio2_3t = 8.47842766036889956997e-32;
  int ix = high(t);
  if (ix < 0x4002D97C) {
    double z = t - pio2_1;
    double tail = pio2_1t;
    if (ix == 0x3FF921FB) {
      z -= pio2_2;
      tail = pio2_2t;
    }
    double hi = z - tail;
    return {hi, (z - hi) - tail, 1};
  }
  int n = (int)(t * invpio2 + 0.5);
  double fn = n;
  double r = t - fn * pio2_1;
  double w = fn * pio2_1t;
  double hi = r - w;
  // Few quarters, and not next to a multiple of pi/2, of which fdlibm has a table: little cancels.
  bool near = n >= 32 || ix == high(fn * 1.57079632679489655800e+00);
  int j = ix >> 20;
  if (near && j - ((high(hi) >> 20) & 0x7FF) > 16) {
    t = r;
    w = fn * pio2_2;
    r = t - w;
    w = fn * pio2_2t - ((t - r) - w);
    hi = r - w;
    if (j - ((high(hi) >> 20) & 0x7FF) > 49) {
      t = r;
      w = fn * pio2_3;
      r = t - w;
      w = fn * pio2_3t - ((t - r) - w);
      hi = r - w;
    }
  }
  return {hi, (r - hi) - w, n};
}

// |x| is above pi/4, and finite.
GPUSCHED_FN Reduced reduce_pi_2(double x) {
  double t = absolute(x);
  Reduced reduced;
  if (high(t) <= 0x413921FB) {
    reduced = reduce_medium(t);
  } else {
    int e0 = (high(t) >> 20) - 1046;
    double z = times_power(t, -e0);
    double x0 = (int)z;
    z = (z - x0) * 0x1p24;
    double x1 = (int)z;
    reduced = reduce_large(x0, x1, (z - x1) * 0x1p24, e0);
  }
  return x < 0 ? Reduced{-reduced.hi, -reduced.lo, -reduced.quarters} : reduced;
}

}  // namespace gpusched::fdlibm

#endif
