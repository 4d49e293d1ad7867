// A device's memory, at the host's own addresses. An access must lie within one allocation that still lives.

#pragma once

#include <map>
#include <memory>

#include "order.h"

namespace ptx {

struct Allocation {
  std::string name;
  u64 start;
  u64 bytes;
  int block;  // shared memory: its block; else -1
  bool lives = true;
  std::vector<std::unique_ptr<Word[]>> pages;  // what is known of it; a page is made when it is first touched
  std::vector<u32> writes;                     // where they are counted: a number a byte
};

class DeviceMemory {
 public:
  // The bytes stay the caller's.
  Allocation& add(std::string name, const void* start, u64 bytes, int block = -1) {
    u64 address = reinterpret_cast<u64>(start);
    auto allocation = std::make_unique<Allocation>(Allocation{std::move(name), address, bytes, block, true, {}, {}});
    allocation->pages.resize((address % 8 + bytes) / 8 / PAGE + 1);
    return *(allocations_[address] = std::move(allocation));
  }
  void remove(u64 address) {
    if (allocations_.erase(address) == 0) throw Problem("free of what is not allocated");
    last_ = nullptr;
  }

  Allocation& find(u64 address, u64 bytes) {
    if (last_ == nullptr || address < last_->start || address + bytes > last_->start + last_->bytes) {
      auto after = allocations_.upper_bound(address);
      last_ = after == allocations_.begin() ? nullptr : std::prev(after)->second.get();
      if (last_ == nullptr || address + bytes > last_->start + last_->bytes) {
        std::string near = last_ == nullptr ? "" : ", past the end of " + last_->name;
        last_ = nullptr;
        throw Problem("an access to memory that is nobody's" + near);
      }
    }
    if (!last_->lives) throw Problem("an access to " + last_->name + ", which is gone");
    return *last_;
  }

  // Nothing is known of what happened before.
  void forget() {
    for (auto& [address, allocation] : allocations_) {
      for (auto& page : allocation->pages) page.reset();
    }
  }

  static Word& word(Allocation& allocation, u64 address) {
    u64 word = address / 8 - allocation.start / 8;
    auto& page = allocation.pages[word / PAGE];
    if (page == nullptr) page = std::make_unique<Word[]>(PAGE);
    return page[word % PAGE];
  }
  static u8 bytes_of(u64 address, u32 bytes) { return static_cast<u8>(((1u << bytes) - 1) << address % 8); }

 private:
  static constexpr u64 PAGE = 64;  // words

  std::map<u64, std::unique_ptr<Allocation>> allocations_;
  Allocation* last_ = nullptr;
};

}  // namespace ptx
