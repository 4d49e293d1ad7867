// Steps of each row: all workloads have about the mean that is asked for, but for the rounding of steps. Those above the line are of
// the independent simulator's table; what it calls `step` and `exp` it does not say, so these are ours.

#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "../ptx/program.h"

namespace timing {

using ptx::u32;
using ptx::u64;

// What a workload may depend on.
struct Shape {
  u64 rows;
  double mean;  // steps
  u32 blocks;
  u32 warps;  // of a block
  u64 seed;
  u64 batch = 1;  // of a generated workload: what is drawn for rows, but not of what kind they are
};

inline constexpr u32 CHUNK = 32;

// Steps by a function of the row's place, scaled to the mean.
template <class F>
std::vector<int> scaled(const Shape& shape, F weight) {
  std::vector<double> weights(shape.rows);
  double sum = 0;
  for (u64 row = 0; row < shape.rows; row++) sum += weights[row] = weight(row);
  std::vector<int> steps(shape.rows);
  double over = shape.mean * static_cast<double>(shape.rows) / sum;
  for (u64 row = 0; row < shape.rows; row++) steps[row] = std::max(0, static_cast<int>(std::lround(weights[row] * over)));
  return steps;
}

// Steps that are drawn.
template <class F>
std::vector<int> drawn(const Shape& shape, F draw) {
  std::mt19937_64 random(shape.seed + 1000 * (shape.batch - 1));
  std::uniform_real_distribution<double> unit(0, 1);
  return scaled(shape, [&](u64) { return draw(1 - unit(random)); });
}

inline std::vector<int> steps_of(const std::string& name, const Shape& shape) {
  double rows = static_cast<double>(shape.rows);
  u64 warps = u64{shape.blocks} * shape.warps;
  if (name == "step") return scaled(shape, [&](u64 row) { return static_cast<double>(row) < 0.9 * rows ? 1 : 10; });
  if (name == "exp") return scaled(shape, [&](u64 row) { return std::exp2(2 * static_cast<double>(row) / rows); });
  if (name == "hot") {
    std::mt19937_64 random(shape.seed);
    std::vector<bool> hot(shape.rows / CHUNK + 1);
    for (size_t i = 0; i < hot.size(); i++) hot[i] = random() % 20 == 0;
    return scaled(shape, [&](u64 row) { return hot[row / CHUNK] ? 10 : 1; });
  }
  if (name == "uniform") return scaled(shape, [](u64) { return 1; });
  if (name == "warps") return scaled(shape, [&](u64 row) { return row / CHUNK % warps == 0 ? static_cast<double>(warps) : 1; });
  if (name == "blocks") {
    return scaled(shape, [&](u64 row) { return row / CHUNK % shape.blocks == 0 ? static_cast<double>(warps + 1) : 1; });
  }
  if (name == "rows") return drawn(shape, [](double u) { return -std::log(u); });
  // ---
  if (name == "pareto") return drawn(shape, [](double u) { return std::min(std::pow(u, -1 / 1.5), 1000.0); });
  if (name == "sorted") {
    return scaled(shape, [&](u64 row) { return -std::log((static_cast<double>(row) + 1) / (rows + 1)); });
  }
  if (name == "tenth") {
    return scaled(shape, [&](u64 row) { return static_cast<double>(row) >= rows * 0.6 && static_cast<double>(row) < rows * 0.7 ? 50 : 1; });
  }
  if (name == "giant") {
    // One row takes as long as a tenth of the whole on one warp.
    u64 giant = shape.rows * 2 / 3;
    std::vector<int> steps(shape.rows, static_cast<int>(shape.mean));
    steps[giant] = static_cast<int>(shape.mean * rows / CHUNK / static_cast<double>(warps) * 8);
    return steps;
  }
  throw ptx::Problem("there is no workload " + name);
}

// One of many: a shape with parameters that are drawn.
inline std::vector<int> generated(const Shape& shape) {
  std::mt19937_64 random(shape.seed);
  std::uniform_real_distribution<double> unit(0, 1);
  double heavy = std::exp2(1 + 7 * unit(random)), part = std::exp2(-1 - 6 * unit(random)), from = unit(random) * (1 - part);
  double rows = static_cast<double>(shape.rows);
  switch (random() % 6) {
    case 0:  // a stretch that is heavy
      return scaled(shape, [&](u64 row) {
        double at = static_cast<double>(row) / rows;
        return at >= from && at < from + part ? heavy : 1;
      });
    case 1:  // chunks, here and there
      return scaled(shape, [&, draw = std::mt19937_64(shape.seed + 1000 * shape.batch)](u64 row) mutable {
        static double last = 1;
        if (row % CHUNK == 0) last = unit(draw) < part ? heavy : 1;
        return last;
      });
    case 2: {  // in phase with something
      u64 phase = 2 + random() % 300;
      return scaled(shape, [&](u64 row) { return row / CHUNK % phase == 0 ? heavy : 1; });
    }
    case 3: {  // a power law, by row
      double power = 1.1 + 2 * unit(random);
      return drawn(shape, [&](double u) { return std::min(std::pow(u, -1 / power), heavy * 10); });
    }
    case 4:  // growing or falling
      return scaled(shape, [&](u64 row) { return std::exp2(std::log2(heavy) * (from < 0.5 ? static_cast<double>(row) : rows - static_cast<double>(row)) / rows); });
    default:
      return scaled(shape, [](u64) { return 1; });
  }
}

}  // namespace timing
