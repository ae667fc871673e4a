package gambit.chess.session.play;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sends whose result is not known yet. An item is not sent a second time meanwhile; if it is wanted
 * again, that waits for the result. It belongs to the chess lane, and has one entry for each send.
 *
 * @param <T> what is sent
 */
final class UnconfirmedSends<T> {
  private final Map<T, Optional<Runnable>> sends = new HashMap<>();

  /**
   * Begins a send, or returns false if one of the same item is unconfirmed.
   *
   * @param again sends the item again; only the newest of an item is kept
   */
  boolean begin(T item, Runnable again) {
    if (sends.putIfAbsent(item, Optional.empty()) == null) {
      return true;
    }
    sends.put(item, Optional.of(again));
    return false;
  }

  /** Ends a send. One that reached nobody is repeated if the item was wanted again meanwhile. */
  void end(T item, boolean isSent) {
    Optional<Runnable> again = sends.remove(item);
    if (!isSent && again != null) {
      again.ifPresent(Runnable::run);
    }
  }
}
