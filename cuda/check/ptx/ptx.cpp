// Runs the PTX that is in the jar, lane by lane (machine.h): every function, strategy and cluster size, launched and
// resident, against the functions' host form. What the host build of the headers cannot show: what nvcc made of them,
// lanes of a warp and what orders them, orders and scopes as PTX has them, shared memory of other blocks, barriers of
// clusters.
//
//   ptx FOLDER [CHECK [SEED]]    FOLDER has NAME.compute_NN.ptx; CHECK is a kind of run: see `main`

#include <limits>
#include <random>
#include <set>

#include "../cudf_cases.h"
#include "grid.h"
#include "machine.h"
#include "parser.h"

#define __device__
#include "../../udf/identity.cu"
#include "../../udf/levenshtein.cu"
#include "../../udf/mandelbrot_iterations.cu"
#include "../../udf/multiply_add.cu"
#include "../../udf/point_in_ring.cu"
#include "../in_steps.h"
#undef __device__
#include "gpusched/columns.cuh"

namespace {

using check::u32;
using check::u64;
using gpusched::Column;
using gpusched::Extent;
using gpusched::Order;
using gpusched::Scope;
using gpusched::u8;
using ptx::Machine;

// The host's side of the ring, while a kernel runs in the machine.
class HostSide : public check::OneLane<1> {
 public:
  using Cell32 = u32;
  using Cell64 = u64;

  explicit HostSide(Machine& machine) : OneLane<1>({0, 1, 0, 1}), machine_(machine) {}

  template <class T>
  void set(T& field, T value) {
    machine_.host_store(address(field), sizeof(T), value, ptx::Memory::WEAK);
  }
  template <Order O, Scope S>
  u64 load(u64& cell) {
    return machine_.host_load(address(cell), 8, memory(O));
  }
  template <Order O, Scope S>
  void store(u64& cell, u64 value) {
    machine_.host_store(address(cell), 8, value, memory(O));
  }

 private:
  template <class T>
  static u64 address(T& cell) {
    return reinterpret_cast<u64>(&cell);
  }
  static constexpr ptx::Memory memory(Order order) {
    return order == Order::acquire   ? ptx::Memory::ACQUIRE
           : order == Order::release ? ptx::Memory::RELEASE
                                     : ptx::Memory::RELAXED;
  }

  Machine& machine_;
};

// As `fail` and a mutant's run know it.
std::string check_name = "ptx";

const char* const STRATEGIES[] = {"static", "counter", "stealing", "sharing", "hybrid"};
constexpr u8 POISON = 0xA5;

[[noreturn]] void wrong(const std::string& what) { throw ptx::Problem(what); }

// A column and the memory it lies in.
struct Data {
  u32 width;  // bytes a row
  std::vector<u64> values;
  std::vector<u8> validity;
  std::vector<u64> heap;

  Data(u64 rows, u32 width) : width(width), values((rows * width + 7) / 8), validity(rows, 1) {}

  template <class T>
  T& at(u64 row) {
    return reinterpret_cast<T*>(values.data())[row];
  }
  void put(u64 row, const void* bytes, u32 length) {
    at<Extent>(row) = {heap.size() * 8, length, 0xDEADBEEF};
    heap.resize(heap.size() + (length + 7) / 8);
    if (length > 0) std::memcpy(heap.data() + at<Extent>(row).address / 8, bytes, length);
  }
  void put_array(u64 row, const std::vector<double>& elements) {
    std::vector<u64> array(1 + (elements.size() + 63) / 64 + elements.size());
    array[0] = elements.size();
    for (size_t i = 0; i < elements.size(); i++)
      array[array.size() - elements.size() + i] = std::bit_cast<u64>(elements[i]);
    put(row, array.data(), static_cast<u32>(array.size() * 8));
  }
  const u8* bytes(u64 row) { return reinterpret_cast<const u8*>(heap.data()) + at<Extent>(row).address; }
  const double* elements(u64 row, int& length) {
    const u64* array = heap.data() + at<Extent>(row).address / 8;
    length = static_cast<int>(array[0]);
    return reinterpret_cast<const double*>(array + 1 + (array[0] + 63) / 64);
  }
  // The column of the rows from `first` on.
  Column column(u64 first = 0) {
    return {reinterpret_cast<u64>(values.data()) + first * width, reinterpret_cast<u64>(validity.data()) + first,
            reinterpret_cast<u64>(heap.data()), 0};
  }
  void register_in(ptx::DeviceMemory& memory, const std::string& name) {
    ptx::add_all(memory, name + "'s values", values);
    ptx::add_all(memory, name + "'s validity", validity);
    ptx::add_all(memory, name + "'s heap", heap);
  }
};

// A function, its arguments for some rows, and what its host form makes of them.
struct Work {
  std::string function;
  u64 rows;
  std::vector<Data> arguments;
  u32 result_bytes;
  std::vector<u64> expected;  // a result's bits
  std::vector<bool> for_host;  // rows that the function leaves to the host

  bool null(u64 row) const {
    for (const Data& argument : arguments) {
      if (argument.validity[row] == 0) return true;
    }
    return false;
  }
};

// Rows in the first eighth are expensive, so that blocks run low at different times.
Work work_of(const std::string& function, u64 rows, std::mt19937_64& random) {
  Work work{function,
            rows,
            {},
            function == "point_in_ring"                            ? 1u
            : function == "identity" || function == "multiply_add" ? 8u
                                                                   : 4u,
            {},
            std::vector<bool>(rows)};
  auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  auto dear = [&](u64 row) { return row < rows / 8; };
  u32 arguments = function == "identity" ? 1 : function == "levenshtein" ? 2 : function == "point_in_ring" ? 4 : 3;
  for (u32 i = 0; i < arguments; i++) {
    bool extents = function == "levenshtein" || (function == "point_in_ring" && i >= 2);
    u32 width = extents ? 16 : function == "mandelbrot_iterations" && i == 2 ? 4 : 8;
    work.arguments.emplace_back(rows, width);
  }
  for (u64 row = 0; row < rows; row++) {
    auto d = [&](u32 argument) -> double& { return work.arguments[argument].at<double>(row); };
    u64 bits = 0;
    bool null = false, for_host = false;
    if (function == "identity") {
      d(0) = row % 5 == 0 ? -0.0 : row % 7 == 0 ? std::nan("") : unit();
      bits = std::bit_cast<u64>(identity(d(0)));
    } else if (function == "multiply_add") {
      for (u32 i = 0; i < 3; i++) d(i) = unit() - 0.5;
      bits = std::bit_cast<u64>(multiply_add(d(0), d(1), d(2)));
    } else if (function == "mandelbrot_iterations") {
      d(0) = row % 17 == 4 ? std::nan("") : dear(row) ? -0.1 : 2 + unit();
      d(1) = dear(row) ? unit() / 10 : 2;
      int& most = work.arguments[2].at<int>(row);
      most = 300;
      bits = static_cast<u32>(mandelbrot_iterations(d(0), d(1), most));
    } else if (function == "levenshtein") {
      for (u32 i = 0; i < 2; i++) {
        // Two texts that are too long.
        u32 length = row == 3 ? 4200 : dear(row) ? 20 : static_cast<u32>(random() % 6);
        std::string text(length, 'a');
        for (char& c : text) c = static_cast<char>('a' + random() % 3);
        if (row % 11 == 0 && length > 1) text[0] = '\xC3', text[1] = '\xA9';
        work.arguments[i].put(row, text.data(), length);
      }
      auto length = [&](u32 i) { return static_cast<int>(work.arguments[i].at<Extent>(row).bytes); };
      bits = static_cast<u32>(
          levenshtein(work.arguments[0].bytes(row), length(0), work.arguments[1].bytes(row), length(1),
                                          &null, &for_host));
    } else {
      u32 vertices = dear(row) ? 60 : static_cast<u32>(random() % 5);
      std::vector<double> xs, ys;
      for (u32 i = 0; i < vertices; i++)
        xs.push_back(i == 30 ? std::nan("") : unit()), ys.push_back(i == 30 ? xs[30] : unit());
      // Arrays of two lengths.
      if (row % 17 == 4) ys.push_back(0);
      d(0) = unit(), d(1) = unit();
      work.arguments[2].put_array(row, xs);
      work.arguments[3].put_array(row, ys);
      int n = 0, m = 0;
      const double* x = work.arguments[2].elements(row, n);
      const double* y = work.arguments[3].elements(row, m);
      bits = point_in_ring(d(0), d(1), x, n, y, m, &null, &for_host);
    }
    if (row % 13 == 5) work.arguments[row % arguments].validity[row] = 0;
    work.expected.push_back(bits);
    work.for_host[row] = for_host;
  }
  return work;
}

// What rows a job computed: each once, right, and no other. `first` and `rows` are the job's.
struct Result {
  std::vector<u64> values;
  std::vector<u8> validity;
  ptx::Allocation* written = nullptr;

  explicit Result(u64 rows) : values(rows, 0xA5A5A5A5A5A5A5A5), validity(rows, POISON) {}

  void register_in(ptx::DeviceMemory& memory) {
    memory.add("the result's values", values.data(), values.size() * 8);
    written = &memory.add("the result's validity", validity.data(), validity.size());
    written->writes.assign(validity.size(), 0);
  }
  // The column of the rows from `first` on, each of `width` bytes.
  Column column(u64 first = 0, u32 width = 0) const {
    return {reinterpret_cast<u64>(values.data()) + first * width, reinterpret_cast<u64>(validity.data()) + first, 0, 0};
  }

  void check_row(const Work& work, u64 row) const {
    std::string name = "row " + std::to_string(row);
    if (written->writes[row] != 1) wrong(name + " is computed " + std::to_string(written->writes[row]) + " times");
    gpusched::RowState state = work.null(row)       ? gpusched::ROW_NULL
                               : work.for_host[row] ? gpusched::ROW_FOR_HOST
                                                    : gpusched::ROW_VALID;
    if (validity[row] != state) wrong(name + " has the wrong state");
    if (state != gpusched::ROW_VALID) return;
    u64 bits = 0;
    std::memcpy(&bits, reinterpret_cast<const u8*>(values.data()) + row * work.result_bytes, work.result_bytes);
    bool nan = work.result_bytes == 8 && std::isnan(std::bit_cast<double>(bits)) &&
               std::isnan(std::bit_cast<double>(work.expected[row]));
    if (bits != work.expected[row] && !nan) wrong(name + " has another result than the host's");
  }
  void check(const Work& work, u64 first, u64 rows) const {
    for (u64 row = 0; row < validity.size(); row++) {
      if (row >= first && row < first + rows) {
        check_row(work, row);
      } else if (validity[row] != POISON) {
        wrong("row " + std::to_string(row) + " is not of the job, but written");
      }
    }
  }
};

struct Module {
  std::string function;
  std::string architecture;
  std::map<std::string, ptx::Kernel> kernels;
};

struct Totals {
  u64 kernels = 0;
  u64 instructions = 0;
  u64 steals = 0;
  u64 offers = 0;
  u64 peers = 0;
} totals;

// Of functions in steps.
u32 form = gpusched::STEPS_IF_ANY;

gpusched::Settings settings_of(u32 strategy) {
  gpusched::Settings settings;
  settings.strategy = strategy;
  settings.form = form;
  settings.steal_threshold = 2;
  settings.share_threshold = 4;
  settings.max_steal_batch = 4;
  settings.poll_nanos = 400;
  settings.queue_capacity = 8;
  return settings;
}

using Grid = check::HostGrid<HostSide>;

void count(const Grid& grid, const ptx::Counts& counts) {
  totals.kernels++;
  totals.instructions += counts.instructions;
  totals.steals += grid.steals_won();
  totals.offers += grid.offers();
  totals.peers += counts.accesses_to_peers;
}

const ptx::Kernel& kernel_of(const Module& module, u32 cluster) {
  auto found = module.kernels.find(module.function + "_c" + std::to_string(cluster));
  if (found == module.kernels.end())
    wrong(module.function + " has no kernel for clusters of " + std::to_string(cluster));
  if (found->second.cluster != cluster) wrong(found->first + " is not of its cluster size");
  return found->second;
}

// The tab and the metrics read the mirror while a kernel runs.
void look_at_mirror(Machine& machine, gpusched::BlockMirror<HostSide>& entry) {
  machine.host_load(reinterpret_cast<u64>(&entry.processed), 8, ptx::Memory::RELAXED);
  for (u32* count : {&entry.queue_depth, &entry.capacity, &entry.steal_requests, &entry.offer_count, &entry.steals_won,
                     &entry.steals_empty}) {
    machine.host_load(reinterpret_cast<u64>(count), 4, ptx::Memory::RELAXED);
  }
}

// A launch over rows [first, first + rows - 10) of the work.
// `slots` blocks run at once, or all.
void launch(const Module& module, u32 cluster, u32 strategy, u32 warps, Work work, u64 seed, u32 slots = 0) {
  ptx::DeviceMemory memory;
  Machine machine(memory);
  u32 blocks = std::max(4u, cluster);
  Grid grid(settings_of(strategy), blocks);
  u64 first = work.rows > 20 ? 7 : 0, rows = work.rows - first;
  u32 chunk_rows = 4;
  grid.begin(rows, chunk_rows);
  Result result(work.rows);
  std::vector<Column> columns = {result.column(), Column{0, 0, 0, 0}};
  for (Data& argument : work.arguments) columns.push_back(argument.column());
  grid.jobs[0].first_row = first;
  grid.jobs[0].columns = reinterpret_cast<u64>(columns.data());
  ptx::add_grid(grid, memory);
  result.register_in(memory);
  for (Data& argument : work.arguments) argument.register_in(memory, "an argument");
  ptx::add_all(memory, "the columns", columns);
  count(grid, machine.run({kernel_of(module, cluster), blocks, warps * 32, &grid.grid, seed, seed % 3 == 0 ? 3u : 60u,
                           400'000'000, {}, false, slots}));
  grid.check_end(check_name.c_str(), rows);
  result.check(work, first, rows);
}

// A launch of `jobs` jobs, parts of the work that are not alike, for `blocks` blocks of 64 threads. Each has columns of its own,
// which begin up to two rows before its first: by those of another job its rows would be others.
void launch_jobs(const Module& module, u32 cluster, u32 strategy, Work work, u32 jobs, u32 blocks, u64 seed, u32 slots = 0) {
  ptx::DeviceMemory memory;
  Machine machine(memory);
  Grid grid(settings_of(strategy), blocks);
  // The second job has the shares that are left when each has one, and the most rows; every sixth has no rows, every fifth one.
  std::vector<check::LaunchJob> wanted;
  u64 small = 0;
  for (u32 job = 0; job < jobs; job++) {
    u64 rows = job % 6 == 4 ? 0 : job % 5 == 3 ? 1 : 5 + job;
    small += job == 1 ? 0 : rows;
    wanted.push_back({rows, 1 + job % 4, job < 2 ? job : blocks - jobs + job});
  }
  if (small >= work.rows) wrong("too few rows for the jobs");
  wanted[1].rows = work.rows - small;
  grid.begin(wanted);
  Result result(work.rows);
  std::vector<Column> columns;
  u64 width = 2 + work.arguments.size();
  u64 first = 0;
  for (u32 job = 0; job < jobs; job++) {
    u64 before = std::min<u64>(first, job % 3);
    columns.push_back(result.column(first - before, work.result_bytes));
    columns.push_back(Column{0, 0, 0, 0});
    for (Data& argument : work.arguments) columns.push_back(argument.column(first - before));
    grid.jobs[job].first_row = before;
    first += wanted[job].rows;
  }
  for (u32 job = 0; job < jobs; job++) grid.jobs[job].columns = reinterpret_cast<u64>(columns.data() + job * width);
  ptx::add_grid(grid, memory);
  result.register_in(memory);
  for (Data& argument : work.arguments) argument.register_in(memory, "an argument");
  ptx::add_all(memory, "the columns", columns);
  count(grid, machine.run({kernel_of(module, cluster), blocks, 64, &grid.grid, seed, 60, 400'000'000, {}, false, slots}));
  grid.check_end(check_name.c_str(), work.rows);
  result.check(work, 0, work.rows);
}

// A resident kernel that is fed `jobs` jobs, parts of the work, while it runs; the host reads a job's results as soon as
// it is done.
void resident(const Module& module, u32 cluster, u32 strategy, u32 warps, Work work, u64 jobs, u64 seed,
              u32 slots = 0) {
  ptx::DeviceMemory memory;
  Machine machine(memory);
  u32 blocks = 4;
  Grid grid(settings_of(strategy), blocks);
  grid.make_ring(4);
  grid.reset_ring();
  Result result(work.rows);
  std::vector<Column> columns = {result.column(), Column{0, 0, 0, 0}};
  for (Data& argument : work.arguments) columns.push_back(argument.column());
  ptx::add_grid(grid, memory);
  result.register_in(memory);
  for (Data& argument : work.arguments) argument.register_in(memory, "an argument");
  ptx::add_all(memory, "the columns", columns);

  HostSide host(machine);
  u64 offered = 0, done = 0;
  bool stopped = false;
  // Every fourth job is long.
  auto first_of = [&](u64 job) { return work.rows * (job + job / 4 * 12) / (jobs + jobs / 4 * 12); };
  auto side = [&] {
    look_at_mirror(machine, grid.mirror[offered % blocks]);
    if (offered < jobs && gpusched::has_room(host, grid.ring, offered)) {
      u64 first = first_of(offered);
      // Some jobs are empty.
      u64 rows = offered % 5 == 3 ? 0 : first_of(offered + 1) - first;
      gpusched::offer_job(host, grid.ring, offered, rows, first, reinterpret_cast<u64>(columns.data()),
                          columns.size() * 4, 4);
      offered++;
    } else if (offered == jobs && !stopped) {
      host.store<Order::release, Scope::system>(grid.control.stop, 1);
      stopped = true;
    }
    if (done < offered && gpusched::is_done(host, grid.ring, done)) {
      for (u64 row = first_of(done); done % 5 != 3 && row < first_of(done + 1); row++) {
        machine.host_load(reinterpret_cast<u64>(&result.validity[row]), 1, ptx::Memory::WEAK);
        result.check_row(work, row);
      }
      done++;
    }
  };
  count(grid, machine.run({kernel_of(module, cluster), blocks, warps * 32, &grid.grid, seed, 60, 400'000'000, side, false,
                           slots}));
  for (; done < jobs; done++) {
    if (grid.slots[done % 4].done != done + 1 && done + 4 >= jobs) wrong("a job is not done at the end");
  }
  u64 rows = 0;
  for (u64 job = 0; job < jobs; job++) rows += job % 5 == 3 ? 0 : first_of(job + 1) - first_of(job);
  grid.check_end(check_name.c_str(), rows);
  if (grid.control.heartbeat == 0) wrong("no heartbeat");
}

// A compiler may fuse a product with the sum it goes into, unless one of both says how it rounds. Java never does.
void check_not_fused(const Module& module) {
  for (const auto& [name, kernel] : module.kernels) {
    std::set<u64> products;
    for (const ptx::Instruction& i : kernel.code) {
      if (i.op == ptx::Op::MUL && i.type.kind == 'f' && !i.rounds) products.insert(i.out[0].value);
    }
    for (const ptx::Instruction& i : kernel.code) {
      if ((i.op != ptx::Op::ADD && i.op != ptx::Op::SUB) || i.type.kind != 'f' || i.rounds) continue;
      for (u32 n = 0; n < 2; n++) {
        if (i.in[n].kind == ptx::Operand::REGISTER && products.count(i.in[n].value) != 0) {
          wrong(name + ": a product and a sum that may be fused (line " + std::to_string(i.line) + ")");
        }
      }
    }
  }
}

// Runs a kernel of cudf/columns.cuh: grids of any size, of which threads have one item, several, or none.
struct CudfKernels {
  const std::map<std::string, ptx::Kernel>& kernels;
  std::mt19937_64 random;

  template <class Work>
  void operator()(const char* name, const Work& work, check::CudfMemory& cells) {
    auto found = kernels.find(name);
    if (found == kernels.end()) wrong(std::string("there is no PTX of ") + name);
    const ptx::Kernel& kernel = found->second;
    if (kernel.parameter_bytes != sizeof(Work)) wrong(kernel.name + " has a parameter of another size");
    ptx::DeviceMemory memory;
    for (const auto& piece : cells.pieces) {
      if (piece.bytes > 0) memory.add(piece.name, piece.cells.get(), piece.bytes);
    }
    u32 blocks = 1 + static_cast<u32>(random() % 3), threads = 32 * (1 + static_cast<u32>(random() % 4));
    totals.kernels++;
    totals.instructions += Machine(memory).run({kernel, blocks, threads, &work, random()}).instructions;
  }
};

// What becomes of numbers that an integer has not, by the table of PTX ISA 9.0 (`cvt`): they are cut, and NaN is 0 of 32 bits where
// the number has 32, else the sign bit alone. Java's NaN is 0 always.
void check_conversions() {
  constexpr double NONE = std::numeric_limits<double>::quiet_NaN(), MOST = std::numeric_limits<double>::infinity();
  constexpr u64 SIGN = u64{1} << 63, SIGN_32 = u64{1} << 31;
  struct {
    double number;
    u64 s4, u4, s8, u8;
  } const cases[] = {
      {MOST, SIGN_32 - 1, 0xFFFFFFFF, SIGN - 1, ~u64{0}},
      {1e300, SIGN_32 - 1, 0xFFFFFFFF, SIGN - 1, ~u64{0}},
      {-MOST, SIGN_32, 0, SIGN, 0},
      {-2.5, 0xFFFFFFFE, 0, ~u64{1}, 0},
      {NONE, SIGN_32, SIGN_32, SIGN, SIGN},
  };
  for (const auto& c : cases) {
    for (u32 from : {4, 8}) {
      auto becomes = [&](char kind, u32 bytes, u64 wanted) {
        ptx::Instruction cvt;
        cvt.op = ptx::Op::CVT;
        cvt.type = {kind, bytes};
        cvt.from = {'f', from};
        cvt.round = ptx::Round::ZERO;
        u64 bits = from == 8 ? std::bit_cast<u64>(c.number) : std::bit_cast<u32>(static_cast<float>(c.number));
        if (c.number != c.number && from == 4 && bytes == 4) wanted = 0;
        u64 is = ptx::arithmetic(cvt, &bits);
        std::string name = std::string("cvt.rzi.") + kind + std::to_string(8 * bytes) + ".f" + std::to_string(8 * from);
        if (is != wanted) wrong(name + " of " + std::to_string(c.number) + " is " + std::to_string(is));
      };
      becomes('s', 4, c.s4);
      becomes('u', 4, c.u4);
      becomes('s', 8, c.s8);
      becomes('u', 8, c.u8);
    }
  }
  std::printf("ptx conversions        of numbers that integers have not\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr,
                 "ptx FOLDER [static|counter|stealing|sharing|hybrid|functions|rows|clusters|late|jobs|resident|cudf|conversions [SEED]]\n");
    return 2;
  }
  std::string only = count > 2 ? arguments[2] : "";
  if (!only.empty()) check_name = only;
  std::mt19937_64 random(count > 3 ? std::stoull(arguments[3]) : 11);
  try {
    std::vector<Module> modules;
    std::map<std::string, ptx::Kernel> cudf;
    for (auto& [name, kernels] : ptx::read_folder(arguments[1])) {
      size_t dot = name.find(".compute_");
      // `modules`: functions of other types, for ../udf.cpp.
      if (dot == std::string::npos || name.starts_with("modules.")) continue;
      // Kernels of another kind: not of a function, and without a grid.
      if (name.starts_with("columns.")) {
        cudf = std::move(kernels);
        continue;
      }
      modules.push_back({name.substr(0, dot), name.substr(dot + 9, 2), std::move(kernels)});
    }
    auto wanted = [&](const std::string& name) { return only.empty() || only == name; };
    auto finish = [&](const std::string& name) {
      if (totals.kernels == 0) return;
      std::printf(
          "ptx %-18s %4llu kernels, %llu million instructions; steals won %llu, offers %llu, shared memory of peers "
          "%llu\n",
          name.c_str(), totals.kernels, totals.instructions / 1000000, totals.steals, totals.offers, totals.peers);
      totals = {};
    };
    for (u32 strategy = 0; strategy <= gpusched::HYBRID; strategy++) {
      if (!wanted(STRATEGIES[strategy])) continue;
      for (const Module& module : modules) {
        if (module.function != "mandelbrot_iterations") continue;
        for (const auto& [name, kernel] : module.kernels) {
          launch(module, kernel.cluster, strategy, 3, work_of(module.function, strategy >= gpusched::STEALING ? 3000 : 700, random), random());
        }
        launch(module, 1, strategy, 2, work_of(module.function, 1, random), random());
      }
      if (strategy >= gpusched::STEALING && strategy != gpusched::SHARING && totals.steals == 0)
        wrong("nobody ever stole");
      if ((strategy == gpusched::SHARING || strategy == gpusched::HYBRID) && totals.offers == 0)
        wrong("nobody ever offered");
      finish(STRATEGIES[strategy]);
    }
    for (const Module& module : modules) {
      if (!wanted("functions")) break;
      check_not_fused(module);
      launch(module, 1, gpusched::STEALING, 3, work_of(module.function, 300, random), random());
    }
    finish("functions");
    // Row by row, though the function has steps.
    form = gpusched::ROWS;
    for (const Module& module : modules) {
      if (!wanted("rows") || module.function != "mandelbrot_iterations") continue;
      for (u32 strategy : {gpusched::STATIC, gpusched::STEALING}) {
        launch(module, 1, strategy, 3, work_of(module.function, 300, random), random());
      }
    }
    form = gpusched::STEPS_IF_ANY;
    finish("rows");
    for (const Module& module : modules) {
      if (!wanted("clusters") || module.architecture < "90") continue;
      for (u32 cluster : {2, 4, 8})
        launch(module, cluster, gpusched::STEALING, 2, work_of(module.function, 300, random), random());
    }
    if (wanted("clusters") && totals.peers != 0) wrong("a block looked into the shared memory of another");
    finish("clusters");
    // Fewer blocks run at once than the grid has.
    for (const Module& module : modules) {
      if (!wanted("late") || module.function != "mandelbrot_iterations") continue;
      for (u32 strategy = 0; strategy <= gpusched::HYBRID; strategy++) {
        for (u32 slots : {1, 3}) launch(module, 1, strategy, 2, work_of(module.function, 300, random), random(), slots);
      }
      resident(module, 1, gpusched::STEALING, 2, work_of(module.function, 1000, random), 8, random(), 2);
      if (module.architecture < "90") continue;
      launch(module, 2, gpusched::HYBRID, 2, work_of(module.function, 300, random), random(), 2);
    }
    finish("late");
    // Launches of several jobs, of more than a warp has lanes too.
    for (const Module& module : modules) {
      if (!wanted("jobs") || module.function != "mandelbrot_iterations") continue;
      for (u32 strategy : {gpusched::STEALING, gpusched::SHARING, gpusched::HYBRID}) {
        launch_jobs(module, 1, strategy, work_of(module.function, 1000, random), 7, 12, random());
      }
      launch_jobs(module, 1, gpusched::STEALING, work_of(module.function, 1500, random), 40, 48, random(), 8);
      form = gpusched::ROWS;
      launch_jobs(module, 1, gpusched::HYBRID, work_of(module.function, 600, random), 7, 12, random());
      form = gpusched::STEPS_IF_ANY;
      if (module.architecture < "90") continue;
      launch_jobs(module, 2, gpusched::HYBRID, work_of(module.function, 600, random), 5, 8, random());
    }
    if (wanted("jobs") && (totals.steals == 0 || totals.offers == 0)) wrong("nobody ever stole, or nobody ever offered");
    finish("jobs");
    for (const Module& module : modules) {
      if (!wanted("resident") || module.function != "mandelbrot_iterations") continue;
      for (u32 strategy : {gpusched::STEALING, gpusched::SHARING, gpusched::HYBRID}) {
        for (u32 cluster : {1, 2}) {
          if (cluster == 2 && module.architecture < "90") continue;
          resident(module, cluster, strategy, 3, work_of(module.function, 3000, random), 24, random());
        }
      }
    }
    if (wanted("resident") && (totals.steals == 0 || totals.offers == 0))
      wrong("nobody ever stole, or nobody ever offered");
    finish("resident");
    if (wanted("conversions")) check_conversions();
    if (wanted("cudf")) {
      check::CudfCases<CudfKernels> cases({cudf, std::mt19937_64(random())}, random());
      try {
        cases.all();
      } catch (const std::exception& problem) {
        wrong(cases.name() + ": " + problem.what());
      }
    }
    finish("cudf");
  } catch (const std::exception& problem) {
    check::fail(check_name.c_str(), problem.what());
  }
}
