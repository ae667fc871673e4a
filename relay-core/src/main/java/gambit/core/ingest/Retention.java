package gambit.core.ingest;

import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long a relay keeps events that nobody has deleted. Immutable.
 *
 * @param rules each limits the age of some events
 * @param maxBytes approximate bound on the size of the stored events; beyond it, the oldest are
 *     removed; 0 for no bound
 */
public record Retention(List<Rule> rules, long maxBytes) {
  /** Keeps all events. */
  public static final Retention FOREVER = new Retention(List.of(), 0);

  /**
   * The maximum age of events of some kinds.
   *
   * @param kinds null for all kinds
   */
  public record Rule(@Nullable Set<Integer> kinds, Duration age) {
    private static final Pattern FORM =
        Pattern.compile("(\\*|[0-9+-]{1,200})\\s+([1-9][0-9]{0,4})d");

    /**
     * Reads {@code <kinds> <days>d}, where the kinds are {@code *}, or kinds and ranges joined by
     * {@code +}: {@code 7+1000-1999 30d}.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static Rule parse(String text) {
      Matcher parts = FORM.matcher(text.strip());
      if (!parts.matches()) {
        throw new IllegalArgumentException(text + " is not of the form 7+1000-1999 30d");
      }
      String kinds = parts.group(1);
      return new Rule(
          kinds.equals("*") ? null : kinds(kinds), Duration.ofDays(Long.parseLong(parts.group(2))));
    }

    private static Set<Integer> kinds(String text) {
      Set<Integer> kinds = new HashSet<>();
      for (String range : text.split("\\+", -1)) {
        String[] ends = range.split("-", -1);
        if (ends.length > 2) {
          throw new IllegalArgumentException(range + " is not a range of kinds");
        }
        int last = kind(ends[ends.length - 1]);
        for (int kind = kind(ends[0]); kind <= last; kind++) {
          kinds.add(kind);
        }
      }
      return Set.copyOf(kinds);
    }

    private static int kind(String text) {
      if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > Kind.MAX) {
        throw new IllegalArgumentException(text + " is not a kind");
      }
      return Integer.parseInt(text);
    }
  }

  public Retention {
    rules = List.copyOf(rules);
    if (maxBytes < 0) {
      throw new IllegalArgumentException("max_bytes must not be negative");
    }
  }

  /** A portion of the events that are not to be kept; empty when there are none. */
  List<StoredEvent> surplus(Transaction transaction, long storeBytes, Instant now, int max) {
    for (Rule rule : rules) {
      long until = now.getEpochSecond() - rule.age().toSeconds();
      Filter old = new Filter(null, null, rule.kinds(), Map.of(), null, until, null);
      List<StoredEvent> found = until < 0 ? List.of() : transaction.find(old, max);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return maxBytes > 0 && storeBytes > maxBytes
        ? oldest(transaction, storeBytes - maxBytes, max)
        : List.of();
  }

  /** The oldest events whose encodings add up to that number of bytes. */
  private static List<StoredEvent> oldest(Transaction transaction, long bytes, int max) {
    List<StoredEvent> oldest = transaction.oldest(max);
    long left = bytes;
    int count = 0;
    while (count < oldest.size() && left > 0) {
      left -= oldest.get(count++).event().json().length;
    }
    return oldest.subList(0, count);
  }
}
