package io.github.sparkgpusched.it.udfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.it.testing.TestSpark;
import org.junit.jupiter.api.Test;

/** One case of each mischief: {@code integration-tests/campaign udfs} goes on. */
class UdfCampaignTest {
  private static final long SEED = 27;

  @Test
  void answersAndErrorsAreThoseOfPlainSpark() {
    TestSpark.stop();
    UdfCampaign campaign = new UdfCampaign();
    try (HostileSession session = new HostileSession()) {
      for (int number = 0; number < Mischief.values().length; number++) {
        campaign.run(session, HostileCase.of(SEED, number));
      }
    }
    assertEquals(0, campaign.wrong(), "what differs is printed");
    assertTrue(campaign.struck().size() > 15, () -> "only " + campaign.struck() + " were done");
  }
}
