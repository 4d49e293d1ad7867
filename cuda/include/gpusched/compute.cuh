// What each warp does: claim chunks, compute their rows, count them for itself.

#ifndef GPUSCHED_COMPUTE_CUH
#define GPUSCHED_COMPUTE_CUH

#include "scheduler.cuh"
#include "steps.cuh"

namespace gpusched {

// STEALING and its kin.
template <class Ctx, class Bodies>
GPUSCHED_FN void compute_warp(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  BlockScheduler<Ctx> scheduler(ctx, grid, block);
  Tally<Ctx> tally;
  Pace<Ctx> pace;
  WorkOf<Ctx, Bodies> work;
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
    // Lanes in the middle of rows, whose chunks are in the tally: there may be more for the idle ones before these are ended.
    bool busy = work.is_busy(ctx);
    if (!busy && (idle || slot != tally.slot)) {
      tally.flush(ctx, grid, block);
      tally.slot = slot;
      if (idle && call(ctx, block) == LEAVE) return;
    }
    // A warp that keeps a range has no place for what it would find. An idle one keeps none.
    if (idle || (!scheduler.keeps() && scheduler.due())) {
      bool moved = scheduler.attend();
      if (idle && (moved || !busy)) {
        if (!moved && call(ctx, block) != LEAVE) {
          ctx.backoff(grid.settings.poll_nanos * patience / 4 + 1);
          if (patience < 4) patience *= 2;
        }
        rests = !moved && call(ctx, block) != COME;
        continue;
      }
    }
    rests = false;
    patience = 1;
    // Ends what has been begun, and comes back to its hand, if it has one.
    bool ends = busy && (idle || slot != tally.slot);
    // Orders the leader's claim, which acquires, before the other lanes' look at the job; a shuffle orders nothing.
    ctx.sync_warp();
    pace.begin(ctx);
    u64 rest = work.compute(ctx, grid, grid.jobs[tally.slot], bodies, ends ? 0 : hand, pace, tally);
    if (ends) continue;
    pace.learn(ctx, range_size(hand) - range_size(rest), rest != 0);
    // Nor for what it leaves itself: it goes on with that.
    if (rest != 0 && scheduler.keeps()) {
      hand = rest;
      continue;
    }
    if (rest != 0) scheduler.give_back(rest);
    hand = 0;
  }
}

}  // namespace gpusched

#endif
