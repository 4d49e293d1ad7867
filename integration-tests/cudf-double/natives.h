// A native method, and what it throws. See README.md.

#pragma once

#include <jni.h>

#include <string>

#include "context.h"

// NATIVE(long, Rmm, allocInternal)(JNIEnv* env, jclass, …)
#define NATIVE(TYPE, CLASS, METHOD) extern "C" JNIEXPORT TYPE JNICALL Java_ai_rapids_cudf_##CLASS##_##METHOD

namespace cudf_double {

// Becomes a Java exception of this class, which takes a message.
struct JavaError {
  std::string type, message;
};

inline JavaError cudf_error(const std::string& message) { return {"ai/rapids/cudf/CudfException", message}; }

inline void raise(JNIEnv* env, const JavaError& error) {
  // Without the class there is NoClassDefFoundError, which says enough.
  if (jclass type = env->FindClass(error.type.c_str())) env->ThrowNew(type, error.message.c_str());
}

// An error of a kernel that ran, after which a context is of no use.
inline bool is_fatal(int code) { return code >= 700 && code < 720 && code != 701; }

inline void raise(JNIEnv* env, const DriverError& error) {
  jclass type = env->FindClass(is_fatal(error.code) ? "ai/rapids/cudf/CudaFatalException" : "ai/rapids/cudf/CudaException");
  if (type == nullptr) return;
  jmethodID constructor = env->GetMethodID(type, "<init>", "(Ljava/lang/String;Ljava/lang/String;I)V");
  std::string message = std::string(error.function) + " gave " + std::to_string(error.code);
  jobject thrown = env->NewObject(type, constructor, env->NewStringUTF(message.c_str()), env->NewStringUTF(""), error.code);
  if (thrown != nullptr) env->Throw((jthrowable)thrown);
}

// Runs a native method, without the thread's context: for what is asked before there is one.
template <class Work>
auto guarded_without_context(JNIEnv* env, Work work) {
  try {
    return work();
  } catch (const DriverError& error) {
    raise(env, error);
  } catch (const JavaError& error) {
    raise(env, error);
  } catch (const NoDriver& none) {
    raise(env, cudf_error(std::string("no CUDA driver: ") + none.why));
  }
  return decltype(work())();
}

template <class Work>
auto guarded(JNIEnv* env, Work work) {
  return guarded_without_context(env, [&] {
    enter();
    return work();
  });
}

}  // namespace cudf_double
