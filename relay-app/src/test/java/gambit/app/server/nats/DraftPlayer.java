package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A player of the draft's literal frames at one node of a cluster: without a subscription, so that
 * all events come in numbered frames. One thread.
 */
final class DraftPlayer implements AutoCloseable {
  private final Signer key;
  private final URI node;
  private Client client;

  /** The frames that nothing has waited for yet. */
  private final List<JsonNode> unread = new ArrayList<>();

  private int events;

  /** A new player. */
  DraftPlayer(URI node) {
    this(node, Signer.random());
  }

  private DraftPlayer(URI node, Signer key) {
    this.key = key;
    this.node = node;
    this.client = new Client(node);
  }

  /** Another connection of the same player, with a first event of its own. */
  DraftPlayer again(URI node) {
    DraftPlayer second = new DraftPlayer(node, key);
    second.events = 1_000;
    return second;
  }

  /** Waits until it is disconnected because another node leads, and returns to the same node. */
  void comeBack() {
    assertThat(client.awaitClose()).isEqualTo(1012);
    client = new Client(node);
    unread.clear();
    assertThat(say(5000, "connect")).startsWith("true");
  }

  /** Sends an event again; its answer is the same, or that it has been handled. */
  String sayAgain(Event event) {
    client.publishWithoutWaiting(event);
    return answerTo(event);
  }

  String pubkey() {
    return key.pubkey().hex();
  }

  /** Sends an event without waiting for its answer. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the list is a copy
  final Event send(int kind, String content, List<String>... more) {
    List<List<String>> tags = new ArrayList<>(List.of(more));
    tags.add(List.of("nonce", "" + ++events));
    Event event = key.sign(System.currentTimeMillis() / 1000, kind, new Tags(tags), content);
    client.publishWithoutWaiting(event);
    return event;
  }

  /** Sends an event, and waits for its answer: the boolean, and the text if there is one. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  final String say(int kind, String content, List<String>... more) {
    return answerTo(send(kind, content, more));
  }

  /** The next answer to an event; a search has two. */
  String answerTo(Event event) {
    JsonNode ok =
        next(
            frame ->
                frame.get(0).asText().equals("OK")
                    && frame.get(1).asText().equals(event.id().hex()));
    return (ok.get(2).asText() + " " + ok.get(3).asText()).strip();
  }

  /** The next event with a content, which must come in a numbered frame. */
  JsonNode event(String content) {
    JsonNode frame =
        next(
            it ->
                it.get(0).asText().equals("EVENT")
                    && it.get(2).get("content").asText().equals(content));
    assertThat(frame.get(1).isInt()).as("" + frame).isTrue();
    return frame.get(2);
  }

  /** Waits until the opponent's move is there, by itself or as the last one of a shown game. */
  void awaitMove(String uci) {
    next(
        frame ->
            frame.get(0).asText().equals("EVENT")
                && (frame.get(2).get("content").asText().equals(uci)
                    || tag(frame.get(2), "moves").endsWith(uci)));
  }

  /** Waits until a player's move that leads to a ply is there, by itself or in a shown game. */
  void awaitMoveOf(String player, int ply) {
    next(
        frame ->
            frame.get(0).asText().equals("EVENT")
                && (isMove(frame.get(2), player, ply)
                    || tag(frame.get(2), "moves").split(" ").length >= ply));
  }

  private static boolean isMove(JsonNode event, String player, int ply) {
    boolean isOfPlayer = event.get("pubkey").asText().equals(player);
    String named = tag(event, "ply");
    return event.get("kind").asInt() == 5001
        && isOfPlayer
        && (named.isEmpty() || named.equals("" + ply));
  }

  /** The first value of a tag; empty without it. */
  static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    return "";
  }

  private JsonNode next(Predicate<JsonNode> isMeant) {
    for (JsonNode frame : unread) {
      if (isMeant.test(frame)) {
        unread.remove(frame);
        return frame;
      }
    }
    while (true) {
      JsonNode frame = client.nextJson();
      if (isMeant.test(frame)) {
        return frame;
      }
      unread.add(frame);
    }
  }

  @Override
  public void close() {
    client.abort();
  }
}
