package gambit.core.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a REQ (NIP-01): an event must meet all its conditions. An absent list is {@code
 * null}; an empty list matches nothing. Immutable.
 *
 * @param tags values by tag letter, a–z and A–Z; only the first value of a tag is compared
 * @param search the text that is searched for (NIP-50), or null; {@link #matches} ignores it
 */
public record Filter(
    @Nullable Set<EventId> ids,
    @Nullable Set<PubKey> authors,
    @Nullable Set<Integer> kinds,
    Map<Character, Set<String>> tags,
    @Nullable Long since,
    @Nullable Long until,
    @Nullable Long limit,
    @Nullable String search) {
  /** A tag's value counts as one value for each started group of this many characters. */
  private static final int VALUE_UNIT_CHARS = 64;

  /** The number of values for which a search counts: for its results and its live matching. */
  private static final int SEARCH_VALUES = 200;

  public Filter(
      @Nullable Set<EventId> ids,
      @Nullable Set<PubKey> authors,
      @Nullable Set<Integer> kinds,
      Map<Character, Set<String>> tags,
      @Nullable Long since,
      @Nullable Long until,
      @Nullable Long limit) {
    this(ids, authors, kinds, tags, since, until, limit, null);
  }

  public static Filter ofId(EventId id) {
    return new Filter(Set.of(id), null, null, Map.of(), null, null, null);
  }

  /** The filter for events of some authors, or all, and kinds, with some tags. */
  public static Filter of(
      @Nullable Set<PubKey> authors, Set<Integer> kinds, Map<Character, Set<String>> tags) {
    return new Filter(null, authors, kinds, tags, null, null, null);
  }

  /** This filter with other conditions on authors, kinds and tags, and without a search. */
  public Filter with(
      @Nullable Set<PubKey> otherAuthors,
      @Nullable Set<Integer> otherKinds,
      Map<Character, Set<String>> otherTags) {
    return new Filter(ids, otherAuthors, otherKinds, otherTags, since, until, limit);
  }

  /** Whether the filter alone shows that no event can match it. */
  public boolean isImpossible() {
    return (ids != null && ids.isEmpty())
        || (authors != null && authors.isEmpty())
        || (kinds != null && kinds.isEmpty())
        || (!tags.isEmpty() && tags.values().stream().anyMatch(Set::isEmpty))
        || (since != null && until != null && since > until);
  }

  /**
   * The number of values in all lists: the memory cost of the filter. A tag's value longer than 64
   * characters counts once more for each further 64 characters; a search counts for 200 values.
   */
  public int valueCount() {
    int count = size(ids) + size(authors) + size(kinds) + (search == null ? 0 : SEARCH_VALUES);
    for (Set<String> values : tags.values()) {
      count +=
          values.stream()
              .mapToInt(value -> 1 + Math.max(0, value.length() - 1) / VALUE_UNIT_CHARS)
              .sum();
    }
    return count;
  }

  /** Whether the event meets every condition; {@code limit} and {@code search} are none. */
  public boolean matches(Event event) {
    return matchesIgnoringTags(event) && matchesTags(event);
  }

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
