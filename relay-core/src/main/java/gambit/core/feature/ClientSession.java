package gambit.core.feature;

/** A client's connection with the services that a {@link MessageHandler} needs to answer it. */
public interface ClientSession extends ClientConnection {
  /**
   * Begins a query for this client, under the bounds and read guards of a REQ: it counts as one of
   * the connection's subscriptions while it runs, its filters count against the limits on filter
   * values, and it takes turns with all other queries on the query lane. On the connection's event
   * loop.
   *
   * @param receiver receives the events and the end of the query; a refusal may reach it before
   *     this method returns
   */
  RunningQuery query(EventQuery query, EventReceiver receiver);

  /**
   * Runs a task on the connection's event loop, even if the connection has closed meanwhile. Any
   * thread.
   */
  void execute(Runnable task);

  /** A query that has begun, or was refused. */
  @FunctionalInterface
  interface RunningQuery {
    /** Ends the query soon, unless it has ended. On the connection's event loop. */
    void cancel();
  }
}
