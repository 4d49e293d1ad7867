package io.github.sparkgpusched.it.udfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.campaign.CampaignLanes;
import io.github.sparkgpusched.it.testing.CampaignOptions;
import io.github.sparkgpusched.it.testing.CampaignRounds;
import io.github.sparkgpusched.it.testing.TestSpark;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One case of each mischief: {@code integration-tests/campaign udfs} goes on. */
class UdfCampaignTest {
  @Test
  void answersAndErrorsAreThoseOfPlainSpark() throws Exception {
    TestSpark.stop();
    UdfCampaign campaign = new UdfCampaign();
    String count = String.valueOf(Mischief.values().length);
    CampaignOptions options = new CampaignOptions(new String[] {"--seed", "27", "--count", count});
    CampaignRounds rounds = new CampaignRounds("udfs", options, Mischief.values().length);
    try (CampaignLanes<HostileSession> lanes = HostileSession.open(2)) {
      campaign.run(lanes, rounds);
    }
    assertEquals(0, campaign.wrong(), "what differs is printed");
    assertEquals(List.of(), rounds.left());
    assertTrue(campaign.struck().size() > 15, () -> "only " + campaign.struck() + " were done");
    assertTrue(campaign.batched() > 5, () -> campaign.batched() + " queries were batched");
  }
}
