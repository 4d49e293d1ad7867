package io.github.sparkgpusched.runtime;

import io.github.sparkgpusched.load.Work;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import scala.collection.immutable.HashMap;
import scala.collection.immutable.HashMap$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What the load accumulator holds. Immutable; one with more shares most of it. Spark writes its
 * text to the event log and the stage page at the end of every task, so that is short, and at hand,
 * however many devices there are.
 */
final class WorkByDevice extends AbstractMap<String, Work> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int DEVICES_IN_TEXT = 8;

  static final WorkByDevice NONE = new WorkByDevice(HashMap$.MODULE$.empty(), Work.NONE);

  private final HashMap<String, Work> work;

  /** Of all devices. */
  private final Work all;

  private WorkByDevice(HashMap<String, Work> work, Work all) {
    this.work = work;
    this.all = all;
  }

  /** This and more of one device. */
  WorkByDevice plus(String device, Work done) {
    Work before = get(device);
    return new WorkByDevice(
        work.updated(device, before == null ? done : before.plus(done)), all.plus(done));
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
    return "{" + size() + " devices=" + all + "}";
  }
}
