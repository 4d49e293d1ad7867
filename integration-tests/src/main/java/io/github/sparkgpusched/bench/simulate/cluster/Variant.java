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
