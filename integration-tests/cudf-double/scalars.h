// Scalars: a value and its type, or null. See README.md.

#pragma once

#include <string>

#include "natives.h"

namespace cudf_double {

// Of a null, bytes of 0, as many as a value of the type has.
struct Scalar {
  int type;
  int scale;
  bool valid;
  std::string bytes;
};

inline const Scalar& scalar_at(jlong handle) {
  if (handle == 0) throw JavaError{"java/lang/NullPointerException", "no scalar"};
  return *(const Scalar*)handle;
}

}  // namespace cudf_double
