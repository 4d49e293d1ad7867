// Where a block's chunks come from and go to. Each warp claims of the block's own queue, several chunks at once while there is
// plenty. What moves chunks between blocks is a duty that any warp of a block takes when it is due, and gives back at once: when
// the block runs low, and when a warp finds nothing to compute. The warp then takes the next share, steals, offers. It never
// waits for another warp. Idle warps of its block sleep until it gives the duty back; who has something to compute waits for
// nobody but at the kernel's end. Least of all for blocks that have not started: the rows of a launch's jobs are dealt share by
// share, to a block as it starts and again whenever it runs low, until all shares are dealt. In one block of a resident kernel,
// warp 0 does nothing but feed.

#ifndef GPUSCHED_SCHEDULER_CUH
#define GPUSCHED_SCHEDULER_CUH

#include "tally.cuh"

namespace gpusched {

// 0 in all lanes once there is nothing left to do, now or later. The whole warp. Asked by one warp of a block at a time: all blocks
// read these words, and those that compute write them. Relaxed: they publish nothing, for no warp reads another one's results, and
// the host reads them after the kernel's end, or after a job's own completion word.
template <class Ctx>
GPUSCHED_FN u64 unfinished(Ctx& ctx, const Grid<Ctx>& grid) {
  if (grid.ring != nullptr) return ctx.leader() ? ctx.template load<Order::relaxed, Scope::device>(grid.ring->stopped) ^ 1 : 0;
  u64 chunks = 0;
  // Of few jobs, and most launches have one, there is nothing to add up: nobody waits for the word here.
  if (ctx.lane() < grid.job_count) chunks = ctx.template load<Order::relaxed, Scope::device>(grid.jobs[ctx.lane()].remaining);
  GPUSCHED_LOOP
  for (u32 slot = ctx.lane() + ctx.lanes(); slot < grid.job_count; slot += ctx.lanes()) {
    chunks += ctx.template load<Order::relaxed, Scope::device>(grid.jobs[slot].remaining);
  }
  return chunks;
}

// What the warp with the duty has found.
enum Found : u32 {
  NOTHING = 0,    // nothing to claim
  SOMETHING = 1,  // something
  THE_END = 2,    // there is nothing left to do
};

// A block's word for its idle warps: a bit a warp that sleeps, whether a warp has the duty, and whether all leave. One word, so that
// nobody sleeps for ever: a warp falls asleep only as it sees that another one has the duty, and who gives the duty back takes the
// bits of all sleepers with it, and wakes them.
struct Watch {
  static constexpr u64 DUTY = 1ull << 32;
  static constexpr u64 OVER = 1ull << 33;

  GPUSCHED_FN static u32 asleep(u64 word) { return (u32)word; }
};

template <class Ctx>
class BlockScheduler {
 public:
  GPUSCHED_FN BlockScheduler(Ctx& ctx, const Grid<Ctx>& grid, Block<Ctx>& block)
      : ctx_(ctx), grid_(grid), block_(block), settings_(grid.settings), own_far_(grid.far_of(ctx.block())) {}

  // Warp 0, before any warp of the block claims. True if it is the feeder.
  GPUSCHED_FN bool begin() {
    // Told at once: who is seen to run is offered to, and fed.
    publish(0);
    if (grid_.ring == nullptr) {
      bool none;
      u64 share = next_share(none);
      if (ctx_.leader()) ctx_.template store<Order::relaxed, Scope::block>(block_.share, share);
      return false;
    }
    // Whichever block starts first feeds: the others may start late.
    return next_of_cursor() == 0;
  }

  // The warp's part of the block's first share, without a claim. The rest of the share is put by warp 0.
  GPUSCHED_FN u64 first_hand() {
    u64 share = ctx_.leader() ? ctx_.template load<Order::relaxed, Scope::block>(block_.share) : 0;
    share = ctx_.shuffle(share, 0);
    u32 from = range_from(share), until = range_until(share);
    u32 each = smaller(Pace<Ctx>::FIRST, part(until - from));
    u32 rest = smaller(from + each * ctx_.warps(), until);
    left_ = until - rest;
    if (ctx_.warp() == 0) give_back(range_of(rest, until));
    u32 mine = smaller(from + each * ctx_.warp(), until);
    return range_of(mine, smaller(mine + each, until));
  }

  // Takes up to `step` chunks to compute, of the block's own, from where this warp has last seen some, and less and less towards
  // their end. The whole warp. 0 if there are none there: `sees` looks for others.
  GPUSCHED_FN u64 claim(u32 step) {
    if (kept_ != 0) {
      u64 kept = kept_;
      kept_ = 0;
      return kept;
    }
    if (left_ == 0) return 0;
    u32 most = smaller(step, part(left_));
    u64 word = ctx_.leader() ? claim_from_slot(most) : 0;
    word = ctx_.shuffle(word, 0);
    u32 size = range_size(word);
    u32 taken = smaller(size, most);
    left_ = size - taken;
    if (taken == 0) return 0;
    publish(left_);
    return range_of(range_from(word), range_from(word) + taken);
  }

  // True if the block has chunks for the next claim.
  GPUSCHED_FN bool sees() {
    left_ = look();
    return left_ != 0;
  }

  // True if this warp has a range for its next hand that found no room: the duty, and what gives back, would lose it.
  GPUSCHED_FN bool keeps() const { return kept_ != 0; }

  // True if the block's duty is due though there is something to compute.
  GPUSCHED_FN bool due() const {
    return left_ < settings_.steal_threshold || (left_ > settings_.share_threshold && offers());
  }

  // What this warp leaves of its hand goes where all warps of all blocks can take it. It keeps nothing.
  GPUSCHED_FN void give_back(u64 rest) {
    if (rest == 0) return;
    place(rest);
    publish(range_size(rest));
  }

  // The block's duty, if no other warp is at it: once, or, for a warp that `waits`, until there is something. Such a one sleeps while
  // another has the duty, and answers when that has found something.
  GPUSCHED_FN u32 attend(bool waits) {
    u64 other = take_duty(waits ? 1ull << ctx_.warp() : 0);
    if (other != 0) {
      if (!waits) return NOTHING;
      if ((other & Watch::OVER) != 0) return THE_END;
      ctx_.sleep();
      return over() ? THE_END : SOMETHING;
    }
    u32 found;
    GPUSCHED_LOOP
    while ((found = poll()) == NOTHING && waits) ctx_.backoff(settings_.poll_nanos);
    give_duty(found);
    return found;
  }

  // Warp 0 of the block that feeds.
  GPUSCHED_FN void run_feeder() {
    u64 next_job = 0;
    u32 looks = 0;
    GPUSCHED_LOOP
    while (!over()) {
      if (!feed(next_job, ++looks)) ctx_.backoff(settings_.poll_nanos);
    }
  }

  // What the block did, to the host. After the block's last chunk has been computed: claims beyond ends are forgotten.
  GPUSCHED_FN void end() {
    GPUSCHED_LOOP
    for (u32 slot = ctx_.lane(); slot < settings_.queue_capacity; slot += ctx_.lanes()) {
      ctx_.template store<Order::relaxed, Scope::device>(own_far_[slot], 0);
    }
    if (ctx_.leader()) ctx_.template store<Order::relaxed, Scope::device>(grid_.table[ctx_.block()], 0);
    publish_mirror(0);
  }

 private:
  // A warp claims no more at once than one of so many halvings of what is left: eight warps, twice.
  static constexpr u32 GUIDE = 4;
  // Mapped memory is at the other end of a bus that the batches come over: about once a millisecond is enough.
  static constexpr u32 MIRROR_CLOCKS = 1u << 20;

  GPUSCHED_FN static u32 part(u32 chunks) { return chunks >> GUIDE > 1 ? chunks >> GUIDE : 1; }

  // A launch's jobs were there before the kernel: their chunks need no order, which would empty the first-level cache.
  GPUSCHED_FN u64 claim_from_slot(u32 most) {
    return grid_.ring != nullptr ? claim_from<Order::acquire>(ctx_, own_far_[slot_], most)
                                 : claim_from<Order::relaxed>(ctx_, own_far_[slot_], most);
  }

  GPUSCHED_FN bool over() {
    u64 word = ctx_.leader() ? ctx_.template load<Order::relaxed, Scope::block>(block_.watch) : 0;
    return (ctx_.shuffle(word, 0) & Watch::OVER) != 0;
  }

  // 0 if this warp has the duty now. Else what it saw: that all leave, or that another warp has it; then this warp's bit, if it gave one,
  // is among those of the sleepers.
  GPUSCHED_FN u64 take_duty(u64 own_bit) {
    u64 word = 0;
    if (ctx_.leader()) {
      word = ctx_.template load<Order::relaxed, Scope::block>(block_.watch);
      GPUSCHED_LOOP
      for (;;) {
        bool taken = (word & (Watch::DUTY | Watch::OVER)) != 0;
        if ((word & Watch::OVER) != 0 || (taken && own_bit == 0)) break;
        u64 next = word | (taken ? own_bit : Watch::DUTY);
        if (ctx_.template compare_exchange<Order::acquire, Scope::block>(block_.watch, word, next)) break;
      }
      word &= Watch::DUTY | Watch::OVER;
    }
    return ctx_.shuffle(word, 0);
  }

  // Wakes all that sleep, whatever was found: who gives the duty back may have a hand to compute, and then another one is to look.
  GPUSCHED_FN void give_duty(u32 found) {
    u64 word = 0;
    if (ctx_.leader()) {
      word = ctx_.template load<Order::relaxed, Scope::block>(block_.watch);
      u64 next = found == THE_END ? Watch::OVER : 0;
      GPUSCHED_LOOP
      while (!ctx_.template compare_exchange<Order::release, Scope::block>(block_.watch, word, next)) {
      }
    }
    u32 woken = Watch::asleep(ctx_.shuffle(word, 0));
    GPUSCHED_LOOP
    for (; woken != 0; woken &= woken - 1) ctx_.wake(ctx_.first(woken));
  }
  GPUSCHED_FN u32 count(typename Ctx::template Plain<u32>& field) {
    u32 before = ctx_.get_alone(field);
    ctx_.set_alone(field, before + 1);
    return before;
  }

  // Puts a range into the own queue. Where that is full of what others have offered, this warp keeps it for its next hand: it
  // keeps no other.
  GPUSCHED_FN void place(u64 range) {
    if (range == 0) return;
    u64 placed = 0;
    if (ctx_.leader()) placed = put(ctx_, own_far_, settings_.queue_capacity, range);
    if (ctx_.shuffle(placed, 0) == 0) kept_ = range;
  }

  // Counts the block's chunks, tells of them, and finds some for the next claim. The whole warp.
  GPUSCHED_FN u32 look() {
    u32 total = depth(ctx_, own_far_, settings_.queue_capacity, slot_);
    publish(total);
    return total;
  }

  // One look at the own queue and the neighbours, with the duty.
  GPUSCHED_FN u32 poll() {
    // Read here, and looked at after the queue has been: neither is waited for alone.
    u64 left = unfinished(ctx_, grid_);
    u32 polls = 0;
    if (ctx_.leader()) polls = count(block_.moves.polls);
    polls = (u32)ctx_.shuffle(polls, 0);
    u32 total = look();
    if (grid_.ring != nullptr) tell(total);
    if (total == 0 && ctx_.ballot(left != 0) == 0) return THE_END;
    if (total < settings_.steal_threshold && (deal_share() || (steals() && steal(total, polls)))) return SOMETHING;
    if (total > settings_.share_threshold && offers()) offer(polls);
    return total != 0 ? SOMETHING : NOTHING;
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

  // The next share of a launch's chunks that no block has taken; 0 if there is `none`, or it is empty. As many shares as blocks: where
  // all blocks start at once, each has one. Where a job has fewer chunks than shares, some are empty.
  GPUSCHED_FN u64 next_share(bool& none) {
    // Read before the answer is there. Most launches have one job.
    u64 rows = ctx_.get(grid_.jobs[0].rows);
    u32 chunk_rows = ctx_.get(grid_.jobs[0].chunk_rows);
    u64 next = next_of_cursor();
    none = next >= ctx_.blocks();
    if (none) return 0;
    u32 share = (u32)next;
    u32 slot = 0, first = 0, end = ctx_.blocks();
    if (grid_.job_count > 1) {
      slot = job_of_share(share);
      Job<Ctx>& job = grid_.jobs[slot];
      rows = ctx_.get(job.rows);
      chunk_rows = ctx_.get(job.chunk_rows);
      first = ctx_.get(job.first_share);
      if (slot + 1 < grid_.job_count) end = ctx_.get(grid_.jobs[slot + 1].first_share);
    }
    u32 chunks = (u32)chunks_of(rows, chunk_rows);
    u64 range = part_of(0, chunks, share - first, end - first);
    return range == 0 ? 0 : range + ((u64)(slot << JOB_SHIFT) << 32 | slot << JOB_SHIFT);
  }

  // Jobs are in the order of their first shares: that of a share is the last one that begins at it or before. The whole warp.
  GPUSCHED_FN u32 job_of_share(u32 share) {
    u32 begun = 0;
    GPUSCHED_LOOP
    for (u32 base = 0; base < grid_.job_count; base += ctx_.lanes()) {
      u32 slot = base + ctx_.lane();
      bool begins = slot < grid_.job_count && ctx_.get(grid_.jobs[slot].first_share) <= share;
      begun += ctx_.count(ctx_.ballot(begins));
    }
    return begun - 1;
  }

  // False if all shares have been dealt.
  GPUSCHED_FN bool deal_share() {
    if (grid_.ring != nullptr) return false;
    u64 dealt = 0;
    if (ctx_.leader()) dealt = ctx_.get_alone(block_.moves.all_dealt);
    if (ctx_.shuffle(dealt, 0) != 0) return false;
    bool none;
    u64 share = next_share(none);
    // Not after an empty one: the next may be that of a block which starts when this one has ended.
    if (none && ctx_.leader()) ctx_.set_alone(block_.moves.all_dealt, 1);
    place(share);
    return !none;
  }

  GPUSCHED_FN bool steal(u32 own_depth, u32 polls) {
    // A block that still has work leaves those alone that are not above shareThreshold. One that has none takes from
    // whoever has stealThreshold: else up to shareThreshold chunks would be left to one block at the end. But not the
    // last chunk: two blocks would take it from each other for ever.
    u32 for_idle = settings_.steal_threshold > 2 ? settings_.steal_threshold - 1 : 1;
    u32 above = own_depth == 0 ? for_idle : settings_.share_threshold;
    u64 range = 0;
    bool tried = false;
    if constexpr (Ctx::CLUSTER > 1) range = steal_within_cluster(above, polls, tried);
    if (!tried) range = steal_anywhere(above, polls, tried);
    if (!tried) return false;
    if (ctx_.leader()) count(range != 0 ? block_.moves.steals_won : block_.moves.steals_empty);
    place(range);
    return range != 0;
  }

  // Blocks of a cluster are near each other.
  GPUSCHED_FN u64 steal_within_cluster(u32 above, u32 polls, bool& tried) {
    u32 rank = ctx_.cluster_rank();
    u32 first = ctx_.block() - rank;
    u32 candidates = smaller(settings_.neighbours, Ctx::CLUSTER - 1);
    return steal_from(candidates, above, tried,
                      [&](u32 i) { return first + (rank + 1 + (polls + i) % (Ctx::CLUSTER - 1)) % Ctx::CLUSTER; });
  }

  GPUSCHED_FN u64 steal_anywhere(u32 above, u32 polls, bool& tried) {
    return steal_from(settings_.neighbours, above, tried, [&](u32 i) { return neighbour(i, polls); });
  }

  template <class Candidate>
  GPUSCHED_FN u64 steal_from(u32 candidates, u32 above, bool& tried, Candidate candidate) {
    u32 victim = 0;
    u32 most = extreme<true>(candidates, victim, candidate, [](u64 word) { return Load::chunks(word); });
    if (most <= above) return 0;
    tried = true;
    return take(ctx_, grid_.far_of(victim), settings_.queue_capacity, settings_.max_steal_batch);
  }

  GPUSCHED_FN void offer(u32 polls) {
    u32 target = 0;
    u32 least = ~extreme<false>(settings_.neighbours, target, [&](u32 i) { return neighbour(i, polls); },
                                [](u64 word) { return Load::runs(word) ? Load::chunks(word) : ALL; });
    if (least >= settings_.steal_threshold) return;
    // Two blocks that take and put back what nobody has room for would keep each other awake.
    if (!has_empty(ctx_, grid_.far_of(target), settings_.queue_capacity)) return;
    u64 range = take(ctx_, own_far_, settings_.queue_capacity, settings_.max_steal_batch);
    if (range == 0) return;
    u64 given = 0;
    if (ctx_.leader()) {
      given = put(ctx_, grid_.far_of(target), settings_.queue_capacity, range);
      if (given) count(block_.moves.offers);
    }
    given = ctx_.shuffle(given, 0);
    // Somebody else was faster.
    if (given == 0) place(range);
    look();
  }

  // The i-th neighbour of this poll: a window that moves on over all other blocks, so that work spreads to any
  // distance in blocks / neighbours polls.
  GPUSCHED_FN u32 neighbour(u32 i, u32 polls) const {
    u32 others = ctx_.blocks() - 1;
    u32 step = (u32)(((u64)polls * settings_.neighbours + i) % others);
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

  // Looks into the ring, and deals the chunks of a new job to the blocks that run, a part a lane.
  GPUSCHED_FN bool feed(u64& next_job, u32 looks) {
    Ring<Ctx>& ring = *grid_.ring;
    u64 chunks = 0;
    bool found = false;
    if (ctx_.leader()) {
      ctx_.template observe<Scope::system>(ring.control->heartbeat, (u64)looks);
      chunks = gpusched::next_job(ctx_, ring, grid_.jobs, next_job, found);
      if (!found) stop_if_asked(ring, next_job);
    }
    found = ctx_.shuffle(found, 0) != 0;
    if (!found) return false;
    chunks = ctx_.shuffle(chunks, 0);
    if (chunks == 0) {
      next_job++;
      return true;
    }
    // Orders the leader's look at the ring, which acquires, before the other lanes' looks at slot and columns.
    ctx_.sync_warp();
    copy_columns(ctx_, ring, next_job);
    // Orders the copies of job and columns before the other lanes' puts.
    ctx_.sync_warp();
    u32 parts = smaller(ctx_.blocks(), range_size(chunks));
    GPUSCHED_LOOP
    for (u32 part = ctx_.lane(); part < parts; part += ctx_.lanes()) {
      u64 range = part_of(range_from(chunks), range_until(chunks), part, parts);
      // Another block first for each job, as a small one has parts for few.
      u32 target = ((u32)next_job + part) % ctx_.blocks();
      GPUSCHED_LOOP
      for (;;) {
        bool runs = Load::runs(ctx_.template load<Order::relaxed, Scope::device>(grid_.table[target]));
        if (runs && put(ctx_, grid_.far_of(target), settings_.queue_capacity, range)) break;
        target = (target + 1) % ctx_.blocks();
        if (runs) ctx_.backoff(settings_.poll_nanos);
      }
    }
    next_job++;
    return true;
  }

  // The host writes stop after its last job: whoever sees it (acquire) and then no job has seen all jobs.
  GPUSCHED_FN void stop_if_asked(Ring<Ctx>& ring, u64 next_job) {
    if (ctx_.template load<Order::relaxed, Scope::device>(ring.completed) != next_job) return;
    if (ctx_.template load<Order::acquire, Scope::system>(ring.control->stop) == 0) return;
    u64 sequence = ctx_.template load<Order::relaxed, Scope::system>(ring.slots[ring.slot_of(next_job)].sequence);
    if (sequence == next_job + 1) return;
    ctx_.template store<Order::relaxed, Scope::device>(ring.stopped, 1);
  }

  GPUSCHED_FN void publish(u32 chunks) {
    if (ctx_.leader()) ctx_.template store<Order::relaxed, Scope::device>(grid_.table[ctx_.block()], Load::of(chunks));
  }

  // The mirror of a kernel that stays, now and then.
  GPUSCHED_FN void tell(u32 total) {
    if (!ctx_.leader() || ctx_.clock() - ctx_.get_alone(block_.moves.told) < MIRROR_CLOCKS) return;
    ctx_.set_alone(block_.moves.told, ctx_.clock());
    publish_mirror(total);
  }

  GPUSCHED_FN void publish_mirror(u32 total) {
    if (grid_.mirror == nullptr || !ctx_.leader()) return;
    BlockMirror<Ctx>& mirror = grid_.mirror[ctx_.block()];
    Moves<Ctx>& moves = block_.moves;
    u32 won = ctx_.get_alone(moves.steals_won), empty = ctx_.get_alone(moves.steals_empty);
    u32 offers = ctx_.get_alone(moves.offers);
    ctx_.template observe<Scope::system>(mirror.queue_depth, total);
    ctx_.template observe<Scope::system>(mirror.capacity, settings_.queue_capacity);
    ctx_.template observe<Scope::system>(mirror.processed, ctx_.template peek<Scope::block>(block_.processed));
    ctx_.template observe<Scope::system>(mirror.steal_requests, won + empty);
    ctx_.template observe<Scope::system>(mirror.offer_count, offers);
    ctx_.template observe<Scope::system>(mirror.steals_won, won);
    ctx_.template observe<Scope::system>(mirror.steals_empty, empty);
  }

  Ctx& ctx_;
  const Grid<Ctx>& grid_;
  Block<Ctx>& block_;
  const Settings& settings_;
  typename Ctx::Cell64* own_far_;

  // The slot that this warp claims of, and the chunks that it last saw there. The same in all lanes.
  u32 slot_ = 0;
  u32 left_ = 0;
  u64 kept_ = 0;  // found no slot
};

}  // namespace gpusched

#endif
