package io.github.sparkgpusched.device.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Files for native code, in a directory that only the user of this process can write to. A file
 * appears whole or not at all, however many JVMs place it at once: it is written under another name
 * and renamed.
 */
final class NativeFiles {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private NativeFiles() {}

  /**
   * The directory of this user below another, made if it is not there. If something else has its
   * name, or others can write to it, a fresh directory is made.
   *
   * @param parent an existing directory, such as java.io.tmpdir
   */
  static Path privateDirectory(Path parent) throws IOException {
    Path directory = parent.resolve("spark-gpu-sched-" + System.getProperty("user.name"));
    try {
      Files.createDirectory(directory, PRIVATE);
      return directory;
    } catch (FileAlreadyExistsException e) {
      return isPrivate(directory, parent)
          ? directory
          : Files.createTempDirectory(parent, "spark-gpu-sched-", PRIVATE);
    }
  }

  /** Compared with a file made now: the user's name says nothing of who owns what. */
  private static boolean isPrivate(Path directory, Path parent) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Path mine = Files.createTempFile(parent, "spark-gpu-sched-", ".owner");
    try {
      return Files.getOwner(mine).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS))
          && Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS).stream()
              .noneMatch(WRITABLE_BY_OTHERS::contains);
    } finally {
      Files.delete(mine);
    }
  }

  /**
   * Places a file, unless it is there with the same bytes.
   *
   * @return its path
   */
  static Path place(byte[] content, Path directory, String name) throws IOException {
    Path file = directory.resolve(name);
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) == content.length
        && Arrays.equals(Files.readAllBytes(file), content)) {
      return file;
    }
    Path unfinished = Files.createTempFile(directory, name, ".tmp");
    try {
      Files.write(unfinished, content);
      try {
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        throw new IOException(
            "the directory " + directory + " cannot rename a file atomically: set java.io.tmpdir",
            e);
      }
    } finally {
      Files.deleteIfExists(unfinished);
    }
    return file;
  }

  /** The bytes of a class path resource. */
  static byte[] resource(Class<?> near, String path) throws IOException {
    try (InputStream in = near.getResourceAsStream(path)) {
      if (in == null) {
        throw new IOException("the resource " + path + " is not in the plugin's jar");
      }
      return in.readAllBytes();
    }
  }
}
