// Every row exactly once, with real threads: all strategies and cluster sizes over even, skewed, empty and tiny inputs,
// launches of several jobs, up to as many as a launch may have, and a resident kernel that is fed while it runs. Built with
// and without ThreadSanitizer. A weak detector of rare schedules (explore.cpp is the strong one), but of the real atomics.
//
//   exactly_once [check]     one check by its name (launches, jobs, many_jobs, resident), or all

#include <cmath>
#include <cstring>
#include <random>

#include "threads.h"

namespace {

using namespace check;

constexpr const char* STRATEGIES[] = {"static", "counter", "stealing", "sharing", "hybrid"};

gpusched::Settings settings_of(u32 strategy) {
  gpusched::Settings settings;
  settings.strategy = strategy;
  if (gpusched::problem(settings) != nullptr) fail("settings", gpusched::problem(settings));
  return settings;
}

// Work of a row, in turns of a loop: the shapes of the tree paper, small.
struct Workload {
  const char* name;
  u32 (*work)(u64 row, u64 rows);
};
const Workload WORKLOADS[] = {
    {"uniform", [](u64, u64) -> u32 { return 20; }},
    {"step2", [](u64 row, u64 rows) -> u32 { return row < rows / 5 ? 400 : 1; }},
    {"step3", [](u64 row, u64 rows) -> u32 { return row >= rows - rows * 4 / 15 ? 400 : 1; }},
    {"exp", [](u64 row, u64 rows) { return static_cast<u32>(std::exp2(10.0 * double(row) / double(rows))); }},
};

u64 turn(u64 value, u32 turns) {
  for (u32 i = 0; i < turns; i++) value = value * 6364136223846793005 + 1442695040888963407;
  return value;
}

// Rows are 64 bits wide, chunks are not.
static_assert(gpusched::chunks_of(1ull << 50, 1u << 27) == 1u << 23);
static_assert(gpusched::chunks_of(1ull << 50, u32(gpusched::least_chunk_rows(1ull << 50))) <= gpusched::MAX_CHUNKS);
static_assert(gpusched::least_chunk_rows(gpusched::MAX_CHUNKS) == 1 && gpusched::least_chunk_rows(0) == 1);
static_assert(gpusched::least_chunk_rows(gpusched::MAX_CHUNKS + 1ull) == 2);
// The last job's chunks, and claims beyond their end, stay within 32 bits.
static_assert((u64{gpusched::MAX_JOBS - 1} << gpusched::JOB_SHIFT) + gpusched::MAX_CHUNKS + (1u << 16) < 1ull << 32);
constexpr u64 FIRST_ROW = 3ull << 40;

u64 kernels = 0;
u64 steals = 0;
u64 offers = 0;

// What `launch` counts and computes, in steps of a turn.
struct InSteps {
  const Workload* workload;
  u64 rows;
  u32* count;
  u64* result;

  struct State {
    u64 value = 0;
    u32 left = 0;
  };
  struct Body {
    const InSteps* of = nullptr;

    bool begin(State& state, long long row) const {
      state = {static_cast<u64>(row - FIRST_ROW), of->workload->work(row - FIRST_ROW, of->rows)};
      return true;
    }
    bool step(State& state) const {
      if (state.left == 0) return false;
      state.value = turn(state.value, 1);
      state.left--;
      return true;
    }
    void end(State& state, long long row) const {
      of->count[row - FIRST_ROW]++;
      of->result[row - FIRST_ROW] = state.value;
    }
  };
  template <class Ctx>
  Body operator()(Ctx&, gpusched::Job<Ctx>&) const {
    return {this};
  }
};

template <u32 CLUSTER, bool STEPS = false>
void launch(const char* name, u32 strategy, u32 blocks, u32 warps, u64 rows, u32 chunk_rows, const Workload& workload) {
  using Ctx = ThreadContext<CLUSTER>;
  HostGrid<Ctx> grid(settings_of(strategy), blocks);
  // Twice: the second launch finds what the first left behind.
  for (int again = 0; again < 2; again++) {
    std::vector<u32> count(rows);
    std::vector<u64> result(rows);
    std::fill(grid.mirror.begin(), grid.mirror.end(), gpusched::BlockMirror<Ctx>{});
    grid.begin(rows, chunk_rows);
    grid.jobs[0].first_row = FIRST_ROW;
    auto bodies = [&](Ctx&, gpusched::Job<Ctx>&) {
      return [&](long long row) {
        row -= FIRST_ROW;
        count[row]++;
        result[row] = turn(row, workload.work(row, rows));
      };
    };
    if constexpr (STEPS) {
      InSteps in_steps{&workload, rows, count.data(), result.data()};
      RunningKernel<CLUSTER> kernel(grid, warps, in_steps);
    } else {
      RunningKernel<CLUSTER> kernel(grid, warps, bodies);
    }
    for (u64 row = 0; row < rows; row++) {
      if (count[row] != 1) fail(name, count[row] == 0 ? "a row is not computed" : "a row is computed twice");
      if (result[row] != turn(row, workload.work(row, rows))) fail(name, "a result differs from the plain loop's");
    }
    grid.check_end(name, rows);
    steals += grid.steals_won();
    offers += grid.offers();
    kernels++;
  }
}

// Launches of several jobs, of other sizes, chunks and first rows; at least two, and more until blocks have stolen and offered
// as the strategy has it: where there are few cores, a block may have computed all before the next one starts. So rows give the
// core away now and then.
template <u32 CLUSTER>
void launch_jobs(const char* name, u32 strategy, u32 blocks, u32 warps, const std::vector<LaunchJob>& jobs) {
  using Ctx = ThreadContext<CLUSTER>;
  constexpr u32 LEAST = 2;
  constexpr u32 PATIENCE = 100;
  constexpr u32 TURNS = 100;
  HostGrid<Ctx> grid(settings_of(strategy), blocks);
  u64 stolen = 0, offered = 0;
  bool steals_too = strategy != gpusched::SHARING, offers_too = strategy != gpusched::STEALING;
  auto moved = [&] { return (stolen > 0 || !steals_too) && (offered > 0 || !offers_too); };
  for (u32 launches = 0; launches < LEAST || !moved(); launches++) {
    if (launches == PATIENCE) fail(name, "nobody ever stole, or nobody ever offered");
    std::vector<std::vector<u32>> counts;
    std::vector<std::vector<u64>> results;
    std::fill(grid.mirror.begin(), grid.mirror.end(), gpusched::BlockMirror<Ctx>{});
    grid.begin(jobs);
    u64 rows = 0;
    for (size_t job = 0; job < jobs.size(); job++) {
      counts.emplace_back(jobs[job].rows);
      results.emplace_back(jobs[job].rows);
      rows += jobs[job].rows;
      grid.jobs[job].columns = job;
      grid.jobs[job].first_row = FIRST_ROW + 1000 * job;
    }
    auto bodies = [&](Ctx&, gpusched::Job<Ctx>& job) {
      u64 number = job.columns;
      return [&, number](long long row) {
        u64 place = row - FIRST_ROW - 1000 * number;
        if (place >= counts[number].size()) fail(name, "a row of another job is computed");
        counts[number][place]++;
        results[number][place] = turn(row, TURNS);
        if (place % 64 == 0) std::this_thread::yield();
      };
    };
    {
      RunningKernel<CLUSTER> kernel(grid, warps, bodies);
    }
    for (size_t job = 0; job < jobs.size(); job++) {
      for (u64 place = 0; place < jobs[job].rows; place++) {
        u32 count = counts[job][place];
        if (count != 1) fail(name, count == 0 ? "a row is not computed" : "a row is computed twice");
        if (results[job][place] != turn(FIRST_ROW + 1000 * job + place, TURNS)) fail(name, "a result differs from the plain loop's");
      }
    }
    grid.check_end(name, rows);
    stolen += grid.steals_won();
    offered += grid.offers();
    kernels++;
  }
  steals += stolen;
  offers += offered;
}

// As many jobs as a launch may have, a block for each. Chunk numbers of the second half have the highest bit set; the last
// job is long, so that such chunks move.
std::vector<LaunchJob> most_jobs() {
  std::vector<LaunchJob> jobs;
  for (u32 job = 0; job < gpusched::MAX_JOBS; job++) jobs.push_back({1, 1 + job % 3, job});
  jobs.back() = {4000, 4, gpusched::MAX_JOBS - 1};
  return jobs;
}

template <u32 CLUSTER>
void resident(u32 strategy, u64 jobs) {
  using Ctx = ThreadContext<CLUSTER>;
  const char* name = "resident";
  HostGrid<Ctx> grid(settings_of(strategy), 4);
  grid.make_ring(8);
  grid.reset_ring();
  std::mt19937 random(strategy);
  std::vector<std::vector<u32>> counts;
  u64 rows = 0;
  for (u64 job = 0; job < jobs; job++) {
    counts.emplace_back(job % 7 == 3 ? 0 : random() % 2000);
    rows += counts.back().size();
  }
  auto bodies = [&](Ctx&, gpusched::Job<Ctx>& job) {
    std::vector<u32>& count = counts[job.columns];
    return [&count](long long row) { count[row]++; };
  };
  auto check_job = [&](u64 job) {
    for (u32 one : counts[job]) {
      if (one != 1) fail(name, one == 0 ? "a row of a job that is done is not computed" : "a row is computed twice");
    }
  };
  {
    RunningKernel<CLUSTER> kernel(grid, 3, bodies);
    Ctx host({0, 1, 0, 1}, nullptr, nullptr);
    for (u64 job = 0; job < jobs; job++) {
      while (!gpusched::has_room(host, grid.ring, job)) host.backoff(0);
      if (job >= 8) check_job(job - 8);
      gpusched::offer_job(host, grid.ring, job, counts[job].size(), 0, job, 0, 16);
    }
    host.template store<Order::release, Scope::system>(grid.control.stop, 1);
    for (u64 job = 0; job < jobs; job++) {
      while (!gpusched::is_done(host, grid.ring, job)) host.backoff(0);
      check_job(job);
    }
  }
  grid.check_end(name, rows);
  if (grid.control.heartbeat == 0) fail(name, "no heartbeat");
  steals += grid.steals_won();
  offers += grid.offers();
  kernels++;
}

}  // namespace

int main(int argc, char** argv) {
  auto wanted = [&](const char* name) { return argc == 1 || std::strcmp(argv[1], name) == 0; };
  for (u32 strategy = 0; wanted("launches") && strategy <= gpusched::HYBRID; strategy++) {
    const char* name = STRATEGIES[strategy];
    for (const Workload& workload : WORKLOADS) {
      launch<1>(name, strategy, 4, 3, 20000, 8, workload);
      launch<2>(name, strategy, 4, 2, 20000, 8, workload);
      launch<4>(name, strategy, 4, 2, 20000, 8, workload);
      launch<1, true>(name, strategy, 4, 3, 20000, 8, workload);
    }
    for (u64 rows : {0, 1, 3, 4, 31, 33}) {
      launch<1>(name, strategy, 4, 2, rows, 1, WORKLOADS[0]);
      launch<2>(name, strategy, 4, 2, rows, 32, WORKLOADS[0]);
      launch<1, true>(name, strategy, 4, 2, rows, 1, WORKLOADS[0]);
    }
  }
  const std::vector<LaunchJob> unequal = {{20000, 8, 0}, {1, 32, 4}, {3000, 1, 5}, {0, 8, 6}, {33, 32, 7}};
  for (u32 strategy : {gpusched::STEALING, gpusched::SHARING, gpusched::HYBRID}) {
    if (wanted("jobs")) {
      launch_jobs<1>("jobs", strategy, 8, 2, unequal);
      launch_jobs<2>("jobs", strategy, 8, 2, unequal);
    }
    if (wanted("resident")) {
      resident<1>(strategy, 200);
      resident<2>(strategy, 200);
    }
  }
  if (wanted("many_jobs")) launch_jobs<1>("many_jobs", gpusched::STEALING, gpusched::MAX_JOBS, 1, most_jobs());
  std::printf("exactly once           %7llu kernels; steals won %llu, offers %llu\n", kernels, steals, offers);
  if (argc == 1 && (steals == 0 || offers == 0)) fail("exactly_once", "nobody ever stole, or nobody ever offered");
}
