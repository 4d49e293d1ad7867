// Columns and views of them, as libcudf lays them out. See README.md.

#pragma once

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "natives.h"
#include "rmm.h"

namespace cudf_double {

// Of DType; those that the double knows by name.
enum Type : int { EMPTY = 0, INT32 = 3, INT64 = 4, BOOL8 = 11, STRING = 23, LIST = 24 };

// 0 for types without values of one width.
inline size_t width_of(int type) {
  static const unsigned char WIDTHS[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1, 4, 8, 8, 8, 8, 4, 8, 8, 8, 8, 0, 0, 0, 4, 8, 16, 0};
  if (type < 0 || type >= (int)sizeof WIDTHS) throw cudf_error("no type of cuDF: " + std::to_string(type));
  return WIDTHS[type];
}

// Of masks of nulls, a bit a row, 1 for a value.
inline size_t mask_bytes(int rows) { return ((size_t)rows + 511) / 512 * 64; }

inline bool is_valid(const std::vector<unsigned char>& mask, size_t row) { return (mask[row / 8] >> row % 8 & 1) != 0; }

// Owns nothing. Strings have one child, their offsets; lists have offsets and elements.
struct View {
  int type = EMPTY;
  int scale = 0;
  int rows = 0;
  int first = 0;  // the row of the data, mask and offsets that it begins with
  Address data = 0;
  Address valid = 0;
  int nulls = 0;
  std::vector<View> children = {};

  bool has_offsets() const { return type == STRING || type == LIST; }
  bool has_elements() const { return type == LIST; }
  const View& offsets() const { return children[0]; }
  const View& elements() const { return children[1]; }
};

// Its buffers, and the view of them.
struct Column {
  View view;
  std::vector<Buffer> buffers = {};

  // Memory of the device with these bytes, which the column owns; null if there are none.
  Address add(const void* bytes, size_t count) {
    if (count == 0) return 0;
    Buffer buffer(count);
    write_device(buffer.address, bytes, count);
    buffers.push_back(std::move(buffer));
    return buffers.back().address;
  }
};

// What libcudf asks of any view that is made.
inline void check_view(const View& view) {
  if (view.rows < 0) throw cudf_error("a column of less than 0 rows");
  if (width_of(view.type) != 0 && view.rows > 0 && view.data == 0) throw cudf_error("a column has no data");
  if (view.nulls > 0 && view.valid == 0) throw cudf_error("a column with nulls has no mask of them");
  if (view.nulls > view.rows) throw cudf_error("more nulls than rows");
}

// The bits of the view's rows, from bit 0.
inline std::vector<unsigned char> mask_of(const View& view) {
  auto bits = values_at<unsigned char>(view.valid, ((size_t)view.first + view.rows + 7) / 8);
  std::vector<unsigned char> mask(mask_bytes(view.rows));
  for (int row = 0; row < view.rows; row++) {
    if (is_valid(bits, (size_t)view.first + row)) mask[row / 8] |= 1 << row % 8;
  }
  return mask;
}

inline int nulls_in(const View& view) {
  if (view.valid == 0) return 0;
  auto mask = mask_of(view);
  int nulls = 0;
  for (int row = 0; row < view.rows; row++) nulls += !is_valid(mask, row);
  return nulls;
}

// Of strings with so many characters libcudf makes the offsets longs, where it makes the column.
inline size_t wide_from() {
  const char* text = getenv("LIBCUDF_LARGE_STRINGS_THRESHOLD");
  long bytes = text == nullptr ? 0 : atol(text);
  return bytes > 0 && bytes < INT_MAX ? (size_t)bytes : (size_t)INT_MAX;
}

// So many, from one of them on.
inline std::vector<long> offsets_at(const View& offsets, size_t first, size_t count) {
  if (offsets.type == INT64) return values_at<long>(offsets.data + sizeof(long) * first, count);
  auto ints = values_at<int>(offsets.data + sizeof(int) * first, count);
  return {ints.begin(), ints.end()};
}

// One more than there are rows; empty of a column without rows, which may have none.
inline std::vector<long> offsets_of(const View& view) {
  if (view.rows == 0) return {};
  return offsets_at(view.offsets(), (size_t)view.first, (size_t)view.rows + 1);
}

inline View offsets_view(Address data, int rows, int type = INT32) {
  View view;
  view.type = type;
  view.rows = rows == 0 ? 0 : rows + 1;
  view.data = data;
  return view;
}

// In memory of the column's own.
inline View offsets_into(Column& owner, const std::vector<long>& offsets, int type) {
  int rows = offsets.empty() ? 0 : (int)offsets.size() - 1;
  if (type == INT64) return offsets_view(owner.add(offsets.data(), offsets.size() * sizeof(long)), rows, INT64);
  std::vector<int> ints(offsets.begin(), offsets.end());
  return offsets_view(owner.add(ints.data(), ints.size() * sizeof(int)), rows);
}

// The rows from one up to another, as a view of the same memory.
inline View slice(const View& view, int from, int until) {
  if (from < 0 || until < from || until > view.rows) throw cudf_error("rows are not of the column");
  View part = view;
  part.first += from;
  part.rows = until - from;
  part.nulls = nulls_in(part);
  return part;
}

// The rows of a view, in memory of the column's own, from its beginning.
inline View copy_into(Column& owner, const View& view) {
  View copy;
  copy.type = view.type;
  copy.scale = view.scale;
  copy.rows = view.rows;
  copy.nulls = view.nulls;
  if (view.valid != 0) {
    auto mask = mask_of(view);
    copy.valid = owner.add(mask.data(), mask.size());
  }
  if (!view.has_offsets()) {
    size_t width = width_of(view.type);
    auto values = values_at<char>(view.data + width * view.first, width * view.rows);
    copy.data = owner.add(values.data(), values.size());
    return copy;
  }
  auto offsets = offsets_of(view);
  long begin = offsets.empty() ? 0 : offsets.front(), end = offsets.empty() ? 0 : offsets.back();
  for (long& offset : offsets) offset -= begin;
  copy.children.push_back(offsets_into(owner, offsets, view.offsets().type));
  if (view.has_elements()) {
    copy.children.push_back(copy_into(owner, slice(view.elements(), (int)begin, (int)end)));
  } else {
    auto characters = values_at<char>(view.data + begin, (size_t)(end - begin));
    copy.data = owner.add(characters.data(), characters.size());
  }
  return copy;
}

inline Column copy_of(const View& view) {
  Column column;
  column.view = copy_into(column, view);
  return column;
}

// Handles of Java.
inline jlong handle_of(View view) { return (jlong) new View(std::move(view)); }
inline jlong handle_of(Column column) { return (jlong) new Column(std::move(column)); }

inline const View& view_at(jlong handle) {
  if (handle == 0) throw JavaError{"java/lang/NullPointerException", "no view"};
  return *(const View*)handle;
}

inline std::vector<View> views_at(JNIEnv* env, jlongArray handles) {
  if (handles == nullptr) throw JavaError{"java/lang/NullPointerException", "no views"};
  std::vector<jlong> copied(env->GetArrayLength(handles));
  env->GetLongArrayRegion(handles, 0, (jsize)copied.size(), copied.data());
  std::vector<View> views;
  for (jlong handle : copied) views.push_back(view_at(handle));
  return views;
}

inline Column& column_at(jlong handle) {
  if (handle == 0) throw JavaError{"java/lang/NullPointerException", "no column"};
  return *(Column*)handle;
}

}  // namespace cudf_double
