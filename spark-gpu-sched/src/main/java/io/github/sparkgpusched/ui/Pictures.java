package io.github.sparkgpusched.ui;

import java.util.List;

/** Small pictures as inline SVG. Colours are classes of gpusched.css, for light and dark. */
final class Pictures {
  private static final int STRIP_WIDTH = 288;
  private static final int STRIP_HEIGHT = 16;

  private Pictures() {}

  /** Utilisation over time: one cell an interval, the fuller the darker. */
  static void strip(Html html, List<Integer> percent, int used) {
    html.raw("<svg class=\"gs-strip\" viewBox=\"0 0 ")
        .number(STRIP_WIDTH)
        .raw(" ")
        .number(STRIP_HEIGHT)
        .raw("\" preserveAspectRatio=\"none\" role=\"img\"><rect class=\"gs-track\" width=\"")
        .number(STRIP_WIDTH)
        .raw("\" height=\"")
        .number(STRIP_HEIGHT)
        .raw("\"/>");
    double cell = (double) STRIP_WIDTH / Math.max(1, used);
    int i = 0;
    while (i < Math.min(used, percent.size())) {
      int end = i + 1;
      while (end < Math.min(used, percent.size()) && percent.get(end).equals(percent.get(i))) {
        end++;
      }
      if (percent.get(i) > 0) {
        html.raw("<rect class=\"gs-busy\" x=\"")
            .number(i * cell)
            .raw("\" width=\"")
            .number((end - i) * cell)
            .raw("\" height=\"")
            .number(STRIP_HEIGHT)
            .raw("\" fill-opacity=\"")
            .number(0.15 + 0.85 * percent.get(i) / 100)
            .raw("\"><title>")
            .number(percent.get(i))
            .raw(" % busy</title></rect>");
      }
      i = end;
    }
    html.raw("</svg>");
  }

  /** A bar beside its figure. */
  static void bar(Html html, double part, String figure) {
    double width = Math.max(0, Math.min(1, part)) * 100;
    html.raw("<td class=\"gs-num gs-barred\"><svg class=\"gs-bar\" viewBox=\"0 0 100 1\"")
        .raw(
            " preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"gs-fill\" height=\"1\"")
        .raw(" width=\"")
        .number(width)
        .raw("\"/></svg><span>")
        .text(figure)
        .raw("</span></td>");
  }
}
