// The driver beneath: whatever libcuda.so.1 there is, which is to be the double of it. See README.md.

#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

namespace cudf_double {

using Context = void*;
using Stream = void*;
using Event = void*;
using Pool = void*;
using Address = uintptr_t;

// What a function of the driver gave instead of success.
struct DriverError {
  const char* function;
  int code;
};

// No driver: dlopen's words, which last as long as nothing else is loaded.
struct NoDriver {
  const char* why;
};

constexpr int OUT_OF_MEMORY = 2;

#define DRIVER_FUNCTIONS(FUNCTION)                             \
  FUNCTION(cuInit, unsigned)                                   \
  FUNCTION(cuDriverGetVersion, int*)                           \
  FUNCTION(cuDeviceGetCount, int*)                             \
  FUNCTION(cuDeviceGetAttribute, int*, int, int)               \
  FUNCTION(cuDevicePrimaryCtxRetain, Context*, int)            \
  FUNCTION(cuCtxGetCurrent, Context*)                          \
  FUNCTION(cuCtxSetCurrent, Context)                           \
  FUNCTION(cuCtxSynchronize)                                   \
  FUNCTION(cuMemPoolCreate, Pool*, const void*)                \
  FUNCTION(cuMemAllocFromPoolAsync, Address*, size_t, Pool, Stream) \
  FUNCTION(cuMemFreeAsync, Address, Stream)                    \
  FUNCTION(cuMemcpyAsync, Address, Address, size_t, Stream)    \
  FUNCTION(cuMemsetD8Async, Address, unsigned char, size_t, Stream) \
  FUNCTION(cuPointerGetAttribute, unsigned*, int, Address)     \
  FUNCTION(cuStreamCreate, Stream*, unsigned)                  \
  FUNCTION(cuStreamDestroy_v2, Stream)                         \
  FUNCTION(cuStreamSynchronize, Stream)                        \
  FUNCTION(cuStreamWaitEvent, Stream, Event, unsigned)         \
  FUNCTION(cuEventCreate, Event*, unsigned)                    \
  FUNCTION(cuEventDestroy_v2, Event)                           \
  FUNCTION(cuEventQuery, Event)                                \
  FUNCTION(cuEventRecord, Event, Stream)                       \
  FUNCTION(cuEventSynchronize, Event)

struct Driver {
#define FUNCTION(NAME, ...) int (*NAME)(__VA_ARGS__);
  DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION

  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) throw NoDriver{dlerror()};
#define FUNCTION(NAME, ...)                                  \
  NAME = (int (*)(__VA_ARGS__))dlsym(library, #NAME);        \
  if (NAME == nullptr) throw NoDriver{"the driver has no " #NAME};
    DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
  }
};

inline const Driver& driver() {
  static Driver driver;
  return driver;
}

inline void check(int result, const char* function) {
  if (result != 0) throw DriverError{function, result};
}

// Calls the driver, or throws.
#define DRIVER(FUNCTION, ...) check(driver().FUNCTION(__VA_ARGS__), #FUNCTION)

}  // namespace cudf_double
