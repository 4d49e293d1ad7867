package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelImageTest {
  /** The memory that such loads read is written anew for each job of a kernel that stays. */
  @ParameterizedTest
  @CsvSource({
    "'ld.global.nc.f64 %fd1, [%rd1];', false",
    "'ld.global.f64 %fd1, [%rd1];', true",
    "'sum += __ldg(values + i);', false",
    "'sum += values[i];', true"
  })
  void loadsOfMemoryThatNobodyWritesKeepAKernelFromStaying(String text, boolean mayStay) {
    assertEquals(mayStay, KernelImage.ofPtx("key", "f_c1", text, 1).mayStay());
    assertEquals(mayStay, KernelImage.ofSass("key", "f_c1", new byte[1], 1, text).mayStay());
  }
}
