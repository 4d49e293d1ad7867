// The memory of one kernel, as the host of a GPU allocates it; for any host context.

#pragma once

#include <memory>
#include <vector>

#include "gpusched/kernel.cuh"
#include "one_lane.h"

namespace check {

// A job of a launch, of whatever columns.
struct LaunchJob {
  u64 rows;
  u32 chunk_rows;
  u32 first_share = 0;
};

template <class Ctx>
struct HostGrid {
  HostGrid(gpusched::Settings settings, u32 blocks)
      : blocks(blocks), far(blocks * settings.queue_capacity), table(blocks), mirror(blocks), jobs(1), block(blocks) {
    grid.settings = settings;
    grid.far = far.data();
    grid.table = table.data();
    grid.mirror = mirror.data();
    grid.jobs = jobs.data();
    grid.cursor = &cursor;
    grid.ring = nullptr;
  }

  // Before a launch.
  void begin(u64 rows, u32 chunk_rows) { begin({{rows, chunk_rows}}); }
  void begin(const std::vector<LaunchJob>& wanted) {
    jobs.resize(wanted.size());
    for (size_t i = 0; i < wanted.size(); i++) {
      gpusched::Job<Ctx>& job = jobs[i];
      job.rows = wanted[i].rows;
      job.first_row = 0;
      job.columns = 0;
      job.sequence = 0;
      job.chunk_rows = wanted[i].chunk_rows;
      job.first_share = wanted[i].first_share;
      job.remaining = gpusched::chunks_of(job.rows, job.chunk_rows);
    }
    grid.jobs = jobs.data();
    grid.job_count = static_cast<u32>(wanted.size());
    cursor = 0;
  }

  // For resident runs.
  void make_ring(u32 capacity) {
    slots.resize(capacity);
    jobs.resize(capacity);
    columns.resize(capacity * gpusched::MAX_COLUMN_WORDS);
    ring.columns = columns.data();
    grid.jobs = jobs.data();
    ring.slots = slots.data();
    ring.control = &control;
    ring.capacity = capacity;
    grid.ring = &ring;
  }

  // Before a resident run: all of what the host and the feeder count from 0.
  void reset_ring() {
    for (auto& slot : slots) slot = {};
    control = {};
    cursor = 0;
    ring.completed = 0;
    ring.stopped = 0;
  }

  // What must hold after every kernel; the next launch relies on it.
  void check_end(const char* name, u64 rows) const {
    for (u64 slot : far) {
      if (slot != 0) fail(name, "a range is left in a queue");
    }
    for (u64 entry : table) {
      if (entry != 0) fail(name, "an entry of the load table is not 0 at the end");
    }
    if (grid.ring == nullptr) {
      for (u32 job = 0; job < grid.job_count; job++) {
        if (jobs[job].remaining != 0) fail(name, "chunks are not counted");
      }
    }
    u64 processed = 0;
    for (const auto& entry : mirror) {
      processed += entry.processed;
      if (entry.queue_depth != 0) fail(name, "the mirror shows chunks at the end");
      if (entry.steal_requests != entry.steals_won + entry.steals_empty) fail(name, "steals tried != won + empty");
    }
    if (processed != rows) fail(name, "the rows processed by the blocks are not the rows");
  }

  u32 steals_won() const {
    u32 sum = 0;
    for (const auto& entry : mirror) sum += entry.steals_won;
    return sum;
  }
  u32 steals_empty() const {
    u32 sum = 0;
    for (const auto& entry : mirror) sum += entry.steals_empty;
    return sum;
  }
  u32 offers() const {
    u32 sum = 0;
    for (const auto& entry : mirror) sum += entry.offer_count;
    return sum;
  }

  u32 blocks;
  std::vector<u64> far;
  std::vector<u64> table;
  std::vector<gpusched::BlockMirror<Ctx>> mirror;
  std::vector<gpusched::Job<Ctx>> jobs;
  std::vector<gpusched::Block<Ctx>> block;
  std::vector<gpusched::RingSlot<Ctx>> slots;
  std::vector<u64> columns;  // the feeder's copies
  gpusched::RingControl<Ctx> control{};
  gpusched::Ring<Ctx> ring{};
  u64 cursor = 0;
  gpusched::Grid<Ctx> grid{};
};

}  // namespace check
