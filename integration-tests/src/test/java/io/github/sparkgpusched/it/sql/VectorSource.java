package io.github.sparkgpusched.it.sql;

import com.nvidia.spark.rapids.RapidsHostColumnVector;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A table of batches of {@link CountedVector}s. With the option {@code closes=reader} it closes a
 * batch itself when it is asked for the next one, as the RAPIDS Accelerator does; else the batches
 * are the consumer's to close, as Spark's transition to rows does. With {@code wide=true} it has a
 * column that the plugin's batches cannot hold.
 */
public final class VectorSource implements TableProvider {
  static final int BATCHES = 5;
  static final int BATCH_ROWS = 100;

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    StructType schema = new StructType().add("id", DataTypes.LongType);
    return options.getBoolean("wide", false)
        ? schema.add("d", DataTypes.createDecimalType(20, 2))
        : schema;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> options) {
    return new Vectors(schema, "reader".equals(options.get("closes")));
  }

  /** {@code schema()} is deprecated, and what Spark's own default for its successor reads. */
  @SuppressWarnings("deprecation")
  private record Vectors(StructType schema, boolean readerCloses) implements Table, SupportsRead {
    @Override
    public String name() {
      return "vectors";
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return () -> new VectorScan(schema, readerCloses);
    }
  }

  private record VectorScan(StructType schema, boolean readerCloses) implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return schema;
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return new InputPartition[] {new OnePartition()};
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Readers(schema, readerCloses);
    }
  }

  private record OnePartition() implements InputPartition {}

  private record Readers(StructType schema, boolean readerCloses)
      implements PartitionReaderFactory {
    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      throw new UnsupportedOperationException("columns alone");
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return new Reader(schema, readerCloses);
    }
  }

  private static final class Reader implements PartitionReader<ColumnarBatch> {
    private final StructType schema;
    private final boolean closes;
    private int batches;
    private ColumnarBatch current;

    Reader(StructType schema, boolean closes) {
      this.schema = schema;
      this.closes = closes;
    }

    @Override
    public boolean next() {
      closeCurrent();
      return batches < BATCHES;
    }

    @Override
    public ColumnarBatch get() {
      long first = (long) batches++ * BATCH_ROWS;
      ColumnVector[] vectors = new ColumnVector[schema.length()];
      int i = 0;
      for (StructField field : schema.fields()) {
        vectors[i++] = vector(field.dataType(), first);
      }
      current = new ColumnarBatch(vectors, BATCH_ROWS);
      return current;
    }

    private ColumnVector vector(DataType type, long first) {
      return closes ? new RapidsHostColumnVector(type, first) : new CountedVector(type, first);
    }

    private void closeCurrent() {
      if (closes && current != null) {
        current.close();
        current = null;
      }
    }

    @Override
    public void close() {
      closeCurrent();
    }
  }
}
