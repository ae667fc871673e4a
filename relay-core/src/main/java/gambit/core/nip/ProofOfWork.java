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
 * NIP-13: events have to be mined. One that commits to a lower target than the relay's is refused
 * whatever its id is: it was lucky. Requests to vanish need no work, because a relay must accept
 * them from everybody (NIP-62).
 *
 * @param difficulty leading zero bits that an id must have; 0 lets everything pass
 * @param vanishing whether requests to vanish are followed; if not, they are events like others
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
    boolean luck = event.tags().named("nonce").anyMatch(this::commitsToLess);
    return luck
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

  /** The difficulty of an id. */
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
