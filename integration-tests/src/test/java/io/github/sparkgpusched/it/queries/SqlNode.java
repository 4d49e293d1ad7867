package io.github.sparkgpusched.it.queries;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A piece of a query: texts and smaller pieces. Immutable.
 *
 * @param kind what it may be replaced by: another of its kind; of the kind {@link #OPTIONAL}, by
 *     nothing
 * @param parts each a {@code String} or a {@code SqlNode}
 */
record SqlNode(String kind, List<Object> parts) {
  /** Of pieces that a query is right without. */
  static final String OPTIONAL = "optional";

  static SqlNode of(String kind, Object... parts) {
    return new SqlNode(kind, Arrays.asList(parts));
  }

  /** Pieces with a text between each two. */
  static SqlNode list(String kind, String between, List<SqlNode> pieces) {
    List<Object> parts = new ArrayList<>();
    for (SqlNode piece : pieces) {
      if (!parts.isEmpty()) {
        parts.add(between);
      }
      parts.add(piece);
    }
    return new SqlNode(kind, parts);
  }

  String text() {
    return parts.stream()
        .map(part -> part instanceof SqlNode node ? node.text() : (String) part)
        .collect(Collectors.joining());
  }

  /**
   * The smallest piece, as far as one step at a time and so many tries find it, that a test still
   * holds for.
   */
  SqlNode shrunk(int tries, Predicate<SqlNode> test) {
    SqlNode smallest = this;
    AtomicInteger left = new AtomicInteger(tries);
    for (Optional<SqlNode> next = Optional.of(this); next.isPresent(); ) {
      smallest = next.get();
      next =
          smallest.smaller().stream()
              .takeWhile(piece -> left.getAndDecrement() > 0)
              .filter(test)
              .findFirst();
    }
    return smallest;
  }

  /** What it may be replaced by, the greatest steps first. */
  private List<SqlNode> smaller() {
    List<SqlNode> all = new ArrayList<>();
    if (kind.equals(OPTIONAL) && !parts.isEmpty()) {
      all.add(of(OPTIONAL));
    }
    for (Object part : parts) {
      if (part instanceof SqlNode node) {
        node.addAllOf(kind, all);
      }
    }
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof SqlNode node) {
        for (SqlNode less : node.smaller()) {
          List<Object> changed = new ArrayList<>(parts);
          changed.set(i, less);
          all.add(new SqlNode(kind, changed));
        }
      }
    }
    return all;
  }

  private void addAllOf(String wanted, List<SqlNode> all) {
    if (kind.equals(wanted) && !wanted.equals(OPTIONAL)) {
      all.add(this);
    }
    for (Object part : parts) {
      if (part instanceof SqlNode node) {
        node.addAllOf(wanted, all);
      }
    }
  }
}
