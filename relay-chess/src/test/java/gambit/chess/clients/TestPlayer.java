package gambit.chess.clients;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A player with a key and a connection, which records every frame. Two of the same name are two
 * devices of one player. Not thread-safe.
 */
public final class TestPlayer implements AutoCloseable {
  private final Signer key;
  private final TestRelay relay;
  private final Client socket;
  private final List<JsonNode> frames = new ArrayList<>();
  private int asked; // frames in which an event was looked for

  public TestPlayer(String name, TestRelay relay) {
    this.key = Keys.of(name);
    this.relay = relay;
    this.socket = relay.connect();
  }

  public String pubkey() {
    return key.pubkey().hex();
  }

  public Client socket() {
    return socket;
  }

  /** An event that is like no other. */
  @SafeVarargs
  public final Event sign(int kind, String content, List<String>... tags) {
    List<List<String>> all = new ArrayList<>();
    for (List<String> tag : tags) {
      all.add(tag);
    }
    return signAll(kind, content, all);
  }

  private Event signAll(int kind, String content, List<List<String>> tags) {
    tags.add(List.of("nonce", UUID.randomUUID().toString()));
    return key.sign(relay.now(), kind, new Tags(tags), content);
  }

  /** An event of the ephemeral chess server's. */
  @SafeVarargs
  public final Event signToServer(int kind, String content, List<String>... tags) {
    List<List<String>> all = new ArrayList<>();
    for (List<String> tag : tags) {
      all.add(tag);
    }
    all.add(List.of("p", relay.signer().pubkey().hex()));
    return signAll(kind, content, all);
  }

  /** Signs and publishes, and returns the content of the OK. */
  @SafeVarargs
  public final String say(int kind, String content, List<String>... tags) {
    return answerTo(sign(kind, content, tags));
  }

  /**
   * Publishes, and returns the content of the OK: its boolean and its text, as {@code "true
   * offer"}.
   */
  public String answerTo(Event event) {
    socket.publish(event);
    return answerOf(event);
  }

  /** The content of the next OK for an event. */
  public String answerOf(Event event) {
    JsonNode ok =
        next(
            frame -> frame.get(0).asText().equals("OK") && frame.get(1).asText().equals(id(event)));
    return (ok.get(2).asBoolean() + " " + ok.get(3).asText()).strip();
  }

  private static String id(Event event) {
    return event.id().hex();
  }

  /** Subscribes, and waits until everything stored has come. */
  public TestPlayer follows(String filter) {
    socket.send("[\"REQ\",\"follows\"," + filter + "]");
    next(frame -> frame.get(0).asText().equals("EOSE"));
    return this;
  }

  /** The next event with a content, after the last one that was asked for. */
  public JsonNode event(String content) {
    while (true) {
      JsonNode frame = asked < frames.size() ? frames.get(asked) : next(any -> true);
      asked++;
      if (frame.get(0).asText().equals("EVENT")
          && frame.get(2).get("content").asText().equals(content)) {
        return frame.get(2);
      }
    }
  }

  /** The next frame that is wanted; those before it are kept. */
  private JsonNode next(Predicate<JsonNode> wanted) {
    JsonNode frame = socket.nextJson();
    while (!wanted.test(frame)) {
      frames.add(frame);
      frame = socket.nextJson();
    }
    frames.add(frame);
    return frame;
  }

  /** All events received until now, in order, including all that were released before. */
  public List<JsonNode> events() {
    socket.send("[\"REQ\",\"fence\",{\"kinds\":[1],\"limit\":0}]");
    next(frame -> frame.get(0).asText().equals("EOSE") && frame.get(1).asText().equals("fence"));
    socket.send("[\"CLOSE\",\"fence\"]");
    return frames.stream()
        .filter(frame -> frame.get(0).asText().equals("EVENT"))
        .map(frame -> frame.get(2))
        .toList();
  }

  /** The first value of an event's tag, empty when there is none. */
  public static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    return "";
  }

  @Override
  public void close() {
    socket.close();
  }
}
