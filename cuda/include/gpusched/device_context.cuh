// The context on the device: warps of 32 lanes, atomics as PTX. No header is included, so NVRTC need not be given any.
// sm_70 and newer; clusters of more than one block from sm_90 on.

#ifndef GPUSCHED_DEVICE_CONTEXT_CUH
#define GPUSCHED_DEVICE_CONTEXT_CUH

#include "base.cuh"

namespace gpusched {

template <int CLUSTER_SIZE>
class DeviceContext {
 public:
  static constexpr u32 CLUSTER = CLUSTER_SIZE;
  static constexpr u32 NEAR_CAPACITY = 32;  // ranges in shared memory: one a lane
  using Cell32 = u32;
  using Cell64 = u64;
  template <class T>
  using Plain = T;

  GPUSCHED_FN u32 lane() const { return threadIdx.x & 31; }
  GPUSCHED_FN u32 lanes() const { return 32; }
  GPUSCHED_FN bool leader() const { return lane() == 0; }
  GPUSCHED_FN u32 warp() const { return threadIdx.x >> 5; }
  GPUSCHED_FN u32 warps() const { return blockDim.x >> 5; }
  GPUSCHED_FN u32 block() const { return blockIdx.x; }
  GPUSCHED_FN u32 blocks() const { return gridDim.x; }
  GPUSCHED_FN u32 cluster_rank() const { return blockIdx.x % CLUSTER; }

  GPUSCHED_FN u64 shuffle(u64 value, u32 from) const { return __shfl_sync(ALL_LANES, value, (int)from); }
  GPUSCHED_FN u32 ballot(bool value) const { return __ballot_sync(ALL_LANES, value); }
  GPUSCHED_FN u32 first(u32 lanes) const { return (u32)__ffs((int)lanes) - 1; }

  GPUSCHED_FN u32 sum(u32 value) const {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
  }

  // The lowest lane with the greatest key.
  GPUSCHED_FN u32 argmax(u32 key) const {
    u32 greatest = key;
    for (int distance = 16; distance > 0; distance /= 2) {
      u32 other = __shfl_xor_sync(ALL_LANES, greatest, distance);
      if (other > greatest) greatest = other;
    }
    return first(ballot(key == greatest));
  }

  GPUSCHED_FN void sync_warp() const { __syncwarp(); }

  // All lanes come here together, even after what only the leader did: the barriers want whole warps.
  GPUSCHED_FN void sync_cluster() const {
    __syncwarp();
    if constexpr (CLUSTER > 1) {
      asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    } else {
      __syncthreads();
    }
  }

  GPUSCHED_FN void backoff(u32 nanos) const { asm volatile("nanosleep.u32 %0;" ::"r"(nanos) : "memory"); }

  // The same place in the shared memory of another block of the cluster.
  template <class T>
  GPUSCHED_FN T* peer(T* own, u32 rank) const {
    if constexpr (CLUSTER > 1) {
      u64 address;
      asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"((u64)own), "r"(rank));
      return (T*)address;
    } else {
      return own;
    }
  }

  template <class T>
  GPUSCHED_FN T get(const T& field) const {
    return field;
  }
  template <class T>
  GPUSCHED_FN void set(T& field, T value) const {
    field = value;
  }
  GPUSCHED_FN void clear(u64& cell) const { cell = 0; }

  // Counters for the host's eyes, and a look at one: nothing depends on when.
  template <Scope S>
  GPUSCHED_FN void observe(u32& cell, u32 value) const {
    store<Order::relaxed, S>(cell, value);
  }
  template <Scope S>
  GPUSCHED_FN void observe(u64& cell, u64 value) const {
    store<Order::relaxed, S>(cell, value);
  }
  template <Scope S>
  GPUSCHED_FN u64 peek(u64& cell) const {
    return load<Order::relaxed, S>(cell);
  }

#define GPUSCHED_SCOPES(OPERATION, WORDS, ...)                                             \
  if constexpr (S == Scope::block) {                                                       \
    asm volatile(OPERATION ".cta" WORDS __VA_ARGS__ : "memory");                           \
  } else if constexpr (S == Scope::cluster) {                                              \
    asm volatile(OPERATION ".cluster" WORDS __VA_ARGS__ : "memory");                       \
  } else if constexpr (S == Scope::device) {                                               \
    asm volatile(OPERATION ".gpu" WORDS __VA_ARGS__ : "memory");                           \
  } else {                                                                                 \
    asm volatile(OPERATION ".sys" WORDS __VA_ARGS__ : "memory");                           \
  }

  template <Order O, Scope S>
  GPUSCHED_FN u64 load(u64& cell) const {
    u64 value;
    if constexpr (O == Order::acquire) {
      GPUSCHED_SCOPES("ld.acquire", ".b64 %0, [%1];", : "=l"(value) : "l"(&cell))
    } else {
      static_assert(O == Order::relaxed, "a load is relaxed or acquires");
      GPUSCHED_SCOPES("ld.relaxed", ".b64 %0, [%1];", : "=l"(value) : "l"(&cell))
    }
    return value;
  }

  template <Order O, Scope S>
  GPUSCHED_FN void store(u64& cell, u64 value) const {
    if constexpr (O == Order::release) {
      GPUSCHED_SCOPES("st.release", ".b64 [%0], %1;", ::"l"(&cell), "l"(value))
    } else {
      static_assert(O == Order::relaxed, "a store is relaxed or releases");
      GPUSCHED_SCOPES("st.relaxed", ".b64 [%0], %1;", ::"l"(&cell), "l"(value))
    }
  }

  template <Order O, Scope S>
  GPUSCHED_FN void store(u32& cell, u32 value) const {
    static_assert(O == Order::relaxed, "32-bit cells are counters for the host's eyes");
    GPUSCHED_SCOPES("st.relaxed", ".b32 [%0], %1;", ::"l"(&cell), "r"(value))
  }

  // Like C++'s: on failure `expected` becomes what is there, with no order.
  template <Order O, Scope S>
  GPUSCHED_FN bool compare_exchange(u64& cell, u64& expected, u64 desired) const {
    u64 found;
    if constexpr (O == Order::acquire) {
      GPUSCHED_SCOPES("atom.acquire", ".cas.b64 %0, [%1], %2, %3;",
                      : "=l"(found) : "l"(&cell), "l"(expected), "l"(desired))
    } else {
      static_assert(O == Order::release, "a range is put with release and taken with acquire");
      GPUSCHED_SCOPES("atom.release", ".cas.b64 %0, [%1], %2, %3;",
                      : "=l"(found) : "l"(&cell), "l"(expected), "l"(desired))
    }
    bool done = found == expected;
    expected = found;
    return done;
  }

  template <Order O, Scope S>
  GPUSCHED_FN u64 fetch_add(u64& cell, u64 value) const {
    u64 before;
    if constexpr (O == Order::acq_rel) {
      GPUSCHED_SCOPES("atom.acq_rel", ".add.u64 %0, [%1], %2;", : "=l"(before) : "l"(&cell), "l"(value))
    } else {
      static_assert(O == Order::relaxed, "a count is relaxed, or acquires and releases");
      GPUSCHED_SCOPES("atom.relaxed", ".add.u64 %0, [%1], %2;", : "=l"(before) : "l"(&cell), "l"(value))
    }
    return before;
  }

  template <Order O, Scope S>
  GPUSCHED_FN u64 fetch_sub(u64& cell, u64 value) const {
    return fetch_add<O, S>(cell, (u64)0 - value);
  }

#undef GPUSCHED_SCOPES

 private:
  static constexpr u32 ALL_LANES = 0xFFFFFFFFu;
};

}  // namespace gpusched

#endif
