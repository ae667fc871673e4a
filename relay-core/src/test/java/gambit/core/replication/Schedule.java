package gambit.core.replication;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a simulation in the order of their time, which is moved from step to step. A relay's
 * writer that waits for the log runs the others' steps meanwhile, so calls can be nested as deep as
 * there are nodes.
 */
final class Schedule {
  /** More steps are a loop without an end. */
  private static final int MAX_STEPS = 400_000;

  private final PriorityQueue<Step> steps = new PriorityQueue<>();
  private long now;
  private long scheduled;
  private long done;

  /** The time in microseconds. */
  long now() {
    return now;
  }

  /** The number of steps that have run. */
  long done() {
    return done;
  }

  /** Adds a step of the world or of a relay. */
  void after(long micros, @Nullable SimulatedRelay relay, Runnable run) {
    steps.add(new Step(now + micros, ++scheduled, relay, run));
  }

  /** Runs all steps up to a time, then moves the time there. */
  void runUntil(long micros) {
    for (Step next = steps.peek(); next != null && next.micros() <= micros; next = steps.peek()) {
      runNext();
    }
    now = Math.max(now, micros);
  }

  private void runNext() {
    Step step = steps.remove();
    now = Math.max(now, step.micros());
    SimulatedRelay relay = step.relay();
    if (relay == null) {
      run(step);
    } else if (relay.isRunning()) {
      long resumesAt = relay.machine().stoppedUntil();
      if (resumesAt > now) {
        steps.add(new Step(resumesAt, step.number(), relay, step.run()));
      } else {
        run(step);
      }
    }
  }

  private void run(Step step) {
    if (++done > MAX_STEPS) {
      throw new Violation(Invariant.CLUSTER_RECOVERS, "there is no end");
    }
    step.run().run();
  }
}
