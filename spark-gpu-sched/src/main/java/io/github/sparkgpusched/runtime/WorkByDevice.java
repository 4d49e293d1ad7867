package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.load.Work;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import scala.collection.immutable.HashMap;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What the load accumulator holds. Immutable. Spark writes its text to the event log and the stage
 * page at the end of every task, so that is short however many devices there are.
 */
final class WorkByDevice extends AbstractMap<String, Work> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int DEVICES_IN_TEXT = 8;

  private final HashMap<String, Work> work;

  WorkByDevice(HashMap<String, Work> work) {
    this.work = work;
  }

  @Override
  public Work get(Object device) {
    return device instanceof String name ? work.getOrElse(name, () -> null) : null;
  }

  @Override
  public int size() {
    return work.size();
  }

  /** In the order of the names. */
  @Override
  public Set<Map.Entry<String, Work>> entrySet() {
    return Collections.unmodifiableMap(new TreeMap<>(CollectionConverters.asJava(work))).entrySet();
  }

  @Override
  public String toString() {
    if (size() <= DEVICES_IN_TEXT) {
      return super.toString();
    }
    Work all = Work.NONE;
    for (Work done : CollectionConverters.asJava(work).values()) {
      all = all.plus(done);
    }
    return "{" + size() + " devices=" + all + "}";
  }
}
