package gambit.app.verify;

import gambit.chess.game.ChessClock;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Npub;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether a record's text tells the game that its events are. Pure. */
final class PgnCheck {
  private static final Set<String> REQUIRED = Set.of("White", "Black", "Result");

  /**
   * How many restarts of the relay within one ply are believed; each gives both clocks time. The
   * increment is believed for the plies of both sides, as moves that were taken back are not there
   * but have earned theirs.
   */
  private static final int RESTARTS_PER_PLY = 2;

  private PgnCheck() {}

  /** Everything in which the text differs, in words; where it was played, only it says. */
  static List<String> differences(
      PgnGame pgn,
      Announcement announcement,
      List<Move> moves,
      Result result,
      Termination termination) {
    List<String> differences = new ArrayList<>();
    due(pgn, announcement, result, termination)
        .forEach(
            (name, due) -> {
              String said = pgn.tags().getOrDefault(name, "");
              if (!isSame(name, said, due)) {
                differences.add("The PGN says " + name + " \"" + said + "\", not \"" + due + '"');
              }
            });
    if (!pgn.initial().fen().equals(announcement.initial().fen())) {
      differences.add("The PGN begins with another position: " + pgn.initial().fen());
      return differences;
    }
    move(pgn.initial(), pgn.moves().toList(), moves).ifPresent(differences::add);
    clock(pgn, announcement.time()).ifPresent(differences::add);
    return differences;
  }

  /** What each tag has to say; the position is compared as such. */
  private static Map<String, String> due(
      PgnGame pgn, Announcement announcement, Result result, Termination termination) {
    Map<String, String> tags =
        new LinkedHashMap<>(
            Pgn.tags(
                new PgnTags(
                    pgn.tags().getOrDefault("Event", ""),
                    pgn.tags().getOrDefault("Site", ""),
                    Npub.of(announcement.white()),
                    Npub.of(announcement.black())),
                announcement.initial(),
                result,
                termination.pgn(),
                announcement.time(),
                announcement.startedAt()));
    tags.keySet().removeAll(List.of("FEN", "SetUp"));
    return tags;
  }

  /** Players and result have to be there; other tags may be missing or unknown. */
  private static boolean isSame(String name, String said, String due) {
    boolean unknown = said.matches("[?.:]*") && !REQUIRED.contains(name);
    return unknown
        || said.equalsIgnoreCase(due)
        || (name.equals("TimeControl") && TimeControl.parse(said).equals(TimeControl.parse(due)));
  }

  /** The first clock that shows more than there can be. */
  private static Optional<String> clock(PgnGame pgn, TimeControl time) {
    int[] clocks = pgn.moves().clocks();
    for (int i = 0; i < clocks.length; i++) {
      long most = time.isUntimed() ? -1 : time.baseMillis() + (i + 1) * gain(time);
      if (clocks[i] * 100L > most) {
        return Optional.of(
            "The PGN's clock shows %d s after ply %d, which the time control %s does not give"
                .formatted(clocks[i] / 10, i + 1, time.text()));
      }
    }
    return Optional.empty();
  }

  /** What a clock can gain for each ply of the record: an increment, and restarts. */
  private static long gain(TimeControl time) {
    return time.incrementMillis() + RESTARTS_PER_PLY * ChessClock.RESTART_CREDIT;
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
