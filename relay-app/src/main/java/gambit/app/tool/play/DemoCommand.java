package gambit.app.tool.play;

import gambit.app.common.ConsoleCommand;
import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.EventTags;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Piece;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code gambit demo}: two clients play a famous game over a relay and check its messages. */
@Command(
    name = "demo",
    description = "Plays a famous game over a relay, with two clients.",
    exitCodeList = {
      "0:the game was played, with the messages that were expected",
      "1:the relay does not answer, or not as expected"
    },
    footer = "  gambit demo ws://localhost:7447")
public final class DemoCommand extends ConsoleCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String GAME =
      "Morphy against the Duke of Brunswick and Count Isouard, Paris 1858";

  private static final List<String> MOVES =
      List.of(
          "e2e4", "e7e5", "g1f3", "d7d6", "d2d4", "c8g4", "d4e5", "g4f3", "d1f3", "d6e5", "f1c4",
          "g8f6", "f3b3", "d8e7", "b1c3", "c7c6", "c1g5", "b7b5", "c3b5", "c6b5", "c4b5", "b8d7",
          "e1c1", "a8d8", "d1d7", "d8d7", "h1d1", "e7e6", "b5d7", "f6d7", "b3b8", "d7b8", "d1d8");

  private static final String RESULT = "1-0";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = "ws://localhost:7447",
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create("");

  @Override
  protected int run() throws RelayFailure {
    if (!RelayPlace.isRelayUrl(url)) {
      throw wrong("URL " + url + ": expected a ws:// or wss:// URL.");
    }
    try (DemoPlayer first = new DemoPlayer(url, TIMEOUT);
        DemoPlayer second = new DemoPlayer(url, TIMEOUT)) {
      try {
        play(first, second);
        return 0;
      } catch (RelayFailure e) {
        first.cancelSearchAndResign();
        second.cancelSearchAndResign();
        throw e;
      }
    }
  }

  private void play(DemoPlayer first, DemoPlayer second) throws RelayFailure {
    Event firstConnect = first.connect();
    Event secondConnect = second.connect();
    DemoPlayer.FoundGame found = first.expectGame(firstConnect, second.key.pubkey());
    DemoPlayer.FoundGame same = second.expectGame(secondConnect, first.key.pubkey());
    if (!found.event().equals(same.event()) || found.colour().equals(same.colour())) {
      throw new RelayFailure(
          "The relay did not announce one game, with two colours, to both players.");
    }
    DemoPlayer white = found.colour().equals("white") ? first : second;
    DemoPlayer black = white == first ? second : first;
    print(
        GAME,
        "  game  " + found.event().id(),
        "  white " + white.key.pubkey().hex(),
        "  black " + black.key.pubkey().hex(),
        "");
    for (int ply = 0; ply < MOVES.size(); ply++) {
      String move = MOVES.get(ply);
      DemoPlayer mover = ply % 2 == 0 ? white : black;
      DemoPlayer other = mover == white ? black : white;
      mover.play(move);
      other.expectMove(move, mover.key.pubkey());
      if (!white.position.fen().equals(black.position.fen())) {
        throw new RelayFailure("The players see different positions.");
      }
      print((ply / 2 + 1) + (ply % 2 == 0 ? ". " : "... ") + move, diagram(white.position));
    }
    white.expectMate(found.event(), RESULT);
    black.expectMate(found.event(), RESULT);
    print("Checkmate: both players were notified.");
  }

  private static String diagram(Position position) {
    StringBuilder out = new StringBuilder();
    for (int rank = 7; rank >= 0; rank--) {
      out.append("  ").append(rank + 1).append("  ");
      for (int file = 0; file < 8; file++) {
        out.append(position.at(rank * 8 + file).map(Piece::fenLetter).orElse('.')).append(' ');
      }
      out.append('\n');
    }
    return out.append("\n     a b c d e f g h\n").toString();
  }

  /**
   * A client written from the NIP-100 draft: it opens no subscription and uses only the draft's
   * messages. It verifies every signature and computes every position itself. One thread uses it.
   */
  private static final class DemoPlayer implements AutoCloseable {
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
          "A stranger was paired with the demonstration; somebody else is searching on this"
              + " relay.");
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
      require(
          move.pubkey().equals(opponent), "The move " + uci + " is not signed by the opponent.");
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
}
