import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies of the jars of a class path without what is not needed: what was loaded in a run that is
 * on record is. Of Spark and Scala whole packages stay, so that a path that the run did not take
 * has its classes; of other jars the classes that were loaded, with those nested in them. Jars of
 * which nothing was loaded are left out, but for natives. Stored and not compressed, for a compressor that sees all
 * of them.
 *
 * <p>Usage: {@code PruneJars OUT_DIRECTORY CLASS_PATH LOG...}, logs of {@code -Xlog:class+load}.
 */
final class PruneJars {
  private static final Pattern LOADED = Pattern.compile("\\] (\\S+) source: file:(\\S+)");
  private static final Pattern WHOLE_PACKAGES = Pattern.compile("org\\.apache\\.spark\\..*|scala\\.(?!reflect\\.).*");

  /** Natives of other systems, data of languages, and what only a compiler reads. */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          ".*(darwin|osx|macos|Mac/|win/|win32|windows|Windows|aarch|arm|ppc|s390|riscv|loongarch|sparc"
              + "|freebsd|FreeBSD|SunOS|AIX|android|linux[-/_]?(x86|i386)/|Linux/x86/).*\\.(so|dll|dylib|jnilib|a)"
              + "|com/ibm/icu/impl/data/.*/(brkitr|translit|lang|curr|region|zone|unit|rbnf)/.*"
              + "|com/ibm/icu/impl/data/[^/]*/(coll/)?(?!root|ucadata|res_index|supplementalData|keyTypeData"
              + "|likelySubtags|pool)[a-z]{2,3}(_[A-Za-z_0-9]+)?\\.res"
              + "|org/apache/spark/ui/static/.*|.*\\.tasty|META-INF/(INDEX\\.LIST|maven/.*|versions/(19|2\\d)/.*|.*\\.(SF|RSA|DSA))");

  /** What a host without Netty's natives needs. */
  private static final Pattern STAYS = Pattern.compile("io/netty/channel/(socket/)?nio/.*");

  /** Jars with natives alone, of which nothing is on record. */
  private static final Pattern NATIVES = Pattern.compile("netty-transport-native-epoll-.*-linux-x86_64\\.jar");

  private PruneJars() {}

  public static void main(String[] arguments) throws IOException {
    Path out = Path.of(arguments[0]);
    Set<String> classes = new HashSet<>();
    Set<String> packages = new HashSet<>();
    Set<String> jars = new HashSet<>();
    for (String log : List.of(arguments).subList(2, arguments.length)) {
      for (String line : Files.readAllLines(Path.of(log))) {
        Matcher loaded = LOADED.matcher(line);
        if (loaded.find()) {
          String name = loaded.group(1).replaceAll("[/+]0x.*", "");
          classes.add(outermost(name));
          packages.add(packageOf(name));
          jars.add(Path.of(loaded.group(2)).getFileName().toString());
        }
      }
    }
    Files.createDirectories(out);
    long bytes = 0;
    int count = 0;
    for (String jar : arguments[1].split(":")) {
      Path from = Path.of(jar);
      String name = from.getFileName().toString();
      if (jars.contains(name) || NATIVES.matcher(name).matches()) {
        bytes += prune(from, out.resolve(from.getFileName()), classes, packages);
        count++;
      }
    }
    System.out.println(count + " of " + arguments[1].split(":").length + " jars, " + (bytes >> 20) + " MiB");
  }

  private static String outermost(String name) {
    int nested = name.indexOf('$', name.lastIndexOf('.') + 2);
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private static boolean stays(String entry, Set<String> classes, Set<String> packages) {
    if (LEFT_OUT.matcher(entry).matches()) {
      return false;
    }
    if (!entry.endsWith(".class") || STAYS.matcher(entry).matches()) {
      return true;
    }
    String name =
        entry
            .replaceFirst("^META-INF/versions/\\d+/", "")
            .replaceFirst("\\.class$", "")
            .replace('/', '.');
    return classes.contains(outermost(name))
        || WHOLE_PACKAGES.matcher(name).matches() && packages.contains(packageOf(name));
  }

  private static long prune(Path from, Path to, Set<String> classes, Set<String> packages) throws IOException {
    long bytes = 0;
    try (ZipFile jar = new ZipFile(from.toFile());
        OutputStream file = Files.newOutputStream(to);
        ZipOutputStream pruned = new ZipOutputStream(file)) {
      pruned.setMethod(ZipOutputStream.STORED);
      for (ZipEntry entry : Collections.list(jar.entries())) {
        if (entry.isDirectory() || !stays(entry.getName(), classes, packages)) {
          continue;
        }
        byte[] content = jar.getInputStream(entry).readAllBytes();
        ZipEntry stored = new ZipEntry(entry.getName());
        CRC32 crc = new CRC32();
        crc.update(content);
        stored.setCrc(crc.getValue());
        stored.setSize(content.length);
        stored.setTime(0);
        pruned.putNextEntry(stored);
        pruned.write(content);
        pruned.closeEntry();
        bytes += content.length;
      }
    }
    return bytes;
  }
}
