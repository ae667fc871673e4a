package gambit.chess.dialect;

import gambit.core.model.Event;
import org.jspecify.annotations.Nullable;

/**
 * Something that is told to one player alone: under the subscriptions that match, else in the
 * draft's numbered frame.
 *
 * @param number of that frame; null when there is none
 */
public record Notice(Event event, @Nullable Integer number) {
  /** The same, under subscriptions only. */
  public Notice unnumbered() {
    return new Notice(event, null);
  }
}
