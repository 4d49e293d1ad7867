import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles mutants, each alone, in one JVM: a compiler of its own takes longer to start than to
 * compile one.
 *
 * <p>Usage: {@code Compile CLASS_PATH DIRECTORY...}: the sources in each directory, with what the
 * compiler says in {@code log} there, give classes in {@code out} there; if they do not compile,
 * there is no {@code out}.
 */
final class Compile {
  private Compile() {}

  public static void main(String[] arguments) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String argument : List.of(arguments).subList(1, arguments.length)) {
      Path directory = Path.of(argument);
      Path unfinished = Files.createDirectory(directory.resolve("unfinished"));
      int status;
      try (OutputStream log = Files.newOutputStream(directory.resolve("log"))) {
        status = compiler.run(null, log, log, options(arguments[0], directory, unfinished));
      }
      if (status == 0) {
        Files.move(unfinished, directory.resolve("out"));
      }
    }
  }

  private static String[] options(String classPath, Path directory, Path out) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      Stream<String> sources = files.map(Path::toString).filter(file -> file.endsWith(".java"));
      return Stream.concat(
              Stream.of(
                  "-nowarn", "-proc:none", "--release", "17", "-cp", classPath, "-d", out.toString()),
              sources)
          .toArray(String[]::new);
    }
  }
}
