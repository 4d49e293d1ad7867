package io.github.sparkgpusched.it.kills;

import io.github.sparkgpusched.it.campaign.CampaignSpark;
import io.github.sparkgpusched.it.campaign.KilledTasks;
import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** A local Spark with the plugin that runs {@link KillCase}s. */
final class KillSession implements AutoCloseable {
  private final SparkSession spark;
  private final ExecutorService killer = Executors.newSingleThreadExecutor();

  private final KilledTasks killed;
  private long batched;

  KillSession() {
    spark =
        CampaignSpark.session("local[2]", "killed tasks")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    spark.udf().register("f", new Doomed(), DataTypes.LongType);
    killed = new KilledTasks(spark.sparkContext());
  }

  /** From now on Spark does not log each kill; for the rest of the JVM. */
  void beQuiet() {
    spark.sparkContext().setLogLevel("OFF");
  }

  /** The rows without the plugin, and without kills, as sorted texts. */
  List<String> plain(KillCase one) {
    return rows(one, "false");
  }

  /** The rows with both, after which nothing may be held. */
  List<String> killed(KillCase one) throws Exception {
    for (long row : one.kills()) {
      Doomed.AT.put(row, () -> kill(one));
    }
    RandomSwitches switches = one.switches() ? new RandomSwitches(one.number(), 30) : null;
    try {
      List<String> rows = rows(one, "true");
      CampaignSpark.awaitIdle();
      return rows;
    } finally {
      if (switches != null) {
        switches.close();
      }
      Doomed.AT.clear();
    }
  }

  private List<String> rows(KillCase one, String enabled) {
    one.settings().forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.gpusched.enabled", enabled);
    Dataset<Row> query = spark.sql(one.query());
    List<Row> rows = query.collectAsList();
    batched += BatchedNodes.batches(query) > 0 ? 1 : 0;
    return Bits.of(rows).stream().sorted().toList();
  }

  /** Called in a call of the task, or for it: the batch that it is of is under way. */
  private void kill(KillCase one) throws InterruptedException {
    long id = TaskContext.get().taskAttemptId();
    try {
      killer
          .submit(() -> spark.sparkContext().killTaskAttempt(id, one.interrupts(), "chaos"))
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    Thread.sleep(2); // it is told by a message
  }

  /** How many queries were batched. */
  long batched() {
    return batched;
  }

  /** How many tasks Spark has killed. */
  long killed() throws Exception {
    return killed.count();
  }

  @Override
  public void close() {
    killer.shutdown();
    CampaignSpark.end();
  }
}
