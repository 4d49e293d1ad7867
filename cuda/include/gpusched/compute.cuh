// What each warp does: claim chunks, compute their rows, count them for itself.

#ifndef GPUSCHED_COMPUTE_CUH
#define GPUSCHED_COMPUTE_CUH

#include "scheduler.cuh"

namespace gpusched {

// Computes a hand, chunks of one job, a row a lane, and counts it. If it takes too long by `pace`, what has not been begun by
// then is left: the answer.
template <class Ctx, class Body, class Rhythm>
GPUSCHED_FN u64 compute(Ctx& ctx, Job<Ctx>& job, const Body& body, u64 hand, const Rhythm& pace, Tally<Ctx>& tally) {
  u32 chunk_rows = ctx.get(job.chunk_rows);
  u64 before = (u64)place_of(range_from(hand)) * chunk_rows;
  u64 there = ctx.get(job.rows) - before;
  u64 wanted = (u64)range_size(hand) * chunk_rows;
  u32 rows = (u32)(wanted < there ? wanted : there);
  i64 first = (i64)(ctx.get(job.first_row) + before);
  u64 rest = 0;
  u32 row = ctx.lane();
  GPUSCHED_LOOP
  for (u32 begun = ctx.lanes();; begun += ctx.lanes()) {
    if (row < rows) body(first + row);
    if (begun >= rows) break;
    row += ctx.lanes();
    if (rest == 0 && pace.late(ctx)) {
      // The chunk that has been begun is ended.
      u32 chunks = (begun - 1) / chunk_rows + 1;
      rest = range_of(range_from(hand) + chunks, range_until(hand));
      if (rest != 0) rows = chunks * chunk_rows;
      if (begun >= rows) break;
    }
  }
  tally.add(range_size(hand) - range_size(rest), rows);
  return rest;
}

// STEALING and its kin.
template <class Ctx, class Bodies>
GPUSCHED_FN void compute_warp(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  BlockScheduler<Ctx> scheduler(ctx, grid, block);
  Tally<Ctx> tally;
  Pace<Ctx> pace;
  // An idle warp sleeps twice as long each time that there was nothing to do, from a quarter of pollNanos up to pollNanos, and
  // then looks at shared memory alone, but for the one that has the duty: idle warps take issue slots from busy ones.
  u32 patience = 1;
  bool rests = false;
  u64 hand = scheduler.first_hand();
  GPUSCHED_LOOP
  for (;;) {
    if (hand == 0 && !rests) hand = scheduler.claim(pace.step);
    bool idle = hand == 0;
    u32 slot = idle ? tally.slot : job_of(range_from(hand));
    if (idle || slot != tally.slot) {
      tally.flush(ctx, grid, block);
      tally.slot = slot;
      if (idle && call(ctx, block) == LEAVE) return;
    }
    if (idle || scheduler.due()) {
      bool moved = scheduler.attend();
      if (idle) {
        if (!moved) {
          ctx.backoff(grid.settings.poll_nanos * patience / 4 + 1);
          if (patience < 4) patience *= 2;
        }
        rests = !moved && call(ctx, block) == REST;
        continue;
      }
    }
    rests = false;
    patience = 1;
    // Orders the leader's claim, which acquires, before the other lanes' look at the job; a shuffle orders nothing.
    ctx.sync_warp();
    Job<Ctx>& job = grid.jobs[slot];
    pace.begin(ctx);
    u64 rest = compute(ctx, job, bodies(ctx, job), hand, pace, tally);
    pace.learn(ctx, range_size(hand), rest != 0);
    if (rest != 0) scheduler.give_back(rest);
    hand = 0;
  }
}

}  // namespace gpusched

#endif
