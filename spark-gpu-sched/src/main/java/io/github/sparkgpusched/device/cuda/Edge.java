package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.Edge.Kind.EVENT;
import static io.github.sparkgpusched.device.cuda.Edge.Kind.HOST_RULE;
import static io.github.sparkgpusched.device.cuda.Resource.BLOCK;
import static io.github.sparkgpusched.device.cuda.Resource.RESULTS;
import static io.github.sparkgpusched.device.cuda.Resource.STAGING;
import static io.github.sparkgpusched.device.cuda.Stage.COMPUTE;
import static io.github.sparkgpusched.device.cuda.Stage.DEVICE_TO_HOST;
import static io.github.sparkgpusched.device.cuda.Stage.DRAIN;
import static io.github.sparkgpusched.device.cuda.Stage.HOST_FILL;
import static io.github.sparkgpusched.device.cuda.Stage.HOST_PUBLISH;
import static io.github.sparkgpusched.device.cuda.Stage.HOST_TO_DEVICE;
import static io.github.sparkgpusched.device.cuda.Stage.SECOND_COMPUTE;

import java.util.Arrays;

/**
 * The table of a pipeline's order, and the one place where it is declared: before a stage uses a
 * buffer, it waits for what these edges say. {@link OrderedBuffer} keeps them.
 */
enum Edge {
  /** Nothing is copied that has not been filled. */
  STAGING_FILLED(STAGING, HOST_FILL, HOST_TO_DEVICE, HOST_RULE),
  /** Nothing is filled that is still being copied. */
  STAGING_COPIED(STAGING, HOST_TO_DEVICE, HOST_FILL, EVENT),
  /** Arguments are there before kernels read them. */
  ARGUMENTS_FIRST(BLOCK, HOST_TO_DEVICE, COMPUTE, EVENT),
  ARGUMENTS_SECOND(BLOCK, HOST_TO_DEVICE, SECOND_COMPUTE, EVENT),
  /** Results are there before they are copied. */
  RESULTS_FIRST(BLOCK, COMPUTE, DEVICE_TO_HOST, EVENT),
  RESULTS_SECOND(BLOCK, SECOND_COMPUTE, DEVICE_TO_HOST, EVENT),
  /** Device memory is used again only after its last block is through, though nobody wants it. */
  BLOCK_THROUGH(BLOCK, DRAIN, HOST_TO_DEVICE, EVENT),
  /** What the drain says is done has been copied. */
  RESULTS_COPIED(RESULTS, DEVICE_TO_HOST, DRAIN, EVENT),
  /** Nothing is published that has not been drained. */
  DRAINED(RESULTS, DRAIN, HOST_PUBLISH, EVENT),
  /**
   * The rule DRAIN_BEFORE_REKICK: results are published, or given up, before the next overwrite
   * them.
   */
  PUBLISHED(RESULTS, HOST_PUBLISH, DEVICE_TO_HOST, HOST_RULE);

  /** How an edge is kept. */
  enum Kind {
    /** A CUDA event: the consumer's stream waits for it, or the owner asks for it. */
    EVENT,
    /** The owner's order of calls, which is checked. */
    HOST_RULE
  }

  final Resource resource;
  final Stage producer;
  final Stage consumer;
  final Kind kind;

  Edge(Resource resource, Stage producer, Stage consumer, Kind kind) {
    this.resource = resource;
    this.producer = producer;
    this.consumer = consumer;
    this.kind = kind;
  }

  /** Whether a wait for it keeps kernels from computing. */
  boolean delaysKernels() {
    return kind == Kind.EVENT
        && (consumer == HOST_TO_DEVICE || consumer == COMPUTE || consumer == SECOND_COMPUTE);
  }

  static Edge[] of(Resource resource) {
    return Arrays.stream(values()).filter(e -> e.resource == resource).toArray(Edge[]::new);
  }
}
