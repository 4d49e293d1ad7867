package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels that a device does not load or launch, and why. Thread-safe: the owner adds, any
 * thread asks. Kept when the device is opened anew.
 */
final class RefusedKernels {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedKernels.class);

  /** Reasons by the keys of images. Only added to. */
  private final ConcurrentMap<String, String> reasons = new ConcurrentHashMap<>();

  /** Keys of the images one of which has ended a context, and it is not known which. Owner's. */
  private final Set<String> suspects = new HashSet<>();

  /** Keys of images that there was no memory for at some time. Owner's. */
  private final Set<String> wereShort = new HashSet<>();

  /** Why the device refuses a kernel, or empty if it does not. */
  Optional<String> why(KernelImage image) {
    return Optional.ofNullable(reasons.get(image.key()));
  }

  /**
   * Remembers a kernel that is refused, and logs it the first time.
   *
   * @return to be thrown
   */
  JobRefusedException refuse(KernelImage image, String reason) {
    if (reasons.putIfAbsent(image.key(), reason) == null) {
      LOG.warn("{} is not used there again: {}", image.kernel(), reason);
    }
    return new JobRefusedException(reason);
  }

  /**
   * The device had no memory left for a kernel, which the next job may have; logs it the first
   * time.
   *
   * @return to be thrown
   */
  JobRefusedException refuseForNow(KernelImage image, String reason) {
    if (wereShort.add(image.key())) {
      LOG.warn("{} could not be used there now: {}", image.kernel(), reason);
    }
    return new JobRefusedException(reason);
  }

  /**
   * An error of a kernel has ended the context. Where the blocks under way had different kernels,
   * nothing tells whose it was, and each is refused only if it was under way at such an end before.
   * Owner's thread.
   *
   * @param underWay the kernels of each block that was under way; perhaps none
   */
  void endedContext(Collection<Set<KernelImage>> underWay, String reason) {
    Set<KernelImage> images = new HashSet<>();
    underWay.forEach(images::addAll);
    boolean alike = underWay.stream().distinct().count() <= 1;
    boolean found = false;
    for (KernelImage image : images) {
      if (alike || suspects.contains(image.key())) {
        refuse(image, reason);
        found = true;
      }
    }
    if (found) {
      suspects.clear();
    } else {
      images.forEach(image -> suspects.add(image.key()));
    }
  }
}
