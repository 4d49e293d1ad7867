// Each of the functions of StrictMath, where it is a number.
__device__ double strict(double x, int which) {
  double part = x / 1000;
  double positive = x < 0 ? -x : x;
  switch (which) {
    case 0: return strict_sin(x);
    case 1: return strict_cos(x);
    case 2: return strict_tan(x);
    case 3: return strict_asin(part);
    case 4: return strict_acos(part);
    case 5: return strict_atan(x);
    case 6: return strict_exp(x);
    case 7: return strict_expm1(x);
    case 8: return strict_log(positive);
    case 9: return strict_log10(positive);
    case 10: return strict_log1p(positive);
    case 11: return strict_sqrt(positive);
    case 12: return strict_cbrt(x);
    case 13: return strict_sinh(x);
    case 14: return strict_cosh(x);
    case 15: return strict_tanh(x);
    case 16: return strict_atan2(x, 3.0);
    case 17: return strict_pow(positive, part);
    default: return strict_hypot(x, 7.0);
  }
}
