package gambit.core.negentropy;

import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum.Fingerprint;
import java.util.List;

/**
 * One range of a message: everything from the upper bound of the range before it up to its own
 * upper bound, and the sender's statement about it.
 */
public sealed interface Range {
  Position upper();

  /** The sender has nothing to say about the range. */
  record Skip(Position upper) implements Range {}

  /** The fingerprint of the sender's ids in the range. */
  record WithFingerprint(Position upper, Fingerprint fingerprint) implements Range {}

  /** All ids of the sender in the range. */
  record WithIds(Position upper, List<EventId> ids) implements Range {}
}
