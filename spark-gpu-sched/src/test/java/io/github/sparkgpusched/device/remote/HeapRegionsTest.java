package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class HeapRegionsTest {
  @Test
  void aMessageIsLessThanHalfARegion() {
    long most = HeapRegions.mostBytes(1 << 20);
    assertTrue(most > 1 << 18 && most < 1 << 19, () -> most + " bytes");
    assertEquals(Long.MAX_VALUE, HeapRegions.mostBytes(0), "without regions");
  }

  @Test
  void theRegionIsThatOfThisJvm() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    assumeTrue(
        Boolean.parseBoolean(jvm.getVMOption("UseG1GC").getValue()),
        "this JVM's collector is not G1");
    long region = Long.parseLong(jvm.getVMOption("G1HeapRegionSize").getValue());
    assertEquals(HeapRegions.mostBytes(region), HeapRegions.mostBytes());
  }
}
