// A range of chunks [from, until) in one 64-bit word: what is queued, claimed, stolen and offered.
//
// A chunk is job.chunk_rows consecutive rows. Its number is 8 bits of job slot and 24 bits of place within the job, so
// a range never spans two jobs. A word whose range would begin at or after its end is empty; 0 is one of those.

#ifndef GPUSCHED_RANGE_CUH
#define GPUSCHED_RANGE_CUH

#include "base.cuh"

namespace gpusched {

constexpr u32 JOB_SHIFT = 24;
constexpr u32 MAX_JOBS = 256;
constexpr u32 PLACES = (1u << JOB_SHIFT) - 1;
// So many less than there are places that claims beyond a range's end (queue.cuh) never come to the end of 32 bits.
constexpr u32 MAX_CHUNKS = PLACES - (1u << 16);
constexpr u32 ALL = 0xFFFFFFFFu;

GPUSCHED_PURE u64 range_of(u32 from, u32 until) { return from < until ? (u64)from << 32 | until : 0; }
GPUSCHED_PURE u32 range_from(u64 range) { return (u32)(range >> 32); }
GPUSCHED_PURE u32 range_until(u64 range) { return (u32)range; }
GPUSCHED_PURE u32 range_size(u64 range) {
  return range_from(range) < range_until(range) ? range_until(range) - range_from(range) : 0;
}

GPUSCHED_PURE u32 job_of(u32 chunk) { return chunk >> JOB_SHIFT; }
GPUSCHED_PURE u32 place_of(u32 chunk) { return chunk & PLACES; }

// Chunks of so many rows; the host keeps it at or below MAX_CHUNKS by its choice of chunk_rows.
GPUSCHED_PURE u64 chunks_of(u64 rows, u32 chunk_rows) { return rows / chunk_rows + (rows % chunk_rows != 0); }

// The least chunk that many rows can be dealt in.
GPUSCHED_PURE u64 least_chunk_rows(u64 rows) { return rows == 0 ? 1 : (rows - 1) / MAX_CHUNKS + 1; }

// Part i of n of [from, until): the parts follow each other, cover the range, and differ by at most 1.
GPUSCHED_PURE u64 part_of(u32 from, u32 until, u32 i, u32 n) {
  u64 size = until - from;
  return range_of(from + (u32)(size * i / n), from + (u32)(size * (i + 1) / n));
}

}  // namespace gpusched

#endif
