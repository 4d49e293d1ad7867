package io.github.sparkgpusched.it.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.TestSpark;
import org.junit.jupiter.api.Test;

/** The first queries of a campaign: {@code integration-tests/campaign queries} goes on. */
class QueryCampaignTest {
  private static final long SEED = 27;
  private static final int QUERIES = 60;

  @Test
  void answersAreThoseOfPlainSpark() throws Exception {
    TestSpark.stop();
    QueryCampaign campaign = new QueryCampaign();
    try (QuerySession session = new QuerySession()) {
      for (int number = 0; number < QUERIES; number++) {
        campaign.run(session, session.draw(SEED, number));
      }
    }
    assertEquals(0, campaign.wrong(), "what differs is printed");
    assertTrue(campaign.batched() > QUERIES / 4, () -> campaign.batched() + " are batched");
    assertTrue(campaign.faults() > 3, () -> campaign.faults() + " had faults");
  }
}
