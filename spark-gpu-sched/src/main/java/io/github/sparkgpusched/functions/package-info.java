/**
 * Functions that come with the plugin. Each is an ordinary Spark Java UDF with two more forms, a
 * batch method and a CUDA function in {@code cuda/udf}; all three give the same bits. Register one
 * as any Java UDF, for example {@code spark.udf().register("point_in_ring", new PointInRing(),
 * DataTypes.BooleanType)}.
 */
package io.github.sparkgpusched.functions;
