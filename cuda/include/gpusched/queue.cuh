// A block's queue: slots in device memory that each hold one range of chunks.
//
// The whole protocol is one rule: *the word is the property*. A slot's word names exactly the chunks that nobody has
// claimed there. Whoever replaces it by a smaller range in one atomic operation owns the difference; whoever replaces an empty
// one by a range has given it away. So any warp of any block may claim, take and put, at any time; a word that comes back names
// the same unclaimed chunks, so a late compare-and-set does no harm; and nothing is read but the word itself, so a half-done put
// or take does not exist. There is no head and no tail: a warp looks at 32 slots with one load, one slot a lane.
//
// The block's own warps claim from the front, by adding to where the range begins: one operation, whatever others do meanwhile.
// What they add beyond the range's end is nobody's: a word whose range would begin at or after its end is an empty one. Thieves
// take from the back, by compare-and-set.
//
// Orders: a put releases, a claim and a take acquire. Chunks are only numbers, but the job that they belong to was written before
// its chunks were put (resident mode), and a thief's put passes that on. Neither claim nor take releases: they leave a part of
// what somebody put, and an atomic operation continues that release sequence.

#ifndef GPUSCHED_QUEUE_CUH
#define GPUSCHED_QUEUE_CUH

#include "range.cuh"

namespace gpusched {

// Puts a range into some empty slot. One lane. False if all are full.
template <class Ctx>
GPUSCHED_FN bool put(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity, u64 range) {
  GPUSCHED_LOOP
  for (u32 slot = 0; slot < capacity; slot++) {
    u64 word = ctx.template load<Order::relaxed, Scope::device>(slots[slot]);
    GPUSCHED_LOOP
    while (range_size(word) == 0) {
      if (ctx.template compare_exchange<Order::release, Scope::device>(slots[slot], word, range)) return true;
    }
  }
  return false;
}

// Claims up to `most` chunks from the front of a slot. One lane. Answers with the word that it found: the first `most` of its
// chunks, or as many as there are, are the caller's.
template <Order O, class Ctx>
GPUSCHED_FN u64 claim_from(Ctx& ctx, typename Ctx::Cell64& slot, u32 most) {
  return ctx.template fetch_add<O, Scope::device>(slot, (u64)most << 32);
}

// Takes half of a slot's range, rounded up, and no more than `most`, from its back. One lane. 0 if there is nothing.
template <class Ctx>
GPUSCHED_FN u64 take_from(Ctx& ctx, typename Ctx::Cell64& slot, u64 word, u32 most) {
  GPUSCHED_LOOP
  while (range_size(word) != 0) {
    u32 from = range_from(word);
    u32 until = range_until(word);
    u32 cut = until - smaller(most, (until - from + 1) / 2);
    if (ctx.template compare_exchange<Order::acquire, Scope::device>(slot, word, range_of(from, cut))) {
      return range_of(cut, until);
    }
  }
  return 0;
}

// Likewise from some slot. The whole warp, and all lanes get the answer. 0 if every slot was seen empty.
template <class Ctx>
GPUSCHED_FN u64 take(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity, u32 most) {
  GPUSCHED_LOOP
  for (u32 base = 0; base < capacity; base += ctx.lanes()) {
    u32 slot = base + ctx.lane();
    u64 seen = slot < capacity ? ctx.template load<Order::relaxed, Scope::device>(slots[slot]) : 0;
    GPUSCHED_LOOP
    for (u32 full = ctx.ballot(range_size(seen) != 0); full != 0; full &= full - 1) {
      u32 lane = ctx.first(full);
      u64 word = ctx.shuffle(seen, lane);
      u64 taken = 0;
      if (ctx.leader()) taken = take_from(ctx, slots[base + lane], word, most);
      taken = ctx.shuffle(taken, 0);
      if (taken != 0) return taken;
    }
  }
  return 0;
}

// True if some slot was seen empty. The whole warp.
template <class Ctx>
GPUSCHED_FN bool has_empty(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity) {
  GPUSCHED_LOOP
  for (u32 base = 0; base < capacity; base += ctx.lanes()) {
    u32 slot = base + ctx.lane();
    bool empty = slot < capacity && range_size(ctx.template load<Order::relaxed, Scope::device>(slots[slot])) == 0;
    if (ctx.ballot(empty) != 0) return true;
  }
  return false;
}

// Chunks queued: each slot's count is exact, one after the other. `some` becomes a slot that has any, if one has. The whole warp.
template <class Ctx>
GPUSCHED_FN u32 depth(Ctx& ctx, typename Ctx::Cell64* slots, u32 capacity, u32& some) {
  u32 mine = 0, which = 0;
  GPUSCHED_LOOP
  for (u32 slot = ctx.lane(); slot < capacity; slot += ctx.lanes()) {
    u32 size = range_size(ctx.template load<Order::relaxed, Scope::device>(slots[slot]));
    mine += size;
    if (size != 0) which = slot;
  }
  u32 full = ctx.ballot(mine != 0);
  if (full == 0) return 0;
  some = (u32)ctx.shuffle(which, ctx.first(full));
  return ctx.sum(mine);
}

}  // namespace gpusched

#endif
