package gambit.core.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the event id of an EVENT or AUTH frame whose event is invalid, for the OK. */
final class LenientIdReader {

  /** Longer ids are ignored. */
  private static final int MAX_ID_LENGTH = 128;

  private static final JsonFactory LENIENT =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
          .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
          .enable(JsonReadFeature.ALLOW_MISSING_VALUES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private static final Pattern ID_FIELD =
      Pattern.compile("\"id\"\\s*:\\s*\"([ -!#-\\[\\]-~]{1," + MAX_ID_LENGTH + "})\"");

  private LenientIdReader() {}

  /**
   * The id of the event if the frame is JSON up to it, else the first text that looks like an id
   * field; null if there is none.
   */
  static @Nullable String read(byte[] frame, int length) {
    String text = new String(frame, 0, length, StandardCharsets.UTF_8);
    try (JsonParser in = LENIENT.createParser(text)) {
      while (in.nextToken() != null) {
        if (in.currentToken() == JsonToken.START_OBJECT) {
          return idOf(in);
        }
      }
      return null;
    } catch (IOException e) {
      Matcher field = ID_FIELD.matcher(text);
      return field.find() ? field.group(1) : null;
    }
  }

  private static @Nullable String idOf(JsonParser in) throws IOException {
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String field = in.currentName();
      JsonToken value = in.nextToken();
      if (field.equals("id")) {
        String id = value == JsonToken.VALUE_STRING ? in.getText() : "";
        return id.isEmpty() || id.length() > MAX_ID_LENGTH ? null : id;
      }
      in.skipChildren();
    }
    return null;
  }
}
