// What all host contexts share: a warp is one lane wide, so whatever a warp does together is done by its one lane.

#pragma once

#include <cstdio>
#include <cstdlib>

#include "gpusched/base.cuh"

namespace check {

using gpusched::Order;
using gpusched::Scope;
using gpusched::u32;
using gpusched::u64;

[[noreturn]] inline void fail(const char* check, const char* what) {
  std::printf("FAILED %s: %s\n", check, what);
  std::fflush(stdout);
  std::_Exit(1);
}

// Where a warp stands in its grid.
struct Place {
  u32 warp;
  u32 warps;
  u32 block;
  u32 blocks;
};

template <u32 CLUSTER_SIZE>
class OneLane {
 public:
  static constexpr u32 CLUSTER = CLUSTER_SIZE;
  template <class T>
  using Plain = T;

  explicit OneLane(Place place) : place_(place) {}

  u32 lane() const { return 0; }
  u32 lanes() const { return 1; }
  bool leader() const { return true; }
  u32 warp() const { return place_.warp; }
  u32 warps() const { return place_.warps; }
  u32 block() const { return place_.block; }
  u32 blocks() const { return place_.blocks; }
  u32 cluster_rank() const { return place_.block % CLUSTER; }

  u64 shuffle(u64 value, u32) const { return value; }
  u32 ballot(bool value) const { return value ? 1 : 0; }
  u32 first(u32 bits) const { return static_cast<u32>(__builtin_ctz(bits)); }
  u32 count(u32 lanes) const { return lanes; }
  u32 before(u32) const { return 0; }
  u32 sum(u32 value) const { return value; }
  u32 argmax(u32) const { return 0; }
  void sync_warp() const {}

  template <class T>
  T get(const T& field) const {
    return field;
  }
  template <class T>
  void set(T& field, T value) const {
    field = value;
  }

  u32 get_alone(const u32& field) const { return field; }
  void set_alone(u32& field, u32 value) const { field = value; }

 private:
  Place place_;
};

}  // namespace check
