// What every warp of a kernel runs: the way in and the way out of all strategies.

#ifndef GPUSCHED_KERNEL_CUH
#define GPUSCHED_KERNEL_CUH

#include "scheduler.cuh"

namespace gpusched {

// STATIC and COUNTER: no queues, and warp 0 computes like all others.
template <class Ctx, class Bodies>
GPUSCHED_FN void dealt_warp(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  Job<Ctx>& job = grid.jobs[0];
  auto body = bodies(ctx, job);
  bool counter = grid.settings.strategy == COUNTER;
  u64 chunks = chunks_of(ctx.get(job.rows), ctx.get(job.chunk_rows));
  u64 warps = (u64)ctx.blocks() * ctx.warps();
  u64 chunk = (u64)ctx.block() * ctx.warps() + ctx.warp();
  Tally<Ctx> tally;
  GPUSCHED_LOOP
  for (;;) {
    if (counter) {
      u64 next = 0;
      if (ctx.leader()) next = ctx.template fetch_add<Order::relaxed, Scope::device>(*grid.cursor, 1);
      chunk = ctx.shuffle(next, 0);
    }
    if (chunk >= chunks) break;
    u64 rows = compute(ctx, job, body, range_of((u32)chunk, (u32)chunk + 1));
    ctx.sync_warp();
    tally.chunks++;
    if (ctx.leader()) ctx.template fetch_add<Order::relaxed, Scope::block>(block.processed, rows);
    chunk += warps;
  }
  tally.flush(ctx, grid);
}

// `bodies` makes, of a job, the function of a row that is called once for each of the job's rows.
template <class Ctx, class Bodies>
GPUSCHED_FN void run_kernel(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block, const Bodies& bodies) {
  bool queues = grid.settings.strategy >= STEALING;
  BlockScheduler<Ctx> scheduler(ctx, grid, block);
  if (ctx.warp() == 0) {
    GPUSCHED_LOOP
    for (u32 slot = ctx.lane(); slot < Ctx::NEAR_CAPACITY; slot += ctx.lanes()) ctx.clear(block.near[slot]);
    if (ctx.leader()) {
      ctx.clear(block.processed);
      ctx.clear(block.over);
    }
    ctx.sync_warp();
    if (queues) scheduler.begin();
  }
  // The queue is there before anyone, of this block or of its cluster, looks into it.
  ctx.sync_cluster();
  if (!queues) {
    dealt_warp(ctx, grid, block, bodies);
  } else if (ctx.warp() == 0) {
    scheduler.run();
  } else {
    compute_warp(ctx, grid, block, bodies);
  }
  // Every warp comes here: shared memory must outlast the thieves of the cluster, and the last counts are the last.
  ctx.sync_cluster();
  if (ctx.warp() == 0) scheduler.publish_end();
}

}  // namespace gpusched

#endif
