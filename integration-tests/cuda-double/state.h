// What the double knows: settings, faults, and the driver's objects. See README.md.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emulated.h"
#include "twin.h"

using Result = int;
enum : Result {
  SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, UNAVAILABLE = 46, NO_DEVICE = 100,
  INVALID_DEVICE = 101, INVALID_CONTEXT = 201, INVALID_PTX = 218, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600,
  ILLEGAL_ADDRESS = 700, OUT_OF_RESOURCES = 701, CONTEXT_IS_DESTROYED = 709, ALREADY_REGISTERED = 712, NOT_REGISTERED = 713, INVALID_CLUSTER_SIZE = 912, UNKNOWN = 999
};

// ---- settings

inline std::string setting(const char* name, const char* otherwise) {
  const char* value = getenv(name);
  return value == nullptr ? otherwise : value;
}

inline double of_device(const char* name, const char* otherwise, int device) {
  std::string list = setting(name, otherwise);
  size_t at = 0;
  for (int i = 0; i < device && list.find(',', at) != std::string::npos; i++) at = list.find(',', at) + 1;
  return atof(list.c_str() + at);
}

inline bool reports() { return setting("CUDA_DOUBLE_REPORT", "0") != "0"; }

inline void pause_micros(double micros) {
  if (micros > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(micros));
}

// ---- objects

struct Context;
struct Stream;

constexpr unsigned MULTIPROCESSORS = 2;
constexpr unsigned BLOCKS_OF_EACH = 2;

// The blocks of threads that a device runs at once, of all its kernels together; the others wait.
struct Slots : twin::Room {
  std::mutex guard;
  std::condition_variable freed;
  unsigned free = MULTIPROCESSORS * BLOCKS_OF_EACH;

  Slots() {
    take = [](twin::Room* room, unsigned blocks) { static_cast<Slots*>(room)->take_some(blocks, blocks); };
    give = [](twin::Room* room, unsigned blocks) { static_cast<Slots*>(room)->give_back(blocks); };
  }
  // As many as there are, `least` or more.
  unsigned take_some(unsigned least, unsigned most) {
    std::unique_lock<std::mutex> lock(guard);
    freed.wait(lock, [&] { return free >= least; });
    unsigned taken = std::min(free, most) / least * least;
    free -= taken;
    return taken;
  }
  void give_back(unsigned blocks) {
    std::lock_guard<std::mutex> lock(guard);
    free += blocks;
    freed.notify_all();
  }
};

// A GPU, which outlives its contexts.
struct Device {
  explicit Device(int number) : ordinal(number) {}

  const int ordinal;
  int users = 0;                       // who retain the primary context
  Context* context = nullptr;          // null if nobody does
  std::atomic<Result> lost = SUCCESS;  // the error of a GPU that no new context brings back
  // Over all contexts: by these numbers faults are chosen.
  long allocations = 0, kernels = 0, loads = 0, handles = 0;
  // What the blocks of its kernels have counted.
  unsigned long rows = 0, tried = 0, won = 0, empty = 0, offers = 0;
  // null mode: when its two copy engines and its multiprocessors are free, in nanoseconds
  double engines[3] = {};
};

// Never deleted: who still has one is told that it is gone.
struct Context {
  Device* device;
  bool live = true;
  size_t held = 0;
  int residents = 0;  // kernels that stay, queued or running
  std::atomic<Result> sticky = SUCCESS;
  Stream* legacy = nullptr;  // the default stream of all threads, once one has used it
  Slots slots{};  // a kernel that is still at work as its context ends is gone from the device
};

struct Event {
  Context* context;
  bool timed;
  uint64_t recorded = 0;   // how often it was queued
  uint64_t completed = 0;  // the number of the last that ran
  uint64_t asked = 0;      // the number that was last asked for in vain
  Stream* stream = nullptr;
  std::chrono::steady_clock::time_point time = {};
  double at = 0;  // null mode: when it is done, in nanoseconds
};

struct Op {
  std::function<void()> work;    // without the lock, on a stream's thread
  std::function<void()> locked;  // after it, under the lock
  Event* waits = nullptr;
  Event* records = nullptr;
  uint64_t number = 0;
  int engine = -1;   // null mode: that takes its time, 0 and 1 for copies, 2 for kernels
  double nanos = 0;  // null mode: for which that is busy
};

struct Stream {
  Context* context;
  bool own = true;  // made by cuStreamCreate, and not one of the default streams
  bool eager = false;
  bool stopped = false;
  std::deque<Op> queue = {};
  uint64_t queued = 0;     // so many
  uint64_t completed = 0;  // of them have run
  uint64_t asked = 0;      // so many were queued when it was last asked for in vain
  double until = 0;  // null mode: when all in it is done, in nanoseconds
};

struct Pool {
  int device;
};

struct Allocation {
  size_t bytes;
  Context* context;
  bool pooled;
  unsigned flags;
  bool live;
  bool registered = false;  // memory of the process, which it may use after it was unregistered
  // Shared by the copies from or to it that are queued, and have not run.
  std::shared_ptr<int> copies = std::make_shared<int>();
};

// A twin, or PTX to be emulated.
struct Module {
  Context* context;
  void* twin;
  std::shared_ptr<emulated::Kernels> ptx;
};

struct Function {
  Module* module;
  std::string name;
  void (*twin)(void** parameters, unsigned grid, twin::Room* room);
  unsigned parameter_bytes;
  const ptx::Kernel* ptx;
  bool launched = false;

  // Its kernel's name ends with it.
  unsigned cluster() const {
    size_t at = name.rfind("_c");
    int blocks = at == std::string::npos ? 1 : atoi(name.c_str() + at + 2);
    return blocks < 1 ? 1 : blocks;
  }
};

// Guards everything below and all structures; work runs without it when streams have threads.
// Never destroyed: streams' threads use them while the process ends.
inline std::mutex& mutex = *new std::mutex;
inline std::condition_variable& changed = *new std::condition_variable;
inline std::deque<Device>& devices = *new std::deque<Device>;
inline std::map<uintptr_t, Allocation>& device_memory = *new std::map<uintptr_t, Allocation>;
inline std::map<uintptr_t, Allocation>& host_memory = *new std::map<uintptr_t, Allocation>;
inline std::set<Event*>& events = *new std::set<Event*>;
inline std::set<Stream*>& streams = *new std::set<Stream*>;
// Events and streams that were to be destroyed where an error had ended the context. The call gives the error, and may have freed them.
inline std::set<const void*>& destroyed = *new std::set<const void*>;
inline std::set<Pool*>& pools = *new std::set<Pool*>;
inline std::set<Module*>& modules = *new std::set<Module*>;
inline std::set<Function*>& functions = *new std::set<Function*>;
inline bool initialised;
inline bool demand;
inline int at_work = 0;  // streams that run something that takes time
inline int most_at_work = 0;
inline thread_local Context* current;

inline Result refuse(Result error, const char* why) {
  fprintf(stderr, "cuda double: %s\n", why);
  return error;
}

// What a context gives to any call.
inline Result state_of(const Context* context) {
  if (context == nullptr) return refuse(INVALID_CONTEXT, "a call from a thread that has no current context");
  if (context->device->lost != SUCCESS) return context->device->lost;
  if (!context->live) return refuse(CONTEXT_IS_DESTROYED, "a call in a context that was released");
  return context->sticky;
}

#define ENTER()                             \
  std::unique_lock<std::mutex> lock(mutex); \
  null_mode::Call counted;                  \
  if (Result state = state_of(current)) return state

// What was destroyed is no handle any more: where an error has ended the context, too, the driver may crash.
inline void require_there(const void* handle) {
  if (!destroyed.count(handle)) return;
  fprintf(stderr, "cuda double: an event or a stream that was destroyed is used\n");
  abort();
}

// ENTER of a call that is given an event or a stream.
#define ENTER_WITH(HANDLE)                  \
  std::unique_lock<std::mutex> lock(mutex); \
  null_mode::Call counted;                  \
  require_there(HANDLE);                    \
  if (Result state = state_of(current)) return state

// The same of one that destroys it.
#define ENTER_TO_DESTROY(HANDLE)                \
  std::unique_lock<std::mutex> lock(mutex);     \
  null_mode::Call counted;                      \
  require_there(HANDLE);                        \
  if (Result state = state_of(current)) {       \
    destroyed.insert(HANDLE);                   \
    return state;                               \
  }                                             \
  static_assert(true)

// An object that is there, and of the current context.
#define KNOWN(SET, OBJECT)                                                                       \
  if (!SET.count(OBJECT)) return refuse(INVALID_HANDLE, "a handle of " #SET " that is not there"); \
  if (OBJECT->context != current) return refuse(INVALID_HANDLE, "a handle of " #SET " of another context")

// What may wait for all kernels, which with one that stays would be for ever.
#define MAY_SYNCHRONIZE(WHAT)                                                      \
  if (current->residents > 0) {                                                    \
    fprintf(stderr, "cuda double: %s beside a resident kernel\n", WHAT);           \
    return UNKNOWN;                                                                \
  }                                                                                \
  static_assert(true)

// ---- faults

struct Fault {
  int device = -1;  // -1: each
  std::string kind;
  int code = 0;  // of the error, if the setting names one
  long at = 0;
  bool always = false;  // from then on
  std::string of;       // the function whose kernels it hits, all of them, in the place of a number
};

// When the last kernel began that a fault keeps from its end, by the steady clock, in nanoseconds.
inline std::atomic<long> hangs_since = 0;

// With a guard of its own: kernels look as they run, without the lock.
inline std::mutex& fault_guard = *new std::mutex;
inline std::vector<Fault>& faults = *new std::vector<Fault>;

// device:kind[-code]@number[+] or device:kind[-code]@function; of kernels that are no function's, the kernel's whole name
inline Fault fault_of(const std::string& text) {
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
  if (fault.at == 0) fault.of = text.substr(at + 1);
  fault.always = text.back() == '+';
  return fault;
}

// The error that a setting asks for here, or 0.
inline Result faulty(const Device* device, const char* kind, long number, Result otherwise, const std::string& kernel = "") {
  std::lock_guard<std::mutex> lock(fault_guard);
  for (const Fault& fault : faults) {
    if ((fault.device == -1 || fault.device == device->ordinal) && fault.kind == kind &&
        (fault.of.empty() ? fault.at == number || (fault.always && number > fault.at)
                          : kernel == fault.of || kernel.rfind(fault.of + "_c", 0) == 0)) {
      return fault.code != 0 ? fault.code : otherwise;
    }
  }
  return SUCCESS;
}

inline void set_faults(const std::string& texts) {
  std::vector<Fault> all;
  std::istringstream list(texts);
  for (std::string text; std::getline(list, text, ',');) all.push_back(fault_of(text));
  std::lock_guard<std::mutex> lock(fault_guard);
  faults = all;
}
