package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.sparkgpusched.it.cluster.RapidsJar.Order;
import io.github.sparkgpusched.it.cluster.app.RapidsExplainApp;
import io.github.sparkgpusched.it.cluster.app.RapidsQuery;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where RAPIDS only says what it would do, the plugin does what it does without RAPIDS. */
@Tag("rapids")
class RapidsExplainOnlyTest {
  private static final List<RapidsQuery> BATCHED =
      List.of(
          RapidsQuery.SELECT,
          RapidsQuery.NESTED,
          RapidsQuery.FILTER,
          RapidsQuery.AGGREGATE,
          RapidsQuery.GROUP_KEY,
          RapidsQuery.JOIN_KEY,
          RapidsQuery.WINDOW,
          RapidsQuery.CASE,
          RapidsQuery.SORT_KEY,
          RapidsQuery.MIXED,
          RapidsQuery.AUTHORS_BESIDE_OURS);

  @ParameterizedTest
  @EnumSource
  void answersAreRight(Order order) {
    Path table = SparkHome.emptyFolder(Path.of("target", "rapids", "table"));
    try (StandaloneCluster cluster = StandaloneCluster.start("rapids-explain", 0)) {
      Map<String, String> conf = RapidsJar.beside(cluster.plugin(), order);
      conf.put("spark.master", "local[2]");
      conf.put("spark.rapids.sql.mode", "explainonly");
      try (Application app =
          cluster.submitBare(RapidsExplainApp.class, conf, table.toUri().toString())) {
        app.awaitSuccess();
        for (RapidsQuery query : BATCHED) {
          assertEquals("true", app.answer("batched." + query), query::sql);
          assertEquals("true", app.answer("equal." + query), query::sql);
          assertNotEquals("0", app.answer("rows." + query), query::sql);
        }
        assertEquals("true", app.answer("equal." + RapidsQuery.AUTHORS));
      }
    }
  }
}
