// Columns of cuDF through the kernels of cudf/columns.cuh, against plain loops over the same rows. How a kernel is run is the
// caller's: as host code by cudf.cpp, as PTX by ptx/ptx.cpp.

#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cudf/columns.cuh"

namespace check {

using gpusched::Extent;
using gpusched::i64;
using gpusched::u32;
using gpusched::u64;
using gpusched::u8;

// All that a kernel may touch, and not a byte more.
struct CudfMemory {
  struct Piece {
    std::string name;
    std::unique_ptr<u8[]> cells;
    u64 bytes;
  };
  std::deque<Piece> pieces;

  template <class T>
  T* put(const char* name, const std::vector<T>& cells) {
    u64 bytes = cells.size() * sizeof(T);
    pieces.push_back({name, std::make_unique<u8[]>(bytes), bytes});
    if (bytes > 0) std::memcpy(pieces.back().cells.get(), cells.data(), bytes);
    return reinterpret_cast<T*>(pieces.back().cells.get());
  }
};

inline u64 address_of(const void* pointer) { return reinterpret_cast<u64>(pointer); }

// `Run` is called with the kernel's name, its parameter, and a CudfMemory.
template <class Run>
class CudfCases {
 public:
  CudfCases(Run run, u64 seed) : run_(run), random_(seed) {}

  void all() {
    for (i64 rows : {0, 1, 31, 32, 33, 63, 64, 65, 1000, 4097}) {
      unpack(rows, false);
      unpack(rows, true);
      extents<int>(rows, 0);
      extents<int>(rows, 77);
      extents<i64>(rows, i64{5} << 32);
      for (bool mask : {false, true}) {
        for (u64 before : {0, 77}) {
          lists<gpusched::Byte>(rows, mask, before);
          lists<gpusched::Short>(rows, mask, before);
          lists<gpusched::Float>(rows, mask, before);
          lists<gpusched::Double>(rows, mask, before);
        }
      }
      pack(rows, true);
      pack(rows, false);
      sizes(rows, 100);
      sizes(rows, u64{1} << 31);
      strings(rows, 64);
      strings(rows, 5);
    }
  }

  void unpack(i64 rows, bool has_mask) {
    begin("cudf_unpack");
    CudfMemory memory;
    std::vector<u32> mask = random_words(has_mask ? (rows + 31) / 32 : 0);
    gpusched::cudf::Unpack work{};
    work.mask = has_mask ? address_of(memory.put("the mask", mask)) : 0;
    const u8* bytes = memory.put("the bytes", std::vector<u8>(rows, POISON));
    work.bytes = address_of(bytes);
    work.rows = rows;
    run_("gpusched_cudf_unpack", work, memory);
    for (i64 row = 0; row < rows; row++) {
      bool valid = !has_mask || (mask[row / 32] & 1u << row % 32) != 0;
      if (bytes[row] != (valid ? 1 : 0)) wrong("a row has another validity than its bit");
    }
  }

  template <class OFFSET>
  void extents(i64 rows, OFFSET first) {
    begin("cudf_extents");
    CudfMemory memory;
    std::vector<OFFSET> offsets = {first};
    for (i64 row = 0; row < rows; row++) offsets.push_back(offsets.back() + static_cast<OFFSET>(below(40)));
    gpusched::cudf::Extents work{};
    work.offsets = address_of(memory.put("the offsets", offsets));
    work.offset_bytes = sizeof(OFFSET);
    const Extent* result = memory.put("the extents", std::vector<Extent>(rows, poison()));
    work.extents = address_of(result);
    work.rows = rows;
    run_("gpusched_cudf_extents", work, memory);
    for (i64 row = 0; row < rows; row++) {
      if (result[row].address != static_cast<u64>(offsets[row])) wrong("a row lies elsewhere");
      if (result[row].bytes != static_cast<u64>(offsets[row + 1] - offsets[row])) wrong("a row has another size");
      if (result[row].padding != 0) wrong("padding is not 0");
    }
  }

  // `before` elements are of rows that are not asked for.
  template <class ELEMENT>
  void lists(i64 rows, bool has_mask, u64 before) {
    begin("cudf_lists");
    using T = typename ELEMENT::Stored;
    CudfMemory memory;
    std::vector<int> offsets = {static_cast<int>(before)};
    for (i64 row = 0; row < rows; row++) offsets.push_back(offsets.back() + length());
    u64 elements = static_cast<u64>(offsets.back());
    std::vector<u8> values(elements * sizeof(T));
    for (u8& value : values) value = static_cast<u8>(random_());
    std::vector<u32> mask(has_mask ? (elements + 31) / 32 : 0, ~0u);
    for (u64 null = 0; has_mask && null < elements / 30 + 1 && elements > 0; null++) {
      u64 element = below(elements);
      mask[element / 32] &= ~(1u << element % 32);
    }
    u64 own = elements - before;
    std::vector<u8> blank(24 * rows + own / 64 * 8 + (own * sizeof(T) + 7) / 8 * 8, POISON);

    gpusched::cudf::Lists work{};
    work.offsets = address_of(memory.put("the offsets", offsets));
    work.elements = address_of(memory.put("the elements", values));
    work.element_mask = has_mask ? address_of(memory.put("the elements' mask", mask)) : 0;
    work.width = sizeof(T);
    const Extent* extents = memory.put("the extents", std::vector<Extent>(rows, poison()));
    work.extents = address_of(extents);
    const u8* heap = memory.put("the heap", blank);
    work.heap = address_of(heap);
    work.rows = rows;
    run_("gpusched_cudf_lists", work, memory);

    gpusched::Column column{work.extents, 0, work.heap, 0};
    u64 end = 0;
    for (i64 row = 0; row < rows; row++) {
      u64 from = static_cast<u64>(offsets[row]), count = static_cast<u64>(offsets[row + 1]) - from;
      // As Spark writes it.
      std::vector<u64> array(1 + (count + 63) / 64 + (count * sizeof(T) + 7) / 8);
      array[0] = count;
      bool any_null = false;
      for (u64 i = 0; has_mask && i < count; i++) {
        bool null = (mask[(from + i) / 32] & 1u << (from + i) % 32) == 0;
        if (null) array[1 + i / 64] |= u64{1} << i % 64;
        any_null = any_null || null;
      }
      if (count > 0) std::memcpy(&array[1 + (count + 63) / 64], &values[from * sizeof(T)], count * sizeof(T));
      Extent extent = extents[row];
      if (extent.bytes != array.size() * 8) wrong("an array has another size");
      if (extent.address % 8 != 0) wrong("an array is not aligned");
      if (extent.address < end) wrong("an array begins in another");
      for (; end < extent.address; end++) {
        if (heap[end] != POISON) wrong("a byte between two arrays is written");
      }
      end += extent.bytes;
      if (end > blank.size()) wrong("an array ends beyond the heap");
      if (std::memcmp(heap + extent.address, array.data(), extent.bytes) != 0) wrong("an array has other bytes");
      // As an author's function is given it.
      using Array = gpusched::Array<ELEMENT>;
      if (Array::fits(column, row) == any_null) wrong("an array's null elements are not seen");
      if (Array::second(column, row, false).value != static_cast<int>(count)) wrong("an array has another length");
      const T* first = Array::first(column, row, false).value;
      if (count > 0 && std::memcmp(first, &values[from * sizeof(T)], count * sizeof(T)) != 0) {
        wrong("an array has other elements");
      }
    }
    for (; end < blank.size(); end++) {
      if (heap[end] != POISON) wrong("a byte after the last array is written");
    }
  }

  // The kernel is told a heap that ends where row `rows` would begin: no array may need more than there is up to the next one.
  void room() {
    begin("cudf_room");
    using gpusched::cudf::Lists;
    for (u64 width : {1, 2, 4, 8}) {
      bool tight = false;
      for (u64 before = 0; before < 200; before++) {
        for (u64 count = 0; count < 200; count++) {
          u64 room = Lists::place(8, before + count, width) - Lists::place(7, before, width);
          u64 bytes = 8 + (count + 63) / 64 * 8 + (count * width + 7) / 8 * 8;
          if (room < bytes) wrong("an array does not fit before the next");
          tight = tight || room == bytes;
        }
      }
      // Of 8 bytes are all but null words: 8 to spare.
      if (tight != (width < 8)) wrong("there is more room than is needed, or less than was thought");
    }
  }

  void pack(i64 rows, bool others) {
    begin("cudf_pack");
    CudfMemory memory;
    std::vector<u8> states(rows);
    u64 nulls = 0, for_host = 0;
    for (u8& state : states) {
      state = others ? static_cast<u8>(below(3)) : 1;
      nulls += state != 1;
      for_host += state == 2;
    }
    // Padded to 64 bytes, as cuDF's are.
    std::vector<u32> blank((rows + 511) / 512 * 16, 0xA5A5A5A5);
    gpusched::cudf::Pack work{};
    work.states = address_of(memory.put("the states", states));
    const u32* mask = memory.put("the mask", blank);
    work.mask = address_of(mask);
    // Sums are added to what is there.
    const u64* counts = memory.put("the counts", std::vector<u64>{1000, 2000});
    work.counts = address_of(counts);
    work.rows = rows;
    work.mask_words = static_cast<i64>(blank.size());
    run_("gpusched_cudf_pack", work, memory);
    for (i64 bit = 0; bit < work.mask_words * 32; bit++) {
      bool valid = (mask[bit / 32] & 1u << bit % 32) != 0;
      if (valid != (bit < rows && states[bit] == 1)) wrong("a bit is not that of its row's state");
    }
    if (counts[0] != 1000 + nulls) wrong("rows without a value are not counted");
    if (counts[1] != 2000 + for_host) wrong("rows for the host are not counted");
  }

  void sizes(i64 rows, u64 bound) {
    begin("cudf_sizes");
    CudfMemory memory;
    std::vector<u8> states = random_states(rows);
    std::vector<Extent> extents(rows);
    u64 sum = 0;
    for (i64 row = 0; row < rows; row++) {
      extents[row] = states[row] == 1 ? Extent{random_(), static_cast<u32>(below(bound)), 0xDEAD} : poison();
      sum += states[row] == 1 ? extents[row].bytes : 0;
    }
    gpusched::cudf::Sizes work{};
    work.extents = address_of(memory.put("the extents", extents));
    work.states = address_of(memory.put("the states", states));
    const int* result = memory.put("the sizes", std::vector<int>(rows + 1, -1));
    work.sizes = address_of(result);
    const u64* total = memory.put("the total", std::vector<u64>{3000});
    work.total = address_of(total);
    work.rows = rows;
    run_("gpusched_cudf_sizes", work, memory);
    if (result[0] != 0) wrong("the first size is not 0");
    for (i64 row = 0; row < rows; row++) {
      int bytes = states[row] == 1 ? static_cast<int>(extents[row].bytes) : 0;
      if (result[row + 1] != bytes) wrong("a row has another size");
    }
    if (*total != 3000 + sum) wrong("the total is not the sum of sizes");
  }

  void strings(i64 rows, u32 slot) {
    begin("cudf_strings");
    CudfMemory memory;
    std::vector<u8> states = random_states(rows);
    std::vector<u8> heap(rows * slot);
    for (u8& byte : heap) byte = static_cast<u8>(random_());
    std::vector<Extent> extents(rows, poison());
    std::vector<int> offsets = {0};
    std::vector<u8> expected;
    for (i64 row = 0; row < rows; row++) {
      u32 bytes = 0;
      if (states[row] == 1) {
        bytes = static_cast<u32>(below(slot + 1));
        extents[row] = {static_cast<u64>(row) * slot, bytes, 0xDEAD};
        expected.insert(expected.end(), heap.begin() + row * slot, heap.begin() + row * slot + bytes);
      }
      offsets.push_back(offsets.back() + static_cast<int>(bytes));
    }
    gpusched::cudf::Strings work{};
    work.extents = address_of(memory.put("the extents", extents));
    work.heap = address_of(memory.put("the heap", heap));
    work.states = address_of(memory.put("the states", states));
    work.offsets = address_of(memory.put("the offsets", offsets));
    const u8* chars = memory.put("the bytes", std::vector<u8>(expected.size(), POISON));
    work.chars = address_of(chars);
    work.rows = rows;
    run_("gpusched_cudf_strings", work, memory);
    if (!std::equal(expected.begin(), expected.end(), chars)) wrong("the rows' bytes are others");
  }

  // The case that runs, or ran last.
  const std::string& name() const { return name_; }
  u64 cases() const { return cases_; }

 private:
  static constexpr u8 POISON = 0xA5;
  static Extent poison() { return {0xA5A5A5A5A5A5A5A5, 0xA5A5A5A5, 0xA5A5A5A5}; }

  void begin(const char* name) {
    name_ = name;
    cases_++;
  }
  [[noreturn]] static void wrong(const char* what) { throw std::runtime_error(what); }
  u64 below(u64 bound) { return random_() % bound; }
  std::vector<u32> random_words(i64 words) {
    std::vector<u32> result(words);
    for (u32& word : result) word = static_cast<u32>(random_());
    return result;
  }
  std::vector<u8> random_states(i64 rows) {
    std::vector<u8> states(rows);
    for (u8& state : states) state = below(4) == 0 ? static_cast<u8>(below(2) * 2) : 1;
    return states;
  }
  // Of a list: empty, around the ends of words, now and then more null words than a row has threads.
  int length() {
    switch (below(16)) {
      case 0:
      case 1:
        return 0;
      case 2:
        return 63 + static_cast<int>(below(3));
      case 3:
        return below(20) == 0 ? 600 + static_cast<int>(below(100)) : 1;
      default:
        return static_cast<int>(below(18));
    }
  }

  Run run_;
  std::mt19937_64 random_;
  std::string name_;
  u64 cases_ = 0;
};

}  // namespace check
