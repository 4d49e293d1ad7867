// A test double of libcuda.so.1: see README.md. Not a result about GPUs. Here are the driver's functions.

#include <dlfcn.h>

#include "launch.h"
#include "memory.h"
#include "twin.h"

extern "C" {

Result cuInit(unsigned flags) {
  std::lock_guard<std::mutex> lock(mutex);
  if (flags != 0) return refuse(INVALID_VALUE, "cuInit with flags");
  if (!initialised) {
    int count = atoi(setting("CUDA_DOUBLE_DEVICES", "1").c_str());
    for (int i = 0; i < count; i++) devices.emplace_back(i);
    demand = setting("CUDA_DOUBLE_ORDER", "threads") == "demand";
    set_faults(setting("CUDA_DOUBLE_FAULT", ""));
    initialised = count > 0;
  }
  return devices.empty() ? NO_DEVICE : SUCCESS;
}

Result cuDriverGetVersion(int* version) {
  *version = atoi(setting("CUDA_DOUBLE_VERSION", "12040").c_str());
  return SUCCESS;
}

Result cuDeviceGetCount(int* count) {
  *count = (int)devices.size();
  return initialised ? SUCCESS : NOT_INITIALIZED;
}

Result cuDeviceGet(int* device, int ordinal) {
  if (!initialised) return NOT_INITIALIZED;
  if (ordinal < 0 || ordinal >= (int)devices.size()) return INVALID_DEVICE;
  *device = ordinal;
  return SUCCESS;
}

Result cuDeviceGetName(char* name, int length, int device) {
  snprintf(name, length, "Test double %d", device);
  return SUCCESS;
}

Result cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  for (int i = 0; i < 16; i++) uuid[i] = (unsigned char)(i * 16 + device);
  return SUCCESS;
}

Result cuDeviceTotalMem_v2(size_t* bytes, int device) {
  *bytes = (size_t)(of_device("CUDA_DOUBLE_MEMORY_MB", "1024", device) * (1 << 20));
  return SUCCESS;
}

Result cuDeviceGetPCIBusId(char* id, int length, int device) {
  int bus = (int)of_device("CUDA_DOUBLE_BUS", "-1", device);
  snprintf(id, length, "0000:%02X:00.0", bus < 0 ? device : bus);
  return SUCCESS;
}

Result cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    // Multiprocessors.
    case 16: *value = null_mode::on() ? null_mode::settings().multiprocessors : MULTIPROCESSORS; break;
    case 40: *value = atoi(setting("CUDA_DOUBLE_COPY_ENGINES", "2").c_str()); break;
    // Compute capability 9.0, which the jar has SASS for; or, where it is to be PTX, 10.0, which it has none for.
    case 75: *value = setting("CUDA_DOUBLE_PTX", "0") == "0" ? 9 : 10; break;
    case 76: *value = 0; break;
    case 115: *value = atoi(setting("CUDA_DOUBLE_POOLS", "1").c_str()); break;
    default: return INVALID_VALUE;
  }
  return SUCCESS;
}

// The context is there from its first user to its last.
Result cuDevicePrimaryCtxRetain(Context** context, int ordinal) {
  std::lock_guard<std::mutex> lock(mutex);
  if (ordinal < 0 || ordinal >= (int)devices.size()) return INVALID_DEVICE;
  Device& device = devices[ordinal];
  if (device.lost != SUCCESS) return device.lost;
  if (device.context == nullptr) device.context = new Context{&device};
  device.users++;
  *context = device.context;
  return SUCCESS;
}

Result cuDevicePrimaryCtxRelease_v2(int ordinal) {
  std::lock_guard<std::mutex> lock(mutex);
  if (ordinal < 0 || ordinal >= (int)devices.size()) return INVALID_DEVICE;
  Device& device = devices[ordinal];
  if (device.users == 0) return refuse(INVALID_CONTEXT, "a context is released that nobody has retained");
  if (--device.users == 0) end_context(device.context);
  return SUCCESS;
}

Result cuCtxSetCurrent(Context* context) {
  std::lock_guard<std::mutex> lock(mutex);
  if (context != nullptr && !context->live) return refuse(INVALID_CONTEXT, "a context that was released is made current");
  current = context;
  return SUCCESS;
}

Result cuCtxGetCurrent(Context** context) {
  if (!initialised) return NOT_INITIALIZED;
  *context = current;
  return SUCCESS;
}

Result cuCtxSynchronize() {
  ENTER();
  MAY_SYNCHRONIZE("cuCtxSynchronize");
  Context* context = current;
  for (Stream* stream : std::set<Stream*>(streams)) {
    if (!streams.count(stream) || stream->context != context) continue;
    if (Result error = finish(stream, lock)) return error;
  }
  return SUCCESS;
}

Result cuMemGetInfo_v2(size_t* free, size_t* total) {
  ENTER();
  cuDeviceTotalMem_v2(total, current->device->ordinal);
  *free = *total - current->held;
  return SUCCESS;
}

Result cuMemAlloc_v2(uintptr_t* address, size_t bytes) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemAlloc");
  return allocate(address, bytes, false);
}

Result cuMemFree_v2(uintptr_t address) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemFree");
  Allocation* allocation = begins_at(device_memory, address);
  if (allocation == nullptr) return refuse(INVALID_VALUE, "cuMemFree of what is not allocated");
  release(address, *allocation);
  return SUCCESS;
}

#ifndef CUDA_DOUBLE_LACKS_POOLS
Result cuMemPoolCreate(Pool** pool, const void* properties) {
  ENTER();
  if (Result error = check_pool(properties)) return error;
  pools.insert(*pool = new Pool{current->device->ordinal});
  return SUCCESS;
}

#endif

Result cuMemPoolDestroy(Pool* pool) {
  ENTER();
  return pools.erase(pool) == 1 ? SUCCESS : refuse(INVALID_VALUE, "a pool is destroyed that is not there");
}

Result cuMemAllocFromPoolAsync(uintptr_t* address, size_t bytes, Pool* pool, Stream* stream) {
  ENTER();
  STREAM(stream);
  if (!pools.count(pool) || pool->device != current->device->ordinal) return refuse(INVALID_VALUE, "no pool of this device");
  MAY_SYNCHRONIZE("cuMemAllocFromPoolAsync");
  return allocate(address, bytes, true);
}

Result cuMemFreeAsync(uintptr_t address, Stream* stream) {
  ENTER();
  STREAM(stream);
  Allocation* allocation = begins_at(device_memory, address);
  if (allocation == nullptr || !allocation->pooled) return refuse(INVALID_VALUE, "cuMemFreeAsync of what no pool gave");
  // Counted as free at once, or the demand order would never free; poisoned in the stream's order.
  Context* context = current;
  Op op;
  context->held -= allocation->bytes;
  op.locked = [=] {
    if (!allocation->live) return;
    context->held += allocation->bytes;
    release(address, *allocation);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuMemHostAlloc(void** address, size_t bytes, unsigned flags) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemHostAlloc");
  if ((flags & ~(PORTABLE | DEVICE_MAP | WRITE_COMBINED)) != 0) return refuse(INVALID_VALUE, "cuMemHostAlloc with other flags");
  if (bytes == 0) return refuse(INVALID_VALUE, "0 bytes are allocated");
  *address = malloc(bytes);
  // In the null mode nobody writes results there: each row has a state that kernels give.
  memset(*address, null_mode::on() ? 1 : 0xA5, bytes);
  host_memory[(uintptr_t)*address] = Allocation{bytes, current, false, flags, true};
  return SUCCESS;
}

Result cuMemHostGetDevicePointer_v2(uintptr_t* result, void* address, unsigned flags) {
  ENTER();
  const Allocation* allocation = find(host_memory, (uintptr_t)address, 1);
  if (flags != 0 || allocation == nullptr || !usable(host_memory, (uintptr_t)address, 1) || !(allocation->flags & DEVICE_MAP)) {
    return refuse(INVALID_VALUE, "memory is not mapped");
  }
  *result = (uintptr_t)address;
  return SUCCESS;
}

Result cuMemFreeHost(void* address) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemFreeHost");
  Allocation* allocation = begins_at(host_memory, (uintptr_t)address);
  if (allocation == nullptr || allocation->registered) return refuse(INVALID_VALUE, "cuMemFreeHost of what is not allocated");
  if (is_copied(allocation)) return refuse(INVALID_VALUE, "cuMemFreeHost under a copy");
  allocation->live = false;
  memset(address, 0xDB, allocation->bytes);
  return SUCCESS;
}

// Page-locks memory of the process.
Result cuMemHostRegister_v2(void* address, size_t bytes, unsigned flags) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemHostRegister");
  if ((flags & ~(PORTABLE | DEVICE_MAP)) != 0) return refuse(INVALID_VALUE, "cuMemHostRegister with other flags");
  if (bytes == 0 || address == nullptr) return refuse(INVALID_VALUE, "0 bytes are registered");
  uintptr_t start = (uintptr_t)address;
  for (auto& [begin, allocation] : host_memory) {
    if (allocation.live && start < begin + allocation.bytes && begin < start + bytes) {
      return refuse(ALREADY_REGISTERED, "memory is registered that is page-locked");
    }
  }
  // What was freed there and is the process's again.
  std::erase_if(host_memory, [&](auto& entry) { return entry.first >= start && entry.first < start + bytes; });
  host_memory[start] = Allocation{bytes, current, false, flags, true, true};
  return SUCCESS;
}

Result cuMemHostUnregister(void* address) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemHostUnregister");
  Allocation* allocation = begins_at(host_memory, (uintptr_t)address);
  if (allocation == nullptr || !allocation->registered) return refuse(NOT_REGISTERED, "cuMemHostUnregister of what is not registered");
  if (is_copied(allocation)) return refuse(INVALID_VALUE, "cuMemHostUnregister under a copy");
  host_memory.erase((uintptr_t)address);
  return SUCCESS;
}

Result cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, Stream* stream) {
  ENTER();
  STREAM(stream);
  return copy(stream, to, (uintptr_t)from, bytes, true);
}

Result cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, Stream* stream) {
  ENTER();
  STREAM(stream);
  return copy(stream, (uintptr_t)to, from, bytes, false);
}

// The functions that follow are for what comes beside the plugin: it copies from and to page-locked memory alone.
Result cuMemcpyAsync(uintptr_t to, uintptr_t from, size_t bytes, Stream* stream) {
  ENTER();
  STREAM(stream);
  return copy_anywhere(stream, to, from, bytes, lock);
}

Result cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, Stream* stream) {
  ENTER();
  STREAM(stream);
  if (bytes != 0 && (memory_with(to) != &device_memory || memory_with(from) != &device_memory)) {
    return refuse(INVALID_VALUE, "a copy in the device of what is not there");
  }
  return copy_anywhere(stream, to, from, bytes, lock);
}

Result cuMemcpyHtoD_v2(uintptr_t to, const void* from, size_t bytes) {
  ENTER();
  return copy_now(to, true, (uintptr_t)from, false, bytes, lock);
}

Result cuMemcpyDtoH_v2(void* to, uintptr_t from, size_t bytes) {
  ENTER();
  return copy_now((uintptr_t)to, false, from, true, bytes, lock);
}

Result cuMemcpyDtoD_v2(uintptr_t to, uintptr_t from, size_t bytes) {
  ENTER();
  return copy_now(to, true, from, true, bytes, lock);
}

// CU_POINTER_ATTRIBUTE_MEMORY_TYPE: of the host (1), or of a device.
Result cuPointerGetAttribute(unsigned* value, int attribute, uintptr_t address) {
  ENTER();
  if (attribute != 2) return refuse(INVALID_VALUE, "another attribute of a pointer than the type of its memory");
  auto* memory = memory_with(address);
  if (memory == nullptr || find(*memory, address, 1) == nullptr) return INVALID_VALUE;
  *value = memory == &device_memory ? 2 : 1;
  return SUCCESS;
}

Result cuMemsetD8Async(uintptr_t address, unsigned char value, size_t bytes, Stream* stream) {
  ENTER();
  STREAM(stream);
  if (!usable(device_memory, address, bytes)) return refuse(INVALID_VALUE, "a memset is out of bounds");
  Context* context = current;
  Op op;
  if (!null_mode::on()) {
    op.work = [=] {
      if (context->live) memset((void*)address, value, bytes);
    };
  }
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuStreamCreate(Stream** result, unsigned flags) {
  ENTER();
  if (flags > 1) return refuse(INVALID_VALUE, "cuStreamCreate with other flags");
  Device* device = current->device;
  if (Result error = faulty(device, "handle", ++device->handles, OUT_OF_MEMORY)) return error;
  *result = make_stream(current);
  return SUCCESS;
}

Result cuStreamDestroy_v2(Stream* stream) {
  ENTER_TO_DESTROY(stream);
  KNOWN(streams, stream);
  end_stream(stream);
  return SUCCESS;
}

Result cuStreamSynchronize(Stream* stream) {
  ENTER_WITH(stream);
  STREAM(stream);
  return finish(stream, lock);
}

Result cuStreamQuery(Stream* stream) {
  ENTER_WITH(stream);
  STREAM(stream);
  if (null_mode::on()) return null_mode::is_past(stream->until) ? SUCCESS : NOT_READY;
  if (stream->completed == stream->queued) return SUCCESS;
  if (demand) {
    if (stream->asked == stream->queued) return finish(stream, lock);
    stream->asked = stream->queued;
  }
  return NOT_READY;
}

Result cuStreamWaitEvent(Stream* stream, Event* event, unsigned flags) {
  ENTER();
  STREAM(stream);
  KNOWN(events, event);
  if (flags > 1) return refuse(INVALID_VALUE, "cuStreamWaitEvent with other flags");
  Op op;
  op.waits = event;
  op.number = event->recorded;
  queue(stream, std::move(op));
  return SUCCESS;
}

// Of CU_EVENT_BLOCKING_SYNC, DISABLE_TIMING and INTERPROCESS, which goes with DISABLE_TIMING only.
Result cuEventCreate(Event** event, unsigned flags) {
  ENTER();
  if (flags > 7 || (flags & 6) == 4) return refuse(INVALID_VALUE, "cuEventCreate with other flags");
  Device* device = current->device;
  if (Result error = faulty(device, "handle", ++device->handles, OUT_OF_MEMORY)) return error;
  events.insert(*event = new Event{current, (flags & 2) == 0});
  return SUCCESS;
}

Result cuEventRecord(Event* event, Stream* stream) {
  ENTER_WITH(event);
  STREAM(stream);
  KNOWN(events, event);
  Op op;
  op.records = event;
  op.number = ++event->recorded;
  event->stream = stream;
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuEventQuery(Event* event) {
  ENTER_WITH(event);
  KNOWN(events, event);
  if (null_mode::on()) return null_mode::is_past(event->at) ? SUCCESS : NOT_READY;
  if (event->completed >= event->recorded) return SUCCESS;
  if (demand) {
    if (event->asked < event->recorded) {
      event->asked = event->recorded;
    } else {
      force(event, event->recorded);
      if (Result state = state_of(current)) return state;
      if (event->completed >= event->recorded) return SUCCESS;
    }
  }
  return NOT_READY;
}

Result cuEventSynchronize(Event* event) {
  ENTER_WITH(event);
  KNOWN(events, event);
  if (null_mode::on()) {
    null_mode::await(event->at);
  } else if (demand) {
    force(event, event->recorded);
  } else {
    uint64_t number = event->recorded;
    changed.wait(lock, [&] { return event->completed >= number || state_of(current) != SUCCESS; });
  }
  return state_of(current);
}

Result cuEventElapsedTime(float* millis, Event* from, Event* until) {
  ENTER();
  KNOWN(events, from);
  KNOWN(events, until);
  if (!from->timed || !until->timed || from->recorded == 0 || until->recorded == 0) {
    return refuse(INVALID_HANDLE, "the time of an event that takes none, or was never recorded");
  }
  if (from->completed < from->recorded || until->completed < until->recorded) return NOT_READY;
  *millis = std::chrono::duration<float, std::milli>(until->time - from->time).count();
  return SUCCESS;
}

// The structure stays, as streams may refer to it.
Result cuEventDestroy_v2(Event* event) {
  ENTER_TO_DESTROY(event);
  KNOWN(events, event);
  events.erase(event);
  return SUCCESS;
}

Result cuModuleLoadDataEx(Module** result, const char* image, unsigned, int*, void**) {
  ENTER();
  MAY_SYNCHRONIZE("cuModuleLoadDataEx");
  if (Result error = faulty(current->device, "load", ++current->device->loads, INVALID_PTX)) return error;
  if (null_mode::on()) {
    modules.insert(*result = new Module{current, nullptr, nullptr});
    return SUCCESS;
  }
  const char* mark = "// cuda-double-twin: ";
  std::string path;
  bool emulates = setting("CUDA_DOUBLE_PTX", "0") != "0" && strstr(image, ".entry ") != nullptr;
  if (emulates || has_no_twin(image)) {
    auto kernels = emulated::parse(image);
    if (kernels == nullptr) return INVALID_PTX;
    if (reports()) {
      fprintf(stderr, "cuda double: emulates %s\n", kernels->begin()->first.c_str());
    }
    modules.insert(*result = new Module{current, nullptr, kernels});
    return SUCCESS;
  }
  if (strncmp(image, mark, strlen(mark)) == 0) {
    image += strlen(mark);
    path.assign(image, strchr(image, '\n'));
  } else {
    std::string function = function_of(image);
    if (reports()) {
      fprintf(stderr, "cuda double: loaded %s of %s\n", image[0] == '\x7f' ? "SASS" : "PTX", function.c_str());
    }
    path = twin::of_built_in(function);
  }
  if (path.empty()) return INVALID_PTX;
  void* twin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (twin == nullptr) {
    fprintf(stderr, "cuda double: %s\n", dlerror());
    return INVALID_PTX;
  }
  modules.insert(*result = new Module{current, twin, nullptr});
  return SUCCESS;
}

Result cuModuleUnload(Module* module) {
  ENTER();
  KNOWN(modules, module);
  std::erase_if(functions, [&](Function* function) { return function->module == module; });
  modules.erase(module);
  return SUCCESS;
}

Result cuModuleGetFunction(Function** result, Module* module, const char* name) {
  ENTER();
  KNOWN(modules, module);
  if (null_mode::on()) {
    functions.insert(*result = new Function{module, name, nullptr, null_mode::parameter_bytes(name), nullptr});
    return SUCCESS;
  }
  if (module->ptx != nullptr) {
    auto kernel = module->ptx->find(name);
    if (kernel == module->ptx->end()) return NOT_FOUND;
    functions.insert(*result = new Function{module, name, nullptr, kernel->second.parameter_bytes, &kernel->second});
    return SUCCESS;
  }
  std::string twin = std::string(name) + "_twin";
  void* function = dlsym(module->twin, twin.c_str());
  void* bytes = dlsym(module->twin, (twin + "_parameter_bytes").c_str());
  if (function == nullptr || bytes == nullptr) return NOT_FOUND;
  functions.insert(
      *result = new Function{module, name, (void (*)(void**, unsigned, twin::Room*))function, *(unsigned*)bytes, nullptr});
  return SUCCESS;
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads, size_t) {
  ENTER();
  if (Result error = check_function(function)) return error;
  if (threads < 1 || threads > MOST_THREADS) return refuse(INVALID_VALUE, "blocks of too many threads");
  *blocks = null_mode::on() ? null_mode::settings().blocks_of_each : BLOCKS_OF_EACH;
  return SUCCESS;
}

// CUlaunchConfig with one attribute, the size of a cluster.
Result cuOccupancyMaxActiveClusters(int* clusters, Function* function, const void* config) {
  ENTER();
  if (Result error = check_function(function)) return error;
  const char* attributes;
  unsigned count, what, cluster;
  memcpy(&attributes, (const char*)config + 40, sizeof attributes);
  memcpy(&count, (const char*)config + 48, sizeof count);
  if (count != 1) return INVALID_VALUE;
  memcpy(&what, attributes, sizeof what);
  memcpy(&cluster, attributes + 8, sizeof cluster);
  if (what != 4 || cluster == 0) return INVALID_VALUE;
  *clusters = MULTIPROCESSORS * BLOCKS_OF_EACH / cluster;
  return SUCCESS;
}

Result cuLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream* stream, void** parameters,
                      void** extra) {
  ENTER();
  STREAM(stream);
  if (Result error = check_function(function)) return error;
  if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || shared_bytes != 0 || extra != nullptr) {
    return refuse(INVALID_VALUE, "the double launches rows of blocks of rows of threads alone");
  }
  return launch(function, grid_x, block_x, stream, parameters);
}

// Of the double alone: five numbers, what was called and copied so far.
void cudaDoubleFigures(uint64_t* into) {
  std::lock_guard<std::mutex> lock(mutex);
  memcpy(into, &null_mode::figures, sizeof null_mode::figures);
}

// Not called by the plugin: NVIDIA's own NVRTC looks for it in a driver that is there.
Result cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return NOT_FOUND;
}

Result cuGetErrorString(Result code, const char** text) {
  switch (code) {
    case UNAVAILABLE: *text = "CUDA-capable device(s) is/are busy or unavailable"; break;
    case ILLEGAL_ADDRESS: *text = "an illegal memory access was encountered"; break;
    case OUT_OF_RESOURCES: *text = "too many resources requested for launch"; break;
    default: *text = "see the test double";
  }
  return SUCCESS;
}

// For tests: the most streams that were at work at once, so far.
int cudaDoubleMostAtWork() {
  std::lock_guard<std::mutex> lock(mutex);
  return most_at_work;
}

// For tests: how many kernels a device was given since faults were set.
long cudaDoubleKernels(int device) {
  std::lock_guard<std::mutex> lock(mutex);
  return devices[device].kernels;
}

// For tests: these faults in place of those before, in a GPU that is not lost, and by numbers that are counted from now on. Says what
// was counted until now: allocations of device memory, modules, launches; how many bytes of device and page-locked memory are
// held; and when the last of these kernels began that hangs.
void cudaDoubleFaults(const char* texts, long* counted) {
  std::lock_guard<std::mutex> lock(mutex);
  long held = 0;
  for (auto* some : {&device_memory, &host_memory}) {
    for (const auto& [start, allocation] : *some) held += allocation.live ? (long)allocation.bytes : 0;
  }
  long values[5] = {0, 0, 0, held, hangs_since.exchange(0)};
  for (Device& device : devices) {
    values[0] += device.allocations;
    values[1] += device.loads;
    values[2] += device.kernels;
    device.allocations = device.loads = device.kernels = device.handles = 0;
    device.lost = SUCCESS;
  }
  std::copy(values, values + 5, counted);
  set_faults(texts);
}

}  // extern "C"
