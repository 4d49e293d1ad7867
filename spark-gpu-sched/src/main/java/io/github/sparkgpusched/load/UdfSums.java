package io.github.sparkgpusched.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Load by UDF, of so many that are told apart; the others share one. Not thread-safe. */
final class UdfSums {
  private static final int MOST_UDFS = 500;

  private final Map<String, UdfLoad> byName = new TreeMap<>();

  UdfSums() {}

  UdfSums(UdfSums other) {
    byName.putAll(other.byName);
  }

  void add(List<UdfLoad> udfs) {
    for (UdfLoad udf : udfs) {
      boolean own = byName.containsKey(udf.udf()) || byName.size() < MOST_UDFS;
      UdfLoad named = own ? udf : udf.named(LoadTable.OTHERS);
      byName.merge(named.udf(), named, UdfLoad::plus);
    }
  }

  List<UdfLoad> loads() {
    return List.copyOf(byName.values());
  }
}
