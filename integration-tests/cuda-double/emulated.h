// Runs a module's PTX in the emulator of cuda/check, in place of a twin: CUDA_DOUBLE_PTX (README.md).

#pragma once

#include <atomic>
#include <cstdio>
#include <memory>

#include "../../cuda/check/ptx/machine.h"
#include "../../cuda/check/ptx/parser.h"

namespace emulated {

using Kernels = std::map<std::string, ptx::Kernel>;

// The kernels of a PTX image, or null if they cannot be run here.
inline std::shared_ptr<Kernels> parse(const char* image) {
  try {
    return std::make_shared<Kernels>(ptx::Parser(image).parse());
  } catch (const ptx::Problem& problem) {
    fprintf(stderr, "cuda double: this PTX: %s\n", problem.what());
    return nullptr;
  }
}

// `memory` is all that a kernel may touch but its own. False if it did what no kernel may; that has been said then.
// `slots` of its blocks run at once.
inline bool run(const ptx::Kernel& kernel, unsigned blocks, unsigned threads, const void* parameter, ptx::DeviceMemory& memory,
                unsigned slots) {
  static std::atomic<uint64_t> runs = 0;
  try {
    ptx::Launch launch{kernel, blocks, threads, parameter, ++runs};
    // One that stays looks for work until it is told to stop.
    launch.instructions = ~uint64_t{0};
    launch.unseen_host = true;
    launch.slots = slots;
    ptx::Machine(memory).run(launch);
    return true;
  } catch (const ptx::Problem& problem) {
    fprintf(stderr, "cuda double: the PTX of %s\n", problem.what());
    return false;
  }
}

}  // namespace emulated
