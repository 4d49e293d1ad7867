package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.testing.TestUdf1;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;

/** A call whose n-th in a query does what a campaign says; all others give their argument. */
final class Sometimes implements TestUdf1<Long, Long> {
  /** The local property of Spark's that has the name of a fault, by which tasks find it. */
  static final String PROPERTY = "campaign.fault";

  private static final long serialVersionUID = 1L;

  /** By name; local mode shares statics with tasks. */
  private static final Map<String, Plan> PLANS = new ConcurrentHashMap<>();

  /** What a call does. */
  interface Fault {
    void come() throws Exception;
  }

  private record Plan(AtomicLong left, Fault fault) {}

  /** Sets what the n-th call of tasks does, once, whose job has the property so. */
  static void at(String name, long nth, Fault fault) {
    PLANS.put(name, new Plan(new AtomicLong(nth), fault));
  }

  /** Forgets it; true if the call has come. */
  static boolean came(String name) {
    return PLANS.remove(name).left.get() <= 0;
  }

  @Override
  public Long call(Long value) throws Exception {
    TaskContext task = TaskContext.get();
    // Spark computes some calls as it plans, where there is no task that could fail or be killed.
    String name = task == null ? null : task.getLocalProperty(PROPERTY);
    Plan plan = name == null ? null : PLANS.get(name);
    if (plan != null && plan.left.decrementAndGet() == 0) {
      plan.fault.come();
    }
    return value;
  }
}
