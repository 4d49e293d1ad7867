package io.github.sparkgpusched.ui;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class GpuSchedTabTest {
  /** As in a Spark whose servlets are {@code javax}'s: ours are loaded anew, and find no others. */
  private static final class WithoutServlets extends ClassLoader {
    WithoutServlets() {
      super(GpuSchedTabTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("jakarta.servlet.")) {
        throw new ClassNotFoundException(name);
      }
      return name.startsWith("io.github.sparkgpusched.ui.GpuSchedTab")
          ? define(name)
          : super.loadClass(name, resolve);
    }

    private synchronized Class<?> define(String name) throws ClassNotFoundException {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** It is linked before the question is asked whether there can be a tab. */
  @Test
  void isLinkedWhereThereAreNoServlets() {
    ClassLoader loader = new WithoutServlets();
    String name = GpuSchedTab.class.getName();
    assertDoesNotThrow(() -> Class.forName(name, true, loader));
    assertThrows(
        NoClassDefFoundError.class, () -> Class.forName(name + "$Attachment", true, loader));
  }
}
