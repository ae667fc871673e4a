package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;

/**
 * Receives the events of one query ({@link ClientSession#query}), then exactly one of {@link
 * #complete}, {@link #refused} and {@link #abandoned}; none of them if the relay closes first. One
 * thread at a time, and each call happens before the next one.
 */
public interface EventReceiver {
  /** How a query continues after an event. */
  enum Demand {
    /** With the next event. */
    MORE,
    /**
     * With the next page, once the client has taken most of the frames that wait for it: for a
     * receiver that sends a frame for each event.
     */
    MORE_WHEN_ROOMY,
    /** Not at all: the query is complete. */
    ENOUGH
  }

  /** Takes an event that the client may read. On a query lane. */
  Demand take(Event event);

  /** All events were taken, or enough of them. On the connection's event loop. */
  void complete();

  /** The query was not begun, or has failed. On the connection's event loop. */
  void refused(Reason reason);

  /** The query was cancelled, or its connection has closed. On the connection's event loop. */
  void abandoned();
}
