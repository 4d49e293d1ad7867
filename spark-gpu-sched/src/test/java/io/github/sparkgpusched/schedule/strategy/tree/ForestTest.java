package io.github.sparkgpusched.schedule.strategy.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.schedule.strategy.Deals;
import io.github.sparkgpusched.schedule.strategy.PrefixCosts;
import io.github.sparkgpusched.schedule.strategy.RangeCosts;
import io.github.sparkgpusched.schedule.strategy.WorkerSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Splits, walks, choice of victims, and that what has finished is let go. */
class ForestTest {
  private static final int THIEF = 7;

  private static Forest forest(RangeCosts costs, long... bounds) {
    return new Forest(costs, bounds);
  }

  private static TreeFork split(Forest forest, TreeNode node) {
    long progress = node.progress();
    assertTrue(node.compareAndSetProgress(progress, TreeNode.frozen(progress)));
    return forest.fork(node, THIEF);
  }

  private static void exhaust(TreeNode leaf) {
    assertTrue(
        leaf.compareAndSetProgress(leaf.progress(), leaf.backward ? leaf.start : leaf.until));
  }

  private static List<Long> starts(LeafWalk walk) {
    List<Long> starts = new ArrayList<>();
    for (TreeNode leaf = walk.next(); leaf != null; leaf = walk.next()) {
      starts.add(leaf.start);
    }
    return starts;
  }

  @Test
  void aSplitHalvesWhatIsLeftOfTheCost() {
    Forest forest = forest(new PrefixCosts(50, 1, 1, 1, 1, 4), 0, 6);
    TreeNode root = forest.dealt(0);
    assertTrue(root.compareAndSetProgress(0, 1));
    TreeFork fork = split(forest, root);
    assertEquals(1, fork.child(false).start);
    assertEquals(5, fork.child(false).until);
    assertEquals(0, fork.child(false).owner());
    assertEquals(5, fork.child(true).start);
    assertEquals(6, fork.child(true).until);
    assertEquals(THIEF, fork.child(true).owner());
    assertSame(fork, forest.fork(root, 3));
  }

  @Test
  void theVictimOwnsThePartWhereItHasStopped() {
    Forest forest = new Forest(RangeCosts.UNIFORM, new long[] {0, 10, 20});
    TreeFork ofFront = split(forest, forest.dealt(0));
    assertEquals(0, ofFront.near(forest.dealt(0)).start);
    assertEquals(0, ofFront.child(false).owner());
    assertEquals(THIEF, ofFront.child(true).owner());
    TreeFork ofRear = split(forest, forest.dealt(1));
    assertEquals(20, ofRear.near(forest.dealt(1)).until);
    assertEquals(THIEF, ofRear.child(false).owner());
    assertEquals(1, ofRear.child(true).owner());
  }

  @Test
  void eachSideGetsARow() {
    assertEquals(1, CostCuts.half(new PrefixCosts(9, 1, 1), 0, 3));
    assertEquals(2, CostCuts.half(new PrefixCosts(1, 1, 9), 0, 3));
    assertEquals(1, CostCuts.half(new PrefixCosts(1, 9), 0, 2));
  }

  @Test
  void rowsWithoutUsefulCostsAreHalvedByNumber() {
    assertEquals(5, CostCuts.half(new PrefixCosts(new double[10]), 0, 10));
    assertEquals(5, CostCuts.half(new PrefixCosts(Double.NaN, 1, 1, 1, 1, 1, 1, 1, 1, 1), 0, 10));
  }

  @Test
  void partsAreOfCostInProportionToSpeed() {
    List<WorkerSpec> workers =
        List.of(WorkerSpec.staged(3, 0, 0, 1), WorkerSpec.host(), WorkerSpec.host());
    RangeCosts costs = new PrefixCosts(3, 3, 1, 1, 1, 1);
    assertArrayEquals(new long[] {0, 2, 4, 6}, CostCuts.bySpeed(costs, 6, workers, 3));
    assertArrayEquals(new long[] {0, 4, 6}, CostCuts.bySpeed(costs, 6, workers, 2));
    assertArrayEquals(new long[] {0, 6}, CostCuts.bySpeed(costs, 6, workers, 1));
  }

  @Test
  void fewerRowsThanStartersLeaveSomeWithout() {
    List<WorkerSpec> workers = Deals.hosts(1, 4).workers();
    assertArrayEquals(
        new long[] {0, 1, 1, 1, 1}, CostCuts.bySpeed(RangeCosts.UNIFORM, 1, workers, 4));
    assertArrayEquals(
        new long[] {0, 0, 0, 0, 0}, CostCuts.bySpeed(RangeCosts.UNIFORM, 0, workers, 4));
  }

  @Test
  void aFinishedLeafIsDroppedAndItsParentWithIt() {
    Forest forest = forest(RangeCosts.UNIFORM, 0, 8, 16);
    TreeNode root = forest.dealt(0);
    TreeFork fork = split(forest, root);
    TreeNode left = fork.child(false);
    TreeNode right = fork.child(true);
    TreeFork inner = split(forest, right);
    exhaust(left);
    assertTrue(forest.finish(left));
    assertTrue(TreeNode.isFrozen(left.progress()));
    assertNull(fork.child(false));
    assertSame(right, fork.child(true));
    assertEquals(List.of(4L, 6L, 8L), starts(new LeafWalk(forest)));
    TreeNode last = inner.child(false);
    exhaust(inner.child(true));
    assertTrue(forest.finish(inner.child(true)));
    assertSame(root, forest.dealt(0));
    exhaust(last);
    assertTrue(forest.finish(last));
    assertNull(fork.child(true));
    assertNull(forest.dealt(0));
    assertNotNull(forest.dealt(1));
    assertEquals(List.of(8L), starts(new LeafWalk(forest)));
  }

  @Test
  void aLeafWithRowsIsNotFinished() {
    Forest forest = forest(RangeCosts.UNIFORM, 0, 8);
    assertFalse(forest.finish(forest.dealt(0)));
    assertNotNull(forest.dealt(0));
  }

  @Test
  void rowsHandedBackAreATreeThatGoesWhenItHasFinished() {
    Forest forest = forest(RangeCosts.UNIFORM, 0, 8);
    forest.add(2, 5, 0);
    TreeNode extra = forest.extra().next();
    assertEquals(TreeNode.AVAILABLE, extra.owner());
    assertEquals(List.of(0L, 2L), starts(new LeafWalk(forest)));
    exhaust(extra);
    forest.finish(extra);
    assertFalse(forest.extra().hasNext());
    assertNotNull(forest.dealt(0));
  }

  @Test
  void aWalkVisitsEachLeafOnceInTheOrderOfRows() {
    Forest forest = forest(RangeCosts.UNIFORM, 0, 16, 32, 40);
    TreeFork fork = split(forest, forest.dealt(0));
    split(forest, fork.child(false));
    split(forest, split(forest, fork.child(true)).child(true));
    split(forest, forest.dealt(2));
    forest.add(100, 101, 0);
    assertEquals(List.of(0L, 4L, 8L, 12L, 14L, 16L, 32L, 36L, 100L), starts(new LeafWalk(forest)));
  }

  @Test
  void aDeepTreeIsWalked() {
    // Each row costs half of the one before, so that each split leaves one row on the left.
    int rows = 200;
    double[] costs = new double[rows];
    Arrays.setAll(costs, row -> Math.pow(2, -row));
    Forest forest = forest(new PrefixCosts(costs), 0, rows);
    TreeNode node = forest.dealt(0);
    int leaves = 1;
    while (node.until - node.start > 1) {
      node = split(forest, node).child(true);
      leaves++;
    }
    assertTrue(leaves > Long.SIZE / 2, "depth " + leaves);
    assertEquals(leaves, starts(new LeafWalk(forest)).size());
  }

  @Test
  void theHeaviestLeafHasMostCostLeft() {
    Forest forest = forest(new PrefixCosts(5, 5, 5, 9, 1, 1, 1, 1), 0, 3, 4, 8);
    assertSame(forest.dealt(0), forest.heaviestLeaf());
    assertTrue(forest.dealt(0).compareAndSetProgress(0, 2));
    assertSame(forest.dealt(1), forest.heaviestLeaf());
    exhaust(forest.dealt(1));
    exhaust(forest.dealt(0));
    assertSame(forest.dealt(2), forest.heaviestLeaf());
    exhaust(forest.dealt(2));
    assertNull(forest.heaviestLeaf());
  }

  @Test
  void rowsWithoutCostAreSeen() {
    Forest forest = forest(new PrefixCosts(0, 0), 0, 2);
    assertSame(forest.dealt(0), forest.heaviestLeaf());
  }
}
