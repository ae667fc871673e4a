package gambit.core.wire;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads one filter object of a REQ (NIP-01). Used by one thread for one filter. */
final class FilterReader {
  /** Sets up to this size are small enough that colliding values do no harm. */
  private static final int MAX_SMALL_SET_SIZE = 8;

  /** Digits of the largest unsigned 64-bit integer, which some clients send for "no bound". */
  private static final int MAX_DIGITS = 20;

  /** Maximum length of a text to search for, in UTF-16 code units. */
  private static final int MAX_SEARCH_LENGTH = 1_000;

  private final JsonScanner in;
  private final boolean takesSearch;
  private @Nullable Set<EventId> ids;
  private @Nullable Set<PubKey> authors;
  private @Nullable Set<Integer> kinds;
  private final Map<Character, Set<String>> tags = new HashMap<>();
  private @Nullable Long since;
  private @Nullable Long until;
  private @Nullable Long limit;
  private @Nullable String search;

  /** {@code takesSearch} is whether {@code search} (NIP-50) is a known field. */
  FilterReader(JsonScanner in, boolean takesSearch) {
    this.in = in;
    this.takesSearch = takesSearch;
  }

  /** Reads the filter, which is of no use if the scanner has failed. */
  Filter read() {
    if (in.peek() != '{') {
      refuse("a filter must be an object");
    }
    in.takeFields(this::takeField);
    return new Filter(ids, authors, kinds, Map.copyOf(tags), since, until, limit, search);
  }

  private void takeField(String field) {
    switch (field) {
      case "ids" -> ids = takeSet(field, true, EventId::ofHex);
      case "authors" -> authors = takeSet(field, true, PubKey::ofHex);
      case "kinds" -> kinds = takeKinds();
      case "since" -> since = in.takeNaturalNumber(field, MAX_DIGITS);
      case "until" -> until = in.takeNaturalNumber(field, MAX_DIGITS);
      case "limit" -> limit = in.takeNaturalNumber(field, MAX_DIGITS);
      default -> {
        if (takesSearch && field.equals("search")) {
          search = takeSearch();
        } else {
          takeTag(field);
        }
      }
    }
  }

  private String takeSearch() {
    if (in.peek() != '"') {
      refuse("search must be a string");
    }
    String text = in.takeText();
    if (text.length() > MAX_SEARCH_LENGTH) {
      refuse("search must have at most " + MAX_SEARCH_LENGTH + " characters");
    }
    return text;
  }

  private void takeTag(String field) {
    if (field.length() != 2 || field.charAt(0) != '#' || !isLetter(field.charAt(1))) {
      in.refuse(Reason.unsupported("unknown filter field"));
      return;
    }
    boolean isHex = field.equals("#e") || field.equals("#p");
    tags.put(field.charAt(1), takeSet(field, isHex, text -> text));
  }

  private <T> Set<T> takeSet(String field, boolean isHex, Function<String, T> value) {
    Set<T> values = new LinkedHashSet<>();
    takeElements(
        field,
        () -> {
          if (in.peek() != '"') {
            refuse(field + " must be an array of strings");
          }
          String text = in.takeText();
          if (!isHex || Hex.isLowerCase(text, 64)) {
            values.add(value.apply(text));
          } else {
            refuse(field + " must hold 64 lower-case hex digits each");
          }
        });
    return values.size() <= MAX_SMALL_SET_SIZE
        ? Set.copyOf(values) // compact: most filters are this small and stay for long
        : Collections.unmodifiableSet(values); // buckets with many colliding strings become trees
  }

  private Set<Integer> takeKinds() {
    Set<Integer> values = new LinkedHashSet<>(2);
    takeElements(
        "kinds",
        () -> {
          long kind = in.takeNaturalNumber("a kind", MAX_DIGITS);
          if (kind > Kind.MAX) {
            refuse("a kind must be at most " + Kind.MAX);
          }
          values.add((int) kind);
        });
    return Set.copyOf(values);
  }

  private void takeElements(String field, Runnable takeElement) {
    if (in.peek() != '[') {
      refuse(field + " must be an array");
    }
    in.takeElements(takeElement);
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private void refuse(String text) {
    in.refuse(Reason.invalid(text));
  }
}
