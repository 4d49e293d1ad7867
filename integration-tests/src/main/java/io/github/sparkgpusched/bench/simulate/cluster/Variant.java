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

  /** A device's launch is taken for what the journey for the core took. */
  static final Variant LAUNCH =
      new Variant(
          "knows its launch",
          setting -> setting.rules.launchNanos = Math.round(1.25 * setting.roundTripNanos));

  /** A dealer trusts what earlier batches of the task took. */
  static final Variant COSTS =
      new Variant("trusts costs", setting -> setting.rules.costError = 0.15);

  static final Variant BOTH = LAUNCH.and("both", COSTS);

  static final Variant BOTH_LARGE = BOTH.and("both, 65,536 rows", LARGE);

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
