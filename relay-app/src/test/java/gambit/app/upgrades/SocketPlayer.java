package gambit.app.upgrades;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** A player of NIP-100 over a socket, in the real time. One thread. */
final class SocketPlayer implements AutoCloseable {
  private final Signer key;
  private final Client socket;
  private final Deque<JsonNode> events = new ArrayDeque<>(); // received, and not taken yet

  SocketPlayer(String name, URI relay) {
    key = Keys.of(name);
    socket = new Client(relay);
  }

  String pubkey() {
    return key.pubkey().hex();
  }

  static long now() {
    return System.currentTimeMillis() / 1000;
  }

  /** Publishes an event like no other, which must be accepted. */
  void say(int kind, String content) {
    say(kind, content, List.of());
  }

  /** Publishes an event like no other with a further tag, which must be accepted. */
  Event say(int kind, String content, List<String> tag) {
    List<String> unique = List.of("nonce", UUID.randomUUID().toString());
    Tags tags = new Tags(tag.isEmpty() ? List.of(unique) : List.of(tag, unique));
    Event event = key.sign(now(), kind, tags, content);
    socket.publish(event);
    JsonNode ok =
        next(
            frame ->
                frame.get(0).asText().equals("OK")
                    && frame.get(1).asText().equals(event.id().hex()));
    if (!ok.get(2).asBoolean()) {
      throw new AssertionError(content + " was refused: " + ok);
    }
    return event;
  }

  /** Waits for an event with that content, also one that has been received before. */
  JsonNode event(String content) {
    while (!events.isEmpty()) {
      JsonNode event = events.remove();
      if (event.get("content").asText().equals(content)) {
        return event;
      }
    }
    next(frame -> !events.isEmpty() && events.getLast().get("content").asText().equals(content));
    return events.removeLast();
  }

  /** Whether a {@code gameisfound} names this player as White. */
  boolean isWhiteIn(JsonNode game) {
    return game.get("tags").toString().contains("\"" + pubkey() + "\",\"\",\"white\"");
  }

  private JsonNode next(Predicate<JsonNode> wanted) {
    while (true) {
      JsonNode frame = socket.nextJson();
      if (frame.get(0).asText().equals("EVENT")) {
        events.add(frame.get(2));
      }
      if (wanted.test(frame)) {
        return frame;
      }
    }
  }

  static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    throw new AssertionError("no " + name + " in " + event);
  }

  @Override
  public void close() {
    socket.close();
  }
}
