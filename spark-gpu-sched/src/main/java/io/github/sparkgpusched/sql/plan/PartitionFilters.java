package io.github.sparkgpusched.sql.plan;

import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InSubquery;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.FileTable;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/**
 * Conditions on the partition columns of files. Where they stand, Spark computes them on the
 * driver, once a partition, and reads only the partitions that are wanted: no batch is worth the
 * files that would be read for it.
 */
final class PartitionFilters {
  static final String WHY_ROW_WISE =
      "it refers to partition columns alone, by which Spark chooses the files that are read";

  private PartitionFilters() {}

  /** Whether a condition on a plan's rows chooses files where it stands. */
  static boolean choosesFiles(Expression condition, LogicalPlan child) {
    return condition.deterministic()
        && !condition.references().isEmpty()
        && !condition.exists(part -> GpuCalls.isCall(part) && GpuCalls.isText(part))
        && condition.references().subsetOf(Scala.set(partitionColumns(child)));
  }

  /** Whether a table of the second interface is told which rows the subquery of a condition has. */
  static boolean isOfSubquery(Expression condition, LogicalPlan child) {
    return condition instanceof InSubquery
        && source(child) instanceof DataSourceV2ScanRelation relation
        && relation.scan() instanceof SupportsRuntimeV2Filtering scan
        && Scala.<Attribute>list(condition.references().toSeq()).stream()
            .allMatch(column -> isAmong(column, scan.filterAttributes()));
  }

  private static boolean isAmong(Attribute column, NamedReference[] references) {
    return Stream.of(references)
        .map(NamedReference::fieldNames)
        .anyMatch(names -> names.length == 1 && names[0].equals(column.name()));
  }

  /** Whether a filter has calls, and refers to partition columns of files. */
  static boolean haveCalls(Filter filter) {
    return GpuCalls.mayContainCalls(filter.condition())
        && filter
            .condition()
            .references()
            .exists(Scala.set(partitionColumns(filter.child()))::contains);
  }

  /** Partition columns that a scan has in its batches, whether they are read or not. */
  static AttributeSet givenAnyway(LogicalPlan child) {
    return Scala.set(
        source(child) instanceof LogicalRelation ? partitionColumns(child) : Scala.seq(List.of()));
  }

  private static LogicalPlan source(LogicalPlan child) {
    LogicalPlan source = child;
    while (source instanceof Project || source instanceof Filter) {
      source = Scala.<LogicalPlan>list(source.children()).get(0);
    }
    return source;
  }

  private static Seq<Attribute> partitionColumns(LogicalPlan child) {
    LogicalPlan source = source(child);
    if (source instanceof HiveTableRelation table) {
      return Scala.map(table.partitionCols(), column -> (Attribute) column);
    } else if (source instanceof LogicalRelation relation
        && relation.relation() instanceof HadoopFsRelation files) {
      return columns(source, files.partitionSchema());
    } else if (source instanceof DataSourceV2Relation relation
        && relation.table() instanceof FileTable files) {
      return columns(source, files.fileIndex().partitionSchema());
    }
    return Scala.seq(List.of());
  }

  private static Seq<Attribute> columns(LogicalPlan source, StructType schema) {
    return source.resolve(schema, SQLConf.get().resolver());
  }
}
