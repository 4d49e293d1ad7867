package io.github.sparkgpusched.device;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;

/**
 * What a device is asked to compute: the name that a UDF is registered under, and the types that it
 * is called with.
 *
 * @param name the name that the query uses
 * @param argumentTypes SQL types of its arguments
 * @param resultType SQL type that it was registered with
 * @param number by which the driver gives it to other executors; 0 if none may compute it. Calls
 *     that differ in it alone are equal
 */
public record UdfCall(String name, List<DataType> argumentTypes, DataType resultType, long number)
    implements Serializable {
  /** A call that no other executor may compute. */
  public UdfCall(String name, List<DataType> argumentTypes, DataType resultType) {
    this(name, argumentTypes, resultType, 0);
  }

  /** Whether other executors may compute it. */
  public boolean mayTravel() {
    return number != 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UdfCall that
        && name.equals(that.name)
        && argumentTypes.equals(that.argumentTypes)
        && resultType.equals(that.resultType);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, argumentTypes, resultType);
  }
}
