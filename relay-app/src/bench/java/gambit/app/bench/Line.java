package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;

/** One line of the results: a sort of traffic. Opened, run some times, and closed. */
interface Line extends AutoCloseable {
  /** Its name. */
  String name();

  /** The number of subscriptions, games or connections; empty for a line without one. */
  default String parameter() {
    return "";
  }

  /** Why it cannot be measured at this relay; empty if it can. */
  default String reasonToSkip() {
    return "";
  }

  /** Connects the clients. */
  default void open() throws RelayFailure {}

  /** Measures this amount, or a little more. */
  Totals run(Amount amount) throws RelayFailure;

  /** Disconnects the clients. */
  @Override
  default void close() {}
}
