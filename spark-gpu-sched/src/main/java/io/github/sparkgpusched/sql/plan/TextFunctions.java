package io.github.sparkgpusched.sql.plan;

import io.github.sparkgpusched.config.QueryKeys;
import io.github.sparkgpusched.runtime.DriverRuntime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * The SQL functions by which clients in other languages, also those of Spark Connect, call
 * functions that are text, in one language of such texts. Not for users to write: the Python
 * package does. Their names have the language's word, here {@code x}:
 *
 * <ul>
 *   <li>{@code gpusched_x(name, text, function, result type, parameter types, exactness,
 *       arguments…)} calls a function of a text. Parameter types are SQL types, those of one
 *       parameter with {@code |} between them, and {@code ,} between parameters. Exactness is
 *       {@code exact} or {@code not exact}: whether it gives the bits that Java would; with {@code
 *       , in steps} behind it if that is how the function is written. Texts may be binary.
 *   <li>{@code gpusched_x_or(x, otherwise)} is the first where devices can compute it, else the
 *       second.
 *   <li>{@code gpusched_why_no_x()} is null where they can, else the reason.
 * </ul>
 */
public final class TextFunctions {
  private static final int TEXTS = 6;

  private final String language;
  private final String call;
  private final String either;
  private final String whyNot;
  private final Function<Text, TextUdf> udfs;

  /** A function as a query gives it. */
  record Text(
      String language, String name, String source, String function, boolean exact, boolean steps) {}

  private static final String IN_STEPS = ", in steps";

  /**
   * Those of a language.
   *
   * @param language as devices and messages name it
   * @param word that the names of the SQL functions have
   * @param udfs makes a text a UDF; equal texts make equal UDFs
   */
  TextFunctions(String language, String word, Function<Text, TextUdf> udfs) {
    this.language = language;
    this.call = "gpusched_" + word;
    this.either = call + "_or";
    this.whyNot = "gpusched_why_no_" + word;
    this.udfs = udfs;
  }

  /** Adds them to a session. */
  public void inject(SparkSessionExtensions extensions) {
    inject(extensions, call, this::call);
    inject(extensions, either, this::either);
    inject(
        extensions,
        whyNot,
        arguments ->
            Literal.create(
                whyNot(SQLConf.get(), Set.of(language)).map(UTF8String::fromString).orElse(null),
                DataTypes.StringType));
  }

  private static void inject(
      SparkSessionExtensions extensions, String name, Function<List<Expression>, Expression> f) {
    extensions.injectFunction(
        new Tuple3<>(
            new FunctionIdentifier(name, Option.empty()),
            new ExpressionInfo(TextFunctions.class.getName(), name),
            new AbstractFunction1<Seq<Expression>, Expression>() {
              @Override
              public Expression apply(Seq<Expression> arguments) {
                return f.apply(Scala.list(arguments));
              }
            }));
  }

  /**
   * Why devices compute no text of some language of these for this session, or empty if they do.
   */
  static Optional<String> whyNot(SQLConf conf, Set<String> languages) {
    if (!SessionConfig.get(conf, QueryKeys.ENABLED)) {
      return Optional.of("spark.gpusched.enabled is false");
    }
    Optional<DriverRuntime> driver = DriverRuntime.current();
    if (driver.isEmpty()) {
      return Optional.of(
          "spark.gpusched.ui.enabled is false, so the driver does not know which devices executors"
              + " have");
    }
    return languages.stream().map(driver.get()::whyNoTexts).flatMap(Optional::stream).findFirst();
  }

  private Expression call(List<Expression> arguments) {
    if (arguments.size() < TEXTS) {
      throw new IllegalArgumentException(
          call
              + " takes a name, a text, a function, a result type, parameter types and"
              + " exactness, then arguments");
    }
    List<String> texts = arguments.subList(0, TEXTS).stream().map(this::text).toList();
    List<Expression> given = arguments.subList(TEXTS, arguments.size());
    String name = texts.get(0);
    check(name, List.of(texts.get(4).split(",", -1)), given);
    boolean steps = texts.get(5).endsWith(IN_STEPS);
    boolean exact = isExact(texts.get(5).replace(IN_STEPS, ""));
    Text text = new Text(language, name, texts.get(1), texts.get(2), exact, steps);
    List<Option<org.apache.spark.sql.catalyst.encoders.ExpressionEncoder<?>>> none =
        new ArrayList<>();
    return new DeviceCall(
        new NamedScalaUdf(
            new RowWiseFunction(udfs.apply(text), true, null),
            DataType.fromDDL(texts.get(3)),
            Scala.seq(given),
            Scala.seq(none),
            Option.empty(),
            Option.apply(name),
            true,
            true));
  }

  private boolean isExact(String exactness) {
    if (!exactness.equals("exact") && !exactness.equals("not exact")) {
      throw new IllegalArgumentException(
          call
              + ": '"
              + exactness
              + "' is neither 'exact' nor 'not exact', with or without ', in steps'");
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
      // Spark may take a bare timestamp for one without a zone.
      boolean naive = type.equals("timestamp_ntz") && allowed.contains("timestamp");
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
                + ", for example by CAST"
                + (naive ? " AS TIMESTAMP_LTZ" : ""));
      }
    }
  }

  private String text(Expression argument) {
    Object value = argument.foldable() ? argument.eval(null) : null;
    if (value instanceof UTF8String text) {
      return text.toString();
    }
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    throw new IllegalArgumentException(call + ": " + argument.sql() + " is not a text");
  }

  private Expression either(List<Expression> arguments) {
    if (arguments.size() != 2 || !arguments.get(0).dataType().equals(arguments.get(1).dataType())) {
      throw new IllegalArgumentException(either + " takes two values of one type");
    }
    return new DeviceOrElse(arguments.get(0), arguments.get(1));
  }
}
