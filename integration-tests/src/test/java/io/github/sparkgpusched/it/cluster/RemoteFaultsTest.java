package io.github.sparkgpusched.it.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.cluster.app.Fault;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A short form of {@code integration-tests/campaign remote}: all faults in one application. */
@Tag("cluster")
@ExtendWith(SharedCluster.class)
class RemoteFaultsTest {
  private static final int TIMES = 2;

  /** With this one nothing stands still for longer than it is waited for, which takes 20 s. */
  private static final long SEED = 1;

  @Test
  void noFaultChangesAnAnswerOrLeavesAnything(StandaloneCluster cluster) {
    List<FaultCampaign.Result> results =
        FaultCampaign.run(cluster, true, TIMES, SEED, List.of(Fault.values()));
    for (FaultCampaign.Result result : results) {
      assertTrue(result.isGood(TIMES), result::toString);
    }
    assertTrue(results.stream().anyMatch(result -> result.rowsLent() > 0), results::toString);
  }
}
