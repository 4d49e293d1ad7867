// The kernels between cuDF's columns and the plugin's (cudf/columns.cuh), as host code.

#include "cudf_cases.h"
#include "one_lane.h"

namespace {

using namespace check;

// Items as they come in a grid of threads: each on its own, in any order, and with the sums of its own thread.
struct OnHost {
  std::mt19937_64 random{5};

  template <class Work>
  void operator()(const char*, const Work& work, CudfMemory&) {
    std::vector<i64> items(static_cast<size_t>(work.items()));
    for (size_t i = 0; i < items.size(); i++) items[i] = static_cast<i64>(i);
    std::shuffle(items.begin(), items.end(), random);
    gpusched::cudf::Sums sums[3];
    for (i64 item : items) work.item(item, sums[item % 3]);
    for (const auto& own : sums) {
      if constexpr (Work::SUMS > 0) work.totals()[0] += own.of[0];
      if constexpr (Work::SUMS > 1) work.totals()[1] += own.of[1];
    }
  }
};

}  // namespace

int main() {
  CudfCases<OnHost> cases(OnHost(), 7);
  try {
    cases.room();
    cases.all();
  } catch (const std::exception& problem) {
    fail(cases.name().c_str(), problem.what());
  }
  std::printf("cudf columns           %llu cases\n", cases.cases());
}
