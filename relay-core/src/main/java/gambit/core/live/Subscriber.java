package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.RelayMessage;
import java.util.List;
import java.util.function.Predicate;

/**
 * A subscription as the live lane sees it. Its filters and its connection never change; the other
 * methods, except {@link #isClosed}, are called on the live lane only.
 */
public interface Subscriber {

  ClientConnection connection();

  List<Filter> filters();

  /** Whether the connection has closed the subscription. Any thread. */
  boolean isClosed();

  /** Starts the stored pages up to the watermark, with the states that may match each filter. */
  void begin(long upTo, List<List<CurrentState>> states);

  /** Sends a matching live event, or holds it until EOSE; false if it may not or cannot be sent. */
  boolean deliver(Event event);

  /**
   * Sends EOSE, then the held events. All stored events have been sent.
   *
   * @param replacesStored which held events have replaced stored ones before these could be sent;
   *     they are sent before EOSE
   */
  void goLive(RelayMessage.EndOfStored eose, Predicate<Event> replacesStored);

  /** Releases the held events: the subscription has been removed. */
  void dropHeld();
}
