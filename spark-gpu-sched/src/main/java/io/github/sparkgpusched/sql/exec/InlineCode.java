package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.execution.CodegenSupport;

/**
 * Writes the code of an {@link AdaptiveUdfsExec} for one stage. What comes after the calls is
 * generated once, as Spark's operators keep state per place where they are: in a function, {@code
 * emit}, that is called for a row that is computed where it is, and for each row of a batch. Two
 * more functions collect rows into a batch, and drain it.
 *
 * <p>A stage's code returns whenever it has a row for who reads it, and goes on at the start. So a
 * batch is drained there first, and by {@code collect} and at the end of the input. Where the child
 * may give several rows before it looks whether it should return, Spark copies the stage's rows,
 * and a batch is drained at once.
 */
final class InlineCode {
  private static final String ROWS = InlineRows.class.getName();

  /** A function with a parameter a column, and one for its null if it may be null. */
  private record Function(String name, List<Attribute> columns) {
    String call(List<ExprCode> values) {
      List<String> arguments = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        arguments.add(values.get(i).value().toString());
        if (columns.get(i).nullable()) {
          arguments.add(values.get(i).isNull().toString());
        }
      }
      return name + "(" + String.join(", ", arguments) + ");";
    }
  }

  private final AdaptiveUdfsExec node;
  private final CodegenContext context;
  private final List<Attribute> inputs;
  private final List<Attribute> kept;
  private final List<Attribute> results;

  /** Of the child's columns, those that are read above. */
  private final Set<ExprId> read;

  private final List<Expression> calls;
  private final String rows;

  // Null until the child has asked for the code of a row.
  private Function emit;
  private Function collect;
  private String drain;

  InlineCode(AdaptiveUdfsExec node, CodegenContext context, InlineSpec spec) {
    this.node = node;
    this.context = context;
    this.inputs = Scala.list(node.child().output());
    this.kept = node.kept();
    this.results = Scala.list(node.calls().results());
    this.read = node.read().stream().map(Attribute::exprId).collect(Collectors.toSet());
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

  /** Whether a row's columns can be the parameters of a function. */
  static boolean fits(AdaptiveUdfsExec node) {
    List<Expression> emitted = new ArrayList<>(node.read());
    emitted.addAll(Scala.<Expression>list(node.calls().results()));
    return isFew(emitted) && isFew(new ArrayList<>(node.kept()));
  }

  private static boolean isFew(List<Expression> columns) {
    return CodeGenerator.isValidParamLength(
        CodeGenerator.calculateParamLength(Scala.<Expression>seq(columns)));
  }

  /** The code that produces the node's rows. */
  String produce() {
    String input = ((CodegenSupport) node.child()).produce(context, node);
    if (drain == null) {
      return input; // a child without rows
    }
    boolean stops = node.needStopCheck();
    return String.join(
        "\n",
        stops ? drain + "();\nif (shouldStop()) return;" : "",
        input,
        stops ? "if (shouldStop()) return;" : "",
        "%s.compute();\n%s();".formatted(rows, drain));
  }

  /** The code for a row of the child, whose columns that are used have been evaluated. */
  String consume(List<ExprCode> input) {
    context.currentVars_$eq(Scala.seq(input));
    context.INPUT_ROW_$eq(null);
    StringBuilder code = new StringBuilder();
    List<ExprCode> emitted = pick(input, this::isRead);
    for (Expression call : calls) {
      Expression bound =
          BindReferences.bindReference(
              call, package$.MODULE$.AttributeSeq(node.child().output()), false);
      ExprCode result = bound.genCode(context);
      code.append(result.code()).append('\n');
      emitted.add(result);
    }
    if (emit == null) {
      emit = emitFunction();
      drain = drainFunction();
      collect = collectFunction();
    }
    String how = context.freshName("how");
    String limits = node.limitNotReachedCond();
    return """
        %1$sint %2$s = %3$s.next();
        if (%2$s == %4$d) {
          %5$s
        } else {
          %6$s
          if (%2$s == %7$d) {
            %3$s.timed();
          }
          %8$s
        }
        %9$s"""
        .formatted(
            limits.isEmpty() ? "" : "if (" + limits + " true) {\n",
            how,
            rows,
            InlineRows.BATCHED,
            collect.call(pick(input, kept::contains)),
            code,
            InlineRows.TIMED,
            emit.call(emitted),
            limits.isEmpty() ? "" : "}");
  }

  private boolean isRead(Attribute column) {
    return read.contains(column.exprId());
  }

  private List<ExprCode> pick(
      List<ExprCode> input, java.util.function.Predicate<Attribute> wanted) {
    List<ExprCode> picked = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      if (wanted.test(inputs.get(i))) {
        picked.add(input.get(i));
      }
    }
    return picked;
  }

  /** What is done with a row whose results are there. */
  private Function emitFunction() {
    List<Attribute> columns = new ArrayList<>(inputs.stream().filter(this::isRead).toList());
    columns.addAll(results);
    Parameters parameters = new Parameters(columns);
    List<ExprCode> output = new ArrayList<>();
    int next = 0;
    for (Attribute input : inputs) {
      output.add(
          isRead(input) ? parameters.values.get(next++) : ExprCode.forNullValue(input.dataType()));
    }
    output.addAll(parameters.values.subList(next, columns.size()));
    return function("emit", parameters, node.consume(context, Scala.seq(output), null));
  }

  /** Adds a row to the batch. */
  private Function collectFunction() {
    Parameters parameters = new Parameters(kept);
    List<Expression> references = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      references.add(new BoundReference(i, kept.get(i).dataType(), kept.get(i).nullable()));
    }
    context.currentVars_$eq(Scala.seq(parameters.values));
    context.INPUT_ROW_$eq(null);
    ExprCode row = GenerateUnsafeProjection.createCode(context, Scala.seq(references), false);
    String body =
        """
        %s
        if (%s.add(%s)) {
          %s.compute();
          %s();
        }
        """
            .formatted(row.code(), rows, row.value(), rows, drain);
    return function("collect", parameters, body);
  }

  /** Hands on the rows of a batch. */
  private String drainFunction() {
    StringBuilder code = new StringBuilder();
    List<ExprCode> values = new ArrayList<>();
    String row = context.freshName("batchRow");
    int column = 0;
    for (Attribute attribute : kept) {
      if (isRead(attribute)) {
        values.add(fromBatch(column, attribute, row, code));
      }
      column++;
    }
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
                emit.call(values),
                node.needStopCheck() && !copied ? "if (shouldStop()) return;" : ""),
        false);
  }

  private ExprCode fromBatch(int column, Attribute attribute, String row, StringBuilder code) {
    String type = CodeGenerator.javaType(attribute.dataType());
    String vector = context.freshName("vector");
    String value = context.freshName("value");
    String isNull = context.freshName("isNull");
    code.append(
        "org.apache.spark.sql.vectorized.ColumnVector %s = %s.column(%d);\n"
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

  private Function function(String name, Parameters parameters, String body) {
    String fresh = context.freshName(name);
    String callable =
        context.addNewFunction(
            fresh,
            "private void %s(%s) throws java.io.IOException {\n%s\n}"
                .formatted(fresh, String.join(", ", parameters.declared), body),
            false);
    return new Function(callable, parameters.columns);
  }

  /** Parameters of a function for the columns of a row. */
  private final class Parameters {
    final List<Attribute> columns;
    final List<String> declared = new ArrayList<>();
    final List<ExprCode> values = new ArrayList<>();

    Parameters(List<Attribute> columns) {
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
  }
}
