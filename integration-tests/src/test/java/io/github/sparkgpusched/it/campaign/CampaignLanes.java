package io.github.sparkgpusched.it.campaign;

import io.github.sparkgpusched.it.testing.RandomSwitches;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.sql.SparkSession;

/**
 * One local Spark, and sessions of it whose queries run beside each other. A lane is one thread's.
 *
 * @param <T> a session
 */
public final class CampaignLanes<T> implements AutoCloseable {
  /** Rows in place, and in a batch, of tasks that switch. */
  private static final int LONGEST = 30;

  private final SparkSession first;
  private final RandomSwitches switches;
  private final List<T> lanes = new ArrayList<>();
  private final KilledTasks killed;

  /**
   * Starts Spark.
   *
   * @param make makes a lane of a session and the lane's number
   */
  public CampaignLanes(
      SparkSession.Builder builder, int count, BiFunction<SparkSession, Integer, T> make) {
    first = builder.getOrCreate();
    switches = RandomSwitches.whereAsked(LONGEST);
    killed = new KilledTasks(first.sparkContext());
    for (int lane = 0; lane < count; lane++) {
      lanes.add(make.apply(lane == 0 ? first : first.newSession(), lane));
    }
  }

  public int count() {
    return lanes.size();
  }

  public T lane(int number) {
    return lanes.get(number);
  }

  /** From now on Spark does not log each fault with its stack trace; for the rest of the JVM. */
  public void beQuiet() {
    first.sparkContext().setLogLevel("OFF");
  }

  /** How many tasks Spark says were killed. */
  public long killed() throws Exception {
    return killed.count();
  }

  @Override
  public void close() {
    switches.close();
    CampaignSpark.end();
  }
}
