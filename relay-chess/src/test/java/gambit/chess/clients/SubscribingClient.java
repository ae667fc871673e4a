package gambit.chess.clients;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A player built like a standard library: it receives everything under subscriptions. As such
 * libraries do, it discards frames with a number in place of the subscription id, and a second OK
 * for an event.
 */
final class SubscribingClient implements Nip100Client {
  private final Signer key;
  private final TestRelay relay;
  private final Client socket;
  private final Set<String> seen = new HashSet<>();
  private final List<JsonNode> events = new ArrayList<>();

  SubscribingClient(String name, TestRelay relay) {
    this.key = Keys.of(name);
    this.relay = relay;
    this.socket = relay.connect();
  }

  @Override
  public void search() {
    socket.send(
        "[\"REQ\",\"relay\",{\"kinds\":[5000,5002,64],\"#p\":[\"" + pubkey() + "\"],\"limit\":0}]");
    expect("EOSE");
    publish(5000, "connect", "");
  }

  @Override
  public String awaitGame() {
    JsonNode game = awaitEvent("relay", "gameisfound");
    String colour = "";
    String opponent = "";
    for (JsonNode tag : game.get("tags")) {
      if (tag.get(0).asText().equals("p")) {
        boolean own = tag.get(1).asText().equals(pubkey());
        colour = own ? tag.get(3).asText() : colour;
        opponent = own ? opponent : tag.get(1).asText();
      }
    }
    socket.send(
        "[\"REQ\",\"moves\",{\"kinds\":[5001],\"authors\":[\""
            + opponent
            + "\"],\"since\":"
            + game.get("created_at")
            + "},{\"kinds\":[5001],\"authors\":[\""
            + relay.signer().pubkey().hex()
            + "\"],\"#p\":[\""
            + pubkey()
            + "\"],\"since\":"
            + game.get("created_at")
            + "}]");
    return colour;
  }

  @Override
  public void move(String uci) {
    publish(5001, uci, "");
  }

  @Override
  public void moveOffering(String uci) {
    publish(5001, uci, List.of(List.of("draw", "offer")), true, "");
  }

  @Override
  public void moveIllegally(String uci, int count) {
    String text = "invalid: illegal move " + uci + " (" + count + " of 2)";
    publish(5001, uci, List.of(), false, text);
  }

  @Override
  public String awaitMove() {
    return awaitEvent("moves", null).get("content").asText();
  }

  @Override
  public void offerDraw() {
    publish(5002, "offer", "offer");
  }

  @Override
  public void awaitOffer() {
    awaitEvent("relay", "offersent");
  }

  @Override
  public void agree() {
    publish(5002, "accept", "accept");
  }

  @Override
  public void claim() {
    publish(5002, "claim", "claim");
  }

  @Override
  public void resign() {
    publish(5003, "resign", "resigned");
  }

  @Override
  public void awaitEnd(String word) {
    awaitEvent("relay", word);
  }

  @Override
  public String pubkey() {
    return key.pubkey().hex();
  }

  private void publish(int kind, String content, String text) {
    publish(kind, content, List.of(), true, text);
  }

  private void publish(
      int kind, String content, List<List<String>> more, boolean accepted, String text) {
    List<List<String>> tags = new ArrayList<>(more);
    tags.add(List.of("nonce", UUID.randomUUID().toString()));
    Event event = key.sign(relay.now(), kind, new Tags(tags), content);
    socket.publish(event);
    JsonNode ok = expect("OK");
    while (!ok.get(1).asText().equals(event.id().hex())) {
      ok = expect("OK");
    }
    if (ok.get(2).asBoolean() != accepted || !ok.get(3).asText().equals(text)) {
      throw new AssertionError("the answer to " + content + " is " + ok);
    }
  }

  /** The next frame of that verb; events received before it are kept. */
  private JsonNode expect(String verb) {
    for (JsonNode frame = socket.nextJson(); ; frame = socket.nextJson()) {
      boolean event = frame.get(0).asText().equals("EVENT");
      boolean known =
          event && (!frame.get(1).isTextual() || !seen.add(frame.get(2).get("id").asText()));
      if (frame.get(0).asText().equals(verb) && !known) {
        return frame;
      } else if (event && !known) {
        events.add(frame);
      }
    }
  }

  private JsonNode awaitEvent(String subscription, String content) {
    while (true) {
      JsonNode frame = events.isEmpty() ? expect("EVENT") : events.remove(0);
      if (frame.get(1).asText().equals(subscription)
          && (content == null || frame.get(2).get("content").asText().equals(content))) {
        return frame.get(2);
      }
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
