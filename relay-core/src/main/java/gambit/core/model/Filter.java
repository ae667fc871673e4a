package gambit.core.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a REQ (NIP-01): all conditions that are present must hold. An absent list is {@code
 * null}; an empty one matches nothing. Immutable.
 *
 * @param tags values by tag letter, a–z and A–Z; only a tag's first value counts
 * @param limit how many stored events are wanted at most, or absent
 */
public record Filter(
    @Nullable Set<EventId> ids,
    @Nullable Set<PubKey> authors,
    @Nullable Set<Integer> kinds,
    Map<Character, Set<String>> tags,
    @Nullable Long since,
    @Nullable Long until,
    @Nullable Long limit) {

  /** A tag's value of at most this many characters counts as one. */
  private static final int VALUE_UNIT_CHARS = 64;

  /** Tells, from the filter alone, that no event can match it. */
  public boolean isImpossible() {
    return (ids != null && ids.isEmpty())
        || (authors != null && authors.isEmpty())
        || (kinds != null && kinds.isEmpty())
        || tags.values().stream().anyMatch(Set::isEmpty)
        || (since != null && until != null && since > until);
  }

  /**
   * How many values the lists have together: what a filter costs to keep. A long value of a tag
   * counts once more for each 64 characters beyond its first 64.
   */
  public int valueCount() {
    int count = size(ids) + size(authors) + size(kinds);
    for (Set<String> values : tags.values()) {
      count +=
          values.stream()
              .mapToInt(value -> 1 + Math.max(0, value.length() - 1) / VALUE_UNIT_CHARS)
              .sum();
    }
    return count;
  }

  /** Tells whether the event meets every condition; {@code limit} is none. */
  public boolean matches(Event event) {
    return matchesIgnoringTags(event) && matchesTags(event);
  }

  /** Tells whether the event meets every condition but those on tags. */
  public boolean matchesIgnoringTags(Event event) {
    return (ids == null || ids.contains(event.id()))
        && (kinds == null || kinds.contains(event.kind()))
        && (authors == null || authors.contains(event.pubkey()))
        && (since == null || event.createdAt() >= since)
        && (until == null || event.createdAt() <= until);
  }

  private boolean matchesTags(Event event) {
    for (Map.Entry<Character, Set<String>> wanted : tags.entrySet()) {
      if (!hasTag(event, wanted.getKey(), wanted.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasTag(Event event, char letter, Set<String> values) {
    for (List<String> tag : event.tags().list()) {
      String name = tag.get(0);
      if (tag.size() > 1
          && name.length() == 1
          && name.charAt(0) == letter
          && values.contains(tag.get(1))) {
        return true;
      }
    }
    return false;
  }

  private static int size(@Nullable Set<?> values) {
    return values == null ? 0 : values.size();
  }
}
