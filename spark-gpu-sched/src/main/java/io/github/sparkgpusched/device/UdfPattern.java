package io.github.sparkgpusched.device;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.api.GpuUdfException;
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

  /**
   * @param name what queries call it
   * @throws GpuUdfException if it cannot be serialized
   */
  public UdfPattern(String name, GpuUdf udf) {
    ByteBuffer serialized;
    try {
      serialized = serializer().serialize(udf, TAG);
    } catch (Exception e) {
      // Exception: Spark's serializer is Scala and declares none of what it throws.
      throw new GpuUdfException(
          "UDF '"
              + name
              + "' ("
              + udf.getClass().getName()
              + ") cannot be serialized: make what it refers to Serializable, or transient",
          e);
    }
    bytes = new byte[serialized.remaining()];
    serialized.get(bytes);
  }

  /** What it takes in memory, about. */
  int bytes() {
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
