package gambit.app.tool.sync;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import gambit.app.tool.client.EventParser;
import gambit.core.model.Event;
import java.util.Optional;

/**
 * A message that a relay sent: a JSON array of a verb and elements. Most have an event, which is
 * parsed as the relay parses events, without a tree of JSON. Immutable.
 */
final class ReceivedMessage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EVENT = "[\"EVENT\",\"";

  private final String verb;
  private final String id;
  private final Optional<Event> event;
  private final JsonNode array;

  private ReceivedMessage(String verb, String id, Optional<Event> event, JsonNode array) {
    this.verb = verb;
    this.id = id;
    this.event = event;
    this.array = array;
  }

  /**
   * Parses a message; what has another form has empty elements.
   *
   * @throws JsonProcessingException if it is not JSON
   */
  static ReceivedMessage parse(String text) throws JsonProcessingException {
    if (text.startsWith(EVENT) && text.endsWith("]")) {
      int end = text.indexOf('"', EVENT.length());
      if (end > 0 && text.startsWith("\",{", end)) {
        String id = text.substring(EVENT.length(), end);
        Optional<Event> event = EventParser.parse(text.substring(end + 2, text.length() - 1));
        if (event.isPresent() && id.indexOf('\\') < 0) {
          return new ReceivedMessage("EVENT", id, event, MissingNode.getInstance());
        }
      }
    }
    JsonNode array = JSON.readTree(text);
    String verb = array.path(0).asText();
    Optional<Event> event =
        verb.equals("EVENT") ? EventParser.parse(array.path(2).toString()) : Optional.empty();
    return new ReceivedMessage(verb, array.path(1).asText(), event, array);
  }

  String verb() {
    return verb;
  }

  /** The second element: in most messages the id of a subscription, a comparison or an event. */
  String id() {
    return id;
  }

  /** The event of an {@code EVENT} message; empty if it is malformed. Nothing is verified. */
  Optional<Event> event() {
    return event;
  }

  /** The element of that number as text; empty for an {@code EVENT} message. */
  String text(int element) {
    return array.path(element).asText();
  }

  /** Whether the element of that number is {@code true}. */
  boolean isTrue(int element) {
    return array.path(element).asBoolean();
  }
}
