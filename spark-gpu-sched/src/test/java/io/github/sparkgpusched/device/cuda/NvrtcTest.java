package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What NVRTC is asked for; on its double, but for the choice itself. */
class NvrtcTest {
  private static final List<Integer> OF_12_6 =
      List.of(50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90);
  private static final List<Integer> OF_13_0 =
      List.of(75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121);

  @TempDir Path temporary;

  private String options(String... environment) throws Exception {
    return run("nvrtcOptions", environment);
  }

  private String run(String scenario, String... environment) throws Exception {
    Map<String, String> variables = new TreeMap<>(Map.of("TMPDIR", temporary.toString()));
    for (String variable : environment) {
      int equals = variable.indexOf('=');
      variables.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    CudaDouble.Ended ended = CudaDouble.run(temporary, scenario, variables);
    assertEquals(0, ended.status(), ended.output());
    return ended.output();
  }

  private static void says(String output, String... lines) {
    for (String line : lines) {
      assertTrue(output.contains("\n" + line), "'" + line + "' is not in\n" + output);
    }
  }

  /** And where the same source is not to be exact, it is another kernel, also on disk. */
  @Test
  void arithmeticIsJavasUnlessTheSourceSaysThatItNeedNotBe() throws Exception {
    String same = " --std=c++17 --fmad=false --prec-div=true --prec-sqrt=true --ftz=false\n";
    String fast = same.replace("fmad=false", "fmad=true");
    for (int i = 0; i < 2; i++) {
      says(
          options(),
          "exact 80: // --gpu-architecture=compute_80" + same,
          "fast 80: // --gpu-architecture=compute_80" + fast,
          "exact 90: // --gpu-architecture=compute_90" + same,
          "fast 90: // --gpu-architecture=compute_90" + fast);
    }
  }

  @Test
  void theArchitectureIsOneThatTheCompilerKnows() throws Exception {
    says(options(), "exact 120: // --gpu-architecture=compute_90 ", "exact 70: NVRTC 12.4 (");
    assertTrue(
        options()
            .contains(
                "compiles for compute_75 and newer, and this GPU is compute_70: set"
                    + " spark.gpusched.cuda.nvrtcPath to an NVRTC of an older CUDA"));
  }

  /** Drivers load SASS of any CUDA of their major version; for one architecture, so it is known. */
  @Test
  void whatADriverIsTooOldForIsCompiledToSass() throws Exception {
    String output = options("CUDA_DOUBLE_VERSION=12020");
    says(
        output, "exact 80: // --gpu-architecture=sm_80 ", "exact 90: // --gpu-architecture=sm_90 ");
    assertTrue(
        output.contains("is newer than the driver, which is of CUDA 12.2 and cannot load"), output);
  }

  @Test
  void aCacheThatCannotBeWrittenTakesNoFunctionFromTheGpu() throws Exception {
    run("nvrtcWithoutACache");
  }

  @Test
  void functionsOfStrictMathAreThereForWhoNamesThem() throws Exception {
    run("nvrtcStrictMath");
  }

  @Test
  void namesAndMacrosAreTheAuthors() throws Exception {
    run("nvrtcOfAnyNames");
  }

  @Test
  void aFunctionInStepsGivesTheJavaFormsAnswers() throws Exception {
    says(
        run("nvrtcInSteps"),
        "lacks: its CUDA function is in steps, and collatz.cu has no collatz_step: give"
            + " collatz_state, collatz_init, collatz_step and collatz_done, or leave inSteps()"
            + " out");
  }

  @Test
  void choice() {
    assertEquals(new NvrtcTarget(90, false), NvrtcTarget.choose(OF_12_6, 12060, 12080, 120));
    assertEquals(new NvrtcTarget(89, false), NvrtcTarget.choose(OF_12_6, 12060, 12060, 89));
    assertEquals(new NvrtcTarget(89, true), NvrtcTarget.choose(OF_12_6, 12060, 12050, 89));
    assertEquals(new NvrtcTarget(120, false), NvrtcTarget.choose(OF_13_0, 13000, 13000, 120));
    assertEquals(new NvrtcTarget(86, false), NvrtcTarget.choose(List.of(86, 75), 13000, 13010, 87));
    for (int[] none : new int[][] {{13000, 13000, 70}, {13000, 12090, 90}, {13010, 13000, 99}}) {
      assertThrows(
          IllegalStateException.class,
          () -> NvrtcTarget.choose(OF_13_0, none[0], none[1], none[2]));
    }
  }

  private record Compiler(int version, List<Integer> architectures)
      implements NvrtcTarget.Compiler {}

  private static void best(int expected, int driver, int gpu, Compiler... found) {
    Compiler best = NvrtcTarget.best(List.of(found).iterator(), driver, gpu).orElseThrow();
    assertEquals(expected, best.version());
  }

  /** By what each makes for this GPU and its driver; by their order only where that is the same. */
  @Test
  void theBestCompilerIsOneThatMakesSomethingForTheGpu() {
    Compiler thirteen = new Compiler(13000, OF_13_0);
    Compiler twelve = new Compiler(12060, OF_12_6);
    Compiler eight = new Compiler(12080, OF_12_6);
    best(12060, 12040, 90, thirteen, twelve); // SASS
    best(12060, 13000, 70, thirteen, twelve); // knows it
    best(13000, 13000, 90, thirteen, twelve);
    best(12060, 12080, 90, thirteen, twelve);
    best(12060, 12060, 90, eight, twelve); // PTX goes before SASS
    best(12080, 12040, 90, eight, twelve);
    best(13000, 12040, 120, thirteen, twelve); // none will do
    assertTrue(NvrtcTarget.best(List.<Compiler>of().iterator(), 12040, 90).isEmpty());
  }

  @Test
  void noCompilerIsLoadedBehindTheFirstWhosePtxWillDo() {
    Iterator<Compiler> found =
        List.of(new Compiler(12060, OF_12_6), new Compiler(13000, OF_13_0)).iterator();
    assertEquals(12060, NvrtcTarget.best(found, 12060, 90).orElseThrow().version());
    assertTrue(found.hasNext());
  }

  @Test
  void functionsOfOneNameMayHaveUnlikeKernels() throws Exception {
    run("nvrtcOfUnlikeFunctions");
  }

  @Test
  void whoWantsAKernelWaitsForNoOther() throws Exception {
    run("nvrtcAtOnce");
  }

  /** NVIDIA's table: "PTX ISA", release history. */
  @Test
  void ptxSaysWhichDriverItNeeds() {
    int[][] table = {
      {70, 11000}, {71, 11010}, {72, 11020}, {73, 11030}, {74, 11040}, {75, 11050}, {76, 11060},
      {77, 11070}, {78, 11080}, {80, 12000}, {81, 12010}, {82, 12020}, {83, 12030}, {84, 12040},
      {85, 12050}, {86, 12070}, {87, 12080}, {88, 12090}, {90, 13000}, {91, 13010}, {92, 13020},
    };
    for (int[] row : table) {
      String version = row[0] / 10 + "." + row[0] % 10;
      assertEquals(
          row[1], PtxVersion.needs("//\n.version " + version + "\n.target sm_75"), version);
    }
    assertEquals(0, PtxVersion.needs("// none"));
  }
}
