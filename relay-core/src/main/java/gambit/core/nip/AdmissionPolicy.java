package gambit.core.nip;

import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator's policy on which events of clients are accepted. Events of the relay itself are
 * exempt. Requests to vanish, which anybody may make (NIP-62), need only a small size, unless their
 * kind is refused by name; requests to join and to leave (NIP-43), which are never stored, an
 * author who is not refused, too. A ban refuses new events; stored events of its author stay until
 * they are deleted or their retention time ends. Immutable.
 *
 * @param maxAgeSeconds how far in the past {@code created_at} may lie; 0 for no limit
 * @param sizes the first that names an event's kind bounds its size; a kind that none names has no
 *     bound of its own
 */
public record AdmissionPolicy(
    Kinds kinds, Authors authors, long maxAgeSeconds, List<SizeRule> sizes, Writers writers) {
  /** The largest request to vanish that is exempt, and so stored for any stranger. */
  private static final int MAX_EXEMPT_VANISH_BYTES = 4 << 10;

  public static final AdmissionPolicy EVERYTHING =
      new AdmissionPolicy(Kinds.EVERY, Authors.EVERYBODY, 0, List.of(), Writers.EVERYBODY);

  /**
   * Further authors and kinds that are accepted where only listed ones are, and the relay's members
   * (NIP-43), its admins among them. The answers may change; any thread.
   */
  public record Allowances(
      Predicate<PubKey> authors, IntPredicate kinds, Predicate<PubKey> members) {
    static final Allowances NONE = new Allowances(author -> false, kind -> false, author -> false);
  }

  /** A bound on the size of events of some kinds, in bytes of JSON as the relay serves it. */
  public record SizeRule(KindSet kinds, int bytes) {
    private static final Pattern FORM = Pattern.compile("(\\S+)\\s+([1-9][0-9]{0,5})(K|M)?");

    /**
     * Reads {@code <kinds> <size>}, where the kinds are as in {@link KindSet#parse(String)}, and
     * the size is in bytes, or with K or M in 1,024 or 1,048,576 bytes: {@code 0+10000-19999 16K}.
     * Fails if the text is anything else.
     */
    public static SizeRule parse(String text) {
      Matcher parts = FORM.matcher(text.strip());
      if (!parts.matches()) {
        throw new IllegalArgumentException("expected kinds and a size, as in 30023 64K or * 8K");
      }
      int unit = parts.group(3) == null ? 1 : parts.group(3).equals("K") ? 1 << 10 : 1 << 20;
      long bytes = Long.parseLong(parts.group(2)) * unit;
      return new SizeRule(KindSet.parse(parts.group(1)), (int) Math.min(bytes, Integer.MAX_VALUE));
    }
  }

  /** The accepted kinds; if none are named, all that are not refused. */
  public record Kinds(KindSet accepted, KindSet refused) {
    public static final Kinds EVERY = new Kinds(KindSet.NONE, KindSet.NONE);

    private boolean accept(int kind, Allowances allowances) {
      return !refused.contains(kind)
          && (accepted.isEmpty() || accepted.contains(kind) || allowances.kinds().test(kind));
    }
  }

  /**
   * The accepted authors.
   *
   * @param accepted the only authors, with the trusted ones, whose events are accepted; empty for
   *     everybody
   * @param trusted authors without rate limits, proof of work, bounds on the size by kind and
   *     plugin; they may also write where others may not
   */
  public record Authors(Set<PubKey> accepted, Set<PubKey> refused, Set<PubKey> trusted) {
    public static final Authors EVERYBODY = new Authors(Set.of(), Set.of(), Set.of());

    public Authors {
      accepted = Set.copyOf(accepted);
      refused = Set.copyOf(refused);
      trusted = Set.copyOf(trusted);
      requireNotRefused(accepted, refused, "pubkeys");
      requireNotRefused(trusted, refused, "trusted");
    }

    private static void requireNotRefused(Set<PubKey> keys, Set<PubKey> refused, String list) {
      for (PubKey key : keys) {
        if (refused.contains(key)) {
          throw new IllegalArgumentException(
              "the key " + key.hex() + " is in both " + list + " and refused_pubkeys");
        }
      }
    }

    private boolean accept(PubKey author, Allowances allowances) {
      return !refused.contains(author)
          && (accepted.isEmpty()
              || accepted.contains(author)
              || trusted.contains(author)
              || allowances.authors().test(author));
    }
  }

  /**
   * The clients that may write, by their logins (NIP-42), whoever the author of an event is.
   *
   * @param mustLogIn whether a client must log in with any key
   * @param keys the only keys, with the trusted ones, with one of which a client must log in; empty
   *     for no such condition
   */
  public record Writers(boolean mustLogIn, Set<PubKey> keys, KindSet openKinds) {
    public static final Writers EVERYBODY = new Writers(false, Set.of(), KindSet.NONE);

    public Writers {
      keys = Set.copyOf(keys);
      if (!openKinds.isEmpty() && !mustLogIn && keys.isEmpty()) {
        throw new IllegalArgumentException(
            "open_kinds has no effect without require_auth or writers");
      }
    }

    /** Whether a client must log in before it writes events of all kinds but the open ones. */
    public boolean needLogin() {
      return mustLogIn || !keys.isEmpty();
    }
  }

  public AdmissionPolicy {
    sizes = List.copyOf(sizes);
    if (maxAgeSeconds < 0) {
      throw new IllegalArgumentException("max_age must not be negative");
    }
  }

  /** This policy with further trusted authors, except those that it refuses. */
  AdmissionPolicy trusting(Set<PubKey> keys) {
    Set<PubKey> trusted = new HashSet<>(keys);
    trusted.removeAll(authors.refused());
    trusted.addAll(authors.trusted());
    Authors more = new Authors(authors.accepted(), authors.refused(), trusted);
    return new AdmissionPolicy(kinds, more, maxAgeSeconds, sizes, writers);
  }

  boolean restrictsWrites() {
    return !kinds.accepted().isEmpty() || !authors.accepted().isEmpty() || writers.needLogin();
  }

  /** Whether an event is a request to vanish that anybody may make, unless its kind is refused. */
  public static boolean isExemptVanishRequest(Event event) {
    return event.kind() == Kind.VANISH && event.json().length <= MAX_EXEMPT_VANISH_BYTES;
  }

  /**
   * The reason to refuse the verified event; empty if this policy has none. It does not refuse the
   * allowed authors and kinds, unless by name.
   */
  Optional<Reason> objection(Submission submission, Allowances allowances) {
    Event event = submission.event();
    if (isExempt(event) || isExemptRequest(event)) {
      return objectionToSize(event);
    }
    return objectionToKindAndAuthor(event, allowances)
        .or(() -> objectionToAge(event, submission.arrivedAt()))
        .or(() -> objectionToSize(event))
        .or(() -> objectionToWriter(submission));
  }

  /**
   * The reason to refuse an event that the operator imports: its kind, author or size. It may be of
   * any age, and no login is needed.
   */
  Optional<Reason> objectionToImport(Event event, Allowances allowances) {
    return isExempt(event)
        ? objectionToSize(event)
        : objectionToKindAndAuthor(event, allowances).or(() -> objectionToSize(event));
  }

  private boolean isExempt(Event event) {
    return isExemptVanishRequest(event) && !kinds.refused().contains(Kind.VANISH);
  }

  private boolean isExemptRequest(Event event) {
    int kind = event.kind();
    return (kind == Kind.JOIN_REQUEST || kind == Kind.LEAVE_REQUEST)
        && !kinds.refused().contains(kind)
        && !authors.refused().contains(event.pubkey());
  }

  private Optional<Reason> objectionToKindAndAuthor(Event event, Allowances allowances) {
    int kind = event.kind();
    if (!kinds.accept(kind, allowances)) {
      return Optional.of(Reason.blocked("kind " + kind + " is not taken here"));
    }
    if (!authors.accept(event.pubkey(), allowances)) {
      return Optional.of(Reason.blocked("events of this author are not taken here"));
    }
    return Optional.empty();
  }

  private Optional<Reason> objectionToAge(Event event, Instant now) {
    long age = now.getEpochSecond() - event.createdAt();
    return maxAgeSeconds > 0 && age > maxAgeSeconds
        ? Optional.of(Reason.invalid("created_at is too far in the past"))
        : Optional.empty();
  }

  private Optional<Reason> objectionToSize(Event event) {
    if (sizes.isEmpty() || authors.trusted().contains(event.pubkey())) {
      return Optional.empty();
    }
    return sizes.stream()
        .filter(rule -> rule.kinds().contains(event.kind()))
        .findFirst()
        .filter(rule -> event.json().length > rule.bytes())
        .map(
            rule ->
                Reason.invalid(
                    "an event of kind "
                        + event.kind()
                        + " may have at most "
                        + rule.bytes()
                        + " bytes"));
  }

  private Optional<Reason> objectionToWriter(Submission submission) {
    if (!writers.needLogin() || writers.openKinds().contains(submission.event().kind())) {
      return Optional.empty();
    }
    Set<PubKey> logins = submission.connection().keys();
    if (logins.isEmpty()) {
      return Optional.of(Reason.authRequired("log in to write here"));
    }
    return writers.keys().isEmpty()
            || logins.stream().anyMatch(writers.keys()::contains)
            || logins.stream().anyMatch(authors.trusted()::contains)
        ? Optional.empty()
        : Optional.of(Reason.restricted("only some may write here, and this login is not one"));
  }
}
