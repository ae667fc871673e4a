package gambit.core.feature;

import gambit.core.model.Event;

/**
 * Owns some kinds: it alone rules on their events, and may answer with further events. Called on
 * event loops with verified events; it hands them on to a lane of its own.
 */
public interface EventAuthority {
  /** Tells, from the event alone, whether it may be this authority's. */
  boolean claims(Event event);

  /**
   * Whether the relay waits for just this event, one that this authority claims, so that no rate
   * applies to it and it has room where others have none. Any thread, before the signature is
   * checked; cheap.
   */
  default boolean isAwaited(Event event) {
    return false;
  }

  /** Takes over the event: from now on this authority sees to its one answer, or passes it on. */
  void rule(Submission submission);
}
