// Types, memory orders and settings that all parts share.
//
// The headers in this folder are one source for two machines. Under nvcc and NVRTC they are device code; under
// g++ -std=c++20 they are plain C++, with one thread a warp. What differs is in the context type that each function
// takes as its first argument: device_context.cuh on the device, cuda/check/*_context.h on the host.

#ifndef GPUSCHED_BASE_CUH
#define GPUSCHED_BASE_CUH

// GPUSCHED_LOOP stands before loops that are rarely long: unrolled, they make a kernel ten times as large.
#ifdef __CUDACC__
#define GPUSCHED_FN __device__ __forceinline__
#define GPUSCHED_PURE __host__ __device__ constexpr
#define GPUSCHED_LOOP _Pragma("unroll 1")
#else
#define GPUSCHED_FN inline
#define GPUSCHED_PURE constexpr
#define GPUSCHED_LOOP
#endif

namespace gpusched {

using u8 = unsigned char;
using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

static_assert(sizeof(u32) == 4 && sizeof(u64) == 8 && sizeof(void*) == 8, "a 64-bit machine");

enum class Order { relaxed, acquire, release, acq_rel };

// Who may be at the other end. Shared memory: block. Device memory: device. Mapped host memory: system.
enum class Scope { block, device, system };

enum Strategy : u32 {
  STATIC = 0,    // each warp takes every W-th chunk, W = warps of the grid
  COUNTER = 1,   // each warp takes the next chunk from one cursor
  STEALING = 2,  // queues; blocks that run low take from others
  SHARING = 3,   // queues; blocks that have plenty give to others
  HYBRID = 4,    // both
};

// How a warp computes its rows, where the function is written in steps (udf.cuh). One that is not has the form of rows alone.
enum Form : u32 {
  STEPS_IF_ANY = 0,  // a lane whose row has ended goes on with the next row
  ROWS = 1,          // a lane waits until the rows of all lanes have ended
};

// The settings spark.gpusched.cuda.block.*; the defaults are the documented ones. Depth and all thresholds are in chunks.
struct Settings {
  u32 strategy = STEALING;
  u32 steal_threshold = 4;
  u32 share_threshold = 64;
  u32 max_steal_batch = 16;
  u32 neighbours = 32;
  u32 poll_nanos = 500;
  u32 queue_capacity = 32;  // ranges that a block's queue in device memory holds
  u32 form = STEPS_IF_ANY;
};
static_assert(sizeof(Settings) == 32, "the host writes it as 8 ints");

// What is wrong with settings, or null; keys without spark.gpusched. The host asks before a launch; the kernels rely on it.
GPUSCHED_PURE const char* problem(const Settings& s) {
  if (s.strategy > HYBRID) return "cuda.block.strategy must be static, counter, stealing, sharing or hybrid";
  if (s.steal_threshold < 1) return "cuda.block.stealThreshold must be at least 1 chunk";
  if (s.share_threshold <= s.steal_threshold) return "cuda.block.shareThreshold must be above cuda.block.stealThreshold";
  if (s.max_steal_batch < 1) return "cuda.block.maxStealBatch must be at least 1 chunk";
  if (s.neighbours < 1 || s.neighbours > 32) return "cuda.block.neighbours must be 1 to 32";
  if (s.poll_nanos < 1 || s.poll_nanos > 1000000) return "cuda.block.pollNanos must be 1 to 1000000";
  if (s.queue_capacity < 2 || s.queue_capacity > 1024 || (s.queue_capacity & (s.queue_capacity - 1)) != 0) {
    return "cuda.block.queueCapacity must be a power of two, 2 to 1024";
  }
  if (s.form > ROWS) return "cuda.block.form must be steps or rows";
  return nullptr;
}

GPUSCHED_PURE u32 smaller(u32 a, u32 b) { return a < b ? a : b; }

}  // namespace gpusched

#endif
