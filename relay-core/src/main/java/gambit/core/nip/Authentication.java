package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.RelayUrls;
import gambit.core.wire.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Optional;

/**
 * NIP-42: a client proves which keys it holds. Which URL is this relay's is a setting, and never
 * what a request says.
 *
 * @param greet whether every client is sent its challenge as soon as it connects
 */
record Authentication(boolean greet) implements Feature {
  /** How far {@code created_at} of a login may be from now. */
  private static final int WINDOW_SECONDS = 10 * 60;

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(42);
    relay.logins((login, challenge, now) -> objection(login, challenge, now, relay.urls()), greet);
  }

  private static Optional<Reason> objection(
      Event login, String challenge, Instant now, RelayUrls urls) {
    if (login.kind() != Kind.CLIENT_AUTH) {
      return Optional.of(Reason.invalid("a login is an event of kind 22242"));
    }
    if (Math.abs(now.getEpochSecond() - login.createdAt()) > WINDOW_SECONDS) {
      return Optional.of(Reason.invalid("created_at of a login must be the present time"));
    }
    if (!isChallenge(login.tags().first("challenge").orElse(""), challenge)) {
      return Optional.of(Reason.invalid("the challenge is not the one of this connection"));
    }
    if (login.tags().first("relay").filter(urls::include).isEmpty()) {
      return Optional.of(Reason.invalid("the login is for another relay than " + urls.main()));
    }
    return Optional.empty();
  }

  /** Takes as long wherever the two differ: a guess is not told how good it was. */
  private static boolean isChallenge(String answer, String challenge) {
    return MessageDigest.isEqual(
        answer.getBytes(StandardCharsets.UTF_8), challenge.getBytes(StandardCharsets.UTF_8));
  }
}
