package gambit.app.verify;

import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.model.Npub;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Whether a record's text tells the game that its events are. Pure. */
final class PgnCheck {
  private PgnCheck() {}

  /** Everything in which the text differs, in words. */
  static List<String> differences(
      PgnText pgn,
      Announcement announcement,
      List<Move> moves,
      Result result,
      Termination termination) {
    List<String> differences = new ArrayList<>();
    tag(pgn, "White", Npub.of(announcement.white()), differences);
    tag(pgn, "Black", Npub.of(announcement.black()), differences);
    tag(pgn, "Result", result.text(), differences);
    tag(pgn, "Termination", termination.pgn(), differences);
    tag(pgn, "TimeControl", announcement.time(), differences);
    String fen = announcement.initial().fen();
    tag(pgn, "FEN", fen.equals(Rules.initial().fen()) ? "" : fen, differences);
    movetext(pgn.tokens(), announcement.initial(), moves, result).ifPresent(differences::add);
    return differences;
  }

  private static void tag(PgnText pgn, String name, String expected, List<String> differences) {
    String value = pgn.tags().getOrDefault(name, "");
    if (!value.equals(expected)) {
      differences.add("The PGN says " + name + " \"" + value + "\", not \"" + expected + "\"");
    }
  }

  /** The first token that is not the game's. Before a move its number may stand. */
  private static Optional<String> movetext(
      List<String> tokens, Position initial, List<Move> moves, Result result) {
    Position position = initial;
    Iterator<String> rest = tokens.iterator();
    for (Move move : moves) {
      String number = position.fullmoveNumber() + (position.turn() == Side.WHITE ? "." : "...");
      String expected = position.san(move);
      String token = rest.hasNext() ? rest.next() : "nothing";
      if (token.equals(number) && rest.hasNext()) {
        token = rest.next();
      }
      if (!token.equals(expected)) {
        return Optional.of(
            "The PGN has " + token + " where " + number + " " + expected + " was signed");
      }
      position = position.play(move).orElseThrow();
    }
    String last = rest.hasNext() ? rest.next() : "nothing";
    return last.equals(result.text()) && !rest.hasNext()
        ? Optional.empty()
        : Optional.of("The PGN has " + last + " where the game ends with " + result.text());
  }
}
