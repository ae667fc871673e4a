package gambit.core.live;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of an event's one-letter tags by letter, so that matching an event with thousands of
 * tags does not search them for each filter. Immutable.
 */
final class TagValues {
  private final Map<Character, Set<String>> byLetter = new HashMap<>();

  TagValues(Event event) {
    for (List<String> tag : event.tags().list()) {
      if (tag.size() > 1 && tag.get(0).length() == 1) {
        byLetter.computeIfAbsent(tag.get(0).charAt(0), letter -> new HashSet<>()).add(tag.get(1));
      }
    }
  }

  /** Whether the filter's conditions on tags match. */
  boolean match(Filter filter) {
    for (Map.Entry<Character, Set<String>> wanted : filter.tags().entrySet()) {
      Set<String> there = byLetter.getOrDefault(wanted.getKey(), Set.of());
      if (Collections.disjoint(there, wanted.getValue())) {
        return false;
      }
    }
    return true;
  }
}
