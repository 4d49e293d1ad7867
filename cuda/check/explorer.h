// Runs the warps of a kernel as fibers of one thread and decides before each atomic operation who goes on: all
// schedules with at most so many deviations from round robin, or random ones. Sequentially consistent: orders are
// weak_memory.cpp's.
//
// A warp that backs off does not go on before another one has changed something it might read; if nobody can go on any
// more, the kernel hangs, and that is an error here and not a time-out.

#pragma once

#include <ucontext.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "one_lane.h"

namespace check {

class Explorer {
 public:
  using Start = std::function<std::vector<std::function<void()>>()>;

  struct Result {
    u64 schedules = 0;
    bool complete = false;
  };

  static Explorer& one() {
    static Explorer explorer;
    return explorer;
  }

  // All schedules with at most `deviations`; stops after `most`. `start` makes fresh warps, `end` checks the outcome.
  Result all(const char* name, u32 deviations, u64 most, const Start& start, const std::function<void()>& end) {
    name_ = name;
    random_ = false;
    deviations_ = deviations;
    path_.clear();
    Result result;
    do {
      execute(start());
      end();
      result.schedules++;
      if (result.schedules >= most) return result;
    } while (next_path());
    result.complete = true;
    return result;
  }

  // Random priorities with a few points at which the running warp falls to the lowest (probabilistic concurrency
  // testing).
  Result some(const char* name, u64 schedules, u32 seed, const Start& start, const std::function<void()>& end) {
    name_ = name;
    random_ = true;
    Result result;
    for (; result.schedules < schedules; result.schedules++) {
      generator_.seed(seed + static_cast<u32>(result.schedules));
      auto warps = start();
      priorities_.assign(warps.size(), 0);
      for (auto& priority : priorities_) priority = static_cast<int>(generator_() % 1000);
      changes_.clear();
      for (int i = 0; i < 4; i++) changes_.push_back(generator_() % 200);
      execute(std::move(warps));
      end();
    }
    result.complete = true;
    return result;
  }

  const char* name() const { return name_; }
  u32 deviations_left() const { return left_; }
  u64 steps() const { return steps_; }

  // Before an atomic operation.
  void point() {
    if (++steps_ > MOST_STEPS) stuck("goes on for ever without backing off");
    if (random_) {
      for (u64 change : changes_) {
        if (change == steps_) priorities_[current_] = -static_cast<int>(steps_);
      }
    }
    switch_to(choose(true));
  }

  // The current warp has nothing to do until others change something.
  void back_off() {
    Fiber& fiber = fibers_[current_];
    if (++steps_ > MOST_STEPS) stuck("goes on for ever");
    fiber.waiting = fiber.seen == changes_of_others(current_);
    // It reads anew from here on.
    fiber.seen = changes_of_others(current_);
    switch_to(choose(false));
  }

  // True if nothing has changed since the current warp last backed off, but by itself.
  bool quiet() const { return fibers_[current_].seen == changes_of_others(current_); }

  // Waits until a counter has come to a value. Whoever counts need not say that it has changed.
  void wait_for(const u32& counter, u32 value) {
    if (counter >= value) return;
    fibers_[current_].counter = &counter;
    fibers_[current_].value = value;
    switch_to(choose(false));
  }

  // A value has changed.
  void changed() {
    changes_total_++;
    fibers_[current_].changes++;
    idle_rounds_ = 0;
  }

  void barrier(u32& arrived, u32 expected) {
    point();
    u32 round = arrived / expected;
    arrived++;
    changed();
    while (arrived / expected == round) back_off();
  }

 private:
  static constexpr size_t STACK_BYTES = 64 << 10;
  static constexpr u64 MOST_STEPS = 100000;
  static constexpr u32 MOST_FIBERS = 64;
  // A warp's own state moves on as it polls: the window of neighbours. So all are woken a few times before it is a
  // hang.
  static constexpr u32 IDLE_ROUNDS = 6;

  struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    std::function<void()> body;
    bool done = false;
    bool waiting = false;
    const u32* counter = nullptr;  // waited for, if any
    u32 value = 0;
    u64 seen = 0;     // changes of others when its poll began
    u64 changes = 0;  // its own
  };
  struct Choice {
    u32 chosen;
    u32 options;
  };

  u64 changes_of_others(u32 fiber) const { return changes_total_ - fibers_[fiber].changes; }

  bool runnable(u32 i) {
    Fiber& fiber = fibers_[i];
    if (fiber.done) return false;
    if (fiber.counter != nullptr) {
      if (*fiber.counter < fiber.value) return false;
      fiber.counter = nullptr;
    }
    if (fiber.waiting && fiber.seen != changes_of_others(i)) {
      fiber.waiting = false;
      fiber.seen = changes_of_others(i);
    }
    return !fiber.waiting;
  }

  // Who goes on. The first option is the current warp, if it may, else the next in round robin; each other one is a
  // deviation.
  u32 choose(bool current_may) {
    u32 count = static_cast<u32>(fibers_.size());
    for (;;) {
      u32 options = 0;
      u32 option[MOST_FIBERS];
      if (current_may && runnable(current_)) option[options++] = current_;
      for (u32 i = 1; i <= count; i++) {
        u32 other = (current_ + i) % count;
        if ((other != current_ || !current_may) && runnable(other)) option[options++] = other;
      }
      if (options == 0) {
        if (idle_rounds_++ >= IDLE_ROUNDS) stuck("hangs: every warp waits for another");
        for (Fiber& fiber : fibers_) fiber.waiting = false;
        continue;
      }
      if (random_) {
        u32 best = option[0];
        for (u32 i = 1; i < options; i++) {
          if (priorities_[option[i]] > priorities_[best]) best = option[i];
        }
        return best;
      }
      if (options == 1 || left_ == 0) return option[0];
      if (position_ == path_.size()) path_.push_back({0, options});
      Choice choice = path_[position_++];
      if (choice.chosen > 0) left_--;
      return option[choice.chosen];
    }
  }

  void switch_to(u32 next) {
    if (next == current_) return;
    u32 previous = current_;
    current_ = next;
    swapcontext(&fibers_[previous].context, &fibers_[next].context);
  }

  static void enter() {
    Explorer& explorer = one();
    explorer.fibers_[explorer.current_].body();
    explorer.leave();
  }

  void leave() {
    fibers_[current_].done = true;
    changed();
    for (Fiber& fiber : fibers_) {
      if (!fiber.done) {
        u32 next = choose(false);
        current_ = next;
        setcontext(&fibers_[next].context);
      }
    }
    setcontext(&main_);
  }

  void execute(std::vector<std::function<void()>> warps) {
    fibers_.resize(warps.size());
    for (size_t i = 0; i < warps.size(); i++) {
      Fiber& fiber = fibers_[i];
      fiber.body = std::move(warps[i]);
      fiber.done = fiber.waiting = false;
      fiber.counter = nullptr;
      fiber.seen = fiber.changes = 0;
      if (fiber.stack.empty()) fiber.stack.resize(STACK_BYTES);
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.data();
      fiber.context.uc_stack.ss_size = STACK_BYTES;
      fiber.context.uc_link = nullptr;
      makecontext(&fiber.context, enter, 0);
    }
    current_ = 0;
    steps_ = 0;
    position_ = 0;
    left_ = deviations_;
    changes_total_ = 0;
    idle_rounds_ = 0;
    swapcontext(&main_, &fibers_[0].context);
  }

  bool next_path() {
    path_.resize(position_);
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) return false;
    path_.back().chosen++;
    return true;
  }

  [[noreturn]] void stuck(const char* what) {
    fail(name_, (std::string("warp ") + std::to_string(current_) + " " + what).c_str());
  }

  const char* name_ = "";
  std::vector<Fiber> fibers_;
  ucontext_t main_;
  u32 current_ = 0;
  u64 steps_ = 0;
  u64 changes_total_ = 0;
  u32 idle_rounds_ = 0;

  bool random_ = false;
  u32 deviations_ = 0;
  u32 left_ = 0;
  size_t position_ = 0;
  std::vector<Choice> path_;

  std::mt19937 generator_;
  std::vector<int> priorities_;
  std::vector<u64> changes_;
};

// The context whose atomic operations are the explorer's points.
template <u32 CLUSTER_SIZE>
class FiberContext : public OneLane<CLUSTER_SIZE> {
 public:
  using Cell32 = u32;
  using Cell64 = u64;

  // What a check wants to know.
  std::function<void(u32 nanos)> before_backoff;
  std::function<void(const u64*)> at_load;
  std::function<void(const u64*, bool succeeds)> at_exchange;
  // A cell of which some bits go back and forth as warps poll: they wait for nobody who changes these.
  const u64* lock = nullptr;
  u64 lock_bits = ~u64{0};

  // Of a warp: how often it fell asleep, and how often it was woken.
  struct Sleep {
    u32 slept = 0;
    u32 woken = 0;
  };

  // `arrived` counts the arrivals at the barriers of the warp's block, whose warps' `sleeps` are.
  FiberContext(Place place, u32* arrived, Sleep* sleeps)
      : OneLane<CLUSTER_SIZE>(place), place_(place), arrived_(arrived), sleeps_(sleeps) {}

  void sync_block() { explorer().barrier(*arrived_, place_.warps); }
  void sleep() {
    fall_asleep();
    await_wake();
  }
  void wake(u32 warp) {
    explorer().point();
    Sleep& other = sleeps_[warp];
    // It may be about to fall asleep.
    if (other.woken > other.slept) fail(explorer().name(), "a warp is woken twice");
    other.woken++;
  }
  // Some steps are a turn.
  u32 clock() const { return static_cast<u32>(explorer().steps()) << 12; }
  void backoff(u32 nanos) {
    if (before_backoff) before_backoff(nanos);
    explorer().back_off();
  }
  void clear(u64& cell) { cell = 0; }

  template <Scope S, class T>
  void observe(T& cell, T value) {
    cell = value;
  }
  template <Scope S>
  u64 peek(u64& cell) {
    return cell;
  }
  template <Order O, Scope S>
  u64 load(u64& cell) {
    if (at_load) at_load(&cell);
    explorer().point();
    return cell;
  }
  template <Order O, Scope S>
  void store(u64& cell, u64 value) {
    explorer().point();
    put(cell, value);
  }
  template <Order O, Scope S>
  bool compare_exchange(u64& cell, u64& expected, u64 desired) {
    explorer().point();
    if (at_exchange) at_exchange(&cell, cell == expected);
    if (cell != expected) {
      expected = cell;
      return false;
    }
    put(cell, desired);
    return true;
  }
  template <Order O, Scope S>
  u64 fetch_add(u64& cell, u64 value) {
    explorer().point();
    u64 before = cell;
    put(cell, before + value);
    return before;
  }
  template <Order O, Scope S>
  u64 fetch_sub(u64& cell, u64 value) {
    return fetch_add<O, S>(cell, u64{0} - value);
  }

 protected:
  void fall_asleep() {
    explorer().point();
    sleeps_[place_.warp].slept++;
  }
  void await_wake() { explorer().wait_for(sleeps_[place_.warp].woken, sleeps_[place_.warp].slept); }

 private:
  static Explorer& explorer() { return Explorer::one(); }
  void put(u64& cell, u64 value) {
    u64 changes = cell ^ value;
    if (&cell == lock) changes &= ~lock_bits;
    cell = value;
    if (changes != 0) explorer().changed();
  }

  Place place_;
  u32* arrived_;
  Sleep* sleeps_;
};

// Warps of several lanes, each a fiber of its own, that meet where a GPU's lanes must: what all lanes do together, with
// the same call. On a GPU a lane that comes to another call, or does not come, hangs or reads garbage; here it is an
// error.
template <u32 CLUSTER_SIZE, u32 LANES>
class WideContext : public FiberContext<CLUSTER_SIZE> {
 public:
  struct Warp {
    u32 arrived = 0;
    u64 value[2][LANES];  // by turns: a fast lane may be at the next call already
    const char* call[2][LANES];
  };

  WideContext(Place place, u32* arrived, typename FiberContext<CLUSTER_SIZE>::Sleep* sleeps, Warp* warp, u32 lane)
      : FiberContext<CLUSTER_SIZE>(place, arrived, sleeps), place_(place), arrived_(arrived), warp_(warp), lane_(lane) {}

  u32 lane() const { return lane_; }
  u32 lanes() const { return LANES; }
  bool leader() const { return lane_ == 0; }

  u64 shuffle(u64 value, u32 from) { return meet("shuffle", value)[from]; }
  void sync_warp() { meet("sync_warp", 0); }
  u32 ballot(bool value) {
    const u64* values = meet("ballot", value);
    u32 mask = 0;
    for (u32 i = 0; i < LANES; i++) mask |= static_cast<u32>(values[i]) << i;
    return mask;
  }
  u32 count(u32 lanes) const { return static_cast<u32>(__builtin_popcount(lanes)); }
  u32 before(u32 lanes) const { return count(lanes & ((1u << lane_) - 1)); }
  u32 sum(u32 value) {
    const u64* values = meet("sum", value);
    u32 sum = 0;
    for (u32 i = 0; i < LANES; i++) sum += static_cast<u32>(values[i]);
    return sum;
  }
  u32 argmax(u32 key) {
    const u64* values = meet("argmax", key);
    return static_cast<u32>(std::max_element(values, values + LANES) - values);
  }
  void sleep() {
    if (leader()) this->fall_asleep();
    meet("sleep", 0);
    this->await_wake();
  }
  void wake(u32 warp) {
    if (meet("wake", warp)[0] != warp) fail(Explorer::one().name(), "the lanes of a warp wake different ones");
    if (leader()) FiberContext<CLUSTER_SIZE>::wake(warp);
  }
  void sync_block() {
    meet("sync_block", 0);
    Explorer::one().barrier(*arrived_, place_.warps * LANES);
  }

 private:
  const u64* meet(const char* call, u64 value) {
    Explorer& explorer = Explorer::one();
    explorer.point();
    u32 turn = warp_->arrived / LANES;
    warp_->value[turn % 2][lane_] = value;
    warp_->call[turn % 2][lane_] = call;
    warp_->arrived++;
    explorer.wait_for(warp_->arrived, (turn + 1) * LANES);
    for (u32 i = 0; i < LANES; i++) {
      if (warp_->call[turn % 2][i] != call) fail(explorer.name(), "the lanes of a warp come to different calls");
    }
    return warp_->value[turn % 2];
  }

  Place place_;
  u32* arrived_;
  Warp* warp_;
  u32 lane_;
};

}  // namespace check
