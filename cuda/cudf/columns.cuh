// Between cuDF's columns and the plugin's (gpusched/columns.cuh), in GPU memory on both sides.
//
// cuDF's are Arrow's. Validity is a bit a row, 1 = valid, the lowest bit first, in 32-bit words. Strings are offsets, one more than
// there are rows, and the bytes that these count. Lists are such offsets and a column of elements, which has its own mask.
//
// Each struct is the one parameter of a kernel (columns.cu); hosts write it by offsets. What it does is a function of one
// item of its `items()`, and items may be done in any order and at once. Addresses are those of the device.

#ifndef GPUSCHED_CUDF_COLUMNS_CUH
#define GPUSCHED_CUDF_COLUMNS_CUH

#include "gpusched/columns.cuh"

namespace gpusched {
namespace cudf {

// Threads that share a row of lists or strings, so that neighbours touch neighbouring words or bytes.
constexpr u32 PARTS = 8;

// What the items of a thread add to the words at `totals()`.
struct Sums {
  u64 of[2] = {0, 0};
};

// A mask becomes a byte a row. An item is a row.
struct Unpack {
  u64 mask;  // 0: no row is null
  u64 bytes;
  i64 rows;

  static constexpr u32 SUMS = 0;
  GPUSCHED_FN i64 items() const { return rows; }
  GPUSCHED_FN void item(i64 row, Sums&) const {
    bool valid = mask == 0 || (((const u32*)mask)[row >> 5] >> (row & 31) & 1) != 0;
    ((u8*)bytes)[row] = valid ? ROW_VALID : ROW_NULL;
  }
};

// A string column's offsets become extents whose heap is its bytes. An item is a row.
struct Extents {
  u64 offsets;
  i64 offset_bytes;  // of one: 4, or 8 where a column has 2^31 bytes or more
  u64 extents;
  i64 rows;

  static constexpr u32 SUMS = 0;
  GPUSCHED_FN i64 items() const { return rows; }
  GPUSCHED_FN i64 offset(i64 row) const {
    return offset_bytes == 8 ? ((const i64*)offsets)[row] : ((const int*)offsets)[row];
  }
  GPUSCHED_FN void item(i64 row, Sums&) const {
    i64 from = offset(row), until = offset(row + 1);
    ((Extent*)extents)[row] = {(u64)from, (u32)(until - from), 0};
  }
};

// Lists become arrays in Spark's UnsafeArrayData format, in a heap of `place(rows, all elements, width)` bytes that is aligned to 8.
// An item is one of the PARTS of a row.
struct Lists {
  u64 offsets;       // ints
  u64 elements;      // the first offset counts from here
  u64 element_mask;  // 0: no element is null
  i64 width;         // of an element: 1, 2, 4 or 8 bytes
  u64 extents;
  u64 heap;
  i64 rows;

  GPUSCHED_PURE static u64 whole_words(u64 bytes) { return (bytes + 7) / 8; }

  // What an array takes: its length, null bits, elements.
  GPUSCHED_PURE static u64 array_bytes(u64 count, u64 width) {
    return 8 + (count + 63) / 64 * 8 + whole_words(count * width) * 8;
  }

  // Where a row begins that has so many rows and elements before it. No sum over rows is needed, since there is always room up to
  // the next row's place. For n elements, and e before them,
  //
  //   place(row + 1, e + n) - place(row, e) = 24 + 8 (floor((e + n) / 64) - floor(e / 64)) + (align((e + n) width) - align(e width))
  //
  // where align(x) is x rounded up to 8.
  //   - floor((e + n) / 64) - floor(e / 64) >= floor(n / 64) >= ceil(n / 64) - 1: null words lack 8 bytes at the most.
  //   - align((e + n) width) - align(e width) >= (e + n) width - (e width + 7) = n width - 7 >= align(n width) - 14. Both ends are
  //     multiples of 8: elements lack 8 bytes at the most.
  // So it is at least 24 + (8 ceil(n / 64) - 8) + (align(n width) - 8) = array_bytes(n, width), and for some
  // just that if elements have fewer than 8 bytes.
  GPUSCHED_PURE static u64 place(u64 row, u64 elements_before, u64 width) {
    return 24 * row + elements_before / 64 * 8 + whole_words(elements_before * width) * 8;
  }

  static constexpr u32 SUMS = 0;
  GPUSCHED_FN i64 items() const { return rows * PARTS; }
  GPUSCHED_FN void item(i64 item, Sums&) const {
    u64 row = (u64)item / PARTS, part = (u64)item % PARTS;
    const int* ends = (const int*)offsets;
    u64 first = (u64)(i64)ends[row], count = (u64)(i64)ends[row + 1] - first;
    u64 to = place(row, first - (u64)(i64)ends[0], (u64)width);
    u64* array = (u64*)(heap + to);
    u64 null_words = (count + 63) / 64, words = whole_words(count * (u64)width);
    if (part == 0) {
      array[0] = count;
      ((Extent*)extents)[row] = {to, (u32)array_bytes(count, (u64)width), 0};
    }
    GPUSCHED_LOOP
    for (u64 word = part; word < null_words; word += PARTS) {
      array[1 + word] = nulls(first + word * 64, count - word * 64);
    }
    GPUSCHED_LOOP
    for (u64 word = part; word < words; word += PARTS) array[1 + null_words + word] = elements_of(first, count, word);
  }

  // The null bits of the next `left` elements, 64 at the most, from `first` on. A mask ends with its last element's word.
  GPUSCHED_FN u64 nulls(u64 first, u64 left) const {
    if (element_mask == 0) return 0;
    const u32* mask = (const u32*)element_mask + first / 32;
    u64 shift = first % 32, bits = left < 64 ? left : 64;
    u64 valid = mask[0];
    if (shift + bits > 32) valid |= (u64)mask[1] << 32;
    valid >>= shift;
    if (shift + bits > 64) valid |= (u64)mask[2] << (64 - shift);
    return ~valid & (~(u64)0 >> (64 - bits));
  }

  // Eight bytes of a row's elements, with zeros after the last.
  GPUSCHED_FN u64 elements_of(u64 first, u64 count, u64 word) const {
    switch (width) {
      case 1:
        return gathered<u8>(first, count, word);
      case 2:
        return gathered<unsigned short>(first, count, word);
      case 4:
        return gathered<u32>(first, count, word);
      default:
        return ((const u64*)elements)[first + word];
    }
  }
  template <class T>
  GPUSCHED_FN u64 gathered(u64 first, u64 count, u64 word) const {
    constexpr u64 EACH = 8 / sizeof(T);
    u64 from = word * EACH, bits = 0;
    for (u64 i = 0; i < EACH && from + i < count; i++) {
      bits |= (u64)((const T*)elements)[first + from + i] << (i * sizeof(T) * 8);
    }
    return bits;
  }
};

// A result's states become a mask. An item is one of its 32-bit words, with zeros after the last row.
struct Pack {
  u64 states;
  u64 mask;
  u64 counts;  // two: rows without a value, and those of them that are left to the host
  i64 rows;
  i64 mask_words;

  static constexpr u32 SUMS = 2;
  GPUSCHED_FN i64 items() const { return mask_words; }
  GPUSCHED_FN u64* totals() const { return (u64*)counts; }
  GPUSCHED_FN void item(i64 word, Sums& sums) const {
    i64 first = word * 32;
    u32 bits = 0;
    for (u32 bit = 0; bit < 32; bit++) {
      if (first + bit >= rows) break;
      u8 state = ((const u8*)states)[first + bit];
      if (state == ROW_VALID) {
        bits |= (u32)1 << bit;
      } else {
        sums.of[0] += 1;
        sums.of[1] += state == ROW_FOR_HOST;
      }
    }
    ((u32*)mask)[word] = bits;
  }
};

// The sizes of a string result's rows, of which the inclusive sums are its offsets: an item is one of these, the first is 0.
struct Sizes {
  u64 extents;
  u64 states;
  u64 sizes;  // ints, one more than there are rows
  u64 total;  // as a long: the offsets may not hold it
  i64 rows;

  static constexpr u32 SUMS = 1;
  GPUSCHED_FN i64 items() const { return rows + 1; }
  GPUSCHED_FN u64* totals() const { return (u64*)total; }
  GPUSCHED_FN void item(i64 item, Sums& sums) const {
    u32 bytes = 0;
    if (item > 0 && ((const u8*)states)[item - 1] == ROW_VALID) bytes = ((const Extent*)extents)[item - 1].bytes;
    ((u32*)sizes)[item] = bytes;
    sums.of[0] += bytes;
  }
};

// The bytes of a string result's rows, one row after the other. An item is one of the PARTS of a row.
struct Strings {
  u64 extents;
  u64 heap;
  u64 states;
  u64 offsets;  // ints
  u64 chars;
  i64 rows;

  static constexpr u32 SUMS = 0;
  GPUSCHED_FN i64 items() const { return rows * PARTS; }
  GPUSCHED_FN void item(i64 item, Sums&) const {
    u64 row = (u64)item / PARTS, part = (u64)item % PARTS;
    if (((const u8*)states)[row] != ROW_VALID) return;
    const Extent& extent = ((const Extent*)extents)[row];
    const u8* from = (const u8*)(heap + extent.address);
    u8* to = (u8*)(chars + (u64)(i64)((const int*)offsets)[row]);
    u32 bytes = extent.bytes;
    GPUSCHED_LOOP
    for (u32 byte = (u32)part; byte < bytes; byte += PARTS) to[byte] = from[byte];
  }
};

static_assert(sizeof(Unpack) == 24 && sizeof(Extents) == 32 && sizeof(Lists) == 56 && sizeof(Pack) == 40 &&
                  sizeof(Sizes) == 40 && sizeof(Strings) == 48,
              "the host writes them as longs");

}  // namespace cudf
}  // namespace gpusched

#endif
