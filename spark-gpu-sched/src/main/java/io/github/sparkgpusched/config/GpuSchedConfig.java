package io.github.sparkgpusched.config;

import static io.github.sparkgpusched.config.MayChange.AT_START;
import static io.github.sparkgpusched.config.MayChange.PER_QUERY;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All keys of the plugin, and a snapshot of their values. Immutable: a snapshot does not see later
 * changes, so take one at the start for {@link MayChange#AT_START} keys and one a query for {@link
 * MayChange#PER_QUERY} keys.
 */
public final class GpuSchedConfig {
  /** What every key of the plugin begins with. */
  public static final String PREFIX = "spark.gpusched.";

  /** Whether queries are changed at all. */
  public static final ConfigEntry<Boolean> ENABLED =
      ConfigEntry.ofBoolean(
          PREFIX + "enabled",
          true,
          PER_QUERY,
          "Whether GPU UDFs are batched and balanced over the executor's devices. False leaves every plan as Spark"
              + " made it.");

  /** What is said about UDFs that are not batched. */
  public static final ConfigEntry<ExplainMode> EXPLAIN =
      ConfigEntry.ofEnum(
          PREFIX + "explain",
          ExplainMode.NOT_BATCHED,
          PER_QUERY,
          "Which GPU UDFs of a plan the driver logs: none, those that stay row by row with the reason why, or all.");

  /** Rows. */
  public static final ConfigEntry<Integer> BATCH_ROWS =
      ConfigEntry.ofInt(
          PREFIX + "batch.rows",
          16384,
          1,
          16777216,
          PER_QUERY,
          "How many rows a batch should have. The last one has fewer, and so does one that reaches its bound of memory.");

  /** Bytes. */
  public static final ConfigEntry<Long> BATCH_BYTES =
      ConfigEntry.ofBytes(
          PREFIX + "batch.bytes",
          "64m",
          "64k",
          "1g",
          PER_QUERY,
          "How much off-heap memory the columns of a batch may take. A batch that reaches it has fewer rows.");

  /** Microseconds. */
  public static final ConfigEntry<Long> BLOCK_TARGET_MICROS =
      ConfigEntry.ofLong(
          PREFIX + "block.targetMicros",
          100,
          1,
          1000000,
          AT_START,
          "How long a device should compute one block, in microseconds. Shorter blocks balance better and cost more"
              + " scheduling.");

  /** Devices; 0 stands for the number of the executor's cores. */
  public static final ConfigEntry<Integer> HOST_DEVICES =
      ConfigEntry.ofInt(
          PREFIX + "host.devices",
          0,
          0,
          1024,
          AT_START,
          "How many host (CPU) devices an executor has. 0 means as many as it has cores.");

  /** How the rows of a batch are dealt to devices. */
  public static final ConfigEntry<String> STRATEGY =
      ConfigEntry.ofName(
          PREFIX + "strategy",
          "adaptive",
          List.of(
              "adaptive",
              "static",
              "fixed",
              "units",
              "guided",
              "factoring",
              "trapezoid",
              "worksteal-deque",
              "tree",
              "tree-random",
              "tree-in-order",
              "tree-both-ends",
              "tree-timed"),
          AT_START,
          "How the rows of a batch are dealt to the executor's devices. The others are there to compare with; see"
              + " scheduling.md.");

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_FIXED_ROWS =
      ConfigEntry.ofLong(
          PREFIX + "strategy.fixedRows",
          256,
          1,
          1L << 40,
          AT_START,
          "How many rows a block of the strategy fixed has.");

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_TREE_MAX_STEP_ROWS =
      ConfigEntry.ofLong(
          PREFIX + "strategy.treeMaxStepRows",
          4096,
          1,
          1L << 40,
          AT_START,
          "How many rows a block of the tree strategies has at most.");

  /** Rows. */
  public static final ConfigEntry<Long> STRATEGY_DEQUE_GRAIN_ROWS =
      ConfigEntry.ofLong(
          PREFIX + "strategy.dequeGrainRows",
          64,
          1,
          1L << 40,
          AT_START,
          "How many rows a block of the strategy worksteal-deque has at most.");

  /** A name of a policy, or of a class. */
  public static final ConfigEntry<String> PLACEMENT =
      ConfigEntry.ofText(
          PREFIX + "placement",
          "leastLoaded",
          text -> text.matches("[\\p{Alpha}_$][\\w$]*(\\.[\\p{Alpha}_$][\\w$]*)*"),
          "roundRobin, leastLoaded, or the name of a class that implements"
              + " io.github.sparkgpusched.api.PlacementPolicy",
          AT_START,
          "Which GPUs the rows of a batch are dealt to first.");

  /** Whether cores compute when no GPU is left. */
  public static final ConfigEntry<Boolean> HOST_FALLBACK =
      ConfigEntry.ofBoolean(
          PREFIX + "hostFallback",
          true,
          AT_START,
          "Whether an executor's cores compute what none of its GPUs can, or may, compute. False fails the task then.");

  /** Milliseconds. */
  public static final ConfigEntry<Long> DEVICE_TIMEOUT_MILLIS =
      ConfigEntry.ofLong(
          PREFIX + "device.timeoutMillis",
          60000,
          1,
          86400000,
          AT_START,
          "How long a GPU may take for one block, or for one call of its driver, in milliseconds. One that takes longer"
              + " is not used again, and its rows run elsewhere.");

  /** Steps; each doubles. */
  public static final ConfigEntry<Integer> PRIORITY =
      ConfigEntry.ofInt(
          PREFIX + "priority",
          0,
          -10,
          10,
          PER_QUERY,
          "How urgent a query is beside others on the same executors. Each step up doubles its part of the devices' time,"
              + " each step down halves it; no query is kept from running. It counts beside the UDF's own priority and"
              + " the weight of Spark's scheduling pool.");

  /** Whether what devices do is shown beyond Spark's own pages. */
  public static final ConfigEntry<Boolean> UI_ENABLED =
      ConfigEntry.ofBoolean(
          PREFIX + "ui.enabled",
          true,
          AT_START,
          "Whether executors report the load of their devices to the driver, for the UI tab, the event log, metrics and"
              + " gpusched_load(). Accumulators and SQL metrics do not depend on it.");

  /** Executors. */
  public static final ConfigEntry<Integer> UI_RETAINED_ENDED_EXECUTORS =
      ConfigEntry.ofInt(
          PREFIX + "ui.retainedEndedExecutors",
          100,
          0,
          100000,
          AT_START,
          "Of how many executors that have ended the driver keeps the load.");

  /** Spans of blocks. */
  public static final ConfigEntry<Integer> UI_RETAINED_SPANS =
      ConfigEntry.ofInt(
          PREFIX + "ui.retainedSpans",
          20000,
          0,
          1000000,
          AT_START,
          "How many spans of blocks the driver keeps for the timeline. A span is blocks that a device computed one right"
              + " after the other for one task.");

  /** Stages. */
  public static final ConfigEntry<Integer> UI_RETAINED_STAGES =
      ConfigEntry.ofInt(
          PREFIX + "ui.retainedStages",
          1000,
          1,
          100000,
          AT_START,
          "Of how many stages the driver keeps the load, and how many it writes to the event log at most.");

  /** Events. */
  public static final ConfigEntry<Integer> UI_RETAINED_EVENTS =
      ConfigEntry.ofInt(
          PREFIX + "ui.retainedEvents",
          1000,
          1,
          100000,
          AT_START,
          "How many device events the driver keeps, and writes to the event log at most.");

  /** Which devices. */
  public static final ConfigEntry<DeviceList> DEVICES =
      ConfigEntry.ofDevices(
          PREFIX + "devices",
          "auto",
          AT_START,
          "Which devices an executor uses. auto is all GPUs that Spark assigned to it, or else all that it finds, and its"
              + " cores; without a GPU its cores alone. One that is named must be there, or a local application does not start"
              + " and tasks with GPU UDFs fail on a cluster. GPUs are numbered as nvidia-smi does, or by"
              + " CUDA_VISIBLE_DEVICES where that is set.");

  /** A name of Spark's resources. */
  public static final ConfigEntry<String> DEVICES_RESOURCE =
      ConfigEntry.ofText(
          PREFIX + "devices.resource",
          "gpu",
          text -> text.matches("[\\w.-]+"),
          "a name of letters, digits, dots, dashes and underscores",
          AT_START,
          "The name that GPUs have among Spark's resources, as in spark.executor.resource.gpu.amount.");

  /** How blocks follow each other on a GPU. */
  public static final ConfigEntry<String> CUDA_PIPELINE =
      ConfigEntry.ofName(
          PREFIX + "cuda.pipeline",
          "auto",
          List.of("auto", "pipelined", "drain-before-kick", "drain-after-kick"),
          AT_START,
          "How blocks follow each other on a GPU: two in flight, one, or one that is waited for at once. auto is pipelined,"
              + " but for GPUs with less than 1 GiB or without an engine that copies beside kernels.");

  /** Bytes. */
  public static final ConfigEntry<Long> CUDA_PINNED_BYTES =
      ConfigEntry.ofBytes(
          PREFIX + "cuda.pinnedBytes",
          "512m",
          "1m",
          "64g",
          AT_START,
          "How much page-locked host memory blocks on their way to and from one GPU may take.");

  /** Blocks of threads; 0 for none. */
  public static final ConfigEntry<Integer> CUDA_RESIDENT_BLOCKS =
      ConfigEntry.ofInt(
          PREFIX + "cuda.resident.blocks",
          0,
          0,
          1024,
          AT_START,
          "How many blocks of threads of a kernel stay on each GPU, so that a small block of rows costs neither a launch"
              + " nor a copy. At most half of what the GPU runs at once; other kernels have the rest. 0 means none. Not for"
              + " GPUs that drive a display.");

  /** Bytes. */
  public static final ConfigEntry<Long> CUDA_RESIDENT_JOB_BYTES =
      ConfigEntry.ofBytes(
          PREFIX + "cuda.resident.jobBytes",
          "64k",
          "4k",
          "16m",
          AT_START,
          "A block of rows whose arguments and results take no more than this is given to the kernel that stays on the GPU;"
              + " others are launched.");

  /** Blocks of threads. */
  public static final ConfigEntry<Integer> CUDA_CLUSTER =
      ConfigEntry.ofPowerOfTwo(
          PREFIX + "cuda.cluster",
          1,
          1,
          8,
          AT_START,
          "How many blocks of threads are a cluster, whose blocks take rows from each other's shared memory. Of GPUs of"
              + " compute capability 9.0 and newer; 1 means no clusters. A kernel that stays has none.");

  /** Bytes. */
  public static final ConfigEntry<Integer> CUDA_STRING_BYTES =
      ConfigEntry.ofInt(
          PREFIX + "cuda.stringBytes",
          64,
          8,
          65536,
          AT_START,
          "How many bytes a string result may have on a GPU. Rows with longer ones are computed again by the UDF's Java form."
              + " Each row of a block takes so much of the GPU's and of page-locked memory, and of the way back.");

  /** A path. */
  public static final ConfigEntry<String> CUDA_NVRTC_PATH =
      ConfigEntry.ofText(
          PREFIX + "cuda.nvrtcPath",
          "",
          text -> true,
          "a path",
          AT_START,
          "NVRTC's library, which compiles CUDA functions when they are first used, or a directory that has it. Empty: as"
              + " the system finds libnvrtc.so, then in CUDA_HOME, /usr/local/cuda, and pip's packages; one that is"
              + " newer than the driver only if there is no other.");

  /** A path. */
  public static final ConfigEntry<String> CUDA_CACHE_DIR =
      ConfigEntry.ofText(
          PREFIX + "cuda.cacheDir",
          "",
          text -> true,
          "a path",
          AT_START,
          "Where compiled CUDA functions are kept. Empty: in a directory of the executor's user below java.io.tmpdir.");

  /** How the blocks of threads of a GPU share rows. */
  public static final ConfigEntry<String> BLOCK_STRATEGY =
      ConfigEntry.ofName(
          PREFIX + "block.strategy",
          "stealing",
          List.of("static", "counter", "stealing", "sharing", "hybrid", "priority"),
          AT_START,
          "How the blocks of threads of a GPU share the rows of a launch; see cuda/README.md.");

  /** Chunks of rows. */
  public static final ConfigEntry<Integer> BLOCK_STEAL_THRESHOLD =
      ConfigEntry.ofInt(
          PREFIX + "block.stealThreshold",
          4,
          1,
          1 << 20,
          AT_START,
          "A block of threads with fewer chunks of rows than this takes from others.");

  /** Chunks of rows. */
  public static final ConfigEntry<Integer> BLOCK_SHARE_THRESHOLD =
      ConfigEntry.ofInt(
          PREFIX + "block.shareThreshold",
          64,
          2,
          1 << 20,
          AT_START,
          "Of a block of threads with more chunks of rows than this others take, or it offers. Above"
              + " spark.gpusched.block.stealThreshold.");

  /** Chunks of rows. */
  public static final ConfigEntry<Integer> BLOCK_MAX_STEAL_BATCH =
      ConfigEntry.ofInt(
          PREFIX + "block.maxStealBatch",
          16,
          1,
          1 << 20,
          AT_START,
          "How many chunks of rows move between two blocks of threads at most.");

  /** Blocks of threads. */
  public static final ConfigEntry<Integer> BLOCK_NEIGHBOURS =
      ConfigEntry.ofInt(
          PREFIX + "block.neighbours",
          4,
          1,
          32,
          AT_START,
          "How many other blocks of threads a block looks at, at a time.");

  /** Nanoseconds. */
  public static final ConfigEntry<Integer> BLOCK_POLL_NANOS =
      ConfigEntry.ofInt(
          PREFIX + "block.pollNanos",
          1000,
          1,
          1000000,
          AT_START,
          "How long a block of threads waits between two looks at others, in nanoseconds.");

  /** Ranges. */
  public static final ConfigEntry<Integer> BLOCK_QUEUE_CAPACITY =
      ConfigEntry.ofPowerOfTwo(
          PREFIX + "block.queueCapacity",
          32,
          2,
          1024,
          AT_START,
          "How many ranges of rows the queue of a block of threads holds in device memory.");

  private static final Map<String, ConfigEntry<?>> BY_KEY =
      List.of(
              ENABLED,
              EXPLAIN,
              BATCH_ROWS,
              BATCH_BYTES,
              BLOCK_TARGET_MICROS,
              HOST_DEVICES,
              STRATEGY,
              STRATEGY_FIXED_ROWS,
              STRATEGY_TREE_MAX_STEP_ROWS,
              STRATEGY_DEQUE_GRAIN_ROWS,
              PLACEMENT,
              HOST_FALLBACK,
              DEVICE_TIMEOUT_MILLIS,
              PRIORITY,
              UI_ENABLED,
              UI_RETAINED_ENDED_EXECUTORS,
              UI_RETAINED_SPANS,
              UI_RETAINED_STAGES,
              UI_RETAINED_EVENTS,
              DEVICES,
              DEVICES_RESOURCE,
              CUDA_PIPELINE,
              CUDA_PINNED_BYTES,
              CUDA_RESIDENT_BLOCKS,
              CUDA_RESIDENT_JOB_BYTES,
              CUDA_CLUSTER,
              CUDA_STRING_BYTES,
              CUDA_NVRTC_PATH,
              CUDA_CACHE_DIR,
              BLOCK_STRATEGY,
              BLOCK_STEAL_THRESHOLD,
              BLOCK_SHARE_THRESHOLD,
              BLOCK_MAX_STEAL_BATCH,
              BLOCK_NEIGHBOURS,
              BLOCK_POLL_NANOS,
              BLOCK_QUEUE_CAPACITY)
          .stream()
          .collect(
              Collectors.toMap(
                  ConfigEntry::key,
                  Function.identity(),
                  (a, b) -> {
                    throw new IllegalStateException("two entries for " + a);
                  },
                  LinkedHashMap::new));

  private final Map<String, Object> values;

  private GpuSchedConfig(Map<String, Object> values) {
    this.values = values;
  }

  /** All entries, in the order of the reference page. */
  public static List<ConfigEntry<?>> entries() {
    return List.copyOf(BY_KEY.values());
  }

  /**
   * A snapshot of a configuration.
   *
   * @param lookup gives a key's text, or null if it is not set; called once a key, during this call
   * @throws IllegalArgumentException if a value is not allowed, as {@link ConfigEntry#parse} words
   *     it
   */
  public static GpuSchedConfig from(Function<String, String> lookup) {
    return new GpuSchedConfig(
        BY_KEY.values().stream()
            .collect(Collectors.toUnmodifiableMap(ConfigEntry::key, entry -> entry.read(lookup))));
  }

  /** The same of a map; keys that are not the plugin's are ignored, and so are unknown ones. */
  public static GpuSchedConfig from(Map<String, String> all) {
    return from(all::get);
  }

  /** The value of an entry. Never null. */
  public <T> T get(ConfigEntry<T> entry) {
    return entry.type().cast(values.get(entry.key()));
  }

  /**
   * Refuses a configuration with an unknown key or a value that is not allowed. Keys of others are
   * ignored.
   *
   * @param all every setting, as {@code SparkConf.getAll} has them
   * @throws IllegalArgumentException one line about the first wrong key in alphabetical order: its
   *     value and what is allowed, or for an unknown key the nearest known one
   */
  public static void validate(Map<String, String> all) {
    // Sorted: of several errors the same one is told each time.
    new TreeMap<>(all)
        .forEach(
            (key, value) -> {
              if (!key.startsWith(PREFIX)) {
                return;
              }
              ConfigEntry<?> entry = BY_KEY.get(key);
              if (entry == null) {
                throw new IllegalArgumentException(
                    key
                        + "="
                        + ConfigEntry.quoted(value)
                        + " is not a known key: did you mean "
                        + NearestKey.of(key, BY_KEY.keySet())
                        + "?");
              }
              entry.parse(value);
            });
    int steal = BLOCK_STEAL_THRESHOLD.read(all::get);
    int share = BLOCK_SHARE_THRESHOLD.read(all::get);
    if (share <= steal) {
      throw new IllegalArgumentException(
          BLOCK_SHARE_THRESHOLD
              + "="
              + ConfigEntry.quoted(String.valueOf(share))
              + " is not allowed: it must be above "
              + BLOCK_STEAL_THRESHOLD
              + ", which is "
              + steal);
    }
  }
}
