package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobGridTest {
  /** A block on each multiprocessor as soon as there are chunks of 32 rows, then 8 chunks each. */
  @ParameterizedTest
  @CsvSource({
    "1, 132, 1",
    "32, 132, 1",
    "33, 132, 2",
    "4224, 132, 132",
    "16384, 132, 132",
    "33792, 132, 132",
    "33793, 132, 133",
    "135168, 132, 528",
    "16384, 40, 64",
    "1000, 1, 4",
    "2147483647, 132, 8388608"
  })
  void aGridFillsTheDevice(int rows, int multiprocessors, int blocks) {
    assertEquals(blocks, JobGrid.blocksFor(rows, multiprocessors));
  }

  /** As a batch of cuDF may have. */
  @Test
  void asManyRowsAsAnIntCountsAreAllInChunks() {
    JobGrid grid = new JobGrid(null, 132, Integer.MAX_VALUE, 0, 0, 0);
    assertEquals(32_768, grid.chunkRows(0));
    assertEquals(65_536, grid.chunks(0));
    assertEquals(8_388_608, JobGrid.blocksOfThreads(Integer.MAX_VALUE));
    assertEquals(16, JobGrid.wholeClusters(13, 8));
  }

  /** As many shares as blocks, at least one for each job, the first of the first job. */
  @ParameterizedTest
  @CsvSource({
    "4, 1 1 1 1",
    "5, 1000 0 1",
    "7, 0 0 0",
    "528, 1 100000 3 30000",
    "32, 9 8 7",
    "1, 5"
  })
  void eachJobHasAShare(int blocks, String rows) {
    List<Integer> jobRows = Stream.of(rows.split(" ")).map(Integer::valueOf).toList();
    JobGrid grid = new JobGrid(null, blocks, jobRows, 0, 0, 0);
    assertEquals(0, grid.firstShare(0));
    for (int job = 1; job < jobRows.size(); job++) {
      assertTrue(grid.firstShare(job) > grid.firstShare(job - 1), "job " + job);
      assertTrue(grid.firstShare(job) < blocks, "job " + job);
    }
    for (int job = 0; job < jobRows.size(); job++) {
      long rowsInChunks = (long) grid.chunks(job) * grid.chunkRows(job);
      assertTrue(rowsInChunks >= jobRows.get(job), "job " + job);
    }
  }

  @Test
  void aJobWithoutABlockOfThreadsIsABug() {
    List<Integer> rows = List.of(1, 2, 3);
    assertThrows(IllegalArgumentException.class, () -> new JobGrid(null, 2, rows, 0, 0, 0));
  }

  @Test
  void aWaveIsWhatItsBlocksComputeAtOnce() {
    assertEquals(135_168, JobGrid.rowsAtOnce(528));
    assertEquals(528, JobGrid.blocksFor(135_168, 132));
  }

  /** Of any length, and nothing beside them. */
  @Test
  void bytesOfStringsAreCopied() {
    int room = 40;
    long from = Platform.allocateMemory(room);
    long to = Platform.allocateMemory(room);
    try {
      for (int i = 0; i < room; i++) {
        Platform.putByte(null, from + i, (byte) (i + 1));
      }
      for (int bytes = 0; bytes <= 30; bytes++) {
        Platform.setMemory(to, (byte) 0, room);
        RowBytes.copy(from + 3, to + 5, bytes);
        for (int i = 0; i < room; i++) {
          int expected = i < 5 || i >= 5 + bytes ? 0 : i - 1;
          assertEquals(expected, Platform.getByte(null, to + i), i + " of " + bytes);
        }
      }
    } finally {
      Platform.freeMemory(from);
      Platform.freeMemory(to);
    }
  }

  /** At any place of any length, and no other state counts. */
  @Test
  void rowsForTheHostAreSeen() {
    int room = 40;
    long states = Platform.allocateMemory(room);
    try {
      for (int count = 0; count <= 20; count++) {
        for (int at = 0; at < room; at++) {
          Platform.setMemory(states, (byte) 1, room);
          Platform.putByte(null, states + room - 1, (byte) 0);
          Platform.putByte(null, states + at, (byte) 2);
          assertEquals(at < count, RowBytes.anyForHost(states, count), at + " of " + count);
        }
      }
    } finally {
      Platform.freeMemory(states);
    }
  }
}
