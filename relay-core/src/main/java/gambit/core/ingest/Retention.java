package gambit.core.ingest;

import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long a relay keeps events that nobody has deleted. Immutable.
 *
 * @param rules the first rule that covers an event decides how long it is kept, so that a rule can
 *     be an exception to later ones; an event that no rule covers is kept for ever
 * @param maxBytes approximate bound on the size of the stored events; beyond it, the oldest are
 *     removed, whatever the rules say; 0 for no bound
 */
public record Retention(List<Rule> rules, long maxBytes) {
  /** The most rules; an event is compared with each of them. */
  static final int MAX_RULES = 1000;

  public static final Retention FOREVER = new Retention(List.of(), 0);

  /** The maximum age of events of kinds and authors; no authors are all, no age is for ever. */
  public record Rule(KindSet kinds, Set<PubKey> authors, @Nullable Duration age) {
    private static final Pattern FORM =
        Pattern.compile("(\\S+)(?:\\s+(\\S+))?\\s+(?:([1-9][0-9]{0,4})([dh])|forever)");

    public Rule {
      authors = Set.copyOf(authors);
    }

    /**
     * Reads {@code <kinds> [<authors>] <age>}: the kinds are as in {@link KindSet#parse(String)},
     * the authors are keys in hex or as npub, joined by {@code +}, and the age is a number of days
     * or hours, or {@code forever}: {@code 7+1000-1999 30d}.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static Rule parse(String text) {
      Matcher parts = FORM.matcher(text.strip());
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "expected kinds, authors if not all, and an age, as in 7+1000-1999 30d or"
                + " * npub1... forever");
      }
      KindSet kinds = KindSet.parse(parts.group(1));
      Set<PubKey> authors = parts.group(2) == null ? Set.of() : authors(parts.group(2));
      if (parts.group(3) == null) {
        return new Rule(kinds, authors, null);
      }
      long number = Long.parseLong(parts.group(3));
      boolean days = parts.group(4).equals("d");
      return new Rule(kinds, authors, days ? Duration.ofDays(number) : Duration.ofHours(number));
    }

    private static Set<PubKey> authors(String text) {
      Set<PubKey> authors = new HashSet<>();
      for (String key : text.split("\\+", -1)) {
        boolean isHex = key.matches("[0-9a-fA-F]{64}");
        authors.add(
            Nip19.keyOrHex(isHex ? key.toLowerCase(Locale.ROOT) : key)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "expected public keys, as npub or 64 hex digits, joined by +")));
      }
      return authors;
    }

    boolean covers(Event event) {
      return kinds.contains(event.kind())
          && (authors.isEmpty() || authors.contains(event.pubkey()));
    }

    private boolean overlaps(Rule other) {
      return kinds.intersects(other.kinds)
          && (authors.isEmpty()
              || other.authors.isEmpty()
              || authors.stream().anyMatch(other.authors::contains));
    }

    /** Whether all events that the other rule covers are covered by this one. */
    private boolean coversAllOf(Rule other) {
      return (authors.isEmpty() || (!other.authors.isEmpty() && authors.containsAll(other.authors)))
          && (kinds.isAll() || kinds.containsAll(other.kinds));
    }

    private boolean keepsLongerThan(Duration time) {
      return age == null || age.compareTo(time) > 0;
    }
  }

  public Retention {
    rules = List.copyOf(rules);
    if (rules.size() > MAX_RULES) {
      throw new IllegalArgumentException(
          "retention may have at most %s rules; authors with the same rule are joined by +"
              .formatted(MAX_RULES));
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("max_bytes must not be negative");
    }
    for (int i = 0; i < rules.size(); i++) {
      for (int earlier = 0; earlier < i; earlier++) {
        if (rules.get(earlier).coversAllOf(rules.get(i))) {
          throw new IllegalArgumentException(
              ("rule %s of retention never applies, because rule %s covers its events; the first"
                      + " rule that covers an event decides")
                  .formatted(i + 1, earlier + 1));
        }
      }
    }
  }

  @Nullable Rule ruleFor(Event event) {
    return rules.stream().filter(rule -> rule.covers(event)).findFirst().orElse(null);
  }

  /** Whether an earlier rule may keep events longer that the rule with this index covers, too. */
  boolean hasExceptions(int index) {
    Rule rule = rules.get(index);
    Duration age = rule.age();
    return age != null
        && rules.subList(0, index).stream()
            .anyMatch(earlier -> earlier.keepsLongerThan(age) && earlier.overlaps(rule));
  }
}
