// Kernels: what an image of the plugin's jar is of, and how one is launched. See README.md.

#pragma once

#include "memory.h"

// The host's copy of a block's load (grid.cuh).
struct BlockMirror {
  unsigned depth, capacity;
  unsigned long rows;
  unsigned tried, offers, won, empty;
};
static_assert(sizeof(BlockMirror) == layout::MIRROR_BYTES && offsetof(BlockMirror, rows) == layout::MIRROR_PROCESSED);

// An address in a grid; null if the kernel has another parameter, as those for cuDF's columns.
template <class T>
inline T* in_grid(const std::vector<char>& parameter, size_t at) {
  T* address = nullptr;
  if (parameter.size() == layout::GRID_BYTES) memcpy(&address, parameter.data() + at, sizeof address);
  return address;
}

constexpr int MOST_THREADS = 1024;

inline Result check_function(Function* function) {
  if (!functions.count(function)) return refuse(INVALID_HANDLE, "a kernel of a module that is not there");
  if (function->module->context != current) return refuse(INVALID_HANDLE, "a kernel of another context");
  return SUCCESS;
}

// The function whose kernels an image of the plugin's jar has: PTX, or SASS in an ELF file.
inline std::string function_of(const char* image) {
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

// Whether an image is of kernels for cuDF's columns. They have no twin: their PTX is emulated, whatever the setting.
inline bool has_no_twin(const char* image) { return strstr(image, ".entry gpusched_cudf_") != nullptr; }

// Runs a kernel on its stream's thread, or as its results are asked for.
inline void run_kernel(const Function& function, Context* context, unsigned grid, unsigned block, std::vector<char>& parameter,
                       ptx::DeviceMemory* memory) {
  void* structure = parameter.data();
  Slots& slots = context->slots;
  if (function.ptx == nullptr) {
    function.twin(&structure, grid, &slots);
  } else {
    unsigned room = slots.take_some(function.ptx->cluster, grid);
    bool right = emulated::run(*function.ptx, grid, block, structure, *memory, room);
    slots.give_back(room);
    if (!right) {
      context->sticky = ILLEGAL_ADDRESS;
      return;
    }
  }
  BlockMirror* mirror = in_grid<BlockMirror>(parameter, layout::GRID_MIRROR);
  // By the kernel's own thread; with demand the caller has the lock.
  std::unique_lock<std::mutex> counting(mutex, std::defer_lock);
  if (!demand) counting.lock();
  Device* device = context->device;
  for (unsigned i = 0; mirror != nullptr && i < grid; i++) {
    device->rows += mirror[i].rows;
    device->tried += mirror[i].tried;
    device->won += mirror[i].won;
    device->empty += mirror[i].empty;
    device->offers += mirror[i].offers;
  }
}

inline Result launch(Function* handle, unsigned grid, unsigned block, Stream* stream, void** parameters) {
  if (grid == 0 || block == 0 || block > MOST_THREADS) return refuse(INVALID_VALUE, "a grid or block of no size that a GPU has");
  if (grid % handle->cluster() != 0) return refuse(INVALID_CLUSTER_SIZE, "a grid that is no multiple of its cluster");
  // It may make room for the function's local memory.
  if (!handle->launched) MAY_SYNCHRONIZE("a function's first launch");
  Context* context = current;
  Device* device = context->device;
  long number = ++device->kernels;
  if (Result error = faulty(device, "launch", number, OUT_OF_RESOURCES)) return error;
  handle->launched = true;
  Function function = *handle;
  std::vector<char> copied((char*)parameters[0], (char*)parameters[0] + function.parameter_bytes);
  double more = atof(setting("CUDA_DOUBLE_KERNEL_MICROS", "0").c_str());
  double slowness = of_device("CUDA_DOUBLE_SLOWNESS", "1", device->ordinal);
  bool stays = in_grid<void>(copied, layout::GRID_RING) != nullptr;
  if (stays) context->residents++;
  std::shared_ptr<ptx::DeviceMemory> memory = null_mode::on() || function.ptx == nullptr ? nullptr : memory_of_kernels();
  Op op;
  if (null_mode::on()) {
    if (stays) return refuse(INVALID_VALUE, "no kernel stays in the null mode");
    op.engine = 2;
    op.nanos = null_mode::kernel(copied, grid);
    queue(stream, std::move(op));
    return SUCCESS;
  }
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
    if (context->sticky != SUCCESS || !context->live) return;
    if (Result error = faulty(device, "sticky", number, ILLEGAL_ADDRESS, function.name)) context->sticky = error;
    if (Result error = faulty(device, "lost", number, UNAVAILABLE)) device->lost = error;
    if (context->sticky != SUCCESS || device->lost != SUCCESS) return;
    if (faulty(device, "hang", number, UNKNOWN)) {
      hangs_since = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    // Short pauses: a fault may be taken away.
    while (faulty(device, "hang", number, UNKNOWN)) pause_micros(1e4);
    if (faulty(device, "short", number, UNKNOWN)) return;
    auto begin = std::chrono::steady_clock::now();
    run_kernel(function, context, grid, block, copied, memory.get());
    double micros = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    if (context->sticky == SUCCESS) pause_micros(micros * (slowness - 1) + more);
  };
  queue(stream, std::move(op));
  return SUCCESS;
}
