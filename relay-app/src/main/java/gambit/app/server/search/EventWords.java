package gambit.app.server.search;

import gambit.core.model.Event;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The words of one event, against which searches are matched without the index. Immutable. */
final class EventWords {
  private final List<String> inOrder;
  private final Set<String> all;
  private final boolean isSensitive;

  EventWords(Event event, WordAnalyzer analyzer) {
    this.inOrder = analyzer.words(EventText.of(event).all());
    this.all = new HashSet<>(inOrder);
    this.isSensitive = isSensitive(event);
  }

  /** Whether the event has a content warning (NIP-36). */
  static boolean isSensitive(Event event) {
    return event.tags().has("content-warning");
  }

  boolean match(SearchText search) {
    return !search.phrases().isEmpty()
        && !(search.excludesSensitive() && isSensitive)
        && search.phrases().stream().allMatch(this::contain);
  }

  private boolean contain(Phrase phrase) {
    return all.containsAll(phrase.words()) && (phrase.words().size() == 1 || phrase.isIn(inOrder));
  }
}
