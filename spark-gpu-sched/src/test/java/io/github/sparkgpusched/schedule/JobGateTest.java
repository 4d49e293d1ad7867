package io.github.sparkgpusched.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.sparkgpusched.testing.Patience;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class JobGateTest {
  @Test
  void countsThoseInside() {
    JobGate gate = new JobGate();
    gate.submit();
    assertTrue(gate.join());
    assertTrue(gate.join());
    assertEquals(2, gate.inside());
    gate.leave();
    assertFalse(gate.close());
    assertTrue(gate.isClosed());
    assertFalse(gate.join());
    assertEquals(1, gate.inside());
    gate.leave();
    gate.reopen();
    assertTrue(gate.join());
  }

  @Test
  void anOwnerEntersUntilTheJobIsOver() {
    JobGate gate = new JobGate();
    gate.submit();
    assertTrue(gate.close());
    assertTrue(gate.enter());
    assertFalse(gate.end());
    gate.leave();
    assertTrue(gate.end());
    assertTrue(gate.isEnded());
    assertFalse(gate.enter());
    assertFalse(gate.join());
  }

  @Test
  void theLastToLeaveWakesTheSubmitter() throws Exception {
    AtomicReference<JobGate> gate = new AtomicReference<>();
    Thread submitter =
        new Thread(
            () -> {
              gate.set(new JobGate());
              gate.get().submit();
              assertTrue(gate.get().join());
              assertFalse(gate.get().close());
              while (!gate.get().end()) {
                gate.get().await(Long.MAX_VALUE);
              }
            });
    submitter.setDaemon(true);
    submitter.start();
    Patience.await("it waits", () -> submitter.getState() == Thread.State.TIMED_WAITING);
    gate.get().leave();
    Patience.await("it goes on", () -> !submitter.isAlive());
  }
}
