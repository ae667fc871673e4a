package gambit.chess.session.play;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sends whose result is not known yet. An item is not sent again until the result of its last
 * send is known. One entry for each send. Owned by the chess lane.
 *
 * @param <T> the item that is sent
 */
final class UnconfirmedSends<T> {
  private final Map<T, Optional<Runnable>> sends = new HashMap<>();

  /**
   * Begins a send; false if one of the same item is unconfirmed: {@code again} runs if that one
   * reaches nobody, unless it is replaced by a later one.
   */
  boolean begin(T item, Runnable again) {
    if (sends.putIfAbsent(item, Optional.empty()) == null) {
      return true;
    }
    sends.put(item, Optional.of(again));
    return false;
  }

  /** Ends a send. If it has reached nobody, another one that was requested since begins. */
  void end(T item, boolean isSent) {
    Optional<Runnable> again = sends.remove(item);
    if (!isSent && again != null) {
      again.ifPresent(Runnable::run);
    }
  }
}
