// The host context with one operating system thread a warp.

#pragma once

#include <atomic>
#include <barrier>
#include <chrono>
#include <semaphore>
#include <thread>
#include <vector>

#include "gpusched/kernel.cuh"
#include "one_lane.h"

namespace check {

constexpr std::memory_order order_of(Order order) {
  switch (order) {
    case Order::relaxed:
      return std::memory_order_relaxed;
    case Order::acquire:
      return std::memory_order_acquire;
    case Order::release:
      return std::memory_order_release;
    case Order::acq_rel:
      return std::memory_order_acq_rel;
  }
  return std::memory_order_seq_cst;
}

// What wakes a warp that sleeps; of a block, one a warp.
struct Bell {
  std::binary_semaphore rung{0};
};

template <u32 CLUSTER_SIZE>
class ThreadContext : public OneLane<CLUSTER_SIZE> {
 public:
  using Cell32 = u32;
  using Cell64 = u64;

  // `bells` are those of the warp's block.
  ThreadContext(Place place, std::barrier<>* block, Bell* bells) : OneLane<CLUSTER_SIZE>(place), block_(block), bells_(bells) {}

  void sync_block() { block_->arrive_and_wait(); }
  void sleep() { bells_[this->warp()].rung.acquire(); }
  void wake(u32 warp) { bells_[warp].rung.release(); }

  u32 clock() { return static_cast<u32>(std::chrono::steady_clock::now().time_since_epoch().count()); }

  // Two cores run the threads of many warps: give the core away.
  void backoff(u32) { std::this_thread::yield(); }

  void clear(u64& cell) { std::atomic_ref(cell).store(0, std::memory_order_relaxed); }

  template <Scope S, class T>
  void observe(T& cell, T value) {
    std::atomic_ref(cell).store(value, std::memory_order_relaxed);
  }
  template <Scope S>
  u64 peek(u64& cell) {
    return std::atomic_ref(cell).load(std::memory_order_relaxed);
  }
  template <Order O, Scope S>
  u64 load(u64& cell) {
    return std::atomic_ref(cell).load(order_of(O));
  }
  template <Order O, Scope S>
  void store(u64& cell, u64 value) {
    std::atomic_ref(cell).store(value, order_of(O));
  }
  template <Order O, Scope S>
  bool compare_exchange(u64& cell, u64& expected, u64 desired) {
    return std::atomic_ref(cell).compare_exchange_strong(expected, desired, order_of(O), std::memory_order_relaxed);
  }
  template <Order O, Scope S>
  u64 fetch_add(u64& cell, u64 value) {
    return std::atomic_ref(cell).fetch_add(value, order_of(O));
  }
  template <Order O, Scope S>
  u64 fetch_sub(u64& cell, u64 value) {
    return std::atomic_ref(cell).fetch_sub(value, order_of(O));
  }

 private:
  std::barrier<>* block_;
  Bell* bells_;
};

}  // namespace check
