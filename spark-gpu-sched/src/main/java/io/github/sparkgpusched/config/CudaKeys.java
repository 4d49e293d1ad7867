package io.github.sparkgpusched.config;

/** Keys of CUDA devices. */
public final class CudaKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** How launches follow each other on a GPU. */
  public static final ConfigEntry<String> PIPELINE =
      KEYS.key("cuda.pipeline")
          .doc(
              "How launches follow each other on a GPU: two in flight, one, or one that is "
                  + "waited for at once. auto means pipelined, except for GPUs with less than 1 GiB or "
                  + "without an engine that copies while kernels run.")
          .oneOf("auto", "pipelined", "drain-before-kick", "drain-after-kick")
          .defaultsTo("auto")
          .atStart();

  /** Bytes. */
  public static final ConfigEntry<Long> PINNED_BYTES =
      KEYS.key("cuda.pinnedBytes")
          .doc(
              "How much page-locked host memory one GPU has: up to half of it for the batches of tasks, "
                  + "from which the GPU copies by itself, the rest for blocks on their way to and from it.")
          .bytesRange("1m", "64g")
          .defaultsTo("512m")
          .atStart();

  /** Thread blocks; 0 for none. */
  public static final ConfigEntry<Integer> RESIDENT_BLOCKS =
      KEYS.key("cuda.resident.blocks")
          .doc(
              "How many thread blocks of a kernel stay on each GPU, so that a small block of rows "
                  + "costs neither a launch nor a copy. At most one less than two for each "
                  + "multiprocessor, so that other kernels find room. 0 means none; none stay where "
                  + "blocks share rows in clusters. Executors that share a GPU (MPS) leave room each "
                  + "for its own kernels alone: give each a part of that number. Not for GPUs that "
                  + "drive a display.")
          .intRange(0, 1024)
          .defaultsTo(0)
          .atStart();

  /** Bytes. */
  public static final ConfigEntry<Long> RESIDENT_JOB_BYTES =
      KEYS.key("cuda.resident.jobBytes")
          .doc(
              "A block of rows whose arguments and results take no more than this is given to the "
                  + "kernel that stays on the GPU; others are launched.")
          .bytesRange("4k", "16m")
          .defaultsTo("64k")
          .atStart();

  /** Thread blocks. */
  public static final ConfigEntry<Integer> CLUSTER =
      KEYS.key("cuda.cluster")
          .doc(
              "How many thread blocks are a cluster, whose members take rows from each other before "
                  + "they take them from others. For GPUs of compute capability 9.0 and newer; 1 means "
                  + "no clusters. A kernel that stays on the GPU has none.")
          .powerOfTwo(1, 8)
          .defaultsTo(1)
          .atStart();

  /** Bytes. */
  public static final ConfigEntry<Integer> STRING_BYTES =
      KEYS.key("cuda.stringBytes")
          .doc(
              "How many bytes a string result may have on a GPU. Rows with longer ones are computed "
                  + "again by the UDF's Java form. Each row of a block takes this much of the GPU's "
                  + "memory, of page-locked memory, and of the transfer back.")
          .intRange(8, 65536)
          .defaultsTo(64)
          .atStart();

  /** A path. */
  public static final ConfigEntry<String> NVRTC_PATH =
      KEYS.key("cuda.nvrtcPath")
          .doc(
              "The library of NVRTC, which compiles CUDA functions when they are first used, or a "
                  + "directory that has it. If empty, it is looked for where the system finds "
                  + "libnvrtc.so, then in lib64 of CUDA_HOME, CUDA_PATH and /usr/local/cuda, in lib of "
                  + "what the executor's VIRTUAL_ENV or CONDA_PREFIX names, and in pip's packages "
                  + "there, of ~/.local and of /usr/local. Of "
                  + "another Python give the directory, site-packages/nvidia/cuda_nvrtc/lib. One that "
                  + "is newer than the driver is taken only if there is no other.")
          .path()
          .defaultsTo("")
          .atStart();

  /** A path. */
  public static final ConfigEntry<String> CACHE_DIR =
      KEYS.key("cuda.cacheDir")
          .doc(
              "Where compiled CUDA functions are kept. If empty, in a directory of the executor's "
                  + "user below java.io.tmpdir.")
          .path()
          .defaultsTo("")
          .atStart();

  private CudaKeys() {}
}
