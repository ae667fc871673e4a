package gambit.core.session;

import gambit.core.lane.TurnQueue;
import gambit.core.model.Filter;
import java.util.List;

/**
 * A query of one connection that runs in turns ({@link QueryTurns}), with what it has cost so far
 * and the work that a turn may still do on current states. The time in which the query waits for
 * its turn or for the client is not working time. Confined to the turns of the query.
 */
abstract class QueryTask implements TurnQueue.Task, Outbox.WaitingTask {
  /** Examinations of states in a turn; one takes 10 µs if the event has not been built yet. */
  private static final int STATE_EXAMINATIONS = 200;

  private static final int STATE_SIGNATURE = 4; // the cost of a state's signature, in examinations

  final Connection connection;
  final RelayCore relay;
  final Outbox outbox;

  boolean isScan;

  private long begun;
  private long turnBegun;
  private long workingNanos;
  private long examined;
  private long events;
  private int stateExaminations;

  QueryTask(Connection connection) {
    this.connection = connection;
    this.relay = connection.relay;
    this.outbox = connection.outbox;
    restart();
  }

  final void restart() {
    begun = System.nanoTime();
    workingNanos = 0;
    examined = 0;
    events = 0;
    isScan = false;
  }

  /** Queues the first turn; false, without effect, if too many wait, in all or of its owners. */
  final boolean queueFirstTurn() {
    return connection.turns.queries.submit(connection.owners(), this);
  }

  @Override
  public abstract boolean isCancelled();

  @Override
  public void resume() {
    QueryTurns turns = connection.turns;
    (isScan ? turns.scans : turns.queries).put(this);
  }

  final void beginTurn() {
    turnBegun = System.nanoTime();
    stateExaminations = STATE_EXAMINATIONS;
  }

  final boolean mayExamineState() {
    return stateExaminations > 0;
  }

  final void stateExamined() {
    stateExaminations--;
  }

  final void stateSigned() {
    stateExaminations -= STATE_SIGNATURE;
  }

  /** Ends a turn, before the next one can begin on another thread. */
  final void endTurn(int examinedNow, int eventsNow) {
    isScan |= examinedNow >= QueryTurns.MAX_EXAMINED;
    workingNanos += System.nanoTime() - turnBegun;
    examined += examinedNow;
    events += eventsNow;
  }

  final void reportIfSlow(String verb, List<Filter> filters) {
    relay
        .stored()
        .slowQueries()
        .report(verb, filters, connection.address(), workingNanos, begun, examined, events);
  }
}
