package gambit.core.session;

import java.time.Duration;

/**
 * What one query has cost so far, and the work that a turn may still do on current states. The time
 * in which the query waits for its turn or for the client is not working time. Confined to the
 * turns of the query.
 */
final class QueryEffort {
  /** Examinations of states in a turn; one takes 10 µs if the event has not been built yet. */
  private static final int STATE_EXAMINATIONS = 200;

  /** The cost of a state's signature, in examinations. */
  private static final int STATE_SIGNATURE = 4;

  private final long begun = System.nanoTime();
  private long turnBegun = begun;
  private long workingNanos;
  private long examined;
  private long events;
  private int stateExaminations = STATE_EXAMINATIONS;

  void beginTurn() {
    turnBegun = System.nanoTime();
    stateExaminations = STATE_EXAMINATIONS;
  }

  /** Whether this turn may examine another state. */
  boolean mayExamineState() {
    return stateExaminations > 0;
  }

  void stateExamined() {
    stateExaminations--;
  }

  void stateSigned() {
    stateExaminations -= STATE_SIGNATURE;
  }

  /**
   * Ends a turn, before the next one can begin on another thread.
   *
   * @param examinedNow entries of the store examined in the turn
   * @param eventsNow events sent or taken in the turn
   */
  void endTurn(int examinedNow, int eventsNow) {
    workingNanos += System.nanoTime() - turnBegun;
    examined += examinedNow;
    events += eventsNow;
  }

  Duration working() {
    return Duration.ofNanos(workingNanos);
  }

  Duration sinceBegin() {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  long examined() {
    return examined;
  }

  long events() {
    return events;
  }
}
