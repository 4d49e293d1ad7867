package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.testing.Patience;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cuda/compile-udf} with an nvcc that writes what it is given, and what the plugin makes of
 * its output in an author's jar.
 */
class AuthorPtxTest {
  private static final Path SCRIPT = Path.of("..", "cuda", "compile-udf").toAbsolutePath();
  private static final String SOURCE = "__device__ double doubled(double x) { return 2 * x; }";
  private static final DataType DOUBLE = DataTypes.DoubleType;

  @TempDir Path jar;
  @TempDir Path path;

  private Path source;
  private CudaSource cuda = new Doubled().cuda().orElseThrow();

  @BeforeEach
  void makeJarAndCompiler() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "skipped: no bash");
    Path folder = jar.resolve("io/github/sparkgpusched/device/cuda");
    Files.createDirectories(folder);
    Files.write(
        folder.resolve("Doubled.class"), NativeFiles.resource(Doubled.class, "Doubled.class"));
    source = Files.writeString(folder.resolve("doubled.cu"), SOURCE);
    Path nvcc = path.resolve("nvcc");
    Files.writeString(
        nvcc,
        """
        #!/bin/bash
        options=$*
        while (($# > 1)); do
          [[ $1 == -arch=* ]] && arch=$1
          [[ $1 == -o ]] && out=$2
          shift
        done
        grep -q WRONG "$1" && exit 1
        { echo ".version 8.0 // $arch $options"; echo ".entry doubled_c1("; echo ".entry doubled_c4("; cat "$1"; } >"$out"
        """);
    assertTrue(nvcc.toFile().setExecutable(true));
  }

  private String compile(int status, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", path + ":" + System.getenv("PATH"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS));
    assertEquals(status, process.exitValue(), output);
    return output;
  }

  /** Loads the UDF from the author's own jar. */
  private static final class JarLoader extends URLClassLoader {
    JarLoader(Path jar) throws IOException {
      super(new URL[] {jar.toUri().toURL()}, AuthorPtxTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Doubled.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  private Optional<KernelImage> find(
      UdfCall call, boolean takesNulls, int architecture, int driver, int cluster)
      throws Exception {
    try (JarLoader author = new JarLoader(jar)) {
      return AuthorPtx.find(
          author.loadClass(Doubled.class.getName()),
          call,
          cuda,
          takesNulls,
          architecture,
          driver,
          cluster);
    }
  }

  private Optional<KernelImage> find(
      DataType type, boolean takesNulls, int architecture, int driver, int cluster)
      throws Exception {
    UdfCall call = new UdfCall("doubled", List.of(type), type);
    return find(call, takesNulls, architecture, driver, cluster);
  }

  private static String text(KernelImage image) {
    return StandardCharsets.UTF_8.decode(image.code().duplicate()).toString();
  }

  @Test
  void isFoundForEachArchitectureFromItsOwnOn() throws Exception {
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isEmpty(), "before it is compiled");
    compile(0, source.toString(), "doubled", "Double", "Double");
    for (int[] wanted : new int[][] {{75, 75}, {80, 80}, {89, 80}, {90, 90}, {120, 90}}) {
      KernelImage image = find(DOUBLE, false, wanted[0], 12040, 1).orElseThrow();
      assertEquals("doubled_c1", image.kernel());
      assertTrue(text(image).contains("-arch=compute_" + wanted[1]), text(image));
    }
    assertEquals("doubled_c4", find(DOUBLE, false, 90, 12040, 4).orElseThrow().kernel());
    assertTrue(find(DOUBLE, false, 90, 12040, 8).isEmpty(), "a kernel that is not there");
    assertTrue(find(DOUBLE, false, 70, 12040, 1).isEmpty(), "an older GPU");
    assertTrue(find(DOUBLE, false, 90, 11080, 1).isEmpty(), "an older driver");
    assertTrue(find(DOUBLE, true, 90, 12040, 1).isEmpty(), "it takes no nulls");
    assertTrue(find(DataTypes.FloatType, false, 90, 12040, 1).isEmpty(), "other types");
  }

  /** Of what is damaged there is none: the source is compiled. */
  @Test
  void isNotUsedIfItIsDamaged() throws Exception {
    compile(0, source.toString(), "doubled", "Double", "Double");
    Path packed = source.resolveSibling("doubled.cu.doubled.compute_90.ptx.gz");
    byte[] whole = Files.readAllBytes(packed);
    for (byte[] damaged :
        List.of(
            new byte[0], "no gzip".getBytes(StandardCharsets.UTF_8), Arrays.copyOf(whole, 40))) {
      Files.write(packed, damaged);
      assertTrue(find(DOUBLE, false, 90, 12040, 1).isEmpty(), damaged.length + " bytes");
    }
    Files.write(packed, whole);
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isPresent());
    Files.writeString(source.resolveSibling("doubled.cu.doubled.properties"), "types=\\uZZZZ");
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isEmpty(), "its properties");
    String version = "// .version 99999999999.1";
    assertEquals(Integer.MAX_VALUE, PtxVersion.needs(version), "of no driver");
  }

  /** The text that the compiler is given is the one that the plugin would give to NVRTC. */
  @Test
  void theModuleIsAsThePluginWritesIt() throws Exception {
    compile(0, "--takes-nulls", source.toString(), "doubled", "Double", "Array<Int>", "Bytes");
    DataType array = DataTypes.createArrayType(DataTypes.IntegerType);
    UdfCall call = new UdfCall("doubled", List.of(array, DataTypes.StringType), DOUBLE);
    KernelImage image = find(call, true, 90, 12040, 1).orElseThrow();
    assertTrue(
        text(image)
            .contains(
                "GPUSCHED_UDF(doubled, true, gpusched::Double, gpusched::Array<gpusched::Int>,"
                    + " gpusched::Bytes)"),
        text(image));
    String source = "#line 1 \"doubled.cu\"\n" + SOURCE;
    String udf = "#include \"gpusched/udf.cuh\"\n";
    assertTrue(text(image).contains(udf + source), text(image));
    Files.writeString(this.source, SOURCE + "// as strict_exp");
    compile(0, "--takes-nulls", this.source.toString(), "doubled", "Double", "Array<Int>", "Bytes");
    String strict = text(find(call, true, 90, 12040, 1).orElseThrow());
    assertTrue(strict.contains(udf + "#include \"gpusched/fdlibm.cuh\"\n" + source), strict);
  }

  /** Exact or not, it must be what the source says that it is. */
  @Test
  void arithmeticIsAsNvrtcWouldMakeIt() throws Exception {
    String exact = "-fmad=false -prec-div=true -prec-sqrt=true -ftz=false";
    compile(0, source.toString(), "doubled", "Double", "Double");
    assertTrue(text(find(DOUBLE, false, 90, 12040, 1).orElseThrow()).contains(exact));
    cuda = cuda.notExact();
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isEmpty());
    compile(0, "--not-exact", source.toString(), "doubled", "Double", "Double");
    String fast = exact.replace("fmad=false", "fmad=true");
    assertTrue(text(find(DOUBLE, false, 90, 12040, 1).orElseThrow()).contains(fast));
  }

  /** In steps or not, likewise. */
  @Test
  void aFunctionInStepsIsCompiledAsOne() throws Exception {
    String missing = compile(2, "--steps", source.toString(), "doubled", "Double", "Double");
    assertTrue(missing.contains("has no doubled_state, which a function in steps needs"), missing);
    Files.writeString(source, SOURCE + "// doubled_state doubled_init doubled_step doubled_done");
    compile(0, "--steps", source.toString(), "doubled", "Double", "Double");
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isEmpty());
    cuda = cuda.inSteps();
    String text = text(find(DOUBLE, false, 90, 12040, 1).orElseThrow());
    assertTrue(text.contains("GPUSCHED_STEP_UDF(doubled, false, gpusched::Double"), text);
  }

  @Test
  void isNotUsedForAnotherSource() throws Exception {
    compile(0, "--architectures", "80", source.toString(), "doubled", "Double", "Double");
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isPresent());
    Files.writeString(source, SOURCE + "\n");
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isEmpty());
  }

  @Test
  void whatDoesNotCompileLeavesTheLastOne() throws Exception {
    compile(0, source.toString(), "doubled", "Double", "Double");
    Files.writeString(source, "WRONG");
    compile(1, source.toString(), "doubled", "Double", "Double");
    Files.writeString(source, SOURCE);
    assertTrue(find(DOUBLE, false, 90, 12040, 1).isPresent());
  }

  @Test
  void mistakesAreNamed() throws Exception {
    String type = compile(2, source.toString(), "doubled", "double", "Double");
    assertTrue(type.contains("'double' is not the name of a type"), type);
    String file = compile(2, "none.cu", "doubled", "Double");
    assertTrue(file.contains("there is no file none.cu"), file);
    String option = compile(2, "--arch", "80", source.toString(), "doubled", "Double");
    assertTrue(option.contains("there is no option --arch"), option);
    assertFalse(Files.exists(source.resolveSibling("doubled.cu.doubled.properties")));
  }
}
