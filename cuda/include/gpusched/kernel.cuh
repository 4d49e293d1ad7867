// What every warp of a kernel runs: the way in and the way out of all strategies.

#ifndef GPUSCHED_KERNEL_CUH
#define GPUSCHED_KERNEL_CUH

#include "compute.cuh"

namespace gpusched {

// STATIC and COUNTER: no queues, and one job.
template <class Ctx, class Bodies>
GPUSCHED_FN void dealt_warp(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  Job<Ctx>& job = grid.jobs[0];
  bool counter = grid.settings.strategy == COUNTER;
  u64 chunks = chunks_of(ctx.get(job.rows), ctx.get(job.chunk_rows));
  u64 warps = (u64)ctx.blocks() * ctx.warps();
  u64 chunk = (u64)ctx.block() * ctx.warps() + ctx.warp();
  Tally<Ctx> tally;
  WorkOf<Ctx, Bodies> work;
  GPUSCHED_LOOP
  for (;;) {
    if (counter) {
      u64 next = 0;
      if (ctx.leader()) next = ctx.template fetch_add<Order::relaxed, Scope::device>(*grid.cursor, 1);
      chunk = ctx.shuffle(next, 0);
    }
    // Without a hand, what has been begun is ended.
    u64 hand = chunk < chunks ? range_of((u32)chunk, (u32)chunk + 1) : 0;
    work.compute(ctx, grid, job, bodies, hand, Steady{}, tally);
    if (hand == 0) break;
    chunk += warps;
  }
  tally.flush(ctx, grid, block);
}

// `bodies` makes, of a job, the function of a row that is called once for each of the job's rows.
template <class Ctx, class Bodies>
GPUSCHED_FN void run_kernel(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  bool queues = grid.settings.strategy >= STEALING;
  bool feeds = false;
  if (ctx.warp() == 0) {
    if (ctx.leader()) {
      ctx.clear(block.share);
      ctx.clear(block.processed);
      ctx.clear(block.watch);
      block.moves.clear(ctx);
    }
    ctx.sync_warp();
    if (queues) feeds = BlockScheduler<Ctx>(ctx, grid, block).begin();
  }
  // What the block has in shared memory is there before any of its warps looks at it.
  ctx.sync_block();
  if (!queues) {
    dealt_warp(ctx, grid, block, bodies);
  } else if (feeds) {
    BlockScheduler<Ctx>(ctx, grid, block).run_feeder();
  } else {
    compute_warp(ctx, grid, block, bodies);
  }
  // Every warp comes here: the last counts are the last.
  ctx.sync_block();
  if (ctx.warp() == 0) BlockScheduler<Ctx>(ctx, grid, block).end();
}

}  // namespace gpusched

#endif
