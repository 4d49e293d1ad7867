package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.Measure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A table that is sorted and cut into pages on the server, by parameters {@code NAME.sort}, {@code
 * NAME.desc} and {@code NAME.page}: a browser gets one page of it however long it is.
 */
final class PagedTable<T> {
  static final int PAGE_ROWS = 50;

  private record Column<T>(
      String key, String title, String hint, Comparator<T> order, BiConsumer<Html, T> cell) {}

  private final String name;
  private final String title;
  private final Query query;
  private final List<Column<T>> columns = new ArrayList<>();

  /** Keys of columns whose cells are numbers, and stand to the right. */
  private final Set<String> numbers = new HashSet<>();

  private String defaultSort = "";
  private boolean defaultDescending;

  /**
   * A table without columns yet.
   *
   * @param name what its parameters begin with, and the section's id
   * @param title what it is a table of
   */
  PagedTable(String name, String title, Query query) {
    this.name = name;
    this.title = title;
    this.query = query;
  }

  PagedTable<T> sortedBy(String key, boolean descending) {
    defaultSort = key;
    defaultDescending = descending;
    return this;
  }

  /** A column; one without an order cannot be sorted by. */
  PagedTable<T> column(
      String key, String title, String hint, Comparator<T> order, BiConsumer<Html, T> cell) {
    columns.add(new Column<>(key, title, hint, order, cell));
    return this;
  }

  /** A column of numbers, whose heading stands to the right as they do. */
  PagedTable<T> numbers(
      String key, String title, String hint, Comparator<T> order, BiConsumer<Html, T> cell) {
    numbers.add(key);
    return column(key, title, hint, order, cell);
  }

  /** A column of numbers that stand alone, as texts. */
  PagedTable<T> figures(
      String key, String title, String hint, Comparator<T> order, Function<T, String> value) {
    return numbers(
        key,
        title,
        hint,
        order,
        (html, row) -> html.raw("<td class=\"gs-num\">").text(value.apply(row)).raw("</td>"));
  }

  PagedTable<T> text(String key, String title, String hint, Function<T, String> value) {
    return words(key, title, hint, value, "<td>");
  }

  /** The same, of texts that may be long, and break anywhere. */
  PagedTable<T> prose(String key, String title, String hint, Function<T, String> value) {
    return words(key, title, hint, value, "<td class=\"gs-prose\">");
  }

  private PagedTable<T> words(
      String key, String title, String hint, Function<T, String> value, String cell) {
    return column(
        key,
        title,
        hint,
        Comparator.comparing(value, Names.ORDER),
        (html, row) -> html.raw(cell).text(value.apply(row)).raw("</td>"));
  }

  PagedTable<T> count(String key, String title, String hint, ToLongFunction<T> value) {
    return figures(
        key,
        title,
        hint,
        Comparator.comparingLong(value),
        row -> Format.count(value.applyAsLong(row)));
  }

  /** A column of a measure, but if it is nullable and no row has anything of it. */
  PagedTable<T> measure(Measure<T> measure, List<T> rows) {
    if (measure.nullable() && rows.stream().allMatch(row -> keptOr(measure, row, 0) == 0)) {
      return this;
    }
    return figures(
        measure.name(),
        measure.title(),
        measure.nullable()
            ? measure.description() + "; empty where it is not measured"
            : measure.description(),
        Comparator.comparingLong(row -> keptOr(measure, row, -1)),
        row -> {
          Long kept = measure.kept(row);
          return kept == null ? "" : Format.measure(measure.unit(), kept);
        });
  }

  private static <T> long keptOr(Measure<T> measure, T row, long missing) {
    Long kept = measure.kept(row);
    return kept == null ? missing : kept;
  }

  PagedTable<T> nanos(String key, String title, String hint, ToLongFunction<T> value) {
    return figures(
        key,
        title,
        hint,
        Comparator.comparingLong(value),
        row -> Format.nanos(value.applyAsLong(row)));
  }

  private String sort() {
    return query.get(name + ".sort", defaultSort);
  }

  private boolean descending() {
    return query.get(name + ".desc", String.valueOf(defaultDescending)).equals("true");
  }

  /** All rows in the order that was asked for. */
  List<T> sorted(List<T> rows) {
    List<T> sorted = new ArrayList<>(rows);
    for (Column<T> column : columns) {
      if (column.key().equals(sort()) && column.order() != null) {
        sorted.sort(descending() ? column.order().reversed() : column.order());
      }
    }
    return sorted;
  }

  /** The rows of the page that was asked for, of sorted rows. */
  List<T> page(List<T> sorted) {
    int from = pageNumber(sorted.size()) * PAGE_ROWS;
    return sorted.subList(from, Math.min(sorted.size(), from + PAGE_ROWS));
  }

  private int pageNumber(int rows) {
    return Math.min(query.number(name + ".page", 1) - 1, lastPage(rows)) < 0
        ? 0
        : Math.min(query.number(name + ".page", 1) - 1, lastPage(rows));
  }

  private static int lastPage(int rows) {
    return Math.max(0, (rows - 1) / PAGE_ROWS);
  }

  void render(Html html, List<T> sorted) {
    html.raw("<div class=\"gs-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
        .text(title)
        .raw("\"><table class=\"table table-bordered table-sm table-striped gs-table\">")
        .raw("<caption class=\"gs-hidden\">")
        .text(title)
        .raw("</caption><thead><tr>");
    for (Column<T> column : columns) {
      boolean current = column.key().equals(sort());
      html.raw("<th scope=\"col\" ")
          .raw(numbers.contains(column.key()) ? "class=\"gs-num\" title=\"" : "title=\"")
          .text(column.hint())
          .raw("\"");
      if (current) {
        html.raw(descending() ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"");
      }
      html.raw(">");
      if (column.order() == null) {
        html.text(column.title());
      } else {
        // Of figures people look for the greatest, of names for the first.
        boolean next = current ? !descending() : numbers.contains(column.key());
        String link =
            query
                .with(name + ".sort", column.key(), name + ".desc", "" + next, name + ".page", "1")
                .link(name);
        html.raw("<a href=\"").text(link).raw("\">").text(column.title());
        html.raw(current ? descending() ? "&nbsp;▾</a>" : "&nbsp;▴</a>" : "</a>");
      }
      html.raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for (T row : page(sorted)) {
      html.raw("<tr>");
      columns.forEach(column -> column.cell().accept(html, row));
      html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
    renderPages(html, sorted.size());
    renderHelp(html);
  }

  /** What a heading's hint says, for who has no mouse to point with. */
  private void renderHelp(Html html) {
    html.raw("<details class=\"gs-help\"><summary>What the columns mean</summary><dl>");
    for (Column<T> column : columns) {
      html.raw("<dt>").text(column.title()).raw("</dt><dd>").text(column.hint()).raw("</dd>");
    }
    html.raw("</dl></details>");
  }

  private void renderPages(Html html, int rows) {
    int last = lastPage(rows);
    if (last == 0) {
      return;
    }
    int current = pageNumber(rows);
    html.raw("<nav class=\"gs-pages\" aria-label=\"pages of ").text(title).raw("\">");
    pageLink(html, "‹ previous", current - 1, current > 0);
    html.raw("<span>page ")
        .number(current + 1)
        .raw(" of ")
        .number(last + 1)
        .raw(", ")
        .text(Format.count(rows))
        .raw(" rows</span>");
    pageLink(html, "next ›", current + 1, current < last);
    html.raw("</nav>");
  }

  private void pageLink(Html html, String title, int page, boolean exists) {
    if (exists) {
      String link = query.with(name + ".page", String.valueOf(page + 1)).link(name);
      html.raw("<a href=\"").text(link).raw("\">").text(title).raw("</a>");
    } else {
      html.raw("<span class=\"gs-off\">").text(title).raw("</span>");
    }
  }
}
