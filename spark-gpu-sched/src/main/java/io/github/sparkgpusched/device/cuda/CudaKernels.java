package io.github.sparkgpusched.device.cuda;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.UdfCall;
import io.github.sparkgpusched.schedule.RecentlyUsed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels of an executor: compiled once for each function, signature and architecture, and kept
 * on disk for the next process. Thread-safe; threads that want the same kernel wait for one of them
 * to compile it.
 */
final class CudaKernels {
  private static final Logger LOG = LoggerFactory.getLogger(CudaKernels.class);

  /** The least compute capability that has clusters. */
  private static final int CLUSTERS_FROM = 90;

  /** That are kept; some 100 KB each. */
  static final int MOST_KERNELS = 256;

  private static final String NO_COMPILER =
      "there is no NVRTC here to compile CUDA functions: install a CUDA toolkit or pip's"
          + " nvidia-cuda-nvrtc, or set spark.gpusched.cuda.nvrtcPath";

  /** A kernel, or why there is none. */
  record Kernel(KernelImage image, String failure) {}

  /**
   * What a kernel is made of.
   *
   * @param text digest of the source if it is a resource: sessions may have other classes of the
   *     same name
   */
  private record Wanted(
      UdfCall call,
      String udfClass,
      boolean takesNulls,
      Optional<CudaSource> source,
      String text,
      int architecture) {}

  /** Digests of sources that are resources, by class. */
  private static final ClassValue<ConcurrentMap<CudaSource, String>> TEXTS =
      new ClassValue<>() {
        @Override
        protected ConcurrentMap<CudaSource, String> computeValue(Class<?> udf) {
          return new ConcurrentHashMap<>();
        }
      };

  private final CudaSettings settings;
  private final DriverLibrary driver;
  private final int driverVersion;

  /**
   * Whoever puts in a future makes its kernel, and nothing is locked meanwhile: that calls the
   * user's code, and takes seconds. One that fails is taken out again. Bounded, for a session may
   * write numbers into its texts; of what is not kept here the code is on disk.
   */
  private final Map<Wanted, CompletableFuture<Kernel>> kernels =
      Collections.synchronizedMap(new RecentlyUsed<>(MOST_KERNELS));

  /** False to true: it is said once. */
  private final AtomicBoolean unwritable = new AtomicBoolean();

  /** By compute capability; looked for at first use. */
  @GuardedBy("this")
  private final Map<Integer, Optional<Nvrtc>> compilers = new HashMap<>();

  /** Null until it is looked for. */
  @GuardedBy("this")
  private Path cacheDirectory;

  /**
   * No kernels yet.
   *
   * @param driver what loads them
   */
  CudaKernels(CudaSettings settings, DriverLibrary driver) {
    this.settings = settings;
    this.driver = driver;
    this.driverVersion = driver.version();
  }

  /** What loads the kernels. */
  DriverLibrary driver() {
    return driver;
  }

  /** The kernel of a call for a compute capability such as 90; logs a failure once. */
  Kernel get(UdfCall call, GpuUdf udf, int architecture) {
    Optional<CudaSource> source = udf.cuda();
    Class<?> type = udf.getClass();
    String text = source.map(from -> text(type, from)).orElse("");
    Wanted wanted = new Wanted(call, type.getName(), udf.takesNulls(), source, text, architecture);
    while (true) {
      CompletableFuture<Kernel> mine = new CompletableFuture<>();
      CompletableFuture<Kernel> others = kernels.putIfAbsent(wanted, mine);
      if (others == null) {
        return make(wanted, mine, udf);
      }
      try {
        return others.join();
      } catch (CompletionException e) {
        LOG.debug("who was to make it has failed", e);
      }
    }
  }

  /** Empty if the source has its own, or there is none: who compiles it says so. */
  private static String text(Class<?> udf, CudaSource source) {
    if (source.resource() == null) {
      return "";
    }
    return TEXTS
        .get(udf)
        .computeIfAbsent(
            source,
            from -> {
              try {
                return digest(from.load(udf));
              } catch (IllegalArgumentException e) {
                return "";
              }
            });
  }

  private Kernel make(Wanted wanted, CompletableFuture<Kernel> kernel, GpuUdf udf) {
    try {
      kernel.complete(make(wanted.call(), udf, wanted.architecture()));
      return kernel.join();
    } catch (RuntimeException | Error e) {
      kernels.remove(wanted, kernel);
      kernel.completeExceptionally(e);
      throw e;
    }
  }

  /** Why nothing can be compiled for a compute capability, or empty if it can. */
  Optional<String> whyNoCompiler(int architecture) {
    Optional<Nvrtc> compiler = compiler(architecture);
    if (compiler.isEmpty()) {
      return Optional.of(NO_COMPILER);
    }
    try {
      target(compiler.get(), architecture);
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(e.getMessage());
    }
  }

  private Kernel make(UdfCall call, GpuUdf udf, int architecture) {
    Kernel kernel;
    try {
      Optional<String> unsupported =
          KernelSource.unsupported(call).or(() -> BlockSettings.unsupported(udf));
      kernel =
          unsupported.isPresent()
              ? new Kernel(null, unsupported.get())
              : new Kernel(compile(call, udf, architecture), null);
    } catch (Nvrtc.CompileException
        | IOException
        | IllegalArgumentException
        | IllegalStateException e) {
      kernel = new Kernel(null, e.getMessage());
    }
    if (kernel.failure() != null) {
      LOG.warn(
          "UDF '{}' ({}) does not run on CUDA devices: {}",
          call.name(),
          udf.getClass().getName(),
          kernel.failure());
    }
    return kernel;
  }

  private KernelImage compile(UdfCall call, GpuUdf udf, int architecture)
      throws Nvrtc.CompileException, IOException {
    CudaSource source =
        udf.cuda().orElseThrow(() -> new IllegalArgumentException("it has no CUDA function"));
    int cluster = cluster(architecture);
    Optional<KernelImage> shipped =
        ShippedKernels.find(
            udf.getClass(), call, source.function(), architecture, driverVersion, cluster);
    if (shipped.isPresent()) {
      return shipped.get();
    }
    Optional<KernelImage> authors =
        AuthorPtx.find(
            udf.getClass(), call, source, udf.takesNulls(), architecture, driverVersion, cluster);
    if (authors.isPresent()) {
      return authors.get();
    }
    return compile(call, udf, source, architecture);
  }

  /** By NVRTC, or as it has been compiled before. */
  private KernelImage compile(UdfCall call, GpuUdf udf, CudaSource source, int architecture)
      throws Nvrtc.CompileException, IOException {
    Nvrtc compiler =
        compiler(architecture).orElseThrow(() -> new IllegalStateException(NO_COMPILER));
    NvrtcTarget target = target(compiler, architecture);
    int cluster = cluster(target.architecture());
    String file = source.resource() != null ? source.resource() : call.name() + ".cu";
    KernelSource kernel =
        KernelSource.of(call, source, udf.takesNulls(), source.load(udf.getClass()), file, cluster);
    List<String> options = options(source);
    Map<String, String> headers = headers();
    String key =
        digest(
            kernel.text(),
            target.option(),
            options.toString(),
            String.valueOf(compiler.version()),
            headers.toString());
    String cached = key + (target.sass() ? ".cubin" : ".ptx");
    byte[] code = read(cached);
    if (code == null) {
      long begin = System.nanoTime();
      try {
        code = compiler.compile(target, kernel.text(), file, headers, options);
      } catch (Nvrtc.CompileException e) {
        throw new Nvrtc.CompileException(
            "its CUDA function " + source.function() + " has errors:\n" + e.getMessage());
      }
      write(code, cached);
      LOG.info(
          "compiled {} for {}_{} with {} in {} ms",
          kernel.kernel(),
          target.sass() ? "sm" : "compute",
          target.architecture(),
          compiler,
          (System.nanoTime() - begin) / 1_000_000);
    }
    return target.sass()
        ? KernelImage.ofSass(key, kernel.kernel(), code, cluster, kernel.text())
        : KernelImage.ofPtx(
            key, kernel.kernel(), new String(code, StandardCharsets.UTF_8), cluster);
  }

  private NvrtcTarget target(Nvrtc compiler, int architecture) {
    try {
      return NvrtcTarget.choose(
          compiler.architectures(), compiler.version(), driverVersion, architecture);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(compiler + " " + e.getMessage(), e);
    }
  }

  /** Blocks of threads of a cluster of kernels for a compute capability. */
  int cluster(int architecture) {
    return architecture >= CLUSTERS_FROM ? settings.cluster() : 1;
  }

  /**
   * The same that {@code cuda/compile-udf} gives to nvcc. Java rounds each product and each sum, so
   * none are fused, and quotients, roots and small numbers are as IEEE 754 has them.
   */
  static List<String> options(CudaSource source) {
    return List.of(
        "--std=c++17",
        "--fmad=" + !source.exact(),
        "--prec-div=true",
        "--prec-sqrt=true",
        "--ftz=false");
  }

  /** By the names that includes have: from the module's text, and from each other. */
  private static Map<String, String> headers() throws IOException {
    Map<String, String> headers = new TreeMap<>();
    for (String name : KernelSource.HEADERS) {
      String text =
          new String(
              NativeFiles.resource(CudaKernels.class, "include/gpusched/" + name),
              StandardCharsets.UTF_8);
      headers.put(name, text);
      headers.put("gpusched/" + name, text);
    }
    return headers;
  }

  private synchronized Optional<Nvrtc> compiler(int architecture) {
    return compilers.computeIfAbsent(
        architecture, gpu -> Nvrtc.find(settings.nvrtcPath(), driverVersion, gpu));
  }

  /** Found once: where the usual folder is somebody else's, each look would make another one. */
  private synchronized Path cacheDirectory() throws IOException {
    if (cacheDirectory == null) {
      cacheDirectory =
          settings.cacheDirectory().isEmpty()
              ? NativeFiles.privateDirectory(Path.of(System.getProperty("java.io.tmpdir")))
                  .resolve("kernels")
              : Path.of(settings.cacheDirectory());
    }
    return Files.createDirectories(cacheDirectory);
  }

  /** What was compiled before; null if nothing is there that can be read. */
  private byte[] read(String cached) {
    try {
      Path file = cacheDirectory().resolve(cached);
      return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
    } catch (IOException e) {
      LOG.debug("{} cannot be read", cached, e);
      return null;
    }
  }

  /** For the next process. This one needs no file. */
  private void write(byte[] code, String cached) {
    try {
      NativeFiles.place(code, cacheDirectory(), cached);
    } catch (IOException e) {
      if (!unwritable.getAndSet(true)) {
        LOG.warn(
            "compiled CUDA functions cannot be kept for the next process"
                + " (spark.gpusched.cuda.cacheDir): {}",
            e.toString());
      }
    }
  }

  private static String digest(String... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        sha.update(part.getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
      }
      return HexFormat.of().formatHex(sha.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
