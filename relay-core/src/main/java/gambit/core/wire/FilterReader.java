package gambit.core.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one filter object of a REQ (NIP-01) from a strict Jackson parser that is at its opening
 * brace. Used by one thread for one filter.
 */
final class FilterReader {
  /** Refuses a message; {@link MessageReader} catches it and answers with the reason. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Reason reason;

    RefusedException(Reason reason) {
      super(reason.toString());
      this.reason = reason;
    }

    Reason reason() {
      return reason;
    }
  }

  /** Sets up to this size are small enough that colliding values do no harm. */
  private static final int MAX_SMALL_SET_SIZE = 8;

  /** Digits of the largest unsigned 64-bit integer, which some clients send for "no bound". */
  private static final int MAX_DIGITS = 20;

  /** Maximum length of a text to search for, in UTF-16 code units. */
  private static final int MAX_SEARCH_LENGTH = 1_000;

  private final JsonParser in;
  private final boolean takesSearch;
  private @Nullable Set<EventId> ids;
  private @Nullable Set<PubKey> authors;
  private @Nullable Set<Integer> kinds;
  private final Map<Character, Set<String>> tags = new HashMap<>();
  private @Nullable Long since;
  private @Nullable Long until;
  private @Nullable Long limit;
  private @Nullable String search;

  /**
   * Creates a reader of one filter.
   *
   * @param takesSearch whether {@code search} (NIP-50) is a known field
   */
  FilterReader(JsonParser in, boolean takesSearch) {
    this.in = in;
    this.takesSearch = takesSearch;
  }

  Filter read() throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw invalid("a filter must be an object");
    }
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = in.currentName();
      in.nextToken();
      switch (field) {
        case "ids" -> ids = takeSet(field, text -> EventId.ofHex(hex(field, text)));
        case "authors" -> authors = takeSet(field, text -> PubKey.ofHex(hex(field, text)));
        case "kinds" -> kinds = takeKinds();
        case "since" -> since = takeNaturalNumber(field);
        case "until" -> until = takeNaturalNumber(field);
        case "limit" -> limit = takeNaturalNumber(field);
        default -> {
          if (takesSearch && field.equals("search")) {
            search = takeSearch();
          } else {
            takeTag(field);
          }
        }
      }
    }
    return new Filter(ids, authors, kinds, Map.copyOf(tags), since, until, limit, search);
  }

  private String takeSearch() throws IOException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      throw invalid("search must be a string");
    }
    String text = in.getText();
    if (text.length() > MAX_SEARCH_LENGTH) {
      throw invalid("search must have at most " + MAX_SEARCH_LENGTH + " characters");
    }
    if (MessageReader.hasLoneSurrogate(text)) {
      throw invalid("lone surrogate in a string");
    }
    return text;
  }

  private void takeTag(String field) throws IOException {
    if (field.length() != 2 || field.charAt(0) != '#' || !isLetter(field.charAt(1))) {
      throw new RefusedException(Reason.unsupported("unknown filter field"));
    }
    boolean hex = field.equals("#e") || field.equals("#p");
    tags.put(field.charAt(1), takeSet(field, text -> hex ? hex(field, text) : text));
  }

  private <T> Set<T> takeSet(String field, Function<String, T> read) throws IOException {
    expectArray(field);
    Set<T> values = new LinkedHashSet<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (in.currentToken() != JsonToken.VALUE_STRING) {
        throw invalid(field + " must be an array of strings");
      }
      String text = in.getText();
      if (MessageReader.hasLoneSurrogate(text)) {
        throw invalid("lone surrogate in a string");
      }
      try {
        values.add(read.apply(text));
      } catch (IllegalArgumentException e) {
        throw invalid(field + " must hold 64 lower-case hex digits each");
      }
    }
    return values.size() <= MAX_SMALL_SET_SIZE
        ? Set.copyOf(values) // compact: most filters are this small and stay for long
        : Collections.unmodifiableSet(values); // buckets with many colliding strings become trees
  }

  private Set<Integer> takeKinds() throws IOException {
    expectArray("kinds");
    Set<Integer> values = new LinkedHashSet<>(2);
    while (in.nextToken() != JsonToken.END_ARRAY) {
      long kind = takeNaturalNumber("a kind");
      if (kind > Kind.MAX) {
        throw invalid("a kind must be at most " + Kind.MAX);
      }
      values.add((int) kind);
    }
    return Set.copyOf(values);
  }

  private long takeNaturalNumber(String what) throws IOException {
    String text = in.currentToken() == JsonToken.VALUE_NUMBER_INT ? in.getText() : "-";
    if (text.startsWith("-")) {
      throw invalid(what + " must be a non-negative integer");
    }
    if (text.length() > MAX_DIGITS) {
      throw invalid(what + " is too large");
    }
    return text.length() > 18 ? Long.MAX_VALUE : Long.parseLong(text);
  }

  private void expectArray(String field) throws RefusedException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw invalid(field + " must be an array");
    }
  }

  private static String hex(String field, String text) {
    if (!Hex.isLowerCase(text, 64)) {
      throw new IllegalArgumentException(field);
    }
    return text;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static RefusedException invalid(String text) {
    return new RefusedException(Reason.invalid(text));
  }
}
