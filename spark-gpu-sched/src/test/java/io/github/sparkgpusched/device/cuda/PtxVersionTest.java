package io.github.sparkgpusched.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** NvrtcTest has the versions that compilers write. */
class PtxVersionTest {
  @Test
  void whatNoCompilerWritesIsOfNoDriver() {
    assertEquals(12040, PtxVersion.needs("// one\n.version 8.4\n"));
    assertEquals(0, PtxVersion.needs("// none"));
    for (String version : new String[] {"99999999999.1", "8.99999999999", "1234.0"}) {
      assertEquals(Integer.MAX_VALUE, PtxVersion.needs(".version " + version), version);
    }
  }
}
