// How the double compiles a module for the host: for NVRTC, and for what the plugin's jar brings compiled.

#pragma once

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace twin {

// What a kernel's blocks of threads ask for as they start: how many of the device's are free. The twin's own text has the
// same.
struct Room {
  void (*take)(Room* room, unsigned blocks);  // waits
  void (*give)(Room* room, unsigned blocks);
};

inline std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// In place of what nvcc makes of GPUSCHED_KERNEL: a twin of each kernel that runs the same headers with the host context
// of cuda/check, a thread a warp.
inline const char* PRELUDE = R"(#include "standard.h"
#include "thread_context.h"
#define __device__
namespace cuda_double {
struct Room {
  void (*take)(Room* room, unsigned blocks);
  void (*give)(Room* room, unsigned blocks);
};
// More would only wait for this machine's few cores.
constexpr unsigned WARPS = 3;
// A cluster starts when the device has room for its blocks, and gives the room back when all of them have ended.
template <unsigned CLUSTER, class Bodies>
void run(const gpusched::Grid<check::ThreadContext<CLUSTER>>& grid, unsigned blocks, Room* room) {
  using Ctx = check::ThreadContext<CLUSTER>;
  if (blocks % CLUSTER != 0) std::abort();
  std::vector<gpusched::Block<Ctx>> shared(blocks);
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<std::barrier<>>> barriers;
  std::vector<check::Bell> bells(blocks * WARPS);
  std::vector<std::atomic<unsigned>> running(blocks / CLUSTER);
  for (unsigned cluster = 0; cluster < blocks / CLUSTER; cluster++) {
    room->take(room, CLUSTER);
    running[cluster] = WARPS * CLUSTER;
    barriers.push_back(std::make_unique<std::barrier<>>(WARPS * CLUSTER));
    std::barrier<>* barrier = barriers.back().get();  // not by the vector, which grows while threads run
    for (unsigned warp = 0; warp < WARPS * CLUSTER; warp++) {
      threads.emplace_back([&, cluster, warp, barrier] {
        unsigned b = cluster * CLUSTER + warp / WARPS;
        Ctx ctx({warp % WARPS, WARPS, b, blocks}, barrier, &bells[b * WARPS]);
        gpusched::run_kernel(ctx, grid, shared[b], Bodies{});
        if (--running[cluster] == 0) room->give(room, CLUSTER);
      });
    }
  }
  for (auto& thread : threads) thread.join();
}
}  // namespace cuda_double
#define GPUSCHED_KERNEL(FUNCTION, CLUSTER, ATTRIBUTE)                                                                           \
  extern "C" {                                                                                                 \
  extern unsigned FUNCTION##_c##CLUSTER##_twin_parameter_bytes;                                                \
  unsigned FUNCTION##_c##CLUSTER##_twin_parameter_bytes = sizeof(gpusched::Grid<check::ThreadContext<CLUSTER>>); \
  void FUNCTION##_c##CLUSTER##_twin(void** parameters, unsigned grid, cuda_double::Room* room) {               \
    cuda_double::run<CLUSTER, FUNCTION##_udf>(*(gpusched::Grid<check::ThreadContext<CLUSTER>>*)parameters[0], grid, room); \
  }                                                                                                            \
  }
#line 1
)";

// What twins include of the standard library: half of what it takes to compile one.
inline const char* STANDARD = R"(
#include <atomic>
#include <barrier>
#include <semaphore>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>
)";

struct Compiled {
  std::string library, log;
};

inline const char* COMPILE = "g++ -std=c++20 -O1 -ffp-contract=off -fPIC ";

// The folder with standard.h, precompiled, beside the double's library: made by the first process that needs it.
inline std::string standard_headers() {
  Dl_info library;
  if (dladdr((void*)&standard_headers, &library) == 0) return ".";
  std::string kept = std::filesystem::path(library.dli_fname).parent_path().string() + "/standard-headers-" +
                     std::to_string(std::hash<std::string>{}(std::string(STANDARD) + COMPILE));
  if (access(kept.c_str(), R_OK) == 0) return kept;
  std::string own = kept + "-XXXXXX";
  if (mkdtemp(own.data()) == nullptr) return ".";
  std::ofstream(own + "/standard.h") << STANDARD;
  std::string command = "cd '" + own + "' && " + COMPILE + "-x c++-header standard.h";
  if (system(command.c_str()) != 0) return own;  // it is there, if not compiled
  if (rename(own.c_str(), kept.c_str()) != 0) std::filesystem::remove_all(own);  // another process was first
  return kept;
}

// Compiles a module; `library` is empty if that fails. `headers` are texts by name.
inline Compiled compile(const std::string& source, const std::map<std::string, std::string>& headers) {
  const char* parent = getenv("TMPDIR");
  std::string base = std::string(parent == nullptr ? "/tmp" : parent) + "/cuda-double-XXXXXX";
  if (mkdtemp(base.data()) == nullptr) return {"", "cannot make " + base};
  for (const auto& [name, text] : headers) {
    std::filesystem::create_directories(std::filesystem::path(base + "/" + name).parent_path());
    std::ofstream(base + "/" + name) << text;
  }
  std::ofstream(base + "/twin.cpp") << PRELUDE << source;
  std::string command = "cd '" + base + "' && " + COMPILE + "-shared -I. -I'" + standard_headers() +
                        "' -I'" CUDA_DOUBLE_CHECK "' -o twin.so twin.cpp -lpthread 2>log";
  int status = system(command.c_str());
  return {status == 0 ? base + "/twin.so" : "", read(base + "/log")};
}

// Compiles a built-in function whose PTX or SASS the jar has, of the sources that cuda/build compiled it of; kept in TMPDIR for
// the next process. The sources are this repository's: what the jar has is not run, only looked for by its name.
inline std::string of_built_in(const std::string& function) {
  std::string cuda = CUDA_DOUBLE_CHECK "/..";
  std::string types;
  std::ifstream signatures(cuda + "/udf/signatures");
  for (std::string line; std::getline(signatures, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != function) continue;
    while (words >> word) types += ", gpusched::" + word;
  }
  if (types.empty()) return "";
  std::string own = read(cuda + "/udf/" + function + ".cu");
  bool in_steps = own.find(function + "_step(") != std::string::npos;
  std::string source = "#include \"gpusched/udf.cuh\"\n#line 1 \"" + function + ".cu\"\n" + own +
                       (in_steps ? "GPUSCHED_STEP_UDF(" : "GPUSCHED_UDF(") + function + ", false" + types + ")\n";
  for (const char* cluster : {"1", "2", "4", "8"}) source += "GPUSCHED_KERNEL(" + function + ", " + cluster + ", )\n";
  std::map<std::string, std::string> headers;
  std::string all = source;
  for (const auto& file : std::filesystem::directory_iterator(cuda + "/include/gpusched")) {
    headers["gpusched/" + file.path().filename().string()] = read(file.path());
  }
  for (const auto& [name, text] : headers) all += text;
  const char* parent = getenv("TMPDIR");
  std::string kept = std::string(parent == nullptr ? "/tmp" : parent) + "/cuda-double-" + function + "-" +
                     std::to_string(std::hash<std::string>{}(PRELUDE + all)) + ".so";
  if (access(kept.c_str(), R_OK) == 0) return kept;
  Compiled compiled = compile(source, headers);
  if (compiled.library.empty()) {
    fprintf(stderr, "cuda double: %s\n", compiled.log.c_str());
    return "";
  }
  return rename(compiled.library.c_str(), kept.c_str()) == 0 ? kept : compiled.library;
}

}  // namespace twin
