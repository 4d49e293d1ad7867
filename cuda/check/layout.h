// Where the driver's double finds what the plugin gives a kernel, in bytes. It knows none of the device's types; udf.cpp holds
// these numbers against them.

#pragma once

#include <cstddef>

namespace layout {

// gpusched::Grid, the parameter of a function's kernel
constexpr std::size_t GRID_BYTES = 88;
constexpr std::size_t GRID_MIRROR = 48;
constexpr std::size_t GRID_JOBS = 56;
constexpr std::size_t GRID_RING = 72;  // 0 if the kernel does not stay
constexpr std::size_t GRID_JOB_COUNT = 80;

// gpusched::Job
constexpr std::size_t JOB_BYTES = 48;
constexpr std::size_t JOB_ROWS = 0;
constexpr std::size_t JOB_COLUMNS = 16;
constexpr std::size_t JOB_REMAINING = 40;

// gpusched::BlockMirror
constexpr std::size_t MIRROR_BYTES = 32;
constexpr std::size_t MIRROR_PROCESSED = 8;

// gpusched::Column
constexpr std::size_t COLUMN_VALIDITY = 8;

}  // namespace layout
