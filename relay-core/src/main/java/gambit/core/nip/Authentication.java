package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.RelayUrls;
import gambit.core.wire.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NIP-42: a client proves which keys it holds. Which URL is this relay's is a setting, and never
 * what a request says.
 *
 * @param greet whether every client is sent its challenge as soon as it connects
 */
record Authentication(boolean greet) implements Feature {
  private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);

  /** Clients may try as often as they like; the operator is told once in this time. */
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

  /** How far {@code created_at} of a login may be from now. */
  private static final int WINDOW_SECONDS = 10 * 60;

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(42);
    RelayUrls urls = relay.urls();
    AtomicReference<Instant> quietUntil = new AtomicReference<>(Instant.MIN);
    relay.logins(
        (login, challenge, now) -> {
          Optional<Reason> objection = objection(login, challenge, now);
          if (objection.isPresent()) {
            return objection;
          }
          String named = login.tags().first("relay").orElse("");
          if (urls.contains(named)) {
            return Optional.empty();
          }
          warn(named, urls, now, quietUntil);
          return Optional.of(
              Reason.invalid(
                  "the login names another URL than this relay's ("
                      + String.join(", ", urls.all())
                      + "); if clients are to use that one, the operator has to add it with --url"));
        },
        greet);
  }

  /** Tells the operator of a login under a URL that might be this relay's. */
  private static void warn(
      String named, RelayUrls urls, Instant now, AtomicReference<Instant> quietUntil) {
    RelayUrls.origin(named)
        .ifPresent(
            origin -> {
              Instant until = quietUntil.get();
              if (!now.isBefore(until)
                  && quietUntil.compareAndSet(until, now.plus(BETWEEN_WARNINGS))) {
                LOG.warn(
                    "A client tried to log in under {}, which is none of this relay's URLs ({}):"
                        + " if clients are to use it, add --url {}",
                    origin,
                    String.join(", ", urls.all()),
                    origin);
              }
            });
  }

  /** What is wrong with a login, whatever relay it names. */
  private static Optional<Reason> objection(Event login, String challenge, Instant now) {
    if (login.kind() != Kind.CLIENT_AUTH) {
      return Optional.of(Reason.invalid("a login is an event of kind 22242"));
    }
    if (Math.abs(now.getEpochSecond() - login.createdAt()) > WINDOW_SECONDS) {
      return Optional.of(Reason.invalid("created_at of a login must be the present time"));
    }
    if (!isChallenge(login.tags().first("challenge").orElse(""), challenge)) {
      return Optional.of(Reason.invalid("the challenge is not the one of this connection"));
    }
    return Optional.empty();
  }

  /** Takes as long wherever the two differ: a guess is not told how good it was. */
  private static boolean isChallenge(String answer, String challenge) {
    return MessageDigest.isEqual(
        answer.getBytes(StandardCharsets.UTF_8), challenge.getBytes(StandardCharsets.UTF_8));
  }
}
