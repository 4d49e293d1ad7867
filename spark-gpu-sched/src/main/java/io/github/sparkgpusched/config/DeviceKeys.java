package io.github.sparkgpusched.config;

/** Keys of the devices of an executor, whatever their kind. */
public final class DeviceKeys {
  static final KeyGroup KEYS = new KeyGroup();

  /** Which devices. */
  public static final ConfigEntry<DeviceList> DEVICES =
      KEYS.key("devices")
          .doc(
              "Which devices an executor uses. auto means all GPUs that Spark assigned to it, or "
                  + "else all that it finds, and its cores; without a GPU its cores alone. A device that "
                  + "is named must be there: otherwise a local application does not start, and on a "
                  + "cluster tasks with GPU UDFs fail. GPUs are numbered as nvidia-smi does, or by "
                  + "CUDA_VISIBLE_DEVICES where that is set.")
          .devices()
          .defaultsTo("auto")
          .atStart();

  /** A name of Spark's resources. */
  public static final ConfigEntry<String> DEVICES_RESOURCE =
      KEYS.key("devices.resource")
          .doc(
              "The name that GPUs have among Spark's resources, as in "
                  + "spark.executor.resource.gpu.amount.")
          .matching("[\\w.-]+", "a name of letters, digits, dots, dashes and underscores")
          .defaultsTo("gpu")
          .atStart();

  /** Devices; 0 stands for the number of the executor's cores. */
  public static final ConfigEntry<Integer> HOST_DEVICES =
      KEYS.key("host.devices")
          .doc("How many host (CPU) devices an executor has. 0 means as many as it has cores.")
          .intRange(0, 1024)
          .defaultsTo(0)
          .atStart();

  /** Whether cores compute when no GPU is left. */
  public static final ConfigEntry<Boolean> HOST_FALLBACK =
      KEYS.key("hostFallback")
          .doc(
              "Whether an executor's cores compute what none of its GPUs can, or may, compute. If "
                  + "false, the task fails instead.")
          .trueOrFalse()
          .defaultsTo(true)
          .atStart();

  /** A name of a policy, or of a class. */
  public static final ConfigEntry<String> PLACEMENT =
      KEYS.key("placement")
          .doc("Which GPUs the rows of a batch are dealt to first.")
          .matching(
              "[\\p{Alpha}_$][\\w$]*(\\.[\\p{Alpha}_$][\\w$]*)*",
              "roundRobin, leastLoaded, or the name of a class that implements"
                  + " io.github.sparkgpusched.api.PlacementPolicy")
          .defaultsTo("leastLoaded")
          .atStart();

  /** Milliseconds. */
  public static final ConfigEntry<Long> DEVICE_TIMEOUT_MILLIS =
      KEYS.key("device.timeoutMillis")
          .doc(
              "How long a GPU may take for one block, or for one call of its driver, in "
                  + "milliseconds. One that takes longer is not used again, and its rows run elsewhere. A "
                  + "GPU that has a job to itself gets a whole batch as one block: raise this where rows "
                  + "are very heavy.")
          .longRange(1, 86400000)
          .defaultsTo(60000)
          .atStart();

  private DeviceKeys() {}
}
