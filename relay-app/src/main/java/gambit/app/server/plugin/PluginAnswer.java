package gambit.app.server.plugin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Dropped;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.wire.Reason;
import java.util.Arrays;
import java.util.Optional;

/**
 * A line in which a plugin decides on an event. Immutable.
 *
 * @param id the event's id as the plugin has written it
 */
record PluginAnswer(String id, Action action, Verdict verdict) {
  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);
  private static final int MAX_MESSAGE_CHARS = 500;
  private static final String NO_TEXT = "refused by the relay's policy";
  private static final Reason NO_MESSAGE = Reason.blocked(NO_TEXT);

  enum Action {
    ACCEPT("accept"),
    REJECT("reject"),
    SHADOW_REJECT("shadowReject");

    private final String word;

    Action(String word) {
      this.word = word;
    }
  }

  /**
   * Reads a line; empty if it is no JSON object, such as a message for people. An object that is no
   * decision is a failure.
   */
  static Optional<PluginAnswer> read(String line) throws PluginFailure {
    JsonNode json;
    try {
      json = READER.readTree(line);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
    if (!json.isObject()) {
      return Optional.empty();
    }
    String word = json.path("action").asText();
    Action action =
        Arrays.stream(Action.values())
            .filter(each -> each.word.equals(word))
            .findFirst()
            .orElseThrow(() -> new PluginFailure("has answered with an action that is unknown"));
    return Optional.of(
        new PluginAnswer(json.path("id").asText(), action, verdict(action, json.path("msg"))));
  }

  private static Verdict verdict(Action action, JsonNode message) {
    return switch (action) {
      case ACCEPT -> new Accepted();
      case REJECT -> new Refused(message.isTextual() ? reason(message.asText()) : NO_MESSAGE);
      case SHADOW_REJECT -> new Dropped();
    };
  }

  /** The plugin's message, with the prefix {@code blocked:} if it has none of the known ones. */
  private static Reason reason(String message) {
    String text = message.strip();
    if (text.isEmpty()) {
      return NO_MESSAGE;
    }
    int codePoints = Math.min(MAX_MESSAGE_CHARS, text.codePointCount(0, text.length()));
    String cut = text.substring(0, text.offsetByCodePoints(0, codePoints));
    for (Reason.Prefix prefix : Reason.Prefix.values()) {
      if (cut.startsWith(prefix.word() + ":")) {
        String rest = cut.substring(prefix.word().length() + 1).strip();
        return new Reason(prefix, rest.isEmpty() ? NO_TEXT : rest);
      }
    }
    return Reason.blocked(cut);
  }
}
