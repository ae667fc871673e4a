package gambit.chess.dialect;

import gambit.core.model.Event;
import org.jspecify.annotations.Nullable;

/**
 * An event for one player alone. It is sent under each subscription that matches it; on a
 * connection without one, in a numbered frame of the NIP-100 draft.
 */
public record Notification(Event event, @Nullable Integer number) {
  /** This notification under subscriptions only. */
  public Notification unnumbered() {
    return new Notification(event, null);
  }
}
