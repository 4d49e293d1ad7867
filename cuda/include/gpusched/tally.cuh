// What a warp knows for itself: what it has computed and not yet counted, and how many chunks it should take at once.

#ifndef GPUSCHED_TALLY_CUH
#define GPUSCHED_TALLY_CUH

#include "ring.cuh"

namespace gpusched {

// Counted in one subtraction when the warp runs out of work or comes to another job, so the counter that all blocks share is
// touched once a while, not once a chunk.
template <class Ctx>
struct Tally {
  u32 slot = 0;
  u32 chunks = 0;
  u32 rows = 0;  // of one job, which has fewer than 2^32

  GPUSCHED_FN void add(u32 more_chunks, u32 more_rows) {
    chunks += more_chunks;
    rows += more_rows;
  }

  GPUSCHED_FN void flush(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block) {
    if (chunks == 0) return;
    // First, for with the job's last chunk the kernel may be over.
    if (ctx.leader()) ctx.template fetch_add<Order::relaxed, Scope::block>(block.processed, rows);
    Job<Ctx>& job = grid.jobs[slot];
    if (grid.ring != nullptr) {
      // Orders all lanes' results before the leader's count.
      ctx.sync_warp();
      if (ctx.leader()) flush_resident(ctx, *grid.ring, job);
    } else if (ctx.leader()) {
      // Relaxed, and nobody waits for the answer: the host reads the results after the kernel's end.
      ctx.template fetch_sub<Order::relaxed, Scope::device>(job.remaining, chunks);
    }
    chunks = 0;
    rows = 0;
  }

 private:
  // Release: whoever sees 0 has every row of the job. Acquire: the warp that makes it 0 passes that on to the host.
  GPUSCHED_FN void flush_resident(Ctx& ctx, Ring<Ctx>& ring, Job<Ctx>& job) const {
    u64 sequence = ctx.get(job.sequence);
    u64 before = ctx.template fetch_sub<Order::acq_rel, Scope::device>(job.remaining, chunks);
    if (before == chunks) complete(ctx, ring, sequence);
  }
};

// How many chunks a warp takes at once: as many as it computes in a turn, by what the last hand took. The rest of a hand that turns
// out to take much longer is given back, so little that others could do waits for more than two turns.
template <class Ctx>
struct Pace {
  // Cycles: some 15 microseconds, in which a claim costs a hundredth.
  static constexpr u32 TURN = 1u << 15;
  static constexpr u32 FIRST = 4;
  static constexpr u32 MOST = 32;

  u32 step = FIRST;
  u32 begun = 0;

  GPUSCHED_FN void begin(Ctx& ctx) { begun = ctx.clock(); }
  // All lanes must agree.
  GPUSCHED_FN bool late(Ctx& ctx) const { return ctx.ballot(ctx.clock() - begun > 2 * TURN) != 0; }

  // After a hand of so many chunks.
  GPUSCHED_FN void learn(Ctx& ctx, u32 chunks, bool was_late) {
    if (was_late) {
      step = (chunks + 1) / 2;
    } else if (ctx.ballot(ctx.clock() - begun > TURN) != 0) {
      step = (chunks + 1) / 2;
    } else if (chunks == step && step < MOST) {
      step *= 2;
    }
  }
};

// That of a hand which nobody else could take.
struct Steady {
  template <class Ctx>
  GPUSCHED_FN bool late(Ctx&) const {
    return false;
  }
};

}  // namespace gpusched

#endif
