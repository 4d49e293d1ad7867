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

  GPUSCHED_FN u32 count(u32 lanes) const { return (u32)__popc((int)lanes); }
  // Those of some lanes that are before this one.
  GPUSCHED_FN u32 before(u32 lanes) const { return count(lanes & ((1u << lane()) - 1)); }

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

  // All lanes come here together, even after what only the leader did: the barrier wants whole warps.
  GPUSCHED_FN void sync_block() const {
    __syncwarp();
    __syncthreads();
  }

  // Until another warp of the block wakes this one, which it does once for each sleep, before it or after. The whole warp; a barrier of
  // the two. The block's own is barrier 0.
  GPUSCHED_FN void sleep() const { asm volatile("barrier.sync %0, 64;" ::"r"(warp() + 1) : "memory"); }
  GPUSCHED_FN void wake(u32 warp) const { asm volatile("barrier.arrive %0, 64;" ::"r"(warp + 1) : "memory"); }

  // Cycles of the multiprocessor, from any beginning.
  GPUSCHED_FN u32 clock() const {
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
  }

  GPUSCHED_FN void backoff(u32 nanos) const { asm volatile("nanosleep.u32 %0;" ::"r"(nanos) : "memory"); }

  template <class T>
  GPUSCHED_FN T get(const T& field) const {
    return field;
  }
  template <class T>
  GPUSCHED_FN void set(T& field, T value) const {
    field = value;
  }
  // Fields in shared memory that only the leader of one warp at a time reads and writes. Not plain accesses: a compiler may let the
  // other lanes load them too, for nothing.
  GPUSCHED_FN u32 get_alone(const u32& field) const {
    u32 value;
    asm volatile("ld.relaxed.cta.shared.b32 %0, [%1];" : "=r"(value) : "r"(in_shared(&field)) : "memory");
    return value;
  }
  GPUSCHED_FN void set_alone(u32& field, u32 value) const { store<Order::relaxed, Scope::block>(field, value); }
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

// OPERATION, its scope, WORDS; the cell is operand AT. What has the scope of a block is in its own shared memory, and said to be:
// an address of any memory would cost a way for each.
#define GPUSCHED_SCOPES(OPERATION, WORDS, OUT, CELL, ...)                                               \
  if constexpr (S == Scope::block) {                                                                    \
    asm volatile(OPERATION ".cta.shared" WORDS : OUT : "r"(in_shared(CELL)) __VA_ARGS__ : "memory");    \
  } else if constexpr (S == Scope::device) {                                                            \
    asm volatile(OPERATION ".gpu" WORDS : OUT : "l"(CELL) __VA_ARGS__ : "memory");                      \
  } else {                                                                                              \
    asm volatile(OPERATION ".sys" WORDS : OUT : "l"(CELL) __VA_ARGS__ : "memory");                      \
  }
#define GPUSCHED_AND , 

  template <Order O, Scope S>
  GPUSCHED_FN u64 load(u64& cell) const {
    u64 value;
    if constexpr (O == Order::acquire) {
      GPUSCHED_SCOPES("ld.acquire", ".b64 %0, [%1];", "=l"(value), &cell)
    } else {
      static_assert(O == Order::relaxed, "a load is relaxed or acquires");
      GPUSCHED_SCOPES("ld.relaxed", ".b64 %0, [%1];", "=l"(value), &cell)
    }
    return value;
  }

  template <Order O, Scope S>
  GPUSCHED_FN void store(u64& cell, u64 value) const {
    if constexpr (O == Order::release) {
      GPUSCHED_SCOPES("st.release", ".b64 [%0], %1;", , &cell, GPUSCHED_AND "l"(value))
    } else {
      static_assert(O == Order::relaxed, "a store is relaxed or releases");
      GPUSCHED_SCOPES("st.relaxed", ".b64 [%0], %1;", , &cell, GPUSCHED_AND "l"(value))
    }
  }

  template <Order O, Scope S>
  GPUSCHED_FN void store(u32& cell, u32 value) const {
    static_assert(O == Order::relaxed, "32-bit cells are counters for the host's eyes");
    GPUSCHED_SCOPES("st.relaxed", ".b32 [%0], %1;", , &cell, GPUSCHED_AND "r"(value))
  }

  // Like C++'s: on failure `expected` becomes what is there, with no order.
  template <Order O, Scope S>
  GPUSCHED_FN bool compare_exchange(u64& cell, u64& expected, u64 desired) const {
    u64 found;
    if constexpr (O == Order::acquire) {
      GPUSCHED_SCOPES("atom.acquire", ".cas.b64 %0, [%1], %2, %3;", "=l"(found), &cell,
                      GPUSCHED_AND "l"(expected), "l"(desired))
    } else {
      static_assert(O == Order::release, "a range is put with release and taken with acquire");
      GPUSCHED_SCOPES("atom.release", ".cas.b64 %0, [%1], %2, %3;", "=l"(found), &cell,
                      GPUSCHED_AND "l"(expected), "l"(desired))
    }
    bool done = found == expected;
    expected = found;
    return done;
  }

  template <Order O, Scope S>
  GPUSCHED_FN u64 fetch_add(u64& cell, u64 value) const {
    u64 before;
    if constexpr (O == Order::acquire) {
      GPUSCHED_SCOPES("atom.acquire", ".add.u64 %0, [%1], %2;", "=l"(before), &cell, GPUSCHED_AND "l"(value))
    } else if constexpr (O == Order::acq_rel) {
      GPUSCHED_SCOPES("atom.acq_rel", ".add.u64 %0, [%1], %2;", "=l"(before), &cell, GPUSCHED_AND "l"(value))
    } else {
      static_assert(O == Order::relaxed, "a claim acquires or is relaxed; a count is relaxed, or acquires and releases");
      GPUSCHED_SCOPES("atom.relaxed", ".add.u64 %0, [%1], %2;", "=l"(before), &cell, GPUSCHED_AND "l"(value))
    }
    return before;
  }

  template <Order O, Scope S>
  GPUSCHED_FN u64 fetch_sub(u64& cell, u64 value) const {
    return fetch_add<O, S>(cell, (u64)0 - value);
  }

#undef GPUSCHED_AND
#undef GPUSCHED_SCOPES

 private:
  static constexpr u32 ALL_LANES = 0xFFFFFFFFu;

  GPUSCHED_FN static u32 in_shared(const void* address) { return (u32)__cvta_generic_to_shared(address); }
};

}  // namespace gpusched

#endif
