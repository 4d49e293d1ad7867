package io.github.sparkgpusched.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.BehaviorFilter;
import japicmp.model.JApiClass;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtConstructor;
import javassist.CtNewMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The package that authors of UDFs compile against is that of the last release, or has more. Its
 * classes then are kept in a jar beside this test; {@code -Dgpusched.api.write=true} writes it
 * anew, for a release whose version allows it (docs/versioning.md).
 */
class ApiCompatibilityTest {
  private static final String PACKAGE = "io/github/sparkgpusched/api";
  private static final String RELEASED = "released.jar";
  private static final Path KEPT = Path.of("src/test/resources", PACKAGE, RELEASED);

  /** The plugin makes them, and users read them: a measure more is a component more. */
  private static final Set<String> READ_ALONE =
      Set.of(DeviceLoad.class.getName(), InnerLoad.class.getName(), Transfers.class.getName());

  @TempDir Path folder;

  /** The names and bytes of class files. */
  private static Map<String, byte[]> now() throws IOException, URISyntaxException {
    Path classes =
        Path.of(GpuUdf.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Map<String, byte[]> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(classes.resolve(PACKAGE))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        found.put(PACKAGE + "/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
    return found;
  }

  private static Map<String, byte[]> released() throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    try (InputStream in = ApiCompatibilityTest.class.getResourceAsStream(RELEASED);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        found.put(entry.getName(), zip.readAllBytes());
      }
    }
    return found;
  }

  private static Path jar(Path file, Map<String, byte[]> classes) throws IOException {
    Files.createDirectories(file.getParent());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        ZipEntry entry = new ZipEntry(each.getKey());
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(each.getValue());
        zip.closeEntry();
      }
    }
    return Files.write(file, bytes.toByteArray());
  }

  /** What a class compiled against the former, or its source, would not find in the latter. */
  private List<String> broken(Map<String, byte[]> before, Map<String, byte[]> after)
      throws IOException {
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    BehaviorFilter constructors =
        made ->
            made instanceof CtConstructor
                && READ_ALONE.contains(made.getDeclaringClass().getName());
    options.getFilters().getExcludes().add(constructors);
    return new JarArchiveComparator(options)
            .compare(
                new JApiCmpArchive(jar(folder.resolve("before.jar"), before).toFile(), "before"),
                new JApiCmpArchive(jar(folder.resolve("after.jar"), after).toFile(), "after"))
            .stream()
            .filter(type -> !type.isBinaryCompatible() || !type.isSourceCompatible())
            .map(JApiClass::getFullyQualifiedName)
            .toList();
  }

  @Test
  void nothingIsGoneThatTheLastReleaseHas() throws Exception {
    if (Boolean.getBoolean("gpusched.api.write")) {
      jar(KEPT, now());
    } else {
      assertEquals(
          List.of(),
          broken(released(), now()),
          "changed so that UDFs of the last release's users break: see docs/versioning.md");
    }
  }

  private interface Change {
    void of(CtClass type) throws Exception;
  }

  private static Map<String, byte[]> changed(Change change) throws Exception {
    Map<String, byte[]> classes = now();
    String file = PACKAGE + "/GpuUdf.class";
    CtClass type = new ClassPool(true).makeClass(new ByteArrayInputStream(classes.get(file)));
    change.of(type);
    classes.put(file, type.toBytecode());
    return classes;
  }

  /** The check finds what it is for, and lets the rest pass. */
  @Test
  void whatBreaksUsersIsFoundAndWhatDoesNotIsNot() throws Exception {
    String type = GpuUdf.class.getName();
    assertEquals(List.of(), broken(now(), now()));
    assertEquals(
        List.of(type),
        broken(now(), changed(udf -> udf.removeMethod(udf.getDeclaredMethod("blockStrategy")))),
        "a method that is gone");
    assertEquals(
        List.of(type),
        broken(
            now(),
            changed(udf -> udf.addMethod(CtNewMethod.make("public abstract int more();", udf)))),
        "a method that each UDF would have to implement");
    assertEquals(
        List.of(),
        broken(
            now(),
            changed(
                udf -> udf.addMethod(CtNewMethod.make("public int more() { return 1; }", udf)))),
        "a method with a default");
    Map<String, byte[]> without = now();
    without.remove(PACKAGE + "/CostHint.class");
    assertFalse(broken(now(), without).isEmpty(), "a class that is gone");
  }
}
