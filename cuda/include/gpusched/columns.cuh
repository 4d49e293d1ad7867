// Columns of a batch as the plugin lays them out (package columnar), one type a SQL type, and what a row of each
// becomes as parameters of a device function (cuda/udf/README.md).

#ifndef GPUSCHED_COLUMNS_CUH
#define GPUSCHED_COLUMNS_CUH

#include "base.cuh"

namespace gpusched {

// One column, as four longs. Of a job: the result first, then the guard, then the arguments.
struct Column {
  u64 values;      // address of the first row's value; of the guard: 0 if every row is computed
  u64 validity;    // address of a byte a row, 0 = null; or 0: no row is null. A result always has one
  u64 heap;        // strings and arrays: what the rows' addresses count from; 0 if they are addresses themselves
  union {
    u64 slot_bytes;  // string results: bytes of the heap that a row may fill
    int repeats;     // arguments: 1 if all rows have what the first one has, and it alone is there; else 0
  };

  GPUSCHED_FN bool is_null(i64 row) const { return validity != 0 && ((const u8*)validity)[place(row)] == 0; }
  template <class T>
  GPUSCHED_FN const T& value(i64 row) const {
    return ((const T*)values)[place(row)];
  }
  // A batch has fewer than 2^31 rows: 32 bits take fewer registers, and a mask fewer than a choice.
  GPUSCHED_FN u32 place(i64 row) const { return (u32)row & (u32)(repeats - 1); }
  template <class T>
  GPUSCHED_FN void set(i64 row, T value) const {
    ((T*)values)[row] = value;
  }
};
static_assert(sizeof(Column) == 32, "the host writes it as 4 longs");

// A result's validity byte. Every row of a job gets one.
enum RowState : u8 {
  ROW_NULL = 0,
  ROW_VALID = 1,
  // Not computed: an array has a null element, a string result does not fit its slot, or the function said so.
  ROW_FOR_HOST = 2,
};

// Where a row of strings or arrays lies. Undefined for a null row.
struct Extent {
  u64 address;  // from the column's heap on
  u32 bytes;
  u32 padding;  // undefined
};
static_assert(sizeof(Extent) == 16, "ColumnType.BYTES and ARRAY");

// A parameter that converts to its own type and no other: a function that takes int for a long must not compile.
template <class A, class B>
struct Same {
  static constexpr bool VALUE = false;
};
template <class A>
struct Same<A, A> {
  static constexpr bool VALUE = true;
};
template <bool>
struct If {};
template <>
struct If<true> {
  using Type = int;
};

template <class T>
struct Exact {
  T value;
  template <class U, typename If<Same<U, T>::VALUE>::Type = 0>
  GPUSCHED_FN operator U() const {
    return value;
  }
};

// SQL types whose values have a fixed width: how they are stored, and the parameter they become.
template <class STORED, class PARAMETER>
struct FixedWidth {
  using Stored = STORED;
  using Parameter = PARAMETER;
  static constexpr u32 PARAMETERS = 1;

  GPUSCHED_FN static Exact<Parameter> first(const Column& column, i64 row, bool null) {
    return {null ? Parameter() : (Parameter)column.value<Stored>(row)};
  }
  GPUSCHED_FN static bool fits(const Column&, i64) { return true; }
};

struct Boolean : FixedWidth<u8, bool> {
  // Any byte but 0 is true.
  GPUSCHED_FN static Exact<bool> first(const Column& column, i64 row, bool null) {
    return {!null && column.value<u8>(row) != 0};
  }
};
struct Byte : FixedWidth<signed char, int> {};
struct Short : FixedWidth<short, int> {};
struct Int : FixedWidth<int, int> {};            // date too
struct Long : FixedWidth<long long, long long> {};  // timestamp too
struct Float : FixedWidth<float, float> {};
struct Double : FixedWidth<double, double> {};

// String or binary.
struct Bytes {
  using Parameter = int;  // of a result: the length
  static constexpr u32 PARAMETERS = 2;

  GPUSCHED_FN static Exact<const u8*> first(const Column& column, i64 row, bool null) {
    return {null ? nullptr : (const u8*)(column.heap + column.value<Extent>(row).address)};
  }
  GPUSCHED_FN static Exact<int> second(const Column& column, i64 row, bool null) {
    return {null ? 0 : (int)column.value<Extent>(row).bytes};
  }
  GPUSCHED_FN static bool fits(const Column&, i64) { return true; }
};

// Array of a fixed-width type, in Spark's UnsafeArrayData format: the number of elements as a long, a null bit an
// element in 8-byte words, then the elements, each in its own width; all at an address that 8 divides.
template <class ELEMENT>
struct Array {
  static constexpr u32 PARAMETERS = 2;

  GPUSCHED_FN static const u64* data(const Column& column, i64 row) {
    return (const u64*)(column.heap + column.value<Extent>(row).address);
  }
  GPUSCHED_FN static u64 null_words(const u64* data) { return (data[0] + 63) / 64; }

  GPUSCHED_FN static Exact<const typename ELEMENT::Stored*> first(const Column& column, i64 row, bool null) {
    if (null) return {nullptr};
    const u64* array = data(column, row);
    return {(const typename ELEMENT::Stored*)(array + 1 + null_words(array))};
  }
  GPUSCHED_FN static Exact<int> second(const Column& column, i64 row, bool null) {
    return {null ? 0 : (int)data(column, row)[0]};
  }
  // Pointer and length cannot say which elements are null.
  GPUSCHED_FN static bool fits(const Column& column, i64 row) {
    const u64* array = data(column, row);
    for (u64 i = 1; i <= null_words(array); i++) {
      if (array[i] != 0) return false;
    }
    return true;
  }
};

}  // namespace gpusched

#endif
