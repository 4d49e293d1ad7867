package io.github.sparkgpusched.device.cuda;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NVIDIA's run-time compiler, of any version, called by name: JCuda's binding wants exactly version
 * 12. Thread-safe, as NVRTC is.
 */
final class Nvrtc implements NvrtcTarget.Compiler {
  private static final List<String> NAMES =
      List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so");

  private static final Logger LOG = LoggerFactory.getLogger(Nvrtc.class);

  private static final int COMPILATION_FAILED = 6;

  /** What the compiler said of a text. */
  static final class CompileException extends Exception {
    private static final long serialVersionUID = 1L;

    CompileException(String message) {
      super(message);
    }
  }

  private final NativeLibrary library;
  private final int major;
  private final int minor;
  private final List<Integer> architectures;

  private Nvrtc(NativeLibrary library) {
    this.library = library;
    IntByReference first = new IntByReference();
    IntByReference second = new IntByReference();
    check(call("nvrtcVersion", first, second), "nvrtcVersion");
    major = first.getValue();
    minor = second.getValue();
    check(call("nvrtcGetNumSupportedArchs", first), "nvrtcGetNumSupportedArchs");
    Memory known = new Memory(4L * Math.max(1, first.getValue()));
    check(call("nvrtcGetSupportedArchs", known), "nvrtcGetSupportedArchs");
    architectures = Arrays.stream(known.getIntArray(0, first.getValue())).boxed().toList();
  }

  /**
   * Loads the best compiler for a GPU ({@link NvrtcTarget#best}).
   *
   * @param path its library, or a directory that has it; empty to look where CUDA toolkits and pip
   *     put it
   * @param driverVersion as the driver tells it: 12040 is 12.4
   * @param gpu its compute capability, such as 90
   * @return empty if there is none
   */
  static Optional<Nvrtc> find(String path, int driverVersion, int gpu) {
    List<String> candidates = new ArrayList<>();
    if (path.isEmpty()) {
      candidates.addAll(NAMES);
      places().forEach(place -> candidates.addAll(in(place)));
    } else {
      candidates.addAll(in(Path.of(path)));
    }
    return NvrtcTarget.best(
        candidates.stream().flatMap(candidate -> load(candidate).stream()).iterator(),
        driverVersion,
        gpu);
  }

  private static Optional<Nvrtc> load(String candidate) {
    try {
      loadBuiltins(candidate);
      return Optional.of(new Nvrtc(NativeLibrary.getInstance(candidate)));
    } catch (LinkageError e) {
      LOG.debug("no NVRTC at {}", candidate, e);
      return Optional.empty();
    }
  }

  /** Where its library was loaded from, and its version. */
  @Override
  public String toString() {
    return "NVRTC " + major + "." + minor + " (" + library.getFile() + ")";
  }

  /** As drivers tell theirs: 12040 is 12.4. */
  @Override
  public int version() {
    return major * 1000 + minor * 10;
  }

  /** The compute capabilities that it compiles for, such as 90. */
  @Override
  public List<Integer> architectures() {
    return architectures;
  }

  private static List<Path> places() {
    List<Path> places = new ArrayList<>();
    for (String variable : new String[] {"CUDA_HOME", "CUDA_PATH"}) {
      String home = System.getenv(variable);
      if (home != null) {
        places.add(Path.of(home, "lib64"));
      }
    }
    places.add(Path.of("/usr/local/cuda/lib64"));
    for (String root : new String[] {System.getenv("VIRTUAL_ENV"), System.getenv("CONDA_PREFIX")}) {
      if (root != null) {
        places.add(Path.of(root, "lib"));
        places.addAll(ofPip(Path.of(root, "lib")));
      }
    }
    places.addAll(ofPip(Path.of(System.getProperty("user.home"), ".local", "lib")));
    places.addAll(ofPip(Path.of("/usr/local/lib")));
    return places;
  }

  /** Folders of pip's packages nvidia-cuda-nvrtc below a folder that has Python's. */
  private static List<Path> ofPip(Path lib) {
    List<Path> found = new ArrayList<>();
    for (Path python : list(lib, "python3")) {
      for (String packages : new String[] {"site-packages", "dist-packages"}) {
        Path nvidia = python.resolve(packages).resolve("nvidia");
        found.add(nvidia.resolve("cuda_nvrtc").resolve("lib"));
        list(nvidia, "cu").forEach(cuda -> found.add(cuda.resolve("lib")));
      }
    }
    return found;
  }

  private static List<String> in(Path place) {
    return Files.isDirectory(place)
        ? list(place, "libnvrtc.so").stream().map(Path::toString).toList()
        : List.of(place.toString());
  }

  /** Entries of a folder by the begin of their name, the last first; none if there is no folder. */
  private static List<Path> list(Path folder, String begin) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> entry.getFileName().toString().startsWith(begin))
          .sorted(Comparator.reverseOrder())
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The library that NVRTC itself loads by its bare name, which is found only if it is loaded. */
  private static void loadBuiltins(String nvrtc) {
    Path folder = Path.of(nvrtc).getParent();
    if (folder != null) {
      for (Path builtins : list(folder, "libnvrtc-builtins.so")) {
        NativeLibrary.getInstance(builtins.toString());
      }
    }
  }

  /**
   * Compiles a text.
   *
   * @param target what for; added to the options
   * @param name what the text is called in errors
   * @param headers texts by the names that the text includes them by
   * @param options of the compiler
   * @return SASS; or PTX, which is text
   * @throws CompileException if the text has errors: the compiler's words
   */
  byte[] compile(
      NvrtcTarget target,
      String text,
      String name,
      Map<String, String> headers,
      List<String> options)
      throws CompileException {
    PointerByReference program = new PointerByReference();
    // All held until the end: memory that nobody reaches is freed, and would be garbage to NVRTC.
    Memory[] words =
        Stream.concat(Stream.of(target.option()), options.stream())
            .map(Nvrtc::utf8)
            .toArray(Memory[]::new);
    Memory[] texts = headers.values().stream().map(Nvrtc::utf8).toArray(Memory[]::new);
    Memory[] names = headers.keySet().stream().map(Nvrtc::utf8).toArray(Memory[]::new);
    check(
        call(
            "nvrtcCreateProgram",
            program,
            utf8(text),
            utf8(name),
            headers.size(),
            pointers(texts),
            pointers(names)),
        "nvrtcCreateProgram");
    try {
      int status = call("nvrtcCompileProgram", program.getValue(), words.length, pointers(words));
      if (status == COMPILATION_FAILED) {
        throw new CompileException(text(output(program, "ProgramLog")));
      }
      check(status, "nvrtcCompileProgram");
      byte[] made = output(program, target.sass() ? "CUBIN" : "PTX");
      return target.sass() ? made : text(made).getBytes(StandardCharsets.UTF_8);
    } finally {
      call("nvrtcDestroyProgram", program);
      Reference.reachabilityFence(words);
      Reference.reachabilityFence(texts);
      Reference.reachabilityFence(names);
    }
  }

  private byte[] output(PointerByReference program, String what) {
    LongByReference bytes = new LongByReference();
    check(call("nvrtcGet" + what + "Size", program.getValue(), bytes), "nvrtcGet" + what + "Size");
    Memory made = new Memory(Math.max(1, bytes.getValue()));
    check(call("nvrtcGet" + what, program.getValue(), made), "nvrtcGet" + what);
    return made.getByteArray(0, (int) bytes.getValue());
  }

  /** Without the 0 that ends NVRTC's texts. */
  private static String text(byte[] output) {
    int end = output.length;
    while (end > 0 && output[end - 1] == 0) {
      end--;
    }
    return new String(output, 0, end, StandardCharsets.UTF_8);
  }

  private int call(String function, Object... arguments) {
    return library.getFunction(function).invokeInt(arguments);
  }

  private static void check(int status, String function) {
    if (status != 0) {
      throw new IllegalStateException(function + " gave error " + status + " of NVRTC");
    }
  }

  private static Memory utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Memory memory = new Memory(bytes.length + 1L);
    memory.write(0, bytes, 0, bytes.length);
    memory.setByte(bytes.length, (byte) 0);
    return memory;
  }

  private static Pointer pointers(Memory[] targets) {
    if (targets.length == 0) {
      return null;
    }
    Memory memory = new Memory(8L * targets.length);
    for (int i = 0; i < targets.length; i++) {
      memory.setPointer(8L * i, targets[i]);
    }
    return memory;
  }
}
