package io.github.sparkgpusched.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/** Slabs, and batches that lie in them, without a device. */
class SlabPoolTest {
  private static final int REGION_BYTES = 64 << 10;
  private static final int ROWS = 1000;

  private final SlabPool pool = new SlabPool();
  private final SlabPool.Region region = pool.allocate(REGION_BYTES);

  private BatchMemory memory() {
    return new BatchMemory(
        new TaskMemoryManager(UnifiedMemoryManager.apply(new SparkConf(false), 1), 0), pool);
  }

  private static BatchColumn doubles(BatchMemory memory) throws BatchMemory.Refused {
    BatchColumn column = new BatchColumn(ColumnType.DOUBLE, DataTypes.DoubleType, memory);
    column.reserve(ROWS);
    return column;
  }

  private static BatchColumn column(ColumnType type, BatchMemory memory) {
    return new BatchColumn(type, DataTypes.NullType, memory);
  }

  /**
   * So that a device copies them at once, with the validity or without. Not a byte lies between.
   */
  @Test
  void columnsThatAreFilledTogetherLieTogether() throws BatchMemory.Refused {
    pool.add(region);
    try (BatchMemory memory = memory()) {
      BatchColumn flags = column(ColumnType.BOOLEAN, memory);
      BatchColumn doubles = column(ColumnType.DOUBLE, memory);
      BatchColumn ints = column(ColumnType.INT, memory);
      List<BatchColumn> all = List.of(flags, doubles, ints);
      AdjacentColumns.reserve(all, 999, memory);
      assertEquals(1, pool.slabs());
      assertEquals(0, doubles.valueAddress(0) % 128);
      assertEquals(doubles.valueAddress(999), ints.valueAddress(0));
      assertEquals(ints.valueAddress(999), flags.valueAddress(0));
      assertEquals(flags.valueAddress(999), doubles.validityAddress(0));
      assertEquals(doubles.validityAddress(999), ints.validityAddress(0));
      assertEquals(ints.validityAddress(999), flags.validityAddress(0));
      assertEquals(16L * 999, memory.getUsed());

      AdjacentColumns.reserve(all, 500, memory);
      assertEquals(999, doubles.capacityRows());
      Slab lent = doubles.slabAt(doubles.valueAddress(0), 8);
      lent.lend();
      AdjacentColumns.reserve(all, 500, memory);
      assertEquals(500, flags.capacityRows());
      assertNotEquals(lent, flags.slabAt(flags.valueAddress(0), 1));
      assertEquals(2, pool.slabs());
      lent.giveBack();
      assertEquals(1, pool.slabs());
      all.forEach(BatchColumn::release);
      assertEquals(0, pool.slabs());
      assertEquals(0, memory.getUsed());
    }
  }

  /** A piece that no region has room for would be copied by hand. */
  @Test
  void longColumnsLieAlone() throws BatchMemory.Refused {
    try (BatchMemory memory = memory()) {
      List<BatchColumn> all =
          List.of(column(ColumnType.LONG, memory), column(ColumnType.LONG, memory));
      AdjacentColumns.reserve(all, 1 << 18, memory);
      for (BatchColumn column : all) {
        assertEquals(column.valueAddress(1 << 18), column.validityAddress(0));
      }
    }
  }

  /** Also where a piece becomes two: what it had is free before. */
  @Test
  void columnsThatGrowAreNotHeldTwice() throws BatchMemory.Refused {
    try (BatchMemory memory = memory()) {
      List<BatchColumn> all =
          List.of(
              column(ColumnType.LONG, memory),
              column(ColumnType.LONG, memory),
              column(ColumnType.LONG, memory));
      AdjacentColumns.reserve(all, 100_000, memory);
      AdjacentColumns.reserve(all, 200_000, memory);
      assertEquals(3 * 9 * 200_000L, memory.peakBytes());
    }
  }

  @Test
  void givesNothingWithoutARegion() {
    assertNull(pool.take(64));
    assertFalse(pool.isShort());
    pool.add(region);
    assertNull(pool.take(REGION_BYTES + 1));
    assertTrue(pool.isShort());
    pool.add(pool.allocate(2 * REGION_BYTES));
    assertFalse(pool.isShort());
    assertNotNull(pool.take(REGION_BYTES + 1));
  }

  /** By chance, against what is out: no two overlap, and in the end all is one piece again. */
  @Test
  void slabsNeverOverlapAndComeBack() {
    pool.add(region);
    Random random = new Random(1);
    List<Slab> out = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      if (random.nextInt(5) < 2 && !out.isEmpty()) {
        out.remove(random.nextInt(out.size())).giveBack();
        continue;
      }
      Slab slab = pool.take(1 + random.nextInt(5000));
      if (slab == null) {
        out.remove(random.nextInt(out.size())).giveBack();
        continue;
      }
      assertEquals(0, slab.address() % 128);
      assertTrue(slab.address() >= region.address());
      assertTrue(slab.end() <= region.address() + region.bytes());
      for (Slab other : out) {
        assertTrue(slab.end() <= other.address() || other.end() <= slab.address());
      }
      out.add(slab);
      assertEquals(out.size(), pool.slabs());
    }
    out.forEach(Slab::giveBack);
    assertEquals(REGION_BYTES, pool.take(REGION_BYTES).bytes());
  }

  @Test
  void whatIsLentIsNobodyElses() {
    pool.add(region);
    Slab slab = pool.take(REGION_BYTES);
    slab.lend();
    slab.giveBack();
    assertNull(pool.take(128));
    slab.giveBack();
    assertNotNull(pool.take(128));
    assertThrows(IllegalStateException.class, slab::giveBack);
    assertThrows(IllegalStateException.class, slab::lend);
  }

  @Test
  void aDroppedRegionGivesNoSlabsAndIsOfNoDevice() {
    pool.add(region);
    Slab slab = pool.take(128);
    assertFalse(slab.lendTo(SlabPool.NONE));
    pool.drop(region);
    assertFalse(slab.lendTo(pool));
    assertNull(pool.take(128));
    Platform.putLong(null, slab.address(), 1); // still memory
    slab.giveBack();
  }

  /** What another device copies from stays as it is; what this one does is its own affair. */
  @Test
  void aRegionKnowsWhetherOtherDevicesReadIt() {
    pool.add(region);
    SlabPool other = new SlabPool();
    Slab slab = pool.take(128);
    assertTrue(slab.lendTo(pool));
    assertFalse(pool.isRead(region));
    assertTrue(slab.lendTo(other));
    assertTrue(pool.isRead(region));
    pool.close(region);
    assertTrue(pool.isRead(region));
    assertFalse(slab.lendTo(other));
    assertNull(pool.take(128));
    slab.giveBackFrom(other);
    assertFalse(pool.isRead(region));
    slab.giveBackFrom(pool);
    slab.giveBack();
    pool.drop(region);
  }

  @Test
  void smallThingsAndThoseThatFindNoRoomAreOrdinaryMemory() throws Exception {
    pool.add(region);
    try (BatchMemory memory = memory()) {
      long small = memory.allocate(100);
      long large = memory.allocate(2 * REGION_BYTES);
      long fits = memory.allocate(REGION_BYTES / 2);
      assertNull(memory.slabAt(small, 8));
      assertNull(memory.slabAt(large, 8));
      assertEquals(fits, memory.slabAt(fits + 8, 8).address());
      assertNull(memory.slabAt(fits + 8, REGION_BYTES / 2));
      memory.free(fits);
      assertEquals(0, pool.slabs());
      assertNull(memory.slabAt(fits, 8));
      memory.allocate(REGION_BYTES / 2);
    }
    assertEquals(0, pool.slabs());
  }

  @Test
  void aColumnThatIsReadMovesBeforeItIsWritten() throws Exception {
    pool.add(region);
    try (BatchMemory memory = memory()) {
      BatchColumn column = doubles(memory);
      column.setAllValid(0, ROWS);
      column.putDouble(1, 1.5);
      long before = column.valueAddress(0);
      column.reserve(ROWS);
      assertEquals(before, column.valueAddress(0));
      Slab slab = column.slabAt(before, 8L * ROWS);
      slab.lend();
      column.dropFirst(1, ROWS);
      long moved = column.valueAddress(0);
      assertNotEquals(before, moved);
      assertEquals(1.5, column.getDouble(0));
      assertTrue(memory.settle());
      column.slabAt(moved, 8).lend();
      column.reserve(ROWS);
      assertNotEquals(moved, column.valueAddress(0));
      assertEquals(3, pool.slabs());
      slab.giveBack();
      assertEquals(2, pool.slabs());
    }
    assertEquals(1, pool.slabs());
  }

  @Test
  void aHeapForgetsChunksThatAreRead() throws Exception {
    pool.add(region);
    try (BatchMemory memory = memory()) {
      ByteHeap heap = new ByteHeap(memory);
      long first = heap.allocate(16);
      heap.reset();
      assertEquals(first, heap.allocate(16));
      memory.slabAt(first, 16).lend();
      heap.reset();
      assertNotEquals(first, heap.allocate(16));
      assertEquals(0, heap.usedBytes() - 16);
    }
  }

  /** What is adopted last counts, once the job is over; the memory is the task's, and is freed. */
  @Test
  void aColumnAdoptsASlab() throws Exception {
    pool.add(region);
    try (BatchMemory memory = memory()) {
      BatchColumn one = doubles(memory);
      BatchColumn two = doubles(memory);
      long before = one.valueAddress(0);
      for (double value = 1; value < 3; value++) {
        Slab slab = pool.take(2 * 9 * ROWS);
        Platform.setMemory(null, slab.address(), 2 * 9 * ROWS, (byte) 1);
        Platform.putDouble(null, slab.address(), value);
        one.adopt(slab, slab.address(), slab.address() + 16L * ROWS, ROWS);
        two.adopt(slab, slab.address() + 8L * ROWS, slab.address() + 17L * ROWS, ROWS);
        slab.giveBack();
      }
      assertEquals(before, one.valueAddress(0));
      one.takeAdopted();
      two.takeAdopted();
      assertEquals(2, one.getDouble(0));
      assertFalse(two.isNull(ROWS - 1));
      assertTrue(memory.settle());
      assertEquals(1, pool.slabs());
      assertEquals(18_048, memory.getUsed());
      one.reserve(ROWS + 1);
      two.release();
      one.takeAdopted(); // none
    }
    assertEquals(0, pool.slabs());
  }

  @Test
  void whatWasAdoptedIsForgottenByTheNextJob() throws Exception {
    pool.add(region);
    try (BatchMemory memory = memory()) {
      BatchColumn column = doubles(memory);
      long before = column.valueAddress(0);
      Slab slab = pool.take(9 * ROWS);
      column.adopt(slab, slab.address(), slab.address() + 8L * ROWS, ROWS);
      slab.giveBack();
      column.setAllNull(ROWS);
      column.takeAdopted();
      assertEquals(before, column.valueAddress(0));
      assertEquals(1, pool.slabs());
    }
  }
}
