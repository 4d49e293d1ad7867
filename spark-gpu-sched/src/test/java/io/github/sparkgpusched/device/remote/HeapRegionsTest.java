package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class HeapRegionsTest {
  @Test
  void aMessageIsLessThanHalfARegion() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    assumeTrue(
        Boolean.parseBoolean(jvm.getVMOption("UseG1GC").getValue()),
        "this JVM's collector is not G1");
    long region = Long.parseLong(jvm.getVMOption("G1HeapRegionSize").getValue());
    long most = HeapRegions.mostBytes();
    assertTrue(0 < most && most < region / 2, () -> most + " bytes of regions of " + region);
  }
}
