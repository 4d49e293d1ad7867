package io.github.sparkgpusched.it.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.TestSpark;
import org.junit.jupiter.api.Test;

/** The first queries of a campaign: {@code integration-tests/campaign kills} goes on. */
class KillCampaignTest {
  private static final long SEED = 27;
  private static final int QUERIES = 12;

  @Test
  void rowsAreThoseOfPlainSpark() throws Exception {
    TestSpark.stop();
    KillCampaign campaign = new KillCampaign();
    try (KillSession session = new KillSession()) {
      session.beQuiet();
      for (int number = 0; number < QUERIES; number++) {
        campaign.run(session, KillCase.of(SEED, number));
      }
      assertTrue(session.killed() > QUERIES, () -> "few tasks were killed");
      assertTrue(session.batched() > QUERIES / 2, () -> session.batched() + " were batched");
    }
    assertEquals(0, campaign.wrong(), "what differs is printed");
  }
}
