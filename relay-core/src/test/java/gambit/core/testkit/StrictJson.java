package gambit.core.testkit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A strict reader of JSON (RFC 8259, RFC 3629): Jackson with every leniency disabled, the oracle of
 * the relay's readers. Objects become maps, arrays become lists, and numbers keep their text.
 */
public final class StrictJson {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final Pattern BAD_ESCAPE =
      Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*+)\\\\u(?![0-9a-fA-F]{4})");

  /** The text of a number. */
  public record NumberText(String text) {
    /**
     * Whether it is an integer without sign, fraction or exponent, of at most that number of
     * digits.
     */
    public boolean isNatural(int atMost) {
      return text.length() <= atMost && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
  }

  /** The value of {@code null}. */
  public enum Null {
    NULL
  }

  private final JsonParser in;
  private final int maxDepth;

  private StrictJson(JsonParser in, int maxDepth) {
    this.in = in;
    this.maxDepth = maxDepth;
  }

  /** The text of the bytes; empty if they are not UTF-8. */
  public static Optional<String> utf8(byte[] bytes, int length) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a text that is one value; empty if it is not.
   *
   * @param maxDepth maximum nesting depth; the outermost value has depth 1
   */
  public static Optional<Object> read(String text, int maxDepth) {
    try (JsonParser in = JSON.createParser(withoutBadEscapes(text))) {
      in.nextToken();
      Object value = new StrictJson(in, maxDepth).value(1);
      return in.nextToken() == null ? Optional.of(value) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Jackson takes any character for a hex digit whose lowest byte is one: U+0433 for {@code 3}.
   * Such an escape becomes one that it refuses.
   */
  private static String withoutBadEscapes(String text) {
    return BAD_ESCAPE.matcher(text).replaceAll("$1\\\\x");
  }

  /** The leading strings of an array, as far as they can be read. */
  public static List<String> leadingStrings(String text) {
    List<String> strings = new ArrayList<>();
    try (JsonParser in = JSON.createParser(withoutBadEscapes(text))) {
      if (in.nextToken() == JsonToken.START_ARRAY) {
        while (in.nextToken() == JsonToken.VALUE_STRING) {
          strings.add(in.getText());
        }
      }
      return strings;
    } catch (IOException e) {
      return strings;
    }
  }

  /** Whether no string in the value, including field names, has a lone surrogate. */
  public static boolean isFreeOfLoneSurrogates(Object value) {
    if (value instanceof Map<?, ?> fields) {
      return fields.keySet().stream().allMatch(StrictJson::isFreeOfLoneSurrogates)
          && fields.values().stream().allMatch(StrictJson::isFreeOfLoneSurrogates);
    } else if (value instanceof List<?> values) {
      return values.stream().allMatch(StrictJson::isFreeOfLoneSurrogates);
    }
    return !(value instanceof String text)
        || text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
  }

  private Object value(int depth) throws IOException {
    if (depth > maxDepth || in.currentToken() == null) {
      throw new IOException("no value, or one too deep");
    }
    return switch (in.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          in.nextToken();
          fields.put(name, value(depth + 1));
        }
        yield fields;
      }
      case START_ARRAY -> {
        List<Object> values = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(depth + 1));
        }
        yield values;
      }
      case VALUE_STRING -> in.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(in.getText());
      case VALUE_NULL -> Null.NULL;
      default -> in.getBooleanValue();
    };
  }
}
