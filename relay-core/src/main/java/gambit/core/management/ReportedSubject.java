package gambit.core.management;

import gambit.core.model.PubKey;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * An author or an event that others have reported (NIP-56). Immutable.
 *
 * @param types the number of reports of each type
 * @param reporters their authors
 * @param newest {@code created_at} of the newest report, in seconds
 */
record ReportedSubject(
    Subject subject, SortedMap<String, Integer> types, SortedSet<PubKey> reporters, long newest) {

  /** The reports in words: {@code 3 reporters: spam 2, illegal 1}. */
  String summary() {
    StringBuilder text = new StringBuilder();
    text.append(reporters.size()).append(reporters.size() == 1 ? " reporter: " : " reporters: ");
    types.entrySet().stream()
        .sorted((a, b) -> b.getValue() - a.getValue())
        .forEach(
            type -> text.append(type.getKey()).append(' ').append(type.getValue()).append(", "));
    return text.substring(0, text.length() - 2);
  }
}
