package gambit.app.tool.demo;

import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.EventTags;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A client written from the NIP-100 draft: it opens no subscription and uses only the draft's
 * messages. It verifies every signature and computes every position itself. One thread uses it.
 */
final class DemoPlayer implements AutoCloseable {
  private final Signer key = Signer.random();
  private final EventVerifier verifier = new EventVerifier();
  private final RelayPlace relay;
  private final Duration timeout;
  private final RelaySession session;
  private final Deque<ReceivedMessage> received = new ArrayDeque<>();
  private Position position = Position.initial();

  /** The timeout is for connecting and for each answer. */
  DemoPlayer(URI url, Duration timeout) throws RelayFailure {
    this.relay = RelayPlace.of(url);
    this.timeout = timeout;
    this.session =
        RelaySession.connect(
            relay,
            timeout,
            new RelaySession.Owner() {
              @Override
              public void other(ReceivedMessage message) {
                received.add(message);
              }
            },
            new RelaySession.SessionTasks());
  }

  PubKey pubkey() {
    return key.pubkey();
  }

  Position position() {
    return position;
  }

  Event publish(int kind, String content) {
    Tags tags =
        new Tags(
            List.of(
                List.of("relay", relay.loginUrl()),
                List.of("nonce", UUID.randomUUID().toString())));
    Event event = key.sign(System.currentTimeMillis() / 1000, kind, tags, content);
    session.send("[\"EVENT\"," + event + "]");
    return event;
  }

  /** Searches for an opponent; returns the event, whose second OK will announce the colour. */
  Event connect() throws RelayFailure {
    Event connect = publish(ChessKinds.LOBBY, "connect");
    String text = expectOk(connect);
    require(text.isEmpty(), "The relay answered connect with \"" + text + "\".");
    return connect;
  }

  record FoundGame(Event event, String colour) {}

  FoundGame expectGame(Event connect, PubKey opponent) throws RelayFailure {
    Event found = expectEvent(ChessKinds.LOBBY, ChessKinds.LOBBY, "gameisfound");
    List<String> players = found.tags().named("p").map(tag -> EventTags.at(tag, 1)).toList();
    require(
        players.isEmpty() || players.contains(opponent.hex()),
        "A stranger was paired with the demonstration; somebody else is searching on this relay.");
    String colour = expectOk(connect);
    require(
        List.of("white", "black").contains(colour),
        "The relay gave the colour \"" + colour + "\".");
    boolean contradicted =
        found
            .tags()
            .named("p")
            .anyMatch(
                tag ->
                    EventTags.at(tag, 1).equals(opponent.hex())
                        && EventTags.at(tag, 3).equals(colour));
    require(!contradicted, "The relay gave the same colour to both players.");
    return new FoundGame(found, colour);
  }

  void play(String uci) throws RelayFailure {
    advance(uci);
    String text = expectOk(publish(ChessKinds.MOVE, uci));
    require(text.isEmpty(), "The relay answered " + uci + " with \"" + text + "\".");
  }

  void expectMove(String uci, PubKey opponent) throws RelayFailure {
    Event move = expectEvent(5002, ChessKinds.MOVE, uci);
    require(move.pubkey().equals(opponent), "The move " + uci + " is not signed by the opponent.");
    advance(uci);
  }

  private void advance(String uci) throws RelayFailure {
    position =
        Move.parse(uci)
            .flatMap(position::play)
            .orElseThrow(() -> new RelayFailure("The move " + uci + " is not legal."));
  }

  void expectMate(Event game, String result) throws RelayFailure {
    require(
        position.outcome().equals(Optional.of(Outcome.CHECKMATE)),
        "The last position is not checkmate.");
    Event ending = expectEvent(ChessKinds.LOBBY, ChessKinds.LOBBY, "gamecheckmate");
    require(
        ending.pubkey().equals(game.pubkey()),
        "The ending is not signed by the key that announced the game.");
    require(
        ending.tags().first("e").orElse(game.id().hex()).equals(game.id().hex()),
        "The ending names another game.");
    require(
        ending.tags().first("result").orElse(result).equals(result),
        "The ending has another result than " + result + ".");
  }

  void cancelSearchAndResign() {
    publish(ChessKinds.LOBBY, "cancelsearch");
    publish(ChessKinds.RESIGNATION, "resign");
    session.awaitSent();
  }

  private Event expectEvent(int number, int kind, String content) throws RelayFailure {
    ReceivedMessage message = next();
    require(
        message.verb().equals("EVENT") && message.id().equals("" + number),
        "Expected the frame of " + content + " but the relay sent " + message);
    Event event =
        message
            .event()
            .orElseThrow(() -> new RelayFailure("The relay sent a malformed event: " + message));
    require(
        verifier.hasValidId(event) && verifier.hasValidSignature(event),
        "The relay sent an event with a wrong id or signature: " + message);
    require(
        event.kind() == kind && event.content().equals(content),
        "Expected " + content + " but the relay sent " + message);
    return event;
  }

  /** Waits for {@code OK true} for this event, and returns its text. */
  private String expectOk(Event event) throws RelayFailure {
    ReceivedMessage message = next();
    require(
        message.verb().equals("OK") && message.id().equals(event.id().hex()) && message.isTrue(2),
        "Expected an OK for " + event.content() + " but got " + message);
    return message.text(3);
  }

  private static void require(boolean isMet, String otherwise) throws RelayFailure {
    if (!isMet) {
      throw new RelayFailure(otherwise);
    }
  }

  /** The next message of the protocol, but for NOTICE and AUTH. */
  private ReceivedMessage next() throws RelayFailure {
    while (received.isEmpty()) {
      if (!session.step(timeout)) {
        throw new RelayFailure(
            "No referee answered within " + timeout.toSeconds() + " s: is this a Gambit relay?");
      }
    }
    return received.remove();
  }

  @Override
  public void close() {
    session.close();
  }
}
