package gambit.core.store.disk.log;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.JsonStrings;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter that is compared with records. All conditions but those on tags are compared with the
 * packed form, and tags with their encoding, so that an event that matches is decoded no further.
 * Immutable; any thread.
 */
public final class RecordFilter {
  /** With more values, a condition on tags is compared with decoded tags. */
  private static final int MAX_ENCODED_VALUES = 8;

  private final Filter filter;
  private final int @Nullable [] sortedKinds;
  private final @Nullable PubKey onlyAuthor;

  /** For each condition on tags, the ways in which a tag that meets it may begin. */
  private final List<List<byte[]>> encodedTags = new ArrayList<>(1);

  public RecordFilter(Filter filter) {
    this.filter = filter;
    this.sortedKinds =
        filter.kinds() == null
            ? null
            : filter.kinds().stream().mapToInt(Integer::intValue).sorted().toArray();
    this.onlyAuthor =
        filter.authors() != null && filter.authors().size() == 1
            ? filter.authors().iterator().next()
            : null;
    filter.tags().forEach((letter, values) -> encodedTags.add(encoded(letter, values)));
  }

  /** The beginnings of tags with those values, up to the quote after the value. */
  private static List<byte[]> encoded(char letter, Set<String> values) {
    List<byte[]> tags = new ArrayList<>(1);
    if (values.size() <= MAX_ENCODED_VALUES) {
      for (String value : values) {
        byte[] json = JsonStrings.encode(value);
        if (JsonStrings.decode(json, 0, json.length).equals(value)) { // no half of a character
          byte[] start = ("[\"" + letter + "\",").getBytes(StandardCharsets.US_ASCII);
          byte[] tag = Arrays.copyOf(start, start.length + json.length);
          System.arraycopy(json, 0, tag, start.length, json.length);
          tags.add(tag);
        }
      }
    }
    return tags;
  }

  public Filter filter() {
    return filter;
  }

  /** Whether a packed event meets all conditions but those on tags. */
  boolean matchesIgnoringTags(ByteBuffer in, int packed) {
    return (sortedKinds == null
            || Arrays.binarySearch(sortedKinds, PackedEvent.kind(in, packed)) >= 0)
        && matchesAuthors(in, packed)
        && (filter.since() == null || PackedEvent.createdAt(in, packed) >= filter.since())
        && (filter.until() == null || PackedEvent.createdAt(in, packed) <= filter.until())
        && (filter.ids() == null || filter.ids().contains(PackedEvent.id(in, packed)));
  }

  private boolean matchesAuthors(ByteBuffer in, int packed) {
    if (onlyAuthor != null) {
      return PackedEvent.isBy(onlyAuthor, in, packed);
    }
    return filter.authors() == null || filter.authors().contains(PackedEvent.pubkey(in, packed));
  }

  /** Whether an event that meets all other conditions meets those on tags. */
  boolean matchesTags(Event event) {
    for (List<byte[]> tags : encodedTags) {
      if (!hasAny(event, tags)) {
        return filter.matches(event);
      }
    }
    return true;
  }

  private static boolean hasAny(Event event, List<byte[]> tags) {
    for (byte[] tag : tags) {
      if (hasTag(event, tag)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether any tag begins with those bytes. A bracket, a quote and a letter follow each other only
   * where a tag begins: in a text, a quote follows a backslash, and no letter follows its end.
   */
  private static boolean hasTag(Event event, byte[] tag) {
    byte[] json = event.json();
    int last = event.tagsEnd() - tag.length;
    for (int at = event.tagsAt() + 1; at <= last; at++) {
      if (json[at] == '['
          && json[at + 2] == tag[2]
          && Arrays.equals(json, at, at + tag.length, tag, 0, tag.length)) {
        return true;
      }
    }
    return false;
  }
}
