// Memory of devices and page-locked memory of the host: what is there, and who may use it. See README.md.

#pragma once

#include "default_streams.h"

// CU_MEMHOSTALLOC_PORTABLE, DEVICEMAP and WRITECOMBINED.
enum : unsigned { PORTABLE = 1, DEVICE_MAP = 2, WRITE_COMBINED = 4 };

// The live allocation that so many bytes are in, or null.
inline const Allocation* find(const std::map<uintptr_t, Allocation>& memory, uintptr_t address, size_t bytes) {
  auto next = memory.upper_bound(address);
  if (next == memory.begin()) return nullptr;
  const auto& [start, allocation] = *std::prev(next);
  return allocation.live && address + bytes <= start + allocation.bytes ? &allocation : nullptr;
}

inline bool usable(const std::map<uintptr_t, Allocation>& memory, uintptr_t address, size_t bytes) {
  const Allocation* allocation = find(memory, address, bytes);
  return allocation != nullptr && (allocation->context == current || (allocation->flags & PORTABLE) != 0);
}

inline Result allocate(uintptr_t* result, size_t bytes, bool pooled) {
  if (bytes == 0) return refuse(INVALID_VALUE, "0 bytes are allocated");
  Device* device = current->device;
  size_t limit = (size_t)(of_device("CUDA_DOUBLE_MEMORY_MB", "1024", device->ordinal) * (1 << 20));
  if (faulty(device, "oom", ++device->allocations, OUT_OF_MEMORY) || current->held + bytes > limit) return OUT_OF_MEMORY;
  void* memory = malloc(bytes);
  if (memory == nullptr) return OUT_OF_MEMORY;
  memset(memory, 0, bytes);
  current->held += bytes;
  device_memory[(uintptr_t)memory] = Allocation{bytes, current, pooled, 0, true};
  *result = (uintptr_t)memory;
  return SUCCESS;
}

// The address is not used again: who still uses it reads the pattern, or is refused.
inline void release(uintptr_t address, Allocation& allocation) {
  allocation.live = false;
  allocation.context->held -= allocation.bytes;
  memset((void*)address, 0xDB, allocation.bytes);
}

// The allocation that begins here, or null.
inline Allocation* begins_at(std::map<uintptr_t, Allocation>& memory, uintptr_t address) {
  auto found = memory.find(address);
  return found == memory.end() || !found->second.live || found->second.context != current ? nullptr : &found->second;
}

// Page-locked memory is not to be freed, or unlocked, under a copy.
inline bool is_copied(const Allocation* allocation) { return allocation->copies.use_count() > 1; }

// What a kernel may touch: all that is allocated as it is launched.
inline std::shared_ptr<ptx::DeviceMemory> memory_of_kernels() {
  auto memory = std::make_shared<ptx::DeviceMemory>();
  for (auto* some : {&device_memory, &host_memory}) {
    for (const auto& [start, allocation] : *some) {
      if (allocation.live) memory->add("an allocation", (const void*)start, allocation.bytes);
    }
  }
  return memory;
}

inline Result copy(Stream* stream, uintptr_t to, uintptr_t from, size_t bytes, bool to_device) {
  Context* context = stream->context;
  double micros = atof(setting("CUDA_DOUBLE_COPY_MICROS", "0").c_str());
  if (!usable(device_memory, to_device ? to : from, bytes) || !usable(host_memory, to_device ? from : to, bytes)) {
    return refuse(INVALID_VALUE, "a copy is out of bounds, or of memory that was freed");
  }
  // What is copied must not be unlocked before that: until then the operation has a share in this.
  std::shared_ptr<int> copies = find(host_memory, to_device ? from : to, bytes)->copies;
  Op op;
  if (null_mode::on()) {
    op.engine = to_device ? 0 : 1;
    op.nanos = null_mode::copy_nanos(bytes);
    op.work = [=] { to_device ? null_mode::copied_in(to, from, bytes) : null_mode::copied_out(to, from, bytes); };
    queue(stream, std::move(op));
    return SUCCESS;
  }
  op.work = [=] {
    (void)copies;
    if (context->sticky != SUCCESS || !context->live) return;
    pause_micros(micros);
    memcpy((void*)to, (void*)from, bytes);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}

// The memory that has an address, freed or not, or null: that of the host that is not page-locked.
inline const std::map<uintptr_t, Allocation>* memory_with(uintptr_t address) {
  for (auto* memory : {&device_memory, &host_memory}) {
    auto next = memory->upper_bound(address);
    if (next != memory->begin() && address < std::prev(next)->first + std::prev(next)->second.bytes) return memory;
  }
  return nullptr;
}

// A copy that finds by the addresses where they are. Memory of the host that is not page-locked is read, or was written,
// when this returns.
inline Result copy_anywhere(Stream* stream, uintptr_t to, uintptr_t from, size_t bytes, std::unique_lock<std::mutex>& lock) {
  if (bytes == 0) return SUCCESS;
  auto *target = memory_with(to), *source = memory_with(from);
  if (target != &device_memory && source != &device_memory) return refuse(INVALID_VALUE, "a copy from host to host");
  auto allowed = [=] {
    return (target == nullptr || usable(*target, to, bytes)) && (source == nullptr || usable(*source, from, bytes));
  };
  if (!allowed()) return refuse(INVALID_VALUE, "a copy is out of bounds, or of memory that was freed");
  if (target == nullptr) {
    if (Result error = finish(stream, lock)) return error;
    // Others had the lock.
    if (!allowed()) return refuse(INVALID_VALUE, "a copy is of memory that was freed meanwhile");
    memcpy((void*)to, (void*)from, bytes);
    return SUCCESS;
  }
  auto staged = std::make_shared<std::vector<char>>();
  if (source == nullptr) staged->assign((char*)from, (char*)from + bytes);
  Context* context = stream->context;
  double micros = atof(setting("CUDA_DOUBLE_COPY_MICROS", "0").c_str());
  Op op;
  op.work = [=] {
    if (context->sticky != SUCCESS || !context->live) return;
    pause_micros(micros);
    memmove((void*)to, staged->empty() ? (void*)from : staged->data(), bytes);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}

// A copy from the kind of memory to the kind that the function's name has, in the default stream, done when this returns.
inline Result copy_now(uintptr_t to, bool to_device, uintptr_t from, bool from_device, size_t bytes,
                       std::unique_lock<std::mutex>& lock) {
  if (bytes != 0 && ((memory_with(to) == &device_memory) != to_device || (memory_with(from) == &device_memory) != from_device)) {
    return refuse(INVALID_VALUE, "a copy of another kind than its name says");
  }
  Stream* stream = stream_of(nullptr);
  if (Result error = copy_anywhere(stream, to, from, bytes, lock)) return error;
  return finish(stream, lock);
}

// CUmemPoolProps: memory of this device, that is shared with nobody.
inline Result check_pool(const void* properties) {
  int type, handles, location, device;
  memcpy(&type, properties, 4);
  memcpy(&handles, (const char*)properties + 4, 4);
  memcpy(&location, (const char*)properties + 8, 4);
  memcpy(&device, (const char*)properties + 12, 4);
  if (type != 1) return refuse(INVALID_VALUE, "a pool is not of CU_MEM_ALLOCATION_TYPE_PINNED");
  if (handles != 0) return refuse(INVALID_VALUE, "a pool is to be shared with other processes");
  if (location != 1 || device != current->device->ordinal) return refuse(INVALID_VALUE, "a pool is not of this device");
  // Security attributes, the greatest size, and what is reserved.
  for (size_t at = 16; at < 88; at++) {
    if (((const char*)properties)[at] != 0) return refuse(INVALID_VALUE, "bytes of a pool's properties are not 0");
  }
  return SUCCESS;
}

// A context ends with all that it holds. Says what nobody has given back.
inline void end_context(Context* context) {
  Device* device = context->device;
  size_t host_bytes = 0, own_streams = 0, own_events = 0, own_modules = 0, own_pools = 0;
  for (auto& [address, allocation] : device_memory) {
    if (allocation.live && allocation.context == context) allocation.live = false;
  }
  for (auto& [address, allocation] : host_memory) {
    if (!allocation.live || allocation.context != context) continue;
    host_bytes += allocation.bytes;
    allocation.live = false;
  }
  // Nobody's memory but the process's from now on.
  std::erase_if(host_memory, [&](auto& entry) { return entry.second.registered && entry.second.context == context; });
  for (Stream* stream : std::set<Stream*>(streams)) {
    if (stream->context != context) continue;
    own_streams += stream->own;
    stream->queue.clear();
    end_stream(stream);
  }
  std::erase_if(eager_streams, [&](Stream* stream) { return stream->context == context; });
  own_events = std::erase_if(events, [&](Event* event) { return event->context == context; });
  std::erase_if(functions, [&](Function* function) { return function->module->context == context; });
  own_modules = std::erase_if(modules, [&](Module* module) { return module->context == context; });
  own_pools = std::erase_if(pools, [&](Pool* pool) { return pool->device == device->ordinal; });
  if (reports()) {
    Result error = device->lost != SUCCESS ? device->lost.load() : context->sticky.load();
    fprintf(stderr, "cuda double: device %d ends with %zu bytes held, at most %d streams were at work at once\n",
            device->ordinal, context->held, most_at_work);
    fprintf(stderr, "cuda double: device %d leaves %zu bytes of the host, %zu streams, %zu events, %zu modules, %zu pools, error %d\n",
            device->ordinal, host_bytes, own_streams, own_events, own_modules, own_pools, error);
    fprintf(stderr, "cuda double: device %d: kernels counted %lu rows, %lu steals, %lu won, %lu in vain, %lu offers\n",
            device->ordinal, device->rows, device->tried, device->won, device->empty, device->offers);
  }
  context->live = false;
  device->context = nullptr;
}
