// The functions of gpusched/fdlibm.cuh as a library for FdlibmTest, which holds them against java.lang.StrictMath.

#include <cstring>

#include "gpusched/fdlibm.cuh"

namespace {

struct One {
  const char* name;
  double (*call)(double);
};
struct Two {
  const char* name;
  double (*call)(double, double);
};

constexpr One ONE[] = {
    {"sin", strict_sin},
    {"cos", strict_cos},
    {"tan", strict_tan},
    {"asin", strict_asin},
    {"acos", strict_acos},
    {"atan", strict_atan},
    {"exp", strict_exp},
    {"expm1", strict_expm1},
    {"log", strict_log},
    {"log10", strict_log10},
    {"log1p", strict_log1p},
    {"sqrt", strict_sqrt},
    {"cbrt", strict_cbrt},
    {"sinh", strict_sinh},
    {"cosh", strict_cosh},
    {"tanh", strict_tanh},
};
constexpr Two TWO[] = {{"atan2", strict_atan2}, {"pow", strict_pow}, {"hypot", strict_hypot}};

}  // namespace

// 0 if there is no such function.
extern "C" int gpusched_fdlibm(const char* name, const double* x, const double* y, double* result, int count) {
  for (const One& function : ONE) {
    if (std::strcmp(function.name, name) != 0) continue;
    for (int i = 0; i < count; i++) result[i] = function.call(x[i]);
    return 1;
  }
  for (const Two& function : TWO) {
    if (std::strcmp(function.name, name) != 0) continue;
    for (int i = 0; i < count; i++) result[i] = function.call(x[i], y[i]);
    return 1;
  }
  return 0;
}
