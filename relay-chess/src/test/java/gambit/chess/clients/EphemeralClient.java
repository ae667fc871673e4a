package gambit.chess.clients;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A player written from the text of the ephemeral chess server only: it reads the states of its
 * game, and answers the last one.
 */
final class EphemeralClient implements ChessClient {
  private final Signer key;
  private final TestRelay relay;
  private final Client socket;
  private final Deque<JsonNode> events = new ArrayDeque<>();
  private String game = "";
  private String colour = "";
  private JsonNode state = Client.parse("{}");

  EphemeralClient(String name, TestRelay relay) {
    this.key = Keys.of(name);
    this.relay = relay;
    this.socket = relay.connect();
  }

  @Override
  public void search() {
    socket.send(
        "[\"REQ\",\"chess\",{\"authors\":[\"%s\"],\"kinds\":[20301,20302,20304],\"#p\":[\"%s\"]}]"
            .formatted(server(), pubkey()));
    expect("EOSE");
    publish(20300, "", List.of());
    awaitEvent(event -> event.get("content").asText().equals("queued"));
  }

  @Override
  public String awaitGame() {
    JsonNode started = awaitEvent(event -> event.get("content").asText().startsWith("started:"));
    game = started.get("content").asText().substring("started:".length());
    colour = tag(started, "color");
    awaitState(it -> tag(it, "ply").equals("0"));
    return colour;
  }

  @Override
  public void move(String uci) {
    int ply = ply();
    signal(uci);
    awaitState(it -> tag(it, "ply").equals("" + (ply + 1)));
  }

  @Override
  public String awaitMove() {
    int ply = ply();
    awaitState(it -> tag(it, "ply").equals("" + (ply + 1)));
    return tag(state, "move");
  }

  @Override
  public void offerDraw() {
    signal("draw");
    awaitState(it -> tag(it, "draw").equals(colour));
  }

  /** An offer made with a move is in the same state. */
  @Override
  public void awaitOffer() {
    if (!isOffered(state)) {
      awaitState(this::isOffered);
    }
  }

  private boolean isOffered(JsonNode it) {
    return !tag(it, "draw").isEmpty() && !tag(it, "draw").equals(colour);
  }

  @Override
  public void agree() {
    signal("draw");
  }

  @Override
  public void claim() {
    signal("draw");
  }

  @Override
  public void resign() {
    signal("resign");
  }

  @Override
  public void awaitEnd(String word) {
    if (tag(state, "result").isEmpty()) {
      awaitState(it -> !tag(it, "result").isEmpty());
    }
    if (!ending().equals(word)) {
      throw new AssertionError("expected " + word + " but got " + state);
    }
  }

  /** The draft's message for such an ending. */
  private String ending() {
    String result = tag(state, "result");
    if (tag(state, "termination").equals("checkmate")) {
      return "gamecheckmate";
    } else if (result.equals("1/2-1/2")) {
      return "gamedraw";
    }
    return result.equals(colour.equals("white") ? "1-0" : "0-1") ? "opponentresigned" : "gamelost";
  }

  /** Answers the last state. */
  private void signal(String content) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("d", game));
    tags.add(List.of("e", state.get("id").asText()));
    for (JsonNode tag : state.get("tags")) {
      if (tag.get(0).asText().equals("p")) {
        tags.add(List.of("p", tag.get(1).asText()));
      }
    }
    publish(20303, content, tags);
  }

  private void publish(int kind, String content, List<List<String>> more) {
    List<List<String>> tags = new ArrayList<>(more);
    tags.add(List.of("p", server()));
    tags.add(List.of("nonce", UUID.randomUUID().toString()));
    Event event = key.sign(relay.now(), kind, new Tags(tags), content);
    socket.publish(event);
    JsonNode ok = expect("OK");
    if (!ok.get(1).asText().equals(event.id().hex())
        || !ok.get(2).asBoolean()
        || !ok.get(3).asText().isEmpty()) {
      throw new AssertionError("the answer to " + event + " is " + ok);
    }
  }

  /** The next frame of that verb; events received before it are kept. */
  private JsonNode expect(String verb) {
    JsonNode frame = socket.nextJson();
    while (!frame.get(0).asText().equals(verb)) {
      if (!frame.get(0).asText().equals("EVENT") || !frame.get(1).asText().equals("chess")) {
        throw new AssertionError("not of this dialect: " + frame);
      }
      events.add(frame.get(2));
      frame = socket.nextJson();
    }
    return frame;
  }

  private void awaitState(Predicate<JsonNode> wanted) {
    state =
        awaitEvent(
            event ->
                event.get("kind").asInt() == 20302
                    && tag(event, "d").equals(game)
                    && wanted.test(event));
  }

  private JsonNode awaitEvent(Predicate<JsonNode> wanted) {
    while (true) {
      JsonNode event = events.isEmpty() ? expect("EVENT").get(2) : events.remove();
      if (event.get("kind").asInt() == 20304) {
        throw new AssertionError("refused: " + event);
      } else if (wanted.test(event)) {
        return event;
      }
    }
  }

  private int ply() {
    return Integer.parseInt(tag(state, "ply"));
  }

  /** The first value of a tag, empty when there is none. */
  private static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    return "";
  }

  private String server() {
    return relay.signer().pubkey().hex();
  }

  @Override
  public String pubkey() {
    return key.pubkey().hex();
  }

  @Override
  public void close() {
    socket.close();
  }
}
