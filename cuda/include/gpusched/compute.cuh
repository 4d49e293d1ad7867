// What a compute warp does: claim a chunk of its block's queues, compute its rows, count it.

#ifndef GPUSCHED_COMPUTE_CUH
#define GPUSCHED_COMPUTE_CUH

#include "grid.cuh"
#include "ring.cuh"

namespace gpusched {

// Shared memory is read by other blocks where there are clusters.
template <class Ctx>
GPUSCHED_PURE Scope near_scope() {
  return Ctx::CLUSTER > 1 ? Scope::cluster : Scope::block;
}

// True once there is nothing left to do, now or later. Asked by scheduler warps alone, one a block: all blocks read this
// word, and busy ones write it. Relaxed: it publishes nothing, for no warp reads another one's results, and the host
// reads them after the kernel's end, or after a job's own completion word.
template <class Ctx>
GPUSCHED_FN bool finished(Ctx& ctx, const Grid<Ctx>& grid) {
  u64 answer = 0;
  if (ctx.leader()) {
    answer = grid.ring == nullptr
                 ? ctx.template load<Order::relaxed, Scope::device>(grid.jobs[0].remaining) == 0
                 : ctx.template load<Order::relaxed, Scope::device>(grid.ring->stopped) != 0;
  }
  return ctx.shuffle(answer, 0) != 0;
}

// Computes the rows of chunks of one job, a row a lane.
template <class Ctx, class Body>
GPUSCHED_FN u64 compute(Ctx& ctx, Job<Ctx>& job, const Body& body, u64 range) {
  u64 chunk_rows = ctx.get(job.chunk_rows);
  u64 rows = ctx.get(job.rows);
  u64 first = ctx.get(job.first_row);
  u64 from = place_of(range_from(range)) * chunk_rows;
  u64 until = from + range_size(range) * chunk_rows;
  if (until > rows) until = rows;
  GPUSCHED_LOOP
  for (u64 row = from + ctx.lane(); row < until; row += ctx.lanes()) {
    body((i64)(first + row));
  }
  return until - from;
}

// Chunks that a warp has computed and not yet counted. They are counted in one subtraction when the warp runs out of
// work or comes to another job, so the counter that all blocks share is touched once a while, not once a chunk.
template <class Ctx>
struct Tally {
  u32 slot = 0;
  u32 chunks = 0;

  // Release: whoever sees 0 has every row of the job. Acquire: the warp that makes it 0 passes that on to the host.
  GPUSCHED_FN void flush(Ctx& ctx, const Grid<Ctx>& grid) {
    if (chunks == 0) return;
    if (ctx.leader()) {
      Job<Ctx>& job = grid.jobs[slot];
      u64 sequence = ctx.get(job.sequence);
      u64 before = ctx.template fetch_sub<Order::acq_rel, Scope::device>(job.remaining, chunks);
      if (before == chunks && grid.ring != nullptr) complete(ctx, *grid.ring, sequence);
    }
    chunks = 0;
  }
};

// What the block's scheduler warp has found out by `finished`.
template <class Ctx>
GPUSCHED_FN bool over(Ctx& ctx, Block<Ctx>& block) {
  u64 answer = ctx.leader() ? ctx.template load<Order::relaxed, Scope::block>(block.over) : 0;
  return ctx.shuffle(answer, 0) != 0;
}

template <class Ctx, class Bodies>
GPUSCHED_FN void compute_warp(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  constexpr Scope near = near_scope<Ctx>();
  // In a cluster each claim empties the multiprocessor's first-level cache, as other multiprocessors may have written
  // what it publishes: so up to 8 chunks at once, of a long range.
  constexpr Amount claim = Ctx::CLUSTER > 1 ? Amount{8, 8} : Amount{1, 1};
  auto* far = grid.far_of(ctx.block());
  Tally<Ctx> tally;
  // Sleeps twice as long each time that there was nothing to do, up to 4 times pollNanos: idle warps take issue slots
  // from busy ones. No longer, for rows of others may be on their way.
  u32 patience = 1;
  GPUSCHED_LOOP
  for (;;) {
    u64 range = take<near>(ctx, block.near, Ctx::NEAR_CAPACITY, claim, End::front);
    // As a rule the scheduler warp brings ranges near before they run out, but no row waits for it.
    if (range == 0) {
      range = take<Scope::device>(ctx, far, grid.settings.queue_capacity, {1, 1}, End::front);
    }
    if (range == 0) {
      tally.flush(ctx, grid);
      if (over(ctx, block)) return;
      ctx.backoff(grid.settings.poll_nanos * patience);
      if (patience < 4) patience *= 2;
      continue;
    }
    patience = 1;
    // Orders the leader's claim, which acquires, before the other lanes' look at the job; a shuffle orders nothing.
    ctx.sync_warp();
    u32 slot = job_of(range_from(range));
    if (slot != tally.slot) {
      tally.flush(ctx, grid);
      tally.slot = slot;
    }
    Job<Ctx>& job = grid.jobs[slot];
    u64 rows = compute(ctx, job, bodies(ctx, job), range);
    // Orders the other lanes' results before the leader's count.
    ctx.sync_warp();
    tally.chunks += range_size(range);
    if (ctx.leader()) ctx.template fetch_add<Order::relaxed, Scope::block>(block.processed, rows);
  }
}

}  // namespace gpusched

#endif
