package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.config.DeviceList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which GPUs are asked for. Immutable.
 *
 * @param list all devices that are asked for, for messages
 * @param all all GPUs that the executor has
 * @param indexes GPUs by number
 * @param uuids GPUs and MIG instances by UUID, as nvidia-smi prints them, in lower case
 */
record CudaItems(DeviceList list, boolean all, List<Integer> indexes, List<String> uuids) {
  private static final Pattern UUID =
      Pattern.compile("(?i)(gpu|mig)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

  CudaItems {
    indexes = List.copyOf(indexes);
    uuids = List.copyOf(uuids);
  }

  static boolean isUuid(String text) {
    return UUID.matcher(text).matches();
  }

  /**
   * Reads the items of a list that are CUDA's.
   *
   * @param names none of them twice
   * @throws IllegalArgumentException if one can name no GPU
   */
  static CudaItems parse(DeviceList list, List<String> names) {
    boolean all = list.auto();
    List<Integer> indexes = new ArrayList<>();
    List<String> uuids = new ArrayList<>();
    for (String name : names) {
      if (name.equals(DeviceList.ALL)) {
        all = true;
      } else if (isUuid(name)) {
        uuids.add(name.toLowerCase(Locale.ROOT));
      } else if (NUMBER.matcher(name).matches()) {
        indexes.add(Integer.valueOf(name));
      } else {
        throw new IllegalArgumentException(
            "'"
                + name
                + "' is no GPU: give cuda:* for all, a number from 0 to 9999, or a UUID as nvidia-smi"
                + " -L prints it");
      }
    }
    if (all && !(indexes.isEmpty() && uuids.isEmpty())) {
      throw new IllegalArgumentException("cuda:* already has all others");
    }
    if (indexes.stream().distinct().count() < indexes.size()) {
      throw new IllegalArgumentException("a GPU stands there twice");
    }
    return new CudaItems(list, all, indexes, uuids);
  }
}
