package gambit.core.management;

import com.fasterxml.jackson.annotation.JsonProperty;
import gambit.core.management.RowMap.KeyFormat;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.Allowances;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The decisions in force, at most one for each subject and {@value #MAX} in all, and the texts that
 * replace those of the settings. Thread-safe.
 *
 * <p>The key of a decision's row is {@code p} and a public key, {@code e} and an event id, {@code
 * k} and a kind (2 bytes), or {@code 4} or {@code 6} and the bits of an address (8 bytes); that of
 * a text's row is {@code t} and a field of NIP-11.
 */
final class Decisions {
  static final String TABLE = "management";
  static final int MAX = 100_000;

  private static final char TEXT = 't';

  final RowMap<String, Text> texts; // by the field of NIP-11
  final RowMap<Subject, ModerationDecision> bySubject;

  enum Verdict {
    @JsonProperty("banned")
    BANNED,
    /** Accepted where only listed ones are, and no longer in the queue of reports. */
    @JsonProperty("allowed")
    ALLOWED
  }

  /**
   * A decision that somebody has made ({@link Call.Caller#name}), in seconds of Unix time. It is in
   * force until it is lifted or replaced. Immutable.
   */
  record ModerationDecision(Verdict verdict, long at, String by, String reason) {}

  record Text(String text) {}

  Decisions(Map<String, byte[]> rows) {
    texts = new RowMap<>(TABLE, KeyFormat.text(TEXT), Text.class, rows);
    bySubject =
        new RowMap<>(
            TABLE,
            new KeyFormat<>(Decisions::key, Decisions::subject),
            ModerationDecision.class,
            rows);
  }

  private static byte[] key(Subject subject) {
    if (subject instanceof Subject.Author author) {
      return key('p', author.key().bytes());
    } else if (subject instanceof Subject.OneEvent event) {
      return key('e', event.id().bytes());
    } else if (subject instanceof Subject.OneKind kind) {
      return key('k', ByteBuffer.allocate(2).putChar((char) kind.kind()).array());
    }
    ClientAddress address = ((Subject.Address) subject).address();
    return key(
        address.isIpv6() ? '6' : '4', ByteBuffer.allocate(8).putLong(address.bits()).array());
  }

  private static byte[] key(char type, byte[] rest) {
    return ByteBuffer.allocate(1 + rest.length).put((byte) type).put(rest).array();
  }

  private static @Nullable Subject subject(byte[] key) {
    byte[] rest = Arrays.copyOfRange(key, 1, key.length);
    return switch (key[0]) {
      case 'p' -> new Subject.Author(new PubKey(rest));
      case 'e' -> new Subject.OneEvent(new EventId(rest));
      case 'k' -> new Subject.OneKind(ByteBuffer.wrap(rest).getChar());
      case '4' -> new Subject.Address(new ClientAddress(false, ByteBuffer.wrap(rest).getLong()));
      case '6' -> new Subject.Address(new ClientAddress(true, ByteBuffer.wrap(rest).getLong()));
      case TEXT -> null;
      default -> throw new IllegalArgumentException("type " + key[0]);
    };
  }

  Optional<Reason> objection(Event event) {
    if (bySubject.values().isEmpty()) {
      return Optional.empty();
    }
    if (isBanned(new Subject.OneKind(event.kind()))) {
      return Optional.of(Reason.blocked("kind " + event.kind() + " is not taken here"));
    }
    if (isBanned(new Subject.Author(event.pubkey()))
        && !AdmissionPolicy.isExemptVanishRequest(event)) {
      return Optional.of(Reason.blocked("events of this author are not taken here"));
    }
    return isBanned(new Subject.OneEvent(event.id()))
        ? Optional.of(Reason.blocked("this event is not taken here"))
        : Optional.empty();
  }

  boolean isBanned(Subject subject) {
    return has(subject, Verdict.BANNED);
  }

  boolean refuse(ClientAddress address) {
    return !bySubject.values().isEmpty() && isBanned(new Subject.Address(address));
  }

  /** What the policies accept beside their lists, with the members and admins. */
  Allowances allowances(Predicate<PubKey> members) {
    return new Allowances(
        author -> has(new Subject.Author(author), Verdict.ALLOWED),
        kind -> has(new Subject.OneKind(kind), Verdict.ALLOWED),
        members);
  }

  boolean has(Subject subject, Verdict verdict) {
    ModerationDecision decision = bySubject.get(subject);
    return decision != null && decision.verdict() == verdict;
  }

  boolean has(Subject subject) {
    return bySubject.get(subject) != null;
  }

  <S extends Subject> Map<S, String> reasons(Class<S> type, Verdict verdict) {
    Map<S, String> reasons = new HashMap<>();
    bySubject
        .values()
        .forEach(
            (subject, decision) -> {
              if (decision.verdict() == verdict && type.isInstance(subject)) {
                reasons.put(type.cast(subject), decision.reason());
              }
            });
    return reasons;
  }
}
