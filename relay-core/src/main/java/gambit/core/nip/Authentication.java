package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.log.LineLimit;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.RelayUrls;
import gambit.core.wire.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NIP-42: logins, with which a client proves that it holds keys. The relay's URLs are a setting;
 * the headers of a request are not trusted. Whether every client is greeted with its challenge may
 * change.
 */
record Authentication(BooleanSupplier greet) implements Feature {
  private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);

  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

  private static final int MAX_SECONDS_FROM_NOW = 10 * 60;

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(42);
    RelayUrls urls = relay.urls();
    LongSupplier nanos = () -> TimeUnit.MILLISECONDS.toNanos(relay.time().millis());
    LineLimit warnings = new LineLimit(1, BETWEEN_WARNINGS, nanos);
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
          warn(named, urls, warnings);
          return Optional.of(
              Reason.invalid(
                  "the login names "
                      + RelayUrls.printable(named).map(url -> url + ", ").orElse("")
                      + "another URL than this relay's ("
                      + String.join(", ", urls.all())
                      + "); if clients are to use that one, the operator has to add it with"
                      + " --url"));
        },
        greet);
  }

  private static void warn(String named, RelayUrls urls, LineLimit warnings) {
    RelayUrls.printable(named)
        .filter(url -> warnings.admit())
        .ifPresent(
            url ->
                LOG.warn(
                    "A client tried to log in under {}, which is none of this relay's URLs ({}):"
                        + " if clients are to use it, add --url {}",
                    url,
                    String.join(", ", urls.all()),
                    url));
  }

  private static Optional<Reason> objection(Event login, String challenge, Instant now) {
    if (login.kind() != Kind.CLIENT_AUTH) {
      return Optional.of(Reason.invalid("a login is an event of kind 22242"));
    }
    if (Math.abs(now.getEpochSecond() - login.createdAt()) > MAX_SECONDS_FROM_NOW) {
      return Optional.of(Reason.invalid("created_at of a login must be the present time"));
    }
    String answer = login.tags().first("challenge").orElse("");
    // in constant time, which reveals nothing about a guess
    if (!MessageDigest.isEqual(
        answer.getBytes(StandardCharsets.UTF_8), challenge.getBytes(StandardCharsets.UTF_8))) {
      return Optional.of(Reason.invalid("the challenge is not the one of this connection"));
    }
    return Optional.empty();
  }
}
