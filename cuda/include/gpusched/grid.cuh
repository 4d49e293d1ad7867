// What the blocks of a launch share: jobs, queues in device memory, the load table, its mirror. The host allocates all
// of it and fills it as the README's table of layouts says.

#ifndef GPUSCHED_GRID_CUH
#define GPUSCHED_GRID_CUH

#include "queue.cuh"

namespace gpusched {

// One job: rows [first_row, first_row + rows) of some columns. Written by the host before the launch or, in resident
// mode, by the feeder before it puts the job's chunks; constant from then until its last chunk is counted.
template <class Ctx>
struct Job {
  template <class T>
  using Plain = typename Ctx::template Plain<T>;

  Plain<u64> rows;
  Plain<u64> first_row;
  Plain<u64> columns;  // address of the job's columns (columns.cuh)
  Plain<u64> sequence;
  Plain<u32> chunk_rows;
  Plain<u32> padding;
  // Chunks not yet computed. Warps subtract what they have computed; at 0 the job is over.
  typename Ctx::Cell64 remaining;
};

// What a block counted, for the host. Its one writer is the block's scheduler warp; each field is written whole, and they
// are not of one moment. Of a launch it is in device memory, is written at the end, and comes back with the job; of a
// resident kernel it is in mapped host memory, and is written about each millisecond too. A thief that loses a race
// takes from what is left, so in the end steal_requests = steals_won + steals_empty.
template <class Ctx>
struct alignas(32) BlockMirror {
  typename Ctx::Cell32 queue_depth;     // chunks queued
  typename Ctx::Cell32 capacity;        // ranges that the block's queues hold
  typename Ctx::Cell64 processed;       // rows computed
  typename Ctx::Cell32 steal_requests;  // steals tried
  typename Ctx::Cell32 offer_count;     // offers that found a slot
  typename Ctx::Cell32 steals_won;
  typename Ctx::Cell32 steals_empty;    // the victim had nothing left
};

// A block's word of the load table: whether it runs, its chunks in shared memory, its chunks in device memory. Blocks
// that have not started are given nothing: who knows when they will.
struct Load {
  static constexpr u64 RUNS = 1ull << 63;

  GPUSCHED_FN static u64 of(u32 near, u32 far) { return RUNS | (u64)near << 32 | far; }
  GPUSCHED_FN static bool runs(u64 word) { return (word & RUNS) != 0; }
  GPUSCHED_FN static u32 near(u64 word) { return (u32)(word >> 32) & 0x7FFFFFFF; }
  GPUSCHED_FN static u32 far(u64 word) { return (u32)word; }
};

template <class Ctx>
struct Ring;

template <class Ctx>
struct Grid {
  using Cell64 = typename Ctx::Cell64;

  Settings settings;
  Cell64* far;               // blocks * queue_capacity slots; all 0 between launches
  Cell64* table;             // a word a block, likewise 0: see Load
  BlockMirror<Ctx>* mirror;  // an entry a block, or null
  Job<Ctx>* jobs;            // launch: one; resident: one a slot of the ring
  Cell64* cursor;            // 0 before a launch. COUNTER: the next chunk; queues: the next share; resident: see starts
  Ring<Ctx>* ring;           // resident, or null

  GPUSCHED_FN Cell64* far_of(u32 block) const { return far + (u64)block * settings.queue_capacity; }
};

// What a block keeps in shared memory. The other blocks of its cluster take from its queue too.
template <class Ctx>
struct Block {
  typename Ctx::Cell64 near[Ctx::NEAR_CAPACITY];
  typename Ctx::Cell64 processed;  // rows computed; its warps add
  typename Ctx::Cell64 over;       // 1: there is nothing left to do; its scheduler warp
};

}  // namespace gpusched

#endif
