// Runs a kernel of a module as a GPU with independent thread scheduling may: each lane goes on by itself, in an order
// drawn by chance, until it comes to what a warp, block or cluster does together. Found, and reported with the line
// of the PTX: a race (order.h), an access out of bounds or to the shared memory of a block that has ended, lanes of a
// warp that come to different calls, a hang, a trap. Registers, shared and local memory start as garbage.
//
// An emulator of the PTX machine, and no GPU: how long anything takes, what ptxas and the hardware make of it, it
// cannot show.

#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <queue>
#include <random>
#include <utility>

#include "arithmetic.h"
#include "memory.h"

namespace ptx {

struct Launch {
  const Kernel& kernel;
  u32 blocks;
  u32 threads;  // a block; a multiple of 32
  const void* parameter;
  u64 seed;
  u32 burst = 40;                   // instructions that a lane runs at most before another has its turn
  u64 instructions = 400'000'000;   // more are a run in circles
  std::function<void()> host = {};  // called between bursts, now and then
  bool unseen_host = false;         // order.h
  u32 slots = 0;                    // blocks that run at once; the others begin, in any order, as blocks end. 0: all
};

// What a run did.
struct Counts {
  u64 instructions = 0;
  u64 accesses_to_peers = 0;  // to the shared memory of another block
};

class Machine {
 public:
  explicit Machine(DeviceMemory& memory) : memory_(memory) {}

  Counts run(const Launch& launch) {
    begin(launch);
    try {
      for (;;) {
        if (launch.host && random_() % 32 == 0) launch.host();
        if (!wake()) break;
        u64 pick = random_() % runnable_.size();
        current_ = runnable_[pick];
        place_ = pick;
        burst(1 + random_() % launch.burst);
        if (counts_.instructions > launch.instructions) throw Problem("runs in circles");
      }
      if (ended_ != lanes_.size()) hang();
    } catch (const Problem& problem) {
      end();
      std::string where = line_ == 0 ? "" : " (line " + std::to_string(line_) + ", " + order_->name(current_) + ")";
      throw Problem(launch.kernel.name + ": " + problem.what() + where);
    }
    end();
    return counts_;
  }

  // For the host's side of a run: an access as any thread's.
  u64 host_load(u64 address, u32 bytes, Memory memory) {
    line_ = 0;
    return load(order_->host(), address, bytes, memory, Scope::system);
  }
  void host_store(u64 address, u32 bytes, u64 value, Memory memory) {
    line_ = 0;
    store(order_->host(), address, bytes, value, memory, Scope::system);
  }

 private:
  enum class State : u8 { RUNS, SLEEPS, WAITS, ENDED };

  struct Lane {
    u32 pc = 0;
    State state = State::RUNS;
    u32 block = 0;
    u64* registers = nullptr;
    u8* local = nullptr;
  };
  // Lanes of a warp that have come to one call.
  struct Together {
    u32 pc;
    u32 mask;
    u32 arrived;
  };
  struct Warp {
    std::vector<Together> waiting;
  };
  // A barrier of two warps, of which one waits.
  struct Bell {
    std::vector<u32> asleep;  // lanes
    std::vector<u32> rung;    // clocks of the lanes that wake, if they have
  };
  struct Block {
    std::unique_ptr<u8[]> shared;
    std::vector<u32> waiting;  // for its barrier
    std::array<Bell, 16> bells;
    u32 lives = 0;             // lanes that have not ended
  };
  struct Cluster {
    std::vector<u32> phase;     // clocks of those that have arrived
    std::vector<u32> waiting;   // lanes
    std::vector<u32> released;  // clocks of the phase that is complete
    u32 arrived = 0;
    u32 taken = 0;  // lanes that have gone on from it
    bool complete = false;
    u32 ended = 0;  // blocks
  };

  void begin(const Launch& launch) {
    launch_ = &launch;
    code_ = launch.kernel.code.data();
    random_.seed(launch.seed);
    counts_ = {};
    line_ = 0;
    ended_ = 0;
    now_ = 0;
    u32 lanes = launch.blocks * launch.threads;
    order_ = std::make_unique<Order>(lanes, launch.threads, launch.kernel.cluster, launch.unseen_host);
    memory_.forget();
    registers_.assign(u64{lanes} * launch.kernel.registers, 0);
    for (u64& value : registers_) value = random_();
    local_bytes_ = (launch.kernel.local_bytes + 15) / 16 * 16;
    local_.assign(u64{lanes} * local_bytes_, 0xA5);
    lanes_.assign(lanes, {});
    warps_.assign(lanes / 32, {});
    clusters_.assign(launch.blocks / launch.kernel.cluster, {});
    blocks_.clear();
    blocks_.resize(launch.blocks);
    shared_.clear();
    runnable_.clear();
    sleeping_ = {};
    for (u32 block = 0; block < launch.blocks; block++) {
      u32 bytes = std::max(launch.kernel.shared_bytes, 8u);
      blocks_[block].shared = std::make_unique<u8[]>(bytes + 8);
      blocks_[block].lives = launch.threads;
      u8* start = blocks_[block].shared.get();
      for (u32 i = 0; i < bytes; i++) start[i] = static_cast<u8>(random_());
      shared_.push_back(
          &memory_.add("the shared memory of block " + std::to_string(block), start, bytes, static_cast<int>(block)));
    }
    for (u32 lane = 0; lane < lanes; lane++) {
      lanes_[lane].block = lane / launch.threads;
      lanes_[lane].registers = registers_.data() + u64{lane} * launch.kernel.registers;
      lanes_[lane].local = local_.data() + u64{lane} * local_bytes_;
    }
    room_ = launch.slots == 0 ? launch.blocks : launch.slots;
    if (room_ < launch.kernel.cluster) throw Problem("there is no room for a cluster");
    unstarted_.clear();
    for (u32 cluster = 0; cluster < clusters_.size(); cluster++) unstarted_.push_back(cluster);
    if (launch.slots != 0) std::shuffle(unstarted_.begin(), unstarted_.end(), random_);
    start_clusters();
  }

  // As many as there is room for.
  void start_clusters() {
    u32 blocks = launch_->kernel.cluster;
    while (!unstarted_.empty() && room_ >= blocks) {
      u32 first = unstarted_.back() * blocks * launch_->threads;
      unstarted_.pop_back();
      room_ -= blocks;
      for (u32 lane = first; lane < first + blocks * launch_->threads; lane++) runnable_.push_back(lane);
    }
  }

  void end() {
    for (Allocation* allocation : shared_) memory_.remove(allocation->start);
    shared_.clear();
  }

  // Sleepers whose time has come; if nobody else runs, time goes on. False: there is nobody left that could run.
  bool wake() {
    now_++;
    if (runnable_.empty() && !sleeping_.empty()) now_ = std::max(now_, sleeping_.top().first);
    while (!sleeping_.empty() && sleeping_.top().first <= now_) {
      go_on(sleeping_.top().second);
      sleeping_.pop();
    }
    return !runnable_.empty();
  }

  void go_on(u32 lane) {
    lanes_[lane].state = State::RUNS;
    runnable_.push_back(lane);
  }

  // The current lane stops running, if only until the others of its warp have come.
  void stop(State state) {
    stopped_ = true;
    lanes_[current_].state = state;
    runnable_[place_] = runnable_.back();
    runnable_.pop_back();
  }

  [[noreturn]] void hang() {
    line_ = 0;
    std::map<u32, u32> at;
    for (const Lane& lane : lanes_) {
      if (lane.state != State::ENDED) at[code_[lane.pc].line]++;
    }
    std::string where;
    for (auto [line, lanes] : at) where += " " + std::to_string(lanes) + " at line " + std::to_string(line) + ",";
    where.pop_back();
    throw Problem("hangs, lanes wait:" + where);
  }

  void burst(u64 length) {
    Lane& lane = lanes_[current_];
    for (stopped_ = false; length > 0 && !stopped_; length--) {
      const Instruction& i = code_[lane.pc];
      line_ = i.line;
      counts_.instructions++;
      if (i.guard >= 0 && (lane.registers[i.guard] != 0) == i.guard_negated) {
        lane.pc++;
      } else {
        step(lane, i);
      }
    }
  }

  u64 value(const Lane& lane, const Operand& operand) const {
    switch (operand.kind) {
      case Operand::REGISTER:
        return lane.registers[operand.value];
      case Operand::PARAMETER:
        return reinterpret_cast<u64>(launch_->parameter) + operand.value;
      case Operand::LOCAL:
        return reinterpret_cast<u64>(lane.local) + operand.value;
      case Operand::THREAD:
        return static_cast<u64>(&lane - lanes_.data()) % launch_->threads;
      case Operand::THREADS:
        return launch_->threads;
      case Operand::BLOCK:
        return lane.block;
      case Operand::BLOCKS:
        return launch_->blocks;
      case Operand::CLOCK:
        // Any time may have passed.
        return cut(now_ * 997, 4);
      default:
        return operand.value;
    }
  }

  u64 in(const Lane& lane, const Instruction& i, u32 n) const { return number(value(lane, i.in[n]), i.type); }
  void out(Lane& lane, const Instruction& i, u64 result, u32 n = 0) {
    if (n < i.outs) lane.registers[i.out[n].value] = result;
  }

  void step(Lane& lane, const Instruction& i) {
    switch (i.op) {
      case Op::BRA:
        lane.pc = i.target;
        return;
      case Op::RET:
        leave(lane);
        return;
      case Op::TRAP:
        throw Problem("a trap");
      case Op::SHFL:
        meet(lane, i, static_cast<u32>(value(lane, i.in[3])));
        return;
      case Op::BALLOT:
        meet(lane, i, static_cast<u32>(value(lane, i.in[1])));
        return;
      case Op::WARP_SYNC:
        meet(lane, i, static_cast<u32>(value(lane, i.in[0])));
        return;
      case Op::BLOCK_SYNC:
      case Op::SLEEP:
      case Op::WAKE:
      case Op::CLUSTER_ARRIVE:
      case Op::CLUSTER_WAIT:
        // All are `.aligned`: whole warps.
        meet(lane, i, ~u32{0});
        return;
      case Op::NANOSLEEP: {
        u64 nanos = cut(value(lane, i.in[0]), 4);
        lane.pc++;
        // From 0 to twice the time, as the hardware may.
        sleeping_.emplace(now_ + random_() % (nanos / 2 + 2), current_);
        stop(State::SLEEPS);
        return;
      }
      default:
        break;
    }
    switch (i.op) {
      case Op::MOV:
        out(lane, i, i.type.kind == 'p' ? in(lane, i, 0) : cut(value(lane, i.in[0]), i.type.bytes));
        break;
      case Op::PACK: {
        u32 half = i.type.bytes / 2;
        out(lane, i, cut(value(lane, i.in[0]), half) | cut(value(lane, i.in[1]), half) << half * 8);
        break;
      }
      case Op::UNPACK: {
        u64 whole = value(lane, i.in[0]);
        u32 part = i.type.bytes / i.outs;
        for (u32 n = 0; n < i.outs; n++) out(lane, i, cut(whole >> n * part * 8, part), n);
        break;
      }
      case Op::SELP:
        out(lane, i, cut(value(lane, i.in[value(lane, i.in[2]) != 0 ? 0 : 1]), i.type.bytes));
        break;
      case Op::TO_GENERIC:
        out(lane, i, value(lane, i.in[0]) + shared_[lane.block]->start);
        break;
      case Op::TO_SHARED: {
        u64 offset = value(lane, i.in[0]) - shared_[lane.block]->start;
        if (offset >= shared_[lane.block]->bytes) throw Problem("an address of the block's own shared memory that is not");
        out(lane, i, offset);
        break;
      }
      case Op::MAPA: {
        u64 offset = value(lane, i.in[0]) - shared_[lane.block]->start;
        u32 cluster = launch_->kernel.cluster, rank = static_cast<u32>(value(lane, i.in[1]));
        if (offset >= shared_[lane.block]->bytes) throw Problem("mapa of what is not the block's own shared memory");
        if (rank >= cluster) throw Problem("mapa of a rank that the cluster has not");
        out(lane, i, shared_[lane.block / cluster * cluster + rank]->start + offset);
        break;
      }
      case Op::LD: {
        u64 address = address_of(lane, i);
        for (u32 n = 0; n < i.vector; n++) {
          u64 loaded = load(current_, address + n * i.type.bytes, i.type.bytes, i.memory, i.scope);
          out(lane, i, i.type.kind == 's' ? static_cast<u64>(extend(loaded, i.type.bytes)) : loaded, n);
        }
        break;
      }
      case Op::ST: {
        u64 address = address_of(lane, i);
        for (u32 n = 0; n < i.vector; n++) {
          store(current_, address + n * i.type.bytes, i.type.bytes, cut(value(lane, i.in[1 + n]), i.type.bytes),
                i.memory, i.scope);
        }
        break;
      }
      case Op::ATOM:
        atomic(lane, i);
        break;
      case Op::MALLOC: {
        u64 bytes = value(lane, i.in[0]);
        auto& block = heap_.emplace_back(new u8[bytes + 16]);
        std::fill_n(block.get(), bytes, 0xA5);
        memory_.add("a kernel's malloc", block.get(), bytes);
        out(lane, i, reinterpret_cast<u64>(block.get()));
        break;
      }
      case Op::FREE:
        memory_.remove(value(lane, i.in[0]));
        break;
      default: {
        u64 operands[4];
        for (u32 n = 0; n < 4; n++) operands[n] = value(lane, i.in[n]);
        out(lane, i, arithmetic(i, operands));
        break;
      }
    }
    lane.pc++;
  }

  u64 address_of(const Lane& lane, const Instruction& i) const {
    u64 address = value(lane, i.in[0]) + static_cast<u64>(i.offset);
    if (i.space == Space::SHARED) address = cut(address, 4) + shared_[lane.block]->start;
    u64 bytes = i.type.bytes * i.vector;
    if (address % bytes != 0) throw Problem("an access that is not aligned");
    return address;
  }

  // The lane's own memory and the parameter are nobody else's.
  bool is_private(u32 thread, u64 address, u32 bytes, bool write) const {
    if (thread == order_->host()) return false;
    u64 local = reinterpret_cast<u64>(lanes_[thread].local);
    if (address - local < local_bytes_ && address - local + bytes <= local_bytes_) return true;
    u64 parameter = reinterpret_cast<u64>(launch_->parameter);
    return !write && address >= parameter && address + bytes <= parameter + launch_->kernel.parameter_bytes;
  }

  Allocation& find(u32 thread, u64 address, u32 bytes) {
    Allocation& allocation = memory_.find(address, bytes);
    if (allocation.block >= 0 && thread != order_->host()) {
      u32 block = lanes_[thread].block, owner = static_cast<u32>(allocation.block), cluster = launch_->kernel.cluster;
      if (block / cluster != owner / cluster) throw Problem("an access to the shared memory of another cluster");
      counts_.accesses_to_peers += block != owner;
    }
    return allocation;
  }

  u64 load(u32 thread, u64 address, u32 bytes, Memory memory, Scope scope) {
    u64 loaded = 0;
    if (!is_private(thread, address, bytes, false)) {
      Word& word = DeviceMemory::word(find(thread, address, bytes), address);
      order_->access(word, thread, DeviceMemory::bytes_of(address, bytes), false, memory, scope, line_);
      order_->loaded(word, thread, memory, scope);
    }
    std::memcpy(&loaded, reinterpret_cast<const void*>(address), bytes);
    return loaded;
  }

  void store(u32 thread, u64 address, u32 bytes, u64 stored, Memory memory, Scope scope) {
    if (!is_private(thread, address, bytes, true)) {
      Allocation& allocation = find(thread, address, bytes);
      Word& word = DeviceMemory::word(allocation, address);
      order_->access(word, thread, DeviceMemory::bytes_of(address, bytes), true, memory, scope, line_);
      order_->stored(word, thread, memory, scope, false);
      if (!allocation.writes.empty()) allocation.writes[address - allocation.start]++;
    }
    std::memcpy(reinterpret_cast<void*>(address), &stored, bytes);
  }

  void atomic(Lane& lane, const Instruction& i) {
    u64 address = address_of(lane, i), before = 0, first = in(lane, i, 1);
    Word& word = DeviceMemory::word(find(current_, address, i.type.bytes), address);
    std::memcpy(&before, reinterpret_cast<const void*>(address), i.type.bytes);
    bool writes = i.atomic == Atomic::ADD || before == first;
    order_->access(word, current_, DeviceMemory::bytes_of(address, i.type.bytes), writes, i.memory, i.scope, line_);
    order_->loaded(word, current_, i.memory, i.scope);
    if (writes) {
      u64 after = cut(i.atomic == Atomic::ADD ? before + first : in(lane, i, 2), i.type.bytes);
      std::memcpy(reinterpret_cast<void*>(address), &after, i.type.bytes);
      order_->stored(word, current_, i.memory, i.scope, true);
    }
    out(lane, i, before);
  }

  // The lane waits until all lanes of the mask have come to this instruction; the last of them does it for all.
  void meet(Lane& lane, const Instruction& i, u32 mask) {
    Warp& warp = warps_[current_ / 32];
    u32 own = 1u << current_ % 32, first = current_ / 32 * 32;
    if ((mask & own) == 0) throw Problem("a lane that is not in its own mask");
    Together* together = nullptr;
    for (Together& other : warp.waiting) {
      if (other.pc == lane.pc && other.mask == mask) {
        together = &other;
      } else if ((other.mask & own) != 0) {
        throw Problem("lanes of a warp come to different calls, the other at line " +
                      std::to_string(code_[other.pc].line));
      }
    }
    if (together == nullptr) together = &warp.waiting.emplace_back(Together{lane.pc, mask, 0});
    together->arrived |= own;
    stop(State::WAITS);
    for (u32 other = 0; other < 32; other++) {
      if ((mask >> other & 1) != 0 && lanes_[first + other].state == State::ENDED) {
        throw Problem("a lane waits for one that has ended");
      }
    }
    if (together->arrived != mask) return;
    warp.waiting.erase(warp.waiting.begin() + (together - warp.waiting.data()));
    std::vector<u32> members;
    for (u32 other = 0; other < 32; other++) {
      if ((mask >> other & 1) != 0) members.push_back(first + other);
    }
    switch (i.op) {
      case Op::SHFL:
        shuffle(i, members, mask);
        break;
      case Op::BALLOT:
        ballot(i, members);
        break;
      case Op::WARP_SYNC:
        order_->barrier(members);
        break;
      case Op::BLOCK_SYNC:
        block_sync(lane.block, members);
        return;
      case Op::SLEEP:
        sleep(bell_of(i, members), members);
        return;
      case Op::WAKE:
        wake(bell_of(i, members), members);
        break;
      case Op::CLUSTER_ARRIVE:
        cluster_arrive(clusters_[lane.block / launch_->kernel.cluster], i, members);
        break;
      default:
        cluster_wait(clusters_[lane.block / launch_->kernel.cluster], members);
        return;
    }
    proceed(members);
  }

  void proceed(const std::vector<u32>& members) {
    for (u32 member : members) {
      lanes_[member].pc++;
      go_on(member);
    }
  }

  void shuffle(const Instruction& i, const std::vector<u32>& members, u32 mask) {
    u64 values[32] = {};
    for (u32 member : members) values[member % 32] = cut(value(lanes_[member], i.in[0]), 4);
    for (u32 member : members) {
      Lane& lane = lanes_[member];
      u32 own = member % 32, by = static_cast<u32>(value(lane, i.in[1])) & 31,
          clamp = static_cast<u32>(value(lane, i.in[2]));
      if (clamp != 31) throw Problem("not known here: a shuffle within a part of a warp");
      u32 source = i.shuffle == Shuffle::IDX ? by : own ^ by;
      if ((mask >> source & 1) == 0) throw Problem("a shuffle from a lane that does not take part");
      out(lane, i, values[source]);
      out(lane, i, 1, 1);
    }
  }

  void ballot(const Instruction& i, const std::vector<u32>& members) {
    u64 votes = 0;
    for (u32 member : members) votes |= u64{value(lanes_[member], i.in[0]) != 0} << member % 32;
    for (u32 member : members) out(lanes_[member], i, votes);
  }

  void block_sync(u32 block, const std::vector<u32>& members) {
    auto& waiting = blocks_[block].waiting;
    waiting.insert(waiting.end(), members.begin(), members.end());
    if (waiting.size() < launch_->threads) return;
    std::vector<u32> all = std::move(waiting);
    waiting.clear();
    order_->barrier(all);
    proceed(all);
  }

  Bell& bell_of(const Instruction& i, const std::vector<u32>& members) {
    u64 which = value(lanes_[members[0]], i.in[0]);
    for (u32 member : members) {
      if (value(lanes_[member], i.in[0]) != which) throw Problem("lanes of a warp come to different barriers");
    }
    // 0 is the block's own.
    if (which == 0 || which >= 16) throw Problem("a block has 16 barriers, and 0 is taken");
    return blocks_[lanes_[members[0]].block].bells[which];
  }

  void sleep(Bell& bell, const std::vector<u32>& members) {
    if (!bell.asleep.empty()) throw Problem("two warps sleep at one barrier: each wakes the other");
    bell.asleep = members;
    if (!bell.rung.empty()) awake(bell);
  }

  void wake(Bell& bell, const std::vector<u32>& members) {
    if (!bell.rung.empty()) throw Problem("a warp is woken twice, and has slept once");
    for (u32 member : members) order_->arrive(bell.rung, member);
    if (!bell.asleep.empty()) awake(bell);
  }

  void awake(Bell& bell) {
    std::vector<u32> rung = std::exchange(bell.rung, {}), asleep = std::exchange(bell.asleep, {});
    for (u32 member : asleep) order_->wait(rung, member);
    proceed(asleep);
  }

  void cluster_arrive(Cluster& cluster, const Instruction& i, const std::vector<u32>& members) {
    if (cluster.complete) throw Problem("an arrival at a cluster's barrier before all have waited for the one before");
    for (u32 member : members) {
      if (i.memory == Memory::RELEASE) order_->arrive(cluster.phase, member);
      cluster.arrived++;
    }
    if (cluster.arrived < launch_->threads * launch_->kernel.cluster) return;
    cluster.complete = true;
    cluster.released = std::move(cluster.phase);
    cluster.phase.clear();
    cluster.arrived = 0;
    std::vector<u32> waiting = std::move(cluster.waiting);
    cluster.waiting.clear();
    cluster_go(cluster, waiting);
  }

  void cluster_wait(Cluster& cluster, const std::vector<u32>& members) {
    if (!cluster.complete) {
      cluster.waiting.insert(cluster.waiting.end(), members.begin(), members.end());
      return;
    }
    cluster_go(cluster, members);
  }

  void cluster_go(Cluster& cluster, const std::vector<u32>& members) {
    for (u32 member : members) {
      if (!cluster.released.empty()) order_->wait(cluster.released, member);
    }
    cluster.taken += static_cast<u32>(members.size());
    if (cluster.taken == launch_->threads * launch_->kernel.cluster) {
      cluster.taken = 0;
      cluster.complete = false;
    }
    proceed(members);
  }

  void leave(Lane& lane) {
    stop(State::ENDED);
    ended_++;
    if (--blocks_[lane.block].lives > 0) return;
    shared_[lane.block]->lives = false;
    Cluster& cluster = clusters_[lane.block / launch_->kernel.cluster];
    if (++cluster.ended < launch_->kernel.cluster) return;
    room_ += launch_->kernel.cluster;
    start_clusters();
  }

  DeviceMemory& memory_;
  const Launch* launch_ = nullptr;
  const Instruction* code_ = nullptr;
  std::mt19937_64 random_;
  std::unique_ptr<Order> order_;
  std::vector<u64> registers_;
  std::vector<u8> local_;
  u64 local_bytes_ = 0;
  std::vector<Lane> lanes_;
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  std::vector<Cluster> clusters_;
  std::vector<Allocation*> shared_;
  std::vector<std::unique_ptr<u8[]>> heap_;
  std::vector<u32> unstarted_;  // clusters
  u32 room_ = 0;                // for more blocks to run
  std::vector<u32> runnable_;
  std::priority_queue<std::pair<u64, u32>, std::vector<std::pair<u64, u32>>, std::greater<>> sleeping_;
  u64 now_ = 0;
  u64 ended_ = 0;
  u32 current_ = 0;
  u64 place_ = 0;  // of the current lane among those that run
  bool stopped_ = false;
  u32 line_ = 0;
  Counts counts_;
};

}  // namespace ptx
