// Resident mode: the host feeds jobs to a kernel that is already running, through a ring in mapped host memory.
//
// One host thread produces; one warp of the device, the feeder (the scheduler warp of block 0), consumes and deals a
// job's chunks to the blocks' queues. The ring is bounded: slot i % capacity serves job i, and the host writes
// job i only after job i - capacity is done. A slot's sequence says which job it holds, its completion which is done:
// each is i + 1, so 0 is "none yet".

#ifndef GPUSCHED_RING_CUH
#define GPUSCHED_RING_CUH

#include "grid.cuh"

namespace gpusched {

// Columns of a job: a result, a guard, and Spark's most arguments of a UDF; each 4 words (columns.cuh).
constexpr u32 MAX_COLUMN_WORDS = (2 + 22) * 4;

// In mapped host memory, 128 bytes: a cache line that the host writes, and one that the device writes.
template <class Ctx>
struct alignas(64) RingSlot {
  template <class T>
  using Plain = typename Ctx::template Plain<T>;

  typename Ctx::Cell64 sequence;  // host, release, after the fields below
  Plain<u64> rows;
  Plain<u64> first_row;
  Plain<u64> columns;
  Plain<u64> chunk_rows;
  Plain<u64> column_words;  // words at `columns` that the feeder copies: rows do not read them over the bus. 0: none
  alignas(64) typename Ctx::Cell64 done;  // device, release: every result of the job is there
};

// In mapped host memory.
template <class Ctx>
struct alignas(64) RingControl {
  typename Ctx::Cell64 stop;                   // host: 1 = end once all jobs in the ring are done
  alignas(64) typename Ctx::Cell64 heartbeat;  // feeder: grows with each look into the ring
};

// In device memory.
template <class Ctx>
struct Ring {
  RingSlot<Ctx>* slots;
  RingControl<Ctx>* control;
  u64 capacity;                      // a power of two, at most MAX_JOBS
  typename Ctx::Cell64 completed;    // jobs done
  typename Ctx::Cell64 stopped;      // 1: the feeder has seen stop, and all jobs are done
  typename Ctx::template Plain<u64>* columns;  // MAX_COLUMN_WORDS a slot, written by the feeder

  GPUSCHED_FN u32 slot_of(u64 job) const { return (u32)(job & (capacity - 1)); }
};

// Host: true if job number `job` may be offered, because the job before it in its slot is done. Acquire: that job's
// results are then there, and the device reads its fields no more.
template <class Ctx>
GPUSCHED_FN bool is_done(Ctx& ctx, Ring<Ctx>& ring, u64 job) {
  return ctx.template load<Order::acquire, Scope::system>(ring.slots[ring.slot_of(job)].done) >= job + 1;
}

template <class Ctx>
GPUSCHED_FN bool has_room(Ctx& ctx, Ring<Ctx>& ring, u64 job) {
  return job < ring.capacity || is_done(ctx, ring, job - ring.capacity);
}

// Host: offers a job; there must be room.
template <class Ctx>
GPUSCHED_FN void offer_job(Ctx& ctx, Ring<Ctx>& ring, u64 job, u64 rows, u64 first_row, u64 columns, u64 column_words,
                           u64 chunk_rows) {
  RingSlot<Ctx>& slot = ring.slots[ring.slot_of(job)];
  ctx.set(slot.rows, rows);
  ctx.set(slot.first_row, first_row);
  ctx.set(slot.columns, columns);
  ctx.set(slot.column_words, column_words);
  ctx.set(slot.chunk_rows, chunk_rows);
  ctx.template store<Order::release, Scope::system>(slot.sequence, job + 1);
}

// Device, one lane: the job is done. Release: its results come before this word.
template <class Ctx>
GPUSCHED_FN void complete(Ctx& ctx, Ring<Ctx>& ring, u64 job) {
  ctx.template store<Order::release, Scope::system>(ring.slots[ring.slot_of(job)].done, job + 1);
  // Only counts, for the feeder; it reads no result.
  ctx.template fetch_add<Order::relaxed, Scope::device>(ring.completed, 1);
}

// Device, the feeder's leader: copies job number `job` into its place in device memory. Empty if it is not there yet.
// Answers with the job's chunks, whose columns are still to be copied; a job without rows is done at once.
template <class Ctx>
GPUSCHED_FN u64 next_job(Ctx& ctx, Ring<Ctx>& ring, Job<Ctx>* jobs, u64 job, bool& found) {
  u32 index = ring.slot_of(job);
  RingSlot<Ctx>& slot = ring.slots[index];
  found = ctx.template load<Order::acquire, Scope::system>(slot.sequence) == job + 1;
  if (!found) return 0;
  u64 rows = ctx.get(slot.rows);
  u32 chunk_rows = (u32)ctx.get(slot.chunk_rows);
  Job<Ctx>& into = jobs[index];
  ctx.set(into.rows, rows);
  ctx.set(into.first_row, (u64)ctx.get(slot.first_row));
  bool copied = ctx.get(slot.column_words) != 0;
  ctx.set(into.columns, copied ? (u64)(ring.columns + index * MAX_COLUMN_WORDS) : (u64)ctx.get(slot.columns));
  ctx.set(into.sequence, job);
  ctx.set(into.chunk_rows, chunk_rows);
  u32 chunks = (u32)chunks_of(rows, chunk_rows);
  // Published by the puts of the job's chunks.
  ctx.template store<Order::relaxed, Scope::device>(into.remaining, (u64)chunks);
  if (chunks == 0) complete(ctx, ring, job);
  return range_of(index << JOB_SHIFT, (index << JOB_SHIFT) + chunks);
}

// Device, the whole warp: copies a job's columns to its place in device memory. The job that had the place is done.
template <class Ctx>
GPUSCHED_FN void copy_columns(Ctx& ctx, Ring<Ctx>& ring, u64 job) {
  using Word = typename Ctx::template Plain<u64>;
  RingSlot<Ctx>& slot = ring.slots[ring.slot_of(job)];
  u32 words = (u32)ctx.get(slot.column_words);
  const Word* from = (const Word*)(u64)ctx.get(slot.columns);
  Word* into = ring.columns + ring.slot_of(job) * MAX_COLUMN_WORDS;
  GPUSCHED_LOOP
  for (u32 word = ctx.lane(); word < words; word += ctx.lanes()) ctx.set(into[word], (u64)ctx.get(from[word]));
}

}  // namespace gpusched

#endif
