package io.github.sparkgpusched.it.queries;

import org.apache.spark.sql.SparkSession;

/** Random queries in sessions of any Spark, with the plugin and without. One thread's. */
public final class QueryDuel {
  private QuerySession session;
  private long answered;
  private long batched;

  /** From now on queries are asked in this session. */
  public void ask(SparkSession spark) {
    session = new QuerySession(spark, 0);
  }

  /** Queries that gave rows with the plugin, and did not fail. */
  public long answered() {
    return answered;
  }

  /** Of them, those that were batched. */
  public long batched() {
    return batched;
  }

  /** How a query's answer differs from plain Spark's; empty if it does not. */
  public String difference(long seed, long number) {
    QueryCase one = session.draw(seed, number);
    QueryAnswer plain = session.plain(one);
    QueryAnswer answer = session.batched(one, plain);
    answered += answer.failure() == null ? 1 : 0;
    batched += answer.batches() > 0 ? 1 : 0;
    return plain.isSame(answer)
        ? ""
        : String.format(
            "query %d of seed %d: %s, not %s; %s, settings %s and %s: %s",
            number,
            seed,
            answer,
            plain,
            one.action(),
            one.settings(),
            one.plugin(),
            one.query().text());
  }
}
