package io.github.sparkgpusched.columnar;

import io.github.sparkgpusched.shims.Variants;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A vector over anything that Spark can read by ordinal: rows, the elements of an array, the fields
 * of structs. It lets every SQL type travel beside a batch without a copy, whether or not a batched
 * function could take it.
 */
abstract class GetterColumnVector extends VectorView {
  GetterColumnVector(DataType type) {
    super(type);
  }

  /** What holds the value of a row. */
  abstract SpecializedGetters container(int row);

  /** Where in the container the value is. */
  abstract int ordinal(int row);

  static ColumnarArray arrayOf(ArrayData array, ArrayType type) {
    return new ColumnarArray(new Elements(array, type.elementType()), 0, array.numElements());
  }

  /** The same values, whose parts are taken from them, not from that vector's children. */
  static GetterColumnVector over(ColumnVector vector) {
    return new Elements(new ColumnarArray(vector, 0, Integer.MAX_VALUE), vector.dataType());
  }

  @Override
  public boolean hasNull() {
    return true;
  }

  @Override
  public boolean isNullAt(int row) {
    return container(row).isNullAt(ordinal(row));
  }

  @Override
  public boolean getBoolean(int row) {
    return container(row).getBoolean(ordinal(row));
  }

  @Override
  public byte getByte(int row) {
    return container(row).getByte(ordinal(row));
  }

  @Override
  public short getShort(int row) {
    return container(row).getShort(ordinal(row));
  }

  @Override
  public int getInt(int row) {
    return container(row).getInt(ordinal(row));
  }

  @Override
  public long getLong(int row) {
    return container(row).getLong(ordinal(row));
  }

  @Override
  public float getFloat(int row) {
    return container(row).getFloat(ordinal(row));
  }

  @Override
  public double getDouble(int row) {
    return container(row).getDouble(ordinal(row));
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return isNullAt(row) ? null : container(row).getDecimal(ordinal(row), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return isNullAt(row) ? null : container(row).getUTF8String(ordinal(row));
  }

  @Override
  public byte[] getBinary(int row) {
    return isNullAt(row) ? null : container(row).getBinary(ordinal(row));
  }

  @Override
  public ColumnarArray getArray(int row) {
    return isNullAt(row) ? null : arrayOf(container(row).getArray(ordinal(row)), (ArrayType) type);
  }

  @Override
  public ColumnarMap getMap(int row) {
    if (isNullAt(row)) {
      return null;
    }
    MapData map = container(row).getMap(ordinal(row));
    MapType mapType = (MapType) type;
    return new ColumnarMap(
        new Elements(map.keyArray(), mapType.keyType()),
        new Elements(map.valueArray(), mapType.valueType()),
        0,
        map.numElements());
  }

  /** Fields of a struct, or the parts of which Spark makes intervals and variants. */
  @Override
  public ColumnVector getChild(int ordinal) {
    if (type instanceof StructType struct) {
      return new Field(this, struct, ordinal);
    } else if (Variants.are(type)) {
      return new VariantPart(this, ordinal);
    } else if (type instanceof CalendarIntervalType) {
      return new IntervalPart(this, ordinal);
    }
    throw new UnsupportedOperationException(type.simpleString() + " has no children");
  }

  /** The elements of one array. */
  private static final class Elements extends GetterColumnVector {
    private final ArrayData array;

    Elements(ArrayData array, DataType type) {
      super(type);
      this.array = array;
    }

    @Override
    SpecializedGetters container(int row) {
      return array;
    }

    @Override
    int ordinal(int row) {
      return row;
    }
  }

  /** One field of the structs of another vector. */
  private static final class Field extends GetterColumnVector {
    private final GetterColumnVector parent;
    private final int fields;
    private final int ordinal;

    Field(GetterColumnVector parent, StructType struct, int ordinal) {
      super(struct.fields()[ordinal].dataType());
      this.parent = parent;
      this.fields = struct.length();
      this.ordinal = ordinal;
    }

    @Override
    InternalRow container(int row) {
      return parent.container(row).getStruct(parent.ordinal(row), fields);
    }

    @Override
    int ordinal(int row) {
      return ordinal;
    }

    @Override
    public boolean isNullAt(int row) {
      return parent.isNullAt(row) || super.isNullAt(row);
    }
  }

  /** A part of values that are one thing where they are kept. */
  private abstract static class Part extends GetterColumnVector {
    final GetterColumnVector parent;
    final int part;

    Part(DataType type, GetterColumnVector parent, int part) {
      super(type);
      this.parent = parent;
      this.part = part;
    }

    @Override
    SpecializedGetters container(int row) {
      return parent.container(row);
    }

    @Override
    int ordinal(int row) {
      return parent.ordinal(row);
    }
  }

  /** The value (0) or the metadata (1) of variants. */
  private static final class VariantPart extends Part {
    VariantPart(GetterColumnVector parent, int part) {
      super(DataTypes.BinaryType, parent, part);
    }

    @Override
    public byte[] getBinary(int row) {
      return Variants.part(parent.container(row), parent.ordinal(row), part);
    }
  }

  /** The months (0), days (1) or microseconds (2) of intervals. */
  private static final class IntervalPart extends Part {
    IntervalPart(GetterColumnVector parent, int part) {
      super(part == 2 ? DataTypes.LongType : DataTypes.IntegerType, parent, part);
    }

    private CalendarInterval interval(int row) {
      return parent.container(row).getInterval(parent.ordinal(row));
    }

    @Override
    public int getInt(int row) {
      CalendarInterval interval = interval(row);
      return part == 0 ? interval.months : interval.days;
    }

    @Override
    public long getLong(int row) {
      return interval(row).microseconds;
    }
  }
}
