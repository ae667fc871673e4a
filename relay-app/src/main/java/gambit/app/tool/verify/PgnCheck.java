package gambit.app.tool.verify;

import gambit.app.tool.client.GameTerms;
import gambit.app.tool.verify.RecordCheck.RecordedEnd;
import gambit.chess.game.ChessClock;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnTags;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Nip19;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the PGN of a record with the signed events of the game. The Event and Site tags have
 * nothing to be compared with.
 *
 * @param startedAt Unix time in seconds; empty if the players' events do not have it
 */
record PgnCheck(PgnGame pgn, GameTerms game, Optional<Long> startedAt, RecordedEnd end) {
  private static final Set<String> REQUIRED = Set.of("White", "Black", "Result");

  /**
   * The number of restarts of the relay that is plausible within one ply; each restart adds time to
   * both clocks. Increments are plausible for the plies of both sides, because moves that were
   * taken back are not in the record but have earned their increment.
   */
  private static final int MAX_RESTARTS_PER_PLY = 2;

  /** Describes each difference of the tags, the first position, the clocks and the moves. */
  List<String> differences(List<Move> signed) {
    List<String> differences = new ArrayList<>();
    expectedTags()
        .forEach(
            (name, expected) -> {
              String actual = pgn.tags().getOrDefault(name, "");
              if (!isConsistent(name, actual, expected)) {
                differences.add(
                    "The PGN says " + name + " \"" + actual + "\", not \"" + expected + '"');
              }
            });
    clockDifference().ifPresent(differences::add);
    if (!pgn.initial().fen().equals(game.initial().fen())) {
      differences.add("The PGN begins with another position: " + pgn.initial().fen());
    } else {
      moveDifference(signed).ifPresent(differences::add);
    }
    return differences;
  }

  /** The expected tags, without the initial position, which is compared separately. */
  private Map<String, String> expectedTags() {
    Map<String, String> tags =
        new LinkedHashMap<>(
            Pgn.tags(
                new PgnTags(
                    pgn.tags().getOrDefault("Event", ""),
                    pgn.tags().getOrDefault("Site", ""),
                    new PgnTags.Player(Nip19.npub(game.white()), game.whiteLevel(), 0),
                    new PgnTags.Player(Nip19.npub(game.black()), game.blackLevel(), 0)),
                game.initial(),
                end.result(),
                end.termination().pgn(),
                game.time(),
                startedAt.orElse(0L) * 1000));
    tags.keySet().removeAll(List.of("FEN", "SetUp"));
    if (startedAt.isEmpty()) {
      tags.keySet().removeAll(List.of("Date", "UTCDate", "UTCTime"));
    }
    return tags;
  }

  /** Players and result are required; other tags may be missing or unknown. */
  private static boolean isConsistent(String name, String actual, String expected) {
    boolean isUnknown = actual.matches("[?.:]*") && !REQUIRED.contains(name);
    return isUnknown
        || actual.equalsIgnoreCase(expected)
        || (name.equals("TimeControl")
            && TimeControl.parse(actual).equals(TimeControl.parse(expected)));
  }

  private Optional<String> clockDifference() {
    TimeControl time = game.time();
    int[] clocks = pgn.moves().clocks();
    for (int i = 0; i < clocks.length; i++) {
      long maxMillis = time.isUntimed() ? -1 : time.baseMillis() + (i + 1) * maxGainPerPly(time);
      if (clocks[i] * 100L > maxMillis) {
        return Optional.of(
            "The PGN's clock shows %d s after ply %d, which the time control %s does not give"
                .formatted(clocks[i] / 10, i + 1, time.text()));
      }
    }
    return Optional.empty();
  }

  /** Milliseconds that a clock can gain for each ply of the record: an increment, and restarts. */
  private static long maxGainPerPly(TimeControl time) {
    return time.incrementMillis() + MAX_RESTARTS_PER_PLY * ChessClock.RESTART_CREDIT;
  }

  private Optional<String> moveDifference(List<Move> signed) {
    List<Move> written = pgn.moves().toList();
    Position position = pgn.initial();
    for (int i = 0; !written.equals(signed) && i < Math.max(written.size(), signed.size()); i++) {
      String actual = i < written.size() ? position.san(written.get(i)) : "nothing";
      String expected = i < signed.size() ? position.san(signed.get(i)) : "nothing";
      if (!actual.equals(expected)) {
        String number = position.fullmoveNumber() + (position.turn() == Side.WHITE ? "." : "...");
        return Optional.of(
            "The PGN has " + actual + " where " + number + " " + expected + " was signed");
      }
      position = position.play(signed.get(i)).orElseThrow();
    }
    return Optional.empty();
  }
}
