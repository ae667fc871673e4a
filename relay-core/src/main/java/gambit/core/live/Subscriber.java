package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.RelayMessage;
import java.util.List;
import java.util.function.Predicate;

/**
 * The receiver of what the live lane delivers under one subscription. Its filters and its
 * connection never change; every other method but {@link #isClosed} is called on the live lane
 * only.
 */
public interface Subscriber {

  ClientConnection connection();

  List<Filter> filters();

  /** Whether the connection has given the subscription up. Any thread. */
  boolean isClosed();

  /**
   * Starts the stored pages.
   *
   * @param upTo the highest offset that they may show
   * @param states for each filter the current states that may match
   */
  void begin(long upTo, List<List<CurrentState>> states);

  /**
   * Sends a live event that matches, or holds it while stored ones are still to be sent.
   *
   * @return false when it may not, or cannot, reach the client under this subscription
   */
  boolean deliver(Event event);

  /**
   * Sends EOSE, then what was held: every stored event has been sent.
   *
   * @param standsIn which of the held events replace stored ones that could not be sent any more:
   *     they come before EOSE
   */
  void goLive(RelayMessage.EndOfStored eose, Predicate<Event> standsIn);

  /** Gives back what was held: the subscription has been removed. */
  void dropHeld();
}
