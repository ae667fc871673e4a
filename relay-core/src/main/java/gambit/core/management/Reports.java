package gambit.core.management;

import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.KindSet;
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

  private final StoredEvents stored;
  private final Decisions decisions;

  Reports(StoredEvents stored, Decisions decisions) {
    this.stored = stored;
    this.decisions = decisions;
  }

  /** The queue: the subjects with the most reporters first. */
  List<ReportedSubject> queue() {
    Filter reports = new Filter(null, null, Set.of(KIND), Map.of(), null, null, null);
    Map<Subject, ReportedSubject> bySubject = new HashMap<>();
    for (Event report : stored.find(reports, MAX_REPORTS)) {
      if (!decisions.isBanned(new Subject.Author(report.pubkey()))) {
        collect(report, bySubject);
      }
    }
    return bySubject.values().stream()
        .sorted(
            Comparator.comparingInt((ReportedSubject it) -> -it.reporters().size())
                .thenComparingLong(it -> -it.newest())
                .thenComparing(it -> it.subject().text()))
        .limit(MAX_LOOKED_UP)
        .filter(it -> isStored(it.subject(), stored))
        .limit(MAX_SUBJECTS)
        .toList();
  }

  private void collect(Event report, Map<Subject, ReportedSubject> bySubject) {
    for (Map.Entry<Subject, String> reported : reportedBy(report).entrySet()) {
      if (!decisions.has(reported.getKey())) {
        bySubject
            .computeIfAbsent(reported.getKey(), ReportedSubject::new)
            .add(report, reported.getValue());
      }
    }
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

  /** The reported event, or the profile of a reported author. */
  Optional<Event> event(Subject subject) {
    if (subject instanceof Subject.OneEvent event) {
      return stored.find(event.id());
    }
    PubKey author = ((Subject.Author) subject).key();
    Filter profile = new Filter(null, Set.of(author), Set.of(0), Map.of(), null, null, null);
    return stored.find(profile, 1).stream().findFirst();
  }

  /** Whether an event is not only for its recipients. */
  static boolean isForEverybody(Event event) {
    return !PRIVATE.contains(event.kind());
  }

  /** Whether an event, or one of an author, is stored. */
  static boolean isStored(Subject subject, StoredEvents stored) {
    Filter filter =
        subject instanceof Subject.OneEvent event
            ? Filter.ofId(event.id())
            : new Filter(
                null, Set.of(((Subject.Author) subject).key()), null, Map.of(), null, null, null);
    return !stored.find(filter, 1).isEmpty();
  }

  /** An author or an event that others have reported. Confined to the lane of management. */
  static final class ReportedSubject {
    private final Subject subject;
    private final SortedMap<String, Integer> types = new TreeMap<>(); // reports of each
    private final SortedSet<PubKey> reporters = new TreeSet<>();
    private final List<String> reasons = new ArrayList<>();
    private long newest;

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

    Subject subject() {
      return subject;
    }

    SortedSet<PubKey> reporters() {
      return reporters;
    }

    /** What the newest reports say, of any form, cut. */
    List<String> reasons() {
      return reasons;
    }

    /** {@code created_at} of the newest report, in seconds. */
    long newest() {
      return newest;
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
