// The streams that a context has without being asked for them. See README.md.

#pragma once

#include "order.h"

// Those of a thread, one for each context, which end with it.
struct ThreadStreams {
  std::map<Context*, Stream*> of;

  ~ThreadStreams() {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto [context, stream] : of) {
      if (streams.count(stream)) end_stream(stream);
    }
  }
};

inline thread_local ThreadStreams thread_streams;

// The stream of a handle, in the current context: null and 1 are CU_STREAM_LEGACY, 2 is CU_STREAM_PER_THREAD.
inline Stream* stream_of(Stream* handle) {
  switch ((uintptr_t)handle) {
    case 0:
    case 1:
      if (current->legacy == nullptr) current->legacy = make_stream(current, false);
      return current->legacy;
    case 2: {
      Stream*& stream = thread_streams.of[current];
      if (stream == nullptr) stream = make_stream(current, false);
      return stream;
    }
    default:
      return handle;
  }
}

// What is given as a stream, from here on the stream itself.
#define STREAM(HANDLE)        \
  HANDLE = stream_of(HANDLE); \
  KNOWN(streams, HANDLE)
