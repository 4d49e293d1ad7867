package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.device.host.Boxes;
import io.github.sparkgpusched.sql.plan.Scala;
import io.github.sparkgpusched.sql.plan.UdfCaller;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import scala.Function1;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * A call that is computed where its row is, by {@code call} of the UDF. Null where its guard, the
 * last child, is not true; and where an argument is null, unless the UDF takes nulls.
 *
 * <p>Unlike Spark's own expression for Java UDFs, the generated code calls the UDF itself and not a
 * function that all UDFs share: the JIT compiler sees one class there, inlines {@code call}, and
 * removes the boxes. Errors are those of batches.
 */
final class InlineCall extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String CALLER = RowCaller.class.getName();

  private final RowCaller caller;
  private final boolean takesNulls;
  private final Seq<Expression> children;

  /** By argument; null for a type that has a box, and for strings. */
  private final List<Function1<Object, Object>> toJava = new ArrayList<>();

  /** Null for a type that has a box. */
  private final Function1<Object, Object> toCatalyst;

  /**
   * @param children the arguments, and the guard
   */
  InlineCall(RowCaller caller, boolean takesNulls, Seq<Expression> children) {
    this.caller = caller;
    this.takesNulls = takesNulls;
    this.children = children;
    for (DataType type : call().argumentTypes()) {
      boolean simple = Boxes.of(type).isPresent() || type instanceof StringType;
      toJava.add(simple ? null : CatalystTypeConverters.createToScalaConverter(type));
    }
    this.toCatalyst =
        Boxes.of(dataType()).isPresent()
            ? null
            : CatalystTypeConverters.createToCatalystConverter(dataType());
  }

  private UdfCall call() {
    return caller.call();
  }

  private int arguments() {
    return toJava.size();
  }

  @Override
  public Seq<Expression> children() {
    return children;
  }

  @Override
  public DataType dataType() {
    return call().resultType();
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public Object eval(InternalRow input) {
    if (!Boolean.TRUE.equals(children.apply(arguments()).eval(input))) {
      return null;
    }
    Object[] values = new Object[arguments()];
    Object[] objects = new Object[arguments()];
    for (int i = 0; i < values.length; i++) {
      values[i] = children.apply(i).eval(input);
      if (values[i] == null && !takesNulls) {
        return null;
      }
      objects[i] = values[i] == null ? null : object(values[i], i);
    }
    Object udf = caller.udf();
    Object result;
    try {
      result = UdfCaller.call(udf, objects);
    } catch (Throwable e) {
      throw caller.failed(values, null, e);
    }
    if (result == null || toCatalyst == null) {
      return result;
    }
    try {
      return toCatalyst.apply(result);
    } catch (RuntimeException e) {
      throw caller.failed(values, result, e);
    }
  }

  private Object object(Object value, int argument) {
    if (toJava.get(argument) != null) {
      return toJava.get(argument).apply(value);
    }
    return call().argumentTypes().get(argument) instanceof StringType ? value.toString() : value;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode ev) {
    String callerTerm = context.addReferenceObj("caller", caller, CALLER);
    String type = "org.apache.spark.sql.api.java.UDF" + arguments();
    // The name of the UDF's class makes the text, and so the class that Spark caches for it, its
    // own.
    String udf =
        context.addMutableState(
            type,
            "udf_" + caller.udfClass().replaceAll("\\W", "_"),
            initializer(v -> "%s = (%s) %s.udf();".formatted(v, type, callerTerm)),
            true,
            true);
    List<String> conditions = new ArrayList<>();
    List<String> objects = new ArrayList<>();
    List<ExprCode> values = new ArrayList<>();
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < arguments(); i++) {
      ExprCode argument = children.apply(i).genCode(context);
      code.append(argument.code()).append('\n');
      String value = argument.value().toString();
      String isNull = argument.isNull().toString();
      String object = object(context, i, value);
      boolean never = isNull.equals("false");
      if (!never && !takesNulls) {
        conditions.add("!" + isNull);
      }
      String orNull = "(%s ? null : (Object) %s)";
      objects.add(never || !takesNulls ? object : orNull.formatted(isNull, object));
      values.add(argument);
    }
    ExprCode guard = children.apply(arguments()).genCode(context);
    code.append(guard.code()).append('\n');
    if (!guard.value().toString().equals("true")) {
      conditions.add(0, "!%s && %s".formatted(guard.isNull(), guard.value()));
    }
    String result = context.freshName("result");
    String error = context.freshName("error");
    Failure failure = failure(context, callerTerm, values);
    code.append(
        """
        boolean %1$s = true;
        %2$s %3$s = %4$s;
        if (%5$s) {
          Object %6$s = null;
          try {
            %6$s = %7$s.call(%8$s);
          } catch (Throwable %9$s) {
            throw %10$s;
          }
          if (%6$s != null) {
            %1$s = false;
            try {
              %3$s = %11$s;
            } catch (RuntimeException %9$s) {
              throw %12$s;
            }
          }
        }
        """
            .formatted(
                ev.isNull(),
                CodeGenerator.javaType(dataType()),
                ev.value(),
                CodeGenerator.defaultValue(dataType(), false),
                conditions.isEmpty() ? "true" : String.join(" && ", conditions),
                result,
                udf,
                String.join(", ", objects),
                error,
                failure.of("null", error),
                unboxed(context, result),
                failure.of(result, error)));
    // A block's text has its escapes processed.
    String text = code.toString().replace("\\", "\\\\");
    return ev.copy(
        new CodeBlock(Scala.seq(List.of(text)), Scala.seq(List.of())), ev.isNull(), ev.value());
  }

  /** A function that gives what to throw, and what it is given of a row. */
  private record Failure(String function, List<String> row) {
    String of(String result, String error) {
      List<String> given = new ArrayList<>(List.of(result, error));
      given.addAll(row);
      return function + "(" + String.join(", ", given) + ")";
    }
  }

  /** In a function of its own, so that the code around the UDF stays small enough to be inlined. */
  private Failure failure(CodegenContext context, String caller, List<ExprCode> arguments) {
    List<String> parameters = new ArrayList<>(List.of("Object result", "Throwable error"));
    List<String> given = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      parameters.add(CodeGenerator.javaType(call().argumentTypes().get(i)) + " value" + i);
      parameters.add("boolean isNull" + i);
      given.add(arguments.get(i).value().toString());
      given.add(arguments.get(i).isNull().toString());
      values.add("isNull%s ? null : (Object) %s".formatted(i, boxedPrimitive(i, "value" + i)));
    }
    String name = context.freshName("failed");
    String function =
        context.addNewFunction(
            name,
            """
            private RuntimeException %s(%s) {
              return %s.failed(new Object[] {%s}, result, error);
            }
            """
                .formatted(name, String.join(", ", parameters), caller, String.join(", ", values)),
            false);
    return new Failure(function, given);
  }

  private String object(CodegenContext context, int argument, String value) {
    DataType type = call().argumentTypes().get(argument);
    Optional<Boxes> box = Boxes.of(type);
    if (box.isPresent()) {
      return box.get().boxed(value);
    } else if (type instanceof StringType) {
      return value + ".toString()";
    }
    String converter =
        context.addReferenceObj("converter", toJava.get(argument), Function1.class.getName());
    return "%s.apply(%s)".formatted(converter, boxedPrimitive(argument, value));
  }

  /** A value as Spark holds it, as an object: dates and timestamps are primitives, too. */
  private String boxedPrimitive(int argument, String value) {
    DataType type = call().argumentTypes().get(argument);
    return CodeGenerator.isPrimitiveType(type)
        ? CodeGenerator.boxedType(type) + ".valueOf(" + value + ")"
        : value;
  }

  private String unboxed(CodegenContext context, String result) {
    Optional<Boxes> box = Boxes.of(dataType());
    if (box.isPresent()) {
      return box.get().unboxed(result);
    }
    String converter = context.addReferenceObj("converter", toCatalyst, Function1.class.getName());
    String boxed = CodeGenerator.boxedType(dataType());
    return "(%s) %s.apply(%s)".formatted(boxed, converter, result);
  }

  /** Sets a field of generated code. */
  static Function1<String, String> initializer(java.util.function.UnaryOperator<String> code) {
    return new AbstractFunction1<>() {
      @Override
      public String apply(String field) {
        return code.apply(field);
      }
    };
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new InlineCall(caller, takesNulls, newChildren.toIndexedSeq());
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int n) {
    return List.of(caller, takesNulls, children).get(n);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof InlineCall;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InlineCall that
        && that.caller == caller
        && that.children.equals(children);
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(caller) + children.hashCode();
  }
}
