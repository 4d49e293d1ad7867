// What a kernel's PTX costs on a simple GPU: warps of 32 lanes in lockstep, multiprocessors with four schedulers that each
// issue an instruction a cycle, pipelines with rates and latencies, caches by line, L2 and DRAM by bandwidth, atomics one after
// the other at each address, sleeps in time. It runs the kernel for real, on the host's memory, so its answers can be checked.
//
// No GPU, and no replacement for a run on one. It does not see: what ptxas makes of the PTX but for rough counts (gpus.h), dual
// paths to and conflicts between the banks of shared memory, TLBs, where in L2 a line lies, the order in which memory comes back,
// instruction caches (an unrolled kernel costs it nothing), clocks that fall with load.
//
// Time goes on by multiprocessor, QUANTUM cycles at a time, so what they tell each other is up to that much early or late.

#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../ptx/arithmetic.h"
#include "gpus.h"
#include "reconverge.h"

namespace timing {

using ptx::Instruction;
using ptx::Memory;
using ptx::Op;
using ptx::Operand;
using ptx::Problem;
using ptx::u8;

enum class Kind : u8 { COMPUTE, CLAIM, TABLE, POLL, MEMORY, KINDS };
inline constexpr const char* KINDS[] = {"compute", "claim", "table", "poll", "memory"};

struct Launch {
  const ptx::Kernel* kernel;
  u32 blocks;
  u32 threads;
  const void* parameter;
  u32 registers;        // a thread, as ptxas says
  u32 multiprocessors;  // of the GPU's
  u64 most_cycles = 4'000'000'000;
  std::function<Kind(const Instruction&)> kind = {};
  std::function<bool(const Instruction&)> own = {};  // of the function that the kernel is for
  // Told of each store to addresses [watched, until): when, multiprocessor, block, warp, address.
  u64 watched = 0;
  u64 until = 0;
  std::function<void(u64, u32, u32, u32, u64)> stored = {};
};

struct Costs {
  u64 cycles = 0;
  u64 instructions[static_cast<int>(Kind::KINDS)] = {};  // issue slots, by kind
  u64 lanes = 0;                                         // active ones, over all slots
  u64 own = 0, own_lanes = 0;                            // the same of the function's own instructions
  u32 resident = 0;                                      // blocks of a multiprocessor
  u64 total() const {
    u64 sum = 0;
    for (u64 one : instructions) sum += one;
    return sum;
  }
};

class Device {
 public:
  explicit Device(const Gpu& gpu) : gpu_(gpu) {}

  // Slots of the last run, by instruction.
  const std::vector<u64>& issued() const { return issued_; }

  Costs run(const Launch& launch) {
    launch_ = &launch;
    issued_.assign(launch.kernel->code.size(), 0);
    costs_ = {};
    decode();
    u32 warps = launch.threads / 32;
    u32 registers = std::max(8u, (launch.registers + 7) / 8 * 8);
    u32 resident = std::min({gpu_.blocks, gpu_.warps / warps, 65536 / (registers * 32 * warps)});
    if (resident == 0) throw Problem("no block fits");
    costs_.resident = resident;
    multiprocessors_.clear();
    multiprocessors_.resize(launch.multiprocessors);
    l2_.assign(gpu_.l2_lines, 0);
    l2_free_ = dram_free_ = 0;
    atomics_.clear();
    next_block_ = ended_ = 0;
    for (Multiprocessor& one : multiprocessors_) one.l1.assign(gpu_.l1_lines, 0);
    // As the hardware is said to: one block to each multiprocessor, then the next round.
    for (u32 round = 0; round < resident; round++) {
      for (u32 m = 0; m < launch.multiprocessors; m++) start_block(m, 0);
    }
    u64 now = 0;
    while (ended_ < launch.blocks) {
      for (u32 m = 0; m < launch.multiprocessors; m++) run_until(m, now + QUANTUM);
      now += QUANTUM;
      u64 next = ~u64{0};
      for (Multiprocessor& one : multiprocessors_) next = std::min(next, one.earliest);
      if (next == ~u64{0} && ended_ < launch.blocks) throw Problem("hangs");
      if (next > now + QUANTUM && next != ~u64{0}) now = next / QUANTUM * QUANTUM;
      if (now > launch.most_cycles) throw Problem("takes too long");
    }
    return costs_;
  }

 private:
  static constexpr u64 QUANTUM = 64;
  static constexpr u64 NEVER = ~u64{0};
  static constexpr u32 SCHEDULERS = 4;
  enum Pipe : u8 { NONE, INT, FLOAT, DOUBLE, SPECIAL, LOADS, PIPES };

  // An instruction, and what it costs.
  struct Decoded {
    u32 sources[7];
    u32 source_count = 0;
    u32 slots = 1;
    u32 latency = 4;
    Pipe pipe = INT;
    u32 pipe_cycles = 1;
    Kind kind = Kind::COMPUTE;
    bool own = false;
  };
  // Lanes that go on together until they come to where others wait for them.
  struct Group {
    u32 pc;
    u32 mask;
    u32 until;
  };
  struct Warp {
    std::vector<u64> registers;  // by register, by lane
    std::vector<u64> ready;      // when a register's value is there
    std::vector<u8> local;
    std::vector<Group> others;  // those whose turn comes later, the next one last
    Group current{0, ~0u, ~0u};
    u32 exited = 0;
    u64 when = 0;  // it can go on
    u64 stores_done = 0;
    u32 block = 0;
    u32 index = 0;
    bool at_barrier = false;
    bool ended = false;
  };
  struct Block {
    std::unique_ptr<u64[]> shared;
    u64 start = 0;
    u32 multiprocessor = 0;
    u32 lives = 0;
    std::vector<Warp*> waiting;
    Warp* sleeps[16] = {};   // at a barrier of its own
    bool woken[16] = {};     // before it sleeps
  };
  struct Scheduler {
    std::vector<Warp*> warps;
    u64 free = 0;
    double debt = 0;  // parts of cycles that are owed
    u64 pipes[PIPES] = {};
    u32 last = 0;
  };
  struct Multiprocessor {
    Scheduler schedulers[SCHEDULERS];
    u64 loads_free = 0;
    u64 double_free = 0;
    std::unordered_map<u64, u64> shared_atomics;
    std::vector<u64> l1;
    u64 generation = 0;  // L1 has been emptied so often
    u64 earliest = 0;
    u32 next_scheduler = 0;
  };

  static bool wide(const Instruction& i) { return i.type.bytes == 8 && i.type.kind != 'f'; }

  void decode() {
    const auto& code = launch_->kernel->code;
    decoded_.assign(code.size(), {});
    reconvergence_ = reconvergence(code);
    for (size_t n = 0; n < code.size(); n++) {
      const Instruction& i = code[n];
      Decoded& d = decoded_[n];
      auto source = [&](const Operand& operand) {
        if (operand.kind == Operand::REGISTER) d.sources[d.source_count++] = static_cast<u32>(operand.value);
      };
      for (const Operand& operand : i.in) source(operand);
      if (i.guard >= 0) d.sources[d.source_count++] = static_cast<u32>(i.guard);
      if (launch_->kind) d.kind = launch_->kind(i);
      d.own = launch_->own && launch_->own(i);
      d.latency = gpu_.alu;
      d.pipe_cycles = gpu_.int_cycles;
      switch (i.op) {
        case Op::MOV:
        case Op::PACK:
        case Op::UNPACK:
        case Op::TO_GENERIC:
          if (!gpu_.ptx_slots) d.slots = 0, d.latency = 0, d.pipe = NONE;
          break;
        case Op::LD:
        case Op::ST:
        case Op::ATOM:
          d.pipe = LOADS;
          d.pipe_cycles = 1;
          if (i.space == ptx::Space::PARAM && !gpu_.ptx_slots) d.slots = 0, d.pipe = NONE;
          if (i.space != ptx::Space::PARAM && d.kind == Kind::COMPUTE) d.kind = Kind::MEMORY;
          break;
        case Op::SHFL:
          d.pipe = LOADS;
          d.pipe_cycles = 1;
          d.latency = gpu_.shared;
          break;
        case Op::POPC:
        case Op::CLZ:
        case Op::BREV:
        case Op::BFIND:
          d.pipe = SPECIAL;
          d.pipe_cycles = 8;
          break;
        case Op::BRA:
        case Op::RET:
        case Op::WARP_SYNC:
        case Op::BALLOT:
          d.pipe = NONE;
          break;
        case Op::DIV:
        case Op::REM:
        case Op::SQRT:
        case Op::RCP:
          // Subroutines: a reciprocal and its corrections.
          if (!gpu_.ptx_slots) d.slots = i.type.kind == 'f' ? (i.type.bytes == 8 ? 12 : 9) : i.type.bytes == 8 ? 70 : 20;
          d.latency = 5 * gpu_.alu;
          break;
        case Op::MUL:
        case Op::MAD:
          if (wide(i) && !gpu_.ptx_slots) d.slots = 3;
          break;
        case Op::CVT:
          if (!gpu_.ptx_slots && i.type.kind != 'f' && i.from.kind != 'f') {
            bool widens = i.type.bytes == 8 && i.from.bytes < 8;
            d.slots = widens && i.from.kind == 's' ? 1 : 0;
            if (d.slots == 0) d.pipe = NONE, d.latency = 0;
          }
          break;
        default:
          if (wide(i) && !gpu_.ptx_slots) d.slots = 2;
          break;
      }
      if (i.type.kind == 'f' && d.pipe == INT) {
        d.pipe = i.type.bytes == 8 ? DOUBLE : FLOAT;
        d.pipe_cycles = i.type.bytes == 8 ? gpu_.double_cycles : gpu_.float_cycles;
        if (i.type.bytes == 8 && d.latency == gpu_.alu) d.latency = gpu_.fp64;
      }
    }
  }

  void start_block(u32 m, u64 now) {
    if (next_block_ == launch_->blocks) return;
    Multiprocessor& at = multiprocessors_[m];
    auto block = std::make_shared<Block>();
    u32 words = launch_->kernel->shared_bytes / 8 + 2;
    block->shared = std::make_unique<u64[]>(words);
    block->start = reinterpret_cast<u64>(block->shared.get());
    block->multiprocessor = m;
    u32 warps = launch_->threads / 32;
    block->lives = warps;
    blocks_.resize(launch_->blocks);
    blocks_[next_block_] = block;
    for (u32 w = 0; w < warps; w++) {
      auto warp = take_warp();
      warp->registers.assign(u64{launch_->kernel->registers} * 32, 0);
      warp->ready.assign(launch_->kernel->registers, 0);
      warp->local.assign(u64{launch_->kernel->local_bytes + 16} * 32, 0);
      warp->block = next_block_;
      warp->index = w;
      warp->when = now;
      at.schedulers[at.next_scheduler++ % SCHEDULERS].warps.push_back(warp);
    }
    at.earliest = std::min(at.earliest, now);
    next_block_++;
  }

  Warp* take_warp() {
    if (spare_.empty()) {
      all_.push_back(std::make_unique<Warp>());
      return all_.back().get();
    }
    Warp* warp = spare_.back();
    spare_.pop_back();
    auto registers = std::move(warp->registers);
    auto ready = std::move(warp->ready);
    *warp = Warp();
    warp->registers = std::move(registers);
    warp->ready = std::move(ready);
    return warp;
  }

  void run_until(u32 m, u64 until) {
    Multiprocessor& at = multiprocessors_[m];
    if (at.earliest >= until) return;
    at.earliest = NEVER;
    for (Scheduler& scheduler : at.schedulers) {
      for (;;) {
        // The earliest that can go on; of several, the next in turn.
        u64 best = NEVER;
        u32 chosen = 0, count = static_cast<u32>(scheduler.warps.size());
        for (u32 n = 0, w = scheduler.last + 1; n < count; n++, w++) {
          if (w >= count) w = 0;
          Warp& warp = *scheduler.warps[w];
          if (warp.when >= best) continue;
          u64 when = std::max(warp.when, scheduler.free);
          const Decoded& d = decoded_[warp.current.pc];
          when = std::max(when, scheduler.pipes[d.pipe]);
          if (d.pipe == LOADS) when = std::max(when, at.loads_free);
          if (when < best) best = when, chosen = w;
        }
        if (best >= until) {
          at.earliest = std::min(at.earliest, best);
          break;
        }
        scheduler.last = chosen;
        issue(m, scheduler, *scheduler.warps[chosen], best);
      }
    }
  }

  void issue(u32 m, Scheduler& scheduler, Warp& warp, u64 now) {
    const Instruction& i = launch_->kernel->code[warp.current.pc];
    const Decoded& d = decoded_[warp.current.pc];
    u32 mask = warp.current.mask;
    if (i.guard >= 0) {
      const u64* guard = warp.registers.data() + u64(i.guard) * 32;
      for (u32 lanes = mask; lanes != 0; lanes &= lanes - 1) {
        u32 lane = static_cast<u32>(__builtin_ctz(lanes));
        if ((guard[lane] != 0) == i.guard_negated) mask &= ~(1u << lane);
      }
    }
    scheduler.debt += d.slots * gpu_.issue;
    u64 busy = static_cast<u64>(scheduler.debt);
    scheduler.debt -= static_cast<double>(busy);
    scheduler.free = now + busy;
    if (d.pipe != NONE) scheduler.pipes[d.pipe] = now + u64{d.slots} * d.pipe_cycles;
    costs_.instructions[static_cast<int>(d.kind)] += d.slots;
    issued_[warp.current.pc] += d.slots;
    u64 lanes = u64{d.slots} * static_cast<u32>(__builtin_popcount(mask));
    costs_.lanes += lanes;
    if (d.own) {
      costs_.own += d.slots;
      // A branch that is taken by some is one of all that come to it.
      costs_.own_lanes += u64{d.slots} * static_cast<u32>(__builtin_popcount(warp.current.mask));
    }
    costs_.cycles = std::max(costs_.cycles, now + d.slots);
    warp.when = now + d.slots + (i.op == Op::BRA ? gpu_.branch : 0);
    execute(m, warp, i, d, mask, now);
    if (warp.ended || warp.at_barrier) return;
    const Decoded& next = decoded_[warp.current.pc];
    for (u32 n = 0; n < next.source_count; n++) warp.when = std::max(warp.when, warp.ready[next.sources[n]]);
  }

  void execute(u32 m, Warp& warp, const Instruction& i, const Decoded& d, u32 mask, u64 now) {
    switch (i.op) {
      case Op::BRA: {
        u32 rest = warp.current.mask & ~mask;
        if (mask == 0) {
          warp.current.pc++;
        } else if (rest == 0) {
          warp.current.pc = i.target;
        } else {
          u32 meet = reconvergence_[warp.current.pc];
          warp.others.push_back({meet, warp.current.mask, warp.current.until});
          warp.others.push_back({i.target, mask, meet});
          warp.current = {warp.current.pc + 1, rest, meet};
        }
        settle(warp);
        return;
      }
      case Op::RET: {
        warp.exited |= mask;
        warp.current.mask &= ~mask;
        for (Group& other : warp.others) other.mask &= ~mask;
        if (warp.exited == ~0u) {
          end(m, warp, now);
          return;
        }
        warp.current.pc++;
        settle(warp);
        return;
      }
      case Op::SHFL:
      case Op::BALLOT:
      case Op::WARP_SYNC:
      case Op::BLOCK_SYNC:
      case Op::SLEEP:
      case Op::WAKE:
      case Op::CLUSTER_ARRIVE:
      case Op::CLUSTER_WAIT:
        if (warp.current.mask != ~warp.exited) throw Problem("lanes of a warp come to different calls");
        together(warp, i, now, d);
        return;
      case Op::NANOSLEEP:
        warp.when = now + std::max<u64>(1, static_cast<u64>(static_cast<double>(ptx::cut(value(warp, i.in[0], first(mask)), 4)) * gpu_.ghz * gpu_.sleep));
        break;
      case Op::LD:
      case Op::ST:
      case Op::ATOM:
        if (mask != 0) access(m, warp, i, mask, now);
        break;
      case Op::TRAP:
        throw Problem("a trap");
      case Op::MALLOC:
      case Op::FREE:
      case Op::MAPA:
        throw Problem("not known to the cost model");
      default:
        compute(warp, i, mask, now);
        for (u32 n = 0; n < i.outs; n++) warp.ready[i.out[n].value] = now + std::max(d.slots, 1u) - 1 + d.latency;
        break;
    }
    warp.current.pc++;
    settle(warp);
  }

  static u32 first(u32 mask) { return mask == 0 ? 0 : static_cast<u32>(__builtin_ctz(mask)); }

  // Lanes that have come to where they wait for others leave the turn to those.
  static void settle(Warp& warp) {
    while (warp.current.pc == warp.current.until || warp.current.mask == 0) {
      warp.current = warp.others.back();
      warp.others.pop_back();
    }
  }

  u64 value(const Warp& warp, const Operand& operand, u32 lane) const {
    switch (operand.kind) {
      case Operand::REGISTER:
        return warp.registers[operand.value * 32 + lane];
      case Operand::PARAMETER:
        return reinterpret_cast<u64>(launch_->parameter) + operand.value;
      case Operand::LOCAL:
        return reinterpret_cast<u64>(warp.local.data()) + u64{lane} * launch_->kernel->local_bytes + operand.value;
      case Operand::THREAD:
        return warp.index * 32 + lane;
      case Operand::THREADS:
        return launch_->threads;
      case Operand::BLOCK:
        return warp.block;
      case Operand::BLOCKS:
        return launch_->blocks;
      case Operand::CLOCK:
        return clock_;
      default:
        return operand.value;
    }
  }

  // The common instructions for all lanes at once, the others lane by lane.
  void compute(Warp& warp, const Instruction& i, u32 mask, u64 now) {
    clock_ = now;
    if (fast(warp, i, mask)) return;
    for (u32 lanes = mask; lanes != 0; lanes &= lanes - 1) {
      u32 lane = first(lanes);
      u64 in[5];
      for (u32 n = 0; n < 5; n++) in[n] = value(warp, i.in[n], lane);
      u64 result = 0;
      switch (i.op) {
        case Op::MOV:
          result = i.type.kind == 'p' ? in[0] != 0 : ptx::cut(in[0], i.type.bytes);
          break;
        case Op::PACK:
          result = ptx::cut(in[0], i.type.bytes / 2) | ptx::cut(in[1], i.type.bytes / 2) << i.type.bytes * 4;
          break;
        case Op::UNPACK: {
          u32 part = i.type.bytes / i.outs;
          for (u32 n = 0; n < i.outs; n++) set(warp, i.out[n], lane, ptx::cut(in[0] >> n * part * 8, part));
          continue;
        }
        case Op::SELP:
          result = ptx::cut(in[2] != 0 ? in[0] : in[1], i.type.bytes);
          break;
        case Op::TO_GENERIC:
          result = in[0] + blocks_[warp.block]->start;
          break;
        case Op::TO_SHARED:
          result = in[0] - blocks_[warp.block]->start;
          break;
        default:
          result = ptx::arithmetic(i, in);
          break;
      }
      set(warp, i.out[0], lane, result);
    }
  }

  static void set(Warp& warp, const Operand& out, u32 lane, u64 result) { warp.registers[out.value * 32 + lane] = result; }

  const u64* lanes_of(const Warp& warp, const Operand& operand, u64* room) const {
    if (operand.kind == Operand::REGISTER) return warp.registers.data() + operand.value * 32;
    for (u32 lane = 0; lane < 32; lane++) room[lane] = value(warp, operand, lane);
    return room;
  }

  template <class F>
  static void each(u64* out, u32 mask, F f) {
    if (mask == ~0u) {
      for (u32 lane = 0; lane < 32; lane++) out[lane] = f(lane);
    } else {
      for (u32 lanes = mask; lanes != 0; lanes &= lanes - 1) {
        u32 lane = static_cast<u32>(__builtin_ctz(lanes));
        out[lane] = f(lane);
      }
    }
  }

  bool fast(Warp& warp, const Instruction& i, u32 mask) {
    if (i.outs != 1 || i.type.kind == 'f' || i.type.kind == 'p' || (i.type.bytes != 4 && i.type.bytes != 8)) return false;
    u64 room_a[32], room_b[32], room_c[32];
    bool narrow = i.type.bytes == 4;
    u64 cut = narrow ? 0xFFFFFFFF : ~u64{0};
    u64* out = warp.registers.data() + i.out[0].value * 32;
    auto a = [&] { return lanes_of(warp, i.in[0], room_a); };
    auto b = [&] { return lanes_of(warp, i.in[1], room_b); };
    auto c = [&] { return lanes_of(warp, i.in[2], room_c); };
    switch (i.op) {
      case Op::MOV: {
        const u64* x = a();
        each(out, mask, [=](u32 lane) { return x[lane] & cut; });
        return true;
      }
      case Op::ADD: {
        const u64 *x = a(), *y = b();
        each(out, mask, [=](u32 lane) { return (x[lane] + y[lane]) & cut; });
        return true;
      }
      case Op::SUB: {
        const u64 *x = a(), *y = b();
        each(out, mask, [=](u32 lane) { return (x[lane] - y[lane]) & cut; });
        return true;
      }
      case Op::MUL: {
        const u64 *x = a(), *y = b();
        each(out, mask, [=](u32 lane) { return (x[lane] * y[lane]) & cut; });
        return true;
      }
      case Op::MAD: {
        const u64 *x = a(), *y = b(), *z = c();
        each(out, mask, [=](u32 lane) { return (x[lane] * y[lane] + z[lane]) & cut; });
        return true;
      }
      case Op::AND: {
        const u64 *x = a(), *y = b();
        each(out, mask, [=](u32 lane) { return x[lane] & y[lane] & cut; });
        return true;
      }
      case Op::OR: {
        const u64 *x = a(), *y = b();
        each(out, mask, [=](u32 lane) { return (x[lane] | y[lane]) & cut; });
        return true;
      }
      case Op::XOR: {
        const u64 *x = a(), *y = b();
        each(out, mask, [=](u32 lane) { return (x[lane] ^ y[lane]) & cut; });
        return true;
      }
      case Op::SETP: {
        if (i.compare == ptx::Compare::NUM) return false;
        const u64 *x = a(), *y = b();
        u32 shift = narrow ? 32 : 0;
        auto compare = [&](auto by) {
          if (i.type.kind == 's') {
            each(out, mask, [=](u32 lane) -> u64 {
              return by(static_cast<long long>(x[lane] << shift), static_cast<long long>(y[lane] << shift));
            });
          } else {
            each(out, mask, [=](u32 lane) -> u64 { return by(x[lane] << shift, y[lane] << shift); });
          }
        };
        switch (i.compare) {
          case ptx::Compare::EQ:
            compare([](auto p, auto q) { return p == q; });
            break;
          case ptx::Compare::NE:
            compare([](auto p, auto q) { return p != q; });
            break;
          case ptx::Compare::LT:
            compare([](auto p, auto q) { return p < q; });
            break;
          case ptx::Compare::LE:
            compare([](auto p, auto q) { return p <= q; });
            break;
          case ptx::Compare::GT:
            compare([](auto p, auto q) { return p > q; });
            break;
          default:
            compare([](auto p, auto q) { return p >= q; });
            break;
        }
        return true;
      }
      default:
        return false;
    }
  }

  // What all lanes of a warp do together.
  void together(Warp& warp, const Instruction& i, u64 now, const Decoded& d) {
    u32 mask = warp.current.mask;
    switch (i.op) {
      case Op::SHFL: {
        u64 values[32];
        for (u32 lane = 0; lane < 32; lane++) values[lane] = ptx::cut(value(warp, i.in[0], lane), 4);
        u64 results[32];
        for (u32 lane = 0; lane < 32; lane++) {
          u32 by = static_cast<u32>(value(warp, i.in[1], lane)) & 31;
          results[lane] = values[i.shuffle == ptx::Shuffle::IDX ? by : lane ^ by];
        }
        for (u32 lane = 0; lane < 32; lane++) {
          set(warp, i.out[0], lane, results[lane]);
          if (i.outs > 1) set(warp, i.out[1], lane, 1);
        }
        break;
      }
      case Op::BALLOT: {
        u64 votes = 0;
        for (u32 lane = 0; lane < 32; lane++) votes |= u64{value(warp, i.in[0], lane) != 0} << lane;
        votes &= mask;
        for (u32 lane = 0; lane < 32; lane++) set(warp, i.out[0], lane, votes);
        break;
      }
      case Op::BLOCK_SYNC: {
        Block& block = *blocks_[warp.block];
        warp.current.pc++;
        block.waiting.push_back(&warp);
        if (block.waiting.size() < block.lives) {
          warp.at_barrier = true;
          warp.when = NEVER;
          return;
        }
        for (Warp* other : block.waiting) {
          other->at_barrier = false;
          other->when = now + 10;
        }
        // A warp of another scheduler may have been looked at in this quantum already.
        multiprocessors_[block.multiprocessor].earliest = std::min(multiprocessors_[block.multiprocessor].earliest, now + 10);
        block.waiting.clear();
        return;
      }
      case Op::SLEEP: {
        Block& block = *blocks_[warp.block];
        u64 barrier = value(warp, i.in[0], first(mask)) & 15;
        warp.current.pc++;
        if (std::exchange(block.woken[barrier], false)) {
          warp.when = now + 10;
          return;
        }
        block.sleeps[barrier] = &warp;
        warp.at_barrier = true;
        warp.when = NEVER;
        return;
      }
      case Op::WAKE: {
        Block& block = *blocks_[warp.block];
        u64 barrier = value(warp, i.in[0], first(mask)) & 15;
        Warp* other = std::exchange(block.sleeps[barrier], nullptr);
        if (other == nullptr) {
          if (std::exchange(block.woken[barrier], true)) throw Problem("a warp is woken twice");
        } else {
          other->at_barrier = false;
          other->when = now + 10;
          multiprocessors_[block.multiprocessor].earliest = std::min(multiprocessors_[block.multiprocessor].earliest, now + 10);
        }
        break;
      }
      case Op::CLUSTER_ARRIVE:
      case Op::CLUSTER_WAIT:
        throw Problem("not known to the cost model: clusters");
      default:
        break;
    }
    for (u32 n = 0; n < i.outs; n++) warp.ready[i.out[n].value] = now + d.latency;
    warp.current.pc++;
    settle(warp);
  }

  void end(u32 m, Warp& warp, u64 now) {
    warp.ended = true;
    warp.when = NEVER;
    for (Scheduler& scheduler : multiprocessors_[m].schedulers) std::erase(scheduler.warps, &warp);
    spare_.push_back(&warp);
    std::shared_ptr<Block> block = blocks_[warp.block];
    if (--block->lives > 0) return;
    blocks_[warp.block].reset();
    ended_++;
    start_block(m, now + 200);
  }

  // Loads, stores and atomics.
  void access(u32 m, Warp& warp, const Instruction& i, u32 mask, u64 now) {
    Multiprocessor& at = multiprocessors_[m];
    Block& block = *blocks_[warp.block];
    u64 shared_end = block.start + launch_->kernel->shared_bytes + 8;
    u32 bytes = i.type.bytes;
    u64 lines[32];
    u32 line_count = 0, sectors = 0;
    u64 last_sector = NEVER;
    bool shared = false, local = i.space == ptx::Space::LOCAL, parameter = i.space == ptx::Space::PARAM;
    u64 one_address = 0;
    u64 worst = now;
    for (u32 lanes = mask; lanes != 0; lanes &= lanes - 1) {
      u32 lane = first(lanes);
      u64 address = value(warp, i.in[0], lane) + static_cast<u64>(i.offset);
      if (i.space == ptx::Space::SHARED) address = ptx::cut(address, 4) + block.start;
      one_address = address;
      if (address >= block.start && address < shared_end) shared = true;
      u64 stack = reinterpret_cast<u64>(warp.local.data());
      if (address - stack < warp.local.size()) local = true;
      u64 argument = reinterpret_cast<u64>(launch_->parameter);
      if (address - argument < launch_->kernel->parameter_bytes) parameter = true;
      if (i.op == Op::LD) {
        for (u32 n = 0; n < i.vector; n++) {
          u64 loaded = 0;
          std::memcpy(&loaded, reinterpret_cast<const void*>(address + n * bytes), bytes);
          set(warp, i.out[n], lane, i.type.kind == 's' ? static_cast<u64>(ptx::extend(loaded, bytes)) : loaded);
        }
      } else if (i.op == Op::ST) {
        for (u32 n = 0; n < i.vector; n++) {
          u64 stored = value(warp, i.in[1 + n], lane);
          std::memcpy(reinterpret_cast<void*>(address + n * bytes), &stored, bytes);
        }
        if (address - launch_->watched < launch_->until - launch_->watched && launch_->stored) {
          launch_->stored(now, m, warp.block, warp.index, address);
        }
      } else {
        u64 before = 0, operand = ptx::cut(value(warp, i.in[1], lane), bytes);
        std::memcpy(&before, reinterpret_cast<const void*>(address), bytes);
        u64 after = i.atomic == ptx::Atomic::ADD ? before + operand : before == operand ? value(warp, i.in[2], lane) : before;
        std::memcpy(reinterpret_cast<void*>(address), &after, bytes);
        if (i.outs > 0) set(warp, i.out[0], lane, before);
        // One after the other at each address.
        bool here = address >= block.start && address < shared_end;
        u64& free = here ? at.shared_atomics[address] : atomics_[address];
        u64 way = here ? gpu_.shared_atomic : gpu_.l2 + 40;
        u64 start = std::max(now + way / 2, free);
        free = start + (here ? 8 : 4);
        worst = std::max(worst, start + way / 2);
      }
      u64 line = address / 128, sector = address / 32;
      if (sector != last_sector) sectors++, last_sector = sector;
      bool known = false;
      for (u32 n = 0; n < line_count && !known; n++) known = lines[n] == line;
      if (!known) lines[line_count++] = line;
    }
    u64 done = now;
    if (parameter) {
      done = now + gpu_.alu;
    } else if (i.op == Op::ATOM) {
      done = worst;
      at.loads_free = now + 2;
      (void)one_address;
    } else if (shared) {
      at.loads_free = now + (bytes * i.vector > 4 ? 2 : 1);
      done = now + gpu_.shared;
    } else if (local) {
      // Lanes' own memory is interleaved: one line for 4 bytes of each.
      at.loads_free = now + std::max(1u, bytes * i.vector / 4);
      done = now + gpu_.l1;
    } else {
      at.loads_free = now + line_count;
      bool around = i.memory != Memory::WEAK;
      u32 bytes_of_line = sectors * 32 / line_count;
      for (u32 n = 0; n < line_count; n++) {
        done = std::max(done, i.op == Op::ST ? write(lines[n], bytes_of_line, now + n)
                                             : read(at, lines[n], bytes_of_line, now + n, around));
      }
    }
    bool far = !shared && !parameter && !local && i.scope != gpusched::Scope::block;
    if (far && (i.memory == Memory::ACQUIRE || i.memory == Memory::ACQ_REL)) at.generation++;
    if (far && (i.memory == Memory::RELEASE || i.memory == Memory::ACQ_REL)) {
      u64 wait = warp.stores_done > now ? warp.stores_done - now : 0;
      done += wait;
    }
    if (i.op == Op::ST) {
      warp.stores_done = std::max(warp.stores_done, done);
    } else {
      for (u32 n = 0; n < i.outs; n++) warp.ready[i.out[n].value] = done;
    }
    costs_.cycles = std::max(costs_.cycles, i.op == Op::ST ? now : done);
  }

  u64 read(Multiprocessor& at, u64 line, u32 bytes, u64 now, bool around) {
    u64 tag = line << 20 | (at.generation & 0xFFFFF);
    u64& cached = at.l1[line % at.l1.size()];
    if (!around && cached == tag) return now + gpu_.l1;
    if (!around) cached = tag;
    return beyond(line, bytes, now) + gpu_.l2;
  }
  u64 write(u64 line, u32 bytes, u64 now) { return beyond(line, bytes, now) + gpu_.l2; }

  // L2 and DRAM: when they come to it, by their bandwidth.
  u64 beyond(u64 line, u32 bytes, u64 now) {
    l2_free_ = std::max(l2_free_, static_cast<double>(now)) + bytes / l2_rate();
    u64 start = std::max(now, static_cast<u64>(l2_free_));
    u64& cached = l2_[line % l2_.size()];
    if (cached == line) return start;
    cached = line;
    dram_free_ = std::max(dram_free_, static_cast<double>(start)) + bytes / dram_rate();
    return static_cast<u64>(dram_free_) + gpu_.dram - gpu_.l2;
  }
  // A part of a GPU has its part of them.
  double l2_rate() const { return gpu_.l2_bytes * launch_->multiprocessors / gpu_.multiprocessors; }
  double dram_rate() const { return gpu_.dram_bytes * launch_->multiprocessors / gpu_.multiprocessors; }

  const Gpu& gpu_;
  const Launch* launch_ = nullptr;
  Costs costs_;
  std::vector<u64> issued_;
  std::vector<Decoded> decoded_;
  std::vector<u32> reconvergence_;
  std::vector<Multiprocessor> multiprocessors_;
  std::vector<std::shared_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Warp>> all_;
  std::vector<Warp*> spare_;
  std::vector<u64> l2_;
  double l2_free_ = 0;
  double dram_free_ = 0;
  std::unordered_map<u64, u64> atomics_;
  u32 next_block_ = 0;
  u32 ended_ = 0;
  u64 clock_ = 0;
};

}  // namespace timing
