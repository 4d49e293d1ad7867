package io.github.sparkgpusched.device;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * What a device is asked to compute: the name that a UDF is registered under, and the types that it
 * is called with.
 *
 * @param name the name that the query uses
 * @param argumentTypes SQL types of its arguments
 * @param resultType SQL type that it was registered with
 */
public record UdfCall(String name, List<DataType> argumentTypes, DataType resultType)
    implements Serializable {}
