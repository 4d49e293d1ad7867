package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** A UDF in serialized form, of which every thread makes its own copy. Immutable. */
public final class UdfPattern implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<GpuUdf> TAG = ClassTag$.MODULE$.apply(GpuUdf.class);

  private final byte[] bytes;
  private final boolean hasAccumulator;

  /**
   * @param name what queries call it
   * @throws GpuUdfException if it cannot be serialized
   */
  public UdfPattern(String name, GpuUdf udf) {
    ByteArrayOutputStream serialized = new ByteArrayOutputStream();
    try (FunctionStream out = new FunctionStream(serialized)) {
      out.writeObject(udf);
      hasAccumulator = out.hasAccumulator();
    } catch (IOException | RuntimeException e) {
      throw new GpuUdfException(
          "UDF '"
              + name
              + "' ("
              + udf.getClass().getName()
              + ") cannot be serialized: make what it refers to Serializable, or transient",
          asSparkSays(udf, e));
    }
    bytes = serialized.toByteArray();
  }

  /** Spark's error says by which fields the function refers to what cannot be serialized. */
  private static Exception asSparkSays(GpuUdf udf, Exception error) {
    try {
      serializer().serialize(udf, TAG);
      return error;
    } catch (Exception e) {
      // Exception: Spark's serializer is Scala and declares none of what it throws.
      return e;
    }
  }

  /**
   * Whether it refers to an accumulator of Spark, which counts in tasks alone: what a copy adds to
   * it elsewhere is lost.
   */
  public boolean hasAccumulator() {
    return hasAccumulator;
  }

  /** What it takes in memory, about. */
  public int bytes() {
    return bytes.length;
  }

  /**
   * A new copy of the UDF.
   *
   * @param loader finds its class
   */
  public GpuUdf copy(ClassLoader loader) {
    return serializer().deserialize(ByteBuffer.wrap(bytes), loader, TAG);
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }
}
