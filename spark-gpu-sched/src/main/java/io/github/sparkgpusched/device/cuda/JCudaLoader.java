package io.github.sparkgpusched.device.cuda;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import jcuda.JCudaVersion;
import jcuda.LibUtils;

/**
 * Makes JCuda's driver class usable. To be called after {@link DriverLibrary} has found a driver
 * that has every function that is used: without one the class would be dead for as long as its
 * loader lives, and a function that is missing would end the process when it is called.
 *
 * <p>JCuda extracts its native library to a fixed name below java.io.tmpdir without a lock, and
 * JVMs that start at once crash on each other's half-written file; but a file that is there it
 * loads as it is. So the file is placed first, atomically and where nobody else can write, and
 * java.io.tmpdir points there while JCuda looks. Somebody who reads the property in these
 * milliseconds gets a directory that he can use too.
 */
final class JCudaLoader {
  private static final String TMPDIR = "java.io.tmpdir";

  /** Whether it is done. */
  @GuardedBy("JCudaLoader.class")
  private static boolean loaded;

  private JCudaLoader() {}

  /**
   * Loads JCuda's driver class.
   *
   * @throws IOException if its native library cannot be placed
   * @throws LinkageError if it cannot be loaded
   */
  static synchronized void load() throws IOException {
    if (loaded) {
      return;
    }
    String name =
        LibUtils.createLibraryFileName(
            LibUtils.createPlatformLibraryName("JCudaDriver-" + JCudaVersion.get()));
    String before = System.getProperty(TMPDIR);
    Path directory = NativeFiles.privateDirectory(Path.of(before));
    Path file =
        NativeFiles.place(NativeFiles.resource(LibUtils.class, "/lib/" + name), directory, name);
    System.load(file.toString());
    System.setProperty(TMPDIR, directory.toString());
    try {
      Class.forName("jcuda.driver.JCudaDriver");
    } catch (ClassNotFoundException e) {
      throw new NoClassDefFoundError(e.getMessage());
    } finally {
      System.setProperty(TMPDIR, before);
    }
    loaded = true;
  }
}
