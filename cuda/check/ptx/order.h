// Which accesses of a run are ordered, by PTX's memory model: a vector clock a thread, moved on by barriers and by
// what acquires from a release. Two accesses to one place by different threads, one of them a write, must be ordered
// or "morally strong": both with a memory order, each in a scope that includes the other's thread. Anything else is a
// race, and the run fails at its second access, whatever values were seen.
//
// Source: NVIDIA, PTX ISA 8.0, "Memory Consistency Model"; the clocks are those of FastTrack (Flanagan and Freund,
// 2009). Simpler than the model in one thing: runs are interleavings, so a program that is only wrong when relaxed
// accesses are seen out of order passes here (check/weak_memory.cpp looks for those).

#pragma once

#include <algorithm>

#include "program.h"

namespace ptx {

using gpusched::Scope;

// What is known of eight bytes of memory.
struct Word {
  struct Access {
    u32 thread;
    u32 clock;
    u32 line;
    u8 bytes;  // a bit a byte
    bool write;
    bool strong;
    Scope scope;
  };
  std::vector<Access> accesses;
  std::vector<u32> released;  // what whoever acquires from this word's last value learns; empty: nothing
};

class Order {
 public:
  // Threads are numbered block by block; the host is one more.
  // With `unseen_host` the host's own accesses are not told: it is taken to have seen all that was released to the system,
  // and to have passed it on with whatever is acquired from the system.
  Order(u32 threads, u32 block_threads, u32 cluster, bool unseen_host)
      : threads_(threads),
        unseen_host_(unseen_host),
        block_threads_(block_threads),
        cluster_(cluster),
        clocks_(u64{threads + 1} * (threads + 1)) {
    for (u32 thread = 0; thread <= threads; thread++) tick(thread);
  }

  u32 host() const { return threads_; }

  void access(Word& word, u32 thread, u8 bytes, bool write, Memory memory, Scope scope, u32 line) {
    bool strong = memory != Memory::WEAK;
    std::erase_if(word.accesses, [&](const Word::Access& other) {
      if ((other.bytes & bytes) == 0) return false;
      bool before = other.thread == thread || clock(thread, other.thread) >= other.clock;
      if (!before && (write || other.write)) {
        bool alike = other.bytes == bytes && strong && other.strong && includes(scope, thread, other.thread) &&
                     includes(other.scope, other.thread, thread);
        if (!alike) race(other, thread, write, line);
      }
      // A write that comes after hides what it overwrites; a thread's later access of a kind stands for its earlier.
      bool hidden = (other.bytes & ~bytes) == 0 && before;
      return hidden && (write || (other.thread == thread && !other.write && other.strong == strong));
    });
    word.accesses.push_back({thread, clock(thread, thread), line, bytes, write, strong, scope});
  }

  // After `access` of the same operation. An atomic that does not release passes on what was released before.
  void stored(Word& word, u32 thread, Memory memory, Scope scope, bool atomic) {
    bool releases = memory == Memory::RELEASE || memory == Memory::ACQ_REL;
    if (!atomic) word.released.clear();
    if (!releases) return;
    word.released.resize(threads_ + 1);
    join(word.released.data(), row(thread));
    if (unseen_host_ && scope == Scope::system) join(row(threads_), row(thread));
    tick(thread);
  }
  void loaded(Word& word, u32 thread, Memory memory, Scope scope) {
    if (memory != Memory::ACQUIRE && memory != Memory::ACQ_REL) return;
    if (unseen_host_ && scope == Scope::system) join(row(thread), row(threads_));
    if (!word.released.empty()) join(row(thread), word.released.data());
  }

  // All of them have come to a barrier that orders.
  void barrier(const std::vector<u32>& participants) {
    std::vector<u32> all(threads_ + 1);
    for (u32 thread : participants) join(all.data(), row(thread));
    for (u32 thread : participants) {
      std::copy(all.begin(), all.end(), row(thread));
      tick(thread);
    }
  }
  // A barrier in two halves: what arrives releases, what waits acquires.
  void arrive(std::vector<u32>& phase, u32 thread) {
    phase.resize(threads_ + 1);
    join(phase.data(), row(thread));
    tick(thread);
  }
  void wait(const std::vector<u32>& phase, u32 thread) { join(row(thread), phase.data()); }

  std::string name(u32 thread) const {
    if (thread == threads_) return "the host";
    u32 in_block = thread % block_threads_;
    return "block " + std::to_string(thread / block_threads_) + " warp " + std::to_string(in_block / 32) + " lane " +
           std::to_string(in_block % 32);
  }

 private:
  bool includes(Scope scope, u32 thread, u32 other) const {
    switch (scope) {
      case Scope::block:
        return thread / block_threads_ == other / block_threads_;
      case Scope::device:
        return other != threads_ && thread != threads_;
      case Scope::system:
        return true;
    }
    return false;
  }

  [[noreturn]] void race(const Word::Access& other, u32 thread, bool write, u32 line) const {
    auto place = [&](u32 who, u32 where) { return name(who) + (where == 0 ? "" : ", line " + std::to_string(where)); };
    throw Problem(std::string("a race: ") + (write ? "a write" : "a read") + " (" + place(thread, line) + ") and " +
                  (other.write ? "a write" : "a read") + " (" + place(other.thread, other.line) + ")");
  }

  u32* row(u32 thread) { return clocks_.data() + u64{thread} * (threads_ + 1); }
  u32 clock(u32 thread, u32 of) const { return clocks_[u64{thread} * (threads_ + 1) + of]; }
  void tick(u32 thread) { row(thread)[thread]++; }
  void join(u32* into, const u32* from) const {
    for (u32 i = 0; i <= threads_; i++) into[i] = std::max(into[i], from[i]);
  }

  u32 threads_;
  bool unseen_host_;
  u32 block_threads_;
  u32 cluster_;
  std::vector<u32> clocks_;
};

}  // namespace ptx
