import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Makes a library of kernels small when it is compressed: in a copy, the code of all GPU
 * architectures but one is left out, and becomes zeros, and so do symbols that no loader reads. No
 * container of kernels moves, so that the copy loads as the library does.
 *
 * <p>Usage: {@code java PruneNatives.java LIBRARY COPY ARCHITECTURE}, the architecture such as 90.
 * Prints what is left, in MiB. Formats: ELF-64, and the containers of nvcc's fatbinary.h: magic,
 * u16 version, u16 bytes of the header, u64 bytes of the entries; an entry: u16 kind, u16 version,
 * u32 bytes of the header, u64 bytes of the code, at 28 the architecture.
 */
final class PruneNatives {
  private static final int CONTAINER = 0xba55ed50;
  private static final int SASS = 2;

  /** Bytes of a section's header, and what is where in it. */
  private static final int NAME_AT = 0;

  private static final int OFFSET_AT = 24;
  private static final int SIZE_AT = 32;

  private final ByteBuffer file;
  private final int architecture;
  private long kept;

  private PruneNatives(ByteBuffer file, int architecture) {
    this.file = file;
    this.architecture = architecture;
  }

  public static void main(String[] arguments) throws IOException {
    Path copy = Path.of(arguments[1]);
    Files.copy(Path.of(arguments[0]), copy, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel channel =
        FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      PruneNatives prune = new PruneNatives(bytes, Integer.parseInt(arguments[2]));
      prune.prune();
      bytes.force();
      if (prune.kept == 0) {
        throw new IOException(arguments[0] + " has no code for sm_" + arguments[2]);
      }
      System.out.println((prune.kept >> 20) + " MiB of kernels for sm_" + arguments[2]);
    }
  }

  private void prune() throws IOException {
    if (file.getInt(0) != 0x464c457f) {
      throw new IOException("no ELF file");
    }
    long sections = file.getLong(40);
    int bytes = file.getShort(58);
    int count = file.getShort(60);
    long names = at(sections, bytes, file.getShort(62), OFFSET_AT);
    for (int i = 0; i < count; i++) {
      String name = name((int) (names + file.getInt((int) (sections + (long) bytes * i) + NAME_AT)));
      long offset = at(sections, bytes, i, OFFSET_AT);
      long size = at(sections, bytes, i, SIZE_AT);
      if (name.equals(".symtab") || name.equals(".strtab")) {
        zero(offset, size);
      } else if (name.equals(".nv_fatbin")) {
        containers(offset, offset + size);
      }
    }
  }

  private long at(long sections, int bytes, int section, int field) {
    return file.getLong((int) (sections + (long) bytes * section + field));
  }

  private String name(int at) {
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - at];
    file.get(at, name);
    return new String(name, StandardCharsets.US_ASCII);
  }

  private void containers(long from, long until) {
    long at = from;
    while (at + 16 <= until) {
      if (file.getInt((int) at) == CONTAINER) {
        long entries = at + file.getShort((int) at + 6);
        long end = entries + file.getLong((int) at + 8);
        long kept = entries(entries, end);
        zero(kept, end - kept);
        file.putLong((int) at + 8, kept - entries);
        at = end;
      } else {
        at += 8;
      }
    }
  }

  /**
   * Moves the entries that are wanted to the begin of their container; gives where they end. Of a
   * container without any a header stays, as of code for another GPU.
   */
  private long entries(long from, long end) {
    long to = from;
    for (long entry = from; entry < end; ) {
      long bytes = file.getInt((int) entry + 4) + file.getLong((int) entry + 8);
      if (isWanted(entry)) {
        kept += file.getLong((int) entry + 8);
        byte[] moved = new byte[(int) bytes];
        file.get((int) entry, moved);
        file.put((int) to, moved);
        to += bytes;
      }
      entry += bytes;
    }
    if (to == from) {
      int header = file.getInt((int) from + 4);
      long code = file.getLong((int) from + 8);
      zero(from + header, code);
      return from + header + code;
    }
    return to;
  }

  private boolean isWanted(long entry) {
    return file.getShort((int) entry) == SASS && file.getInt((int) entry + 28) == architecture;
  }

  private void zero(long from, long bytes) {
    byte[] zeros = new byte[1 << 16];
    for (long done = 0; done < bytes; done += zeros.length) {
      int count = (int) Math.min(zeros.length, bytes - done);
      file.put((int) (from + done), zeros, 0, count);
    }
  }
}
