package io.github.sparkgpusched.device.cudf;

import java.util.Optional;

/**
 * What natives of cuDF are for: the code of one architecture of GPUs.
 *
 * @param architecture compute capability, as 90 in {@code sm_90}
 * @param cuda major version of CUDA
 */
record CudfNatives(int architecture, int cuda) {
  /** Of the file beside them: two numbers. */
  static CudfNatives parse(String text) {
    String[] numbers = text.strip().split(" ", -1);
    return new CudfNatives(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  /**
   * Why they do not run on a GPU. Code runs on later ones of the same generation, with drivers of
   * the same version of CUDA or of later ones.
   *
   * @param driver as the driver gives its version, such as 12040
   */
  Optional<String> whyNot(int gpu, int driver) {
    if (gpu / 10 != architecture / 10 || gpu < architecture) {
      return Optional.of("the natives are for sm_" + architecture + ", and this is sm_" + gpu);
    }
    if (driver / 1000 < cuda) {
      return Optional.of(
          "the natives are for CUDA "
              + cuda
              + ", and the driver is for CUDA "
              + driver / 1000
              + "."
              + driver % 1000 / 10);
    }
    return Optional.empty();
  }
}
