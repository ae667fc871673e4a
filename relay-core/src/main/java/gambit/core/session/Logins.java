package gambit.core.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.feature.ClientSession;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.RelayBuilder.LoginCheck;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Frame;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The challenge of one connection and the keys with which its client has logged in (NIP-42). {@link
 * #keys} and {@link #sendChallengeOnce} may be called from any thread, other methods on the
 * connection's event loop.
 */
final class Logins {
  /** Maximum number of keys; each costs a signature check, and a lookup for each event shown. */
  private static final int MAX_KEYS = 100;

  private static final int CHALLENGE_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final AtomicLong CONNECTIONS = new AtomicLong();

  private final RelayCore relay;
  private final ClientSession client;
  private final Outbox outbox;
  private final long number = CONNECTIONS.incrementAndGet();
  private final byte[] challenge = new byte[CHALLENGE_BYTES];
  private volatile Set<PubKey> keys = Set.of();

  @GuardedBy("this")
  private boolean challenged;

  Logins(RelayCore relay, ClientSession client, Outbox outbox) {
    this.relay = relay;
    this.client = client;
    this.outbox = outbox;
    RANDOM.nextBytes(challenge);
  }

  /** The same as long as the connection (NIP-42), and of no other one. */
  private String challenge() {
    return HexFormat.of().formatHex(challenge);
  }

  long number() {
    return number;
  }

  Set<PubKey> keys() {
    return keys;
  }

  /**
   * Queues the challenge for a client that has just connected, if the relay is set to do so; the
   * caller flushes the outbox, or the next message that is sent.
   */
  void greet() {
    ReservedFrame greeting =
        relay.features().greets().getAsBoolean() ? outbox.reserve(challengeFrame()) : null;
    if (greeting != null) {
      outbox.queueReserved(greeting);
    }
  }

  /**
   * Sends the challenge with the first message that asks for a login, even if it has been sent as
   * the greeting: some clients do not listen yet when the greeting arrives.
   */
  synchronized void sendChallengeOnce() {
    if (!challenged && relay.features().logins() != null) {
      challenged = true;
      outbox.send(challengeFrame());
    }
  }

  private Frame challengeFrame() {
    return new RelayMessage.Challenge(challenge()).frame();
  }

  void authenticate(Event login) {
    Optional<Reason> objection = objection(login);
    if (objection.isPresent()) {
      client.send(RelayMessage.Ok.refused(login, objection.get()));
      return;
    }
    Set<PubKey> more = new HashSet<>(keys);
    more.add(login.pubkey());
    keys = Set.copyOf(more);
    client.send(RelayMessage.Ok.accepted(login, ""));
    for (ConnectionListener listener : relay.features().listeners()) {
      listener.authenticated(client, login.pubkey());
    }
  }

  private Optional<Reason> objection(Event login) {
    @Nullable LoginCheck check = relay.features().logins();
    if (check == null) {
      return Optional.of(Reason.unsupported("this relay takes no logins"));
    }
    if (keys.size() >= MAX_KEYS && !keys.contains(login.pubkey())) {
      return Optional.of(Reason.error("more than " + MAX_KEYS + " keys on a connection"));
    }
    return check
        .objection(login, challenge(), relay.lifecycle().time().instant())
        .or(() -> relay.ingest().forgery(login));
  }
}
