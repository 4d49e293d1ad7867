// How well the schedules balance, in virtual time: each warp has a clock, an atomic operation, a sleep and a chunk take
// what they are said to take here, and whoever is earliest goes on. It shows what the policies do with skewed work, and
// nothing about a GPU: the costs are guesses, and lanes, caches and contention are not there.

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "host_grid.h"

namespace {

using namespace check;

constexpr u64 SHARED_NANOS = 30;
constexpr u64 DEVICE_NANOS = 600;

class Clockwork {
 public:
  static Clockwork& one() {
    static Clockwork clockwork;
    return clockwork;
  }

  // Runs all warps; answers with the time at which the last one ended.
  u64 run(std::vector<std::function<void()>> warps) {
    warps_ = std::vector<Warp>(warps.size());
    for (u32 i = 0; i < warps.size(); i++) {
      warps_[i].body = std::move(warps[i]);
      warps_[i].stack.reset(new char[STACK_BYTES]);
      getcontext(&warps_[i].context);
      warps_[i].context.uc_stack.ss_sp = warps_[i].stack.get();
      warps_[i].context.uc_stack.ss_size = STACK_BYTES;
      makecontext(&warps_[i].context, enter, 0);
      ready_.push({0, i});
    }
    while (!ready_.empty()) {
      current_ = ready_.top().second;
      now_ = ready_.top().first;
      ready_.pop();
      swapcontext(&main_, &warps_[current_].context);
    }
    return now_;
  }

  u64 now() const { return now_; }

  void spend(u64 nanos) {
    ready_.push({now_ + nanos, current_});
    swapcontext(&warps_[current_].context, &main_);
  }

  // All that come wait for the last.
  void meet(std::vector<u32>& waiting, u32 expected) {
    if (waiting.size() + 1 < expected) {
      waiting.push_back(current_);
      swapcontext(&warps_[current_].context, &main_);
      return;
    }
    for (u32 warp : waiting) ready_.push({now_, warp});
    waiting.clear();
  }

 private:
  static constexpr size_t STACK_BYTES = 32 << 10;
  struct Warp {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    std::function<void()> body;
  };

  static void enter() {
    one().warps_[one().current_].body();
    setcontext(&one().main_);
  }

  std::vector<Warp> warps_;
  ucontext_t main_;
  std::priority_queue<std::pair<u64, u32>, std::vector<std::pair<u64, u32>>, std::greater<>> ready_;
  u32 current_ = 0;
  u64 now_ = 0;
};

class TimedContext : public OneLane<1> {
 public:
  using Cell32 = u32;
  using Cell64 = u64;

  TimedContext(Place place, std::vector<u32>* waiting) : OneLane<1>(place), waiting_(waiting) {}

  void sync_block() { Clockwork::one().meet(*waiting_, warps()); }
  u32 clock() const { return static_cast<u32>(Clockwork::one().now()); }
  void backoff(u32 nanos) { Clockwork::one().spend(nanos); }
  void clear(u64& cell) { cell = 0; }
  template <Scope S, class T>
  void observe(T& cell, T value) {
    cell = value;
  }
  template <Scope S>
  u64 peek(u64& cell) {
    return cell;
  }
  // A warp loads 32 slots at once, so a load of one of them costs a part of that.
  template <Order O, Scope S>
  u64 load(u64& cell) {
    loads_ += S == Scope::block ? SHARED_NANOS : DEVICE_NANOS;
    if (loads_ / 32 > 0) Clockwork::one().spend(loads_ / 32);
    loads_ %= 32;
    return cell;
  }
  template <Order O, Scope S>
  void store(u64& cell, u64 value) {
    cell = value;
  }
  template <Order O, Scope S>
  bool compare_exchange(u64& cell, u64& expected, u64 desired) {
    spend<S>();
    bool done = cell == expected;
    if (done) cell = desired;
    else expected = cell;
    return done;
  }
  template <Order O, Scope S>
  u64 fetch_add(u64& cell, u64 value) {
    spend<S>();
    u64 before = cell;
    cell += value;
    return before;
  }
  template <Order O, Scope S>
  u64 fetch_sub(u64& cell, u64 value) {
    return fetch_add<O, S>(cell, u64{0} - value);
  }

 private:
  template <Scope S>
  void spend() {
    Clockwork::one().spend(S == Scope::block ? SHARED_NANOS : DEVICE_NANOS);
  }

  std::vector<u32>* waiting_;
  u64 loads_ = 0;
};

constexpr u32 BLOCKS = 32;
constexpr u32 WARPS = 8;
constexpr u32 CHUNKS = BLOCKS * 600;

// Nanoseconds of a chunk.
struct Workload {
  const char* name;
  u64 (*nanos)(double at);  // 0 to 1
};
const Workload WORKLOADS[] = {
    {"uniform", [](double) -> u64 { return 4000; }},
    {"triangle", [](double at) -> u64 { return static_cast<u64>(8000 * at); }},
    {"exp", [](double at) -> u64 { return static_cast<u64>(40 * std::exp2(at * 10)); }},
    {"step2", [](double at) -> u64 { return at < 1.0 / 5 ? 20000 : 100; }},
    {"step3", [](double at) -> u64 { return at >= 11.0 / 15 ? 20000 : 100; }},
    {"step4", [](double at) -> u64 { return at >= 3.0 / 15 && at < 7.0 / 15 ? 20000 : 100; }},
};

u64 makespan(u32 strategy, const Workload& workload) {
  gpusched::Settings settings;
  settings.strategy = strategy;
  HostGrid<TimedContext> grid(settings, BLOCKS);
  grid.begin(CHUNKS, 1);
  std::vector<std::vector<u32>> waiting(BLOCKS);
  auto bodies = [&](TimedContext&, gpusched::Job<TimedContext>&) {
    return [&](long long chunk) { Clockwork::one().spend(workload.nanos(static_cast<double>(chunk) / CHUNKS)); };
  };
  std::vector<std::function<void()>> warps;
  for (u32 block = 0; block < BLOCKS; block++) {
    for (u32 warp = 0; warp < WARPS; warp++) {
      warps.push_back([&, block, warp] {
        TimedContext ctx({warp, WARPS, block, BLOCKS}, &waiting[block]);
        gpusched::run_kernel(ctx, grid.grid, grid.block[block], bodies);
      });
    }
  }
  u64 end = Clockwork::one().run(std::move(warps));
  grid.check_end("simulate", CHUNKS);
  return end;
}

}  // namespace

int main() {
  constexpr const char* STRATEGIES[] = {"static", "counter", "stealing", "sharing", "hybrid"};
  std::printf("%-10s", "");
  for (const char* name : STRATEGIES) std::printf("%10s", name);
  std::printf("   time over work / %u warps\n", BLOCKS * WARPS);
  for (const Workload& workload : WORKLOADS) {
    u64 work = 0;
    for (u32 chunk = 0; chunk < CHUNKS; chunk++) work += workload.nanos(static_cast<double>(chunk) / CHUNKS);
    double ideal = static_cast<double>(work) / (BLOCKS * WARPS);
    std::printf("%-10s", workload.name);
    for (u32 strategy = 0; strategy <= gpusched::HYBRID; strategy++) {
      std::printf("%10.2f", static_cast<double>(makespan(strategy, workload)) / ideal);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}
