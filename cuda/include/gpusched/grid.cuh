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
  Plain<u32> first_share;  // a launch: the first share that is of this job; see Grid::job_count
  // Chunks not yet computed. Warps subtract what they have computed; at 0 the job is over. At 0 of all jobs of a launch, all leave.
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

// A block's word of the load table: whether it runs, and the chunks in its queue. Blocks that have not started are given
// nothing: who knows when they will.
struct Load {
  static constexpr u64 RUNS = 1ull << 63;

  GPUSCHED_FN static u64 of(u32 chunks) { return RUNS | chunks; }
  GPUSCHED_FN static bool runs(u64 word) { return (word & RUNS) != 0; }
  GPUSCHED_FN static u32 chunks(u64 word) { return (u32)word; }
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
  Job<Ctx>* jobs;            // launch: job_count; resident: one a slot of the ring
  Cell64* cursor;            // 0 before a launch. COUNTER: the next chunk; queues: the next share; resident: see starts
  Ring<Ctx>* ring;           // resident, or null
  // A launch: its jobs, at least one, at most MAX_JOBS. There are as many shares as blocks, in the order of the jobs, and at least
  // one of each: a job's are [first_share, the next job's first_share), the last one's end with the blocks. More jobs than one have
  // queues: STATIC and COUNTER compute jobs[0] alone.
  u32 job_count;
  u32 padding;

  GPUSCHED_FN Cell64* far_of(u32 block) const { return far + (u64)block * settings.queue_capacity; }
};

// What a block has moved between queues. Only the leader of the warp that has the block's duty reads or writes it, and at the
// end that of warp 0.
template <class Ctx>
struct Moves {
  template <class T>
  using Plain = typename Ctx::template Plain<T>;

  Plain<u32> polls;  // looks at neighbours: the window of the next one
  Plain<u32> all_dealt;  // 1: no share of the launch is left
  Plain<u32> steals_won;
  Plain<u32> steals_empty;
  Plain<u32> offers;
  Plain<u32> told;  // the clock when the mirror was last written

  GPUSCHED_FN void clear(Ctx& ctx) {
    ctx.set_alone(polls, 0);
    ctx.set_alone(all_dealt, 0);
    ctx.set_alone(steals_won, 0);
    ctx.set_alone(steals_empty, 0);
    ctx.set_alone(offers, 0);
    ctx.set_alone(told, 0);
  }
};

// What a block keeps in shared memory.
template <class Ctx>
struct Block {
  typename Ctx::Cell64 share;      // a launch: the block's first share. Warp 0, before the others begin
  typename Ctx::Cell64 processed;  // rows computed; its warps add
  typename Ctx::Cell64 watch;      // who of its warps has the duty, and who sleeps: see Watch
  Moves<Ctx> moves;
};

}  // namespace gpusched

#endif
