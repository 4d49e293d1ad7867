package io.github.sparkgpusched.device.remote;

import io.github.sparkgpusched.columnar.BatchMemory;
import io.github.sparkgpusched.columnar.BatchTooLargeException;
import io.github.sparkgpusched.columnar.ColumnCodec;
import io.github.sparkgpusched.columnar.UnknownValueException;
import io.github.sparkgpusched.device.CallFailedException;
import io.github.sparkgpusched.device.SharedCalls;
import io.github.sparkgpusched.load.LoadEntry;
import io.github.sparkgpusched.load.LoadTable;
import io.github.sparkgpusched.load.TaskWork;
import io.github.sparkgpusched.schedule.Account;
import io.github.sparkgpusched.schedule.GuestSeat;
import io.github.sparkgpusched.schedule.JobSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.network.client.RpcResponseCallback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A core that is lent: a thread that computes the blocks of one borrower, in their order, while no
 * task of its own executor wants the core. It ends when the borrower gives it back or is gone, when
 * the core is wanted, and when no block has come for a while.
 */
final class Lane implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /** A borrower that is at work sends more than this. */
  private static final long QUIET_SECONDS = 5;

  /** Blocks that wait for another to end; a borrower sends one ahead. */
  private static final int MOST_WAITING = 4;

  /** A block that takes longer is sent back as far as it has come. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * One whose results are more, too: they lie on both heaps, which nobody has planned for them. Far
   * more than the arguments of a block by default.
   */
  private static final long MOST_RESULT_BYTES = 4 << 20;

  /**
   * What Spark takes all lanes of the executor for, together: it divides memory by the number of
   * tasks that have some, and a lane each would leave its own tasks little. No task's id is less
   * than 0.
   */
  private static final long GUESTS = -1;

  private static final int MOST_CANCELLED = 100;

  private static final int MOST_REASON_CHARS = 1000;

  /** Calls whose copies are kept, those that were used last. */
  private static final int MOST_CALLS = BlockHead.MOST_CALLS;

  private record Block(ByteBuffer rows, RpcResponseCallback answer, long cameNanos) {}

  /** Tasks of this executor are served first, where devices are wanted by both. */
  private static final double WEIGHT = 1e-3;

  private static final Block END = new Block(null, null, 0);

  private final int number;
  private final Lender lender;
  private final Home home;
  private final String executorId;
  private final Link borrower;
  private final BlockingQueue<Block> waiting = new LinkedBlockingQueue<>(MOST_WAITING);

  private final Account account = new Account(WEIGHT);

  /** Blocks that are not wanted any more. Added by threads of the network. */
  private final Set<Long> cancelled = ConcurrentHashMap.newKeySet();

  /** False to true, once. */
  private volatile boolean ended;

  private final GuestThread inside = new GuestThread();

  /** True only while a seat is held. Lane's thread writes it. */
  private volatile boolean atWork;

  // Lane's thread only.
  private final Map<Long, GuestCalls> calls = new LinkedHashMap<>(16, 0.75f, true);
  private BatchMemory memory;
  private ColumnCodec codec;
  private long block;
  private long cameNanos;

  /** Rows of the block at hand that were computed, from its first on. */
  private int computedRows;

  /** Rows behind these that are at work, if that is known: one of them it is that fails. */
  private int triedRows;

  /** Whether no more results of the block at hand go into an answer. */
  private boolean isFull;

  /** Whose rows the last block had; null before the first. */
  private TaskWork work;

  /**
   * @param executorId the borrower's
   */
  Lane(int number, Lender lender, Home home, String executorId, Link borrower) {
    this.number = number;
    this.lender = lender;
    this.home = home;
    this.executorId = executorId;
    this.borrower = borrower;
  }

  /** Whether its core counts as used. Any thread. */
  boolean isAtWork() {
    return atWork;
  }

  Link borrower() {
    return borrower;
  }

  /** A block has come. A thread of the network. */
  void add(ByteBuffer rows, RpcResponseCallback answer) {
    if (ended || !waiting.offer(new Block(rows, answer, System.nanoTime()))) {
      answer.onSuccess(left());
    } else if (ended) {
      answerAll();
      waiting.offer(END); // which this thread may have taken: the lane may wait for it
    }
  }

  /** Nobody waits for a block. A thread of the network. */
  void cancel(long unwanted) {
    if (cancelled.size() > MOST_CANCELLED) {
      cancelled.clear(); // of blocks that had ended before
    }
    cancelled.add(unwanted);
    inside.interrupt(unwanted);
  }

  /** The core is not lent any more, and nobody waits for its blocks. Any thread. */
  void end() {
    ended = true;
    waiting.offer(END);
    inside.interrupt();
  }

  /** Whether nobody waits for the block at hand. */
  private boolean isUnwanted() {
    return ended || cancelled.contains(block);
  }

  @Override
  public void run() {
    memory = new BatchMemory(new TaskMemoryManager(home.memory(), GUESTS));
    codec = new ColumnCodec(memory);
    try {
      while (!ended) {
        Block next = waiting.poll(QUIET_SECONDS, TimeUnit.SECONDS);
        if (next == null || next.rows() == null) {
          break;
        }
        answer(next);
      }
    } catch (InterruptedException e) {
      LOG.debug("lane {} was ended by an interrupt", number);
    } finally {
      ended = true;
      answerAll();
      memory.close(); // all that the lane has; other lanes keep theirs
      lender.ended(number);
    }
  }

  /** Whatever happens, whoever waits is told. */
  private void answer(Block next) {
    ByteBuffer answer = left();
    cameNanos = next.cameNanos();
    try {
      answer = computed(next.rows());
    } catch (RuntimeException | Error e) {
      ended = true;
      LOG.warn("lane {} ends", number, e);
    } finally {
      next.answer().onSuccess(answer);
    }
  }

  private void answerAll() {
    for (Block next = waiting.poll(); next != null; next = waiting.poll()) {
      if (next.rows() != null) {
        next.answer().onSuccess(left());
      }
    }
  }

  /** No row was computed, as there is no core. */
  static ByteBuffer left() {
    return Message.buffer(BlockMessage.ANSWER_BYTES)
        .put(BlockMessage.LEFT)
        .putInt(0)
        .putLong(0)
        .putLong(0)
        .flip();
  }

  private static ByteBuffer cannot(String reason) {
    byte[] text = Message.utf8(reason);
    ByteBuffer answer = Message.buffer(5 + text.length).put(BlockMessage.CANNOT);
    Message.putText(answer, text);
    return answer.flip();
  }

  private ByteBuffer computed(ByteBuffer in) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(lender.loader());
    try {
      BlockHead head = BlockHead.read(in);
      for (long call : head.calls()) {
        if (!calls.containsKey(call)) {
          lender.shared(call); // which may take a while: no core is held meanwhile
        }
      }
      return computed(head, in);
    } catch (BatchMemory.Refused | BatchTooLargeException e) {
      ended = true; // there is no memory for guests
      return left();
    } catch (UnknownValueException | CancellationException e) {
      // What it may refer to was in a block that was lost or not read, or cannot be asked for now.
      // Another lane begins anew.
      ended = true;
      LOG.debug("lane {} ends: {}", number, e.getMessage());
      return left();
    } catch (Exception | LinkageError e) {
      // Exception: Spark's serializer is Scala and declares none of what it throws.
      return isUnwanted() ? left() : cannot(e.toString());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private ByteBuffer computed(BlockHead head, ByteBuffer in) throws Exception {
    Optional<GuestSeat> free = home.scheduler().takeGuestSeat();
    if (free.isEmpty()) {
      ended = true;
      return left();
    }
    try (GuestSeat seat = free.get()) {
      return computeOn(seat, head, in);
    }
  }

  private ByteBuffer computeOn(GuestSeat seat, BlockHead head, ByteBuffer in) throws Exception {
    atWork = true;
    block = head.block();
    inside.enter(block);
    try {
      return compute(head, in, seat);
    } finally {
      inside.exit();
      atWork = false; // before the seat is given back, or the core would be lent twice
    }
  }

  private ByteBuffer compute(BlockHead head, ByteBuffer in, GuestSeat seat) throws Exception {
    int rows = head.rows();
    countFor(head.stageId(), head.stageAttempt(), head.taskId());
    computedRows = 0;
    triedRows = 0;
    isFull = false;
    codec.reset(head.batch());
    // For more, Spark would have the lane wait for tasks, and tasks be content with smaller shares.
    memory.setLimit(memory.getUsed() + home.freeMemory());
    codec.checkKept(head.written());
    List<GuestCalls> all = new ArrayList<>();
    for (long number : head.calls()) {
      GuestCalls call = call(number);
      call.begin(in, rows, codec);
      all.add(call);
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("a block with " + in.remaining() + " bytes too many");
    }
    if (isUnwanted()) {
      return left(); // its values are known now: those of the next block may refer to them
    }
    long begin = System.nanoTime();
    CallFailedException failure = null;
    try {
      GuestJob job = new GuestJob(all, work);
      if (home.devices().stream().anyMatch(job::canRunOn)) {
        runOnDevices(job, rows, in.capacity(), seat, begin);
        // Spark is asked for what devices' owners wrote: without it, there is no more for guests.
        ended |= !memory.settle();
      } else {
        runHere(all, rows, seat, begin);
      }
    } catch (CallFailedException e) {
      if (isUnwanted()) { // it was interrupted, as far as anybody cares
        forget(all);
        return left();
      }
      failure = e;
      lender.failed(number, e);
    }
    int reached = computedRows;
    long nanos = System.nanoTime() - begin;
    if (failure == null) {
      boolean leaves = reached < rows && !isFull;
      ended |= leaves && !cancelled.contains(block);
      return answer(all, reached, leaves ? BlockMessage.LEFT : BlockMessage.DONE, nanos, 0).flip();
    }
    try {
      byte[] reason = Message.utf8(shortened(failure.getMessage()));
      ByteBuffer answer =
          answer(all, reached, BlockMessage.FAILED, nanos, 4 + 8 + 4 + reason.length);
      answer.putInt(triedRows).putLong(failure.call().number());
      Message.putText(answer, reason);
      return answer.flip();
    } finally {
      forget(all);
    }
  }

  private static String shortened(String message) {
    return message.length() <= MOST_REASON_CHARS
        ? message
        : message.substring(0, MOST_REASON_CHARS);
  }

  /**
   * A copy of a function that has thrown may have half of its state: the next block gets others.
   */
  private void forget(List<GuestCalls> all) {
    calls.values().removeAll(all);
    all.forEach(GuestCalls::release);
  }

  private void countFor(int stageId, int stageAttempt, long taskId) {
    if (work == null
        || work.taskId() != taskId
        || work.stageId() != stageId
        || work.stageAttempt() != stageAttempt) {
      work = LoadTable.guest(executorId, stageId, stageAttempt, taskId);
    }
  }

  private void runHere(List<GuestCalls> all, int rows, GuestSeat seat, long begin) {
    LoadEntry load = home.load().entry(seat.device());
    load.beginBlock(begin);
    try {
      runPieces(all, rows, seat, begin);
    } finally {
      load.endBlock(computedRows, begin, System.nanoTime(), false, work);
    }
  }

  private void runPieces(List<GuestCalls> all, int rows, GuestSeat seat, long begin) {
    int piece = 1;
    long bytes = 0;
    while (computedRows < rows) {
      long start = System.nanoTime();
      int until = Math.min(rows, computedRows + piece);
      triedRows = until - computedRows;
      for (GuestCalls call : all) {
        call.run(computedRows, until);
      }
      for (GuestCalls call : all) {
        bytes += call.resultBytes(computedRows, until);
      }
      computedRows = until;
      isFull = bytes > MOST_RESULT_BYTES;
      long now = System.nanoTime();
      double fit = (double) triedRows * home.pieceNanos() / Math.max(1, now - start);
      piece = (int) Math.max(1, Math.min(Math.min(2.0 * piece, 256), fit));
      if (isFull || mustStop(seat, begin, now)) {
        break;
      }
    }
  }

  private boolean mustStop(GuestSeat seat, long begin, long now) {
    return isUnwanted() || seat.isWanted() || now - begin > MOST_NANOS;
  }

  /** All rows, or none if they are not done in time: they are computed in any order. */
  private void runOnDevices(GuestJob job, int rows, int bytes, GuestSeat seat, long begin)
      throws Exception {
    try {
      seat.run(
          JobSpec.of(rows, job)
              .account(account)
              .bytesPerRow((double) bytes / rows)
              .cancelled(() -> mustStop(seat, begin, System.nanoTime()))
              .withoutHelpers(true)
              .build());
      job.takeResults();
      computedRows = rows;
    } catch (CancellationException e) {
      LOG.debug("lane {} leaves a block of {} rows", number, rows);
    }
  }

  /**
   * @param more bytes of room behind the columns
   */
  private ByteBuffer answer(List<GuestCalls> all, int reached, byte status, long nanos, int more) {
    long bytes = (long) BlockMessage.ANSWER_BYTES + more;
    for (GuestCalls call : all) {
      bytes += call.resultBytes(0, reached);
    }
    ByteBuffer answer = Message.buffer(Math.toIntExact(bytes));
    answer.put(status).putInt(reached).putLong(nanos);
    answer.putLong(System.nanoTime() - cameNanos);
    for (GuestCalls call : all) {
      call.write(reached, answer);
    }
    return answer;
  }

  private GuestCalls call(long number) throws Exception {
    GuestCalls known = calls.get(number);
    if (known != null) {
      return known;
    }
    if (calls.size() >= MOST_CALLS) {
      calls.remove(calls.keySet().iterator().next()).release();
    }
    SharedCalls.Shared shared = lender.shared(number);
    GuestCalls made = new GuestCalls(shared, lender.loader(), memory, this::isUnwanted);
    calls.put(number, made);
    return made;
  }
}
