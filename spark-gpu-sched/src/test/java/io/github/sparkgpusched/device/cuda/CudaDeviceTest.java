package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CUDA devices through JCuda, on the test double of the driver: what is right, in which order
 * things happen, and what goes wrong. Nothing here is a result about GPUs.
 */
class CudaDeviceTest {
  @TempDir Path temporary;

  private String passes(String scenario, String... settings) throws Exception {
    Map<String, String> environment = new java.util.TreeMap<>();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      environment.put(parts[0], parts[1]);
    }
    CudaDouble.Ended ended = CudaDouble.run(temporary, scenario, environment);
    assertEquals(0, ended.status(), ended.output());
    assertTrue(ended.output().contains("scenario done"), ended.output());
    return ended.output();
  }

  @Test
  void aUdfMayHaveAWayOfItsOwnToShareRows() throws Exception {
    passes("strategyOfAUdf");
  }

  @Test
  void aColumnThatTwoCallsReadIsCopiedOnce() throws Exception {
    passes("sharedColumns", "CUDA_DOUBLE_ORDER=demand");
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "demand"})
  void aLiteralGoesOnce(String order) throws Exception {
    passes("literals", "CUDA_DOUBLE_ORDER=" + order);
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "demand"})
  void aDeviceCopiesFromAndToBatchesByItself(String order) throws Exception {
    passes("slabsOfResults", "CUDA_DOUBLE_ORDER=" + order);
  }

  /** With demand, the device has read nothing of the block when it is given up. */
  @Test
  void whatAGivenUpBlockReadsIsNobodyElsesMeanwhile() throws Exception {
    passes("slabsOfAGivenUpBlock", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void resultsAreInSlabsAgainAfterAShortage() throws Exception {
    passes("slabsAreShortForAWhile", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void theTimeOfABlockIsNotThatOfTheOneBeforeIt() throws Exception {
    passes("timedBehindAnother", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void streamsAndEventsThatFindNoMemoryCostABlockAndNotTheDevice() throws Exception {
    passes("noMemoryForASlot");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobsInOneLaunch",
        "oneJobOfALaunchIsOver",
        "aLaunchOfSeveralJobsIsGivenUp",
        "jobsThatReadTheSameColumns",
        "noRoomBesideOthers",
        "resultsOfOthersAreNotKept",
        "launchesToFindErrorsBy",
        "halvesOfALaunch",
        "jobsOfSeveralCallsInOneLaunch",
        "roomOfALaunch",
        "roomBesideLiterals",
        "roomIsNotLookedForAgainAndAgain"
      })
  void blocksOfSeveralJobsInOneLaunch(String scenario) throws Exception {
    passes(scenario);
    passes(scenario, "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void aBlockIsStartedAfterItsJobAndReadsNothingOfIt() throws Exception {
    passes("slabsOfAJobThatIsOver", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void batchesOutliveAContext() throws Exception {
    passes("slabsOutliveAContext", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void batchesArePageLockedAsLongAsTheContextIsThere() throws Exception {
    passes("slabsAreUnlocked", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void aDeviceCopiesFromBatchesNearAnother() throws Exception {
    passes("slabsNearAnotherDevice", "CUDA_DOUBLE_DEVICES=2");
  }

  /** With demand, the other device has read nothing when the first is to end its context. */
  @Test
  void aContextDoesNotEndUnderAnotherDevicesCopies() throws Exception {
    passes(
        "slabsOfAnotherDevice",
        "CUDA_DOUBLE_DEVICES=2",
        "CUDA_DOUBLE_ORDER=demand",
        "BLOCK_MILLIS=500");
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "demand"})
  void devicesThatReadEachOthersMemoryRecoverBoth(String order) throws Exception {
    passes(
        "bothFail",
        "CUDA_DOUBLE_DEVICES=2",
        "CUDA_DOUBLE_ORDER=" + order,
        "CUDA_DOUBLE_FAULT=0:sticky-719@identity,1:sticky-719@identity");
  }

  @Test
  void aDeviceThatHasNothingToDoKeepsNothingOfOthers() throws Exception {
    passes(
        "slabsOfADeviceAtRest",
        "CUDA_DOUBLE_DEVICES=2",
        "CUDA_DOUBLE_ORDER=demand",
        "BLOCK_MILLIS=500");
  }

  @Test
  void aDeviceAtALongBlockKeepsNothingOfOthers() throws Exception {
    passes("slabsOfADeviceAtWork", "CUDA_DOUBLE_DEVICES=2", "CUDA_DOUBLE_FAULT=1:hang@2");
  }

  @Test
  void aLaunchWithoutASlotKeepsNoBatch() throws Exception {
    passes("slabsOfARefusedLaunch", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void nothingIsFreedUnderACopy() throws Exception {
    passes("freedUnderACopy", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void queuesOfManyZeros() throws Exception {
    passes("manyQueues", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void aBlockSaysWhatItsKernelsTookIfItCan() throws Exception {
    passes("launchTimes");
  }

  @Test
  void isADeviceAsThoseOfOtherKindsAre() throws Exception {
    passes("contract", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void noResultIsOneOfAnEarlierBlock() throws Exception {
    passes("functions", "GPUSCHED_CUDA_POISON=1");
  }

  /** As a driver of CUDA 13 loads them on compute capability 9.0. */
  @Test
  void builtInFunctionsAsSass() throws Exception {
    String output = passes("functions", "CUDA_DOUBLE_VERSION=13000", "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("loaded SASS of levenshtein"), output);
    assertFalse(output.contains("loaded PTX of"), output);
  }

  /** Not twins of the sources: what nvcc made of them, emulated (cuda/check/ptx). */
  @Test
  void thePtxOfTheJarGivesTheBytesOfTheHostForms() throws Exception {
    String output =
        passes(
            "functions", "CUDA_DOUBLE_PTX=1", "CUDA_DOUBLE_ORDER=demand", "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("emulates levenshtein_c1"), output);
  }

  @Test
  void thePtxOfTheJarInClusters() throws Exception {
    passes("functions", "CUDA_DOUBLE_PTX=1", "CLUSTER=2");
  }

  /** The host writes the ring with its own threads, while the PTX is emulated. */
  @Test
  void thePtxOfTheJarStaysAndIsFed() throws Exception {
    passes("resident", "CUDA_DOUBLE_PTX=1");
  }

  /** They have no host form that the double could run: their PTX is emulated in any case. */
  @ParameterizedTest
  @ValueSource(strings = {"CUDA_DOUBLE_PTX=1", "CUDA_DOUBLE_PTX=0", "CUDA_DOUBLE_ORDER=demand"})
  void theKernelsForColumnsOfCudfRun(String setting) throws Exception {
    String output = passes("cudfKernels", setting, "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("emulates gpusched_cudf_"), output);
  }

  /** With demand, a wait that is missing gives wrong bytes every time. */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "demand"})
  void builtInFunctionsGiveTheBytesOfTheHostForms(String order) throws Exception {
    passes("functions", "CUDA_DOUBLE_DEVICES=2", "CUDA_DOUBLE_ORDER=" + order);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void aRowOfWhichTheHostFormThrowsFailsWithItsErrorAndTheDeviceGoesOn(String ptx)
      throws Exception {
    passes("errorOfTheHostForm", "CUDA_DOUBLE_PTX=" + ptx);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "4"})
  void everyWayToShareRowsBetweenBlocksOfThreads(String cluster) throws Exception {
    passes("strategies", "CLUSTER=" + cluster);
  }

  @Test
  void functionsInClusters() throws Exception {
    passes("functions", "CLUSTER=2", "CUDA_DOUBLE_ORDER=demand");
  }

  /** The double runs four blocks of threads at once. */
  @Test
  void aClusterThatDoesNotFit() throws Exception {
    passes("tooLargeCluster", "CLUSTER=8");
  }

  /** The double sums up what the kernels have left in the load table. */
  @Test
  void theLoadOfADeviceIsWhatItsKernelsCounted() throws Exception {
    String output = passes("counts", "CUDA_DOUBLE_REPORT=1");
    String[] counted =
        output
            .lines()
            .filter(line -> line.contains("kernels counted"))
            .map(line -> line.substring(line.indexOf("kernels counted")))
            .toArray(String[]::new);
    assertEquals(2, counted.length, output);
    assertEquals(counted[0], counted[1]);
    assertTrue(counted[0].matches("kernels counted [1-9][0-9]* rows, .*"), output);
    assertFalse(counted[0].contains(" 0 won"), output);
  }

  /** The double runs four blocks of threads at once, two of which stay. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void launchesFindTooLittleRoomBesideAKernelThatStays(String ptx) throws Exception {
    passes("residentBesideLaunches", "CUDA_DOUBLE_PTX=" + ptx);
  }

  @Test
  void aKernelThatStaysStepsAsideForTheFirstLaunchOfAFunction() throws Exception {
    passes("residentBesideAFirstLaunch");
  }

  @Test
  void aKernelThatStaysIsNotBesideALaunchThatFoundNoMemoryAtFirst() throws Exception {
    passes("residentBesideALaunchThatFoundNoMemory", "CUDA_DOUBLE_FAULT=0:launch-2@1");
  }

  @Test
  void noKernelStaysWhereBlocksAreInClusters() throws Exception {
    passes("residentInClusters", "CLUSTER=2");
  }

  @Test
  void aKernelThatStaysIsFedWithSmallBlocks() throws Exception {
    String output = passes("resident", "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("ends with 0 bytes held"), output);
    assertFalse(output.contains("beside a resident kernel"), output);
    assertFalse(output.contains("counted 0 steals, 0 won, 0 offers"), output);
  }

  @Test
  void jobsOfAKernelThatStaysMayBeGivenUp() throws Exception {
    passes("residentAbandoned");
  }

  @Test
  void aKernelThatStaysEndsWithItsDevice() throws Exception {
    String output = passes("residentShutdown", "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("ends with 0 bytes held"), output);
  }

  @ParameterizedTest
  @CsvSource({
    "hang, has not looked for work for",
    "sticky, CUDA_ERROR_ILLEGAL_ADDRESS (700)",
    "lost, (46)"
  })
  void aKernelThatStaysAndFailsIsNoticed(String kind, String error) throws Exception {
    passes(
        "residentFailure",
        "CUDA_DOUBLE_FAULT=0:" + kind + "@1",
        "EXPECTED_ERROR=" + error,
        "BLOCK_MILLIS=1000");
  }

  @Test
  void aDeviceWithoutMemoryPoolsOrCopyEngines() throws Exception {
    passes("functions", "CUDA_DOUBLE_POOLS=0", "CUDA_DOUBLE_COPY_ENGINES=0");
  }

  /** Stream 0 is that of the first slot, which runs as soon as it can, the others when asked. */
  @Test
  void slotsOfBlocksThatWereGivenUpAreUsedAgainBehindThem() throws Exception {
    passes("abandoned", "CUDA_DOUBLE_ORDER=demand", "CUDA_DOUBLE_EAGER=0");
  }

  @Test
  void rulesAreChecked() throws Exception {
    passes("rules", "CUDA_DOUBLE_ORDER=demand");
  }

  @Test
  void aBlockThatDoesNotFitIsRefusedAndItsPartsRun() throws Exception {
    passes("memory", "CUDA_DOUBLE_MEMORY_MB=1");
  }

  /** What is kept for later blocks is given up for one that does not fit. */
  @Test
  void memoryOfIdleSlotsIsReleasedForABlock() throws Exception {
    passes("functions", "CUDA_DOUBLE_FAULT=0:oom@2");
  }

  @Test
  void pageLockedMemoryIsBounded() throws Exception {
    passes("pinnedMemory");
  }

  @ParameterizedTest
  @CsvSource({"sticky, CUDA_ERROR_ILLEGAL_ADDRESS (700)", "lost, (46)"})
  void aFailureNamesItsDeviceAndOthersGoOn(String kind, String error) throws Exception {
    passes(
        "failure",
        "CUDA_DOUBLE_DEVICES=2",
        "CUDA_DOUBLE_FAULT=0:" + kind + "@5",
        "EXPECTED_ERROR=" + error);
  }

  /** The last context ends with nothing left in it; those that failed take along what they had. */
  @ParameterizedTest
  @CsvSource({
    "sticky-700, CUDA_ERROR_ILLEGAL_ADDRESS",
    "sticky-714, CUDA_ERROR_HARDWARE_STACK_ERROR",
    "sticky-715, CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "sticky-716, CUDA_ERROR_MISALIGNED_ADDRESS",
    "sticky-719, CUDA_ERROR_LAUNCH_FAILED",
    "sticky-999, CUDA_ERROR_UNKNOWN",
  })
  void aDeviceIsRecoveredFromAnErrorOfItsContext(String kind, String error) throws Exception {
    String output =
        passes(
            "recovers",
            "CUDA_DOUBLE_FAULT=0:" + kind + "@2,0:" + kind + "@30",
            "FAILURES=2",
            "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("failed: cuda:0: ") && output.contains(error), output);
    endsThreeContexts(output);
  }

  /** By which other functions run on, and the GPU is not lost by one. */
  @ParameterizedTest
  @CsvSource({
    "trap, threads, identity",
    "trap, demand, identity",
    "trapOfOneOfTwoCalls, threads, identity",
    "trapOfALaunchOfSeveralJobs, threads, identity",
    "trapBesideAnother, demand, identity",
    "trapAfterAnother, demand, identity",
    "trapAfterOneNotWanted, threads, identity",
    "trapOfOthers, threads, identity",
    "trapBesideOneThatStays, threads, 3",
  })
  void aFunctionThatEndsAContextIsRefused(String scenario, String order, String kernels)
      throws Exception {
    passes(scenario, "CUDA_DOUBLE_FAULT=0:sticky-719@" + kernels, "CUDA_DOUBLE_ORDER=" + order);
  }

  @Test
  void aRefusedKernelThatWasToStayEndsNoContext() throws Exception {
    passes("trapAfterARefusedOneThatStays", "CUDA_DOUBLE_FAULT=0:launch-2@1,0:sticky-719@2");
  }

  private static void endsThreeContexts(String output) {
    String[] ends =
        output.lines().filter(line -> line.contains("ends with")).toArray(String[]::new);
    String[] left = output.lines().filter(line -> line.contains("leaves")).toArray(String[]::new);
    assertEquals(3, ends.length, output);
    assertTrue(ends[2].contains("ends with 0 bytes held"), output);
    assertTrue(
        left[2].contains("0 bytes of the host, 0 streams, 0 events, 0 modules, 0 pools, error 0"),
        output);
  }

  @Test
  void aDeviceIsRecoveredInTheDemandOrderToo() throws Exception {
    endsThreeContexts(
        passes(
            "recovers",
            "CUDA_DOUBLE_FAULT=0:sticky@2,0:sticky@30",
            "FAILURES=2",
            "CUDA_DOUBLE_ORDER=demand",
            "CUDA_DOUBLE_REPORT=1"));
  }

  @Test
  void aKernelThatStaysIsStartedAgainInANewContext() throws Exception {
    String output =
        passes("residentRecovers", "CUDA_DOUBLE_FAULT=0:sticky@1", "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("0 bytes of the host, 0 streams, 0 events, 0 modules"), output);
  }

  @Test
  void aContextThatOthersHoldIsLeftToThem() throws Exception {
    passes("sharedContext", "CUDA_DOUBLE_FAULT=0:sticky@2");
  }

  @Test
  void aGpuThatIsLostStaysSo() throws Exception {
    passes("lostForGood", "CUDA_DOUBLE_FAULT=0:lost@2");
  }

  /** What the double lets pass no test can find. */
  @Test
  void theDoubleRefusesWhatDriversRefuse() throws Exception {
    passes("misuse", "CUDA_DOUBLE_DEVICES=2", "CLUSTER=2");
  }

  /** What the driver says of one kernel is no reason to give a GPU up. */
  @ParameterizedTest
  @CsvSource({
    "load, 200, CUDA_ERROR_INVALID_IMAGE (200), true",
    "load, 209, CUDA_ERROR_NO_BINARY_FOR_GPU (209), true",
    "load, 218, CUDA_ERROR_INVALID_PTX (218), true",
    "load, 222, spark.gpusched.cuda.nvrtcPath, true",
    "load, 2, CUDA_ERROR_OUT_OF_MEMORY (2), false",
    "launch, 701, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701), true",
    "launch, 1, CUDA_ERROR_INVALID_VALUE (1), true",
  })
  void aKernelThatIsRefusedCostsNoDevice(String kind, int code, String error, boolean remembered)
      throws Exception {
    passes(
        "refused",
        "CUDA_DOUBLE_FAULT=0:" + kind + "-" + code + "@1",
        "EXPECTED_ERROR=" + error,
        "REMEMBERED=" + remembered);
  }

  /** With demand, a slot that is not waited for gives wrong bytes. */
  @Test
  void theSlotOfABlockThatIsRefusedHalfwayIsUsedBehindIt() throws Exception {
    passes(
        "refusedBehindAnother",
        "CUDA_DOUBLE_FAULT=0:launch@2,0:launch@5,0:launch@8",
        "CUDA_DOUBLE_ORDER=demand",
        "CUDA_DOUBLE_EAGER=0");
  }

  @Test
  void aBlockThatIsDoneIsPublishedThoughItsDeviceIsLost() throws Exception {
    passes("lostBeforePublished", "CUDA_DOUBLE_FAULT=0:lost@2");
  }

  @Test
  void aKernelThatNeverEndsKeepsNobodyFromClosing() throws Exception {
    passes("hang", "CUDA_DOUBLE_FAULT=0:hang@1");
  }

  @ParameterizedTest
  @CsvSource({"pipelined, true", "drain-before-kick, false", "drain-after-kick, false"})
  void copiesOverlapWithKernelsIfTwoBlocksAreInFlight(String depth, boolean overlap)
      throws Exception {
    String output =
        passes(
            "overlap",
            "DEPTH=" + depth,
            "CUDA_DOUBLE_KERNEL_MICROS=3000",
            "CUDA_DOUBLE_COPY_MICROS=3000",
            "CUDA_DOUBLE_REPORT=1");
    assertTrue(output.contains("ends with 0 bytes held"), output);
    assertEquals(overlap, !output.contains("at most 1 streams were at work at once"), output);
  }

  @Test
  void whatCopiesCostIsMeasured() throws Exception {
    passes("linkCosts", "CUDA_DOUBLE_COPY_MICROS=3000");
  }

  @Test
  void aCompileErrorShowsTheAuthorsLine() throws Exception {
    passes("compileError");
  }

  /** The second process finds what the first has compiled. */
  @Test
  void kernelsAreKeptOnDisk() throws Exception {
    String own = "TMPDIR=" + temporary;
    String first = passes("compile", own);
    assertTrue(first.contains("compiled repeat_c1 for compute_90"), first);
    String second = passes("compile", own);
    assertTrue(!second.contains("compiled"), second);
  }

  /** A toolkit that is newer than the driver is passed over for one that is not, wherever it is. */
  @Test
  void aCompilerThatIsNewerThanTheDriverIsTheLastResort() throws Exception {
    Path newer = Files.createDirectory(temporary.resolve("newer"));
    CudaDouble.build("nvrtc.cpp", newer.resolve("libnvrtc.so.13"), "-DCUDA_DOUBLE_NVRTC_MAJOR=13");
    String both = "LD_LIBRARY_PATH=" + CudaDouble.folder() + ":" + newer;
    String older = passes("compile", both, "TMPDIR=" + temporary);
    assertTrue(older.contains("with NVRTC 12.4 ("), older);
    String alike = passes("compile", both, "TMPDIR=" + temporary, "CUDA_DOUBLE_VERSION=13040");
    assertTrue(alike.contains("with NVRTC 13.4 ("), alike);
    String sass = passes("compile", both, "TMPDIR=" + temporary, "CUDA_DOUBLE_VERSION=12020");
    assertTrue(sass.contains("for sm_90 with NVRTC 12.4 ("), sass);
  }

  /** By their place on the bus, and by number and UUID. */
  @Test
  void devicesAreNumberedByBus() throws Exception {
    String output = passes("discovery", "CUDA_DOUBLE_DEVICES=3", "CUDA_DOUBLE_BUS=7,3,5");
    assertTrue(
        output.contains("[cuda:0: Test double 1, GPU-01112131-4151-6171-8191-a1b1c1d1e1f1"),
        output);
    assertTrue(output.contains("cuda:1: Test double 2, "), output);
  }
}
