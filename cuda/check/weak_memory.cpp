// Queue, ring and a launch under the C++ memory model, by Relacy: an acquire, a release or an atomic too few is a race or a wrong
// answer here, on whatever processor this runs. The explorer has the schedules; this has the orders.
//
//   weak_memory [check]      one check by its name, or all

#include <cstdio>
#include <cstring>
#include <iostream>

// Relacy's names would otherwise be macros in our headers.
#include <relacy/relacy.hpp>

#include "gpusched/kernel.cuh"
#include "one_lane.h"

namespace {

using gpusched::Order;
using gpusched::Scope;
using gpusched::u32;
using gpusched::u64;

rl::memory_order order_of(Order order) {
  switch (order) {
    case Order::relaxed:
      return rl::mo_relaxed;
    case Order::acquire:
      return rl::mo_acquire;
    case Order::release:
      return rl::mo_release;
    default:
      return rl::mo_acq_rel;
  }
}

class RelacyContext : public check::OneLane<1> {
 public:
  using Cell32 = rl::atomic<u32>;
  using Cell64 = rl::atomic<u64>;
  template <class T>
  using Plain = rl::var<T>;

  // By warp of the block, how often it was woken; null where there is one warp.
  RelacyContext(u32 warp, u32 warps, rl::atomic<u32>* woken) : OneLane<1>({warp, warps, 0, 1}), woken_(woken) {}
  explicit RelacyContext(check::Place place) : OneLane<1>(place) {}

  void backoff(u32) { rl::yield(1, $); }
  // The real one orders too; nothing may rely on that.
  void sleep() {
    slept_++;
    while (woken_[warp()].load(rl::mo_relaxed, $) != slept_) rl::yield(1, $);
  }
  void wake(u32 warp) { woken_[warp].fetch_add(1, rl::mo_relaxed, $); }
  // A turn ends at any time.
  u32 clock() const { return rl::rand(2) << 17; }
  template <class T>
  T get(const rl::var<T>& field) {
    return field($).load();
  }
  template <class T>
  void set(rl::var<T>& field, T value) {
    field($).store(value);
  }
  u32 get_alone(const rl::var<u32>& field) { return field($).load(); }
  void set_alone(rl::var<u32>& field, u32 value) { field($).store(value); }
  template <Scope S, class T>
  void observe(rl::atomic<T>&, T) {}
  template <Scope S>
  u64 peek(rl::atomic<u64>&) {
    return 0;
  }
  template <Order O, Scope S>
  u64 load(rl::atomic<u64>& cell) {
    return cell($).load(order_of(O));
  }
  template <Order O, Scope S>
  void store(rl::atomic<u64>& cell, u64 value) {
    cell($).store(value, order_of(O));
  }
  template <Order O, Scope S>
  bool compare_exchange(rl::atomic<u64>& cell, u64& expected, u64 desired) {
    return cell($).compare_exchange_strong(expected, desired, order_of(O), rl::mo_relaxed);
  }
  template <Order O, Scope S>
  u64 fetch_add(rl::atomic<u64>& cell, u64 value) {
    return cell($).fetch_add(value, order_of(O));
  }
  template <Order O, Scope S>
  u64 fetch_sub(rl::atomic<u64>& cell, u64 value) {
    return cell($).fetch_sub(value, order_of(O));
  }

 private:
  rl::atomic<u32>* woken_ = nullptr;
  u32 slept_ = 0;
};

using Ctx = RelacyContext;

void zero(rl::atomic<u64>& cell) { cell.store(0, rl::mo_relaxed, $); }

// As a block's shared memory is before its first warp, which clears it: so that no read of it is of what was not written.
void clear(gpusched::Block<Ctx>& block) {
  zero(block.share), zero(block.processed), zero(block.watch);
  gpusched::Moves<Ctx>& moves = block.moves;
  for (auto* field : {&moves.polls, &moves.all_dealt, &moves.steals_won, &moves.steals_empty, &moves.offers, &moves.told}) {
    (*field)($) = 0;
  }
}

// A block puts a job's chunks, a thief moves some on, and both blocks' warps claim: each chunk once, and whoever has a
// chunk sees its job.
struct QueueTest : rl::test_suite<QueueTest, 4> {
  static constexpr u32 CHUNKS = 4;
  rl::var<u64> job;
  rl::var<u32> owner[CHUNKS];
  rl::atomic<u64> victim[2];
  rl::atomic<u64> thief[2];
  u32 claimed = 0;

  void before() {
    job($) = 0;
    for (auto& one : owner) one($) = 0;
    for (auto* queue : {victim, thief}) {
      for (u32 i = 0; i < 2; i++) queue[i].store(0, rl::mo_relaxed, $);
    }
    claimed = 0;
  }

  void claim(Ctx& ctx, rl::atomic<u64>* queue) {
    for (int tries = 0; tries < 3; tries++) {
      u64 word = gpusched::claim_from<Order::acquire>(ctx, queue[tries % 2], 1);
      if (gpusched::range_size(word) == 0) continue;
      RL_ASSERT(ctx.get(job) == 7);
      u32 chunk = gpusched::range_from(word);
      RL_ASSERT(ctx.get(owner[chunk]) == 0);
      ctx.set(owner[chunk], 1u);
      claimed++;
    }
  }

  void thread(unsigned index) {
    Ctx ctx(index, 4, nullptr);
    if (index == 0) {
      ctx.set(job, u64{7});
      RL_ASSERT(gpusched::put(ctx, victim, 2, gpusched::range_of(0, 2)));
      RL_ASSERT(gpusched::put(ctx, victim, 2, gpusched::range_of(2, CHUNKS)));
    } else if (index == 1) {
      claim(ctx, victim);
    } else if (index == 2) {
      u64 range = gpusched::take(ctx, victim, 2, 2);
      if (range != 0) RL_ASSERT(gpusched::put(ctx, thief, 2, range));
    } else {
      claim(ctx, thief);
    }
  }

  void after() {
    u32 left = 0;
    for (auto* queue : {victim, thief}) {
      for (u32 i = 0; i < 2; i++) left += gpusched::range_size(queue[i].load(rl::mo_relaxed, $));
    }
    RL_ASSERT(claimed + left == CHUNKS);
  }
};

// Host, feeder and two compute warps: the host sees all results of a job that is done, and uses its slot again.
struct RingTest : rl::test_suite<RingTest, 4> {
  static constexpr u32 JOBS = 3;
  static constexpr u32 CAPACITY = 1;
  static constexpr u32 ROWS = 2;

  gpusched::RingSlot<Ctx> slots[CAPACITY];
  gpusched::RingControl<Ctx> control;
  gpusched::Ring<Ctx> ring;
  gpusched::Job<Ctx> jobs[CAPACITY];
  gpusched::Block<Ctx> block;
  rl::atomic<u64> far[2];
  rl::atomic<u64> table[1];
  rl::atomic<u64> cursor;
  rl::var<u64> columns[CAPACITY * gpusched::MAX_COLUMN_WORDS];
  gpusched::Grid<Ctx> grid;
  rl::atomic<u32> woken[4];
  rl::var<u64> input[CAPACITY][ROWS];
  rl::var<u64> result[CAPACITY][ROWS];

  void before() {
    for (auto& slot : slots) zero(slot.sequence), zero(slot.done);
    zero(control.stop), zero(control.heartbeat), zero(ring.completed), zero(ring.stopped);
    for (auto& slot : far) zero(slot);
    for (auto& job : jobs) zero(job.remaining);
    clear(block), zero(table[0]), zero(cursor);
    for (auto& one : woken) one.store(0, rl::mo_relaxed, $);
    ring.slots = slots;
    ring.control = &control;
    ring.capacity = CAPACITY;
    ring.columns = columns;
    grid.settings = {};
    grid.settings.queue_capacity = 2;
    grid.far = far;
    grid.table = table;
    grid.mirror = nullptr;
    grid.jobs = jobs;
    grid.cursor = &cursor;
    grid.ring = &ring;
  }

  void collect(Ctx& ctx, u64 job) {
    for (u32 row = 0; row < ROWS; row++) RL_ASSERT(ctx.get(result[job % CAPACITY][row]) == 100 + job + row);
  }

  void thread(unsigned index) {
    Ctx ctx(index == 1 ? 0 : index, 4, woken);
    if (index == 0) {
      for (u64 job = 0; job < JOBS; job++) {
        while (!gpusched::has_room(ctx, ring, job)) ctx.backoff(0);
        if (job >= CAPACITY) collect(ctx, job - CAPACITY);
        for (u32 row = 0; row < ROWS; row++) ctx.set(input[job % CAPACITY][row], 100 + job + row);
        gpusched::offer_job(ctx, ring, job, ROWS, 0, reinterpret_cast<u64>(input[job % CAPACITY]), ROWS, 1);
      }
      ctx.store<Order::release, Scope::system>(control.stop, 1);
      for (u64 job = JOBS - CAPACITY; job < JOBS; job++) {
        while (!gpusched::is_done(ctx, ring, job)) ctx.backoff(0);
        collect(ctx, job);
      }
    } else if (index == 1) {
      gpusched::BlockScheduler<Ctx> scheduler(ctx, grid, block);
      scheduler.begin();
      scheduler.run_feeder();
    } else {
      gpusched::compute_warp(ctx, grid, block, [this](Ctx& c, gpusched::Job<Ctx>& job) {
        // The feeder's copy of the input.
        auto* copy = reinterpret_cast<rl::var<u64>*>(u64(c.get(job.columns)));
        u64 slot = (copy - columns) / gpusched::MAX_COLUMN_WORDS;
        return [this, &c, slot, copy](long long row) { c.set(result[slot][row], u64(c.get(copy[row]))); };
      });
    }
  }
};

// A launch of two jobs for three blocks of one warp, so that each block's barriers are none: each row once, whoever computes it.
// Two of the blocks begin with four rows: one in hand, and three queued, which are above both thresholds.
struct JobsTest : rl::test_suite<JobsTest, 3> {
  static constexpr u32 BLOCKS = 3;
  static constexpr u32 JOBS = 2;
  static constexpr u32 ROWS = 8;
  // Of all executions.
  static inline u64 steals = 0;
  static inline u64 offers = 0;

  gpusched::Job<Ctx> jobs[JOBS];
  gpusched::Block<Ctx> block[BLOCKS];
  rl::atomic<u64> far[2 * BLOCKS];
  rl::atomic<u64> table[BLOCKS];
  rl::atomic<u64> cursor;
  gpusched::Grid<Ctx> grid;
  // Two that compute the same row are a race.
  rl::var<u64> result[JOBS][ROWS];

  static u64 rows_of(u32 job) { return job == 0 ? ROWS : 1; }

  void before() {
    for (auto& cell : far) zero(cell);
    for (auto& cell : table) zero(cell);
    zero(cursor);
    for (u32 job = 0; job < JOBS; job++) {
      jobs[job].rows($) = rows_of(job);
      jobs[job].first_row($) = 0;
      jobs[job].columns($) = job;
      jobs[job].sequence($) = 0;
      jobs[job].chunk_rows($) = 1;
      // Of three shares the first job has two.
      jobs[job].first_share($) = 2 * job;
      jobs[job].remaining.store(rows_of(job), rl::mo_relaxed, $);
      for (auto& row : result[job]) row($) = 0;
    }
    for (auto& one : block) clear(one);
    grid.settings = {};
    grid.settings.strategy = gpusched::HYBRID;
    grid.settings.steal_threshold = 1;
    grid.settings.share_threshold = 2;
    grid.settings.queue_capacity = 2;
    grid.far = far;
    grid.table = table;
    grid.mirror = nullptr;
    grid.jobs = jobs;
    grid.cursor = &cursor;
    grid.ring = nullptr;
    grid.job_count = JOBS;
  }

  void thread(unsigned index) {
    Ctx ctx(check::Place{0, 1, index, BLOCKS});
    gpusched::BlockScheduler<Ctx> scheduler(ctx, grid, block[index]);
    scheduler.begin();
    gpusched::compute_warp(ctx, grid, block[index], [this](Ctx& c, gpusched::Job<Ctx>& job) {
      u64 number = c.get(job.columns);
      return [this, &c, number](long long row) { c.set(result[number][row], c.get(result[number][row]) + 1); };
    });
    scheduler.end();
  }

  void after() {
    for (u32 job = 0; job < JOBS; job++) {
      RL_ASSERT(jobs[job].remaining.load(rl::mo_relaxed, $) == 0);
      for (u32 row = 0; row < rows_of(job); row++) RL_ASSERT(u64(result[job][row]($)) == 1);
    }
    for (auto& cell : far) RL_ASSERT(cell.load(rl::mo_relaxed, $) == 0);
    for (auto& one : block) {
      steals += u32(one.moves.steals_won($));
      offers += u32(one.moves.offers($));
    }
  }
};

// Keeps the beginning of what Relacy writes. It replaces operator new, and strings of its runs must not outlive them.
class Head : public std::streambuf {
 public:
  const char* text() const { return text_; }

 protected:
  int overflow(int character) override {
    if (length_ + 1 < sizeof text_) text_[length_++] = static_cast<char>(character);
    return character;
  }

 private:
  char text_[600] = {};
  size_t length_ = 0;
};

template <class Test>
void run(const char* name, u64 executions) {
  rl::test_params params;
  params.search_type = rl::sched_random;
  params.iteration_count = executions;
  params.execution_depth_limit = 20000;
  static Head head;
  static std::ostream output(&head);
  params.output_stream = &output;
  params.progress_stream = &output;
  if (!rl::simulate<Test>(params)) {
    std::printf("%s\n", head.text());
    check::fail(name, rl::test_result_str(params.test_result));
  }
  std::printf("%-22s %7llu executions\n", name, executions);
}

}  // namespace

int main(int argc, char** argv) {
  auto wanted = [&](const char* name) { return argc == 1 || std::strcmp(argv[1], name) == 0; };
  if (wanted("weak_queue")) run<QueueTest>("weak_queue", 200000);
  if (wanted("weak_ring")) run<RingTest>("weak_ring", 300000);
  if (wanted("weak_jobs")) {
    run<JobsTest>("weak_jobs", 50000);
    std::printf("%-22s steals won %llu, offers %llu\n", "", JobsTest::steals, JobsTest::offers);
    if (JobsTest::steals == 0 || JobsTest::offers == 0) check::fail("weak_jobs", "nobody ever stole, or nobody ever offered");
  }
}
