// Natives of the tests' own class, by which they ask for faults. See README.md.

#include "faults.h"

#include <atomic>

#include "natives.h"
#include "rmm.h"

namespace {
std::atomic<long> views_to_failure{0};
}

void cudf_double::fail_view(long n) { views_to_failure = n; }

bool cudf_double::is_view_to_fail() { return views_to_failure > 0 && --views_to_failure == 0; }

#define OF_TESTS(TYPE, METHOD) extern "C" JNIEXPORT TYPE JNICALL Java_io_github_sparkgpusched_device_cudf_RmmFaults_##METHOD

OF_TESTS(void, failAllocation)(JNIEnv* env, jclass, jlong n, jstring type) {
  const char* name = env->GetStringUTFChars(type, nullptr);
  if (name == nullptr) return;
  cudf_double::fail_allocation(n, name);
  env->ReleaseStringUTFChars(type, name);
}

OF_TESTS(void, failView)(JNIEnv*, jclass, jlong n) { cudf_double::fail_view(n); }

OF_TESTS(jlong, allocations)(JNIEnv*, jclass) { return cudf_double::allocations(); }

OF_TESTS(jlong, bytesAllocated)(JNIEnv*, jclass) { return (jlong)cudf_double::bytes_allocated(); }
