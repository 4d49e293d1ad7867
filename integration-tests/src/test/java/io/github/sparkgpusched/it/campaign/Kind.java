package io.github.sparkgpusched.it.campaign;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The campaigns that there are. Each is a program of its own: what one breaks, no other sees. */
enum Kind {
  QUERIES("io.github.sparkgpusched.it.queries.QueryCampaign", false, 3),
  UDFS("io.github.sparkgpusched.it.udfs.UdfCampaign", false, 3),
  DEVICES("io.github.sparkgpusched.device.cuda.DeviceCampaign", true, 3),
  FUZZ("io.github.sparkgpusched.fuzz.FuzzCampaign", true, 2),
  STARTS("io.github.sparkgpusched.device.cuda.StartCampaign", true, 1),
  REMOTE("io.github.sparkgpusched.it.cluster.RemoteCampaign", false, 4);

  final String main;

  /** Whether it is among the tests of the plugin's own module, and sees what is private there. */
  final boolean inPlugin;

  /** Its part of the time, beside those of the others. */
  final int share;

  Kind(String main, boolean inPlugin, int share) {
    this.main = main;
    this.inPlugin = inPlugin;
    this.share = share;
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
