package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.campaign.CampaignLanes;
import io.github.sparkgpusched.it.campaign.CampaignSpark;
import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import io.github.sparkgpusched.it.queries.RandomExpressions.Function;
import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A session of a local Spark with the plugin that answers {@link QueryCase}s, with the plugin and
 * without. One thread's.
 */
final class QuerySession {
  /** Rows that are asked for are fewer where not all are; at times none. */
  private static final int MOST_TAKEN = 25;

  /** Who kills tasks and cancels queries: another than who is killed. Daemons. */
  private static final ExecutorService OUTSIDE =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "campaign-outside");
            thread.setDaemon(true);
            return thread;
          });

  private final SparkSession spark;

  /** Whose functions the plugin sees nothing of its own in. */
  private final SparkSession plain;

  private final int lane;
  private final List<Function> functions;
  private final Map<String, List<Column>> tables;
  private boolean fault;

  QuerySession(SparkSession spark, int lane) {
    this.spark = spark;
    this.lane = lane;
    plain = spark.newSession();
    tables = QueryTables.views(spark);
    QueryTables.views(plain);
    functions = QueryFunctions.register(spark, plain);
  }

  /** Starts Spark. */
  static CampaignLanes<QuerySession> open(int lanes) {
    SparkSession.Builder builder =
        CampaignSpark.session("local[" + Math.max(2, lanes) + ",4]", "random queries");
    QuerySettings.OF_SPARK.forEach(builder::config);
    return new CampaignLanes<>(builder, lanes, QuerySession::new);
  }

  QueryCase draw(long seed, long number) {
    return QueryCase.of(seed, number, functions, tables);
  }

  /** The answer without the plugin: all rows, however they are asked for. */
  QueryAnswer plain(QueryCase one) {
    plain.conf().set("spark.gpusched.enabled", "false");
    return answer(plain, one, null);
  }

  /** The answer with it, where {@link #plain} had that one. */
  QueryAnswer batched(QueryCase one, QueryAnswer plain) {
    return answer(spark, one, plain);
  }

  private QueryAnswer answer(SparkSession asked, QueryCase one, QueryAnswer plain) {
    one.settings().forEach((key, value) -> asked.conf().set(key, value));
    one.plugin().forEach((key, value) -> asked.conf().set(key, value));
    RandomSwitches.ask(asked, one.switches() ? one.number() : null);
    try {
      Dataset<Row> rows = asked.sql(one.query().text());
      return switch (one.action()) {
        case COLLECTED -> inOrder(one, rows.collectAsList(), BatchedNodes.batches(rows));
        case CACHED -> cached(rows);
        case ITERATED -> {
          List<Row> all = new ArrayList<>();
          rows.toLocalIterator().forEachRemaining(all::add);
          yield inOrder(one, all, BatchedNodes.batches(rows));
        }
        case WRITTEN -> written(rows);
        case TAKEN -> plain == null ? answer(rows) : taken(rows, one.nth() % MOST_TAKEN, plain);
      };
    } catch (Exception e) {
      return QueryAnswer.of(e);
    }
  }

  /** What a query gives in an order is compared in that order. */
  private static QueryAnswer inOrder(QueryCase one, List<Row> rows, long batches) {
    return one.query().kind().equals(RandomQueries.ORDERED)
        ? QueryAnswer.inOrder(rows, batches)
        : QueryAnswer.of(rows, batches);
  }

  private static QueryAnswer answer(Dataset<Row> rows) {
    List<Row> all = rows.collectAsList();
    return QueryAnswer.of(all, BatchedNodes.batches(rows));
  }

  private static QueryAnswer cached(Dataset<Row> rows) {
    rows.persist();
    try {
      rows.foreach(row -> {});
      return answer(rows);
    } finally {
      rows.unpersist(true);
    }
  }

  private QueryAnswer written(Dataset<Row> rows) {
    String path = TestSpark.directory("written").resolve("" + lane).toString();
    rows.write().mode("overwrite").parquet(path);
    return answer(spark.read().parquet(path));
  }

  /** Tasks of these rows may end before the one that the whole answer fails at. */
  private static QueryAnswer taken(Dataset<Row> rows, int wanted, QueryAnswer plain) {
    Dataset<Row> limited = rows.limit(wanted);
    List<Row> few = limited.collectAsList();
    return plain.failure() != null ? plain : plain.some(few, wanted, BatchedNodes.batches(limited));
  }

  /**
   * The answer with the plugin where the case's fault comes, and after it if it ended the query.
   */
  QueryAnswer withFault(QueryCase one, QueryAnswer plain) {
    String group = "campaign-" + lane;
    boolean interrupts = one.nth() % 2 == 0;
    String name = group + "-" + one.number();
    Sometimes.at(
        name,
        one.nth(),
        switch (one.fault()) {
          case THROWS ->
              () -> {
                throw new IllegalStateException("thrown by the campaign");
              };
          case TASK_KILLED ->
              () -> {
                long id = TaskContext.get().taskAttemptId();
                outside(() -> spark.sparkContext().killTaskAttempt(id, interrupts, "chaos"));
              };
          case CANCELLED -> () -> outside(() -> spark.sparkContext().cancelJobGroup(group));
        });
    spark.sparkContext().setLocalProperty(Sometimes.PROPERTY, name);
    spark.sparkContext().setJobGroup(group, "to be broken", interrupts);
    QueryAnswer answer;
    try {
      answer = answer(spark, one, plain);
    } finally {
      spark.sparkContext().clearJobGroup();
      spark.sparkContext().setLocalProperty(Sometimes.PROPERTY, null);
      fault = Sometimes.came(name);
    }
    boolean ended = fault && one.fault() == QueryFault.CANCELLED && answer.isCancelled();
    return ended ? batched(one, plain) : answer;
  }

  /** Whether the fault of {@link #withFault} has come. */
  boolean hadFault() {
    return fault;
  }

  /** In a call, which the batch is under way with. */
  private static void outside(Runnable act) throws InterruptedException {
    try {
      OUTSIDE.submit(act).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    Thread.sleep(2); // it is told by a message
  }
}
