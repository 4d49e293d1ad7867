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
  u64 hand = scheduler.first_hand();
  GPUSCHED_LOOP
  for (;;) {
    // Lanes in the middle of rows, whose chunks are in the tally: there may be more for the idle ones before these are ended.
    bool busy = work.is_busy(ctx);
    GPUSCHED_LOOP
    while (hand == 0) {
      hand = scheduler.claim(pace.step);
      if (hand != 0) break;
      // Before it looks further: these may be the last chunks, for which all others wait.
      if (!busy) tally.flush(ctx, grid, block);
      if (!scheduler.sees()) break;
    }
    bool idle = hand == 0;
    u32 slot = idle ? tally.slot : job_of(range_from(hand));
    if (!busy && slot != tally.slot) {
      tally.flush(ctx, grid, block);
      tally.slot = slot;
    }
    // A warp that keeps a range has no place for what it would find. An idle one keeps none.
    if (idle || (!scheduler.keeps() && scheduler.due())) {
      u32 found = scheduler.attend(idle && !busy);
      if (found == THE_END) return;
      if (idle && found == SOMETHING) continue;
    }
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
