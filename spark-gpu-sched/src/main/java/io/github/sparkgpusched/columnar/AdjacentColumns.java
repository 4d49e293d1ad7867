package io.github.sparkgpusched.columnar;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Room for columns that are filled together. The values of one follow those of the other, and the
 * validity of all comes behind: a device copies all of it at once, or the values alone where no row
 * is null.
 */
public final class AdjacentColumns {
  /** A piece is found sooner the smaller it is, and copied no faster if it is larger. */
  private static final long MOST_BYTES = 4 << 20;

  private AdjacentColumns() {}

  /**
   * Makes room for rows in each column, as {@link BatchColumn#reserve} does.
   *
   * @param memory of the columns
   */
  public static void reserve(Collection<BatchColumn> columns, int rows, BatchMemory memory)
      throws BatchMemory.Refused {
    List<List<BatchColumn>> pieces = pieces(columns, rows);
    pieces.removeIf(piece -> piece.stream().allMatch(column -> column.hasRoom(rows)));
    // First all of them: a piece that there was may have columns of two of those to come.
    pieces.forEach(piece -> piece.forEach(BatchColumn::release));
    for (List<BatchColumn> piece : pieces) {
      reservePiece(piece, rows, memory);
    }
  }

  private static List<List<BatchColumn>> pieces(Collection<BatchColumn> columns, int rows) {
    List<List<BatchColumn>> pieces = new ArrayList<>();
    long bytes = 0;
    for (BatchColumn column : columns) {
      long more = bytes(column, rows);
      if (pieces.isEmpty() || bytes + more > MOST_BYTES) {
        pieces.add(new ArrayList<>());
        bytes = 0;
      }
      pieces.get(pieces.size() - 1).add(column);
      bytes += more;
    }
    return pieces;
  }

  private static long bytes(BatchColumn column, int rows) {
    return (long) rows * column.bytesPerRow();
  }

  private static void reservePiece(List<BatchColumn> columns, int rows, BatchMemory memory)
      throws BatchMemory.Refused {
    long bytes = columns.stream().mapToLong(column -> bytes(column, rows)).sum();
    long block = memory.allocate(bytes, columns.size());
    // The widest first, so that each is aligned.
    columns.sort(Comparator.comparing(column -> -column.type.width));
    long values = block;
    long validity = block + bytes - (long) rows * columns.size();
    for (BatchColumn column : columns) {
      column.place(block, values, validity, rows);
      values += (long) rows * column.type.width;
      validity += rows;
    }
  }
}
