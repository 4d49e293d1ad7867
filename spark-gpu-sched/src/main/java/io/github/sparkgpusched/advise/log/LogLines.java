package io.github.sparkgpusched.advise.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Reads a log's files line by line. Holds one line at a time; one that is longer than {@link
 * #MOST_BYTES} is left out, with a note. A file that ends in the middle of a packed block, or
 * cannot be read on, ends there, with a note.
 */
public final class LogLines {
  /** Of a line. The longest known are plans with thousands of columns, of some megabytes. */
  public static final int MOST_BYTES = 64 << 20;

  private static final int LEAST_BYTES = 1 << 16;

  /** Who is told of each line. */
  @FunctionalInterface
  public interface Reader {
    /**
     * A line.
     *
     * @param bytes holds the line from its begin; valid until this returns
     * @param isWhole false if the file ended before the line did
     */
    void line(byte[] bytes, int length, String file, long number, boolean isWhole);
  }

  private final Notes notes;
  private final int mostBytes;
  private byte[] line = new byte[LEAST_BYTES];
  private int length;
  private boolean tooLong;
  private long number;

  public LogLines(Notes notes) {
    this(notes, MOST_BYTES);
  }

  LogLines(Notes notes, int mostBytes) {
    this.notes = notes;
    this.mostBytes = mostBytes;
  }

  /**
   * Reads all files. One that cannot be opened is left out, with a note.
   *
   * @param progress is told now and then how many bytes of the files have been read
   * @throws IOException if none can be opened
   */
  public void read(EventLog log, Reader reader, LongConsumer progress) throws IOException {
    long before = 0;
    int unread = 0;
    for (LogFile file : log.files()) {
      long base = before;
      number = 0;
      length = 0;
      tooLong = false;
      try (InputStream raw = new Counted(file.source().open(), n -> progress.accept(base + n))) {
        if (file.bytes() == 0) {
          notes.add("empty", file.name() + " is empty");
        }
        read(file.name(), EventLogs.unpacked(file.name(), raw), reader);
      } catch (IOException | RuntimeException e) {
        notes.add("unread", file.name() + " cannot be read (" + e + "), and is left out");
        if (++unread == log.files().size()) {
          throw new IOException(file.name() + " cannot be read (" + e + ")", e);
        }
      }
      before += file.bytes();
    }
  }

  private void read(String file, InputStream in, Reader reader) {
    byte[] chunk = new byte[1 << 16];
    try {
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        int from = 0;
        for (int i = 0; i < n; i++) {
          if (chunk[i] == '\n') {
            append(chunk, from, i);
            end(file, reader, true);
            from = i + 1;
          }
        }
        append(chunk, from, n);
      }
    } catch (IOException | RuntimeException e) {
      notes.add(
          "cut",
          file
              + " cannot be read beyond line "
              + number
              + " ("
              + e.getClass().getSimpleName()
              + (e.getMessage() == null ? "" : ": " + e.getMessage().lines().findFirst().orElse(""))
              + "); what is before is used");
    }
    if (length > 0 || tooLong) {
      end(file, reader, false);
    }
  }

  private void append(byte[] chunk, int from, int until) {
    int more = until - from;
    if (tooLong || length + (long) more > mostBytes) {
      tooLong = true;
      return;
    }
    if (length + more > line.length) {
      line = Arrays.copyOf(line, (int) Math.min(mostBytes, 2L * (length + more)));
    }
    System.arraycopy(chunk, from, line, length, more);
    length += more;
  }

  private void end(String file, Reader reader, boolean isWhole) {
    number++;
    if (tooLong) {
      notes.add(
          "long",
          "line "
              + number
              + " of "
              + file
              + " has more than "
              + (mostBytes >> 20)
              + " MiB and is left out");
    } else if (length > 0) {
      reader.line(line, length, file, number, isWhole);
    }
    length = 0;
    tooLong = false;
    if (line.length > 1 << 22) {
      line = new byte[LEAST_BYTES]; // a huge line is rare, and its memory is wanted elsewhere
    }
  }

  /** Says how many bytes have been read. */
  private static final class Counted extends FilterInputStream {
    private final LongConsumer told;
    private long count;

    Counted(InputStream in, LongConsumer told) {
      super(in);
      this.told = told;
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      count(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      int n = super.read(bytes, from, most);
      count(Math.max(0, n));
      return n;
    }

    private void count(int n) {
      count += n;
      told.accept(count);
    }
  }
}
