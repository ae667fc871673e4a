package gambit.core.feature;

import gambit.core.model.Event;
import java.util.Optional;

/**
 * Owns some kinds: it alone rules on their events, and may answer with further events. Called on
 * event loops.
 */
public interface EventAuthority {

  /**
   * Interprets an event, before its signature is checked, and claims it if it may be this
   * authority's. From the event alone, and cheap.
   */
  Optional<Claim> claim(Event event);

  /** An event that an authority claims, and what it has made of it. One event loop's. */
  interface Claim {

    /**
     * Whether the relay waits for just this event, so that no rate applies to it and it has room
     * where others have none. Called before the signature is checked; cheap.
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
