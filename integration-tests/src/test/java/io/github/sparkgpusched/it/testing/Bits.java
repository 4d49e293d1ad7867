package io.github.sparkgpusched.it.testing;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.Decimal;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Values as texts that are equal only if the values are, bit for bit: {@code equals} takes 0.0 for
 * -0.0 and one NaN for another.
 */
public final class Bits {
  private Bits() {}

  /** One text a row, in the rows' order. */
  public static List<String> of(List<Row> rows) {
    return rows.stream().map(Bits::of).toList();
  }

  public static String of(Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof Double d) {
      return d + "/" + Long.toHexString(Double.doubleToRawLongBits(d));
    } else if (value instanceof Float f) {
      return f + "f/" + Integer.toHexString(Float.floatToRawIntBits(f));
    } else if (value instanceof byte[] bytes) {
      return "0x" + HexFormat.of().formatHex(bytes);
    } else if (value instanceof Row row) {
      List<Object> fields = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        fields.add(row.get(i));
      }
      return all("(", fields, ")");
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      TreeSet<String> entries = new TreeSet<>();
      Iterator<?> each = map.iterator();
      while (each.hasNext()) {
        Tuple2<?, ?> entry = (Tuple2<?, ?>) each.next();
        entries.add(of(entry._1()) + "=" + of(entry._2()));
      }
      return entries.toString();
    } else if (value instanceof scala.collection.Seq<?> seq) {
      List<Object> elements = new ArrayList<>();
      Iterator<?> each = seq.iterator();
      while (each.hasNext()) {
        elements.add(each.next());
      }
      return all("[", elements, "]");
    } else if (value.getClass().getSimpleName().equals("VariantVal") || value instanceof Decimal) {
      return value.toString();
    }
    return value + ":" + value.getClass().getSimpleName();
  }

  private static String all(String open, List<Object> values, String close) {
    StringJoiner text = new StringJoiner(", ", open, close);
    values.forEach(value -> text.add(of(value)));
    return text.toString();
  }
}
