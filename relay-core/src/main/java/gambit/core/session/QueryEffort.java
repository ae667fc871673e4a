package gambit.core.session;

import java.time.Duration;

/**
 * What one query has cost so far. The time in which it waits for its turn or for the client is not
 * working time. Confined to the turns of the query.
 */
final class QueryEffort {
  private final long begun = System.nanoTime();
  private long turnBegun = begun;
  private long workingNanos;
  private long examined;
  private long events;

  void beginTurn() {
    turnBegun = System.nanoTime();
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
