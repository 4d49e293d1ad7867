// The GPUs of the cost model (multiprocessor.h), and where their numbers are from.
//
// Counts, rates and limits: NVIDIA, CUDA C++ Programming Guide 12, "Arithmetic Instructions" and "Technical Specifications per
// Compute Capability"; clocks, caches and bandwidths: the data sheets of T4, V100, A100 (SXM, 40 GB) and H100 (SXM). Latencies:
// Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018) and "Dissecting the NVidia Turing T4 GPU"
// (2019); Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking" (2024). They are rounded:
// the model is too simple for the last tenth of any of them.

#pragma once

#include <cstdint>

#include "../ptx/program.h"

namespace timing {

using ptx::u32;
using ptx::u64;

struct Gpu {
  const char* name;
  u32 architecture;  // whose registers count
  u32 multiprocessors;
  u32 warps;   // resident, of a multiprocessor
  u32 blocks;  // likewise
  double ghz;

  // Cycles that a scheduler needs for an instruction, and those that a branch keeps its warp from the next one.
  double issue;
  u32 branch;
  double sleep;  // of the time that a sleep asks for

  // Cycles for which an instruction of a warp keeps its scheduler's pipeline (four schedulers, each with pipelines of its own).
  u32 int_cycles;
  u32 float_cycles;
  u32 double_cycles;

  // Cycles until a result can be used.
  u32 alu;
  u32 fp64;
  u32 shared;
  u32 shared_atomic;
  u32 l1;
  u32 l2;
  u32 dram;

  u32 l1_lines;  // of 128 bytes
  u32 l2_lines;
  double l2_bytes;    // a cycle, of the whole GPU
  double dram_bytes;  // likewise

  // True: each instruction of the PTX takes one slot, as in simulators of PTX. False: as ptxas makes it, roughly: 64-bit integer
  // arithmetic takes two or more, moves none.
  bool ptx_slots;
};

inline constexpr Gpu GPUS[] = {
    {"T4", 75, 40, 32, 16, 1.59, 1, 4, 1, 2, 2, 64, 4, 48, 19, 40, 32, 188, 600, 512, 32768, 800, 200, false},
    {"A100", 80, 108, 64, 32, 1.41, 1, 4, 1, 2, 2, 4, 4, 8, 23, 48, 34, 200, 560, 1024, 327680, 3600, 1100, false},
    {"H100", 90, 132, 64, 32, 1.755, 1, 4, 1, 2, 1, 2, 4, 8, 24, 48, 33, 262, 660, 1536, 409600, 3700, 1900, false},
    // As the independent simulator has it: what gpu-simulation's table was made with.
    {"QV100", 70, 80, 64, 32, 1.132, 1.4, 4, 0.3, 1, 1, 4, 4, 8, 23, 48, 28, 200, 420, 1024, 49152, 2048, 570, true},
};

}  // namespace timing
