package io.github.sparkgpusched.advise.log;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.io.CompressionCodec;

/**
 * Finds event logs: a file, the folder of a rolled log, or a folder of logs. A place with a scheme
 * ({@code hdfs://}, {@code s3a://}) is read by Hadoop's file systems, as Spark is set up for them.
 */
public final class EventLogs {
  private static final String ROLLED_PREFIX = "eventlog_v2_";
  private static final Pattern ROLLED = Pattern.compile("events_(\\d{1,18})_.*");
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");
  private static final String OPEN = ".inprogress";
  private static final String COMPACT = ".compact";

  /** As Spark names its codecs. */
  private static final Set<String> CODECS = Set.of("zstd", "lz4", "snappy", "lzf");

  private record Entry(String name, boolean isFolder, long bytes, LogFile.Source source) {}

  /** A place of a file system. */
  private interface Place {
    boolean isFolder() throws IOException;

    List<Entry> list() throws IOException;

    Place child(String name);

    Entry entry() throws IOException;
  }

  private EventLogs() {}

  /**
   * The logs at a place.
   *
   * @throws IOException if there is none; the message says what was looked for
   */
  public static List<EventLog> at(String given) throws IOException {
    Place place = SCHEME.matcher(given).matches() ? remote(new Path(given)) : local(given);
    String name = given.replaceAll("/+$", "");
    name = name.substring(name.lastIndexOf('/') + 1);
    if (!place.isFolder()) {
      return List.of(single(place.entry()));
    }
    List<Entry> entries = place.list();
    if (entries.stream().anyMatch(entry -> ROLLED.matcher(entry.name()).matches())) {
      return List.of(rolled(name, entries));
    }
    List<EventLog> logs = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.isFolder() && entry.name().startsWith(ROLLED_PREFIX)) {
        logs.add(rolledBelow(place, entry.name()));
      } else if (!entry.isFolder() && !entry.name().startsWith(".") && entry.bytes() > 0) {
        logs.add(single(entry));
      }
    }
    if (logs.isEmpty()) {
      throw new FileNotFoundException(
          given
              + " holds no event log: give a file that Spark wrote with"
              + " spark.eventLog.enabled=true, the folder "
              + ROLLED_PREFIX
              + "… of a rolled one, or a folder of logs");
    }
    return logs;
  }

  /** One that cannot be listed is said to be so when it is read. */
  private static EventLog rolledBelow(Place place, String name) {
    try {
      return rolled(name, place.child(name).list());
    } catch (IOException e) {
      LogFile.Source source =
          () -> {
            throw e;
          };
      return new EventLog(name, List.of(new LogFile(name, 0, source)), false, false);
    }
  }

  private static EventLog single(Entry entry) {
    return new EventLog(
        entry.name(),
        List.of(new LogFile(entry.name(), entry.bytes(), entry.source())),
        entry.name().endsWith(OPEN),
        entry.name().endsWith(COMPACT));
  }

  /** What a compacted file stands for is gone, or is still there beside it. */
  private static EventLog rolled(String name, List<Entry> entries) {
    record Part(long number, boolean isCompact, Entry entry) {}
    List<Part> parts = new ArrayList<>();
    boolean isOpen = false;
    for (Entry entry : entries) {
      Matcher matcher = ROLLED.matcher(entry.name());
      isOpen |= entry.name().startsWith("appstatus_") && entry.name().endsWith(OPEN);
      if (matcher.matches()) {
        boolean isCompact = entry.name().endsWith(COMPACT);
        parts.add(new Part(Long.parseLong(matcher.group(1)), isCompact, entry));
      }
    }
    parts.sort(Comparator.comparingLong(Part::number).thenComparing(part -> !part.isCompact()));
    long compacted =
        parts.stream().filter(Part::isCompact).mapToLong(Part::number).max().orElse(-1);
    List<LogFile> files = new ArrayList<>();
    for (Part part : parts) {
      if (part.number() > compacted || (part.isCompact() && part.number() == compacted)) {
        Entry entry = part.entry();
        files.add(new LogFile(entry.name(), entry.bytes(), entry.source()));
      }
    }
    return new EventLog(name, files, isOpen, compacted >= 0);
  }

  /** Unpacks what a file's name says is packed. */
  static InputStream unpacked(String name, InputStream in) {
    String plain = name;
    for (String suffix : List.of(OPEN, COMPACT)) {
      plain = plain.endsWith(suffix) ? plain.substring(0, plain.length() - suffix.length()) : plain;
    }
    String codec = plain.substring(plain.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    if (!CODECS.contains(codec)) {
      return in;
    }
    return CompressionCodec.createCodec(new SparkConf(false), codec)
        .compressedContinuousInputStream(new BufferedInputStream(in, 1 << 16));
  }

  private static Place local(String given) {
    return local(java.nio.file.Path.of(given));
  }

  private static Place local(java.nio.file.Path path) {
    return new Place() {
      @Override
      public boolean isFolder() {
        return Files.isDirectory(path);
      }

      @Override
      public List<Entry> list() throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (Stream<java.nio.file.Path> files = Files.list(path)) {
          for (java.nio.file.Path file : files.sorted().toList()) {
            try {
              entries.add(local(file).entry());
            } catch (FileNotFoundException | NoSuchFileException e) {
              // a link to nothing, or renamed since it was listed: it is left out
            }
          }
        }
        return entries;
      }

      @Override
      public Place child(String name) {
        return local(path.resolve(name));
      }

      @Override
      public Entry entry() throws IOException {
        if (!Files.exists(path)) {
          throw new FileNotFoundException(
              path + " does not exist: give the file or the folder of an event log");
        }
        boolean isFolder = Files.isDirectory(path);
        return new Entry(
            path.getFileName().toString(),
            isFolder,
            isFolder ? 0 : Files.size(path),
            () -> Files.newInputStream(path));
      }
    };
  }

  private static Place remote(Path path) throws IOException {
    Configuration settings = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    return remote(path.getFileSystem(settings), path);
  }

  private static Place remote(FileSystem files, Path path) {
    return new Place() {
      @Override
      public boolean isFolder() throws IOException {
        return files.getFileStatus(path).isDirectory();
      }

      @Override
      public List<Entry> list() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (FileStatus status : files.listStatus(path)) {
          entries.add(entry(status));
        }
        entries.sort(Comparator.comparing(Entry::name));
        return entries;
      }

      @Override
      public Place child(String name) {
        return remote(files, new Path(path, name));
      }

      @Override
      public Entry entry() throws IOException {
        return entry(files.getFileStatus(path));
      }

      private Entry entry(FileStatus status) {
        return new Entry(
            status.getPath().getName(),
            status.isDirectory(),
            status.getLen(),
            () -> files.open(status.getPath()));
      }
    };
  }
}
