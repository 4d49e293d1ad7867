package io.github.sparkgpusched.bench.simulate.cluster;

import java.util.function.Consumer;

/**
 * How a cluster shares work, under the name that tables give it.
 *
 * @param applied changes a setting of the plugin as it is
 */
record Variant(String name, Consumer<Setting> applied) {
  static final Variant AS_IT_IS = new Variant("as it is", setting -> {});

  static final Variant ALONE = new Variant("no third level", setting -> setting.borrowed = 0);

  /** A second copy of what runs long, elsewhere. */
  static final Variant SPECULATION =
      new Variant(
          "speculation",
          setting -> {
            setting.borrowed = 0;
            setting.speculates = true;
          });

  static final Variant LARGE = new Variant("65,536 rows", setting -> setting.batchRows = 65_536);

  /** A core without use goes back after 50 ms, if no job wants cores. */
  static final Variant EARLY =
      new Variant("gives back early", setting -> setting.rules.idleQuietNanos = 50_000_000);

  /** A device's launch is taken for what the journey for the core took. */
  static final Variant LAUNCH =
      new Variant(
          "knows its launch",
          setting -> setting.rules.launchNanos = Math.round(1.25 * setting.roundTripNanos));

  /** An owner claims its second block when the dealer has said, and not as it is woken. */
  static final Variant AGAIN =
      new Variant("asks again", setting -> setting.rules.ownerAsksAgain = true);

  /** A dealer trusts what earlier batches of the task took. */
  static final Variant COSTS =
      new Variant("trusts costs", setting -> setting.rules.costError = 0.15);

  /** A core's own thread ends the blocks that the dealer gives it. */
  static final Variant WHOLE =
      new Variant("ends its blocks", setting -> setting.rules.handBackBlocks = 16);

  static final Variant ALL =
      EARLY.and("", LAUNCH).and("", AGAIN).and("", COSTS).and("all five", WHOLE);

  /** Those that do not change how rows are predicted. */
  static final Variant SOME_LARGE =
      WHOLE.and("", AGAIN).and("", LAUNCH).and("all but costs and early, 65,536 rows", LARGE);

  static final Variant ALL_LARGE = ALL.and("all five, 65,536 rows", LARGE);

  /** Both changes. */
  Variant and(String newName, Variant other) {
    return new Variant(
        newName,
        setting -> {
          applied.accept(setting);
          other.applied.accept(setting);
        });
  }

  Variant borrowing(int cores) {
    return and(
        name + ", " + cores + " cores", new Variant("", setting -> setting.borrowed = cores));
  }
}
