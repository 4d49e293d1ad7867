// Natives of ai.rapids.cudf.Rmm, and the memory beneath. See README.md.

#include "rmm.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "natives.h"

namespace cudf_double {
namespace {

std::mutex guard;
std::unordered_map<Address, size_t>& sizes = *new std::unordered_map<Address, size_t>;
size_t total = 0;
size_t most = 0;
long since = 0;    // allocations
long failing = 0;  // the number of the one that fails
std::string& failure = *new std::string;

// Page-locked by nobody, of this device, shared with no other process: CUmemPoolProps.
Pool pool_of(int device) {
  static std::unordered_map<int, Pool>& pools = *new std::unordered_map<int, Pool>;
  Pool& pool = pools[device];
  if (pool == nullptr) {
    char properties[88] = {};
    int pinned = 1, on_device = 1;
    memcpy(properties, &pinned, 4);
    memcpy(properties + 8, &on_device, 4);
    memcpy(properties + 12, &device, 4);
    DRIVER(cuMemPoolCreate, &pool, properties);
  }
  return pool;
}

}  // namespace

Address allocate(size_t bytes, Stream stream) {
  std::lock_guard<std::mutex> lock(guard);
  if (++since == failing) {
    failing = 0;
    throw JavaError{failure, "the test wants that allocation " + std::to_string(since) + " fails, of " + std::to_string(bytes) + " bytes"};
  }
  if (bytes == 0) return 0;
  Address address;
  int result = driver().cuMemAllocFromPoolAsync(&address, bytes, pool_of(thread_device), stream);
  if (result == OUT_OF_MEMORY) {
    throw JavaError{"java/lang/OutOfMemoryError", "the double has no " + std::to_string(bytes) + " bytes"};
  }
  check(result, "cuMemAllocFromPoolAsync");
  sizes[address] = bytes;
  total += bytes;
  most = std::max(most, total);
  return address;
}

void release(Address address, size_t bytes, Stream stream) {
  if (address == 0) return;
  std::lock_guard<std::mutex> lock(guard);
  auto found = sizes.find(address);
  if (found == sizes.end()) throw JavaError{"ai/rapids/cudf/RmmException", "memory is freed that RMM did not give"};
  if (found->second != bytes) throw JavaError{"ai/rapids/cudf/RmmException", "other bytes are freed than were allocated"};
  // Not there any more, whatever the driver says: who frees cannot try again.
  sizes.erase(found);
  total -= bytes;
  DRIVER(cuMemFreeAsync, address, stream);
}

size_t bytes_allocated() {
  std::lock_guard<std::mutex> lock(guard);
  return total;
}

size_t most_bytes_allocated() {
  std::lock_guard<std::mutex> lock(guard);
  return most;
}

void fail_allocation(long n, const std::string& type) {
  std::lock_guard<std::mutex> lock(guard);
  since = 0;
  failing = n;
  failure = type;
}

long allocations() {
  std::lock_guard<std::mutex> lock(guard);
  return since;
}

Buffer::~Buffer() {
  try {
    release(address, bytes, PER_THREAD);
  } catch (const DriverError&) {
    // The context is of no use any more; the next call says so.
  }
}

void write_device(Address to, const void* from, size_t bytes) {
  if (bytes != 0) DRIVER(cuMemcpyAsync, to, (Address)from, bytes, PER_THREAD);
}

// The target is not page-locked, so that the driver waits.
void read_device(void* to, Address from, size_t bytes) {
  if (bytes != 0) DRIVER(cuMemcpyAsync, (Address)to, from, bytes, PER_THREAD);
}

}  // namespace cudf_double

using namespace cudf_double;

NATIVE(void, Rmm, initDefaultCudaDevice)(JNIEnv* env, jclass) {
  guarded(env, [] { rmm_device = thread_device; });
}

NATIVE(void, Rmm, cleanupDefaultCudaDevice)(JNIEnv*, jclass) { rmm_device = -1; }

NATIVE(jlong, Rmm, allocInternal)(JNIEnv* env, jclass, jlong bytes, jlong stream) {
  return guarded(env, [&] { return (jlong)allocate((size_t)bytes, stream_of(stream)); });
}

NATIVE(void, Rmm, free)(JNIEnv* env, jclass, jlong address, jlong bytes, jlong stream) {
  guarded(env, [&] { release((Address)address, (size_t)bytes, stream_of(stream)); });
}

// Resources are names alone: all of them give memory of the one pool.
NATIVE(jlong, Rmm, newCudaMemoryResource)(JNIEnv*, jclass) { return 1; }

NATIVE(void, Rmm, releaseCudaMemoryResource)(JNIEnv*, jclass, jlong) {}

NATIVE(jlong, Rmm, newTrackingResourceAdaptor)(JNIEnv*, jclass, jlong, jlong) { return 2; }

NATIVE(void, Rmm, releaseTrackingResourceAdaptor)(JNIEnv*, jclass, jlong) {}

NATIVE(void, Rmm, setCurrentDeviceResourceInternal)(JNIEnv*, jclass, jlong) {}

NATIVE(jlong, Rmm, nativeGetTotalBytesAllocated)(JNIEnv*, jclass, jlong) { return (jlong)bytes_allocated(); }

NATIVE(jlong, Rmm, nativeGetMaxTotalBytesAllocated)(JNIEnv*, jclass, jlong) { return (jlong)most_bytes_allocated(); }
