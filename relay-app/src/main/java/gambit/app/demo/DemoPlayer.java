package gambit.app.demo;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.client.ReceivedEvent;
import gambit.app.client.RelayFailed;
import gambit.app.client.RelaySocket;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A client written from the NIP-100 draft: no subscription, only the draft's frames and words. It
 * verifies every signature and computes every position itself. One thread uses it.
 */
final class DemoPlayer implements AutoCloseable {
  private static final int LOBBY = 5000;
  private static final int MOVE = 5001;
  private static final int RESIGN = 5003;

  private final Signer key = Signer.random();
  private final EventVerifier verifier = new EventVerifier();
  private final Duration patience;
  private final RelaySocket socket;
  private Position position = Rules.initial();

  /**
   * Connects.
   *
   * @param patience how long the relay may take for any answer
   */
  DemoPlayer(URI url, Duration patience) throws DemoFailed {
    this.patience = patience;
    try {
      socket = new RelaySocket(url, patience);
    } catch (RelayFailed e) {
      throw new DemoFailed(e);
    }
  }

  PubKey pubkey() {
    return key.pubkey();
  }

  Position position() {
    return position;
  }

  /** Publishes a chess event. */
  Event publish(int kind, String content) throws DemoFailed {
    Tags tags = new Tags(List.of(List.of("nonce", UUID.randomUUID().toString())));
    Event event = key.sign(System.currentTimeMillis() / 1000, kind, tags, content);
    try {
      socket.send("[\"EVENT\"," + event + "]");
    } catch (RelayFailed e) {
      throw new DemoFailed(e);
    }
    return event;
  }

  /** Searches for an opponent; the event is what its second OK names. */
  Event connect() throws DemoFailed {
    Event connect = publish(LOBBY, "connect");
    String text = expectOk(connect);
    if (!text.isEmpty()) {
      throw new DemoFailed("The relay answered connect with \"" + text + "\".");
    }
    return connect;
  }

  /** A game as the relay has announced it. */
  record Found(Event event, String colour) {}

  /** Waits for the game and the own colour, and checks that the opponent is the right one. */
  Found expectGame(Event connect, PubKey opponent) throws DemoFailed {
    Event found = expectEvent(LOBBY, LOBBY, "gameisfound");
    List<String> players = found.tags().named("p").map(tag -> at(tag, 1)).toList();
    if (!players.isEmpty() && !players.contains(opponent.hex())) {
      throw new DemoFailed(
          "A stranger was paired with the demonstration; somebody else is searching on this relay.");
    }
    String colour = expectOk(connect);
    if (!colour.equals("white") && !colour.equals("black")) {
      throw new DemoFailed("The relay gave the colour \"" + colour + "\".");
    }
    boolean contradicted =
        found
            .tags()
            .named("p")
            .anyMatch(tag -> at(tag, 1).equals(opponent.hex()) && at(tag, 3).equals(colour));
    if (contradicted) {
      throw new DemoFailed("The relay gave the same colour to both players.");
    }
    return new Found(found, colour);
  }

  private static String at(List<String> tag, int index) {
    return tag.size() > index ? tag.get(index) : "";
  }

  /** Plays an own move. */
  void play(String uci) throws DemoFailed {
    advance(uci);
    String text = expectOk(publish(MOVE, uci));
    if (!text.isEmpty()) {
      throw new DemoFailed("The relay answered " + uci + " with \"" + text + "\".");
    }
  }

  /** Waits for the opponent's move and checks who signed it. */
  void expectMove(String uci, PubKey opponent) throws DemoFailed {
    Event move = expectEvent(5002, MOVE, uci);
    if (!move.pubkey().equals(opponent)) {
      throw new DemoFailed("The move " + uci + " is not signed by the opponent.");
    }
    advance(uci);
  }

  private void advance(String uci) throws DemoFailed {
    position =
        Move.parse(uci)
            .flatMap(position::play)
            .orElseThrow(() -> new DemoFailed("The move " + uci + " is not legal."));
  }

  /** Waits for the word that ends the game, and checks whose it is and what it says. */
  void expectMate(Event game, String result) throws DemoFailed {
    if (!position.outcome().equals(Optional.of(Outcome.CHECKMATE))) {
      throw new DemoFailed("The last position is no checkmate.");
    }
    Event ending = expectEvent(LOBBY, LOBBY, "gamecheckmate");
    if (!ending.pubkey().equals(game.pubkey())) {
      throw new DemoFailed("The ending is not signed by who announced the game.");
    }
    if (!ending.tags().first("e").orElse(game.id().hex()).equals(game.id().hex())) {
      throw new DemoFailed("The ending names another game.");
    }
    if (!ending.tags().first("result").orElse(result).equals(result)) {
      throw new DemoFailed("The ending tells another result than " + result + ".");
    }
  }

  /** Leaves the queue, then the game, as far as there are any. */
  void giveUp() {
    try {
      publish(LOBBY, "cancelsearch");
      publish(RESIGN, "resign");
    } catch (DemoFailed e) {
      // The relay is gone, and the search and the game with it.
    }
  }

  private Event expectEvent(int number, int kind, String content) throws DemoFailed {
    JsonNode frame = next();
    if (!frame.path(0).asText().equals("EVENT")
        || !frame.path(1).isInt()
        || frame.path(1).intValue() != number) {
      throw new DemoFailed("Expected the frame of " + content + " but the relay sent " + frame);
    }
    Event event = verified(frame.path(2));
    if (event.kind() != kind || !event.content().equals(content)) {
      throw new DemoFailed("Expected " + content + " but the relay sent " + frame);
    }
    return event;
  }

  private Event verified(JsonNode json) throws DemoFailed {
    Event event =
        ReceivedEvent.read(json.toString())
            .orElseThrow(
                () -> new DemoFailed("The relay sent something that is no event: " + json));
    if (!verifier.hasValidId(event) || !verifier.hasValidSignature(event)) {
      throw new DemoFailed("The relay sent an event whose signature is wrong: " + json);
    }
    return event;
  }

  /** The text of the next OK, which has to be for this event and true. */
  private String expectOk(Event event) throws DemoFailed {
    JsonNode frame = next();
    if (!frame.path(0).asText().equals("OK")
        || !frame.path(1).asText().equals(event.id().hex())
        || !frame.path(2).isBoolean()
        || !frame.path(2).booleanValue()) {
      throw new DemoFailed("Expected an OK for " + event.content() + " but got " + frame);
    }
    return frame.path(3).asText();
  }

  /** The next frame of the protocol; what a relay may say besides is passed over. */
  private JsonNode next() throws DemoFailed {
    JsonNode frame;
    do {
      frame = nextOfAny();
    } while (Set.of("NOTICE", "AUTH").contains(frame.path(0).asText()));
    return frame;
  }

  private JsonNode nextOfAny() throws DemoFailed {
    try {
      return socket
          .next(patience)
          .orElseThrow(
              () ->
                  new DemoFailed(
                      "No referee answered within "
                          + patience.toSeconds()
                          + " s: is this a Gambit relay?"));
    } catch (RelayFailed e) {
      throw new DemoFailed(e);
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
