package gambit.core.replication.message;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of filters: a flag for each condition that may be absent, followed by the
 * condition. Stateless.
 */
final class FilterForm {
  /** The least bytes of a filter: seven flags and the number of tags. */
  private static final int FILTER_BYTES = 8;

  /** The least bytes of a tag: its letter and a count. */
  private static final int TAG_BYTES = 2;

  /** Sets up to this size are small enough that colliding values do no harm. */
  private static final int MAX_SMALL_SET_SIZE = 8;

  private FilterForm() {}

  static void write(List<Filter> filters, BinaryOutput out) {
    out.putNumber(filters.size());
    for (Filter filter : filters) {
      write(filter, out);
    }
  }

  private static void write(Filter filter, BinaryOutput out) {
    Set<EventId> ids = filter.ids();
    out.putFlag(ids != null);
    if (ids != null) {
      out.putIds(ids);
    }
    Set<PubKey> authors = filter.authors();
    out.putFlag(authors != null);
    if (authors != null) {
      out.putIds(authors);
    }
    Set<Integer> kinds = filter.kinds();
    out.putFlag(kinds != null);
    if (kinds != null) {
      out.putNumber(kinds.size());
      kinds.forEach(out::putNumber);
    }
    writeTags(filter.tags(), out);
    writeNumber(filter.since(), out);
    writeNumber(filter.until(), out);
    writeNumber(filter.limit(), out);
    String search = filter.search();
    out.putFlag(search != null);
    if (search != null) {
      out.putText(search);
    }
  }

  private static void writeTags(Map<Character, Set<String>> tags, BinaryOutput out) {
    out.putNumber(tags.size());
    tags.forEach(
        (letter, values) -> {
          out.putByte(letter);
          out.putNumber(values.size());
          values.forEach(out::putText);
        });
  }

  private static void writeNumber(@Nullable Long number, BinaryOutput out) {
    out.putFlag(number != null);
    if (number != null) {
      out.putNumber(number);
    }
  }

  static List<Filter> read(BinaryInput in) {
    return in.takeList(FILTER_BYTES, () -> readFilter(in));
  }

  private static Filter readFilter(BinaryInput in) {
    return new Filter(
        in.takeFlag() ? toSet(in.takeEventIds()) : null,
        in.takeFlag() ? toSet(in.takePubKeys()) : null,
        in.takeFlag() ? Set.copyOf(in.takeList(1, () -> in.takeNumber(Kind.MAX))) : null,
        readTags(in),
        readNumber(in),
        readNumber(in),
        readNumber(in),
        in.takeFlag() ? in.takeText() : null);
  }

  private static Map<Character, Set<String>> readTags(BinaryInput in) {
    Map<Character, Set<String>> tags = new HashMap<>();
    for (int i = in.takeCount(TAG_BYTES); i > 0; i--) {
      char letter = (char) in.takeByte();
      if (!isLetter(letter)) {
        throw new IllegalArgumentException("a tag's name must be a letter");
      }
      tags.put(letter, toSet(in.takeList(1, in::takeText)));
    }
    return Map.copyOf(tags);
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static @Nullable Long readNumber(BinaryInput in) {
    return in.takeFlag() ? in.takeNaturalNumber() : null;
  }

  /** Small sets are compact; in large ones, buckets with many colliding values become trees. */
  private static <T> Set<T> toSet(List<T> list) {
    Set<T> values = new LinkedHashSet<>(list);
    return values.size() <= MAX_SMALL_SET_SIZE
        ? Set.copyOf(values)
        : Collections.unmodifiableSet(values);
  }
}
