// A kernel's PTX as instructions that machine.h can run.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../include/gpusched/base.cuh"

namespace ptx {

using gpusched::i64;
using gpusched::u32;
using gpusched::u64;
using gpusched::u8;

// What is wrong with a program, or with what it did.
struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// As PTX writes it: .b32, .s64, .f64, .pred.
struct Type {
  char kind = 'b';  // b, u, s, f, or p: a predicate
  u32 bytes = 8;
  bool operator==(const Type&) const = default;
};

enum class Op : u8 {
  ADD,
  SUB,
  MUL,
  MUL_WIDE,
  MUL_HIGH,
  MAD,
  MAD_WIDE,
  DIV,
  REM,
  NEG,
  ABS,
  MIN,
  MAX,
  SQRT,
  RCP,
  AND,
  OR,
  XOR,
  NOT,
  SHL,
  SHR,
  BFI,
  BFIND,
  BREV,
  POPC,
  CLZ,
  SELP,
  SETP,
  MOV,
  PACK,
  UNPACK,
  CVT,
  TO_GENERIC,
  TO_SHARED,
  MAPA,
  LD,
  ST,
  ATOM,
  SHFL,
  BALLOT,
  WARP_SYNC,
  BLOCK_SYNC,
  SLEEP,  // until another warp of the block has come to the same barrier: it wakes
  WAKE,
  CLUSTER_ARRIVE,
  CLUSTER_WAIT,
  BRA,
  RET,
  TRAP,
  MALLOC,
  FREE,
  NANOSLEEP,
};
// NUM: neither is NaN; the negation of it is NUM that is unordered.
enum class Compare : u8 { EQ, NE, LT, LE, GT, GE, NUM };
enum class Space : u8 { GENERIC, GLOBAL, SHARED, LOCAL, PARAM };
// Weak: no promise to other threads. Volatile is not known.
enum class Memory : u8 { WEAK, RELAXED, ACQUIRE, RELEASE, ACQ_REL };
enum class Atomic : u8 { ADD, CAS };
enum class Shuffle : u8 { IDX, BFLY };
enum class Round : u8 { NEAREST, ZERO, DOWN, UP };

struct Operand {
  enum Kind : u8 { NONE, REGISTER, VALUE, PARAMETER, LOCAL, THREAD, THREADS, BLOCK, BLOCKS, CLOCK };
  Kind kind = NONE;
  u64 value = 0;  // a register's index, a number, or an offset
};

struct Instruction {
  Op op = Op::RET;
  Type type;
  Type from;  // CVT
  Compare compare = Compare::EQ;
  bool unordered = false;  // SETP: true where one is NaN
  Space space = Space::GENERIC;
  Memory memory = Memory::WEAK;
  gpusched::Scope scope = gpusched::Scope::system;
  Atomic atomic = Atomic::ADD;
  Shuffle shuffle = Shuffle::IDX;
  Round round = Round::NEAREST;
  bool rounds = false;        // a float operation that says how it rounds: it is not fused
  bool shift_amount = false;  // BFIND
  int guard = -1;             // the predicate's register, or none
  bool guard_negated = false;
  Operand out[4];
  u32 outs = 0;
  Operand in[5];
  i64 offset = 0;  // LD, ST, ATOM: in[0] + offset
  u32 vector = 1;
  u32 target = 0;  // BRA
  u32 line = 0;
  u32 source = 0;       // the file that it was made of, where the PTX says so: Kernel::sources
  u32 source_line = 0;  // there
};

struct Kernel {
  std::string name;
  u32 registers = 0;
  u32 parameter_bytes = 0;
  u32 shared_bytes = 0;
  u32 local_bytes = 0;
  u32 cluster = 1;
  std::vector<Instruction> code;
  std::vector<std::string> sources;  // names of files; the first is none
};

}  // namespace ptx
