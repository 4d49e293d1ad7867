package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.DeviceFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the GPUs that an executor is to use. */
final class CudaDevices {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevices.class);

  private static final String KEY = "spark.gpusched.devices";

  private CudaDevices() {}

  /**
   * The GPUs that the settings select, in the order of their indexes; none of them is opened yet.
   * Those that Spark assigned to the executor, or else all that this process sees, limited by
   * {@code spark.gpusched.devices}. Logs a line for each, or why there is none.
   *
   * @throws IllegalStateException if the settings ask for a GPU that is not there; says which are
   */
  static List<CudaDevice> find(CudaSettings settings) {
    if (settings.besideRapids() && settings.devices().list().auto()) {
      LOG.info("RAPIDS owns this executor's GPU; others can be named in {}", KEY);
      return List.of();
    }
    DriverLibrary driver;
    List<GpuFacts> seen;
    try {
      driver = DriverLibrary.open();
      seen = all(driver);
    } catch (DriverLibrary.AbsentException | DeviceFailedException | IOException e) {
      return none(settings, e.getMessage());
    } catch (LinkageError e) {
      // JNA or JCuda cannot be loaded: another system than Linux on x86-64, or a directory for
      // temporary files that forbids code.
      return none(settings, "the libraries for CUDA cannot be loaded here: " + e);
    }
    if (seen.isEmpty()) {
      return none(settings, "this process sees no CUDA device");
    }
    if (usable(settings, seen).isEmpty()) {
      return none(settings, "RAPIDS owns the only one that this process sees");
    }
    List<CudaDevice> devices = new ArrayList<>();
    CudaKernels kernels = new CudaKernels(settings, driver);
    for (GpuFacts facts : select(settings, seen)) {
      CudaDevice device = new CudaDevice(facts, settings, kernels);
      LOG.info("{}; {}", facts.describe(), device.depth());
      devices.add(device);
    }
    return devices;
  }

  /**
   * No devices, for this reason. An error if the user named some; Spark's own assignment is none,
   * as an executor that ends would only be started again.
   */
  private static List<CudaDevice> none(CudaSettings settings, String reason) {
    CudaItems devices = settings.devices();
    if (!devices.list().withHost() || !devices.indexes().isEmpty() || !devices.uuids().isEmpty()) {
      throw new IllegalStateException(
          KEY
              + "="
              + devices.list().text()
              + " asks for GPUs, but "
              + reason
              + "; with "
              + KEY
              + "=auto the GPUs that are there are used, and the cores");
    }
    if (settings.assigned().isEmpty()) {
      LOG.info("no CUDA devices: {}", reason);
    } else {
      LOG.warn(
          "Spark assigned {} {} to this executor, but {}; its cores compute alone",
          settings.resource(),
          settings.assigned(),
          reason);
    }
    return List.of();
  }

  /** All devices that this process sees, numbered. */
  static List<GpuFacts> all(DriverLibrary driver)
      throws DriverLibrary.AbsentException, DeviceFailedException, IOException {
    List<GpuFacts> found = new ArrayList<>();
    if (driver.devices() == 0) {
      return found;
    }
    JCudaLoader.load();
    CudaErrors.check(JCudaDriver.cuInit(0), "CUDA", "cuInit");
    for (int i = 0; i < driver.devices(); i++) {
      found.add(facts(driver, i));
    }
    return numbered(found, System.getenv("CUDA_VISIBLE_DEVICES") == null);
  }

  /**
   * Gives devices their numbers. CUDA puts the fastest first; nvidia-smi, and with it the scripts
   * that tell Spark of GPUs, goes by the place on the bus. Where CUDA_VISIBLE_DEVICES is set its
   * order is meant.
   */
  static List<GpuFacts> numbered(List<GpuFacts> found, boolean byBus) {
    List<GpuFacts> sorted = new ArrayList<>(found);
    if (byBus) {
      sorted.sort(Comparator.comparing(GpuFacts::pciBusId));
    }
    List<GpuFacts> numbered = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      numbered.add(sorted.get(i).withIndex(i));
    }
    return numbered;
  }

  private static GpuFacts facts(DriverLibrary driver, int ordinal)
      throws DriverLibrary.AbsentException, DeviceFailedException {
    String device = "CUDA device " + ordinal;
    CUdevice handle = new CUdevice();
    CudaErrors.check(JCudaDriver.cuDeviceGet(handle, ordinal), device, "cuDeviceGet");
    byte[] name = new byte[256];
    CudaErrors.check(
        JCudaDriver.cuDeviceGetName(name, name.length, handle), device, "cuDeviceGetName");
    long[] memoryBytes = new long[1];
    CudaErrors.check(JCudaDriver.cuDeviceTotalMem(memoryBytes, handle), device, "cuDeviceTotalMem");
    String[] bus = new String[1];
    CudaErrors.check(
        JCudaDriver.cuDeviceGetPCIBusId(bus, 64, handle), device, "cuDeviceGetPCIBusId");
    GpuFacts.Builder facts = new GpuFacts.Builder();
    facts.ordinal = ordinal;
    facts.index = ordinal;
    facts.uuidHex = GpuFacts.uuidHex(driver.uuid(ordinal));
    facts.product = text(name);
    facts.major =
        attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    facts.minor =
        attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    facts.memoryBytes = memoryBytes[0];
    facts.multiprocessors =
        attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    facts.copyEngines =
        attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    facts.memoryPools =
        attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0;
    facts.pciBusId = bus[0].toLowerCase(Locale.ROOT);
    facts.numaNode = numaNode(Path.of("/sys/bus/pci/devices"), facts.pciBusId);
    return facts.build();
  }

  private static int attribute(CUdevice device, int attribute) throws DeviceFailedException {
    int[] value = new int[1];
    CudaErrors.check(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "CUDA", "cuDeviceGetAttribute");
    return value[0];
  }

  private static String text(byte[] terminated) {
    int length = 0;
    while (length < terminated.length && terminated[length] != 0) {
      length++;
    }
    return new String(terminated, 0, length, StandardCharsets.UTF_8);
  }

  /** The NUMA node of a PCI device, or -1 if the system does not say. */
  static int numaNode(Path pciDevices, String busId) {
    try {
      return Integer.parseInt(
          Files.readString(pciDevices.resolve(busId).resolve("numa_node")).trim());
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  /**
   * Those of all devices that are meant.
   *
   * @throws IllegalStateException if one that is named is not there
   */
  static List<GpuFacts> select(CudaSettings settings, List<GpuFacts> all) {
    CudaItems wanted = settings.devices();
    List<GpuFacts> ours = usable(settings, all);
    if (wanted.all()) {
      return sorted(ours);
    }
    Set<GpuFacts> selected = new LinkedHashSet<>();
    for (int index : wanted.indexes()) {
      selected.add(named(settings, "cuda:" + index, facts -> facts.index() == index, ours));
    }
    for (String uuid : wanted.uuids()) {
      selected.add(
          named(settings, uuid, facts -> facts.uuidHex().equals(GpuFacts.uuidHex(uuid)), ours));
    }
    return sorted(selected);
  }

  /** Those that are the plugin's to use: what Spark assigned, or all; beside RAPIDS its others. */
  private static List<GpuFacts> usable(CudaSettings settings, List<GpuFacts> all) {
    if (settings.besideRapids()) {
      return all.stream().filter(gpu -> !isOfRapids(gpu, settings.assigned())).toList();
    }
    List<GpuFacts> assigned =
        settings.assigned().stream()
            .map(address -> assigned(address, settings.resource(), all))
            .distinct()
            .toList();
    return assigned.isEmpty() ? all : assigned;
  }

  /**
   * Whether RAPIDS owns a GPU: what Spark assigned, or else the first. It takes an address for a
   * number of CUDA's in this process, which is another than nvidia-smi's where GPUs differ.
   */
  private static boolean isOfRapids(GpuFacts gpu, List<String> assigned) {
    return assigned.isEmpty()
        ? gpu.ordinal() == 0
        : assigned.contains(String.valueOf(gpu.ordinal()))
            || assigned.stream().anyMatch(gpu.uuid()::equalsIgnoreCase);
  }

  private static List<GpuFacts> sorted(java.util.Collection<GpuFacts> devices) {
    return devices.stream().sorted(Comparator.comparing(GpuFacts::index)).toList();
  }

  /** An address of Spark's: an index, or a UUID. */
  private static GpuFacts assigned(String address, String resource, List<GpuFacts> all) {
    return all.stream()
        .filter(
            facts ->
                address.equals(String.valueOf(facts.index()))
                    || address.equalsIgnoreCase(facts.uuid()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Spark assigned "
                        + resource
                        + " "
                        + address
                        + " to this executor, but this process sees "
                        + names(all)
                        + ": see the discovery script, spark.worker.resource."
                        + resource
                        + ".discoveryScript, and CUDA_VISIBLE_DEVICES"));
  }

  private static GpuFacts named(
      CudaSettings settings,
      String name,
      java.util.function.Predicate<GpuFacts> is,
      List<GpuFacts> all) {
    return all.stream()
        .filter(is)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    KEY
                        + "="
                        + settings.devices().list().text()
                        + " asks for "
                        + name
                        + ", but this executor has "
                        + names(all)
                        + (settings.besideRapids() ? " beside the GPU that RAPIDS owns" : "")));
  }

  private static String names(List<GpuFacts> devices) {
    return devices.isEmpty()
        ? "no GPU"
        : devices.stream()
            .map(facts -> facts.name() + " (" + facts.uuid() + ")")
            .collect(Collectors.joining(", "));
  }
}
