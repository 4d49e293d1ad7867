// What the blocks of a launch share: jobs, queues in device memory, the load table, its mirror. The host allocates all
// of it and fills it as the README's table of layouts says.

#ifndef GPUSCHED_GRID_CUH
#define GPUSCHED_GRID_CUH

#include "queue.cuh"

namespace gpusched {

constexpr u32 MAX_LEVELS = 16;

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
  Plain<u32> levels;  // PRIORITY: 1..16; else 0 or 1
  // Chunks not yet computed. Warps subtract what they have computed; at 0 the job is over.
  typename Ctx::Cell64 remaining;
  u32 level_end[MAX_LEVELS];  // PRIORITY: number of the chunk after the level's last; the last one's is all chunks
};

// The host's copy of a block's load, in mapped host memory. Its one writer is the block's scheduler warp; each field is
// written whole, and they are not of one moment. A thief that loses a race takes from what is left, so in the end
// steal_requests = steals_won + steals_empty.
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

template <class Ctx>
struct Ring;

template <class Ctx>
struct Grid {
  using Cell64 = typename Ctx::Cell64;

  Settings settings;
  Cell64* far;               // blocks * queue_capacity slots; all 0 between launches
  Cell64* table;             // a word a block: chunks in shared memory << 32 | chunks in device memory; likewise 0
  BlockMirror<Ctx>* mirror;  // an entry a block, or null
  Job<Ctx>* jobs;            // launch: one; resident: one a slot of the ring
  Cell64* cursor;            // COUNTER: the next chunk
  Ring<Ctx>* ring;           // resident, or null

  GPUSCHED_FN Cell64* far_of(u32 block) const { return far + (u64)block * settings.queue_capacity; }
};

// What a block keeps in shared memory. The other blocks of its cluster take from its queue too.
template <class Ctx>
struct Block {
  typename Ctx::Cell64 near[Ctx::NEAR_CAPACITY];
  typename Ctx::Cell64 processed;  // rows computed; its warps add
};

}  // namespace gpusched

#endif
