package io.github.sparkgpusched.columnar;

import io.github.sparkgpusched.api.ArrayColumn;
import io.github.sparkgpusched.api.BooleanColumn;
import io.github.sparkgpusched.api.BytesColumn;
import io.github.sparkgpusched.api.Columns;
import io.github.sparkgpusched.api.DoubleColumn;
import io.github.sparkgpusched.api.FloatColumn;
import io.github.sparkgpusched.api.IntColumn;
import io.github.sparkgpusched.api.LongColumn;
import java.util.Objects;

/**
 * The columns of a batch as a UDF's batch method sees them. Every access is checked against the
 * batch's rows: a UDF that asks for a row too many gets an exception, not somebody else's memory.
 */
public final class ArgumentColumns implements Columns {
  private final BatchColumn[] columns;
  private final Object[] views;

  /** Rows of the current batch. Written by the task thread between jobs. */
  private int rows;

  public ArgumentColumns(BatchColumn[] columns) {
    this.columns = columns;
    this.views = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      views[i] = view(columns[i]);
    }
  }

  /** Begins a batch. Task thread only, between jobs. */
  public void setRows(int rows) {
    this.rows = rows;
  }

  @Override
  public int count() {
    return columns.length;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public BooleanColumn booleans(int argument) {
    return as(BooleanColumn.class, "boolean", argument);
  }

  @Override
  public IntColumn ints(int argument) {
    return as(IntColumn.class, "byte, short, int or date", argument);
  }

  @Override
  public LongColumn longs(int argument) {
    return as(LongColumn.class, "long or timestamp", argument);
  }

  @Override
  public FloatColumn floats(int argument) {
    return as(FloatColumn.class, "float", argument);
  }

  @Override
  public DoubleColumn doubles(int argument) {
    return as(DoubleColumn.class, "double", argument);
  }

  @Override
  public BytesColumn bytes(int argument) {
    return as(BytesColumn.class, "string or binary", argument);
  }

  @Override
  public ArrayColumn arrays(int argument) {
    return as(ArrayColumn.class, "array", argument);
  }

  private <T> T as(Class<T> wanted, String wantedTypes, int argument) {
    if (argument < 0 || argument >= views.length) {
      throw new IndexOutOfBoundsException(
          "the batch method reads argument %s, counted from 0, but the call has %s"
              .formatted(argument, views.length));
    }
    Object view = views[argument];
    if (!wanted.isInstance(view)) {
      throw new IllegalArgumentException(
          "argument "
              // As in all messages; the batch method itself counts from 0.
              + (argument + 1)
              + " is of type "
              + columns[argument].dataType.simpleString()
              + ", but the batch method reads it as "
              + wantedTypes
              + ": cast it in the query, or read it as what it is");
    }
    return wanted.cast(view);
  }

  private Object view(BatchColumn column) {
    return switch (column.type) {
      case BOOLEAN -> new Booleans(column);
      case BYTE -> new Bytes(column);
      case SHORT -> new Shorts(column);
      case INT -> new Ints(column);
      case LONG -> new Longs(column);
      case FLOAT -> new Floats(column);
      case DOUBLE -> new Doubles(column);
      case BYTES -> new Strings(column);
      case ARRAY -> new ArrayView(column, this);
    };
  }

  private abstract class View {
    final BatchColumn column;

    View(BatchColumn column) {
      this.column = column;
    }

    int check(int row) {
      return Objects.checkIndex(row, rows);
    }

    /** Of every column interface. */
    @SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"})
    public boolean isNull(int row) {
      return column.isNull(check(row));
    }
  }

  private final class Booleans extends View implements BooleanColumn {
    Booleans(BatchColumn column) {
      super(column);
    }

    @Override
    public boolean get(int row) {
      return column.getBoolean(check(row));
    }
  }

  private final class Bytes extends View implements IntColumn {
    Bytes(BatchColumn column) {
      super(column);
    }

    @Override
    public int get(int row) {
      return column.getByte(check(row));
    }
  }

  private final class Shorts extends View implements IntColumn {
    Shorts(BatchColumn column) {
      super(column);
    }

    @Override
    public int get(int row) {
      return column.getShort(check(row));
    }
  }

  private final class Ints extends View implements IntColumn {
    Ints(BatchColumn column) {
      super(column);
    }

    @Override
    public int get(int row) {
      return column.getInt(check(row));
    }
  }

  private final class Longs extends View implements LongColumn {
    Longs(BatchColumn column) {
      super(column);
    }

    @Override
    public long get(int row) {
      return column.getLong(check(row));
    }
  }

  private final class Floats extends View implements FloatColumn {
    Floats(BatchColumn column) {
      super(column);
    }

    @Override
    public float get(int row) {
      return column.getFloat(check(row));
    }
  }

  private final class Doubles extends View implements DoubleColumn {
    Doubles(BatchColumn column) {
      super(column);
    }

    @Override
    public double get(int row) {
      return column.getDouble(check(row));
    }
  }

  private final class Strings extends View implements BytesColumn {
    Strings(BatchColumn column) {
      super(column);
    }

    @Override
    public int length(int row) {
      return column.isNull(check(row)) ? 0 : column.dataBytes(row);
    }

    @Override
    public byte get(int row, int index) {
      Objects.checkIndex(index, length(row));
      return OffHeap.getByte(column.dataAddress(row) + index);
    }

    @Override
    public int copy(int row, byte[] into) {
      int length = length(row);
      Objects.checkFromIndexSize(0, length, into.length);
      OffHeap.copyTo(column.dataAddress(row), into, length);
      return length;
    }
  }
}
