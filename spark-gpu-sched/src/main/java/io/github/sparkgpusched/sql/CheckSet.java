package io.github.sparkgpusched.sql;

import io.github.sparkgpusched.config.ConfigEntry;
import io.github.sparkgpusched.config.GpuSchedConfig;
import io.github.sparkgpusched.config.MayChange;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.errors.QueryCompilationErrors$;
import org.apache.spark.sql.execution.command.SetCommand;
import scala.Option;
import scala.Tuple2;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Refuses SQL's {@code SET} of a key of the plugin that there is not, or that cannot be changed in
 * a session. Spark itself refuses values that are not allowed.
 */
final class CheckSet extends AbstractFunction1<LogicalPlan, BoxedUnit> {
  /**
   * Checks a plan. A key that is read when the application starts is refused by Spark's own {@link
   * AnalysisException} for such keys, with what to do.
   *
   * @throws IllegalArgumentException if it sets an unknown key; with the nearest known one
   */
  @Override
  public BoxedUnit apply(LogicalPlan plan) {
    if (plan instanceof SetCommand set && set.kv().isDefined()) {
      Tuple2<String, Option<String>> pair = set.kv().get();
      if (pair._2().isDefined() && GpuSchedConfig.isOurs(pair._1())) {
        ConfigEntry<?> entry = GpuSchedConfig.entry(pair._1(), pair._2().get());
        if (entry.mayChange() == MayChange.AT_START) {
          throw CheckSet.<RuntimeException>unchecked(readAtStart(entry));
        }
      }
    }
    return BoxedUnit.UNIT;
  }

  /** Spark's own error, and what to do. */
  private static AnalysisException readAtStart(ConfigEntry<?> entry) {
    AnalysisException sparks =
        (AnalysisException)
            QueryCompilationErrors$.MODULE$.cannotModifyValueOfStaticConfigError(entry.key());
    return new AnalysisException(
        sparks.getMessage()
            + " It is read when the application starts: give it to spark-submit by --conf, put it"
            + " in spark-defaults.conf, or set it before the first session is made.",
        Option.empty(),
        Option.empty(),
        Option.empty(),
        sparks.errorClass(),
        sparks.messageParameters(),
        sparks.context());
  }

  /** A checked error as Scala throws it: Java's compiler does not see it. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException unchecked(Throwable error) throws E {
    throw (E) error;
  }
}
