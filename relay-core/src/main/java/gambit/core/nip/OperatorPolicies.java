package gambit.core.nip;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.RelayBuilder.InformationFields;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy.Allowances;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's policies on writing and reading. They may change while the relay runs: a change
 * applies to the next event that arrives, the next query, and the next event that is shown to
 * anybody, also under a running subscription. Thread-safe.
 */
public final class OperatorPolicies implements Feature {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorPolicies.class);

  /** The most keys that are named in a log line; further ones are only counted. */
  private static final int MAX_NAMED_KEYS = 10;

  private final Set<PubKey> insiders;
  private volatile AdmissionPolicy admission;
  private volatile ReadPolicy reads;
  private volatile MemberPolicy members = MemberPolicy.OFF;
  private volatile Allowances allowances = Allowances.NONE;

  public OperatorPolicies(AdmissionPolicy admission, ReadPolicy reads) {
    this(admission, reads, Set.of());
  }

  /**
   * Creates the feature. Insiders, the keys of the operator's own clients, such as the house
   * player, are trusted and may read, whatever the policies are, unless they are refused by name.
   */
  public OperatorPolicies(AdmissionPolicy admission, ReadPolicy reads, Set<PubKey> insiders) {
    this.insiders = Set.copyOf(insiders);
    this.admission = admission.trusting(insiders);
    this.reads = reads.admitting(insiders);
  }

  /** Replaces the policies, and logs who is banned now and was not, or the reverse. Any thread. */
  public void change(AdmissionPolicy newAdmission, ReadPolicy newReads) {
    Set<PubKey> banned = admission.authors().refused();
    admission = newAdmission.trusting(insiders);
    logChange(banned, newAdmission.authors().refused());
    reads = newReads.admitting(insiders);
  }

  private static void logChange(Set<PubKey> before, Set<PubKey> after) {
    List<String> parts = new ArrayList<>();
    addDifference(parts, after, before, " added");
    addDifference(parts, before, after, " removed");
    if (!parts.isEmpty()) {
      LOG.info("Banned authors: {}; now {}", String.join(", ", parts), after.size());
    }
  }

  private static void addDifference(
      List<String> parts, Set<PubKey> of, Set<PubKey> without, String verb) {
    List<PubKey> keys =
        of.stream()
            .filter(key -> !without.contains(key))
            .sorted(Comparator.comparing(PubKey::hex))
            .toList();
    if (!keys.isEmpty()) {
      parts.add(keys.size() + verb + " (" + names(keys) + ")");
    }
  }

  private static String names(List<PubKey> keys) {
    String first =
        keys.stream().limit(MAX_NAMED_KEYS).map(Nip19::npub).collect(Collectors.joining(", "));
    int more = keys.size() - MAX_NAMED_KEYS;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  /** Opens the relay to members only, or to everybody, from now on. Any thread. */
  public void change(MemberPolicy newMembers) {
    members = newMembers;
  }

  /** Accepts further authors and kinds from now on, and knows the members. Any thread. */
  public void accept(Allowances further) {
    allowances =
        new Allowances(
            author ->
                further.authors().test(author)
                    || (members.write() && further.members().test(author)),
            further.kinds(),
            further.members());
  }

  public AdmissionPolicy admission() {
    return admission;
  }

  public ReadPolicy reads() {
    return reads;
  }

  public MemberPolicy members() {
    return members;
  }

  @Override
  public void install(RelayBuilder relay) {
    relay.gate(
        submission ->
            admission
                .objection(submission, allowances)
                .or(() -> objectionToStranger(submission, relay.takesLogins())));
    relay.importCheck(it -> admission.objectionToImport(it.event(), allowances));
    relay.trust(author -> admission.authors().trusted().contains(author));
    relay.refuseAuthors(author -> admission.authors().refused().contains(author));
    relay.guard(
        new LoginGuard(
            () -> reads.kinds(),
            logins -> reads.admits(logins),
            "log in to read these kinds",
            "these kinds are for some readers only, and this login is not one"));
    relay.guard(
        new LoginGuard(
            () -> members.read() ? KindSet.ALL : KindSet.NONE,
            this::isAnyMember,
            "log in to read here",
            "only members may read here"));
    relay.information(this::describe);
  }

  /**
   * The reason to refuse an event that only a member may write. The author of a gift wrap is a
   * single-use key, so that its sender must have logged in.
   */
  private Optional<Reason> objectionToStranger(Submission submission, boolean takesLogins) {
    Event event = submission.event();
    int kind = event.kind();
    if (!members.write()
        || kind == Kind.JOIN_REQUEST
        || kind == Kind.LEAVE_REQUEST
        || AdmissionPolicy.isExemptVanishRequest(event)) {
      return Optional.empty();
    }
    Set<PubKey> keys =
        Kind.isGiftWrap(kind) ? submission.connection().keys() : Set.of(event.pubkey());
    if (keys.isEmpty() && takesLogins) {
      return Optional.of(Reason.authRequired("log in to write here"));
    }
    return isAnyMember(keys)
        ? Optional.empty()
        : Optional.of(Reason.restricted("only members may write here"));
  }

  private boolean isAnyMember(Set<PubKey> keys) {
    Allowances current = allowances;
    AdmissionPolicy.Authors authors = admission.authors();
    return keys.stream()
        .anyMatch(
            key ->
                current.members().test(key)
                    || current.authors().test(key)
                    || authors.accepted().contains(key)
                    || authors.trusted().contains(key));
  }

  /**
   * Shows events of the kinds in force to clients whose logins are admitted; refuses others with
   * one text before they have logged in and with another afterwards.
   */
  private record LoginGuard(
      Supplier<KindSet> inForce, Predicate<Set<PubKey>> admits, String toLogIn, String toOthers)
      implements ReadGuard {
    @Override
    public KindSet kinds() {
      return inForce.get();
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      return admits.test(reader.keys());
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return admits.test(reader.keys());
    }

    @Override
    public KindSet partlyHidden(ClientConnection reader) {
      return admits.test(reader.keys()) ? KindSet.NONE : kinds();
    }

    @Override
    public Reason refusal(ClientConnection reader) {
      return reader.keys().isEmpty() ? Reason.authRequired(toLogIn) : Reason.restricted(toOthers);
    }
  }

  private void describe(InformationFields document) {
    AdmissionPolicy current = admission;
    if (members.isOn()) {
      document.supports(43);
    }
    if (current.restrictsWrites() || members.write()) {
      document.limitation("restricted_writes", true);
    }
    if (current.maxAgeSeconds() > 0) {
      document.limitation("created_at_lower_limit", current.maxAgeSeconds());
    }
    if (isClosedWithoutLogin()) {
      document.limitation("auth_required", true);
    }
  }

  /** Whether a client can neither write nor read anything before it has logged in. */
  private boolean isClosedWithoutLogin() {
    AdmissionPolicy.Writers writers = admission.writers();
    boolean areReadsClosed = reads.kinds().isAll() || members.read();
    return areReadsClosed && writers.needLogin() && writers.openKinds().isEmpty();
  }

  /**
   * Whether only members may write, and whether only clients that have logged in as one may read.
   * Members are the admins, those that calls of management or invites have added (NIP-43), accepted
   * and trusted authors. Immutable.
   */
  public record MemberPolicy(boolean write, boolean read) {
    public static final MemberPolicy OFF = new MemberPolicy(false, false);

    public boolean isOn() {
      return write || read;
    }
  }

  /**
   * The kinds whose events are shown only to clients that have logged in (NIP-42), and the only
   * keys with one of which they must have, if there are any. Immutable.
   */
  public record ReadPolicy(KindSet kinds, Set<PubKey> readers) {
    public static final ReadPolicy EVERYTHING = new ReadPolicy(KindSet.NONE, Set.of());

    public ReadPolicy {
      readers = Set.copyOf(readers);
      if (kinds.isEmpty() && !readers.isEmpty()) {
        throw new IllegalArgumentException("readers has no effect without auth_kinds");
      }
    }

    ReadPolicy admitting(Set<PubKey> keys) {
      if (readers.isEmpty()) {
        return this;
      }
      Set<PubKey> more = new HashSet<>(readers);
      more.addAll(keys);
      return new ReadPolicy(kinds, more);
    }

    /** Whether a client with these logins may read the kinds that need one. */
    boolean admits(Set<PubKey> logins) {
      return readers.isEmpty() ? !logins.isEmpty() : !Collections.disjoint(logins, readers);
    }
  }
}
