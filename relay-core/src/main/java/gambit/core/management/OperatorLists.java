package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.StoredEvents;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods that only the operator's commands call, which NIP-86 does not have. Confined to the
 * lane of management.
 *
 * <table>
 *   <caption>Methods</caption>
 *   <tr><td>{@code decisions}</td><td>all decisions, the texts that replace settings, and
 *       the lists of the settings</td></tr>
 *   <tr><td>{@code audit} [max]</td><td>the newest entries of the audit log</td></tr>
 *   <tr><td>{@code reports}</td><td>the queue of reports</td></tr>
 *   <tr><td>{@code identify} [hex]</td><td>whether 64 hex digits are an event or an author that is
 *       stored here or was decided on</td></tr>
 * </table>
 */
final class OperatorLists {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Set<String> METHODS = Set.of("decisions", "audit", "reports", "identify");

  /** The most reporters of one subject that are named. */
  private static final int MAX_NAMED_REPORTERS = 5;

  private final StoredEvents stored;
  private final Supplier<AdmissionPolicy> policy;
  private final Decisions decisions;
  private final Map<String, String> texts;
  private final AuditLog audit;
  private final @Nullable Reports reports;

  /**
   * Creates the methods.
   *
   * @param policy the policy of the settings in force
   * @param reports null if there is no queue of reports
   */
  OperatorLists(
      RelayBuilder relay,
      Supplier<AdmissionPolicy> policy,
      Decisions decisions,
      Map<String, String> texts,
      AuditLog audit,
      @Nullable Reports reports) {
    this.stored = relay.storedEvents();
    this.policy = policy;
    this.decisions = decisions;
    this.texts = texts;
    this.audit = audit;
    this.reports = reports;
  }

  boolean has(String method) {
    return METHODS.contains(method);
  }

  JsonNode call(Call call) throws CallRefused {
    return switch (call.method()) {
      case "decisions" -> decisions();
      case "audit" -> audit(call);
      case "reports" -> reports();
      default -> identify(call);
    };
  }

  private ObjectNode decisions() {
    ObjectNode result = JSON.objectNode();
    ArrayNode list = result.putArray("decisions");
    for (ModerationDecision decision : decisions.all()) {
      list.addObject()
          .put("subject", decision.subject().text())
          .put("verdict", decision.verdict().name().toLowerCase(Locale.ROOT))
          .put("at", decision.at())
          .put("by", decision.by())
          .put("reason", decision.reason());
    }
    ObjectNode replaced = result.putObject("texts");
    texts.forEach(replaced::put);
    ObjectNode settings = result.putObject("settings");
    AdmissionPolicy current = policy.get();
    settings.put("pubkeys", current.authors().accepted().size());
    settings.put("refused_pubkeys", current.authors().refused().size());
    settings.put("kinds", current.kinds().accepted().toString());
    settings.put("refused_kinds", current.kinds().refused().toString());
    return result;
  }

  private ArrayNode audit(Call call) throws CallRefused {
    JsonNode max = call.params().isEmpty() ? JSON.numberNode(100) : call.params().get(0);
    if (!max.isInt() || max.intValue() < 1) {
      throw new CallRefused("the first parameter is not a number from 1");
    }
    ArrayNode list = JSON.arrayNode();
    for (AuditEntry entry : audit.newest(max.intValue())) {
      list.addObject()
          .put("number", entry.number())
          .put("at", entry.at())
          .put("by", entry.by())
          .put("action", entry.action())
          .put("target", entry.target())
          .put("reason", entry.reason());
    }
    return list;
  }

  private ArrayNode reports() throws CallRefused {
    if (reports == null) {
      throw new CallRefused("the queue of reports is switched off (nips.56)");
    }
    ArrayNode list = JSON.arrayNode();
    for (ReportedSubject reported : reports.queue()) {
      ObjectNode one =
          list.addObject()
              .put("subject", reported.subject().text())
              .put("newest", reported.newest())
              .put("summary", reported.summary());
      ArrayNode reporters = one.putArray("reporters");
      reported.reporters().stream()
          .limit(MAX_NAMED_REPORTERS)
          .forEach(key -> reporters.add(Npub.of(key)));
    }
    return list;
  }

  private JsonNode identify(Call call) throws CallRefused {
    String hex = call.hex("an event id or a public key");
    EventId id = EventId.ofHex(hex);
    PubKey author = PubKey.ofHex(hex);
    if (isKnown(
        new Subject.OneEvent(id), new Filter(Set.of(id), null, null, Map.of(), null, null, null))) {
      return JSON.textNode("event");
    }
    boolean isAuthor =
        isKnown(
            new Subject.Author(author),
            new Filter(null, Set.of(author), null, Map.of(), null, null, null));
    return isAuthor ? JSON.textNode("pubkey") : JSON.nullNode();
  }

  /** Whether there is a decision on a subject, such as a removed event, or an event of it. */
  private boolean isKnown(Subject subject, Filter events) {
    return decisions.on(subject) != null || !stored.find(events, 1).isEmpty();
  }
}
