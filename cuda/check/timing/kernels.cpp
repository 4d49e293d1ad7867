// Kernels in the cost model: every schedule over every workload, their answers checked, as CSV.
//
//   kernels PTX REGISTERS [option=value...]
//
// PTX is made of functions.cu, REGISTERS has lines `kernel architecture registers`. Options, lists by commas:
//   gpu=H100           sms=8,132 (all of its own: 0)    schedules=row,static,counter,stealing,...
//   function=spin|gather|spin_in_steps|mandelbrot_iterations; the last has pixels for rows, whatever the workload, and MEAN is the
//   most iterations of a row
//   workloads=...      rows=ROWS of a multiprocessor    mean=STEPS              chunk=ROWS of a chunk
//   seeds=N            workloads from the generator, up to the Nth, from the first=Nth on; batches=N of each, drawn anew
//   blocks=N of a multiprocessor, if fewer than fit
//   set=KEY:VALUE      a setting, as stealThreshold:8   trace=FILE              who computed what when (one run)
//   places=1           slots a chunk by line of the headers, to stderr

#include <chrono>
#include <fstream>
#include <sstream>

#include "../host_grid.h"
#include "../ptx/parser.h"
#include "multiprocessor.h"
#include "udf/mandelbrot_iterations.cu"
#include "workloads.h"

namespace {

using namespace timing;
using check::HostGrid;

class Host : public check::OneLane<1> {
 public:
  using Cell32 = u32;
  using Cell64 = u64;
};

constexpr const char* STRATEGIES[] = {"static", "counter", "stealing", "sharing", "hybrid"};
constexpr u32 THREADS = 256;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::map<std::string, std::string> options;
std::string option(const std::string& name, const std::string& otherwise) {
  auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

gpusched::Settings settings_of(u32 strategy) {
  gpusched::Settings settings;
  settings.strategy = strategy;
  for (const std::string& one : split(option("set", ""))) {
    size_t colon = one.find(':');
    std::string key = one.substr(0, colon);
    u32 value = static_cast<u32>(std::stoul(one.substr(colon + 1)));
    (key == "stealThreshold"    ? settings.steal_threshold
     : key == "shareThreshold"  ? settings.share_threshold
     : key == "maxStealBatch"   ? settings.max_steal_batch
     : key == "neighbours"      ? settings.neighbours
     : key == "pollNanos"       ? settings.poll_nanos
     : key == "queueCapacity"   ? settings.queue_capacity
     : key == "form"            ? settings.form
                                : throw Problem("there is no setting " + key)) = value;
  }
  if (const char* problem = gpusched::problem(settings)) throw Problem(problem);
  return settings;
}

// What an instruction is for, by the header that it was made of.
Kind kind_of(const ptx::Kernel& kernel, const Instruction& i) {
  if (i.op == Op::NANOSLEEP) return Kind::POLL;
  if (i.source == 0 || i.source >= kernel.sources.size()) return Kind::COMPUTE;
  const std::string& path = kernel.sources[i.source];
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name == "queue.cuh" || name == "range.cuh" || name == "tally.cuh") return Kind::CLAIM;
  if (name == "scheduler.cuh" || name == "grid.cuh") return Kind::TABLE;
  return Kind::COMPUTE;
}

// An instruction of the function itself.
bool is_own(const ptx::Kernel& kernel, const Instruction& i) {
  return i.source < kernel.sources.size() && kernel.sources[i.source].ends_with(".cu");
}

struct Run {
  const Gpu& gpu;
  u32 multiprocessors;
  std::string function;
  std::string schedule;
  std::string workload;
  double mean;
  u64 rows;
  u64 seed;
  u32 batch = 1;
};

struct Rows {
  const int* steps;
  const long long* table;
  int* result;
  u8* validity;
  long long rows;
};

std::vector<int> gather_table;

int spin(int steps) {
  u32 x = static_cast<u32>(steps);
  for (int i = 0; i < steps; i++) x = (x * 1664525u + 1013904223u) ^ static_cast<u32>(i);
  return static_cast<int>(x);
}
int gather(int steps) {
  u32 at = static_cast<u32>(steps) * 2654435761u;
  for (int i = 0; i < steps; i++) at = static_cast<u32>(gather_table[at & 0xFFFFF]) + static_cast<u32>(i);
  return static_cast<int>(at);
}

class Bench {
 public:
  Bench(const char* ptx, const char* registers) {
    std::ostringstream text;
    text << std::ifstream(ptx).rdbuf();
    kernels_ = ptx::Parser(text.str()).parse();
    std::ifstream lines(registers);
    std::string kernel;
    u32 architecture, count;
    while (lines >> kernel >> architecture >> count) registers_[{kernel, architecture}] = count;
    gather_table.resize(1 << 20);
    std::mt19937 random(5);
    for (int& one : gather_table) one = static_cast<int>(random());
  }

  static void header() {
    std::printf(
        "gpu,multiprocessors,function,workload,mean,rows,seed,schedule,cycles,slots,compute,claim,table,poll,memory,lanes,"
        "own_lanes,blocks,steals,offers,total_steps,most_steps,batch\n");
  }

  void run(const Run& r) {
    bool plain = r.schedule == "row";
    bool mandelbrot = r.function == "mandelbrot_iterations";
    const ptx::Kernel& kernel = kernels_.at(plain ? plain_of(r.function) : r.function + "_c1");
    u32 architecture = r.gpu.architecture == 70 ? 75 : r.gpu.architecture;
    u32 registers = registers_.at({kernel.name, architecture});
    u32 fits = std::min({r.gpu.blocks, r.gpu.warps / 8, 65536 / ((registers + 7) / 8 * 8 * THREADS)});
    if (options.count("blocks") != 0) fits = std::min<u32>(fits, static_cast<u32>(std::stoul(options["blocks"])));
    u32 chunk_rows = static_cast<u32>(std::stoul(option("chunk", "32")));
    u64 chunks = (r.rows + chunk_rows - 1) / chunk_rows;
    u32 blocks = plain ? static_cast<u32>((r.rows + THREADS - 1) / THREADS)
                       : static_cast<u32>(std::min<u64>(u64{fits} * r.multiprocessors, (chunks + 7) / 8));
    // The same steps for every schedule, whatever its blocks: those that a grid of the same kernels has.
    u32 grid_blocks = static_cast<u32>(std::min<u64>(u64{grid_fits(r)} * r.multiprocessors, (chunks + 7) / 8));
    Shape shape{r.rows, r.mean, grid_blocks, 8, r.seed, r.batch};
    std::vector<int> steps = r.workload == "generated" ? generated(shape) : steps_of(r.workload, shape);
    std::vector<long long> table(r.rows, reinterpret_cast<long long>(gather_table.data()));
    std::vector<double> re(mandelbrot ? r.rows : 0), im(re.size());
    std::vector<int> most(re.size(), static_cast<int>(r.mean));
    if (mandelbrot) steps = points(re, im, most[0]);
    std::vector<int> result(r.rows);
    std::vector<u8> validity(r.rows, 7);

    Rows rows{steps.data(), table.data(), result.data(), validity.data(), static_cast<long long>(r.rows)};
    u64 columns[5][4] = {{reinterpret_cast<u64>(result.data()), reinterpret_cast<u64>(validity.data()), 0, 0},
                         {0, 0, 0, 0},
                         {reinterpret_cast<u64>(steps.data()), 0, 0, 0},
                         {reinterpret_cast<u64>(table.data()), 0, 0, 0}};
    if (mandelbrot) {
      columns[2][0] = reinterpret_cast<u64>(re.data());
      columns[3][0] = reinterpret_cast<u64>(im.data());
      columns[4][0] = reinterpret_cast<u64>(most.data());
    }
    u32 strategy = 0;
    while (!plain && r.schedule != STRATEGIES[strategy]) {
      if (++strategy > gpusched::HYBRID) throw Problem("there is no schedule " + r.schedule);
    }
    HostGrid<Host> grid(settings_of(strategy), blocks);
    grid.begin(r.rows, chunk_rows);
    grid.jobs[0].columns = reinterpret_cast<u64>(columns);

    Launch launch{};
    launch.kernel = &kernel;
    launch.blocks = blocks;
    launch.threads = THREADS;
    launch.parameter = plain ? static_cast<const void*>(&rows) : &grid.grid;
    launch.registers = registers;
    launch.multiprocessors = r.multiprocessors;
    launch.kind = [&](const Instruction& i) { return kind_of(kernel, i); };
    launch.own = [&](const Instruction& i) { return is_own(kernel, i); };
    std::ofstream trace;
    if (options.count("trace") != 0) {
      trace.open(options["trace"]);
      launch.watched = reinterpret_cast<u64>(validity.data());
      launch.until = launch.watched + validity.size();
      launch.stored = [&](u64 when, u32 m, u32 block, u32 warp, u64 address) {
        trace << when << ',' << m << ',' << block << ',' << warp << ',' << address - launch.watched << '\n';
      };
    }
    Costs costs = device(r.gpu).run(launch);
    if (option("places", "") != "") places(kernel, device(r.gpu), chunks);
    u64 total = 0;
    int most_steps = 0;
    for (u64 row = 0; row < r.rows; row++) {
      total += static_cast<u64>(steps[row]);
      most_steps = std::max(most_steps, steps[row]);
      if (validity[row] != 1) check::fail("kernels", "a row is not computed");
      int wanted = mandelbrot ? steps[row] : r.function == "gather" ? gather(steps[row]) : spin(steps[row]);
      if (result[row] != wanted) {
        check::fail("kernels", "a row has another result than the host's");
      }
    }
    if (!plain) {
      for (u64 slot : grid.far) {
        if (slot != 0) check::fail("kernels", "a range is left in a queue");
      }
      if (strategy > 0 && grid.jobs[0].remaining != 0) check::fail("kernels", "chunks are not counted");
    }
    std::printf("%s,%u,%s,%s,%g,%llu,%llu,%s,%llu,%llu", r.gpu.name, r.multiprocessors,
                r.function.c_str(), r.workload.c_str(), r.mean, r.rows, r.seed, r.schedule.c_str(), costs.cycles, costs.total());
    for (u64 one : costs.instructions) std::printf(",%llu", one);
    std::printf(",%.2f,%.2f,%u,%u,%u,%llu,%d,%u\n", static_cast<double>(costs.lanes) / static_cast<double>(costs.total()),
                static_cast<double>(costs.own_lanes) / static_cast<double>(costs.own), costs.resident,
                grid.steals_won(), grid.offers(), total, most_steps, r.batch);
    std::fflush(stdout);
  }

 private:
  // Slots a chunk by line of the headers, the dearest first.
  static void places(const ptx::Kernel& kernel, const Device& device, u64 chunks) {
    std::map<std::string, u64> slots;
    for (size_t n = 0; n < kernel.code.size(); n++) {
      const Instruction& i = kernel.code[n];
      std::string path = i.source < kernel.sources.size() ? kernel.sources[i.source] : "";
      slots[path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(i.source_line)] += device.issued()[n];
    }
    std::vector<std::pair<u64, std::string>> sorted;
    for (auto& [name, count] : slots) sorted.push_back({count, name});
    std::sort(sorted.rbegin(), sorted.rend());
    for (auto& [count, name] : sorted) {
      double a_chunk = static_cast<double>(count) / static_cast<double>(chunks);
      if (a_chunk >= 0.2) std::fprintf(stderr, "%8.1f %s\n", a_chunk, name.c_str());
    }
  }

  static std::string plain_of(const std::string& function) { return function == "gather" ? "gather_row" : "spin_row"; }

  // Rows that are pixels of Mandelbrot's set: answers with their iterations.
  static std::vector<int> points(std::vector<double>& re, std::vector<double>& im, int most) {
    u64 width = static_cast<u64>(std::sqrt(static_cast<double>(re.size())));
    std::vector<int> steps(re.size());
    for (u64 row = 0; row < re.size(); row++) {
      re[row] = -2.2 + 3.2 * static_cast<double>(row % width) / static_cast<double>(width);
      im[row] = -1.6 + 3.2 * static_cast<double>(row / width) / static_cast<double>(width);
      mandelbrot_iterations_state state;
      mandelbrot_iterations_init(state, re[row], im[row], most);
      while (mandelbrot_iterations_step(state)) {
      }
      steps[row] = mandelbrot_iterations_done(state);
    }
    return steps;
  }

  // Of the row form, whatever the form, so that all have the same workloads.
  u32 grid_fits(const Run& r) {
    u32 architecture = r.gpu.architecture == 70 ? 75 : r.gpu.architecture;
    std::string function = r.function == "spin_in_steps" ? "spin" : r.function;
    u32 registers = registers_.at({function + "_c1", architecture});
    return std::min({r.gpu.blocks, r.gpu.warps / 8, 65536 / ((registers + 7) / 8 * 8 * THREADS)});
  }

  Device& device(const Gpu& gpu) {
    auto& device = devices_[gpu.name];
    if (device == nullptr) device = std::make_unique<Device>(gpu);
    return *device;
  }

  std::map<std::string, ptx::Kernel> kernels_;
  std::map<std::pair<std::string, u32>, u32> registers_;
  std::map<std::string, std::unique_ptr<Device>> devices_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "kernels PTX REGISTERS [option=value...]\n");
    return 2;
  }
  try {
    for (int i = 3; i < count; i++) {
      std::string one = arguments[i];
      size_t equals = one.find('=');
      if (equals == std::string::npos) throw Problem("not an option: " + one);
      options[one.substr(0, equals)] = one.substr(equals + 1);
    }
    Bench bench(arguments[1], arguments[2]);
    Bench::header();
    u64 seeds = std::stoull(option("seeds", "0"));
    for (const std::string& name : split(option("gpu", "H100"))) {
      const Gpu* gpu = nullptr;
      for (const Gpu& one : GPUS) {
        if (name == one.name) gpu = &one;
      }
      if (gpu == nullptr) throw Problem("there is no GPU " + name);
      for (const std::string& sms : split(option("sms", "8"))) {
        u32 multiprocessors = sms == "0" ? gpu->multiprocessors : static_cast<u32>(std::stoul(sms));
        u32 batches = static_cast<u32>(std::stoul(option("batches", "1")));
        auto run_all = [&](const std::string& workload, u64 seed, u32 batch = 1) {
          for (const std::string& schedule : split(option("schedules", "row,static,counter,stealing,sharing,hybrid"))) {
            bench.run({*gpu, multiprocessors, option("function", "spin"), schedule, workload, std::stod(option("mean", "60")),
                       std::stoull(option("rows", "20480")) * multiprocessors, seed, batch});
          }
        };
        for (u64 seed = std::stoull(option("first", "1")); seed <= seeds; seed++) {
          for (u32 batch = 1; batch <= batches; batch++) run_all("generated", seed, batch);
        }
        if (seeds > 0) continue;
        for (const std::string& workload :
             split(option("workloads", "uniform,step,exp,hot,pareto,sorted,warps,blocks,rows,tenth,giant"))) {
          run_all(workload, 1);
        }
      }
    }
  } catch (const std::exception& problem) {
    check::fail("kernels", problem.what());
  }
}
