// Which context a thread that calls has: as the CUDA runtime, the primary one of its device. See README.md.

#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "driver.h"

namespace cudf_double {

// The thread's, by its number, and whether it chose it.
inline thread_local int thread_device = 0;
// The device of RMM, once that is initialized: all threads that call get it.
inline std::atomic<int> rmm_device = -1;

// Retained once, and never released, as the runtime does it.
inline Context primary_context(int device) {
  static std::mutex guard;
  static std::map<int, Context> contexts;
  std::lock_guard<std::mutex> lock(guard);
  Context& context = contexts[device];
  if (context == nullptr) {
    DRIVER(cuInit, 0);
    DRIVER(cuDevicePrimaryCtxRetain, &context, device);
  }
  return context;
}

inline void set_device(int device) {
  DRIVER(cuCtxSetCurrent, primary_context(device));
  thread_device = device;
}

// Before each native method. A context that somebody else made current stays.
inline void enter() {
  if (rmm_device >= 0 && thread_device != rmm_device) set_device(rmm_device);
  DRIVER(cuInit, 0);
  Context context;
  DRIVER(cuCtxGetCurrent, &context);
  if (context == nullptr) set_device(thread_device);
}

// cuDF's natives are compiled for a default stream of each thread, so that 0 means that one.
inline Stream PER_THREAD = (Stream)2;
inline Stream stream_of(int64_t handle) { return handle == 0 ? PER_THREAD : (Stream)handle; }

}  // namespace cudf_double
