package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFilesTest {
  @TempDir Path parent;

  @Test
  void oneDirectoryAUserForNobodyElse() throws Exception {
    Path first = NativeFiles.privateDirectory(parent);
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(first)));
    assertEquals(first, NativeFiles.privateDirectory(parent));
  }

  @Test
  void aDirectoryThatOthersCanWriteToIsNotUsed() throws Exception {
    Path first = NativeFiles.privateDirectory(parent);
    Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path second = NativeFiles.privateDirectory(parent);
    assertNotEquals(first, second);
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(second)));
  }

  @Test
  void aLinkOrFileInItsPlaceIsNotUsed() throws Exception {
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Path place = parent.resolve("spark-gpu-sched-" + System.getProperty("user.name"));
    Files.createSymbolicLink(place, elsewhere);
    assertNotEquals(place, NativeFiles.privateDirectory(parent));
    Files.delete(place);
    Files.createFile(place);
    assertNotEquals(place, NativeFiles.privateDirectory(parent));
  }

  @Test
  void aFileIsWholeAndPlacedOnce() throws Exception {
    byte[] content = {1, 2, 3};
    Path file = NativeFiles.place(content, parent, "lib.so");
    assertArrayEquals(content, Files.readAllBytes(file));
    var time = Files.getLastModifiedTime(file);
    Object inode = Files.getAttribute(file, "unix:ino");
    NativeFiles.place(content, parent, "lib.so");
    assertEquals(time, Files.getLastModifiedTime(file));
    assertEquals(inode, Files.getAttribute(file, "unix:ino"));
    // Half a file of the same name, and one of the same length: replaced, not written over, for
    // somebody may have it mapped.
    for (byte[] wrong : new byte[][] {{1, 2}, {1, 2, 4}}) {
      Files.write(file, wrong);
      Object before = Files.getAttribute(file, "unix:ino");
      NativeFiles.place(content, parent, "lib.so");
      assertArrayEquals(content, Files.readAllBytes(file));
      assertNotEquals(before, Files.getAttribute(file, "unix:ino"));
    }
    try (Stream<Path> files = Files.list(parent)) {
      assertEquals(1, files.count());
    }
  }
}
