package gambit.core.management;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The queue of reports (NIP-56): what the stored reports are about, without authors and events that
 * were decided on, reports of banned authors, and what is not stored here. It is made from the
 * newest {@value #MAX_REPORTS} reports at each request; nothing is kept. On the lane of management.
 */
final class Reports {
  static final int KIND = 1984;

  static final int MAX_REPORTS = 10_000;

  /** The most subjects that are listed, those with the most reporters. */
  static final int MAX_SUBJECTS = 500;

  /** The longest JSON of an event that is shown, and of all events together. */
  static final int MAX_EVENT_CHARS = 32 * 1024;

  static final int MAX_CHARS_OF_EVENTS = 2 << 20;

  /** Of a subject: the most texts that are shown, and the length at which they are cut. */
  private static final int MAX_REASONS = 5;

  private static final int MAX_REASON_CHARS = 300;

  /** Messages that are meant for their recipients only. */
  private static final KindSet PRIVATE = KindSet.parse("4+13-15+1059-1060+21059");

  /** The most subjects that are looked up in the store, those with the most reporters. */
  private static final int MAX_LOOKED_UP = 20_000;

  private static final Set<String> TYPES =
      Set.of("nudity", "malware", "profanity", "illegal", "spam", "impersonation", "other");

  private static final int MAX_NAMED_REPORTERS = 5;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final StoredEvents stored;
  private final Decisions decisions;

  Reports(StoredEvents stored, Decisions decisions) {
    this.stored = stored;
    this.decisions = decisions;
  }

  ArrayNode events() {
    ArrayNode list = JSON.arrayNode();
    for (ReportedSubject reported : queue()) {
      if (reported.subject instanceof Subject.OneEvent event) {
        list.addObject().put("id", event.value()).put("reason", reported.summary());
      }
    }
    return list;
  }

  /** The queue, of at most that length, with the reported events and the texts. */
  ArrayNode json(int max) {
    ArrayNode list = JSON.arrayNode();
    int eventChars = 0;
    for (ReportedSubject reported : queue().stream().limit(max).toList()) {
      ObjectNode each = list.addObject();
      Optional<Event> event = find(reported.subject, Set.of(0), stored); // or a profile
      reported.describe(each, event);
      String json =
          event.filter(it -> !PRIVATE.contains(it.kind())).map(Event::toString).orElse("");
      if (!json.isEmpty()
          && json.length() <= MAX_EVENT_CHARS
          && eventChars + json.length() <= MAX_CHARS_OF_EVENTS) {
        eventChars += json.length();
        each.putRawValue("event", new RawValue(json));
      }
    }
    return list;
  }

  private List<ReportedSubject> queue() {
    Filter reports = Filter.of(null, Set.of(KIND), Map.of());
    Map<Subject, ReportedSubject> bySubject = new HashMap<>();
    for (Event report : stored.find(reports, MAX_REPORTS)) {
      if (!decisions.isBanned(new Subject.Author(report.pubkey()))) {
        reportedBy(report)
            .forEach(
                (subject, type) ->
                    bySubject.computeIfAbsent(subject, ReportedSubject::new).add(report, type));
      }
    }
    bySubject.keySet().removeIf(decisions::has);
    return bySubject.values().stream()
        .sorted(
            Comparator.comparingInt((ReportedSubject it) -> -it.reporters.size())
                .thenComparingLong(it -> -it.newest)
                .thenComparing(it -> it.subject.text()))
        .limit(MAX_LOOKED_UP)
        .filter(it -> isStored(it.subject, stored))
        .limit(MAX_SUBJECTS)
        .toList();
  }

  /**
   * What a report is about, with the type: the events in its {@code e} tags; without any, the
   * authors in its {@code p} tags.
   */
  private static Map<Subject, String> reportedBy(Event report) {
    // that of a reported file, whose x tag accompanies that of the event with it
    String typeOfFile =
        report.tags().named("x").findFirst().map(tag -> type(tag, "other")).orElse("other");
    Map<Subject, String> reported = new HashMap<>();
    for (List<String> tag : named(report, "e")) {
      reported.putIfAbsent(new Subject.OneEvent(EventId.ofHex(tag.get(1))), type(tag, typeOfFile));
    }
    if (reported.isEmpty()) {
      for (List<String> tag : named(report, "p")) {
        reported.putIfAbsent(new Subject.Author(PubKey.ofHex(tag.get(1))), type(tag, "other"));
      }
    }
    return reported;
  }

  private static String type(List<String> tag, String otherwise) {
    return tag.size() > 2 && TYPES.contains(tag.get(2)) ? tag.get(2) : otherwise;
  }

  private static List<List<String>> named(Event report, String name) {
    return report
        .tags()
        .named(name)
        .filter(tag -> tag.size() > 1 && Hex.isLowerCase(tag.get(1), 64))
        .limit(20)
        .toList();
  }

  static boolean isStored(Subject subject, StoredEvents stored) {
    return find(subject, null, stored).isPresent();
  }

  /** An event, or the newest one of an author, of some kinds or any. */
  private static Optional<Event> find(
      Subject subject, @Nullable Set<Integer> kindsOfAuthor, StoredEvents stored) {
    if (subject instanceof Subject.OneEvent event) {
      return stored.find(event.id());
    }
    Set<PubKey> author = Set.of(((Subject.Author) subject).key());
    Filter filter = new Filter(null, author, kindsOfAuthor, Map.of(), null, null, null);
    return stored.find(filter, 1).stream().findFirst();
  }

  /** An author or an event that others have reported. Confined to the lane of management. */
  private static final class ReportedSubject {
    private final Subject subject;
    private final SortedMap<String, Integer> types = new TreeMap<>(); // reports of each
    private final SortedSet<PubKey> reporters = new TreeSet<>();
    private final List<String> reasons = new ArrayList<>(); // of the newest reports
    private long newest; // created_at of the newest report

    private ReportedSubject(Subject subject) {
      this.subject = subject;
    }

    /** Counts a report; of a reporter with several, the newest, which comes first. */
    private void add(Event report, String type) {
      if (reporters.add(report.pubkey())) {
        types.merge(type, 1, Integer::sum);
        newest = Math.max(newest, report.createdAt());
        String text = report.content().strip();
        if (!text.isEmpty() && reasons.size() < MAX_REASONS) {
          reasons.add(
              text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS));
        }
      }
    }

    private void describe(ObjectNode json, Optional<Event> event) {
      if (subject instanceof Subject.OneEvent one) {
        json.put("subject", Nip19.note(one.id())).put("type", "event");
        event.ifPresent(it -> json.put("author", it.pubkey().hex()));
      } else {
        json.put("subject", subject.text()).put("type", "author").put("author", subject.value());
      }
      json.put("id", subject.value()).put("newest", newest).put("summary", summary());
      ArrayNode named = json.putArray("reporters");
      reporters.stream().limit(MAX_NAMED_REPORTERS).forEach(key -> named.add(Nip19.npub(key)));
      reasons.forEach(json.putArray("reasons")::add);
    }

    /** The reports in words: {@code 3 reporters: spam 2, illegal 1}. */
    String summary() {
      return reporters.size()
          + (reporters.size() == 1 ? " reporter: " : " reporters: ")
          + types.entrySet().stream()
              .sorted((a, b) -> b.getValue() - a.getValue())
              .map(type -> type.getKey() + " " + type.getValue())
              .collect(Collectors.joining(", "));
    }
  }
}
