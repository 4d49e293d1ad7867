package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.campaign.CampaignSpark;
import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import io.github.sparkgpusched.it.queries.RandomExpressions.Function;
import io.github.sparkgpusched.it.sql.Describe;
import io.github.sparkgpusched.it.sql.Functions;
import io.github.sparkgpusched.it.sql.Produce;
import io.github.sparkgpusched.it.sql.RandomValues;
import io.github.sparkgpusched.it.sql.Tables;
import io.github.sparkgpusched.it.testing.BatchedNodes;
import io.github.sparkgpusched.it.testing.Bits;
import io.github.sparkgpusched.it.testing.RandomSwitches;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A local Spark with the plugin that answers {@link QueryCase}s, with it and without. */
final class QuerySession implements AutoCloseable {
  private static final int ROWS = 300;
  private static final String GROUP = "campaign";

  /** What a query gave: its rows as sorted texts, or why it failed. */
  record Answer(List<String> rows, String failure, long batches) {
    boolean isSame(Answer other) {
      return rows.equals(other.rows) && (failure == null) == (other.failure == null);
    }

    @Override
    public String toString() {
      return failure == null ? rows.size() + " rows" : failure;
    }
  }

  private final SparkSession spark;
  private final List<Function> functions = new ArrayList<>();
  private final Map<String, List<Column>> tables = new TreeMap<>();

  QuerySession() {
    spark =
        CampaignSpark.session("local[2,4]", "random queries")
            .config("spark.sql.datetime.java8API.enabled", "true")
            .getOrCreate();
    Functions.register(spark);
    Tables.create(spark);
    createTypes();
    for (String table : List.of("t", "u", "v")) {
      List<Column> columns =
          Stream.of(spark.table(table).schema().fields())
              .map(
                  field ->
                      new Column(field.name(), field.dataType().sql().toLowerCase(Locale.ROOT)))
              .filter(column -> RandomExpressions.TYPES.contains(column.type()))
              .toList();
      tables.put(table, columns);
    }
    register();
  }

  /** The table {@code v}: values of all types, special ones often. */
  private void createTypes() {
    StructType schema = new StructType();
    for (String type : RandomExpressions.TYPES) {
      schema = schema.add("v" + schema.size(), DataType.fromDDL(type));
    }
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      RandomValues random = new RandomValues(row);
      rows.add(
          RowFactory.create(
              Stream.of(schema.fields()).map(field -> random.orNull(field.dataType())).toArray()));
    }
    String path = TestSpark.directory("v").toString();
    spark.createDataFrame(rows, schema).repartition(3).write().mode("overwrite").parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("v");
  }

  private void register() {
    add("inc", "double", "double");
    add("add", "double", "double", "double");
    add("bucket", "int", "int");
    add("is_big", "boolean", "double");
    add("shout", "string", "string");
    add("total", "double", "array<double>");
    spark.udf().register("sometimes", new Sometimes(), DataTypes.LongType);
    add("sometimes", "bigint", "bigint");
    add("sometimes", "bigint", "bigint");
    int i = 0;
    for (String name : RandomExpressions.TYPES) {
      DataType type = DataType.fromDDL(name);
      boolean batch = i++ % 2 == 0;
      spark.udf().register("describe" + i, new Describe(type, batch), DataTypes.StringType);
      add("describe" + i, "string", name);
      if (!name.startsWith("array") && !name.equals("binary")) {
        spark.udf().register("produce" + i, new Produce(type, batch, true), type);
        add("produce" + i, name, "bigint");
      }
    }
  }

  private void add(String name, String result, String... arguments) {
    functions.add(new Function(name, List.of(arguments), result));
  }

  /** From now on Spark does not log each fault with its stack trace; for the rest of the JVM. */
  void beQuiet() {
    spark.sparkContext().setLogLevel("OFF");
  }

  QueryCase draw(long seed, long number) {
    return QueryCase.of(seed, number, functions, tables);
  }

  /** The answer without the plugin. */
  Answer plain(QueryCase one) {
    Sometimes.never();
    return answer(one, "false");
  }

  /** The answer with it; where rows are computed, and nothing may be held then. */
  Answer batched(QueryCase one) {
    Sometimes.never();
    Answer answer = answer(one, "true");
    CampaignSpark.awaitIdle();
    return answer;
  }

  private Answer answer(QueryCase one, String enabled) {
    one.settings().forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.gpusched.enabled", enabled);
    RandomSwitches switches = one.switches() ? new RandomSwitches(one.number(), 30) : null;
    try {
      Dataset<Row> rows = spark.sql(one.query().text());
      List<String> texts = Bits.of(rows.collectAsList()).stream().sorted().toList();
      return new Answer(texts, null, BatchedNodes.batches(rows));
    } catch (Exception e) {
      return new Answer(List.of(), reason(e), 0);
    } finally {
      if (switches != null) {
        switches.close();
      }
    }
  }

  private static String reason(Throwable thrown) {
    Throwable last = thrown;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    String condition = thrown instanceof SparkThrowable known ? known.getCondition() : null;
    return condition + ", " + last.toString().lines().findFirst().orElse("");
  }

  /**
   * The answer with the plugin where the case's fault comes, and after it if it ended the query.
   */
  Answer withFault(QueryCase one) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    AtomicReference<Runnable> outside = new AtomicReference<>();
    switch (one.fault()) {
      case THROWS ->
          Sometimes.at(
              one.nth(),
              () -> {
                throw new IllegalStateException("thrown by the campaign");
              });
      case TASK_KILLED ->
          Sometimes.at(
              one.nth(),
              () -> {
                TaskContext task = TaskContext.get();
                if (task != null) {
                  long id = task.taskAttemptId();
                  outside.set(
                      () -> spark.sparkContext().killTaskAttempt(id, one.nth() % 2 == 0, "chaos"));
                }
                over.countDown();
              });
      case CANCELLED ->
          Sometimes.at(
              one.nth(),
              () -> {
                outside.set(() -> spark.sparkContext().cancelJobGroup(GROUP));
                over.countDown();
              });
    }
    CompletableFuture<Answer> query =
        CompletableFuture.supplyAsync(
            () -> {
              spark.sparkContext().setJobGroup(GROUP, "to be broken", one.nth() % 3 == 0);
              try {
                return answer(one, "true");
              } finally {
                spark.sparkContext().clearJobGroup();
                over.countDown();
              }
            });
    over.await();
    if (outside.get() != null) {
      outside.get().run();
    }
    Answer answer;
    try {
      answer = query.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    CampaignSpark.awaitIdle();
    return one.fault() == QueryFault.CANCELLED && answer.failure() != null ? batched(one) : answer;
  }

  @Override
  public void close() {
    CampaignSpark.end();
  }
}
