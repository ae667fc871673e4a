package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.RelayBuilder.InformationFields;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.wire.Reason;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * NIP-13: events need proof of work; a difficulty of 0 in force accepts everything. An event that
 * commits to a lower difficulty than the relay's is refused, even if its id happens to have enough
 * zero bits. Trusted authors need no work, nor do requests to vanish, if they are followed, which a
 * relay must accept from everybody (NIP-62).
 */
record ProofOfWork(IntSupplier inForce, boolean vanishing) implements Feature {
  private static final int BITS_OF_ID = 256;

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(13);
    relay.information(this::describe);
    relay.gate(
        submission ->
            relay.isTrusted(submission.event().pubkey())
                ? Optional.empty()
                : objection(submission.event(), inForce.getAsInt()));
  }

  private void describe(InformationFields document) {
    int difficulty = inForce.getAsInt();
    document.limitation("min_pow_difficulty", difficulty);
    if (difficulty > 0) {
      document.limitation("restricted_writes", true);
    }
  }

  private Optional<Reason> objection(Event event, int difficulty) {
    if (difficulty == 0 || (vanishing && event.kind() == Kind.VANISH)) {
      return Optional.empty();
    }
    int bits = leadingZeros(event.id());
    if (bits < difficulty) {
      return Optional.of(Reason.pow("difficulty " + bits + " is less than " + difficulty));
    }
    boolean commitsToLess =
        event.tags().named("nonce").anyMatch(nonce -> commitsToLess(nonce, difficulty));
    return commitsToLess
        ? Optional.of(Reason.pow("the nonce commits to less than difficulty " + difficulty))
        : Optional.empty();
  }

  private static boolean commitsToLess(List<String> nonce, int difficulty) {
    if (nonce.size() < 3) {
      return false;
    }
    try {
      return Integer.parseInt(nonce.get(2)) < difficulty;
    } catch (NumberFormatException e) {
      return true;
    }
  }

  static int leadingZeros(EventId id) {
    return BITS_OF_ID - new BigInteger(1, id.bytes()).bitLength();
  }
}
