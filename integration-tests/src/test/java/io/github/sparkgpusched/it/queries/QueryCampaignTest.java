package io.github.sparkgpusched.it.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.campaign.CampaignLanes;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRounds;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Some queries of a campaign: {@code integration-tests/campaign queries} goes on. */
class QueryCampaignTest {
  private static final int QUERIES = 40;

  @Test
  void answersAreThoseOfPlainSpark() throws Exception {
    TestSpark.stop();
    // Few of the first have faults.
    String[] args = {"--seed", "27", "--from", "20", "--count", String.valueOf(QUERIES)};
    CampaignOptions options = new CampaignOptions(args);
    QueryCampaign campaign = new QueryCampaign(options);
    CampaignRounds rounds = new CampaignRounds("queries", options, QUERIES);
    try (CampaignLanes<QuerySession> lanes = QuerySession.open(2)) {
      campaign.run(lanes, rounds);
    }
    assertEquals(0, campaign.wrong(), "what differs is printed");
    assertEquals(List.of(), rounds.left());
    assertEquals(QUERIES, rounds.cases());
    assertTrue(campaign.batched() > QUERIES / 4, () -> campaign.batched() + " are batched");
    assertTrue(campaign.faults() > 1, () -> campaign.faults() + " had faults");
  }
}
