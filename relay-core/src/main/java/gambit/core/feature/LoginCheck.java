package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks what a login claims (NIP-42); that the event is signed is seen elsewhere. Called on event
 * loops.
 */
public interface LoginCheck {
  /** Why the login is not taken, or nothing when it proves that the client holds its key. */
  Optional<Reason> objection(Event login, String challenge, Instant now);
}
