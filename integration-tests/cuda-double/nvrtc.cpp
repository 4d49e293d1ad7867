// A test double of libnvrtc.so.12: see README.md. It compiles with g++ for the host.

#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "twin.h"

namespace {

struct Program {
  std::string source, name, ptx, cubin, log;
  std::vector<std::string> headers, header_names;
};

}  // namespace

extern "C" {

#ifndef CUDA_DOUBLE_NVRTC_MAJOR
#define CUDA_DOUBLE_NVRTC_MAJOR 12
#endif

int nvrtcVersion(int* major, int* minor) {
  *major = CUDA_DOUBLE_NVRTC_MAJOR;
  *minor = 4;
  return 0;
}

static std::vector<int> architectures() {
  const char* list = getenv("CUDA_DOUBLE_NVRTC_ARCHITECTURES");
  std::istringstream words(list == nullptr ? "75 80 86 89 90" : list);
  std::vector<int> result;
  for (int architecture; words >> architecture;) result.push_back(architecture);
  return result;
}

int nvrtcGetNumSupportedArchs(int* count) {
  *count = (int)architectures().size();
  return 0;
}

int nvrtcGetSupportedArchs(int* list) {
  for (int architecture : architectures()) *list++ = architecture;
  return 0;
}

const char* nvrtcGetErrorString(int code) { return code == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }

int nvrtcCreateProgram(Program** result, const char* source, const char* name, int count, const char** headers,
                       const char** header_names) {
  Program* program = new Program{source, name == nullptr ? "program" : name, "", "", "", {}, {}};
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
  std::string all;
  bool known = false;
  bool sass = false;
  for (int i = 0; i < count; i++) {
    all += std::string(" ") + options[i];
    for (int architecture : architectures()) {
      std::string number = std::to_string(architecture);
      sass |= "--gpu-architecture=sm_" + number == options[i];
      known |= sass || "--gpu-architecture=compute_" + number == options[i];
    }
  }
  if (!known) {
    program->log = "no architecture is given, or one that this NVRTC does not know:" + all;
    return 5;
  }
  std::map<std::string, std::string> headers;
  for (size_t i = 0; i < program->headers.size(); i++) headers[program->header_names[i]] = program->headers[i];
  twin::Compiled compiled = twin::compile(program->source, headers);
  program->log = compiled.log;
  if (compiled.library.empty()) return 6;
  program->ptx = "// cuda-double-twin: " + compiled.library + "\n//" + all + "\n";
  if (sass) program->cubin = program->ptx;
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

int nvrtcGetCUBINSize(Program* program, size_t* bytes) {
  *bytes = program->cubin.size();
  return 0;
}

int nvrtcGetCUBIN(Program* program, char* code) {
  memcpy(code, program->cubin.data(), program->cubin.size());
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
