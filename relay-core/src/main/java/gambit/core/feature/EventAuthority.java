package gambit.core.feature;

import gambit.core.model.Event;
import java.util.Optional;

/**
 * Owns some kinds: it alone rules on their events, and may answer with further events. Called on
 * event loops.
 */
public interface EventAuthority {

  /**
   * Claims an event that may be this authority's. Called before limits and the signature are
   * checked, so it looks only at what is cheap to see, such as the kind.
   */
  Optional<Claim> claim(Event event);

  /** An event that an authority claims. It belongs to one event loop. */
  interface Claim {

    /**
     * Whether the relay waits for exactly this event, so that no rate limit applies to it and it
     * has room where others have none. Called before the signature is checked, so it must be cheap.
     */
    default boolean isAwaited() {
      return false;
    }

    /**
     * Takes over the event, whose signature is right: from now on the authority sees to its one
     * answer, or passes it on.
     */
    void rule(Submission submission);
  }
}
