package io.github.sparkgpusched.schedule;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What an owner published inside a job's gate is seen by the submitter that ended the job. */
@JCStressTest
@Description("An owner publishes a row while the submitter tries to end the job.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Published, ended after that, and seen.")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Ended first: the owner was not let in.")
@Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "The owner was inside: not ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Ended, and published after that or unseen.")
@State
public class JobGateStress {
  private final JobGate gate = new JobGate();

  /** Plain, as a batch's memory is: the gate orders it. */
  private int row;

  private int published;

  @Actor
  public void owner() {
    if (gate.enter()) {
      row = 1;
      published = 1;
      gate.leave();
    }
  }

  @Actor
  public void submitter(II_Result result) {
    gate.submit();
    gate.close();
    result.r2 = gate.end() ? row : -1;
  }

  @Arbiter
  public void check(II_Result result) {
    result.r1 = published;
  }
}
