// A test double of libnvrtc.so.12: see README.md. It compiles with g++ for the host.

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "twin.h"

namespace {

struct Program {
  std::string source, name, ptx, log;
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
  std::map<std::string, std::string> headers;
  for (size_t i = 0; i < program->headers.size(); i++) headers[program->header_names[i]] = program->headers[i];
  twin::Compiled compiled = twin::compile(program->source, headers);
  program->log = compiled.log;
  if (compiled.library.empty()) return 6;
  program->ptx = "// cuda-double-twin: " + compiled.library + "\n";
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
