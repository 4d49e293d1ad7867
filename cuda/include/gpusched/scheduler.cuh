// What warp 0 of each block does: it keeps the block's part of the load table, brings ranges near, steals, offers and,
// in one block of a resident kernel, feeds. It never waits for another warp, and no other warp waits for it but at the
// kernel's end. Least of all for blocks that have not started: a launch's rows are dealt share by share, to a block as it
// starts and again whenever it runs low, until all shares are dealt.

#ifndef GPUSCHED_SCHEDULER_CUH
#define GPUSCHED_SCHEDULER_CUH

#include "compute.cuh"

namespace gpusched {

template <class Ctx>
class BlockScheduler {
 public:
  GPUSCHED_FN BlockScheduler(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block)
      : ctx_(ctx), grid_(grid), block_(block), settings_(grid.settings), own_far_(grid.far_of(ctx.block())) {}

  // Before any warp of the block claims.
  GPUSCHED_FN void begin() {
    // Told at once: who is seen to run is offered to, and fed.
    publish_table(Load::of(0, 0));
    if (grid_.ring == nullptr) {
      deal_share();
    } else {
      // Whichever block starts first feeds: the others may start late.
      feeds_ = next_of_cursor() == 0;
    }
  }

  GPUSCHED_FN void run() {
    GPUSCHED_LOOP
    while (!finished(ctx_, grid_)) {
      bool moved = poll();
      if (feeds_) moved |= feed();
      if (grid_.ring != nullptr && poll_ % MIRROR_POLLS == 0) publish_mirror();
      if (!moved) ctx_.backoff(settings_.poll_nanos);
      poll_++;
    }
    if (ctx_.leader()) ctx_.template store<Order::relaxed, Scope::block>(block_.over, 1);
  }

  // What the block did, to the host. After the block's last chunk has been computed.
  GPUSCHED_FN void publish_end() {
    near_depth_ = 0;
    far_depth_ = 0;
    publish_table(0);
    publish_mirror();
  }

 private:
  static constexpr Scope NEAR = near_scope<Ctx>();
  // Mapped memory is at the other end of a bus that the batches come over: about once a millisecond is enough.
  static constexpr u32 MIRROR_POLLS = 1024;

  GPUSCHED_FN void look() {
    u32 near = depth<NEAR>(ctx_, block_.near, Ctx::NEAR_CAPACITY);
    u32 far = depth<Scope::device>(ctx_, own_far_, settings_.queue_capacity);
    // Both parts, each time that either has changed: a range that moves from one to the other leaves their sum as it
    // was, but only the second part can be taken by every block.
    bool changed = near != near_depth_ || far != far_depth_;
    near_depth_ = near;
    far_depth_ = far;
    if (changed) publish_table(Load::of(near, far));
  }

  // One look at the own queues and the neighbours. True if anything moved, and so another look is due at once.
  GPUSCHED_FN bool poll() {
    look();
    u32 total = near_depth_ + far_depth_;
    if (near_depth_ < settings_.steal_threshold && far_depth_ > 0) return bring_near();
    // Blocks of other clusters can take from the far queue only. What stays near is enough not to be brought back at
    // once: the two moves would chase each other.
    if (far_depth_ < settings_.steal_threshold && near_depth_ / 2 >= settings_.steal_threshold && ctx_.blocks() > 1) {
      return move_far();
    }
    if (total < settings_.steal_threshold && deal_share()) return true;
    if (total < settings_.steal_threshold && steals()) return steal(total);
    if (total > settings_.share_threshold && offers()) return offer();
    return false;
  }

  GPUSCHED_FN bool steals() const { return settings_.strategy != SHARING && ctx_.blocks() > 1; }
  GPUSCHED_FN bool offers() const {
    return (settings_.strategy == SHARING || settings_.strategy == HYBRID) && ctx_.blocks() > 1;
  }
  GPUSCHED_FN u64 next_of_cursor() {
    u64 next = 0;
    if (ctx_.leader()) next = ctx_.template fetch_add<Order::relaxed, Scope::device>(*grid_.cursor, 1);
    return ctx_.shuffle(next, 0);
  }

  // Takes the next share of a launch's chunks that no block has taken. False if there is none. As many shares as
  // blocks: where all blocks start at once, each has one.
  GPUSCHED_FN bool deal_share() {
    if (grid_.ring != nullptr || all_dealt_) return false;
    u64 share = next_of_cursor();
    all_dealt_ = share >= ctx_.blocks();
    if (all_dealt_) return false;
    Job<Ctx>& job = grid_.jobs[0];
    u32 chunks = (u32)chunks_of(ctx_.get(job.rows), ctx_.get(job.chunk_rows));
    if (ctx_.leader()) place(part_of(0, chunks, (u32)share, ctx_.blocks()));
    return true;
  }

  // Half of a range, for a range costs the same however long it is, and what stays can still be stolen.
  GPUSCHED_FN bool bring_near() {
    return keep(take<Scope::device>(ctx_, own_far_, settings_.queue_capacity, {ALL, 2}, End::front));
  }

  GPUSCHED_FN bool move_far() {
    u64 range = take<NEAR>(ctx_, block_.near, Ctx::NEAR_CAPACITY, {ALL, 2}, End::back);
    if (range == 0) return false;
    if (ctx_.leader() && !put<Scope::device>(ctx_, own_far_, settings_.queue_capacity, range)) place(range);
    return true;
  }

  GPUSCHED_FN bool steal(u32 own_depth) {
    // A block that still has work leaves those alone that are not above shareThreshold. One that has none takes from
    // whoever has stealThreshold: else up to shareThreshold chunks would be left to one block at the end. But not the
    // last chunk: two blocks would take it from each other for ever.
    u32 for_idle = settings_.steal_threshold > 2 ? settings_.steal_threshold - 1 : 1;
    u32 above = own_depth == 0 ? for_idle : settings_.share_threshold;
    u64 range = 0;
    bool tried = false;
    if constexpr (Ctx::CLUSTER > 1) range = steal_within_cluster(above, tried);
    if (!tried) range = steal_anywhere(above, tried);
    if (!tried) return false;
    if (range == 0) {
      steals_empty_++;
      return false;
    }
    steals_won_++;
    return keep(range);
  }

  GPUSCHED_FN u64 steal_within_cluster(u32 above, bool& tried) {
    u32 rank = ctx_.cluster_rank();
    u32 first = ctx_.block() - rank;
    u32 victim = 0;
    u32 candidates = smaller(settings_.neighbours, Ctx::CLUSTER - 1);
    auto candidate = [&](u32 i) { return first + (rank + 1 + (poll_ + i) % (Ctx::CLUSTER - 1)) % Ctx::CLUSTER; };
    u32 most = extreme<true>(candidates, victim, candidate, [](u64 word) { return Load::near(word); });
    if (most <= above) return 0;
    tried = true;
    Block<Ctx>* peer = ctx_.peer(&block_, victim - first);
    return take<NEAR>(ctx_, peer->near, Ctx::NEAR_CAPACITY, {settings_.max_steal_batch, 2}, End::back);
  }

  GPUSCHED_FN u64 steal_anywhere(u32 above, bool& tried) {
    u32 victim = 0;
    u32 most = extreme<true>(settings_.neighbours, victim, [&](u32 i) { return neighbour(i); },
                             [](u64 word) { return Load::far(word); });
    if (most <= above) return 0;
    tried = true;
    return take<Scope::device>(ctx_, grid_.far_of(victim), settings_.queue_capacity,
                               {settings_.max_steal_batch, 2}, End::back);
  }

  GPUSCHED_FN bool offer() {
    u32 target = 0;
    u32 least = ~extreme<false>(settings_.neighbours, target, [&](u32 i) { return neighbour(i); },
                                [](u64 word) { return Load::runs(word) ? Load::near(word) + Load::far(word) : ALL; });
    if (least >= settings_.steal_threshold) return false;
    // Two blocks that take and put back what nobody has room for would keep each other awake.
    if (!has_empty<Scope::device>(ctx_, grid_.far_of(target), settings_.queue_capacity)) return false;
    u64 range =
        take<Scope::device>(ctx_, own_far_, settings_.queue_capacity, {settings_.max_steal_batch, 2}, End::back);
    if (range == 0) return false;
    u64 given = 0;
    if (ctx_.leader()) {
      given = put<Scope::device>(ctx_, grid_.far_of(target), settings_.queue_capacity, range);
      if (!given) place(range);
    }
    given = ctx_.shuffle(given, 0);
    offer_count_ += (u32)given;
    if (given != 0) return true;
    // Somebody else was faster.
    look();
    return false;
  }

  // The i-th neighbour of this poll: a window that moves on over all other blocks, so that work spreads to any
  // distance in blocks / neighbours polls.
  GPUSCHED_FN u32 neighbour(u32 i) const {
    u32 others = ctx_.blocks() - 1;
    u32 step = (u32)(((u64)poll_ * settings_.neighbours + i) % others);
    return (ctx_.block() + 1 + step) % ctx_.blocks();
  }

  // The candidate whose entry is the largest, or with LARGEST = false the least, and which it is. Of the least the
  // complement is returned.
  template <bool LARGEST, class Candidate, class Depth>
  GPUSCHED_FN u32 extreme(u32 candidates, u32& which, Candidate candidate, Depth depth_of) {
    u32 best = 0;
    GPUSCHED_LOOP
    for (u32 i = ctx_.lane(); i < candidates; i += ctx_.lanes()) {
      u32 block = candidate(i);
      u32 found = depth_of(ctx_.template load<Order::relaxed, Scope::device>(grid_.table[block]));
      if (!LARGEST) found = ~found;
      if (found > best || i == ctx_.lane()) {
        best = found;
        which = block;
      }
    }
    u32 lane = ctx_.argmax(best);
    which = (u32)ctx_.shuffle(which, lane);
    return (u32)ctx_.shuffle(best, lane);
  }

  GPUSCHED_FN bool keep(u64 range) {
    if (range == 0) return false;
    if (ctx_.leader()) place(range);
    return true;
  }

  // Puts a range into the own queues, come what may: they are full only while others' offers are in them, and the
  // compute warps empty them without this warp's help.
  GPUSCHED_FN void place(u64 range) {
    if (range == 0) return;
    GPUSCHED_LOOP
    while (!put<NEAR>(ctx_, block_.near, Ctx::NEAR_CAPACITY, range) &&
           !put<Scope::device>(ctx_, own_far_, settings_.queue_capacity, range)) {
      ctx_.backoff(settings_.poll_nanos);
    }
  }

  // Looks into the ring, and deals the chunks of a new job to the blocks that run, a part a lane.
  GPUSCHED_FN bool feed() {
    Ring<Ctx>& ring = *grid_.ring;
    u64 chunks = 0;
    bool found = false;
    if (ctx_.leader()) {
      ctx_.template observe<Scope::system>(ring.control->heartbeat, (u64)poll_ + 1);
      chunks = next_job(ctx_, ring, grid_.jobs, next_job_, found);
      if (!found) stop_if_asked(ring);
    }
    found = ctx_.shuffle(found, 0) != 0;
    if (!found) return false;
    chunks = ctx_.shuffle(chunks, 0);
    if (chunks == 0) {
      next_job_++;
      return true;
    }
    // Orders the leader's look at the ring, which acquires, before the other lanes' looks at slot and columns.
    ctx_.sync_warp();
    copy_columns(ctx_, ring, next_job_);
    // Orders the copies of job and columns before the other lanes' puts.
    ctx_.sync_warp();
    u32 parts = smaller(ctx_.blocks(), range_size(chunks));
    GPUSCHED_LOOP
    for (u32 part = ctx_.lane(); part < parts; part += ctx_.lanes()) {
      u64 range = part_of(range_from(chunks), range_until(chunks), part, parts);
      // Another block first for each job, as a small one has parts for few.
      u32 target = ((u32)next_job_ + part) % ctx_.blocks();
      GPUSCHED_LOOP
      for (;;) {
        bool runs = Load::runs(ctx_.template load<Order::relaxed, Scope::device>(grid_.table[target]));
        if (runs && put<Scope::device>(ctx_, grid_.far_of(target), settings_.queue_capacity, range)) break;
        target = (target + 1) % ctx_.blocks();
        if (runs) ctx_.backoff(settings_.poll_nanos);
      }
    }
    next_job_++;
    return true;
  }

  // The host writes stop after its last job: whoever sees it (acquire) and then no job has seen all jobs.
  GPUSCHED_FN void stop_if_asked(Ring<Ctx>& ring) {
    if (ctx_.template load<Order::relaxed, Scope::device>(ring.completed) != next_job_) return;
    if (ctx_.template load<Order::acquire, Scope::system>(ring.control->stop) == 0) return;
    u64 sequence = ctx_.template load<Order::relaxed, Scope::system>(ring.slots[ring.slot_of(next_job_)].sequence);
    if (sequence == next_job_ + 1) return;
    ctx_.template store<Order::relaxed, Scope::device>(ring.stopped, 1);
  }

  GPUSCHED_FN void publish_table(u64 word) {
    if (ctx_.leader()) ctx_.template store<Order::relaxed, Scope::device>(grid_.table[ctx_.block()], word);
  }

  GPUSCHED_FN void publish_mirror() {
    if (grid_.mirror == nullptr || !ctx_.leader()) return;
    BlockMirror<Ctx>& mirror = grid_.mirror[ctx_.block()];
    ctx_.template observe<Scope::system>(mirror.queue_depth, near_depth_ + far_depth_);
    ctx_.template observe<Scope::system>(mirror.capacity, Ctx::NEAR_CAPACITY + settings_.queue_capacity);
    ctx_.template observe<Scope::system>(mirror.processed, ctx_.template peek<Scope::block>(block_.processed));
    ctx_.template observe<Scope::system>(mirror.steal_requests, steals_won_ + steals_empty_);
    ctx_.template observe<Scope::system>(mirror.offer_count, offer_count_);
    ctx_.template observe<Scope::system>(mirror.steals_won, steals_won_);
    ctx_.template observe<Scope::system>(mirror.steals_empty, steals_empty_);
  }

  Ctx& ctx_;
  const Grid<Ctx>& grid_;
  Block<Ctx>& block_;
  const Settings& settings_;
  typename Ctx::Cell64* own_far_;

  // The same in all lanes, but those of the feeder's leader.
  u32 poll_ = 0;
  u32 near_depth_ = 0;
  u32 far_depth_ = 0;
  u32 steals_won_ = 0;
  u32 steals_empty_ = 0;
  u32 offer_count_ = 0;
  bool all_dealt_ = false;
  bool feeds_ = false;
  u64 next_job_ = 0;
};

}  // namespace gpusched

#endif
