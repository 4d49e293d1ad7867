// Natives of ai.rapids.cudf.Scalar, which are those of columns of one value. See README.md.

#include "scalars.h"

using namespace cudf_double;

namespace {

// The numbers of types are those of DType.
template <class Value>
jlong made(int type, Value value, jboolean valid) {
  return (jlong) new Scalar{type, 0, valid != 0, std::string((const char*)&value, sizeof value)};
}

}  // namespace

NATIVE(void, Scalar, closeScalar)(JNIEnv*, jclass, jlong handle) { delete (Scalar*)handle; }

NATIVE(jboolean, Scalar, isScalarValid)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jboolean)scalar_at(handle).valid; });
}

NATIVE(jlong, Scalar, makeBool8Scalar)(JNIEnv*, jclass, jboolean valid, jboolean value) { return made(11, value, valid); }

NATIVE(jlong, Scalar, makeInt8Scalar)(JNIEnv*, jclass, jbyte value, jboolean valid) { return made(1, value, valid); }

NATIVE(jlong, Scalar, makeUint8Scalar)(JNIEnv*, jclass, jbyte value, jboolean valid) { return made(5, value, valid); }

NATIVE(jlong, Scalar, makeInt16Scalar)(JNIEnv*, jclass, jshort value, jboolean valid) { return made(2, value, valid); }

NATIVE(jlong, Scalar, makeInt32Scalar)(JNIEnv*, jclass, jint value, jboolean valid) { return made(3, value, valid); }

NATIVE(jlong, Scalar, makeInt64Scalar)(JNIEnv*, jclass, jlong value, jboolean valid) { return made(4, value, valid); }

NATIVE(jlong, Scalar, makeFloat32Scalar)(JNIEnv*, jclass, jfloat value, jboolean valid) { return made(9, value, valid); }

NATIVE(jlong, Scalar, makeFloat64Scalar)(JNIEnv*, jclass, jdouble value, jboolean valid) { return made(10, value, valid); }

NATIVE(jlong, Scalar, makeTimestampDaysScalar)(JNIEnv*, jclass, jint value, jboolean valid) { return made(12, value, valid); }

NATIVE(jlong, Scalar, makeTimestampTimeScalar)(JNIEnv*, jclass, jint type, jlong value, jboolean valid) {
  return made(type, value, valid);
}

NATIVE(jlong, Scalar, makeStringScalar)(JNIEnv* env, jclass, jbyteArray value, jboolean valid) {
  std::string bytes;
  if (value != nullptr) {
    bytes.resize(env->GetArrayLength(value));
    env->GetByteArrayRegion(value, 0, (jsize)bytes.size(), (jbyte*)bytes.data());
  }
  return (jlong) new Scalar{23, 0, valid != 0, bytes};
}
