package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.StoredEvents;
import gambit.core.management.AuditLog.AuditEntry;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Call.Caller;
import gambit.core.management.Decisions.ModerationDecision;
import gambit.core.management.Decisions.Verdict;
import gambit.core.management.Management.Access;
import gambit.core.management.Management.MethodHandler;
import gambit.core.management.ManagementChanges.InForce;
import gambit.core.model.EventId;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.rate.ClientAddress;
import java.net.URI;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods by name: those of NIP-86, and others beside them. A refusal by the settings cannot be
 * lifted here, and wins over every decision. Confined to the lane of management; methods are added
 * on any thread.
 */
final class Methods {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  static final String NO_SUCH_LINK =
      "this link was used or has expired; on the relay's machine, gambit admin link makes another";

  private final SortedMap<String, Method> methods = new ConcurrentSkipListMap<>();
  private final Map<String, SubjectReader> bans = new HashMap<>(); // by the methods' names
  private final InForce inForce;
  private final ManagementChanges changes;
  private final RelayBuilder relay;
  private final StoredEvents stored;
  private final Members members;
  private final Supplier<AdmissionPolicy> policy;
  private final @Nullable Reports reports;

  private record Method(Access access, MethodHandler handler) {}

  /** A method whose result is {@code true}. */
  interface Change {
    void make(Call call) throws CallRefused;
  }

  private interface SubjectReader {
    Subject read(Call call) throws CallRefused;
  }

  Methods(
      InForce inForce,
      ManagementChanges changes,
      RelayBuilder relay,
      Supplier<AdmissionPolicy> policy,
      @Nullable Reports reports) {
    this.inForce = inForce;
    this.changes = changes;
    this.relay = relay;
    this.stored = relay.storedEvents();
    this.members = inForce.members();
    this.policy = policy;
    this.reports = reports;
    ban("banpubkey", Call::author);
    lift("unbanpubkey", Call::author, Verdict.BANNED);
    list("listbannedpubkeys", "pubkey", Subject.Author.class, Verdict.BANNED);
    allow("allowpubkey", Call::author);
    lift("unallowpubkey", Call::author, Verdict.ALLOWED);
    list("listallowedpubkeys", "pubkey", Subject.Author.class, Verdict.ALLOWED);
    ban("banevent", Call::event);
    allow("allowevent", Call::event);
    list("listbannedevents", "id", Subject.OneEvent.class, Verdict.BANNED);
    allow("allowkind", Call::kind);
    ban("disallowkind", Call::kind);
    add("listallowedkinds", Access.ROLES, call -> kinds(Verdict.ALLOWED));
    add("listdisallowedkinds", Access.ROLES, call -> kinds(Verdict.BANNED));
    ban("blockip", Call::address);
    lift("unblockip", Call::address, Verdict.BANNED);
    list("listblockedips", "ip", Subject.Address.class, Verdict.BANNED);
    change("changerelayname", call -> changes.setText(call, "name", call.description()));
    change(
        "changerelaydescription", call -> changes.setText(call, "description", call.description()));
    change("changerelayicon", this::changeIcon);
    if (reports != null) {
      add("listeventsneedingmoderation", Access.ROLES, call -> reports.events());
    }
    add("supportedmethods", Access.RIGHTS, call -> Call.JSON.valueToTree(callableBy(call.by())));
    change("lift", this::lift);
    add("decisions", Access.ROLES, call -> decisions());
    add("audit", Access.ADMINS, this::audit);
    add("reports", Access.ROLES, this::reports);
    add("identify", Access.ROLES, this::identify);
    new MemberMethods(members, changes, this).add();
  }

  void add(String name, Access access, MethodHandler handler) {
    if (methods.putIfAbsent(name, new Method(access, handler)) != null) {
      throw new IllegalArgumentException("there is a method " + name + " already");
    }
  }

  private void change(String name, Change change) {
    change(name, Access.ROLES, change);
  }

  void change(String name, Access access, Change change) {
    add(
        name,
        access,
        call -> {
          change.make(call);
          return BooleanNode.TRUE;
        });
  }

  private void ban(String name, SubjectReader reader) {
    bans.put(name, reader);
    change(
        name,
        call -> {
          Subject subject = reader.read(call);
          requireBannable(subject, call.by());
          changes.decide(call, subject, Verdict.BANNED);
        });
  }

  private void requireBannable(Subject subject, Caller by) throws CallRefused {
    if (subject instanceof Subject.Author author) {
      requireBannable(author.key(), by);
    } else if (subject instanceof Subject.Address address) {
      requireBlockable(address.address(), by);
    } else if (subject instanceof Subject.OneEvent event
        && stored.find(event.id()).filter(relay::isKeptForever).isPresent()) {
      throw new CallRefused(
          "the relay keeps this event of its own for ever, since others build on it");
    }
  }

  private void requireBannable(PubKey key, Caller by) throws CallRefused {
    if (key.equals(relay.signer().pubkey())) {
      throw new CallRefused("this is the relay's own key");
    } else if (members.isAdmin(key)) {
      throw new CallRefused("this is the key of an admin; take that role away first");
    }
    requireLesser(key, by);
  }

  /** Refuses what a moderator does to somebody with a role. */
  void requireLesser(PubKey key, Caller by) throws CallRefused {
    if (!members.roles(key).isEmpty() && !isAdmin(by)) {
      throw new CallRefused("this key has a role: only an admin can do that");
    }
  }

  private void requireBlockable(ClientAddress address, Caller by) throws CallRefused {
    if (address.isLoopback()) {
      throw new CallRefused(
          "this machine, with its commands and the house player, has the address");
    } else if (address.equals(by.client())) {
      throw new CallRefused("it is your own address: the relay would refuse your next call");
    } else if (!isAdmin(by) && members.isAddressOfAdmin(address)) {
      throw new CallRefused("an admin calls from this address");
    }
  }

  private void allow(String name, SubjectReader reader) {
    change(
        name,
        call -> {
          Subject subject = reader.read(call);
          requireChangeable(subject, Verdict.BANNED, call.by());
          changes.decide(call, subject, Verdict.ALLOWED);
        });
  }

  private void lift(String name, SubjectReader reader, Verdict verdict) {
    change(
        name,
        call -> {
          Subject subject = reader.read(call);
          requireChangeable(subject, verdict, call.by());
          if (inForce.decisions().has(subject, verdict)) {
            changes.lift(call, subject);
          }
        });
  }

  /** Refuses what only the settings, or for a moderator's own key only an admin, can change. */
  private void requireChangeable(Subject subject, Verdict verdict, Caller by) throws CallRefused {
    if (subject instanceof Subject.Author author && author.key().equals(by.key()) && !isAdmin(by)) {
      throw new CallRefused("this is your own key: only an admin can do that");
    }
    boolean isInSettings =
        subject instanceof Subject.Author author
            ? authorsOfSettings(verdict).contains(author.key())
            : subject instanceof Subject.OneKind kind
                && kindsOfSettings(verdict).contains(kind.kind());
    if (isInSettings) {
      throw new CallRefused(
          "it is in admission."
              + (verdict == Verdict.BANNED ? "refused_" : "")
              + (subject instanceof Subject.Author ? "pubkeys" : "kinds")
              + " of the relay's settings, and can be removed only there");
    }
  }

  private Set<PubKey> authorsOfSettings(Verdict verdict) {
    AdmissionPolicy.Authors authors = policy.get().authors();
    return verdict == Verdict.BANNED ? authors.refused() : authors.accepted();
  }

  private KindSet kindsOfSettings(Verdict verdict) {
    AdmissionPolicy.Kinds kinds = policy.get().kinds();
    return verdict == Verdict.BANNED ? kinds.refused() : kinds.accepted();
  }

  private void list(String name, String field, Class<? extends Subject> type, Verdict verdict) {
    add(
        name,
        Access.ROLES,
        call -> {
          Map<String, String> reasons = new TreeMap<>();
          if (type == Subject.Author.class) {
            String setting = verdict == Verdict.BANNED ? "refused_pubkeys" : "pubkeys";
            authorsOfSettings(verdict)
                .forEach(key -> reasons.put(key.hex(), "in the settings: admission." + setting));
          }
          inForce
              .decisions()
              .reasons(type, verdict)
              .forEach((subject, reason) -> reasons.put(subject.value(), reason));
          ArrayNode list = JSON.arrayNode();
          reasons.forEach(
              (value, reason) -> list.addObject().put(field, value).put("reason", reason));
          return list;
        });
  }

  private ArrayNode kinds(Verdict verdict) {
    Set<Integer> all = new TreeSet<>();
    kindsOfSettings(verdict).stream().forEach(all::add);
    inForce
        .decisions()
        .reasons(Subject.OneKind.class, verdict)
        .keySet()
        .forEach(subject -> all.add(subject.kind()));
    return Call.JSON.valueToTree(all);
  }

  private void changeIcon(Call call) throws CallRefused {
    String url = call.text(0).strip();
    if (!url.isEmpty() && !isWebUrl(url)) {
      throw new CallRefused("the icon is not an http:// or https:// URL");
    }
    changes.setText(call, "icon", call.description());
  }

  private static boolean isWebUrl(String text) {
    try {
      URI url = URI.create(text);
      return url.getHost() != null && String.valueOf(url.getScheme()).matches("(?i)https?");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  JsonNode call(Call call) throws CallRefused {
    Method method = methods.get(call.method());
    if (method == null) {
      throw new CallRefused("this relay does not support the method; supportedmethods lists them");
    } else if (!mayCall(call.by(), call.method(), method)) {
      throw new CallRefused(403, "your roles do not include " + call.method());
    }
    return method.handler().call(call);
  }

  private boolean isAdmin(Caller by) {
    return by.key() == null || members.isAdmin(by.key());
  }

  private boolean mayCall(Caller by, String name, Method method) {
    PubKey key = by.key();
    return method.access() == Access.CODE
        || key == null
        || members.isAdmin(key)
        || (method.access() == Access.RIGHTS && members.hasRights(key))
        || (method.access() == Access.ROLES && members.methods(key).contains(name));
  }

  List<String> callableBy(Caller by) {
    return named(
        it -> it.getValue().access() != Access.CODE && mayCall(by, it.getKey(), it.getValue()));
  }

  List<String> ofRoles() {
    return named(it -> it.getValue().access() == Access.ROLES);
  }

  private List<String> named(Predicate<Map.Entry<String, Method>> which) {
    return methods.entrySet().stream().filter(which).map(Map.Entry::getKey).toList();
  }

  /** Lifts the decision on a subject, whichever it is: {@code [<method that bans>, <subject>]}. */
  private void lift(Call call) throws CallRefused {
    SubjectReader reader = bans.get(call.text(0));
    if (reader == null) {
      throw new CallRefused("the first parameter is not a method that bans");
    }
    Call about = call.withoutFirst();
    Subject subject = reader.read(about);
    requireChangeable(subject, Verdict.BANNED, call.by());
    changes.lift(about, subject);
  }

  /** All decisions, the texts that replace settings, and the lists of the settings. */
  private ObjectNode decisions() {
    ObjectNode result = JSON.objectNode();
    ArrayNode list = result.putArray("decisions");
    inForce.decisions().bySubject.values().entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<Subject, ModerationDecision> it) -> it.getValue().at())
                .thenComparing(it -> it.getKey().text()))
        .forEach(
            it ->
                list.addObject()
                    .put("subject", it.getKey().text())
                    .setAll(Call.JSON.<ObjectNode>valueToTree(it.getValue())));
    ObjectNode texts = result.putObject("texts");
    new TreeMap<>(inForce.decisions().texts.values())
        .forEach((field, text) -> texts.put(field, text.text()));
    result
        .putObject("settings")
        .put("pubkeys", authorsOfSettings(Verdict.ALLOWED).size())
        .put("refused_pubkeys", authorsOfSettings(Verdict.BANNED).size())
        .put("kinds", kindsOfSettings(Verdict.ALLOWED).toString())
        .put("refused_kinds", kindsOfSettings(Verdict.BANNED).toString());
    return result;
  }

  /** The newest entries of the audit log: {@code [<number>]}. */
  private ArrayNode audit(Call call) throws CallRefused {
    int max = (int) call.number(0, 1, Integer.MAX_VALUE, 100);
    ArrayNode list = JSON.arrayNode();
    for (Map.Entry<String, AuditEntry> each : inForce.audit().newest(max)) {
      ObjectNode entry = Call.JSON.<ObjectNode>valueToTree(each.getValue()).without("login");
      list.addObject().put("number", AuditLog.number(each.getKey())).setAll(entry);
    }
    return list;
  }

  /** The queue of reports, with the reported events and the texts: {@code [<number>]}. */
  private ArrayNode reports(Call call) throws CallRefused {
    if (reports == null) {
      throw new CallRefused("the queue of reports is switched off (nips.56)");
    }
    return reports.json((int) call.number(0, 1, Reports.MAX_SUBJECTS, Reports.MAX_SUBJECTS));
  }

  /** Whether 64 hex digits are an event or an author, stored here or decided on. */
  private JsonNode identify(Call call) throws CallRefused {
    String hex = call.hex("an event id or a public key");
    Subject event = new Subject.OneEvent(EventId.ofHex(hex));
    Subject author = new Subject.Author(PubKey.ofHex(hex));
    if (isKnown(event)) {
      return JSON.textNode("event");
    }
    return isKnown(author) ? JSON.textNode("pubkey") : JSON.nullNode();
  }

  /** Whether there is a decision on a subject, such as a removed event, or an event of it. */
  private boolean isKnown(Subject subject) {
    return inForce.decisions().has(subject) || Reports.isStored(subject, stored);
  }
}
