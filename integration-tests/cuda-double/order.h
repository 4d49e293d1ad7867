// In which order what is queued in streams runs: by a thread for each stream, or on demand. See README.md.

#pragma once

#include <algorithm>

#include "null_mode.h"

inline void complete(Stream* stream, Op& op) {
  stream->completed++;
  if (op.locked) op.locked();
  if (op.records != nullptr) {
    op.records->completed = std::max(op.records->completed, op.number);
    op.records->time = std::chrono::steady_clock::now();
  }
}

inline bool blocked(const Op& op) { return op.waits != nullptr && op.waits->completed < op.number; }

inline std::vector<Stream*>& eager_streams = *new std::vector<Stream*>;

inline void run_eager() {
  for (bool progress = true; progress;) {
    progress = false;
    for (Stream* stream : eager_streams) {
      while (!stream->queue.empty() && !blocked(stream->queue.front())) {
        Op op = std::move(stream->queue.front());
        stream->queue.pop_front();
        if (op.work) op.work();
        complete(stream, op);
        progress = true;
      }
    }
  }
}

inline void force(Event* event, uint64_t number);

// demand: runs what is first in a stream, and what that waits for before.
inline void run_first(Stream* stream) {
  if (blocked(stream->queue.front())) {
    Op& op = stream->queue.front();
    force(op.waits, op.number);
    return;
  }
  Op op = std::move(stream->queue.front());
  stream->queue.pop_front();
  if (op.work) op.work();
  complete(stream, op);
  run_eager();
}

// demand: runs a stream up to where an event is recorded.
inline void force(Event* event, uint64_t number) {
  while (event->completed < number && !event->stream->queue.empty()) run_first(event->stream);
}

// demand: runs all that is in a stream.
inline void force(Stream* stream) {
  while (!stream->queue.empty()) run_first(stream);
}

inline void run_stream(Stream* stream) {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] {
      return (stream->stopped && stream->queue.empty()) || (!stream->queue.empty() && !blocked(stream->queue.front()));
    });
    if (stream->queue.empty()) return;
    Op op = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (op.work) {
      most_at_work = std::max(most_at_work, ++at_work);
      lock.unlock();
      op.work();
      lock.lock();
      at_work--;
    }
    complete(stream, op);
    changed.notify_all();
  }
}

inline void queue(Stream* stream, Op op) {
  if (null_mode::on()) {
    null_mode::run(stream, op);
    return;
  }
  stream->queued++;
  stream->queue.push_back(std::move(op));
  if (demand) {
    run_eager();
  } else {
    changed.notify_all();
  }
}

inline Stream* make_stream(Context* context, bool own = true) {
  Stream* stream = new Stream{context, own};
  auto before =
      std::count_if(streams.begin(), streams.end(), [&](Stream* other) { return other->context == context && other->own; });
  std::string eager = "," + setting("CUDA_DOUBLE_EAGER", "") + ",";
  stream->eager = own && eager.find("," + std::to_string(before) + ",") != std::string::npos;
  if (demand && stream->eager) eager_streams.push_back(stream);
  if (!demand && !null_mode::on()) std::thread(run_stream, stream).detach();
  streams.insert(stream);
  return stream;
}

// What is queued still runs. The structure stays, as its thread and events may refer to it.
inline void end_stream(Stream* stream) {
  stream->stopped = true;
  streams.erase(stream);
  changed.notify_all();
}

// Waits for all that is in a stream.
inline Result finish(Stream* stream, std::unique_lock<std::mutex>& lock) {
  Context* context = stream->context;
  if (null_mode::on()) {
    null_mode::await(stream->until);
    return state_of(context);
  }
  if (demand) {
    force(stream);
  } else {
    uint64_t last = stream->queued;
    changed.wait(lock, [&] { return stream->completed >= last || state_of(context) != SUCCESS; });
  }
  return state_of(context);
}
