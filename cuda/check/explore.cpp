// The whole protocol at a small size, in all schedules with few deviations and in random ones (explorer.h).
//
//   explore [check]      one check by its name, or all
//
// Each check says what must have happened in some of its schedules: one in which nobody steals shows nothing of
// stealing.

#include <algorithm>
#include <cstring>

#include "explorer.h"
#include "host_grid.h"

namespace {

using namespace check;

struct Wants {
  bool steal = false;
  bool steal_near = false;  // within a cluster
  bool offer = false;
  bool all_looked = true;  // each block at each other one
  bool in_vain = false;     // from a block that had nothing left
  bool of_others = false;   // a steal of another job than that of the block's first share
};

struct Thresholds {
  u32 steal = 1;
  u32 share = 2;
  u32 batch = 2;  // most chunks of a steal or an offer
};

struct Case {
  const char* name;
  u32 strategy;
  u32 blocks;
  u32 warps;  // of a block
  u64 rows;
  u32 chunk_rows;
  u32 deviations;
  Wants wants = {};
  std::vector<u64> jobs = {};  // resident: the rows of each, through a ring of two slots
  u32 queue_capacity = 2;
  u32 slots = 0;  // blocks that run at once, a multiple of the cluster's; the others start as blocks end. 0: all
  bool in_steps = false;
  Thresholds thresholds = {};
  // A launch of several jobs, in place of rows and chunk_rows.
  std::vector<LaunchJob> launch = {};
};

// LANES = 1: a fiber a warp. More: a fiber a lane.
template <u32 CLUSTER, u32 LANES>
class Run {
 public:
  using Wide = WideContext<CLUSTER, LANES>;
  using Ctx = std::conditional_t<LANES == 1, FiberContext<CLUSTER>, Wide>;

  explicit Run(const Case& c) : case_(c), grid_(settings(c), c.blocks), arrived_(c.blocks), sleeps_(c.blocks * c.warps), exited_(c.blocks),
                                 looked_(c.blocks, std::vector<bool>(c.blocks)), started_(c.blocks / CLUSTER) {
    if (!c.jobs.empty()) grid_.make_ring(2);
  }

  // The GPU starts blocks in any order, as room for them comes free.
  std::vector<std::function<void()>> start() {
    begin();
    std::vector<std::function<void()>> warps;
    if (!case_.jobs.empty()) warps.push_back([this] { feed(); });
    for (u32 block = 0; block < case_.blocks; block++) {
      for (u32 warp = 0; warp < case_.warps; warp++) {
        for (u32 lane = 0; lane < LANES; lane++) warps.push_back([this, block, warp, lane] { run(block, warp, lane); });
      }
    }
    return warps;
  }

  void end() {
    for (u64 job = 0; job < counts_.size(); job++) check_rows(job);
    grid_.check_end(case_.name, total_rows());
    won += grid_.steals_won();
    empty += grid_.steals_empty();
    offers += grid_.offers();
  }

  bool all_looked() const {
    for (u32 i = 0; i < case_.blocks; i++) {
      for (u32 j = 0; j < case_.blocks; j++) {
        if (i != j && !looked_[i][j]) return false;
      }
    }
    return true;
  }

  u64 won = 0;
  u64 empty = 0;
  u64 offers = 0;
  u64 near = 0;
  u64 of_others = 0;
  u64 claims = 0;
  u64 began = 0;  // rows in steps
  u64 steps = 0;

 private:
  static gpusched::Settings settings(const Case& c) {
    gpusched::Settings settings;
    settings.strategy = c.strategy;
    settings.steal_threshold = c.thresholds.steal;
    settings.share_threshold = c.thresholds.share;
    settings.max_steal_batch = c.thresholds.batch;
    settings.neighbours = LANES == 1 ? 1 : 2;
    settings.queue_capacity = c.queue_capacity;
    return settings;
  }

  void begin() {
    counts_.clear();
    if (case_.jobs.empty()) {
      std::vector<LaunchJob> launch = case_.launch;
      if (launch.empty()) launch.push_back({case_.rows, case_.chunk_rows});
      grid_.begin(launch);
      for (u64 job = 0; job < launch.size(); job++) {
        counts_.push_back(std::vector<u32>(launch[job].rows));
        grid_.jobs[job].columns = job;
      }
      // What lies behind the jobs is none of them.
      gpusched::Job<Ctx> none{};
      none.chunk_rows = 1;
      none.remaining = 1;
      grid_.jobs.insert(grid_.jobs.end(), LANES, none);
      grid_.grid.jobs = grid_.jobs.data();
    } else {
      for (u64 rows : case_.jobs) counts_.push_back(std::vector<u32>(rows));
      grid_.reset_ring();
    }
    std::fill(grid_.mirror.begin(), grid_.mirror.end(), gpusched::BlockMirror<Ctx>{});
    std::fill(arrived_.begin(), arrived_.end(), 0);
    std::fill(sleeps_.begin(), sleeps_.end(), typename Ctx::Sleep{});
    std::fill(exited_.begin(), exited_.end(), 0);
    std::fill(started_.begin(), started_.end(), false);
    running_ = 0;
    warps_.assign(case_.blocks * case_.warps, {});
    for (auto& block : grid_.block) lose(block);
  }

  // Shared memory holds anything before a block begins and after it has ended.
  static void lose(gpusched::Block<Ctx>& block) {
    block.share = gpusched::range_of(9000, 9001);
    block.processed = 9000;
    block.watch = gpusched::Watch::DUTY | gpusched::Watch::OVER | 1;
    block.moves = {9, 9, 9, 9, 9, 9};
  }

  u64 total_rows() const {
    u64 sum = 0;
    for (const auto& job : counts_) sum += job.size();
    return sum;
  }

  void check_rows(u64 job) const {
    for (u32 count : counts_[job]) {
      if (count != 1) fail(case_.name, count == 0 ? "a row is not computed" : "a row is computed twice");
    }
  }

  Ctx context(u32 block, u32 warp, u32 lane) {
    Place place{warp, case_.warps, block, case_.blocks};
    if constexpr (LANES == 1) {
      return Ctx(place, &arrived_[block], &sleeps_[block * case_.warps]);
    } else {
      return Ctx(place, &arrived_[block], &sleeps_[block * case_.warps], &warps_[block * case_.warps + warp], lane);
    }
  }

  static Ctx host_context() {
    if constexpr (LANES == 1) {
      return Ctx({0, 1, 0, 1}, nullptr, nullptr);
    } else {
      return Ctx({0, 1, 0, 1}, nullptr, nullptr, nullptr, 0);
    }
  }

  // Waits until the block's cluster has room to run.
  void await_start(u32 block) {
    u32 cluster = block / CLUSTER;
    while (!started_[cluster] && case_.slots != 0 && running_ + CLUSTER > case_.slots) Explorer::one().back_off();
    if (started_[cluster]) return;
    started_[cluster] = true;
    running_ += CLUSTER;
    Explorer::one().changed();
  }

  void run(u32 block, u32 warp, u32 lane) {
    await_start(block);
    Ctx ctx = context(block, warp, lane);
    ctx.lock = &grid_.block[block].watch;
    ctx.lock_bits = ~gpusched::Watch::OVER;
    ctx.at_exchange = [this, block](const u64* cell, bool succeeds) {
      bool free = cell == &grid_.block[block].watch && (*cell & gpusched::Watch::DUTY) == 0;
      if (free && gpusched::Watch::asleep(*cell) != 0) fail(case_.name, "warps sleep, and nobody will wake them");
      const u64* far = grid_.far.data();
      if (cell < far || cell >= far + grid_.far.size()) return;
      u32 owner = static_cast<u32>(cell - far) / case_.queue_capacity;
      near += owner != block && owner / CLUSTER == block / CLUSTER;
      u64 share = grid_.block[block].share;
      bool takes = succeeds && owner != block && gpusched::range_size(*cell) != 0;
      of_others += takes && share != 0 && gpusched::job_of(gpusched::range_from(*cell)) != gpusched::job_of(gpusched::range_from(share));
    };
    ctx.at_load = [this, block](const u64* cell) {
      const u64* table = grid_.table.data();
      if (cell >= table && cell < table + case_.blocks) looked_[block][cell - table] = true;
    };
    if (LANES == 1) {
      ctx.before_backoff = [this, block, warp](u32 nanos) {
        // The feeder waits for the host, and for room.
        if (grid_.grid.ring != nullptr && warp == 0) return;
        check_table(block);
        u64 watch = grid_.block[block].watch;
        if ((watch & gpusched::Watch::OVER) != 0) fail(case_.name, "an idle warp waits though it may leave");
        if ((watch & gpusched::Watch::DUTY) == 0) fail(case_.name, "a warp waits that has not the duty");
        if (nanos != grid_.grid.settings.poll_nanos) fail(case_.name, "an idle warp waits for another time than pollNanos");
      };
    }
    if (case_.in_steps) {
      gpusched::run_kernel(ctx, grid_.grid, grid_.block[block], InSteps{this});
    } else {
      gpusched::run_kernel(ctx, grid_.grid, grid_.block[block], [this](Ctx&, gpusched::Job<Ctx>& job) {
        claims++;
        u64 number = job.columns;
        return [this, number](long long row) {
          Explorer::one().point();
          count_of(number, row)++;
        };
      });
    }
    if (grid_.grid.ring == nullptr && case_.strategy >= gpusched::STEALING) {
      for (u32 job = 0; job < grid_.grid.job_count; job++) {
        if (grid_.jobs[job].remaining != 0) fail(case_.name, "a warp leaves before all jobs have ended");
      }
    }
    if (++exited_[block] == case_.warps * LANES) {
      lose(grid_.block[block]);
      u32 in_cluster = 0;
      for (u32 i = 0; i < CLUSTER; i++) {
        in_cluster += exited_[block / CLUSTER * CLUSTER + i] == case_.warps * LANES;
      }
      if (in_cluster == CLUSTER) {
        running_ -= CLUSTER;
        Explorer::one().changed();
      }
    }
  }

  u32& count_of(u64 job, long long row) {
    std::vector<u32>& count = counts_[job];
    if (row < 0 || static_cast<u64>(row) >= count.size()) fail(case_.name, "a row that is not there is computed");
    return count[row];
  }

  // Rows of 1 to 5 steps; every seventh has none, as one with a null argument. A row is counted as it ends.
  struct InSteps {
    struct State {
      long long row = 0;
      u32 left = 0;
    };
    struct Body {
      Run* run = nullptr;
      u64 job = 0;

      bool begin(State& state, long long row) const {
        run->began++;
        state = {row, static_cast<u32>(row * row % 5)};
        if (row % 7 != 3) return true;
        run->count_of(job, row)++;
        return false;
      }
      bool step(State& state) const {
        if (state.left == 0) return false;
        run->steps++;
        state.left--;
        return true;
      }
      void end(State& state, long long row) const {
        Explorer::one().point();
        if (state.row != row || state.left != 0) fail(run->case_.name, "a row has another one's state");
        run->count_of(job, row)++;
      }
    };

    Run* run;
    Body operator()(Ctx&, gpusched::Job<Ctx>& job) const {
      run->claims++;
      return {run, job.columns};
    }
  };

  // A warp that has the duty and waits, with nothing changed around it, has told what its block holds.
  void check_table(u32 block) const {
    // Where queues are too small, it may rest with a range in hand.
    if (!Explorer::one().quiet() || case_.queue_capacity == 1) return;
    u64 chunks = 0;
    for (u32 i = 0; i < case_.queue_capacity; i++) chunks += gpusched::range_size(grid_.grid.far_of(block)[i]);
    if (grid_.table[block] != (gpusched::Load::RUNS | chunks)) fail(case_.name, "the load table is stale");
  }

  // The host's thread.
  void feed() {
    Ctx ctx = host_context();
    u64 jobs = case_.jobs.size();
    for (u64 job = 0; job < jobs; job++) {
      while (!gpusched::has_room(ctx, grid_.ring, job)) ctx.backoff(0);
      if (job >= 2) check_rows(job - 2);
      gpusched::offer_job(ctx, grid_.ring, job, case_.jobs[job], 0, job, 0, case_.chunk_rows);
    }
    // Stop may be asked for at any time after the last job.
    ctx.template store<Order::release, Scope::system>(grid_.control.stop, 1);
    for (u64 job = 0; job < jobs; job++) {
      while (!gpusched::is_done(ctx, grid_.ring, job)) ctx.backoff(0);
      check_rows(job);
    }
    if (grid_.control.heartbeat == 0) fail(case_.name, "no heartbeat");
  }

  const Case& case_;
  HostGrid<Ctx> grid_;
  std::vector<u32> arrived_;
  std::vector<typename Ctx::Sleep> sleeps_;  // by warp of all blocks
  std::vector<u32> exited_;
  std::vector<typename Wide::Warp> warps_;
  std::vector<std::vector<bool>> looked_;  // in any schedule: block, the other one whose load it read
  std::vector<std::vector<u32>> counts_;  // by job, by row
  std::vector<bool> started_;  // by cluster
  u32 running_ = 0;            // blocks
};

template <u32 CLUSTER, u32 LANES>
void explore(const Case& c) {
  Run<CLUSTER, LANES> run(c);
  auto start = [&] { return run.start(); };
  auto end = [&] { run.end(); };
  // Lanes are too many for all schedules.
  Explorer::Result all{0, true};
  if (LANES == 1) all = Explorer::one().all(c.name, c.deviations, 300000, start, end);
  Explorer::Result some = Explorer::one().some(c.name, LANES == 1 ? 5000 : 500, 1, start, end);
  std::printf("%-22s %7llu schedules%s, %llu random; ", c.name, all.schedules, all.complete ? "" : " (cut off)",
              some.schedules);
  std::printf("steals won %llu (near %llu), empty %llu, offers %llu\n", run.won, run.near, run.empty, run.offers);
  if (c.wants.steal && run.won == 0) fail(c.name, "nobody ever stole");
  if ((c.wants.steal || c.wants.offer) && c.wants.all_looked && !run.all_looked()) fail(c.name, "a block never looks at one of the others");
  if (c.wants.in_vain && run.empty == 0) fail(c.name, "nobody tells of a steal in vain");
  if (c.wants.steal_near && run.near == 0) fail(c.name, "nobody ever stole within a cluster");
  if (c.wants.of_others && run.of_others == 0) fail(c.name, "nobody ever stole of another job");
  if (c.wants.offer && run.offers == 0) fail(c.name, "nobody ever offered");
  if (!c.wants.steal && run.won + run.empty > 0) fail(c.name, "a strategy without steals stole");
  if (c.in_steps && (run.began == 0 || run.steps == 0)) fail(c.name, "nothing was done in steps");
  // Claims are of several chunks as long as a range is long.
  if (std::strcmp(c.name, "long_claims") == 0 && run.claims * 4 > (all.schedules + some.schedules) * c.rows * 3) {
    fail(c.name, "claims are of single chunks");
  }
  if (!c.wants.offer && run.offers > 0) fail(c.name, "a strategy without offers offered");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpusched;
  const Wants steal{.steal = true};
  const Wants near{.steal = true, .steal_near = true};
  const Wants offer{.offer = true};
  const Wants both{.steal = true, .offer = true};
  const Wants across{.steal = true, .of_others = true};
  const Wants across_late{.steal = true, .all_looked = false, .of_others = true};
  const Wants across_both{.steal = true, .offer = true, .of_others = true};
  const Wants across_both_late{.steal = true, .offer = true, .all_looked = false, .of_others = true};
  const Wants across_near{.steal = true, .steal_near = true, .offer = true, .of_others = true};
  // One large, one of a single row, one with fewer chunks than shares.
  const std::vector<LaunchJob> unequal = {{9, 1, 0}, {1, 3, 1}, {2, 2, 2}};
  const std::vector<LaunchJob> full = {{30, 1, 0}, {1, 1, 1}, {90, 2, 2}};
  const std::vector<LaunchJob> many = {{4, 1, 0}, {1, 1, 1}, {3, 2, 2}, {0, 1, 3}, {6, 1, 4}, {1, 9, 5}};
  const std::vector<LaunchJob> many_wide = {{30, 2, 0}, {1, 1, 1}, {3, 4, 2}, {0, 1, 3}, {2, 1, 4}, {60, 3, 5}};
  const Case cases[] = {
      {"static", STATIC, 2, 2, 5, 2, 3},
      {"counter", COUNTER, 2, 2, 5, 2, 3},
      {"stealing", STEALING, 2, 2, 6, 1, 2, {.steal = true, .in_vain = true}},
      {"sharing", SHARING, 2, 2, 6, 1, 2, offer},
      {"hybrid", HYBRID, 2, 2, 6, 1, 2, both},
      {"three_blocks", HYBRID, 3, 2, 9, 1, 1, both},
      {"full_queues", SHARING, 3, 2, 24, 1, 1, offer, {}, 1},
      {"three_warps", STEALING, 2, 3, 6, 1, 1, steal},
      // Long ranges are claimed several chunks at once.
      {"long_claims", STEALING, 2, 2, 240, 1, 1, steal},
      // A warp keeps a range that finds no room, and has another that finds none before it has computed that.
      {"late_full_queues", STEALING, 2, 2, 240, 1, 1, steal, {}, 2, 0, false, {4, 5, 32}},
      {"late_full_offers", HYBRID, 3, 3, 240, 1, 1, both, {}, 2, 0, false, {8, 2, 8}},
      {"steps_full_resident", HYBRID, 3, 2, 0, 1, 1, both, {60, 9, 60}, 2, 0, true, {8, 2, 8}},
      {"no_rows", HYBRID, 2, 2, 0, 1, 3},
      {"one_row", STEALING, 2, 2, 1, 1, 2},
      {"fewer_rows_than_blocks", STEALING, 3, 2, 2, 1, 1},
      // Fewer blocks run at once than the grid has: the others start late, or not before these end.
      {"late_fewer_rows_than_blocks", STEALING, 3, 2, 1, 1, 1, {}, {}, 2, 1},
      {"late_static", STATIC, 2, 2, 5, 2, 2, {}, {}, 2, 1},
      {"late_counter", COUNTER, 2, 2, 5, 2, 2, {}, {}, 2, 1},
      {"late_stealing", STEALING, 2, 2, 6, 1, 2, {}, {}, 2, 1},
      {"late_sharing", SHARING, 2, 2, 6, 1, 2, {}, {}, 2, 1},
      {"late_sharing_three", SHARING, 3, 2, 12, 1, 1, {.offer = true, .all_looked = false}, {}, 8, 2},
      {"late_hybrid", HYBRID, 3, 2, 9, 1, 1, {.steal = true, .offer = true, .all_looked = false}, {}, 2, 2},
      {"late_resident", STEALING, 2, 2, 0, 1, 1, {}, {3, 0, 2}, 2, 1},
      {"late_resident_two", HYBRID, 3, 2, 0, 1, 1, {.steal = true, .offer = true, .all_looked = false}, {3, 9}, 8, 2},
      {"resident", STEALING, 2, 2, 0, 1, 1, steal, {3, 0, 2, 5}, 8},
      {"resident_stop", STEALING, 1, 2, 0, 1, 2, {}, {1, 1, 1}},
      // Launches of several jobs.
      {"jobs_stealing", STEALING, 4, 2, 0, 0, 1, across, {}, 2, 0, false, {}, unequal},
      {"jobs_sharing", SHARING, 4, 2, 0, 0, 1, offer, {}, 2, 0, false, {}, unequal},
      {"jobs_hybrid", HYBRID, 4, 2, 0, 0, 1, across_both, {}, 2, 0, false, {}, unequal},
      {"jobs_large_last", STEALING, 3, 2, 0, 0, 1, across, {}, 2, 0, false, {}, {{1, 1, 0}, {12, 1, 1}}},
      {"jobs_without_rows", STEALING, 4, 2, 0, 0, 1, steal, {}, 2, 0, false, {}, {{0, 1, 0}, {6, 1, 1}, {0, 1, 2}}},
      {"jobs_none_with_rows", HYBRID, 3, 2, 0, 0, 1, {}, {}, 2, 0, false, {}, {{0, 1, 0}, {0, 1, 2}}},
      {"jobs_late", STEALING, 4, 2, 0, 0, 1, {}, {}, 2, 1, false, {}, unequal},
      {"jobs_late_two", HYBRID, 4, 2, 0, 0, 1, across_both_late, {}, 2, 2, false, {}, unequal},
      {"jobs_late_without_rows", STEALING, 4, 2, 0, 0, 1, {}, {}, 2, 1, false, {}, {{0, 1, 0}, {6, 1, 2}, {0, 1, 3}}},
      {"jobs_full_queues", SHARING, 3, 2, 0, 0, 1, offer, {}, 1, 0, false, {}, {{20, 1, 0}, {1, 1, 1}, {3, 1, 2}}},
      {"jobs_late_full", HYBRID, 3, 3, 0, 0, 1, across_both, {}, 2, 0, false, {8, 2, 8}, full},
      {"jobs_many", STEALING, 6, 1, 0, 0, 1, across_late, {}, 2, 2, false, {}, many},
      {"jobs_steps", STEALING, 4, 2, 0, 0, 1, across, {}, 2, 0, true, {}, unequal},
      {"steps_static", STATIC, 2, 2, 5, 2, 3, {}, {}, 2, 0, true},
      {"steps_counter", COUNTER, 2, 2, 5, 2, 3, {}, {}, 2, 0, true},
      {"steps_stealing", STEALING, 2, 2, 6, 1, 2, {.steal = true, .in_vain = true}, {}, 2, 0, true},
      {"steps_hybrid", HYBRID, 2, 2, 6, 1, 2, both, {}, 2, 0, true},
      {"steps_late", STEALING, 2, 2, 6, 1, 2, {}, {}, 2, 1, true},
      {"steps_resident", STEALING, 2, 2, 0, 1, 1, steal, {3, 0, 2, 5}, 8, 0, true},
  };
  const Case clusters[] = {
      {"cluster", STEALING, 2, 2, 6, 1, 2, near},
      {"two_clusters", HYBRID, 4, 2, 12, 1, 1, {true, true, true}},
      {"jobs_clusters", HYBRID, 4, 2, 0, 0, 1, across_near, {}, 2, 0, false, {}, unequal},
      {"late_clusters", HYBRID, 4, 2, 12, 1, 1, {true, true, true, false}, {}, 2, 2},
      {"cluster_resident", STEALING, 2, 2, 0, 1, 1, near, {3, 10}, 8},
  };
  // Warps of four lanes: more than a queue's slots, and less; more than a chunk's rows, and less.
  const Case wide[] = {
      {"wide_static", STATIC, 2, 2, 23, 6, 0},
      {"wide_counter", COUNTER, 2, 2, 23, 6, 0},
      {"wide_stealing", STEALING, 2, 3, 300, 2, 0, steal},
      {"wide_hybrid", HYBRID, 3, 2, 36, 2, 0, both, {}, 8},
      {"wide_resident", STEALING, 2, 2, 0, 3, 0, steal, {13, 0, 8, 40, 1}},
      // More jobs than lanes.
      {"wide_jobs", STEALING, 7, 1, 0, 0, 0, across_late, {}, 4, 4, false, {}, many_wide},
      {"wide_jobs_two", HYBRID, 3, 2, 0, 0, 0, across_both, {}, 8, 0, false, {}, {{1, 6, 0}, {150, 2, 1}}},
      {"wide_steps_jobs", STEALING, 3, 3, 0, 0, 0, across, {}, 4, 0, true, {}, {{200, 2, 0}, {1, 1, 1}, {40, 1, 2}}},
      {"wide_steps_static", STATIC, 2, 2, 23, 6, 0, {}, {}, 2, 0, true},
      {"wide_steps_counter", COUNTER, 2, 2, 23, 6, 0, {}, {}, 2, 0, true},
      {"wide_steps", STEALING, 2, 3, 300, 2, 0, steal, {}, 2, 0, true},
      {"wide_steps_hybrid", HYBRID, 3, 2, 36, 2, 0, both, {}, 8, 0, true},
      {"wide_steps_resident", STEALING, 2, 2, 0, 3, 0, steal, {13, 0, 8, 40, 1}, 2, 0, true},
  };
  const Case wide_clusters[] = {
      {"wide_cluster", STEALING, 4, 2, 60, 2, 0, near},
      {"wide_cluster_resident", HYBRID, 2, 2, 0, 3, 0, {true, true, true}, {13, 0, 38, 40, 1}},
  };
  auto wanted = [&](const Case& c) { return argc == 1 || std::strcmp(argv[1], c.name) == 0; };
  bool any = false;
  for (const Case& c : cases) {
    if (wanted(c)) explore<1, 1>(c), any = true;
  }
  for (const Case& c : clusters) {
    if (wanted(c)) explore<2, 1>(c), any = true;
  }
  for (const Case& c : wide) {
    if (wanted(c)) explore<1, 4>(c), any = true;
  }
  for (const Case& c : wide_clusters) {
    if (wanted(c)) explore<2, 4>(c), any = true;
  }
  if (!any) {
    std::printf("there is no check %s\n", argv[1]);
    return 2;
  }
}
