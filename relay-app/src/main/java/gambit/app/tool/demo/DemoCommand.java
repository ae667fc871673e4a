package gambit.app.tool.demo;

import gambit.app.common.ConsoleCommand;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.rules.Piece;
import gambit.chess.rules.Position;
import gambit.core.model.Event;
import java.net.URI;
import java.time.Duration;
import java.util.List;
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
    DemoPlayer.FoundGame found = first.expectGame(firstConnect, second.pubkey());
    DemoPlayer.FoundGame same = second.expectGame(secondConnect, first.pubkey());
    if (!found.event().equals(same.event()) || found.colour().equals(same.colour())) {
      throw new RelayFailure(
          "The relay did not announce one game, with two colours, to both players.");
    }
    DemoPlayer white = found.colour().equals("white") ? first : second;
    DemoPlayer black = white == first ? second : first;
    print(
        GAME,
        "  game  " + found.event().id(),
        "  white " + white.pubkey().hex(),
        "  black " + black.pubkey().hex(),
        "");
    for (int ply = 0; ply < MOVES.size(); ply++) {
      String move = MOVES.get(ply);
      DemoPlayer mover = ply % 2 == 0 ? white : black;
      DemoPlayer other = mover == white ? black : white;
      mover.play(move);
      other.expectMove(move, mover.pubkey());
      if (!white.position().fen().equals(black.position().fen())) {
        throw new RelayFailure("The players see different positions.");
      }
      print((ply / 2 + 1) + (ply % 2 == 0 ? ". " : "... ") + move, diagram(white.position()));
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
}
