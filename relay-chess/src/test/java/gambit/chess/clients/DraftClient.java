package gambit.chess.clients;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.List;

/**
 * A player written from the text of the NIP-100 draft only: it never subscribes, and identifies a
 * frame by its number and content.
 */
final class DraftClient implements Nip100Client {
  private final Signer key;
  private final Client socket;
  private final TestRelay relay;
  private String connectId = "";
  private long created;

  DraftClient(String name, TestRelay relay) {
    this.key = Keys.of(name);
    this.socket = relay.connect();
    this.relay = relay;
  }

  @Override
  public void search() {
    connectId = send(5000, "connect");
    expectOk(connectId, "");
  }

  @Override
  public String awaitGame() {
    expectEvent(5000, "gameisfound");
    JsonNode ok = socket.nextJson();
    if (!ok.get(1).asText().equals(connectId) || !ok.get(2).asBoolean()) {
      throw new AssertionError("no colour: " + ok);
    }
    return ok.get(3).asText();
  }

  @Override
  public void move(String uci) {
    expectOk(send(5001, uci), "");
  }

  @Override
  public void moveOffering(String uci) {
    expectOk(send(5001, uci, new Tags(List.of(List.of("draw", "offer")))), "");
  }

  @Override
  public void moveIllegally(String uci, int count) {
    String text = "invalid: illegal move " + uci + " (" + count + " of 2)";
    expectOk(send(5001, uci), false, text);
  }

  @Override
  public String awaitMove() {
    return event(5002).get("content").asText();
  }

  @Override
  public void offerDraw() {
    expectOk(send(5002, "offer"), "offer");
  }

  @Override
  public void awaitOffer() {
    expectEvent(5002, "offersent");
  }

  /** In the draft one agrees by offering, too. */
  @Override
  public void agree() {
    expectOk(send(5002, "offer"), "accept");
  }

  @Override
  public void claim() {
    expectOk(send(5002, "claim"), "claim");
  }

  @Override
  public void resign() {
    expectOk(send(5003, "resign"), "resigned");
    expectEvent(5000, "gamelost");
  }

  @Override
  public void awaitEnd(String word) {
    expectEvent(5000, word);
  }

  private String send(int kind, String content) {
    return send(kind, content, Tags.NONE);
  }

  private String send(int kind, String content, Tags tags) {
    created = Math.max(created + 1, relay.now());
    Event event = key.sign(created, kind, tags, content);
    socket.publish(event);
    return event.id().hex();
  }

  private void expectOk(String id, String text) {
    expectOk(id, true, text);
  }

  private void expectOk(String id, boolean accepted, String text) {
    String wanted = "[\"OK\",\"" + id + "\"," + accepted + ",\"" + text + "\"]";
    String frame = socket.next();
    if (!frame.equals(wanted)) {
      throw new AssertionError("expected " + wanted + " but got " + frame);
    }
  }

  private void expectEvent(int number, String content) {
    JsonNode event = event(number);
    if (!event.get("content").asText().equals(content)) {
      throw new AssertionError("expected " + content + " but got " + event);
    }
  }

  private JsonNode event(int number) {
    JsonNode frame = socket.nextJson();
    if (!frame.get(0).asText().equals("EVENT")
        || !frame.get(1).isInt()
        || frame.get(1).asInt() != number) {
      throw new AssertionError("expected an EVENT " + number + " but got " + frame);
    }
    return frame.get(2);
  }

  @Override
  public void close() {
    socket.close();
  }

  @Override
  public String pubkey() {
    return key.pubkey().hex();
  }
}
