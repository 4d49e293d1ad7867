package io.github.sparkgpusched.device;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.apache.spark.util.AccumulatorV2;

/**
 * Writes a function as Spark's Java serializer does, which reads it again, and sees whether there
 * is an accumulator in it. Not thread-safe.
 */
final class FunctionStream extends ObjectOutputStream {
  private boolean hasAccumulator;

  FunctionStream(OutputStream out) throws IOException {
    super(out);
    enableReplaceObject(true); // which has every object pass by
  }

  @Override
  protected Object replaceObject(Object object) {
    hasAccumulator |= object instanceof AccumulatorV2;
    return object;
  }

  /** Of what was written so far. */
  boolean hasAccumulator() {
    return hasAccumulator;
  }
}
