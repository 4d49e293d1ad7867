// Runs a kernel with one operating system thread a warp.

#pragma once

#include <memory>

#include "host_grid.h"
#include "thread_context.h"

namespace check {

template <u32 CLUSTER>
class RunningKernel {
 public:
  using Ctx = ThreadContext<CLUSTER>;

  // `blocks` is a multiple of the cluster's. `bodies` must outlive the kernel.
  template <class Bodies>
  RunningKernel(HostGrid<Ctx>& grid, u32 warps, const Bodies& bodies) {
    for (u32 block = 0; block < grid.blocks; block++) {
      barriers_.push_back(std::make_unique<std::barrier<>>(warps));
      bells_.emplace_back(warps);
    }
    for (u32 block = 0; block < grid.blocks; block++) {
      for (u32 warp = 0; warp < warps; warp++) {
        threads_.emplace_back([this, &grid, &bodies, block, warp, warps] {
          Ctx ctx({warp, warps, block, grid.blocks}, barriers_[block].get(), bells_[block].data());
          gpusched::run_kernel(ctx, grid.grid, grid.block[block], bodies);
        });
      }
    }
  }

  // Waits for the kernel's end.
  ~RunningKernel() {
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::vector<std::unique_ptr<std::barrier<>>> barriers_;
  std::vector<std::vector<Bell>> bells_;
  std::vector<std::thread> threads_;
};

}  // namespace check
