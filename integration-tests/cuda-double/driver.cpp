// A test double of libcuda.so.1: see README.md. Not a result about GPUs.

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emulated.h"
#include "twin.h"

using Result = int;
enum : Result {
  SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, UNAVAILABLE = 46, NO_DEVICE = 100, INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201, INVALID_PTX = 218, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700,
  OUT_OF_RESOURCES = 701, UNKNOWN = 999
};

namespace {

std::string setting(const char* name, const char* otherwise) {
  const char* value = getenv(name);
  return value == nullptr ? otherwise : value;
}

double of_device(const char* name, const char* otherwise, int device) {
  std::string list = setting(name, otherwise);
  size_t at = 0;
  for (int i = 0; i < device && list.find(',', at) != std::string::npos; i++) at = list.find(',', at) + 1;
  return atof(list.c_str() + at);
}

void pause_micros(double micros) {
  if (micros > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(micros));
}

struct Context;
struct Stream;

struct Event {
  Context* context;
  uint64_t recorded = 0;   // how often it was queued
  uint64_t completed = 0;  // the number of the last that ran
  uint64_t asked = 0;      // the number that was last asked for in vain
  Stream* stream = nullptr;
  std::chrono::steady_clock::time_point time = {};
};

struct Op {
  std::function<void()> work;
  Event* waits = nullptr;
  Event* records = nullptr;
  uint64_t number = 0;
};

struct Stream {
  Context* context;
  bool eager = false;
  bool stopped = false;
  std::deque<Op> queue = {};
};

struct Allocation {
  size_t bytes;
  bool live;
};

struct Context {
  int device;
  int users = 0;
  int streams = 0;
  size_t held = 0;
  long allocations = 0;
  long kernels = 0;
  long loads = 0;
  int residents = 0;  // kernels that stay, queued or running
  Result sticky = SUCCESS;
  // What the blocks of its kernels have counted.
  unsigned long rows = 0, tried = 0, won = 0, empty = 0, offers = 0;
};

// The host's copy of a block's load (grid.cuh).
struct BlockMirror {
  unsigned depth, capacity;
  unsigned long rows;
  unsigned tried, offers, won, empty;
};
// Where its address is in a kernel's parameter.
constexpr size_t MIRROR_AT = 48;
// And where that of its ring: 0 if the kernel does not stay.
constexpr size_t RING_AT = 72;

struct Fault {
  int device = -1;  // -1: each
  std::string kind;
  int code = 0;  // of the error, if the setting names one
  long at = 0;
  bool always = false;  // from then on
};

// Guards everything below and all structures; work runs without it when streams have threads.
// Never destroyed: streams' threads use them while the process ends.
std::mutex& mutex = *new std::mutex;
std::condition_variable& changed = *new std::condition_variable;
std::vector<Context>& contexts = *new std::vector<Context>;
std::map<uintptr_t, Allocation>& device_memory = *new std::map<uintptr_t, Allocation>;
std::map<uintptr_t, Allocation>& host_memory = *new std::map<uintptr_t, Allocation>;
std::vector<Fault>& faults = *new std::vector<Fault>;
bool demand;
int at_work = 0;  // streams that run something that takes time
int most_at_work = 0;
thread_local Context* current;

// device:kind[-code]@number[+]
Fault fault_of(const std::string& text) {
  Fault fault;
  size_t colon = text.find(':'), at = text.find('@');
  if (colon == std::string::npos || at == std::string::npos) {
    fprintf(stderr, "cuda double: '%s' is no fault: device:kind@n\n", text.c_str());
    abort();
  }
  fault.device = text[0] == '*' ? -1 : atoi(text.c_str());
  fault.kind = text.substr(colon + 1, at - colon - 1);
  size_t code = fault.kind.find('-');
  if (code != std::string::npos) {
    fault.code = atoi(fault.kind.c_str() + code + 1);
    fault.kind.resize(code);
  }
  fault.at = atol(text.c_str() + at + 1);
  fault.always = text.back() == '+';
  return fault;
}

Result initialise() {
  static Result result = [] {
    int devices = atoi(setting("CUDA_DOUBLE_DEVICES", "1").c_str());
    for (int i = 0; i < devices; i++) contexts.push_back(Context{i});
    demand = setting("CUDA_DOUBLE_ORDER", "threads") == "demand";
    std::istringstream list(setting("CUDA_DOUBLE_FAULT", ""));
    for (std::string text; std::getline(list, text, ',');) faults.push_back(fault_of(text));
    return devices == 0 ? NO_DEVICE : SUCCESS;
  }();
  return result;
}

// The error that a setting asks for here, or 0.
Result faulty(const Context* context, const char* kind, long number, Result otherwise) {
  for (const Fault& fault : faults) {
    if ((fault.device == -1 || fault.device == context->device) && fault.kind == kind &&
        (fault.at == number || (fault.always && number > fault.at))) {
      return fault.code != 0 ? fault.code : otherwise;
    }
  }
  return SUCCESS;
}

// ---- order

void complete(Op& op) {
  if (op.records != nullptr) {
    op.records->completed = std::max(op.records->completed, op.number);
    op.records->time = std::chrono::steady_clock::now();
  }
}

bool blocked(const Op& op) { return op.waits != nullptr && op.waits->completed < op.number; }

void run_eager();

// demand: runs a stream up to where an event is recorded, and what that waits for before.
void force(Event* event, uint64_t number) {
  while (event->completed < number) {
    Stream* stream = event->stream;
    if (stream->queue.empty()) return;
    if (blocked(stream->queue.front())) {
      Op& op = stream->queue.front();
      force(op.waits, op.number);
      continue;
    }
    Op op = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (op.work) op.work();
    complete(op);
    run_eager();
  }
}

std::vector<Stream*> eager_streams;

void run_eager() {
  for (bool progress = true; progress;) {
    progress = false;
    for (Stream* stream : eager_streams) {
      while (!stream->queue.empty() && !blocked(stream->queue.front())) {
        Op op = std::move(stream->queue.front());
        stream->queue.pop_front();
        if (op.work) op.work();
        complete(op);
        progress = true;
      }
    }
  }
}

void run_stream(Stream* stream) {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] {
      return (stream->stopped && stream->queue.empty()) || (!stream->queue.empty() && !blocked(stream->queue.front()));
    });
    if (stream->queue.empty()) return;
    Op op = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (op.work) {
      most_at_work = std::max(most_at_work, ++at_work);
      lock.unlock();
      op.work();
      lock.lock();
      at_work--;
    }
    complete(op);
    changed.notify_all();
  }
}

void queue(Stream* stream, Op op) {
  stream->queue.push_back(std::move(op));
  if (demand) {
    run_eager();
  } else {
    changed.notify_all();
  }
}

// ---- memory

bool within(const std::map<uintptr_t, Allocation>& memory, uintptr_t address, size_t bytes) {
  auto next = memory.upper_bound(address);
  if (next == memory.begin()) return false;
  const auto& [start, allocation] = *std::prev(next);
  return allocation.live && address + bytes <= start + allocation.bytes;
}

Result allocate(Context* context, uintptr_t* result, size_t bytes) {
  context->allocations++;
  size_t limit = (size_t)(of_device("CUDA_DOUBLE_MEMORY_MB", "1024", context->device) * (1 << 20));
  if (context->held + bytes > limit || faulty(context, "oom", context->allocations, OUT_OF_MEMORY)) return OUT_OF_MEMORY;
  void* memory = malloc(bytes);
  if (memory == nullptr) return OUT_OF_MEMORY;
  memset(memory, 0, bytes);
  context->held += bytes;
  device_memory[(uintptr_t)memory] = Allocation{bytes, true};
  *result = (uintptr_t)memory;
  return SUCCESS;
}

// The address is not used again: who still uses it reads the pattern, or is refused.
void release(Context* context, uintptr_t address) {
  Allocation& allocation = device_memory[address];
  allocation.live = false;
  context->held -= allocation.bytes;
  memset((void*)address, 0xDB, allocation.bytes);
}

// A twin, or PTX to be emulated.
struct Module {
  void* twin;
  std::shared_ptr<emulated::Kernels> ptx;
};

struct Function {
  void (*twin)(void** parameters, unsigned grid, unsigned block);
  unsigned parameter_bytes;
  const ptx::Kernel* ptx;
};

// What a kernel may touch: all that is allocated as it is launched.
std::shared_ptr<ptx::DeviceMemory> memory_of_kernels() {
  auto memory = std::make_shared<ptx::DeviceMemory>();
  for (auto* some : {&device_memory, &host_memory}) {
    for (const auto& [start, allocation] : *some) {
      if (allocation.live) memory->add("an allocation", (const void*)start, allocation.bytes);
    }
  }
  return memory;
}

// What may wait for all kernels, which with one that stays would be for ever.
#define MAY_SYNCHRONIZE(WHAT)                                                      \
  if (current->residents > 0) {                                                    \
    fprintf(stderr, "cuda double: %s beside a resident kernel\n", WHAT);           \
    return UNKNOWN;                                                                \
  }                                                                                \
  static_assert(true)

#define ENTER()                                  \
  std::unique_lock<std::mutex> lock(mutex);      \
  if (current == nullptr) return INVALID_CONTEXT; \
  if (current->sticky != SUCCESS) return current->sticky

Result copy(Stream* stream, uintptr_t to, uintptr_t from, size_t bytes, bool to_device) {
  Context* context = stream->context;
  double micros = atof(setting("CUDA_DOUBLE_COPY_MICROS", "0").c_str());
  if (!within(device_memory, to_device ? to : from, bytes) || !within(host_memory, to_device ? from : to, bytes)) {
    fprintf(stderr, "cuda double: a copy of %zu bytes is out of bounds\n", bytes);
    return INVALID_VALUE;
  }
  Op op;
  op.work = [=] {
    if (context->sticky != SUCCESS) return;
    pause_micros(micros);
    memcpy((void*)to, (void*)from, bytes);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}

}  // namespace

extern "C" {

Result cuInit(unsigned) {
  std::lock_guard<std::mutex> lock(mutex);
  return initialise();
}

Result cuDriverGetVersion(int* version) {
  *version = atoi(setting("CUDA_DOUBLE_VERSION", "12040").c_str());
  return SUCCESS;
}

Result cuDeviceGetCount(int* count) {
  *count = (int)contexts.size();
  return SUCCESS;
}

Result cuDeviceGet(int* device, int ordinal) {
  if (ordinal < 0 || ordinal >= (int)contexts.size()) return INVALID_DEVICE;
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
    case 16: *value = 2; break;   // multiprocessors
    case 40: *value = atoi(setting("CUDA_DOUBLE_COPY_ENGINES", "2").c_str()); break;
    case 75: *value = 9; break;   // compute capability 9.0
    case 76: *value = 0; break;
    case 115: *value = atoi(setting("CUDA_DOUBLE_POOLS", "1").c_str()); break;
    default: return INVALID_VALUE;
  }
  return SUCCESS;
}

Result cuDevicePrimaryCtxRetain(Context** context, int device) {
  std::lock_guard<std::mutex> lock(mutex);
  *context = &contexts[device];
  (*context)->users++;
  return (*context)->sticky;
}

Result cuDevicePrimaryCtxRelease_v2(int device) {
  std::lock_guard<std::mutex> lock(mutex);
  contexts[device].users--;
  if (setting("CUDA_DOUBLE_REPORT", "") == "1") {
    fprintf(stderr, "cuda double: device %d ends with %zu bytes held, at most %d streams were at work at once\n", device,
            contexts[device].held, most_at_work);
    const Context& counted = contexts[device];
    fprintf(stderr, "cuda double: device %d: kernels counted %lu rows, %lu steals, %lu won, %lu in vain, %lu offers\n",
            device, counted.rows, counted.tried, counted.won, counted.empty, counted.offers);
  }
  return SUCCESS;
}

Result cuCtxSetCurrent(Context* context) {
  current = context;
  return SUCCESS;
}

Result cuMemGetInfo_v2(size_t* free, size_t* total) {
  ENTER();
  cuDeviceTotalMem_v2(total, current->device);
  *free = *total - current->held;
  return SUCCESS;
}

Result cuMemAlloc_v2(uintptr_t* address, size_t bytes) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemAlloc");
  return allocate(current, address, bytes);
}

Result cuMemFree_v2(uintptr_t address) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemFree");
  release(current, address);
  return SUCCESS;
}

#ifndef CUDA_DOUBLE_LACKS_POOLS
Result cuMemPoolCreate(void** pool, const void*) {
  ENTER();
  *pool = current;
  return SUCCESS;
}

#endif

Result cuMemPoolDestroy(void*) { return SUCCESS; }

Result cuMemAllocFromPoolAsync(uintptr_t* address, size_t bytes, void* pool, Stream*) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemAllocFromPoolAsync");
  return allocate((Context*)pool, address, bytes);
}

Result cuMemFreeAsync(uintptr_t address, Stream* stream) {
  ENTER();
  Context* context = current;
  // Counted as free at once, or the demand order would never free; poisoned in the stream's order.
  Op op;
  size_t bytes = device_memory[address].bytes;
  context->held -= bytes;
  op.work = [=] {
    context->held += bytes;
    release(context, address);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuMemHostAlloc(void** address, size_t bytes, unsigned) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemHostAlloc");
  *address = malloc(bytes);
  memset(*address, 0xA5, bytes);
  host_memory[(uintptr_t)*address] = Allocation{bytes, true};
  return SUCCESS;
}

Result cuMemHostGetDevicePointer_v2(uintptr_t* result, void* address, unsigned) {
  ENTER();
  if (!within(host_memory, (uintptr_t)address, 1)) return INVALID_VALUE;
  *result = (uintptr_t)address;
  return SUCCESS;
}

Result cuMemFreeHost(void* address) {
  ENTER();
  MAY_SYNCHRONIZE("cuMemFreeHost");
  Allocation& allocation = host_memory[(uintptr_t)address];
  if (!allocation.live) return INVALID_VALUE;
  allocation.live = false;
  memset(address, 0xDB, allocation.bytes);
  return SUCCESS;
}

Result cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, Stream* stream) {
  ENTER();
  return copy(stream, to, (uintptr_t)from, bytes, true);
}

Result cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, Stream* stream) {
  ENTER();
  return copy(stream, (uintptr_t)to, from, bytes, false);
}

Result cuMemsetD8Async(uintptr_t address, unsigned char value, size_t bytes, Stream* stream) {
  ENTER();
  if (!within(device_memory, address, bytes)) return INVALID_VALUE;
  Op op;
  op.work = [=] { memset((void*)address, value, bytes); };
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuStreamCreate(Stream** result, unsigned) {
  ENTER();
  Stream* stream = new Stream{current};
  std::string eager = "," + setting("CUDA_DOUBLE_EAGER", "") + ",";
  stream->eager = eager.find("," + std::to_string(current->streams++) + ",") != std::string::npos;
  if (demand && stream->eager) eager_streams.push_back(stream);
  if (!demand) std::thread(run_stream, stream).detach();
  *result = stream;
  return SUCCESS;
}

Result cuStreamDestroy_v2(Stream* stream) {
  std::lock_guard<std::mutex> lock(mutex);
  stream->stopped = true;
  changed.notify_all();
  return SUCCESS;
}

Result cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  ENTER();
  Op op;
  op.waits = event;
  op.number = event->recorded;
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuEventCreate(Event** event, unsigned) {
  ENTER();
  *event = new Event{current};
  return SUCCESS;
}

Result cuEventRecord(Event* event, Stream* stream) {
  ENTER();
  Op op;
  op.records = event;
  op.number = ++event->recorded;
  event->stream = stream;
  queue(stream, std::move(op));
  return SUCCESS;
}

Result cuEventQuery(Event* event) {
  ENTER();
  if (event->completed >= event->recorded) return SUCCESS;
  if (demand) {
    if (event->asked < event->recorded) {
      event->asked = event->recorded;
    } else {
      force(event, event->recorded);
      if (current->sticky != SUCCESS) return current->sticky;
      if (event->completed >= event->recorded) return SUCCESS;
    }
  }
  return NOT_READY;
}

Result cuEventSynchronize(Event* event) {
  ENTER();
  if (demand) {
    force(event, event->recorded);
  } else {
    uint64_t number = event->recorded;
    changed.wait(lock, [&] { return event->completed >= number || current->sticky != SUCCESS; });
  }
  return current->sticky;
}

Result cuEventElapsedTime(float* millis, Event* from, Event* until) {
  ENTER();
  if (from->completed < from->recorded || until->completed < until->recorded) return NOT_READY;
  *millis = std::chrono::duration<float, std::milli>(until->time - from->time).count();
  return SUCCESS;
}

Result cuEventDestroy_v2(Event*) { return SUCCESS; }

// The function whose kernels an image of the plugin's jar has: PTX, or SASS in an ELF file.
std::string function_of(const char* image) {
  std::string text;
  std::string before;
  if (memcmp(image, "\x7f" "ELF", 4) == 0) {
    uint64_t sections;
    uint16_t size, count;
    memcpy(&sections, image + 40, sizeof sections);
    memcpy(&size, image + 58, sizeof size);
    memcpy(&count, image + 60, sizeof count);
    text.assign(image, sections + (uint64_t)size * count);
    before = ".text.";
  } else {
    text = image;
    before = ".entry ";
  }
  size_t at = text.find(before);
  if (at == std::string::npos) return "";
  size_t end = text.find("_c", at);
  return text.substr(at + before.size(), end - at - before.size());
}

Result cuModuleLoadDataEx(Module** result, const char* image, unsigned, int*, void**) {
  ENTER();
  MAY_SYNCHRONIZE("cuModuleLoadDataEx");
  if (Result error = faulty(current, "load", ++current->loads, INVALID_PTX)) return error;
  const char* mark = "// cuda-double-twin: ";
  std::string path;
  if (setting("CUDA_DOUBLE_PTX", "0") != "0" && strstr(image, ".entry ") != nullptr) {
    auto kernels = emulated::parse(image);
    if (kernels == nullptr) return INVALID_PTX;
    if (setting("CUDA_DOUBLE_REPORT", "0") != "0") {
      fprintf(stderr, "cuda double: emulates %s\n", kernels->begin()->first.c_str());
    }
    *result = new Module{nullptr, kernels};
    return SUCCESS;
  }
  if (strncmp(image, mark, strlen(mark)) == 0) {
    image += strlen(mark);
    path.assign(image, strchr(image, '\n'));
  } else {
    std::string function = function_of(image);
    if (setting("CUDA_DOUBLE_REPORT", "0") != "0") {
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
  *result = new Module{twin, nullptr};
  return SUCCESS;
}

Result cuModuleUnload(Module*) { return SUCCESS; }

Result cuModuleGetFunction(Function** result, Module* module, const char* name) {
  ENTER();
  if (module->ptx != nullptr) {
    auto kernel = module->ptx->find(name);
    if (kernel == module->ptx->end()) return NOT_FOUND;
    *result = new Function{nullptr, kernel->second.parameter_bytes, &kernel->second};
    return SUCCESS;
  }
  std::string twin = std::string(name) + "_twin";
  void* function = dlsym(module->twin, twin.c_str());
  void* bytes = dlsym(module->twin, (twin + "_parameter_bytes").c_str());
  if (function == nullptr || bytes == nullptr) return NOT_FOUND;
  *result = new Function{(void (*)(void**, unsigned, unsigned))function, *(unsigned*)bytes, nullptr};
  return SUCCESS;
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int, size_t) {
  *blocks = 2;
  return SUCCESS;
}

// CUlaunchConfig with one attribute, the size of a cluster.
Result cuOccupancyMaxActiveClusters(int* clusters, Function*, const void* config) {
  ENTER();
  const char* attributes;
  unsigned count, what, cluster;
  memcpy(&attributes, (const char*)config + 40, sizeof attributes);
  memcpy(&count, (const char*)config + 48, sizeof count);
  if (count != 1) return INVALID_VALUE;
  memcpy(&what, attributes, sizeof what);
  memcpy(&cluster, attributes + 8, sizeof cluster);
  if (what != 4 || cluster == 0) return INVALID_VALUE;
  *clusters = 4 / cluster;
  return SUCCESS;
}

Result cuLaunchKernel(Function* function, unsigned grid_x, unsigned, unsigned, unsigned block_x, unsigned, unsigned,
                      unsigned, Stream* stream, void** parameters, void**) {
  ENTER();
  Context* context = current;
  long number = ++context->kernels;
  if (Result error = faulty(context, "launch", number, OUT_OF_RESOURCES)) return error;
  std::vector<char> copied((char*)parameters[0], (char*)parameters[0] + function->parameter_bytes);
  double more = atof(setting("CUDA_DOUBLE_KERNEL_MICROS", "0").c_str());
  double slowness = of_device("CUDA_DOUBLE_SLOWNESS", "1", context->device);
  void* ring = nullptr;
  memcpy(&ring, copied.data() + RING_AT, sizeof ring);
  bool stays = ring != nullptr;
  if (stays) context->residents++;
  std::shared_ptr<ptx::DeviceMemory> memory = function->ptx == nullptr ? nullptr : memory_of_kernels();
  Op op;
  op.work = [=]() mutable {
    struct Leaving {
      Context* context;
      bool stays;
      ~Leaving() {
        if (!stays) return;
        std::lock_guard<std::mutex> lock(mutex);
        context->residents--;
      }
    } leaving{context, stays};
    if (context->sticky != SUCCESS) return;
    if (Result error = faulty(context, "sticky", number, ILLEGAL_ADDRESS)) context->sticky = error;
    if (Result error = faulty(context, "lost", number, UNAVAILABLE)) context->sticky = error;
    if (context->sticky != SUCCESS) return;
    while (faulty(context, "hang", number, UNKNOWN)) pause_micros(1e6);
    auto begin = std::chrono::steady_clock::now();
    void* structure = copied.data();
    if (function->ptx == nullptr) {
      function->twin(&structure, grid_x, block_x);
    } else if (!emulated::run(*function->ptx, grid_x, block_x, structure, *memory)) {
      context->sticky = ILLEGAL_ADDRESS;
      return;
    }
    BlockMirror* mirror = nullptr;
    memcpy(&mirror, copied.data() + MIRROR_AT, sizeof mirror);
    {
      // By the kernel's own thread; with demand the caller has the lock.
      std::unique_lock<std::mutex> counting(mutex, std::defer_lock);
      if (!demand) counting.lock();
      for (unsigned i = 0; mirror != nullptr && i < grid_x; i++) {
        context->rows += mirror[i].rows;
        context->tried += mirror[i].tried;
        context->won += mirror[i].won;
        context->empty += mirror[i].empty;
        context->offers += mirror[i].offers;
      }
    }
    double micros = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    pause_micros(micros * (slowness - 1) + more);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}

// Not called by the plugin: NVIDIA's own NVRTC looks for it in a driver that is there.
Result cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return NOT_FOUND;
}

Result cuGetErrorString(Result, const char** text) {
  *text = "see the test double";
  return SUCCESS;
}

}  // extern "C"
