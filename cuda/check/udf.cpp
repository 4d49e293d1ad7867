// Functions over columns, as a kernel calls them: every type, nulls, guards, offsets, rows that only the host can
// compute; against a plain loop over the same rows. The kernels run as host code, a thread a warp; with the name of a
// folder of PTX, as PTX (ptx/machine.h).

#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "modules.h"
#include "in_steps.h"
#include "layout.h"
#include "ptx/grid.h"
#include "ptx/machine.h"
#include "ptx/parser.h"
#include "threads.h"

namespace {

using namespace check;
using gpusched::Column;
using gpusched::Extent;
using Ctx = ThreadContext<1>;

// What the plugin's host side writes and reads by offsets (README.md, "What the host allocates").
static_assert(sizeof(gpusched::Grid<Ctx>) == layout::GRID_BYTES && offsetof(gpusched::Grid<Ctx>, far) == 32 &&
              offsetof(gpusched::Grid<Ctx>, table) == 40 && offsetof(gpusched::Grid<Ctx>, mirror) == layout::GRID_MIRROR &&
              offsetof(gpusched::Grid<Ctx>, jobs) == layout::GRID_JOBS && offsetof(gpusched::Grid<Ctx>, cursor) == 64 &&
              offsetof(gpusched::Grid<Ctx>, ring) == layout::GRID_RING &&
              offsetof(gpusched::Grid<Ctx>, job_count) == layout::GRID_JOB_COUNT);
static_assert(sizeof(gpusched::Job<Ctx>) == layout::JOB_BYTES && offsetof(gpusched::Job<Ctx>, rows) == layout::JOB_ROWS &&
              offsetof(gpusched::Job<Ctx>, first_row) == 8 && offsetof(gpusched::Job<Ctx>, columns) == layout::JOB_COLUMNS &&
              offsetof(gpusched::Job<Ctx>, sequence) == 24 && offsetof(gpusched::Job<Ctx>, chunk_rows) == 32 &&
              offsetof(gpusched::Job<Ctx>, first_share) == 36 && offsetof(gpusched::Job<Ctx>, remaining) == layout::JOB_REMAINING);
static_assert(offsetof(Column, validity) == layout::COLUMN_VALIDITY);
static_assert(sizeof(gpusched::BlockMirror<Ctx>) == layout::MIRROR_BYTES && offsetof(gpusched::BlockMirror<Ctx>, capacity) == 4 &&
              offsetof(gpusched::BlockMirror<Ctx>, processed) == layout::MIRROR_PROCESSED &&
              offsetof(gpusched::BlockMirror<Ctx>, steal_requests) == 16 &&
              offsetof(gpusched::BlockMirror<Ctx>, offer_count) == 20 &&
              offsetof(gpusched::BlockMirror<Ctx>, steals_won) == 24 &&
              offsetof(gpusched::BlockMirror<Ctx>, steals_empty) == 28);
static_assert(sizeof(gpusched::RingSlot<Ctx>) == 128 && offsetof(gpusched::RingSlot<Ctx>, rows) == 8 &&
              offsetof(gpusched::RingSlot<Ctx>, first_row) == 16 && offsetof(gpusched::RingSlot<Ctx>, columns) == 24 &&
              offsetof(gpusched::RingSlot<Ctx>, chunk_rows) == 32 &&
              offsetof(gpusched::RingSlot<Ctx>, column_words) == 40 && offsetof(gpusched::RingSlot<Ctx>, done) == 64);
static_assert(sizeof(gpusched::RingControl<Ctx>) == 128 && offsetof(gpusched::RingControl<Ctx>, heartbeat) == 64);
static_assert(sizeof(gpusched::Ring<Ctx>) == 48 && offsetof(gpusched::Ring<Ctx>, columns) == 40 && offsetof(gpusched::Ring<Ctx>, control) == 8 &&
              offsetof(gpusched::Ring<Ctx>, capacity) == 16 && offsetof(gpusched::Ring<Ctx>, completed) == 24 &&
              offsetof(gpusched::Ring<Ctx>, stopped) == 32);

constexpr u64 ROWS = 3000;
// The job computes a part of the batch: the rest must stay as it was.
constexpr u64 FIRST = 100;
constexpr u64 JOB_ROWS = 2500;
constexpr gpusched::u8 POISON = 0xA5;

std::mt19937_64 generator(7);
u64 below(u64 bound) { return generator() % bound; }
double small() { return static_cast<double>(below(2000)) / 100 - 10; }

// A column of some type, as the plugin makes it. Null rows hold poison.
struct Data {
  std::vector<gpusched::u8> values;
  std::vector<gpusched::u8> validity;
  std::vector<u64> heap;
  bool absolute = false;
  bool may_have_nulls = true;
  bool repeats = false;  // all rows have what the first one has; the others are none

  explicit Data(size_t width) : values(ROWS * width, POISON), validity(ROWS) {}

  template <class T>
  void set(u64 row, T value) {
    std::memcpy(&values[row * sizeof(T)], &value, sizeof(T));
    validity[row] = 1;
  }
  template <class T>
  T get(u64 row) const {
    T value;
    std::memcpy(&value, &values[(repeats ? 0 : row) * sizeof(T)], sizeof(T));
    return value;
  }
  void set_bytes(u64 row, const void* bytes, size_t length) {
    u64 offset = heap.size() * 8;
    heap.resize(heap.size() + (length + 7) / 8);
    if (length > 0) std::memcpy(heap.data() + offset / 8, bytes, length);
    u64 address = offset;
    u32 size = static_cast<u32>(length);
    std::memcpy(&values[row * 16], &address, 8);
    std::memcpy(&values[row * 16 + 8], &size, 4);
    validity[row] = 1;
  }
  template <class T>
  void set_array(u64 row, const std::vector<T>& elements, size_t null_element = SIZE_MAX) {
    std::vector<u64> array(1 + (elements.size() + 63) / 64);
    array[0] = elements.size();
    if (null_element < elements.size()) array[1 + null_element / 64] |= u64{1} << null_element % 64;
    size_t header = array.size() * 8;
    std::vector<char> bytes(header + elements.size() * sizeof(T));
    std::memcpy(bytes.data(), array.data(), header);
    if (!elements.empty()) std::memcpy(bytes.data() + header, elements.data(), elements.size() * sizeof(T));
    set_bytes(row, bytes.data(), bytes.size());
  }

  Column column() {
    u64 base = reinterpret_cast<u64>(heap.data());
    if (absolute) {
      for (u64 row = 0; row < ROWS && !heap.empty(); row++) {
        if (validity[row] != 0) set(row, Extent{get<Extent>(row).address + base, get<Extent>(row).bytes, 0xDEAD});
      }
      base = 0;
    }
    return {reinterpret_cast<u64>(values.data()),
            may_have_nulls ? reinterpret_cast<u64>(validity.data()) : 0,
            base,
            {repeats}};
  }
};

bool some_null() { return below(8) == 0; }

template <class T, class Make>
Data fixed(Make make, bool nulls = true) {
  Data data(sizeof(T));
  data.may_have_nulls = nulls;
  for (u64 row = 0; row < ROWS; row++) {
    if (!nulls || !some_null()) data.set<T>(row, static_cast<T>(make(row)));
  }
  return data;
}
Data doubles(bool nulls = true) {
  return fixed<double>([](u64) { return small(); }, nulls);
}

// The kernels of a folder of PTX, if one is given.
std::map<std::string, ptx::Kernel> ptx_kernels;

void run_ptx(const char* function, HostGrid<Ctx>& grid, std::vector<Column>& columns, const std::vector<Data*>& all) {
  ptx::DeviceMemory memory;
  ptx::add_grid(grid, memory);
  ptx::add_all(memory, "the columns", columns);
  for (Data* data : all) {
    if (data == nullptr) continue;
    ptx::add_all(memory, "values", data->values);
    ptx::add_all(memory, "validity", data->validity);
    ptx::add_all(memory, "a heap", data->heap);
  }
  auto kernel = ptx_kernels.find(std::string(function) + "_c1");
  if (kernel == ptx_kernels.end()) fail(function, "there is no PTX of it");
  try {
    ptx::Machine(memory).run({kernel->second, grid.blocks, 3 * 32, &grid.grid, generator()});
  } catch (const ptx::Problem& problem) {
    fail(function, problem.what());
  }
}

// Of functions in steps.
u32 form = gpusched::STEPS_IF_ANY;

// Runs a function's kernel over rows [FIRST, FIRST + JOB_ROWS) and returns the result column.
template <class Udf>
Data run(const char* function, const char* name, size_t width, const std::vector<Data*>& arguments, Data* guard,
         u32 slot_bytes = 0) {
  Data result(width);
  std::fill(result.validity.begin(), result.validity.end(), POISON);
  result.heap.assign(ROWS * slot_bytes / 8, 0);
  std::vector<Column> columns = {result.column(), guard == nullptr ? Column{0, 0, 0, {0}} : guard->column()};
  columns[0].slot_bytes = slot_bytes;
  for (Data* argument : arguments) columns.push_back(argument->column());
  gpusched::Settings settings;
  settings.strategy = gpusched::HYBRID;
  settings.form = form;
  HostGrid<Ctx> grid(settings, 3);
  grid.begin(JOB_ROWS, 4);
  grid.jobs[0].first_row = FIRST;
  grid.jobs[0].columns = reinterpret_cast<u64>(columns.data());
  if (ptx_kernels.empty()) {
    Udf bodies;
    RunningKernel<1> kernel(grid, 3, bodies);
  } else {
    std::vector<Data*> all = arguments;
    all.push_back(&result);
    if (std::find(all.begin(), all.end(), guard) == all.end()) all.push_back(guard);
    run_ptx(function, grid, columns, all);
  }
  grid.check_end(name, JOB_ROWS);
  for (u64 row = 0; row < ROWS; row++) {
    bool inside = row >= FIRST && row < FIRST + JOB_ROWS;
    if (!inside && result.validity[row] != POISON) fail(name, "a row outside the job is written");
  }
  return result;
}
#define RUN(FUNCTION, ...) run<FUNCTION##_udf>(#FUNCTION, __VA_ARGS__)

constexpr int NULL_ROW = 0;
constexpr int VALID = 1;
constexpr int FOR_HOST = 2;

// `expected` is a row's value; `state` its expected validity; both by the plain loop.
template <class T, class State, class Expected>
void compare(const char* name, const Data& result, State state, Expected expected) {
  u64 states[3] = {};
  for (u64 row = FIRST; row < FIRST + JOB_ROWS; row++) {
    int wanted = state(row);
    if (result.validity[row] != wanted) fail(name, "a row has another validity than it should");
    states[wanted]++;
    if (wanted == VALID) {
      T value = result.get<T>(row);
      T other = static_cast<T>(expected(row));
      if (std::memcmp(&value, &other, sizeof(T)) != 0) fail(name, "a result differs from the plain loop's");
    }
  }
  std::printf("%-22s %llu valid, %llu null, %llu for the host\n", name, states[VALID], states[NULL_ROW],
              states[FOR_HOST]);
  if (states[VALID] == 0) fail(name, "no row has a result");
}

int all_valid(std::initializer_list<const Data*> columns, u64 row) {
  for (const Data* column : columns) {
    if (column->may_have_nulls && column->validity[column->repeats ? 0 : row] == 0) return NULL_ROW;
  }
  return VALID;
}

void check_fixed_width() {
  Data a = fixed<gpusched::u8>([](u64) { return below(2) * 255; });
  Data b = fixed<signed char>([](u64) { return below(256); });
  Data c = fixed<short>([](u64) { return below(65536); }, false);
  Data d = fixed<int>([](u64) { return below(1 << 20); });
  Data e = fixed<long long>([](u64) { return below(1LL << 40); });
  Data f = fixed<float>([](u64) { return small(); });
  Data g = doubles();
  Data result = RUN(fixed_width, "fixed_width", 8, {&a, &b, &c, &d, &e, &f, &g}, nullptr);
  auto valid = [&](u64 row) { return all_valid({&a, &b, &d, &e, &f, &g}, row); };
  compare<long long>("fixed_width", result, valid, [&](u64 row) {
    return fixed_width(a.get<gpusched::u8>(row) != 0, b.get<signed char>(row), c.get<short>(row), d.get<int>(row),
                       e.get<long long>(row), f.get<float>(row), g.get<double>(row));
  });
  Data narrowed = RUN(narrow, "narrow", 1, {&c}, nullptr);
  compare<signed char>("narrow", narrowed, [](u64) { return VALID; }, [&](u64 row) { return c.get<short>(row) * 300; });
  Data same = RUN(identity, "identity", 8, {&g}, nullptr);
  compare<double>(
      "identity", same, [&](u64 row) { return all_valid({&g}, row); }, [&](u64 row) { return g.get<double>(row); });
  Data sevens = RUN(seven, "no_arguments", 4, {}, nullptr);
  compare<float>("no_arguments", sevens, [](u64) { return VALID; }, [](u64) { return 7; });
}

void check_nulls_and_guards() {
  Data a = doubles();
  Data b = doubles();
  Data c = doubles(false);
  Data guard = fixed<gpusched::u8>([](u64) { return below(2); });
  Data sum = RUN(multiply_add, "guard", 8, {&a, &b, &c}, &guard);
  auto guarded = [&](u64 row) {
    return guard.validity[row] && guard.get<gpusched::u8>(row) ? all_valid({&a, &b, &c}, row) : NULL_ROW;
  };
  compare<double>("guard", sum, guarded,
                  [&](u64 row) { return multiply_add(a.get<double>(row), b.get<double>(row), c.get<double>(row)); });
  Data either = RUN(or_else, "takes_nulls", 8, {&a, &b}, nullptr);
  compare<double>(
      "takes_nulls", either, [&](u64 row) { return a.validity[row] || b.validity[row] ? VALID : NULL_ROW; },
      [&](u64 row) { return a.validity[row] ? a.get<double>(row) : b.get<double>(row); });
  Data numbers = fixed<int>([](u64 row) { return row; });
  Data halves = RUN(half_if_even, "null_result", 4, {&numbers}, nullptr);
  compare<int>(
      "null_result", halves, [&](u64 row) { return row % 2 == 0 ? all_valid({&numbers}, row) : NULL_ROW; },
      [](u64 row) { return row / 2; });
  Data squares = fixed<int>([](u64 row) { return row % 5 == 0 ? -4 : static_cast<int>(row % 50); });
  Data roots = RUN(root, "for_host", 4, {&squares}, nullptr);
  auto state = [&](u64 row) {
    int square = squares.get<int>(row);
    if (!squares.validity[row] || square < 0) return squares.validity[row] ? FOR_HOST : NULL_ROW;
    int whole = static_cast<int>(std::sqrt(square));
    return whole * whole == square ? VALID : NULL_ROW;
  };
  compare<int>("for_host", roots, state, [&](u64 row) { return std::sqrt(squares.get<int>(row)); });
}

// Literals: the first row alone is there.
template <class T>
Data repeated(T value) {
  Data data(sizeof(T));
  data.repeats = true;
  data.set<T>(0, value);
  return data;
}

Data texts(bool absolute) {
  Data data(16);
  data.absolute = absolute;
  for (u64 row = 0; row < ROWS; row++) {
    if (some_null()) continue;
    std::string text;
    for (u64 left = below(20); left > 0; left--) text += static_cast<char>('a' + below(3));
    data.set_bytes(row, text.data(), text.size());
  }
  return data;
}

const gpusched::u8* bytes_of(const Data& data, u64 row) {
  u64 base = data.absolute ? 0 : reinterpret_cast<u64>(data.heap.data());
  return reinterpret_cast<const gpusched::u8*>(base + data.get<Extent>(row).address);
}
int length_of(const Data& data, u64 row) { return static_cast<int>(data.get<Extent>(row).bytes); }

void check_strings() {
  Data a = texts(false);
  Data b = texts(true);
  Data distance = RUN(levenshtein, "strings", 4, {&a, &b}, nullptr);
  compare<int>(
      "strings", distance, [&](u64 row) { return all_valid({&a, &b}, row); },
      [&](u64 row) {
        bool flags[2] = {};
        return levenshtein(bytes_of(a, row), length_of(a, row), bytes_of(b, row), length_of(b, row), flags, flags + 1);
      });
  constexpr u32 SLOT = 16;
  Data upper = RUN(upper_case, "string_result", 16, {&a}, nullptr, SLOT);
  u64 too_long = 0;
  for (u64 row = FIRST; row < FIRST + JOB_ROWS; row++) {
    int length = length_of(a, row);
    int wanted = all_valid({&a}, row) == NULL_ROW ? NULL_ROW : length > static_cast<int>(SLOT) ? FOR_HOST : VALID;
    if (upper.validity[row] != wanted) fail("string_result", "a row has another validity than it should");
    too_long += wanted == FOR_HOST;
    if (wanted != VALID) continue;
    if (length_of(upper, row) != length) fail("string_result", "a result has another length than it should");
    for (int i = 0; i < length; i++) {
      bool same = bytes_of(upper, row)[i] == bytes_of(a, row)[i] - 32;
      if (!same) fail("string_result", "a result differs from the plain loop's");
    }
  }
  if (too_long == 0) fail("string_result", "no result was too long for its slot");
}

void check_literals() {
  Data a = doubles();
  Data b = repeated(1.5);
  Data c = repeated(-0.25);
  Data sum = RUN(multiply_add, "literals", 8, {&a, &b, &c}, nullptr);
  compare<double>(
      "literals", sum, [&](u64 row) { return all_valid({&a}, row); },
      [&](u64 row) { return multiply_add(a.get<double>(row), 1.5, -0.25); });
  Data none(8);
  none.repeats = true;
  Data either = RUN(or_else, "a literal null", 8, {&none, &a}, nullptr);
  compare<double>(
      "a literal null", either, [&](u64 row) { return all_valid({&a}, row); },
      [&](u64 row) { return a.get<double>(row); });
  Data text = texts(false);
  Data word(16);
  word.repeats = true;
  word.set_bytes(0, "abcabc", 6);
  Data distance = RUN(levenshtein, "a literal string", 4, {&text, &word}, nullptr);
  compare<int>(
      "a literal string", distance, [&](u64 row) { return all_valid({&text}, row); },
      [&](u64 row) {
        bool flags[2] = {};
        return levenshtein(bytes_of(text, row), length_of(text, row), bytes_of(word, 0), 6, flags, flags + 1);
      });
}

void check_strings_for_host() {
  Data a = texts(false);
  Data halves = RUN(half_of, "string_for_host", 16, {&a}, nullptr, 16);
  for (u64 row = FIRST; row < FIRST + JOB_ROWS; row++) {
    int length = length_of(a, row);
    int wanted = all_valid({&a}, row) == NULL_ROW ? NULL_ROW : length % 2 != 0 ? FOR_HOST : VALID;
    if (halves.validity[row] != wanted) fail("string_for_host", "a row has another state than it should");
    if (wanted == VALID && length_of(halves, row) != length / 2) fail("string_for_host", "a result has another length");
  }
}

// Rows whose numbers of steps differ, and what a function in steps may say of a row, in both forms.
void check_steps() {
  constexpr u32 SLOT = 64;
  Data numbers = fixed<int>([](u64 row) { return row % 50 == 7 ? -1 : static_cast<int>(below(1000)); });
  Data guard = fixed<gpusched::u8>([](u64) { return below(8) != 0; });
  u64 states[3] = {};
  for (u32 one : {gpusched::STEPS_IF_ANY, gpusched::ROWS}) {
    form = one;
    const char* name = one == gpusched::ROWS ? "steps_as_rows" : "steps";
    Data result = RUN(collatz, name, 16, {&numbers}, &guard, SLOT);
    for (u64 row = FIRST; row < FIRST + JOB_ROWS; row++) {
      long long value = numbers.get<int>(row);
      int turns = 0;
      while (value > 1) value = value % 2 == 0 ? value / 2 : 3 * value + 1, turns++;
      bool called = guard.validity[row] && guard.get<gpusched::u8>(row);
      int wanted = !called || !numbers.validity[row]              ? NULL_ROW
                   : value < 0 || turns > static_cast<int>(SLOT) ? FOR_HOST
                                                                 : VALID;
      if (result.validity[row] != wanted) fail(name, "a row has another state than it should");
      states[wanted]++;
      if (wanted != VALID) continue;
      if (length_of(result, row) != turns) fail(name, "a result has another length than it should");
      for (int i = 0; i < turns; i++) {
        if (bytes_of(result, row)[i] != 'a' + i % 26) fail(name, "a result differs from the plain loop's");
      }
    }
  }
  form = gpusched::STEPS_IF_ANY;
  std::printf("%-22s %llu valid, %llu null, %llu for the host\n", "steps", states[VALID], states[NULL_ROW], states[FOR_HOST]);
  if (states[VALID] == 0 || states[FOR_HOST] == 0) fail("steps", "no row has a result, or none is for the host");
}

void check_arrays() {
  Data shorts(16);
  std::vector<int> sums(ROWS);
  std::vector<int> states(ROWS);
  for (u64 row = 0; row < ROWS; row++) {
    if (some_null()) continue;
    std::vector<short> elements(below(150));
    for (auto& element : elements) sums[row] += element = static_cast<short>(below(1000));
    bool null_element = !elements.empty() && below(5) == 0;
    shorts.set_array(row, elements, null_element ? below(elements.size()) : SIZE_MAX);
    states[row] = null_element ? FOR_HOST : VALID;
  }
  Data summed = RUN(sum_of_shorts, "arrays", 4, {&shorts}, nullptr);
  compare<int>("arrays", summed, [&](u64 row) { return states[row]; }, [&](u64 row) { return sums[row]; });

  Data x = doubles();
  Data y = doubles();
  Data xs(16);
  Data ys(16);
  std::vector<std::vector<double>> rings(2 * ROWS);
  for (u64 row = 0; row < ROWS; row++) {
    for (u64 i = 3 + below(9); i > 0; i--) {
      rings[2 * row].push_back(small());
      rings[2 * row + 1].push_back(small());
    }
    for (auto* ring : {&rings[2 * row], &rings[2 * row + 1]}) ring->push_back(ring->front());
    xs.set_array(row, rings[2 * row]);
    ys.set_array(row, rings[2 * row + 1]);
  }
  Data inside = RUN(point_in_ring, "arrays_of_doubles", 1, {&x, &y, &xs, &ys}, nullptr);
  compare<gpusched::u8>(
      "arrays_of_doubles", inside, [&](u64 row) { return all_valid({&x, &y}, row); },
      [&](u64 row) {
        const auto& a = rings[2 * row];
        const auto& b = rings[2 * row + 1];
        bool flags[2] = {};
        return point_in_ring(x.get<double>(row), y.get<double>(row), a.data(), static_cast<int>(a.size()), b.data(),
                             static_cast<int>(b.size()), flags, flags + 1);
      });

  Data most = fixed<int>([](u64) { return below(300); });
  Data turns = RUN(mandelbrot_iterations, "skewed_rows", 4, {&x, &y, &most}, nullptr);
  compare<int>(
      "skewed_rows", turns, [&](u64 row) { return all_valid({&x, &y, &most}, row); },
      [&](u64 row) { return mandelbrot_iterations(x.get<double>(row), y.get<double>(row), most.get<int>(row)); });
}

// Of the whole range of doubles, and of ranges in which the functions are not trivial. What they should give is what
// their host form gives, which FdlibmTest holds against Java's.
void check_strict_math() {
  auto any = [](u64 row) {
    u64 bits = generator();
    double unit = static_cast<double>(bits >> 11) * 0x1p-52 - 1;
    return row % 4 == 0   ? (std::isnan(std::bit_cast<double>(bits)) ? 0.0 : std::bit_cast<double>(bits))
           : row % 4 == 1 ? unit
           : row % 4 == 2 ? unit * 50
                          : unit * 1e6;
  };
  Data which = fixed<int>([](u64 row) { return row / 4 % STRICT_FUNCTIONS; }, false);
  Data x = fixed<double>(any, false);
  Data y = fixed<double>(any, false);
  Data result = RUN(strict_math, "strict_math", 8, {&which, &x, &y}, nullptr);
  // Which NaN it is, is not said.
  for (u64 row = FIRST; row < FIRST + JOB_ROWS; row++) {
    if (std::isnan(result.get<double>(row))) result.set(row, std::nan(""));
  }
  compare<double>("strict_math", result, [](u64) { return VALID; }, [&](u64 row) {
    double value = strict_math(which.get<int>(row), x.get<double>(row), y.get<double>(row));
    return std::isnan(value) ? std::nan("") : value;
  });
}

}  // namespace

int main(int count, char** arguments) {
  // A mutant's run names the check that must fail; a folder has a slash.
  if (count > 1 && std::strchr(arguments[1], '/') != nullptr) {
    for (const auto& [name, module] : ptx::read_folder(arguments[1])) {
      if (name.ends_with("compute_75.ptx")) ptx_kernels.insert(module.begin(), module.end());
    }
  }
  check_fixed_width();
  check_nulls_and_guards();
  check_strings();
  check_strings_for_host();
  check_literals();
  check_steps();
  check_arrays();
  check_strict_math();
}
