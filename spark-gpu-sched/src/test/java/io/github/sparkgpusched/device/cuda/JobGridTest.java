package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobGridTest {
  /** A block on each multiprocessor as soon as there are chunks of 32 rows, then 7 chunks each. */
  @ParameterizedTest
  @CsvSource({
    "1, 132, 1",
    "32, 132, 1",
    "33, 132, 2",
    "4224, 132, 132",
    "16384, 132, 132",
    "29568, 132, 132",
    "29600, 132, 133",
    "118272, 132, 528",
    "16384, 40, 74",
    "1000, 1, 5"
  })
  void aGridFillsTheDevice(int rows, int multiprocessors, int blocks) {
    assertEquals(blocks, JobGrid.blocksFor(rows, multiprocessors));
  }

  @Test
  void aWaveIsWhatItsBlocksComputeAtOnce() {
    assertEquals(118_272, JobGrid.rowsAtOnce(528));
    assertEquals(528, JobGrid.blocksFor(118_272, 132));
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
          assertEquals(at < count, StagedCall.anyForHost(states, count), at + " of " + count);
        }
      }
    } finally {
      Platform.freeMemory(states);
    }
  }
}
