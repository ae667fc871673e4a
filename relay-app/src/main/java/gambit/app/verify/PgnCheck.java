package gambit.app.verify;

import gambit.chess.game.Pgn;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Npub;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether a record's text tells the game that its events are. Pure. */
final class PgnCheck {
  private PgnCheck() {}

  /** Everything in which the text differs, in words; where it was played, only it says. */
  static List<String> differences(
      PgnGame pgn,
      Announcement announcement,
      List<Move> moves,
      Result result,
      Termination termination) {
    Map<String, String> said = pgn.tags();
    Map<String, String> due =
        Pgn.tags(
            new PgnTags(
                said.getOrDefault("Event", ""),
                said.getOrDefault("Site", ""),
                Npub.of(announcement.white()),
                Npub.of(announcement.black())),
            announcement.initial(),
            result,
            termination.pgn(),
            announcement.time(),
            announcement.startedAt());
    List<String> differences = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>(due.keySet());
    names.addAll(said.keySet());
    for (String name : names) {
      String value = said.getOrDefault(name, "");
      String expected = due.getOrDefault(name, "");
      if (!value.equals(expected)) {
        differences.add("The PGN says " + name + " \"" + value + "\", not \"" + expected + "\"");
      }
    }
    if (pgn.initial().fen().equals(announcement.initial().fen())) {
      move(pgn.initial(), pgn.moves().toList(), moves).ifPresent(differences::add);
    }
    return differences;
  }

  /** The first move of the text that is not the one that was signed. */
  private static Optional<String> move(Position initial, List<Move> written, List<Move> signed) {
    Position position = initial;
    for (int i = 0; i < Math.max(written.size(), signed.size()); i++) {
      String has = i < written.size() ? position.san(written.get(i)) : "nothing";
      String due = i < signed.size() ? position.san(signed.get(i)) : "nothing";
      if (!has.equals(due)) {
        String number = position.fullmoveNumber() + (position.turn() == Side.WHITE ? "." : "...");
        return Optional.of("The PGN has " + has + " where " + number + " " + due + " was signed");
      }
      position = position.play(signed.get(i)).orElseThrow();
    }
    return Optional.empty();
  }
}
