package gambit.core.nip;

import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * The kinds whose events are shown only to clients that have logged in (NIP-42), and with which
 * keys. Set by the operator; {@link OperatorPolicies} applies it. Immutable.
 *
 * @param kinds the kinds that need a login to read
 * @param readers the only keys with one of which a client must have logged in; empty for any key
 */
public record ReadPolicy(KindSet kinds, Set<PubKey> readers) {
  public static final ReadPolicy EVERYTHING = new ReadPolicy(KindSet.NONE, Set.of());

  public ReadPolicy {
    readers = Set.copyOf(readers);
    if (kinds.isEmpty() && !readers.isEmpty()) {
      throw new IllegalArgumentException("readers has no effect without auth_kinds");
    }
  }

  ReadPolicy admitting(Set<PubKey> keys) {
    if (readers.isEmpty()) {
      return this;
    }
    Set<PubKey> more = new HashSet<>(readers);
    more.addAll(keys);
    return new ReadPolicy(kinds, more);
  }

  /** Whether a client with these logins may read the kinds that need one. */
  boolean admits(Set<PubKey> logins) {
    return readers.isEmpty() ? !logins.isEmpty() : !Collections.disjoint(logins, readers);
  }
}
