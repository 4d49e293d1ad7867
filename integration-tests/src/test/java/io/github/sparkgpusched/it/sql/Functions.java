package io.github.sparkgpusched.it.sql;

import io.github.sparkgpusched.it.testing.TestUdf1;
import io.github.sparkgpusched.it.testing.TestUdf2;
import io.github.sparkgpusched.it.testing.Unmarked;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.Iterator;
import scala.collection.Seq;

/** The UDFs that the suite's queries call. None of them takes nulls. */
public final class Functions {
  /** What {@code seen} was called with, and how often; local mode shares statics with tasks. */
  static final Set<Integer> SEEN = new ConcurrentSkipListSet<>();

  static final AtomicLong CALLS = new AtomicLong();

  static final TestUdf1<Double, Double> INC = x -> x + 1;
  static final TestUdf2<Double, Double, Double> ADD = Double::sum;
  static final TestUdf1<Integer, Integer> BUCKET = i -> i % 3;
  static final TestUdf1<Double, Boolean> IS_BIG = x -> x > 100;
  static final TestUdf1<String, String> SHOUT = s -> s.toUpperCase(Locale.ROOT) + "!";
  static final TestUdf1<Seq<Double>, Double> TOTAL = Functions::total;
  static final TestUdf1<Seq<Double>, Double> FIRST_OF = values -> values.apply(0);
  static final TestUdf1<Integer, Integer> SEEN_UDF = Functions::see;

  private Functions() {}

  public static void register(SparkSession spark) {
    spark.udf().register("inc", INC, DataTypes.DoubleType);
    spark.udf().register("add", ADD, DataTypes.DoubleType);
    spark.udf().register("bucket", BUCKET, DataTypes.IntegerType);
    spark.udf().register("is_big", IS_BIG, DataTypes.BooleanType);
    spark.udf().register("shout", SHOUT, DataTypes.StringType);
    spark.udf().register("total", TOTAL, DataTypes.DoubleType);
    spark.udf().register("first_of", FIRST_OF, DataTypes.DoubleType);
    spark.udf().register("seen", SEEN_UDF, DataTypes.IntegerType);
    spark.udf().register("inc_anew", inc().asNondeterministic());
    spark.udf().register("inc_filled", inc().asNonNullable());
  }

  /** Those that random queries call, as functions in which the plugin sees nothing of its own. */
  public static void registerUnmarked(SparkSession spark) {
    spark.udf().register("inc", Unmarked.of(INC), DataTypes.DoubleType);
    spark.udf().register("add", Unmarked.of(ADD), DataTypes.DoubleType);
    spark.udf().register("bucket", Unmarked.of(BUCKET), DataTypes.IntegerType);
    spark.udf().register("is_big", Unmarked.of(IS_BIG), DataTypes.BooleanType);
    spark.udf().register("shout", Unmarked.of(SHOUT), DataTypes.StringType);
    spark.udf().register("total", Unmarked.of(TOTAL), DataTypes.DoubleType);
  }

  static UserDefinedFunction inc() {
    return functions.udf(INC, DataTypes.DoubleType);
  }

  /** Forgets what {@code seen} saw. */
  static void forget() {
    SEEN.clear();
    CALLS.set(0);
  }

  private static Integer see(Integer i) {
    SEEN.add(i);
    CALLS.incrementAndGet();
    return i;
  }

  private static Double total(Seq<Double> values) {
    double total = 0;
    for (Iterator<Double> each = values.iterator(); each.hasNext(); ) {
      Double value = each.next();
      total += value == null ? 0 : value;
    }
    return total;
  }
}
