// The null mode: kernels compute nothing and copies move nothing, each takes the time that is stated, by a clock and without a
// thread. It is there to measure what the plugin itself does for a block. See README.md.

#pragma once

#include "../../cuda/check/layout.h"
#include "state.h"

namespace null_mode {

struct Settings {
  bool on = setting("CUDA_DOUBLE_NULL", "0") != "0";
  unsigned multiprocessors = (unsigned)atoi(setting("CUDA_DOUBLE_MULTIPROCESSORS", "132").c_str());
  unsigned blocks_of_each = (unsigned)atoi(setting("CUDA_DOUBLE_BLOCKS_OF_EACH", "4").c_str());
  double call_nanos = atof(setting("CUDA_DOUBLE_CALL_NANOS", "0").c_str());
  double latency_nanos = 1e3 * atof(setting("CUDA_DOUBLE_LATENCY_MICROS", "0").c_str());
  double bytes_per_nano = atof(setting("CUDA_DOUBLE_GBPS", "0").c_str());
  double rows_per_nano = 1e-3 * atof(setting("CUDA_DOUBLE_ROWS_PER_MICRO", "0").c_str());
};

inline const Settings& settings() {
  static const Settings all;
  return all;
}

inline bool on() { return settings().on; }

inline double now_nanos() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What was called and moved so far, for `cudaDoubleFigures`.
struct Figures {
  uint64_t calls, nanos, bytes_to_device, bytes_from_device, launches;
};
inline Figures figures;

// One call: counted, and as long as it is stated to be.
struct Call {
  double begin = on() ? now_nanos() : 0;

  Call() {
    figures.calls++;
    if (begin > 0) {
      while (settings().call_nanos > 0 && now_nanos() - begin < settings().call_nanos) {
      }
    }
  }
  ~Call() {
    if (begin > 0) figures.nanos += (uint64_t)(now_nanos() - begin);
  }
};

// Where what was "copied" to the device still is on the host: what the kernels' jobs are read from.
struct Source {
  uintptr_t host;
  size_t bytes;
};
inline std::map<uintptr_t, Source>& sources = *new std::map<uintptr_t, Source>;

// What kernels have said of themselves, and what of it has not been copied back; and how many rows have results, by where
// their states are.
inline std::map<uintptr_t, std::vector<char>>& written = *new std::map<uintptr_t, std::vector<char>>;
inline std::map<uintptr_t, size_t>& computed = *new std::map<uintptr_t, size_t>;

template <class T>
inline T* on_host(uintptr_t device) {
  auto next = sources.upper_bound(device);
  if (next == sources.begin()) return nullptr;
  const auto& [start, source] = *std::prev(next);
  return device + sizeof(T) <= start + source.bytes ? (T*)(source.host + (device - start)) : nullptr;
}

inline void copied_in(uintptr_t to, uintptr_t from, size_t bytes) {
  // Those that it overwrites.
  auto first = sources.lower_bound(to);
  while (first != sources.end() && first->first < to + bytes) first = sources.erase(first);
  sources[to] = Source{from, bytes};
  figures.bytes_to_device += bytes;
}

inline void copied_out(uintptr_t to, uintptr_t from, size_t bytes) {
  for (auto next = written.lower_bound(from); next != written.end() && next->first < from + bytes; next = written.erase(next)) {
    size_t size = std::min(next->second.size(), (size_t)(from + bytes - next->first));
    memcpy((void*)(to + (next->first - from)), next->second.data(), size);
  }
  for (auto next = computed.lower_bound(from); next != computed.end() && next->first < from + bytes; next = computed.erase(next)) {
    memset((void*)(to + (next->first - from)), 1, next->second);
  }
  figures.bytes_from_device += bytes;
}

// Runs what is queued at once: only its time passes later. Under the lock.
inline void run(Stream* stream, Op& op) {
  stream->until = std::max(stream->until, now_nanos());
  if (op.waits != nullptr) stream->until = std::max(stream->until, op.waits->at);
  if (op.engine >= 0) {
    double& engine = stream->context->device->engines[op.engine];
    double begin = std::max(stream->until, engine);
    engine = begin + op.nanos;
    stream->until = std::max(engine, begin + settings().latency_nanos);
  }
  if (op.work) op.work();
  if (op.locked) op.locked();
  if (op.records != nullptr) {
    op.records->at = stream->until;
    op.records->completed = op.number;
    op.records->time = std::chrono::steady_clock::time_point(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double, std::nano>(stream->until)));
  }
}

inline bool is_past(double nanos) { return now_nanos() >= nanos; }

inline void await(double until) {
  while (now_nanos() < until) {
  }
}

inline double copy_nanos(size_t bytes) { return settings().bytes_per_nano == 0 ? 0 : bytes / settings().bytes_per_nano; }

// What a kernel leaves of a job: all chunks are computed, all results valid. The job's rows.
inline uint64_t finish(uintptr_t job) {
  struct JobBytes {
    char bytes[layout::JOB_BYTES];
  };
  JobBytes* given = on_host<JobBytes>(job);
  if (given == nullptr) {
    refuse(INVALID_VALUE, "a kernel's job was not copied to the device");
    abort();
  }
  uint64_t rows;
  memcpy(&rows, given->bytes + layout::JOB_ROWS, sizeof rows);
  std::vector<char> status(given->bytes, given->bytes + layout::JOB_BYTES);
  memset(status.data() + layout::JOB_REMAINING, 0, 8);
  written[job] = std::move(status);
  // The first column's second long says where its states are.
  uintptr_t columns;
  memcpy(&columns, given->bytes + layout::JOB_COLUMNS, sizeof columns);
  if (uintptr_t* states = on_host<uintptr_t>(columns + layout::COLUMN_VALIDITY)) computed[*states] = rows;
  return rows;
}

// A function's kernel is given a grid. Those for cuDF's columns are given less, and none of it is read.
inline unsigned parameter_bytes(const std::string& kernel) { return kernel.starts_with("gpusched_cudf_") ? 0 : layout::GRID_BYTES; }

// What a kernel of a function leaves: all of its jobs, and all their rows counted for its first block of threads (grid.cuh).
// Another one leaves nothing, and takes no time.
inline double kernel(const std::vector<char>& parameter, unsigned grid) {
  figures.launches++;
  if (parameter.size() != layout::GRID_BYTES) return 0;
  uintptr_t mirror, jobs;
  unsigned count;
  memcpy(&mirror, parameter.data() + layout::GRID_MIRROR, sizeof mirror);
  memcpy(&jobs, parameter.data() + layout::GRID_JOBS, sizeof jobs);
  memcpy(&count, parameter.data() + layout::GRID_JOB_COUNT, sizeof count);
  uint64_t rows = 0;
  for (unsigned i = 0; i < count; i++) rows += finish(jobs + i * layout::JOB_BYTES);
  std::vector<char> counts(layout::MIRROR_BYTES * grid);
  memcpy(counts.data() + layout::MIRROR_PROCESSED, &rows, sizeof rows);
  written[mirror] = std::move(counts);
  return settings().rows_per_nano == 0 ? 0 : rows / settings().rows_per_nano;
}

}  // namespace null_mode
