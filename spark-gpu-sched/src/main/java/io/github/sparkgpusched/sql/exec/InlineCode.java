package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.columnar.AppendedColumns;
import io.github.sparkgpusched.sql.plan.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.execution.CodegenSupport;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;

/**
 * Writes the code of an {@link AdaptiveUdfsExec} for one stage. What comes after the calls is
 * generated once, over local variables that hold a row's columns; its text stands in two places,
 * each of which declares these variables: where a row is computed in place, and where a row of a
 * batch goes on. What operators above keep from row to row are fields of the generated class, which
 * both texts share: limits, row numbers and random numbers see one sequence of rows.
 *
 * <p>A stage's code returns whenever it has a row for who reads it, and goes on at the start. So a
 * batch is drained there first, and where it is full, and at the end of the input. Where the child
 * may give several rows before it looks whether it should return, Spark copies the stage's rows,
 * and a batch is drained at once. The child's code is a function of its own, as it may return at
 * the end of its input, too, and is not called again then.
 */
final class InlineCode {
  private static final String ROWS = InlineRows.class.getName();

  /** A function with a parameter a column, and one for its null if it may be null. */
  private record Function(String name, List<Attribute> columns) {
    String call(List<ExprCode> values) {
      return name + "(" + String.join(", ", arguments(values)) + ");";
    }

    List<String> arguments(List<ExprCode> values) {
      List<String> arguments = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        arguments.add(values.get(i).value().toString());
        if (columns.get(i).nullable()) {
          arguments.add(values.get(i).isNull().toString());
        }
      }
      return arguments;
    }
  }

  private final AdaptiveUdfsExec node;
  private final CodegenContext context;
  private final List<Attribute> inputs;
  private final List<Attribute> kept;
  private final List<Attribute> results;

  /** Of the child's columns, those that are passed on. */
  private final List<Attribute> passed;

  private final List<Expression> calls;
  private final String rows;

  // Null until the child has asked for the code of a row.
  private Locals emitted;
  private String emit;
  private Function rare;
  private String drain;

  InlineCode(AdaptiveUdfsExec node, CodegenContext context, InlineSpec spec) {
    this.node = node;
    this.context = context;
    this.inputs = Scala.list(node.child().output());
    this.kept = node.kept();
    this.results = Scala.list(node.calls().results());
    this.passed = Scala.list(node.calls().passed());
    this.calls = node.inlineCalls(spec);
    String given = context.addReferenceObj("calls", spec, Serializable.class.getName());
    this.rows =
        context.addMutableState(
            ROWS,
            "inlineRows",
            InlineCall.initializer(v -> "%s = %s.begin(%s);".formatted(v, ROWS, given)),
            true,
            true);
  }

  /** Whether the columns that batches keep can be the parameters of a function. */
  static boolean fits(AdaptiveUdfsExec node) {
    return CodeGenerator.isValidParamLength(
        CodeGenerator.calculateParamLength(Scala.<Expression>seq(node.kept())));
  }

  /** The code that produces the node's rows. */
  String produce() {
    String input = ((CodegenSupport) node.child()).produce(context, node);
    if (drain == null) {
      return input; // a child without rows
    }
    boolean stops = node.needStopCheck();
    String stop = stops ? "if (shouldStop()) return;" : "";
    String ended =
        context.addMutableState(
            "boolean", "inputEnded", InlineCall.initializer(v -> v + " = false;"), true, true);
    return String.join(
        "\n",
        stops ? drain + "();\nif (shouldStop()) return;" : "",
        "if (!%s) {\n%s\n%s\n%s = true;\n}".formatted(ended, inFunction(input), stop, ended),
        "%s.compute();\n%s();".formatted(rows, drain),
        stop,
        "%s.end();".formatted(rows));
  }

  /** A call of the child's code, which may read the index of the partition. */
  private String inFunction(String input) {
    String name = context.freshName("input");
    String code =
        "private void %s(int partitionIndex) throws java.io.IOException {\n%s\n}"
            .formatted(name, input);
    return context.addNewFunction(name, code, false) + "(partitionIndex);";
  }

  /**
   * The code for a row of the child.
   *
   * @param input the child's columns
   * @param evaluated the code that evaluates those of them that are kept, which is to stand first
   */
  String consume(List<ExprCode> input, String evaluated) {
    if (emit == null) {
      List<Attribute> columns = new ArrayList<>(passed);
      columns.addAll(results);
      emitted = new Locals(columns);
      emit = node.consume(context, Scala.seq(emitted.values), null);
      drain = drainFunction();
      rare = rareFunction();
    }
    String limits = node.limitNotReachedCond();
    return """
        %s
        if (%s %s.next()) {
          %s
        } else %s{
          %s
        }
        """
        .formatted(
            evaluated,
            limits,
            rows,
            inPlace(input, ""),
            limits.isEmpty() ? "" : "if (" + limits + " true) ",
            rare.call(pickKept(input)));
  }

  /**
   * The code that computes a row's calls, and goes on with it.
   *
   * @param input the child's columns
   * @param between the code that stands between the two
   */
  private String inPlace(List<ExprCode> input, String between) {
    context.currentVars_$eq(Scala.seq(input));
    context.INPUT_ROW_$eq(null);
    List<ExprCode> values = new ArrayList<>();
    for (Attribute column : passed) {
      values.add(input.get(UdfCalls.ordinal(column, inputs)));
    }
    StringBuilder code = new StringBuilder();
    for (Expression call : calls) {
      Expression bound =
          BindReferences.bindReference(
              call, package$.MODULE$.AttributeSeq(node.child().output()), false);
      ExprCode result = bound.genCode(context);
      code.append(result.code()).append('\n');
      values.add(result);
    }
    return code.append(between).append(emitted.declare(values)).append(emit).toString();
  }

  private List<ExprCode> pickKept(List<ExprCode> input) {
    List<ExprCode> picked = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      if (kept.contains(inputs.get(i))) {
        picked.add(input.get(i));
      }
    }
    return picked;
  }

  /**
   * A row that is timed, or belongs to a batch. It has a function of its own, so that the code of a
   * row in place stays as small as can be: the JIT compiler inlines it into the child's loop then.
   */
  private Function rareFunction() {
    Locals parameters = new Locals(kept);
    List<ExprCode> input = new ArrayList<>();
    for (Attribute column : inputs) {
      int at = kept.indexOf(column);
      input.add(at < 0 ? ExprCode.forNullValue(column.dataType()) : parameters.values.get(at));
    }
    String timed = inPlace(input, "%s.timed();\n".formatted(rows));
    String body =
        """
        if (%1$s.isBatched()) {
          %2$s
          if (%1$s.isFull()) {
            %1$s.compute();
            %3$s();
          }
        } else {
          %4$s
        }
        """
            .formatted(rows, addFunction().call(parameters.values), drain, timed);
    return function("rare", parameters, body);
  }

  /** Adds a row to the batch, value by value. */
  private Function addFunction() {
    Locals parameters = new Locals(kept);
    String columns = context.freshName("columns");
    StringBuilder code = new StringBuilder();
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      DataType type = kept.get(i).dataType();
      if (AppendedColumns.isOther(type)) {
        others.add(i);
        continue;
      }
      ExprCode value = parameters.values.get(i);
      String set = "%s.set%s(%s, %s);".formatted(columns, setter(type), i, value.value());
      code.append(
          kept.get(i).nullable()
              ? "if (%s) { %s.setNull(%s); } else { %s }\n"
                  .formatted(value.isNull(), columns, i, set)
              : set + "\n");
    }
    if (!others.isEmpty()) {
      ExprCode row = row(parameters, others);
      code.append(row.code()).append("%s.setOthers(%s);%n".formatted(columns, row.value()));
    }
    List<Integer> all = IntStream.range(0, kept.size()).boxed().toList();
    ExprCode row = row(parameters, all);
    Function keep =
        function("keep", parameters, "%s%n%s.keep(%s);".formatted(row.code(), rows, row.value()));
    String body =
        """
        %1$s %2$s = %3$s.row();
        %4$s
        if (!%2$s.endRow()) {
          %5$s
        }
        """
            .formatted(
                AppendedColumns.class.getName(), columns, rows, code, keep.call(parameters.values));
    return function("add", parameters, body);
  }

  /** The code that writes some of the columns that batches keep as a row. */
  private ExprCode row(Locals parameters, List<Integer> columns) {
    List<Expression> references = new ArrayList<>();
    for (int i : columns) {
      references.add(new BoundReference(i, kept.get(i).dataType(), kept.get(i).nullable()));
    }
    context.currentVars_$eq(Scala.seq(parameters.values));
    context.INPUT_ROW_$eq(null);
    return GenerateUnsafeProjection.createCode(context, Scala.seq(references), false);
  }

  /** What {@link AppendedColumns} calls values of a type. */
  private static String setter(DataType type) {
    if (type instanceof StringType) {
      return "String";
    } else if (type instanceof BinaryType) {
      return "Binary";
    } else if (type instanceof ArrayType) {
      return "Array";
    }
    return CodeGenerator.primitiveTypeName(type);
  }

  /** Hands on the rows of a batch. */
  private String drainFunction() {
    StringBuilder code = new StringBuilder();
    List<ExprCode> values = new ArrayList<>();
    String row = context.freshName("batchRow");
    for (Attribute column : passed) {
      values.add(fromBatch(UdfCalls.ordinal(column, kept), column, row, code));
    }
    int column = kept.size();
    for (Attribute result : results) {
      values.add(fromBatch(column++, result, row, code));
    }
    boolean copied = ((CodegenSupport) node.child()).needCopyResult();
    String name = context.freshName("drain");
    return context.addNewFunction(
        name,
        """
        private void %s() throws java.io.IOException {
          while (%s %s.nextOfBatch()) {
            int %s = %s.batchRow();
            %s
            %s
            %s
            %s
          }
        }
        """
            .formatted(
                name,
                node.limitNotReachedCond(),
                rows,
                row,
                rows,
                code,
                emitted.declare(values),
                emit,
                node.needStopCheck() && !copied ? "if (shouldStop()) return;" : ""),
        false);
  }

  private ExprCode fromBatch(int column, Attribute attribute, String row, StringBuilder code) {
    String type = CodeGenerator.javaType(attribute.dataType());
    String vector = context.freshName("vector");
    String value = context.freshName("value");
    String isNull = context.freshName("isNull");
    code.append(
        "org.apache.spark.sql.vectorized.ColumnVector %s = %s.column(%s);\n"
            .formatted(vector, rows, column));
    String read = CodeGenerator.getValueFromVector(vector, attribute.dataType(), row);
    if (!attribute.nullable()) {
      code.append("%s %s = %s;\n".formatted(type, value, read));
      return ExprCode.forNonNullValue(JavaCode.variable(value, attribute.dataType()));
    }
    code.append("boolean %s = %s.isNullAt(%s);\n".formatted(isNull, vector, row));
    code.append(
        "%s %s = %s ? %s : (%s);\n"
            .formatted(
                type,
                value,
                isNull,
                CodeGenerator.defaultValue(attribute.dataType(), false),
                read));
    return ExprCode.apply(
        JavaCode.isNullVariable(isNull), JavaCode.variable(value, attribute.dataType()));
  }

  private Function function(String name, Locals parameters, String body) {
    String fresh = context.freshName(name);
    String callable =
        context.addNewFunction(
            fresh,
            "private void %s(%s) throws java.io.IOException {\n%s\n}"
                .formatted(fresh, String.join(", ", parameters.declared), body),
            false);
    return new Function(callable, parameters.columns);
  }

  /** Variables for the columns of a row, and for the nulls of those that may be null. */
  private final class Locals {
    final List<Attribute> columns;
    final List<String> declared = new ArrayList<>();
    final List<ExprCode> values = new ArrayList<>();

    Locals(List<Attribute> columns) {
      this.columns = columns;
      for (Attribute column : columns) {
        String value = context.freshName("value");
        declared.add(CodeGenerator.javaType(column.dataType()) + " " + value);
        var variable = JavaCode.variable(value, column.dataType());
        if (column.nullable()) {
          String isNull = context.freshName("isNull");
          declared.add("boolean " + isNull);
          values.add(ExprCode.apply(JavaCode.isNullVariable(isNull), variable));
        } else {
          values.add(ExprCode.forNonNullValue(variable));
        }
      }
    }

    /** Declares them, with these values. */
    String declare(List<ExprCode> given) {
      List<String> arguments = new Function("", columns).arguments(given);
      StringBuilder code = new StringBuilder();
      for (int i = 0; i < declared.size(); i++) {
        code.append("%s = %s;\n".formatted(declared.get(i), arguments.get(i)));
      }
      return code.toString();
    }
  }
}
