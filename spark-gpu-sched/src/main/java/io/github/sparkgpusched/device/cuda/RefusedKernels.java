package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.schedule.JobRefusedException;
import java.util.Optional;
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
}
