package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * The SQL functions by which clients in other languages, also those of Spark Connect, call CUDA
 * texts. Not for users to write: the Python package does.
 *
 * <ul>
 *   <li>{@code gpusched_cuda(name, text, function, result type, parameter types, exactness,
 *       arguments…)} calls a function of a CUDA text. Parameter types are SQL types, those of one
 *       parameter with {@code |} between them, and {@code ,} between parameters. Exactness is
 *       {@code exact} or {@code not exact}, see {@link CudaSource#notExact()}. Texts may be binary.
 *   <li>{@code gpusched_cuda_or(cuda, otherwise)} is the first where GPUs can compute it, else the
 *       second.
 *   <li>{@code gpusched_why_no_cuda()} is null where they can, else the reason.
 * </ul>
 */
public final class CudaFunctions {
  private static final int TEXTS = 6;

  private CudaFunctions() {}

  /** Adds them to a session. */
  public static void inject(SparkSessionExtensions extensions) {
    inject(extensions, "gpusched_cuda", CudaFunctions::call);
    inject(extensions, "gpusched_cuda_or", CudaFunctions::either);
    inject(
        extensions,
        "gpusched_why_no_cuda",
        arguments ->
            Literal.create(
                whyNot(SQLConf.get()).map(UTF8String::fromString).orElse(null),
                DataTypes.StringType));
  }

  private static void inject(
      SparkSessionExtensions extensions, String name, Function<List<Expression>, Expression> f) {
    extensions.injectFunction(
        new Tuple3<>(
            new FunctionIdentifier(name, Option.empty()),
            new ExpressionInfo(CudaFunctions.class.getName(), name),
            new AbstractFunction1<Seq<Expression>, Expression>() {
              @Override
              public Expression apply(Seq<Expression> arguments) {
                return f.apply(Scala.list(arguments));
              }
            }));
  }

  /** Why GPUs compute no CUDA text for this session, or empty if they do. */
  static Optional<String> whyNot(SQLConf conf) {
    if (!SessionConfig.of(conf).get(QueryKeys.ENABLED)) {
      return Optional.of("spark.gpusched.enabled is false");
    }
    return DriverRuntime.current()
        .map(driver -> driver.whyNoTexts(DeviceTextUdf.LANGUAGE))
        .orElseGet(
            () ->
                Optional.of(
                    "spark.gpusched.ui.enabled is false, so the driver does not know which devices"
                        + " executors have"));
  }

  private static Expression call(List<Expression> arguments) {
    if (arguments.size() < TEXTS) {
      throw new IllegalArgumentException(
          "gpusched_cuda takes a name, a text, a function, a result type, parameter types and"
              + " exactness, then arguments");
    }
    List<String> texts = arguments.subList(0, TEXTS).stream().map(CudaFunctions::text).toList();
    List<Expression> given = arguments.subList(TEXTS, arguments.size());
    String name = texts.get(0);
    check(name, List.of(texts.get(4).split(",", -1)), given);
    CudaSource source = CudaSource.text(texts.get(1), texts.get(2));
    DeviceTextUdf udf = new DeviceTextUdf(name, isExact(texts.get(5)) ? source : source.notExact());
    List<Option<org.apache.spark.sql.catalyst.encoders.ExpressionEncoder<?>>> none =
        new ArrayList<>();
    return new DeviceCall(
        new NamedScalaUdf(
            new RowWiseFunction(udf, true, null),
            DataType.fromDDL(texts.get(3)),
            Scala.seq(given),
            Scala.seq(none),
            Option.empty(),
            Option.apply(name),
            true,
            true));
  }

  private static boolean isExact(String exactness) {
    if (!exactness.equals("exact") && !exactness.equals("not exact")) {
      throw new IllegalArgumentException(
          "gpusched_cuda: '" + exactness + "' is neither 'exact' nor 'not exact'");
    }
    return exactness.equals("exact");
  }

  private static void check(String name, List<String> parameters, List<Expression> given) {
    String signature = name + "(" + String.join(", ", parameters) + ")";
    if (parameters.size() != given.size()) {
      throw new IllegalArgumentException(
          signature
              + " takes "
              + parameters.size()
              + " arguments, and "
              + given.size()
              + " were given");
    }
    for (int i = 0; i < given.size(); i++) {
      String type = given.get(i).dataType().simpleString();
      List<String> allowed = List.of(parameters.get(i).split("\\|", -1));
      if (!allowed.contains(type)) {
        throw new IllegalArgumentException(
            "argument "
                + (i + 1)
                + " of "
                + signature
                + " is "
                + type
                + ": give "
                + String.join(" or ", allowed)
                + ", for example by CAST");
      }
    }
  }

  private static String text(Expression argument) {
    Object value = argument.foldable() ? argument.eval(null) : null;
    if (value instanceof UTF8String text) {
      return text.toString();
    }
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    throw new IllegalArgumentException("gpusched_cuda: " + argument.sql() + " is not a text");
  }

  private static Expression either(List<Expression> arguments) {
    if (arguments.size() != 2 || !arguments.get(0).dataType().equals(arguments.get(1).dataType())) {
      throw new IllegalArgumentException("gpusched_cuda_or takes two values of one type");
    }
    return new DeviceOrElse(arguments.get(0), arguments.get(1));
  }
}
