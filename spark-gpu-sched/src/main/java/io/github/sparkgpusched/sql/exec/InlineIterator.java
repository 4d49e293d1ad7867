package io.github.sparkgpusched.sql.exec;

import io.github.sparkgpusched.sql.plan.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * The rows of an {@link AdaptiveUdfsExec} where Spark does not generate one code for the whole
 * stage: it has too many columns, or users do not want it. The same in all else as what {@link
 * InlineCode} generates. One thread at a time.
 */
final class InlineIterator extends ReadyIterator<InternalRow> {
  private final Iterator<InternalRow> input;
  private final InlineRows rows;
  private final UnsafeProjection inline;
  private final UnsafeProjection collect;
  private final UnsafeProjection emit;

  private InlineIterator(Iterator<InternalRow> input, Over over) {
    this.input = new UntilEnd<>(input);
    this.rows = InlineRows.begin(over.spec);
    this.inline = UnsafeProjection$.MODULE$.create(Scala.seq(over.inline), Scala.seq(over.inputs));
    this.collect =
        UnsafeProjection$.MODULE$.create(Scala.<Expression>seq(over.kept), Scala.seq(over.inputs));
    this.emit = UnsafeProjection$.MODULE$.create(Scala.seq(over.emit), Scala.seq(over.batch));
  }

  /** What makes the rows of a partition of the node's child those of the node. */
  static AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>> over(
      AdaptiveUdfsExec node, InlineSpec spec) {
    return new Over(node, spec);
  }

  @Override
  InternalRow nextOrNull() {
    InternalRow row = null;
    while (row == null) {
      if (rows.nextOfBatch()) {
        row = emit.apply(rows.batch().getRow(rows.batchRow()));
      } else if (input.hasNext()) {
        row = take(input.next());
      } else {
        rows.compute();
        if (!rows.isDraining()) {
          rows.end();
          return null;
        }
      }
    }
    return row;
  }

  /** The child's row as the node gives it; null if it is collected into a batch. */
  private InternalRow take(InternalRow row) {
    InternalRow computed = null;
    if (rows.next()) {
      computed = inline.apply(row);
    } else if (!rows.isBatched()) {
      computed = inline.apply(row);
      rows.timed();
    } else {
      rows.add(collect.apply(row));
      if (rows.isFull()) {
        rows.compute();
      }
    }
    return computed;
  }

  private static final class Over
      extends AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final InlineSpec spec;
    private final ArrayList<Attribute> inputs;
    private final ArrayList<Attribute> kept;

    /** Of a batch: what it keeps, and the results. */
    private final ArrayList<Attribute> batch;

    private final ArrayList<Expression> inline;
    private final ArrayList<Expression> emit = new ArrayList<>();

    Over(AdaptiveUdfsExec node, InlineSpec spec) {
      this.spec = spec;
      this.inputs = new ArrayList<>(Scala.<Attribute>list(node.child().output()));
      this.kept = new ArrayList<>(node.kept());
      List<Attribute> results = Scala.list(node.calls().results());
      this.batch = new ArrayList<>(kept);
      batch.addAll(results);
      List<Attribute> passed = Scala.list(node.calls().passed());
      this.inline = new ArrayList<>(passed);
      inline.addAll(node.inlineCalls(spec));
      emit.addAll(passed);
      emit.addAll(results);
    }

    @Override
    public Iterator<InternalRow> apply(Iterator<InternalRow> rows) {
      return new InlineIterator(rows, this);
    }
  }
}
