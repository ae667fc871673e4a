package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;

/**
 * Receives the events of one query ({@link ClientSession#query}), then exactly one of {@link
 * #complete}, {@link #refused} and {@link #abandoned}; none of them if the relay closes first. One
 * thread at a time, and each call happens before the next one.
 */
public interface EventReceiver {
  /**
   * Takes an event that the client may read; returns whether the query continues. On a query lane,
   * so one event may still come after {@link ClientSession.RunningQuery#cancel}.
   */
  boolean take(Event event);

  /** All events were taken, or enough of them. On the connection's event loop. */
  void complete();

  /** The query was not begun, or has failed. On the connection's event loop. */
  void refused(Reason reason);

  /** The query was cancelled, or its connection has closed. On the connection's event loop. */
  default void abandoned() {}
}
