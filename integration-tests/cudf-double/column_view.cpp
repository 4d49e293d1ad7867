// Natives of ai.rapids.cudf.ColumnView that make views and ask them. See README.md.

#include "columns.h"
#include "faults.h"

using namespace cudf_double;

namespace {

size_t data_bytes(const View& view) {
  if (view.type != STRING) return width_of(view.type) * view.rows;
  // Of all that the column's offsets have, as libcudf.
  const View& offsets = view.offsets();
  return view.rows == 0 ? 0 : (size_t)offsets_at(offsets, (size_t)offsets.rows - 1, 1)[0];
}

size_t memory_bytes(const View& view) {
  size_t bytes = data_bytes(view) + (view.valid == 0 ? 0 : mask_bytes(view.rows));
  for (const View& child : view.children) bytes += memory_bytes(child);
  return bytes;
}

}  // namespace

NATIVE(jlong, ColumnView, makeCudfColumnView)
(JNIEnv* env, jclass, jint type, jint scale, jlong data, jlong, jlong offsets, jlong valid, jint nulls, jint rows,
 jlongArray children) {
  return guarded(env, [&] {
    if (is_view_to_fail()) throw cudf_error("the test lets this view fail");
    View view;
    view.type = type;
    view.scale = scale;
    view.rows = rows;
    if (type == STRING && rows == 0) {
      view.children.push_back(offsets_view(0, 0));
      return handle_of(view);
    }
    view.valid = (Address)valid;
    if (view.has_offsets()) {
      if (rows != 0 && offsets == 0) throw JavaError{"java/lang/NullPointerException", "offset is null"};
      view.children.push_back(offsets_view(rows == 0 ? 0 : (Address)offsets, rows));
    }
    if (view.has_elements()) {
      std::vector<View> elements = views_at(env, children);
      if (elements.size() != 1) throw JavaError{"java/lang/IllegalArgumentException", "a list has one child"};
      view.children.push_back(elements[0]);
    } else {
      view.data = (Address)data;
    }
    if (width_of(type) == 0 && !view.has_offsets()) throw cudf_error("the double has no columns of type " + std::to_string(type));
    // A negative count is not known.
    view.nulls = valid == 0 ? 0 : nulls < 0 ? nulls_in(view) : nulls;
    check_view(view);
    return handle_of(view);
  });
}

NATIVE(void, ColumnView, deleteColumnView)(JNIEnv*, jclass, jlong handle) { delete (View*)handle; }

NATIVE(jint, ColumnView, getNativeTypeId)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jint)view_at(handle).type; });
}

NATIVE(jint, ColumnView, getNativeTypeScale)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jint)view_at(handle).scale; });
}

NATIVE(jint, ColumnView, getNativeRowCount)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jint)view_at(handle).rows; });
}

NATIVE(jint, ColumnView, getNativeNullCount)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jint)view_at(handle).nulls; });
}

NATIVE(jlong, ColumnView, getNativeDataAddress)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    if (view.data == 0 || (view.type == STRING && view.rows == 0)) return (jlong)0;
    return (jlong)(view.data + width_of(view.type) * view.first);
  });
}

NATIVE(jlong, ColumnView, getNativeDataLength)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jlong)data_bytes(view_at(handle)); });
}

// Those of all rows of which the view has some, as libcudf gives them.
NATIVE(jlong, ColumnView, getNativeOffsetsAddress)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    return view.has_offsets() && view.rows > 0 ? (jlong)view.offsets().data : (jlong)0;
  });
}

// In ints, also where they are longs: cuDF's Java classes copy half of those.
NATIVE(jlong, ColumnView, getNativeOffsetsLength)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    return view.has_offsets() && view.rows > 0 ? (jlong)(sizeof(int) * view.offsets().rows) : (jlong)0;
  });
}

// As for offsets.
NATIVE(jlong, ColumnView, getNativeValidityAddress)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jlong)view_at(handle).valid; });
}

NATIVE(jlong, ColumnView, getNativeValidityLength)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    return view.valid == 0 ? (jlong)0 : (jlong)mask_bytes(view.rows);
  });
}

NATIVE(jlong, ColumnView, getDeviceMemorySize)(JNIEnv* env, jclass, jlong handle, jboolean padded) {
  return guarded(env, [&] {
    if (padded) throw cudf_error("the double does not pad memory for the host");
    return (jlong)memory_bytes(view_at(handle));
  });
}

NATIVE(jint, ColumnView, getNativeNumChildren)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return (jint)view_at(handle).has_elements(); });
}

NATIVE(jlong, ColumnView, getChildCvPointer)(JNIEnv* env, jclass, jlong handle, jint child) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    if (!view.has_elements() || child != 0) throw cudf_error("a column has no such child");
    return handle_of(view.elements());
  });
}

NATIVE(jlong, ColumnView, getListOffsetCvPointer)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] {
    const View& view = view_at(handle);
    if (!view.has_elements()) throw cudf_error("no column of lists");
    return handle_of(view.offsets());
  });
}

// Does a row that is null have characters or elements? Asked of each column with offsets, where assertions are on.
NATIVE(jboolean, ColumnView, hasNonEmptyNulls)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] {
    const View* view = &view_at(handle);
    for (; view->has_offsets(); view = &view->elements()) {
      if (view->nulls > 0) {
        auto mask = mask_of(*view);
        auto offsets = offsets_of(*view);
        for (int row = 0; row < view->rows; row++) {
          if (!is_valid(mask, row) && offsets[row] != offsets[row + 1]) return (jboolean)JNI_TRUE;
        }
      }
      if (!view->has_elements()) break;
    }
    return (jboolean)JNI_FALSE;
  });
}
