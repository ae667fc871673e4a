package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;

/**
 * NIP-13: events need proof of work. An event that commits to a lower difficulty than the relay's
 * is refused, even if its id happens to have enough zero bits. Requests to vanish need no work,
 * because a relay must accept them from everybody (NIP-62).
 *
 * @param difficulty minimum number of leading zero bits of an id; 0 accepts everything
 * @param vanishing whether requests to vanish are followed; if not, they need work like other
 *     events
 */
record ProofOfWork(int difficulty, boolean vanishing) implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    relay.supports(13);
    relay.limitation("min_pow_difficulty", difficulty);
    if (difficulty > 0) {
      relay.limitation("restricted_writes", true);
      relay.gate(submission -> objection(submission.event()));
    }
  }

  private Optional<Reason> objection(Event event) {
    if (vanishing && event.kind() == Kind.VANISH) {
      return Optional.empty();
    }
    int bits = leadingZeros(event.id());
    if (bits < difficulty) {
      return Optional.of(Reason.pow("difficulty " + bits + " is less than " + difficulty));
    }
    boolean commitsToLess = event.tags().named("nonce").anyMatch(this::commitsToLess);
    return commitsToLess
        ? Optional.of(Reason.pow("the nonce commits to less than difficulty " + difficulty))
        : Optional.empty();
  }

  private boolean commitsToLess(List<String> nonce) {
    if (nonce.size() < 3) {
      return false;
    }
    try {
      return Integer.parseInt(nonce.get(2)) < difficulty;
    } catch (NumberFormatException e) {
      return true;
    }
  }

  /** The number of leading zero bits of an id. */
  static int leadingZeros(EventId id) {
    int bits = 0;
    for (byte next : id.bytes()) {
      int zeros = Integer.numberOfLeadingZeros(next & 0xff) - 24;
      bits += zeros;
      if (zeros < 8) {
        break;
      }
    }
    return bits;
  }
}
