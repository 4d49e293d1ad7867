// Memory of the device, as RMM gives it: counted, and failing where a test asks for that. See README.md.

#pragma once

#include <string>
#include <vector>

#include "context.h"

namespace cudf_double {

// A null address for no bytes, as RMM. Throws JavaError if there is no memory, or a test wants that.
Address allocate(size_t bytes, Stream stream);
// In the stream's order. The bytes are those that were allocated.
void release(Address address, size_t bytes, Stream stream);

size_t bytes_allocated();
size_t most_bytes_allocated();

// The n-th allocation from now on throws an exception of this class (com/example/Name); 0: none does.
void fail_allocation(long n, const std::string& type);
// How many allocations there were since.
long allocations();

// Memory that a column of cuDF's own owns.
class Buffer {
 public:
  explicit Buffer(size_t bytes) : bytes(bytes), address(allocate(bytes, PER_THREAD)) {}
  Buffer(Buffer&& other) : bytes(other.bytes), address(other.address) { other.address = 0; }
  Buffer(const Buffer&) = delete;
  ~Buffer();

  const size_t bytes;
  Address address;
};

void write_device(Address to, const void* from, size_t bytes);
void read_device(void* to, Address from, size_t bytes);

// So many values that are there, after all that the thread's stream does.
template <class Value>
std::vector<Value> values_at(Address from, size_t count) {
  std::vector<Value> values(count);
  read_device(values.data(), from, count * sizeof(Value));
  return values;
}

}  // namespace cudf_double
