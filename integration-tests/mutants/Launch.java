import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a main class of folders and jars that are not on the class path: a JVM that has a folder on
 * it writes no archive of the classes that it loads.
 *
 * <p>Usage: {@code Launch PATH CLASS ARGUMENT...}
 */
final class Launch {
  private Launch() {}

  public static void main(String[] arguments) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : arguments[0].split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getSystemClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    var main = Class.forName(arguments[1], true, loader).getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    main.invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
  }
}
