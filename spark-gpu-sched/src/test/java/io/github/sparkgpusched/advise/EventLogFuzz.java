package io.github.sparkgpusched.advise;

import io.github.sparkgpusched.advise.log.EventLog;
import io.github.sparkgpusched.advise.log.LogFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes as an event log: they are read, or it is said why not. */
public final class EventLogFuzz {
  private EventLogFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) {
    // Behind a log that is right, as few others come as far as a stage.
    byte[] before = MadeLog.of(2, 10, 5, 7).getBytes(StandardCharsets.UTF_8);
    for (byte[] bytes : List.of(data, concat(before, data), concat(data, before))) {
      LogFile file = new LogFile("log", bytes.length, () -> new ByteArrayInputStream(bytes));
      try {
        LogAnalysis.of(new EventLog("log", List.of(file), false, false), read -> {});
      } catch (IOException e) {
        // says what cannot be read
      }
    }
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] both = new byte[a.length + b.length];
    System.arraycopy(a, 0, both, 0, a.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
