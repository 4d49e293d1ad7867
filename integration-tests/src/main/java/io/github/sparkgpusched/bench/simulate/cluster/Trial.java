package io.github.sparkgpusched.bench.simulate.cluster;

/** For trials. */
public final class Trial {
  private Trial() {}

  public static void main(String[] args) {
    double bound = Double.parseDouble(args[0]) * 1e9;
    for (int variant = 0; variant < 6; variant++) {
      for (long seed = 1; seed <= 2; seed++) {
        Setting setting = new Setting();
        setting.seed = seed;
        String name = "today";
        if (variant == 1) {
          name = "none";
          setting.borrowed = 0;
        } else if (variant == 2) {
          name = "65536";
          setting.batchRows = 65_536;
        } else if (variant == 3) {
          name = "asksAgain";
          setting.rules.ownerAsksAgain = true;
        } else if (variant == 4) {
          name = "asksAgain twice";
          setting.rules.ownerAsksAgain = true;
          setting.mayRunTwice = true;
        } else if (variant == 5) {
          name = "asksAgain 65536";
          setting.rules.ownerAsksAgain = true;
          setting.batchRows = 65_536;
        }
        long start = System.nanoTime();
        Outcome o = Cluster.run(setting, Skew.heavy(setting, bound, 1, 0.9));
        System.out.printf(
            "%s seed %d: ratio %.3f moved %.2f messages %d peak %d question %.0f ns bytes %.0f MB"
                + " cores %d; %.1f s%n",
            name,
            seed,
            o.ratio(),
            o.moved() / o.rows(),
            o.messages(),
            o.peak(),
            o.questionNanos(),
            o.bytes() / 1e6,
            o.cores(),
            (System.nanoTime() - start) / 1e9);
      }
    }
  }
}
