// A test double of libnvrtc.so.12: see README.md. It compiles with g++ for the host.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Program {
  std::string source, name, ptx, log;
  std::vector<std::string> headers, header_names;
};

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// In place of what nvcc makes of GPUSCHED_KERNEL: a twin of each kernel that runs the same headers with the host context
// of cuda/check, a thread a warp.
const char* PRELUDE = R"(
#include <barrier>
#include <memory>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>
#include "thread_context.h"
#define __device__
namespace cuda_double {
// A scheduler warp and two others: more would only wait for this machine's few cores.
constexpr unsigned WARPS = 3;
template <unsigned CLUSTER, class Bodies>
void run(const gpusched::Grid<check::ThreadContext<CLUSTER>>& grid, unsigned blocks) {
  using Ctx = check::ThreadContext<CLUSTER>;
  if (blocks % CLUSTER != 0) std::abort();
  std::vector<gpusched::Block<Ctx>> shared(blocks);
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<std::barrier<>>> barriers;
  for (unsigned b = 0; b < blocks; b++) {
    if (b % CLUSTER == 0) barriers.push_back(std::make_unique<std::barrier<>>(WARPS * CLUSTER));
    std::barrier<>* barrier = barriers.back().get();  // not by the vector, which grows while threads run
    for (unsigned w = 0; w < WARPS; w++) {
      threads.emplace_back([&, b, w, barrier] {
        Ctx ctx({w, WARPS, b, blocks}, barrier);
        gpusched::run_kernel(ctx, grid, shared[b], Bodies{});
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
  void FUNCTION##_c##CLUSTER##_twin(void** parameters, unsigned grid, unsigned) {                              \
    cuda_double::run<CLUSTER, FUNCTION##_udf>(*(gpusched::Grid<check::ThreadContext<CLUSTER>>*)parameters[0], grid); \
  }                                                                                                            \
  }
#line 1
)";

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 4;
  return 0;
}

const char* nvrtcGetErrorString(int code) { return code == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }

int nvrtcCreateProgram(Program** result, const char* source, const char* name, int count, const char** headers,
                       const char** header_names) {
  Program* program = new Program{source, name == nullptr ? "program" : name, "", "", {}, {}};
  for (int i = 0; i < count; i++) {
    program->headers.push_back(headers[i]);
    program->header_names.push_back(header_names[i]);
  }
  *result = program;
  return 0;
}

int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}

int nvrtcCompileProgram(Program* program, int count, const char** options) {
  bool architecture = false;
  for (int i = 0; i < count; i++) architecture |= strncmp(options[i], "--gpu-architecture=", 19) == 0;
  if (!architecture) {
    program->log = "no architecture is given";
    return 5;
  }
  const char* parent = getenv("TMPDIR");
  std::string base = std::string(parent == nullptr ? "/tmp" : parent) + "/cuda-double-XXXXXX";
  if (mkdtemp(base.data()) == nullptr) return 1;
  for (size_t i = 0; i < program->headers.size(); i++) {
    std::string path = base + "/" + program->header_names[i];
    for (size_t slash = path.find('/', base.size() + 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      std::string command = "mkdir -p '" + path.substr(0, slash) + "'";
      if (system(command.c_str()) != 0) return 1;
    }
    std::ofstream(path) << program->headers[i];
  }
  std::ofstream(base + "/twin.cpp") << PRELUDE << program->source;
  std::string command = "cd '" + base + "' && g++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared -I. -I'" CUDA_DOUBLE_CHECK "' -o twin.so twin.cpp -lpthread 2>log";
  int status = system(command.c_str());
  program->log = read(base + "/log");
  if (status != 0) return 6;
  program->ptx = "// cuda-double-twin: " + base + "/twin.so\n";
  return 0;
}

int nvrtcGetPTXSize(Program* program, size_t* bytes) {
  *bytes = program->ptx.size() + 1;
  return 0;
}

int nvrtcGetPTX(Program* program, char* text) {
  strcpy(text, program->ptx.c_str());
  return 0;
}

int nvrtcGetProgramLogSize(Program* program, size_t* bytes) {
  *bytes = program->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(Program* program, char* text) {
  strcpy(text, program->log.c_str());
  return 0;
}

}  // extern "C"
