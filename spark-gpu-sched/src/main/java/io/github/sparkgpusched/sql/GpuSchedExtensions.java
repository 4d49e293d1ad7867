package io.github.sparkgpusched.sql;

import io.github.sparkgpusched.sql.exec.BatchedUdfsStrategy;
import io.github.sparkgpusched.sql.exec.RowsStayRows;
import io.github.sparkgpusched.sql.plan.DeviceForm;
import io.github.sparkgpusched.sql.plan.MarkGpuUdfs;
import io.github.sparkgpusched.sql.plan.PullOutGpuUdfs;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * What the plugin adds to every session's planner. The driver plugin sets it in {@code
 * spark.sql.extensions}.
 */
public final class GpuSchedExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectCheckRule(session -> new CheckSet());
    extensions.injectPostHocResolutionRule(session -> new MarkGpuUdfs());
    extensions.injectPreCBORule(session -> new PullOutGpuUdfs());
    extensions.injectPlannerStrategy(session -> new BatchedUdfsStrategy());
    extensions.injectColumnar(session -> new RowsStayRows());
    LoadTableFunction.descriptions().forEach(extensions::injectTableFunction);
    DeviceForm.texts().forEach(functions -> functions.inject(extensions));
    return BoxedUnit.UNIT;
  }
}
