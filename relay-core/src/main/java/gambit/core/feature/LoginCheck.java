package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks the contents of a login event (NIP-42); its signature is verified afterwards. Called on
 * event loops.
 */
public interface LoginCheck {
  /** The reason to refuse the login; empty if, once verified, it proves possession of the key. */
  Optional<Reason> objection(Event login, String challenge, Instant now);
}
