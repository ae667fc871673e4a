package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.Optional;
import java.util.Set;

/**
 * The operator's policy on which events of clients are accepted. Events of the relay itself are
 * exempt, and so are requests to vanish, which anybody may make (NIP-62), unless their kind is
 * refused. Immutable.
 *
 * @param kinds the only accepted kinds; empty for all
 * @param refusedKinds kinds that are refused
 * @param pubkeys the only authors whose events are accepted; empty for all
 * @param refusedPubkeys authors whose events are refused
 * @param maxAgeSeconds how far in the past {@code created_at} may lie; 0 for no limit
 */
public record AdmissionPolicy(
    Set<Integer> kinds,
    Set<Integer> refusedKinds,
    Set<PubKey> pubkeys,
    Set<PubKey> refusedPubkeys,
    long maxAgeSeconds)
    implements Feature {

  /** Accepts everything. */
  public static final AdmissionPolicy EVERYTHING =
      new AdmissionPolicy(Set.of(), Set.of(), Set.of(), Set.of(), 0);

  /**
   * Creates a policy.
   *
   * @throws IllegalArgumentException when the age is negative
   */
  public AdmissionPolicy {
    if (maxAgeSeconds < 0) {
      throw new IllegalArgumentException("max_age must not be negative");
    }
    kinds = Set.copyOf(kinds);
    refusedKinds = Set.copyOf(refusedKinds);
    pubkeys = Set.copyOf(pubkeys);
    refusedPubkeys = Set.copyOf(refusedPubkeys);
  }

  @Override
  public void install(RelayBuilder relay) {
    if (equals(EVERYTHING)) {
      return;
    }
    relay.gate(this::objection);
    if (!kinds.isEmpty() || !pubkeys.isEmpty()) {
      relay.limitation("restricted_writes", true);
    }
    if (maxAgeSeconds > 0) {
      relay.limitation("created_at_lower_limit", maxAgeSeconds);
    }
  }

  private Optional<Reason> objection(Submission submission) {
    Event event = submission.event();
    if (event.kind() == Kind.VANISH && !refusedKinds.contains(Kind.VANISH)) {
      return Optional.empty();
    }
    if (isRefused(event.kind(), kinds, refusedKinds)) {
      return Optional.of(Reason.blocked("kind " + event.kind() + " is not taken here"));
    }
    if (isRefused(event.pubkey(), pubkeys, refusedPubkeys)) {
      return Optional.of(Reason.blocked("events of this author are not taken here"));
    }
    long age = submission.arrivedAt().getEpochSecond() - event.createdAt();
    return maxAgeSeconds > 0 && age > maxAgeSeconds
        ? Optional.of(Reason.invalid("created_at is too far in the past"))
        : Optional.empty();
  }

  private static <T> boolean isRefused(T value, Set<T> accepted, Set<T> refused) {
    return refused.contains(value) || (!accepted.isEmpty() && !accepted.contains(value));
  }
}
