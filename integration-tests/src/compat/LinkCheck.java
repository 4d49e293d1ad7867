import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.Handle;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;

/**
 * Resolves what the plugin's classes refer to in the jars of a Spark, as the JVM would: classes,
 * methods and fields, and abstract methods that a class of the plugin does not implement. Prints
 * what is missing, and who needs it; exit status 1 if anything is.
 *
 * <p>Usage: {@code java -cp 'JARS/*' LinkCheck.java PLUGIN_JAR JARS_FOLDER}. Spark brings ASM.
 */
final class LinkCheck {
  private static final String OURS = "io/github/sparkgpusched/";

  /** RAPIDS' classes, which are asked for only where RAPIDS is. */
  private static final List<String> OPTIONAL = List.of("ai/rapids/", "com/nvidia/");

  /** Their methods take whatever they are given. */
  private static final List<String> SIGNATURE_POLYMORPHIC =
      List.of("java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle");

  private final Map<String, Type> types = new HashMap<>();
  private final Map<String, Set<String>> missing = new TreeMap<>();

  /** A class file; members by name and descriptor, with their flags. */
  private record Type(
      String name,
      String parent,
      String[] interfaces,
      int flags,
      Map<String, Integer> methods,
      Set<String> fields,
      byte[] code) {
    boolean is(int flag) {
      return (flags & flag) != 0;
    }
  }

  public static void main(String[] arguments) throws IOException {
    LinkCheck check = new LinkCheck();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[1]), "*.jar")) {
      for (Path jar : jars) {
        check.read(jar);
      }
    }
    check.read(Path.of(arguments[0]));
    List<Type> ours =
        check.types.values().stream().filter(type -> type.name().startsWith(OURS)).toList();
    ours.forEach(check::check);
    check.missing.forEach((what, who) -> System.out.println(what + "\n    for " + who));
    System.out.println(ours.size() + " classes, " + check.missing.size() + " references missing");
    System.exit(check.missing.isEmpty() && !ours.isEmpty() ? 0 : 1);
  }

  private void read(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (var entry : Collections.list(jar.entries())) {
        String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF/") && !name.contains("-info")) {
          try (InputStream in = jar.getInputStream(entry)) {
            Type type = type(in.readAllBytes());
            types.put(type.name(), type);
          }
        }
      }
    }
  }

  private static Type type(byte[] code) {
    ClassReader reader = new ClassReader(code);
    Map<String, Integer> methods = new HashMap<>();
    Set<String> fields = new HashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(int flags, String name, String of, String s, String[] x) {
            methods.put(name + of, flags);
            return null;
          }

          @Override
          public org.apache.xbean.asm9.FieldVisitor visitField(
              int flags, String name, String of, String s, Object value) {
            fields.add(name + of);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    return new Type(
        reader.getClassName(),
        reader.getSuperName(),
        reader.getInterfaces(),
        reader.getAccess(),
        methods,
        fields,
        reader.getClassName().startsWith(OURS) ? code : null);
  }

  /** Of the jars, or of this JDK; null if there is none. */
  private Type find(String name) {
    Type known = types.get(name);
    if (known == null && !types.containsKey(name)) {
      try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
        known = in == null ? null : type(in.readAllBytes());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      types.put(name, known);
    }
    return known;
  }

  private boolean has(String owner, String member, boolean field) {
    Type type = find(owner);
    if (type == null) {
      return false;
    }
    return (field ? type.fields().contains(member) : type.methods().containsKey(member))
        || (type.parent() != null && has(type.parent(), member, field))
        || List.of(type.interfaces()).stream().anyMatch(i -> has(i, member, field));
  }

  private void check(Type type) {
    Consumer<String> lacks =
        what -> missing.computeIfAbsent(what, key -> new TreeSet<>()).add(type.name().substring(OURS.length()));
    if (!type.is(Opcodes.ACC_ABSTRACT) && !type.is(Opcodes.ACC_INTERFACE)) {
      Map<String, String> open = new TreeMap<>();
      Set<String> done = new HashSet<>();
      members(type.name(), open, done, new HashSet<>());
      open.forEach(
          (method, of) -> {
            if (!done.contains(method)) {
              lacks.accept("no implementation of " + of + "." + method);
            }
          });
    }
    isThere(type.parent(), lacks);
    List.of(type.interfaces()).forEach(name -> isThere(name, lacks));
    new ClassReader(type.code()).accept(new References(lacks), ClassReader.SKIP_DEBUG);
  }

  private void members(String name, Map<String, String> open, Set<String> done, Set<String> seen) {
    Type type = find(name);
    if (type == null || !seen.add(name)) {
      return;
    }
    type.methods()
        .forEach(
            (method, flags) -> {
              if ((flags & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0) {
                if ((flags & Opcodes.ACC_ABSTRACT) != 0) {
                  open.putIfAbsent(method, name);
                } else {
                  done.add(method);
                }
              }
            });
    List<String> parents = new ArrayList<>(List.of(type.interfaces()));
    if (type.parent() != null) {
      parents.add(type.parent());
    }
    parents.forEach(parent -> members(parent, open, done, seen));
  }

  /** Reports a class that is not there, and says whether its members are worth asking for. */
  private boolean isThere(String name, Consumer<String> lacks) {
    String element = name.replaceFirst("^\\[+", "");
    if (!element.equals(name)) {
      if (element.startsWith("L")) {
        isThere(element.substring(1, element.length() - 1), lacks);
      }
      return false;
    }
    if (OPTIONAL.stream().anyMatch(name::startsWith)) {
      return false;
    }
    if (find(name) == null) {
      lacks.accept("no class " + name);
      return false;
    }
    return !SIGNATURE_POLYMORPHIC.contains(name);
  }

  private final class References extends ClassVisitor {
    private final Consumer<String> lacks;

    References(Consumer<String> lacks) {
      super(Opcodes.ASM9);
      this.lacks = lacks;
    }

    @Override
    public MethodVisitor visitMethod(int flags, String name, String of, String s, String[] x) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(int code, String owner, String name, String of, boolean inner) {
          member(owner, name, of, false, inner);
        }

        @Override
        public void visitFieldInsn(int code, String owner, String name, String of) {
          member(owner, name, of, true, false);
        }

        @Override
        public void visitTypeInsn(int code, String type) {
          isThere(type, lacks);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String of, Handle by, Object... given) {
          for (Object each : given) {
            if (each instanceof Handle to) {
              boolean field = to.getTag() <= Opcodes.H_PUTSTATIC;
              member(to.getOwner(), to.getName(), to.getDesc(), field, to.isInterface());
            }
          }
        }
      };
    }

    private void member(String owner, String name, String of, boolean field, boolean inner) {
      if (!isThere(owner, lacks)) {
        return;
      }
      // A parent that is not there is told where it is named.
      if (!has(owner, name + of, field) && !extendsOptional(owner)) {
        lacks.accept("no " + owner + "." + name + (field ? " " : "") + of);
      } else if (!field && find(owner).is(Opcodes.ACC_INTERFACE) != inner) {
        lacks.accept(owner + " is " + (inner ? "no" : "an") + " interface");
      }
    }

    private boolean extendsOptional(String name) {
      Type type = find(name);
      if (type == null) {
        return OPTIONAL.stream().anyMatch(name::startsWith);
      }
      return List.of(type.interfaces()).stream().anyMatch(this::extendsOptional)
          || (type.parent() != null && extendsOptional(type.parent()));
    }
  }
}
