package io.github.sparkgpusched.device.pipe;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A process that runs {@link PipeWorker}, and a thread that reads its replies. What does not say
 * otherwise is called by the thread of the device's owner.
 */
final class PipeProcess {
  /** Those that have been started and not ended, for tests that kill them. */
  private static final Set<PipeProcess> LIVE = ConcurrentHashMap.newKeySet();

  /** What came back for a block. Immutable. */
  static final class Reply {
    private final Object[][] results;
    private final long nanos;

    private Reply(Object[][] results, long nanos) {
      this.results = results;
      this.nanos = nanos;
    }

    Object result(int call, int row) {
      return results[call][row];
    }

    long nanos() {
      return nanos;
    }
  }

  private final Process process;
  private final ObjectOutputStream out;

  /** By block. Written by the reader, taken by the owner. */
  private final Map<Long, Reply> replies = new ConcurrentHashMap<>();

  /** When something was sent or received last. Written by both. */
  private volatile long heardNanos = System.nanoTime();

  /** False to true, by the reader. */
  private volatile boolean dead;

  private long lastId;

  private PipeProcess(Process process) throws IOException {
    this.process = process;
    this.out = new ObjectOutputStream(new BufferedOutputStream(process.getOutputStream()));
    out.flush();
    LIVE.add(this);
    Thread reader = new Thread(this::read, "pipe-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static PipeProcess start(PipeSettings settings) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            PipeWorker.class.getName(),
            String.valueOf(settings.delayMillis()),
            String.valueOf(settings.dropEvery()),
            String.valueOf(settings.dieEvery()));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return new PipeProcess(builder.start());
  }

  /** Kills all that live, as a machine that loses its power does. Any thread. */
  static int killAll() {
    List<PipeProcess> victims = List.copyOf(LIVE);
    victims.forEach(victim -> victim.process.destroyForcibly());
    return victims.size();
  }

  /** Processes that were started and not ended. Any thread. */
  static int live() {
    return LIVE.size();
  }

  private void read() {
    try (ObjectInputStream in = new ObjectInputStream(process.getInputStream())) {
      while (true) {
        long id = in.readLong();
        long nanos = in.readLong();
        replies.put(id, new Reply((Object[][]) in.readObject(), nanos));
        heardNanos = System.nanoTime();
      }
    } catch (IOException | ClassNotFoundException e) {
      dead = true;
    }
  }

  /** Sends the UDFs of a job, and gives the number that they have. */
  long load(Object[] udfs) throws IOException {
    return send('l', 0, udfs);
  }

  /** Sends a block, and gives its number. */
  long run(long udfs, Object[][][] arguments) throws IOException {
    heardNanos = System.nanoTime();
    return send('r', udfs, arguments);
  }

  private long send(char what, long udfs, Object body) throws IOException {
    out.writeChar(what);
    out.writeLong(++lastId);
    out.writeLong(udfs);
    out.writeObject(body);
    out.reset();
    out.flush();
    return lastId;
  }

  /** Forgets the UDFs of a job, if the process lives. */
  void unload(long udfs) {
    try {
      send('u', udfs, null);
    } catch (IOException e) {
      dead = true;
    }
  }

  /** What came back for a block; null if nothing has yet. */
  Reply reply(long id) {
    return replies.get(id);
  }

  /** A reply is wanted no more. */
  void forget(long id) {
    replies.remove(id);
  }

  boolean isDead() {
    return dead;
  }

  long silentNanos() {
    return System.nanoTime() - heardNanos;
  }

  void end() {
    process.destroyForcibly();
    LIVE.remove(this);
  }
}
