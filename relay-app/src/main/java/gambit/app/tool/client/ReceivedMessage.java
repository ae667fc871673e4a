package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A message that a relay sent: a JSON array of a verb, mostly an id (of a subscription, a
 * comparison or an event), and more elements, which are not kept of an {@code EVENT}. Its event,
 * not verified and empty if it is malformed, is parsed as the relay parses events, without a tree
 * of JSON. Immutable.
 */
public record ReceivedMessage(
    String text, String verb, String id, Optional<Event> event, JsonNode array) {
  private static final MessageReader READER =
      new MessageReader(Integer.MAX_VALUE, 1, kind -> false);
  private static final String EVENT = "[\"EVENT\",\"";

  /** Parses a message, which must be JSON; what has another form has empty elements. */
  static ReceivedMessage parse(String text) throws JsonProcessingException {
    if (text.startsWith(EVENT) && text.endsWith("]")) {
      int end = text.indexOf('"', EVENT.length());
      if (end > 0 && text.startsWith("\",{", end)) {
        String id = text.substring(EVENT.length(), end);
        Optional<Event> event = parseEvent(text.substring(end + 2, text.length() - 1));
        if (event.isPresent() && id.indexOf('\\') < 0) {
          return new ReceivedMessage(text, "EVENT", id, event, MissingNode.getInstance());
        }
      }
    }
    JsonNode array = JsonTree.read(text);
    String verb = array.path(0).asText();
    Optional<Event> event =
        verb.equals("EVENT") ? parseEvent(array.path(2).toString()) : Optional.empty();
    return new ReceivedMessage(text, verb, array.path(1).asText(), event, array);
  }

  /** Parsed as strictly as events of clients; id and signature are not checked. May be empty. */
  public static Optional<Event> parseEvent(String json) {
    byte[] frame = ("[\"EVENT\"," + json + "]").getBytes(StandardCharsets.UTF_8);
    return READER.read(frame, frame.length) instanceof ClientMessage.Publish received
        ? Optional.of(received.event())
        : Optional.empty();
  }

  public String text(int element) {
    return array.path(element).asText();
  }

  public boolean isTrue(int element) {
    return array.path(element).asBoolean();
  }

  @Override
  public String toString() {
    return text;
  }
}
