package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection with the services that a {@link MessageHandler} needs to answer it. Any
 * thread may have it execute a task on its event loop, even if it has closed meanwhile.
 */
public interface ClientSession extends ClientConnection, Executor {
  /**
   * Begins a query for this client, under the bounds and read guards of a REQ: it counts as one of
   * the connection's subscriptions while it runs, its filters count against the limits on filter
   * values, and it takes turns with all other queries on the query lane. On the connection's event
   * loop.
   *
   * <p>It finds the events that match at least one filter, each once: filter by filter, first the
   * current states, if they are included, then the stored events, newest first. A filter's {@code
   * limit} is ignored.
   *
   * @param verb of the message that asks, under which a slow query is logged
   * @param includesStates whether to include the current states ({@link Outgoing.Current}) of kinds
   *     that a filter names; they are not signed
   * @param receiver receives the events and the end of the query; a refusal may reach it before
   *     this method returns
   */
  RunningQuery query(
      String verb, List<Filter> filters, boolean includesStates, EventReceiver receiver);

  /**
   * Begins to compare the client's events with the stored ones that match a filter (NIP-77), of
   * which a {@code limit} means the newest events. It counts as one of the connection's
   * subscriptions until it ends, and takes turns with queries on the query lane. On the
   * connection's event loop; a refusal may reach the receiver before this method returns.
   */
  Reconciliation reconcile(String verb, Filter filter, Reconciliation.Receiver receiver);

  @FunctionalInterface
  interface RunningQuery {
    /** Ends the query soon, unless it has ended. On the connection's event loop. */
    void cancel();
  }

  /**
   * Receives the events of one query ({@link ClientSession#query}), then exactly one of {@link
   * #complete}, {@link #refused} and {@link #abandoned}; none of them if the relay closes first.
   * One thread at a time, and each call happens before the next one.
   */
  interface EventReceiver {
    /**
     * Takes an event that the client may read; returns whether the query continues. On a query
     * lane, so one event may still come after {@link ClientSession.RunningQuery#cancel}.
     */
    boolean take(Event event);

    /** All events were taken, or enough of them. On the connection's event loop. */
    void complete();

    /** The query was not begun, or has failed. On the connection's event loop. */
    void refused(Reason reason);

    /** The query was cancelled, or its connection has closed. On the connection's event loop. */
    default void abandoned() {}
  }

  /**
   * A comparison of the client's events with the stored ones that match a filter and that the
   * client may read, by the negentropy protocol (NIP-77). On the connection's event loop.
   */
  interface Reconciliation {
    /**
     * Answers a message of the client; until it is answered, there must be no other one. The
     * message must not be changed afterwards.
     */
    void receive(byte[] message);

    /** Ends the comparison and releases what it holds, unless it has ended. */
    void close();

    /** Receives the answers to the client. On the connection's event loop. */
    interface Receiver {
      void answer(byte[] message);

      /**
       * The comparison was refused, or has ended; nothing follows. If there are more events than
       * may be compared, that maximum is not null.
       */
      void refused(Reason reason, @Nullable Integer maxItems);
    }
  }
}
