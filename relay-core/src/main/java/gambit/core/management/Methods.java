package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import gambit.core.feature.RelayBuilder;
import gambit.core.management.ModerationDecision.Verdict;
import gambit.core.model.EventId;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.rate.ClientAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The methods of NIP-86 by name. A refusal by the settings cannot be lifted here, and wins over
 * every decision. Confined to the lane of management.
 */
final class Methods {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** The method of the operator that lifts a decision; NIP-86 has several. */
  private static final String LIFT = "lift";

  private static final String IN_SETTINGS = "in the settings: admission.";

  /** Carries out a call, and returns its result. */
  @FunctionalInterface
  interface Method {
    JsonNode call(Call call) throws CallRefused;
  }

  private final Map<String, Method> byName = new TreeMap<>();
  private final AuditedChanges changes;
  private final Decisions decisions;
  private final RelayBuilder relay;
  private final Supplier<Set<PubKey>> admins;
  private final Supplier<AdmissionPolicy> policy;

  /**
   * Creates the methods.
   *
   * @param admins the admins of the settings in force
   * @param policy the policy of the settings in force
   */
  Methods(
      AuditedChanges changes,
      Decisions decisions,
      RelayBuilder relay,
      Supplier<Set<PubKey>> admins,
      Supplier<AdmissionPolicy> policy) {
    this.changes = changes;
    this.decisions = decisions;
    this.relay = relay;
    this.admins = admins;
    this.policy = policy;
    add("banpubkey", this::banPubkey);
    add("unbanpubkey", this::unbanPubkey);
    byName.put("listbannedpubkeys", call -> pubkeys(Verdict.BANNED));
    add("allowpubkey", this::allowPubkey);
    add("unallowpubkey", this::unallowPubkey);
    byName.put("listallowedpubkeys", call -> pubkeys(Verdict.ALLOWED));
    add("banevent", this::banEvent);
    add("allowevent", this::allowEvent);
    byName.put("listbannedevents", call -> bannedEvents());
    add("allowkind", this::allowKind);
    add("disallowkind", this::disallowKind);
    byName.put("listallowedkinds", call -> kinds(Verdict.ALLOWED));
    byName.put("listdisallowedkinds", call -> kinds(Verdict.BANNED));
    add("blockip", this::blockIp);
    add("unblockip", this::unblockIp);
    byName.put("listblockedips", call -> blockedIps());
    add("changerelayname", call -> changeText(call, "name"));
    add("changerelaydescription", call -> changeText(call, "description"));
    add("changerelayicon", this::changeIcon);
  }

  /** A method whose result is {@code true}. */
  @FunctionalInterface
  private interface Change {
    void make(Call call) throws CallRefused;
  }

  private void add(String name, Change change) {
    byName.put(
        name,
        call -> {
          change.make(call);
          return BooleanNode.TRUE;
        });
  }

  /** Adds the method that lists the reported events. */
  void addReports(Reports reports) {
    byName.put(
        "listeventsneedingmoderation",
        call -> {
          ArrayNode list = JSON.arrayNode();
          for (ReportedSubject reported : reports.queue()) {
            if (reported.subject() instanceof Subject.OneEvent event) {
              list.addObject().put("id", event.id().hex()).put("reason", reported.summary());
            }
          }
          return list;
        });
  }

  /** Carries out a call. */
  JsonNode call(Call call) throws CallRefused {
    if (call.method().equals(LIFT) && call.by() instanceof Caller.Operator) {
      lift(call);
      return BooleanNode.TRUE;
    }
    if (call.method().equals("supportedmethods")) {
      ArrayNode names = JSON.arrayNode();
      byName.keySet().forEach(names::add);
      return names;
    }
    Method method = byName.get(call.method());
    if (method == null) {
      throw new CallRefused("this relay does not support the method; supportedmethods lists them");
    }
    return method.call(call);
  }

  private AdmissionPolicy.Authors authors() {
    return policy.get().authors();
  }

  private AdmissionPolicy.Kinds kinds() {
    return policy.get().kinds();
  }

  private static CallRefused isInSettings(String setting) {
    return new CallRefused(
        "it is in " + setting + " of the relay's settings, and can be removed only there");
  }

  /** Lifts the decision on a subject, whichever it is: {@code [<method that bans>, <subject>]}. */
  private void lift(Call call) throws CallRefused {
    Call about = call.withoutFirst();
    switch (call.text(0)) {
      case "banpubkey" -> {
        requireNotRefused(about.pubkey());
        changes.lift(about, new Subject.Author(about.pubkey()));
      }
      case "banevent" -> changes.lift(about, new Subject.OneEvent(about.event()));
      case "disallowkind" -> {
        requireNotRefused(about.kind());
        changes.lift(about, new Subject.OneKind(about.kind()));
      }
      case "blockip" -> changes.lift(about, new Subject.Address(about.address()));
      default -> throw new CallRefused("the first parameter is not a method that bans");
    }
  }

  private void banPubkey(Call call) throws CallRefused {
    PubKey key = call.pubkey();
    if (key.equals(relay.signer().pubkey())) {
      throw new CallRefused("this is the relay's own key");
    } else if (admins.get().contains(key)) {
      throw new CallRefused("this is the key of an admin; remove it from management.admins first");
    }
    changes.decide(call, new Subject.Author(key), Verdict.BANNED, List.of());
  }

  private void unbanPubkey(Call call) throws CallRefused {
    requireNotRefused(call.pubkey());
    changes.lift(call, new Subject.Author(call.pubkey()), Verdict.BANNED);
  }

  private void allowPubkey(Call call) throws CallRefused {
    requireNotRefused(call.pubkey());
    changes.decide(call, new Subject.Author(call.pubkey()), Verdict.ALLOWED, List.of());
  }

  private void requireNotRefused(PubKey key) throws CallRefused {
    if (authors().refused().contains(key)) {
      throw isInSettings("admission.refused_pubkeys");
    }
  }

  private void unallowPubkey(Call call) throws CallRefused {
    if (authors().accepted().contains(call.pubkey())) {
      throw isInSettings("admission.pubkeys");
    }
    changes.lift(call, new Subject.Author(call.pubkey()), Verdict.ALLOWED);
  }

  private ArrayNode pubkeys(Verdict verdict) {
    Map<String, String> reasons = new TreeMap<>();
    boolean isBanned = verdict == Verdict.BANNED;
    (isBanned ? authors().refused() : authors().accepted())
        .forEach(
            key ->
                reasons.put(key.hex(), IN_SETTINGS + (isBanned ? "refused_pubkeys" : "pubkeys")));
    for (ModerationDecision decision : decisions.all(Subject.Author.class, verdict)) {
      reasons.put(((Subject.Author) decision.subject()).key().hex(), decision.reason());
    }
    return list("pubkey", reasons);
  }

  private static ArrayNode list(String field, Map<String, String> reasons) {
    ArrayNode list = JSON.arrayNode();
    reasons.forEach((value, reason) -> list.addObject().put(field, value).put("reason", reason));
    return list;
  }

  private void banEvent(Call call) throws CallRefused {
    EventId id = call.event();
    changes.decide(call, new Subject.OneEvent(id), Verdict.BANNED, List.of(id));
  }

  private void allowEvent(Call call) throws CallRefused {
    changes.decide(call, new Subject.OneEvent(call.event()), Verdict.ALLOWED, List.of());
  }

  private ArrayNode bannedEvents() {
    Map<String, String> reasons = new TreeMap<>();
    for (ModerationDecision decision : decisions.all(Subject.OneEvent.class, Verdict.BANNED)) {
      reasons.put(((Subject.OneEvent) decision.subject()).id().hex(), decision.reason());
    }
    return list("id", reasons);
  }

  private void allowKind(Call call) throws CallRefused {
    requireNotRefused(call.kind());
    changes.decide(call, new Subject.OneKind(call.kind()), Verdict.ALLOWED, List.of());
  }

  private void requireNotRefused(int kind) throws CallRefused {
    if (kinds().refused().contains(kind)) {
      throw isInSettings("admission.refused_kinds");
    }
  }

  private void disallowKind(Call call) throws CallRefused {
    changes.decide(call, new Subject.OneKind(call.kind()), Verdict.BANNED, List.of());
  }

  private ArrayNode kinds(Verdict verdict) {
    KindSet ofSettings = verdict == Verdict.BANNED ? kinds().refused() : kinds().accepted();
    Set<Integer> all = new TreeSet<>();
    ofSettings.stream().forEach(all::add);
    decisions
        .all(Subject.OneKind.class, verdict)
        .forEach(it -> all.add(((Subject.OneKind) it.subject()).kind()));
    ArrayNode list = JSON.arrayNode();
    all.forEach(list::add);
    return list;
  }

  private void blockIp(Call call) throws CallRefused {
    ClientAddress address = call.address();
    if (address.isLoopback()) {
      throw new CallRefused(
          "this machine, with its commands and the house player, has the address");
    } else if (call.by() instanceof Caller.Admin admin && admin.client().equals(address)) {
      throw new CallRefused("it is your own address: the relay would refuse your next call");
    }
    changes.decide(call, new Subject.Address(address), Verdict.BANNED, List.of());
    relay.disconnect(address::equals);
  }

  private void unblockIp(Call call) throws CallRefused {
    changes.lift(call, new Subject.Address(call.address()), Verdict.BANNED);
  }

  private ArrayNode blockedIps() {
    Map<String, String> reasons = new TreeMap<>();
    for (ModerationDecision decision : decisions.all(Subject.Address.class, Verdict.BANNED)) {
      reasons.put(((Subject.Address) decision.subject()).address().toString(), decision.reason());
    }
    return list("ip", reasons);
  }

  private void changeText(Call call, String field) throws CallRefused {
    changes.setText(call, field, call.description());
    relay.informationChanged();
  }

  private void changeIcon(Call call) throws CallRefused {
    String url = call.text(0).strip();
    if (!url.isEmpty() && !isWebUrl(url)) {
      throw new CallRefused("the icon is not an http:// or https:// URL");
    }
    changeText(call, "icon");
  }

  private static boolean isWebUrl(String text) {
    try {
      URI url = URI.create(text);
      return url.getHost() != null && String.valueOf(url.getScheme()).matches("(?i)https?");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
