import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassWriter;
import org.apache.xbean.asm9.commons.ClassRemapper;
import org.apache.xbean.asm9.commons.Remapper;

/**
 * Makes the jars of a Spark 4 that has kept {@code javax.servlet}, as some vendors' do: Apache's,
 * with the package renamed in every class. Jars that do not mention it are linked. Usage: {@code
 * java -cp 'JARS/*' JavaxServlets.java JARS OUT}.
 */
final class JavaxServlets {
  private static final String SLASHED = "jakarta/servlet";
  private static final String DOTTED = "jakarta.servlet";

  private static final Remapper TO_JAVAX =
      new Remapper() {
        @Override
        public String map(String name) {
          return renamed(name);
        }

        @Override // names of classes that are loaded by reflection
        public Object mapValue(Object value) {
          return value instanceof String text ? renamed(text) : super.mapValue(value);
        }
      };

  public static void main(String[] arguments) throws IOException {
    Path out = Files.createDirectories(Path.of(arguments[1]));
    int changed = 0;
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
      for (Path jar : jars) {
        String name = jar.getFileName().toString();
        // The renamed one takes its place.
        if (name.startsWith("javax.servlet-api-")) {
          continue;
        }
        if (mentions(jar)) {
          rename(jar, out.resolve(name));
          changed++;
        } else {
          Files.createSymbolicLink(out.resolve(name), jar.toRealPath());
        }
      }
    }
    System.out.println(changed + " jars changed");
    if (changed == 0) {
      throw new IllegalStateException("no jar of " + arguments[0] + " mentions " + DOTTED);
    }
  }

  private static String renamed(String text) {
    return text.replace(SLASHED, "javax/servlet").replace(DOTTED, "javax.servlet");
  }

  private static boolean mentions(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        if (entry.getName().endsWith(".class") && mentions(bytes(zip, entry))) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean mentions(byte[] code) {
    String text = new String(code, StandardCharsets.ISO_8859_1);
    return text.contains(SLASHED) || text.contains(DOTTED);
  }

  private static void rename(Path jar, Path to) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile());
        OutputStream file = Files.newOutputStream(to);
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        String name = entry.getName();
        // A signature would no longer hold, and a module would be another one.
        if (name.matches("META-INF/[^/]*\\.(SF|RSA|DSA)") || name.endsWith("module-info.class")) {
          continue;
        }
        out.putNextEntry(new ZipEntry(renamed(name)));
        byte[] bytes = bytes(zip, entry);
        out.write(name.endsWith(".class") && mentions(bytes) ? renamed(bytes) : bytes);
        out.closeEntry();
      }
    }
  }

  private static byte[] renamed(byte[] code) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(code).accept(new ClassRemapper(writer, TO_JAVAX), 0);
    return writer.toByteArray();
  }

  private static byte[] bytes(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
