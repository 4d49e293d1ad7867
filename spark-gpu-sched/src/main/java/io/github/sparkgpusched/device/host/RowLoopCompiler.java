package io.github.sparkgpusched.device.host;

import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.ResultWriter;
import io.github.sparkgpusched.device.UdfCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeAndComment;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Map$;

/**
 * Makes row loops with Spark's own code generator, as Spark does for its row-wise UDFs. One class a
 * UDF class and signature: its call sites see one UDF and one type an argument, so the JIT compiler
 * inlines {@code call} and removes the boxes, which it cannot do in a loop that all UDFs share.
 * Spark caches the classes.
 */
final class RowLoopCompiler {
  private static final String COLUMN = BatchColumn.class.getName();

  private final List<Object> references = new ArrayList<>();
  private final StringBuilder fields = new StringBuilder();
  private final StringBuilder setup = new StringBuilder();

  private RowLoopCompiler() {}

  /**
   * A loop for one thread's copy of a UDF.
   *
   * @param udf the copy
   * @param mayBeNull whether rows may have null arguments
   */
  static RowLoop compile(UdfCall call, GpuUdf udf, boolean mayBeNull) {
    RowLoopCompiler compiler = new RowLoopCompiler();
    String source = compiler.source(call, udf, mayBeNull);
    return (RowLoop)
        CodeGenerator.compile(new CodeAndComment(source, Map$.MODULE$.empty()))
            ._1()
            .generate(compiler.references.toArray());
  }

  private String source(UdfCall call, GpuUdf udf, boolean mayBeNull) {
    int count = call.argumentTypes().size();
    String function = field("org.apache.spark.sql.api.java.UDF" + count, udf);
    StringBuilder columns = new StringBuilder();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String column = "a" + i;
      columns.append("%s %s = arguments[%s];\n".formatted(COLUMN, column, i));
      String value = read(call.argumentTypes().get(i), column);
      values.add(
          mayBeNull ? "(%s.isNull(row) ? null : (Object) %s)".formatted(column, value) : value);
    }
    // The name of the UDF's class makes the text, and so the class that Spark caches for it, its
    // own.
    return """
        public Object generate(Object[] references) {
          return new GeneratedRowLoop(references);
        }

        final class GeneratedRowLoop extends %s {
          private static final String UDF_CLASS = "%s";
          %s
          GeneratedRowLoop(Object[] references) {
            %s
          }

          public void run(%s[] arguments, %s out, int from, int until) throws Exception {
            %s
            for (int row = from; row < until; row++) {
              this.row = row;
              Object result = %s.call(%s);
              if (result != null) {
                try {
                  %s;
                } catch (ClassCastException e) {
                  throw new %s(result, e);
                }
              }
            }
          }
        }
        """
        .formatted(
            RowLoop.class.getName(),
            udf.getClass().getName(),
            fields,
            setup,
            COLUMN,
            ResultWriter.class.getName(),
            columns,
            function,
            String.join(", ", values),
            store(call.resultType()),
            RowLoop.WrongResult.class.getCanonicalName());
  }

  /** A field that holds an object from here. */
  private String field(String type, Object value) {
    String name = "f" + references.size();
    fields.append("private final %s %s;\n".formatted(type, name));
    setup.append("%s = (%s) references[%s];\n".formatted(name, type, references.size()));
    references.add(value);
    return name;
  }

  /** An expression for a row's argument as an object. */
  private String read(DataType type, String column) {
    Optional<Boxes> box = Boxes.of(type);
    if (box.isPresent()) {
      return box.get().boxed("%s.get%s(row)".formatted(column, box.get().accessor()));
    }
    String reader = field(ArgumentReader.class.getName(), RowCodec.reader(type));
    return "%s.read(%s, row)".formatted(reader, column);
  }

  /** A statement that stores an object that is not null. */
  private String store(DataType type) {
    Optional<Boxes> box = Boxes.of(type);
    if (box.isEmpty()) {
      return field(ResultSetter.class.getName(), RowCodec.setter(type)) + ".set(out, row, result)";
    }
    // Bytes and shorts are set as ints.
    boolean small = box.get() == Boxes.BYTE || box.get() == Boxes.SHORT;
    String setter = small ? "Int" : box.get().accessor();
    return "out.set%s(row, %s)".formatted(setter, box.get().unboxed("result"));
  }
}
