package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.BlockSpan;

/**
 * Where Spark's own pages are.
 *
 * @param base of the application's UI, without a slash at its end
 */
record Links(String base) {
  String stage(int stageId, int attempt) {
    return base + "/stages/stage/?id=" + stageId + "&attempt=" + attempt;
  }

  String stage(BlockSpan span) {
    return stage(span.stageId(), span.stageAttempt());
  }

  String query(long id) {
    return base + "/SQL/execution/?id=" + id;
  }

  /** Spark's table of executors, with their logs and thread dumps. */
  String executors() {
    return base + "/executors/";
  }
}
