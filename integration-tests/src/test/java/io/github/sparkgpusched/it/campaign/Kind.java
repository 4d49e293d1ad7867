package io.github.sparkgpusched.it.campaign;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The campaigns that there are. Each is a program of its own: what one breaks, no other sees. */
enum Kind {
  QUERIES(
      "io.github.sparkgpusched.it.queries.QueryCampaign",
      false,
      3,
      "--count, --from, --lanes, --variants"),
  KILLS("io.github.sparkgpusched.it.kills.KillCampaign", false, 1, "--count, --from"),
  UDFS(
      "io.github.sparkgpusched.it.udfs.UdfCampaign", false, 3, "--count, --from, --lanes, --exits"),
  DEVICES(
      "io.github.sparkgpusched.device.cuda.DeviceCampaign", true, 3, "--times, --from, --lanes"),
  FUZZ("io.github.sparkgpusched.fuzz.FuzzCampaign", true, 2, "--target"),
  STARTS("io.github.sparkgpusched.device.cuda.StartCampaign", true, 1, "--times"),
  REMOTE("io.github.sparkgpusched.it.cluster.RemoteCampaign", false, 4, "--times, --fault"),
  UI("io.github.sparkgpusched.ui.UiCampaign", true, 1, ""),
  SOAK("io.github.sparkgpusched.it.cluster.SoakCampaign", false, 1, "");

  final String main;

  /** Whether it is among the tests of the plugin's own module, and sees what is private there. */
  final boolean inPlugin;

  /** Its part of the time, beside those of the others. */
  final int share;

  /** Names of the options that it takes besides those of all. */
  final String options;

  Kind(String main, boolean inPlugin, int share, String options) {
    this.main = main;
    this.inPlugin = inPlugin;
    this.share = share;
    this.options = options;
  }

  /**
   * Whether its JVM compiles by C1 alone in runs of minutes: each random query brings code of its
   * own, which is run a few times, and C2 took a third of the processors' time. The others have C2.
   */
  boolean isOfShortLivedCode() {
    return this == QUERIES;
  }

  /** Whether it runs where it is named alone: in a few minutes, nothing can be seen to be flat. */
  boolean isLong() {
    return this == SOAK;
  }

  boolean takes(String option) {
    return List.of(options.split(", ")).contains(option);
  }

  /** As in arguments and tables. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Kind of(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no campaign is called '"
                        + text
                        + "'; there are "
                        + Arrays.stream(values())
                            .map(Kind::text)
                            .collect(Collectors.joining(", "))));
  }
}
