package io.github.sparkgpusched.it.sql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsRuntimeFiltering;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table of Spark's second interface that notes what is read: columns, up to which limit, of which
 * partitions. It has {@value #PARTITIONS} partitions by k, each of {@value #ROWS} rows.
 */
public final class AskedSource implements TableProvider {
  static final int PARTITIONS = 7;
  static final int ROWS = 100;

  /** What was read. */
  static final Set<String> READ = new ConcurrentSkipListSet<>();

  private static final StructType ALL = StructType.fromDDL("k int, x double, y double, z double");

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return ALL;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> options) {
    return new Asked(schema);
  }

  /** {@code schema()} is deprecated, and what Spark's own default for its successor reads. */
  @SuppressWarnings("deprecation")
  private record Asked(StructType schema) implements Table, SupportsRead {
    @Override
    public String name() {
      return "asked";
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return new Builder();
    }
  }

  private static final class Builder
      implements SupportsPushDownLimit, SupportsPushDownRequiredColumns {
    private StructType columns = ALL;
    private int limit = Integer.MAX_VALUE;

    @Override
    public boolean pushLimit(int rows) {
      limit = rows;
      return true;
    }

    @Override
    public boolean isPartiallyPushed() {
      return true; // each partition gives so many
    }

    @Override
    public void pruneColumns(StructType required) {
      columns = required;
    }

    @Override
    public Scan build() {
      return new AskedScan(columns, limit);
    }
  }

  private static final class AskedScan implements Batch, SupportsRuntimeFiltering {
    private final StructType columns;
    private final int limit;
    private List<Integer> partitions = IntStream.range(0, PARTITIONS).boxed().toList();

    AskedScan(StructType columns, int limit) {
      this.columns = columns;
      this.limit = limit;
    }

    @Override
    public StructType readSchema() {
      return columns;
    }

    @Override
    public NamedReference[] filterAttributes() {
      return List.of(columns.fieldNames()).contains("k")
          ? new NamedReference[] {Expressions.column("k")}
          : new NamedReference[0];
    }

    @Override
    public void filter(Filter[] filters) {
      for (Filter filter : filters) {
        if (filter instanceof In in) {
          Set<Object> wanted = Set.of(in.values());
          partitions = partitions.stream().filter(wanted::contains).toList();
        }
      }
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return partitions.stream().map(Part::new).toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Readers(List.of(columns.fieldNames()), limit);
    }
  }

  private record Part(int k) implements InputPartition {}

  private record Readers(List<String> columns, int limit) implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      int k = ((Part) partition).k;
      READ.add("of partition " + k + " " + new TreeSet<>(columns) + " up to " + limit);
      return new Reader(k, columns, Math.min(limit, ROWS));
    }
  }

  private static final class Reader implements PartitionReader<InternalRow> {
    private final int k;
    private final List<String> columns;
    private final int rows;
    private int row = -1;

    Reader(int k, List<String> columns, int rows) {
      this.k = k;
      this.columns = columns;
      this.rows = rows;
    }

    @Override
    public boolean next() {
      return ++row < rows;
    }

    @Override
    public InternalRow get() {
      return new GenericInternalRow(columns.stream().map(this::value).toArray());
    }

    private Object value(String column) {
      return switch (column) {
        case "k" -> (Object) k;
        case "x" -> (double) k * ROWS + row;
        case "y" -> (double) row;
        default -> 0D;
      };
    }

    @Override
    public void close() {}
  }
}
