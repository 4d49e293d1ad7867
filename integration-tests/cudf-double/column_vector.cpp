// Natives of ai.rapids.cudf.ColumnVector, and those of ColumnView and Aggregation that make new columns. See README.md.

#include "columns.h"
#include "scalars.h"

using namespace cudf_double;

namespace {

// Aggregation.Kind.
constexpr jint SUM = 0;

jlongArray array_of(JNIEnv* env, const std::vector<jlong>& handles) {
  jlongArray array = env->NewLongArray((jsize)handles.size());
  if (array != nullptr) env->SetLongArrayRegion(array, 0, (jsize)handles.size(), handles.data());
  return array;
}

std::vector<jint> ints_of(JNIEnv* env, jintArray array) {
  std::vector<jint> ints(env->GetArrayLength(array));
  env->GetIntArrayRegion(array, 0, (jsize)ints.size(), ints.data());
  return ints;
}

// So many rows of one value, or of null.
Column repeated(const Scalar& scalar, int rows) {
  Column column;
  View& view = column.view;
  view.type = scalar.type;
  view.scale = scalar.scale;
  view.rows = rows;
  std::string bytes;
  for (int row = 0; row < rows; row++) bytes += scalar.bytes;
  if (view.type == STRING) {
    std::vector<long> offsets;
    for (int row = 0; row <= rows && rows > 0; row++) offsets.push_back(row * (long)scalar.bytes.size());
    view.children.push_back(offsets_into(column, offsets, INT32));
  }
  view.data = column.add(bytes.data(), bytes.size());
  if (!scalar.valid) {
    std::vector<char> mask(mask_bytes(rows));
    view.valid = column.add(mask.data(), mask.size());
    view.nulls = rows;
  }
  return column;
}

// The rows of all views, one behind the other.
Column concatenated(const std::vector<View>& views) {
  Column column;
  View& all = column.view;
  all.type = views[0].type;
  all.scale = views[0].scale;
  std::vector<bool> valid;
  std::vector<char> data;
  std::vector<long> offsets;
  for (const View& view : views) {
    if (view.type != all.type || view.has_elements()) throw cudf_error("the double joins columns of one type without lists");
    std::vector<unsigned char> mask = view.valid == 0 ? std::vector<unsigned char>() : mask_of(view);
    for (int row = 0; row < view.rows; row++) valid.push_back(mask.empty() || is_valid(mask, row));
    long from = width_of(view.type) * view.first, until = from + width_of(view.type) * view.rows;
    if (view.has_offsets()) {
      std::vector<long> ends = offsets_of(view);
      from = ends.empty() ? 0 : ends.front();
      until = ends.empty() ? 0 : ends.back();
      for (int row = 0; row < view.rows; row++) offsets.push_back((long)data.size() + ends[row] - from);
    }
    auto values = values_at<char>(view.data + from, (size_t)(until - from));
    data.insert(data.end(), values.begin(), values.end());
    all.rows += view.rows;
    all.nulls += view.nulls;
  }
  if (all.has_offsets()) {
    if (all.rows > 0) offsets.push_back((long)data.size());
    all.children.push_back(offsets_into(column, offsets, data.size() < wide_from() ? INT32 : INT64));
  }
  all.data = column.add(data.data(), data.size());
  if (all.nulls > 0) {
    std::vector<unsigned char> mask(mask_bytes(all.rows));
    for (int row = 0; row < all.rows; row++) mask[row / 8] |= (unsigned char)(valid[row] << row % 8);
    all.valid = column.add(mask.data(), mask.size());
  }
  return column;
}

// Null where the column is, and what is null adds nothing.
Column sums(const View& view) {
  Column column;
  column.view.type = INT32;
  column.view.rows = view.rows;
  column.view.nulls = view.nulls;
  std::vector<unsigned char> mask;
  if (view.valid != 0) {
    mask = mask_of(view);
    column.view.valid = column.add(mask.data(), mask.size());
  }
  auto values = values_at<unsigned>(view.data + sizeof(int) * view.first, view.rows);
  unsigned sum = 0;
  for (int row = 0; row < view.rows; row++) {
    if (mask.empty() || is_valid(mask, row)) sum += values[row];
    values[row] = sum;
  }
  column.view.data = column.add(values.data(), values.size() * sizeof(int));
  return column;
}

}  // namespace

NATIVE(void, ColumnVector, deleteCudfColumn)(JNIEnv* env, jclass, jlong handle) {
  guarded(env, [&] { delete (Column*)handle; });
}

NATIVE(jlong, ColumnVector, getNativeColumnView)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return handle_of(column_at(handle).view); });
}

NATIVE(jint, ColumnVector, getNativeNullCountColumn)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jint)column_at(handle).view.nulls; });
}

NATIVE(jlong, ColumnVector, makeEmptyCudfColumn)(JNIEnv* env, jclass, jint type, jint scale) {
  return guarded(env, [&] {
    Column column;
    column.view.type = type;
    column.view.scale = scale;
    if (type == STRING) column.view.children.push_back(offsets_view(0, 0));
    return handle_of(std::move(column));
  });
}

NATIVE(jlong, ColumnVector, fromScalar)(JNIEnv* env, jclass, jlong scalar, jint rows) {
  return guarded(env, [&] { return handle_of(repeated(scalar_at(scalar), rows)); });
}

NATIVE(jlong, ColumnVector, concatenate)(JNIEnv* env, jclass, jlongArray handles) {
  return guarded(env, [&] {
    std::vector<View> views = views_at(env, handles);
    if (views.empty()) throw cudf_error("no columns to join");
    return handle_of(concatenated(views));
  });
}

NATIVE(jlong, ColumnView, copyColumnViewToCV)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return handle_of(copy_of(view_at(handle))); });
}

// Pairs of rows: from one up to another.
NATIVE(jlongArray, ColumnView, slice)(JNIEnv* env, jclass, jlong handle, jintArray indices) {
  return guarded(env, [&] {
    std::vector<jint> rows = ints_of(env, indices);
    if (rows.size() % 2 != 0) throw cudf_error("rows of slices are pairs");
    std::vector<Column> columns;
    for (size_t i = 0; i < rows.size(); i += 2) columns.push_back(copy_of(slice(view_at(handle), rows[i], rows[i + 1])));
    std::vector<jlong> handles;
    for (Column& column : columns) handles.push_back(handle_of(std::move(column)));
    return array_of(env, handles);
  });
}

// Views of the same memory.
NATIVE(jlongArray, ColumnView, split)(JNIEnv* env, jclass, jlong handle, jintArray indices) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    std::vector<jint> rows = ints_of(env, indices);
    rows.insert(rows.begin(), 0);
    rows.push_back(view.rows);
    std::vector<View> parts;
    for (size_t i = 0; i + 1 < rows.size(); i++) parts.push_back(slice(view, rows[i], rows[i + 1]));
    std::vector<jlong> handles;
    for (View& part : parts) handles.push_back(handle_of(std::move(part)));
    return array_of(env, handles);
  });
}

// An aggregation is its kind, and one more, as 0 would be no handle.
NATIVE(jlong, Aggregation, createNoParamAgg)(JNIEnv*, jclass, jint kind) { return (jlong)kind + 1; }

NATIVE(void, Aggregation, close)(JNIEnv*, jclass, jlong) {}

NATIVE(jlong, ColumnView, scan)(JNIEnv* env, jclass, jlong handle, jlong aggregation, jboolean inclusive, jboolean with_nulls) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    if (view.type != INT32 || aggregation != SUM + 1 || !inclusive || with_nulls) {
      throw cudf_error("the double scans for inclusive sums of INT32 alone");
    }
    return handle_of(sums(view));
  });
}
