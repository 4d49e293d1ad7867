// A block's queue: slots that each hold one range of chunks.
//
// The whole protocol is one rule: *the word is the property*. A slot's word names exactly the chunks that nobody has
// claimed there. Whoever replaces it by a smaller range in one compare-and-set owns the difference; whoever
// replaces 0 by a range has given it away. So any warp of any block may take, and any scheduler warp may put, at any
// time; a word that comes back names the same unclaimed chunks, so a late compare-and-set does no harm; and nothing is
// read but the word itself, so a half-done put or take does not exist. There is no head and no tail: a warp
// looks at 32 slots with one load, one slot a lane.
//
// Orders: a put releases, a take acquires. Chunks are only numbers, but the job that they belong to was written before
// its chunks were put (resident mode), and a thief's put passes that on. A take does not release: it leaves a
// part of what somebody put, and a compare-and-set continues that release sequence.

#ifndef GPUSCHED_QUEUE_CUH
#define GPUSCHED_QUEUE_CUH

#include "range.cuh"

namespace gpusched {

// front: claims. back: what moves to another block, so that victim and thief work far from each other.
enum class End { front, back };

// At most so many chunks, and at most such a part of the range, rounded up: 1 for all of it, 2 for half.
struct Amount {
  u32 most;
  u32 part;
};

// Puts a range into some empty slot. One lane. False if all are full.
template <Scope S, class Ctx>
GPUSCHED_FN bool put(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity, u64 range) {
  GPUSCHED_LOOP
  for (u32 slot = 0; slot < capacity; slot++) {
    u64 expected = 0;
    if (ctx.template compare_exchange<Order::release, S>(slots[slot], expected, range)) return true;
  }
  return false;
}

// Takes from one slot that was seen to hold `word`. One lane. 0 if others took all of it.
template <Scope S, class Ctx>
GPUSCHED_FN u64 take_from(Ctx& ctx, typename Ctx::Cell64& slot, u64 word, Amount amount, End end) {
  GPUSCHED_LOOP
  while (word != 0) {
    u32 from = range_from(word);
    u32 until = range_until(word);
    u32 size = until - from;
    u32 count = smaller(amount.most, (size + amount.part - 1) / amount.part);
    bool back = end == End::back;
    u32 cut = back ? until - count : from + count;
    u64 left = range_of(from, cut);
    u64 right = range_of(cut, until);
    u64 taken = back ? right : left;
    u64 rest = back ? left : right;
    if (ctx.template compare_exchange<Order::acquire, S>(slot, word, rest)) return taken;
  }
  return 0;
}

// Takes a part of some range. The whole warp, and all lanes get the answer. 0 if every slot was seen empty.
template <Scope S, class Ctx>
GPUSCHED_FN u64 take(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity, Amount amount, End end) {
  GPUSCHED_LOOP
  for (u32 base = 0; base < capacity; base += ctx.lanes()) {
    u32 slot = base + ctx.lane();
    u64 seen = slot < capacity ? ctx.template load<Order::relaxed, S>(slots[slot]) : 0;
    GPUSCHED_LOOP
    for (u32 full = ctx.ballot(seen != 0); full != 0; full &= full - 1) {
      u32 lane = ctx.first(full);
      u64 word = ctx.shuffle(seen, lane);
      u64 taken = 0;
      if (ctx.leader()) taken = take_from<S>(ctx, slots[base + lane], word, amount, end);
      taken = ctx.shuffle(taken, 0);
      if (taken != 0) return taken;
    }
  }
  return 0;
}

// True if some slot was seen empty. The whole warp.
template <Scope S, class Ctx>
GPUSCHED_FN bool has_empty(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity) {
  GPUSCHED_LOOP
  for (u32 base = 0; base < capacity; base += ctx.lanes()) {
    u32 slot = base + ctx.lane();
    bool empty = slot < capacity && ctx.template load<Order::relaxed, S>(slots[slot]) == 0;
    if (ctx.ballot(empty) != 0) return true;
  }
  return false;
}

// Chunks queued: each slot's count is exact, one after the other. The whole warp.
template <Scope S, class Ctx>
GPUSCHED_FN u32 depth(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity) {
  u32 mine = 0;
  GPUSCHED_LOOP
  for (u32 slot = ctx.lane(); slot < capacity; slot += ctx.lanes()) {
    mine += range_size(ctx.template load<Order::relaxed, S>(slots[slot]));
  }
  return ctx.sum(mine);
}

}  // namespace gpusched

#endif
