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
import gambit.core.management.ManagementChanges.InForce;
import gambit.core.management.Reports.ReportedSubject;
import gambit.core.model.EventId;
import gambit.core.model.KindSet;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.rate.ClientAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods by name: those of NIP-86, and those that only the operator's commands call. A refusal
 * by the settings cannot be lifted here, and wins over every decision. Confined to the lane of
 * management.
 */
final class Methods {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final int MAX_NAMED_REPORTERS = 5;

  private final Map<String, Method> ofAdmins = new TreeMap<>();
  private final Map<String, Method> ofOperator = new HashMap<>();
  private final Map<String, SubjectReader> bans = new HashMap<>(); // by the methods' names
  private final InForce inForce;
  private final ManagementChanges changes;
  private final RelayBuilder relay;
  private final StoredEvents stored;
  private final Supplier<Set<PubKey>> admins;
  private final Supplier<AdmissionPolicy> policy;
  private final @Nullable Reports reports;

  private interface Method {
    JsonNode call(Call call) throws CallRefused;
  }

  /** A method whose result is {@code true}. */
  private interface Change {
    void make(Call call) throws CallRefused;
  }

  private interface SubjectReader {
    Subject read(Call call) throws CallRefused;
  }

  Methods(
      InForce inForce,
      ManagementChanges changes,
      RelayBuilder relay,
      Supplier<Set<PubKey>> admins,
      Supplier<AdmissionPolicy> policy,
      @Nullable Reports reports) {
    this.inForce = inForce;
    this.changes = changes;
    this.relay = relay;
    this.stored = relay.storedEvents();
    this.admins = admins;
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
    ofAdmins.put("listallowedkinds", call -> kinds(Verdict.ALLOWED));
    ofAdmins.put("listdisallowedkinds", call -> kinds(Verdict.BANNED));
    ban("blockip", Call::address);
    lift("unblockip", Call::address, Verdict.BANNED);
    list("listblockedips", "ip", Subject.Address.class, Verdict.BANNED);
    change("changerelayname", call -> changes.setText(call, "name", call.description()));
    change(
        "changerelaydescription", call -> changes.setText(call, "description", call.description()));
    change("changerelayicon", this::changeIcon);
    if (reports != null) {
      ofAdmins.put("listeventsneedingmoderation", call -> reportedEvents(reports));
    }
    ofOperator.put("lift", this::lift);
    ofOperator.put("decisions", call -> decisions());
    ofOperator.put("audit", this::audit);
    ofOperator.put("reports", call -> reports());
    ofOperator.put("identify", this::identify);
  }

  private void change(String name, Change change) {
    ofAdmins.put(
        name,
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
          if (subject instanceof Subject.Author author) {
            requireBannable(author.key());
          } else if (subject instanceof Subject.Address address) {
            requireBlockable(address.address(), call.by());
          } else if (subject instanceof Subject.OneEvent event) {
            requireRemovable(event.id());
          }
          changes.decide(call, subject, Verdict.BANNED);
        });
  }

  private void requireBannable(PubKey key) throws CallRefused {
    if (key.equals(relay.signer().pubkey())) {
      throw new CallRefused("this is the relay's own key");
    } else if (admins.get().contains(key)) {
      throw new CallRefused("this is the key of an admin; remove it from management.admins first");
    }
  }

  private void requireRemovable(EventId id) throws CallRefused {
    if (stored.find(id).filter(relay::isKeptForever).isPresent()) {
      throw new CallRefused(
          "the relay keeps this event of its own for ever, since others build on it");
    }
  }

  private static void requireBlockable(ClientAddress address, Caller by) throws CallRefused {
    if (address.isLoopback()) {
      throw new CallRefused(
          "this machine, with its commands and the house player, has the address");
    } else if (address.equals(by.client())) {
      throw new CallRefused("it is your own address: the relay would refuse your next call");
    }
  }

  private void allow(String name, SubjectReader reader) {
    change(
        name,
        call -> {
          Subject subject = reader.read(call);
          requireNotInSettings(subject, Verdict.BANNED);
          changes.decide(call, subject, Verdict.ALLOWED);
        });
  }

  private void lift(String name, SubjectReader reader, Verdict verdict) {
    change(
        name,
        call -> {
          Subject subject = reader.read(call);
          requireNotInSettings(subject, verdict);
          changes.lift(call, subject, verdict);
        });
  }

  private void requireNotInSettings(Subject subject, Verdict verdict) throws CallRefused {
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
    ofAdmins.put(
        name,
        call -> {
          Map<String, String> reasons = new TreeMap<>();
          if (type == Subject.Author.class) {
            String setting = verdict == Verdict.BANNED ? "refused_pubkeys" : "pubkeys";
            authorsOfSettings(verdict)
                .forEach(key -> reasons.put(key.hex(), "in the settings: admission." + setting));
          }
          inForce
              .decisions()
              .all(type, verdict)
              .forEach(it -> reasons.put(it.subject().value(), it.reason()));
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
        .all(Subject.OneKind.class, verdict)
        .forEach(it -> all.add(((Subject.OneKind) it.subject()).kind()));
    return Call.JSON.valueToTree(all);
  }

  private static ArrayNode reportedEvents(Reports reports) {
    ArrayNode list = JSON.arrayNode();
    for (ReportedSubject reported : reports.queue()) {
      if (reported.subject() instanceof Subject.OneEvent event) {
        list.addObject().put("id", event.value()).put("reason", reported.summary());
      }
    }
    return list;
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
    if (call.method().equals("supportedmethods")) {
      return Call.JSON.valueToTree(ofAdmins.keySet());
    }
    Method method = call.by().isOperator() ? ofOperator.get(call.method()) : null;
    if (method == null) {
      method = ofAdmins.get(call.method());
    }
    if (method == null) {
      throw new CallRefused("this relay does not support the method; supportedmethods lists them");
    }
    return method.call(call);
  }

  /** Lifts the decision on a subject, whichever it is: {@code [<method that bans>, <subject>]}. */
  private JsonNode lift(Call call) throws CallRefused {
    SubjectReader reader = bans.get(call.text(0));
    if (reader == null) {
      throw new CallRefused("the first parameter is not a method that bans");
    }
    Call about = call.withoutFirst();
    Subject subject = reader.read(about);
    requireNotInSettings(subject, Verdict.BANNED);
    changes.lift(about, subject);
    return BooleanNode.TRUE;
  }

  /** All decisions, the texts that replace settings, and the lists of the settings. */
  private ObjectNode decisions() {
    ObjectNode result = JSON.objectNode();
    ArrayNode list = result.putArray("decisions");
    for (ModerationDecision decision : inForce.decisions().all()) {
      list.addObject()
          .put("subject", decision.subject().text())
          .put("verdict", decision.verdict().name().toLowerCase(Locale.ROOT))
          .put("at", decision.at())
          .put("by", decision.by())
          .put("reason", decision.reason());
    }
    result.set("texts", Call.JSON.valueToTree(inForce.texts()));
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
    JsonNode max = call.params().isEmpty() ? JSON.numberNode(100) : call.params().get(0);
    if (!max.isInt() || max.intValue() < 1) {
      throw new CallRefused("the first parameter is not a number from 1");
    }
    ArrayNode list = JSON.arrayNode();
    for (AuditEntry entry : inForce.audit().newest(max.intValue())) {
      list.add(Call.JSON.<ObjectNode>valueToTree(entry).without("login"));
    }
    return list;
  }

  private ArrayNode reports() throws CallRefused {
    if (reports == null) {
      throw new CallRefused("the queue of reports is switched off (nips.56)");
    }
    ArrayNode list = JSON.arrayNode();
    for (ReportedSubject reported : reports.queue()) {
      ArrayNode reporters =
          list.addObject()
              .put("subject", reported.subject().text())
              .put("newest", reported.newest())
              .put("summary", reported.summary())
              .putArray("reporters");
      reported.reporters().stream()
          .limit(MAX_NAMED_REPORTERS)
          .forEach(key -> reporters.add(Npub.of(key)));
    }
    return list;
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
