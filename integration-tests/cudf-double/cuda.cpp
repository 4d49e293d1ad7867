// Natives of ai.rapids.cudf.Cuda. See README.md.

#include "natives.h"

using namespace cudf_double;

namespace {

// CU_POINTER_ATTRIBUTE_MEMORY_TYPE and CU_MEMORYTYPE_DEVICE.
constexpr int MEMORY_TYPE = 2;
constexpr unsigned OF_DEVICE = 2;

bool is_device(Address address) {
  unsigned type = 0;
  // An error for memory of the host that the driver does not know.
  return driver().cuPointerGetAttribute(&type, MEMORY_TYPE, address) == 0 && type == OF_DEVICE;
}

// CudaMemcpyKind. A wrong one is undefined, and refused here.
void check_kind(Address to, Address from, jint kind) {
  static const char* const NAMES[] = {"host to host", "host to device", "device to host", "device to device"};
  if (kind < 0 || kind > 4) throw cudf_error("no kind of copy");
  if (kind == 4) return;
  int found = (is_device(from) ? 2 : 0) + (is_device(to) ? 1 : 0);
  if (found != kind) throw cudf_error(std::string("a copy of ") + NAMES[kind] + " is one of " + NAMES[found]);
}

void copy(jlong to, jlong from, jlong bytes, jint kind, jlong stream) {
  if (bytes == 0) return;
  check_kind((Address)to, (Address)from, kind);
  DRIVER(cuMemcpyAsync, (Address)to, (Address)from, (size_t)bytes, stream_of(stream));
}

void fill(jlong to, jbyte value, jlong bytes) {
  if (bytes != 0) DRIVER(cuMemsetD8Async, (Address)to, (unsigned char)value, (size_t)bytes, PER_THREAD);
}

}  // namespace

// 0 where there is no driver.
NATIVE(jint, Cuda, getDriverVersion)(JNIEnv* env, jclass) {
  return guarded_without_context(env, [] {
    int version = 0;
    try {
      DRIVER(cuDriverGetVersion, &version);
    } catch (const NoDriver&) {
    }
    return (jint)version;
  });
}

NATIVE(jint, Cuda, getDeviceCount)(JNIEnv* env, jclass) {
  return guarded_without_context(env, [] {
    int count;
    DRIVER(cuInit, 0);
    DRIVER(cuDeviceGetCount, &count);
    return (jint)count;
  });
}

NATIVE(jint, Cuda, getDevice)(JNIEnv* env, jclass) {
  return guarded(env, [] { return (jint)thread_device; });
}

NATIVE(void, Cuda, setDevice)(JNIEnv* env, jclass, jint device) {
  guarded_without_context(env, [&] {
    if (rmm_device >= 0 && device != rmm_device) throw cudf_error("another device than that of RMM");
    set_device(device);
  });
}

NATIVE(void, Cuda, autoSetDevice)(JNIEnv* env, jclass) {
  guarded(env, [] {});
}

NATIVE(void, Cuda, freeZero)(JNIEnv* env, jclass) {
  guarded(env, [] {});
}

NATIVE(jint, Cuda, getComputeCapabilityMajor)(JNIEnv* env, jclass) {
  return guarded(env, [] {
    int value;
    DRIVER(cuDeviceGetAttribute, &value, 75, thread_device);
    return (jint)value;
  });
}

NATIVE(jint, Cuda, getComputeCapabilityMinor)(JNIEnv* env, jclass) {
  return guarded(env, [] {
    int value;
    DRIVER(cuDeviceGetAttribute, &value, 76, thread_device);
    return (jint)value;
  });
}

// As the published natives.
NATIVE(jboolean, Cuda, isPtdsEnabled)(JNIEnv*, jclass) { return JNI_TRUE; }

NATIVE(void, Cuda, memcpyOnStream)(JNIEnv* env, jclass, jlong to, jlong from, jlong bytes, jint kind, jlong stream) {
  guarded(env, [&] {
    copy(to, from, bytes, kind, stream);
    DRIVER(cuStreamSynchronize, stream_of(stream));
  });
}

NATIVE(void, Cuda, asyncMemcpyOnStream)(JNIEnv* env, jclass, jlong to, jlong from, jlong bytes, jint kind, jlong stream) {
  guarded(env, [&] { copy(to, from, bytes, kind, stream); });
}

NATIVE(void, Cuda, memset)(JNIEnv* env, jclass, jlong to, jbyte value, jlong bytes) {
  guarded(env, [&] {
    fill(to, value, bytes);
    DRIVER(cuStreamSynchronize, PER_THREAD);
  });
}

NATIVE(void, Cuda, asyncMemset)(JNIEnv* env, jclass, jlong to, jbyte value, jlong bytes) {
  guarded(env, [&] { fill(to, value, bytes); });
}

NATIVE(jlong, Cuda, createStream)(JNIEnv* env, jclass, jboolean non_blocking) {
  return guarded(env, [&] {
    Stream stream;
    DRIVER(cuStreamCreate, &stream, non_blocking ? 1 : 0);
    return (jlong)stream;
  });
}

NATIVE(void, Cuda, destroyStream)(JNIEnv* env, jclass, jlong stream) {
  guarded(env, [&] { DRIVER(cuStreamDestroy_v2, (Stream)stream); });
}

NATIVE(void, Cuda, streamSynchronize)(JNIEnv* env, jclass, jlong stream) {
  guarded(env, [&] { DRIVER(cuStreamSynchronize, stream_of(stream)); });
}

NATIVE(void, Cuda, streamWaitEvent)(JNIEnv* env, jclass, jlong stream, jlong event) {
  guarded(env, [&] { DRIVER(cuStreamWaitEvent, stream_of(stream), (Event)event, 0); });
}

NATIVE(jlong, Cuda, createEvent)(JNIEnv* env, jclass, jboolean timing, jboolean blocking) {
  return guarded(env, [&] {
    Event event;
    DRIVER(cuEventCreate, &event, (timing ? 0 : 2) | (blocking ? 1 : 0));
    return (jlong)event;
  });
}

NATIVE(void, Cuda, destroyEvent)(JNIEnv* env, jclass, jlong event) {
  guarded(env, [&] { DRIVER(cuEventDestroy_v2, (Event)event); });
}

NATIVE(jboolean, Cuda, eventQuery)(JNIEnv* env, jclass, jlong event) {
  return guarded(env, [&] {
    constexpr int NOT_READY = 600;
    int result = driver().cuEventQuery((Event)event);
    if (result == NOT_READY) return (jboolean)JNI_FALSE;
    check(result, "cuEventQuery");
    return (jboolean)JNI_TRUE;
  });
}

NATIVE(void, Cuda, eventRecord)(JNIEnv* env, jclass, jlong event, jlong stream) {
  guarded(env, [&] { DRIVER(cuEventRecord, (Event)event, stream_of(stream)); });
}

NATIVE(void, Cuda, eventSynchronize)(JNIEnv* env, jclass, jlong event) {
  guarded(env, [&] { DRIVER(cuEventSynchronize, (Event)event); });
}

NATIVE(void, Cuda, deviceSynchronize)(JNIEnv* env, jclass) {
  guarded(env, [] { DRIVER(cuCtxSynchronize); });
}
