package io.github.sparkgpusched.device.cuda;

import static io.github.sparkgpusched.device.cuda.CudaScenarios.await;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.check;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.checkAllGivenBack;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.eager;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.open;
import static io.github.sparkgpusched.device.cuda.CudaScenarios.settings;
import static io.github.sparkgpusched.schedule.Stages.stage;

import io.github.sparkgpusched.columnar.BatchColumn;
import io.github.sparkgpusched.columnar.SlabPool;
import io.github.sparkgpusched.device.Batch;
import io.github.sparkgpusched.device.Batches;
import io.github.sparkgpusched.device.CallOnDevice;
import io.github.sparkgpusched.schedule.DeviceMemoryException;
import io.github.sparkgpusched.schedule.Launch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Blocks of several jobs in one launch. */
final class SharedLaunchScenarios {
  /** Of a single row; of fewer rows than a block of threads has, in no slab; of many. */
  private static final int[] ROWS = {900, 1, 100, 3000};

  private SharedLaunchScenarios() {}

  /** A job of a launch, and its block there. */
  private record Job(Batch batch, CudaLauncher launcher, Launch block) implements AutoCloseable {
    void publish() throws Exception {
      int middle = batch.rows() / 2;
      block.publish(0, middle, Batch.onHost(launcher.calls()));
      block.publish(middle, batch.rows(), Batch.onHost(launcher.calls()));
    }

    void publishWhole() throws Exception {
      block.publish(0, batch.rows(), Batch.onHost(launcher.calls()));
    }

    @Override
    public void close() {
      block.close();
      launcher.close();
      batch.close();
    }
  }

  /** Stages whole batches for one launch, which is not started. */
  private static List<Job> stageAll(CudaDevice device, List<Batch> batches) throws Exception {
    List<Job> jobs = new ArrayList<>();
    for (Batch batch : batches) {
      CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
      Launch block =
          jobs.isEmpty()
              ? stage(launcher, 0, batch.rows())
              : launcher.stageBeside(jobs.get(0).block(), 0, batch.rows());
      check(block != null, batch.call().name() + " finds no room beside others");
      jobs.add(new Job(batch, launcher, block));
    }
    return jobs;
  }

  /** Batches of one function, of the lengths of {@link #ROWS}. */
  private static List<Batch> ofFunction(int function) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < ROWS.length; i++) {
      List<Batch> all = Batches.all(ROWS[i], 31 + i);
      for (int other = 0; other < all.size(); other++) {
        if (other == function) {
          batches.add(all.get(other));
        } else {
          all.get(other).close();
        }
      }
    }
    return batches;
  }

  private static int functions() {
    List<Batch> all = Batches.all(1, 1);
    all.forEach(Batch::close);
    return all.size();
  }

  /** Each function, by each way to share rows: every job has its own results, and all of them. */
  static void jobsInOneLaunch() throws Exception {
    for (String strategy : List.of("stealing", "sharing", "hybrid", "static", "auto")) {
      CudaDevice device =
          CudaDevices.find(settings("cuda:0", null, 64 << 20, eager(strategy))).get(0);
      Batch.lieIn(device.slabs());
      device.open();
      for (int function = 0; function < functions(); function++) {
        List<Job> jobs = stageAll(device, ofFunction(function));
        Launch first = jobs.get(0).block();
        first.start();
        // In their order, and not in that in which they are closed.
        for (Job job : jobs) {
          await(job.block());
          check(job.block().computeNanos() != 0, "a block took no time");
          if (function % 2 == 0) {
            job.publish();
          } else {
            job.publishWhole();
          }
          job.batch().check();
        }
        jobs.forEach(Job::close);
      }
      checkAllGivenBack(device);
      device.close();
    }
  }

  /** What is not wanted any more is not published; the others are. */
  static void oneJobOfALaunchIsOver() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    for (int over = 0; over < ROWS.length; over++) {
      List<Job> jobs = stageAll(device, ofFunction(0));
      jobs.get(0).block().start();
      Job gone = jobs.remove(over);
      gone.close();
      for (Job job : jobs) {
        await(job.block());
        job.publishWhole();
        job.batch().check();
        job.close();
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A launch that is never started holds nothing in the end. */
  static void aLaunchOfSeveralJobsIsGivenUp() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    stageAll(device, ofFunction(1)).forEach(Job::close);
    List<Job> jobs = stageAll(device, ofFunction(1));
    jobs.get(0).block().start();
    jobs.forEach(Job::close);
    checkAllGivenBack(device);
    device.close();
  }

  /** Two jobs that read the same columns, as two nodes of a task may: these are lent once. */
  static void jobsThatReadTheSameColumns() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    for (int i = 0; i < 5; i++) {
      readTwice(device);
    }
    checkAllGivenBack(device);
    check(device.slabs().slabs() <= 2, device.slabs().slabs() + " slabs are out");
    device.close();
  }

  private static void readTwice(CudaDevice device) throws Exception {
    try (Batch batch = Batches.identity(3000, 7)) {
      CallOnDevice begun = batch.begin();
      try (CudaLauncher one = new CudaLauncher(device, List.of(begun));
          CudaLauncher other = new CudaLauncher(device, List.of(batch.onceMore(begun)))) {
        Launch first = stage(one, 0, 3000);
        Launch second = other.stageBeside(first, 0, 3000);
        first.start();
        for (Launch launch : List.of(first, second)) {
          await(launch);
          launch.publish(0, 3000, Batch.onHost(one.calls()));
          launch.close();
        }
        batch.check();
      }
    }
  }

  /** What must be staged may find no room behind others: then it is launched by itself. */
  static void noRoomBesideOthers() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    Batch.lieIn(SlabPool.NONE);
    try (Batch few = Batches.identity(10, 1);
        Batch many = Batches.identity(200_000, 2);
        CudaLauncher one = new CudaLauncher(device, List.of(few.begin()));
        CudaLauncher other = new CudaLauncher(device, List.of(many.begin()))) {
      Launch first = stage(one, 0, 10);
      check(first.roomRows() < 200_000, "there is room for " + first.roomRows() + " rows");
      check(other.stageBeside(first, 0, 200_000) == null, "it goes beside others");
      check(first.roomRows() <= 0, "a launch in which one found no room is tried again");
      first.start();
      await(first);
      first.publish(0, 10, Batch.onHost(one.calls()));
      first.close();
      few.check();
      SlabScenarios.block(other, 0, 200_000);
      many.check();
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** A column has the memory that results came in only if they are not mostly of other jobs. */
  static void resultsOfOthersAreNotKept() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    List<Job> jobs = stageAll(device, List.of(Batches.identity(900, 1), Batches.identity(3000, 2)));
    jobs.get(0).block().start();
    for (Job job : jobs) {
      BatchColumn column = job.launcher().calls().get(0).columns().result();
      long before = column.valueAddress(0);
      await(job.block());
      job.publishWhole();
      job.batch().check();
      boolean has = column.valueAddress(0) != before;
      check(has == (job.batch().rows() == 3000), job.batch().rows() + " rows: " + has);
    }
    jobs.forEach(Job::close);
    checkAllGivenBack(device);
    device.close();
  }

  /**
   * Of two equal halves both jobs' columns have the memory of all results: as long as one of them
   * or the launch needs it, and then nobody.
   */
  static void halvesOfALaunch() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    int before = device.slabs().slabs();
    for (int over = 0; over < 2; over++) {
      List<Job> jobs =
          stageAll(device, List.of(Batches.identity(900, 1), Batches.identity(900, 2)));
      jobs.get(0).block().start();
      Job early = jobs.get(over);
      Job late = jobs.get(1 - over);
      haveResults(early);
      early.close();
      // What is nobody's now is written.
      try (Batch other = Batches.identity(900, 3)) {
        haveResults(late);
        other.begin();
      }
      late.block().close();
      try (Batch other = Batches.identity(900, 4)) {
        other.begin();
        late.batch().check();
      }
      late.launcher().close();
      late.batch().close();
    }
    checkAllGivenBack(device);
    int left = device.slabs().slabs() - before;
    check(left == 0, left + " slabs are not given back");
    device.close();
  }

  /** Publishes a job's block, and its column has the memory that the results came in. */
  private static void haveResults(Job job) throws Exception {
    BatchColumn column = job.launcher().calls().get(0).columns().result();
    long before = column.valueAddress(0);
    await(job.block());
    job.publishWhole();
    job.batch().check();
    check(column.valueAddress(0) != before, "half of all results are copied once more");
  }

  /** Each job has several calls, and so has the launch: one kernel after the other. */
  static void jobsOfSeveralCallsInOneLaunch() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    int[] jobRows = {300, 1, 70, 700};
    List<List<Batch>> jobs = new ArrayList<>();
    List<CudaLauncher> launchers = new ArrayList<>();
    List<Launch> blocks = new ArrayList<>();
    for (int job = 0; job < jobRows.length; job++) {
      List<Batch> batches = Batches.all(jobRows[job], 41 + job);
      CudaLauncher launcher = new CudaLauncher(device, batches.stream().map(Batch::begin).toList());
      Launch block =
          blocks.isEmpty()
              ? stage(launcher, 0, jobRows[job])
              : launcher.stageBeside(blocks.get(0), 0, jobRows[job]);
      check(block != null, "job " + job + " finds no room beside others");
      jobs.add(batches);
      launchers.add(launcher);
      blocks.add(block);
    }
    blocks.get(0).start();
    for (int job = 0; job < jobRows.length; job++) {
      await(blocks.get(job));
      blocks.get(job).publish(0, jobRows[job], Batch.onHost(launchers.get(job).calls()));
      jobs.get(job).forEach(Batch::check);
      blocks.get(job).close();
      launchers.get(job).close();
      jobs.get(job).forEach(Batch::close);
    }
    checkAllGivenBack(device);
    device.close();
  }

  static void launchesToFindErrorsBy() throws Exception {
    CudaDevice device = open(PipelineDepth.DRAIN_AFTER_KICK, 64 << 20);
    try (Batch one = Batches.identity(40, 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(one.begin()));
        Launch launch = stage(launcher, 0, 40)) {
      check(launch.roomRows() <= 0, "it is not seen at which block an error comes");
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** What a literal takes is no matter of rows: there is room for many, or for no such job. */
  static void roomBesideLiterals() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    Batch.lieIn(SlabPool.NONE);
    for (int bytes : new int[] {80_000, 150_000}) {
      try (Batch few = Batches.distances(20).argument(row -> text(10)).literal(text(bytes));
          CudaLauncher launcher = new CudaLauncher(device, List.of(few.begin()));
          Launch launch = stage(launcher, 0, 20)) {
        long room = launch.roomRows();
        check(
            bytes < 100_000 ? room > 200 : room <= 0,
            "room for " + room + " rows beside a literal of " + bytes + " bytes");
      }
    }
    checkAllGivenBack(device);
    device.close();
  }

  private static byte[] text(int bytes) {
    return "t".repeat(bytes).getBytes(StandardCharsets.UTF_8);
  }

  /** While page-locked memory is short most launches do not look for room for others. */
  static void roomIsNotLookedForAgainAndAgain() throws Exception {
    CudaDevice device = open(null, 2 << 20);
    Batch.lieIn(SlabPool.NONE);
    PinnedMemory pinned = device.pipeline().pinned();
    long chunkBytes = PinnedMemory.roundUp(1);
    List<Long> taken = new ArrayList<>();
    try {
      while (true) {
        taken.add(pinned.allocate(chunkBytes));
      }
    } catch (DeviceMemoryException e) {
      pinned.free(taken.remove(0), chunkBytes); // for a launch of one block
    }
    try (Batch texts = Batches.texts(2, 1000);
        CudaLauncher launcher = new CudaLauncher(device, List.of(texts.begin()))) {
      check(!hasRoom(launcher), "there is room where memory is short");
      for (long chunk : taken) {
        pinned.free(chunk, chunkBytes);
      }
      for (int i = 0; i < CudaPipeline.SHORT_LAUNCHES; i++) {
        check(!hasRoom(launcher), "launch " + i + " has looked for room");
      }
      check(hasRoom(launcher), "none looks for room any more");
    }
    checkAllGivenBack(device);
    device.close();
  }

  /** Whether a launch has room for 50 rows of 2 KB more. */
  private static boolean hasRoom(CudaLauncher launcher) throws Exception {
    try (Launch launch = stage(launcher, 0, 2)) {
      return launch.roomRows() > 50;
    }
  }

  /** A launch that many rows fill has no room for more, nor one of as many jobs as it may be of. */
  static void roomOfALaunch() throws Exception {
    CudaDevice device = open(null, 64 << 20);
    List<Batch> small = new ArrayList<>();
    for (int i = 0; i < CudaLaunch.MOST_BLOCKS; i++) {
      small.add(Batches.identity(40, i));
    }
    List<Job> jobs = new ArrayList<>(stageAll(device, small.subList(0, 2)));
    Launch first = jobs.get(0).block();
    long room = first.roomRows();
    check(room > 0, "no room beside two jobs");
    int next = 2;
    while (first.roomRows() > 0 && next < small.size()) {
      Batch batch = small.get(next++);
      CudaLauncher launcher = new CudaLauncher(device, List.of(batch.begin()));
      jobs.add(new Job(batch, launcher, launcher.stageBeside(first, 0, 40)));
    }
    check(first.roomRows() <= 0, "there is room for any number of jobs");
    first.start();
    for (Job job : jobs) {
      await(job.block());
      job.publishWhole();
      job.batch().check();
    }
    jobs.forEach(Job::close);
    small.subList(next, small.size()).forEach(Batch::close);
    Batch.lieIn(SlabPool.NONE);
    try (Batch few = Batches.texts(20, 300);
        CudaLauncher launcher = new CudaLauncher(device, List.of(few.begin()));
        Launch launch = stage(launcher, 0, 20)) {
      check(launch.roomRows() > 100, "room for " + launch.roomRows() + " rows behind few");
    }
    try (Batch texts = Batches.texts(50, 1000);
        CudaLauncher launcher = new CudaLauncher(device, List.of(texts.begin()));
        Launch launch = stage(launcher, 0, 50)) {
      long staged = launch.roomRows();
      check(staged > 20 && staged < 100, "room for " + staged + " rows of 2 KB that are staged");
    }
    try (Batch wave = Batches.identity((int) device.waveRows(), 1);
        CudaLauncher launcher = new CudaLauncher(device, List.of(wave.begin()))) {
      Launch full = stage(launcher, 0, wave.rows());
      check(full.roomRows() <= 0, "a wave has room for " + full.roomRows() + " rows");
      full.close();
    }
    checkAllGivenBack(device);
    device.close();
  }
}
