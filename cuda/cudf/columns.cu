// The kernels of columns.cuh: rows of blocks of threads, as many as the host likes. `cuda/build` compiles them for the jar.

#include "columns.cuh"
#include "gpusched/device_context.cuh"

namespace gpusched {
namespace cudf {

// All lanes of a warp come here together. A sum is one atomic a warp, for all warps add to the same word.
__device__ __forceinline__ void add(u64* total, u64 sum) {
  DeviceContext<1> ctx;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, distance);
  if (ctx.leader() && sum != 0) ctx.fetch_add<Order::relaxed, Scope::device>(*total, sum);
}

template <class WORK>
__device__ __forceinline__ void run(const WORK& work) {
  i64 items = work.items(), step = (i64)gridDim.x * blockDim.x;
  Sums sums;
  GPUSCHED_LOOP
  for (i64 item = (i64)blockIdx.x * blockDim.x + threadIdx.x; item < items; item += step) work.item(item, sums);
  if constexpr (WORK::SUMS > 0) add(work.totals(), sums.of[0]);
  if constexpr (WORK::SUMS > 1) add(work.totals() + 1, sums.of[1]);
}

}  // namespace cudf
}  // namespace gpusched

// At most 256 threads a block; with a number of blocks, as in udf.cuh, ptxas does not spill to keep registers down.
#define GPUSCHED_CUDF_KERNEL(NAME, WORK)                                                                         \
  extern "C" __global__ void __launch_bounds__(256, 2) NAME(const __grid_constant__ gpusched::cudf::WORK work) { \
    gpusched::cudf::run(work);                                                                                   \
  }

GPUSCHED_CUDF_KERNEL(gpusched_cudf_unpack, Unpack)
GPUSCHED_CUDF_KERNEL(gpusched_cudf_extents, Extents)
GPUSCHED_CUDF_KERNEL(gpusched_cudf_lists, Lists)
GPUSCHED_CUDF_KERNEL(gpusched_cudf_pack, Pack)
GPUSCHED_CUDF_KERNEL(gpusched_cudf_sizes, Sizes)
GPUSCHED_CUDF_KERNEL(gpusched_cudf_strings, Strings)
