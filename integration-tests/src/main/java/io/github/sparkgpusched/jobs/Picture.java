package io.github.sparkgpusched.jobs;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** An image that is drawn without a display and written as PNG. */
public final class Picture {
  static {
    System.setProperty("java.awt.headless", "true");
  }

  private final BufferedImage image;
  private final Graphics2D graphics;
  private Throwable noText;

  public Picture(int width, int height) {
    image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
  }

  BufferedImage image() {
    return image;
  }

  public Graphics2D graphics() {
    return graphics;
  }

  /** Writes text, if this machine can: a JDK without fonts draws everything else. */
  public void text(String text, float x, float y, int size, Color color) {
    text(text, x, y, size, color, 0);
  }

  /**
   * Likewise.
   *
   * @param before share of the text that is left of x: 0 begins there, 1 ends there
   */
  public void text(String text, float x, float y, int size, Color color, double before) {
    if (noText != null) {
      return;
    }
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, size));
      graphics.setColor(color);
      float left = (float) (before * graphics.getFontMetrics().stringWidth(text));
      graphics.drawString(text, x - left, y);
    } catch (RuntimeException | LinkageError | InternalError e) {
      noText = e;
    }
  }

  /**
   * Writes the picture.
   *
   * @param out is told if there is no text in it
   */
  public void write(Path path, PrintStream out) throws IOException {
    graphics.dispose();
    ImageIO.write(image, "png", path.toFile());
    if (noText != null) {
      out.println("  (no text in " + path.getFileName() + ": Java found no fonts here)");
    }
  }
}
